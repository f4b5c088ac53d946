"""Players of the 1966 program: its module and a position come in, the position after the move goes out.

`ChosenPosition` has three sorts of answer: a position, NIL if every move loses, and Resign if there is no move
(docs/faults.md). Here the first legal move is made where it says NIL.
"""

from typing import Any

from cpl.kit.positions import Position


def choose(game: Any, position: Position) -> Position | None:
    """What the program chooses; None if there is no move."""
    legal: list[Position] = game.LegalPositionsFrom(position)
    match game.ChosenPosition(position):
        case tuple() as chosen:
            return chosen
        case _:
            return legal[0] if legal else None


def finish(game: Any, position: Position) -> Position | None:
    """As `choose`, but a move that wins at once is made: to the program all wins are alike, however far off."""
    legal: list[Position] = game.LegalPositionsFrom(position)
    wins = (after for after in legal if not game.LegalPositionsFrom(after))
    return next(wins, None) or choose(game, position)
