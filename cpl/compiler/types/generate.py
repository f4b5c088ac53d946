"""Constraint generation: from a program to flows between the type variables of its expressions and names.

Definitions are read by strongly connected components: one comes after those that it uses, so that their types are
known; those that use each other are read as one group. What each construct says of its parts is here; `solver` draws
the conclusions, and `generalise` makes the functions of a group polymorphic. Of

    First[L] = Head(L) + 1
    let u = First[["a"]]

the first line says that `L` flows into the parameter of `Head`, that its result and 1 are operands of +, which may be
numbers or bit strings, and that the sum flows into the result of `First`. The second line says that a list of a string
flows into `L`, and what `First` returns into `u`.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby
from typing import Final

from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import components, reachable
from cpl.compiler.source import Span
from cpl.compiler.types import builtins, constraints, declared
from cpl.compiler.types.constraints import (
    LISTS,
    SEQUENCES,
    Doubt,
    Need,
    Operand,
    OperatorValue,
    Overload,
    Shape,
    Variable,
)
from cpl.compiler.types.generalise import Scheme, instance, schemes
from cpl.compiler.types.solver import Solver
from cpl.compiler.types.widths import Widths
from cpl.limits import MOST_ITEMS

_NUMBERS: Final = ("number",)

_ALLOWED: Final = {
    **dict.fromkeys(("AND", "OR", "EQUIVALENT", "INEQUIVALENT", "NOT"), ("boolean", "logical")),
    **dict.fromkeys(("PLUS", "MINUS", "SUM", "DIFFERENCE"), ("number", "logical")),
    **dict.fromkeys(("TIMES", "DIVIDE", "POWER"), _NUMBERS),
    **dict.fromkeys(("LESS", "GREATER", "AT_MOST", "AT_LEAST"), ("number", "string", "logical")),
}
"""The kinds that operators are for: the papers write several operations with the same signs."""

_FORMS: Final = {"bits": "integer", "number": "number", "truth": "boolean", "text": "string"}
"""The heads of what has a form of `cplrt.edge`: bit strings are whole numbers there."""

_LEAVING: Final = core.Result | core.Return | core.Break | core.GoTo | core.Label | core.Finish | core.Fail | core.Jump
"""Commands after which the next one is not always obeyed, or not only after them."""

_CONSTANT: Final = core.Literal | core.Infinity | core.Nil | core.List | core.Compare | core.Global
_CONSTANT_KINDS: Final = ("number", "string", "boolean", "nil")
_BOOLEAN: Final[frozenset[object]] = frozenset({"boolean"})
_CONDITION: Final = LISTS | _BOOLEAN

Name = core.Variable
"""A variable of the program. A `Variable` is one of its types."""


class _All:
    """A container of everything."""

    def __contains__(self, item: object) -> bool:
        return True


ALL: Final = _All()
NONE: Final = frozenset[Name]()


@dataclass(frozen=True)
class Scope:
    """The meanings of names: those of the top level, or the variables of one definition."""

    names: dict[Name, Variable] = field(default_factory=dict)
    functions: dict[Name, Scheme] = field(default_factory=dict)


class Inference:
    """The flows of a program. The functions that are `polymorphic` have a type for each use; each of the others has one
    type, in which all arguments join that the program gives it.

    `expressions` has the variable of each expression, by its identity, `scopes` the names of each definition. `joins`
    has the variables in which the values of several expressions join: the arms of a conditional, the results of a
    block. `endless` has the functions that apply themselves on every path, and the places where they do.
    """

    def __init__(self, program: core.Program, polymorphic: Container[Name] = ALL) -> None:
        self._program = program  # keeps the nodes alive, and so their ids
        self._polymorphic = polymorphic

        self._elements = {
            definition.name: definition
            for definition in program.definitions
            if isinstance(definition, core.ElementType)
        }
        self._nodes = {
            definition.name: definition for definition in program.definitions if isinstance(definition, core.NodeType)
        }
        types = {name.name: Shape(name.span, "node", name) for name in self._nodes}
        types |= {name.name: Shape(name.span, "element", name) for name in self._elements}
        self.solver = Solver(self.alternatives, self.component)

        # Of the blocks that are being read; the first is for results outside of blocks, which are errors.
        self._results: list[tuple[Variable, list[core.Expression]]] = [(self.solver.variable(), [])]
        self._types = declared.DeclaredTypes(self.solver, types, self._parametric())

        self.top_level = Scope()
        self.scopes: dict[int, Scope] = {}
        self.expressions: dict[int, Variable] = {}
        self.copies: dict[Variable, list[Variable]] = {}  # of parameters and results, for each use
        self.instances: dict[tuple[core.Global, str, Variable], Variable] = {}
        self.joins: list[tuple[Variable, Sequence[core.Expression]]] = []
        self.comparisons: list[tuple[core.Expression, core.Expression]] = []
        self.endless: list[tuple[Span, Span]] = []

        self._scope = Scope()  # of the definition that is being read
        self._reading: Name | None = None  # the function whose body is being read
        self._groups: list[set[Name]] = []  # functions of the top level that use each other
        self._applied: set[Name] = set()  # those that are used outside of their group
        self._open: set[Variable] = set()  # parameters within polymorphic functions
        nodes = chain.from_iterable(map(walk.nodes, program.definitions))
        self._finishes = any(isinstance(node, core.Finish) for node in nodes)

        for node_type in self._nodes.values():
            parameter = self.solver.variable()
            for name in node_type.components:
                self.solver.components[node_type.name, name] = self._declared_component(node_type, name, parameter)
        for group in components(walk.uses(program.definitions)):
            self._read([program.definitions[at] for at in group])

    @cached_property
    def tainted(self) -> set[Variable]:
        """The variables that may get unknown values: through parameters of functions that the program does not apply,
        or of those that are polymorphic.
        """
        starts = {*self.polymorphic}
        for group in self._groups:
            if group.isdisjoint(self._applied):
                for name in group:
                    starts.update(self.top_level.functions[name].shape.inputs)
        starts.update(variable for variable in self.solver.variables if not variable.bounds)

        unknown = [variable for variable in starts if variable.declared is None]
        return {*reachable(unknown, constraints.undeclared_above)}

    @cached_property
    def polymorphic(self) -> set[Variable]:
        """The variables that get the arguments of polymorphic functions, also as members of these."""
        parameters: Iterable[Variable] = self._open
        if self._polymorphic is ALL:
            parameters = [variable for variable in self.solver.variables if variable.external]
        undeclared = [parameter for parameter in parameters if parameter.declared is None]
        return {*reachable(undeclared, constraints.fed_by)}

    @cached_property
    def widths(self) -> Widths:
        """The widths of numbers for readers: of what is tainted, as its needs tell, with a guess by comparisons."""
        return Widths(self.tainted, needs=True, guess=True)

    @cached_property
    def needed_widths(self) -> Widths:
        """The widths of numbers for readers, without guesses."""
        return Widths(self.tainted, needs=True)

    @cached_property
    def sure_widths(self) -> Widths:
        """The widths of numbers that code may rest on."""
        unknown = filter(constraints.has_unknown_numbers, self.solver.variables)
        has_complex = any(
            "complex" in constraints.widths(variable.bounds.values()) for variable in self.solver.variables
        )
        return Widths({*reachable(unknown, constraints.fed_by)}, complex=has_complex)

    def bound(self, name: Name, definition: core.Definition) -> Variable | Shape | None:
        """Return the variable or the shape of a name in a definition."""
        scope = self.top_level if isinstance(name, core.Global) else self.scopes[id(definition)]
        if name in scope.functions:
            return scope.functions[name].shape
        return scope.names.get(name)

    def _read(self, group: Sequence[core.Definition]) -> None:
        """Read definitions that use each other."""
        self.scopes |= {id(definition): Scope() for definition in group}
        functions = [definition for definition in group if isinstance(definition, core.Function)]
        self._groups.append({definition.name for definition in functions})
        self._define(functions)
        for function in functions:
            self._scope = self.scopes[id(function)]
            self._infer_all(function.door)
        for definition in group:
            self._scope = self.scopes[id(definition)]
            match definition:
                case core.Constants(target=target, value=value):
                    self._let(target, value)
                case core.Commands(commands=commands):
                    self._commands(commands)

    # Definitions

    def _define(self, group: Sequence[core.Function | core.LetFunction]) -> None:
        """Functions that may use each other."""
        self.solver.level += 1
        first = len(self.solver.variables)

        shapes = []
        for function in group:
            self._scope = self.scopes.get(id(function), self._scope)
            shape = self._function(function.parameters, function.name.span)
            shapes.append(shape)
            self._types.declare(shape.outputs[0], function.result, function.name.span)
            self._scope_of(function.name).functions[function.name] = Scheme(shape)

        for function, shape in zip(group, shapes, strict=True):
            self._scope = self.scopes.get(id(function), self._scope)
            self._capture(function)
            with self._in_body(function, function.name):
                self.solver.flow(self._before_conversion(function.body), shape.outputs[0])

        self._generalise([function.name for function in group], shapes, first)

    def _capture(self, function: core.Function | core.LetFunction | core.Lambda) -> None:
        """A closure binds the variables that it captures when it is made."""
        if isinstance(function, core.Function):  # of the top level, where nothing is captured
            return
        for capture in function.captured:
            if isinstance(capture.value, core.InBox) and capture.variable != capture.value.variable:
                self._bind(capture.variable, self._infer(capture.value))

    def _generalise(self, names: Sequence[Name], shapes: Sequence[Shape], first: int) -> None:
        """Close the level of a group of functions. Their definitions made the variables from the `first` on."""
        self.solver.level -= 1
        if any(name in self._polymorphic for name in names):
            made = self.solver.variables[first:]
            generalised = schemes(shapes, self.solver.level, made)
            for name, scheme in zip(names, generalised, strict=True):
                self._scope_of(name).functions[name] = scheme
            self._open |= {variable for variable in made if variable.external}

    def _function(self, parameters: tuple[core.Local, ...], span: Span) -> Shape:
        """The shape of a function with these parameters, which are in scope from now on."""
        variables = [self.solver.variable(external=True) for _ in parameters]
        for parameter, variable in zip(parameters, variables, strict=True):
            self._scope.names[parameter] = variable
            self._types.declare(variable, f"{parameter.mode} {parameter.declared}".strip(), parameter.span)
        modes = tuple(parameter.mode for parameter in parameters)
        if not any(modes):
            modes = ()
        return Shape(span, "function", inputs=tuple(variables), outputs=(self.solver.variable(),), modes=modes)

    def _let(self, target: core.Target, value: core.Expression) -> None:
        """A definition by a value; a λ or the name of a function makes the name another function."""
        if isinstance(target, core.Several | core.NewBox) or not self._is_function(target, value):
            self._bind(target, self._before_conversion(value))
            return
        self.solver.level += 1
        first = len(self.solver.variables)
        [shape] = self._infer(value).shapes
        self._scope_of(target).functions[target] = Scheme(shape)
        self._generalise([target], [shape], first)

    def _is_function(self, target: Name, value: core.Expression) -> bool:
        """Whether a definition makes the name a function, and it stays one."""
        is_name = isinstance(value, Name) and value in self._scope_of(value).functions
        is_variable = target.declared or target in self._changed or target in self._scope_of(target).names
        return (is_name or isinstance(value, core.Lambda)) and not is_variable

    @cached_property
    def _changed(self) -> set[Name]:
        """The names that get new values anywhere, or may."""
        return {*chain.from_iterable(map(walk.changed, self._program.definitions))}

    def _bind(self, target: core.Target, value: Variable) -> None:
        match target:
            case core.Several(items=items):
                members = self._members(value, len(items), target.span)
                for item, member in zip(items, members, strict=True):
                    self._bind(item, member)
            case core.NewBox(variable=variable):  # whose type is that of what is in the box
                self.solver.flow(value, self._name(variable))
            case _:
                self.solver.flow(value, self._name(target))

    def _members(self, value: Variable, count: int, span: Span) -> tuple[Variable, ...]:
        """The members of a list that must have so many."""
        members = tuple(self.solver.variable() for _ in range(count))
        self.solver.flow(value, Shape(span, "tuple", outputs=members))
        return members

    @contextmanager
    def _in_doubt(self, doubt: Doubt = Doubt.HERE) -> Iterator[None]:
        """Give all needs that arise in a `with` statement at least this doubt."""
        before = self.solver.doubt
        self.solver.doubt = max(before, doubt)
        yield
        self.solver.doubt = before

    @contextmanager
    def _in_body(
        self, function: core.Function | core.LetFunction | core.Lambda, name: Name | None = None
    ) -> Iterator[None]:
        """Read the body of a function in a `with` statement.

        It does not inherit the doubt of its surroundings, but all in it is in doubt if the function captures anything,
        as it may never be applied, or if what it applies may end the program.
        """
        captured = (walk.locals_in(function.body) - {*function.parameters}) & self._scope.names.keys()
        may_end = self._finishes and any(_may_end(part, name) for part in walk.nodes(function.body))

        before = self.solver.doubt, self._reading
        self.solver.doubt = Doubt.HERE if captured or may_end else Doubt.NONE
        self._reading = name
        yield
        self.solver.doubt, self._reading = before

    # Commands

    def _commands(self, commands: Sequence[core.Command]) -> None:
        with self._in_doubt(Doubt.NONE):
            for is_function, run in groupby(commands, lambda command: isinstance(command, core.LetFunction)):
                if is_function:  # those that are defined one after the other may use each other
                    self._define([command for command in run if isinstance(command, core.LetFunction)])
                    continue
                for command in run:
                    self._command(command)
                    if any(isinstance(part, _LEAVING) for part in walk.walk_commands(command)):
                        self.solver.doubt = Doubt.HERE

    def _command(self, command: core.Command) -> None:
        """Infer the types in a command."""
        flow = self.solver.flow
        match command:
            case core.Let(target=target, value=value):
                self._let(target, value)
            case core.Declare(variable=declared):
                for variable in walk.variables(declared):
                    self._name(variable)
            case core.Assign(places=places, values=values):
                new = [self._before_conversion(value) for value in values]
                self._assign_all(places, new, _kinds_of(places, values))
            case core.If(test=test) | core.While(test=test):
                self._condition(test)
            case core.Repeat(test=test):
                with self._in_doubt():  # its body may leave it before
                    self._condition(test)
            case core.ForStep(variable=variable, first=first, step=step, last=last):
                for bound in (first, step, last):
                    flow(self._infer(bound), Shape(bound.span, "number"))
                    if bound is not last:
                        flow(self.expressions[id(bound)], self._name(variable))
            case core.ForList(variable=variable, members=members):
                need = constraints.Member(
                    members.span, None, kinds=SEQUENCES | {"string"}, outputs=(self._name(variable),)
                )
                flow(self._infer(members), need)
            case core.Append():
                self._append(command)
            case core.Result(value=value, bare=bare):
                given = self._infer(value)
                result, results = self._results[-1]
                if bare:
                    flow(given, constraints.Unchecked(value.span, outputs=(result,)))
                else:
                    flow(given, result)
                    results.append(value)
            case core.Evaluate(value=value) | core.Jump(label=value):
                self._infer(value)
        if isinstance(command, core.If | core.Loop | core.Landing):
            with self._in_doubt():
                self._commands(command.commands)
                self._commands(getattr(command, "otherwise", ()))

    def _append(self, command: core.Append) -> None:
        """A new last member of a list, or each member of another list."""
        inside = self.solver.variable(empty=True)
        new = self._infer(command.value)
        if command.each:
            self.solver.flow(new, constraints.Member(command.value.span, None, kinds=LISTS, outputs=(inside,)))
        else:
            self.solver.flow(new, inside)
        read = self.solver.variable(empty=True)
        need = constraints.Member(command.span, None, inputs=(inside,), outputs=(read,))
        self.solver.flow(self._infer(command.list), need)

    # Names

    def _scope_of(self, name: Name) -> Scope:
        """The scope of a name in the definition that is being read."""
        return self.top_level if isinstance(name, core.Global) else self._scope

    def _name(self, variable: Name) -> Variable:
        """Return the type variable of a variable, a new one if it has none."""
        names = self._scope_of(variable).names
        if variable not in names:
            names[variable] = new = self.solver.variable()
            if isinstance(variable, core.Global):
                new.level = 0
            self._types.declare(new, variable.declared, variable.span)
        return names[variable]

    def _use(self, name: Name, span: Span) -> Variable | Shape:
        """Return the type of a name where it is used: a function's type is instantiated."""
        functions = self._scope_of(name).functions
        if name in functions:
            if name not in self._groups[-1]:
                self._applied.add(name)
            return self._instance(functions[name], span)
        if isinstance(name, core.Global) and name in self._nodes:
            node = self._types.named(name, span)
            components = tuple(self.component(node, name, component) for component in self._nodes[name].components)
            return Shape(span, "function", inputs=components, outputs=(self.solver.holding(node),))
        if isinstance(name, core.Global) and name in self._elements:
            value = self.solver.variable()
            self.solver.flow(value, self._types.named(name, span))
            return Shape(span, "function", inputs=(value,), outputs=(value,))
        return self._name(name)

    def _instance(self, scheme: Scheme, span: Span) -> Shape:
        """The shape of a function for its use at a place. The copies of its variables are noted for each of them."""
        shape = instance(scheme, self.solver, span)
        if shape is not scheme.shape:
            parts, copies = constraints.variables([scheme.shape]), constraints.variables([shape])
            for part, copy in zip(parts, copies, strict=True):
                self.copies.setdefault(part, []).append(copy)
        return shape

    def _declared_component(self, definition: core.NodeType, component: str, parameter: Variable) -> Variable:
        """A component of the nodes of a type; its parameter, if it has one, stands for this type."""
        variable = self.solver.variable()
        variable.level = parameter.level
        types = replace(self._types, letters=dict.fromkeys(declared.letters(definition.types), parameter))
        types.declare(variable, definition.types[definition.components.index(component)], definition.span)
        return variable

    def component(self, node: Shape, name: core.Global, component: str) -> Variable:
        """A component of a node of this type: of a type that has a parameter, each node has components of its own."""
        if not node.outputs or name not in self._types.parametric:
            return self.solver.components[name, component]
        key = name, component, node.outputs[0]
        if key not in self.instances:
            self.instances[key] = self._declared_component(self._nodes[name], component, node.outputs[0])
        return self.instances[key]

    def _parametric(self) -> set[core.Global]:
        """The types that have a parameter (T17): nodes whose components have one, and elements that may be of them."""
        types = {name for name, definition in self._nodes.items() if declared.letters(definition.types)}
        return types | {name for name in self._elements if types & self.alternatives(name)}

    def alternatives(self, name: core.Global) -> frozenset[object]:
        """Return the alternatives of an element: kinds of value, and types of nodes."""
        found: set[object] = set()
        for alternative in reachable(self._alternatives(name), self._alternatives):
            if isinstance(alternative, core.Literal):
                found |= declared.kinds(str(alternative.value))
            else:
                found.add(alternative)
        return frozenset(found)

    def _alternatives(self, of: core.Global | core.Literal) -> tuple[core.Global | core.Literal, ...]:
        return self._elements[of].alternatives if isinstance(of, core.Global) and of in self._elements else ()

    # Expressions

    def _infer(self, node: core.Expression) -> Variable:
        """The variable of an expression."""
        return self._enter(node, self._term(node))

    def _enter(self, node: core.Expression, term: Variable | Shape) -> Variable:
        """Enter the variable of an expression in the table, if need be a new one of this shape."""
        variable = self.solver.holding(term) if isinstance(term, Shape) else term
        self.expressions[id(node)] = variable
        return variable

    def _before_conversion(self, node: core.Expression) -> Variable:
        """The variable of a value as it comes to where it is converted: what is declared there says what it becomes."""
        match node:
            case core.Convert(kind=kind, value=value):
                self._enter(node, Shape(node.span, kind))
                return self._infer(value)
            case core.ConvertParts(value=value):
                return self._enter(node, self._infer(value))
            case core.Tuple(items=items):
                members = tuple(map(self._before_conversion, items))
                return self._enter(node, Shape(node.span, "tuple", outputs=members))
            case _:
                return self._infer(node)

    def _infer_all(self, nodes: Sequence[core.Expression], *, is_sure: bool = True) -> tuple[Variable, ...]:
        """The variables of expressions. Unless it `is_sure`, not every run evaluates them: an unknown function may take
        its arguments by substitution.
        """
        with self._in_doubt(Doubt.NONE if is_sure else Doubt.HERE):
            return tuple(map(self._infer, nodes))

    def _term(self, node: core.Expression) -> Variable | Shape:
        """The variable of an expression, or the shape of the value that it makes."""
        span = node.span
        match node:
            case core.Literal(value=bool()):
                return Shape(span, "boolean")
            case core.Literal(value=str() as value):
                return Shape(span, "string", constant=value)
            case core.Literal(value=int()):
                return Shape(span, "integer")
            case core.Literal() | core.Infinity():
                return Shape(span, "real")
            case core.Local() | core.Global() | core.InBox():
                return self._use(node.variable if isinstance(node, core.InBox) else node, span)
            case core.Host(name=name):
                return builtins.function(self.solver, name, span, None)
            case core.Tuple(items=items):
                return Shape(span, "tuple", outputs=self._infer_all(items))
            case core.List(items=(), growing=True):
                return Shape(span, "list", outputs=(self.solver.variable(empty=True),))
            case core.List(items=()):
                return Shape(span, "nil")
            case core.Nil():
                return Shape(span, "nil", zero=True)
            case core.List(items=items):
                members = self._infer_all(items)
                one_by_one = members if len(items) <= MOST_ITEMS else ()
                return Shape(span, "list", outputs=(self._join(members),), items=one_by_one)
            case (
                core.Juxtapose(left=left, right=right)
                | core.Apply(core.Host("Multiply"), (left, right))  # one with a check, of cpl.compiler.types.checks
            ):
                argument = self._infer_all([right], is_sure=False)
                need = constraints.Juxtaposed(left.span, 1, subscript=False, inputs=argument)
                return self._output(need, self._infer(left))
            case core.Apply(function=function, arguments=arguments, modes=modes):
                return self._apply(function, arguments, modes, span)
            case core.Select():
                return self._select(node)
            case core.Component():
                return self._component(node)
            case core.Reference(place=place):
                read, written = self._place(place)
                return Shape(span, "pointer", outputs=(read,), inputs=(written,))
            case core.ReadOnly(constant=constant):
                return Shape(span, "pointer", outputs=(self._infer(constant),), inputs=(self.solver.variable(),))
            case core.Contents():
                return self._contents(node, self.solver.variable(empty=True))
            case core.Convert(kind=kind, value=value):
                self.solver.flow(self._infer(value), Shape(span, "number"))
                return Shape(span, kind)
            case core.ConvertParts():
                return self._before_conversion(node)
            case core.LabelName() | core.LabelValue() | core.Activation() | core.Attempt():
                return self.solver.variable()
            case core.Unary(operand=operand, operator=operator) if operator in core.INTEGER_OPERATORS:
                return self._integer([operand], span)
            case core.Binary(left=left, right=right, operator=operator) if operator in core.INTEGER_OPERATORS:
                return self._integer([left, right], span)
            case core.Unary(operator=operator, operand=operand):
                return self._operation(operator, _ALLOWED["NOT"] if operator == "NOT" else _NUMBERS, [operand], span)
            case core.Binary(operator=operator, left=left, right=right):
                return self._operation(operator, _ALLOWED[operator], [left, right], span)
            case core.Compare(operands=operands, operators=operators):
                self._compare(operands, operators)
                return Shape(span, "boolean")
            case core.Conditional():
                return self._conditional(node)
            case core.Block():
                return self._block(node)
            case core.Lambda(parameters=parameters, body=body):
                shape = self._function(parameters, span)
                self._capture(node)
                with self._in_body(node):
                    self.solver.flow(self._infer(body), shape.outputs[0])
                return shape

    def _conditional(self, node: core.Conditional) -> Variable:
        """A variable into which the values of all arms flow. The first test runs in any case, what follows it in some
        runs only.
        """
        first_test, _ = node.arms[0]
        self._condition(first_test)
        values = [*(value for _, value in node.arms), node.otherwise]
        with self._in_doubt():
            for test, _ in node.arms[1:]:
                self._condition(test)
            join = self._join(self._infer_all(values))
        self.joins.append((join, values))
        return join

    def _block(self, node: core.Block) -> Variable | Shape:
        """A variable into which the results of a block flow; nothing if it is a routine."""
        self._results.append((self.solver.variable(), []))
        self._commands(node.commands)
        result, values = self._results.pop()
        if node.routine:
            return Shape(node.span, "nothing")
        self.joins.append((result, values))
        return result

    def _join(self, values: Iterable[Variable]) -> Variable:
        """A variable into which several flow."""
        join = self.solver.variable()
        for value in values:
            self.solver.flow(value, join)
        return join

    def _apply(
        self, function: core.Expression, arguments: Sequence[core.Expression], modes: tuple[str, ...], span: Span
    ) -> Variable:
        """The result of an application. Some functions of cplrt have rules of their own."""
        if self._reading == function and not self.solver.doubt:
            self.endless.append((function.span, span))
        is_known = isinstance(function, Name) and function not in self._scope_of(function).names
        values = self._infer_all(arguments, is_sure=is_known or isinstance(function, core.Host))
        match function, arguments:
            case core.Host(name="Array"), _:
                return self._array(arguments, values, span)
            case core.Host(name="AsLogical" | "Fast"), [
                _,
                core.Apply(function=core.Host(name="Function"), arguments=[core.Tuple(items=forms), *_]) as door,
            ]:
                # The door lets Python apply the function to arguments of these forms: `cplrt.edge` explains them.
                taken = tuple(map(self._of_form, forms))
                self._output(Shape(door.span, "function", inputs=taken), values[0])
            case core.Host(name="AsLogical" | "AsBits" as name), [_, form]:
                return self._converted(values[0], form, "logical" if name == "AsLogical" else "integer")
            case core.Host(name="Formarray"), [kind, *bounds, core.List(items=members)]:
                if kind == core.Literal("logical", span=kind.span):  # whose members are numbers, too (G8)
                    kind = core.Literal("general", span=kind.span)
                array = self._array([kind, *bounds], values[:-1], span)
                for member in members:
                    need = constraints.Member(member.span, None, inputs=(self.expressions[id(member)],))
                    self._output(need, array)
                return array

        if isinstance(function, core.Host):
            places = [argument.span for argument in arguments]
            tested = self._tested(arguments[0]) if function.name == "Is" and arguments else builtins.ANYTHING
            applied: Variable | Shape = builtins.function(self.solver, function.name, span, places, tested)
        else:
            applied = self._term(function)
        variable = self._enter(function, applied)

        # The parameters of a function that is known get their arguments at once, which is less work.
        if isinstance(applied, Shape) and applied.head == "function" and len(applied.inputs) == len(values):
            for argument, parameter in zip(values, applied.inputs, strict=True):
                self.solver.flow(argument, parameter)
            return applied.outputs[0]
        return self._output(Shape(span, "function", inputs=values, modes=modes), variable)

    def _of_form(self, form: core.Expression) -> Variable:
        """A variable for a value of a form."""
        span, holding = form.span, self.solver.holding
        match form:
            case core.Host(name=name) if name in _FORMS:
                return holding(Shape(span, _FORMS[name]))
            case core.List(items=()):
                return holding(Shape(span, "nil"))
            case core.List(items=(member,)):
                return holding(Shape(span, "list", outputs=(self._of_form(member),)))
            case core.Tuple(items=items):
                return holding(Shape(span, "tuple", outputs=tuple(map(self._of_form, items))))
            case core.Apply(function=core.Host(name="Either"), arguments=options):
                return self._join(map(self._of_form, options))
            case _:
                return self.solver.variable()

    def _converted(self, value: Variable, form: core.Expression, head: str) -> Variable:
        """A variable for a value of a form after its bit strings were converted to values with this head."""
        span, holding = form.span, self.solver.holding
        match form:
            case core.Host(name="bits"):
                return holding(Shape(span, head))
            case core.Host():
                return value
            case core.List(items=(member,)):
                taken_out = self._output(constraints.Member(span, None), value)
                return holding(Shape(span, "list", outputs=(self._converted(taken_out, member, head),)))
            case core.Tuple(items=items):
                taken_out_of_each = [self._output(constraints.Member(span, at), value) for at in range(len(items))]
                converted = [
                    self._converted(taken_out, item, head)
                    for taken_out, item in zip(taken_out_of_each, items, strict=True)
                ]
                return holding(Shape(span, "tuple", outputs=tuple(converted)))
            case _:  # a function, or one of several forms
                return self.solver.variable()

    def _output(self, need: Need, value: Variable) -> Variable:
        """Add a need to a value; return the variable of what the need takes out of it."""
        need.outputs = (self.solver.variable(),)
        self.solver.flow(value, need)
        return need.outputs[0]

    def _tested(self, type: core.Expression) -> frozenset[object]:
        """Return the types that `Is` tests for."""
        match type:
            case core.Literal(value=str() as words):
                return declared.kinds(words)
            case core.Global() if type.name in self._types.types:
                return (self.alternatives(type) or frozenset({type})) | {"node", "element"}
            case _:
                return builtins.ANYTHING

    def _array(self, arguments: Sequence[core.Expression], values: Sequence[Variable], span: Span) -> Variable:
        """`Array[real, (0,15)]`: of as many dimensions as there are bounds."""
        element = self.solver.variable()
        if isinstance(arguments[0], core.Literal) and isinstance(arguments[0].value, str):
            self._types.declare(element, arguments[0].value, arguments[0].span)

        # From the innermost dimension, which is the last, to the outermost.
        for bound, pair in reversed([*zip(arguments[1:], values[1:], strict=True)]):
            for end in self._members(pair, 2, bound.span):
                self.solver.flow(end, Shape(bound.span, "number"))
            element = self.solver.holding(constraints.holder("array", element, span))
        return element

    def _select(self, node: core.Select, written: tuple[Variable, ...] = (), *, assigned: bool = False) -> Variable:
        """`m[k]`, to which something may be `written`; if it is `assigned` to, m is no function."""
        of, place = self._infer(node.operand), node.operand.span
        indices = self._infer_all(node.indices, is_sure=assigned or node.of_array)  # a function may not use them
        index = _constant_index(node.indices)
        if not assigned and not node.of_array:
            inputs = (*indices, *written)
            return self._output(constraints.Juxtaposed(place, len(indices), True, index, inputs=inputs), of)

        for number, at in zip(indices, node.indices, strict=True):
            self.solver.flow(number, Shape(at.span, "number"))
        for _ in indices[1:]:  # a row for each dimension but the last
            of = self._output(constraints.Member(place, None), of)
        return self._output(constraints.Member(place, index, inputs=written), of)

    def _component(self, node: core.Component, written: Variable | None = None) -> Variable:
        """The component of a node, or what is written there."""
        new = written or self.solver.variable(empty=True)
        owners = tuple(type for type, component in self.solver.components if component == node.name)
        need = constraints.HasComponent(node.operand.span, node.name, owners, inputs=(new,))
        result = self._output(need, self._infer(node.operand))
        # If only one type has it, its values are known whatever is known of the node.
        if len(owners) == 1 and owners[0] not in self._types.parametric:
            self.solver.flow(self.solver.components[owners[0], node.name], result)
        return result

    def _operation(
        self, operator: str, allowed: tuple[str, ...], operands: Sequence[core.Expression], span: Span
    ) -> Variable:
        """An operator whose operands, and whose value, are of one kind."""
        overload = Overload(allowed)
        result = self.solver.variable()
        value = OperatorValue(overload, span, operator, result)
        overload.values.append(value)
        variables = self._infer_all(operands, is_sure=operator not in ("AND", "OR"))
        value.operands = {variable: operand.span for variable, operand in zip(variables, operands, strict=True)}
        self._operands(overload, operands)
        self.solver.flow(value, result)
        if len(allowed) == 1:
            self.solver.resolve(overload, allowed[0])
        return result

    def _integer(self, operands: Sequence[core.Expression], span: Span) -> Shape:
        """An operator on integers that gives an integer."""
        for operand in operands:
            self.solver.flow(self._infer(operand), Shape(operand.span, "integer"))
        return Shape(span, "integer")

    def _operands(self, overload: Overload, operands: Sequence[core.Expression]) -> None:
        """Give the operands of an overload the need to be of its kind."""
        needs = [Operand(operand.span, overload, self.expressions[id(operand)]) for operand in operands]
        overload.operands += needs
        for need in needs:
            self.solver.flow(need.variable, need)

    def _compare(self, operands: Sequence[core.Expression], operators: Sequence[str]) -> None:
        self._infer_all(operands, is_sure=len(operators) == 1)
        for index, operator in enumerate(operators):
            ends = operands[index : index + 2]
            if operator in _ALLOWED:
                self._operands(Overload(_ALLOWED[operator]), ends)
                continue
            left, right = ends
            self.comparisons.append((left, right))
            self._compare_equal(left, right)
            self._compare_equal(right, left)

    def _compare_equal(self, node: core.Expression, other: core.Expression) -> None:
        """Require that one of the values compared with a constant is of the constant's type."""
        shapes = self.expressions[id(other)].shapes
        if isinstance(other, _CONSTANT) and len(shapes) == 1 and shapes[0].kind in _CONSTANT_KINDS:
            need = constraints.Compared(node.span, shapes[0].head, shapes[0].constant)
            self.solver.flow(self.expressions[id(node)], need)

    def _condition(self, test: core.Expression) -> None:
        """A test must be true or false; a list holds unless it is NIL, also within ∧, ∨ and ~."""
        match test:
            case core.Unary(operator="NOT", operand=operand):
                parts: tuple[core.Expression, ...] = (operand,)
            case core.Binary(operator="AND" | "OR", left=left, right=right):
                parts = left, right
            case core.Conditional() | core.Block(commands=(*_, core.Result()), routine=False):
                self._chosen_condition(test)
                return
            case _:
                self.solver.flow(self._infer(test), constraints.OneOf(test.span, "a condition", kinds=_CONDITION))
                return

        for part in parts:
            if isinstance(part, core.List | core.Tuple | core.Nil):  # it holds in every run or in none: hardly meant
                with self._in_doubt(Doubt.WITHIN):
                    self.solver.flow(self._infer(part), constraints.OneOf(part.span, "a truth value", kinds=_BOOLEAN))
            else:
                with self._in_doubt(Doubt.NONE if part is parts[0] else Doubt.HERE):
                    self._condition(part)
        self._enter(test, Shape(test.span, "boolean"))

    def _chosen_condition(self, test: core.Conditional | core.Block) -> None:
        """A test that is the value of an arm, or the last result of a block: that is a test, too."""
        results: list[Variable] = []
        match test:
            case core.Conditional(arms=arms, otherwise=otherwise):
                first_test, _ = arms[0]
                self._condition(first_test)
                with self._in_doubt():
                    for condition, _ in arms[1:]:
                        self._condition(condition)
                    for value in (*(value for _, value in arms), otherwise):
                        self._condition(value)
                        results.append(self.expressions[id(value)])
            case core.Block(commands=(*before, core.Result(value=last))):
                self._results.append((self.solver.variable(), []))
                self._commands(before)
                self._condition(last)
                earlier, _ = self._results.pop()
                self.solver.flow(earlier, constraints.OneOf(test.span, "a condition", kinds=_CONDITION))
                results += [earlier, self.expressions[id(last)]]
        self._enter(test, self._join(results))

    # Places

    def _place(self, place: core.Expression, *, assigned: bool = False) -> tuple[Variable, Variable]:
        """Return the variables of what is read from a place and of what is written to it."""
        written = self.solver.variable()
        match place:
            case core.Select():
                return self._select(place, (written,), assigned=assigned), written
            case core.Component():
                return self._component(place, written), written
            case core.Contents():
                return self._contents(place, written), written
            case core.InBox(variable=name) | (core.Local() | core.Global() as name):
                variable = self._name(name)
            case _:
                variable = self._join([self._infer(place)])
        return variable, variable

    def _contents(self, node: core.Contents, written: Variable) -> Variable:
        """Return the variable of what is read from where a reference leads to; something may be `written` there."""
        return self._output(Shape(node.reference.span, "pointer", inputs=(written,)), self._infer(node.reference))

    def _assign_all(
        self, places: Sequence[core.Place], values: Sequence[Variable], kinds: Sequence[core.Kinds]
    ) -> None:
        """New values for places, as they are before they are converted to numbers of some `kinds`; one value for
        several places is a list of them.
        """
        if len(values) < len(places):
            values = self._members(values[0], len(places), places[0].span.to(places[-1].span))
        for place, value, kind in zip(places, values, kinds, strict=True):
            self._assign(place, value, kind)

    def _assign(self, place: core.Place, value: Variable, kind: core.Kinds) -> None:
        if isinstance(place, core.Choice):
            kind_if_true, kind_if_false = place.kinds
            self._condition(place.test)
            with self._in_doubt():
                self._assign(place.place, value, kind_if_true)
                self._assign(place.otherwise, value, kind_if_false)
        else:
            _, written = self._place(place, assigned=True)
            # It converts, though what is behind a pointer does not.
            if kind and isinstance(kind, str) and isinstance(place, core.Contents):
                self.solver.flow(value, Shape(place.span, "number"))
                value = self.solver.holding(Shape(place.span, kind))
            self.solver.flow(value, written)


def _constant_index(indices: Sequence[core.Expression]) -> int | None:
    """The single index, if it is a whole number that is written down."""
    match indices:
        case [core.Literal(value=int() as index)] if not isinstance(index, bool):
            return index
        case _:
            return None


def _kinds_of(places: Sequence[core.Place], values: Sequence[core.Expression]) -> Sequence[core.Kinds]:
    """For each place, the type of number to which what is assigned to it is converted; "" if there is none."""
    if len(values) < len(places):
        match values:
            case (core.ConvertParts(kinds=kinds),):
                return kinds
            case (core.Tuple(items=items),) if len(items) == len(places):
                values = items
            case _:
                return ("",) * len(places)
    return [value.kind if isinstance(value, core.Convert) else "" for value in values]


def _may_end(part: core.Node, function: Name | None) -> bool:
    """Whether this may end the program, where something does: it applies another function than this, or may do so."""
    match part:
        case core.Finish() | core.Juxtapose() | core.Select():
            return True
        case core.Apply(function=applied):
            return not isinstance(applied, core.Host) and applied != function
        case _:
            return False
