"""A layout document: pieces of text, and the places between them at which lines may end. Knows nothing of CPL.

A line ends where the writer ended it, if that is one of the places, and where it would be too long. So formatting a
text twice changes nothing. `printer` says which places there are: of a list of arguments, for instance, one before each
argument but the first.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class Indent:
    """The column of a new line: `by` columns after the beginning of the piece `at`, or of the line that holds it."""

    at: int
    by: int
    of_line: bool = False


def width(text: str) -> int:
    """Return the columns that a text takes: a combining mark, such as that of an underlined letter, takes none."""
    return len(text) if text.isascii() else sum(not unicodedata.combining(char) for char in text)


LEFT: Final = Indent(-1, 0)
"""The left margin."""


@dataclass(slots=True, eq=False)
class Group:
    """Places from the piece `start` up to the piece `end` (not included) at which lines may end.

    In an `even` group lines end at all places or at none. Otherwise each place is decided by itself, but among `items`
    a new line also begins after an item of several lines. A `leading` group ends a line only where the writer did, or
    if it is `short` and what follows then has one line to itself.
    """

    start: int
    end: int
    places: Sequence[int]
    even: bool = False
    leading: bool = False
    short: bool = False
    items: bool = False
    broken: bool | None = None  # whether the lines of an even group end, once that is decided


@dataclass(slots=True, eq=False)
class TextRun:
    """Some text without a line end, and what may stand before it."""

    text: str
    gap: str = " "  # before it, unless it begins a line
    lines: int = 0  # how many lines the writer ended before it
    indent: Indent | None = None  # if it begins a line
    forced: bool = False  # it always begins a line
    group: Group | None = None  # decides whether it begins a line
    spaced: bool = False  # an empty line before it is kept
    note: bool = False  # a comment behind others on its line
    opens: bool = False  # what follows on its line counts as a line of its own


class Typesetter:
    """Places one piece after the other."""

    def __init__(self, pieces: Sequence[TextRun], groups: Sequence[Group]) -> None:
        self.pieces = pieces
        self.following: dict[int, int] = {}  # the place after each in its group, or the end of the group
        self.preceding: dict[int, int] = {}  # the place before each in its group, or the start of the group
        for group in groups:
            self.following.update(pairwise([*group.places, group.end]))
            self.preceding.update((place, before) for before, place in pairwise([group.start, *group.places]))

        self.ends = list(accumulate((len(piece.gap) + width(piece.text) for piece in pieces), initial=0))
        end = len(pieces)
        self.places = [*(at for at, piece in enumerate(pieces) if piece.forced or piece.group or piece.note), end]
        self.forced = [*(at for at, piece in enumerate(pieces) if piece.forced), end]

        # What is known of the pieces that are placed already:
        self.rows: list[int] = []  # the line of each piece
        self.columns: list[int] = []  # where each piece begins
        self.margins: list[int] = []  # where the line of each piece begins

    def text(self) -> str:
        """The pieces as text, in lines of at most `WIDTH` columns if possible."""
        lines: list[str] = []
        notes: dict[int, str] = {}  # by their lines
        for at, piece in enumerate(self.pieces):
            begins = not at or piece.forced or self._begins_line(at, width(lines[-1]) + len(piece.gap))
            if begins:
                if at and piece.spaced and piece.lines > 1 and not self.pieces[at - 1].opens:
                    lines.append("")
                lines.append(" " * self._column(piece.indent or LEFT))
            elif piece.note:
                notes[len(lines) - 1] = piece.text
            else:
                lines[-1] += piece.gap

            self.rows.append(len(lines))
            self.columns.append(width(lines[-1]))
            begins_margin = begins or self.pieces[at - 1].opens
            self.margins.append(self.columns[-1] if begins_margin else self.margins[-1])
            if begins or not piece.note:
                lines[-1] += piece.text
        return _with_notes([line.rstrip() for line in lines], notes)

    def _column(self, indent: Indent) -> int:
        """The column that an indent means."""
        if indent.at < 0:
            return indent.by
        columns = self.margins if indent.of_line else self.columns
        return columns[indent.at] + indent.by

    def _begins_line(self, at: int, column: int) -> bool:
        """Tell whether this piece begins a line; otherwise it stands in this column."""
        piece = self.pieces[at]
        group = piece.group
        if group is None:
            return False
        if group.even:
            if group.broken is None:
                group_column = self.columns[group.start] if group.start < at else column
                group.broken = self._breaks(group, group_column)
            return group.broken
        follows_long_item = group.items and self.rows[self.preceding[at]] < self.rows[at - 1]
        if piece.lines or follows_long_item:
            return True
        saves_columns = self._column(piece.indent or LEFT) < column
        return saves_columns and not self._fits(at, self.following[at], column)

    def _breaks(self, group: Group, column: int) -> bool:
        """Tell whether the lines of an even group end, if its first piece stands in this column."""
        first, last = group.places[0], group.places[-1]
        ended = (piece.forced or (piece.group and piece.lines) for piece in self.pieces[group.start + 1 : last + 1])
        if self.pieces[first].lines or any(ended):
            return True
        if self._fits(group.start, group.end, column):
            return False
        if not group.leading:
            return True
        column_of_new_line = self._column(self.pieces[first].indent or LEFT)
        saves_columns = column_of_new_line < column
        return group.short and saves_columns and self._fits(group.start, group.end, column_of_new_line)

    def _fits(self, start: int, end: int, column: int) -> bool:
        """Tell whether the line has room for these pieces, up to where it must end, and for those after them, up to the
        next place where it may end.
        """
        must_end = self.forced[bisect_left(self.forced, start + 1)]
        may_end = self.places[bisect_left(self.places, min(end, must_end))]
        width = self.ends[may_end] - self.ends[start] - len(self.pieces[start].gap)
        return column + width <= WIDTH


def _with_notes(lines: list[str], notes: dict[int, str]) -> str:
    """The text; the notes of consecutive lines are aligned if there is room."""
    runs: list[list[int]] = []  # of consecutive lines that have notes
    for line in notes:
        if runs and runs[-1][-1] == line - 1:
            runs[-1].append(line)
        else:
            runs.append([line])

    for run in runs:
        widest = max(width(lines[line]) for line in run)
        has_room = all(widest + 2 + width(notes[line]) <= WIDTH for line in run)
        for line in run:
            padding = " " * (widest - width(lines[line])) if has_room else ""
            lines[line] = f"{lines[line]}{padding}  {notes[line]}"
    return "".join(f"{line}\n" for line in lines)
