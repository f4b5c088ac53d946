"""Types that are true in every run of the program itself, for annotations.

A likely type may be a guess: that a parameter is a list since its head is taken, though it may be a tuple. Here each
is compared with the values that the inference finds for it when a function's parameters are what the program gives it.
Where a value of another type may come, the type is general. What no part of the program gives a value, as a parameter
of a function that is there for others, keeps its likely type.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, starmap
from typing import Final

from cpl.compiler.semantics import core
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.source import Span
from cpl.compiler.types import constraints
from cpl.compiler.types.constraints import NUMBERS, WIDTHS, OperatorValue, Shape, Variable
from cpl.compiler.types.facts import Types
from cpl.compiler.types.generate import Inference
from cpl.compiler.types.types import (
    GENERAL,
    NIL,
    ArrayOf,
    Basic,
    Composite,
    Either,
    FunctionOf,
    ListOf,
    Named,
    PointerTo,
    TupleOf,
    Type,
    Unknown,
    either,
)
from cpl.compiler.types.widths import Widths

_CONSTRUCTORS: Final = {
    "list": ListOf,
    "tuple": TupleOf,
    "array": ArrayOf,
    "pointer": PointerTo,
    "function": FunctionOf,
}
_BASIC: Final = {"boolean": "Boolean"}


class Confirmed:
    """The likely types of a program, each as far as the values that come confirm it: those of the `likely` inference,
    or, within its polymorphic functions, those of the one in which every function is `used` as it is.
    """

    def __init__(self, types: Types) -> None:
        self._types = types
        self._likely = types.runs.likely
        self._used = types.runs.used
        self._general = types.runs.general
        self._widths = Widths(frozenset(), needs=True, guess=True)
        self._of_names: dict[tuple[core.Variable, int], Type | None] = {}

    def type_of(self, name: core.Variable, definition: core.Definition) -> Type | None:
        """The type of a variable in a definition of the top level."""
        key = name, id(definition)
        if key not in self._of_names:
            likely, used = self._likely.bound(name, definition), self._used.bound(name, definition)
            alone = self._general.bound(name, definition)
            self._of_names[key] = self._confirmed(self._types.type_of(name, definition), likely, used, alone)
        return self._of_names[key]

    def of(self, node: core.Expression) -> Type | None:
        """The type of an expression."""
        likely, used = self._likely.expressions.get(id(node)), self._used.expressions.get(id(node))
        return self._confirmed(self._types.of(node), likely, used, self._general.expressions.get(id(node)))

    def component(self, type: core.Global, name: str) -> Type | None:
        """The type of a component of a type of nodes."""
        key = type, name
        likely, used = self._likely.solver.components.get(key), self._used.solver.components.get(key)
        return self._confirmed(self._types.component(type, name), likely, used)

    def _confirmed(
        self,
        type: Type | None,
        likely: Variable | Shape | None,
        used: Variable | Shape | None,
        alone: Variable | Shape | None = None,
    ) -> Type | None:
        """The type as far as the values confirm it that come to a name or an expression in each inference. `alone` is
        that in which each function is inferred by itself.
        """
        match type, likely, used:
            case FunctionOf(parts), Shape(), Shape():
                alone_parts = _parts_of(alone) if isinstance(alone, Shape) else (None,) * len(parts)
                parts_in_each = zip(parts, _parts_of(likely), _parts_of(used), alone_parts, strict=True)
                return replace(type, parts=tuple(starmap(self._part, parts_in_each)))
            case Composite() | Basic() | Named(), Variable(), Variable():
                return self._part(type, likely, used, alone if isinstance(alone, Variable) else None)
            case _:
                return type

    def _part(self, type: Type, likely: Variable, used: Variable, alone: Variable | None) -> Type:
        """The type of a part of a function, a name or an expression. Elsewhere numbers of several widths may join,
        where functions are not polymorphic: what the text of the function alone makes sure is not widened.
        """
        if alone is not None and self._is_surely(type, alone):
            return type
        return self._value(type, self._sources(likely, used))

    def _is_surely(self, type: Type, alone: Variable) -> bool:
        """Whether all values of a variable of the general inference are numbers of this type."""
        are_numbers = {shape.kind for shape in alone.shapes} == {"number"}
        width = self._general.sure_widths.only(alone)
        return alone.declared is None and are_numbers and width != "" and type == Basic(width)

    def _sources(self, likely: Variable, used: Variable) -> list[Variable]:
        """The variables that show which values come: of a part of a polymorphic function, that of each use of it."""
        copies = self._likely.copies.get(likely, [])
        if copies and self._likely.polymorphic.isdisjoint(copies):
            return copies
        return [used] if likely in self._likely.polymorphic else [likely]

    def _value(self, type: Type, variables: Sequence[Variable]) -> Type:
        """The type of what comes to any of some variables."""
        if isinstance(type, Unknown):
            return type
        declared = [variable for variable in variables if variable.declared is not None]
        if declared:
            return self._declared(type, declared)
        if any(variable in self._unknown or variable.is_open for variable in variables):
            return GENERAL
        return self._made(type, variables)

    def _declared(self, type: Type, variables: Sequence[Variable]) -> Type:
        """The type of a variable that is declared. Its declared type is sure, but a parameter is converted to it in the
        function, so that its annotation has the numbers that arguments are before.
        """
        if not any(variable.converts and variable.external for variable in variables):
            return type
        arguments = chain.from_iterable(variable.below for variable in variables)
        return self._wide_enough(type, [*arguments])

    def _made(self, type: Type, variables: Sequence[Variable]) -> Type:
        """The type of the values that are made and come to any of these variables."""
        shapes = [*chain.from_iterable(variable.shapes for variable in variables)]
        options = type.parts if isinstance(type, Either) else (type,)
        nils = [shape for shape in shapes if shape.head == "nil"]
        if self._has_zero and Basic("logical") in options and not all(shape.zero for shape in nils):
            return GENERAL  # the empty list, where NIL is no list but the bit string of zeros

        others = [shape for shape in shapes if shape.head != "nil"]
        shapes_of = {option: self._shapes_of(option, others) for option in options}
        if {*others} != {*chain.from_iterable(shapes_of.values())}:
            return GENERAL

        confirmed = [self._parts(self._wide_enough(option, variables), shapes) for option, shapes in shapes_of.items()]
        if nils and not any(option == NIL or isinstance(option, ListOf) for option in options):
            confirmed.append(NIL)
        return either(confirmed)

    def _shapes_of(self, option: Type, shapes: Sequence[Shape]) -> list[Shape]:
        return [shape for shape in shapes if self._is_of(shape, option)]

    def _is_of(self, shape: Shape, option: Type) -> bool:
        """Whether values of a shape are of a type, their parts aside."""
        match option:
            case Basic("integer" | "real" | "complex" | "number"):
                return shape.head in NUMBERS
            case Basic(name):
                return _BASIC.get(shape.head, shape.head) == name
            case Named(name):
                allowed = self._used.alternatives(name) or {name}
                return {shape.name, shape.kind} & allowed != set() or self._alternatives(shape) <= allowed
            case FunctionOf(parts):
                return shape.head == "type" or (shape.head == "function" and len(shape.inputs) == len(parts) - 1)
            case TupleOf(parts):
                return shape.head == "tuple" and len(shape.outputs) == len(parts)
            case _:
                return isinstance(option, _CONSTRUCTORS.get(shape.head, Unknown))

    def _alternatives(self, shape: Shape) -> frozenset[object]:
        return self._used.alternatives(shape.name) if shape.name else frozenset({shape.kind})

    def _parts(self, type: Type, shapes: Sequence[Shape]) -> Type:
        """The type with each of its parts confirmed by the same part of all shapes."""
        composite = [shape for shape in shapes if shape.head in _CONSTRUCTORS]
        if not (composite and isinstance(type, ListOf | TupleOf | ArrayOf | PointerTo | FunctionOf)):
            return type
        variables_of_parts = zip(*map(_parts_of, composite), strict=True)
        return replace(type, parts=tuple(map(self._value, type.parts, variables_of_parts)))

    def _wide_enough(self, type: Type, variables: Sequence[Variable]) -> Type:
        """A type of numbers that has all that come to these variables, also from operators. What only a use needs, or a
        reader guesses, does not make a number narrower.
        """
        if not (isinstance(type, Basic) and type.name in WIDTHS):
            return type
        widths = [type.name, *map(self._widths.of, variables)]
        if any(map(self._is_of_any_width, variables)):
            widths.append("real")
        return Basic(min(filter(WIDTHS.__contains__, widths), key=WIDTHS.index))

    def _is_of_any_width(self, variable: Variable) -> bool:
        """Whether an operator gives a variable numbers of any type, since its operands come from outside and are not
        shown as integers.
        """
        operators = [bound for bound in variable.bounds.values() if isinstance(bound, OperatorValue)]
        return any(
            value.span not in self._whole and "number" in self._widths.possible(value)
            for operator in operators
            for value in (operator, *operator.alike)
        )

    @cached_property
    def _whole(self) -> set[Span]:
        """The places of operators to which only integers come although every function gets the arguments of all its
        uses. The copy of a function for one of its uses may have lost that.
        """
        widths = Widths(frozenset())
        bounds = chain.from_iterable(variable.bounds.values() for variable in self._used.solver.variables)
        operators = [bound for bound in bounds if isinstance(bound, OperatorValue)]
        others = {operator.span for operator in operators if not widths.possible(operator) <= {"integer"}}
        return {operator.span for operator in operators} - others

    @cached_property
    def _has_zero(self) -> bool:
        """Whether NIL is also the bit string of zeros."""
        return any(shape.zero for variable in self._used.solver.variables for shape in variable.shapes)

    @cached_property
    def _unknown(self) -> set[Variable]:
        """The variables to which the program may bring values of which nothing is known."""
        return {*_unknown_in(self._likely), *_unknown_in(self._used)}


def _unknown_in(inference: Inference) -> Iterator[Variable]:
    """The variables of one inference that may get values of which nothing is known.

    What only comes from outside, as an argument from Python does, is no part of the program and does not count.
    """
    variables = inference.solver.variables
    from_outside = {*reachable((variable for variable in variables if variable.external), constraints.fed_by)}
    without_source = (
        variable
        for variable in variables
        if not (variable.bounds or variable.below or variable.empty or variable in from_outside)
    )
    return reachable([*without_source, *_taken_out(variables)], constraints.undeclared_above)


def _parts_of(shape: Shape) -> tuple[Variable, ...]:
    """The variables of the parts of a type, in their order."""
    return (*shape.inputs, *shape.outputs) if shape.head == "function" else shape.outputs


def _taken_out(variables: Sequence[Variable]) -> Iterator[Variable]:
    """What is taken out of values that are not checked: the inference does not follow their parts."""
    for variable in variables:
        if any(shape.unchecked and shape.head != "nil" for shape in variable.shapes):
            for need in variable.needs.values():
                yield from need.outputs
