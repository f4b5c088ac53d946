"""A recorded run: the tree of its calls, made while compiled functions or the interpreter run.

Compiled functions are wrapped one by one (`record_call`): the tree holds copies of all arguments and results, so that
two programs can be compared. The interpreter is observed step by step (`trace`): the tree holds the numbers of values
in a table, of which the step view and `cpl trace` show every step.

Of `Fact(n) = n = 0 → 1, n*Fact(n-1)`, for example, `str(trace(…, "Fact(2)"))` is

    Fact(2) = 2
      Fact(1) = 1
        Fact(0) = 1
"""

import functools
import io
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import takewhile
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from cplrt import CplFault, show
from cplrt.arrays import UNSET
from cplrt.references import Place

from cpl.compiler import pipeline
from cpl.compiler.pipeline import Libraries, Meaning, Options, Program, ReadingOption
from cpl.compiler.python.emit import LineMap
from cpl.compiler.semantics import core
from cpl.compiler.semantics.interpreter import Closure, Interpreter, Variables
from cpl.compiler.semantics.whole_program import CALL
from cpl.compiler.source import Source, Span
from cpl.compiler.wording import form
from cpl.display import drawn
from cpl.limits import (
    DEEPEST_RECORDING,
    DEEPEST_RUN,
    MOST_CALLS,
    MOST_CALLS_RECORDED,
    MOST_LATER_CALLS,
    MOST_STEPS,
    RECORDING_SECONDS,
    RUN_SECONDS,
)
from cpl.study.run.limited import FAULTS, INTERRUPTED, UNFINISHED, Outcome, Stopped, outcome, words
from cpl.study.run.trail import trail
from cpl.study.run.values import MOST_CHARACTERS, ValueTable, copied, same, shortened

DEPTH: Final = 3
"""Levels of calls that are printed, unless told otherwise."""
CALLS_SHOWN: Final = 12
"""Calls that are printed within one."""
_ARGUMENT: Final = 70
_RESULT: Final = 100
"""Characters of an argument and of a result that are printed."""
_FUNCTIONS_LISTED: Final = 4
"""Functions that are named where calls are left out, those with the most calls."""


@dataclass(kw_only=True)
class Call(Outcome):
    """One call of a function, by its CPL name, and the calls that it made.

    Arguments and results are as they were then, whatever was assigned to their members later. `after` are the
    arguments as the call left them, if they hold places (arrays, nodes, references, lists), else empty. If `is_cut`,
    not all inner calls are recorded; `count` counts those that are known, with those they made and this one.
    `variables` are the names and new values of the program's variables that the outermost call changed; whoever records
    the call may set them.
    """

    function: str
    arguments: tuple[Any, ...]
    inner: list["Call"] = field(default_factory=list)
    after: tuple[Any, ...] = ()
    is_cut: bool = False
    count: int = 1
    variables: tuple[tuple[str, Any], ...] = ()

    @property
    def applied(self) -> str:
        """The call as CPL writes it."""
        return f"{self.function}({','.join(map(show, self.arguments))})"

    def nested(self) -> Iterator["Call"]:
        """Yield all calls that were recorded within this one."""
        waiting = [*self.inner]
        while waiting:
            call = waiting.pop()
            yield call
            waiting += call.inner


class CallTree:
    """The calls of a run: those that are `open`, and the outermost ones that have ended."""

    def __init__(self) -> None:
        self.roots: list[Call] = []
        self.open: list[Call] = []

    def end(self) -> None:
        """End the innermost open call, and add it to its caller."""
        call = self.open.pop()
        if not self.open:
            self.roots.append(call)
            return
        caller = self.open[-1]
        caller.inner.append(call)
        caller.count += call.count
        caller.is_cut = caller.is_cut or call.is_cut


def tree_lines(
    root: Call, text: Callable[[Any, int], str], depth: int = DEPTH, function: str | None = None
) -> Iterator[str]:
    """Yield the calls of a run as indented lines, each with its arguments and its result; calls that are too deep, or
    too many within one call, are left out and counted. `text` writes a value of the tree in at most so many characters.

    With a `function`, only its calls and what is in them are printed. The root, an expression, is left out if it is
    nothing but one call.
    """
    if function is not None:
        roots = _calls_of(root, function)
    elif _is_nothing_but_a_call(root):
        roots = root.inner
    else:
        roots = [root]

    waiting: list[tuple[int, Call | str]] = [(0, call) for call in reversed(_first(roots))]
    while waiting:
        level, call = waiting.pop()
        indent = "  " * level
        if isinstance(call, str):
            yield f"{indent}{call}"
            continue

        line = call.function
        if call is not root:
            arguments = [text(argument, _ARGUMENT) for argument in call.arguments]
            line += f"({','.join(arguments)})"
        if call.fault is not None:
            line += f": {shortened(call.fault, MOST_CHARACTERS)}"
        elif call.result is not None:
            line += f" = {text(call.result, _RESULT)}"

        # Inner calls that were not recorded are counted, too: there may be some to mention, and none to print.
        if call.count > 1 and (level + 1 >= depth or not call.inner):
            yield f"{indent}{line}  ({_counted(call.count - 1)} within)"
        else:
            yield f"{indent}{line}"
            waiting += [(level + 1, nested) for nested in reversed(_first(call.inner))]


