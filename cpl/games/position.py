"""The squares of draughts and their names; positions as the checkers program of 1966 has them, and as FEN.

Squares are (row, column), counted from 0 at the upper left. A position is (X, Y, K, σ): X are the pieces of the player
to move, Y the opponent's, K the kings of both, bit strings of the program's own square numbers; σ is 1 for Black to
move, −1 for White. FEN is the notation of PDN: in `B:W32,K7:B1,5` Black is to move, and White's pieces come first.
"""

import re
import reprlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from string import ascii_lowercase
from typing import Any, Final

from cplrt import Logical
from cplrt.checkers import Position as Position
from cplrt.checkers import board
from cplrt.checkers import is_position as is_position

from cpl.compiler.diagnostics import Invalid
from cpl.games.numberings import NUMBERINGS, OFFICIAL_NUMBERS

Square = tuple[int, int]
Moves = Callable[[Any], Sequence[Any]]
"""A function that gives the positions to which one move leads."""

SIZE: Final = 8
DARK: Final = tuple((row, 2 * column + 1 - row % 2) for row in range(SIZE) for column in range(SIZE // 2))
"""The squares that are played on, in the order of their official numbers: `DARK[0]` is square 1."""
SQUARES: Final[dict[int, Square]] = dict(zip(board, DARK, strict=True))
"""The squares by the program's numbers: 5 to 12, 14 to 21, 23 to 30 and 32 to 39."""
NAMES_OF_SQUARES: Final[Mapping[str, Mapping[Square, str]]] = {
    numbering: dict(zip(DARK, map(str, numbers), strict=True)) for numbering, numbers in NUMBERINGS.items()
}
"""The numbers of the squares in all numberings, by the names of these."""
NUMBERS: Final = NAMES_OF_SQUARES[OFFICIAL_NUMBERS]
"""The official numbers, in which positions and moves are written."""
CROWNED: Final = {1: frozenset(board[-4:]), -1: frozenset(board[:4])}
"""The squares where a man of Black, 1, or White, −1, becomes a king."""

_PIECES: Final = r"([\w,\s-]*)"
# The side to move, perhaps twice; the lists of both sides, or of one; numbers of moves.
_FEN: Final = re.compile(
    rf"([BW])\s*:\s*(?:\1\s*:\s*)?([BW]){_PIECES}(?::\s*(?!\2)[BW]{_PIECES})?(?::\s*[HF]\d+\s*)*\.?", re.ASCII
)
_SIDE: Final = re.compile(rf":\s*([BW]){_PIECES}", re.ASCII)
_TAG: Final = re.compile(r'\[\s*FEN\s*"([^"\n]*)"\s*\]')
_PIECE: Final = re.compile(r"(K?)\s*0*([1-9]\d?)(?:\s*-\s*0*([1-9]\d?))?", re.ASCII)
_QUOTED: Final = reprlib.Repr()
_QUOTED.maxstring = 120  # as long as the positions that people write


class BadFen(Invalid):
    """A text that is no position. The message is one line."""


class FenWarning(UserWarning):
    """A text that can only mean a position that it does not quite say. The message is one line."""


@cache
def square_names(size: int = SIZE) -> Mapping[Square, str]:
    """Return the names of squares in chess, a letter for the column and a number for the row, from below: a1, b1 … h8;
    (5, 2) is c3.
    """
    return {
        (size - number, column): f"{letter}{number}"
        for number in range(1, size + 1)
        for column, letter in enumerate(ascii_lowercase[:size])
    }


def number(square: int) -> str:
    """Return the official number of one of the program's squares; one beside the board keeps its own, with a `?`."""
    return NUMBERS[SQUARES[square]] if square in SQUARES else f"?{square}"


def pieces(position: Any, letters: str = "bw") -> dict[Square, str]:
    """Return the pieces by their squares: the first letter for Black, the other for White, capitals for kings."""
    own, other, kings, mover = position[:4]
    black, white = (own, other) if mover == 1 else (other, own)
    placed = {}
    for letter, side in zip(letters, (black, white), strict=True):
        for number, square in SQUARES.items():
            if number in side:
                placed[square] = letter.upper() if number in kings else letter
    return placed


def ghosts(position: Any) -> list[Square]:
    """Return the squares with a king's mark but no piece: some readings of the program of 1966 leave such marks."""
    own, other, kings, _ = position[:4]
    return [square for number, square in SQUARES.items() if number in kings and number not in own | other]


def to_fen(position: Position) -> str:
    """Write a position as FEN."""
    own, other, kings, mover = position

    def listed(side: Logical) -> str:
        return ",".join(f"K{number(square)}" if square in kings else number(square) for square in side)

    if mover == 1:
        return f"B:W{listed(other)}:B{listed(own)}"
    return f"W:W{listed(own)}:B{listed(other)}"


def from_fen(text: str) -> Position:
    """Read a position from FEN. Raises BadFen, and warns with a FenWarning of a man on the row where he is crowned: he
    is read as a king.

    What is found in files is read, too: ranges (`W21-32`, of PDN 3.0), small letters, blanks, leading zeros, a full
    stop at the end, a side without pieces (`B:W:B1` or `B:B1`), the side to move twice (`W:W:W32:B1`), and a whole tag,
    `[FEN "B:W32:B1"]`. The numbers of moves that some programs add, `:H0:F1`, are passed over.
    """
    quoted = _QUOTED.repr(text)
    fen = text.strip().upper()
    tag = _TAG.search(fen)
    if tag:
        fen = tag[1].strip()
    if not _FEN.fullmatch(fen):
        raise BadFen(f"{quoted} is not a position: write one like B:W22,K31:B1,K15, with the player to move first")

    lists = dict(_SIDE.findall(fen))
    black = [*_pieces_of(lists.get("B", ""))]
    white = [*_pieces_of(lists.get("W", ""))]
    times = Counter(square for square, _ in black + white)
    twice = [number(square) for square in sorted(times) if times[square] > 1]
    if twice:
        raise BadFen(f"{quoted} is not a position: two pieces stand on one square, {', '.join(twice)}")

    black_squares = {square for square, _ in black}
    white_squares = {square for square, _ in white}
    kings = {square for square, is_king in black + white if is_king}
    crowned = (black_squares & CROWNED[1] | white_squares & CROWNED[-1]) - kings
    if crowned:
        listed = ", ".join(map(number, sorted(crowned)))
        warnings.warn(f"{quoted} has a man on {listed}, where he is crowned: read as a king", FenWarning, stacklevel=2)
    if fen[0] == "B":
        return Logical(black_squares), Logical(white_squares), Logical(kings | crowned), 1
    return Logical(white_squares), Logical(black_squares), Logical(kings | crowned), -1


def _pieces_of(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the program's squares in the list of one side's pieces, each with whether a king stands there. Raises
    BadFen.
    """
    for piece in map(str.strip, text.split(",")):
        if not piece:
            continue
        match = _PIECE.fullmatch(piece)
        if not match:
            raise _not_a_piece(piece)
        king, first, last = match.groups()
        begin, end = int(first), int(last or first)
        if not 1 <= begin <= end <= len(board):
            raise _not_a_piece(piece)
        for square in board[begin - 1 : end]:
            yield square, bool(king)


def _not_a_piece(text: str) -> BadFen:
    advice = "write a square from 1 to 32, with a K before it for a king, or a range like 21-32"
    return BadFen(f"{reprlib.repr(text)} is not a piece: {advice}")
