"""Moves from square to square, written b4-b3: which one was made, which one is meant, or why none can be."""

import re
import reprlib
from collections.abc import Callable, Collection, Sequence
from math import isqrt
from typing import TypeAlias

from cpl.games.board import Board, Square, named_square, square_name
from cpl.games.game import BadMove

Way: TypeAlias = tuple[Square, Square]
"""The square that a piece leaves, and the one where it comes to stand."""

_WAY = re.compile(r"([a-z][0-9]+)\s*[-x:]?\s*([a-z][0-9]+)")


def way(before: Sequence[object], after: Sequence[object], empty: object) -> Way:
    """The way of the piece that has moved from one board to the next; boards square by square."""
    size = isqrt(len(after))
    changed = [place for place, signs in enumerate(zip(before, after, strict=True)) if signs[0] != signs[1]]
    come = next(place for place in changed if after[place] != empty)
    left = next(place for place in changed if before[place] == after[come])
    return divmod(left, size), divmod(come, size)


def text_of(way: Way, size: int, sign: str = "-") -> str:
    """A way as people write it."""
    return sign.join(square_name(square, size) for square in way)


def way_of(text: str, ways: Collection[Way], board: Board, side: str, why: Callable[[Way], str]) -> Way:
    """The one of the ways of a side, who is to move, that a text means: `b4-b3`, `b4xb3` and `b4b3` are all the same.

    Raises BadMove for any other. It says what a teacher would say first, and where a piece of this side wants to go to
    an empty square, what `why` has to say of it and where else the piece can go.
    """
    found = _WAY.fullmatch(text.strip().lower())
    if not found:
        raise BadMove(f"{reprlib.repr(text.strip())} is no move: it is written like b4-b3")
    try:
        left, come = (named_square(name, board.size) for name in found.groups())
    except ValueError as error:
        raise BadMove(str(error)) from None
    if (left, come) not in ways:
        raise BadMove(f"{reprlib.repr(text.strip())} cannot be played: {_reason((left, come), ways, board, side, why)}")
    return left, come


def _reason(way: Way, ways: Collection[Way], board: Board, side: str, why: Callable[[Way], str]) -> str:
    here, there = (square_name(square, board.size) for square in way)
    piece = board.pieces.get(way[0])
    if piece is None:
        return f"there is no piece on {here}"
    if piece.lower() != side[0]:
        return f"the piece on {here} is not {side}'s, whose move it is"
    if here == there:
        return f"the piece on {here} is there already"
    if way[1] in board.pieces:
        return f"there is a piece on {there}"
    able = [text_of(each, board.size) for each in ways if each[0] == way[0]]
    more = f"it can go {' or '.join(able)}" if able else f"the piece on {here} cannot move now"
    return f"{why(way)}; {more}"
