"""Core to Python syntax trees, by position: each construct knows where its value goes.

    Return    last thing in a function      conditionals become guards, blocks their statements
    Assign    the value of a definition     each arm assigns
    Value     an operand or an argument     an expression; what must be statements is lifted before it

Lifting may evaluate a later operand before an earlier one: CPL leaves the order open (evidence E36). It never
evaluates what a conditional, ∧ or ∨ would have left alone. A lifted value is named after the parameter that it is for.

    Bound[x,y] = value of
       § let d = x > y → 1, -1
         result is Larger[d, value of § let s = 0
                                        for k = 1 to y do s := s + k
                                        result is s §] §

becomes

    def Bound(x: Any, y: float) -> int:
        if x > y:  # in Assign position, as the value of d
            d = 1
        else:
            d = -1
        s = 0  # lifted, as an argument is in Value position
        for k in Steps(1, 1, y):
            s += k
        return Larger(d, s)  # in Return position
"""

import ast
import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress, count
from typing import Final

from cpl.compiler.python.annotations import Annotations
from cpl.compiler.python.ast_builders import (
    NO_TYPE_PARAMETERS,
    Out,
    arguments_of,
    assign,
    at,
    contents,
    declare,
    define,
    joined,
    load,
    negative,
    number,
    opposite,
    plus,
    span_of,
    subscript,
    without_return,
)
from cpl.compiler.python.names import Module, Names
from cpl.compiler.semantics import core, numbers, walk
from cpl.compiler.semantics.binders import is_assigned_first
from cpl.compiler.semantics.conversions import at_results
from cpl.compiler.semantics.structure import is_expression, without_jumps
from cpl.compiler.semantics.walk import gives_result, may_give_result, nests
from cpl.compiler.source import Span
from cpl.compiler.types.facts import Sure

MOST_NESTED_EXITS: Final = 8
"""A block with more early results than this, where its value is assigned, becomes a function of its own."""

_UNARY: Final[dict[str, type[ast.unaryop]]] = {"PLUS": ast.UAdd, "MINUS": ast.USub, "BIT_NOT": ast.Invert}
_BINARY: Final[dict[str, type[ast.operator]]] = {
    "PLUS": ast.Add,
    "MINUS": ast.Sub,
    "SUM": ast.Add,  # of what is known to be numbers
    "DIFFERENCE": ast.Sub,
    "TIMES": ast.Mult,
    "DIVIDE": ast.Div,
    "POWER": ast.Pow,
    "AND": ast.BitAnd,
    "OR": ast.BitOr,
    "BIT_AND": ast.BitAnd,
    "BIT_OR": ast.BitOr,
    "BIT_XOR": ast.BitXor,
}
_JUNCTIONS: Final[dict[str, type[ast.boolop]]] = {"AND": ast.And, "OR": ast.Or}
_RELATIONS: Final[dict[str, type[ast.cmpop]]] = {
    "EQUAL": ast.Eq,
    "UNEQUAL": ast.NotEq,
    "LESS": ast.Lt,
    "GREATER": ast.Gt,
    "AT_MOST": ast.LtE,
    "AT_LEAST": ast.GtE,
    "EQUIVALENT": ast.Eq,
    "INEQUIVALENT": ast.NotEq,
}
_CONVERSIONS: Final = {"integer": "AsInteger", "real": "AsReal", "complex": "AsComplex"}
"""What converts a number to the type that is declared (T10)."""

_NUMBERS_OR_SETS: Final = {"SUM": "Plus", "DIFFERENCE": "Minus"}
"""Helpers for operators on what may be numbers or bit strings."""

_PLUS_OF_SETS: Final = {"PLUS": "Union", "MINUS": "Without"}
"""Helpers for + and − where the reading gives bit strings operators of their own."""

Captured = dict[str, tuple[ast.expr, ast.expr]]
"""The values that a function captures when it is defined: names with their annotations and values."""


@dataclass(frozen=True)
class Return:
    """The value is what the function returns."""


@dataclass(frozen=True)
class Assign:
    """The value is bound to names; `hint` is what to call anything that must be made on the way."""

    target: ast.expr
    hint: str


Position = Return | Assign


def lower_definition(
    definition: core.Definition, module: Module, sure: Sure, annotations: Annotations
) -> list[ast.stmt]:
    """The statements of one definition of the top level."""
    lowering = Lowering(definition, module, sure, annotations)
    match definition:
        case core.Function():
            return [lowering.function(definition)]
        case core.Constants():
            return lowering.constants(definition)
        case core.NodeType():
            return [lowering.node_type(definition)]
        case core.ElementType(name=name, alternatives=alternatives):
            element = lowering.call("Element", ast.Constant(name.name), *lowering.values(alternatives, []))
            return [at(assign(module.name(name), element), definition.span)]
        case core.Commands():
            return lowering.toplevel(definition)


