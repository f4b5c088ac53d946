"""A search tree to unfold, as HTML without scripts: a position above, its moves with their values below it.

Boards show the first moves, and behind each of them the best replies; other positions are moves and values only.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from cpl import packaged
from cpl.games.position import is_position
from cpl.kit.search_tree import SearchNode, counted, shown, value_text
from cpl.outside import escape
from cpl.views.game_view import game_view, small
from cpl.views.style import fragment

MOST_NODES: Final = 1_500
"""Positions of a tree that are shown; the deepest of a larger one are left out."""


def as_html(root: SearchNode) -> str:
    """What a notebook shows of a tree: the chosen move is unfolded."""
    depth = _depth(root)
    board = _board(root)
    moves = "".join(f"<li>{_first(root, reply, depth)}</li>\n" for reply in shown(root)[0])
    return fragment(
        "tree",
        packaged.static("search_tree.css"),
        f'<div class="root">\n{board}<div>\n<p class="title">{_answer(root)}</p>\n{_legend(root)}</div>\n</div>\n'
        f"<ul>\n{moves}{_more(root)}</ul>\n",
    )


def _answer(root: SearchNode) -> str:
    mover, _ = _players(root)
    if root.chosen:
        return f"{mover} plays {_move(root.chosen)}, worth {value_text(root.value)}."
    return f"{mover} finds no move that does not lose." if root.replies else f"{mover} has no move."


def _legend(root: SearchNode) -> str:
    if not root.replies:
        return ""
    mover, other = _players(root)
    return f"""\
<p>Each move has its value to the player who makes it: what he has more than the other when the program looks no further
ahead; ∞ is a win. For each move of {mover} the program finds the best reply of {other}. The move is worth minus that
reply. The first of the best moves is played.</p>
<p class="note">{counted(root.count() - 1)} looked at. ★ is the best move of its list.</p>
"""


def _first(root: SearchNode, node: SearchNode, depth: int) -> str:
    """A move of the first level: behind it a row of boards, and all replies."""
    line = [node]
    while line[-1].chosen:
        line.append(line[-1].chosen)
    boards = ""
    if all(is_position(each.position) for each in (root, *line)):
        frames = game_view([root.position, *(each.position for each in line)]).frames[1:]
        figures = "".join(
            f"<figure>{small(frame.board)}<figcaption>{_move(each)} {value_text(each.value)}</figcaption></figure>\n"
            for frame, each in zip(frames, line, strict=True)
        )
        boards = f'<div class="line">\n{figures}</div>\n'
    opened = " open" if node.is_chosen else ""
    return f"<details{opened}><summary>{_named(node)}</summary>\n{boards}{_replies(node, depth - 1)}</details>"


def _replies(node: SearchNode, depth: int) -> str:
    """The moves in a position, with those below them to so many levels."""
    if not node.replies:
        return ""
    if depth < 1:
        return f'<p class="note">… {counted(node.count() - 1)} left out</p>\n'
    items = "".join(
        f"<li><details><summary>{_named(reply)}</summary>\n{_replies(reply, depth - 1)}</details></li>\n"
        if reply.replies
        else f"<li>{_named(reply)}</li>\n"
        for reply in shown(node)[0]
    )
    return f"<p>{_players(node)[0]} can reply:</p>\n<ul>\n{items}{_more(node)}</ul>\n"


def _named(node: SearchNode) -> str:
    """A move and its value, and whether it is the best."""
    mark = '<b class="mark" title="best">★</b>' if node.is_chosen else '<b class="mark"></b>'
    reply = f'<span class="note">reply {_move(node.chosen)}</span>' if node.chosen else ""
    return f"{mark}<span>{_move(node)}</span><span class=value>{value_text(node.value)}</span>{reply}"


def _move(node: SearchNode) -> str:
    return f"<code>{escape(node.move)}</code>"


def _more(node: SearchNode) -> str:
    left = shown(node)[1]
    return f'<li class="note">… {left:,} more</li>\n' if left else ""


def _board(root: SearchNode) -> str:
    if not is_position(root.position):
        return ""
    return f"<figure>{game_view([root.position]).frames[0].board.svg()}</figure>\n"


def _players(node: SearchNode) -> tuple[str, str]:
    """The player to move, and the other."""
    if not is_position(node.position):
        return "The player", "the other player"
    return ("Black", "White") if node.position[3] == 1 else ("White", "Black")


def _depth(root: SearchNode) -> int:
    """The levels that can be shown."""
    return sum(total <= MOST_NODES for total in accumulate(_widths(root)))


def _widths(root: SearchNode) -> Iterator[int]:
    """How many moves are shown of each level."""
    level = [root]
    while level := [reply for node in level for reply in shown(node)[0]]:
        yield len(level)
