"""Core to Python syntax trees, by position: each construct is told where its value goes.

    Return    last thing in a function      conditionals become guards, blocks their statements
    Assign    the value of a definition     each arm assigns
    Value     an operand or an argument     an expression; what must be statements is lifted before it

Lifting may evaluate a later operand before an earlier one: CPL leaves the order open (evidence E36). It never
evaluates what a conditional, ∧ or ∨ would have left alone. A lifted value is named after the parameter that it is for.
"""

import ast
import sys
from collections.abc import Iterator, Sequence, Set
from typing import Any, Final

from cpl import causes
from cpl.diagnostics import CplError, report
from cpl.python.expressions import (
    Assign,
    Expressions,
    Out,
    Position,
    Return,
    at,
    define,
    exits,
    is_expression,
    load,
    opposite,
)
from cpl.python.names import Module
from cpl.semantics import core, within
from cpl.semantics.types import Facts

MOST_NESTED_EXITS: Final = 8
"""A block with more early results than this, where its value is assigned, becomes a function of its own."""


def lower_definition(definition: core.Definition, module: Module, facts: Facts) -> list[ast.stmt]:
    """The statements of one definition of the outermost level."""
    lowering = Lowering(definition, module, facts)
    match definition:
        case core.Function():
            return [lowering.function(definition)]
        case core.Constants():
            return lowering.constants(definition)