class Lowering:
    """Lowers one definition."""

    def __init__(self, definition: core.Definition, module: Module, sure: Sure, annotations: Annotations) -> None:
        self.definition = definition
        self.module = module
        self.sure = sure
        self.annotations = annotations
        self.names = Names(definition, module, self.kind)
        self.hidden = count(-1, -1)  # the numbers of variables that the program does not have; its own are positive
        self.unset: set[core.Local] = set()  # declared, and no value given so far
        self.boxes: set[core.Variable] = {*module.boxed, *walk.boxes(definition)}
        """The variables that are boxes here: their annotations say so."""
        self.assigned = {*walk.assigned(definition)}

    @cached_property
    def sure_of_value(self) -> Set[core.Local]:
        """The variables that have a value wherever they are read."""
        return _with_values(self.definition)

    def kind(self, variable: core.Local) -> Hashable:
        """Variables of one kind may share a Python name."""
        return self.annotations.type_of(variable, self.definition), variable in self.boxes

    # Definitions

    def function(self, function: core.Function) -> ast.FunctionDef:
        """`F(x,y) = body`"""
        names = [self.names.bind(parameter, tail=True, after=parameter.span.end) for parameter in function.parameters]
        captures = [self.capture_of(variable) for variable in function.captured]
        defined = self.define(self.module.name(function.name), names, function, self.captured(captures))
        defined.decorator_list = self.values(function.door, [])
        return defined

    def capture_of(self, variable: core.Global) -> core.Capture:
        """The capture of the value of a variable of the top level."""
        span = variable.span
        value = core.InBox(variable, span=span) if variable in self.boxes else variable
        return core.Capture(variable, value, span=span)

    def constants(self, definition: core.Constants) -> list[ast.stmt]:
        """`Name = value`. What needs variables on the way gets a function of its own, so that they stay inside."""
        out: Out = []
        target, value = definition.target, definition.value
        self.names.holders |= {self.variable(variable).id: variable for variable in walk.variables(target)}
        needs_function = not (isinstance(value, core.Lambda) or _needs_no_variables(value))
        self.bind(target, value, out, in_function=needs_function)
        self.annotate(out)
        return out

    def node_type(self, definition: core.NodeType) -> ast.ClassDef:
        """`node Cons is LispList : Car with Cons : Cdr`"""
        names = [self.module.spelling(component) for component in definition.components]
        body: Out = [assign("__slots__", ast.Tuple([*map(ast.Constant, names)], ast.Load()))]

        kinds = {name: kind for name, kind in zip(names, definition.types, strict=True) if kind in numbers.TYPES}
        if kinds:
            written = ast.Dict([*map(ast.Constant, kinds)], [*map(ast.Constant, kinds.values())])
            body.append(assign("numbers", written))

        for component, name in zip(definition.components, names, strict=True):
            body.append(declare(name, self.annotations.component(definition.name, component)))
        self.annotations.define(definition.name)
        name = self.module.name(definition.name)
        return at(ast.ClassDef(name, [self.helper("Node")], [], body, [], **NO_TYPE_PARAMETERS), definition.span)

    def toplevel(self, definition: core.Commands) -> list[ast.stmt]:
        """Commands of the top level; with functions among them, in a function of their own."""
        out: Out = []
        self.commands(definition.commands, Return(), out, whole=False)
        self.annotate(out)
        parts = chain.from_iterable(map(ast.walk, out))
        if not any(isinstance(part, ast.FunctionDef) for part in parts):
            return out
        name = self.module.new("main")
        body = [*self.scope_declarations(definition, set()), *out]
        main = define(name, {}, ast.Constant(None), body)
        call = ast.Expr(ast.Call(load(name), [], []))
        return [at(main, definition.span), at(call, definition.span)]

    # Functions

    def define(
        self,
        name: str,
        parameters: Sequence[str],
        function: core.Function | core.LetFunction | core.Lambda,
        captured: Captured,
        free: Set[core.Variable] = frozenset(),
    ) -> ast.FunctionDef:
        """A function whose parameters have these names."""
        types, returned = self.annotations.function(function, self.definition)
        body: Out = []
        for variable in function.parameters:
            if variable.converts_to and not self.sure.is_given_converted(variable, self.definition):
                argument = self.variable(variable)
                converted = self.call(_CONVERSIONS[variable.converts_to], argument)
                body.append(at(assign(argument.id, converted), variable.span))
        self.into(function.body, Return(), body)
        body = [*self.scope_declarations(function, free), *without_return(body)]
        self.annotate(body, parameters)
        annotated = dict(zip(parameters, types, strict=True))
        return at(define(name, annotated, returned, body, captured), function.span)

    def captured(self, captures: Sequence[core.Capture]) -> Captured:
        """What a function captures when it is made. A variable in a box whose value is captured is in no box inside."""
        captured: Captured = {}
        for capture in captures:
            variable = capture.variable
            value = self.value(capture.value, [])
            if capture.value != variable:
                self.boxes.discard(variable)
                if variable not in self.names.known and isinstance(variable, core.Local):
                    self.names.bind(variable, tail=False, after=capture.span.end)
            captured[self.variable(variable).id] = self.annotation(variable), value
        return captured

    def local_function(self, node: core.Expression, hint: str, out: Out) -> str:
        """Define a function of no arguments that returns the value, and give its name."""
        name = self.names.fresh(f"{hint}_value")
        outside = {variable for variable in walk.assigned(node) if variable in self.names.known}
        self.declare_unset(node, out)
        body: Out = []
        with self.scope(name, node):
            self.into(node, Return(), body)
            body = [*self.scope_declarations(node, outside), *body]
            self.annotate(body)
        out.append(at(define(name, {}, self.annotation(node), body), node.span))
        return name

    def declare_unset(self, node: core.Expression, out: Out) -> None:
        """Bind the variables that get their first values within a local function."""
        assigned = self.unset & {*walk.assigned(node)}
        for variable in sorted(assigned, key=lambda local: self.names.known[local]):
            out.append(at(declare(self.names.known[variable], self.annotation(variable)), node.span))
        self.unset -= assigned

    def closure(self, name: str, function: core.LetFunction | core.Lambda, out: Out) -> None:
        """A function within a function. What it does not capture it shares with the function round it."""
        self.declare_unset(function.body, out)
        with self.scope(name, function.body):
            free = {variable for variable in walk.locals_in(function.body) if variable in self.names.known}
            captured = self.captured(function.captured)
            names = [self.names.bind(variable, tail=False, after=variable.span.end) for variable in function.parameters]
            out.append(self.define(name, names, function, captured, free))

    @contextmanager
    def scope(self, name: str, body: core.Node) -> Iterator[None]:
        """Within a local function: which variables are boxes there, and what it calls by other names, ends with it."""
        boxes = {*self.boxes}
        with self.names.inside(name, body):
            yield
        self.boxes = boxes

    def scope_declarations(self, node: core.Node, variables: Set[core.Variable]) -> Out:
        """The declarations that Python needs in a function that assigns to variables of the module, or to these
        variables of the function round it.
        """
        assigned = {*walk.assigned(node)}
        shared = sorted({self.variable(variable).id for variable in assigned if isinstance(variable, core.Global)})
        outer = sorted({self.variable(variable).id for variable in assigned & variables})

        declarations: Out = []
        if shared:
            declarations.append(ast.Global(shared))
        if outer:
            declarations.append(ast.Nonlocal(outer))
        return declarations

    # Statements

    def into(self, node: core.Expression, position: Position, out: Out) -> None:
        """Statements that bring a value to its position."""
        match node, position:
            case core.Conditional(arms=arms, otherwise=otherwise), Return():
                for test, value in chain.from_iterable(self.in_turn(*arm) for arm in arms):
                    branch = ast.If(self.condition(test, out), [], [])
                    with self.names.until(value.span.end):
                        self.into(value, position, branch.body)
                    out.append(at(branch, test.span))
                self.into(otherwise, position, out)
            case core.Conditional(), Assign():
                self.choose(node, position, out)
            case core.Binary(operator="AND" | "OR"), _ if self.needs_branches(node):
                self.into(_as_conditional(node), position, out)
            case core.Lambda(), Assign(target=ast.Name(id=name)):
                self.closure(name, node, out)
            case core.Local() | core.Global(), Assign(target=ast.Name(id=name)) if self.has_already(name, node):
                pass
            case core.Block(commands=commands, routine=True), _:
                self.body(commands, position, out)
            case core.Block(commands=commands), Assign() if not nests(without_jumps(commands), MOST_NESTED_EXITS):
                self.by_local_function(node, position, out)
            case core.Block(commands=commands), _:
                self.commands(commands, position, out)
            case core.Convert(value=core.Block(commands=commands)), Assign() if not nests(
                without_jumps(commands), MOST_NESTED_EXITS
            ):
                self.by_local_function(node, position, out)
            case core.Convert(value=core.Conditional() | core.Block(routine=False)), _:
                self.into(at_results(node), position, out)
            case core.Convert(), _ if self.sure.converted(node) is not node:
                self.into(self.sure.converted(node), position, out)
            case _, Return():
                out.append(at(ast.Return(self.whole_value(node, out)), node.span))
            case _, Assign(target=target, hint=hint):
                out.append(at(self.assignment(target, node, self.whole_value(node, out, hint)), node.span))

    def in_turn(
        self, test: core.Expression, value: core.Expression
    ) -> Iterator[tuple[core.Expression, core.Expression]]:
        """The arm of a conditional; two, one after the other, for x ∨ y if y must be statements and the value is short
        enough to stand there twice.
        """
        match test:
            case core.Binary(operator="OR", left=left, right=right) if self.needs_branches(test) and isinstance(
                value, core.Variable | core.Literal | core.Nil
            ):
                yield from self.in_turn(left, value)
                yield from self.in_turn(right, value)
            case _:
                yield test, value

    def has_already(self, name: str, value: core.Variable) -> bool:
        """Tell whether the value is that of the Python variable of this name, so that nothing is to be assigned."""
        return self.variable(value).id == name and self.has_value(value)

    def choose(self, node: core.Conditional, position: Assign, out: Out) -> None:
        """An assignment in each arm of a conditional, but in those that leave the variable as it is."""
        branches: list[tuple[Out, ast.If]] = []
        for test, value in node.arms:
            branch = at(ast.If(self.condition(test, out), [], []), test.span)
            self.into(value, position, branch.body)
            out.append(branch)
            branches.append((out, branch))
            out = branch.orelse
        self.into(node.otherwise, position, out)

        # From the innermost arm outwards, as an arm that became empty may empty the one round it.
        for around, branch in reversed(branches):
            if not branch.body:
                around[-1] = at(_otherwise(branch), span_of(branch))

    def has_value(self, variable: core.Variable) -> bool:
        """Tell whether a variable has a value for certain, so that `x := x` changes nothing."""
        if isinstance(variable, core.Global):
            return variable in self.module.constants
        return variable in self.sure_of_value

    def by_local_function(self, node: core.Expression, position: Assign, out: Out) -> None:
        """The value by a local function, where more would have to be left early than one can leave in Python."""
        name = self.local_function(node, position.hint, out)
        out.append(at(ast.Assign([position.target], ast.Call(load(name), [], [])), node.span))

    def commands(self, commands: Sequence[core.Command], position: Position, out: Out, *, whole: bool = True) -> None:
        """The commands of a block. If they are the `whole` of it, they must give a result in the end."""
        tail = isinstance(position, Return)
        commands = without_jumps(commands)
        for command in commands:  # functions that are defined together may use each other
            if isinstance(command, core.LetFunction) and command.name not in self.names.known:
                self.names.known[command.name] = self.names.fresh(self.module.spelling(command.name.name))
        for index, command in enumerate(commands):
            match command:
                case core.Let(target=core.Local() as variable, value=value) if self.is_never_read(
                    variable, value, commands[index + 1 :]
                ):
                    self.names.bind(variable, tail=False, after=command.span.end)
                    self.unset.add(variable)
                case core.Let(target=target, value=value):
                    for variable in walk.variables(target):
                        if isinstance(variable, core.Local):
                            self.names.bind(variable, tail=tail, after=value.span.end)
                    self.bind(target, value, out)
                case core.LetFunction(name=name):
                    self.closure(self.names.known[name], command, out)
                case core.Return():
                    out.append(at(ast.Return(None), command.span))
                    return
                case core.Finish():
                    out.append(at(ast.Expr(self.call("Finish")), command.span))
                case core.Fail(message=message):
                    self.fail(message, command.span, out)
                    return
                case core.Declare(variable=core.NewBox(variable=variable) as box):
                    if isinstance(variable, core.Local):
                        self.names.bind(variable, tail=tail, after=command.span.end)
                    self.box(box, None, out)
                case core.Declare(variable=core.Local() as variable):
                    again = tail and is_assigned_first(variable, commands[index + 1 :])
                    self.names.bind(variable, tail=again, after=command.span.end)
                    self.unset.add(variable)
                case core.Assign():
                    self.assign(command, out)
                case core.Result(value=value):
                    self.into(value, position, out)
                    return
                case core.Append(list=members, value=value, each=is_list):
                    added = self.value(value, out)
                    method = ast.Attribute(self.variable(members), "extend" if is_list else "append", ast.Load())
                    out.append(at(ast.Expr(ast.Call(method, [added], [])), command.span))
                case core.Evaluate(value=value):
                    out.append(at(ast.Expr(self.value(value, out)), command.span))
                case core.Break(again=again):
                    out.append(at(ast.Continue() if again else ast.Break(), command.span))
                    return
                case core.If(test=core.Attempt() as attempt):
                    self.attempt(command, attempt, position, out)
                case core.Jump(label=value):
                    out.append(at(ast.Raise(self.call("Jump", self.value(value, out))), command.span))
                    return
                case core.If(test=test, commands=then, otherwise=otherwise):
                    if otherwise and not then:
                        condition, then, otherwise = self.opposite_condition(test, out), otherwise, ()
                    else:
                        condition = self.condition(test, out)
                    branch = ast.If(condition, [], [])
                    with self.names.until(command.span.end if gives_result(then) else sys.maxsize):
                        self.body(then, position, branch.body)
                    out.append(at(branch, command.span))
                    if otherwise:
                        leaves = (tail and gives_result(then)) or isinstance(then[-1], core.Break)
                        self.commands(otherwise, position, out if leaves else branch.orelse, whole=False)
                        is_end = not whole and index == len(commands) - 1  # then nothing is left out by returning
                        if not is_end and gives_result(then) and gives_result(otherwise):
                            return
                    elif not tail and gives_result(then):
                        self.commands(commands[index + 1 :], position, branch.orelse, whole=whole)
                        return
                case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                    self.loop(command, position, out)
                    if walk.ends([command]):
                        return
        if whole:
            self.fail("this block ended without a result", commands[-1].span if commands else None, out)

    def is_never_read(self, variable: core.Local, value: core.Expression, rest: Sequence[core.Command]) -> bool:
        """Tell whether, in an optimised program, a variable need not get this first value: the commands after assign
        another one before they read it. Plain code has all values of the CPL that stands above it.
        """
        if self.module.in_order or variable in self.boxes or variable.mode:
            return False
        first = self.sure.converted(value) if isinstance(value, core.Convert) else value
        is_there = isinstance(first, core.Variable) and self.has_value(first)
        return (is_there or isinstance(first, core.Literal)) and _is_overwritten(variable, rest)

    def attempt(self, command: core.If, attempt: core.Attempt, position: Position, out: Out) -> None:
        """Commands that a jump may leave for a label of this activation, and what catches the jump."""
        jump = self.names.fresh("jump")
        target = ast.Attribute(self.variable(attempt.labels), "target", ast.Load())
        label = ast.Call(target, [load(jump)], [])
        handler: Out = [at(ast.Assign([self.target(attempt.at, {})], label), command.span)]
        self.body(command.otherwise, position, handler)
        attempted: Out = []
        self.body(command.commands, position, attempted)
        handlers = [ast.ExceptHandler(self.helper("Jump"), jump, handler)]
        out.append(at(ast.Try(attempted, handlers, [], []), command.span))

    def fail(self, message: str, span: Span | None, out: Out) -> None:
        """End the program with a fault."""
        out.append(at(ast.Raise(self.call("CplFault", ast.Constant(message))), span))

    def body(self, commands: Sequence[core.Command], position: Position, out: Out) -> None:
        """The commands of an arm or a loop; Python wants at least one statement."""
        self.commands(commands, position, out, whole=False)
        if not out:
            out.append(ast.Pass())

    def loop(self, loop: core.Loop, position: Position, out: Out) -> None:
        """A loop. What must be evaluated before its test goes into it."""
        body: Out = []
        match loop:
            case core.While(test=test, commands=commands):
                before: Out = []
                condition = self.condition(test, before)
                self.body(commands, position, body)
                if before:
                    assert not loop.otherwise  # jumps leave such a loop without
                    leave = ast.If(opposite(condition), [ast.Break()], [])
                    condition, body = ast.Constant(True), [*before, at(leave, test.span), *body]
                python_loop: ast.While | ast.For = ast.While(condition, body, [])
            case core.Repeat(commands=commands, test=test):
                self.body(commands, position, body)
                if not (isinstance(test, core.Literal) and test.value is True) and not walk.ends(commands):
                    leaves = self.opposite_condition(test, body)
                    body.append(at(ast.If(leaves, [ast.Break()], []), test.span))
                python_loop = ast.While(ast.Constant(True), body, [])
            case core.ForStep(variable=variable) | core.ForList(variable=variable):
                values = self.value(loop.members, out) if isinstance(loop, core.ForList) else self.steps(loop, out)
                name = self.names.bind(variable, tail=False, after=variable.span.end, loop=True)
                self.body(loop.commands, position, body)
                if not _is_captured(variable, loop):
                    self.names.release(variable)
                python_loop = ast.For(at(ast.Name(name, ast.Store()), variable.span), values, body, [])
        if not isinstance(loop, core.Repeat) and loop.otherwise:
            self.commands(loop.otherwise, position, python_loop.orelse, whole=False)
        out.append(at(python_loop, loop.span))

    def steps(self, loop: core.ForStep, out: Out) -> ast.expr:
        """Return the values of the variable of a `for`: a range, if it is certain that the bounds are integers."""
        bounds = (loop.first, loop.step, loop.last)
        first, step, last = self.values(bounds, out)
        by = number(step)
        if not by or not all(self.sure.number(bound) == "integer" for bound in bounds):
            return self.call("Steps", first, step, last)

        end = plus(last, 1 if by > 0 else -1)  # a range ends before its end
        if by != 1:
            limits = [first, end, step]
        elif number(first) == 0:
            limits = [end]
        else:
            limits = [first, end]
        return ast.Call(load("range"), limits, [])

    # Variables and their values

    def bind(self, target: core.Target, value: core.Expression, out: Out, *, in_function: bool = False) -> None:
        """`target = value`, for names that are new, some in new boxes; by a local function that returns the value, if
        it is to be made `in_function`.
        """
        boxes = [part for part in walk.nodes(target) if isinstance(part, core.NewBox)]
        match target, value:
            case core.Several(items=targets), core.Tuple(items=items) if (
                boxes or any(isinstance(item, core.Convert) or _is_empty_list(item) for item in items)
            ) and _are_independent(targets, items):
                for part, item in zip(targets, items, strict=True):
                    self.bind(part, item, out)
                return
            case core.NewBox() as box, _ if is_expression(value):
                self.box(box, self.value(value, out), out)
                return

        unboxed = {box.variable: self.names.fresh(f"{self.variable(box.variable).id}_value") for box in boxes}
        kinds: core.Kinds = ""
        if isinstance(value, core.ConvertParts):
            kinds, value = value.kinds, value.value

        position = Assign(self.target(target, unboxed), self.hint(target))
        match target, value:
            case _ if in_function:
                self.by_local_function(value, position, out)
            case core.Several(), core.Tuple() if (choice := _as_one_choice(value)) is not None:
                self.into(choice, position, out)
            case core.Several(items=targets), core.Tuple(items=items) if len(targets) == len(items):
                hints = map(self.hint, targets)
                values = [self.value(item, out, hint) for item, hint in zip(items, hints, strict=True)]
                out.append(at(ast.Assign([position.target], ast.Tuple(values, ast.Load())), value.span))
            case _:
                self.into(value, position, out)

        for box in boxes:
            self.box(box, load(unboxed[box.variable]), out)
        for variable, kind in _converting(target, kinds):
            place = self.variable(variable)
            out.append(at(assign(place.id, self.call(_CONVERSIONS[kind], place)), variable.span))

    def target(self, target: core.Target, names: Mapping[core.Variable, str]) -> ast.expr:
        """A target in Python. What will be in new boxes has these `names` until it is there."""
        match target:
            case core.Several(items=items):
                return at(ast.Tuple([self.target(item, names) for item in items], ast.Store()), target.span)
            case core.NewBox(variable=variable):
                return at(ast.Name(names[variable], ast.Store()), target.span)
            case core.Local() | core.Global():
                return at(ast.Name(self.variable(target).id, ast.Store()), target.span)

    def hint(self, target: core.Target) -> str:
        """Choose a name for something that is made for this target."""
        first = next(walk.variables(target), None)
        return self.module.spelling(first.name if first else "value")

    def variable(self, node: core.Variable) -> ast.Name:
        """The Python variable of that name."""
        known = self.names.known
        if isinstance(node, core.Global) and node not in known:
            return load(self.module.name(node))
        return load(known[node])

    def box(self, box: core.NewBox, value: ast.expr | None, out: Out) -> None:
        """A new box for a variable, with a value in it if there is one."""
        arguments: list[ast.expr] = []
        if box.kind:
            arguments.append(ast.Constant(box.kind))
        if value:
            arguments.append(value)
        new = self.call("NumberCell" if box.kind else "Cell", *arguments)
        out.append(at(assign(self.variable(box.variable).id, new), box.span))

    def hold(self, node: core.Expression, hint: str, out: Out) -> core.Local:
        """Bind a value to a new variable."""
        name = self.names.fresh(hint, node)
        self.into(node, Assign(ast.Name(name, ast.Store()), hint), out)
        variable = core.Local(hint, next(self.hidden), span=node.span)
        self.names.known[variable] = name
        return variable

    def annotate(self, body: Out, parameters: Iterable[str] = ()) -> None:
        """Annotate the variables of a function whose first value does not tell their type."""
        self.annotations.annotate(body, self.names.holders, self.definition, self.boxes, {*parameters})

    def annotation(self, node: core.Expression) -> ast.expr:
        """The annotation of a variable, of its box, or of what holds the value of an expression."""
        return self.annotations.of(node, self.definition, self.boxes)

    # Assignments

    def assign(self, command: core.Assign, out: Out) -> None:
        """`places := values`"""
        places, values = self.changing(command)
        self.unset -= {place for place in walk.assigned(command) if isinstance(place, core.Local)}
        match places:
            case ():
                pass
            case (core.Local() | core.Global() | core.InBox() as place,):
                hint = self.hint(place.variable if isinstance(place, core.InBox) else place)
                self.into(values[0], Assign(self.stored(place, out), hint), out)
            case (core.Choice() as place,):  # its arms both have the value
                self.assign_to(place, self.once(values[0], frozenset(), out), out)
            case (place,):
                self.assign_to(place, values[0], out)
            case _ if isinstance(values[0], core.ConvertParts):
                self.assign_converted(places, values[0], command.span, out)
            case _ if len(values) < len(places):
                target = ast.Tuple([self.stored(place, out) for place in places], ast.Store())
                self.into(values[0], Assign(at(target, command.span), "values"), out)
            case _ if self.is_in_turn(places, values):
                self.assign_in_turn(places, values, out)
            case _:
                self.assign_at_once(places, values, command.span, out)

    def assign_in_turn(self, places: Sequence[core.Place], values: Sequence[core.Expression], out: Out) -> None:
        """`places := values` by one assignment after the other. A value or a part of a place that an earlier one of
        them may change is evaluated before, and so is a value that may end in a fault.
        """
        change_nothing = all(map(_only_reads, (*places, *values[1:])))
        changed: list[Set[core.Variable]] = []  # of each place, what is assigned before it
        for index in range(len(places)):
            changed.append({*walk.assigned(core.Assign(tuple(places[:index]), (), span=places[index].span))})

        operands: list[core.Expression] = []
        for place, value, before in zip(places, values, changed, strict=True):
            can_wait = change_nothing and not isinstance(place, core.Choice) and self.can_wait(value, before)
            operands.append(value if can_wait else self.once(value, before, out))
        fixed = [self.fixed(place, before, out) for place, before in zip(places, changed, strict=True)]
        for place, value in zip(fixed, operands, strict=True):
            self.assign_to(place, value, out)

    def can_wait(self, value: core.Expression, changed: Set[core.Variable]) -> bool:
        """Tell whether a value is the same after these variables have changed, and certain to be there: a sum, a
        difference or a product of whole numbers.
        """
        match value:
            case core.Binary(operator="PLUS" | "MINUS" | "SUM" | "DIFFERENCE" | "TIMES", left=left, right=right):
                return self.can_wait(left, changed) and self.can_wait(right, changed)
            case core.Local():
                return value not in changed and value in self.sure_of_value and self.sure.number(value) == "integer"
            case core.Literal(value=number):
                return isinstance(number, int) and not isinstance(number, bool)
            case _:
                return False

    def assign_converted(self, places: tuple[core.Place, ...], value: core.ConvertParts, span: Span, out: Out) -> None:
        """`places := value`, where parts of the value are converted on the way: they get names for that."""
        parts = [core.Local("value", next(self.hidden), span=place.span) for place in places]
        self.names.known |= {part: self.names.fresh("value") for part in parts}
        target = self.target(core.Several(tuple(parts), span=span), {})
        self.into(value.value, Assign(target, "values"), out)
        converted = [
            core.Convert(kind, part, span=part.span) if isinstance(kind, str) and kind else part
            for kind, part in zip(value.kinds, parts, strict=True)
        ]
        self.assign(core.Assign(places, tuple(converted), span=span), out)

    def assign_at_once(
        self, places: tuple[core.Place, ...], values: tuple[core.Expression, ...], span: Span, out: Out
    ) -> None:
        """`places := values` by one assignment of Python. It assigns from left to right, but subscripts are the old
        ones (evidence C3): what stands in a subscript is assigned last.
        """
        right = self.values(values, out)
        variables = {place for place in places if isinstance(place, core.Variable)}
        if len(places) > len(variables) + 1:
            places = tuple([self.fixed(place, frozenset(), out) for place in places])

        order = [*range(len(places))]
        others = [place for place in places if place not in variables]
        if not variables.isdisjoint(chain.from_iterable(map(walk.nodes, others))):
            order.sort(key=lambda index: places[index] in variables)

        target = ast.Tuple([self.stored(places[index], out) for index in order], ast.Store())
        value = ast.Tuple([right[index] for index in order], ast.Load())
        out.append(at(ast.Assign([target], value), span))

    def changing(self, command: core.Assign) -> tuple[tuple[core.Place, ...], tuple[core.Expression, ...]]:
        """The places and the values of an assignment without the variables that get the value they have, if nothing
        else in it may change these.
        """
        places, values = command.places, command.values
        if not 1 < len(places) == len(values) == len({*places}):
            return places, values
        are_variables = all(isinstance(place, core.Variable) for place in places)
        if not (are_variables and all(map(_changes_nothing, values))):
            return places, values
        changes = [not self.keeps_value(place, value) for place, value in zip(places, values, strict=True)]
        return tuple(compress(places, changes)), tuple(compress(values, changes))

    def keeps_value(self, place: core.Place, value: core.Expression) -> bool:
        """Tell whether a value is the one that the variable has already."""
        stored = self.sure.converted(value) if isinstance(value, core.Convert) else value
        return isinstance(stored, core.Variable) and place == stored and self.has_value(stored)

    def assign_to(self, place: core.Place, value: core.Expression, out: Out) -> None:
        """`place := value`, where the value can be written down several times if a condition chooses the place."""
        match place:
            case core.Choice(test=test, place=first, otherwise=second, kinds=kinds):
                branch = ast.If(self.value(test, out, "test"), [], [])
                for chosen, kind, arm in ((first, kinds[0], branch.body), (second, kinds[1], branch.orelse)):
                    converted = core.Convert(kind, value, span=value.span) if kind else value
                    self.assign_to(chosen, converted, arm)
                out.append(branch)
            case core.Select(operand=operand) if not self.has_place(place):
                right = self.value(value, out)
                indices = ast.List(self.values(place.indices, out, "index"), ast.Load())
                out.append(at(ast.Expr(self.call("SetItem", self.value(operand, out), indices, right)), place.span))
            case _:
                if isinstance(value, core.Convert):
                    value = self.sure.converted(value)
                right = self.value(value, out)
                out.append(at(self.assignment(self.stored(place, out), value, right), place.span))

    def assignment(self, target: ast.expr, node: core.Expression, value: ast.expr) -> ast.Assign | ast.AugAssign:
        """`target = value`. If an operator is applied to what the target holds, `target += more` and the like: only
        where this changes no list in place, and the target is the same place after `more` is evaluated.
        """
        match node, value:
            case core.Binary(left=first, right=more) | core.Juxtapose(left=first, right=more), ast.BinOp(
                left=old, op=operator, right=operand
            ) if ast.unparse(old) == ast.unparse(target):
                is_new_value = _is_of_whole_numbers(node) or self.makes_new(operator, first, more)
                has_call = any(isinstance(part, ast.Call) for part in ast.walk(value))
                if is_new_value and (isinstance(target, ast.Name) or not has_call):
                    assert isinstance(target, ast.Name | ast.Attribute | ast.Subscript)
                    return ast.AugAssign(target, operator, operand)
            case core.Binary(), ast.BinOp() if isinstance(target, ast.Name) and self.sure.number(node) == "integer":
                added = _added_first(target.id, value)
                if added is not None and self.has_whole_operands(node):
                    return ast.AugAssign(target, ast.Add(), added)
        return ast.Assign([target], value)

    def has_whole_operands(self, node: core.Expression) -> bool:
        """Tell whether a sum is one of whole numbers for certain, which can be added in any order."""
        match node:
            case core.Binary(operator="PLUS" | "SUM" | "MINUS" | "DIFFERENCE", left=left, right=right):
                return self.has_whole_operands(left) and self.sure.number(right) == "integer"
            case _:
                return self.sure.number(node) == "integer"

    def makes_new(self, operator: ast.operator, first: core.Expression, more: core.Expression) -> bool:
        """Tell whether an operator gives a new value for certain, also if Python gives a function a list: to that, only
        a list can be added in place.
        """
        if isinstance(operator, ast.Add) and self.sure.kind(more) == "number":
            return True
        return isinstance(operator, ast.Sub | ast.Div | ast.Pow) or self.sure.is_immutable(first)

    def stored(self, place: core.Place, out: Out) -> ast.expr:
        """A place as Python writes it on the left."""
        target = self.subscript(place, out) if isinstance(place, core.Select) else self._value(place, out, "value")
        assert isinstance(target, ast.Name | ast.Attribute | ast.Subscript)
        target.ctx = ast.Store()
        return at(target, place.span)

    def is_array(self, node: core.Select) -> bool:
        """Tell whether it is sure that a member of an array is selected."""
        return node.of_array or self.sure.kind(node.operand) == "array"

    def has_place(self, node: core.Select) -> bool:
        """Tell whether it is sure that a member of an array is selected, or one that a list has."""
        return self.is_array(node) or (self.sure.is_list(node.operand) and self.sure.has_member(node))

    def is_in_turn(self, places: Sequence[core.Place], values: Sequence[core.Expression]) -> bool:
        """Tell whether one assignment of Python would not do: a condition chooses, a member may be that of a list, or a
        variable is there twice, which some Pythons 3.11 get wrong (`x, x = 1, y` was 1: python/cpython issue 104615).
        """
        variables = [place for place in places if isinstance(place, core.Variable | core.InBox)]
        is_twice = len({*variables}) < len(variables)
        return is_twice or any(isinstance(place, core.Choice) or self.is_unchecked(place, values) for place in places)

    def is_unchecked(self, place: core.Place, values: Sequence[core.Expression]) -> bool:
        """Tell whether it is a member of what may be a list: only `SetItem` says what is wrong with its subscripts.

        Where two members change places, they have been read before, by `Item`, and their subscripts are the same still.
        """
        if not isinstance(place, core.Select) or self.has_place(place):
            return False
        read = [value.value if isinstance(value, core.Convert) else value for value in values]
        is_read_before = len(place.indices) == 1 and place in read
        return not (is_read_before and all(map(_only_reads, read)))

    def once(self, node: core.Expression, changing: Set[core.Variable], out: Out) -> core.Expression:
        """An expression for a value that is written down several times, or after these variables have changed."""
        if isinstance(node, core.Convert):
            return replace(node, value=self.once(node.value, changing, out))
        simple = isinstance(node, core.Variable | core.Literal) and node not in changing
        return node if simple else self.hold(node, "value", out)

    def fixed(self, place: core.Place, changing: Set[core.Variable], out: Out) -> core.Place:
        """Return the same place, independent of assignments to these variables and to other places."""
        parts = core.Select | core.Apply | core.Component | core.Contents | core.InBox

        def fixed(node: core.Expression, hint: str) -> core.Expression:
            may_change = any(isinstance(part, parts) or part in changing for part in walk.nodes(node))
            return self.hold(node, hint, out) if may_change else node

        match place:
            case core.Choice(test=test, place=first, otherwise=second):
                condition = self.hold(test, "test", out)
                branch = ast.If(self.variable(condition), [], [])
                first = self.fixed(first, changing, branch.body)
                second = self.fixed(second, changing, branch.orelse)
                if not branch.body:
                    branch = ast.If(opposite(branch.test), branch.orelse, [])
                if branch.body:
                    out.append(branch)
                return replace(place, test=condition, place=first, otherwise=second)
            case core.Select(operand=operand, indices=indices):
                members = tuple([fixed(index, "index") for index in indices])
                return replace(place, operand=fixed(operand, "array"), indices=members)
            case core.Component(operand=operand):
                return replace(place, operand=fixed(operand, "node"))
            case core.Contents(reference=reference):
                return replace(place, reference=fixed(reference, "place"))
            case _:
                return place

    # Expressions

    def condition(self, test: core.Expression, out: Out) -> ast.expr:
        """A test. In an optimised program, a number, bit string or list that is compared with 0 or NIL stands alone. So
        does a bit string or list beside ∧ and ∨; a number there is compared, often with others than 0 as well.
        """
        if not self.module.in_order:
            match test:
                case core.Binary(operator="AND" | "OR", left=left, right=right) if self.sure.kind(
                    test
                ) == "boolean" and not self.needs_branches(test):
                    first = self.side(left, out)
                    before: Out = []
                    second = self.side(right, before)
                    assert not before
                    return at(joined(_JUNCTIONS[test.operator](), first, second), test.span)
                case core.Unary(operator="NOT", operand=operand) if self.sure.kind(operand) == "boolean":
                    return at(self.opposite_condition(operand, out), test.span)
                case core.Block(commands=(*earlier, core.Result(value=result))) if not may_give_result(earlier):
                    self.commands(earlier, Assign(load("test"), "test"), out, whole=False)
                    return self.condition(result, out)
                case core.Compare(
                    operands=(tested, core.Literal(value=zero)), operators=("EQUAL" | "UNEQUAL" as operator,)
                ) if (test.of_bits or self.sure.is_integer(tested)) and zero == 0 and zero is not False:
                    value = self.value(tested, out)
                    return at(ast.UnaryOp(ast.Not(), value) if operator == "EQUAL" else value, test.span)
                case core.Apply(function=core.Host(name="Null"), arguments=(tested,)) if self.sure.is_list(tested):
                    return at(ast.UnaryOp(ast.Not(), self.value(tested, out)), test.span)
                case core.Unary(
                    operator="NOT", operand=core.Apply(function=core.Host(name="Null"), arguments=(tested,))
                ) if self.sure.is_list(tested):
                    return self.value(tested, out)
        return self.value(test, out, "test")

    def opposite_condition(self, test: core.Expression, out: Out) -> ast.expr:
        """The opposite of a test. In an optimised program it is `x and y` for ~(a ∨ b), and `x or y` for ~(a ∧ b), if x
        and y are the opposites of a and b, and no more than one of them begins with `not`.
        """
        match test:
            case core.Binary(operator="AND" | "OR" as operator, left=left, right=right) if (
                not self.module.in_order
                and self.sure.kind(test) == "boolean"
                and not self.needs_branches(test)
                and self.has_opposite(left)
                and self.has_opposite(right)
            ):
                first, second = self.opposite_side(left, out), self.opposite_side(right, out)
                if not all(isinstance(side, ast.UnaryOp) for side in (first, second)):
                    other = ast.And() if operator == "OR" else ast.Or()
                    return at(joined(other, first, second), test.span)
        return opposite(self.condition(test, out))

    def opposite_side(self, operand: core.Expression, out: Out) -> ast.expr:
        """The opposite of an operand of ∧ or ∨ in a test of an optimised program."""
        return at(opposite(self.side(operand, out)), operand.span)

    def has_opposite(self, test: core.Expression) -> bool:
        """Tell whether a test is one relation, and there is another that holds wherever it does not; or whether it asks
        if a list is NIL. Of reals that are undefined, no number is less, and none is as great or greater.
        """
        match test:
            case core.Compare(operators=("EQUAL" | "UNEQUAL",)):
                return True
            case core.Compare(operands=operands, operators=(_,)):
                return all(map(self.sure.is_integer, operands))
            case core.Unary(operator="NOT", operand=operand):
                return self.has_opposite(operand)
            case core.Apply(function=core.Host(name="Null"), arguments=(tested,)):
                return self.sure.is_list(tested)
            case _:
                return False

    def side(self, operand: core.Expression, out: Out) -> ast.expr:
        """An operand of ∧ or ∨ in a test of an optimised program."""
        is_of_numbers = isinstance(operand, core.Compare) and not operand.of_bits
        return self.value(operand, out, "test") if is_of_numbers else self.condition(operand, out)

    def value(self, node: core.Expression, out: Out, hint: str = "value") -> ast.expr:
        """An expression for the value; statements that must come before it are added to `out`."""
        return at(self._value(node, out, hint), node.span)

    def whole_value(self, node: core.Expression, out: Out, hint: str = "value") -> ast.expr:
        """A value that is no part of another. In an optimised program it asks a list by `not`, as tests do: in a larger
        expression, the opposite of that would be the list itself and no truth value.
        """
        match node:
            case core.Apply(function=core.Host(name="Null")) if not self.module.in_order:
                return self.condition(node, out)
            case _:
                return self.value(node, out, hint)

    def values(self, items: Sequence[core.Expression], out: Out, hint: str = "value") -> list[ast.expr]:
        """Several expressions, in order."""
        return [self.value(item, out, hint) for item in items]

    def _value(self, node: core.Expression | core.Place, out: Out, hint: str) -> ast.expr:
        match node:
            case core.Literal(symbol=symbol) if symbol:
                return ast.Call(load("ord"), [ast.Constant(symbol)], [])
            case core.Literal(value=int() | float() as value) if value < 0 or str(value) == "-0.0":
                return negative(ast.Constant(-value))
            case core.Literal(value=value):
                return ast.Constant(value)
            case core.Infinity():
                return self.helper("infinity")
            case core.Local() | core.Global():
                return self.variable(node)
            case core.InBox(variable=variable):
                return contents(self.variable(variable))
            case core.Host(name=name):
                return self.helper(name)
            case core.Tuple(items=items):
                return ast.Tuple(self.values(items, out, hint), ast.Load())
            case core.List(items=items):
                return ast.List(self.values(items, out, hint), ast.Load())
            case core.Nil():
                return self.call("Nil")
            case core.Apply(function=core.Host(name="AsLogical"), arguments=(core.Literal() as value, core.Host())):
                return self.call("Logical", self.value(value, out))
            case core.Apply(
                function=core.Host(name="AsBits"),
                arguments=(
                    core.Apply(function=core.Host(name="Logical"), arguments=(core.List(items=(position,)),)),
                    core.Host(),
                ),
            ) if self.sure.is_natural(position):
                return ast.BinOp(ast.Constant(1), ast.LShift(), self.value(position, out))
            case core.Apply(function=function, arguments=arguments):
                applied = self.value(function, out)
                parameters = self.module.parameters.get(function) if isinstance(function, core.Global) else None
                hints = parameters or ["value"] * len(arguments)
                values = [self.value(argument, out, name) for argument, name in zip(arguments, hints, strict=True)]
                return ast.Call(applied, values, [])
            case core.Select() if self.is_array(node) or self.sure.has_member(node):
                return self.subscript(node, out)
            case core.Select(operand=operand, indices=indices):
                return self.applied("Item", operand, indices, out)
            case core.Component(operand=operand, name=name):
                return ast.Attribute(self.value(operand, out), self.module.spelling(name), ast.Load())
            case core.Reference(place=place):
                return self.reference(place, out, hint)
            case core.ReadOnly(constant=constant):
                return self.call("ReadOnly", self.value(constant, out))
            case core.Activation():
                return self.call("Labels")
            case core.LabelValue(labels=labels, name=name):
                return ast.Subscript(self.variable(labels), ast.Constant(name), ast.Load())
            case core.Contents(reference=reference):
                return contents(self.value(reference, out))
            case core.Convert(kind=kind, value=value):
                converted = self.sure.converted(node)
                if isinstance(converted, core.Convert):
                    return self.call(_CONVERSIONS[kind], self.value(value, out, hint))
                return self.value(converted, out, hint)
            case core.Juxtapose(left=left, right=right) if self.sure.kind(left) == "number":
                return ast.BinOp(self.value(left, out), ast.Mult(), self.value(right, out))
            case core.Juxtapose(left=left, right=right):
                return self.applied("Juxtapose", left, [right], out)
            case core.Unary():
                return self.unary(node, out)
            case core.Binary(operator="AND" | "OR"):
                return self.junction(node, out, hint)
            case core.Binary():
                return self.binary(node, out)
            case core.Compare():
                return self.comparison(node, out)
            case core.Conditional(arms=((test, value),), otherwise=otherwise) if is_expression(node):
                return self.chosen(node, test, value, otherwise, out)
            case core.Block(commands=(*before, core.Result(value=value))) if not may_give_result(before):
                self.commands(before, Assign(load(hint), hint), out, whole=False)
                return self.value(value, out, hint)
            case core.Lambda(parameters=(), body=body, by_place=True, captured=()) if is_expression(body):
                return self.delayed(body, out, hint)
            case core.Lambda():
                name = self.names.fresh("function" if hint == "value" else hint)
                self.closure(name, node, out)
                return load(name)
            case core.Conditional() | core.Block():
                return self.variable(self.hold(node, hint, out))
            case core.Attempt() | core.Choice() | core.ConvertParts() | core.LabelName():
                raise AssertionError("statements lower these, and no label is left as it is")

    def chosen(
        self,
        node: core.Conditional,
        test: core.Expression,
        value: core.Expression,
        otherwise: core.Expression,
        out: Out,
    ) -> ast.expr:
        """A conditional expression. Plain code follows the order of the CPL that stands above it. In an optimised
        program, where passes have made many, none begins with `not`, and an arm that is true or false is `and` or `or`.
        """
        if self.module.in_order:
            return ast.IfExp(self.condition(test, out), self.value(value, out), self.value(otherwise, out))
        if {self.sure.kind(part) for part in (node, test)} == {"boolean"}:
            match value, otherwise:
                case core.Literal(value=True), _:
                    return joined(ast.Or(), self.value(test, out), self.value(otherwise, out))
                case core.Literal(value=False), _:
                    return joined(ast.And(), opposite(self.value(test, out)), self.value(otherwise, out))
                case _, core.Literal(value=False):
                    return joined(ast.And(), self.value(test, out), self.value(value, out))
                case _, core.Literal(value=True):
                    return joined(ast.Or(), opposite(self.value(test, out)), self.value(value, out))
        condition, first, second = self.condition(test, out), self.value(value, out), self.value(otherwise, out)
        match condition:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ast.IfExp(operand, second, first)
            case _:
                return ast.IfExp(condition, first, second)

    def applied(
        self, helper: str, function: core.Expression, arguments: Sequence[core.Expression], out: Out
    ) -> ast.expr:
        """A call, if the text makes sure that it is a function that is applied; else the helper finds out."""
        applied, operands = self.value(function, out), self.values(arguments, out)
        if self.sure.is_function(function):
            return ast.Call(applied, operands, [])
        return self.call(helper, applied, *operands)

    def subscript(self, node: core.Select, out: Out) -> ast.Subscript:
        """A member of what is known to be an array, or a member that a list is known to have."""
        return subscript(self.value(node.operand, out), *self.values(node.indices, out, "index"))

    def reference(self, place: core.Expression, out: Out, hint: str) -> ast.expr:
        """A place as a value."""
        match place:
            case core.InBox(variable=variable):
                return self.variable(variable)
            case core.Select(operand=operand, indices=indices) if not self.sure.is_function(operand):
                return self.call("MemberOf", self.value(operand, out), *self.values(indices, out, "index"))
            case core.Component(operand=operand, name=name):
                return self.call("ComponentOf", self.value(operand, out), ast.Constant(self.module.spelling(name)))
            case _:
                return self.call("Cell", self.value(place, out, hint))

    def unary(self, node: core.Unary, out: Out) -> ast.expr:
        """`+x`, `−x`, `~x`"""
        match node:
            case core.Unary(operator="MINUS", operand=core.Binary(operator="TIMES" | "DIVIDE") as product) if (
                self.sure.stands_for_integer(node) or self.has_sign(product)
            ):
                return negative(self.value(product, out))
            case core.Unary(operator="MINUS", operand=core.Unary(operator="MINUS", operand=operand)):
                return ast.UnaryOp(ast.UAdd(), self.value(operand, out))  # Python's readers take -- for a slip
            case core.Unary(operator="NOT", operand=operand):
                match self.sure.kind(node) or self.sure.kind(operand):
                    case "boolean":
                        return opposite(self.value(operand, out))
                    case "logical":
                        return ast.UnaryOp(ast.Invert(), self.value(operand, out))
                    case _:
                        return self.call("Not", self.value(operand, out))
            case core.Unary(operator=operator, operand=operand):
                return ast.UnaryOp(_UNARY[operator](), self.value(operand, out))

    def has_sign(self, product: core.Binary) -> bool:
        """Tell whether −(a × b) is (−a) × b: not if a is the integer 0, which has no sign as the real 0.0 has."""
        first: core.Expression = product
        while isinstance(first, core.Binary) and first.operator in ("TIMES", "DIVIDE"):
            first = first.left
        is_literal = isinstance(first, core.Literal) and bool(first.value)
        return is_literal or self.sure.number(first) == "real" or self.sure.number(product) == "integer"

    def binary(self, node: core.Binary, out: Out) -> ast.expr:
        """An operator that evaluates both operands: Python's own, if the operands are known, else a helper."""
        left, right = self.value(node.left, out), self.value(node.right, out)
        kind, operator = self.sure.kind(node), node.operator
        if operator in ("EQUIVALENT", "INEQUIVALENT"):
            if {self.sure.kind(operand) for operand in (node.left, node.right)} == {"boolean"}:
                return ast.Compare(left, [_RELATIONS[operator]()], [right])
            return self.call("Same" if operator == "EQUIVALENT" else "Differ", left, right)
        helpers = _NUMBERS_OR_SETS | _PLUS_OF_SETS if self.module.instead else _NUMBERS_OR_SETS
        if operator in helpers and kind != "number":
            return self.call(helpers[operator], left, right)
        match operator, node.right:
            case "SHIFT", core.Literal(value=int() as places):
                return ast.BinOp(left, ast.RShift() if places > 0 else ast.LShift(), ast.Constant(abs(places)))
            case "SHIFT", _:
                return self.call("ShiftBits", left, right)
            case "POWER", _ if not self.is_native_power(node):
                return self.call("Power", left, right)
        return ast.BinOp(left, _BINARY[operator](), right)

    def is_native_power(self, node: core.Binary) -> bool:
        """Tell whether `**` gives for certain a number of the type that ↑ gives."""
        if isinstance(node.right, core.Literal) and isinstance(node.right.value, int):
            return True
        return self.sure.number(node.left) == "real" and self.sure.number(node.right) == "integer"

    def junction(self, node: core.Binary, out: Out, hint: str) -> ast.expr:
        """`x ∧ y`, `x ∨ y`: of truth values by `and` and `or`, which leave y alone if x settles it."""
        if self.needs_branches(node):
            return self.variable(self.hold(node, hint, out))
        right = node.right
        kind = self.sure.kind(node)
        first = self.value(node.left, out, hint)
        if kind == "logical" or (kind != "boolean" and isinstance(right, core.Variable | core.Literal)):
            return ast.BinOp(first, _BINARY[node.operator](), self.value(right, out))
        if kind != "boolean":
            return self.call(node.operator.capitalize(), first, self.delayed(right, out, hint))
        return joined(_JUNCTIONS[node.operator](), first, self.later(right, out))

    def needs_branches(self, node: core.Binary) -> bool:
        """Tell whether the right side of ∧ or ∨, which may not be evaluated, must be statements."""
        return self.sure.kind(node) == "boolean" and not is_expression(node.right)

    def delayed(self, node: core.Expression, out: Out, hint: str) -> ast.expr:
        """A thunk: a function of no arguments that gives the value."""
        match node:
            case core.Apply(function=core.Local() as local, arguments=()) if local not in self.assigned | self.unset:
                return self.variable(local)
            case _ if is_expression(node):
                return ast.Lambda(arguments_of([]), self.later(node, out, hint))
            case _:
                return load(self.local_function(node, hint, out))

    def later(self, node: core.Expression, out: Out, hint: str = "value") -> ast.expr:
        """An expression for a value that is evaluated only where it stands: nothing but a definition is lifted."""
        if not is_expression(node):
            return ast.Call(load(self.local_function(node, hint, out)), [], [])
        before: Out = []
        value = self.value(node, before, hint)
        assert not before
        return value

    def comparison(self, node: core.Compare, out: Out) -> ast.expr:
        """`a < b < c`, where c is evaluated only if a < b: Python's own chain, if it means the same, or pairs."""
        first, second, *rest = node.operands
        values = [*self.values((first, second), out), *(self.later(operand, out) for operand in rest)]

        pairs = [*zip(node.operators, node.operands, node.operands[1:], strict=False)]
        are_native = [node.of_bits or self.is_native(*pair, is_own=not node.foreign) for pair in pairs]
        if all(are_native):
            return ast.Compare(values[0], [_RELATIONS[operator]() for operator in node.operators], values[1:])

        relations: list[ast.expr] = []
        left = values[0]
        for (operator, _, operand), is_native, right in zip(pairs, are_native, values[1:], strict=True):
            next_left = right
            is_last = len(relations) + 1 == len(pairs)
            if not is_last and not isinstance(operand, core.Variable | core.Literal):  # it is evaluated only once
                next_left = load(self.names.fresh("value"))
                right = ast.NamedExpr(ast.Name(next_left.id, ast.Store()), right)
            relations.append(self.relation(operator, left, right, is_native=is_native))
            left = next_left
        return relations[0] if len(relations) == 1 else ast.BoolOp(ast.And(), relations)

    def is_native(self, operator: str, left: core.Expression, right: core.Expression, *, is_own: bool) -> bool:
        """Tell whether Python's own relation does what CPL's does."""
        return operator not in ("EQUAL", "UNEQUAL") or self.sure.is_told_apart(left, right, is_own=is_own)

    def relation(self, operator: str, first: ast.expr, second: ast.expr, *, is_native: bool) -> ast.expr:
        """One relation between two values."""
        if is_native:
            return ast.Compare(first, [_RELATIONS[operator]()], [second])
        equal = self.call("Equal", first, second)
        return equal if operator == "EQUAL" else ast.UnaryOp(ast.Not(), equal)

    def helper(self, name: str) -> ast.expr:
        """Something of cplrt."""
        return load(self.module.host(name))

    def call(self, helper: str, *arguments: ast.expr) -> ast.expr:
        """A function of cplrt applied."""
        return ast.Call(self.helper(helper), list(arguments), [])


