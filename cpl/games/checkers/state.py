"""A state of checkers as the seeds have it, a board of eight rows, and the same as `programs/checkers.cpl` has it.

All that the game's functions are given passes through here and is checked; what they give back is always new.
"""

import reprlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias, get_args

from cplrt import Logical
from cplrt.checkers import board

from cpl.games.board import DARK, SIZE, Board
from cpl.games.draughts import NUMBERS, Tile
from cpl.kit.positions import Position

Player = Literal["red", "black"]
"""Red stands on rows 0 to 2 and moves down, and first; Black stands on rows 5 to 7 and moves up."""

Action: TypeAlias = list[Tile]
"""All the tiles that a piece goes over in one turn, two or more: where it stood, where it jumped to, where it stays."""

EMPTY, RED_MAN, RED_KING, BLACK_MAN, BLACK_KING = range(5)
"""What a tile holds. (The seed calls 4 a red king, as it does 2: a slip.)"""

PLAYERS: Final = get_args(Player)
_SIGN: Final[dict[Player, int]] = {"red": 1, "black": -1}
_PLAYER: Final[dict[int, Player]] = {1: "red", -1: "black"}
_MAN: Final = {"red": RED_MAN, "black": BLACK_MAN}
_NUMBER: Final = dict(zip(DARK, board, strict=True))
_TILE: Final = dict(zip(board, DARK, strict=True))
_CROWNED: Final = {RED_MAN: SIZE - 1, BLACK_MAN: 0}
"""The row on which a man becomes a king."""
_LETTERS: Final = {RED_MAN: "r", RED_KING: "R", BLACK_MAN: "b", BLACK_KING: "B"}


class State(list[list[int]]):
    """A board, eight rows of eight tiles, and beside it what the 50-move rule asks for.

    A plain list of rows is a state too, of a game in which nothing has been counted yet. `since_capture` and
    `since_advance` are the moves of either player since a piece was taken, and since a man moved: a man can only
    advance. Seed 001 has the board alone, and seed 003 the rule alone, without a place to count; this is one. States
    are compared as boards, whatever they count. Like a board they can be changed, and nothing here changes them.

    Made from another state it is a copy with the same counts, unless others are given. Raises TypeError or ValueError
    if the rows are no board: pieces stand on dark tiles, and no man on the row where he would have been crowned.
    """

    def __init__(
        self, rows: Sequence[Sequence[int]], *, since_capture: int | None = None, since_advance: int | None = None
    ) -> None:
        super().__init__(_checked_rows(rows))
        self.since_capture = _checked_count("since_capture", since_capture, rows)
        self.since_advance = _checked_count("since_advance", since_advance, rows)

    def copy(self) -> "State":
        """A state of its own, with the same counts."""
        return State(self)

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        return f"State({super().__repr__()}, since_capture={self.since_capture}, since_advance={self.since_advance})"

    def _repr_svg_(self) -> str:
        return self.picture().svg()

    def picture(self, last: Action | None = None, *, flipped: bool = False) -> Board:
        """The board to look at, with the official numbers of its tiles and an arrow for the `last` action.

        Raises ValueError for what is no action.
        """
        path = [] if last is None else to_action(to_move(last))
        return Board(
            {(row, column): _LETTERS[self[row][column]] for row, column in DARK if self[row][column]},
            NUMBERS,
            marked=[*path[:1], *path[-1:]],
            arrows=[path] if path else [],
            flipped=flipped,
        )


def _checked_rows(rows: Any) -> list[list[int]]:
    """New rows. Raises TypeError for what is none, ValueError for wrong ones."""
    what = f"a state is a list of {SIZE} rows of {SIZE} tiles"
    for each in (rows, *rows) if isinstance(rows, Sequence) else (rows,):
        if isinstance(each, str | bytes) or not isinstance(each, Sequence):
            raise TypeError(f"{what}; this is {reprlib.repr(each)}")
        if len(each) != SIZE:
            raise ValueError(f"{what}; here are {len(each)}")
    for row, tiles in enumerate(rows):
        for column, piece in enumerate(tiles):
            if isinstance(piece, bool) or not isinstance(piece, int):
                raise TypeError(f"tile ({row}, {column}) holds {reprlib.repr(piece)}: a tile holds a number, 0 to 4")
            if not EMPTY <= piece <= BLACK_KING:
                raise ValueError(f"tile ({row}, {column}) holds {piece}: a tile holds a number, 0 to 4")
            if piece and (row, column) not in _NUMBER:
                raise ValueError(f"a piece stands on ({row}, {column}): checkers is played on the dark tiles")
            if _CROWNED.get(piece) == row:
                raise ValueError(f"a man stands on ({row}, {column}), where he would have been made a king")
    return [[*row] for row in rows]


def _checked_count(name: str, count: Any, rows: Any) -> int:
    """The count that is given, or that of the rows if they are a state."""
    count = getattr(rows, name, 0) if count is None else count
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"{name} is a number of moves; this is {reprlib.repr(count)}")
    if count < 0:
        raise ValueError(f"{name} is a number of moves; this is {count}")
    return count


def checked_player(player: str) -> Player:
    """The player. Raises ValueError for another word."""
    if player not in PLAYERS:
        raise ValueError(f'a player is "red" or "black"; this is {player!r}')
    return player  # type: ignore[return-value]  # one of the two


def other(player: Player) -> Player:
    """The opponent."""
    return "black" if player == "red" else "red"


def to_cpl(state: State, player: Player) -> tuple[Position, int, int]:
    """The state of `programs/checkers.cpl`: ((X, Y, K, σ), c, a), the player to move being `player`."""
    squares: dict[int, list[int]] = {piece: [] for piece in range(EMPTY, BLACK_KING + 1)}
    for (row, column), number in _NUMBER.items():
        squares[state[row][column]].append(number)
    red, black = Logical(squares[RED_MAN] + squares[RED_KING]), Logical(squares[BLACK_MAN] + squares[BLACK_KING])
    kings = Logical(squares[RED_KING] + squares[BLACK_KING])
    own, opposing = (red, black) if player == "red" else (black, red)
    return (own, opposing, kings, _SIGN[player]), state.since_capture, state.since_advance


def from_cpl(value: tuple[Position, int, int]) -> tuple[State, Player]:
    """The same backwards: the state, and whose move it is."""
    (own, opposing, kings, sign), since_capture, since_advance = value
    player = _PLAYER[sign]
    rows = [[EMPTY] * SIZE for _ in range(SIZE)]
    for pieces, owner in ((own, player), (opposing, other(player))):
        for number in pieces:
            row, column = _TILE[number]
            rows[row][column] = _MAN[owner] + (number in kings)
    return State(rows, since_capture=since_capture, since_advance=since_advance), player


def to_move(action: Any) -> list[Logical]:
    """An action as the program has it. Raises ValueError for what is neither a step to an adjacent tile nor jumps."""
    try:
        tiles = [(row, column) for row, column in action]
        move = [Logical([_NUMBER[tile]]) for tile in tiles]
    except (TypeError, ValueError, KeyError):
        tiles, move = [], []
    ways = {(abs(row - last), abs(column - place)) for (last, place), (row, column) in pairwise(tiles)}
    if ways != {(2, 2)} and (ways, len(tiles)) != ({(1, 1)}, 2):
        raise ValueError(
            f"an action is a list of dark tiles (row, column), a step to an adjacent one or jumps over one; "
            f"this is {reprlib.repr(action)}"
        )
    return move


def to_action(move: Sequence[Logical]) -> Action:
    """The same backwards."""
    return [_TILE[number] for square in move for number in square]
