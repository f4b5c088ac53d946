"""A count of lines of play in parts, for many processors: a part is all that begins with the same few plies.

`cpl perft` divides a count, has the parts counted, and adds them up. No part is in memory before it is asked for.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from cpl.kit.perft import Moves, leaves

Line = tuple[int, ...]
"""How play begins: the number of each move, from 0, among those that are possible. So a part is named without sending a
position, which may be any value of a program.
"""

Counter = Callable[[Line, int], int]
"""The number of lines of play of so many plies, one or more, after a beginning."""

LEAST: Final = 4
"""Plies that a part goes on, at least."""


@dataclass(frozen=True)
class Part:
    """A part of the count of a `ply`: its number, and how play begins in it."""

    ply: int
    number: int
    line: Line


@dataclass(frozen=True)
class Division:
    """A count to a `depth` in parts. Those of the last ply begin with `split` plies, those of the ply before it with
    one less, and so on: so all go on for as many plies. `beginnings` are how many lines of 0, 1 … `split` plies there
    are.
    """

    depth: int
    split: int
    beginnings: tuple[int, ...]

    @property
    def sizes(self) -> dict[int, int]:
        """How many parts each ply has."""
        return {ply: self.beginnings[self._begun(ply)] for ply in range(1, self.depth + 1)}

    @property
    def size(self) -> int:
        """How many parts there are."""
        return sum(self.sizes.values())

    def parts(self, count: Counter) -> Iterator[Part]:
        """All parts, the plies in order; they are found while they are asked for."""
        for ply in range(1, self.depth + 1):
            for number, line in enumerate(_lines(count, self._begun(ply))):
                yield Part(ply, number, line)

    def totals(self, found: Iterable[tuple[Part, int]]) -> Iterator[int]:
        """The counts of the plies, in order, each as soon as its last part is there."""
        total, left = dict.fromkeys(self.sizes, 0), self.sizes
        ply = 1
        for part, count in found:
            total[part.ply] += count
            left[part.ply] -= 1
            while not left.get(ply, 1):
                yield total[ply]
                ply += 1

    def _begun(self, ply: int) -> int:
        return max(0, ply - (self.depth - self.split))


def counter_of(moves: Moves, start: Any) -> Counter:
    """The counter of a game, from the position where it starts."""

    def count(line: Line, plies: int) -> int:
        position = start
        for move in line:
            position = moves(position)[move]
        return leaves(moves, position, plies)

    return count


def divided(count: Counter, depth: int, enough: int) -> Division:
    """A count divided where there are `enough` parts, if it is deep enough for that."""
    most = max(0, depth - LEAST)
    split = next((ply for ply in range(most) if ply and count((), ply) >= enough), most)
    return Division(depth, split, tuple(count((), ply) if ply else 1 for ply in range(split + 1)))


def _lines(count: Counter, plies: int, line: Line = ()) -> Iterator[Line]:
    if not plies:
        yield line
        return
    for move in range(count(line, 1)):
        yield from _lines(count, plies - 1, (*line, move))
