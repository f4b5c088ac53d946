"""Boards as SVG and as text for the terminal.

Colours and shapes are those of board.json, which cpl/study/views/static/board.js and the pages of the site read, too.

Squares are (row, column), counted from 0 at the upper left. Pieces are `b`, `w` and `r`; a capital is a king, or the
flag of Capture the Flag. Notebooks show boards by themselves.
"""

import json
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from string import ascii_lowercase
from typing import Any, Final

from cplrt.checkers import is_position

from cpl.display import drawn
from cpl.games.position import DARK, SIZE, SQUARES, Square, ghosts, pieces, square_names
from cpl.outside import escape, packaged_text

__all__ = ["Board", "Square", "glyph", "is_drawable", "picture", "strachey"]

_LARGEST: Final = len(ascii_lowercase)

_VALUES: Final[dict[str, Any]] = json.loads(packaged_text("cpl/games/board.json"))
"""What all drawings of a board have in common. Lengths are in the units of a square; those of an arrow, in squares."""
COLOURS: Final[dict[str, str]] = _VALUES["colours"]
"""The colours of a board. Rims of pieces are dark, and squares are not: everything has a contrast of 4.5 or more to
what it stands on (WCAG 2).
"""
_FRAME, _LIGHT, _DARK = COLOURS["frame"], COLOURS["light"], COLOURS["dark"]
_MARK, _INK, _GOLD, _ARROW = COLOURS["mark"], COLOURS["ink"], COLOURS["gold"], COLOURS["arrow"]
_PIECES: Final[dict[str, dict[str, str]]] = _VALUES["pieces"]
"""Name, fill, rim, and the ring inside. Red's ring is pale, so that it differs from black for the colour-blind."""
_MEN: Final = {"king": "man", "flag": "pawn"}
"""What small letters stand for, by what capitals stand for."""
_UNITS: Final[int] = _VALUES["units"]
"""Pieces are drawn on a square of this many units to a side."""
_DISC: Final[dict[str, float]] = _VALUES["disc"]
_CROWN: Final[str] = _VALUES["crown"]
_ARROWS: Final[dict[str, float]] = _VALUES["arrow"]
"""How far an arrow ends before the middle of its square, the length of its head, half the width of that, and the width
of its shaft.
"""
_POLE: Final = "M9 40 H21 M15 39 V7"
_CORNERS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""Where in a square its label may stand: above or below, left or right. The first is usual."""
_CLOTH: Final = "M16 8 C22 4 28 13 37 9 V25 C28 29 22 20 16 24 Z"

_GLYPHS: Final = {"man": "●○", "pawn": "●○", "king": "♛♕", "flag": "⚑⚐"}
"""Filled for black, hollow for others, in colour too: white ink would not stand out from the squares."""
_PAPER: Final = {"light": 230, "dark": 180, "marked": 153}
_PEN: Final = {"": "38;5;237", "b": "1;38;5;16", "w": "1;38;5;16", "r": "1;38;5;88"}
"""Colours of a terminal of 256."""


def glyph(piece: str, kind: str = "man") -> str:
    """Return a piece in Unicode."""
    return _GLYPHS[kind][piece not in "bB"]


@dataclass(frozen=True)
class Board:
    """A board to look at: what stands where, and how it is shown.

    `labels` are written into the corners of squares; without any, letters and numbers stand on the rim. `marked`
    squares stand out, and each of the `arrows` goes over its squares. `size` is the squares to a side, `cell` the
    pixels of one. A `capital` letter is a "king" or a "flag". A `flipped` board is turned by half a turn. `ghosts` are
    empty squares with a king's mark, which programs at fault leave behind: a dashed crown.

    Raises ValueError for squares off the board, unknown pieces, or an impossible size.
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
    ghosts: Collection[Square] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.size <= _LARGEST:
            raise ValueError(f"a board has 1 to {_LARGEST} squares to a side, not {self.size}")
        if self.capital not in _MEN:
            raise ValueError(f"a capital letter is one of {', '.join(_MEN)}, not {self.capital!r}")
        if unknown := [sign for sign in self.pieces.values() if sign.lower() not in _PIECES]:
            raise ValueError(f"a piece is one of {', '.join(_PIECES)}, or a capital, not {unknown[0]!r}")
        squares, side = (*self.pieces, *self.ghosts, *self._highlighted()), range(self.size)
        if beside := [(row, column) for row, column in squares if row not in side or column not in side]:
            raise ValueError(f"a square is a row and a column from 0 to {self.size - 1}, not {beside[0]!r}")

    def __str__(self) -> str:
        rows = [" ".join(self.pieces.get(square, self._empty(square, ".")) for square in row) for row in self._rows()]
        return "\n".join([*rows, *filter(None, [self.caption])])

    def text(self, *, unicode: bool = True, colour: bool = False, numbers: bool = False) -> str:
        """Return the board for a terminal, with labels in its squares, or letters and numbers beside them as in chess.

        Brackets are around the squares that are marked or on an arrow. With `numbers`, every square that has a label
        shows it, beside its piece if it has one; a board without labels has letters and numbers there. Without
        `unicode` all is ASCII. Without `colour` there are no escape sequences. Red and white are hollow.
        """
        if numbers and not self.labels:
            self = replace(self, labels=square_names(self.size))
        wide = max(map(len, self.labels.values()), default=1)
        margin = 0 if numbers else wide if self.labels else len(str(self.size))
        highlighted = {*self._highlighted()}
        lines = []
        for row in self._rows():
            left, right = ("", "") if numbers else self._ends(row)
            cells = "".join(self._cell(square, wide, square in highlighted, unicode, colour, numbers) for square in row)
            lines.append(f"{left:>{margin}} {cells} {right}".rstrip())
        if not self.labels:
            letters = "".join(f" {ascii_lowercase[column]} " for _, column in self._rows()[0])
            lines.append(f"{'':{margin}} {letters}".rstrip())
        if self.caption:
            lines.append(_printable(self.caption))
        text = "\n".join(lines)
        return text if unicode else text.encode("ascii", "replace").decode("ascii")

    def _ends(self, row: Sequence[Square]) -> tuple[str, str]:
        """Return what stands left and right of a row: its number, or the first and last label if pieces hide them."""
        if not self.labels:
            return str(self.size - row[0][0]), ""
        ends = [self._label(square) if square in self.pieces else "" for square in row if square in self.labels] or [""]
        return ends[0], ends[-1]

    def _cell(self, square: Square, wide: int, highlighted: bool, unicode: bool, colour: bool, numbers: bool) -> str:
        piece, label = self.pieces.get(square, ""), self._label(square)
        mark = self._empty(square, "", unicode)
        if piece:
            mark = glyph(piece, self.kind(piece)) if unicode else piece
        sign = f"{label}{mark}" if numbers else mark or label or (" " if self.labels else "·" if unicode else ".")
        cell = (f"[{sign}]" if highlighted else f"{sign} ") + " " * (numbers and not mark)
        cell = cell.rjust(wide + 2 + numbers)
        paper = _PAPER["marked" if highlighted else "dark" if _is_dark(square) else "light"]
        return f"\x1b[48;5;{paper};{_PEN[piece.lower()]}m{cell}\x1b[0m" if colour else cell

    def svg(self) -> str:
        """Return the board as a picture. The caption stands on the frame, as the page around may be light or dark."""
        margin = _VALUES["margin"] if self.labels else 18
        width = self.size * self.cell + 2 * margin
        caption = textwrap.wrap(_printable(self.caption), max(8, width // 7))
        height = width + (4 + 18 * len(caption) if caption else 0)
        described = escape(self.described())
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" style="max-width: 100%; height: auto" role="img" '
            f'aria-label="{described}">',
            f"<title>{described}</title>",
            f'<rect width="{width}" height="{height}" rx="3" fill="{_FRAME}"/>',
        ]
        corners = {
            square: (margin + x * self.cell, margin + y * self.cell)
            for y, row in enumerate(self._rows())
            for x, square in enumerate(row)
        }
        crossed = self._crossed()
        for square, (x, y) in corners.items():
            corner = next((corner for corner in _CORNERS if (square, corner) not in crossed), _CORNERS[0])
            parts += self._square(square, x, y, *corner)
        half = self.cell / 2
        size = min(11, half)
        places = [] if self.labels else [(x, y, *square) for square, (x, y) in corners.items()]
        parts += [
            _text(x + half, width - 5, ascii_lowercase[column], size) for x, y, _, column in places if y == margin
        ]
        parts += [_text(9, y + half + 4, str(self.size - row), size) for x, y, row, _ in places if x == margin]
        for path in self.arrows:
            parts += _arrow([complex(*corners[square]) + complex(half, half) for square in path], self.cell)
        parts += [_text(width / 2, width + 16 + 18 * line, words, 14) for line, words in enumerate(caption)]
        return "\n".join([*parts, "</svg>"])

    _repr_svg_ = svg
    _repr_html_ = drawn  # JupyterLab shows a drawing without words for those who cannot see it

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the text, which notebooks show until they are trusted."""
        printer.text(self.text())

    def _square(self, square: Square, x: int, y: int, down: int, right: int) -> list[str]:
        """Draw a square and what stands on it, with its label in this corner."""
        is_marked, scale, side = square in self.marked, self.cell / _UNITS, self.cell
        colour = _MARK if is_marked else _DARK if _is_dark(square) else _LIGHT
        parts = [f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}"/>']
        if is_marked:
            edge = f"M{x + scale:g} {y + scale:g}h{side - 2 * scale:g}v{side - 2 * scale:g}h{2 * scale - side:g}z"
            parts.append(f'<path d="{edge}" fill="none" stroke="{_ARROW}" stroke-width="{2 * scale:g}"/>')
        if label := self._label(square):
            left, anchor = (x + side - 1.5 * scale, ' text-anchor="end"') if right > 0 else (x + 1.5 * scale, "")
            parts.append(
                _text(left, y + (side - 2 * scale if down > 0 else 10.5 * scale), label, 12 * scale, _INK, anchor)
            )
        if square in self.ghosts:
            parts.append(_crown(x, y, scale, "none", ' stroke-width="1.5" stroke-dasharray="3 2"'))
        if piece := self.pieces.get(square):
            parts += (_flag if self.kind(piece) == "flag" else _disc)(piece, x, y, scale)
        return parts

    def _crossed(self) -> set[tuple[Square, tuple[int, int]]]:
        """Return the corners of squares, as they are seen, over which arrows go."""
        crossed = set()
        seen = -1 if self.flipped else 1
        for start, end in (step for path in self.arrows for step in pairwise(path)):
            rows, columns = end[0] - start[0], end[1] - start[1]
            if abs(rows) == abs(columns):
                down, right = (rows > 0) - (rows < 0), (columns > 0) - (columns < 0)
                for number in range(abs(rows)):
                    row, column = start[0] + number * down, start[1] + number * right
                    crossed.add(((row, column), (seen * down, seen * right)))
                    crossed.add(((row + down, column + right), (-seen * down, -seen * right)))
        return crossed

    def described(self) -> str:
        """Return the board in words, for readers who cannot see it."""
        placed = [
            f"{_PIECES[piece.lower()]['name']} {self.kind(piece)} on {self._where(square)}"
            for square, piece in sorted(self.pieces.items())
        ]
        arrows = [f"an arrow from {' to '.join(map(self._where, path))}" for path in self.arrows if len(path) > 1]
        caption = _printable(self.caption).rstrip(".")
        ghosts = [f"a king's mark without a piece on {self._where(square)}" for square in sorted(self.ghosts)]
        return "; ".join([*([caption] if caption else []), *(placed or ["an empty board"]), *ghosts, *arrows])

    def _rows(self) -> list[list[Square]]:
        """Return the squares as they are seen, from the upper left."""
        order = range(self.size)[::-1] if self.flipped else range(self.size)
        return [[(row, column) for column in order] for row in order]

    def _highlighted(self) -> list[Square]:
        return [*self.marked, *(square for path in self.arrows for square in path)]

    def _empty(self, square: Square, otherwise: str, unicode: bool = False) -> str:
        """Return the sign of a ghost, or what an empty square shows otherwise."""
        return ("♔" if unicode else "^") if square in self.ghosts else otherwise

    def kind(self, piece: str) -> str:
        """Return what a letter stands for: a man or a pawn, a king or a flag."""
        return self.capital if piece.isupper() else _MEN[self.capital]

    def _where(self, square: Square) -> str:
        return self._label(square) or square_names(self.size)[square]

    def _label(self, square: Square) -> str:
        return _printable(self.labels.get(square, ""))


def _is_dark(square: Square) -> bool:
    return sum(square) % 2 == 1


def _printable(text: str) -> str:
    """Return a text on one line, without characters that would steer a terminal or that XML forbids."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _text(
    x: float, y: float, words: str, size: float, fill: str = _LIGHT, anchor: str = ' text-anchor="middle"'
) -> str:
    style = f'font-family="sans-serif" font-size="{size:g}"{anchor} fill="{fill}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'


