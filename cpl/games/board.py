"""A board of 8 × 8 as a picture: SVG that notebooks show by themselves, and a text of the same.

Squares are (row, column), counted from 0 at the upper left. Pieces are `b`, `w` and `r` for men, capitals for kings.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

Square = tuple[int, int]

SIZE: Final = 8
DARK: Final = tuple((row, 2 * column + 1 - row % 2) for row in range(SIZE) for column in range(SIZE // 2))
"""The squares that are played on, in the order of their official numbers: `DARK[0]` is square 1."""

_CELL: Final = 44
_MARGIN: Final = 4
_LIGHT, _DARK, _MARK = "#f2e3c6", "#b08a5b", "#d9b44a"
_PIECES: Final = {"b": ("#2b2b2b", "#666"), "w": ("#fbfaf5", "#8a8577"), "r": ("#b5382c", "#7c231a")}
_COLOURS: Final = {"b": "black", "w": "white", "r": "red"}


@dataclass(frozen=True)
class Board:
    """What stands where; `labels` are written into the corners of squares, `marked` squares stand out."""

    pieces: Mapping[Square, str]
    labels: Mapping[Square, str] = field(default_factory=dict)
    caption: str = ""
    marked: Collection[Square] = ()

    def __str__(self) -> str:
        rows = [" ".join(self.pieces.get((row, column), ".") for column in range(SIZE)) for row in range(SIZE)]
        return "\n".join([*rows, self.caption] if self.caption else rows)

    def _repr_svg_(self) -> str:
        width = SIZE * _CELL + 2 * _MARGIN
        height = width + (22 if self.caption else 0)
        said = escape(self.described())
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label="{said}">',
            f"<title>{said}</title>",
            f'<rect width="{width}" height="{width}" rx="3" fill="#6d5232"/>',
        ]
        for row in range(SIZE):
            for column in range(SIZE):
                parts += self._square((row, column))
        if self.caption:
            style = 'font-family="sans-serif" font-size="14" text-anchor="middle" fill="currentColor"'
            parts.append(f'<text x="{width / 2:g}" y="{width + 16}" {style}>{escape(self.caption)}</text>')
        return "\n".join([*parts, "</svg>"])

    def _square(self, square: Square) -> list[str]:
        row, column = square
        x, y = _MARGIN + column * _CELL, _MARGIN + row * _CELL
        dark = (row + column) % 2 == 1
        colour = _MARK if square in self.marked else _DARK if dark else _LIGHT
        parts = [f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{colour}"/>']
        if label := self.labels.get(square):
            style = 'font-family="sans-serif" font-size="10" fill="#3d2c14"'
            parts.append(f'<text x="{x + 3}" y="{y + 11}" {style}>{escape(label)}</text>')
        if piece := self.pieces.get(square):
            fill, rim = _PIECES[piece.lower()]
            middle = f'cx="{x + _CELL / 2:g}" cy="{y + _CELL / 2 + 2:g}"'
            parts.append(f'<circle {middle} r="16" fill="{fill}" stroke="{rim}" stroke-width="1.5"/>')
            if piece.isupper():  # a second piece on top
                parts.append(f'<circle {middle} r="9" fill="none" stroke="#d9b44a" stroke-width="4"/>')
            else:
                parts.append(f'<circle {middle} r="11" fill="none" stroke="{rim}" stroke-width="1"/>')
        return parts

    def described(self) -> str:
        """The board in words, for those who cannot see it."""
        placed = [
            f"{_name(piece)} on {self.labels.get(square) or square}" for square, piece in sorted(self.pieces.items())
        ]
        return "; ".join([*([self.caption.rstrip(".")] if self.caption else []), *(placed or ["an empty board"])])


def _name(piece: str) -> str:
    return f"{_COLOURS[piece.lower()]} {'king' if piece.isupper() else 'man'}"


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
