"""What happens when a function of a loaded module runs: every call of a CPL function, what it was given and what it
gave; and where two such records part.

For whoever compares two programs, or shows how one comes to its result.
"""

import functools
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any, Final

from cplrt import show

from cpl.kit.limits import FAULTS, PATIENCE, UNFINISHED, Stopped, guarded, words
from cpl.kit.values import copied, parts, same

MOST_RECORDED: Final = 10_000
"""Calls that are kept; those after them run unrecorded."""

MOST_CALLS: Final = 1_000_000
"""Calls after which a run is broken off."""


@dataclass(frozen=True)
class Call:
    """One call of a function, by its CPL name: its result, or its fault in words of CPL, and the calls that it made.

    Arguments and results are as they were then, whatever was assigned to their members later. `after` are the
    arguments as they were left, if they hold places (arrays, nodes, references, lists), else nothing. If `cut`, not all
    inner calls are there; `calls` counts them all, those within them and this one too. `variables` of the program that
    were left with other values are known of outermost calls alone, and only to whoever keeps them.
    """

    function: str
    arguments: tuple[Any, ...]
    result: Any = None
    fault: str | None = None
    inner: tuple["Call", ...] = ()
    written: str = ""
    after: tuple[Any, ...] = ()
    cut: bool = False
    calls: int = 1
    variables: tuple[tuple[str, Any], ...] = ()

    @property
    def applied(self) -> str:
        """The call as CPL writes it."""
        return f"{self.function}({','.join(map(show, self.arguments))})"


def trace(
    names: dict[str, Any] | ModuleType,
    function: str,
    arguments: Sequence[Any],
    *,
    most: int = MOST_RECORDED,
    calls: int = MOST_CALLS,
    seconds: float = PATIENCE,
) -> Call:
    """Run a function of a loaded module (by its name there) and record the calls of CPL functions, the module's own
    and its companions', at most so many of them.

    It always comes back: a run of more than so many `calls` or `seconds`, or too deep, has a fault. Raises KeyError if
    the module has no such function.
    """
    namespace = vars(names) if isinstance(names, ModuleType) else names
    recorder = _Recorder(most, calls)
    with recorder.watching(namespace), guarded(seconds, recorder.written) as clock:
        watched = namespace[function]
        try:
            clock.running = True
            try:
                watched(*copied(tuple(arguments), recorder.watched))
            finally:
                clock.running = False
        except FAULTS as error:
            if not recorder.roots:  # not one of ours, or nothing that can be applied
                return Call(function, tuple(arguments), fault=words(error))
    if not recorder.roots:
        raise KeyError(f"{function} is no CPL function of this module")
    return recorder.roots[0]


def parting(one: Call, other: Call, same: Callable[[Any, Any], bool] = same) -> list[tuple[Call, Call]]:
    """From two calls that differ in what they do down to the first inner calls that do: the outermost pair first.

    Inner calls are compared in the order in which they were made, as long as they are of the same function with the
    same arguments. If none of those differ, it is the function itself that goes another way. Empty if the two calls do
    the same.
    """
    pairs: list[tuple[Call, Call]] = []
    current: tuple[Call, Call] | None = (one, other) if differ(one, other, same) else None
    while current is not None:
        pairs.append(current)
        current = next(_differing(*current, same), None)
    return pairs


def differ(one: Call, other: Call, same: Callable[[Any, Any], bool] = same) -> bool:
    """Whether two calls differ in what they do: in result, fault, what they write, or how they leave arguments and
    variables. What functions within others are called makes no difference.
    """
    return not (
        one.fault == other.fault
        and one.written == other.written
        and (one.fault is not None or _are_alike(one.result, other.result, same))
        and _are_alike(one.after, other.after, same)
        and _are_alike(one.variables, other.variables, same)
    )


def _are_alike(one: Any, other: Any, same: Callable[[Any, Any], bool]) -> bool:
    return same(one, other) or same(copied(one, _without_name), copied(other, _without_name))


def _without_name(part: Any) -> Any:
    return _inner if isinstance(part, FunctionType) and "<" in part.__qualname__ else part


