"""Reads a program into flows: what each expression and each name may be, and what is needed of it.

A definition is read after those that it uses, so that what they are is known; those that use each other are read
together.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Final

from cpl.semantics import core, walk
from cpl.semantics.scc import components
from cpl.source import Span
from cpl.types import builtins, constraints, declared
from cpl.types.constraints import Kinds, Made, Operand, Outcome, Shape, Term, Variable
from cpl.types.generalize import Scheme, instance, schemes, shape_of
from cpl.types.solver import Solver

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


@dataclass(frozen=True)
class Scope:
    """What names stand for: those of the outermost level, or the variables of one definition."""

    names: dict[core.Local | core.Global, Variable] = field(default_factory=dict)
    functions: dict[core.Local | core.Global, Shape | Scheme] = field(default_factory=dict)


class Inference:
    """The flows of a program. Functions are of the types that the program uses them at, but for those that are
    `polymorphic`: all of them, if none are named.
    """

    def __init__(self, program: core.Program, polymorphic: Container[core.Local | core.Global] | None = None) -> None:
        self._program = program  # keeps the nodes alive, so that their ids stay theirs
        self.polymorphic = polymorphic
        self.elements = {one.name: one for one in program.definitions if isinstance(one, core.ElementType)}
        self.nodes = {one.name: one for one in program.definitions if isinstance(one, core.NodeType)}
        self.types = {name.name: Shape(name.span, "node", name=name) for name in self.nodes}
        self.types |= {name.name: Shape(name.span, "element", name=name) for name in self.elements}
        self.owners: dict[str, list[core.Global]] = {}  # of each component the types of nodes that have it
        self.solver = Solver(self.alternatives)
        self.outermost = Scope()
        self.scopes: dict[int, Scope] = {}  # of each definition, by its identity
        self.scope = Scope()
        self.reading: set[core.Local | core.Global] = set()  # the functions of the outermost level that are being read
        self.applied: set[core.Local | core.Global] = set()  # those that others use
        self.terms: dict[int, Term] = {}  # what each expression may be, by its identity
        self.meetings: list[Meeting] = []
        self.comparisons: list[tuple[tuple[core.Expression, Term], tuple[core.Expression, Term]]] = []
        self.results: list[tuple[Variable, list[tuple[Term, Span]]]] = []  # of the blocks that are being read
        self._groups: list[set[core.Local | core.Global]] = []  # functions that use each other
        for one in self.nodes.values():
            self._components(one)
        for group in components(_uses(program.definitions)):
            self._read([program.definitions[each] for each in group])

    @cached_property
    def doubtful(self) -> set[Term]:
        """The variables to which something may come that is not known, whoever uses the program's functions."""
        return self._doubtful(given=True)

    @cached_property
    def doubtful_in_use(self) -> set[Term]:
        """The variables to which something may come that is not known, as the program uses its functions."""
        return self._doubtful(given=False)

    def _doubtful(self, *, given: bool) -> set[Term]:
        """The variables to which something may come that is not known: to the parameters of functions that the program
        does not apply, or of all, as they may be `given` values from outside of it.
        """
        shapes = self.outermost.functions
        open_ones = {
            each
            for names in self._groups
            if not names & self.applied
            for name in names
            for each in shape_of(shapes[name]).members[:-1]
        }
        waiting = [
            each
            for each in self.solver.variables
            if each.declared is None
            and ((given and each.given) or each in open_ones or not (each.shapes or each.below))
        ]
        found: set[Term] = {*waiting}
        while waiting:
            above = [each for each in waiting.pop().above if each not in found and each.declared is None]
            found |= {*above}
            waiting += above
        return found

    def _read(self, together: Sequence[core.Definition]) -> None:
        for one in together:
            self.scopes[id(one)] = Scope()
        self.reading = {one.name for one in together if isinstance(one, core.Function)}
        self._functions([one for one in together if isinstance(one, core.Function)])
        self._groups.append(self.reading)
        self.reading = set()
        for one in together:
            self.scope = self.scopes[id(one)]
            match one:
                case core.Constants(target=target, value=value):
                    self._let(target, value)
                case core.Commands(commands=commands):
                    self.commands(commands)

    def _functions(self, together: Sequence[core.Function | core.LetFunction]) -> None:
        """Functions that may use each other."""
        self.solver.level += 1
        first = len(self.solver.variables)
        shapes = []
        for one in together:
            self.scope = self.scopes.get(id(one), self.scope)
            shapes.append(self.function(one.parameters, one.name.span))
            self.declare(shapes[-1].members[-1], one.result, one.name.span)
            self.known(one.name).functions[one.name] = shapes[-1]
        for one, shape in zip(together, shapes, strict=True):
            self.scope = self.scopes.get(id(one), self.scope)
            self.body(shape, one.body)
        self.solver.level -= 1
        if self._is_polymorphic([one.name for one in together]):
            made = schemes(shapes, self.solver.level, self.solver.variables[first:])
            for one, known in zip(together, made, strict=True):
                self.known(one.name).functions[one.name] = known

    def _is_polymorphic(self, names: Iterable[core.Local | core.Global]) -> bool:
        return self.polymorphic is None or any(name in self.polymorphic for name in names)

    def _let(self, target: core.Target, value: core.Expression) -> None:
        """A definition by a value; a λ or the name of a function makes the name another function."""
        is_name = isinstance(value, core.Local | core.Global) and value in self.known(value).functions
        if isinstance(target, core.Several) or target.declared or not (is_name or isinstance(value, core.Lambda)):
            self._bind(target, self.of(value), value.span)
            return
        self.solver.level += 1
        first = len(self.solver.variables)
        shape = self.of(value)
        self.solver.level -= 1
        if isinstance(shape, Shape) and not (target in self._changed or target in self.known(target).names):
            known = self.known(target).functions
            known[target] = shape
            if self._is_polymorphic([target]):
                [known[target]] = schemes([shape], self.solver.level, self.solver.variables[first:])
        else:
            self._bind(target, shape, value.span)

    @cached_property
    def _changed(self) -> set[core.Local | core.Global]:
        """The names that get new values anywhere, or may."""
        return {name for definition in self._program.definitions for name in walk.changed(definition)}

    def _bind(self, target: core.Target, value: Term, span: Span) -> None:
        if not isinstance(target, core.Several):
            self.solver.flow(value, self.name(target))
            return
        if isinstance(value, Shape) and value.head == "tuple" and len(value.members) == len(target.items):
            for item, member in zip(target.items, value.members, strict=True):
                self._bind(item, member, span)
            return
        members = [self.solver.variable() for _ in target.items]
        self.solver.flow(value, Shape(target.span, "tuple", tuple(members)))
        for item, member in zip(target.items, members, strict=True):
            self._bind(item, member, span)

    def commands(self, commands: Sequence[core.Command]) -> None:
        """Commands of a block, or of the outermost level."""
        for _, run in groupby(commands, lambda each: isinstance(each, core.LetFunction)):
            together = [*run]  # functions that are defined one after the other may use each other
            functions = [each for each in together if isinstance(each, core.LetFunction)]
            if functions:
                self._functions(functions)
            for each in together if not functions else ():
                self._command(each)

    def _command(self, command: core.Command) -> None:
        solver = self.solver
        match command:
            case core.Let(target=target, value=value):
                self._let(target, value)
            case core.Declare(variable=variable):
                self.name(variable)
            case core.Assign(places=places, values=values):
                self.assignment(places, [self.of(value) for value in values])
            case core.If(test=test, commands=inner, otherwise=otherwise):
                self.condition(test)
                self.commands(inner)
                self.commands(otherwise)
            case core.While(test=test, commands=inner) | core.Repeat(test=test, commands=inner):
                self.condition(test)
                self.commands(inner)
            case core.ForStep(variable=variable, first=first, step=step, last=last, commands=inner):
                for bound in (first, step, last):
                    term = self.of(bound)
                    solver.flow(term, Shape(bound.span, "number"))
                    if bound is not last:
                        solver.flow(term, self.name(variable))
                self.commands(inner)
            case core.ForList(variable=variable, members=members, commands=inner):
                need = constraints.Member(members.span, None, self.name(variable), (*constraints.SEQUENCES, "string"))
                solver.flow(self.of(members), need)
                self.commands(inner)
            case core.Result(value=value, bare=bare):
                self._result(self.of(value), value.span, bare=bare)
            case core.Evaluate(value=value):
                self.of(value)
        if isinstance(command, core.While | core.ForStep | core.ForList):
            self.commands(command.otherwise)

    def _result(self, value: Term, span: Span, *, bare: bool) -> None:
        if not self.results:
            return
        result, values = self.results[-1]
        if bare:
            self.solver.flow(value, constraints.Softened(span, result))
        else:
            values.append((value, span))

    # Names

    def name(self, variable: core.Local | core.Global) -> Variable:
        """What a variable may be, in the definition that is being read."""
        scope = self.outermost if isinstance(variable, core.Global) else self.scope
        if variable not in scope.names:
            level = self.solver.level
            if isinstance(variable, core.Global):
                self.solver.level = 0
            scope.names[variable] = self.solver.variable()
            self.declare(scope.names[variable], variable.declared, variable.span)
            self.solver.level = level
        return scope.names[variable]

    def use(self, name: core.Local | core.Global, span: Span) -> Term:
        """What a name stands for where it is used."""
        known = self.known(name).functions.get(name)
        if known is not None:
            if name not in self.reading:
                self.applied.add(name)
            return instance(known, self.solver, span) if isinstance(known, Scheme) else known
        if isinstance(name, core.Global) and name in self.nodes:
            return self._constructor(name, span)
        if isinstance(name, core.Global) and name in self.elements:
            value = self.solver.variable()
            self.solver.flow(value, Shape(span, "element", name=name))
            return Shape(span, "function", (value, value))
        return self.name(name)

    def _constructor(self, name: core.Global, span: Span) -> Shape:
        given = [self.solver.components[name, each] for each in self.nodes[name].components]
        made = self.solver.as_variable(Shape(span, "node", name=name))
        return Shape(span, "function", (*given, made))

    def known(self, name: core.Local | core.Global) -> Scope:
        """Where a name is known."""
        return self.outermost if isinstance(name, core.Global) else self.scope

    def declare(self, variable: Variable, words: str, span: Span) -> None:
        """What a text says of the type of a variable is needed of what comes to it, and given to what uses it."""
        if words:
            declared.declare(self.solver, variable, words, span, self.types)

    def function(self, parameters: tuple[core.Local, ...], span: Span) -> Shape:
        """The shape of a function with these parameters, which are in scope from now on."""
        variables = [self.solver.variable(given=True) for _ in parameters]
        for parameter, variable in zip(parameters, variables, strict=True):
            self.scope.names[parameter] = variable
            self.declare(variable, f"{parameter.mode} {parameter.declared}".strip(), parameter.span)
        return Shape(span, "function", (*variables, self.solver.variable()))

    def _components(self, one: core.NodeType) -> None:
        for component, words in zip(one.components, one.types, strict=True):
            self.owners.setdefault(component, []).append(one.name)
            self.solver.components[one.name, component] = made = self.solver.variable()
            self.declare(made, words, one.span)

    def alternatives(self, name: core.Global) -> frozenset[object]:
        """What an element may be: kinds of value, and types of nodes."""
        found: set[object] = set()
        waiting, seen = [name], set()
        while waiting:
            current = waiting.pop()
            if current in seen or current not in self.elements:
                continue
            seen.add(current)
            for each in self.elements[current].alternatives:
                if isinstance(each, core.Global):
                    found.add(each)
                    waiting.append(each)
                else:
                    found |= declared.kinds(str(each.value))
        return frozenset(found)

    # Expressions

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
                return builtins.function(solver, name, span, ())
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
                solver.flow(self.of(left), constraints.Beside(left.span, (argument,), result, subscript=False))
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
                asked = self._asked(arguments[0]) if name == "Is" and arguments else builtins.ANYTHING
                applied: Term = builtins.function(self.solver, name, span, places, asked)
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
                return builtins.ANYTHING

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
            solver.flow(of, constraints.Beside(place, arguments, result, subscript=True, index=index, written=written))
            return result
        for term, at in zip(given, node.indices, strict=True):
            solver.flow(term, Shape(at.span, "number"))
        for _ in given[1:]:
            row = solver.variable()
            solver.flow(of, constraints.Member(place, None, row))
            of = row
        solver.flow(of, constraints.Member(place, index, result, written=written))
        return result

    def _component(self, node: core.Component, written: Variable | None) -> Variable:
        result = self.solver.variable()
        owners = tuple(self.owners[node.name])
        need = constraints.Component(
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
                self.solver.flow(self.of(test), constraints.OneOf(test.span, _CONDITION, "a condition"))
                return
        for part in parts:
            if isinstance(part, core.List | core.Tuple | core.Nil):  # one that is written out asks nothing
                self.solver.flow(self.of(part), constraints.OneOf(part.span, frozenset({"boolean"}), "a truth value"))
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


def _uses(definitions: Sequence[core.Definition]) -> list[dict[int, None]]:
    """Of each definition those whose names stand in it."""
    defining = {name: at for at, one in enumerate(definitions) for name in walk.names(one)}
    walks = ([node for node in walk.nodes(one) if isinstance(node, core.Global)] for one in definitions)
    return [dict.fromkeys(defining[node] for node in nodes if node in defining) for nodes in walks]