def _as_conditional(node: core.Binary) -> core.Conditional:
    """`x → y, false` for x ∧ y, and `x → true, y` for x ∨ y."""
    if node.operator == "AND":
        return core.Conditional(((node.left, node.right),), core.Literal(False, span=node.span), span=node.span)
    return core.Conditional(((node.left, core.Literal(True, span=node.span)),), node.right, span=node.span)


def _as_one_choice(values: core.Tuple) -> core.Conditional | None:
    """`x → (a,b), (c,d)` for (x → a, c), (x → b, d); None if these are not all conditionals, or x may not be evaluated
    once for all of them.
    """
    tests: list[core.Expression] = []
    chosen: list[core.Expression] = []
    others: list[core.Expression] = []
    for item in values.items:
        match item:
            case core.Conditional(arms=((test, value),), otherwise=otherwise):
                tests.append(test)
                chosen.append(value)
                others.append(otherwise)
            case _:
                return None
    test, *more = tests
    branches = [core.Tuple(tuple(branch), span=values.span) for branch in (chosen, others)]
    is_one = all(other == test for other in more) and _only_asks(test)
    is_plain = all(map(is_expression, branches)) and all(map(_only_asks, branches))
    return core.Conditional(((test, branches[0]),), branches[1], span=values.span) if is_one and is_plain else None


