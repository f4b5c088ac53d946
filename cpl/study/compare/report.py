"""Reports as rows: what a comparison tells people, as plain parts in the order in which they are read.

A comparison has facts, `to_dict()`, which are its JSON, and a report, which is a sequence of the parts below. It is
printed as text here, and as HTML by `cpl.study.views.reports`. The printers know parts, and nothing of comparisons.
For example, the parts

    PartHeading("F", ("changed", "a.cpl:1:1")), Replacements([Replacement("", "5", "6")])

are printed as the text

    F changed  a.cpl:1:1
      5  →  6
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import ndiff
from itertools import zip_longest
from textwrap import TextWrapper, wrap
from typing import Any, Final, NamedTuple

from cplrt import show
from cplrt.checkers import PrintPosition

from cpl.compiler.diagnostics import Paint, plain
from cpl.games.board import picture
from cpl.games.position import Position
from cpl.outside import printable
from cpl.study.compare.experiment import Pair
from cpl.study.run.limited import outcome
from cpl.study.run.record import Call
from cpl.study.run.values import shortened

# Words and cells


class Said(NamedTuple):
    """What a text says, and what a page, which has more room, says in its place. One of them may be empty."""

    text: str
    page: str


Words = str | Said


class NameCell(NamedTuple):
    """A cell with a name of CPL. `mark` is a sign that a note explains; if it `has_fold`, a page has a fold of this
    name, to which the cell is linked.
    """

    text: str
    mark: str = ""
    has_fold: bool = False

    def __str__(self) -> str:
        return f"{self.text} {self.mark}".rstrip()


class ReadingCell(NamedTuple):
    """A cell with a reading, `text`. A page has a column for each of its `values`, with words that explain it."""

    text: str
    values: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.text


TableCell = int | str | NameCell | ReadingCell


# Blocks


@dataclass(frozen=True)
class Gap:
    """A blank line of a text. A page has margins of its own."""


GAP: Final = Gap()


@dataclass(frozen=True)
class Sides:
    """The names of what is compared, as the title."""

    before: str
    after: str


@dataclass(frozen=True)
class Title:
    """What is compared, and more `about` it."""

    text: str
    about: str = ""


@dataclass(frozen=True)
class Summary:
    """The result in a sentence. A page begins with all of these."""

    words: Words


@dataclass(frozen=True)
class PartHeading:
    """The heading of a part of the report; with `details`, of the definition that has the name `text`."""

    text: Words
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Note:
    """A remark; `is_wrapped` if a text breaks it at the end of its lines."""

    words: Words
    is_wrapped: bool = False


class Replacement(NamedTuple):
    """A piece of CPL and what stands there instead. `name` is the definition that it is part of, or empty."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Replacements:
    """A list of these, `numbered` from 1 or not."""

    items: Sequence[Replacement]
    numbered: bool = False


@dataclass(frozen=True)
class Marked:
    """Two texts as one, line by line, in which those lines are marked that only one of them has. A page colours texts
    that are CPL.
    """

    before: str
    after: str
    is_cpl: bool = True

    @property
    def lines(self) -> list[str]:
        """The lines, each behind a minus, a plus, or a blank if both texts have it."""
        lines = ndiff(printable(self.before).splitlines(), printable(self.after).splitlines())
        return [line for line in lines if not line.startswith("?")]


class TableColumn(NamedTuple):
    """A column of a table: how wide it is in a text, and how many blanks are before it."""

    heading: Words
    width: int = 0
    is_number: bool = True
    gap: int = 2


@dataclass(frozen=True)
class TableRow:
    """A row of a table: cells; and a note, which stands in place of cells that are missing.

    `verdict` is `same` or `different`, by which the row is coloured, or empty. `shares` are the lengths of the parts of
    a bar that a page draws, by their kinds.
    """

    cells: Sequence[TableCell]
    note: Words = ""
    verdict: str = ""
    shares: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportTable:
    """A table, whose rows may still be worked out while it is printed. `bars` explains the parts of the bars, by their
    kinds; a table without bars has none.
    """

    columns: Sequence[TableColumn]
    rows: Iterable[TableRow]
    bars: Mapping[str, str] = field(default_factory=dict)
    indent: str = ""


@dataclass(frozen=True)
class Calls:
    """Calls that both sides make, with the results of each. If they are `nested`, each is made by the one before it.

    `names` are those of the sides, and `parameters` are the names of those of the functions. With `boards`, a page
    draws positions.
    """

    pairs: Sequence[Pair]
    names: tuple[str, str]
    heading: Words = ""
    nested: bool = False
    parameters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    boards: bool = False

    @property
    def is_cut(self) -> bool:
        """Whether some of the calls within the last one are not recorded."""
        return any(call.is_cut for call in self.pairs[-1])