def _disc(piece: str, x: int, y: int, scale: float) -> list[str]:
    """Draw a man, or a king with a crown."""
    colours = _PIECES[piece.lower()]
    middle = f'cx="{x + _DISC["x"] * scale:g}" cy="{y + _DISC["y"] * scale:g}"'  # below the label
    fill = f'fill="{colours["fill"]}" stroke="{colours["rim"]}" stroke-width="{1.5 * scale:g}"'
    disc = f'<circle {middle} r="{_DISC["radius"] * scale:g}" {fill}/>'
    if piece.isupper():
        return [disc, _crown(x, y, scale, _GOLD)]
    ring = f'fill="none" stroke="{colours["ring"]}" stroke-width="{scale:g}"'
    return [disc, f'<circle {middle} r="{_DISC["ring"] * scale:g}" {ring}/>']


def _crown(x: int, y: int, scale: float, fill: str, more: str = "") -> str:
    return (
        f'<path d="{_CROWN}" fill="{fill}" stroke="{_INK}" stroke-linejoin="round"{more} '
        f'transform="translate({x} {y}) scale({scale:g})"/>'
    )


def _flag(piece: str, x: int, y: int, scale: float) -> list[str]:
    colours = _PIECES[piece.lower()]
    return [
        f'<g transform="translate({x} {y}) scale({scale:g})">'
        f'<path d="{_POLE}" fill="none" stroke="{_INK}" stroke-width="3" stroke-linecap="round"/>'
        f'<path d="{_CLOTH}" fill="{colours["fill"]}" stroke="{colours["rim"]}" stroke-width="1.5"/></g>'
    ]


