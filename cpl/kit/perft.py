"""Perft: how many lines of play there are of each length, the standard test of a move generator."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

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
