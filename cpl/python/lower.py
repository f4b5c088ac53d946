"""Core to Python syntax trees, by position: each construct is told where its value goes.

    Return    last thing in a function      conditionals become guards, blocks their statements
    Assign    the value of a definition     each arm assigns
    Value     an operand or an argument     an expression; what must be statements is lifted before it

Lifting may evaluate a later operand before an earlier one: CPL leaves the order open (evidence E36). It never
evaluates what a conditional, ∧ or ∨ would have left alone. A lifted value is named after the parameter that it is for.
"""

import ast
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Final

from cpl import messages
from cpl.diagnostics import CplError, report
from cpl.python.analysis import (
    bound_again,
    exits,
    first_empty,
    gives,
    in_cells,
    is_delayed,
    is_empty_list,
    is_expression,
    is_given,
    needs_no_variables,
    nests,
)
from cpl.python.annotations import Annotations
from cpl.python.jumps import structured
from cpl.python.names import Module, Names
from cpl.python.nodes import Out, arguments_of, at, contents, define, load, span_of
from cpl.semantics import core, walk
from cpl.types.facts import Facts

MOST_NESTED_EXITS: Final = 8
"""A block with more early results than this, where its value is assigned, becomes a function of its own."""

_UNARY: Final[dict[str, type[ast.unaryop]]] = {"PLUS": ast.UAdd, "MINUS": ast.USub}
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
}
_RELATIONS: Final[dict[str, type[ast.cmpop]]] = {
    "EQUAL": ast.Eq,
    "UNEQUAL": ast.NotEq,
    "LESS": ast.Lt,
    "GREATER": ast.Gt,
    "AT_MOST": ast.LtE,
    "AT_LEAST": ast.GtE,
}


_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


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
    definition: core.Definition, module: Module, facts: Facts, annotations: Annotations
) -> list[ast.stmt]:
    """The statements of one definition of the outermost level."""
    lowering = Lowering(definition, module, facts, annotations)
    match definition:
        case core.Function():
            return [lowering.function(definition)]
        case core.Constants():
            return lowering.constants(definition)
        case core.NodeType():
            return [lowering.node_type(definition)]
        case core.ElementType():
            return [lowering.element_type(definition)]
        case core.Commands():
            return lowering.outermost(definition)


