"""What the functions of a library share: their names and forms, the types, strings and constants that they need."""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final

from cpl.fast.c.declarations import Declarations
from cpl.fast.c.representation import (
    TEXT,
    Cannot,
    Form,
    bind,
    declared,
    form_of,
    loosened,
    stays_in_c,
)
from cpl.fast.c.values import Value, plain
from cpl.python.names import fresh
from cpl.records import dataclass, field, replace
from cpl.semantics import core
from cpl.types.facts import Facts
from cpl.types.types import FunctionOf, ListOf, Type, Unknown, all_parts

RESERVED: Final = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false
    whole truth text nil number real start deepest leave first now total take given answer words block mark fits
    add subtract multiply negative left right shift power exact divide defined rounded entier quotient kept stopped
    noted stop watch unwatch
    y0 y1 yn j0 j1 jn gamma index time INFINITY NAN NULL
    sin cos atan exp log sqrt pow floor abs div free malloc exit signal raise
    """.split()
)


@dataclass(frozen=True)
class Signature:
    """The C name of a function, and the forms of its parameters and its result. Before its parameters it gets the
    variables `captured`: those that change by their places.
    """

    name: str
    parameters: tuple[Form, ...]
    result: Form
    captured: tuple[core.Local, ...] = ()


Instance = tuple[core.Global, tuple[Form, ...]]
"""A function of the top level, for these parameters if it takes values of any type; or a constant that C makes."""


@dataclass
class Unit:
    """The functions of a library by their names, and what they need. The members of lists of the types `assigned` may
    be assigned.
    """

    facts: Facts
    names: Callable[[core.Global], str]
    functions: Mapping[core.Global, core.Function]
    definitions: Mapping[core.Global, core.Constants]
    assigned: Set[Type]
    types: Declarations
    strings: dict[str, str] = field(default_factory=dict)
    constants: dict[core.Global, Form] = field(default_factory=dict)
    makers: dict[core.Global, core.Function] = field(default_factory=dict)
    instances: dict[Instance, Signature] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def instance(self, name: core.Global, arguments: Sequence[Value]) -> Instance:
        """The function that is applied to these arguments. Raises Cannot."""
        function = self.functions[name]
        if function.captured or name.is_changing:
            raise Cannot("it is a value that changes")
        *types, result = self.parts(name, function)
        if len(types) != len(arguments):
            raise Cannot("a function has other parameters")
        letters: dict[str, Form] = {}
        for type, argument in zip(types, arguments, strict=True):
            if any(isinstance(part, Unknown) and part.letter for part in all_parts(type)):
                bind(type, loosened(argument.form), letters)
        signature = self.signature(self.names(name), function, types, result, letters)
        instance = name, signature.parameters if letters else ()
        if instance not in self.instances:
            if len(self.instances) > _MOST_INSTANCES:
                raise Cannot("it is applied to values of very many types")
            self.instances[instance] = replace(signature, name=self.fresh(signature.name))
        return instance

    def signature(
        self,
        name: str,
        function: core.Function | core.LetFunction,
        types: Sequence[Type],
        result: Type,
        letters: Mapping[str, Form],
    ) -> Signature:
        """The forms of a function's parameters and its result, as they are declared or of these types."""
        parameters = [
            declared(parameter, form_of(type, letters))
            for parameter, type in zip(function.parameters, types, strict=True)
        ]
        gives = core.Local("its result", 0, function.result, span=function.span)
        return Signature(name, tuple(parameters), declared(gives, form_of(result, letters)))

    def fresh(self, wanted: str) -> str:
        """A name that no function has yet."""
        name = wanted if wanted not in self.taken else fresh(f"{wanted}_again", self.taken)
        self.taken.add(name)
        return name

    def parts(self, name: core.Global | core.Local, definition: core.Function) -> Sequence[Type]:
        """The types of the parameters of a function, and of its result. Raises Cannot."""
        type = self.facts.type_of(name, definition)
        if not isinstance(type, FunctionOf):
            raise Cannot("its type is not known")
        return type.parts

    def constant(self, name: core.Global, uses: set[Instance]) -> Value:
        """A constant of the program. Python gives it to the library; one that holds a function is made in C."""
        if name.is_changing or name not in self.definitions:
            raise Cannot(f"{name.name} is no constant of C")
        definition = self.definitions[name]
        type = self.facts.type_of(name, definition)
        form = form_of(type)
        if type and self._may_be_assigned(type):
            raise Cannot(f"members of {name.name} may be assigned")
        self.types.name(form)
        if not stays_in_c(form):
            self.constants[name] = form
            return plain(self.names(name), form)
        if not isinstance(definition.target, core.Global):
            raise Cannot(f"{name.name} is no constant of C")
        self.makers[name] = core.Function(name, (), definition.value, span=definition.span)
        if (name, ()) not in self.instances:
            self.instances[name, ()] = Signature(self.fresh(f"make_{self.names(name)}"), (), form)
        uses.add((name, ()))
        return plain(self.names(name), form)

    def _may_be_assigned(self, type: Type) -> bool:
        lists = [part for part in all_parts(type) if isinstance(part, ListOf)]
        return any(
            part == other or any(isinstance(inner, Unknown) for inner in (*all_parts(part), *all_parts(other)))
            for part in lists
            for other in self.assigned
        )

    def string(self, value: str) -> Value:
        """A string: its number, by a name."""
        name = f"{value}_text" if value.isascii() and value.isidentifier() else f"string_no_{len(self.strings)}"
        return plain(self.strings.setdefault(value, name), TEXT)


_MOST_INSTANCES: Final = 1000
