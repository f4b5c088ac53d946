"""Bit strings represented by whole numbers: a module makes a `Logical` only at its edge.

    Free(P) = ~(P ∨ Shift(P,4)) ∧ Board,   Null(Free(P)),   SingleDigitFrom(x)

becomes, in Python,

    def _Free(P): return ~(P | P >> 4) & _Board,   _Free(P) == 0,   x & -x

Why: an operator on a `Logical` is a call of a method and makes an object; one on an `int` is one instruction.

How: the variables of the type checker say which expressions are bit strings. Their operators become BIT_AND, BIT_OR,
BIT_XOR, BIT_NOT and SHIFT; the numbers are without end, as bit strings are, so the complement of one is negative and
nothing is masked. A definition whose value is or holds a bit string is renamed, and a constant under its own name
converts it for Python by `cplrt.edge`, which is told by a form where in the value the bit strings are.

Limits: the program is left as it is (`Unsure`) unless it is certain everywhere whether a value is a bit string: not if
NIL may be one, if one comes to where something else is needed, if a variable of unknown type may hold one, if a
function of any type hands one to cplrt, or if bit strings are compared with what else equals a number. Arguments of
functions of cplrt that look at bit strings are converted for the call.
"""

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import replace
from typing import Any, Final

from cpl.compiler.optimise.trees import is_atom
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.fresh import Fresh
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.source import Span
from cpl.compiler.types import constraints
from cpl.compiler.types.constraints import LowerBound, Shape, Variable
from cpl.compiler.types.facts import Sure
from cpl.compiler.types.report import disagreements
from cpl.compiler.types.types import Basic, Type, all_parts

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
"""Functions of cplrt that do the same to a bit string and to its number."""


_MARKS: Final = {"number": "number", "boolean": "truth", "string": "text"}
"""The forms of values that hold no bit strings, by their kinds."""


class Unsure(Exception):
    """Raised if it is not certain what is a bit string."""


def bits(program: core.Program, sure: Sure) -> core.Program:
    """Represent bit strings by whole numbers; return the program as it is if that is not safe."""
    if not any(_is_logical(variable) for variable in sure.runs.likely.solver.variables):
        return program
    if any(conflict.concerns("logical") for conflict in disagreements(sure.runs.general)):
        return program
    try:
        return _Bits(program, sure).run()
    except Unsure:
        return program