def _is_nothing_but_a_call(root: Call) -> bool:
    """Whether an expression makes one call, and ends as this does."""
    if len(root.inner) != 1:
        return False
    [call] = root.inner
    return call.fault == root.fault and same(call.result, root.result)


def _calls_of(root: Call, function: str) -> list[Call]:
    """Return the outermost calls of a function, in order."""
    calls = []
    waiting = [root]
    while waiting:
        call = waiting.pop()
        if call.function == function:
            calls.append(call)
        else:
            waiting += reversed(call.inner)
    return calls


def _first(calls: Sequence[Call]) -> list[Call | str]:
    """Return the first of many calls, and a line that counts the others."""
    rest = calls[CALLS_SHOWN:]
    if not rest:
        return [*calls]

    counts = Counter(call.function for call in rest)
    notes = [f"{name} {number:,}" for name, number in counts.most_common(_FUNCTIONS_LISTED)]
    inner_calls = sum(call.count - 1 for call in rest)
    if inner_calls:
        notes.append(f"{_counted(inner_calls)} within")
    return [*calls[:CALLS_SHOWN], f"… {_counted(len(rest))} more ({', '.join(notes)})"]


def _counted(calls: int) -> str:
    return f"{calls:,} {form(calls, 'call')}"


# Compiled functions


def record_call(
    names: dict[str, Any] | ModuleType,
    function: str,
    arguments: Sequence[Any],
    *,
    most: int = MOST_CALLS_RECORDED,
    calls: int = MOST_CALLS,
    seconds: float = RUN_SECONDS,
    deepest: int = DEEPEST_RUN,
    only: Collection[str] = (),
    reads: bool = False,
) -> Call:
    """Run a function of a loaded module, and record the calls of its CPL functions and of its companions'.

    `names` is the module or its namespace, and `function` the name that the function has there. At most `most` calls
    are recorded; the others are run and counted. If `only` has names, only calls of these functions are. The run has no
    input unless it `reads` that of the process.

    This always returns: a run that makes more than `calls` calls, takes more than so many `seconds`, or nests more than
    `deepest` frames, has a fault. Raises KeyError if the module has no such function.
    """
    namespace = vars(names) if isinstance(names, ModuleType) else names
    functions = {
        name: value for name, value in namespace.items() if is_cpl(value, namespace) and (not only or name in only)
    }
    watch = _Watch(most, calls)
    watchers = {value: watch.watcher(value) for value in functions.values()}
    watch.originals = {watcher: value for value, watcher in watchers.items()}

    # The module's functions find each other by its names: with watchers there, inner calls are recorded as well.
    namespace.update({name: watchers[value] for name, value in functions.items()})
    try:
        run = namespace[function]
        watched_arguments = copied(tuple(arguments), _exchange(watchers))
        result = outcome(run, watched_arguments, seconds=seconds, written=watch.written, deepest=deepest, reads=reads)
    finally:
        watch.is_active = False
        for name, value in namespace.items():  # the run may have assigned a watcher to another name
            if isinstance(value, FunctionType):
                namespace[name] = watch.originals.get(value, value)

    if watch.roots:
        return watch.roots[0]
    if result.fault is None:
        raise KeyError(f"{function} is not a CPL function of this module")
    # The run failed before its first call was recorded.
    return Call(function=function, arguments=tuple(arguments), fault=result.fault)


