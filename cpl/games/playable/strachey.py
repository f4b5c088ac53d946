"""The checkers program of 1966 as a game to be played, by its own rules, and as a player of it.

Its rules are those of English draughts but for one: a man who is crowned by a capture jumps on (docs/rules.md). It has
no draws, so whoever plays a match ends a game that goes on for ever.
"""

from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from cpl import packaged
from cpl.games import draughts, strachey
from cpl.games.board import Board
from cpl.games.board import strachey as strachey_board
from cpl.games.game import End, Game
from cpl.kit import notation
from cpl.kit.positions import Position

WON = 1_000_000
"""What a win is worth, and more the sooner it comes."""


class Move(NamedTuple):
    """The position that a move leads to, and how the move is written."""

    after: Position
    text: str


@cache
def program(depth: int | None = None) -> ModuleType:
    """The compiled program; with a depth, one of its own whose DepthLimit that is."""
    from cpl.compiler import load

    made = load(packaged.folder("programs") / "strachey.cpl")
    if depth is not None:
        made.DepthLimit = depth  # type: ignore[attr-defined]
    return made


@cache
def _search() -> ModuleType:
    from cpl.compiler import load

    return load(packaged.folder("programs") / "library" / "search.cpl")


class Strachey(Game):
    """Positions as the program has them. Black begins."""

    name = "strachey"
    title = "Strachey's checkers of 1966, by its own rules"
    sides = ("black", "white")
    tags = ("Black", "White")

    def start(self) -> Position:
        """Twelve men each."""
        found: Position = program().StartPosition
        return found

    def side(self, state: Position) -> str:
        """Whose turn it is."""
        return self.sides[state[3] != 1]

    def moves(self, state: Position) -> list[Move]:
        """What LegalPositionsFrom gives, in its order."""
        return [Move(after, text) for after, text in notation.named(state, program().LegalPositionsFrom(state))]

    def play(self, state: Position, move: Move) -> Position:
        """The position after a move."""
        return move.after

    def end(self, state: Position) -> End | None:
        """By a side that cannot move; nothing else ends a game."""
        if program().LegalPositionsFrom(state):
            return None
        return End(self.other(self.side(state)), f"{self.side(state)} cannot move")

    def search(self, state: Position, kind: str, depth: int) -> Move:
        """With the searches of `library/search.cpl` and what the program itself thinks that a position is worth."""
        game = program()
        search = {"minimax": _search().MiniMax, "alphabeta": _search().AlphaBeta}[kind]

        def value(position: Position, moves: list[Position], left: int) -> float:
            worth: float = game.TerminalValue(position)
            return worth if abs(worth) < WON else (WON + left) * (1 if worth > 0 else -1)

        _, after = search(state, depth, game.LegalPositionsFrom, lambda _, move: move, value)
        return self._to(state, after)

    def chosen(self, state: Position, depth: int) -> Move:
        """What the program itself chooses, as `cpl.games.strachey.finish` has it."""
        return self._to(state, strachey.finish(program(depth), state))

    def _to(self, state: Position, after: Any) -> Move:
        return next(move for move in self.moves(state) if move.after == after)

    def text(self, state: Position, move: Move) -> str:
        """11-15, 15x22x31."""
        return move.text

    def read(self, state: Position, text: str) -> Move:
        """Also short captures, 15x31, where one is meant only."""
        ways = {draughts.path_of(move.text): move for move in self.moves(state)}
        side = self.side(state)
        return ways[draughts.way_of(text, ways, strachey_board(state).pieces, side, down=side == "black")]

    def board(self, state: Position, move: Any = None) -> Board:
        """With the official numbers, as moves have them."""
        path = draughts.path_of(move.text) if move else ()
        made = strachey_board(state)
        return replace(made, labels=draughts.NUMBERS, caption="", marked=path, arrows=[path] if path else [])
