"""The text of moves, `11-15`, `15x22x31` or `b4-b3`: written, read from what people type, and found between positions.

A move is a path: all squares that a piece goes over in one turn, two or more.
"""

import re
import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from cplrt.checkers import board

from cpl.games.position import NUMBERS, Position, Square, number, square_names, to_fen

Path: TypeAlias = tuple[Square, ...]

_STEPS: Final = (4, 5, -4, -5)
DASHES: Final = "-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
"""All kinds of dashes, as a regular expression has them between square brackets; books print the longer ones."""
_SIGN: Final = f"[{DASHES}xX×:]"


class BadMove(ValueError):
    """A text that is no move, or no legal one. The message is one line, and says why."""


@dataclass(frozen=True)
class Notation:
    """The notation of a game: the names of its squares, regular expressions for squares and moves, and an example."""

    squares: Mapping[Square, str]
    square: str
    move: str
    example: str

    def text(self, path: Sequence[Square]) -> str:
        """A path with every square that it touches."""
        sign = "x" if is_capture(path) else "-"
        return sign.join(self.squares[square] for square in path)

    def listed(self, paths: Iterable[Path]) -> str:
        """Return the texts of several paths, to choose from."""
        return " or ".join(map(self.text, paths))

    def abbreviated(self, digits: str, paths: Iterable[Path]) -> list[Path]:
        """Return those of the paths that may be written with these digits only, as `1115` or `913`.

        They are all squares, or the ends, filled up to two digits by noughts or not.
        """
        return [path for path in paths if digits in self._abbreviations(path)]

    def _abbreviations(self, path: Path) -> Iterator[str]:
        for squares in (path, (path[0], path[-1])):
            for width in (1, 2):
                names = [self.squares[square].rjust(width, "0") for square in squares]
                yield "".join(names)

    def path(self, text: str) -> Path:
        """Return the squares that a text names, whether or not a legal move goes over them. Raises BadMove."""
        text = text.strip()
        if not re.fullmatch(self.move, text):
            raise BadMove(f"{reprlib.repr(text)} is not a move: write one like {self.example}")
        squares = {name: square for square, name in self.squares.items()}
        names = [name.lstrip("0") or name for name in re.findall(self.square, text.lower())]
        for name in names:
            if name not in squares:
                first, *_, last = squares
                raise BadMove(f"{reprlib.repr(name)} is not a square: squares are {first} to {last}")
        return tuple(squares[name] for name in names)


OFFICIAL: Final = Notation(
    NUMBERS,
    "^[0-9]{2}(?=[0-9]{2}$)|[0-9]+",
    rf"[0-9]+(?:\s*{_SIGN}\s*[0-9]+)+|(?:0[1-9]|[12][0-9]|3[0-2]){{2}}(?!\w)",
    "11-15 or 15x22x31",
)
"""The numbers 1 to 32 of draughts. In files there are blanks, x for moves that capture nothing, and `1115`."""


def spaced(text: str) -> str:
    """A move as people type it, with a sign between numbers that have only a blank, `11 15`."""
    return re.sub(r"(?<=[0-9])\s+(?=[0-9])", "-", text)


@cache
def lettered(size: int) -> Notation:
    """The letters and numbers of chess, on a board of this size."""
    return Notation(square_names(size), "[a-z][0-9]+", rf"[a-zA-Z][0-9]+\s*{_SIGN}?\s*[a-zA-Z][0-9]+", "b4-b3")


def is_capture(path: Sequence[Square]) -> bool:
    """Tell whether a path begins with a jump, by its length."""
    (row, column), (to_row, to_column) = path[:2]
    return max(abs(to_row - row), abs(to_column - column)) == 2


def is_draughts_path(path: Sequence[Square]) -> bool:
    """Tell whether a piece of draughts can go so on an empty board: a step to an adjacent square, or jumps."""
    distances = set()
    for (row, column), (to_row, to_column) in pairwise(path):
        distances.add((abs(to_row - row), abs(to_column - column)))
    is_step = distances == {(1, 1)} and len(path) == 2
    return is_step or distances == {(2, 2)}


def shortens(path: Path, legal: Path) -> bool:
    """Tell whether a path is the legal one without some of the squares between its ends."""
    if (path[0], path[-1]) != (legal[0], legal[-1]):
        return False
    # Each search in the iterator goes on after the square that was found before, so the order counts.
    between = iter(legal[1:-1])
    return all(square in between for square in path[1:-1])


def names(before: Position, after: Iterable[Position]) -> list[str]:
    """The moves that lead from a position to each of these, in the order of the squares."""
    texts = [text for _, text in named(before, after)]
    return sorted(texts, key=lambda text: [int(digits) for digits in re.findall(r"\d+", text)])


def named(before: Position, after: Iterable[Position]) -> Iterator[tuple[Position, str]]:
    """Yield each of these positions with the move that leads to it.

    A position that is listed several times stands for as many ways to it; one that no move leads to is named itself.
    """
    listed: Counter[Position] = Counter()
    for position in after:
        texts = moves_between(before, position) or [f"to {to_fen(position)}"]
        yield position, texts[min(listed[position], len(texts) - 1)]
        listed[position] += 1


def moves_between(before: Position, after: Position) -> list[str]:
    """The moves that lead from a position to the next: one, or for captures one for each way round, or none.

    A capture is written with every square that it touches, so that no two are written alike. Men may jump backwards
    here: this reads what happened, right or wrong.
    """
    own, other, _, _ = before
    other_after, own_after, _, _ = after  # the opponent is to move now, so his pieces come first
    left, reached = [*(own - own_after)], [*(own_after - own)]
    captured = frozenset(other - other_after)
    if not captured:
        is_step = len(left) == len(reached) == 1
        return [f"{number(*left)}-{number(*reached)}"] if is_step else []

    starts = left
    if not left and not reached:
        starts = [*own]  # a king may have ended where he began
    texts = []
    for start in starts:
        free = {*board} - {*own, *other} | {start}
        for squares in _jumps(start, captured, free):
            if squares[-1:] == (reached or [start]):
                texts.append("x".join(map(number, squares)))
    return texts


def _jumps(start: int, captured: frozenset[int], free: Set[int]) -> Iterator[list[int]]:
    """Yield the squares of each series of jumps from a square over all these pieces and no others."""
    if not captured:
        yield [start]
    for step in _STEPS:
        jumped, landing = start + step, start + 2 * step
        if jumped in captured and landing in free:
            for rest in _jumps(landing, captured - {jumped}, free):
                yield [start, *rest]
