"""Moves as draughts players write them, squares 1 to 32: `11-15`, `15x22x31`; which one is meant, or why none can be.

Both games of draughts here read moves with this, each with its own rules: they say what the ways of a position are.
"""

import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from cpl.games.board import DARK, Board
from cpl.games.game import BadMove

MOVE: Final = r"[0-9]+(?:\s*[-xX:]\s*[0-9]+)+"
"""A regular expression for moves as they are found in files: there are blanks, and x for moves that capture nothing."""

Tile: TypeAlias = tuple[int, int]
"""(row, column), from (0, 0) in the upper left corner."""

Path: TypeAlias = tuple[Tile, ...]
"""All the tiles that a piece goes over in one turn, two or more."""

NUMBERS: Final = {tile: str(number) for number, tile in enumerate(DARK, 1)}
"""The tiles with the numbers that draughts players give them."""
_TILES: Final = {digits: tile for tile, digits in NUMBERS.items()}


def text_of(path: Sequence[Tile]) -> str:
    """A path with every square that it touches."""
    return ("x" if _captures(path) else "-").join(NUMBERS[tile] for tile in path)


def path_of(text: str) -> Path:
    """The squares of a text. Raises BadMove if it is not written as a move is."""
    if not re.fullmatch(MOVE, text.strip()):
        raise BadMove(f"{reprlib.repr(text)} is no move: it is written like 11-15 or 15x22x31")
    return tuple(map(_tile, re.findall("[0-9]+", text)))


def way_of(text: str, ways: Collection[Path], board: Callable[[], Board], side: str, down: bool) -> Path:
    """The one of the ways of a side that a text means. Raises BadMove, which says why it can mean none.

    It means the way whose whole path it is: `15x22x31`. Else it may leave out squares between the first and the last,
    `15x31`, if just one way remains. `-`, `x`, `X` and `:` are all the same, as they are in files.

    The `board` is made only to say why; its pieces have the first letter of their side. `side` is to move, and its men
    go `down` the board or up.
    """
    path = path_of(text)
    meant = [path] if path in ways else [way for way in ways if _shortens(path, way)]
    match meant:
        case [way]:
            return way
        case []:
            raise BadMove(f"{reprlib.repr(text)} cannot be played: {_reason(path, ways, board().pieces, side, down)}")
        case _:
            raise BadMove(f"{reprlib.repr(text)} can be {_listed(meant)}: say which, with the squares between")


def _tile(digits: str) -> Tile:
    """The tile of a square; files have noughts before its number."""
    tile = _TILES.get(digits.lstrip("0"))
    if tile is None:
        raise BadMove(f"{reprlib.repr(digits)} is no square: they are 1 to 32")
    return tile


def _captures(path: Sequence[Tile]) -> bool:
    return abs(path[1][0] - path[0][0]) == 2


def _listed(ways: Iterable[Path]) -> str:
    return " or ".join(map(text_of, sorted(ways)))


def _shortens(path: Path, way: Path) -> bool:
    """Whether a path is a way without some of the tiles between its ends."""
    between = iter(way[1:-1])
    return (path[0], path[-1]) == (way[0], way[-1]) and all(tile in between for tile in path[1:-1])


def _reason(path: Path, ways: Collection[Path], pieces: Mapping[Tile, str], side: str, down: bool) -> str:
    """Why a path is none of these ways, in plain words: the first thing that a teacher would say."""
    begin, end = path[0], path[-1]
    piece, start = pieces.get(begin), NUMBERS[begin]
    here = [way for way in ways if way[0] == begin]
    if piece is None:
        return f"there is no piece on {start}"
    if piece.lower() != side[0]:
        return f"the piece on {start} is not {side}'s, whose move it is"
    if not ways:
        return f"{side} has no move left"
    if further := [way for way in here if way[: len(path)] == path]:
        return f"the capture goes on, {_listed(further)}"
    if any(map(_captures, ways)) and not (here and _captures(path)):
        return f"a capture must be made, {_listed(ways)}"
    if end in pieces and end != begin:
        return f"there is a piece on {NUMBERS[end]}"
    if piece.islower() and (path[1][0] - begin[0]) * (1 if down else -1) < 0:
        return f"the piece on {start} is a man, who goes forwards only"
    return f"the piece on {start} can go {_listed(here)}" if here else f"the piece on {start} cannot move"
