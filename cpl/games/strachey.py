"""The checkers program of 1966 as a player, and as a game by its own rules.

`ChosenPosition` has three sorts of answer: a position, NIL if every move loses, and Resign if there is no move
(docs/faults.md). Here the first legal move is made where it says NIL.
"""

from math import nan
from typing import Any

from cpl.games.game import Draughts, Turn, program
from cpl.games.moves import Path, named
from cpl.games.position import SIZE, Position
from cpl.games.sides import SIDES


def choose(game: Any, position: Position) -> Position | None:
    """Return what the program, a module, chooses: the position after the move; None if there is no move."""
    chosen = game.ChosenPosition(position)
    if isinstance(chosen, tuple):
        return chosen
    return next(iter(game.LegalPositionsFrom(position)), None)


def finish(game: Any, position: Position) -> Position | None:
    """Choose as `choose` does, or a move that wins at once: to the program all wins are alike, however far off."""
    wins = (after for after in game.LegalPositionsFrom(position) if not game.LegalPositionsFrom(after))
    return next(wins, None) or choose(game, position)


class Strachey(Draughts):
    """The rules of English draughts but for one: a man who is crowned by a capture jumps on (docs/rules.md).

    Black begins. The program knows no draws; `cpl.games.live` does. Files are those of English draughts: a game can be
    read if its moves are legal by these rules, too.
    """

    name = "strachey"
    title = "Strachey's checkers of 1966, by its own rules"
    source = "strachey.cpl"
    search_source = "strachey-search.cpl"  # the program of 1966 has a search of its own
    sides = SIDES
    man = 1

    def start(self) -> Turn:
        """Return the first state: twelve men each."""
        return self.turn(self.program.StartPosition)

    def legal(self, state: Position) -> dict[Path, Position]:
        """The positions that LegalPositionsFrom gives, in its order."""
        after = named(state, self.program.LegalPositionsFrom(state))
        return {self.notation.path(text): position for position, text in after}

    def play(self, turn: Turn, move: Path) -> Turn:
        """The position after a move."""
        return Turn(self, turn.legal[move], self.other(turn.side))

    def best(self, state: Position, kind: str, depth: int) -> tuple[float, Any]:
        """The kind "strachey" is the program's own choice with this DepthLimit, without a value, or a win that comes at
        once.
        """
        if kind != "strachey":
            return super().best(state, kind, depth)
        rules = program(self.source, f"DepthLimit = {depth}\n", in_one_call=True)
        return nan, finish(rules, state)

    def duty(self, turn: Turn, path: Path) -> str:
        """Tell the duty as in all draughts; the rule that is not official is named."""
        duty = super().duty(turn, path)
        last_row = SIZE - 1 if turn.side == self.sides[0] else 0
        is_crowned = turn.pieces[path[0]].islower() and path[-1][0] == last_row
        goes_on = any(move[: len(path)] == path for move in turn.legal)
        if is_crowned and goes_on:
            return f"{duty}, since by the rules of 1966 a man who is crowned jumps on"
        return duty
