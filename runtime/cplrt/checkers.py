"""The checkers board of the 1966 program, as text.

Squares are numbered as in the program: 5 to 12, 14 to 21, 23 to 30, 32 to 39. With a gap of one number after every two
rows a move is 4 or 5 up or down everywhere on the board, and never wraps round an edge.
"""

from typing import Any

from cplrt.logical import Logical

board = [*range(5, 13), *range(14, 22), *range(23, 31), *range(32, 40)]
"""The numbers of the 32 squares, from Black's side of the board to White's."""


def PrintPosition(P: tuple[Logical, Logical, Logical, int]) -> None:
    """Print a position `(X,Y,K,σ)`: b and w are men, B and W kings; squares show their numbers, and the last line
    says whose move it is.
    """
    X, Y, K, sigma = P
    black, white = (X, Y) if sigma == 1 else (Y, X)
    squares = [f"{square:2}{_piece(square, black, white, K)}" for square in board]
    for row in range(8):
        cells: list[Any] = [None] * 8
        cells[1 - row % 2 :: 2] = squares[4 * row : 4 * row + 4]
        print("".join(f"|{cell or '   '}" for cell in cells) + "|")
    print(f"{'Black' if sigma == 1 else 'White'} to play.")


def _piece(square: int, black: Logical, white: Logical, kings: Logical) -> str:
    if square in black:
        return "B" if square in kings else "b"
    if square in white:
        return "W" if square in kings else "w"
    return " "
