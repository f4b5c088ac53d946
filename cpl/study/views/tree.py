"""The search tree of the program of 1966: a position in, the moves that it looked at and the values it compared out.

It is what a run did, not a search of our own: the calls of `ChosenPosition`, `BestPosition` and `PositionValue` are
recorded. Any program of checkers that has these three functions will do. A notebook shows a tree to unfold, without
scripts: boards show the first moves, and behind each of them the best replies; other positions are moves and values
only.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from types import ModuleType
from typing import Any, Final

from cplrt import show
from cplrt.checkers import is_position

from cpl import outside
from cpl.compiler import pipeline
from cpl.compiler.diagnostics import Invalid
from cpl.compiler.wording import form
from cpl.games.moves import named
from cpl.games.position import from_fen, to_fen
from cpl.limits import MOST_CALLS, SEARCH_SECONDS
from cpl.outside import escape
from cpl.study.run.record import Call, record_call
from cpl.study.views.boards import game_view, small
from cpl.study.views.page_style import fragment
from cpl.study.views.tree_drawing import drawing

PROGRAM: Final = "strachey.cpl"

MOST_NODES: Final = 1_500
"""Positions of a tree that are shown in a notebook; the deepest of a larger one are left out."""

_CHOICE, _BEST, _VALUE, _LIMIT = "ChosenPosition", "BestPosition", "PositionValue", "DepthLimit"


@dataclass(frozen=True, repr=False)
class SearchNode:
    """A position of the tree: the move that leads to it, its value as `BestPosition` compares it, and the replies.

    The value is to the side that made the move, −PositionValue(p, d + 1); at the root, which has no move, it is that
    of the best. `is_chosen` are the moves that `BestPosition` gave back; there is none if every move loses.
    """

    position: Any
    move: str
    value: float
    is_chosen: bool
    replies: Sequence["SearchNode"]

    @property
    def chosen(self) -> "SearchNode | None":
        """The reply that `BestPosition` gave back."""
        return next((reply for reply in self.replies if reply.is_chosen), None)

    def count(self) -> int:
        """Count all positions of the tree, with this one."""
        return 1 + sum(reply.count() for reply in self.replies)

    def __repr__(self) -> str:
        move = self.chosen.move if self.chosen else "no move"
        return "\n".join([f"{_CHOICE}: {move}, {_value(self)}", *_lines(self, "")])

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as data for JSON: positions as FEN, infinite values as "∞" and "−∞"."""
        return {
            "move": self.move,
            "position": to_fen(self.position),
            "value": self.value if abs(self.value) < inf else _value(self),
            "chosen": self.is_chosen,
            "replies": [reply.to_dict() for reply in self.replies],
        }

    def _repr_html_(self) -> str:
        return as_html(self)


def search_tree(position: Any = None, program: str | ModuleType = PROGRAM, depth: int | None = None) -> SearchNode:
    """Return what `ChosenPosition(position)` looked at: the moves in its order, each with the value that was compared.

    The position may be a FEN, and is StartPosition if there is none. `program` is a loaded module, or what `cpl.load`
    loads. `depth` is its DepthLimit for this search, and 2 in Strachey's program: its own move, and 2 plies after it.

    Raises ValueError if the program has no such functions, the position is not one, or the run fails or takes more than
    a minute; else as `cpl.load`.
    """
    module = program if isinstance(program, ModuleType) else pipeline.load(program)
    for name in (_CHOICE, _BEST, _VALUE):
        if not callable(getattr(module, name, None)):
            raise Invalid(f"{module.__name__} has no function {name}: it does not search as Strachey's program does")

    if isinstance(position, str):
        position = from_fen(position)
    elif position is None:
        position = getattr(module, "StartPosition", None)
    if not is_position(position):
        raise Invalid(f"a position is (X,Y,K,σ), with bit strings of squares, not {position!r:.80}")

    with _depth_limit(module, depth):
        run = record_call(
            module, _CHOICE, [position], most=MOST_CALLS, seconds=SEARCH_SECONDS, only=(_CHOICE, _BEST, _VALUE)
        )
    if run.fault:
        raise Invalid(f"{_CHOICE} failed: {run.fault}")
    return _node(run, "", is_chosen=False)


@contextmanager
def _depth_limit(module: ModuleType, depth: int | None) -> Iterator[None]:
    """Give a program another DepthLimit for some time, unless `depth` is None."""
    if depth is None:
        yield
        return
    names = vars(module)
    if _LIMIT not in names:
        raise Invalid(f"{module.__name__} has no {_LIMIT}: leave the depth out")
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise Invalid(f"a depth is a whole number from 0, not {depth!r:.80}")

    own_limit = names[_LIMIT]
    names[_LIMIT] = depth
    try:
        yield
    finally:
        names[_LIMIT] = own_limit


def _node(call: Call, move: str, *, is_chosen: bool) -> SearchNode:
    """Return the node of a call of ChosenPosition or PositionValue."""
    position = call.arguments[0]
    best, best_value = None, -inf
    for nested in call.inner:
        if nested.function == _BEST:
            best, best_value = nested.result
            break

    compared = [*_compared(call)]
    moves = named(position, [nested.arguments[0] for nested in compared])
    replies: list[SearchNode] = []
    has_chosen = False
    for nested, (after, reply) in zip(compared, moves, strict=True):
        is_best = after == best and not has_chosen  # a list may have one position twice
        has_chosen = has_chosen or is_best
        replies.append(_node(nested, reply, is_chosen=is_best))

    value = -call.result if call.function == _VALUE else best_value
    return SearchNode(position, move, value, is_chosen, tuple(replies))