CUT: Final = "It may be a call further inside that differs: there were too many to keep them all."
"""What a report says below calls of which some are not recorded."""

BOARDS: Final = (
    "A crown is a king; a dashed one is a king's mark without a piece. On the squares in yellow the two sides differ."
)
"""What a page says about its boards."""


@dataclass(frozen=True)
class Parting:
    """A position at which the `function` of two programs does not give the same, and the first call that differs, if
    there is one.
    """

    function: str
    position: Position
    pair: Pair | None
    reason: str
    names: tuple[str, str]
    parameters: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class DrawnBoard:
    """A position of checkers."""

    position: Position


@dataclass(frozen=True)
class Labelled:
    """Facts below a line that says what they are about, each with a label."""

    about: str
    facts: Sequence[tuple[str, str]]
    width: int = 0
    indent: str = ""


@dataclass(frozen=True)
class Fold:
    """Parts about one thing, which has this `name`; `because` is the cause of a difference, if it is another thing. On
    a page it is folded, unless `is_open`. One that is not `on_page` is only in texts.
    """

    name: str
    parts: "Sequence[Part]"
    because: str = ""
    is_open: bool = False
    on_page: bool = True


@dataclass(frozen=True)
class Folds:
    """Parts that a page has at its end, below a heading and a note of its own."""

    folds: Sequence[Fold]
    heading: str = ""
    note: str = ""


Part = (
    Gap
    | Sides
    | Title
    | Summary
    | PartHeading
    | Note
    | Replacements
    | Marked
    | ReportTable
    | Calls
    | Parting
    | DrawnBoard
    | Labelled
    | Folds
)


# Values


def outcome_of(call: Call, other: Call) -> str:
    """Write the outcome of a call in one line of CPL, with whatever else differs from the other side."""
    if call.is_failed:
        text = f"fails: {call.fault}"
    elif call.fault is not None:  # it finishes
        text = call.fault
    else:
        text = show(call.result)

    if call.written != other.written:
        text += f", writes ‘{call.written.rstrip()}’"
    if call.after and show(call.after) != show(other.after):
        text += f", leaves {show(call.after)}"
    variables_there = {name: show(value) for name, value in other.variables}
    for name, value in call.variables:
        if show(value) != variables_there.get(name):
            text += f", leaves {name} = {show(value)}"
    return text


def result_of(call: Call) -> str:
    """Write the result of a call, or its fault."""
    return f"a fault: {call.fault}" if call.fault is not None else show(call.result)


# Text

_LONGEST: Final = 150
"""Characters of a call that leads to the one that matters."""

_ROLES: Final = {"same": "dim", "different": "before"}
"""How rows are painted, by their verdicts."""

SIDES: Final = {"-": "before", "+": "after"}
"""The two sides by the signs of their lines in `Marked`."""


def as_text(parts: Iterable[Part], width: int = 100, paint: Paint = plain) -> str:
    """Write a report as plain lines, unless `paint` paints them."""
    return "".join(f"{line}\n" for line in lines(parts, width, paint))


def lines(parts: Iterable[Part], width: int = 100, paint: Paint = plain) -> Iterator[str]:
    """Yield the lines of a report, each as soon as it is known."""
    printer = _Printer(width, paint)
    for part in parts:
        yield from printer.part(part)


