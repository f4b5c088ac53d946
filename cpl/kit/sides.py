"""A program made ready for comparison: its meaning in; its functions, to be run again and again as if for the first
time, and the calls that it makes by itself, out.
"""

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import FrameType, FunctionType
from typing import Any, Final

from cplrt import Element, Node
from cplrt.logical import Nil

from cpl import compiler
from cpl.compiler import Meaning
from cpl.kit.guarded import FAULTS, PATIENCE, guarded, words
from cpl.kit.traces import Call, trace
from cpl.kit.values import copied, is_small
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
    """A value holds a node of a type that the program has not got."""


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
        """The program's own functions and its companions', by their Python names."""
        return {name: value for name in self._own if isinstance(value := self._pristine[name], FunctionType)}

    @cached_property
    def python_names(self) -> dict[str, str]:
        """The Python names of the functions by their CPL names."""
        return {function.__name__: name for name, function in self.functions.items()}

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
            for name in self._own
            if not isinstance(value := self._pristine[name], FunctionType | type | Element)
        }

    @cached_property
    def types(self) -> dict[str, type[Node]]:
        """The types of nodes that it defines."""
        kinds = {name: value for name, value in self._pristine.items() if isinstance(value, type)}
        return {name: kind for name, kind in kinds.items() if issubclass(kind, Node) and kind is not Node}

    @property
    def _own(self) -> Iterator[str]:
        module = Module(self.meaning.core)
        for definition in self.meaning.core.definitions:
            for name in within.names(definition):
                if isinstance(name, core.Global) and name.origin == "" and module.name(name) in self._pristine:
                    yield module.name(name)

    def run(self, function: str, arguments: Sequence[Any], *, most: int, calls: int, seconds: float = PATIENCE) -> Call:
        """Apply a function, with variables and arrays as they were after loading. Raises Foreign."""
        if self._has_places:
            self.names.update(zip(self._pristine, copied(tuple(self._pristine.values())), strict=True))
        else:
            self.names.update(self._pristine)
        return trace(self.names, function, self.own(arguments), most=most, calls=calls, seconds=seconds)

    def own(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """The same values with nodes of this program's own types, and NIL as it is read here. Raises Foreign."""
        made: tuple[Any, ...] = copied(tuple(arguments), self._exchanged)
        return made

    def _exchanged(self, part: Any) -> Any:
        match part:
            case list():
                return Nil() if self.meaning.main.reading.nil == "zero" else []
            case type() if issubclass(part, Node):
                kind = self.types.get(part.__name__)
                if kind is None or kind.__slots__ != part.__slots__:
                    raise Foreign(f"there is no {part.__name__}")
                return kind
            case Element():
                return self.names.get(part.__name__, part)
            case _:
                return part


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
