"""Bit strings as whole numbers: a module makes no `Logical` but at its edge.

    Null(x)             x = 0
    Shift(x,n)          x SHIFT n
    x ∧ y, ~x           BIT_AND, BIT_NOT
    SingleDigitFrom(x)  x BIT_AND −x

The numbers are without end, as the bit strings are: the complement of one is negative, and nothing is masked. A
definition whose value is or holds a bit string is renamed, and the edge of the module gives it to Python under its own
name (`cplrt.edge`). The program is left as it is if it cannot be sure everywhere what is a bit string.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cpl.fast.trees import Fresh
from cpl.semantics import core, walk
from cpl.semantics.reach import reachable
from cpl.source import Span
from cpl.types import constraints
from cpl.types.constraints import Shape, Variable
from cpl.types.facts import Facts
from cpl.types.type_warnings import mixed_functions
from cpl.types.types import Basic, Type, all_parts

_LOGICAL: Final = Basic("logical")
_OPERATORS: Final = {
    "AND": "BIT_AND",
    "OR": "BIT_OR",
    "PLUS": "BIT_OR",
    "SUM": "SUM",
    "DIFFERENCE": "DIFFERENCE",
    "INEQUIVALENT": "BIT_XOR",
}
"""What an operator on bit strings is on numbers, where it is one."""

_TRANSPARENT: Final = frozenset({"Head", "Tail", "Next", "Join", "Null", "Copy", "Array", "Hash"})
"""Functions of cplrt to which a bit string and its number are the same."""


class Unsure(Exception):
    """It is not sure what is a bit string."""


def bits(program: core.Program, facts: Facts) -> core.Program:
    """The program with bit strings as whole numbers."""
    if not any(_is_logical(each) for each in facts.shown.solver.variables):
        return program
    try:
        return _Bits(program, facts).program()
    except Unsure:
        return program


class _Bits:
    def __init__(self, given: core.Program, facts: Facts) -> None:
        self.given = given
        self.facts = facts
        self.inference = facts.shown
        self.mixed = mixed_functions(facts.used)
        self.renamed: dict[core.Global, core.Global] = {}
        self.fresh = Fresh()
        self.definition: core.Definition | None = None
        self.touched: set[core.Local | core.Global] = set()  # functions that work on bit strings
        variables = self.inference.solver.variables
        if any(_holds_bits(lower) for each in variables if constraints.holds_several(each) for lower in each.below):
            raise Unsure
        unknown = [each for each in variables if _is_unknown(each) and not _is_logical(each)]
        self.unchanged = {*reachable(unknown, lambda each: each.above)}  # what may come as it is from outside

    def program(self) -> core.Program:
        """The program, its edge last."""
        changed = {each for one in self.given.definitions for each in walk.changed(one)}
        edge: list[core.Definition] = []
        for one in self.given.definitions:
            self._definition(one)
        for one in self.given.definitions:
            if isinstance(one, core.NodeType):
                self._check_no_bits(self.facts.component(one.name, each) for each in one.components)
            if not isinstance(one, core.Function | core.Constants):
                continue
            for name in walk.names(one):
                if not isinstance(name, core.Global) or (form := self._form(name, one)) is None:
                    continue
                if name in changed:
                    raise Unsure
                self.renamed[name] = replace(name, name=f"_{name.name}")
                if not name.is_hidden:
                    edge.append(_edge(name, self.renamed[name], form))
        return replace(self.given, definitions=(*map(self._definition, self.given.definitions), *edge))

    def _form(self, name: core.Global, definition: core.Definition) -> core.Expression | None:
        """Where in the value of a name the bit strings are; None if it holds none, or takes values of any type."""
        bound, general = (each.bound(name, definition) for each in (self.inference, self.facts.general))
        assert bound is not None
        if isinstance(bound, Variable):
            return form_of(bound, name.span)
        if name not in self.touched and general is not None:
            parts = reachable(_within(general), _parts)
            if not any(_is_logical(each) or each.is_open for each in parts):
                return None
        return _form_of_shape(bound, name.span, ())

    def _check_no_bits(self, types: Iterator[Type | None]) -> None:
        if any(type is None or _LOGICAL in all_parts(type) for type in types):
            raise Unsure

    def _definition(self, definition: core.Definition) -> core.Definition:
        self.definition = definition
        self.fresh = Fresh(definition)
        changed = walk.with_parts(definition, self._changed)
        if isinstance(changed, core.Function):
            return replace(changed, name=self.renamed.get(changed.name, changed.name))
        return changed

    # What an expression is

    def _is_bits(self, node: core.Expression) -> bool:
        """Whether the value is a bit string. Raises Unsure."""
        variable = self.inference.expressions.get(id(node))
        if variable is None or variable.is_open:
            raise Unsure
        kinds = _kinds(variable)
        if kinds == {"nil"} and variable.has(constraints.Operand) and any(shape.zero for shape in variable.made):
            raise Unsure  # an operator on NIL, which is no bit string though NIL can be one
        if "logical" in kinds:
            if kinds != {"logical"} or variable in self.unchanged:
                raise Unsure
            self.touched |= {*walk.names(self.definition)} if self.definition else set()
            return True
        name = self.definition.name if isinstance(self.definition, core.Function) else None
        if not variable.made and name in self.mixed:
            raise Unsure
        return False

    def _check_comparable(self, left: core.Expression, right: core.Expression) -> None:
        """That what is equal as numbers is equal as bit strings."""
        found = [variable for each in (left, right) if (variable := self.inference.expressions.get(id(each)))]
        if len(found) < 2:
            raise Unsure
        if any(map(_holds_bits, found)) and not (self._is_bits(left) and self._is_bits(right)):
            sources = [each for one in found for each in reachable([one], lambda each: each.below) if _is_unknown(each)]
            form, *others = (form_of(each, left.span) for each in (*found, *sources))
            if self.mixed or any(other != form for other in others) or _has_choice(form):
                raise Unsure

    # The tree

    def _changed(self, node: core.Node) -> core.Node:
        """A node and all within it, on numbers."""
        span = node.span
        match node:
            case core.Global():
                return self.renamed.get(node, node)
            case core.Nil():
                if self._is_bits(node):
                    raise Unsure  # it is written as NIL, and no number tells it from other zeros
                return core.List((), span=span)
            case core.Unary(operator="NOT", operand=operand) if self._is_bits(node):
                return core.Unary("BIT_NOT", self._value(operand), span=span)
            case core.Binary(operator=operator, left=left, right=right) if (
                operator in _OPERATORS or operator in ("MINUS", "EQUIVALENT")
            ) and self._is_bits(node):
                return self._operation(operator, self._value(left), self._value(right), span)
            case core.Compare(operands=operands, operators=operators):
                for operator, left, right in zip(operators, operands, operands[1:], strict=False):
                    if operator in ("EQUAL", "UNEQUAL"):
                        self._check_comparable(left, right)
                    elif self._is_bits(left) is not self._is_bits(right) or (
                        operator in ("AT_MOST", "AT_LEAST") and self._is_bits(left)
                    ):
                        raise Unsure
            case core.Apply(function=core.Host(name=name), arguments=arguments):
                return self._host(node, name, arguments)
            case core.Host(name=name) if name not in _TRANSPARENT:
                self._check_no_bits(iter([self.facts.of(node)]))
            case core.Juxtapose(left=left, right=right):
                self._is_bits(left)
        return walk.with_parts(node, self._changed)

    def _value(self, node: core.Expression) -> core.Expression:
        return self._changed(node)  # type: ignore[return-value]

    def _operation(self, operator: str, left: core.Expression, right: core.Expression, span: Span) -> core.Expression:
        match operator:
            case "MINUS":
                return core.Binary("BIT_AND", left, core.Unary("BIT_NOT", right, span=right.span), span=span)
            case "EQUIVALENT":
                return core.Unary("BIT_NOT", core.Binary("BIT_XOR", left, right, span=span), span=span)
            case _:
                return core.Binary(_OPERATORS[operator], left, right, span=span)

    def _host(self, node: core.Apply, name: str, arguments: tuple[core.Expression, ...]) -> core.Expression:
        """A function of cplrt applied."""
        span = node.span
        match name, arguments:
            case "Null", (x,) if self._is_bits(x):
                return core.Compare((self._value(x), core.Literal(0, span=span)), ("EQUAL",), span=span)
            case "Shift", (x, n):
                return core.Binary("SHIFT", self._value(x), self._value(n), span=span)
            case "SingleDigitFrom", (x,):
                return self.fresh.once(
                    self._value(x), lambda x: core.Binary("BIT_AND", x, core.Unary("MINUS", x, span=span), span=span)
                )
            case "Logical", (x,) if self._is_bits(x):
                return self._value(x)
            case "Logical", (core.Literal(value=int() as value),):
                return core.Literal(value, span=span)
            case _ if name in _TRANSPARENT or (name == "MinList" and not self._are_listed(node)):
                return replace(node, arguments=tuple(map(self._value, arguments)))
            case _:
                outside = tuple([self._outside(argument) for argument in arguments])
                return _converted("AsBits", replace(node, arguments=outside), self._form_of(node))

    def _are_listed(self, node: core.Apply) -> bool:
        """Whether the members of the list that is made are bit strings."""
        shapes = self.inference.expressions[id(node)].made
        return any(_is_logical(member) for shape in shapes for member in shape.outputs)

    def _outside(self, node: core.Expression) -> core.Expression:
        """An argument of a function of cplrt that looks at bit strings."""
        return _converted("AsLogical", self._value(node), self._form_of(node))

    def _form_of(self, node: core.Expression) -> core.Expression | None:
        variable = self.inference.expressions.get(id(node))
        if variable is None:
            raise Unsure
        return form_of(variable, node.span)


def _kinds(variable: Variable) -> set[str]:
    """The kinds of value that come to a variable; if none do, those that are needed of it, or of what flows into it."""
    return _own_kinds(variable) or {
        kind for each in reachable([variable], lambda each: each.below) for kind in _own_kinds(each)
    }


def _own_kinds(variable: Variable) -> set[str]:
    made = {"logical" if shape.zero and _needs_bits(variable) else shape.kind for shape in variable.made}
    return made or {need.kind for need in variable.needs.values() if isinstance(need, Shape)}


def _needs_bits(variable: Variable) -> bool:
    return any(
        (isinstance(need, Shape) and need.head == "logical")
        or (isinstance(need, constraints.Operand) and need.overload.root.kind == "logical")
        for need in variable.needs.values()
    )


def _is_logical(variable: Variable) -> bool:
    return "logical" in _kinds(variable)


def _is_unknown(variable: Variable) -> bool:
    """Whether the values of a variable come from outside of the program."""
    return not (variable.shapes or variable.below or variable.declared)


def _has_choice(form: core.Expression | None) -> bool:
    """Whether values of a form may have one of several."""
    return form is not None and any(isinstance(part, core.Host) and part.name == "Either" for part in walk.nodes(form))


def _holds_bits(variable: Variable) -> bool:
    return any(_is_logical(each) for each in reachable([variable], _parts))


def _within(bound: Variable | Shape) -> list[Variable]:
    """The variables of which a name's type is made."""
    return [bound] if isinstance(bound, Variable) else constraints.variables([bound])


