"""The checkers program of 1966 as a player, and as a game by its own rules.

`ChosenPosition` has three sorts of answer: a position, NIL if every move loses, and Resign if there is no move
(docs/faults.md). Here the first legal move is made where it says NIL.
"""

from dataclasses import replace
from typing import Any, Final

from cpl.draughts.board import NUMBERS, Board
from cpl.draughts.moves import Path, named
from cpl.draughts.position import Position, picture
from cpl.games.game import Draughts, End, Turn, program

WON: Final = 1_000_000
"""What a win is worth, and more the sooner it comes."""
_PROGRAM: Final = "strachey.cpl"


def choose(game: Any, position: Position) -> Position | None:
    """What the program, a module, chooses: the position after the move; None if there is no move."""
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


Move = tuple[Position, str]
"""The position that a move leads to, and how the move is written."""


class Strachey(Draughts):
    """The rules of English draughts but for one: a man who is crowned by a capture jumps on (docs/rules.md).

    Black begins. There are no draws, so whoever plays a match ends a game that goes on for ever.
    """

    name = "strachey"
    title = "Strachey's checkers of 1966, by its own rules"
    sides = ("black", "white")

    def turn(self, position: Position) -> Turn:
        """A position of the program, which knows whose turn it is."""
        return Turn(self, position, "black" if position[3] == 1 else "white")

    def start(self) -> Turn:
        """Twelve men each."""
        return self.turn(program(_PROGRAM).StartPosition)

    def moves(self, state: Turn) -> list[Move]:
        """What LegalPositionsFrom gives, in its order."""
        return [*named(state.state, program(_PROGRAM).LegalPositionsFrom(state.state))]

    def play(self, state: Turn, move: Move) -> Turn:
        """The position after a move."""
        return self.turn(move[0])

    def end(self, state: Turn) -> End | None:
        """By a side that cannot move; nothing else ends a game."""
        return None if program(_PROGRAM).LegalPositionsFrom(state.state) else self.blocked(state.side)

    def search(self, state: Turn, kind: str, depth: int) -> Move:
        """With the searches of `library/search.cpl` and what the program itself thinks that a position is worth; the
        kind "strachey" is the program's own choice with this DepthLimit, and a win that comes at once.
        """
        game = program(_PROGRAM)

        def value(position: Position, moves: list[Position], left: int) -> float:
            worth: float = game.TerminalValue(position)
            return worth if abs(worth) < WON else (WON + left) * (1 if worth > 0 else -1)

        if kind == "strachey":
            player = program(_PROGRAM, depth)
            player.DepthLimit = depth
            after = finish(player, state.state)
        else:
            searches = program("library/search.cpl")
            search = {"minimax": searches.MiniMax, "alphabeta": searches.AlphaBeta}[kind]
            _, after = search(state.state, depth, game.LegalPositionsFrom, lambda _, move: move, value)
        return next(move for move in self.moves(state) if move[0] == after)

    def path(self, state: Turn, move: Move) -> Path:
        """The squares that the text of the move has."""
        return self.notation.path(move[1])

    def board(self, state: Turn, move: Any = None) -> Board:
        """With the official numbers, as moves have them."""
        path = self.path(state, move) if move else ()
        return replace(picture(state.state), labels=NUMBERS, caption="", marked=path, arrows=[path] if path else [])
