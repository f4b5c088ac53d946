"""Simple checkers in Python: `programs/simple-checkers.cpl` plays it, on boards as lists of rows.

The program follows a recipe of two parts, `next_board` and `simple_checkers`. Where it is silent, or cannot mean what
it says, the docstrings say what was chosen. docs/descriptions.md has the reasons, and shows where the recipe and
minimax, `solve`, differ.
"""

from collections.abc import Sequence
from typing import Final

from cpl.games.board import Board as Picture
from cpl.games.game import Game, Turn, grid, moved, program, whole
from cpl.games.moves import Path, lettered
from cpl.games.position import SIZE, Square

RED: Final = -1
BLACK: Final = 1
_PROGRAM: Final = "simple-checkers.cpl"
_SIGNS: Final = {"r": RED, "b": BLACK, ".": 0}
_LETTERS: Final = {number: sign for sign, number in _SIGNS.items()}

Board = Sequence[Sequence[int]]
"""Eight rows of eight squares, each -1 (a red man), 1 (a black one) or 0. Functions give lists, and take tuples too."""


def next_board(board: Board, player: int) -> list[list[list[int]]]:
    """The boards that one move of `player` (-1, red, or 1, black) leads to, in the order of the recipe.

    That is row by row, column by column, to column + 1 before column - 1. Red men go to row - 1, black ones to row + 1.
    The boards are new lists, and `board` stays as it is.

    The recipe does not say what stands off the board. No man can move there; in Python a row or column of -1 would
    be the last one, and the man would come out at the other side. So men who have reached the last row stay there: the
    recipe has no kings. Nor has it captures: a man in the way is in the way.

    Raises ValueError or TypeError if board or player is invalid.
    """
    return [_copy(after) for after in program(_PROGRAM).NextBoards(_board(board), _player(player))]


def simple_checkers(board: Board, player: int, moves_ahead: int) -> int:
    """Tell who wins according to the recipe, with `player` to move: -1 red, 1 black, 0 nobody in so many moves.

    Who is to move and cannot has lost. Otherwise the boards are tried in the order of `next_board`, and the first
    result that is not 0 is the result. Nobody chooses: it may be a loss that the player can avoid, or a win that his
    opponent need not allow. With `solve` both choose; where this says 0, so does `solve`.

    Steps 5 and 6 of the recipe call `moves_ahead(…)`, which is a number; its recursive cases say `simple_checkers`, and
    that is done. It speaks of a blocked player "given 0 moves ahead", but its steps 3 and 4 ask for no number, and that
    is done too.

    Raises ValueError or TypeError if an argument is invalid.
    """
    return int(program(_PROGRAM).SimpleCheckers(_board(board), _player(player), whole(moves_ahead, "moves_ahead", 0)))


def solve(board: Board, player: int, moves_ahead: int) -> int:
    """Tell who can win in so many moves, whatever the other does: -1 red, 1 black, 0 neither.

    This is not in the recipe. It is minimax for the same game: to the player whose move it is a win is better than
    nothing, and that than a loss. It takes and raises the same as `simple_checkers`.
    """
    return int(program(_PROGRAM).Solve(_board(board), _player(player), whole(moves_ahead, "moves_ahead", 0)))


def start_board() -> list[list[int]]:
    """Return the usual first board, as the recipe has none: twelve men each, on dark squares (row + column odd)."""
    return _copy(program(_PROGRAM).StartBoard)


def board_of(picture: str) -> list[list[int]]:
    """The board of a text of eight lines of eight signs, `r`, `b` and `.`; blanks between them do not matter.

    Raises ValueError for other texts.
    """
    rows = ["".join(line.split()) for line in picture.strip().splitlines()]
    is_square = len(rows) == SIZE and all(len(row) == SIZE for row in rows)
    if not is_square or not set("".join(rows)) <= _SIGNS.keys():
        raise ValueError("a picture of a board is 8 lines of 8 signs, each r, b or .")
    board = []
    for row in rows:
        board.append([_SIGNS[sign] for sign in row])
    return board


def picture_of(board: Board) -> str:
    """A board as the text that `board_of` reads. Raises ValueError or TypeError for an invalid board."""
    lines = []
    for row in _board(board):
        lines.append(" ".join(_LETTERS[man] for man in row))
    return "\n".join(lines)


def _copy(board: Board) -> list[list[int]]:
    return [[*row] for row in board]


def _board(board: Board) -> list[list[int]]:
    """A checked copy of a board."""
    return grid(board, "board", "square", frozenset((RED, 0, BLACK)), "-1, 0 or 1")


def _player(player: int) -> int:
    if whole(player, "a player") not in (RED, BLACK):
        raise ValueError(f"a player is -1 (red) or 1 (black), not {player}")
    return player


class SimpleCheckers(Game):
    """The game of men who step and block each other. Who cannot move has lost. Red begins."""

    name = "simple-checkers"
    title = "Simple checkers, after a recipe"
    source = _PROGRAM
    sides = ("red", "black")
    notation = lettered(SIZE)

    def start(self) -> Turn:
        """The recipe has no first board: the usual one."""
        return Turn(self, (self.program.StartBoard, RED), "red")

    def legal(self, state: tuple[Board, int]) -> dict[Path, Board]:
        """Return the moves in the order of the recipe."""
        before = _pieces(state[0])
        return {moved(before, _pieces(after)): after for after in self.program.Moves(state)}

    def how_it_moves(self, turn: Turn, path: Path) -> str:
        """Tell the only rule of moves."""
        return "a man goes one square obliquely forwards"

    def picture(self, state: tuple[Board, int]) -> Picture:
        """Return the board, on whose light squares men stand, too."""
        return Picture(_pieces(state[0]))


def _pieces(board: Board) -> dict[Square, str]:
    """Return the pieces of a board as pictures have them, by their squares."""
    pieces = {}
    for row, men in enumerate(board):
        for column, man in enumerate(men):
            if man:
                pieces[row, column] = _LETTERS[man]
    return pieces
