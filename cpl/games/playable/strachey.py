"""The checkers program of 1966 as a game to be played, by its own rules, and as a player of it.

Its rules are those of English draughts but for one: a man who is crowned by a capture jumps on (docs/rules.md). It has
no draws, so whoever plays a match ends a game that goes on for ever.
"""

from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class Turn:
    """A position of the program, which knows whose turn it is."""

    position: Position

    @property
    def side(self) -> str:
        """Black or white."""
        return "black" if self.position[3] == 1 else "white"

    def _repr_svg_(self) -> str:
        return Strachey().board(self).svg()


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
    """With the program's own functions. Black begins."""

    name = "strachey"
    title = "Strachey's checkers of 1966, by its own rules"
    sides = ("black", "white")
    tags = ("Black", "White")

    def start(self) -> Turn:
        """Twelve men each."""
        return Turn(program().StartPosition)

    def moves(self, state: Turn) -> list[Move]:
        """What LegalPositionsFrom gives, in its order."""
        position = state.position
        return [Move(after, text) for after, text in notation.named(position, program().LegalPositionsFrom(position))]

    def play(self, state: Turn, move: Move) -> Turn:
        """The position after a move."""
        return Turn(move.after)

    def end(self, state: Turn) -> End | None:
        """By a side that cannot move; nothing else ends a game."""
        return None if program().LegalPositionsFrom(state.position) else self.blocked(state.side)

    def search(self, state: Turn, kind: str, depth: int) -> Move:
        """With the searches of `library/search.cpl` and what the program itself thinks that a position is worth."""
        game = program()
        search = {"minimax": _search().MiniMax, "alphabeta": _search().AlphaBeta}[kind]

        def value(position: Position, moves: list[Position], left: int) -> float:
            worth: float = game.TerminalValue(position)
            return worth if abs(worth) < WON else (WON + left) * (1 if worth > 0 else -1)

        _, after = search(state.position, depth, game.LegalPositionsFrom, lambda _, move: move, value)
        return self._to(state, after)

    def chosen(self, state: Turn, depth: int) -> Move:
        """What the program itself chooses, as `cpl.games.strachey.finish` has it."""
        return self._to(state, strachey.finish(program(depth), state.position))

    def _to(self, state: Turn, after: Any) -> Move:
        return next(move for move in self.moves(state) if move.after == after)

    def text(self, state: Turn, move: Move) -> str:
        """11-15, 15x22x31."""
        return move.text

    def read(self, state: Turn, text: str) -> Move:
        """Also short captures, 15x31, where one is meant only."""
        ways = {draughts.path_of(move.text): move for move in self.moves(state)}
        side = state.side
        return ways[draughts.way_of(text, ways, lambda: self.board(state), side, down=side == "black")]

    def board(self, state: Turn, move: Any = None) -> Board:
        """With the official numbers, as moves have them."""
        path = draughts.path_of(move.text) if move else ()
        made = strachey_board(state.position)
        return replace(made, labels=draughts.NUMBERS, caption="", marked=path, arrows=[path] if path else [])
