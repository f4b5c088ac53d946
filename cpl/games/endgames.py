"""Endgames of checkers with kings only, at most three of one side against one: who wins, and in how many plies.

The table was made by retrograde analysis: from the positions that are lost, back to those from which they are reached.
`solve` makes it anew, with the moves that `programs/checkers.cpl` finds; `table` is the one that is saved in
`programs/endgames`.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb, inf
from typing import Final

from cplrt.checkers import board

from cpl import outside
from cpl.games.game import WON, program
from cpl.games.position import Position

MATERIALS: Final = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3))
"""How many kings the side to move has, and the other. No move leads to others but to a win."""

_SQUARES: Final = len(board)
_FIRST, _LAST = board[0], board[-1]

Kings = tuple[int, ...]
"""The places of kings, 0 to 31, in order."""


class Endgames:
    """The table: for each position the number of plies to the end if both sides play best, an odd number if the side to
    move wins, an even one if it loses; None if it is a draw.
    """

    def __init__(self, plies: bytes) -> None:
        self._plies = plies

    def plies(self, position: Position) -> int | None:
        """Look a position up. Raises KeyError if it is none of those in the table."""
        own, other, kings, mover = position
        places = _kings(own.bits, mover), _kings(other.bits, mover)
        if (own | other) != kings or (len(places[0]), len(places[1])) not in _OFFSETS:
            raise KeyError
        stored = self._plies[_index(*places)]
        return stored - 1 if stored else None

    def to_bytes(self) -> bytes:
        """Return the table as it is saved."""
        return zlib.compress(self._plies, 9)


@cache
def table() -> Endgames:
    """Return the table that comes with the package."""
    return Endgames(zlib.decompress(outside.read(outside.packaged("programs/endgames/kings.z"), 1_000_000)))


def known(position: Position, ahead: int, left: float = inf) -> list[float]:
    """Return what a position that is so many plies ahead is worth to the side to move, as searches have it.

    There is nothing if it is not in the table, or if the win takes more plies than are left before a draw.
    """
    try:
        plies = table().plies(position)
    except KeyError:
        return []
    if plies is None:
        return [0]
    if plies > left:
        return []
    return [(WON - ahead - plies) * (1 if plies % 2 else -1)]


def solve(materials: Sequence[tuple[int, int]] = MATERIALS) -> Endgames:
    """Make the table anew; the smaller materials alone make the beginning of it."""
    moves = vars(program("checkers.cpl"))["_LegalPositionsFrom"]
    count = sum(map(_size, materials))
    after: dict[int, list[int]] = {}  # the positions that a move leads to; `count` stands for one without own pieces
    for own, other in _positions(materials):
        squares = [sum(1 << board[place] for place in kings) for kings in (own, other)]
        after[_index(own, other)] = [
            _index(_kings(mover, -1), _kings(waiting, -1)) if mover else count
            for mover, waiting, *_ in moves((*squares, squares[0] | squares[1], 1))
        ]
    plies = bytearray(count + 1)  # one more than those to the end: odd if the side to move loses, 0 if not known
    plies[count] = 1
    unsolved = [*after]
    for depth in range(1, 256):
        if depth % 2:  # all moves lead to positions that are won
            solved = [place for place in unsolved if all(plies[next] % 2 < bool(plies[next]) for next in after[place])]
        else:  # a move leads to one that was lost before
            solved = [place for place in unsolved if any(plies[next] == depth - 1 for next in after[place])]
        for place in solved:
            plies[place] = depth
        unsolved = [place for place in unsolved if not plies[place]]
        if depth > 1 and not solved:
            break
    return Endgames(bytes(plies[:count]))


def _positions(materials: Sequence[tuple[int, int]]) -> Iterator[tuple[Kings, Kings]]:
    for own, other in materials:
        for first in combinations(range(_SQUARES), own):
            free = [place for place in range(_SQUARES) if place not in first]
            yield from ((first, second) for second in combinations(free, other))


def _size(material: tuple[int, int]) -> int:
    own, other = material
    return comb(_SQUARES, own) * comb(_SQUARES, other)


_OFFSETS: Final = {material: sum(map(_size, MATERIALS[:at])) for at, material in enumerate(MATERIALS)}


def _index(own: Kings, other: Kings) -> int:
    return _OFFSETS[len(own), len(other)] + _rank(own) * comb(_SQUARES, len(other)) + _rank(other)


def _rank(kings: Kings) -> int:
    """Return the number of these places among all so many places."""
    return sum(comb(place, at) for at, place in enumerate(kings, 1))


def _kings(bits: int, mover: int) -> Kings:
    """Return the places in a bit string, seen from the side of the mover."""
    seen = board if mover == 1 else [_FIRST + _LAST - square for square in board]
    return tuple(place for place, square in enumerate(seen) if bits >> square & 1)
