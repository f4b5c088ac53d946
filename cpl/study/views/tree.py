"""The search tree of the program of 1966: a position in, the moves that it looked at and the values it compared out.

It is what a run did, not a search of our own: the calls of `ChosenPosition`, `BestPosition` and `PositionValue` are
recorded. Any program of checkers that has these three functions will do. A notebook shows a tree to unfold, without
scripts: boards show the first moves, and behind each of them the best replies; other positions are moves and values
only.
"""

from collections.abc import Iterator, Sequence
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
from cpl.study.views.style import fragment

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
    position = getattr(module, "StartPosition", None) if position is None else position
    if not is_position(position):
        raise Invalid(f"a position is (X,Y,K,σ), with bit strings of squares, not {position!r:.80}")
    names, limit = vars(module), {} if depth is None else {_LIMIT: depth}
    if not limit.keys() <= names.keys():
        raise Invalid(f"{module.__name__} has no {_LIMIT}: leave the depth out")
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise Invalid(f"a depth is a whole number from 0, not {depth!r:.80}")
    before = {name: names[name] for name in limit}
    names.update(limit)
    try:
        run = record_call(
            module, _CHOICE, [position], most=MOST_CALLS, seconds=SEARCH_SECONDS, only=(_CHOICE, _BEST, _VALUE)
        )
    finally:
        names.update(before)
    if run.fault:
        raise Invalid(f"{_CHOICE} failed: {run.fault}")
    return _node(run, "", is_chosen=False)


def _node(call: Call, move: str, *, is_chosen: bool) -> SearchNode:
    """Return the node of a call of ChosenPosition or PositionValue."""
    position = call.arguments[0]
    compared = [*_compared(call)]
    moves = [*named(position, [nested.arguments[0] for nested in compared])]
    best, value = next((nested.result for nested in call.inner if nested.function == _BEST), (None, -inf))
    place = next((place for place, (reply, _) in enumerate(moves) if reply == best), None)
    replies = tuple(_node(nested, moves[at][1], is_chosen=at == place) for at, nested in enumerate(compared))
    return SearchNode(position, move, -call.result if call.function == _VALUE else value, is_chosen, replies)


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
    depth = sum(total <= MOST_NODES for total in accumulate(_widths(root)))
    mover, other = _players(root)
    board = game_view([root.position]).frames[0].board.svg()
    answer, legend = f"{mover} has no move.", ""
    if root.chosen:
        answer = f"{mover} plays {_move(root.chosen)}, worth {_value(root)}."
    elif root.replies:
        answer = f"{mover} finds no move that does not lose."
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
        f"<ul>\n{moves}</ul>\n",
    )


def _boards(root: SearchNode, node: SearchNode) -> str:
    """Show a move and the best replies to it, as a row of boards."""
    line = [node]
    while line[-1].chosen:
        line.append(line[-1].chosen)
    positions = [root.position, *(reply.position for reply in line)]
    figures = "".join(
        f"<figure>{small(frame.board)}<figcaption>{_move(reply)} {_value(reply)}</figcaption></figure>\n"
        for frame, reply in zip(game_view(positions).frames[1:], line, strict=True)
    )
    return f'<div class="line">\n{figures}</div>\n'


def _item(node: SearchNode, depth: int, boards: str = "", *, is_open: bool = False) -> str:
    """Show a move and its value, and the replies behind it, to so many levels."""
    mark = '<b class="mark" title="best">★</b>' if node.is_chosen else '<b class="mark"></b>'
    reply = f'<span class="note">reply {_move(node.chosen)}</span>' if node.chosen else ""
    summary = f"{mark}<span>{_move(node)}</span><span class=value>{_value(node)}</span>{reply}"
    if not node.replies and not boards:
        return f"<li>{summary}</li>\n"
    replies = ""
    if node.replies and depth < 1:
        replies = f'<p class="note">… {_counted(node.count() - 1)} left out</p>\n'
    elif node.replies:
        items = "".join(_item(reply, depth - 1) for reply in node.replies)
        replies = f"<p>{_players(node)[0]} can reply:</p>\n<ul>\n{items}</ul>\n"
    opened = " open" if is_open else ""
    return f"<li><details{opened}><summary>{summary}</summary>\n{boards}{replies}</details></li>\n"


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
