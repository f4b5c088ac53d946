"""A layout document, and its setting in lines of a given width. Knows nothing of CPL.

A document is a row of pieces, and groups of places between them at which lines may end. Lines end where the writer let
them end, if that is such a place, and where they would be too long. So to set a text a second time changes nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, groupby, pairwise
from typing import Final

WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class Indent:
    """Where a new line begins: `by` columns from that of an earlier piece, or from where its command begins."""

    at: int
    by: int
    of_command: bool = False
    past: bool = False  # and past that piece, however wide it is in fact


LEFT: Final = Indent(-1, 0)
"""The left margin."""


@dataclass(slots=True, eq=False)
class Group:
    """The places between pieces `start` and `end` (not included) at which lines may end.

    In an `even` group lines end at all of them or at none; else each is for itself, but among `items` what follows one
    of several lines begins a new one. A group that `leads` in what follows ends a line only if what follows then has
    the room that it needs; if that is `short`, only if it then has a line to itself.
    """

    start: int
    end: int
    places: Sequence[int]
    even: bool = False
    leads: bool = False
    short: bool = False
    items: bool = False
    broken: bool | None = None  # of an even group, once it is known


@dataclass(slots=True, eq=False)
class Piece:
    """Some characters of a line, and what comes before them.

    Where lines end is decided by the `width`s and by `flat`, which may be those of another way to write the same.
    """

    text: str
    width: int
    flat: str = " "  # what stands before it on its line
    gap: str | None = None  # what does so in fact, if that differs
    lines: int = 0  # how many lines ended before it as it was written
    indent: Indent | None = None  # for when it begins a line
    forced: bool = False  # it always begins a line
    group: Group | None = None  # it begins a line if that says so
    command: int | None = None  # it begins a command, within that which this piece begins; -1 for none
    spaced: bool = False  # an empty line before it is kept
    note: bool = False  # a comment behind others on its line
    opens: bool = False  # what follows on its line begins at a column of its own


def typeset(pieces: Sequence[Piece], groups: Sequence[Group]) -> str:
    """The pieces as text, in lines of at most `WIDTH` where that is possible."""
    return _Setter(pieces, groups).text()


class _Setter:
    """Places one piece after the other. Columns are pairs: as measured, and as printed."""

    def __init__(self, pieces: Sequence[Piece], groups: Sequence[Group]) -> None:
        self.pieces = pieces
        self.following = {place: after for group in groups for place, after in pairwise([*group.places, group.end])}
        self.preceding = {place: last for group in groups for last, place in pairwise([group.start, *group.places])}
        self.ends = list(accumulate((len(each.flat) + each.width for each in pieces), initial=0))
        self.next_place = self._next(lambda piece: piece.forced or piece.group is not None or piece.note)
        self.next_opening = self._next(lambda piece: piece.opens)
        self.next_forced = self._next(lambda piece: piece.forced)
        broken = (each.group is not None and each.lines > 0 for each in pieces)
        self.broken = list(accumulate(broken, initial=0))  # places at which the writer ended lines
        self.rows: list[int] = []  # the line of each piece
        self.columns: list[tuple[int, int]] = []  # where each piece begins
        self.commands: dict[int, tuple[int, int]] = {}  # where each command begins

    def _next(self, wanted: Callable[[Piece], bool]) -> list[int]:
        """For each piece the first one from there on that is wanted."""
        found = [len(self.pieces)] * (len(self.pieces) + 1)
        for at in range(len(self.pieces) - 1, -1, -1):
            found[at] = at if wanted(self.pieces[at]) else found[at + 1]
        return found

    def text(self) -> str:
        lines: list[list[str]] = []
        notes: dict[int, str] = {}  # by their lines
        column = printed = 0
        for at, piece in enumerate(self.pieces):
            begins = at == 0 or piece.forced or self._begins_line(at, column + len(piece.flat))
            if begins:
                if at and piece.spaced and piece.lines > 1 and not self.pieces[at - 1].opens:
                    lines.append([])
                column, printed = self._column(piece.indent)
                lines.append([" " * printed, piece.text])
            elif piece.note:
                notes[len(lines) - 1] = piece.text
            else:
                gap = piece.flat if piece.gap is None else piece.gap
                column, printed = column + len(piece.flat), printed + len(gap)
                lines[-1] += [gap, piece.text]
            self.columns.append((column, printed))
            self.rows.append(len(lines))
            if piece.command is not None:
                own = begins or self.pieces[at - 1].opens or piece.command < 0
                self.commands[at] = (column, printed) if own else self.commands[piece.command]
            column, printed = column + piece.width, printed + len(piece.text)
        return _with_notes(["".join(line).rstrip() for line in lines], notes)

    def _column(self, indent: Indent | None) -> tuple[int, int]:
        if indent is None or indent.at < 0:
            by = indent.by if indent else 0
            return by, by
        column, printed = (self.commands if indent.of_command else self.columns)[indent.at]
        wider = len(self.pieces[indent.at].text) - self.pieces[indent.at].width if indent.past else 0
        return column + indent.by, printed + indent.by + wider

    def _begins_line(self, at: int, column: int) -> bool:
        """Whether a line ends before this piece, which would else stand in this column."""
        piece = self.pieces[at]
        group = piece.group
        if group is None:
            return False
        if group.even:
            if group.broken is None:
                group.broken = self._breaks(group, self.columns[group.start][0] if group.start < at else column)
            return group.broken
        if piece.lines or (group.items and self.rows[self.preceding[at]] < self.rows[at - 1]):
            return True
        return self._column(piece.indent)[0] < column and not self._fits(at, self.following[at], column)

    def _breaks(self, group: Group, column: int) -> bool:
        """Whether the lines of an even group end, if its first piece stands in this column."""
        first, last = group.places[0], group.places[-1]
        written = self.broken[last + 1] > self.broken[group.start + 1]
        if self.pieces[first].lines or self.next_forced[group.start + 1] <= last or written:
            return True
        if self._fits(group.start, group.end, column):
            return False
        if not group.leads:
            return True
        end = min(group.end, self.next_opening[group.start + 1])  # what opens may begin a line of its own
        new, _ = self._column(self.pieces[first].indent)
        if new >= column or self._fits(group.start, end, column):
            return False
        return (group.short and self._fits(group.start, end, new)) or column + self._longest(first, end) > WIDTH

    def _longest(self, start: int, end: int) -> int:
        """The longest stretch in which no line can end."""
        places = [start]
        while places[-1] < min(end, self.next_forced[start + 1]):
            places.append(self.next_place[places[-1] + 1])
        return max(self._width(*stretch) for stretch in pairwise(places))

    def _fits(self, start: int, end: int, column: int) -> bool:
        """Whether these pieces, up to where a line must end, and what cannot be parted from them, fit in the line."""
        end = min(end, self.next_forced[start + 1])
        return column + self._width(start, self.next_place[end]) <= WIDTH

    def _width(self, start: int, end: int) -> int:
        return self.ends[end] - self.ends[start] - len(self.pieces[start].flat)


def _with_notes(lines: list[str], notes: dict[int, str]) -> str:
    """The text; notes of consecutive lines are aligned if there is room."""
    number = count()
    for _, run in groupby(notes, key=lambda line: line - next(number)):
        together = list(run)
        widest = max(len(lines[line]) for line in together)
        room = all(widest + 2 + len(notes[line]) <= WIDTH for line in together)
        for line in together:
            lines[line] = f"{lines[line].ljust(widest if room else 0)}  {notes[line]}"
    return "".join(f"{line}\n" for line in lines)
