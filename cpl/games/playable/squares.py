"""Moves from square to square, written b4-b3: which one was made, and why one cannot be made, as boards tell it."""

import re
from collections.abc import Sequence
from math import isqrt

from cpl.games.board import Board, Square, named_square, square_name


def way(before: Sequence[object], after: Sequence[object], empty: object) -> tuple[Square, Square]:
    """The square that a piece has left from one board to the next, and the one where it is; boards square by square."""
    size = isqrt(len(after))
    changed = [place for place, signs in enumerate(zip(before, after, strict=True)) if signs[0] != signs[1]]
    come = next(place for place in changed if after[place] != empty)
    left = next(place for place in changed if before[place] == after[come])
    return divmod(left, size), divmod(come, size)


def reason(board: Board, text: str, side: str) -> str | None:
    """The first thing that a teacher would say; None if the squares are not to blame. `side` is to move."""
    names = re.findall(r"[a-z][0-9]+", text.lower())
    try:
        squares = [named_square(name, board.size) for name in names]
    except ValueError as error:
        return str(error)
    if len(squares) != 2:
        return None
    (left, come), (here, there) = squares, (square_name(square, board.size) for square in squares)
    piece = board.pieces.get(left)
    if piece is None:
        return f"there is no piece on {here}"
    if piece.lower() != side[0]:
        return f"the piece on {here} is not {side}'s, whose move it is"
    return f"there is a piece on {there}" if come in board.pieces else None