class _Watch(CallTree):
    """A recorder of the calls of some functions. Each is replaced by its watcher: a function that records a call, and
    makes it. What is recorded has the functions themselves in place of their watchers.
    """

    def __init__(self, most: int, most_calls: int) -> None:
        super().__init__()
        self.is_active = True  # watchers may stay in the program's data after the run
        self.written = io.StringIO()
        self.originals: dict[Any, FunctionType] = {}  # by their watchers
        self._records_left = most
        self._most_calls = most_calls
        self._calls_left = most_calls

    def watcher(self, function: FunctionType) -> Callable[..., Any]:
        """Return the watcher of a function."""

        @functools.wraps(function)
        def watcher(*arguments: Any) -> Any:
            return self._call(function, arguments)

        return watcher

    def _call(self, function: FunctionType, arguments: tuple[Any, ...]) -> Any:
        if not self.is_active:
            return function(*arguments)
        self._calls_left -= 1
        if self._calls_left < 0:
            raise Stopped(f"{UNFINISHED}{self._most_calls:,} calls: does it end at all?")
        if self.open and self._records_left <= 0:  # the outermost call is always recorded
            caller = self.open[-1]
            caller.is_cut = True
            caller.count += 1
            return function(*arguments)

        self._records_left -= 1
        call = Call(function=function.__name__, arguments=self._recorded(arguments))
        begin = self.written.tell()
        self.open.append(call)
        try:
            value = function(*arguments)
            call.result = self._recorded(value)
            return value
        except FAULTS as error:
            call.fault = words(error)
            raise
        finally:
            self.written.seek(begin)
            call.written = self.written.read()
            if call.arguments is not arguments:  # a copy was made, so they hold places, which may have changed
                call.after = self._recorded(arguments)
            self.end()

    def _recorded(self, value: Any) -> Any:
        """Copy a value as it is now, without watchers."""
        return copied(value, _exchange(self.originals))


def _exchange(replacements: Mapping[Any, Any]) -> Callable[[Any], Any]:
    """Return a function by which `copied` replaces some functions by others."""

    def exchanged(part: Any) -> Any:
        if isinstance(part, list):  # an empty one, which cannot be looked up: it is not hashable
            return part
        return replacements.get(part, part)

    return exchanged


def is_cpl(value: Any, namespace: dict[str, Any]) -> bool:
    """Whether this is a function that the module itself defines, and not one of cplrt."""
    return isinstance(value, FunctionType) and value.__globals__ is namespace and not value.__name__.startswith("_")


# The interpreter


class Kind(IntEnum):
    """The kind of a step."""

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
    core.Convert,
    core.ConvertParts,
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
"""Expressions that make no step: those whose value can be read where they stand, and conversions, whose number shows
as the value of a variable, or as a result.
"""