def _parts(variable: Variable) -> list[Variable]:
    return constraints.variables(_shapes(variable) or variable.needs.values())


def _shapes(variable: Variable) -> list[Shape]:
    """The shapes of what comes to a variable; if it is nothing or NIL, those that are needed of it, or of what flows
    into it.
    """
    return _own_shapes(variable) or [
        shape for each in reachable([variable], lambda each: each.below) for shape in _own_shapes(each)
    ]


def _own_shapes(variable: Variable) -> list[Shape]:
    return [each for each in variable.made if each.head != "nil"] or [
        each for each in variable.needs.values() if isinstance(each, Shape)
    ]


def _members(variable: Variable) -> Iterator[Variable]:
    """The members of what is used as a list. Raises Unsure if it may be something else."""
    for need in variable.needs.values():
        match need:
            case constraints.Rest() | constraints.Member(index=None) | constraints.Member(kinds=constraints.LISTS):
                yield from need.outputs
            case _ if any(map(_holds_bits, need.outputs)):
                raise Unsure


def form_of(variable: Variable, span: Span, path: tuple[Variable, ...] = ()) -> core.Expression | None:
    """The form of the values of a variable, for `cplrt.edge`; None if they hold no bit strings. Raises Unsure."""
    if not _holds_bits(variable):
        return None
    if variable in path or variable.is_open:
        raise Unsure
    shapes = _shapes(variable)
    if not shapes:
        members = {form for each in _members(variable) if (form := form_of(each, span, (*path, variable)))}
        if len(members) != 1:
            raise Unsure
        return core.List(tuple(members), span=span)
    if {shape.kind for shape in shapes} & {"number", "boolean"} and any(shape.head == "logical" for shape in shapes):
        raise Unsure
    known: list[core.Expression] = []
    for shape in shapes:
        form = _form_of_shape(shape, span, (*path, variable))
        known += [form] if form is not None and form not in known else []
    # NIL beside bit strings is told apart from them by its type, so that there is a choice
    if len(known) < 2 and (len(variable.made) < 2 or not isinstance(known[0] if known else None, core.Host)):
        return known[0] if known else None
    return core.Apply(core.Host("Either", span=span), tuple(known), span=span)