class _Bits:
    def __init__(self, program: core.Program, sure: Sure) -> None:
        self.program = program
        self.sure = sure
        self.inference = sure.runs.likely
        self.mixed = sure.runs.mixed
        self.renamed: dict[core.Global, core.Global] = {}
        self.fresh = Fresh()
        self.definition: core.Definition | None = None
        self.touched: set[core.Variable] = set()  # functions that work on bit strings
        variables = self.inference.solver.variables
        if any(
            _holds_bits(lower)
            for variable in variables
            if constraints.holds_several(variable)
            for lower in variable.below
        ):
            raise Unsure
        if any(map(_is_about_bits, self.inference.solver.conflicts)):
            raise Unsure
        unknown = [variable for variable in variables if _is_unknown(variable) and not _is_logical(variable)]
        self.unchanged = {*reachable(unknown, lambda variable: variable.above)}  # what may come as it is from outside

    def run(self) -> core.Program:
        """Return the program, the constants of its edge last."""
        definitions = self.program.definitions
        for definition in definitions:
            self._definition(definition)
            if isinstance(definition, core.NodeType):
                self._check_no_bits(
                    self.sure.checked.component(definition.name, component) for component in definition.components
                )
        forms = {
            name: form
            for definition in definitions
            if isinstance(definition, core.Function | core.Constants)
            for name in walk.names(definition)
            if isinstance(name, core.Global) and (form := self._form(name, definition))
        }
        if any(name in forms for definition in definitions for name in walk.changed(definition)):
            raise Unsure
        self.renamed = {name: replace(name, name=f"_{name.name}") for name in forms}
        outside = self._outside(forms)
        edge = [
            core.Constants(name, _converted("AsLogical", self.renamed[name], form), span=name.span)
            for name, form in forms.items()
            if name in outside
        ]
        return replace(self.program, definitions=(*map(self._definition, definitions), *edge))

    def _outside(self, names: Collection[core.Global]) -> Set[core.Global]:
        """Those of the names that are needed outside: Python sees them, or a function that Python sees, which runs
        there as it is written, mentions them.
        """
        functions = {each.name: each for each in self.program.definitions if isinstance(each, core.Function)}

        def mentioned(name: core.Global) -> Iterable[core.Global]:
            inside = walk.nodes(functions[name]) if name in functions else ()
            return [node for node in inside if isinstance(node, core.Global) and node in names]

        return {*reachable([name for name in names if not name.is_hidden], mentioned)}

    def _form(self, name: core.Global, definition: core.Definition) -> core.Expression | None:
        """Return where in the value of a name the bit strings are; None if there are none, or it is of any type."""
        bound, general = (inference.bound(name, definition) for inference in (self.inference, self.sure.runs.general))
        assert bound is not None
        if isinstance(bound, Variable):
            return form_of(bound, name.span)
        if name not in self.touched and general is not None:
            within = [general] if isinstance(general, Variable) else constraints.variables([general])
            parts = reachable(within, _parts)
            if not any(_is_logical(part) or part.is_open for part in parts):
                return self._form_of_general(name, bound)
        return self._with_door(bound, name.span)

    def _form_of_general(self, name: core.Global, function: Shape) -> core.Expression | None:
        """The form of a function that takes values of any type. It can stay as it is, unless it is faster for bit
        strings alone.
        """
        try:
            return None if name in self.mixed else self._with_door(function, name.span)
        except Unsure:
            return None

    def _with_door(self, function: Shape, span: Span) -> core.Expression | None:
        """The form of a function, in which that of each argument says all that is known or guessed of it: it is checked
        at the door.
        """
        match _form_of_shape(function, span, ()):
            case core.Apply(arguments=(_, gives)) as form:
                arguments = [taken(parameter, span) for parameter in function.inputs]
                return replace(form, arguments=(core.Tuple(tuple(arguments), span=span), gives))
            case form:
                return form

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

    def _variable(self, node: core.Expression) -> Variable:
        """Return the type variable of an expression. Raises Unsure if none was inferred."""
        if id(node) not in self.inference.expressions:
            raise Unsure
        return self.inference.expressions[id(node)]

    def _is_bits(self, node: core.Expression) -> bool:
        """Tell whether the value is a bit string. Raises Unsure."""
        variable = self._variable(node)
        if variable.is_open:
            raise Unsure
        kinds = _kinds(variable)
        if kinds == {"nil"} and variable.has(constraints.Operand) and any(shape.zero for shape in variable.shapes):
            raise Unsure  # an operator on NIL, which is no bit string though NIL can be one
        if "logical" in kinds:
            if kinds != {"logical"} or variable in self.unchanged:
                raise Unsure
            self.touched |= {*walk.names(self.definition)} if self.definition else set()
            return True
        name = self.definition.name if isinstance(self.definition, core.Function) else None
        if not variable.shapes and name in self.mixed:
            raise Unsure
        return False

    def _check_comparable(self, left: core.Expression, right: core.Expression) -> None:
        """Raise Unsure unless values that are equal as numbers are equal as bit strings."""
        variables = [self._variable(left), self._variable(right)]
        if any(map(_holds_bits, variables)) and not (self._is_bits(left) and self._is_bits(right)):
            sources = [source for variable in variables for source in _sources(variable) if _is_unknown(source)]
            form, *other_forms = (form_of(operand, left.span) for operand in (*variables, *sources))
            has_choice = core.Host("Either", span=left.span) in walk.nodes(form or left)
            if self.mixed or any(other != form for other in other_forms) or has_choice:
                raise Unsure

    def _check_known(self, node: core.Expression) -> None:
        """Raise Unsure if a part of the value is of any type, and a bit string in some calls: in a function that the
        program uses at several types.
        """
        used = self.sure.runs.used.expressions.get(id(node))
        if not self.mixed or used is None or not _holds_bits(used):
            return
        sources = reachable([self._variable(node)], lambda part: (*_parts(part), *part.below))
        if any(_is_unknown(source) and not _own_shapes(source) for source in sources):
            raise Unsure

    # The tree

    def _changed(self, node: core.Node) -> Any:
        """Rewrite a node and all within it."""
        span = node.span
        match node:
            case core.Global():
                return self.renamed.get(node, node)
            case core.Nil():
                if self._is_bits(node):
                    raise Unsure  # it is written as NIL, and no number tells it from other zeros
                return core.List((), span=span)
            case core.Unary(operator="NOT", operand=operand) if self._is_bits(node):
                return core.Unary("BIT_NOT", self._changed(operand), span=span)
            case core.Binary(operator="MINUS", left=left, right=right) if self._is_bits(node):
                complement = core.Unary("BIT_NOT", self._changed(right), span=right.span)
                return core.Binary("BIT_AND", self._changed(left), complement, span=span)
            case core.Binary(operator="EQUIVALENT", left=left, right=right) if self._is_bits(node):
                different = core.Binary("BIT_XOR", self._changed(left), self._changed(right), span=span)
                return core.Unary("BIT_NOT", different, span=span)
            case core.Binary(operator=operator) if operator in _OPERATORS and self._is_bits(node):
                return walk.with_parts(replace(node, operator=_OPERATORS[operator]), self._changed)
            case core.Compare(operands=operands, operators=operators):
                for operator, left, right in zip(operators, operands, operands[1:], strict=False):
                    if operator in ("EQUAL", "UNEQUAL"):
                        self._check_comparable(left, right)
                    elif self._is_bits(left) is not self._is_bits(right) or (
                        operator in ("AT_MOST", "AT_LEAST") and self._is_bits(left)
                    ):
                        raise Unsure
                if all(self._is_bits(operand) for operand in operands):
                    node = replace(node, of_bits=True)
            case core.Apply(function=core.Host(name=name), arguments=arguments):
                return self._host(node, name, arguments)
            case core.Host(name=name) if name not in _TRANSPARENT:
                self._check_no_bits(iter([self.sure.checked.of(node)]))
            case core.Juxtapose(left=left):
                self._is_bits(left)
        return walk.with_parts(node, self._changed)

    def _host(self, node: core.Apply, name: str, arguments: tuple[core.Expression, ...]) -> Any:
        """Rewrite an application of a function of cplrt."""
        span = node.span
        match name, arguments:
            case "Null", (x,) if self._is_bits(x):
                zero = core.Literal(0, span=span)
                return core.Compare((self._changed(x), zero), ("EQUAL",), of_bits=True, span=span)
            case "Shift", (x, n):
                return core.Binary("SHIFT", self._changed(x), self._changed(n), span=span)
            case "SingleDigitFrom", (x,):
                return self._lowest_bit(self._changed(x), span)
            case "Logical", (x,) if self._is_bits(x):
                return self._changed(x)
            case "Logical", (core.Literal(value=int() as value),):
                return core.Literal(value, span=span)
            case _ if name in _TRANSPARENT or (name == "MinList" and not self._are_listed(node)):
                return replace(node, arguments=tuple(map(self._changed, arguments)))
            case _:
                for argument in arguments:
                    self._check_known(argument)
                outside = tuple(
                    [_converted("AsLogical", self._changed(x), form_of(self._variable(x), x.span)) for x in arguments]
                )
                return _converted("AsBits", replace(node, arguments=outside), form_of(self._variable(node), span))

    def _lowest_bit(self, value: core.Expression, span: Span) -> core.Expression:
        """The lowest bit of a value: `x ∧ -x`, with the value evaluated once."""

        def lowest(x: core.Expression) -> core.Expression:
            return core.Binary("BIT_AND", x, core.Unary("MINUS", x, span=span), span=span)

        if is_atom(value):
            return lowest(value)
        x = self.fresh.local("x", value.span)
        commands = (core.Let(x, value, span=value.span), core.Result(lowest(x), span=value.span))
        return core.Block(commands, span=value.span)

    def _are_listed(self, node: core.Apply) -> bool:
        """Tell whether the members of the list that is made are bit strings."""
        shapes = self.inference.expressions[id(node)].shapes
        return any(_is_logical(member) for shape in shapes for member in shape.outputs)


