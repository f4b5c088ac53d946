"""A program that is loaded once and run again and again: a run does not see what earlier ones assigned.

`load` executes a program's commands, and remembers the calls that they make. `LoadedProgram.run` then applies one
function, also to values of another program, such as those on which two programs are compared.
"""

import functools
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import CellType, FrameType, FunctionType
from typing import Any, cast

from cplrt import Element, Node
from cplrt.logical import Nil

from cpl.compiler import pipeline
from cpl.compiler.pipeline import Meaning
from cpl.compiler.python.execute import AS_FAULT
from cpl.compiler.python.names import Module
from cpl.compiler.semantics import core, walk
from cpl.limits import LOADING_SECONDS, MOST_CALLS_REMEMBERED, MOST_VALUES_REMEMBERED, RUN_SECONDS
from cpl.study.run.limited import Outcome, outcome
from cpl.study.run.record import Call, is_cpl, record_call
from cpl.study.run.values import copied, is_small, same


class ForeignValue(Exception):
    """A value holds a node of a type, or a function, that the program does not have."""


class LoadedProgram:
    """A program whose `commands` have been executed. If that ended with a fault, some definitions may be missing.

    `names` are those of the module, with their values. `first_calls` are the calls that the commands made. Of what the
    program and its companions define, `functions` are their own (a function of cplrt under another name is a constant:
    what it does is known), `types` are those of nodes, and `constants` are the other values, as the commands have left
    them. All of these go by their CPL names, and `python_names` has those of the module for them.
    """

    def __init__(
        self, meaning: Meaning, names: dict[str, Any], commands: Outcome, first_calls: list[tuple[str, tuple[Any, ...]]]
    ) -> None:
        self.meaning = meaning
        self.names = names
        self.commands = commands
        self.first_calls = first_calls
        self._pristine = dict(names)
        self.python_names = _python_names(meaning, names)
        self.functions: dict[str, FunctionType] = {}
        self.types: dict[str, type[Node]] = {}
        self.constants: dict[str, Any] = {}
        for name, python in self.python_names.items():
            value = names[python]
            if is_cpl(value, names):
                self.functions[name] = value
            elif not isinstance(value, type | Element):
                self.constants[name] = value
            elif isinstance(value, type) and issubclass(value, Node):
                self.types[name] = value
        self._by_name = {  # functions and types, the library's too
            value.__name__: value
            for value in names.values()
            if isinstance(value, type | Element) or is_cpl(value, names)
        }

    def arity(self, function: str) -> int:
        """Return how many arguments a function takes."""
        return self.functions[function].__code__.co_argcount

    def run(
        self,
        function: str,
        arguments: Sequence[Any],
        variables: Sequence[str] = (),
        *,
        most: int,
        calls: int,
        seconds: float = RUN_SECONDS,
    ) -> Call:
        """Apply a function, with variables and arrays as they are now, and record which of these variables it leaves
        with other values than they had after loading. Raises ForeignValue.
        """
        python = self.python_names[function]
        call = record_call(self.names, python, self._translated(arguments), most=most, calls=calls, seconds=seconds)
        changed = []
        for name in variables:
            value = self.names[self.python_names[name]]
            if not same(value, self.constants[name]):
                changed.append((name, copied(value)))
        call.variables = tuple(changed)
        return call

    def reset(self) -> None:
        """Put variables and arrays back as they were after loading."""
        values = copied(tuple(self._pristine.values()))
        self.names.update(zip(self._pristine, values, strict=True))

    def _translated(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Copy values with nodes of this program's own types and its own functions of the same names, and NIL as it is
        read here. Closures keep their code, which may be another program's, and get variables of their own. Raises
        ForeignValue.
        """
        cells: dict[int, CellType] = {}  # copies of the variables that closures share, by the original's identity

        def exchange(part: Any) -> Any:
            match part:
                case list():  # an empty one
                    return Nil() if self.meaning.main.reading.nil == "zero" else []
                case FunctionType(__closure__=tuple(captured)) if _is_written_in_cpl(part):
                    return closure_copy(part, captured)
                case FunctionType() if _is_written_in_cpl(part) and "<" not in part.__qualname__:  # of the top level
                    return self._own(part)
                case Element():
                    return self._own(part)
                case type() if issubclass(part, Node):
                    return self._own(part)
                case _:
                    return part

        def closure_copy(function: FunctionType, captured: tuple[CellType, ...]) -> FunctionType:
            copies = [cell_copy(cell) for cell in captured]
            copy = FunctionType(
                function.__code__, function.__globals__, function.__name__, function.__defaults__, tuple(copies)
            )
            functools.update_wrapper(copy, function)
            return copy

        def cell_copy(cell: CellType) -> CellType:
            if id(cell) not in cells:
                cells[id(cell)] = CellType()  # before its contents, which may lead back to it
                with suppress(ValueError):  # it has no value yet
                    cells[id(cell)].cell_contents = copied(cell.cell_contents, exchange)
            return cells[id(cell)]

        return cast(tuple[Any, ...], copied(tuple(arguments), exchange))

    def _own(self, value: Any) -> Any:
        """Return the function or type of this program that has the same name. Raises ForeignValue."""
        own = self._by_name.get(value.__name__)
        if type(own) is not type(value) or getattr(own, "__slots__", ()) != getattr(value, "__slots__", ()):
            raise ForeignValue
        return own


def _python_names(meaning: Meaning, names: dict[str, Any]) -> dict[str, str]:
    """Return the names in the module of all that a program and its companions define, by the CPL names."""
    module = Module(meaning.core)
    python_names = {}
    for definition in meaning.core.definitions:
        for name in walk.names(definition):
            if isinstance(name, core.Global) and name.origin == "" and module.name(name) in names:
                python_names[name.name] = module.name(name)
    return python_names


def _is_written_in_cpl(function: FunctionType) -> bool:
    return AS_FAULT in function.__globals__


def load(meaning: Meaning) -> LoadedProgram:
    """Execute a program; nothing is printed, and a fault is part of the result. Raises CplError for a text with errors.

    The calls of CPL functions that it makes are remembered, and so are the names of the module: a program that ends
    early returns no module.
    """
    names: dict[str, Any] = {}
    calls: list[tuple[str, tuple[Any, ...]]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal names
        code = frame.f_code
        if event != "call" or AS_FAULT not in frame.f_globals or len(calls) >= MOST_CALLS_REMEMBERED:
            return
        names = frame.f_globals
        if code.co_name == code.co_qualname != "<module>":  # a function of the top level
            parameters = code.co_varnames[: code.co_argcount]
            arguments = tuple(frame.f_locals[name] for name in parameters)
            if is_small(arguments, MOST_VALUES_REMEMBERED):
                calls.append((code.co_name, copied(arguments)))

    executable = pipeline.executable_of(meaning)  # the limit is the program's, not the compiler's
    profile = sys.getprofile()
    sys.setprofile(note)
    try:
        result = outcome(executable.module, seconds=LOADING_SECONDS)
    finally:
        sys.setprofile(profile)
    commands = Outcome(None, result.fault if result.is_failed else None, result.written)
    functions = {name: value.__name__ for name, value in names.items() if is_cpl(value, names)}
    first_calls = [(functions[name], arguments) for name, arguments in calls if name in functions]
    return LoadedProgram(meaning, names, commands, first_calls)
