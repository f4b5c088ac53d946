"""A recorded run: the tree of its calls, made while compiled functions or the interpreter run.

Compiled functions are wrapped one by one (`record_call`): the tree holds copies of all arguments and results, so that
two programs can be compared. The interpreter is observed step by step (`trace`): the step view and `cpl trace` show
every step. All values of such a run are in one table, and its tree holds their numbers in this table.

Of `Fact(n) = n = 0 → 1, n*Fact(n-1)`, for example, `str(trace(…, "Fact(2)"))` is

    Fact(2) = 2
      Fact(1) = 1
        Fact(0) = 1
"""

import functools
import io
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from cplrt import CplFault, show
from cplrt.arrays import UNSET
from cplrt.references import Place

from cpl.compiler import pipeline
from cpl.compiler.pipeline import Libraries, Meaning, Options, Program
from cpl.compiler.python.emit import LineMap
from cpl.compiler.readings import ReadingOption
from cpl.compiler.semantics import core
from cpl.compiler.semantics.interpreter import Closure, Interpreter, Variables
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
"""Calls that are printed of those that one call has made."""
_ARGUMENT_CHARACTERS: Final = 70
_RESULT_CHARACTERS: Final = 100
_FUNCTIONS_LISTED: Final = 4
"""Functions that are named where calls are left out, those with the most calls."""


@dataclass(kw_only=True)
class Call(Outcome):
    """One call of a function, by its CPL name, and the calls that it made.

    Arguments and results are as they were then, whatever was assigned to their members later. `after` are the
    arguments as the call left them, if they hold places (arrays, nodes, references, lists), else empty. `count` is the
    number of calls that were made, from this one down to those deepest within it. If `is_cut`, some of them are counted
    only, or not even that. `variables` are the names and new values of the program's variables that the outermost call
    changed; they are set by those who compare programs, as only they know the variables.
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
    too many within one call, are left out and counted. `text` writes what the tree holds of a value, be it the value or
    its number, in at most so many characters.

    With a `function`, only its calls and what is in them are printed. The root stands for the whole run: its name is
    the expression that was evaluated, and it has no arguments. It is left out if the expression is nothing but a call.
    """
    if function is not None:
        roots = _calls_of(root, function)
    elif _is_nothing_but_a_call(root):
        roots = root.inner
    else:
        roots = [root]

    # A stack of calls, and of notes in place of calls that are left out, each with its level. The first one is on top.
    waiting: list[tuple[int, Call | str]] = [(0, entry) for entry in reversed(_first(roots))]
    while waiting:
        level, entry = waiting.pop()
        indent = "  " * level
        if isinstance(entry, str):
            yield f"{indent}{entry}"
            continue

        line = entry.function
        if entry is not root:
            arguments = [text(argument, _ARGUMENT_CHARACTERS) for argument in entry.arguments]
            line += f"({','.join(arguments)})"
        if entry.fault is not None:
            line += f": {shortened(entry.fault, MOST_CHARACTERS)}"
        elif entry.result is not None:
            line += f" = {text(entry.result, _RESULT_CHARACTERS)}"

        # Inner calls are not printed if they are too deep, or if none of them was recorded.
        inner_calls = entry.count - 1
        is_last_level = level + 1 >= depth
        if inner_calls > 0 and (is_last_level or not entry.inner):
            yield f"{indent}{line}  ({_counted(inner_calls)} within)"
        else:
            yield f"{indent}{line}"
            waiting += [(level + 1, nested) for nested in reversed(_first(entry.inner))]


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
    functions: dict[str, FunctionType] = {}
    for name, value in namespace.items():
        is_watched = not only or name in only
        if is_watched and is_cpl(value, namespace):
            functions[name] = value
    watch = _Watch(functions.values(), most_records=most, most_calls=calls)

    # The module's functions find each other by its names: with watchers there, inner calls are recorded as well.
    namespace.update({name: watch.watchers[value] for name, value in functions.items()})
    try:
        run = namespace[function]
        # A function among the arguments is watched as well. The caller's own arguments stay as they are.
        watched_arguments = copied(tuple(arguments), _exchange(watch.watchers))
        result = outcome(run, watched_arguments, seconds=seconds, written=watch.written, deepest=deepest, reads=reads)
    finally:
        watch.is_active = False
        for name, value in namespace.items():  # the run may have assigned a watcher to another name
            if isinstance(value, FunctionType):
                namespace[name] = watch.originals.get(value, value)

    if watch.roots:
        return watch.roots[0]
    if result.fault is None:  # it ran, but it has no watcher
        raise KeyError(f"{function} is not a CPL function of this module")
    # The run failed before its first call was recorded.
    return Call(function=function, arguments=tuple(arguments), fault=result.fault)


