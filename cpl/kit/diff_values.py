"""Values on the page of `diff_html`: positions of checkers as boards, all else as CPL writes it."""

from collections import Counter
from dataclasses import replace
from html import escape
from typing import Any, Final

from cplrt import show

from cpl.draughts.position import is_position, picture
from cpl.kit.difference import outcome_of
from cpl.kit.traces import Call
from cpl.kit.values import canonical

_MOST_BOARDS: Final = 3  # of one result
_LONGEST: Final = 1_500  # characters of one value


def drawn(value: Any, before: Any = None, *, boards: bool) -> str:
    """A value; with the position `before` it, the squares that differ are marked."""
    if not boards or not _is_board(value):
        return f"<code>{breakable(show(value))}</code>"
    board = picture(value, before)
    if len(value) == 5:
        squares = ", ".join(map(str, value[4])) or "none"
        board = replace(board, caption=f"{board.caption.removesuffix(' to play.')} moves; Φ = {squares}")
    return board._repr_svg_()


def breakable(text: str, longest: int = _LONGEST) -> str:
    """A value that may be long: it is cut, and its lines may end after commas."""
    return escape(text if len(text) <= longest else f"{text[: longest - 1]}…").replace(",", ",<wbr>")


def result(call: Call, other: Call, *, boards: bool) -> str:
    """The outcome of a call; of a list of positions only those are drawn that the other side does not have."""
    if call.is_failed:
        return fault(call.fault or "")
    is_alike = call.fault == other.fault and call.written == other.written
    if boards and _is_board(call.result):
        before = other.result if is_alike and _is_board(other.result) else None
        return drawn(call.result, before, boards=True)
    if boards and _are_positions(call.result):
        return _only(call.result, other.result if is_alike and _are_positions(other.result) else [])
    return f"<code>{breakable(outcome_of(call, other))}</code>"


def fault(text: str) -> str:
    """The fault that ends a run."""
    return f"<p class=fault>fails: {escape(text)}</p>"


def _is_board(value: Any) -> bool:
    """Whether this is a position, between moves or, with Φ as a fifth member, in the middle of one."""
    return isinstance(value, tuple) and len(value) in (4, 5) and is_position(value[:4])


def _are_positions(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_board, value))


def _only(positions: list[Any], others: list[Any]) -> str:
    """The positions that are not among the others, and how many there are besides."""
    extra, unmatched = _without(positions, others), _without(others, positions)
    pairs = zip(extra[:_MOST_BOARDS], [*unmatched, *[None] * _MOST_BOARDS], strict=False)
    rest = [f"{len(extra) - _MOST_BOARDS} more like these"] if len(extra) > _MOST_BOARDS else []
    rest += [f"{len(positions) - len(extra)} positions that both sides give"] if len(positions) > len(extra) else []
    rest += ["in another order"] if not extra and len(positions) == len(others) else []
    boards = "".join(drawn(each, unlike, boards=True) for each, unlike in pairs)
    return boards + (f"<p>and {' and '.join(rest)}</p>" if rest else "")


def _without(positions: list[Any], others: list[Any]) -> list[Any]:
    """Those of the positions that the others do not have, or not so often."""
    found, left = [], Counter(map(canonical, others))
    for position in positions:
        key = canonical(position)
        left[key] -= 1
        if left[key] < 0:
            found.append(position)
    return found
