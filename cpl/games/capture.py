"""Capture the Flag in Python: `programs/capture.cpl` plays it, on boards as the task has them.

The game is a task that Kurt Eiselt set his students. docs/descriptions.md says what the task leaves open and
what was chosen, and has the strategy in English.

A board is its signs, row by row from the top: `w` and `W` are White's pawns and flag, `b` and `B` Black's, `-` is an
empty square. White goes down. The signs are a string, or a list as in the task. Boards are given back in the form of
the first board of the history, as strings or new lists.

```pycon
>>> from cpl.games.capture import capture
>>> capture(["-wWw--www-------bbb--bBb-"], "w", 2)
'-wW-w-www-------bbb--bBb-'
```
"""

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import Any, Final, TypeVar, cast

from cpl.games.board import Board
from cpl.games.game import SEARCHES, End, Game, Turn, moved, program, whole
from cpl.games.moves import Path, lettered

SIDES: Final = {"w": 1, "b": -1}
_FLAGS: Final = {"W": "White", "B": "Black"}
_RULES: Final = {
    "pawn": "a pawn goes one square forwards or to the side, or jumps over one opposing piece",
    "flag": "a flag goes one square forwards, back or to the side, and never jumps",
}
_PROGRAM: Final = "capture.cpl"

START: Final = "-wWw--www-------bbb--bBb-"
"""The first board that the task shows. In its sample call two signs are missing in the middle."""

_MISPRINTED: Final = "-wWw--www-----bbb--bBb-"

_SIGNS: Final = (*"wWbB-",)
Form = TypeVar("Form", str, list[str])
"""How the caller writes boards."""


def capture(history: Sequence[Form], side: str, depth: int, *, search: str = "alphabeta") -> Form:
    """Return the board after the best move of `side`, who is to move, looking `depth` plies ahead and no further.

    `history` has the boards of the game, the last one first. The task asks for minimax. Alpha-beta finds the same move,
    the first of the best, with less work; `search="minimax"` is the other.

    Raises ValueError if the game is over, as it is for a side that has no legal move, and ValueError or TypeError if
    an argument is invalid.
    """
    boards = _boards(history, side)
    whole(depth, "the depth", 1)
    if not isinstance(search, str) or search not in SEARCHES:
        raise ValueError(f"a search is {' or '.join(sorted(SEARCHES))}, not {search!r}")
    rules = program(_PROGRAM)
    chosen = rules.CaptureBy(getattr(rules, SEARCHES[search]), boards, side, depth)
    if not chosen:
        won, how = _outcome(_state(boards, side))
        raise ValueError(f"the game is over, {won} has won: {how}")
    return cast(Form, _formed(chosen, history[0]))


def legal_moves(history: Sequence[Form], side: str) -> list[Form]:
    """Return the boards that a move of `side`, who is to move, leads to: none if the game is over.

    Captures come first, then steps of pawns, then steps of the flag; in each the way forward first. Raises as `winner`.
    """
    boards = _boards(history, side)
    rules = program(_PROGRAM)
    size = isqrt(len(boards[0]))
    choices = rules.Choices(_state(boards, side))
    return [_formed(rules.SignsOf(board, size), history[0]) for board in choices]


def winner(history: Sequence[Form], side: str) -> str | None:
    """Tell who has won, `"w"` or `"b"`, if `side` is to move; None if the game goes on.

    If both sides have reached a goal, the one that has just moved has won. A flag has passed all opposing
    pawns if the move before, from the second board of the history to the first, was its own.

    Raises ValueError or TypeError if history or side is invalid.
    """
    won, _ = _outcome(_state(_boards(history, side), side))
    return won


def reason(history: Sequence[Form], side: str) -> str | None:
    """Tell how the winner has won, in a few words; None if the game goes on. Raises as `winner`."""
    _, how = _outcome(_state(_boards(history, side), side))
    return how or None


def _outcome(state: Any) -> tuple[str | None, str]:
    """Return who has won, and how; None and an empty text if the game goes on."""
    won, how = program(_PROGRAM).Outcome(state)
    return {1: "w", -1: "b"}.get(won), how