class _Watch(CallTree):
    """A recorder of the calls of some functions. Each has a watcher: a function that records a call, and makes it.

    After `most_records` calls the others are only counted, and after `most_calls` the run is stopped. What is recorded
    has the functions themselves in place of their watchers.
    """

    def __init__(self, functions: Iterable[FunctionType], *, most_records: int, most_calls: int) -> None:
        super().__init__()
        self.is_active = True  # watchers may stay in the program's data after the run
        self.written = io.StringIO()
        self.watchers = {function: self._watcher(function) for function in functions}
        self.originals = {watcher: function for function, watcher in self.watchers.items()}
        self._most_calls = most_calls
        self._calls_left = most_calls
        self._records_left = most_records

    def _watcher(self, function: FunctionType) -> Callable[..., Any]:
        """Return the watcher of a function."""

        @functools.wraps(function)
        def watcher(*arguments: Any) -> Any:
            return self._call(function, arguments)

        return watcher

    def _call(self, function: FunctionType, arguments: tuple[Any, ...]) -> Any:
        """Make a call, and record it."""
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
        begin = self.written.tell()  # where the output of this call begins
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
            call.written = self.written.read()  # to the end, where the next output belongs
            if call.arguments is not arguments:  # a copy was made, so they hold places, which may have changed
                call.after = self._recorded(arguments)
            self.end()

    def _recorded(self, value: Any) -> Any:
        """Copy a value as it is now, without watchers."""
        return copied(value, _exchange(self.originals))


def _exchange(replacements: Mapping[Any, Any]) -> Callable[[Any], Any]:
    """Return a function by which `copied` replaces some functions by others."""

    def exchanged(part: Any) -> Any:
        # `copied` asks for functions, types and empty lists. Lists are not hashable, so they cannot be looked up.
        if isinstance(part, list):
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
    """Function `a` is applied at the place; a SET for each of its parameters follows."""
    SET = 1
    """The variable `a` of the function that runs has the value `b` now."""
    VALUE = 2
    """The expression at the place has the value `b`."""
    RETURN = 3
    """Function `a`, whose body is the place, has the result `b`."""
    FAULT = 4
    """The run ends, in the function whose body is the place; the value `b` is a text that says why."""


_NONE: Final = -1
"""The number of what a step has not: a place, a function or a variable, or a value."""


class Step(NamedTuple):
    """One step.

    `span` is the number of a place. `a` is the number of a function or of the name of a variable, and `b` that of a
    value, as `kind` says. They count the rows of the tables of the recorder.
    """

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
"""Expressions that make no step: those whose value can be read where they stand, and conversions: the number that they
give is seen in the next step, as the value of a variable or as a result.
"""