def _inner() -> None:
    """Stands for all functions within others: what they do, only their calls can tell."""


def _differing(one: Call, other: Call, same: Callable[[Any, Any], bool]) -> Iterator[tuple[Call, Call]]:
    """Pairs of inner calls that differ, until those that are no pair."""
    for mine, yours in zip(one.inner, other.inner, strict=False):
        if mine.function != yours.function or not _are_given_alike(mine, yours, same):
            return
        if differ(mine, yours, same):
            yield mine, yours


def _are_given_alike(one: Call, other: Call, same: Callable[[Any, Any], bool]) -> bool:
    """Whether two calls have the same arguments. Of functions without a name, or within others, nobody can tell."""
    mine, yours = ([part for part in parts(call.arguments) if isinstance(part, FunctionType)] for call in (one, other))
    return same(one.arguments, other.arguments) and all(
        _origin(first) is _origin(second) or "<" not in first.__qualname__
        for first, second in zip(mine, yours, strict=False)
    )


def _origin(function: FunctionType) -> Any:
    """What a function is a copy of, if it is one."""
    return getattr(function, "__wrapped__", function)


class _Recorder:
    """Records calls while functions are watched."""

    def __init__(self, most: int, calls: int) -> None:
        self.roots: list[Call] = []
        self.written = io.StringIO()
        self._left = most
        self._calls = 0
        self._most_calls = calls
        self._originals: dict[Any, FunctionType] = {}
        self._watchers: dict[Any, Callable[..., Any]] = {}
        self._made: list[Call] = self.roots  # by the call that runs now
        self._cut = False

    @contextmanager
    def watching(self, namespace: dict[str, Any]) -> Iterator[None]:
        """In the module's own names every function is replaced by one that records; they are put back afterwards."""
        own = {name: value for name, value in namespace.items() if _is_cpl(value, namespace)}
        watched = {name: self._watched(function) for name, function in own.items()}
        namespace.update(watched)
        try:
            yield
        finally:
            namespace.update(own)

    def _watched(self, function: FunctionType) -> Callable[..., Any]:
        name = function.__name__

        @functools.wraps(function)
        def recorded(*arguments: Any) -> Any:
            return self._call(name, function, arguments)

        self._originals[recorded] = function
        self._watchers[function] = recorded
        return recorded

    def watched(self, part: Any) -> Any:
        """The one that records in place of a function that is passed as an argument."""
        return part if isinstance(part, list) else self._watchers.get(part, part)

    def _kept(self, value: Any) -> Any:
        """As it is now, with the functions themselves."""
        return copied(value, lambda part: part if isinstance(part, list) else self._originals.get(part, part))

    def _call(self, name: str, function: FunctionType, arguments: tuple[Any, ...]) -> Any:
        self._calls += 1
        if self._calls > self._most_calls:
            raise Stopped(f"{UNFINISHED}{self._most_calls:,} calls: does it end at all?")
        self._left -= 1
        if self._left < 0 and self._made is not self.roots:
            self._cut = True
            return function(*arguments)
        made_outside, cut_outside = self._made, self._cut
        self._made, self._cut = [], False
        kept, calls, begin = self._kept(arguments), self._calls - 1, self.written.tell()
        result, fault = None, None
        try:
            value = function(*arguments)
            result = self._kept(value)
            return value
        except FAULTS as error:
            fault = words(error)
            raise
        finally:
            self.written.seek(begin)
            after = self._kept(arguments) if kept is not arguments else ()
            inner, written, made = tuple(self._made), self.written.read(), self._calls - calls
            made_outside.append(Call(name, kept, result, fault, inner, written, after, self._cut, made))
            self._made, self._cut = made_outside, self._cut or cut_outside


def _is_cpl(value: Any, namespace: dict[str, Any]) -> bool:
    """Whether this is a function that the module itself defines, and not what it needs of cplrt."""
    return isinstance(value, FunctionType) and value.__globals__ is namespace and not value.__name__.startswith("_")