def _arrow(points: Sequence[complex], cell: int) -> list[str]:
    """Draw an arrow over points, with a head that ends at the rim of a piece in the middle of the last square."""
    points = [point for place, point in enumerate(points) if not place or point != points[place - 1]]
    if len(points) < 2:
        return []
    course = points[-1] - points[-2]
    course *= cell / abs(course)
    tip = points[-1] - _ARROWS["gap"] * course
    neck, side = tip - _ARROWS["head"] * course, _ARROWS["wing"] * 1j * course
    line, head = (
        " ".join(f"{point.real:.4g},{point.imag:.4g}" for point in corners)
        for corners in ([*points[:-1], neck], [tip, neck + side, neck - side])
    )
    stroke = (
        f'stroke="{_ARROW}" stroke-width="{_ARROWS["width"] * cell:g}" stroke-linejoin="round" stroke-linecap="round"'
    )
    return [f'<g><polyline points="{line}" fill="none" {stroke}/><polygon points="{head}" fill="{_ARROW}"/></g>']


# Positions of the program of 1966


def is_drawable(value: object) -> bool:
    """Tell whether `picture` draws this: a position between moves or, with Φ as a fifth member, within one."""
    return isinstance(value, tuple) and len(value) in (4, 5) and is_position(value[:4])


def picture(position: Any, before: Any = None) -> Board:
    """Return the board of a position, labelled with the program's numbers; what is beside the board is left out.

    With the position `before` it, the squares where something changed are marked.
    """
    now, earlier = (
        pieces(shown) | dict.fromkeys(ghosts(shown), "ghost")
        for shown in (position, position if before is None else before)
    )
    changed = [square for square in DARK if earlier.get(square) != now.get(square)]
    labels = {square: str(number) for number, square in SQUARES.items()}
    mover, caption = "Black" if position[3] == 1 else "White", "to play."
    if len(position) == 5:
        caption = f"moves; Φ = {', '.join(map(str, position[4])) or 'none'}"
    return Board(pieces(position), labels, f"{mover} {caption}", changed, ghosts=ghosts(position))


strachey = picture
"""The public name of `picture`."""