class Lowering:
    """Lowers one definition."""

    def __init__(self, definition: core.Definition, module: Module, facts: Facts, annotations: Annotations) -> None:
        self.definition = definition
        self.module = module
        self.facts = facts
        self.annotations = annotations
        self.names = Names(definition, module, self.kind)
        self.hidden = 0  # the number of the last variable that the program does not have; its own are positive
        self.own: dict[core.Global, str] = {}  # what a function has of variables of the module for itself
        self.noted: set[str] = set()  # names of which a type has been said, or will not be said
        self.celled: set[core.Local | core.Global] = set(module.celled)  # variables that a `Cell` holds
        self.unset: set[core.Local] = set()  # declared, and no value given so far
        self.empty = set(first_empty(definition))  # Python's checkers want to be told what comes into such a list
        self.rebound = set(bound_again(definition))  # bound anew each time round a loop
        self.celled |= set(in_cells(definition, self.rebound))
        changed = {*walk.assigned(definition)} | self.celled
        self.changing = self.rebound | {each for each in changed if isinstance(each, core.Local)}

    # Definitions

    def function(self, function: core.Function) -> ast.FunctionDef:
        """`F(x,y) = body`"""
        names = [self.names.parameter(local) for local in function.parameters]
        taken, own = self.taken({*function.captured}, function)
        parameters, result = self.signature(names, function)
        body = self.cells([*own, *function.parameters])
        self.into(function.body, Return(), body)
        body = [*self.outside(function, set()), *_without_return(body)]
        return at(define(self.module.name(function.name), parameters, result, body, taken), function.span)

    def signature(
        self, names: Sequence[str], function: core.Function | core.LetFunction | core.Lambda
    ) -> tuple[dict[str, ast.expr], ast.expr]:
        """The annotations of the parameters, which have these names, and of the result."""
        self.noted |= {*names}
        notes, result = self.annotations.function(function, self.definition)
        return dict(zip(names, notes, strict=True)), result

    def constants(self, definition: core.Constants) -> list[ast.stmt]:
        """`Name = value`. What needs variables on the way gets a function of its own, so that they stay inside."""
        out: Out = []
        value = definition.value
        apart = not needs_no_variables(value) and not isinstance(value, core.Lambda)
        self.bind(definition.target, value, {}, out, apart=apart)
        return out

    def node_type(self, definition: core.NodeType) -> ast.ClassDef:
        """`node Cons is LispList : Car with Cons : Cdr`"""
        names = [self.module.spelling(each) for each in definition.components]
        constants: list[ast.expr] = [ast.Constant(name) for name in names]
        body: Out = [ast.Assign([ast.Name("__slots__", ast.Store())], ast.Tuple(constants, ast.Load()))]
        for component, name in zip(definition.components, names, strict=True):
            note = self.annotations.component(definition.name, component)
            body.append(ast.AnnAssign(ast.Name(name, ast.Store()), note, None, 1))
        self.annotations.define(definition.name)
        made = ast.ClassDef(self.module.name(definition.name), [self.helper("Node")], [], body, [])
        if sys.version_info >= (3, 12):
            made.type_params = []
        return at(made, definition.span)

    def element_type(self, definition: core.ElementType) -> ast.stmt:
        """`element LispList is Atom or Cons`"""
        name = self.module.name(definition.name)
        made = self.call("Element", ast.Constant(definition.name.name), *self.values(definition.alternatives, [], ""))
        return at(ast.Assign([ast.Name(name, ast.Store())], made), definition.span)

    def outermost(self, definition: core.Commands) -> list[ast.stmt]:
        """Commands of the outermost level; with functions among them, in a function of their own."""
        out: Out = []
        self.commands(definition.commands, Return(), out, whole=False)
        if not any(isinstance(part, ast.FunctionDef) for statement in out for part in ast.walk(statement)):
            return out
        name = self.module.main()
        body = [*self.outside(definition, set()), *out]
        call = ast.Expr(ast.Call(load(name), [], []))
        main = define(name, {}, ast.Constant(None), body)
        return [at(main, definition.span), at(call, definition.span)]

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
            case core.Block(commands=commands), Assign() if not nests(structured(commands), MOST_NESTED_EXITS):
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
        assigned = {each for each in walk.assigned(node) if isinstance(each, core.Local)}
        for variable in sorted((self.unset & assigned) - self.celled, key=lambda each: self.names.known[each]):
            self.annotate(variable, out, len(out))
        outside = {each for each in assigned if each in self.names.known}
        noted_before, self.noted = self.noted, set()
        with self.names.inside():
            self.into(node, Return(), body)
        self.noted = noted_before
        result = self.annotations.value(node)
        out.append(at(define(name, {}, result, [*self.outside(node, outside), *body]), node.span))
        return name

    def closure(self, name: str, function: core.LetFunction | core.Lambda, out: Out) -> None:
        """A function within a function. What is free in it is Python's own variable, unless that changes meanwhile."""
        known = self.names.known
        free = {part for part in walk.nodes(function.body) if isinstance(part, core.Local) and part in known}
        before, own_before, noted_before = set(self.celled), dict(self.own), self.noted
        self.noted = set()
        taken: dict[str, tuple[ast.expr, ast.expr]] = {}
        own: list[core.Local | core.Global] = []
        if function.by_place:
            shared = free & self.rebound
            taken = {self.names.known[each]: (self.note(each), load(self.names.known[each])) for each in shared}
        else:
            changing: set[core.Local | core.Global] = {*(free & self.changing)}
            changing |= {part for part in walk.nodes(function.body) if part in self.module.changing}
            changing -= {each for each in changing if self.variable(each).id == name}
            taken, own = self.taken(changing, function)
        outer = {each: known[each] for each in own if isinstance(each, core.Local)}  # cells inside have other names
        body: Out = []
        with self.names.inside():
            names = [self.names.inner_parameter(each, function.body) for each in function.parameters]
            parameters, result = self.signature(names, function)
            body += self.cells([*own, *function.parameters])
            self.into(function.body, Return(), body)
        body = [*self.outside(function, free), *_without_return(body)]
        self.celled, self.own, self.noted = before, own_before, noted_before
        known |= outer
        out.append(at(define(name, parameters, result, body, taken), function.span))

    def taken(
        self, variables: Set[core.Local | core.Global], function: core.Function | core.LetFunction | core.Lambda
    ) -> tuple[dict[str, tuple[ast.expr, ast.expr]], list[core.Local | core.Global]]:
        """What a function knows of variables by value; and those that it refers to, which get places of its own."""
        notes = {each: self.annotations.variable(each, self.definition) for each in variables}
        known = {self.variable(each).id: (notes[each], self.value(each, [])) for each in variables}
        referred = {part.place for part in walk.nodes(function.body) if isinstance(part, core.Reference)}
        own = variables & self.celled & referred
        self.celled -= variables - own
        return known, sorted(own, key=lambda each: each.name)

    def is_bound_again(self, node: core.Node) -> bool:
        """Whether variables stand in it that a loop round it binds anew each time."""
        return any(part in self.rebound for part in walk.nodes(node))

    def outside(self, node: core.Node, variables: Set[core.Local]) -> Out:
        """What Python must be told of variables that are bound elsewhere and assigned to within."""
        assigned = {*walk.assigned(node)} - self.celled
        shared = sorted({self.module.name(each) for each in assigned if isinstance(each, core.Global)})
        local = sorted(
            {self.names.known[each] for each in assigned if each in variables and isinstance(each, core.Local)}
        )
        statements: Out = [ast.Global(shared)] if shared else []
        return [*statements, ast.Nonlocal(local)] if local else statements

    def commands(self, commands: Sequence[core.Command], position: Position, out: Out, *, whole: bool = True) -> None:
        """The commands of a block. If they are the `whole` of it, they must give a result in the end."""
        tail = isinstance(position, Return)
        commands = structured(commands)
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
                case core.Finish():
                    out.append(at(ast.Expr(self.call("Finish")), command.span))
                case core.Declare(variable=variable):
                    if isinstance(variable, core.Local):
                        again = tail and is_given(variable, commands[index + 1 :])  # else what the name holds is seen
                        self.names.known[variable] = self.names.choose(variable, tail=again, after=command.span.end)
                        self.unset.add(variable)
                    if variable in self.celled:
                        self.cell(variable, None, out)
                    elif variable in self.empty:
                        self.annotate(variable, out, len(out))
                case core.GoTo(label=label):
                    what = "a jump into a loop that other jumps make"
                    related = [(label.span, "this label is within the loop")]
                    help = "write the loop with while, until or repeat"
                    raise CplError([report(messages.NOT_YET, command.span, related=related, help=help, what=what)])
                case core.Assign():
                    self.assign(command, out)
                case core.Result(value=value):
                    self.into(value, position, out)
                    return
                case core.Evaluate(value=value):
                    out.append(at(ast.Expr(self.value(value, out)), command.span))
                case core.Break(again=again):
                    out.append(at(ast.Continue() if again else ast.Break(), command.span))
                    return
                case core.If(test=test, commands=inner, otherwise=otherwise):
                    condition = self.value(test, out, "test")
                    if otherwise and not inner:
                        condition, inner, otherwise = opposite(condition), otherwise, ()
                    branch = ast.If(condition, [], [])
                    horizon = command.span.end if gives(inner) else sys.maxsize
                    with self.names.until(horizon):
                        self.body(inner, position, branch.body)
                    out.append(at(branch, command.span))
                    if otherwise:
                        leaves = (tail and gives(inner)) or isinstance(inner[-1], core.Break)
                        self.commands(otherwise, position, out if leaves else branch.orelse, whole=False)
                        if gives(inner) and gives(otherwise):
                            return
                    elif not tail and gives(inner):
                        self.commands(commands[index + 1 :], position, branch.orelse, whole=whole)
                        return
                case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                    self.loop(command, position, out)
                    if walk.ends([command]):
                        return
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
                    assert not loop.otherwise  # jumps leave such a loop without
                    leave = ast.If(opposite(condition), [ast.Break()], [])
                    condition, body = ast.Constant(True), [*before, at(leave, test.span), *body]
                made: ast.While | ast.For = ast.While(condition, body, [])
            case core.Repeat(commands=commands, test=test):
                self.body(commands, position, body)
                if not (isinstance(test, core.Literal) and test.value is True) and not walk.ends(commands):
                    condition = self.value(test, body, "test")
                    body.append(at(ast.If(opposite(condition), [ast.Break()], []), test.span))
                made = ast.While(ast.Constant(True), body, [])
            case core.ForStep(variable=variable) | core.ForList(variable=variable):
                values = self.run_through(loop, out)
                name = self.names.choose(variable, tail=False, after=variable.span.end)
                self.names.known[variable] = name
                if variable in self.celled:
                    name = self.names.fresh(f"{name}_value")
                    self.cell(variable, load(name), body)
                elif variable in self.empty:
                    self.annotate(variable, out, len(out))
                self.body(loop.commands, position, body)
                if variable not in self.celled and not _is_captured(variable, loop):
                    self.names.release(variable)
                made = ast.For(at(ast.Name(name, ast.Store()), variable.span), values, body, [])
        if not isinstance(loop, core.Repeat) and loop.otherwise:
            self.commands(loop.otherwise, position, made.orelse, whole=False)
        out.append(at(made, loop.span))

    def run_through(self, loop: core.ForStep | core.ForList, out: Out) -> ast.expr:
        """What the variable of a `for` runs through: a range, if it is sure that the bounds are integers."""
        if isinstance(loop, core.ForList):
            return self.value(loop.members, out)
        bounds = (loop.first, loop.step, loop.last)
        first, step, last = self.values(bounds, out, "value")
        by = getattr(_plain_number(step), "value", None)
        if not by or not all(map(self.facts.is_integer, bounds)):
            return self.call("Steps", first, step, last)
        end = _plus(last, 1 if by > 0 else -1)
        given = [first, end, step] if by != 1 else [first, end] if ast.unparse(first) != "0" else [end]
        return ast.Call(load("range"), given, [])

    def no_result(self, commands: Sequence[core.Command]) -> ast.stmt:
        """What stands where a block ends without a result."""
        fault = ast.Call(self.helper("CplFault"), [ast.Constant("this block ended without a result")], [])
        statement = ast.Raise(fault)
        return at(statement, commands[-1].span) if commands else statement

    # Assignments

    def assign(self, command: core.Assign, out: Out) -> None:
        """`places := values`"""
        places, values = command.places, command.values
        self.unset -= {each for each in walk.assigned(command) if isinstance(each, core.Local)}
        match places:
            case (core.Choice() as place,):
                self.assign_to(self.decided(place, out), self.once(values[0], out), out)
            case (core.Select() | core.Component() | core.Contents() as place,):
                self.assign_to(place, self.value(values[0], out), out)
            case (core.Local() | core.Global() as place,):
                self.into(values[0], Assign(self.stored(place, out), self.hint(place)), out)
            case _ if len(values) < len(places):
                names = ast.Tuple([self.stored(place, out) for place in places], ast.Store())
                self.into(values[0], Assign(at(names, command.span), "values"), out)
            case _ if self.is_in_turn(places, values):
                changed = {*walk.assigned(command)}
                given = [self.once(value, out, always=value in changed | self.celled) for value in values]
                meant = [self.decided(place, out, changed) for place in places]
                for where, value in zip(meant, given, strict=True):
                    self.assign_to(where, value, out)
            case _:
                given = self.values(values, out, "value")
                # Python assigns from left to right: members first, so that their subscripts are the old ones (C3)
                order = sorted(range(len(places)), key=lambda index: self.is_plain(places[index]))
                several = sum(not self.is_plain(place) for place in places) > 1
                target = ast.Tuple([self.stored(places[index], out, apart=several) for index in order], ast.Store())
                right = ast.Tuple([given[index] for index in order], ast.Load())
                out.append(at(ast.Assign([target], right), command.span))

    def once(self, node: core.Expression, out: Out, *, always: bool = False) -> ast.expr:
        """A value that can be written down several times: by a name, unless it is one."""
        if not always and isinstance(node, core.Local | core.Global | core.Literal):
            return self.value(node, out)
        return load(self.held(node, "value", out))

    def is_plain(self, place: core.Place) -> bool:
        """Whether it is a variable to which no other name or pointer leads."""
        return isinstance(place, core.Local | core.Global) and place not in self.celled

    def is_in_turn(self, places: Sequence[core.Place], values: Sequence[core.Expression]) -> bool:
        """Whether one assignment of Python would not do: a condition chooses, a member may be that of a list, or a
        variable is there twice, which some Pythons 3.11 get wrong (`x, x = 1, y` was 1: python/cpython issue 104615).
        """
        plain = [place for place in places if isinstance(place, core.Local | core.Global)]
        return len(set(plain)) < len(plain) or any(
            isinstance(place, core.Choice) or self.is_unchecked(place, values) for place in places
        )

    def is_unchecked(self, place: core.Place, values: Sequence[core.Expression]) -> bool:
        """Whether it is a member of what may be a list: Python's own subscripts would do, were they not beside others.

        Where two members change places, they have been asked for before.
        """
        if not isinstance(place, core.Select) or place.of_array or self.facts.kind(place.operand) == "array":
            return False
        return not (len(place.indices) == 1 and any(part == place for each in values for part in walk.nodes(each)))

    def decided(
        self, place: core.Place, out: Out, changing: Set[core.Local | core.Global] | None = None
    ) -> "core.Place | tuple[ast.expr, Any, Any]":
        """A place whose conditions are evaluated now, and all else on which the variables that are `changing` and other
        places have a say. If it is assigned to alone, there are none.
        """
        match place:
            case core.Choice(test=test, place=first, otherwise=second):
                alone = changing is None
                condition = self.value(test, out, "test") if alone else self.once(test, out, always=True)
                bodies: tuple[Out, Out] = ([], [])
                parts = [self.decided(part, body, changing) for part, body in zip((first, second), bodies, strict=True)]
                if bodies[0]:
                    out.append(ast.If(condition, *bodies))
                elif bodies[1]:
                    out.append(ast.If(opposite(condition), bodies[1], []))
                return condition, parts[0], parts[1]
            case core.Select(operand=operand, indices=indices) if changing is not None:
                kept = tuple([self.settled(each, "index", changing, out) for each in indices])
                return replace(place, operand=self.settled(operand, "array", changing, out), indices=kept)
            case core.Component(operand=operand) if changing is not None:
                return replace(place, operand=self.settled(operand, "node", changing, out))
            case core.Contents(reference=reference) if changing is not None:
                return replace(place, reference=self.settled(reference, "place", changing, out))
            case _:
                return place

    def settled(
        self, node: core.Expression, hint: str, changing: Set[core.Local | core.Global], out: Out
    ) -> core.Expression:
        """An expression that has the value of now, whatever is assigned."""
        if not self.may_change(node, changing):
            return node
        self.hidden -= 1
        held = core.Local(hint, self.hidden, span=node.span)
        self.names.known[held] = self.held(node, hint, out)
        return held

    def assign_to(self, place: Any, value: ast.expr, out: Out) -> None:
        """One place, which a condition may choose."""
        match place:
            case (ast.expr() as condition, first, second):
                branch = ast.If(condition, [], [])
                self.assign_to(first, value, branch.body)
                self.assign_to(second, value, branch.orelse)
                out.append(branch)
            case core.Select(operand=operand) if not place.of_array and self.facts.kind(operand) != "array":
                indices = ast.List(self.values(place.indices, out, "index"), ast.Load())
                call = self.call("SetItem", self.value(operand, out), indices, value)
                out.append(at(ast.Expr(call), place.span))
            case _:
                out.append(at(ast.Assign([self.stored(place, out)], value), place.span))

    def stored(self, place: core.Place, out: Out, *, apart: bool = False) -> ast.expr:
        """A place as Python writes it; with `apart`, what other assignments could change of it is kept before."""
        match place:
            case core.Select():
                made = self.subscript(place, out)
                if apart and any(map(self.may_change, place.indices)):
                    made.slice = self.kept(made.slice, "index", out)
                if apart and self.may_change(place.operand):
                    made.value = self.kept(made.value, "array", out)
                return at(ast.Subscript(made.value, made.slice, ast.Store()), place.span)
            case core.Component(operand=operand, name=name):
                record = self.value(operand, out)
                if apart and self.may_change(operand):
                    record = self.kept(record, "node", out)
                return at(ast.Attribute(record, self.module.spelling(name), ast.Store()), place.span)
            case core.Contents(reference=reference):
                pointer = self.value(reference, out)
                if apart and self.may_change(reference):
                    pointer = self.kept(pointer, "place", out)
                return at(ast.Attribute(pointer, "value", ast.Store()), place.span)
            case core.Local() | core.Global() if place in self.celled:
                return at(ast.Attribute(self.variable(place), "value", ast.Store()), place.span)
            case core.Local() | core.Global():
                return at(ast.Name(self.variable(place).id, ast.Store()), place.span)
            case core.Choice():
                raise AssertionError("a choice of places is decided before")

    def may_change(self, node: core.Expression, changing: Set[core.Local | core.Global] = frozenset()) -> bool:
        """Whether assignments to other places, or to these variables, may change what this is."""
        parts = core.Select | core.Apply | core.Component | core.Contents
        return any(isinstance(part, parts) or part in changing | self.celled for part in walk.nodes(node))

    def kept(self, value: ast.expr, hint: str, out: Out) -> ast.expr:
        """A value that is worked out now, by a name."""
        name = self.names.fresh(hint)
        out.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return load(name)

    def cells(self, parameters: Sequence[core.Local | core.Global]) -> Out:
        """Put what parameters have into cells, where something else refers to them."""
        made: Out = []
        for each in parameters:
            if each in self.celled:
                name = self.variable(each).id
                known: dict[Any, str] = self.names.known if isinstance(each, core.Local) else self.own
                known[each] = self.names.fresh(f"{name}_cell")
                self.cell(each, load(name), made)
        return made

    def cell(self, variable: core.Local | core.Global, value: ast.expr | None, out: Out) -> None:
        """A new cell for a variable, with a value in it if there is one."""
        made = self.call("Cell", value) if value else self.call("Cell")
        name = self.variable(variable).id
        out.append(at(ast.Assign([ast.Name(name, ast.Store())], made), variable.span))
        if value is None or variable in self.empty:
            self.annotate(variable, out, len(out) - 1)

    def let(self, target: core.Target, value: core.Expression, out: Out, *, tail: bool) -> None:
        """`let target = value`. The value is lowered first: what it names is outside the scope of the target."""
        after = value.span.end
        names = {local: self.names.choose(local, tail=tail, after=after) for local in _locals(target)}
        self.bind(target, value, names, out)

    def bind(
        self,
        target: core.Target,
        value: core.Expression,
        names: dict[core.Local, str],
        out: Out,
        *,
        apart: bool = False,
    ) -> None:
        """Give a value to names that are in force from then on; what something refers to gets a cell."""
        variables = [*walk.variables(target)]
        before = len(out)
        match target, value:
            case core.Several(items=targets), core.Tuple(items=items) if (
                len(targets) == len(items) == len(variables)
                and all(map(is_expression, items))
                and any(each in self.celled or each in self.empty for each in variables)
            ):
                self.one_by_one(variables, self.values(items, out, "value"), names, out)
                return
            case ((core.Local() | core.Global()), _) if target in self.celled and is_expression(value):
                made = self.value(value, out)
                self.names.known |= names
                self.cell(target, made, out)
                return
        held = {
            each: self.names.fresh(f"{self.spoken(each, names)}_value") for each in variables if each in self.celled
        }
        spoken: dict[core.Local | core.Global, str] = {each: self.spoken(each, names) for each in variables}
        position = Assign(self.unbound(target, spoken | held), self.hint(target))
        (self.apart if apart else self.into)(value, position, out)
        self.names.known |= names
        for each in variables:
            if each in self.empty and each not in held:
                self.annotate(each, out, before)
        for each, name in held.items():
            self.cell(each, load(name), out)

    def one_by_one(
        self,
        variables: Sequence[core.Local | core.Global],
        values: Sequence[ast.expr],
        names: dict[core.Local, str],
        out: Out,
    ) -> None:
        """Give each name its own value; at once, if one of them stands in a value that is another's."""
        self.names.known |= names
        used = {part.id for value in values for part in ast.walk(value) if isinstance(part, ast.Name)}
        pairs = [*zip(variables, values, strict=True)]
        if not used & {self.variable(each).id for each in variables}:
            for each, value in pairs:
                self.statement(each, value, out)
            return
        before = len(out)
        made = [self.call("Cell", value) if each in self.celled else value for each, value in pairs]
        targets = ast.Tuple([ast.Name(self.variable(each).id, ast.Store()) for each in variables], ast.Store())
        out.append(at(ast.Assign([targets], ast.Tuple(made, ast.Load())), variables[0].span))
        for each in variables:
            if each in self.empty:
                self.annotate(each, out, before)

    def statement(self, variable: core.Local | core.Global, value: ast.expr, out: Out) -> None:
        """One variable and its first value."""
        if variable in self.celled:
            self.cell(variable, value, out)
            return
        name = self.variable(variable).id
        out.append(at(ast.Assign([ast.Name(name, ast.Store())], value), variable.span))
        if variable in self.empty:
            self.annotate(variable, out, len(out) - 1)

    def spoken(self, variable: core.Local | core.Global, names: dict[core.Local, str]) -> str:
        """The Python name of a variable that may not be in force yet."""
        return names[variable] if isinstance(variable, core.Local) else self.module.name(variable)

    def unbound(self, target: core.Target, names: Mapping[core.Local | core.Global, str]) -> ast.expr:
        """A target in Python, its variables by names that are not in force yet."""
        match target:
            case core.Several(items=items):
                return at(ast.Tuple([self.unbound(item, names) for item in items], ast.Store()), target.span)
            case core.Local():
                return at(ast.Name(names[target], ast.Store()), target.span)
            case core.Global():
                return at(ast.Name(names.get(target) or self.module.name(target), ast.Store()), target.span)

    def hint(self, target: core.Target) -> str:
        """What to call something that is made for this target."""
        first = next(walk.variables(target), None)
        return self.module.spelling(first.name) if first else "value"

    # Expressions

    def value(self, node: core.Expression, out: Out, hint: str = "value") -> ast.expr:
        """An expression for the value; statements that must come before it are added to `out`."""
        return at(self._value(node, out, hint), node.span)

    def _value(self, node: core.Expression, out: Out, hint: str) -> ast.expr:
        match node:
            case core.Literal(value=value):
                return ast.Constant(value)
            case core.Infinity():
                return self.helper("infinity")
            case core.Local() | core.Global():
                return contents(self.variable(node)) if node in self.celled else self.variable(node)
            case core.Host(name=name):
                return load(self.module.host(name))
            case core.Tuple(items=items):
                return ast.Tuple(self.values(items, out, hint), ast.Load())
            case core.List(items=items):
                return ast.List(self.values(items, out, hint), ast.Load())
            case core.Nil():
                return self.call("Nil")
            case core.Apply(function=function, arguments=arguments):
                applied = self.value(function, out)
                hints = self.module.parameters(function) or ("value",) * len(arguments)
                pairs = zip(arguments, hints, strict=True)
                return ast.Call(applied, [self.value(item, out, each) for item, each in pairs], [])
            case core.Select(operand=operand, indices=indices):
                if node.of_array or self.facts.kind(operand) == "array":
                    return self.subscript(node, out)
                if self.facts.is_function(operand):
                    return ast.Call(self.value(operand, out), self.values(indices, out, "value"), [])
                return self.call("Item", self.value(operand, out), *self.values(indices, out, "value"))
            case core.Component(operand=operand, name=name):
                return ast.Attribute(self.value(operand, out), self.module.spelling(name), ast.Load())
            case core.Reference(place=place):
                return self.reference(place, out, hint)
            case core.Contents(reference=reference):
                return contents(self.value(reference, out))
            case core.Binary(operator="EQUIVALENT" | "INEQUIVALENT" as sign, left=left, right=right):
                first, second = self.value(left, out), self.value(right, out)
                if self.facts.kind(node) == "boolean":
                    return ast.Compare(first, [ast.Eq() if sign == "EQUIVALENT" else ast.NotEq()], [second])
                return self.call("Same" if sign == "EQUIVALENT" else "Differ", first, second)
            case core.Juxtapose(left=left, right=right):
                if self.facts.kind(left) == "number":
                    return ast.BinOp(self.value(left, out), ast.Mult(), self.value(right, out))
                if self.facts.is_function(left):
                    return ast.Call(self.value(left, out), [self.value(right, out)], [])
                return self.call("Juxtapose", self.value(left, out), self.value(right, out))
            case core.Unary(operator="NOT", operand=operand):
                return self.negation(node, operand, out)
            case core.Unary(operator="MINUS", operand=core.Binary(operator="TIMES" | "DIVIDE") as product):
                return _negative(self.value(product, out))
            case core.Unary(operator="MINUS", operand=core.Unary(operator="MINUS", operand=operand)):
                return ast.UnaryOp(ast.UAdd(), self.value(operand, out))  # Python's readers take -- for a slip
            case core.Unary(operator=sign, operand=operand):
                return ast.UnaryOp(_UNARY[sign](), self.value(operand, out))
            case core.Binary(operator="AND" | "OR"):
                return self.junction(node, out, hint)
            case core.Binary(operator="SUM" | "DIFFERENCE" as sign, left=left, right=right) if (
                self.facts.kind(node) != "number"
            ):
                helper = "Plus" if sign == "SUM" else "Minus"
                return self.call(helper, self.value(left, out), self.value(right, out))
            case core.Binary(operator="PLUS" | "MINUS" as sign, left=left, right=right) if (
                self.module.instead and self.facts.kind(node) != "number"
            ):
                helper = "Union" if sign == "PLUS" else "Without"
                return self.call(helper, self.value(left, out), self.value(right, out))
            case core.Binary(operator=sign, left=left, right=right):
                return ast.BinOp(self.value(left, out), _BINARY[sign](), self.value(right, out))
            case core.Compare():
                return self.comparison(node, out)
            case core.Conditional(arms=((test, value),), otherwise=otherwise) if is_expression(node):
                return ast.IfExp(self.value(test, out), self.value(value, out), self.value(otherwise, out))
            case core.Block(commands=(*before, core.Result(value=value))) if not exits(before):
                self.commands(before, Assign(load(hint), hint), out, whole=False)
                return self.value(value, out, hint)
            case core.Lambda(body=body) if is_delayed(node) and not self.is_bound_again(body):
                return self.delayed(body, out, hint)
            case core.Lambda():
                name = self.names.fresh("function" if hint == "value" else hint)
                self.closure(name, node, out)
                return load(name)
            case core.Conditional() | core.Block():
                return load(self.held(node, hint, out))

    def kind(self, variable: core.Local) -> Hashable:
        """Variables of one kind may share a Python name."""
        return self.annotations.type_of(variable, self.definition), variable in self.celled

    def note(self, variable: core.Local | core.Global) -> ast.expr:
        """The annotation of a variable, or of the cell that holds it."""
        annotation = self.annotations.cell if variable in self.celled else self.annotations.variable
        return annotation(variable, self.definition)

    def held(self, node: core.Expression, hint: str, out: Out, name: str = "") -> str:
        """Bring a value to a name of its own, and give that."""
        name = name or self.names.fresh(hint)
        before = len(out)
        self.into(node, Assign(ast.Name(name, ast.Store()), hint), out)
        if is_empty_list(node):
            self.say(name, self.annotations.value(node), out, before)
        return name

    def annotate(self, variable: core.Local | core.Global, out: Out, before: int) -> None:
        """Annotate a variable where it gets its first value, by one of the statements from there on."""
        if isinstance(variable, core.Local) or not isinstance(self.definition, core.Commands):  # they may be a function
            self.say(self.variable(variable).id, self.note(variable), out, before)

    def say(self, name: str, annotation: ast.expr, out: Out, before: int) -> None:
        """Say of which type a name is, where it gets its first value by one of the statements from there on."""
        if name in self.noted:
            return
        self.noted.add(name)
        match out[before:]:
            case [*_, ast.Assign(targets=[ast.Name(id=target) as stored], value=value) as last] if target == name:
                out[-1] = ast.copy_location(ast.AnnAssign(stored, annotation, value, 1), last)
                if span := span_of(last):
                    at(out[-1], span)
            case _:
                said = ast.AnnAssign(ast.Name(name, ast.Store()), annotation, None, 1)
                following = span_of(out[before]) if len(out) > before else None
                out.insert(before, at(said, following or self.definition.span))

    def variable(self, node: core.Local | core.Global) -> ast.Name:
        """The Python variable of that name."""
        if isinstance(node, core.Global):
            return load(self.own.get(node) or self.module.name(node))
        return load(self.names.known[node])

    def reference(self, place: core.Expression, out: Out, hint: str) -> ast.expr:
        """A place as a value."""
        match place:
            case core.Local() | core.Global():
                return self.variable(place)
            case core.Select(operand=operand, indices=indices) if self.facts.is_function(operand):
                applied = ast.Call(self.value(operand, out), self.values(indices, out, "value"), [])
                return self.call("Cell", applied)
            case core.Select(operand=operand, indices=indices):
                return self.call("MemberOf", self.value(operand, out), *self.values(indices, out, "index"))
            case core.Component(operand=operand, name=name):
                called = ast.Constant(self.module.spelling(name))
                return self.call("ComponentOf", self.value(operand, out), called)
            case core.Contents(reference=reference):
                return self.value(reference, out)
            case _:
                return self.call("Cell", self.value(place, out, hint))

    def subscript(self, node: core.Select, out: Out) -> ast.Subscript:
        """A member of what is known to be an array."""
        operand = self.value(node.operand, out)
        indices = self.values(node.indices, out, "index")
        index = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
        return ast.Subscript(operand, index, ast.Load())

    def values(self, items: Sequence[core.Expression], out: Out, hint: str) -> list[ast.expr]:
        """Several expressions, in order."""
        return [self.value(item, out, hint) for item in items]

    def negation(self, node: core.Unary, operand: core.Expression, out: Out) -> ast.expr:
        """`~x`"""
        match self.facts.kind(node) or self.facts.kind(operand):
            case "boolean":
                return opposite(self.value(operand, out))
            case "logical":
                return ast.UnaryOp(ast.Invert(), self.value(operand, out))
            case _:
                return self.call("Not", self.value(operand, out))

    def junction(self, node: core.Binary, out: Out, hint: str) -> ast.expr:
        """`x ∧ y`, `x ∨ y`: of truth values by `and` and `or`, which leave y alone if x settles it."""
        left, right = node.left, node.right
        kind = self.facts.kind(node)
        simple = isinstance(right, core.Local | core.Global | core.Literal)
        if kind == "logical" or (kind != "boolean" and simple):
            return ast.BinOp(self.value(left, out), _BINARY[node.operator](), self.value(right, out))
        if kind != "boolean":
            first = self.value(left, out)
            return self.call(node.operator.capitalize(), first, self.delayed(right, out, hint))
        if is_expression(right):
            operator = ast.And() if node.operator == "AND" else ast.Or()
            first, second = self.value(left, out), self.value(right, out)
            if isinstance(first, ast.BoolOp) and isinstance(first.op, type(operator)):
                return ast.BoolOp(operator, [*first.values, second])
            return ast.BoolOp(operator, [first, second])
        name = self.names.fresh(hint)
        target = ast.Name(name, ast.Store())
        self.into(left, Assign(target, hint), out)
        test: ast.expr = load(name)
        branch = ast.If(test if node.operator == "AND" else ast.UnaryOp(ast.Not(), test), [], [])
        self.into(right, Assign(target, hint), branch.body)
        out.append(at(branch, right.span))
        return load(name)

    def delayed(self, node: core.Expression, out: Out, hint: str) -> ast.expr:
        """A function of no arguments that gives the value when it is asked."""
        match node:
            case core.Apply(function=core.Local() as local, arguments=()) if local not in self.changing | self.unset:
                return self.variable(local)
            case _ if is_expression(node):
                nothing: Out = []
                return ast.Lambda(arguments_of([]), self.value(node, nothing))
            case _:
                return load(self.local_function(node, hint, out))

    def comparison(self, node: core.Compare, out: Out) -> ast.expr:
        """`a < b < c`: Python's own chain, which evaluates c only if a < b."""
        first, *others = node.operands
        plain = all(map(self.is_native, node.operators, node.operands, others))
        simple = isinstance(node.operands[1], core.Local | core.Global | core.Literal)  # it can be written twice
        if len(others) == 1 or (all(map(is_expression, others[1:])) and (plain or (simple and len(others) == 2))):
            left, *rights = self.values(node.operands, out, "value")
            if plain:
                return ast.Compare(left, [_RELATIONS[sign]() for sign in node.operators], rights)
            ends = zip([first, *others], others, [left, *rights], rights, strict=False)
            pairs = [self.related(sign, *each) for sign, each in zip(node.operators, ends, strict=True)]
            return pairs[0] if len(pairs) == 1 else ast.BoolOp(ast.And(), pairs)
        holds = ast.Name(self.names.fresh("holds"), ast.Store())
        left = self.value(first, out)
        for index, (sign, operand) in enumerate(zip(node.operators, others, strict=True)):
            right = self.names.fresh("value")
            self.into(operand, Assign(ast.Name(right, ast.Store()), "value"), out)
            relation = self.related(sign, node.operands[index], operand, left, load(right))
            out.append(at(ast.Assign([holds], relation), operand.span))
            left = load(right)
            if index + 1 < len(others):
                branch = ast.If(load(holds.id), [], [])
                out.append(at(branch, operand.span))
                out = branch.body
        return load(holds.id)

    def is_native(self, sign: str, left: core.Expression, right: core.Expression) -> bool:
        """Whether Python's own relation does what CPL's does."""
        return sign not in ("EQUAL", "UNEQUAL") or self.facts.is_told_apart(left, right)

    def related(
        self, sign: str, left: core.Expression, right: core.Expression, first: ast.expr, second: ast.expr
    ) -> ast.expr:
        """One relation between two expressions, which have these values."""
        if self.is_native(sign, left, right):
            return ast.Compare(first, [_RELATIONS[sign]()], [second])
        equal = self.call("Equal", first, second)
        return equal if sign == "EQUAL" else ast.UnaryOp(ast.Not(), equal)

    def helper(self, name: str) -> ast.expr:
        """Something of cplrt that the CPL does not name."""
        return load(self.module.host(name))

    def call(self, helper: str, *arguments: ast.expr) -> ast.expr:
        """A function of cplrt applied."""
        return ast.Call(self.helper(helper), list(arguments), [])