def _state(boards: list[str], side: str) -> Any:
    """Return the state of the game as the program has it."""
    size = isqrt(len(boards[0]))
    return program(_PROGRAM).State([_board(board, size) for board in boards], SIDES[side], size)


@lru_cache(maxsize=10_000)
def _board(signs: str, size: int) -> Any:
    """Return a board as the program has it, cached: histories come again and again, with one board more each time."""
    return program(_PROGRAM).BoardOf(signs, size)


def _formed(signs: str, form: Any) -> Any:
    """Return a board in the form of another one."""
    return signs if isinstance(form, str) else [*signs]


def _boards(history: object, side: object) -> list[str]:
    """Return the boards of a history as strings. Raises TypeError or ValueError if history or side is invalid."""
    if isinstance(history, str) or not isinstance(history, Sequence):
        raise TypeError(f"a history is a list of boards, not {type(history).__name__}")
    if not history:
        raise ValueError("a history has at least one board, the one that is there now")
    boards: list[str] = []
    for number, form in enumerate(history, 1):
        board = _signs(form, f"board {number} of the history")
        boards.append(board)
        if len(board) != len(boards[0]):
            raise ValueError(
                f"the boards of a history are of one size: board {number} has {len(board)} signs, "
                f"board 1 {len(boards[0])}"
            )
    if not isinstance(side, str):
        raise TypeError(f"a side is a string, w or b, not {type(side).__name__}")
    if side not in SIDES:
        raise ValueError(f"a side is w or b, not {side!r}")
    return boards


def _signs(form: object, name: str) -> str:
    """Return a board as a string. Raises TypeError or ValueError, whose message begins with its name, for others."""
    if not isinstance(form, Sequence) or isinstance(form, bytes | bytearray):
        raise TypeError(f"{name} is a string or a list, not {type(form).__name__}")
    if not form or isqrt(len(form)) ** 2 != len(form):
        hint = f"; the task misprints its first board so, it is {START}" if form == _MISPRINTED else ""
        raise ValueError(f"{name} is not square: it has {len(form)} signs{hint}")
    for place, sign in enumerate(form, 1):
        if sign not in _SIGNS:
            raise ValueError(f"sign {place} of {name} is {sign!r:.20}, which is none of w, W, b, B and -")
    board = "".join(form)
    for flag, owner in _FLAGS.items():
        if board.count(flag) > 1:
            raise ValueError(f"{name} has {board.count(flag)} flags of {owner}, not one")
    return board


class Capture(Game):
    """The game of pawns and a flag each, in which no board may come twice. White begins."""

    name = "capture"
    title = "Capture the Flag"
    source = _PROGRAM
    sides = ("white", "black")
    tags = ("White", "Black")
    notation = lettered(isqrt(len(START)))

    def start(self) -> Turn:
        """Return the first state: five pawns each, on a board of five squares to a side."""
        return Turn(self, _state([START], "w"), "white")

    def legal(self, state: Any) -> dict[Path, Any]:
        """The boards that can be next."""
        before = self.picture(state).pieces
        moves: dict[Path, Any] = {}
        for board in self.program.Choices(state):
            after = self.picture((board, *state[1:])).pieces
            moves[moved(before, after)] = board
        return moves

    def end(self, turn: Turn) -> End | None:
        """Return the end, by one of the four ways to win; there is no draw."""
        winner, how = self.program.Outcome(turn.state)
        return End(self.sides[winner != SIDES["w"]], how) if winner else None

    def how_it_moves(self, turn: Turn, path: Path) -> str:
        """Tell how pawns and flags go, unless it is the history that forbids the move."""
        board, _, *rest = turn.state
        if path in self.legal((board, [], *rest)):
            return "that board was there before, and none may come twice"
        piece = turn.pieces[path[0]]
        return _RULES["flag" if piece.isupper() else "pawn"]

    def picture(self, state: Any) -> Board:
        """Return the board, with flags on their poles."""
        board, *_, (width, _, _) = state  # the program leaves out a number after each row
        pieces = {}
        for sign, numbers in zip("wWbB", board, strict=True):
            for number in numbers:
                row, column = divmod(number, width)
                pieces[row, column] = sign
        return Board(pieces, size=width - 1, capital="flag")
