"""A program under each of the eight readings against another program: two texts in, what each reading does out.

`cpl readings` and notebooks call this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from cplrt import show

from cpl import compiler, loader, readings
from cpl.compiler import Libraries, Meaning, Options
from cpl.diagnostics import Diagnostic, Error
from cpl.display import drawn_by
from cpl.games.position import Position, is_position
from cpl.kit.corrections import corrected, mended, needed
from cpl.kit.corrections import corrections as corrections_of
from cpl.kit.difference import parameters
from cpl.kit.first_difference import Pair
from cpl.kit.limits import PATIENCE, outcome
from cpl.kit.positions import drawn
from cpl.kit.reading_experiment import Agreement, Finding, Reference
from cpl.kit.session import examples, replay
from cpl.kit.sharing import shared
from cpl.kit.text_changes import ChangedPiece
from cpl.kit.traces import Call
from cpl.kit.tracking import Track, untracked
from cpl.readings import Reading
from cpl.source import Source


@dataclass(frozen=True, repr=False)
class ReadingComparison:
    """What each reading of one program does, compared with another program on so many `positions`.

    `misleading` is what misleads in the texts, with repairs, and `corrections` are those of the other program, None if
    they were not asked for. `parameters` are what those of the other program's functions are called.
    """

    program: str
    against: str
    function: str
    positions: int
    seed: int
    findings: tuple[Finding, ...]
    corrections: tuple[ChangedPiece, ...] | None
    misleading: tuple[Diagnostic, ...]
    parameters: dict[str, list[str]]

    @property
    def agreeing(self) -> list[str]:
        """The readings that agree with the other program on every position."""
        return [each.reading.mixture for each in self.findings if each.agrees]

    @property
    def conclusion(self) -> str:
        """How many readings agree, and which, in a sentence."""
        many = {0: "No reading agrees", 1: "Exactly one reading agrees"}
        which = many.get(len(self.agreeing), f"{len(self.agreeing)} readings agree")
        return f"{which} on every position{': ' if self.agreeing else ''}{'; '.join(self.agreeing)}."

    def choices(self, found: Finding) -> str:
        """The smallest choices of corrections with which a reading agrees, by their numbers from 1."""
        every = self.corrections or ()
        choices = [[str(every.index(correction) + 1) for correction in chosen] for chosen in found.needs or ()]
        return "; or ".join(" and ".join(choice) or "none" for choice in choices) or "no combination is enough"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data: what `cpl readings --format json` prints."""
        return {
            "program": self.program,
            "against": self.against,
            "function": self.function,
            "positions": self.positions,
            "seed": self.seed,
            "readings": [_data(each) for each in self.findings],
            "agreeing": self.agreeing,
        }

    __repr__ = drawn_by("cpl.kit.readings_text:as_summary")
    _repr_html_ = drawn_by("cpl.views.readings_html:as_fragment")


def compare_readings(
    program: str | Path | Source,
    against: str | Path | Source,
    *,
    positions: int = 5000,
    seed: int = 0,
    moves: str = "LegalPositionsFrom",
    corrections: bool = False,
    libraries: Libraries = (),
    track: Track = untracked,
    jobs: int = 1,
    cluster: str | None = None,
) -> ReadingComparison:
    """What a program of checkers does under each reading, compared with another program in the usual reading.

    Programs are paths, names of packaged programs, or Sources; a text that one wrong token stops from compiling is
    repaired. Both are asked for the `moves`, a function of theirs that gives all next positions, at so many positions:
    half from play, half with pieces thrown on the board; another `seed` gives others. With `corrections`, each reading
    is tried with every combination of what the other program changes in the text. The readings are shared between so
    many `jobs`, or the workers of a `cluster` (docs/scaling.md).

    The result is printed as `cpl readings` reports it; notebooks show the smallest positions without agreement, too.

    Raises CplError if a text is at fault, Unreadable if a file cannot be read, ValueError if there are to be no
    positions, and Error if the programs cannot be compared: they do not play by positions like those of the program of
    1966, or no reading can be executed.
    """
    if positions < 1:
        raise ValueError(f"readings are compared at 1 position or more, not {positions}")
    other = compiler.understand(loader.program(against), Options(repair=True))
    meaning = compiler.understand(loader.program(program), Options(libraries=libraries, repair=True))
    source = mended(meaning)
    mended_meaning = compiler.understand(source, Options(libraries=libraries))
    every = corrections_of(mended_meaning, other) if corrections else None
    session = loader.session(source.path) or ""
    experiment = _Experiment(mended_meaning, other, moves, positions, seed, every, session)
    reference = experiment.reference(track)
    with shared(experiment, jobs, cluster) as ask:
        answered = dict(track(ask(readings.ALL), "readings", len(readings.ALL)))
    found = [answered[each] for each in readings.ALL]
    if not any(each.is_loaded for each in found):
        raise Error(found[0].broken)
    return ReadingComparison(
        program=loader.called(program),
        against=loader.called(against),
        function=moves,
        positions=len(reference.positions),
        seed=seed,
        findings=tuple(found),
        corrections=None if every is None else tuple(every),
        misleading=(*meaning.misleading, *other.misleading),
        parameters=parameters(other),
    )