def _is_about_bits(conflict: tuple[LowerBound, constraints.Need]) -> bool:
    """Tell whether a bit string comes to where something else is needed, or the reverse."""
    lower, need = conflict
    made = lower.kind if isinstance(lower, Shape) else lower.overload.root.kind
    return made == "logical" or constraints.kinds_of(need) == {"logical"}


def _kinds(variable: Variable) -> set[str]:
    """The kinds of value that flow into a variable; if none do, those that are needed of it or of its lower bounds."""
    return _own_kinds(variable) or {kind for source in _sources(variable) for kind in _own_kinds(source)}


def _sources(variable: Variable) -> Iterable[Variable]:
    """A variable and all its lower bounds."""
    return reachable([variable], lambda source: source.below)


def _own_kinds(variable: Variable) -> set[str]:
    kinds = {"logical" if shape.zero and _needs_bits(variable) else shape.kind for shape in variable.shapes}
    return kinds or {need.kind for need in variable.needs.values() if isinstance(need, Shape)}


def _needs_bits(variable: Variable) -> bool:
    return any(
        (isinstance(need, Shape) and need.head == "logical")
        or (isinstance(need, constraints.Operand) and need.overload.root.kind == "logical")
        for need in variable.needs.values()
    )


def _is_logical(variable: Variable) -> bool:
    return "logical" in _kinds(variable)


