"""The checkers positions of the 1966 program, and its board as text.

Squares are numbered as in the program: 5 to 12, 14 to 21, 23 to 30, 32 to 39. With a gap of one number after every two
rows a move is 4 or 5 up or down everywhere on the board, and never wraps round an edge.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from cplrt.logical import Logical

board = [*range(5, 13), *range(14, 22), *range(23, 31), *range(32, 40)]
"""The numbers of the 32 squares, from Black's side of the board to White's."""


Position = tuple[Logical, Logical, Logical, int]
"""(X, Y, K, σ): the pieces of the player to move, his opponent's, the kings of both, and 1 for Black to move or −1."""


def is_position(value: object) -> TypeGuard[Position]:
    """Tell whether this is a position: three bit strings without negative squares, and 1 or −1."""
    match value:
        case (Logical() as own, Logical() as other, Logical() as kings, 1 | -1):
            return all(squares.bits >= 0 for squares in (own, other, kings))
        case _:
            return False


def PrintPosition(P: Position) -> None:
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


def Play(
    rules: Any,
    strategies: Mapping[int, Callable[[Any], Any]] | None = None,
    P: Any = None,
    trace: bool = True,
    *,
    plies: int = 300,
) -> tuple[int, Any]:
    """Play a game by the rules of a module with the program. The result is the winner, 1 for Black or -1 for White, and
    the last position; the winner is 0 after so many `plies`.

    `strategies` has a function from a position to the next for each side, `ChosenPosition` for both if there are none.
    With `trace` every position is printed. A side has lost that cannot move, or whose strategy gives no legal position.
    """
    players = dict.fromkeys((1, -1), rules.ChosenPosition) if strategies is None else strategies
    now = rules.StartPosition if P is None else P
    for ply in range(plies + 1):
        if trace:
            rules.PrintPosition(now)
        legal = rules.LegalPositionsFrom(now)
        if legal and ply == plies:
            break
        chosen = players[now[3]](now) if legal else None
        if chosen not in legal:
            return -now[3], now
        now = chosen
    return 0, now


def _piece(square: int, black: Logical, white: Logical, kings: Logical) -> str:
    if square in black:
        return "B" if square in kings else "b"
    if square in white:
        return "W" if square in kings else "w"
    return " "
