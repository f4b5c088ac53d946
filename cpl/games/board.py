"""Boards as pictures and as text: the public names of `cpl.draughts` for drawing them."""

from cpl.draughts.board import Board, Square
from cpl.draughts.position import picture as strachey

__all__ = ["Board", "Square", "strachey"]