class Recorder(CallTree):
    """An observer of the interpreter. `steps` are what it has recorded; the first one calls the function that has the
    expression `title` for its body. In the tree, arguments and results are the numbers of `values`.
    """

    def __init__(self, title: str, source: Source, most_steps: int = MOST_STEPS) -> None:
        super().__init__()
        self.title = title
        self.steps: list[Step] = []
        self.sources = [source]
        self.spans: list[tuple[int, int, int]] = []
        self.functions: list[tuple[str, int, int]] = []  # names, spans, arities
        self.names: list[str] = []
        self.values = ValueTable()
        self._most_steps = most_steps
        self._later_calls = MOST_LATER_CALLS
        self._numbers: dict[Hashable, int] = {}  # of the rows of `spans`, `functions` and `names`, see `_number`
        self._running: list[tuple[core.Expression, bool]] = []  # bodies of functions, and whether the call is recorded

    @property
    def cut(self) -> str | None:
        """A note of what is missing, if the run was too long to be recorded in full."""
        if not self._is_full:
            return None
        note = f"only calls and results are recorded after step {self._most_steps:,}"
        return note if self._later_calls > 0 else f"{note}, and nothing after {MOST_LATER_CALLS:,} more calls"

    def called(self, function: Closure, variables: Variables, span: Span) -> None:
        """Record a call and its arguments."""
        text = function.function
        is_recorded = not self._is_full or self._later_calls > 0
        # Where the result is converted, `evaluated` meets the expression within, and should know it as the body.
        body = text.body.value if isinstance(text.body, core.Convert) else text.body
        self._running.append((body, is_recorded))
        if not is_recorded:
            return

        if self._is_full:
            self._later_calls -= 1
        place = self._span(span) if self.steps else -1  # the first call, of the whole expression, has no place
        number = self._function(function)
        self.steps.append(Step(Kind.CALL, place, number, -1))
        arguments = []
        for parameter in text.parameters:
            value = _content(variables, parameter)
            arguments.append(self._set(parameter, value, parameter.span))
        self.open.append(Call(function=self.functions[number][0], arguments=tuple(arguments)))

    def returned(self, function: Closure, value: Any) -> None:
        """Record a result."""
        body, is_recorded = self._running.pop()
        if is_recorded:
            result = self.values.number(value)
            self.steps.append(Step(Kind.RETURN, self._span(body.span), self._function(function), result))
            self.open[-1].result = result
            self.end()

    def evaluated(self, node: core.Expression, value: Any) -> None:
        """Record the value of an expression; that of a function's body is its result, which `returned` records."""
        if self._is_full or type(node) in _NO_STEPS:
            return
        is_body = self._running and node is self._running[-1][0]
        is_variable = isinstance(node, core.Contents) and isinstance(node.reference, core.Local)  # its SET shows it
        if not is_body and not is_variable:
            self.steps.append(Step(Kind.VALUE, self._span(node.span), -1, self.values.number(value)))

    def changed(self, variable: core.Variable, value: Any, span: Span) -> None:
        """Record what a variable holds now."""
        if not self._is_full:
            self._set(variable, value, span)

    def failed(self, fault: str) -> None:
        """Record how the run ended, and in which function. It may have been stopped while a step was recorded."""
        self._leave_out_unfinished_call()
        span = self._span(self._running[-1][0].span) if self._running else -1
        self.steps.append(Step(Kind.FAULT, span, -1, self.values.intern_text(fault)))

        if not self.roots and not self.open:  # it failed before the first call was recorded
            self.open.append(Call(function=self.title, arguments=()))
        while self.open:
            self.open[-1].fault = fault
            self.end()

    def _leave_out_unfinished_call(self) -> None:
        """Take the last steps back if they are a call without all of its parameters."""
        last_sets = [*takewhile(lambda step: step.kind is Kind.SET, reversed(self.steps))]
        start = len(self.steps) - len(last_sets) - 1
        if start < 0 or self.steps[start].kind is not Kind.CALL:
            return
        _, _, arity = self.functions[self.steps[start].a]
        if len(last_sets) < arity:
            del self.steps[start:]

    @property
    def _is_full(self) -> bool:
        return len(self.steps) >= self._most_steps

    def _set(self, variable: core.Variable, value: Any, span: Span) -> int:
        """Record what a variable holds; return the number of the value."""
        if isinstance(variable, core.Local) and variable.mode == "reference" and isinstance(value, Place):
            _, [value] = value.shown()  # the content of the variable to which the parameter refers
        name = self._number(variable.name, self.names, variable.name)
        number = self.values.number(value)
        self.steps.append(Step(Kind.SET, self._span(span), name, number))
        return number

    def _function(self, function: Closure) -> int:
        """Return the number of a function; the first one is the expression that is evaluated."""
        name = function.__name__ if self.functions else self.title
        text = function.function
        return self._number(id(text), self.functions, (name, self._span(text.span), len(text.parameters)))

    def _span(self, span: Span) -> int:
        """Return the number of a place."""
        if span.source not in self.sources:
            self.sources.append(span.source)
        place = (self.sources.index(span.source), span.start, span.end)
        return self._number(place, self.spans, place)

    def _number(self, key: Hashable, table: list[Any], row: Any) -> int:
        """Return the number of the row with this key in a table; add the row if there is none. One dictionary serves
        all tables, since their keys are of different types: strings, integers and tuples.
        """
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(table)
            table.append(row)
        return number


def _content(variables: Variables, parameter: core.Local) -> Any:
    """Return the value of a parameter as it is now; UNSET if it has none yet."""
    try:
        return variables[parameter].value
    except CplFault:
        return UNSET


