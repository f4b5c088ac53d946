"""The search tree of the program of 1966: a position in, the moves that it looked at and the values it compared out.

It is what a run did, not a search of our own: the calls of `ChosenPosition`, `BestPosition` and `PositionValue` are
recorded. Any program that has these three functions will do.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from types import ModuleType
from typing import Any, Final

from cplrt import show

from cpl import compiler
from cpl.diagnostics import Invalid
from cpl.display import drawn_by
from cpl.games.moves import named
from cpl.games.position import from_fen, is_position, to_fen
from cpl.kit.traces import MOST_CALLS, Call, trace

PROGRAM: Final = "strachey.cpl"
SECONDS: Final = 60.0
"""How long a search may take."""

_CHOICE, _BEST, _VALUE, _LIMIT = "ChosenPosition", "BestPosition", "PositionValue", "DepthLimit"
_MOST_MOVES: Final = 20
"""Moves of a position that are shown, and the chosen one; the others are counted."""


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

    def __repr__(self) -> str:
        return "\n".join(_lines(self, ""))

    def count(self) -> int:
        """All positions of the tree, with this one."""
        return 1 + sum(reply.count() for reply in self.replies)

    def to_dict(self) -> dict[str, Any]:
        """The tree as data for JSON: positions as FEN, infinite values as "∞" and "−∞"."""
        return {
            "move": self.move,
            "position": to_fen(self.position) if is_position(self.position) else show(self.position),
            "value": self.value if abs(self.value) < inf else value_text(self.value),
            "chosen": self.is_chosen,
            "replies": [reply.to_dict() for reply in self.replies],
        }

    _repr_html_ = drawn_by("cpl.views.search_tree:as_html")


def search_tree(position: Any = None, program: str | ModuleType = PROGRAM, depth: int | None = None) -> SearchNode:
    """What `ChosenPosition(position)` looked at: the moves in its order, each with the value that was compared.

    The position may be a FEN, and is StartPosition if there is none. `program` is a loaded module, or what `cpl.load`
    loads. `depth` is its DepthLimit for this search, and 2 in Strachey's program: its own move, and 2 plies after it.

    Raises ValueError if the program has no such functions, the position is not one, or the run fails or takes more than
    a minute; else as `cpl.load`.
    """
    module = program if isinstance(program, ModuleType) else compiler.load(program)
    if missing := [name for name in (_CHOICE, _BEST, _VALUE) if not callable(getattr(module, name, None))]:
        raise Invalid(f"{module.__name__} has no function {missing[0]}: it does not search as Strachey's program does")
    if position is None:
        position = getattr(module, "StartPosition", None)
    elif isinstance(position, str):
        position = from_fen(position)
    if position is None:
        raise Invalid(f"{module.__name__} has no StartPosition: say which position")
    with _limited(module, depth):
        run = trace(module, _CHOICE, [position], most=MOST_CALLS, seconds=SECONDS, only=(_CHOICE, _BEST, _VALUE))
    if run.fault:
        raise Invalid(f"{_CHOICE} failed: {run.fault}")
    return _node(run, "", is_chosen=False)


def value_text(value: float) -> str:
    """A value as CPL writes it."""
    return show(value).replace("-", "−")


def shown(node: SearchNode) -> tuple[list[SearchNode], int]:
    """The replies that are shown, the chosen one among them, and how many are left out."""
    found = [reply for place, reply in enumerate(node.replies) if place < _MOST_MOVES or reply.is_chosen]
    return found, len(node.replies) - len(found)


def counted(positions: int) -> str:
    """So many positions, in words."""
    return f"{positions:,} position{'s' if positions != 1 else ''}"


@contextmanager
def _limited(module: ModuleType, depth: int | None) -> Iterator[None]:
    """Within, the program's DepthLimit is this."""
    if depth is None:
        yield
        return
    names = vars(module)
    if _LIMIT not in names:
        raise Invalid(f"{module.__name__} has no {_LIMIT}: leave the depth out")
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise Invalid(f"a depth is a whole number from 0, not {depth!r:.80}")
    before = names[_LIMIT]
    names[_LIMIT] = depth
    try:
        yield
    finally:
        names[_LIMIT] = before


def _node(call: Call, move: str, *, is_chosen: bool) -> SearchNode:
    """The node of a call of ChosenPosition or PositionValue."""
    position = call.arguments[0]
    compared = [*_compared(call)]
    after = [each.arguments[0] for each in compared]
    moves = _moves(position, after)
    best, value = next((each.result for each in call.inner if each.function == _BEST), (None, -inf))
    place = next((place for place, each in enumerate(after) if each == best), None)
    replies = tuple(_node(each, moves[number], is_chosen=number == place) for number, each in enumerate(compared))
    return SearchNode(position, move, -call.result if call.function == _VALUE else value, is_chosen, replies)


def _compared(call: Call) -> Iterator[Call]:
    """The calls of PositionValue for the positions that follow this one: BestPosition makes them, and calls itself."""
    for each in call.inner:
        if each.function == _VALUE:
            yield each
        else:
            yield from _compared(each)


def _moves(before: Any, after: Sequence[Any]) -> list[str]:
    """The moves as players write them; positions of another game name themselves."""
    if all(map(is_position, (before, *after))):
        return [text for _, text in named(before, after)]
    return [f"to {show(each):.60}" for each in after]


def _lines(node: SearchNode, indent: str) -> Iterator[str]:
    """The tree, line by line: the best line of play is unfolded, other replies are counted."""
    if not node.move:
        yield f"{_CHOICE}: {node.chosen.move if node.chosen else 'no move'}, {value_text(node.value)}"
    replies, left = shown(node)
    for reply in replies:
        mark = "*" if reply.is_chosen else " "
        is_folded = reply.replies and not reply.is_chosen
        more = f"  ({counted(reply.count() - 1)})" if is_folded else ""
        yield f"{indent}{mark} {reply.move} {value_text(reply.value)}{more}"
        if reply.is_chosen:
            yield from _lines(reply, f"{indent}  ")
    if left:
        yield f"{indent}  … {left:,} more"
