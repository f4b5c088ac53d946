"""A program under each of the sixteen readings against another program: two texts in, one finding a reading out.

`cpl readings` and notebooks call `compare_readings`. It draws positions by the moves of the other program, the
`Reference`; then each reading is compared at all of these positions, in whatever process, and is a `Finding`:

    reading                                   same  different  failed
    and=tight,plusminus=set,nil=zero            11          9       0
    and=tight,plusminus=arithmetic,nil=zero     20          0       0
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

from cpl import __version__
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
from cpl.study.compare.citation import Citation, CitedProgram
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
from cpl.study.run.limited import outcome
from cpl.study.run.record import Call, record_call
from cpl.study.run.values import measure, same

PositionKind = Literal["same", "different", "failed"]
"""Whether two programs agree on a position: a fault on either side is `failed`."""

_KINDS: Final[tuple[PositionKind, ...]] = ("same", "different", "failed")

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

    Programs are paths, names of packaged programs, or Sources. A text that does not compile because of one wrong token
    is repaired. Both are asked for the `moves`, a function of theirs that gives all next positions, at so many
    `positions`: half from play, half with pieces scattered at random; another `seed` gives others. A reading with
    `shift=up` that finds no move at the start is tried no further. With `corrections`, each other reading is tried with
    every combination of what the other program changes in the text. The readings are shared between so many `jobs`, or
    the workers of a `cluster` (docs/scaling.md).

    The result is printed as `cpl readings` reports it; notebooks show the smallest positions without agreement, too.

    Raises CplError if a text has errors, Unreadable if a file cannot be read, ValueError if there are to be no
    positions, and Error if the programs cannot be compared: they do not play by positions like those of the program of
    1966, or no reading can be executed.
    """
    if positions < 1:
        raise ValueError(f"readings are compared at 1 position or more, not {positions}")

    other = pipeline.understand(loader.program(against), Options(repair=True))
    meaning = pipeline.understand(loader.program(program), Options(libraries=libraries, repair=True))
    # Corrections are edits of a text. So the repair becomes part of the text, of which everything below is said.
    repaired = pipeline.understand(mended(meaning), Options(libraries=libraries))
    choices = corrections_of(repaired, other) if corrections else None
    session = loader.session(repaired.main.source.path) or ""

    experiment = _ReadingExperiment(repaired, other, moves, positions, seed, choices, session)
    reference = experiment.find_reference(track)  # before processes are forked, which then have it
    with shared(experiment, jobs, cluster) as ask:
        # If `shift` makes no difference, half of the readings do what the other half does, and need not be run.
        asked = readings.ALL if uses_shift(repaired, choices or ()) else readings.USUAL
        answers = dict(track(ask(asked), "readings", len(asked)))

    findings = []
    for reading in readings.ALL:
        if reading in answers:
            findings.append(answers[reading])
        else:
            finding = answers[replace(reading, shift="down")]
            findings.append(replace(finding, reading=reading))
    if not any(finding.is_loaded for finding in findings):
        raise Error(findings[0].broken)  # what stops the first reading stands for all

    return ReadingComparison(
        program=loader.called(program),
        against=loader.called(against),
        function=moves,
        positions=len(reference.positions),
        seed=seed,
        findings=tuple(findings),
        corrections=None if choices is None else tuple(choices),
        misleading=(*meaning.misleading, *other.misleading),
        parameters=parameters(other),
        cited=(CitedProgram.of(meaning), CitedProgram.of(other)),
    )


