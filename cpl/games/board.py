"""Boards as SVG and as text for the terminal.

Colours and shapes are those of board_style.json, which cpl/study/views/static/board.js and the pages of the site read,
too.

Squares are (row, column), counted from 0 at the upper left. Pieces are `b`, `w` and `r`; a capital is a king, or the
flag of Capture the Flag. Notebooks show boards by themselves.
"""

import json
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, pairwise
from string import ascii_lowercase
from typing import Any, Final

from cplrt.checkers import is_position

from cpl.display import drawn
from cpl.games.position import DARK, NAMES_OF_SQUARES, SIZE, Square, ghosts, pieces, square_names
from cpl.outside import escape, packaged_text

__all__ = ["Board", "Square", "glyph", "is_drawable", "picture", "strachey"]

_LARGEST: Final = len(ascii_lowercase)

_VALUES: Final[dict[str, Any]] = json.loads(packaged_text("cpl/games/board_style.json"))
"""What all drawings of a board have in common. Lengths are in the units of a square; those of an arrow, in squares."""
COLOURS: Final[dict[str, str]] = _VALUES["colours"]
"""The colours of a board. Rims of pieces are dark, and squares are not: everything has a contrast of 4.5 or more to
what it stands on (WCAG 2).
"""
_FRAME, _LIGHT, _INK = COLOURS["frame"], COLOURS["light"], COLOURS["ink"]
_GOLD, _ARROW = COLOURS["gold"], COLOURS["arrow"]
_PIECES: Final[dict[str, dict[str, str]]] = _VALUES["pieces"]
"""Name, fill, rim, and the ring inside. Red's ring is pale, so that it differs from black for the colour-blind."""
_MEN: Final = {"king": "man", "flag": "pawn"}
"""What small letters stand for, by what capitals stand for."""
_UNITS: Final[int] = _VALUES["units"]
"""Pieces are drawn on a square of this many units to a side."""
_DISC: Final[dict[str, float]] = _VALUES["disc"]
_CROWN: Final[dict[str, Any]] = _VALUES["crown"]
_LABEL: Final[dict[str, float]] = _VALUES["label"]
"""The size of a square's label, its distance from the side, and that of its baseline from the top."""
_ARROWS: Final[dict[str, float]] = _VALUES["arrow"]
"""How far an arrow ends before the middle of its square, the length of its head, half the width of that, and the width
of its shaft.
"""
_POLE: Final[str] = _VALUES["flag"]["pole"]
_CLOTH: Final[str] = _VALUES["flag"]["cloth"]
_RIM: Final[int] = _VALUES["rim"]
"""Pixels of a margin with letters and numbers."""
_CORNERS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""Where in a square its label may stand: above or below, left or right. The first is usual."""

_GLYPHS: Final = {"man": "●○", "pawn": "●○", "king": "♛♕", "flag": "⚑⚐"}
"""Filled for black, hollow for others, in colour too: white ink would not stand out from the squares."""
_PAPER: Final = {"light": 230, "dark": 180, "mark": 153}
_PEN: Final = {"": "38;5;237", "b": "1;38;5;16", "w": "1;38;5;16", "r": "1;38;5;88"}
"""Colours of a terminal of 256."""


def glyph(piece: str, kind: str = "man") -> str:
    """Return a piece in Unicode."""
    return _GLYPHS[kind][piece not in "bB"]


def colour_of(piece: str) -> str:
    """Return the colour of a piece in words, which is the name of its side."""
    return _PIECES[piece.lower()]["name"]


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
        for sign in self.pieces.values():
            if sign.lower() not in _PIECES:
                raise ValueError(f"a piece is one of {', '.join(_PIECES)}, or a capital, not {sign!r}")
        side = range(self.size)
        for row, column in (*self.pieces, *self.ghosts, *self._highlighted()):
            if row not in side or column not in side:
                raise ValueError(f"a square is a row and a column from 0 to {side[-1]}, not {(row, column)!r}")

    def __str__(self) -> str:
        lines = []
        for row in self._rows():
            signs = [self.pieces.get(square, self._empty(square, ".")) for square in row]
            lines.append(" ".join(signs))
        if self.caption:
            lines.append(self.caption)
        return "\n".join(lines)

    def text(self, *, unicode: bool = True, colour: bool = False, numbers: bool = False) -> str:
        """Return the board for a terminal, with labels in its squares, or letters and numbers beside them as in chess.

        Brackets are around the squares that are marked or on an arrow. With `numbers`, every square that has a label
        shows it, beside its piece if it has one; a board without labels has letters and numbers there. Without
        `unicode` all is ASCII. Without `colour` there are no escape sequences. Red and white are hollow.
        """
        if numbers and not self.labels:
            labelled = replace(self, labels=square_names(self.size))
            return labelled.text(unicode=unicode, colour=colour, numbers=True)

        widest = max(map(len, self.labels.values()), default=1)
        if numbers:
            margin = 0
        elif self.labels:
            margin = widest
        else:
            margin = len(str(self.size))
        highlighted = {*self._highlighted()}

        lines = []
        for row in self._rows():
            left, right = ("", "") if numbers else self._ends(row)
            cells = [self._cell(square, widest, square in highlighted, unicode, colour, numbers) for square in row]
            lines.append(f"{left:>{margin}} {''.join(cells)} {right}".rstrip())
        if not self.labels:
            letters = [f" {ascii_lowercase[column]} " for _, column in self._rows()[0]]
            lines.append(f"{'':{margin}} {''.join(letters)}".rstrip())
        if self.caption:
            lines.append(_printable(self.caption))
        text = "\n".join(lines)
        return text if unicode else text.encode("ascii", "replace").decode("ascii")

    def _ends(self, row: Sequence[Square]) -> tuple[str, str]:
        """Return what stands left and right of a row: its number, or the first and last label if pieces hide them."""
        if not self.labels:
            return str(self.size - row[0][0]), ""
        labelled = [square for square in row if square in self.labels]
        if not labelled:
            return "", ""
        first, last = (self._label(square) if square in self.pieces else "" for square in (labelled[0], labelled[-1]))
        return first, last

    def _cell(self, square: Square, widest: int, highlighted: bool, unicode: bool, colour: bool, numbers: bool) -> str:
        """Return a square for a terminal; the longest label has `widest` characters."""
        piece, label = self.pieces.get(square, ""), self._label(square)
        if not piece:
            mark = self._empty(square, "", unicode)
        elif unicode:
            mark = glyph(piece, self.kind(piece))
        else:
            mark = piece

        sign = f"{label}{mark}" if numbers else mark or label or self._blank(unicode)
        cell = f"[{sign}]" if highlighted else f"{sign} "
        width = widest + 2
        if numbers:
            width += 1  # for the piece, so that labels stand below each other with and without one
            if not mark:
                cell += " "
        cell = cell.rjust(width)

        if not colour:
            return cell
        paper = _PAPER[_shade(square, highlighted)]
        return f"\x1b[48;5;{paper};{_PEN[piece.lower()]}m{cell}\x1b[0m"

    def svg(self) -> str:
        """Return the board as a picture. The caption stands on the frame, as the page around may be light or dark."""
        margin = _VALUES["margin"] if self.labels else _RIM
        width = self.size * self.cell + 2 * margin
        caption = textwrap.wrap(_printable(self.caption), max(8, width // 7))
        height = width + (4 + 18 * len(caption) if caption else 0)
        parts = self._frame(width, height)

        corners = {}
        for y, row in enumerate(self._rows()):
            for x, square in enumerate(row):
                corners[square] = (margin + x * self.cell, margin + y * self.cell)
        crossed = self._crossed()
        for square, (x, y) in corners.items():
            free = (corner for corner in _CORNERS if (square, corner) not in crossed)
            down, right = next(free, _CORNERS[0])
            parts += self._square(square, x, y, down, right)
        if not self.labels:
            parts += self._rim(width)

        half = self.cell / 2
        for path in self.arrows:
            middles = [complex(*corners[square]) + complex(half, half) for square in path]
            parts += _arrow(middles, self.cell)
        for line, words in enumerate(caption):
            parts.append(_text(width / 2, width + 16 + 18 * line, words, 14))
        return "\n".join([*parts, "</svg>"])

    _repr_svg_ = svg
    _repr_html_ = drawn  # JupyterLab shows a drawing without words for those who cannot see it

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the text, which notebooks show until they are trusted."""
        printer.text(self.text())

    def _frame(self, width: int, height: int) -> list[str]:
        """Begin the picture: its size, its description, and the frame below all else."""
        described = escape(self.described())
        return [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" style="max-width: 100%; height: auto" role="img" '
            f'aria-label="{described}">',
            f"<title>{described}</title>",
            f'<rect width="{width}" height="{height}" rx="3" fill="{_FRAME}"/>',
        ]

    def _rim(self, width: int) -> list[str]:
        """Write the letters of the columns below the board, and the numbers of the rows left of it."""
        half = self.cell / 2
        size = min(11, half)
        rows = self._rows()
        parts = []
        for x, (_, column) in enumerate(rows[0]):
            parts.append(_text(_RIM + x * self.cell + half, width - 5, ascii_lowercase[column], size))
        for y, row in enumerate(rows):
            number = self.size - row[0][0]
            parts.append(_text(9, _RIM + y * self.cell + half + 4, str(number), size))
        return parts

    def _square(self, square: Square, x: int, y: int, down: int, right: int) -> list[str]:
        """Draw a square and what stands on it, with its label in this corner."""
        side, scale = self.cell, self.cell / _UNITS
        is_marked = square in self.marked
        colour = COLOURS[_shade(square, is_marked)]
        parts = [f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}"/>']
        if is_marked:
            inner = side - 2 * scale
            edge = f"M{x + scale:g} {y + scale:g}h{inner:g}v{inner:g}h{-inner:g}z"
            parts.append(f'<path d="{edge}" fill="none" stroke="{_ARROW}" stroke-width="{2 * scale:g}"/>')

        label = self._label(square)
        if label:
            margin, size = _LABEL["side"] * scale, _LABEL["size"] * scale
            baseline = y + (side - 2 * scale if down > 0 else _LABEL["top"] * scale)
            if right > 0:
                parts.append(_text(x + side - margin, baseline, label, size, _INK, "end"))
            else:
                parts.append(_text(x + margin, baseline, label, size, _INK, "start"))
        if square in self.ghosts:
            parts.append(_crown(x, y, scale, "none", ' stroke-dasharray="3 2"'))
        piece = self.pieces.get(square)
        if piece and self.kind(piece) == "flag":
            parts += _flag(piece, x, y, scale)
        elif piece:
            parts += _disc(piece, x, y, scale)
        return parts

    def _crossed(self) -> set[tuple[Square, tuple[int, int]]]:
        """Return the corners of squares, as they are seen, over which arrows go."""
        crossed = set()
        seen = -1 if self.flipped else 1
        for path in self.arrows:
            for (row, column), (to_row, to_column) in pairwise(path):
                rows, columns = to_row - row, to_column - column
                if abs(rows) != abs(columns):
                    continue  # an arrow that is not oblique goes over no corner
                down, right = (rows > 0) - (rows < 0), (columns > 0) - (columns < 0)
                for _ in range(abs(rows)):
                    crossed.add(((row, column), (seen * down, seen * right)))
                    row, column = row + down, column + right
                    crossed.add(((row, column), (-seen * down, -seen * right)))
        return crossed

    def described(self) -> str:
        """Return the board in words, for readers who cannot see it."""
        words = []
        caption = _printable(self.caption).rstrip(".")
        if caption:
            words.append(caption)
        for square, piece in sorted(self.pieces.items()):
            words.append(f"{colour_of(piece)} {self.kind(piece)} on {self._where(square)}")
        if not self.pieces:
            words.append("an empty board")
        for square in sorted(self.ghosts):
            words.append(f"a king's mark without a piece on {self._where(square)}")
        for path in self.arrows:
            if len(path) > 1:
                words.append(f"an arrow from {' to '.join(map(self._where, path))}")
        return "; ".join(words)

    def _rows(self) -> list[list[Square]]:
        """Return the squares as they are seen, from the upper left."""
        order = range(self.size)[::-1] if self.flipped else range(self.size)
        rows = []
        for row in order:
            rows.append([(row, column) for column in order])
        return rows

    def _highlighted(self) -> list[Square]:
        return [*self.marked, *chain.from_iterable(self.arrows)]

    def _empty(self, square: Square, otherwise: str, unicode: bool = False) -> str:
        """Return the sign of a ghost, or what an empty square shows otherwise."""
        if square not in self.ghosts:
            return otherwise
        return "♔" if unicode else "^"

    def _blank(self, unicode: bool) -> str:
        """Return the sign of an empty square without a label: a dot, but on boards whose other squares have labels."""
        if self.labels:
            return " "
        return "·" if unicode else "."

    def kind(self, piece: str) -> str:
        """Return what a letter stands for: a man or a pawn, a king or a flag."""
        return self.capital if piece.isupper() else _MEN[self.capital]

    def _where(self, square: Square) -> str:
        return self._label(square) or square_names(self.size)[square]

    def _label(self, square: Square) -> str:
        return _printable(self.labels.get(square, ""))