class Lowering(Expressions):
    """Lowers one definition."""

    def __init__(self, definition: core.Definition, module: Module, facts: Facts) -> None:
        super().__init__(definition, module, facts)
        self.unset: set[core.Local] = set()  # declared, and no value given so far
        self.rebound = set(_rebound(definition))  # bound anew each time round a loop
        self.changing = self.rebound | {each for each in within.assigned(definition) if isinstance(each, core.Local)}

    def function(self, function: core.Function) -> ast.FunctionDef:
        """`F(x,y) = body`"""
        parameters = [self.names.parameter(local) for local in function.parameters]
        body: Out = []
        self.into(function.body, Return(), body)
        body = [*self.outside(function, set()), *body]
        return at(define(self.module.name(function.name), parameters, body), function.span)

    def constants(self, definition: core.Constants) -> list[ast.stmt]:
        """`Name = value`. What needs variables on the way gets a function of its own, so that they stay inside."""
        out: Out = []
        target = self.unbound(definition.target, {})
        position = Assign(target, self.hint(definition.target))
        if _needs_no_variables(definition.value) or isinstance(definition.value, core.Lambda):
            self.into(definition.value, position, out)
        else:
            self.apart(definition.value, position, out)
        return out

    # Statements

    def into(self, node: core.Expression, position: Position, out: Out) -> None:
        """Statements that bring a value to its position."""
        match node, position:
            case core.Conditional(arms=arms, otherwise=otherwise), Return():
                for test, value in arms:
                    condition = self.value(test, out, "test")
                    guarded: Out = []
                    with self.names.until(value.span.end):
                        self.into(value, position, guarded)
                    out.append(at(ast.If(condition, guarded, []), test.span))
                self.into(otherwise, position, out)
            case core.Conditional(arms=arms, otherwise=otherwise), Assign():
                for test, value in arms:
                    branch = ast.If(self.value(test, out, "test"), [], [])
                    self.into(value, position, branch.body)
                    out.append(at(branch, test.span))
                    out = branch.orelse
                self.into(otherwise, position, out)
            case core.Lambda(), Assign(target=ast.Name(id=name)):
                self.closure(name, node, out)
            case core.Block(commands=commands, routine=True), _:
                self.body(commands, position, out)
            case core.Block(), Assign() if not _nests(node.commands, MOST_NESTED_EXITS):
                self.apart(node, position, out)
            case core.Block(commands=commands), _:
                self.commands(commands, position, out)
            case _, Return():
                out.append(at(ast.Return(self.value(node, out)), node.span))
            case _, Assign(target=target, hint=hint):
                out.append(at(ast.Assign([target], self.value(node, out, hint)), node.span))

    def apart(self, node: core.Expression, position: Assign, out: Out) -> None:
        """The value by a local function, where more would have to be left early than one can leave in Python."""
        name = self.local_function(node, position.hint, out)
        out.append(at(ast.Assign([position.target], ast.Call(load(name), [], [])), node.span))

    def local_function(self, node: core.Expression, hint: str, out: Out) -> str:
        """Define a function of no arguments that returns the value, and give its name."""
        name = self.names.fresh(f"{hint}_value")
        body: Out = []
        assigned = {each for each in within.assigned(node) if isinstance(each, core.Local)}
        for variable in sorted(self.names.known[each] for each in self.unset & assigned):
            out.append(at(ast.Assign([ast.Name(variable, ast.Store())], ast.Constant(None)), node.span))
        outside = {each for each in assigned if each in self.names.known}
        with self.names.inside():
            self.into(node, Return(), body)
        out.append(at(define(name, [], [*self.outside(node, outside), *body]), node.span))
        return name

    def closure(self, name: str, function: core.LetFunction | core.Lambda, out: Out) -> None:
        """A function within a function. What is free in it is Python's own variable, unless that changes meanwhile."""
        by_place = isinstance(function, core.LetFunction) and function.by_place
        known = self.names.known
        free = {part for part in within.walk(function.body) if isinstance(part, core.Local) and part in known}
        changing = sorted(self.names.known[each] for each in free & self.changing if self.names.known[each] != name)
        if by_place and free & self.rebound:
            what = "a function that shares a variable of the loop around it"
            raise CplError([report(causes.NOT_YET, function.span, what=what)])
        body: Out = []
        with self.names.inside():
            parameters = [self.names.inner_parameter(each, function.body) for each in function.parameters]
            self.into(function.body, Return(), body)
        body = [*self.outside(function, free), *body] or [ast.Pass()]
        out.append(at(define(name, parameters, body, () if by_place else changing), function.span))

    def outside(self, node: core.Node, variables: Set[core.Local]) -> Out:
        """What Python must be told of variables that are bound elsewhere and assigned to within."""
        assigned = {*within.assigned(node)}
        shared = sorted({self.module.name(each) for each in assigned if isinstance(each, core.Global)})
        local = sorted(
            {self.names.known[each] for each in assigned if each in variables and isinstance(each, core.Local)}
        )
        statements: Out = [ast.Global(shared)] if shared else []
        return [*statements, ast.Nonlocal(local)] if local else statements

    def commands(self, commands: Sequence[core.Command], position: Position, out: Out, *, whole: bool = True) -> None:
        """The commands of a block. If they are the `whole` of it, they must give a result in the end."""
        tail = isinstance(position, Return)
        for index, command in enumerate(commands):
            match command:
                case core.Let(target=target, value=value):
                    self.let(target, value, out, tail=tail)
                case core.LetFunction(name=name):
                    together = commands[index:] if name not in self.names.known else ()  # else the first did it
                    for other in together:  # those that are defined together may use each other
                        if not isinstance(other, core.LetFunction):
                            break
                        if other.name not in self.names.known:
                            self.names.known[other.name] = self.names.fresh(self.module.spelling(other.name.name))
                    self.closure(self.names.known[name], command, out)
                case core.Return():
                    out.append(at(ast.Return(None), command.span))
                    return
                case core.Declare(variable=variable):
                    self.names.known[variable] = self.names.choose(variable, tail=tail, after=command.span.end)
                    self.unset.add(variable)
                case core.Assign():
                    self.assign(command, out)
                case core.Result(value=value):
                    self.into(value, position, out)
                    return
                case core.Evaluate(value=value):
                    out.append(at(ast.Expr(self.value(value, out)), command.span))
                case core.Break():
                    out.append(at(ast.Break(), command.span))
                    return
                case core.If(test=test, commands=inner, otherwise=otherwise):
                    branch = ast.If(self.value(test, out, "test"), [], [])
                    horizon = command.span.end if _gives(inner) else sys.maxsize
                    with self.names.until(horizon):
                        self.body(inner, position, branch.body)
                    out.append(at(branch, command.span))
                    if otherwise:
                        self.commands(
                            otherwise, position, out if tail and _gives(inner) else branch.orelse, whole=False
                        )
                        if _gives(inner) and _gives(otherwise):
                            return
                    elif not tail and _gives(inner):
                        self.commands(commands[index + 1 :], position, branch.orelse, whole=whole)
                        return
                case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                    self.loop(command, position, out)
        if whole:
            out.append(self.no_result(commands))

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
                condition = self.value(test, before, "test")
                self.body(commands, position, body)
                if before:
                    leave = ast.If(opposite(condition), [ast.Break()], [])
                    condition, body = ast.Constant(True), [*before, at(leave, test.span), *body]
                made: ast.stmt = ast.While(condition, body, [])
            case core.Repeat(commands=commands, test=test):
                self.body(commands, position, body)
                if test != core.Literal(True, span=test.span) and not within.ends(commands):
                    condition = self.value(test, body, "test")
                    body.append(at(ast.If(opposite(condition), [ast.Break()], []), test.span))
                made = ast.While(ast.Constant(True), body, [])
            case core.ForStep(variable=variable) | core.ForList(variable=variable):
                values = self.run_through(loop, out)
                self.names.known[variable] = self.names.choose(variable, tail=False, after=variable.span.end)
                self.body(loop.commands, position, body)
                target = at(ast.Name(self.names.known[variable], ast.Store()), variable.span)
                made = ast.For(target, values, body, [])
        out.append(at(made, loop.span))

    def run_through(self, loop: core.ForStep | core.ForList, out: Out) -> ast.expr:
        """What the variable of a `for` runs through: a range, where all that Python must know is written down."""
        if isinstance(loop, core.ForList):
            return self.value(loop.members, out)
        match loop.first, loop.step, loop.last:
            case core.Literal(value=int() as first), core.Literal(value=1), core.Literal(value=int() as last):
                bounds = [first, last + 1] if first else [last + 1]
                return ast.Call(load("range"), [ast.Constant(bound) for bound in bounds], [])
        return self.call("Steps", *self.values((loop.first, loop.step, loop.last), out, "value"))

    def assign(self, command: core.Assign, out: Out) -> None:
        """`places := values`"""
        places, values = command.places, command.values
        self.unset -= {each for each in within.assigned(command) if isinstance(each, core.Local)}
        match places:
            case (core.Choice() as place,):
                self.assign_to(self.decided(place, out, alone=True), self.once(values[0], out), out)
            case (core.Select() as place,):
                self.assign_to(place, self.value(values[0], out), out)
            case (core.Local() | core.Global() as place,):
                self.into(values[0], Assign(self.stored(place, out), self.hint(place)), out)
            case _ if any(isinstance(place, core.Choice) for place in places):
                given = [self.once(value, out, always=True) for value in values]
                meant = [self.decided(place, out) for place in places]
                for where, value in zip(meant, given, strict=True):
                    self.assign_to(where, value, out)
            case _:
                given = self.values(values, out, "value")
                # Python assigns from left to right: members first, so that their subscripts are the old ones (C3)
                order = sorted(range(len(places)), key=lambda index: not isinstance(places[index], core.Select))
                several = sum(isinstance(place, core.Select) for place in places) > 1
                target = ast.Tuple([self.stored(places[index], out, apart=several) for index in order], ast.Store())
                right = ast.Tuple([given[index] for index in order], ast.Load())
                out.append(at(ast.Assign([target], right), command.span))

    def once(self, node: core.Expression, out: Out, *, always: bool = False) -> ast.expr:
        """A value that can be written down several times: by a name, unless it is one."""
        if not always and isinstance(node, core.Local | core.Global | core.Literal):
            return self.value(node, out)
        name = self.names.fresh("value")
        self.into(node, Assign(ast.Name(name, ast.Store()), "value"), out)
        return load(name)

    def decided(self, place: core.Place, out: Out, *, alone: bool = False) -> "core.Place | tuple[ast.expr, Any, Any]":
        """A place whose conditions are evaluated now; one that is `alone` needs no names for them."""
        match place:
            case core.Choice(test=test, place=first, otherwise=second):
                condition = self.value(test, out, "test") if alone else self.once(test, out, always=True)
                return condition, self.decided(first, out, alone=alone), self.decided(second, out, alone=alone)
            case _:
                return place

    def assign_to(self, place: Any, value: ast.expr, out: Out) -> None:
        """One place, which a condition may choose."""
        match place:
            case (ast.expr() as condition, first, second):
                branch = ast.If(condition, [], [])
                self.assign_to(first, value, branch.body)
                self.assign_to(second, value, branch.orelse)
                out.append(branch)
            case core.Select(operand=operand) if self.facts.kind(operand) != "array":
                indices = ast.List(self.values(place.indices, out, "index"), ast.Load())
                call = self.call("SetItem", self.value(operand, out), indices, value)
                out.append(at(ast.Expr(call), place.span))
            case _:
                out.append(at(ast.Assign([self.stored(place, out)], value), place.span))

    def stored(self, place: core.Place, out: Out, *, apart: bool = False) -> ast.expr:
        """A place as Python writes it; with `apart`, subscripts that other assignments could change are kept before."""
        match place:
            case core.Select(indices=indices):
                made = self.subscript(place, out)
                if apart and any(
                    isinstance(part, core.Select | core.Apply) for index in indices for part in within.walk(index)
                ):
                    name = self.names.fresh("index")
                    out.append(at(ast.Assign([ast.Name(name, ast.Store())], made.slice), place.span))
                    made.slice = load(name)
                return at(ast.Subscript(made.value, made.slice, ast.Store()), place.span)
            case core.Local():
                return at(ast.Name(self.names.known[place], ast.Store()), place.span)
            case core.Global():
                return at(ast.Name(self.module.name(place), ast.Store()), place.span)
            case core.Choice():
                raise AssertionError("a choice of places is decided before")

    def no_result(self, commands: Sequence[core.Command]) -> ast.stmt:
        """What stands where a block ends without a result."""
        fault = ast.Call(self.helper("CplFault"), [ast.Constant("this block ended without a result")], [])
        statement = ast.Raise(fault)
        return at(statement, commands[-1].span) if commands else statement

    def let(self, target: core.Target, value: core.Expression, out: Out, *, tail: bool) -> None:
        """`let target = value`. The value is lowered first: what it names is outside the scope of the target."""
        after = value.span.end
        names = {local: self.names.choose(local, tail=tail, after=after) for local in _locals(target)}
        self.into(value, Assign(self.unbound(target, names), self.hint(target)), out)
        self.names.known |= names

    def unbound(self, target: core.Target, names: dict[core.Local, str]) -> ast.expr:
        """A target in Python, its variables by names that are not in force yet."""
        match target:
            case core.Several(items=items):
                return at(ast.Tuple([self.unbound(item, names) for item in items], ast.Store()), target.span)
            case core.Local():
                return at(ast.Name(names[target], ast.Store()), target.span)
            case core.Global():
                return at(ast.Name(self.module.name(target), ast.Store()), target.span)

    def hint(self, target: core.Target) -> str:
        """What to call something that is made for this target."""
        first = next(within.variables(target), None)
        return self.module.spelling(first.name) if first else "value"