@dataclass
class _ReadingExperiment:
    """The task of comparing a program with another one; it answers for one reading at a time.

    `function` gives the next positions in both programs, and `count` is the number of positions at which it is asked.
    `corrections` are those to choose from, None if that is not asked. `session` is the text of a recorded session with
    the program, whose examples are replayed; empty if there is none.
    """

    program: Meaning
    against: Meaning
    function: str
    count: int
    seed: int
    corrections: Sequence[ChangedPiece] | None
    session: str
    _reference: "Reference | None" = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what goes to another process: all but the reference, a module, which is found there again."""
        return vars(self) | {"_reference": None}

    def find_reference(self, track: Track = untracked) -> "Reference":
        """Return the other program with its positions; they are drawn once, and the same in every process. Raises Error
        if the two cannot be compared.
        """
        if self._reference is None:
            self._reference = _drawn_reference(self.against, self.function, self.count, self.seed, track)
        return self._reference

    def answer(self, reading: Reading) -> "Finding":
        """Find all that is asked of one reading: how often the programs agree, witnesses where they do not, which
        recorded examples hold, and which corrections it needs.
        """
        reference = self.find_reference()

        def load(chosen: Sequence[ChangedPiece]) -> ModuleType:
            source = corrected(self.program.main.source, chosen)
            return _loaded(pipeline.understand_again(self.program, source, reading), self.function)

        finding = Finding(reading)
        names: dict[str, Any] = {}  # what the program defines: nothing if it cannot be executed
        try:
            module = load([])
        except _NotComparable as error:
            finding.counts["failed"] = len(reference.positions)  # it gives a result at none of them
            finding.broken = str(error)
        else:
            finding.test(module, reference)
            names = vars(module)

        finding.examples = [*replay(names, examples(self.session), seconds=RUN_SECONDS)]
        if self.corrections is not None and not finding.resigns:
            finding.corrections_needed = [*needed(self.corrections, load, reference)]
        return finding


def _drawn_reference(against: Meaning, function: str, count: int, seed: int, track: Track) -> "Reference":
    """Return the other program, with positions that are found by its moves: it must be right about them, or nothing can
    be compared. Raises Error if it does not play by such positions.
    """
    path = against.main.source.shown
    module = _loaded(against, function, "StartPosition")
    if not is_position(module.StartPosition):
        raise Error(f"{path} has positions of another kind than the program of 1966")

    def next_positions(position: Position) -> list[Position]:
        run = outcome(getattr(module, function), [position])
        if run.fault is not None:
            raise Error(f"{path}: {function} fails at a position of play: {run.fault}")
        if not isinstance(run.result, list) or not all(map(is_position, run.result)):
            raise Error(f"{path}: {function} gives what is not a list of positions (X,Y,K,σ)")
        return run.result

    positions = drawn_positions(next_positions, module.StartPosition, count, seed)
    return Reference(module, function, [*track(positions, "positions", count)])


class _NotComparable(Error):
    """A program that cannot be compared; the text says why."""


def _loaded(meaning: Meaning, *names: str) -> ModuleType:
    """Execute a program as a module, which must define these names; what it writes while it is executed is not shown.
    Raises _NotComparable if it fails, or lacks a name.
    """
    path = meaning.main.source.shown
    run = outcome(pipeline.executable_of(meaning).module)
    if run.fault is not None:
        raise _NotComparable(f"{path} fails before anything can be compared: {run.fault}")
    for name in names:
        if not hasattr(run.result, name):
            raise _NotComparable(f"{path} defines no {name}: it must have positions like those of the program of 1966")
    return cast(ModuleType, run.result)


class Reference:
    """The other program, with which each reading is compared: its `module`, the `function` that is asked, and the
    `positions` at which it is asked. The results of this function are memoised, as every reading asks for them.
    """

    def __init__(self, module: ModuleType, function: str, positions: Sequence[Any]) -> None:
        self.module = module
        self.function = function
        self.positions = positions
        self._run_memoised = cache(partial(_run, module, function))

    def experiment(self, module: ModuleType) -> Experiment[Any]:
        """Return the experiment that compares a program with this one. The order of lists makes no difference: the text
        of 1966 leaves that of positions open.
        """

        def run(position: Any, recorded: bool) -> Pair:
            if not recorded:
                return _run(module, self.function, position), self._run_memoised(position)
            of_program = record_call(module, self.function, [position])
            of_reference = record_call(self.module, self.function, [position])
            return of_program, of_reference

        return Experiment(run, smaller, partial(same, ordered=False))

    def has_more_at_the_start(self, module: ModuleType) -> bool:
        """Whether a program finds no next position at the start, and this one finds some."""
        start = self.module.StartPosition
        finds_none = _run(module, self.function, start).result == []
        return finds_none and bool(self._run_memoised(start).result)

    def judged(self, module: ModuleType) -> Iterator[tuple[PositionKind, Any]]:
        """Yield whether a program agrees on each position; a program that turns out not to end is given up."""
        for agreement, position in self.experiment(module).judged(self.positions):
            match agreement:
                case "same" | "different":
                    yield agreement, position
                case _:  # one side fails, or both do
                    yield "failed", position


def _run(module: ModuleType, function: str, position: Any) -> Call:
    """Apply a function to a position, and record nothing but its result."""
    run = outcome(getattr(module, function), [position], seconds=RUN_SECONDS)
    return Call(function=function, arguments=(position,), result=run.result, fault=run.fault)


@dataclass
class Finding:
    """The findings about one reading.

    `counts` says at how many positions the programs agree or not. `witnesses` are the smallest positions without
    agreement, one of each kind, with the calls from the whole run on it down to the first one whose result differs.
    `corrections_needed` are all choices of corrections that are enough and of which none can be left out; it is None if
    that was not asked. `broken` says why the program cannot be executed, or why it was given up. A reading that
    `resigns` finds no move at the start, and is compared at no position.
    """

    reading: Reading
    counts: Counter[PositionKind] = field(default_factory=Counter)
    witnesses: dict[PositionKind, tuple[Any, tuple[Pair, ...]]] = field(default_factory=dict)
    examples: list[Replayed] = field(default_factory=list)
    corrections_needed: list[tuple[ChangedPiece, ...]] | None = None
    broken: str = ""
    is_loaded: bool = False
    resigns: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the two programs agree on every position."""
        return not (self.resigns or self.counts["different"] or self.counts["failed"])

    def test(self, module: ModuleType, reference: Reference) -> None:
        """Compare the program under this reading with the other one, and note the findings. There are no witnesses if
        the program does not end, or resigns: `shift=up` turns the directions of the moves round, and it finds none.
        """
        self.is_loaded = True
        self.resigns = self.reading.shift == "up" and reference.has_more_at_the_start(module)
        if self.resigns:
            return

        def size(position: Any) -> Any:
            arguments = (position,)
            return measure(arguments)

        tally = Tally(reference.judged(module), size)
        self.counts = tally.counts
        if self.counts.total() < len(reference.positions):
            self.broken = f"given up after {self.counts.total()} positions: the program does not end"
            return

        for kind in tally.cases:
            if kind != "same":
                self.witnesses[kind] = reference.experiment(module).witness(tally.smallest(kind))

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain data. Fields for which there is nothing to say are left out."""
        data: dict[str, Any] = {**self.reading.values}
        for kind in _KINDS:
            data[kind] = self.counts[kind]
        if self.resigns:
            data["resigns"] = True
        if self.examples:
            data["examples"] = len(self.examples)
            data["examples_that_fail"] = [example.line for example in self.examples if not example.holds]
        if self.broken:
            data["broken"] = self.broken
        if self.corrections_needed is not None:
            data["corrections_needed"] = [_choice_data(choice) for choice in self.corrections_needed]
        data["witnesses"] = []
        for kind, (position, pairs) in self.witnesses.items():
            data["witnesses"].append(_witness_data(kind, position, pairs))
        return data


def _choice_data(choice: Sequence[ChangedPiece]) -> list[str]:
    """Return a choice of corrections as data: a line for each."""
    return [f"{piece.definition}: {piece.before} → {piece.after}" for piece in choice]


def _witness_data(kind: PositionKind, position: Any, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return a witness as data, with the innermost call that differs."""
    data = {"kind": kind, "position": show(position)}
    if pairs:
        here, there = pairs[-1]
        data |= {"call": here.applied, "here": result_of(here), "there": result_of(there)}
    return data


