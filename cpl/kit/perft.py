"""Perft: how many lines of play there are of each length, the standard test of a move generator."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from cpl.source import Source

Moves = Callable[[Any], Sequence[Any]]


def perft(moves: Moves, start: Any, depth: int) -> Iterator[int]:
    """The number of lines of play of 1, 2 … `depth` plies. `moves` gives the positions that one move leads to."""
    for ply in range(1, depth + 1):
        yield leaves(moves, start, ply)


def leaves(moves: Moves, position: Any, depth: int) -> int:
    """The number of lines of play of exactly `depth` plies, one or more, from a position."""
    after = moves(position)
    if depth == 1:
        return len(after)
    count = 0
    for each in after:  # faster than a sum of a generator
        count += leaves(moves, each, depth - 1)
    return count


COUNTER: Final = "PerftOfPlies"
"""The function that `counting_text` defines."""


def counting_text(moves: str, start: str) -> Source:
    """Perft in CPL, to be compiled with a program: `COUNTER(n)` is the number of lines of play of n plies from the
    value of `start`. `moves` is the name of a function of the program.
    """
    return Source(
        "<perft>",
        f"""\
{COUNTER}(n) = PerftLeaves(PerftStart,n)
PerftStart = {start}
PerftLeaves(P,n) = n = 1 → PerftLength({moves}(P)), PerftSum({moves}(P),n - 1)
PerftSum(L,n) = Null(L) → 0, PerftLeaves(Head(L),n) + PerftSum(Tail(L),n)
PerftLength(L) = Null(L) → 0, 1 + PerftLength(Tail(L))
""",
    )
