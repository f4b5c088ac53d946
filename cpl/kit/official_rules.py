"""English draughts by the official rules, as pydraughts has them: from a position of the 1966 program to the next ones.

pydraughts is an independent program and an optional extra (`pip install 'cplc[rules]'`); `cpl.kit.rules` compares with
it. Only its move generator is used: that it also ends games, by forty moves or repetition, plays no part. Internally,
it plays English draughts with the board turned round and the colours exchanged, as its other games begin with White.
"""

import warnings
from collections.abc import Iterator
from typing import Any, Final

from cplrt import Logical
from cplrt.checkers import board

from cpl.diagnostics import Error
from cpl.games.position import DARK, Position, pieces

_FIRST: Final = 2  # its White, who begins: Black in English draughts


def official(position: Position) -> list[Position]:
    """The positions that one move leads to, once for each move: two ways round to capture the same pieces are two."""
    return [_read(after) for after in _plays(_made(position), [])]


def jumping_on(position: Position) -> list[Position]:
    """The same with one rule changed: a man whom a capture crowns goes on capturing as a king in the same move."""
    changed = _made(position)
    changed.pieces_promote_and_stop_capturing = False
    changed.pieces_promote_and_continue_capturing = True  # as in Russian draughts
    return [_read(after) for after in _plays(changed, [])]


def _plays(before: Any, captured: list[int]) -> Iterator[Any]:
    """Its boards after each move; those within a move, where more must be captured, are gone on from."""
    for step in before.get_possible_moves(captured):
        after, enemy = before.create_new_board_from_move(step, 0, captured)
        if after.player_turn == before.player_turn:
            yield from _plays(after, [*captured, enemy])
        else:
            yield after


def _made(position: Position) -> Any:
    """A board of pydraughts, from a letter for the player to move and one for each square, kings in capitals.

    What a wrong program has put beside the board is left out.
    """
    try:
        with warnings.catch_warnings():  # importing it changes the filters of the whole process
            from draughts.core.board import Board
    except ImportError:
        raise Error("pydraughts knows the official rules, and is not installed: pip install 'cplc[rules]'") from None
    letters = pieces(position, "wb")
    mover = "W" if position[3] == 1 else "B"
    return Board("english", mover + "".join(letters.get(square, "e") for square in reversed(DARK)))


def _read(found: Any) -> Position:
    placed = [(piece.player, board[-piece.position], piece.king) for piece in found.searcher.uncaptured_pieces]
    own, other = (
        Logical([square for player, square, _ in placed if (player == found.player_turn) == is_own])
        for is_own in (True, False)
    )
    kings = Logical([square for _, square, king in placed if king])
    return own, other, kings, 1 if found.player_turn == _FIRST else -1
