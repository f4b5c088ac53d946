"""Values on the page of `diff_html`: positions of checkers as boards, all else as CPL writes it."""

from collections import Counter
from dataclasses import replace
from html import escape
from typing import Any, Final

from cplrt import show

from cpl.draughts.position import picture
from cpl.kit.behaviour import is_position
from cpl.kit.difference import outcome_of
from cpl.kit.traces import Call
from cpl.kit.values import canonical

_MOST_BOARDS: Final = 3  # of one result
_LONGEST: Final = 1_500  # characters of one value


def drawn(value: Any, before: Any = None, *, boards: bool) -> str:
    """A value; with the position `before` it, the squares that differ are marked."""
    if not boards or not is_position(value):
        return f"<code>{breakable(show(value))}</code>"
    board = picture(value, before)
    if len(value) == 5:
        squares = ", ".join(map(str, value[4])) or "none"
        board = replace(board, caption=f"{board.caption.removesuffix(' to play.')} moves; Φ = {squares}")
    return board._repr_svg_()


def breakable(text: str, longest: int = _LONGEST) -> str:
    """A value that may be long: it is cut, and its lines may end after commas."""
    return escape(text if len(text) <= longest else f"{text[: longest - 1]}…").replace(",", ",<wbr>")


def results(one: Call, other: Call, *, boards: bool) -> tuple[str, str]:
    """The outcomes of both calls. Of lists of positions only those are drawn that the other side does not have."""
    if one.fault is None and other.fault is None and boards and one.written == other.written:
        if is_position(one.result) and is_position(other.result):
            return drawn(one.result, other.result, boards=True), drawn(other.result, one.result, boards=True)
        if _are_positions(one.result) and _are_positions(other.result):
            return _only(one.result, other.result), _only(other.result, one.result)
    return _alone(one, other, boards), _alone(other, one, boards)


def _alone(call: Call, other: Call, boards: bool) -> str:
    if call.is_failed:
        return f"<p class=fault>fails: {escape(call.fault or '')}</p>"
    if boards and is_position(call.result):
        return drawn(call.result, boards=True)
    if boards and _are_positions(call.result):
        return _only(call.result, [])
    return f"<code>{breakable(outcome_of(call, other))}</code>"


def _are_positions(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_position, value))


def _only(positions: list[Any], others: list[Any]) -> str:
    """The positions that are not among the others, and how many there are besides."""
    own, unmatched = _without(positions, others), _without(others, positions)
    pairs = zip(own[:_MOST_BOARDS], [*unmatched, *[None] * _MOST_BOARDS], strict=False)
    rest = [f"{len(own) - _MOST_BOARDS} more like these"] if len(own) > _MOST_BOARDS else []
    rest += [f"{len(positions) - len(own)} positions that both sides give"] if len(positions) > len(own) else []
    rest += ["in another order"] if not own and len(positions) == len(others) else []
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
