"""A program under each of the sixteen readings against another program: two texts in, what each reading does out.

`cpl readings` and notebooks call `compare_readings`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, cast

from cplrt import show
from cplrt.checkers import is_position

from cpl.compiler import loader, pipeline, readings
from cpl.compiler.diagnostics import Diagnostic, Error
from cpl.compiler.messages import REPAIRED
from cpl.compiler.pipeline import Libraries, Meaning, Options
from cpl.compiler.readings import KEYS, WORDS, Reading
from cpl.compiler.source import Source, Span
from cpl.compiler.wording import counted
from cpl.display import drawn
from cpl.games.position import Position
from cpl.limits import MOST_CORRECTIONS, RUN_SECONDS
from cpl.study.compare.differences import ChangedPiece, changes, parameters
from cpl.study.compare.experiment import Experiment, Pair, Tally, Track, shared, untracked
from cpl.study.compare.inputs import positions as drawn_positions
from cpl.study.compare.inputs import smaller
from cpl.study.compare.recorded import Replayed, examples, replay
from cpl.study.compare.report import (
    BOARDS,
    GAP,
    Fold,
    Folds,
    Labelled,
    Note,
    Part,
    PartHeading,
    Parting,
    ReadingCell,
    Replacement,
    Replacements,
    ReportTable,
    Said,
    Summary,
    TableCell,
    TableColumn,
    TableRow,
    Title,
    as_text,
    result_of,
)
from cpl.study.run.limits import outcome
from cpl.study.run.record import Call, record_call
from cpl.study.run.values import measure, same

PositionKind = Literal["same", "different", "failed"]
"""Whether two programs agree on a position: a fault on either side is `failed`."""

RESIGNS: Final = "resigns at once: no move is legal from the start"


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
) -> "ReadingComparison":
    """Compare what a program of checkers does under each reading with another program in the usual reading.

    Programs are paths, names of packaged programs, or Sources; a text that one wrong token stops from compiling is
    repaired. Both are asked for the `moves`, a function of theirs that gives all next positions, at so many positions:
    half from play, half with pieces scattered at random; another `seed` gives others. A reading with `shift=up` that
    finds no move at the start is tried no further. With `corrections`, each other reading is tried with every
    combination of what the other program changes in the text. The readings are shared between so many `jobs`, or the
    workers of a `cluster` (docs/scaling.md).

    The result is printed as `cpl readings` reports it; notebooks show the smallest positions without agreement, too.

    Raises CplError if a text has errors, Unreadable if a file cannot be read, ValueError if there are to be no
    positions, and Error if the programs cannot be compared: they do not play by positions like those of the program of
    1966, or no reading can be executed.
    """
    if positions < 1:
        raise ValueError(f"readings are compared at 1 position or more, not {positions}")
    other = pipeline.understand(loader.program(against), Options(repair=True))
    meaning = pipeline.understand(loader.program(program), Options(libraries=libraries, repair=True))
    repaired = pipeline.understand(mended(meaning), Options(libraries=libraries))
    choices = corrections_of(repaired, other) if corrections else None
    session = loader.session(repaired.main.source.path) or ""
    experiment = _ReadingExperiment(repaired, other, moves, positions, seed, choices, session, track)
    with shared(experiment, jobs, cluster) as ask:
        asked = readings.ALL if uses_shift(repaired, choices or ()) else readings.USUAL
        answers = dict(track(ask(asked), "readings", len(asked)))
    for reading in readings.ALL:
        answers.setdefault(reading, replace(answers[replace(reading, shift="down")], reading=reading))
    findings = [answers[reading] for reading in readings.ALL]
    if not any(finding.is_loaded for finding in findings):
        raise Error(findings[0].broken)
    return ReadingComparison(
        program=loader.called(program),
        against=loader.called(against),
        function=moves,
        positions=len(experiment.reference.positions),
        seed=seed,
        findings=tuple(findings),
        corrections=None if choices is None else tuple(choices),
        misleading=(*meaning.misleading, *other.misleading),
        parameters=parameters(other),
    )


class _ReadingExperiment:
    """A program that is compared under one reading after the other, with the corrections that it may need. Where a copy
    of this arrives, the reference is found anew, and the same.
    """

    def __init__(
        self,
        program: Meaning,
        against: Meaning,
        moves: str,
        count: int,
        seed: int,
        corrections: Sequence[ChangedPiece] | None,
        session: str,
        track: Track = untracked,
    ) -> None:
        self._settings = program, against, moves, count, seed, corrections, session
        self.program, self.corrections, self.session = program, corrections, session
        self.reference = _reference(against, moves, count, seed, track)

    def __reduce__(self) -> tuple[Any, ...]:
        return _ReadingExperiment, self._settings

    def answer(self, reading: Reading) -> "Finding":
        """Find all that is asked of one reading: how often the programs agree, witnesses where they do not, which
        recorded examples hold, and which corrections it needs.
        """

        def program(chosen: Sequence[ChangedPiece] = ()) -> ModuleType:
            source = corrected(self.program.main.source, chosen)
            return _loaded(pipeline.understand_again(self.program, source, reading), self.reference.function)

        finding, names = Finding(reading), {}
        try:
            module = program()
            names = vars(module)
            finding.test(module, self.reference)
        except _Unfit as error:
            finding.counts["failed"], finding.broken = len(self.reference.positions), str(error)
        finding.examples = [*replay(names, examples(self.session), seconds=RUN_SECONDS)]
        if self.corrections is not None and not finding.resigns:
            finding.needs = [*needed(self.corrections, program, self.reference)]
        return finding


def _reference(against: Meaning, moves: str, count: int, seed: int, track: Track) -> "Reference":
    """Return the other program, with positions that are found by its moves: it must be right about them, or nothing can
    be compared.
    """
    path, module = against.main.source.shown, _loaded(against, moves, "StartPosition")
    if not is_position(module.StartPosition):
        raise Error(f"{path} has positions of another kind than the program of 1966")

    def next_positions(position: Position) -> list[Position]:
        run = outcome(getattr(module, moves), [position])
        fails = f"fails at a position of play: {run.fault}"
        if run.fault is not None or not isinstance(run.result, list) or not all(map(is_position, run.result)):
            raise Error(f"{path}: {moves} {fails if run.fault else 'gives what is not a list of positions (X,Y,K,σ)'}")
        return run.result

    positions = drawn_positions(next_positions, module.StartPosition, count, seed)
    return Reference(module, moves, [*track(positions, "positions", count)])


class _Unfit(Error):
    """A program that cannot be compared; the text says why."""


def _loaded(meaning: Meaning, *names: str) -> ModuleType:
    """Execute a program as a module, which must define these names. What it writes by itself is not shown."""
    path, run = meaning.main.source.shown, outcome(pipeline.executable_of(meaning).module)
    if run.fault is not None:
        raise _Unfit(f"{path} fails before anything can be compared: {run.fault}")
    if missing := [name for name in names if not hasattr(run.result, name)]:
        raise _Unfit(f"{path} defines no {missing[0]}: it must have positions like those of the program of 1966")
    return cast(ModuleType, run.result)


class Reference:
    """The function of the program to compare with, and the positions; its results are worked out once."""

    def __init__(self, module: ModuleType, function: str, positions: Sequence[Any]) -> None:
        self.module, self.function, self.positions = module, function, positions
        self._there = cache(partial(_run, module, function))

    def experiment(self, module: ModuleType) -> Experiment[Any]:
        """Return the experiment that compares a program with this one. The order of lists makes no difference: the text
        of 1966 leaves that of positions open.
        """

        def run(position: Any, recorded: bool) -> Pair:
            if recorded:
                here, there = (record_call(program, self.function, [position]) for program in (module, self.module))
                return here, there
            return _run(module, self.function, position), self._there(position)

        return Experiment(run, smaller, partial(same, ordered=False))

    def has_more_at_the_start(self, module: ModuleType) -> bool:
        """Whether a program finds no next position at the start, and this one finds some."""
        start = self.module.StartPosition
        return _run(module, self.function, start).result == [] and bool(self._there(start).result)

    def judged(self, module: ModuleType) -> Iterator[tuple[PositionKind, Any]]:
        """Yield whether a program agrees on each position; a program that turns out not to end is given up."""
        for agreement, position in self.experiment(module).judged(self.positions):
            yield agreement if agreement in ("different", "same") else "failed", position


def _run(module: ModuleType, function: str, position: Any) -> Call:
    run = outcome(getattr(module, function), [position], seconds=RUN_SECONDS)
    return Call(function=function, arguments=(position,), result=run.result, fault=run.fault)


@dataclass
class Finding:
    """The findings about one reading. `witnesses` are positions without agreement by its kind, and the calls from the
    whole run on it down to the first one whose result differs; `needs` are the fewest corrections that are enough, if
    that was asked; `broken` says why the program cannot be executed, or not further. A reading that `resigns` finds no
    move at the start, and is compared at no position.
    """

    reading: Reading
    counts: Counter[PositionKind] = field(default_factory=Counter)
    witnesses: dict[PositionKind, tuple[Any, tuple[Pair, ...]]] = field(default_factory=dict)
    examples: list[Replayed] = field(default_factory=list)
    needs: list[tuple[ChangedPiece, ...]] | None = None
    broken: str = ""
    is_loaded: bool = False
    resigns: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the two programs agree on every position."""
        return not (self.resigns or self.counts["different"] or self.counts["failed"])

    def test(self, module: ModuleType, reference: Reference) -> None:
        """Compare the program under this reading with the other one; find witnesses, unless it does not end, or turns
        the moves round.
        """
        self.is_loaded = True
        self.resigns = self.reading.shift == "up" and reference.has_more_at_the_start(module)
        if self.resigns:
            return
        tally = Tally(reference.judged(module), lambda position: measure((position,)))
        self.counts = tally.counts
        if self.counts.total() < len(reference.positions):
            self.broken = f"given up after {self.counts.total()} positions: the program does not end"
            return
        self.witnesses = {
            agreement: reference.experiment(module).witness(tally.smallest(agreement))
            for agreement in tally.cases
            if agreement != "same"
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as data, without what was not asked, or is not there."""
        needs = [[f"{piece.definition}: {piece.before} → {piece.after}" for piece in need] for need in self.needs or ()]
        fails = [example.line for example in self.examples if not example.holds]
        data: dict[str, Any] = {
            **self.reading.values,
            **{kind: self.counts[kind] for kind in ("same", "different", "failed")},
            "resigns": self.resigns or None,
            "examples": len(self.examples) or None,
            "examples_that_fail": fails if self.examples else None,
            "broken": self.broken or None,
            "corrections_needed": None if self.needs is None else needs,
            "witnesses": [_witness_data(kind, *witness) for kind, witness in self.witnesses.items()],
        }
        return {key: value for key, value in data.items() if value is not None}


def _witness_data(kind: PositionKind, position: Any, pairs: Sequence[Pair]) -> dict[str, Any]:
    calls = [{"call": here.applied, "here": result_of(here), "there": result_of(there)} for here, there in pairs[-1:]]
    return {"kind": kind, "position": show(position)} | (calls[0] if calls else {})


def uses_shift(meaning: Meaning, corrections: Sequence[ChangedPiece]) -> bool:
    """Whether `shift` makes a difference in a program, or may make one after corrections."""
    cores = [
        pipeline.understand_again(meaning, meaning.main.source, Reading(shift=value)).core for value in KEYS["shift"]
    ]
    return cores[0] != cores[1] or any("Shift" in correction.after for correction in corrections)


# Corrections


def corrections_of(meaning: Meaning, other: Meaning) -> list[ChangedPiece]:
    """Return all that the text of `other` changes in that of a program, piece by piece where there are pieces.

    Raises Error if the two texts differ in more than can be tried, or in something that is no definition of theirs.
    """
    pieces: list[ChangedPiece] = []
    for change in changes(meaning, other):
        sources = {span.source for piece in change.pieces for span, _ in piece.edits}
        if not all(piece.edits for piece in change.pieces) or sources != {meaning.main.source}:
            raise Error(f"{change.name} is {change.kind} as a whole: there are no corrections to choose from")
        pieces += change.pieces
    if len(pieces) > MOST_CORRECTIONS:
        raise Error(f"there are {len(pieces)} corrections: too many to try every choice of them")
    return pieces


def mended(meaning: Meaning) -> Source:
    """Return the text of a program, repaired if it needed a repair to compile."""
    repairs = [diagnostic.fixes[0] for diagnostic in meaning.diagnostics if diagnostic.cause is REPAIRED]
    return _edited(meaning.main.source, [(fix.span, fix.text) for fix in repairs])


def corrected(source: Source, chosen: Sequence[ChangedPiece]) -> Source:
    """Return the text with these corrections made."""
    return _edited(source, [edit for correction in chosen for edit in correction.edits])


def _edited(source: Source, edits: Sequence[tuple[Span, str]]) -> Source:
    text = source.text
    for span, replacement in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        text = text[: span.start] + replacement + text[span.end :]
    return Source(source.path, text)


def needed(
    corrections: Sequence[ChangedPiece], program: Callable[[Sequence[ChangedPiece]], ModuleType], reference: Reference
) -> Iterator[tuple[ChangedPiece, ...]]:
    """Yield the smallest choices of corrections with which the program agrees with the other one on every position;
    none that contains another one. `program` compiles it with the corrections that were chosen, and raises Error if it
    cannot be run.
    """
    enough: list[tuple[ChangedPiece, ...]] = []
    for chosen in (chosen for count in range(len(corrections) + 1) for chosen in combinations(corrections, count)):
        if any({*fewer} <= {*chosen} for fewer in enough):
            continue
        try:
            module = program(chosen)
        except Error:
            continue
        if all(agreement == "same" for agreement, _ in reference.judged(module)):
            enough.append(chosen)
            yield chosen


# The result


@dataclass(frozen=True, repr=False)
class ReadingComparison:
    """The behaviour of one program under each reading, compared with another program on so many `positions`.

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
        return _agreeing(self.findings)

    @property
    def others(self) -> str:
        """What all readings with `shift=up` do, if one line says it; else nothing."""
        usual, others = self.findings[: len(readings.USUAL)], self.findings[len(readings.USUAL) :]
        if all(finding.resigns for finding in others):
            return "all eight resign at once: no move is legal from the start"
        is_same = all(replace(down, reading=up.reading) == up for down, up in zip(usual, others, strict=True))
        return "the same in all eight" if is_same else ""

    @property
    def rows(self) -> tuple[Finding, ...]:
        """The findings that a table shows one by one."""
        return self.findings[: len(readings.USUAL)] if self.others else self.findings

    @property
    def conclusion(self) -> str:
        """The number of readings that agree, and which, in a sentence; of those in a row of the table."""
        agreeing = _agreeing(self.rows)
        counts = {0: "No reading agrees", 1: "Exactly one reading agrees"}
        beginning = counts.get(len(agreeing), f"{len(agreeing)} readings agree")
        return f"{beginning} on every position{': ' if agreeing else ''}{'; '.join(agreeing)}."

    def choices(self, finding: Finding) -> str:
        """Write the smallest choices of corrections with which a reading agrees, by their numbers from 1."""
        numbers = {correction: str(number) for number, correction in enumerate(self.corrections or (), start=1)}
        choices = [" and ".join(numbers[correction] for correction in need) for need in finding.needs or ()]
        return "; or ".join(choice or "none" for choice in choices) or "no combination is enough"

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain data: what `cpl readings --format json` prints."""
        return {
            "program": self.program,
            "against": self.against,
            "function": self.function,
            "positions": self.positions,
            "seed": self.seed,
            "readings": [finding.to_dict() for finding in self.findings],
            "agreeing": self.agreeing,
        }

    def report(self, *, witnesses: bool = True) -> Iterator[Part]:
        """Yield the report; with `witnesses`, the smallest positions without agreement, and why."""
        positions = counted(self.positions, "position")
        yield Title(f"{self.program} under each reading", f"against {self.against}: {self.function} at {positions}")
        yield GAP
        yield Summary(Said("", _in_words(self)))
        yield _counts(self)
        if witnesses:
            yield _witnesses(self)
            yield GAP
        yield Note(self.conclusion)
        if self.corrections is not None:
            yield from _corrections(self, self.corrections)

    def __repr__(self) -> str:
        return as_text(self.report(witnesses=False)).rstrip("\n")

    _repr_html_ = drawn


def _agreeing(findings: Sequence[Finding]) -> list[str]:
    return [finding.reading.mixture for finding in findings if finding.agrees]


# The report

_WHY: Final[dict[PositionKind, str]] = {"different": "the results differ", "failed": "one of them fails"}


def _counts(comparison: ReadingComparison) -> ReportTable:
    """Return the table of all readings, or of half of them and a row for the others."""
    others, rows = comparison.others, comparison.rows
    columns = [
        TableColumn("reading", _width(rows), is_number=False),
        TableColumn("same", 5),
        TableColumn("different", 9),
        TableColumn("failed", 6),
    ]
    if comparison.findings[0].examples:
        columns.append(TableColumn("recorded examples", is_number=False))
    counted = [_count_row(finding, comparison) for finding in rows]
    if others:
        counted.append(TableRow((ReadingCell("shift=up"),), others))
    return ReportTable(columns, counted, {"same": "same", "different": "different", "fails": "failed"})


def _count_row(finding: Finding, comparison: ReadingComparison) -> TableRow:
    if finding.resigns:
        return TableRow((_cell(finding, comparison),), RESIGNS)
    same, different, failed = (finding.counts[kind] for kind in ("same", "different", "failed"))
    cells: list[TableCell] = [_cell(finding, comparison), same, different, failed]
    if finding.examples:
        cells.append(f"{sum(example.holds for example in finding.examples):6} of {len(finding.examples)}")
    shares = {"same": same, "different": different, "fails": failed}
    return TableRow(cells, Said("", finding.broken), shares=shares)


def _cell(finding: Finding, comparison: ReadingComparison) -> ReadingCell:
    """Return the cell of a reading. If those of `shift=up` share a row, its words are not about `shift`."""
    values = finding.reading.values
    keys = [key for key in KEYS if not (comparison.others and key == "shift")]
    return ReadingCell(finding.reading.mixture, tuple([(WORDS[values[key]], values[key]) for key in keys]))


def _width(findings: Sequence[Finding]) -> int:
    return max(len(finding.reading.mixture) for finding in findings)


def _in_words(comparison: ReadingComparison) -> str:
    """Write in words which of the readings in the table agree; nothing if none does."""
    agreeing = [_cell(finding, comparison) for finding in comparison.rows if finding.agrees]
    if not agreeing:
        return ""
    only = "Only one reading agrees everywhere" if len(agreeing) == 1 else "These readings agree everywhere"
    words = "; or ".join(", ".join(word for word, _ in cell.values) for cell in agreeing)
    return f"{only}: {words}."


def _witnesses(comparison: ReadingComparison) -> Folds:
    """Return the smallest positions without agreement, and what there is to say about readings that have none."""
    folds = [
        Fold(
            finding.reading.mixture,
            [GAP, PartHeading(Said(finding.reading.mixture, "")), *_explained(finding, comparison)],
            on_page=finding in comparison.rows and bool(finding.witnesses),
        )
        for finding in comparison.findings
        if finding in comparison.rows or finding.resigns
    ]
    first = next((number for number, fold in enumerate(folds) if fold.on_page), None)
    if first is not None:
        folds[first] = replace(folds[first], is_open=True)
    note = f"With each of them, the first call whose result differs. {BOARDS}"
    return Folds(folds, "The smallest positions without agreement", note)


def _explained(finding: Finding, comparison: ReadingComparison) -> Iterator[Part]:
    """Yield the smallest positions without agreement, and the reasons; else which examples fail."""
    if finding.broken or finding.resigns:
        yield Note(f"  {finding.broken or RESIGNS}")
    elif not finding.witnesses:
        yield Note("  agrees on every position")
        for example in finding.examples:
            if not example.holds:
                facts = [("expected", example.recorded), ("found", example.found)]
                yield Labelled(f"this recorded example fails: {example.typed}", facts, indent="  ")
    for kind, (position, pairs) in finding.witnesses.items():
        names = ("this reading", comparison.against)
        pair = pairs[-1] if pairs else None
        yield Parting(comparison.function, position, pair, _WHY[kind], names, comparison.parameters)


def _corrections(comparison: ReadingComparison, corrections: Sequence[ChangedPiece]) -> Iterator[Part]:
    """Yield all corrections of the other program, and which of them each reading needs."""
    yield GAP
    yield PartHeading(f"The corrections of {comparison.against}")
    pieces = [Replacement(piece.definition, piece.before, piece.after) for piece in corrections]
    yield Replacements(pieces, numbered=True)
    yield GAP
    columns = (
        TableColumn("reading", _width(comparison.rows), is_number=False),
        TableColumn("corrections needed to agree on every position", is_number=False),
    )
    sought = [finding for finding in comparison.rows if not finding.resigns]
    rows = [TableRow((_cell(finding, comparison), comparison.choices(finding))) for finding in sought]
    yield ReportTable(columns, rows)
