"""The terms of type inference: type variables and their bounds.

A value that is made is a lower bound, a `Shape` or an `OperatorValue`; an operation on it is an upper bound, a `Need`.
Both know their place in the text, so that a diagnostic can show both. `solver` propagates lower bounds to upper bounds.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import chain, pairwise
from types import UnionType
from typing import Final

from cpl.compiler.semantics import core
from cpl.compiler.source import Span

NUMBERS: Final = ("integer", "real", "complex", "number")
"""The heads of numbers; `number` is one of unknown width."""

WIDTHS: Final = ("complex", "real", "integer")
"""The heads of known width, the widest first."""

KEEPS_WIDTH: Final = ("PLUS", "MINUS", "SUM", "DIFFERENCE", "TIMES", "POWER")
"""Operators that make an integer of integers."""

LISTS: Final = frozenset({"list", "tuple", "nil"})
"""The heads of lists: `list` in square brackets, `tuple` in round ones."""

SEQUENCES: Final = LISTS | {"array"}
"""The heads of what has members."""

NILLABLE: Final = SEQUENCES | {"node", "element", "pointer", "stream"}
"""The heads of the types that NIL belongs to: lists, tuples and nodes (S8); the others are our choice."""

NODES: Final = frozenset({"node", "element", "nil"})
"""The heads of values that may have components."""

NULLABLE: Final = LISTS | {"logical", "string", "node", "element"}
"""The heads of values that `Null` can be applied to."""


Doubt = IntEnum("Doubt", ["NONE", "HERE", "WITHIN"], start=0)
"""Whether every run that reaches a function comes to a place in it. NONE: every run does. HERE: not every one, since
the place is in an arm or a loop, or after what may leave. WITHIN: it is such a place in a function that is applied.
"""


def kind_of(head: str) -> str:
    """The kind of a head: all numbers are of one."""
    return "number" if head in NUMBERS else head


@dataclass(eq=False, slots=True)
class Variable:
    """The type of an expression or a name. The variables `below` flow into it, and it flows into those `above`. It has
    lower `bounds` and upper bounds, its `needs`, both by their keys.

    `level` is the depth of definitions at which it was made (see `generalise`). One that is `external` gets values from
    outside of the program, as parameters do; one that is `empty` may be the member of a list that has none. One that
    is `declared` is of that shape, whatever flows into it; numbers convert if what is stored there `converts`.
    """

    level: int
    external: bool = False
    empty: bool = False
    declared: "Shape | None" = None
    converts: bool = False
    bounds: "dict[object, Shape | OperatorValue]" = field(default_factory=dict)
    needs: "dict[object, Need]" = field(default_factory=dict)
    below: "dict[Variable, None]" = field(default_factory=dict)
    above: "dict[Variable, None]" = field(default_factory=dict)

    @property
    def shapes(self) -> "list[Shape]":
        """The lower bounds without the values of operators."""
        return [shape for shape in self.bounds.values() if isinstance(shape, Shape)]

    @property
    def is_open(self) -> bool:
        """Whether an operator makes the value, of a kind that is not known."""
        return any(isinstance(shape, OperatorValue) and shape.is_open for shape in self.bounds.values())

    def link(self, upper: "Variable") -> None:
        """Add an edge: this variable flows into another."""
        self.above[upper] = None
        upper.below[self] = None

    def has(self, sort: type["Need"] | UnionType) -> bool:
        """Whether there is a need of this sort."""
        return any(isinstance(need, sort) for need in self.needs.values())


@dataclass(eq=False, slots=True)
class Need:
    """A requirement on a value, at a place of the text: that it is of one of some `kinds`, if these are given.

    What is in the value flows out into `outputs`, and `inputs` flow into it, as arguments into a function and new
    members into an array. A list that is written out also has its members as `items`, one by one. If the term was
    copied from the type of a function that is applied, `via` is the place of the application. `doubt` is that of the
    place of the need.
    """

    span: Span
    kinds: frozenset[object] | None = field(default=None, kw_only=True)
    outputs: tuple[Variable, ...] = field(default=(), kw_only=True)
    inputs: tuple[Variable, ...] = field(default=(), kw_only=True)
    items: tuple[Variable, ...] = field(default=(), kw_only=True)
    via: Span | None = field(default=None, kw_only=True)
    doubt: Doubt = field(default=Doubt.NONE, kw_only=True)

    @property
    def key(self) -> object:
        """Needs of one variable that agree in this are one: their inputs and outputs are joined."""
        details: tuple[str, ...] = self.__match_args__[1:]
        return type(self), self.kinds, len(self.inputs), *[getattr(self, name) for name in details]


@dataclass(eq=False, slots=True)
class Shape(Need):
    """A type constructor, the `head`, applied to variables. As a need: that the value has this shape.

    Lists, tuples, arrays and pointers have outputs, functions a single one. Functions, arrays and pointers have inputs,
    the last two a single one, for what is stored. `name` is that of a type of nodes or an element. A string that is
    written out has its text as `constant`. A value that is `unchecked` meets every need: the value of a bare name (our
    choice, as in the recorded examples), and that of a `general` variable.
    """

    head: str
    name: core.Global | None = None
    unchecked: bool = False
    constant: str | None = None
    zero: bool = False  # NIL where it also stands for the bit string of zeros
    modes: tuple[str, ...] = ()  # of the parameters of a function, unless all are values
    any_number: bool = False  # a function that takes any number of arguments: its one input is each of them
    unsure: bool = False  # a number that may be of another type when the program runs
    by_reference: bool = False  # what a reference leads to, which may be a place of another type of number
    united: "tuple[Shape, ...]" = field(default=(), init=False)  # the members of a union; a copy of it is no union

    @property
    def kind(self) -> str:
        """The head, with all numbers in one."""
        return kind_of(self.head)

    @property
    def key(self) -> object:
        """The key of a need, with all that tells shapes apart. Every NIL is a shape of its own, so that each can be
        reported.
        """
        if self.head == "nil":
            return "nil", self.unchecked, self.zero, self.span.start
        return (
            self.head,
            len(self.outputs),
            len(self.inputs),
            self.name,
            self.constant,
            self.unchecked,
            self.modes,
            self.any_number,
            self.unsure,
            self.by_reference,
        )


def holder(head: str, member: Variable, span: Span) -> Shape:
    """An array or a pointer: what is stored in it is what is read from it."""
    return Shape(span, head, outputs=(member,), inputs=(member,))


@dataclass(eq=False, slots=True)
class Overload:
    """Operators whose operands all have one kind, one of those `allowed`; `kind` once it is known.

    Overloads that share an operand are joined, as in union-find: `root` stands for all of them.
    """

    allowed: tuple[str, ...]
    kind: str | None = None
    operands: "list[Operand]" = field(default_factory=list)
    values: "list[OperatorValue]" = field(default_factory=list)
    joined: "Overload | None" = None

    @property
    def root(self) -> "Overload":
        """The one that stands for all that were joined."""
        return self if self.joined is None else self.joined.root


@dataclass(eq=False, slots=True)
class Operand(Need):
    """The need for a kind that an operator takes."""

    overload: Overload
    variable: Variable

    @property
    def key(self) -> object:
        """The key by the kinds allowed: operands of the same variable are of one kind."""
        return Operand, self.overload.allowed


@dataclass(eq=False, slots=True)
class OperatorValue:
    """The value of an overloaded operator. Once its kind is known there is a shape beside it.

    One that is `any_of` many stands for all others that flow into its variable. One stands also for those that are
    `alike`: they came to one variable, and have the same key.
    """

    overload: Overload
    span: Span
    operator: str
    variable: Variable
    operands: dict[Variable, Span] = field(default_factory=dict)
    any_of: bool = False
    alike: "dict[OperatorValue, None]" = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether its kind is not known."""
        return self.overload.root.kind is None

    @property
    def key(self) -> object:
        """The key, as of a shape: values of one known kind have the same, and so have those whose kind will be found
        together, as their overloads are joined.
        """
        root = self.overload.root
        return OperatorValue, root.allowed, root.kind or self.any_of or id(root)