def _form_of_shape(shape: Shape, span: Span, path: tuple[Variable, ...]) -> core.Expression | None:
    """The form of values of this shape."""

    def given(form: core.Expression | None) -> core.Expression:
        return form or core.Host("other", span=span)

    inside = [form_of(each, span, path) for each in shape.outputs]
    match shape.head:
        case "logical":
            return core.Host("bits", span=span)
        case "tuple" if any(inside):
            return core.Tuple(tuple(map(given, inside)), span=span)
        case "list" if any(inside):
            return core.List(tuple(map(given, inside)), span=span)
        case "function":
            takes = [form_of(each, span, path) for each in shape.inputs]
            if not any((*inside, *takes)):
                return None
            arguments = core.Tuple(tuple(map(given, takes)), span=span)
            return core.Apply(core.Host("Function", span=span), (arguments, given(inside[0])), span=span)
        case _ if any(inside) or any(map(_holds_bits, shape.inputs)):
            raise Unsure
        case _:
            return None


def _converted(function: str, value: core.Expression, form: core.Expression | None) -> core.Expression:
    """A value as a function of `cplrt.edge` converts it; one of no form has nothing to convert."""
    if form is None:
        return value
    return core.Apply(core.Host(function, span=value.span), (value, form), span=value.span)


def _edge(name: core.Global, inner: core.Global, form: core.Expression) -> core.Definition:
    return core.Constants(name, _converted("AsLogical", inner, form), span=name.span)
