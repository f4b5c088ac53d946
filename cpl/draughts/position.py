"""Positions of checkers as the program of 1966 has them, (X, Y, K, σ), and their picture.

X are the pieces of the player to move, Y the opponent's, K the kings of both, bit strings of the program's own square
numbers; σ is 1 for Black to move, −1 for White.
"""

from typing import Any, Final, TypeGuard

from cplrt import Logical
from cplrt.checkers import board

from cpl.draughts.board import DARK, NUMBERS, Board, Square

Position = tuple[Logical, Logical, Logical, int]

CROWNED: Final = {1: frozenset(board[-4:]), -1: frozenset(board[:4])}
"""The squares where a man of Black, 1, or White, −1, becomes a king."""

SQUARES: Final[dict[int, Square]] = dict(zip(board, DARK, strict=True))
"""The squares of the board by the program's numbers: 5 to 12, 14 to 21, 23 to 30 and 32 to 39."""


def number(square: int) -> str:
    """The official number of one of the program's squares; one beside the board keeps its own, with a question mark."""
    return NUMBERS[SQUARES[square]] if square in SQUARES else f"?{square}"


def is_position(value: object) -> TypeGuard[Position]:
    """Whether this is a position: three bit strings without negative squares, and 1 or −1."""
    match value:
        case (Logical() as own, Logical() as other, Logical() as kings, 1 | -1):
            return all(each.bits >= 0 for each in (own, other, kings))
        case _:
            return False


def pieces(position: Any, letters: str = "bw") -> dict[Square, str]:
    """The pieces by their squares: the first of the letters for Black, the other for White, capitals for kings."""
    own, other, kings, mover = position[:4]
    black, white = (own, other) if mover == 1 else (other, own)
    return {
        square: letter.upper() if number in kings else letter
        for letter, side in zip(letters, (black, white), strict=True)
        for number, square in SQUARES.items()
        if number in side
    }


def ghosts(position: Any) -> list[Square]:
    """The squares of the kings among which no piece stands: some readings of the program of 1966 leave such marks."""
    own, other, kings, _ = position[:4]
    return [square for number, square in SQUARES.items() if number in kings and number not in own | other]


def is_drawable(value: object) -> bool:
    """Whether `picture` draws this: a position between moves or, with Φ as a fifth member, in the middle of one."""
    return isinstance(value, tuple) and len(value) in (4, 5) and is_position(value[:4])


def picture(position: Any, before: Any = None) -> Board:
    """A position on its board, labelled with the program's numbers; what is beside the board is left out.

    With the position `before` it, the squares where something changed are marked.
    """
    now = _seen(position)
    earlier = now if before is None else _seen(before)
    changed = [square for square in DARK if earlier.get(square) != now.get(square)]
    labels = {square: str(number) for number, square in SQUARES.items()}
    mover, caption = "Black" if position[3] == 1 else "White", "to play."
    if len(position) == 5:
        caption = f"moves; Φ = {', '.join(map(str, position[4])) or 'none'}"
    return Board(pieces(position), labels, f"{mover} {caption}", changed, ghosts=ghosts(position))


def _seen(position: Any) -> dict[Square, str]:
    """What there is to see on each square."""
    return pieces(position) | dict.fromkeys(ghosts(position), "ghost")