def _locals(target: core.Target) -> Iterator[core.Local]:
    return (name for name in within.variables(target) if isinstance(name, core.Local))


def _needs_no_variables(node: core.Expression) -> bool:
    """Whether a value can be assigned as an expression, or by the arms of one conditional."""
    if isinstance(node, core.Conditional):
        arms = (part for arm in node.arms for part in arm)
        return all(map(is_expression, (*arms, node.otherwise)))
    return is_expression(node)


def _rebound(node: core.Node) -> Iterator[core.Local]:
    """The variables that are bound within loops."""
    for loop in within.walk(node):
        if isinstance(loop, core.Loop):
            for part in within.walk(loop):
                match part:
                    case core.Let(target=target):
                        yield from (each for each in within.variables(target) if isinstance(each, core.Local))
                    case core.ForStep(variable=variable) | core.ForList(variable=variable):
                        yield variable
                    case core.Declare(variable=variable):
                        yield variable


def _gives(commands: Sequence[core.Command]) -> bool:
    """Whether these commands give a result whatever way they go."""
    match commands:
        case (*_, core.Result() | core.Return()):
            return True
        case (*_, core.If(commands=inner, otherwise=otherwise)):
            return _gives(inner) and _gives(otherwise)
        case _:
            return False


def _nests(commands: Sequence[core.Command], most: int) -> bool:
    """Whether a block can be written as nested if and else, with no more than so many early results."""
    leaving = [command for command in commands if not isinstance(command, core.Result) and exits([command])]
    if len(leaving) > most or not all(isinstance(each, core.If) and not each.otherwise for each in leaving):
        return False
    return all(_gives(each.commands) and _nests(each.commands, most) for each in leaving if isinstance(each, core.If))
