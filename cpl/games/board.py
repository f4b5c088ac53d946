"""The one place where boards are drawn: what stands on one comes in, SVG or text for the terminal goes out.

Squares are (row, column), counted from 0 at the upper left. Pieces are `b`, `w` and `r`, capitals for what is more than
a man: a king, or the flag of Capture the Flag. All the games make such boards; notebooks show them by themselves.
"""

import re
import reprlib
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import hypot
from string import ascii_lowercase
from typing import Any, Final

Square = tuple[int, int]

SIZE: Final = 8
DARK: Final = tuple((row, 2 * column + 1 - row % 2) for row in range(SIZE) for column in range(SIZE // 2))
"""The squares that are played on, in the order of their official numbers: `DARK[0]` is square 1."""

_LARGEST: Final = len(ascii_lowercase)
_FRAME, _LIGHT, _DARK, _MARK = "#6d5232", "#f2e3c6", "#b08a5b", "#d9b44a"
_INK, _GOLD, _ARROW = "#3d2c14", "#f0c94f", "#1f5fa8"
_PIECES: Final = {
    "b": ("#2b2b2b", "#666", "#666"),
    "w": ("#fbfaf5", "#8a8577", "#8a8577"),
    "r": ("#c93a2b", "#7c231a", "#ffd5c8"),
}
"""What fills a piece, its rim, and the ring in it. That of red is pale: who sees no red still tells it from black."""
_COLOURS: Final = {"b": "black", "w": "white", "r": "red"}
_MEN: Final = {"king": "man", "flag": "pawn"}
_UNITS: Final = 44
"""Pieces are measured in parts of a square, so many to a side."""
_CROWN: Final = "M13 17 L17.5 22.5 L22 14 L26.5 22.5 L31 17 L29 31 L15 31 Z"
_POLE: Final = "M9 40 H21 M15 39 V7"
_CLOTH: Final = "M16 8 C22 4 28 13 37 9 V25 C28 29 22 20 16 24 Z"

_FILLED: Final = {"man": "●", "king": "♛", "flag": "⚑"}
_HOLLOW: Final = {"man": "○", "king": "♕", "flag": "⚐"}
_PAPER: Final = {"light": 180, "dark": 137, "marked": 110}
_PEN: Final = {"": "38;5;237", "b": "1;38;5;16", "w": "1;38;5;231", "r": "1;38;5;160"}
"""Colours of the 256 that terminals have."""


def square_name(square: Square, size: int = SIZE) -> str:
    """A square as chess names it: a letter for its column, and its row's number from below. (5, 2) of 8 by 8 is c3."""
    row, column = square
    if not (0 <= row < size <= _LARGEST and 0 <= column < size):
        raise ValueError(f"{square} is no square of a board of {size} by {size}")
    return f"{ascii_lowercase[column]}{size - row}"


def named_square(name: str, size: int = SIZE) -> Square:
    """The same backwards. Raises ValueError for what is no name of a square."""
    found = re.fullmatch("([a-z])([1-9][0-9]?)", name.strip().lower())
    column, row = (ascii_lowercase.index(found[1]), size - int(found[2])) if found else (size, size)
    if not (0 <= row < size and column < size):
        raise ValueError(
            f"{reprlib.repr(name.strip())} is no square: they are a1 to {square_name((0, size - 1), size)}"
        )
    return row, column


@dataclass(frozen=True)
class Board:
    """What stands where, and how it is looked at.

    `labels` are written into the corners of squares; without any, letters and numbers stand on the rim. `marked`
    squares stand out, and each of the `arrows` goes over its squares. `size` is the squares to a side, `cell` the
    pixels of one. A `capital` letter is a "king" or a "flag". A `flipped` board is seen from its upper side.
    """

    pieces: Mapping[Square, str]
    labels: Mapping[Square, str] = field(default_factory=dict)
    caption: str = ""
    marked: Collection[Square] = ()
    size: int = SIZE
    arrows: Sequence[Sequence[Square]] = ()
    flipped: bool = False
    cell: int = _UNITS
    capital: str = "king"

    def __post_init__(self) -> None:
        if not 1 <= self.size <= _LARGEST:
            raise ValueError(f"a board has 1 to {_LARGEST} squares to a side, not {self.size}")
        if self.cell < 1:
            raise ValueError(f"a square has 1 pixel or more to a side, not {self.cell}")
        if self.capital not in _MEN:
            raise ValueError(f"a capital letter is one of {', '.join(_MEN)}, not {self.capital!r}")
        for sign in self.pieces.values():
            if sign.lower() not in _PIECES:
                raise ValueError(f"a piece is one of {', '.join(_PIECES)}, or a capital, not {sign!r}")
        for square in (*self.pieces, *self.marked, *(each for path in self.arrows for each in path)):
            if not all(0 <= number < self.size for number in square):
                raise ValueError(f"a square is a row and a column from 0 to {self.size - 1}, not {square!r}")

    def __str__(self) -> str:
        rows = [" ".join(self.pieces.get(square, ".") for square in row) for row in self._rows()]
        return "\n".join([*rows, self.caption] if self.caption else rows)

    def text(self, *, unicode: bool = True, colour: bool = False) -> str:
        """The board for a terminal, its squares with labels, or with letters and numbers beside them as in chess.

        Brackets are around the squares that are marked or on an arrow. Without `unicode` all is ASCII. Without `colour`
        there are no escape sequences, and red is drawn hollow, as white is.
        """
        wide = max(map(len, self.labels.values()), default=1)
        seen = {*self.marked, *(square for path in self.arrows for square in path)}
        rows = self._rows()
        sides = [self._side(row) for row in rows]
        margin = wide if self.labels else len(str(self.size))
        lines = []
        for row, (left, right) in zip(rows, sides, strict=True):
            cells = "".join(self._on_paper(square, wide, square in seen, unicode, colour) for square in row)
            lines.append(f"{left:>{margin}} {cells} {right}".rstrip())
        if not self.labels:
            letters = "".join(f" {ascii_lowercase[column]} " for _, column in rows[0])
            lines.append(f"{'':{margin}} {letters}".rstrip())
        if self.caption:
            lines.append(_printable(self.caption))
        text = "\n".join(lines)
        return text if unicode else text.encode("ascii", "replace").decode("ascii")

    def _side(self, row: Sequence[Square]) -> tuple[str, str]:
        """What stands left and right of a row: its number, or the first and last label if pieces hide them."""
        if not self.labels:
            return str(self.size - row[0][0]), ""
        labelled = [square for square in row if square in self.labels]
        ends = (labelled[0], labelled[-1]) if labelled else (row[0], row[-1])
        left, right = (self._label(square) if square in self.pieces else "" for square in ends)
        return left, right

    def _on_paper(self, square: Square, wide: int, seen: bool, unicode: bool, colour: bool) -> str:
        piece = self.pieces.get(square)
        shown = self._label(square) or (" " if self.labels else "·" if unicode else ".")
        if piece:
            signs = _FILLED if colour or piece in "bB" else _HOLLOW
            shown = signs[self._kind(piece)] if unicode else piece
        cell = (f"[{shown}]" if seen else f"{shown} ").rjust(wide + 2)
        if not colour:
            return cell
        paper = _PAPER["marked" if seen else "dark" if _is_dark(square) else "light"]
        return f"\x1b[48;5;{paper};{_PEN[piece.lower() if piece else '']}m{cell}\x1b[0m"

    def svg(self) -> str:
        """The board as a picture, its caption on the frame: what is round the picture may be light or dark."""
        margin = 4 if self.labels else 18
        width = self.size * self.cell + 2 * margin
        caption = textwrap.wrap(_printable(self.caption), max(8, width // 7))
        height = width + (4 + 18 * len(caption) if caption else 0)
        said = escape(self.described())
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" style="max-width: 100%; height: auto" role="img" aria-label="{said}">',
            f"<title>{said}</title>",
            f'<rect width="{width}" height="{height}" rx="3" fill="{_FRAME}"/>',
        ]
        corners = {
            square: (margin + x * self.cell, margin + y * self.cell)
            for y, row in enumerate(self._rows())
            for x, square in enumerate(row)
        }
        for square, (x, y) in corners.items():
            parts += self._square(square, x, y)
        if not self.labels:
            parts += self._rim(width, margin)
        for path in self.arrows:
            half = self.cell / 2
            parts += _arrow([(corners[square][0] + half, corners[square][1] + half) for square in path], self.cell)
        for line, words in enumerate(caption):
            style = f'font-family="sans-serif" font-size="14" text-anchor="middle" fill="{_LIGHT}"'
            parts.append(f'<text x="{width / 2:g}" y="{width + 16 + 18 * line}" {style}>{escape(words)}</text>')
        return "\n".join([*parts, "</svg>"])

    _repr_svg_ = svg

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """For a notebook that shows no pictures, as none does that is not trusted yet."""
        printer.text(self.text())

    def _square(self, square: Square, x: int, y: int) -> list[str]:
        colour = _MARK if square in self.marked else _DARK if _is_dark(square) else _LIGHT
        scale = self.cell / _UNITS
        parts = [f'<rect x="{x}" y="{y}" width="{self.cell}" height="{self.cell}" fill="{colour}"/>']
        if label := self._label(square):
            style = f'font-family="sans-serif" font-size="{10 * scale:g}" fill="{_INK}"'
            parts.append(f'<text x="{x + 2 * scale:g}" y="{y + 10 * scale:g}" {style}>{escape(label)}</text>')
        if piece := self.pieces.get(square):
            parts += (_flag if self._kind(piece) == "flag" else _disc)(piece, x, y, scale)
        return parts

    def _rim(self, width: int, margin: int) -> list[str]:
        """Letters below the columns and numbers left of the rows."""
        style = f'font-family="sans-serif" font-size="{min(11, self.cell / 2):g}" text-anchor="middle" fill="{_LIGHT}"'
        rows = self._rows()
        middles = [margin + (place + 0.5) * self.cell for place in range(self.size)]
        letters = [
            (middle, width - 5, ascii_lowercase[column]) for middle, (_, column) in zip(middles, rows[0], strict=True)
        ]
        numbers = [(9, middle + 4, str(self.size - row[0][0])) for middle, row in zip(middles, rows, strict=True)]
        return [f'<text x="{x:g}" y="{y:g}" {style}>{sign}</text>' for x, y, sign in (*letters, *numbers)]

    def _rows(self) -> list[list[Square]]:
        """The squares as they are seen, from the upper left."""
        order = range(self.size)[::-1] if self.flipped else range(self.size)
        return [[(row, column) for column in order] for row in order]

    def _kind(self, piece: str) -> str:
        return self.capital if piece.isupper() else "man"

    def described(self) -> str:
        """The board in words, for those who cannot see it."""
        placed = [f"{self._name(piece)} on {self._where(square)}" for square, piece in sorted(self.pieces.items())]
        arrows = [f"an arrow from {' to '.join(map(self._where, path))}" for path in self.arrows if len(path) > 1]
        caption = _printable(self.caption).rstrip(".")
        return "; ".join([*([caption] if caption else []), *(placed or ["an empty board"]), *arrows])

    def _name(self, piece: str) -> str:
        return f"{_COLOURS[piece.lower()]} {self.capital if piece.isupper() else _MEN[self.capital]}"

    def _where(self, square: Square) -> str:
        return self._label(square) or square_name(square, self.size)

    def _label(self, square: Square) -> str:
        return _printable(self.labels.get(square, ""))


def _is_dark(square: Square) -> bool:
    return sum(square) % 2 == 1


def _printable(text: str) -> str:
    """A text in one line, without signs that would steer a terminal or that XML forbids."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _disc(piece: str, x: int, y: int, scale: float) -> list[str]:
    """A man, or a king with a crown."""
    fill, rim, ring = _PIECES[piece.lower()]
    middle = f'cx="{x + 22 * scale:g}" cy="{y + 24 * scale:g}"'
    disc = f'<circle {middle} r="{16 * scale:g}" fill="{fill}" stroke="{rim}" stroke-width="{1.5 * scale:g}"/>'
    if piece.isupper():
        style = f'fill="{_GOLD}" stroke="{_INK}" stroke-linejoin="round"'
        return [disc, f'<path d="{_CROWN}" {style} transform="translate({x} {y}) scale({scale:g})"/>']
    return [disc, f'<circle {middle} r="{11 * scale:g}" fill="none" stroke="{ring}" stroke-width="{scale:g}"/>']


def _flag(piece: str, x: int, y: int, scale: float) -> list[str]:
    """A flag on a pole."""
    fill, rim, _ = _PIECES[piece.lower()]
    return [
        f'<g transform="translate({x} {y}) scale({scale:g})">'
        f'<path d="{_POLE}" fill="none" stroke="{_INK}" stroke-width="3" stroke-linecap="round"/>'
        f'<path d="{_CLOTH}" fill="{fill}" stroke="{rim}" stroke-width="1.5"/></g>'
    ]


def _arrow(points: Sequence[tuple[float, float]], cell: int) -> list[str]:
    """An arrow over points, with a head that ends at the rim of a piece in the middle of the last square."""
    points = [point for place, point in enumerate(points) if not place or point != points[place - 1]]
    if len(points) < 2:
        return []
    (x, y), (end_x, end_y) = points[-2:]
    length = hypot(end_x - x, end_y - y)
    dx, dy = (end_x - x) / length, (end_y - y) / length
    tip_x, tip_y = end_x - 0.3 * cell * dx, end_y - 0.3 * cell * dy
    neck_x, neck_y = tip_x - 0.3 * cell * dx, tip_y - 0.3 * cell * dy
    side_x, side_y = -0.17 * cell * dy, 0.17 * cell * dx
    line = " ".join(f"{x:.4g},{y:.4g}" for x, y in [*points[:-1], (neck_x, neck_y)])
    corners = [(tip_x, tip_y), (neck_x + side_x, neck_y + side_y), (neck_x - side_x, neck_y - side_y)]
    head = " ".join(f"{x:.4g},{y:.4g}" for x, y in corners)
    stroke = f'stroke="{_ARROW}" stroke-width="{0.11 * cell:g}" stroke-linejoin="round" stroke-linecap="round"'
    return [
        '<g opacity="0.85">'
        f'<polyline points="{line}" fill="none" {stroke}/>'
        f'<polygon points="{head}" fill="{_ARROW}"/></g>'
    ]


def strachey(position: Any, before: Any = None) -> Board:
    """A position of the 1966 program: (X, Y, K, σ), the moving player's pieces first.

    With the position `before` it, the squares between which something changed are marked. Squares bear the program's
    own numbers, 5 to 12, 14 to 21, 23 to 30 and 32 to 39.
    """
    from cplrt.checkers import board

    places = dict(zip(board, DARK, strict=True))
    pieces = {places[number]: piece for number, piece in _pieces(position).items()}
    earlier = {} if before is None else _pieces(before)
    now = _pieces(position)
    changed = [places[number] for number in places if before is not None and earlier.get(number) != now.get(number)]
    labels = {square: str(number) for number, square in places.items()}
    return Board(pieces, labels, f"{'Black' if position[3] == 1 else 'White'} to play.", changed)


def _pieces(position: Any) -> dict[int, str]:
    """What stands on which square, by the program's numbers."""
    from cplrt.checkers import board

    x, y, kings, colour = position[:4]
    black, white = (x, y) if colour == 1 else (y, x)
    pieces: dict[int, str] = {}
    for number in board:
        for bits, man in ((black, "b"), (white, "w")):
            if number in bits:
                pieces[number] = man.upper() if number in kings else man
    return pieces
