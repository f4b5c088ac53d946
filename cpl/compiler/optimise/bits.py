"""Bit strings represented by whole numbers: a module makes a `Logical` only at its edge.

    let Board = Logical[511]
    let Free[P] = ~(P ∨ Shift[P,4]) ∧ Board
    let IsFull[P] = Null[Free[P]]

becomes, in Python,

    _Board = 511

    def _Free(P):
        return ~(P | P >> 4) & _Board

    def _IsFull(P):
        return _Free(P) == 0

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

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, pairwise
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

_TRANSPARENT: Final = frozenset({"Head", "Tail", "Next", "Join", "Null", "Copy", "ListOf", "Array", "Hash"})
"""Functions of cplrt that do the same to a bit string and to its number."""


_MOST_ONES: Final = 8
"""A constant with more ones than this is not written digit by digit: it would fill more than a line."""

_LAST_POSITION: Final = 255
"""Digits further on are left to `Logical`, as larger numbers are not worked out either (`simplify`)."""

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
        mixtures = filter(constraints.holds_several, variables)
        if any(map(_holds_bits, chain.from_iterable(mixture.below for mixture in mixtures))):
            raise Unsure
        if any(map(_is_about_bits, self.inference.solver.conflicts)):
            raise Unsure
        unknown = [variable for variable in variables if _is_unknown(variable) and not _is_logical(variable)]
        self.unconverted = {*reachable(unknown, lambda variable: variable.above)}  # what may come from outside as it is

    def run(self) -> core.Program:
        """Return the program, the constants of its edge last."""
        definitions = self.program.definitions
        # A first rewriting, whose result is dropped: it finds what is not certain, and fills `touched`.
        for definition in definitions:
            self._definition(definition)
            if isinstance(definition, core.NodeType):
                for component in definition.components:
                    self._check_no_bits(self.sure.checked.component(definition.name, component))

        forms = self._forms()
        for definition in definitions:
            if not forms.keys().isdisjoint(walk.changed(definition)):
                raise Unsure

        self.renamed = {name: replace(name, name=f"_{name.name}") for name in forms}
        rewritten = [*map(self._definition, definitions)]
        visible = self._visible(forms)
        edge = [
            core.Constants(name, _converted("AsLogical", self.renamed[name], form), span=name.span)
            for name, form in forms.items()
            if name in visible
        ]
        return replace(self.program, definitions=(*rewritten, *edge))

    def _forms(self) -> dict[core.Global, core.Expression]:
        """The names of the top level whose values are or hold bit strings, with the forms of these values."""
        forms: dict[core.Global, core.Expression] = {}
        for definition in self.program.definitions:
            if not isinstance(definition, core.Function | core.Constants):
                continue
            for name in walk.names(definition):
                if isinstance(name, core.Global):
                    form = self._form(name, definition)
                    if form is not None:
                        forms[name] = form
        return forms

    def _visible(self, names: Collection[core.Global]) -> Set[core.Global]:
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
        bound = self.inference.bound(name, definition)
        general = self.sure.runs.general.bound(name, definition)
        assert bound is not None
        if isinstance(bound, Variable):
            return form_of(bound, name.span)
        if name not in self.touched and general is not None:
            roots = [general] if isinstance(general, Variable) else constraints.variables([general])
            parts = reachable(roots, _parts)
            if not any(_is_logical(part) or part.is_open for part in parts):
                return self._form_of_general(name, bound)
        return self._form_with_door(bound, name.span)

    def _form_of_general(self, name: core.Global, function: Shape) -> core.Expression | None:
        """The form of a function that takes values of any type. It can stay as it is, unless it is faster for bit
        strings alone.
        """
        if name in self.mixed:
            return None
        try:
            return self._form_with_door(function, name.span)
        except Unsure:
            return None

    def _form_with_door(self, function: Shape, span: Span) -> core.Expression | None:
        """The form of a function, in which that of each argument says all that is known or guessed of it: it is checked
        at the door.
        """
        match _form_of_shape(function, span, ()):
            case core.Apply(arguments=(_, result)) as form:
                arguments = [form_at_door(parameter, span) for parameter in function.inputs]
                return replace(form, arguments=(core.Tuple(tuple(arguments), span=span), result))
            case form:
                return form

    def _check_no_bits(self, type: Type | None) -> None:
        """Raise Unsure if values of a type may be or hold bit strings, or it is not known."""
        if type is None or _LOGICAL in all_parts(type):
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
            raise Unsure  # an operator on NIL, which is not a bit string here though NIL can be one
        if "logical" in kinds:
            if kinds != {"logical"} or variable in self.unconverted:
                raise Unsure
            if self.definition:
                self.touched.update(walk.names(self.definition))
            return True
        is_in_mixed = isinstance(self.definition, core.Function) and self.definition.name in self.mixed
        if is_in_mixed and not variable.shapes:
            raise Unsure
        return False

    def _check_comparable(self, left: core.Expression, right: core.Expression) -> None:
        """Raise Unsure unless values that are equal as numbers are equal as bit strings."""
        variables = [self._variable(left), self._variable(right)]
        if not any(map(_holds_bits, variables)) or (self._is_bits(left) and self._is_bits(right)):
            return

        # What holds bit strings must hold them in the same places on both sides, and in all that may come from outside.
        compared = [*variables]
        for variable in variables:
            compared += filter(_is_unknown, _sources(variable))
        form, *other_forms = [form_of(operand, left.span) for operand in compared]
        has_choice = core.Host("Either", span=left.span) in walk.nodes(form or left)
        if self.mixed or has_choice or any(other != form for other in other_forms):
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
        """Rewrite a node and all inside it."""
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
                for operator, (left, right) in zip(operators, pairwise(operands), strict=True):
                    self._check_relation(operator, left, right)
                if all(map(self._is_bits, operands)):
                    node = replace(node, of_bits=True)
            case core.Apply(function=core.Host(name=name), arguments=arguments):
                return self._host(node, name, arguments)
            case core.Host(name=name) if name not in _TRANSPARENT:
                self._check_no_bits(self.sure.checked.of(node))
            case core.Juxtapose(left=left):
                self._is_bits(left)  # only to find out whether it is certain
        return walk.with_parts(node, self._changed)

    def _check_relation(self, operator: str, left: core.Expression, right: core.Expression) -> None:
        """Raise Unsure unless a relation holds between numbers where it holds between the bit strings."""
        if operator in ("EQUAL", "UNEQUAL"):
            self._check_comparable(left, right)
            return
        are_bits = self._is_bits(left)
        if are_bits is not self._is_bits(right):
            raise Unsure
        if are_bits and operator in ("AT_MOST", "AT_LEAST"):  # bit strings do not have these
            raise Unsure

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
            case "Logical", (core.List(items=positions),) if is_of_few_positions(positions):
                return with_ones_at(positions, span)
            case _ if name in _TRANSPARENT or (name == "MinList" and not self._are_listed(node)):
                return replace(node, arguments=tuple(map(self._changed, arguments)))
            case _:
                for argument in arguments:
                    self._check_known(argument)
                converted_arguments = [self._as_logical(argument) for argument in arguments]
                applied = replace(node, arguments=tuple(converted_arguments))
                return _converted("AsBits", applied, form_of(self._variable(node), span))

    def _as_logical(self, node: core.Expression) -> core.Expression:
        """Rewrite an expression and convert the bit strings in its value, for a function that looks at them."""
        return _converted("AsLogical", self._changed(node), form_of(self._variable(node), node.span))

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
        return any(map(_is_logical, chain.from_iterable(shape.outputs for shape in shapes)))


def _is_position(node: core.Expression) -> bool:
    """Tell whether an expression is the position of a digit, as it is written down."""
    return isinstance(node, core.Literal) and type(node.value) is int and 0 <= node.value <= _LAST_POSITION


def is_of_few_positions(items: Sequence[core.Expression]) -> bool:
    """Tell whether the members of a list are positions of digits, as they are written, and few enough for a line."""
    return 0 < len(items) <= _MOST_ONES and all(map(_is_position, items))


def with_ones_at(positions: Sequence[core.Expression], span: Span) -> core.Expression:
    """The number whose digits at these positions are ones: `1 << 5 | 1 << 7`, where readers see the positions."""
    digits: list[core.Expression] = []
    for position in positions:
        assert isinstance(position, core.Literal) and isinstance(position.value, int)
        up = replace(position, value=-position.value)
        digits.append(core.Binary("SHIFT", core.Literal(1, span=position.span), up, span=position.span))
    first, *others = digits
    for digit in others:
        first = core.Binary("BIT_OR", first, digit, span=span)
    return first


def _is_about_bits(conflict: tuple[LowerBound, constraints.Need]) -> bool:
    """Tell whether a bit string comes to where something else is needed, or the reverse."""
    lower, need = conflict
    produced = lower.kind if isinstance(lower, Shape) else lower.overload.root.kind
    return produced == "logical" or constraints.kinds_of(need) == {"logical"}


def _kinds(variable: Variable) -> set[str]:
    """The kinds of value that flow into a variable; if none do, those that are needed of it or of its lower bounds."""
    own = _own_kinds(variable)
    return own or {*chain.from_iterable(map(_own_kinds, _sources(variable)))}


def _sources(variable: Variable) -> Iterable[Variable]:
    """A variable and all its lower bounds."""
    return reachable([variable], lambda source: source.below)


def _own_kinds(variable: Variable) -> set[str]:
    """The kinds of value that flow into a variable; if none do, those that are needed of it. NIL that is used as a bit
    string is one: that of zeros.
    """
    kinds = {"logical" if shape.zero and _needs_bits(variable) else shape.kind for shape in variable.shapes}
    return kinds or {need.kind for need in variable.needs.values() if isinstance(need, Shape)}


def _needs_bits(variable: Variable) -> bool:
    """Tell whether a value is used as a bit string."""
    for need in variable.needs.values():
        match need:
            case Shape(head="logical"):
                return True
            case constraints.Operand() if need.overload.root.kind == "logical":
                return True
    return False


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
    own = _own_shapes(variable)
    return own or [*chain.from_iterable(map(_own_shapes, _sources(variable)))]


def _own_shapes(variable: Variable) -> list[Shape]:
    """The shapes of what flows into a variable; if it is nothing or NIL, those that are needed of it."""
    produced = [shape for shape in variable.shapes if shape.head != "nil"]
    return produced or [need for need in variable.needs.values() if isinstance(need, Shape)]


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
    path = (*path, variable)
    shapes = _shapes(variable)
    if not shapes:
        return _form_of_list(variable, span, path)
    kinds = {shape.kind for shape in shapes}
    if "logical" in kinds and not kinds.isdisjoint(("number", "boolean")):
        raise Unsure

    forms: dict[core.Expression, None] = {}  # each once, in their order
    for shape in shapes:
        form = _form_of_shape(shape, span, path)
        if form is not None:
            forms[form] = None
    if not forms:
        return None
    first, *others = forms
    may_be_nil = isinstance(first, core.Host) and len(variable.shapes) > 1
    if not others and not may_be_nil:
        return first
    # Also if bit strings are the only form: NIL is told from them by its type, so that there is a choice.
    return core.Apply(core.Host("Either", span=span), tuple(forms), span=span)


def _form_of_list(variable: Variable, span: Span, path: tuple[Variable, ...]) -> core.Expression:
    """The form of what is only known by its members. Raises Unsure if they have not all one form."""
    members: set[core.Expression] = set()
    for member in _members(variable):
        form = form_of(member, span, path)
        if form is not None:
            members.add(form)
    if len(members) != 1:
        raise Unsure
    return core.List(tuple(members), span=span)


def form_at_door(variable: Variable, span: Span, path: tuple[Variable, ...] = ()) -> core.Expression:
    """The form of what comes from outside into a variable: that of what the program itself puts there, or needs."""
    unknown = core.Host("other", span=span)
    if variable in path or variable.is_open or constraints.holds_several(variable):
        return unknown
    may_be_nil = any(shape.head == "nil" for shape in variable.shapes)
    nil = core.List((), span=span)
    shapes = _shapes(variable)
    if not shapes:
        return nil if may_be_nil else form_of(variable, span) or unknown

    path = (*path, variable)
    forms = [*dict.fromkeys(_shape_at_door(shape, span, path) for shape in shapes)]
    is_list = any(isinstance(form, core.List) for form in forms)
    if may_be_nil and not is_list:
        forms.append(nil)
    if len(forms) == 1:
        return forms[0]
    return core.Apply(core.Host("Either", span=span), tuple(forms), span=span)


def _shape_at_door(shape: Shape, span: Span, path: tuple[Variable, ...]) -> core.Expression:
    """The form of values of this shape that come from outside."""
    match shape.kind:
        case "logical":
            return core.Host("bits", span=span)
        case "number" | "boolean" | "string" as kind:
            return core.Host(_MARKS[kind], span=span)
        case "list":
            return core.List((form_at_door(shape.outputs[0], span, path),), span=span)
        case "tuple":
            return core.Tuple(tuple(form_at_door(part, span, path) for part in shape.outputs), span=span)
        case _:
            return _form_of_shape(shape, span, path) or core.Host("other", span=span)


def _form_of_shape(shape: Shape, span: Span, path: tuple[Variable, ...]) -> core.Expression | None:
    """The form of values of this shape; None if they hold no bit strings. Raises Unsure."""

    def or_other(form: core.Expression | None) -> core.Expression:
        return form or core.Host("other", span=span)

    parts = [form_of(part, span, path) for part in shape.outputs]
    match shape.head:
        case "logical":
            return core.Host("bits", span=span)
        case "tuple" if any(parts):
            return core.Tuple(tuple(map(or_other, parts)), span=span)
        case "list" if any(parts):
            return core.List(tuple(map(or_other, parts)), span=span)
        case "function":
            parameters = [form_of(parameter, span, path) for parameter in shape.inputs]
            if not any((*parts, *parameters)):
                return None
            arguments = core.Tuple(tuple(map(or_other, parameters)), span=span)
            return core.Apply(core.Host("Function", span=span), (arguments, or_other(parts[0])), span=span)
        case _ if any(parts) or any(map(_holds_bits, shape.inputs)):
            raise Unsure
        case _:
            return None


def _converted(function: str, value: core.Expression, form: core.Expression | None) -> core.Expression:
    """A value as a function of `cplrt.edge` converts it; one of no form has nothing to convert."""
    if form is None:
        return value
    return core.Apply(core.Host(function, span=value.span), (value, form), span=value.span)