def _compared(call: Call) -> Iterator[Call]:
    """Yield the calls of PositionValue for the positions that follow: BestPosition makes them, and calls itself."""
    for nested in call.inner:
        if nested.function == _VALUE:
            yield nested
        else:
            yield from _compared(nested)


def _value(node: SearchNode) -> str:
    return show(node.value).replace("-", "−")


def _counted(positions: int) -> str:
    return f"{positions:,} {form(positions, 'position')}"


def _lines(node: SearchNode, indent: str) -> Iterator[str]:
    """Yield the replies, line by line: the best line of play is unfolded, other replies are counted."""
    for reply in node.replies:
        if reply.is_chosen:
            yield f"{indent}* {reply.move} {_value(reply)}"
            yield from _lines(reply, f"{indent}  ")
        else:
            folded = f"  ({_counted(reply.count() - 1)})" if reply.replies else ""
            yield f"{indent}  {reply.move} {_value(reply)}{folded}"


# In a notebook


def as_html(root: SearchNode) -> str:
    """Show a tree; the chosen move is unfolded."""
    depth = sum(total <= MOST_NODES for total in accumulate(_widths(root)))  # the levels that are shown
    mover, other = _players(root)
    board = game_view([root.position]).frames[0].board.svg()
    if root.chosen:
        answer = f"{mover} plays {_move(root.chosen)}, worth {_value(root)}."
    elif root.replies:
        answer = f"{mover} finds no move that does not lose."
    else:
        answer = f"{mover} has no move."
    legend = ""
    if root.replies:
        legend = f"""\
<p>Each move has its value to the player who makes it: what he has more than the other when the program looks no further
ahead; ∞ is a win. For each move of {mover} the program finds the best reply of {other}. The move is worth minus that
reply. The first of the best moves is played.</p>
<p class="note">{_counted(root.count() - 1)} looked at. ★ is the best move of its list.</p>
"""
    moves = "".join(_item(reply, depth - 1, _boards(root, reply), is_open=reply.is_chosen) for reply in root.replies)
    return fragment(
        "tree",
        outside.packaged_text("cpl/study/views/static/search_tree.css"),
        f'<div class="root">\n<figure>{board}</figure>\n<div>\n<p class="title">{answer}</p>\n{legend}</div>\n</div>\n'
        f"{_drawn(root)}<ul>\n{moves}</ul>\n",
    )


def _drawn(root: SearchNode) -> str:
    """Draw the tree, if it is not too large."""
    svg = drawing(root, lambda node: f"{'★ ' if node.is_chosen else ''}{node.move}  {_value(node)}", _players(root))
    return f'<div class="drawn" tabindex="0">{svg}</div>\n' if svg else ""


def _boards(root: SearchNode, node: SearchNode) -> str:
    """Show a move and the best replies to it, as a row of boards."""
    line = []
    reply: SearchNode | None = node
    while reply is not None:
        line.append(reply)
        reply = reply.chosen

    positions = [root.position, *(reply.position for reply in line)]
    figures = ""
    for frame, reply in zip(game_view(positions).frames[1:], line, strict=True):
        caption = f"{_move(reply)} {_value(reply)}"
        figures += f"<figure>{small(frame.board)}<figcaption>{caption}</figcaption></figure>\n"
    return f'<div class="line">\n{figures}</div>\n'


def _item(node: SearchNode, depth: int, boards: str = "", *, is_open: bool = False) -> str:
    """Show a move and its value, and the replies behind it, to so many levels."""
    mark = '<b class="mark" title="best">★</b>' if node.is_chosen else '<b class="mark"></b>'
    reply = f'<span class="note">reply {_move(node.chosen)}</span>' if node.chosen else ""
    summary = f"{mark}<span>{_move(node)}</span><span class=value>{_value(node)}</span>{reply}"
    if not node.replies and not boards:
        return f"<li>{summary}</li>\n"
    opened = " open" if is_open else ""
    replies = _replies(node, depth) if node.replies else ""
    return f"<li><details{opened}><summary>{summary}</summary>\n{boards}{replies}</details></li>\n"


def _replies(node: SearchNode, depth: int) -> str:
    """Show the replies to a move, or count them if there is no level left."""
    if depth < 1:
        return f'<p class="note">… {_counted(node.count() - 1)} left out</p>\n'
    mover, _ = _players(node)
    items = "".join(_item(reply, depth - 1) for reply in node.replies)
    return f"<p>{mover} can reply:</p>\n<ul>\n{items}</ul>\n"


def _move(node: SearchNode) -> str:
    return f"<code>{escape(node.move)}</code>"


def _players(node: SearchNode) -> tuple[str, str]:
    """Return the player to move, and the other."""
    return ("Black", "White") if node.position[3] == 1 else ("White", "Black")


def _widths(root: SearchNode) -> Iterator[int]:
    """Yield how many positions each level has."""
    level = [*root.replies]
    while level:
        yield len(level)
        level = [reply for node in level for reply in node.replies]