def _only_asks(value: core.Expression) -> bool:
    """Tell whether it is certain that no variable changes while a value is evaluated, which may ask `Null`."""
    null = core.Host("Null", span=value.span)
    parts = [part for part in walk.nodes(value) if part != null]
    asked = [part for part in parts if isinstance(part, core.Apply) and part.function == null]
    return all(part in asked or _is_quiet(part) for part in parts)


def _otherwise(branch: ast.If) -> ast.stmt:
    """An `if` that does something only if its test does not hold, or never."""
    match branch.orelse:
        case []:
            return ast.If(branch.test, [ast.Pass()], [])
        case [ast.If(test=test, body=body, orelse=[])]:
            return ast.If(joined(ast.And(), opposite(branch.test), test), body, [])
        case otherwise:
            return ast.If(opposite(branch.test), otherwise, [])


def _with_values(definition: core.Definition) -> set[core.Local]:
    """The variables of a definition that have a value wherever they are read: they were bound with one, or get one
    first, and no jump passes that.
    """
    nodes = [*walk.nodes(definition)]
    if any(isinstance(node, core.Label | core.Landing) for node in nodes):
        return set()
    unset: set[core.Local] = set()
    for node in nodes:
        for commands in walk.command_lists(node):
            for index, command in enumerate(commands):
                match command:
                    case core.Declare(variable=core.Local() as variable) if not is_assigned_first(
                        variable, commands[index + 1 :]
                    ):
                        unset.add(variable)
    return {node for node in nodes if isinstance(node, core.Local)} - unset


