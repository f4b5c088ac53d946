"""Records a run of the interpreter: every step goes into one table of numbers, in which the texts, the names, the
places and the values that it speaks of have numbers of their own.

`recording` makes documents of it and `call_tree` a text.
"""

from collections.abc import Hashable
from enum import IntEnum
from typing import Any, Final, NamedTuple

from cplrt import CplFault
from cplrt.arrays import UNSET
from cplrt.references import Place

from cpl.kit.recorded_values import RecordedValues
from cpl.semantics import core
from cpl.semantics.interpreter import Closure, Variables
from cpl.source import Source, Span

MOST_STEPS: Final = 100_000
"""So many steps are recorded in full."""
MOST_CALLS: Final = 25_000
"""So many more calls are recorded after those steps, with their arguments and results only."""


class Kind(IntEnum):
    """What happens at a step."""

    CALL = 0
    """Function `a` is applied at the place; its parameters follow, each as SET."""
    SET = 1
    """The variable `a` of the function that runs has the value `b` now."""
    VALUE = 2
    """The expression at the place has the value `b`."""
    RETURN = 3
    """Function `a`, whose body is the place, has the result `b`."""
    FAULT = 4
    """The run ends, in the function whose body is the place, for the reason that the value `b` is."""


class Step(NamedTuple):
    """One step. `span`, `a` and `b` are numbers in the tables of the recorder, or −1."""

    kind: Kind
    span: int
    a: int
    b: int


_NO_STEPS: Final = {
    core.Global,
    core.Host,
    core.Infinity,
    core.Lambda,
    core.Literal,
    core.Local,
    core.Nil,
    core.ReadOnly,
    core.Reference,
}
"""Expressions whose value can be read where they stand."""


class Recorder:
    """An observer of the interpreter. `steps` are what it has recorded; the first one calls the function that has the
    expression `title` for its body.
    """

    def __init__(self, title: str, source: Source, most_steps: int = MOST_STEPS, most_calls: int = MOST_CALLS) -> None:
        self.title = title
        self.steps: list[Step] = []
        self.sources = [source]
        self.spans: list[tuple[int, int, int]] = []
        self.functions: list[str] = []
        self.function_spans: list[int] = []
        self.arities: list[int] = []  # how many arguments each takes
        self.names: list[str] = []
        self.values = RecordedValues()
        self._most_steps, self._most_calls = most_steps, most_calls
        self._calls_left = most_calls
        self._numbers: dict[Hashable, int] = {}  # in the tables
        self._running: list[core.Expression] = []  # the bodies of the functions that run
        self._unrecorded = 0  # functions that run, whose calls were not recorded

    @property
    def cut(self) -> str | None:
        """What is missing, if the run was too long to be recorded in full."""
        if not self._is_full:
            return None
        what = f"only calls and results are recorded after step {self._most_steps:,}"
        return what if self._calls_left > 0 else f"{what}, and nothing after {self._most_calls:,} more calls"

    def called(self, function: Closure, variables: Variables, span: Span) -> None:
        """Record a call and its arguments."""
        text = function.function
        self._running.append(text.body)
        if self._is_full:
            if self._unrecorded or not self._calls_left:
                self._unrecorded += 1
                return
            self._calls_left -= 1
        self._add(Kind.CALL, self._span(span) if self.steps else -1, self._function(function), -1)
        for parameter in text.parameters:
            self._set(parameter, _content(variables, parameter), parameter.span)

    def returned(self, function: Closure, value: Any) -> None:
        """Record a result."""
        body = self._running.pop()
        if self._unrecorded:
            self._unrecorded -= 1
            return
        self._add(Kind.RETURN, self._span(body.span), self._function(function), self.values.number(value))

    def evaluated(self, node: core.Expression, value: Any) -> None:
        """Record the value of an expression; that of a body is the result."""
        if self._is_full or type(node) in _NO_STEPS or (self._running and node is self._running[-1]):
            return
        if not (isinstance(node, core.Contents) and isinstance(node.reference, core.Local)):
            self._add(Kind.VALUE, self._span(node.span), -1, self.values.number(value))

    def changed(self, variable: core.Local | core.Global, value: Any, span: Span) -> None:
        """Record what a variable holds now."""
        if not self._is_full:
            self._set(variable, value, span)

    def failed(self, fault: str) -> None:
        """Record how the run ended, and in which function."""
        span = self._span(self._running[-1].span) if self._running else -1
        self._add(Kind.FAULT, span, -1, self.values.keep(fault, fault))

    @property
    def _is_full(self) -> bool:
        return len(self.steps) >= self._most_steps

    def _set(self, variable: core.Local | core.Global, value: Any, span: Span) -> None:
        if isinstance(variable, core.Local) and variable.mode == "reference" and isinstance(value, Place):
            value = value.shown()[1][0]
        self._add(Kind.SET, self._span(span), self._name(variable.name), self.values.number(value))

    def _add(self, kind: Kind, span: int, a: int, b: int) -> None:
        self.steps.append(Step(kind, span, a, b))

    def _function(self, function: Closure) -> int:
        key = id(function.function)
        number = self._numbers.get(key)
        if number is None:
            span = self._span(function.function.span)
            number = self._numbers[key] = len(self.functions)
            self.functions.append(function.__name__ if self.functions else self.title)
            self.function_spans.append(span)
            self.arities.append(len(function.function.parameters))
        return number

    def _name(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return number

    def _span(self, span: Span) -> int:
        key = (id(span.source), span.start, span.end)
        number = self._numbers.get(key)
        if number is None:
            if span.source not in self.sources:
                self.sources.append(span.source)
            number = self._numbers[key] = len(self.spans)
            self.spans.append((self.sources.index(span.source), span.start, span.end))
        return number


def _content(variables: Variables, parameter: core.Local) -> Any:
    try:
        return variables[parameter].value
    except CplFault:
        return UNSET