def _is_captured(variable: core.Local, loop: core.Loop) -> bool:
    """Whether a function that is made in the loop has the variable in it."""
    functions = (part for part in walk.nodes(loop) if isinstance(part, core.LetFunction | core.Lambda))
    return any(variable in walk.nodes(function) for function in functions)


def _plain_number(node: ast.expr) -> ast.Constant | None:
    """A number that is written down, its sign with it."""
    match node:
        case ast.Constant():
            return node
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return ast.Constant(-value)
        case _:
            return None


def _plus(node: ast.expr, more: int) -> ast.expr:
    """`node + more`, as one would write it."""
    match node:
        case ast.Constant(value=int(value)):
            number = ast.Constant(abs(value + more))
            return ast.UnaryOp(ast.USub(), number) if value + more < 0 else number
        case ast.BinOp(left=left, op=ast.Sub(), right=ast.Constant(value=value)) if value == more:
            return left
        case _:
            return ast.BinOp(node, ast.Add() if more > 0 else ast.Sub(), ast.Constant(abs(more)))


def _without_return(body: Out) -> Out:
    """The body of a function without a last return that only says that it ends."""
    match body:
        case [*before, ast.Return(value=None)]:
            return before or [ast.Pass()]
        case _:
            return body or [ast.Pass()]


def _locals(target: core.Target) -> Iterator[core.Local]:
    return (name for name in walk.variables(target) if isinstance(name, core.Local))


def _negative(product: ast.expr) -> ast.expr:
    """`-a * b` for -(a × b): the same number, without the brackets."""
    if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult | ast.Div):
        return ast.BinOp(_negative(product.left), product.op, product.right)
    return ast.UnaryOp(ast.USub(), product)


def opposite(condition: ast.expr) -> ast.expr:
    """`not condition`, as one would write it."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return ast.Compare(left, [_OPPOSITE[type(operator)]()], [right])
        case _:
            return ast.UnaryOp(ast.Not(), condition)