@dataclass(eq=False, slots=True)
class OneOf(Need):
    """The need for one of several kinds, in words `what`."""

    what: str


@dataclass(eq=False, slots=True)
class Member(Need):
    """The need for members: the output is the one at `index`, or any of them if that is not known. The input is its
    new value, if it gets one.
    """

    index: int | None
    kinds: frozenset[object] | None = field(default=SEQUENCES, kw_only=True)


@dataclass(eq=False, slots=True)
class Rest(Need):
    """The need for a list; the output is any member but the first."""

    kinds: frozenset[object] | None = field(default=LISTS, kw_only=True)


@dataclass(eq=False, slots=True)
class Joined(Need):
    """The need for a list or a member of one: a value that is no list counts as a list of itself (E34)."""


@dataclass(eq=False, slots=True)
class Juxtaposed(Need):
    """`f(x)` with a small name: a function that is applied, or a factor. `m[k]`, a `subscript`: a function that is
    applied, or what has members. The inputs are the arguments, and the new value of a member if it gets one.
    """

    arity: int
    subscript: bool
    index: int | None = None


@dataclass(eq=False, slots=True)
class HasComponent(Need):
    """The need for a node with this component, of one of several `types`; the input is its new value."""

    component: str
    types: tuple[core.Global, ...]
    kinds: frozenset[object] | None = field(default=NODES, kw_only=True)


@dataclass(eq=False, slots=True)
class Unchecked(Need):
    """The use of a value as it is: the output is unchecked."""


@dataclass(eq=False, slots=True)
class AnyType(Need):
    """The use of a value of whatever type, as when it is written."""


@dataclass(eq=False, slots=True)
class TypeTest(Need):
    """A test of which of these types the value is: kinds of value, and types of nodes."""

    tested: frozenset[object]