def _is_overwritten(variable: core.Local, commands: Sequence[core.Command]) -> bool:
    """Tell whether it is certain that commands assign to a variable before anything reads it, whatever the way through
    them.
    """
    for command in commands:
        is_mentioned = variable in walk.locals_in(command)
        match command:
            case core.Assign(places=places, values=values) if is_mentioned:
                others = [place for place in places if place != variable]
                return variable in places and variable not in walk.all_nodes([*values, *others])
            case core.Repeat(commands=body) | core.While(test=core.Literal(value=True), commands=body):
                return _is_overwritten(variable, body)
            case core.Let() | core.Assign() | core.Evaluate() | core.Append() if not is_mentioned:
                continue
            case _:
                return False
    return False


_QUIET: Final = (
    core.Literal | core.Unary | core.Binary | core.Compare | core.Conditional | core.Convert | core.Tuple | core.List
)


def _changes_nothing(value: core.Node) -> bool:
    """Tell whether it is certain that no variable changes while a value is evaluated: nothing is applied."""
    return all(map(_is_quiet, walk.nodes(value)))


def _is_quiet(part: core.Node) -> bool:
    """Tell whether a node applies nothing, and is no parameter whose value another function gives."""
    return isinstance(part, _QUIET) or (isinstance(part, core.Variable) and not getattr(part, "mode", ""))


