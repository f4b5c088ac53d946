"""States and actions as draughts players write them: squares 1 to 32, FEN, moves as 11-15 and 15x22x31.

Red is the Black of English draughts, who moves first, and down from squares 1 to 12; Black is its White, who begins on
21 to 32. `cpl.games.checkers.pdn` reads and writes games with this.
"""

import re
import reprlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

from cpl.games.board import DARK
from cpl.games.checkers.rules import actions
from cpl.games.checkers.state import (
    BLACK_MAN,
    RED_MAN,
    Action,
    Player,
    State,
    Tile,
    checked_player,
    from_cpl,
    to_action,
    to_cpl,
    to_move,
)
from cpl.kit import notation

MOVE: Final = r"[0-9]+(?:\s*[-xX:]\s*[0-9]+)+"
"""A regular expression for moves as they are found in files: there are blanks, and x for moves that capture nothing."""

Path = tuple[Tile, ...]

_TILES: Final = {str(number): tile for number, tile in enumerate(DARK, 1)}
_NUMBERS: Final = {tile: number for number, tile in _TILES.items()}
_PIECES: Final = {"red": range(RED_MAN, BLACK_MAN), "black": range(BLACK_MAN, BLACK_MAN + 2)}
_FORWARDS: Final[dict[Player, int]] = {"red": 1, "black": -1}


class BadAction(ValueError):
    """A text that is no move, or none that can be made, in one plain line."""


def to_fen(state: Any, player: str) -> str:
    """Whose move it is, and the pieces: `B:W21,K30:B1,K2`. The counts of the 50-move rule are not in it.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    position, _, _ = to_cpl(State(state), checked_player(player))
    return notation.to_fen(position)


def from_fen(text: str) -> tuple[State, Player]:
    """The state of a FEN, in which nothing is counted yet, and whose move it is. Raises BadFen, a ValueError.

    One side may have no pieces. What else is read says `cpl.kit.notation.from_fen`.
    """
    return from_cpl((notation.from_fen(text), 0, 0))


def action_text(action: Any) -> str:
    """An action with every square that it touches: `11-15`, `15x22x31`. Raises ValueError for what is none."""
    tiles = to_action(to_move(action))
    return ("x" if _captures(tiles) else "-").join(str(_NUMBERS[tile]) for tile in tiles)


def read_action(state: Any, player: str, text: str) -> Action:
    """The one of `actions(state, player)` that a text means. Raises BadAction, which says why it can mean none.

    It means the action whose whole path it is: `15x22x31`. Else it may leave out squares between the first and the
    last, `15x31`, if just one action remains. `-`, `x`, `X` and `:` are all the same, as they are in files.
    """
    if not re.fullmatch(MOVE, text.strip()):
        raise BadAction(f"{reprlib.repr(text)} is no move: it is written like 11-15 or 15x22x31")
    path = tuple(map(_tile, re.findall("[0-9]+", text)))
    ways = {tuple(action): action for action in actions(state, player)}
    meant = [path] if path in ways else [way for way in ways if _shortens(path, way)]
    match meant:
        case [way]:
            return ways[way]
        case []:
            reason = _reason(state, checked_player(player), path, [*ways])
            raise BadAction(f"{reprlib.repr(text)} cannot be played: {reason}")
        case _:
            raise BadAction(f"{reprlib.repr(text)} can be {_listed(meant)}: say which, with the squares between")


def _tile(digits: str) -> Tile:
    """The tile of a square; files have noughts before its number."""
    tile = _TILES.get(digits.lstrip("0"))
    if tile is None:
        raise BadAction(f"{reprlib.repr(digits)} is no square: they are 1 to 32")
    return tile


def _captures(path: Sequence[Tile]) -> bool:
    return abs(path[1][0] - path[0][0]) == 2


def _listed(ways: Iterable[Path]) -> str:
    return " or ".join(map(action_text, sorted(ways)))


def _shortens(path: Path, way: Path) -> bool:
    """Whether a path is a way without some of the tiles between its ends."""
    between = iter(way[1:-1])
    return (path[0], path[-1]) == (way[0], way[-1]) and all(tile in between for tile in path[1:-1])


def _reason(state: Any, player: Player, path: Path, ways: list[Path]) -> str:
    """Why a path is none of these ways, in plain words: the first thing that a teacher would say."""
    (row, column), end = path[0], path[-1]
    piece, start = state[row][column], _NUMBERS[row, column]
    here = [way for way in ways if way[0] == path[0]]
    if not piece:
        return f"there is no piece on {start}"
    if piece not in _PIECES[player]:
        return f"the piece on {start} is not {player}'s, whose move it is"
    if not ways:
        return f"{player} has no move left"
    if further := [way for way in here if way[: len(path)] == path]:
        return f"the capture goes on, {_listed(further)}"
    if _captures(ways[0]) and not (here and _captures(path)):
        return f"a capture must be made, {_listed(ways)}"
    if state[end[0]][end[1]] and end != path[0]:
        return f"there is a piece on {_NUMBERS[end]}"
    if piece in (RED_MAN, BLACK_MAN) and (path[1][0] - row) * _FORWARDS[player] < 0:
        return f"the piece on {start} is a man, who goes forwards only"
    return f"the piece on {start} can go {_listed(here)}" if here else f"the piece on {start} cannot move"
