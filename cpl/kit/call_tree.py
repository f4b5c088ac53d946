"""The calls of a run as an indented text: each with its arguments and its result, what it called below it.

Calls that are too deep, or too many within one call, are left out and counted. `call_tree` is for a recorded run, and
`tree_lines` for whatever has calls within calls.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, Self, TypeVar

from cpl.kit.recorded_values import MOST_CHARACTERS
from cpl.kit.recorder import Kind, Recorder

DEPTH: Final = 3
"""Levels that are shown, unless told otherwise."""
MOST_WITHIN: Final = 12
"""Calls that are shown within one."""
ARGUMENT: Final = 70
RESULT: Final = 100
"""Characters that are shown of an argument, and of a result."""

_MOST_NAMES: Final = 4


class Nested(Protocol):
    """A call as part of a tree."""

    @property
    def function(self) -> str:
        """Its function."""

    @property
    def inner(self) -> Sequence[Self]:
        """The calls that it made, as far as they are known."""

    @property
    def within(self) -> int:
        """How many calls there were within it."""


Call = TypeVar("Call", bound=Nested)


@dataclass(eq=False)
class _Call:
    """A call: its function, the values of its arguments, its result or else the fault that ended it; the calls that it
    made, and how many there are within it at all.
    """

    function: str
    arguments: list[int] = field(default_factory=list)
    result: int | None = None
    fault: int | None = None
    inner: list["_Call"] = field(default_factory=list)
    within: int = 0


def call_tree(recorder: Recorder, *, depth: int = DEPTH, function: str | None = None) -> str:
    """The calls to so many levels, of one function only if it is named. Raises KeyError if it was not called."""
    whole = _calls(recorder)
    if function is not None:
        roots = _of(whole, function)
        if not roots:
            raise KeyError(function)
    else:
        roots = whole.inner if len(whole.inner) == 1 else [whole]
    lines = tree_lines(roots, depth, partial(_written, recorder))
    notes = [f"({recorder.cut})"] if recorder.cut else []
    return "\n".join([*lines, *notes])


def _calls(recorder: Recorder) -> _Call:
    """The outermost call: that of the expression itself."""
    whole = _Call(recorder.title)
    running: list[_Call] = []
    arguments = 0  # that follow
    for step in recorder.steps:
        match step.kind:
            case Kind.CALL:
                call = _Call(recorder.functions[step.a]) if running else whole
                if running:
                    running[-1].inner.append(call)
                running.append(call)
                arguments = recorder.arities[step.a]
            case Kind.SET if arguments:
                running[-1].arguments.append(step.b)
                arguments -= 1
            case Kind.RETURN:
                call = running.pop()
                call.result, call.within = step.b, _count(call.inner)
            case Kind.FAULT:
                (running[-1] if running else whole).fault = step.b
    for call in reversed(running):
        call.within = _count(call.inner)
    return whole


def _count(calls: Sequence[_Call]) -> int:
    """How many these are, with those within them."""
    return sum(1 + call.within for call in calls)


def _of(whole: _Call, function: str) -> list[_Call]:
    """The outermost calls of a function, in order."""
    found = []
    waiting = [whole]
    while waiting:
        call = waiting.pop()
        if call.function == function:
            found.append(call)
        else:
            waiting += reversed(call.inner)
    return found


def tree_lines(roots: Sequence[Call], depth: int, written: Callable[[Call], str]) -> Iterator[str]:
    """These calls to so many levels, a line each: `written` says what stands there."""
    waiting: list[tuple[int, Call | str]] = [(0, each) for each in _cut(roots)]
    waiting.reverse()
    while waiting:
        level, call = waiting.pop()
        margin = "  " * level
        if isinstance(call, str):
            yield f"{margin}{call}"
            continue
        is_folded = call.within and (level + 1 >= depth or not call.inner)
        folded = f"  ({_calls_of(call.within)} within)" if is_folded else ""
        yield f"{margin}{written(call)}{folded}"
        if not is_folded:
            waiting += [(level + 1, each) for each in reversed(_cut(call.inner))]


def _cut(calls: Sequence[Call]) -> list[Call | str]:
    """The first of many calls, and a line that counts the others."""
    if len(calls) <= MOST_WITHIN:
        return [*calls]
    others = calls[MOST_WITHIN:]
    names = Counter(call.function for call in others).most_common(_MOST_NAMES)
    listed = ", ".join(f"{name} {number:,}" for name, number in names)
    within = sum(call.within for call in others)
    note = f", {_calls_of(within)} within" if within else ""
    return [*calls[:MOST_WITHIN], f"… {_calls_of(len(others))} more ({listed}{note})"]


def _calls_of(count: int) -> str:
    return f"{count:,} call{'s' if count > 1 else ''}"


def _written(recorder: Recorder, call: _Call) -> str:
    """A call as CPL writes it, and what came out."""
    text = recorder.values.text
    arguments = ",".join(text(each, ARGUMENT) for each in call.arguments)
    applied = call.function if call.function == recorder.title else f"{call.function}({arguments})"
    if call.fault is not None:
        return f"{applied}: {text(call.fault, MOST_CHARACTERS)}"
    return applied if call.result is None else f"{applied} = {text(call.result, RESULT)}"
