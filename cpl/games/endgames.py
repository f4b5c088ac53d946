"""Endings of checkers with kings only, at most three of one side against two: who wins, and in how many plies.

`programs/library/kings.cpl` reads the table that comes with the package, and `programs/endgames.cpl` makes it anew.
"""

import struct
import zlib
from functools import cache

from cplrt.kings import KingsTable

from cpl.games.game import program
from cpl.games.position import Position


class Endgames:
    """The table: for each position the number of plies to the end if both sides play best, an odd number if the side to
    move wins, an even one if it loses; None if it is a draw.
    """

    def __init__(self, words: list[int]) -> None:
        self.words = words

    def plies(self, position: Position) -> int | None:
        """Look a position up. Raises KeyError if it is none of those in the table."""
        plies: int = program("endgames.cpl").Plies(self.words, position)
        if plies < -1:
            raise KeyError
        return None if plies == -1 else plies

    def to_bytes(self) -> bytes:
        """Return the table as it is saved, in `kings.z` of `cplrt`."""
        return zlib.compress(struct.pack(f"<{len(self.words)}q", *self.words), 9)


@cache
def table() -> Endgames:
    """Return the table that comes with the package."""
    return Endgames(KingsTable())


def solve(kings: int = 5) -> Endgames:
    """Make the table anew, or that of at most 2, 3 or 4 kings."""
    return Endgames(program("endgames.cpl", in_one_call=True).Solve(kings))