@dataclass(kw_only=True)
class Recording(Outcome):
    """A recorded evaluation of an expression in a program.

    `result` is its value, and `fault` what ended the run instead, if something did, with its `place` in the CPL if that
    is known; `written` is what the program wrote until then. `cut` says what is missing of a long run. `str` is the
    tree of calls; a notebook shows the step view.
    """

    title: str
    place: str
    recorder: Recorder
    meaning: Meaning

    def __repr__(self) -> str:
        return f"<Recording of {self.title!r}, steps: {len(self.recorder.steps):,}>"

    def __str__(self) -> str:
        return self.tree()

    _repr_html_ = drawn

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": str(self)}

    @property
    def cut(self) -> str | None:
        """A note of what is missing, if the run was too long to be recorded in full."""
        return self.recorder.cut

    @property
    def called(self) -> list[str]:
        """The names of the functions that were called, in the order of their first calls."""
        return [*dict.fromkeys(name for name, _, _ in self.recorder.functions[1:])]

    def tree(self, *, depth: int = DEPTH, function: str | None = None) -> str:
        """Return the calls with their arguments and results, those within a call below it, to so many levels; what is
        left out is counted. With a `function`, only its calls and what is in them. Raises KeyError if it has none.
        """
        lines = [*tree_lines(self.recorder.roots[0], self.recorder.values.text, depth, function)]
        if not lines:
            raise KeyError(function)
        if self.cut:
            lines.append(f"({self.cut})")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the recording as data for JSON.

        `steps` holds four columns of integers. `kind` is what happens: 0 a function is called, 1 a variable of the
        function that runs is set, 2 an expression has a value, 3 a function returns, 4 the run fails. `span`, `a` (a
        function or a variable) and `b` (a value) are numbers in the tables `spans`, `functions` or `names`, and
        `values`, or −1. The steps after a call set the parameters, of which the function has as many as its arity. A
        span is a source and where in its text it begins and ends; `python_lines` are a source, a line of it, and the
        first and last line of `python` that come from it.

        Raises CplError if the program cannot be compiled.
        """
        recorder = self.recorder
        python, line_map = pipeline.python_text(self.meaning)
        kinds, spans, first, second = zip(*recorder.steps, strict=True)
        return {
            "version": 1,
            "title": self.title,
            "cut": self.cut,
            "result": None if self.fault else recorder.steps[-1].b,
            "fault": self.fault,
            "sources": [{"name": source.name, "cpl": source.text, "lines": {}} for source in recorder.sources],
            "python": python,
            "python_lines": _line_runs(line_map, recorder.sources),
            "spans": [[*span] for span in recorder.spans],
            "functions": [name for name, _, _ in recorder.functions],
            "function_spans": [span for _, span, _ in recorder.functions],
            "arities": [arity for _, _, arity in recorder.functions],
            "names": recorder.names,
            "values": recorder.values.rows,
            "steps": {"kind": [int(kind) for kind in kinds], "span": [*spans], "a": [*first], "b": [*second]},
        }


def _line_runs(line_map: LineMap, sources: Sequence[Source]) -> list[list[int]]:
    """Return runs of lines of Python that come from one line of CPL: the number of its source, the line in it, and the
    first and last line of Python. What comes from other sources is left out.
    """
    runs: list[list[int]] = []
    for number, span in sorted(line_map.items()):
        if span.source not in sources:
            continue
        origin = [sources.index(span.source), span.line]
        if runs and runs[-1][:2] == origin and runs[-1][3] == number - 1:
            runs[-1][3] = number
        else:
            runs.append([*origin, number, number])
    return runs


def trace(
    program: Program,
    call: str,
    *,
    reading: ReadingOption = None,
    libraries: Libraries = (),
    steps: int = MOST_STEPS,
    seconds: float = RECORDING_SECONDS,
) -> Recording:
    """Evaluate an expression in a program, and record every step.

    `program` is a file, a packaged program by its name, a text, or a program that is compiled or loaded already; the
    `call` is an expression as it might stand in it. `reading` and `libraries` are as for `cpl.compile_text`. After so
    many `steps` only calls and results are recorded. A run that takes more than so many `seconds` ends with a fault;
    so does one that goes wrong.

    Raises CplError, also for a mistake in the call, Unreadable, ValueError if the reading is unknown, and TypeError for
    a module that cpl did not load.
    """
    meaning = pipeline.meaning_of(program, Options(reading, libraries), [call])
    return record(meaning, steps=steps, seconds=seconds)


def record(
    meaning: Meaning,
    *,
    steps: int = MOST_STEPS,
    seconds: float = RECORDING_SECONDS,
    reads: bool = False,
    keeps_interrupted: bool = False,
) -> Recording:
    """Record as `trace` does, for a program that was understood with one call. It has no input unless it `reads` that
    of the process. Ctrl-C ends the run with the fault INTERRUPTED if `keeps_interrupted`; else it raises
    KeyboardInterrupt.
    """
    [call] = pipeline.calls(meaning)
    title = " ".join(call.span.text.split())
    recorder = Recorder(title, meaning.main.source, steps)
    places: list[str] = []

    def run() -> Any:
        try:
            interpreter = Interpreter(meaning.core, meaning.library.host)
            interpreter.observer = recorder
            return interpreter.names[f"{CALL}1"]()
        except BaseException as error:
            # The interpreter notes the place in CPL; an error from elsewhere has it only in its traceback.
            places.extend(getattr(error, "__notes__", None) or trail(error))
            if keeps_interrupted and isinstance(error, KeyboardInterrupt):
                raise Stopped(INTERRUPTED) from None
            raise

    result = outcome(run, seconds=seconds, deepest=DEEPEST_RECORDING, reads=reads)
    if result.fault is not None:
        recorder.failed(result.fault)
    return Recording(**vars(result), title=title, place="\n".join(places), recorder=recorder, meaning=meaning)