def _only_reads(value: core.Expression | core.Place) -> bool:
    """Tell the same of a value that may be a member of something: `Item` reads it and changes nothing."""
    parts = walk.parts(value) if isinstance(value, core.Select) else [value]
    return all(map(_changes_nothing, parts))


def _is_of_whole_numbers(node: core.Expression) -> bool:
    """Tell whether an expression is an operator that optimised programs apply to whole numbers only."""
    return isinstance(node, core.Binary) and node.operator in core.INTEGER_OPERATORS


def _added_first(name: str, value: ast.expr) -> ast.expr | None:
    """Return what is added to a variable in `name + a + b - c`, which is `a + b - c`; None if it is no such sum."""
    match value:
        case ast.BinOp(left=ast.Name(id=first), op=ast.Add(), right=right) if first == name:
            return right
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            more = _added_first(name, left)
            return more and ast.BinOp(more, operator, right)
        case _:
            return None


def _converting(target: core.Target, kinds: core.Kinds) -> Iterator[tuple[core.Variable, str]]:
    """The variables of a target that convert what they get, each with its type of number."""
    match target:
        case core.Several(items=items) if kinds:
            for item, kind in zip(items, kinds, strict=True):
                yield from _converting(item, kind)
        case core.Local() | core.Global() if isinstance(kinds, str) and kinds:
            yield target, kinds