class Recorder(CallTree):
    """An observer of the interpreter. `steps` are what it has recorded, and the other lists are the tables in which its
    numbers count. The first step calls a function that has no parameters, and the expression `title` for its body. In
    the tree, arguments and results are numbers in the table `values`.
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
        self._later_calls_left = MOST_LATER_CALLS
        self._numbers: dict[Hashable, int] = {}  # of the rows of `spans`, `functions` and `names`, see `_number`
        self._running: list[tuple[core.Expression, bool]] = []  # bodies of functions, and whether the call is recorded

    @property
    def cut(self) -> str | None:
        """A note of what is missing, if the run was too long to be recorded in full."""
        if not self._is_full:
            return None
        note = f"only calls and results are recorded after step {self._most_steps:,}"
        return note if self._later_calls_left > 0 else f"{note}, and nothing after {MOST_LATER_CALLS:,} more calls"

    def called(self, function: Closure, variables: Variables, span: Span) -> None:
        """Record a call and its arguments."""
        definition = function.function
        is_recorded = not self._is_full or self._later_calls_left > 0
        # Where the result is converted, `evaluated` meets the expression within, and should know it as the body.
        body = definition.body
        if isinstance(body, core.Convert):
            body = body.value
        self._running.append((body, is_recorded))
        if not is_recorded:
            return

        if self._is_full:
            self._later_calls_left -= 1
        place = self._span(span) if self.steps else _NONE  # the first call, of the whole expression, has no place
        number = self._function(function)
        self.steps.append(Step(Kind.CALL, place, number, _NONE))
        arguments = []
        for parameter in definition.parameters:
            value = _content(variables, parameter)
            arguments.append(self._set(parameter, value, parameter.span))
        name, _, _ = self.functions[number]
        self.open.append(Call(function=name, arguments=tuple(arguments)))

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
            self.steps.append(Step(Kind.VALUE, self._span(node.span), _NONE, self.values.number(value)))

    def changed(self, variable: core.Variable, value: Any, span: Span) -> None:
        """Record what a variable holds now."""
        if not self._is_full:
            self._set(variable, value, span)

    def failed(self, fault: str) -> None:
        """Record how the run ended, and in which function. It may have been stopped while a step was recorded."""
        self._leave_out_unfinished_call()
        place = _NONE
        if self._running:
            body, _ = self._running[-1]
            place = self._span(body.span)
        self.steps.append(Step(Kind.FAULT, place, _NONE, self.values.intern_text(fault)))

        if not self.roots and not self.open:  # it failed before the first call was recorded
            self.open.append(Call(function=self.title, arguments=()))
        while self.open:
            self.open[-1].fault = fault
            self.end()

    def _leave_out_unfinished_call(self) -> None:
        """Take the last steps back if they are a call without all of its parameters."""
        last = len(self.steps) - 1  # will be the last step that is not a SET
        while last >= 0 and self.steps[last].kind is Kind.SET:
            last -= 1
        if last < 0 or self.steps[last].kind is not Kind.CALL:
            return
        _, _, arity = self.functions[self.steps[last].a]
        sets = len(self.steps) - 1 - last
        if sets < arity:
            del self.steps[last:]

    @property
    def _is_full(self) -> bool:
        return len(self.steps) >= self._most_steps

    def _set(self, variable: core.Variable, value: Any, span: Span) -> int:
        """Record what a variable holds; return the number of the value."""
        if isinstance(variable, core.Local) and variable.mode == "reference" and isinstance(value, Place):
            # The content of the variable to which the parameter refers; UNSET if it has none, when `.value` would fail.
            _, [value] = value.shown()
        name = self._number(variable.name, self.names, variable.name)
        number = self.values.number(value)
        self.steps.append(Step(Kind.SET, self._span(span), name, number))
        return number

    def _function(self, function: Closure) -> int:
        """Return the number of a function. The first one is named after the expression that is evaluated."""
        is_first = not self.functions
        name = self.title if is_first else function.__name__
        definition = function.function
        row = (name, self._span(definition.span), len(definition.parameters))
        return self._number(id(definition), self.functions, row)

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

    # A notebook shows the HTML. Where it can show only text, that is the tree, as `repr` is one line.
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
        """Return the calls with their arguments and results as indented lines, `depth` levels of them; what is left out
        is counted. With a `function`, only its calls and what is in them. Raises KeyError if it was never called.
        """
        lines = [*tree_lines(self.recorder.roots[0], self.recorder.values.text, depth, function)]
        if not lines:
            raise KeyError(function)
        if self.cut:
            lines.append(f"({self.cut})")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the recording as data for JSON.

        `steps` holds four columns of integers:

            kind    0 a function is called, 1 a variable of the function that runs is set, 2 an expression has a value,
                    3 a function returns, 4 the run fails
            span    the place, a row of `spans`: the number of a source, and where in its text the place begins and ends
            a       if a function is called or returns, a row of `functions`, `function_spans` and `arities`; if a
                    variable is set, a row of `names`
            b       the value, a row of `values`

        −1 stands for none. The steps after a call set the parameters, of which the function has as many as its arity.
        A row of `python_lines` is the number of a source, a line of it, and the first and last line of `python` that
        come from it.

        Raises CplError if the program cannot be compiled.
        """
        recorder = self.recorder
        # Every source has `lines`, which is empty since `python_lines` replaced it: readers of version 1 may expect it.
        sources = [{"name": source.name, "cpl": source.text, "lines": {}} for source in recorder.sources]
        python, line_map = pipeline.python_text(self.meaning)
        kinds, step_spans, a_column, b_column = zip(*recorder.steps, strict=True)
        return {
            "version": 1,
            "title": self.title,
            "cut": self.cut,
            "result": None if self.fault else recorder.steps[-1].b,
            "fault": self.fault,
            "sources": sources,
            "python": python,
            "python_lines": _line_runs(line_map, recorder.sources),
            "spans": [[*span] for span in recorder.spans],
            "functions": [name for name, _, _ in recorder.functions],
            "function_spans": [span for _, span, _ in recorder.functions],
            "arities": [arity for _, _, arity in recorder.functions],
            "names": recorder.names,
            "values": recorder.values.rows,
            "steps": {
                "kind": [int(kind) for kind in kinds],
                "span": [*step_spans],
                "a": [*a_column],
                "b": [*b_column],
            },
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
        if runs:
            *last_origin, _, last_number = runs[-1]
            if last_origin == origin and last_number == number - 1:
                runs[-1][-1] = number
                continue
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
    many `steps` only calls and results are recorded. A run that fails, or takes more than so many `seconds`, is
    recorded up to there, and its `fault` says why it ended.

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
            return interpreter.names[call.name.name]()
        except BaseException as error:
            # The interpreter notes the place in CPL; an error from elsewhere has it only in its traceback.
            notes = getattr(error, "__notes__", [])
            places.extend(notes or trail(error))
            if keeps_interrupted and isinstance(error, KeyboardInterrupt):
                raise Stopped(INTERRUPTED) from None
            raise

    result = outcome(run, seconds=seconds, deepest=DEEPEST_RECORDING, reads=reads)
    if result.fault is not None:
        recorder.failed(result.fault)
    return Recording(
        result=result.result,
        fault=result.fault,
        written=result.written,
        title=title,
        place="\n".join(places),
        recorder=recorder,
        meaning=meaning,
    )
