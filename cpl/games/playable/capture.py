"""Capture the Flag as a game to be played (`cpl.games.capture`, seed 004), on the board that the seed shows first."""

from dataclasses import dataclass
from math import isqrt
from typing import Any

from cpl.games import capture
from cpl.games.board import Board
from cpl.games.game import End, Game
from cpl.games.playable import squares

EMPTY = "-"
_PAWN = "a pawn goes one square forwards or to the side, or jumps over one opposing piece"
_FLAG = "a flag goes one square forwards, back or to the side, and never jumps"


@dataclass(frozen=True)
class Turn:
    """All boards of the game, the last one first, and whose turn it is: "white" or "black"."""

    history: tuple[str, ...]
    side: str

    @property
    def size(self) -> int:
        """How many squares there are to a side."""
        return isqrt(len(self.history[0]))

    def _repr_svg_(self) -> str:
        return Capture().board(self).svg()


class Capture(Game):
    """Pawns and a flag each; no board may come twice. White begins. A move is the board that it leads to."""

    name = "capture"
    title = "Capture the Flag"
    sides = ("white", "black")
    tags = ("White", "Black")

    def start(self) -> Turn:
        """Five pawns each, on a board of five squares to a side."""
        return Turn((capture.START,), "white")

    def moves(self, state: Turn) -> list[str]:
        """The boards that can be next."""
        return capture.legal_moves(state.history, state.side[0])

    def play(self, state: Turn, move: str) -> Turn:
        """The state with this board."""
        return Turn((move, *state.history), self.other(state.side))

    def end(self, state: Turn) -> End | None:
        """By one of the four ways to win; there is no draw."""
        winner = capture.winner(state.history, state.side[0])
        if winner is None:
            return None
        return End(
            next(side for side in self.sides if side[0] == winner), capture.reason(state.history, state.side[0]) or ""
        )

    def search(self, state: Turn, kind: str, depth: int) -> str:
        """As `capture.capture`."""
        return capture.capture(state.history, state.side[0], depth, search=kind)

    def text(self, state: Turn, move: str) -> str:
        """b4-b3, and b4xb2 where a piece is captured: columns from a, rows from 1 below."""
        left, come = squares.way(state.history[0], move, EMPTY)
        sign = "x" if abs(left[0] - come[0]) + abs(left[1] - come[1]) == 2 else "-"
        return squares.text_of((left, come), state.size, sign)

    def read(self, state: Turn, text: str) -> str:
        """Whatever stands between the squares."""
        ways = self._ways(state)
        board = self.board(state)

        def why(way: squares.Way) -> str:
            if way in self._ways(Turn(state.history[:1], state.side)):
                return "that board was there before, and none may come twice"
            return _FLAG if board.pieces[way[0]].isupper() else _PAWN

        return ways[squares.way_of(text, ways, board, state.side, why)]

    def _ways(self, state: Turn) -> dict[squares.Way, str]:
        return {squares.way(state.history[0], move, EMPTY): move for move in self.moves(state)}

    def board(self, state: Turn, move: Any = None) -> Board:
        """Flags on their poles, the last move with an arrow."""
        size = state.size
        pieces = {divmod(place, size): sign for place, sign in enumerate(state.history[0]) if sign != EMPTY}
        last = squares.way(state.history[1], state.history[0], EMPTY) if len(state.history) > 1 else None
        return Board(pieces, size=size, capital="flag", marked=last or (), arrows=[last] if last else [])