def _is_captured(variable: core.Local, loop: core.Loop) -> bool:
    """Tell whether a function that is made in the loop has the variable in it."""
    functions = (part for part in walk.nodes(loop) if isinstance(part, core.LetFunction | core.Lambda))
    return any(variable in walk.nodes(function) for function in functions)


def _needs_no_variables(node: core.Expression) -> bool:
    """Tell whether a value can be assigned as an expression, or by the arms of one conditional."""
    value = node.value if isinstance(node, core.Convert) else node
    parts = walk.parts(value) if isinstance(value, core.Conditional) else [value]
    return all(map(is_expression, parts))  # type: ignore[arg-type]


def _is_empty_list(node: core.Expression) -> bool:
    """Tell whether this is an empty list as it is written down."""
    return isinstance(node, core.Nil) or (isinstance(node, core.List) and not node.items)


def _are_independent(targets: Sequence[core.Target], values: Sequence[core.Expression]) -> bool:
    """Tell whether each target is a name that can get its value by itself, as it stands in none of the values."""
    single = [target for target in targets if not isinstance(target, core.Several)]
    names = {variable.name for variable in chain.from_iterable(map(walk.variables, single))}
    parts = chain.from_iterable(map(walk.nodes, values))
    read = {part.name for part in parts if isinstance(part, core.Variable)}
    is_one_for_each = len(names) == len(targets) == len(values)
    return is_one_for_each and names.isdisjoint(read) and all(map(is_expression, values))
