"""Positions of the 1966 program as draughts players write them: squares 1 to 32, FEN, moves as 11-15 and 6x15x22.

The official numbers run as those of the program do, row by row from Black's side of the board to White's: its 5 is 1,
its 39 is 32. `cpl rules` reads and prints this.
"""

import re
import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from typing import Final

from cplrt import Logical
from cplrt.checkers import board

from cpl.kit.positions import CROWNED, Position

_NUMBERS: Final = {square: str(index) for index, square in enumerate(board, 1)}
_SQUARES: Final = {digits: square for square, digits in _NUMBERS.items()}
_COLOURS: Final = {"B": 1, "W": -1}
_STEPS: Final = (4, 5, -4, -5)
_PIECES: Final = r"([\dK,\s-]*)"
_FEN: Final = re.compile(rf"([BW])\s*:\s*([BW]){_PIECES}(?::\s*(?!\2)([BW]){_PIECES})?\.?", re.ASCII)
_PIECE: Final = re.compile(r"(K?)\s*0*([1-9]\d*)(?:\s*-\s*0*([1-9]\d*))?", re.ASCII)
_SHOWN: Final = reprlib.Repr()
_SHOWN.maxstring = 120  # as long as the positions that people write


class BadFen(ValueError):
    """A text that is no position, in one plain line."""


def number(square: int) -> str:
    """The official number of a square of the program's; one beside the board keeps its own, with a question mark."""
    return _NUMBERS.get(square, f"?{square}")


def to_fen(position: Position) -> str:
    """Whose move it is, White's pieces, Black's, in the way of PDN: `B:W32,K7:B1,5`."""
    own, other, kings, mover = position
    black, white = (own, other) if mover == 1 else (other, own)
    sides = (",".join(f"{'K' * (square in kings)}{number(square)}" for square in pieces) for pieces in (white, black))
    return f"{'B' if mover == 1 else 'W'}:W{':B'.join(sides)}"


def from_fen(text: str) -> Position:
    """The position of a FEN. Raises BadFen.

    What is found in files is read, too: ranges (`W21-32`, of PDN 3.0), small letters, blanks, noughts before a number,
    a full stop at the end, and a side without pieces, `B:W:B1` or `B:B1`.
    """
    shown = _SHOWN.repr(text)
    match = _FEN.fullmatch(text.strip().upper())
    if not match:
        raise BadFen(f"{shown} is no position: it is written like B:W22,K31:B1,K15, with the player to move first")
    letter, first, pieces, second, rest = match.groups()
    mover = _COLOURS[letter]
    sides: dict[int, list[tuple[int, bool]]] = {1: [], -1: [], _COLOURS[first]: _pieces(pieces)}
    if second:
        sides[_COLOURS[second]] = _pieces(rest)
    men = {colour: {square for square, king in side if not king} for colour, side in sides.items()}
    kings = {square for side in sides.values() for square, king in side if king}
    own, other = ({square for square, _ in sides[colour]} for colour in (mover, -mover))
    if len(own | other) < sum(map(len, sides.values())):
        raise BadFen(f"{shown} is no position: two pieces stand on one square")
    if any(men[colour] & CROWNED[colour] for colour in men):
        raise BadFen(f"{shown} is no position: a man stands where he would have been made a king")
    return Logical(own), Logical(other), Logical(kings), mover


def _pieces(text: str) -> list[tuple[int, bool]]:
    """The program's squares of one side, and which are kings."""
    found = []
    for piece in filter(None, map(str.strip, text.split(","))):
        king, first, last = match.groups() if (match := _PIECE.fullmatch(piece)) else ("", "", "")
        if not {first, last or first} <= _SQUARES.keys():
            raise BadFen(
                f"{_SHOWN.repr(piece)} is no piece: it is a square from 1 to 32, with a K before it for a king"
            )
        squares = board[int(first) - 1 : int(last or first)]
        if not squares:
            raise BadFen(f"{piece} is no range: it goes from the smaller number to the larger")
        found += [(square, bool(king)) for square in squares]
    return found


def names(before: Position, after: Iterable[Position]) -> list[str]:
    """The moves that lead from a position to each of these, in the order of the squares."""
    found = (text for _, text in named(before, after))
    return sorted(found, key=lambda name: [int(digits) for digits in re.findall(r"\d+", name)])


def named(before: Position, after: Iterable[Position]) -> Iterator[tuple[Position, str]]:
    """Each of these positions with the move that leads to it.

    A position that is listed several times stands for as many ways to it; one that no move leads to is named itself.
    """
    listed: Counter[Position] = Counter()
    for each in after:
        ways = moves_between(before, each) or [f"to {to_fen(each)}"]
        yield each, ways[min(listed[each], len(ways) - 1)]
        listed[each] += 1


def moves_between(before: Position, after: Position) -> list[str]:
    """The moves that lead from a position to the next: one, or for captures one for each way round, or none.

    A capture is written with every square that it touches, so that no two are written alike. That a man may not jump
    backwards is not asked here: this only reads what happened.
    """
    own, other, _, _ = before
    left, now, _, _ = after
    gone, come, taken = [*(own - now)], [*(now - own)], frozenset(other - left)
    if not taken:
        return [f"{number(*gone)}-{number(*come)}"] if len(gone) == len(come) == 1 else []
    starts = gone or ([] if come else [*own])  # a king may end where it began
    return [
        "x".join(map(number, way))
        for start in starts
        for way in _ways(start, taken, {*board} - {*own, *other} | {start})
        if way[-1:] == (come or [start])
    ]


def _ways(start: int, taken: frozenset[int], free: Set[int]) -> Iterator[list[int]]:
    """All tours over just these pieces."""
    if not taken:
        yield [start]
    for step in _STEPS:
        if start + step in taken and start + 2 * step in free:
            yield from ([start, *rest] for rest in _ways(start + 2 * step, taken - {start + step}, free))