def uses_shift(meaning: Meaning, corrections: Sequence[ChangedPiece]) -> bool:
    """Whether `shift` makes a difference in a program, or may make one after corrections."""
    source = meaning.main.source
    meanings = [pipeline.understand_again(meaning, source, Reading(shift=value)) for value in KEYS["shift"]]
    down, up = [each.core for each in meanings]
    may_bring_shift = any("Shift" in correction.after for correction in corrections)
    return down != up or may_bring_shift


# Corrections


def corrections_of(meaning: Meaning, other: Meaning) -> list[ChangedPiece]:
    """Return the corrections that the text of `other` makes in that of a program: each piece that it changes within a
    definition.

    Raises Error if there are too many to try every choice of them, or if a change is not made of such pieces: a
    definition may be added or removed as a whole, or stand in another text.
    """
    source = meaning.main.source
    pieces: list[ChangedPiece] = []
    for change in changes(meaning, other):
        if not change.pieces or not all(_is_edit_of(source, piece) for piece in change.pieces):
            raise Error(f"{change.name} is {change.kind} as a whole: there are no corrections to choose from")
        pieces += change.pieces
    if len(pieces) > MOST_CORRECTIONS:
        raise Error(f"there are {len(pieces)} corrections: too many to try every choice of them")
    return pieces


def _is_edit_of(source: Source, piece: ChangedPiece) -> bool:
    """Whether a piece is a change of this text; it may also be one of a companion, a text that is compiled with it."""
    return bool(piece.edits) and all(span.source == source for span, _ in piece.edits)


