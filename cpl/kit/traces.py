"""What happens when a function of a loaded module runs: every call of a CPL function, its arguments and its result.

For comparing two programs, or showing how one arrives at its result.
"""

import functools
import io
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any, Final

from cplrt import show

from cpl.kit.limits import DEEPEST, FAULTS, PATIENCE, UNFINISHED, Outcome, Stopped, outcome, words
from cpl.kit.values import copied

MOST_RECORDED: Final = 10_000
"""Calls that are given; those after them run unrecorded."""

MOST_CALLS: Final = 1_000_000
"""Calls after which a run is stopped."""


@dataclass(frozen=True, kw_only=True)
class Call(Outcome):
    """One call of a function, by its CPL name, and the calls that it made.

    Arguments and results are as they were then, whatever was assigned to their members later. `after` are the
    arguments as the call left them, if they hold places (arrays, nodes, references, lists), else empty. If `cut`, not
    all inner calls are recorded; `calls` counts them all, with those they made and this one. `variables` that the call
    left with other values are recorded by `LoadedProgram.run`, for the outermost call.
    """

    function: str
    arguments: tuple[Any, ...]
    inner: tuple["Call", ...] = ()
    after: tuple[Any, ...] = ()
    cut: bool = False
    calls: int = 1
    variables: tuple[tuple[str, Any], ...] = ()

    @property
    def applied(self) -> str:
        """The call as CPL writes it."""
        return f"{self.function}({','.join(map(show, self.arguments))})"

    @property
    def within(self) -> int:
        """How many calls it made, with those that they made."""
        return self.calls - 1

    def nested(self) -> Iterator["Call"]:
        """All calls that were recorded within this one."""
        waiting = [*self.inner]
        while waiting:
            yield (inner := waiting.pop())
            waiting += inner.inner


def trace(
    names: dict[str, Any] | ModuleType,
    function: str,
    arguments: Sequence[Any],
    *,
    most: int = MOST_RECORDED,
    calls: int = MOST_CALLS,
    seconds: float = PATIENCE,
    deepest: int = DEEPEST,
    only: Collection[str] = (),
    reads: bool = False,
) -> Call:
    """Run a function of a loaded module (by its name there) and record up to `most` calls of CPL functions, the
    module's own and its companions'; those that are named, if `only` names some. If it `reads`, it gets the input of
    the process; else there is none.

    This always returns: a run of more than so many `calls` or `seconds`, or too deep, has a fault. Raises KeyError if
    the module has no such function.
    """
    namespace = vars(names) if isinstance(names, ModuleType) else names
    recorder = _Recorder(most, calls)
    functions = {name: value for name, value in namespace.items() if is_cpl(value, namespace)}
    if only:
        functions = {name: value for name, value in functions.items() if name in only}
    watchers = {value: recorder.watching(value) for value in functions.values()}
    recorder.originals = {watcher: value for value, watcher in watchers.items()}
    given = copied(tuple(arguments), _exchange(watchers))
    namespace.update({name: watchers[value] for name, value in functions.items()})
    try:
        run = namespace[function]
        found = outcome(run, given, seconds=seconds, written=recorder.written, deepest=deepest, reads=reads)
    finally:
        recorder.is_active = False
        for name, value in namespace.items():  # the run may have given other names to what is watched
            if isinstance(value, FunctionType):
                namespace[name] = recorder.originals.get(value, value)
    if recorder.roots:
        return recorder.roots[0]
    if found.fault is None:
        raise KeyError(f"{function} is not a CPL function of this module")
    return Call(function=function, arguments=tuple(arguments), fault=found.fault)


class _Recorder:
    """Records calls while functions are watched."""

    def __init__(self, most: int, calls: int) -> None:
        self.is_active = True  # the run may leave what watches its functions in its data
        self.roots: list[Call] = []
        self.written = io.StringIO()
        self.originals: dict[Any, FunctionType] = {}  # by those that watch them
        self._left, self._calls, self._most_calls = most, 0, calls
        self._inner, self._cut = self.roots, False  # by the call that runs now

    def watching(self, function: FunctionType) -> Callable[..., Any]:
        """The same function, whose calls are recorded."""

        @functools.wraps(function)
        def watcher(*arguments: Any) -> Any:
            return self._call(function, arguments)

        return watcher

    def _recorded(self, value: Any) -> Any:
        """A value as it is now, with the functions themselves."""
        return copied(value, _exchange(self.originals))

    def _call(self, function: FunctionType, arguments: tuple[Any, ...]) -> Any:
        if not self.is_active:
            return function(*arguments)
        self._calls += 1
        if self._calls > self._most_calls:
            raise Stopped(f"{UNFINISHED}{self._most_calls:,} calls: does it end at all?")
        self._left -= 1
        if self._left < 0 and self._inner is not self.roots:
            self._cut = True
            return function(*arguments)
        outer = self._inner, self._cut
        self._inner, self._cut = [], False
        given, calls, begin = self._recorded(arguments), self._calls - 1, self.written.tell()
        result, fault = None, None
        try:
            value = function(*arguments)
            result = self._recorded(value)
            return value
        except FAULTS as error:
            fault = words(error)
            raise
        finally:
            self.written.seek(begin)
            call = Call(
                function=function.__name__,
                arguments=given,
                result=result,
                fault=fault,
                inner=tuple(self._inner),
                written=self.written.read(),
                after=self._recorded(arguments) if given is not arguments else (),
                cut=self._cut,
                calls=self._calls - calls,
            )
            self._inner, self._cut = outer[0], outer[1] or self._cut
            self._inner.append(call)


def _exchange(others: Mapping[Any, Any]) -> Callable[[Any], Any]:
    """For `copied`: some functions in place of others."""
    return lambda part: part if isinstance(part, list) else others.get(part, part)


def is_cpl(value: Any, namespace: dict[str, Any]) -> bool:
    """Whether this is a function that the module itself defines, and not one of cplrt."""
    return isinstance(value, FunctionType) and value.__globals__ is namespace and not value.__name__.startswith("_")
