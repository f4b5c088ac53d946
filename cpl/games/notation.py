"""States of the seeds' checkers as draughts players write them: squares 1 to 32, FEN, moves as 11-15 and 15x22x31.

A state is a list of eight rows of eight numbers: 0 an empty square, 1 a red man, 2 a red king, 3 a black man, 4 a
black king. Red is the Black of English draughts: he moves first, down from squares 1 to 12. Black is its White, who
begins on 21 to 32. The rules come from the caller, as the actions that there are. `cpl.games.pdn` makes use of this.
"""

import re
import reprlib
from collections.abc import Iterable, Sequence
from typing import Final, Literal, cast

from cplrt import Logical
from cplrt.checkers import board

from cpl.kit import notation
from cpl.kit.notation import BadFen

State = list[list[int]]
Tile = tuple[int, int]
Action = list[Tile]
Player = Literal["red", "black"]

MOVE: Final = r"[0-9]+(?:\s*[-xX:]\s*[0-9]+)+"
"""A regular expression for moves as they are found in files: there are blanks, and x for moves that capture nothing."""

_SIZE: Final = 8
_TILES: Final = [(index // 4, index % 4 * 2 + 1 - index // 4 % 2) for index in range(len(board))]
_SQUARES: Final = dict(zip(_TILES, board, strict=True))
_NUMBERS: Final = {tile: number for number, tile in enumerate(_TILES, 1)}
_NAMES: Final = {str(number): number for number in _NUMBERS.values()}
_MEN: Final = {"red": 1, "black": 3}
_MOVERS: Final[dict[Player, int]] = {"red": 1, "black": -1}
_OWNERS: Final = {1: "red", 2: "red", 3: "black", 4: "black"}
_KINGS: Final = {2, 4}

Path = tuple[int, ...]


class BadAction(ValueError):
    """A text that is no move, or none that can be made, in one plain line; or a list of tiles that is no action."""


def other(player: Player) -> Player:
    """The player's opponent."""
    return "black" if player == "red" else "red"


def to_fen(state: State, player: Player) -> str:
    """Whose move it is, and the pieces: `B:W21,K30:B1,K2`. Raises BadFen for pieces that FEN cannot tell of."""
    sides: dict[str, list[int]] = {"red": [], "black": []}
    kings = []
    for tile, piece in _placed(state):
        if tile not in _SQUARES or piece not in _OWNERS:
            raise BadFen(f"{piece!r} on {tile} cannot be written: it is 1 to 4, on a square where row + column is odd")
        sides[_OWNERS[piece]].append(_SQUARES[tile])
        if piece in _KINGS:
            kings.append(_SQUARES[tile])
    own, others = sides[player], sides[other(player)]
    return notation.to_fen((Logical(own), Logical(others), Logical(kings), _MOVERS[player]))


def from_fen(text: str) -> tuple[State, Player]:
    """The state of a FEN, and whose move it is. Raises BadFen; what is read is said of `cpl.kit.notation.from_fen`."""
    own, others, kings, mover = notation.from_fen(text)
    player: Player = "red" if mover == 1 else "black"
    state = [[0] * _SIZE for _ in range(_SIZE)]
    for (row, column), square in _SQUARES.items():
        if square in own or square in others:
            owner = player if square in own else other(player)
            state[row][column] = _MEN[owner] + (square in kings)
    return state, player


def action_text(action: Sequence[Sequence[int]]) -> str:
    """An action with every square that it touches: `11-15`, `15x22x31`. Raises BadAction for what is none."""
    path = _path(action)
    if len(path) < 2:
        raise BadAction(f"{reprlib.repr(action)} is no action: it has a tile to go from and one or more to go to")
    return _written(path)


def read_action(state: State, player: Player, text: str, legal: Iterable[Action]) -> Action:
    """The action of these legal ones that a text means. Raises BadAction, which says why it can mean none.

    It means the action whose whole path it is: `15x22x31`. Else it may leave out squares between the first and the
    last, `15x31`, if just one action remains. `-`, `x`, `X` and `:` are all the same, as they are in files.
    """
    if not re.fullmatch(MOVE, text.strip()):
        raise BadAction(f"{reprlib.repr(text)} is no move: it is written like 11-15 or 15x22x31")
    path = tuple(_square(digits) for digits in re.findall("[0-9]+", text))
    ways = {_path(action): action for action in legal}
    meant = [path] if path in ways else [way for way in ways if _shortens(path, way)]
    match meant:
        case [way]:
            return ways[way]
        case []:
            raise BadAction(f"{reprlib.repr(text)} cannot be played: {_reason(state, player, path, [*ways])}")
        case _:
            raise BadAction(f"{reprlib.repr(text)} can be {_listed(meant)}: say which, with the squares between")


def _placed(state: State) -> Iterable[tuple[Tile, int]]:
    return (((row, column), piece) for row, line in enumerate(state) for column, piece in enumerate(line) if piece)


def _square(digits: str) -> int:
    """The number of a square, from text; files have noughts before it."""
    number = _NAMES.get(digits.lstrip("0"))
    if number is None:
        raise BadAction(f"{reprlib.repr(digits)} is no square: they are 1 to 32")
    return number


def _path(action: Iterable[Sequence[int]]) -> Path:
    """The numbers of an action's squares."""
    tiles = [cast(Tile, tuple(tile)) for tile in action]
    for tile in tiles:
        if tile not in _NUMBERS:
            raise BadAction(f"{reprlib.repr(tile)} is no tile of an action: row + column is odd, and both are 0 to 7")
    return tuple(_NUMBERS[tile] for tile in tiles)


def _rows(path: Path) -> int:
    """How many rows on, or for less than 0 back, the second square is."""
    return _TILES[path[1] - 1][0] - _TILES[path[0] - 1][0]


def _captures(path: Path) -> bool:
    return abs(_rows(path)) == 2


def _written(path: Path) -> str:
    return ("x" if _captures(path) else "-").join(map(str, path))


def _listed(ways: Iterable[Path]) -> str:
    return " or ".join(map(_written, sorted(ways)))


def _shortens(path: Path, way: Path) -> bool:
    """Whether a path is a way without some of the squares between its ends."""
    between = iter(way[1:-1])
    return (path[0], path[-1]) == (way[0], way[-1]) and all(square in between for square in path[1:-1])


def _reason(state: State, player: Player, path: Path, ways: list[Path]) -> str:
    """Why a path is none of these ways, in plain words: the first thing that a teacher would say."""
    start, end = path[0], path[-1]
    pieces = {_NUMBERS[tile]: piece for tile, piece in _placed(state) if tile in _NUMBERS}
    if start not in pieces:
        return f"there is no piece on {start}"
    if _OWNERS.get(pieces[start]) != player:
        return f"the piece on {start} is not {player}'s, whose move it is"
    if not ways:
        return f"{player} has no move left"
    if further := [way for way in ways if way[: len(path)] == path]:
        return f"the capture goes on, {_listed(further)}"
    here = [way for way in ways if way[0] == start]
    if _captures(ways[0]) and not (here and _captures(path)):
        return f"a capture must be made, {_listed(ways)}"
    if end in pieces and end != start:
        return f"there is a piece on {end}"
    if pieces[start] not in _KINGS and _rows(path) * _MOVERS[player] < 0:
        return f"the piece on {start} is a man, who goes forwards only"
    return f"the piece on {start} can go {_listed(here)}" if here else f"the piece on {start} cannot move"
