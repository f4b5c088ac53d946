"""FEN, the notation of PDN for positions: `B:W32,K7:B1,5` is Black to move, White's pieces, and Black's."""

import re
import reprlib
import warnings
from typing import Final

from cplrt import Logical
from cplrt.checkers import board

from cpl.diagnostics import Invalid
from cpl.draughts.position import CROWNED, Position, number

_COLOURS: Final = {"B": 1, "W": -1}
_PIECES: Final = r"([\dK,\s-]*)"
_FEN: Final = re.compile(rf"([BW])\s*:\s*([BW]){_PIECES}(?::\s*(?!\2)([BW]){_PIECES})?(?::\s*[HF]\d+\s*)*\.?", re.ASCII)
_TAG: Final = re.compile(r'\[\s*FEN\s*"([^"\n]*)"\s*\]')
_PIECE: Final = re.compile(r"(K?)\s*0*([1-9]\d?)(?:\s*-\s*0*([1-9]\d?))?", re.ASCII)
_SHOWN: Final = reprlib.Repr()
_SHOWN.maxstring = 120  # as long as the positions that people write


class BadFen(Invalid):
    """A text that is no position. The message is one line."""


class FenWarning(UserWarning):
    """A text that can only mean a position that it does not quite say. The message is one line."""


def to_fen(position: Position) -> str:
    """A position as FEN: whose move it is, White's pieces, Black's."""
    own, other, kings, mover = position
    black, white = (own, other) if mover == 1 else (other, own)
    sides = (",".join(f"{'K' * (square in kings)}{number(square)}" for square in pieces) for pieces in (white, black))
    return f"{'B' if mover == 1 else 'W'}:W{':B'.join(sides)}"


def from_fen(text: str) -> Position:
    """The position of a FEN. Raises BadFen, and warns with a FenWarning of a man on the row where he is crowned: he is
    read as a king.

    What is found in files is read, too: ranges (`W21-32`, of PDN 3.0), small letters, blanks, leading zeros, a full
    stop at the end, a side without pieces (`B:W:B1` or `B:B1`), and a whole tag, `[FEN "B:W32:B1"]`. The numbers of
    moves that some programs add, `:H0:F1`, are passed over.
    """
    shown, written = _SHOWN.repr(text), text.strip().upper()
    if tag := _TAG.search(written):
        written = tag[1].strip()
    match = _FEN.fullmatch(written)
    if not match:
        raise BadFen(f"{shown} is not a position: write one like B:W22,K31:B1,K15, with the player to move first")
    letter, first, pieces, second, others = match.groups()
    mover = _COLOURS[letter]
    sides: dict[int, list[tuple[int, bool]]] = {1: [], -1: [], _COLOURS[first]: _pieces(pieces)}
    if second:
        sides[_COLOURS[second]] = _pieces(others)
    placed = [(square, king, colour) for colour, side in sides.items() for square, king in side]
    if len({square for square, _, _ in placed}) < len(placed):
        raise BadFen(f"{shown} is not a position: two pieces stand on one square")
    kings = {square for square, king, _ in placed if king}
    if crowned := {square for square, _, colour in placed if square in CROWNED[colour]} - kings:
        squares = ", ".join(map(number, sorted(crowned)))
        warnings.warn(f"{shown} has a man on {squares}, where he is crowned: read as a king", FenWarning, stacklevel=2)
    own, other = (Logical(square for square, _ in sides[colour]) for colour in (mover, -mover))
    return own, other, Logical(kings | crowned), mover


def _pieces(text: str) -> list[tuple[int, bool]]:
    """The program's squares of one side, and which are kings."""
    found = []
    for piece in filter(None, map(str.strip, text.split(","))):
        king, first, last = match.groups() if (match := _PIECE.fullmatch(piece)) else ("", 0, 0)
        begin, end = int(first), int(last or first)
        if not (1 <= begin <= len(board) and 1 <= end <= len(board)):
            raise BadFen(
                f"{_SHOWN.repr(piece)} is not a piece: write a square from 1 to 32, with a K before it for a king"
            )
        if begin > end:
            raise BadFen(f"{piece} is not a range: it goes from the smaller number to the larger")
        found += [(square, bool(king)) for square in board[begin - 1 : end]]
    return found
