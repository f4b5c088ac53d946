"""Where two runs part: from two recorded calls that differ in effect down to the first inner calls that do.

`behaviour` compares calls by this; `cpl diff` and `cpl readings` show what it finds.
"""

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from cpl.kit.traces import Call
from cpl.kit.values import parts, same

Pair = tuple[Call, Call]
"""The same call on both sides."""

Same = Callable[[Any, Any], bool]
"""Whether two values count as the same."""


def divergence(one: Call, other: Call, same: Same = same) -> tuple[Pair, ...]:
    """From two calls that differ in effect down to the first inner calls that do, the outermost pair first. Empty if
    the two calls do not differ.

    Inner calls are compared in the order in which they were made, as long as they are of the same function with the
    same arguments. If none of those differ, it is the function itself that goes another way.
    """
    pairs: list[Pair] = []
    current: Pair | None = (one, other) if differ(one, other, same) else None
    while current is not None:
        pairs.append(current)
        current = next((pair for pair in _matching(*current, same) if differ(*pair, same)), None)
    return tuple(pairs)


def differ(one: Call, other: Call, same: Same = same) -> bool:
    """Whether two calls differ in effect: in result, fault, output, or how they leave arguments and variables."""
    return not (
        one.fault == other.fault
        and one.written == other.written
        and (one.fault is not None or same(one.result, other.result))
        and same(one.after, other.after)
        and same(one.variables, other.variables)
    )


def _matching(one: Call, other: Call, same: Same) -> Iterator[Pair]:
    """Pairs of inner calls of one function on the same arguments, until two that are no pair."""
    for mine, yours in zip(one.inner, other.inner, strict=False):
        if mine.function != yours.function or not _are_given_alike(mine, yours, same):
            return
        yield mine, yours


def _are_given_alike(one: Call, other: Call, same: Same) -> bool:
    """Whether two calls have the same arguments. Functions without a name, or within others, must be one function."""
    functions = ([part for part in parts(call.arguments) if isinstance(part, FunctionType)] for call in (one, other))
    return same(one.arguments, other.arguments) and all(
        _origin(mine) is _origin(yours) or "<" not in mine.__qualname__ for mine, yours in zip(*functions, strict=False)
    )


def _origin(function: FunctionType) -> Any:
    """What a function is a copy of, if it is one."""
    return getattr(function, "__wrapped__", function)
