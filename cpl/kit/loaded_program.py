"""A program made ready for comparison: its meaning in; its functions, to be run again and again as if for the first
time, and the calls that it makes by itself, out.
"""

import functools
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from types import CellType, FrameType, FunctionType
from typing import Any, Final

from cplrt import Element, Node
from cplrt.logical import Nil

from cpl import compiler
from cpl.compiler import Meaning
from cpl.kit.limits import FAULTS, PATIENCE, guarded, words
from cpl.kit.traces import Call, trace
from cpl.kit.values import copied, is_small, same
from cpl.python.names import Module
from cpl.semantics import core, within
from cpl.semantics.library import Text

LOADING: Final = 10.0
"""Seconds that the commands of a program may take."""

MOST_HARVESTED: Final = 5_000
"""Calls that are remembered of those that the program makes while it is loaded."""


MOST_WITHIN: Final = 200
"""Values within the arguments of such a call; those of others are not remembered."""


class Foreign(Exception):
    """A value holds a node of a type, or a function, that the program has not got."""


@dataclass(frozen=True)
class Harvested:
    """A call that was made while a program ran: the function by its Python name."""

    function: str
    arguments: tuple[Any, ...]


@dataclass
class Side:
    """A loaded program. `written` and `fault` say what came of its own commands; if there is a fault, not all that it
    defines may be there.
    """

    meaning: Meaning
    names: dict[str, Any] = field(default_factory=dict, repr=False)
    written: str = ""
    fault: str | None = None
    first_calls: list[Harvested] = field(default_factory=list, repr=False)
    _pristine: dict[str, Any] = field(default_factory=dict, repr=False)
    _has_places: bool = False

    @property
    def texts(self) -> tuple[Text, ...]:
        """The program and what belongs to it, the standard library apart."""
        return texts(self.meaning)

    @cached_property
    def functions(self) -> dict[str, FunctionType]:
        """The program's own functions and its companions', by their Python names. One of cplrt under another name is
        none, but a constant: what it does is known.
        """
        return {name: value for name in self.cpl_names if self._is_function(value := self._pristine[name])}

    @cached_property
    def python_names(self) -> dict[str, str]:
        """The Python names of the functions by their CPL names."""
        return {self.cpl_names[name]: name for name in self.functions}

    @property
    def parameters(self) -> dict[str, tuple[str, ...]]:
        """What the parameters of the functions are called, by the functions' CPL names."""
        functions = (one for one in self.meaning.core.definitions if isinstance(one, core.Function))
        return {one.name.name: tuple([local.name for local in one.parameters]) for one in functions}

    @cached_property
    def constants(self) -> dict[str, Any]:
        """The program's other values, as its commands have left them, by their Python names."""
        return {
            name: value
            for name in self.cpl_names
            if not isinstance(value := self._pristine[name], type | Element) and not self._is_function(value)
        }

    @cached_property
    def types(self) -> dict[str, type[Node]]:
        """The types of nodes that it defines."""
        kinds = {name: value for name, value in self._pristine.items() if isinstance(value, type)}
        return {name: kind for name, kind in kinds.items() if issubclass(kind, Node) and kind is not Node}

    @cached_property
    def cpl_names(self) -> dict[str, str]:
        """What the program and its companions define, as far as it is there: the CPL names by the Python names."""
        module = Module(self.meaning.core)
        return {
            module.name(name): name.name
            for definition in self.meaning.core.definitions
            for name in within.names(definition)
            if isinstance(name, core.Global) and name.origin == "" and module.name(name) in self._pristine
        }

    @cached_property
    def _named(self) -> dict[str, FunctionType]:
        """The functions of the module, the library's too, by the names that they go by."""
        return {value.__name__: value for value in self._pristine.values() if self._is_function(value)}

    def _is_function(self, value: Any) -> bool:
        return isinstance(value, FunctionType) and value.__globals__ is self.names

    def run(self, function: str, arguments: Sequence[Any], *, most: int, calls: int, seconds: float = PATIENCE) -> Call:
        """Apply a function, with variables and arrays as they are now. Raises Foreign."""
        return trace(self.names, function, self.own(arguments), most=most, calls=calls, seconds=seconds)

    def begin_again(self) -> None:
        """Put variables and arrays back as they were after loading."""
        if self._has_places:
            self.names.update(zip(self._pristine, copied(tuple(self._pristine.values())), strict=True))
        else:
            self.names.update(self._pristine)

    def left(self, names: Sequence[str]) -> tuple[tuple[str, Any], ...]:
        """Those of these variables that have other values now than after loading, by their CPL names."""
        values = [(name, self.names[name]) for name in names]
        changed = [(name, value) for name, value in values if not same(value, self._pristine[name])]
        return tuple([(self.cpl_names[name], copied(value)) for name, value in changed])

    def own(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """The same values with nodes of this program's own types and its own functions of the same names, and NIL as it
        is read here. Functions within others stay what they are, with variables of their own. Raises Foreign.
        """
        cells: dict[int, CellType] = {}
        made: tuple[Any, ...] = copied(tuple(arguments), lambda part: self._exchanged(part, cells))
        return made

    def _exchanged(self, part: Any, cells: dict[int, CellType]) -> Any:
        match part:
            case list():
                return Nil() if self.meaning.main.reading.nil == "zero" else []
            case type() if issubclass(part, Node):
                kind = self.types.get(part.__name__)
                if kind is None or kind.__slots__ != part.__slots__:
                    raise Foreign(f"there is no {part.__name__}")
                return kind
            case FunctionType() if _is_written_in_cpl(part) and "<" not in part.__qualname__:
                if part.__name__ not in self._named:
                    raise Foreign(f"there is no function {part.__name__}")
                return self._named[part.__name__]
            case FunctionType(__closure__=tuple(variables)) if _is_written_in_cpl(part):
                for cell in variables:
                    self._copy_cell(cell, cells)
                closure = tuple([cells[id(cell)] for cell in variables])
                made = FunctionType(part.__code__, part.__globals__, part.__name__, part.__defaults__, closure)
                return functools.update_wrapper(made, part)
            case Element():
                return self.names.get(part.__name__, part)
            case _:
                return part

    def _copy_cell(self, cell: CellType, cells: dict[int, CellType]) -> None:
        """A variable that functions within others use: they all get the same new one."""
        if id(cell) not in cells:
            cells[id(cell)] = CellType()
            with suppress(ValueError):  # it has no value yet
                cells[id(cell)].cell_contents = copied(cell.cell_contents, lambda part: self._exchanged(part, cells))


def _is_written_in_cpl(function: FunctionType) -> bool:
    return "_faults" in function.__globals__


def texts(meaning: Meaning) -> tuple[Text, ...]:
    """The texts of a program's unit, in the order in which they are asked for a name."""
    return (meaning.main, *meaning.library.libraries, *meaning.library.companions)


def load(meaning: Meaning) -> Side:
    """Execute a program; what it writes is kept, what goes wrong is said."""
    side = Side(meaning)
    written = io.StringIO()
    with guarded(LOADING, written) as clock, _harvesting(side):
        try:
            clock.running = True
            try:
                compiler.execute(meaning)
            finally:
                clock.running = False
        except SystemExit:  # it finishes, and all is well
            pass
        except FAULTS as error:
            side.fault = words(error)
    side.written = written.getvalue()
    side._pristine = dict(side.names)
    values = [value for name, value in side._pristine.items() if not name.startswith("__")]
    side._has_places = any(copied(value) is not value for value in values)
    return side


@contextmanager
def _harvesting(side: Side) -> Iterator[None]:
    """Remember the calls of CPL functions that are made within, and where the names of the module are: those of one
    that finishes are nowhere else to be had.
    """
    before = sys.getprofile()
    seen = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal seen
        code = frame.f_code
        if event != "call" or "_faults" not in frame.f_globals or seen >= MOST_HARVESTED:
            return
        side.names = frame.f_globals
        if code.co_name == code.co_qualname != "<module>":
            seen += 1
            values = frame.f_locals
            arguments = tuple([values[name] for name in code.co_varnames[: code.co_argcount]])
            if is_small(arguments, MOST_WITHIN):
                side.first_calls.append(Harvested(code.co_name, copied(arguments)))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)
