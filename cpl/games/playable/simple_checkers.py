"""Simple checkers of the recipe as a game to be played (`cpl.games.simple_checkers`, seed 000)."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from cpl.games import simple_checkers as simple
from cpl.games.board import Board
from cpl.games.game import End, Game
from cpl.games.playable import squares

Move = squares.Way
_PLAYERS = {"red": simple.RED, "black": simple.BLACK}


@dataclass(frozen=True)
class Turn:
    """A board, and whose turn it is."""

    rows: list[list[int]]
    side: str

    def _repr_svg_(self) -> str:
        return SimpleCheckers().board(self).svg()


class SimpleCheckers(Game):
    """Men step and block each other; who cannot move has lost. Red begins: the recipe names him first, no more."""

    name = "simple-checkers"
    title = "Simple checkers, after a recipe"
    sides = ("red", "black")

    def start(self) -> Turn:
        """The recipe has no first board: the usual one."""
        return Turn(simple.start_board(), "red")

    def moves(self, state: Turn) -> list[Move]:
        """The two squares of each move, in the order of the recipe."""
        return [_move(state.rows, after) for after in simple.next_board(state.rows, _PLAYERS[state.side])]

    def play(self, state: Turn, move: Move) -> Turn:
        """The board after a move."""
        (row, column), (to_row, to_column) = move
        rows = [[*each] for each in state.rows]
        rows[row][column], rows[to_row][to_column] = 0, rows[row][column]
        return Turn(rows, self.other(state.side))

    def end(self, state: Turn) -> End | None:
        """By a side that cannot move: every move takes a man a row on, so it comes to that."""
        return None if self.moves(state) else self.blocked(state.side)

    def search(self, state: Turn, kind: str, depth: int) -> Move:
        """The first move that wins within so many plies, else the first that does not lose."""
        board = simple.best_board(state.rows, _PLAYERS[state.side], depth, kind)
        return _move(state.rows, board)

    def text(self, state: Turn, move: Move) -> str:
        """c3-d4: columns are a to h, rows 1 to 8 from below."""
        return squares.text_of(move, simple.SIZE)

    def read(self, state: Turn, text: str) -> Move:
        """Whatever stands between the squares."""
        rule = "a man goes one square obliquely forwards"
        return squares.way_of(text, self.moves(state), self.board(state), state.side, lambda _: rule)

    def board(self, state: Turn, move: Any = None) -> Board:
        """All squares are played on, light and dark."""
        pieces = {
            (row, column): {simple.RED: "r", simple.BLACK: "b"}[man]
            for row, men in enumerate(state.rows)
            for column, man in enumerate(men)
            if man
        }
        return Board(pieces, marked=move or (), arrows=[move] if move else [])


def _move(before: list[list[int]], after: list[list[int]]) -> Move:
    """The two squares of the man who has moved."""
    return squares.way([*chain(*before)], [*chain(*after)], 0)