def mended(meaning: Meaning) -> Source:
    """Return the text of a program, repaired if it needed a repair to compile."""
    repairs = [diagnostic.fixes[0] for diagnostic in meaning.diagnostics if diagnostic.cause is REPAIRED]
    return _edited(meaning.main.source, [(fix.span, fix.text) for fix in repairs])


def corrected(source: Source, chosen: Sequence[ChangedPiece]) -> Source:
    """Return the text with these corrections made."""
    edits: list[tuple[Span, str]] = []
    for correction in chosen:
        edits += correction.edits
    return _edited(source, edits)


def _edited(source: Source, edits: Sequence[tuple[Span, str]]) -> Source:
    """Return a text with these edits, which do not overlap; from the end, as an edit moves all that is behind it."""
    text = source.text
    for span, replacement in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        text = text[: span.start] + replacement + text[span.end :]
    return Source(source.path, text)


def needed(
    corrections: Sequence[ChangedPiece], load: Callable[[Sequence[ChangedPiece]], ModuleType], reference: Reference
) -> Iterator[tuple[ChangedPiece, ...]]:
    """Yield the choices of corrections with which the program agrees with the other one on every position, the smallest
    first. A choice that contains another one is left out. `load` compiles the program with the corrections that were
    chosen, and raises Error if it cannot be run.
    """
    enough: list[tuple[ChangedPiece, ...]] = []
    for count in range(len(corrections) + 1):
        for chosen in combinations(corrections, count):
            contains_another = any({*fewer} <= {*chosen} for fewer in enough)
            if contains_another:
                continue
            try:
                module = load(chosen)
            except Error:
                continue
            if all(agreement == "same" for agreement, _ in reference.judged(module)):
                enough.append(chosen)
                yield chosen


# The result