@dataclass(eq=False, slots=True)
class Compared(Need):
    """A comparison of the value with a constant of this head; of a string, its text is the `constant`."""

    head: str
    constant: str | None


Lenient: Final = Unchecked | AnyType | TypeTest | Compared
"""The needs that every value meets."""

Distinguished: Final = TypeTest | Compared
"""The needs by which a program distinguishes the types of a value."""

Mixed: Final = Distinguished | AnyType
"""The needs of values that may well be of several types: they are distinguished, or used whatever they are."""

LowerBound = Shape | OperatorValue
"""A lower bound of a variable: a value that comes to it."""


def kinds_of(need: Need) -> Set[object] | None:
    """The kinds of value that meet a need; None if any may."""
    match need:
        case Shape():
            return {need.kind}
        case Operand(overload=overload):
            kind = overload.root.kind
            return {kind} if kind else {*overload.allowed}
        case Juxtaposed(subscript=subscript):
            return SEQUENCES | {"function", "type"} if subscript else {"number", "function", "type"}
        case _:
            return need.kinds


def variables(terms: Iterable[Need | OperatorValue]) -> list[Variable]:
    """The variables within shapes and needs."""
    found: list[Variable] = []
    for term in terms:
        if isinstance(term, Need):
            found += term.outputs
            found += term.inputs
            found += term.items
    return found


def undeclared_above(variable: Variable) -> list[Variable]:
    """The variables that a variable flows into, but for those that are declared: these are of their own types."""
    return [above for above in variable.above if above.declared is None]


def fed_by(variable: Variable) -> Iterator[Variable]:
    """The variables whose values may come from a variable: those that it flows into, and what its needs take out of it.

    A component of a single type of nodes is known by its name, whatever node it is taken from.
    """
    yield from undeclared_above(variable)
    for need in variable.needs.values():
        is_known_component = isinstance(need, HasComponent) and len(need.types) == 1
        if not is_known_component:
            for output in need.outputs:
                if output.declared is None:
                    yield output


def has_unknown_numbers(variable: Variable) -> bool:
    """Whether a variable may hold numbers of types that the text does not show: it gets values from outside, or what it
    stores does not convert.
    """
    if variable.declared is not None:
        return not variable.converts
    has_no_source = not (variable.bounds or variable.below)
    return variable.external or has_no_source or any(shape.unsure for shape in variable.shapes)


def holds_several(variable: Variable) -> bool:
    """Whether a variable is declared to hold values of several types."""
    return variable.declared is not None and variable.declared.head in ("general", "element")


def parts_of(variable: Variable) -> list[Variable]:
    """The variables within the shapes and the needs of a variable."""
    return variables((*variable.bounds.values(), *variable.needs.values()))


def escape(term: Need | OperatorValue, level: int) -> None:
    """The variables within a term escape to the level of the variable that has it, if that is an outer one: no use of
    a function copies them then.
    """
    waiting = variables((term,))
    while waiting:
        variable = waiting.pop()
        if variable.level > level:
            variable.level = level
            waiting += parts_of(variable)


def have_common_type(first: Shape, other: Shape) -> bool:
    """Whether values of these shapes can be equal, and so of one type."""
    if first.kind == other.kind or _is_of_any_type(first) or _is_of_any_type(other):
        return True
    if first.head == "nil":
        return _can_be_nil(other, first)
    if other.head == "nil":
        return _can_be_nil(first, other)
    heads = {first.head, other.head}
    return "element" in heads or heads in ({"list", "tuple"}, {"function", "type"})


def _is_of_any_type(shape: Shape) -> bool:
    return shape.unchecked and shape.head != "nil"


def _can_be_nil(shape: Shape, nil: Shape) -> bool:
    return shape.head in NILLABLE or (shape.head == "logical" and nil.zero)


def are_alike(shapes: Sequence[Shape]) -> bool:
    """Whether each of several shapes has a type in common with the next, but for those that are unchecked."""
    checked = [shape for shape in shapes if not shape.unchecked]
    return all(have_common_type(shape, other) for shape, other in pairwise(checked))


def are_mixed(values: Iterable[Variable]) -> bool:
    """Whether values are of several kinds, NIL aside, so that nothing is known of one of them."""
    shapes = chain.from_iterable(value.shapes for value in values)
    return len({shape.kind for shape in shapes if shape.head != "nil"}) > 1


def widths(terms: Iterable[Need | OperatorValue], *, compared: bool = False) -> set[str]:
    """The widths of the numbers among shapes and needs, with `compared` also of the constants in comparisons."""
    sorts = Shape | Compared if compared else Shape
    return {term.head for term in terms if isinstance(term, sorts) and term.head in WIDTHS}


def needed_widths(needs: Iterable[Need], *, compared: bool = False) -> set[str]:
    """The `widths` that needs ask for. A reference asks for none, as it may lead to a place of any."""
    by_value = [need for need in needs if not (isinstance(need, Shape) and need.by_reference)]
    return widths(by_value, compared=compared)
