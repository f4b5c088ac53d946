"""A search tree as a drawing: a column for each ply, and lines from each position to the replies.

All replies are drawn behind the positions on the best line of play. Behind another move only the best line is drawn,
and a number says how many replies are left out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from cpl.outside import escape

_ROW: Final = 26
"""The height of a row, in pixels."""
_CHARACTER: Final = 8.1
"""The width of a character of a label."""
_GAP: Final = 46
"""The width between two columns, for the lines."""
_TOP: Final = 30
"""The height of the headings."""
_BEST: Final = ' class="best"'
_SPACE: Final = "\xa0"
"""A space that stays one beside others."""
_TALLEST: Final = 60
"""A larger tree is not drawn: it would be a poster."""


class Node(Protocol):
    """What a drawing needs to know of a node of a search tree."""

    @property
    def move(self) -> str:
        """The move that leads to the position."""

    @property
    def is_chosen(self) -> bool:
        """Whether it is the best reply."""

    @property
    def replies(self) -> Sequence["Node"]:
        """The positions that follow."""


@dataclass(frozen=True)
class _Placed:
    """A node in its place: its ply, from 0 for the first moves, and its row, which may be between two."""

    node: Node
    label: str
    ply: int
    row: float
    children: Sequence["_Placed"]
    is_best: bool
    """Whether it is on the best line of play."""


def drawing(root: Node, label: Callable[[Any], str], players: tuple[str, str]) -> str:
    """Return the tree behind a position as SVG. `label` gives the words for a node; `players` are the side to move and
    the other. The result is empty if nothing follows the position, or if there is too much to draw.
    """
    placed, rows = _children(root, label, ply=0, first_row=0, is_best=True)
    if not placed or rows > _TALLEST:
        return ""

    drawn = [*_all(placed)]
    plies = 1 + max(each.ply for each in drawn)
    headings = [f"{players[ply % 2]} {'replies' if ply else 'can play'}" for ply in range(plies)]
    widest = [*map(len, headings)]
    for each in drawn:
        widest[each.ply] = max(widest[each.ply], len(each.label) + len(_left_out(each)))
    lefts = [float(_GAP)]
    for characters in widest:
        lefts.append(lefts[-1] + characters * _CHARACTER + _GAP)

    parts = []
    for heading, left in zip(headings, lefts, strict=False):
        parts.append(f'<text class="ply" x="{left:g}" y="16">{heading}</text>\n')
    root_row = (placed[0].row + placed[-1].row) / 2
    parts.append(f'<circle cx="6" cy="{_middle(root_row):g}" r="4"/>\n')
    lines = [*_lines(6, _middle(root_row), placed, lefts[0])]
    for each in drawn:
        words = each.label + _left_out(each)
        begin = lefts[each.ply] + len(words) * _CHARACTER + 6
        lines += _lines(begin, _middle(each.row), each.children, lefts[each.ply + 1])
    parts += sorted(lines, key=lambda line: _BEST in line)  # the best line lies above the others
    parts += [_words(each, lefts) for each in drawn]

    width, height = lefts[-1] - _GAP + 8, _TOP + rows * _ROW
    best = " ".join(each.node.move for each in drawn if each.is_best)
    described = f"The tree of replies; the best line of play is {best}." if best else "The tree of replies."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{escape(described)}">\n{"".join(parts)}</svg>'
    )


def _children(
    node: Node, label: Callable[[Any], str], ply: int, first_row: float, is_best: bool
) -> tuple[list[_Placed], float]:
    """Place what is drawn behind a node, from a row on; return also how many rows it takes."""
    replies = node.replies if is_best else [reply for reply in node.replies if reply.is_chosen]
    placed = []
    row = first_row
    for reply in replies:
        is_next = is_best and reply.is_chosen
        behind, rows = _children(reply, label, ply + 1, row, is_next)
        middle = (behind[0].row + behind[-1].row) / 2 if behind else row
        placed.append(_Placed(reply, label(reply), ply, middle, behind, is_next))
        row += max(rows, 1)
    return placed, row - first_row


def _all(placed: Sequence[_Placed]) -> Iterator[_Placed]:
    for each in placed:
        yield each
        yield from _all(each.children)


def _left_out(placed: _Placed) -> str:
    """What says how many replies are not drawn, if there are some."""
    count = len(placed.node.replies) - len(placed.children)
    return f"  +{count}" if count else ""


def _middle(row: float) -> float:
    """The height at which the middle of a row is."""
    return _TOP + _ROW * (row + 0.5)


def _lines(begin: float, height: float, children: Sequence[_Placed], column: float) -> Iterator[str]:
    """Draw the lines from a node, whose words end at `begin`, to its children in their column; that of the best line of
    play is thick.
    """
    end = column - 6
    bend = end - _GAP / 2
    for child in children:
        there = _middle(child.row)
        style = _BEST if child.is_best else ""
        yield (
            f'<path{style} d="M{begin:.1f} {height:g} H{bend - 6:.1f} C{bend + 4:.1f} {height:g} {bend:.1f} {there:g} '
            f'{end:.1f} {there:g}"/>\n'
        )


def _words(placed: _Placed, lefts: Sequence[float]) -> str:
    """Write the words of a node, and how many replies are not drawn."""
    style = _BEST if placed.is_best else ""
    left_out = _left_out(placed).replace(" ", _SPACE)
    note = f'<tspan class="more">{left_out}</tspan>' if left_out else ""
    label = escape(placed.label).replace(" ", _SPACE)
    return f'<text{style} x="{lefts[placed.ply]:g}" y="{_middle(placed.row) + 4.5:g}">{label}{note}</text>\n'
