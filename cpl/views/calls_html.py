"""Calls that two programs make, and both outcomes, as HTML: positions of checkers as boards, all else as CPL."""

from collections.abc import Mapping, Sequence
from itertools import repeat, zip_longest
from typing import Any, Final

from cplrt import show

from cpl.games.board import is_drawable, picture
from cpl.kit.difference import outcome_of, shortened
from cpl.kit.first_difference import Pair
from cpl.kit.traces import Call
from cpl.outside import escape

SIDES: Final = {"-": "before", "+": "after"}
"""The two sides by the signs of their lines in listings."""

_MOST_BOARDS: Final = 3  # of one result
_LONGEST: Final = 1_500  # characters of one value


def case(pair: Pair, names: Sequence[str], parameters: Mapping[str, Sequence[str]], *, boards: bool) -> str:
    """A call that both sides make, and its two outcomes, below the `names` of the sides. `parameters` are what those of
    the functions are called.
    """
    one, other = pair
    arguments = "\n".join(
        f"<div><var>{escape(name)}</var> {drawn(argument, boards=boards)}</div>"
        for name, argument in zip_longest(parameters.get(one.function, ()), one.arguments, fillvalue="")
    )
    outcomes = "\n".join(
        f"<figure class={side}><figcaption>{escape(name)} gives</figcaption>\n"
        f"<div class=values>{result(mine, yours, boards=boards)}</div></figure>"
        for side, name, mine, yours in zip(SIDES.values(), names, (one, other), (other, one), strict=True)
    )
    return f"""\
<div class=case><figure><figcaption>{escape(one.function)} is given</figcaption><div class=values>
{arguments}</div></figure>
{outcomes}
</div>"""


def drawn(value: Any, before: Any = None, *, boards: bool) -> str:
    """A value; with the position `before` it, the squares that differ are marked."""
    if not boards or not is_drawable(value):
        return _code(show(value))
    return picture(value, before)._repr_svg_()


def _code(text: str) -> str:
    """A value that may be long: it is shortened, and its lines may end after commas."""
    return f"<code>{escape(shortened(text, _LONGEST)).replace(',', ',<wbr>')}</code>"


def result(call: Call, other: Call, *, boards: bool) -> str:
    """The outcome of a call; of a list of positions only those are drawn that the other side does not have."""
    if call.is_failed:
        return f"<p class=fault>fails: {escape(call.fault or '')}</p>"
    if boards and is_drawable(call.result):
        return drawn(call.result, other.result if is_drawable(other.result) else None, boards=True)
    if boards and _are_positions(call.result):
        return _only(call.result, other.result if _are_positions(other.result) else [])
    return _code(outcome_of(call, other))


def _are_positions(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_drawable, value))


def _only(positions: list[Any], others: list[Any]) -> str:
    """The first of the positions that are not among the others, and how many there are."""
    extra = [each for each in positions if each not in others]
    unmatched = [each for each in others if each not in positions]
    pairs = zip(extra[:_MOST_BOARDS], [*unmatched, *repeat(None, _MOST_BOARDS)], strict=False)
    boards = "".join(drawn(each, unlike, boards=True) for each, unlike in pairs)
    return f"{boards}<p>{len(positions)} positions, {len(extra)} of them on this side only</p>"