def _is_unknown(variable: Variable) -> bool:
    """Tell whether the values of a variable come from outside of the program."""
    return not (variable.bounds or variable.below or variable.declared)


def _holds_bits(variable: Variable) -> bool:
    return any(_is_logical(part) for part in reachable([variable], _parts))


def _parts(variable: Variable) -> list[Variable]:
    return constraints.variables(_shapes(variable) or variable.needs.values())


def _shapes(variable: Variable) -> list[Shape]:
    """The shapes of what flows into a variable; if it is nothing or NIL, those that are needed of it or of its lower
    bounds.
    """
    return _own_shapes(variable) or [shape for source in _sources(variable) for shape in _own_shapes(source)]


def _own_shapes(variable: Variable) -> list[Shape]:
    return [shape for shape in variable.shapes if shape.head != "nil"] or [
        shape for shape in variable.needs.values() if isinstance(shape, Shape)
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
        members = {form for member in _members(variable) if (form := form_of(member, span, (*path, variable)))}
        if len(members) != 1:
            raise Unsure
        return core.List(tuple(members), span=span)
    if {shape.kind for shape in shapes} & {"number", "boolean"} and any(shape.head == "logical" for shape in shapes):
        raise Unsure
    several = (_form_of_shape(shape, span, (*path, variable)) for shape in shapes)
    forms = [*dict.fromkeys(form for form in several if form is not None)]
    # NIL beside bit strings is told apart from them by its type, so that there is a choice
    if len(forms) < 2 and (len(variable.shapes) < 2 or not isinstance(forms[0] if forms else None, core.Host)):
        return forms[0] if forms else None
    return core.Apply(core.Host("Either", span=span), tuple(forms), span=span)


def taken(variable: Variable, span: Span, path: tuple[Variable, ...] = ()) -> core.Expression:
    """The form of what comes from outside into a variable: that of what the program itself gives it, or needs of it."""
    unknown = core.Host("other", span=span)
    if variable in path or variable.is_open or constraints.holds_several(variable):
        return unknown
    shapes = _shapes(variable)
    if not shapes:
        is_nil = any(shape.head == "nil" for shape in variable.shapes)
        return core.List((), span=span) if is_nil else form_of(variable, span) or unknown
    forms = [*dict.fromkeys(_taken_shape(shape, span, (*path, variable)) for shape in shapes)]
    is_list = any(isinstance(form, core.List) for form in forms)
    if any(shape.head == "nil" for shape in variable.shapes) and not is_list:
        forms.append(core.List((), span=span))
    return forms[0] if len(forms) == 1 else core.Apply(core.Host("Either", span=span), tuple(forms), span=span)


def _taken_shape(shape: Shape, span: Span, path: tuple[Variable, ...]) -> core.Expression:
    """The form of values of this shape that come from outside."""
    match shape.kind:
        case "logical":
            return core.Host("bits", span=span)
        case "number" | "boolean" | "string" as kind:
            return core.Host(_MARKS[kind], span=span)
        case "list":
            return core.List((taken(shape.outputs[0], span, path),), span=span)
        case "tuple":
            return core.Tuple(tuple([taken(part, span, path) for part in shape.outputs]), span=span)
        case _:
            return _form_of_shape(shape, span, path) or core.Host("other", span=span)


def _form_of_shape(shape: Shape, span: Span, path: tuple[Variable, ...]) -> core.Expression | None:
    """The form of values of this shape."""

    def given(form: core.Expression | None) -> core.Expression:
        return form or core.Host("other", span=span)

    parts = [form_of(part, span, path) for part in shape.outputs]
    match shape.head:
        case "logical":
            return core.Host("bits", span=span)
        case "tuple" if any(parts):
            return core.Tuple(tuple(map(given, parts)), span=span)
        case "list" if any(parts):
            return core.List(tuple(map(given, parts)), span=span)
        case "function":
            parameters = [form_of(parameter, span, path) for parameter in shape.inputs]
            if not any((*parts, *parameters)):
                return None
            arguments = core.Tuple(tuple(map(given, parameters)), span=span)
            return core.Apply(core.Host("Function", span=span), (arguments, given(parts[0])), span=span)
        case _ if any(parts) or any(map(_holds_bits, shape.inputs)):
            raise Unsure
        case _:
            return None


def _converted(function: str, value: core.Expression, form: core.Expression | None) -> core.Expression:
    """A value as a function of `cplrt.edge` converts it; one of no form has nothing to convert."""
    if form is None:
        return value
    return core.Apply(core.Host(function, span=value.span), (value, form), span=value.span)
