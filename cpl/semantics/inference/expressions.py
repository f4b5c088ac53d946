"""What expressions may be: which values flow into them, and what they need of those."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cpl.semantics import core
from cpl.semantics.inference import declared, host, terms
from cpl.semantics.inference.scopes import Scopes
from cpl.semantics.inference.terms import Kinds, Made, Operand, Outcome, Shape, Term, Variable
from cpl.source import Span

_TRUTHS: Final = ("boolean", "logical")
_SIZES: Final = ("number", "string", "logical")
_SUMS: Final = ("number", "logical")
_NUMBERS: Final = ("number",)
_MOST_ITEMS: Final = 12
_CONSTANTS: Final = ("number", "string", "boolean", "nil")
_CONDITION: Final = frozenset({"boolean", "list", "tuple", "nil"})

_ALLOWED: Final = {
    **dict.fromkeys(("AND", "OR", "EQUIVALENT", "INEQUIVALENT", "NOT"), _TRUTHS),
    **dict.fromkeys(("PLUS", "MINUS", "SUM", "DIFFERENCE"), _SUMS),
    **dict.fromkeys(("TIMES", "DIVIDE", "POWER"), _NUMBERS),
    **dict.fromkeys(("LESS", "GREATER", "AT_MOST", "AT_LEAST"), _SIZES),
}
"""The kinds that operators are for: the papers write several operations with the same signs."""


@dataclass(frozen=True)
class Meeting:
    """A variable in which the values of several expressions come together: the arms of a conditional, the results of a
    block.
    """

    variable: Variable
    values: tuple[tuple[Term, Span], ...]


class Expressions(Scopes):
    """The expressions of a program: `terms` holds what each may be, by its identity."""

    def __init__(self, program: core.Program) -> None:
        super().__init__(program)
        self.terms: dict[int, Term] = {}
        self.meetings: list[Meeting] = []
        self.comparisons: list[tuple[tuple[core.Expression, Term], tuple[core.Expression, Term]]] = []
        self.results: list[tuple[Variable, list[tuple[Term, Span]]]] = []  # of the blocks that are being read

    @abstractmethod
    def commands(self, commands: Sequence[core.Command]) -> None:
        """Commands of a block, or of the outermost level."""

    def of(self, node: core.Expression) -> Term:
        """What an expression may be, entered on the way."""
        result = self._of(node)
        self.terms[id(node)] = result
        return result

    def _of(self, node: core.Expression) -> Term:
        solver, span = self.solver, node.span
        match node:
            case core.Literal(value=bool()):
                return Shape(span, "boolean")
            case core.Literal(value=str() as value):
                return Shape(span, "string", constant=value)
            case core.Literal(value=int()):
                return Shape(span, "integer")
            case core.Literal() | core.Infinity():
                return Shape(span, "real")
            case core.Local() | core.Global():
                return self.use(node, span)
            case core.Host(name=name):
                return host.function(solver, name, span, ())
            case core.Tuple(items=items):
                return Shape(span, "tuple", tuple([solver.as_variable(self.of(item)) for item in items]))
            case core.List(items=()):
                return Shape(span, "nil")
            case core.Nil():
                return Shape(span, "nil", zero=True)
            case core.List(items=items):
                member = solver.variable()
                several = tuple([solver.as_variable(self.of(item)) for item in items])
                for item in several:
                    solver.flow(item, member)
                return Shape(span, "list", (member,), items=several if len(items) <= _MOST_ITEMS else ())
            case core.Apply(function=function, arguments=arguments):
                return self._apply(function, arguments, span)
            case core.Select():
                return self._selected(node)
            case core.Component():
                return self._component(node, None)
            case core.Reference(place=place):
                return Shape(span, "pointer", self._place(place))
            case core.Contents():
                return self._contents(node)[0]
            case core.Juxtapose(left=left, right=right):
                result = solver.variable()
                argument = solver.as_variable(self.of(right))
                solver.flow(self.of(left), terms.Beside(left.span, (argument,), result, subscript=False))
                return result
            case core.Unary(operator="NOT", operand=operand):
                return self._operation("NOT", _TRUTHS, [operand], span)
            case core.Unary(operator=sign, operand=operand):
                return self._operation(sign, _NUMBERS, [operand], span)
            case core.Binary(operator=sign, left=left, right=right):
                return self._operation(sign, _ALLOWED[sign], [left, right], span)
            case core.Compare(operands=operands, operators=operators):
                self._compare(operands, operators)
                return Shape(span, "boolean")
            case core.Conditional(arms=arms, otherwise=otherwise):
                for test, _ in arms:
                    self.condition(test)
                given = [value for _, value in arms] + [otherwise]
                return self._meet([(self.of(value), value.span) for value in given], solver.variable())
            case core.Block(commands=commands, routine=routine):
                result = solver.variable()
                self.results.append((result, []))
                self.commands(commands)
                _, values = self.results.pop()
                return Shape(span, "nothing") if routine else self._meet(values, result)
            case core.Lambda(parameters=parameters, body=body):
                shape = self.function(parameters, span)
                self.body(shape, body)
                return shape

    def _meet(self, values: Sequence[tuple[Term, Span]], result: Variable) -> Variable:
        for value, _ in values:
            self.solver.flow(value, result)
        if len(values) > 1:
            self.meetings.append(Meeting(result, tuple(values)))
        return result

    def _apply(self, function: core.Expression, arguments: Sequence[core.Expression], span: Span) -> Term:
        given = [self.of(argument) for argument in arguments]
        match function:
            case core.Host(name="Array"):
                return self._array(arguments, given, span)
            case core.Host(name=name):
                places = [each.span for each in arguments]
                asked = self._asked(arguments[0]) if name == "Is" and arguments else host.ANYTHING
                applied: Term = host.function(self.solver, name, span, places, asked)
                self.terms[id(function)] = applied
            case _:
                applied = self.of(function)
        if isinstance(applied, Shape) and len(applied.members) == len(given) + 1:
            for argument, parameter in zip(given, applied.members, strict=False):
                self.solver.flow(argument, parameter)
            return applied.members[-1]
        result = self.solver.variable()
        members = (*map(self.solver.as_variable, given), result)
        self.solver.flow(applied, Shape(span, "function", members))
        return result

    def _asked(self, type: core.Expression) -> frozenset[object]:
        """What `Is` asks for."""
        match type:
            case core.Literal(value=str() as words):
                return declared.kinds(words)
            case core.Global() if type in self.nodes:
                return frozenset({type, "node", "element"})
            case core.Global() if type in self.elements:
                return self.alternatives(type) | {"node", "element"}
            case _:
                return host.ANYTHING

    def _array(self, arguments: Sequence[core.Expression], given: Sequence[Term], span: Span) -> Term:
        """`Array[real, (0,15)]`: of as many dimensions as there are bounds."""
        bottom = self.solver.variable()
        match arguments:
            case [core.Literal(value=str() as words, span=place), *bounds]:
                self.declare(bottom, words, place)
            case _:
                bounds = list(arguments[1:])
        made: Term = bottom
        for bound, pair in zip(reversed(bounds), reversed(given), strict=False):
            number = Shape(bound.span, "number")
            ends = self.solver.variable(), self.solver.variable()
            for end in ends:
                self.solver.flow(end, number)
            self.solver.flow(pair, Shape(bound.span, "tuple", ends))
            member = self.solver.as_variable(made)
            made = Shape(span, "array", (member, member))
        return made

    def _selected(self, node: core.Select, written: Variable | None = None, *, assigned: bool = False) -> Variable:
        """`m[k]`, to which something may be `written`; if it is `assigned` to, m is no function."""
        solver = self.solver
        result = solver.variable()
        of = self.of(node.operand)
        given = [self.of(index) for index in node.indices]
        place = node.operand.span
        literal = (
            node.indices[0].value if len(node.indices) == 1 and isinstance(node.indices[0], core.Literal) else None
        )
        index = literal if isinstance(literal, int) and not isinstance(literal, bool) else None
        if not assigned and not node.of_array:
            arguments = tuple(map(solver.as_variable, given))
            solver.flow(of, terms.Beside(place, arguments, result, subscript=True, index=index, written=written))
            return result
        for term, at in zip(given, node.indices, strict=True):
            solver.flow(term, Shape(at.span, "number"))
        for _ in given[1:]:
            row = solver.variable()
            solver.flow(of, terms.Member(place, None, row))
            of = row
        solver.flow(of, terms.Member(place, index, result, written=written))
        return result

    def _component(self, node: core.Component, written: Variable | None) -> Variable:
        result = self.solver.variable()
        owners = tuple(self.owners[node.name])
        need = terms.Component(
            node.operand.span, node.name, owners, result, written or self.solver.variable(empty=True)
        )
        self.solver.flow(self.of(node.operand), need)
        if len(owners) == 1:
            self.solver.flow(self.solver.components[owners[0], node.name], result)
        return result

    def _operation(self, sign: str, allowed: tuple[str, ...], operands: Sequence[core.Expression], span: Span) -> Term:
        """An operator whose operands, and what it gives, are of one kind."""
        kinds = Kinds(allowed)
        result = self.solver.variable()
        outcome = Outcome(kinds, span, sign, result)
        kinds.outcomes.append(outcome)
        self._operands(kinds, sign, operands, outcome)
        self.solver.flow(outcome, result)
        if len(allowed) == 1:
            self.solver.resolve(kinds, allowed[0])
        return result

    def _operands(
        self, kinds: Kinds, sign: str, operands: Sequence[core.Expression], outcome: Outcome | None = None
    ) -> None:
        needs = []
        for operand in operands:
            variable = self.solver.as_variable(self.of(operand))
            need = Operand(operand.span, kinds, sign, variable, outcome)
            kinds.operands.append(need)
            needs.append(need)
        if outcome is not None:
            outcome.operands |= dict.fromkeys(needs)
        for need in needs:
            self.solver.flow(need.variable, need)

    def _compare(self, operands: Sequence[core.Expression], operators: Sequence[str]) -> None:
        given = [self.of(operand) for operand in operands]
        for index, sign in enumerate(operators):
            left, right = operands[index : index + 2]
            if sign in _ALLOWED:
                kinds = Kinds(_SIZES)
                for operand, term in ((left, given[index]), (right, given[index + 1])):
                    variable = self.solver.as_variable(term)
                    kinds.operands.append(Operand(operand.span, kinds, sign, variable, None))
                for need in kinds.operands[:2]:
                    self.solver.flow(need.variable, need)
            else:
                ends = (left, given[index]), (right, given[index + 1])
                self.comparisons.append(ends)
                for (mine, term), (other, value) in (ends, ends[::-1]):
                    self._equal(mine, term, other, value)

    def _equal(self, node: core.Expression, mine: Term, other: core.Expression, value: Term) -> None:
        """One of the values of what is compared with a constant must be of its type."""
        constant: Made = value if isinstance(value, Shape) else Shape(node.span, "general")
        if isinstance(value, Variable) and isinstance(other, core.Global) and len(value.shapes) == 1:
            [constant] = value.shapes.values()
        if isinstance(mine, Variable) and isinstance(constant, Shape) and constant.kind in _CONSTANTS:
            compared = Shape(node.span, constant.head, soft=True, constant=constant.constant)
            self.solver.flow(mine, compared)

    def condition(self, test: core.Expression) -> None:
        """A test must be true or false; a list holds unless it is NIL, also within ∧, ∨ and ~."""
        match test:
            case core.Unary(operator="NOT", operand=operand):
                parts: tuple[core.Expression, ...] = (operand,)
            case core.Binary(operator="AND" | "OR", left=left, right=right):
                parts = left, right
            case _:
                self.solver.flow(self.of(test), terms.OneOf(test.span, _CONDITION, "a condition"))
                return
        for part in parts:
            if isinstance(part, core.List | core.Tuple | core.Nil):  # one that is written out asks nothing
                self.solver.flow(self.of(part), terms.OneOf(part.span, frozenset({"boolean"}), "a truth value"))
            else:
                self.condition(part)
        self.terms[id(test)] = Shape(test.span, "boolean")

    def body(self, shape: Shape, body: core.Expression) -> None:
        """What a function of this shape gives."""
        results, self.results = self.results, []
        self.solver.flow(self.of(body), shape.members[-1])
        self.results = results

    # Places

    def _place(self, place: core.Expression, *, assigned: bool = False) -> tuple[Variable, Variable]:
        """What is read from a place, and what is written to it."""
        solver = self.solver
        match place:
            case core.Local() | core.Global():
                return self.name(place), self.name(place)
            case core.Select():
                written = solver.variable()
                return self._selected(place, written, assigned=assigned), written
            case core.Component():
                written = solver.variable()
                return self._component(place, written), written
            case core.Contents():
                return self._contents(place)
            case _:
                held = solver.variable()
                solver.flow(self.of(place), held)
                return held, held

    def _contents(self, node: core.Contents) -> tuple[Variable, Variable]:
        """What is read from where a reference leads to, and what is written there."""
        read, written = self.solver.variable(), self.solver.variable()
        self.solver.flow(self.of(node.reference), Shape(node.reference.span, "pointer", (read, written)))
        return read, written

    def _assign(self, place: core.Place, value: Term) -> None:
        if isinstance(place, core.Choice):
            self.condition(place.test)
            self._assign(place.place, value)
            self._assign(place.otherwise, value)
        else:
            _, written = self._place(place, assigned=True)
            self.solver.flow(value, written)

    def assignment(self, places: Sequence[core.Place], values: Sequence[Term]) -> None:
        """New values for places; one for several is taken apart."""
        if len(values) < len(places):
            members = tuple([self.solver.variable() for _ in places])
            self.solver.flow(values[0], Shape(places[0].span.to(places[-1].span), "tuple", members))
            values = members
        for place, value in zip(places, values, strict=True):
            self._assign(place, value)