@dataclass(frozen=True, repr=False)
class ReadingComparison:
    """The behaviour of one program under each reading, compared with another program on so many `positions`.

    `corrections` are those of the other program, None if they were not asked for. `misleading` are the warnings about
    the two texts, and their repairs. `parameters` are the names of the parameters, by the functions of the other
    program: the report names arguments by them. `cited` are the two programs for a citation.
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
    cited: tuple[CitedProgram, CitedProgram]

    @property
    def citation(self) -> Citation:
        """How to cite the readings that agree on every position; if there is none, those that agree on most."""
        most = max(finding.counts["same"] for finding in self.rows)
        nearest = [finding for finding in self.rows if finding.counts["same"] == most and not finding.resigns]
        counts: dict[str, dict[str, int]] = {}
        for finding in nearest:
            counts[finding.reading.mixture] = {kind: finding.counts[kind] for kind in _KINDS}
        program, against = self.cited
        return Citation(__version__, program, against, self.function, self.positions, self.seed, counts)

    @property
    def agreeing(self) -> list[str]:
        """The readings that agree with the other program on every position."""
        return _agreeing(self.findings)

    @property
    def others(self) -> str:
        """What all eight readings with `shift=up` do, if one line can say it; else nothing."""
        usual = self.findings[: len(readings.USUAL)]
        with_shift_up = self.findings[len(readings.USUAL) :]
        if all(finding.resigns for finding in with_shift_up):
            return "all eight resign at once: no move is legal from the start"

        for down, up in zip(usual, with_shift_up, strict=True):
            is_same = replace(down, reading=up.reading) == up
            if not is_same:
                return ""
        return "the same in all eight"

    @property
    def rows(self) -> tuple[Finding, ...]:
        """The findings that a table shows one by one."""
        return self.findings[: len(readings.USUAL)] if self.others else self.findings

    @property
    def conclusion(self) -> str:
        """A sentence that says how many readings agree, and which. Readings without a row in the table do not count."""
        agreeing = _agreeing(self.rows)
        if not agreeing:
            return "No reading agrees on every position."
        beginning = "Exactly one reading agrees" if len(agreeing) == 1 else f"{len(agreeing)} readings agree"
        return f"{beginning} on every position: {'; '.join(agreeing)}."

    def choices(self, finding: Finding) -> str:
        """Write the smallest choices of corrections with which a reading agrees, by their numbers from 1."""
        if not finding.corrections_needed:
            return "no combination is enough"
        numbers = {correction: str(number) for number, correction in enumerate(self.corrections or (), start=1)}
        choices = []
        for choice in finding.corrections_needed:
            listed = " and ".join(numbers[correction] for correction in choice)
            choices.append(listed or "none")
        return "; or ".join(choices)

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

    def report(self, *, witnesses: bool = True, cite: bool = False) -> Iterator[Part]:
        """Yield the report; with `witnesses`, the smallest positions without agreement, and why; with `cite`, how to
        cite it.
        """
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
        if cite:
            yield GAP
            yield Labelled("To cite this:", self.citation.facts)

    def __repr__(self) -> str:
        return as_text(self.report(witnesses=False)).rstrip("\n")

    _repr_html_ = drawn


def _agreeing(findings: Sequence[Finding]) -> list[str]:
    return [finding.reading.mixture for finding in findings if finding.agrees]


# The report

_SHARES: Final[dict[str, PositionKind]] = {"same": "same", "different": "different", "fails": "failed"}
"""The parts of the bar that a row has on a page, by their classes in the style sheet."""

_WHY: Final[dict[PositionKind, str]] = {"different": "the results differ", "failed": "one of them fails"}


def _counts(comparison: ReadingComparison) -> ReportTable:
    """Return the table of all readings, or of half of them and a row for the others."""
    findings, others = comparison.rows, comparison.others
    columns = [
        TableColumn("reading", _width(findings), is_number=False),
        TableColumn("same", width=5),
        TableColumn("different", width=9),
        TableColumn("failed", width=6),
    ]
    if comparison.findings[0].examples:
        columns.append(TableColumn("recorded examples", is_number=False))
    rows = [_count_row(finding, comparison) for finding in findings]
    if others:
        rows.append(TableRow((ReadingCell("shift=up"),), others))
    return ReportTable(columns, rows, {**_SHARES})


def _count_row(finding: Finding, comparison: ReadingComparison) -> TableRow:
    """Return the row of a reading in the table of all readings."""
    cell = _cell(finding, comparison)
    if finding.resigns:
        return TableRow((cell,), RESIGNS)

    cells: list[TableCell] = [cell]
    cells += [finding.counts[kind] for kind in _KINDS]
    if finding.examples:
        holding = sum(example.holds for example in finding.examples)
        cells.append(f"{holding:6} of {len(finding.examples)}")
    shares = {part: finding.counts[kind] for part, kind in _SHARES.items()}
    return TableRow(cells, Said("", finding.broken), shares=shares)


def _cell(finding: Finding, comparison: ReadingComparison) -> ReadingCell:
    """Return the cell of a reading, which explains its choices in words. If the readings with `shift=up` share a row,
    `shift` is not explained: all others have the same.
    """
    values = finding.reading.values
    keys = [key for key in KEYS if key != "shift" or not comparison.others]
    explained = []
    for key in keys:
        choice = values[key]
        explained.append((WORDS[choice], choice))
    return ReadingCell(finding.reading.mixture, tuple(explained))


def _width(findings: Sequence[Finding]) -> int:
    return max(len(finding.reading.mixture) for finding in findings)


def _in_words(comparison: ReadingComparison) -> str:
    """Write in words which of the readings in the table agree; nothing if none does."""
    agreeing = [_cell(finding, comparison) for finding in comparison.rows if finding.agrees]
    if not agreeing:
        return ""
    beginning = "Only one reading agrees everywhere" if len(agreeing) == 1 else "These readings agree everywhere"
    described = []
    for cell in agreeing:
        in_words = [words for words, _ in cell.values]
        described.append(", ".join(in_words))
    return f"{beginning}: {'; or '.join(described)}."


def _witnesses(comparison: ReadingComparison) -> Folds:
    """Return the smallest positions without agreement, and what there is to say about readings that have none. On a
    page, the first one is open.
    """
    rows = comparison.rows
    folds = []
    is_first_on_page = True
    for finding in comparison.findings:
        has_row = finding in rows
        if not has_row and not finding.resigns:
            continue  # one line of the table says that it does the same as another reading
        reading = finding.reading.mixture
        parts = [GAP, PartHeading(Said(reading, "")), *_explained(finding, comparison)]
        if has_row and finding.witnesses:
            folds.append(Fold(reading, parts, is_open=is_first_on_page))
            is_first_on_page = False
        else:
            folds.append(Fold(reading, parts, on_page=False))
    note = f"With each of them, the first call whose result differs. {BOARDS}"
    return Folds(folds, "The smallest positions without agreement", note)


def _explained(finding: Finding, comparison: ReadingComparison) -> Iterator[Part]:
    """Yield what there is to say about a reading: why it was not compared; or that it agrees, and which recorded
    examples fail all the same; and its smallest positions without agreement, with the reasons.
    """
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
    rows = []
    for finding in comparison.rows:
        if not finding.resigns:
            rows.append(TableRow((_cell(finding, comparison), comparison.choices(finding))))
    yield ReportTable(columns, rows)