class _Experiment:
    """What is asked of each reading of a program, against another one."""

    def __init__(
        self,
        program: Meaning,
        against: Meaning,
        moves: str,
        positions: int,
        seed: int,
        every: Sequence[ChangedPiece] | None,
        session: str,
    ) -> None:
        self.program, self.against, self.every, self.session = program, against, every, session
        self.moves, self.positions, self.seed = moves, positions, seed
        self._reference: Reference | None = None

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_reference": None}

    def reference(self, track: Track = untracked) -> Reference:
        """The other program, with positions that are found by its moves: it must be right about them, or nothing can be
        compared.
        """
        if self._reference:
            return self._reference
        moves, path = self.moves, self.against.main.source.shown
        module = _loaded(self.against, moves, "StartPosition")
        if not is_position(module.StartPosition):
            raise Error(f"{path} has positions of another kind than the program of 1966")

        def answer(position: Position) -> list[Position]:
            found = outcome(getattr(module, moves), [position])
            if found.fault is not None:
                raise Error(f"{path}: {moves} fails at a position of play: {found.fault}")
            if not isinstance(found.result, list) or not all(map(is_position, found.result)):
                raise Error(f"{path}: what {moves} gives is not a list of positions (X,Y,K,σ)")
            return found.result

        positions = drawn(answer, module.StartPosition, self.positions, self.seed)
        self._reference = Reference(module, moves, [*track(positions, "positions", self.positions)])
        return self._reference

    def answer(self, reading: Reading) -> Finding:
        """All that is asked of one reading: how often the programs agree, witnesses where they do not, which recorded
        examples hold, and which corrections it needs.
        """
        reference = self.reference()

        def program(chosen: Sequence[ChangedPiece] = ()) -> ModuleType:
            source = corrected(self.program.main.source, chosen)
            return _loaded(compiler.understand_again(self.program, source, reading), self.moves)

        found, names = Finding(reading), {}
        try:
            module = program()
            names = vars(module)
            found.test(module, reference)
        except _Unfit as error:
            found.tally.counts["failed"], found.broken = len(reference.positions), str(error)
        found.examples = [*replay(names, examples(self.session), seconds=PATIENCE)]
        if self.every is not None:
            found.needs = [*needed(self.every, program, reference)]
        return found


class _Unfit(Error):
    """A program that cannot be compared; the text says why."""


def _loaded(meaning: Meaning, *names: str) -> ModuleType:
    """The program as a module, which must define these names. What it writes by itself is not shown."""
    path, found = meaning.main.source.shown, outcome(compiler.execute, [meaning])
    if found.fault is not None:
        raise _Unfit(f"{path} fails before anything can be compared: {found.fault}")
    for name in names:
        if not hasattr(found.result, name):
            raise _Unfit(f"{path} defines no {name}: it must have positions like those of the program of 1966")
    module: ModuleType = found.result
    return module


def _data(found: Finding) -> dict[str, Any]:
    """One reading as data, without what was not asked, or is not there."""
    needs = [[f"{each.definition}: {each.before} → {each.after}" for each in some] for some in found.needs or ()]
    fails = [each.line for each in found.examples if not each.holds]
    made: dict[str, Any] = {
        **found.reading.values,
        **{kind: found.tally.counts[kind] for kind in ("same", "different", "failed")},
        "examples": len(found.examples) or None,
        "examples_that_fail": fails if found.examples else None,
        "broken": found.broken or None,
        "corrections_needed": None if found.needs is None else needs,
        "witnesses": [_witness(kind, *found.witnesses[kind]) for kind in found.witnesses],
    }
    return {key: value for key, value in made.items() if value is not None}


def _witness(kind: Agreement, position: Any, pairs: Sequence[Pair]) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": kind, "position": show(position)}
    for here, there in pairs[-1:]:
        made |= {"call": here.applied, "here": result_of(here), "there": result_of(there)}
    return made


def result_of(call: Call) -> str:
    """What a call gives, in words."""
    return f"a fault: {call.fault}" if call.fault is not None else show(call.result)
