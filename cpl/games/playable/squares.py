"""Why a move from square to square cannot be made, as the board tells: for games whose moves are written b4-b3."""

import re

from cpl.games.board import Board, named_square, square_name


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