def _shade(square: Square, is_marked: bool) -> str:
    """Return the name of a square's colour, in `COLOURS` and in `_PAPER`."""
    if is_marked:
        return "mark"
    return "dark" if sum(square) % 2 == 1 else "light"


def _printable(text: str) -> str:
    """Return a text on one line, without characters that would steer a terminal or that XML forbids."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _text(x: float, y: float, words: str, size: float, fill: str = _LIGHT, anchor: str = "middle") -> str:
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'  # text starts there if nothing is said
    style = f'font-family="sans-serif" font-size="{size:g}"{anchored} fill="{fill}"'
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
        f'<path d="{_CROWN["path"]}" fill="{fill}" stroke="{_INK}" stroke-width="{_CROWN["stroke"]}" '
        f'stroke-linejoin="round"{more} '
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
    points = [point for point, _ in groupby(points)]
    if len(points) < 2:
        return []
    # Points are complex numbers: the arrow's direction, as long as a square, is turned by a right angle with 1j.
    course = points[-1] - points[-2]
    course *= cell / abs(course)
    tip = points[-1] - _ARROWS["gap"] * course
    neck = tip - _ARROWS["head"] * course
    wing = _ARROWS["wing"] * 1j * course
    line = _coordinates([*points[:-1], neck])
    head = _coordinates([tip, neck + wing, neck - wing])
    stroke = (
        f'stroke="{_ARROW}" stroke-width="{_ARROWS["width"] * cell:g}" stroke-linejoin="round" stroke-linecap="round"'
    )
    return [f'<g><polyline points="{line}" fill="none" {stroke}/><polygon points="{head}" fill="{_ARROW}"/></g>']


def _coordinates(points: Sequence[complex]) -> str:
    return " ".join(f"{point.real:.4g},{point.imag:.4g}" for point in points)


# Positions of the program of 1966


def disc_inset() -> str:
    """Return how far a man is from the upper, right, lower and left side of its square, in per cent as CSS has them."""
    left, top, radius = _DISC["x"], _DISC["y"], _DISC["radius"]
    inset = [top - radius, _UNITS - left - radius, _UNITS - top - radius, left - radius]
    return " ".join(f"{100 * length / _UNITS:.3g}%" for length in inset)


def is_drawable(value: object) -> bool:
    """Tell whether `picture` draws this: a position between moves or, with Φ as a fifth member, within one."""
    return isinstance(value, tuple) and len(value) in (4, 5) and is_position(value[:4])


def picture(position: Any, before: Any = None) -> Board:
    """Return the board of a position, labelled with the program's numbers; what is beside the board is left out.

    With the position `before` it, the squares where something changed are marked.
    """
    changed: list[Square] = []
    if before is not None:
        now, earlier = _marks(position), _marks(before)
        changed = [square for square in DARK if earlier.get(square) != now.get(square)]
    mover = "Black" if position[3] == 1 else "White"
    caption = f"{mover} to play."
    if len(position) == 5:
        moving = ", ".join(map(str, position[4])) or "none"
        caption = f"{mover} moves; Φ = {moving}"
    return Board(pieces(position), NAMES_OF_SQUARES["1966"], caption, changed, ghosts=ghosts(position))


def _marks(position: Any) -> dict[Square, str]:
    """Return what stands on the squares of a position, also the marks of kings without a piece."""
    return pieces(position) | dict.fromkeys(ghosts(position), "ghost")


strachey = picture
"""The public name of `picture`."""