@dataclass(frozen=True)
class _Printer:
    width: int
    paint: Paint

    def part(self, part: Part) -> Iterator[str]:
        """Yield the lines of a part."""
        match part:
            case Gap():
                yield ""
            case Sides(before, after):
                yield self.paint(f"{before} → {after}", "head")
            case Title(text, about):
                yield f"{text} {about}".rstrip()
            case Summary(words):
                yield from self.words(words, "head")
            case PartHeading(words, details):
                for line in self.words(words, "head"):
                    yield f"{line} {'  '.join(details)}".rstrip()
            case Note(words, is_wrapped):
                yield from wrap(in_text(words), self.width) if is_wrapped else self.words(words)
            case Replacements():
                yield from self.replacements(part)
            case Marked():
                for line in part.lines:
                    yield f"    {self.paint(line, SIDES.get(line[0], ''))}".rstrip()
            case ReportTable():
                yield from self.table(part)
            case Calls():
                yield from self.calls(part)
            case Parting():
                yield from self.parting(part)
            case DrawnBoard(position):
                yield str(picture(position))
            case Labelled():
                yield from self.facts(part)
            case Folds(folds):
                for fold in folds:
                    for folded in fold.parts:
                        yield from self.part(folded)

    def words(self, words: Words, role: str = "") -> Iterator[str]:
        """Yield a line, unless only a page says something."""
        text = in_text(words)
        if text:
            yield self.paint(text, role)

    def replacements(self, part: Replacements) -> Iterator[str]:
        """Yield a line for each replacement."""
        for number, item in enumerate(part.items, start=1):
            label = f"{item.name}: " if item.name else ""
            before, after = _in_one_line(item.before), _in_one_line(item.after)
            if part.numbered:
                yield f"  {number}  {label}{before} becomes {after}"
            else:
                yield f"  {label}{self.paint(before, 'before')}  →  {self.paint(after, 'after')}"

    def table(self, table: ReportTable) -> Iterator[str]:
        """Yield the headings, if there are any, and the rows."""
        headings = [in_text(column.heading) for column in table.columns]
        if any(headings):
            yield self.paint(f"{table.indent}{_aligned(table.columns, headings)}", "dim")
        for row in table.rows:
            line = _aligned(table.columns, row.cells)
            note = in_text(row.note)
            if note and len(row.cells) < len(table.columns):
                missing = table.columns[len(row.cells)]  # the note begins where the heading of this column does
                line += " " * (missing.gap + missing.width - len(in_text(missing.heading)))
            elif note:
                line += "  "
            yield self.paint(f"{table.indent}{line}{note}".rstrip(), _ROLES.get(row.verdict, ""))

    def calls(self, part: Calls) -> Iterator[str]:
        """Yield calls, one below the other, each over its results on both sides."""
        for line in wrap(in_text(part.heading), self.width):
            yield self.paint(line, "head")
        before, after = part.names
        column = (self.width - 7) // 2  # of each side: round them are a margin of four and a line of three
        yield f"    {before[:column].ljust(column)} │ {after[:column]}"
        for level, pair in enumerate(part.pairs):
            if part.nested:
                is_last = pair is part.pairs[-1]
                yield from self.pair(pair, level, column, sys.maxsize if is_last else _LONGEST)
            else:
                yield from self.pair(pair, 0, column, sys.maxsize)
        if part.is_cut:
            yield f"    {CUT}"
        yield ""

    def pair(self, pair: Pair, level: int, column: int, longest: int) -> Iterator[str]:
        """Yield a call that both sides make, over its two results. Both are cut to the `longest` number of characters,
        but not the outermost call.
        """
        left, right = pair
        margin = "    " + "  " * level
        call = shortened(left.applied, longest) if level else left.applied
        for line in _wrapped(call, 2 * column + 3 - 2 * level):
            yield margin + line

        room = max(20, column - 2 * level - 2)
        left_lines = _wrapped(shortened(outcome_of(left, right), longest), room)
        right_lines = _wrapped(shortened(outcome_of(right, left), longest), room)
        prefix = "= "
        for before, after in zip_longest(left_lines, right_lines, fillvalue=""):
            line = f"{margin}{prefix}{self.paint(before.ljust(room), 'before')} │ {self.paint(after, 'after')}"
            yield line.rstrip()
            prefix = "  "

    def parting(self, part: Parting) -> Iterator[str]:
        """Yield the first call that differs, and the position."""
        if part.pair:
            here, there = part.pair
            facts = [("", here.applied), ("here it gives", result_of(here)), ("there it gives", result_of(there))]
            about = f"the first function whose result differs is {here.function}, called as"
            yield from self.facts(Labelled(about, facts, indent="  "))
        yield f"  for this argument of {part.function}:"
        yield outcome(PrintPosition, [part.position]).written.rstrip("\n")

    def facts(self, part: Labelled) -> Iterator[str]:
        """Yield the labels and what stands beside them; further lines of one fact are aligned with the first."""
        if part.about:
            yield f"{part.indent}{part.about}"
        margin = f"{part.indent}  " if part.about else part.indent
        longest_label = max((len(label) for label, _ in part.facts), default=0)
        width = max(part.width, longest_label)
        for label, text in part.facts:
            heading = f"{margin}{label:{width}} " if label else margin
            first, *more = text.split("\n")
            yield f"{heading}{first}"
            for line in more:
                yield " " * len(heading) + line


def in_text(words: Words) -> str:
    """What a text says."""
    return words.text if isinstance(words, Said) else words


def _in_one_line(text: str) -> str:
    return " ".join(printable(text).split()) or "nothing"


def _aligned(columns: Sequence[TableColumn], cells: Sequence[Any]) -> str:
    """Write cells into their columns."""
    line = ""
    for number, (column, cell) in enumerate(zip(columns, cells, strict=False)):
        if number > 0:
            line += " " * column.gap
        text = str(cell)
        line += text.rjust(column.width) if column.is_number else text.ljust(column.width)
    return line


class _Wrapper(TextWrapper):
    """A wrapper that ends lines at blanks, or after a comma that follows a long value: a list, a tuple or a text."""

    wordsep_simple_re = re.compile(r"(?<=[)\]’],)|( )")


def _wrapped(text: str, width: int) -> list[str]:
    return _Wrapper(width, break_on_hyphens=False).wrap(printable(text)) or [""]
