"""Core to Python syntax trees, by position: each construct is told where its value goes.

    Return    last thing in a function      conditionals become guards, blocks their statements
    Assign    the value of a definition     each arm assigns
    Value     an operand or an argument     an expression; what must be statements is lifted before it

Lifting may evaluate a later operand before an earlier one: CPL leaves the order open (evidence E36). It never
evaluates what a conditional, ∧ or ∨ would have left alone. A lifted value is named after the parameter that it is for.
"""

import ast
import sys
from collections.abc import Sequence, Set
from typing import Final

from cpl import causes
from cpl.diagnostics import CplError, report
from cpl.python.analysis import bound_again, gives, in_cells, is_given, needs_no_variables, nests
from cpl.python.annotations import Annotations
from cpl.python.assignments import Assignments
from cpl.python.expressions import Assign, Position, Return, opposite
from cpl.python.jumps import structured
from cpl.python.names import Module
from cpl.python.nodes import Out, at, define, load, span_of
from cpl.semantics import core, within
from cpl.types.facts import Facts

MOST_NESTED_EXITS: Final = 8
"""A block with more early results than this, where its value is assigned, becomes a function of its own."""


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


class Lowering(Assignments):
    """Lowers one definition."""

    def __init__(self, definition: core.Definition, module: Module, facts: Facts, annotations: Annotations) -> None:
        super().__init__(definition, module, facts, annotations)
        self.rebound = set(bound_again(definition))  # bound anew each time round a loop
        self.celled |= set(in_cells(definition, self.rebound))
        changed = {*within.assigned(definition)} | self.celled
        self.changing = self.rebound | {each for each in changed if isinstance(each, core.Local)}

    def function(self, function: core.Function) -> ast.FunctionDef:
        """`F(x,y) = body`"""
        names = [self.names.parameter(local) for local in function.parameters]
        taken, own = self.taken({*function.taken}, function)
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
        said = self.said_outside(out)
        body = [*self.outside(definition, set()), *out] or [ast.Pass()]
        call = ast.Expr(ast.Call(load(name), [], []))
        main = define(name, {}, ast.Constant(None), body)
        return [*said, at(main, definition.span), at(call, definition.span)]

    def said_outside(self, out: Out) -> Out:
        """What is said of the types of the module's variables, taken out of statements that go into a function."""
        ours = {self.module.name(name) for name in within.names(self.definition) if isinstance(name, core.Global)}
        said: Out = []
        for index, statement in enumerate(out):
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name) as target, annotation=note, value=value) if name in ours:
                    moved = ast.AnnAssign(ast.Name(name, ast.Store()), note, None, 1)
                    said.append(at(moved, span_of(statement) or self.definition.span))
                    left = ast.Assign([target], value) if value else ast.Pass()
                    out[index] = at(left, span_of(statement) or self.definition.span)
        out[:] = [each for each in out if not isinstance(each, ast.Pass)]
        return said

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
        assigned = {each for each in within.assigned(node) if isinstance(each, core.Local)}
        for variable in sorted((self.unset & assigned) - self.celled, key=lambda each: self.names.known[each]):
            self.say(self.names.known[variable], self.note(variable), out, len(out))
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
        free = {part for part in within.walk(function.body) if isinstance(part, core.Local) and part in known}
        before, own_before, noted_before = set(self.celled), dict(self.own), self.noted
        self.noted = set()
        taken: dict[str, tuple[ast.expr, ast.expr]] = {}
        own: list[core.Local | core.Global] = []
        if function.by_place:
            shared = free & self.rebound
            taken = {self.names.known[each]: (self.note(each), load(self.names.known[each])) for each in shared}
        else:
            changing: set[core.Local | core.Global] = {*(free & self.changing)}
            changing |= {part for part in within.walk(function.body) if part in self.module.changing}
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
        referred = {part.place for part in within.walk(function.body) if isinstance(part, core.Reference)}
        own = variables & self.celled & referred
        self.celled -= variables - own
        return known, sorted(own, key=lambda each: each.name)

    def is_bound_again(self, node: core.Node) -> bool:
        """Whether variables stand in it that a loop round it binds anew each time."""
        return any(part in self.rebound for part in within.walk(node))

    def outside(self, node: core.Node, variables: Set[core.Local]) -> Out:
        """What Python must be told of variables that are bound elsewhere and assigned to within."""
        assigned = {*within.assigned(node)} - self.celled
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
                        self.say(self.variable(variable).id, self.note(variable), out, len(out))
                case core.GoTo(label=label):
                    what = "a jump into a loop that other jumps make"
                    related = [(label.span, "this label is within the loop")]
                    help = "write the loop with while, until or repeat"
                    raise CplError([report(causes.NOT_YET, command.span, related=related, help=help, what=what)])
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
                    if within.ends([command]):
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
                if not (isinstance(test, core.Literal) and test.value is True) and not within.ends(commands):
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
                    self.say(name, self.note(variable), out, len(out))
                self.body(loop.commands, position, body)
                made = ast.For(at(ast.Name(name, ast.Store()), variable.span), values, body, [])
        if not isinstance(loop, core.Repeat) and loop.otherwise:
            self.commands(loop.otherwise, position, made.orelse, whole=False)
        out.append(at(made, loop.span))

    def run_through(self, loop: core.ForStep | core.ForList, out: Out) -> ast.expr:
        """What the variable of a `for` runs through: a range, where all that Python must know is written down."""
        if isinstance(loop, core.ForList):
            return self.value(loop.members, out)
        match loop.first, loop.step, loop.last:
            case core.Literal(value=first), core.Literal(value=step), core.Literal(value=last) if step == 1 and (
                type(first) is type(step) is type(last) is int  # true is none to CPL
            ):
                bounds = [first, last + 1] if first else [last + 1]
                return ast.Call(load("range"), [ast.Constant(bound) for bound in bounds], [])
        return self.call("Steps", *self.values((loop.first, loop.step, loop.last), out, "value"))

    def no_result(self, commands: Sequence[core.Command]) -> ast.stmt:
        """What stands where a block ends without a result."""
        fault = ast.Call(self.helper("CplFault"), [ast.Constant("this block ended without a result")], [])
        statement = ast.Raise(fault)
        return at(statement, commands[-1].span) if commands else statement


def _without_return(body: Out) -> Out:
    """The body of a function without a last return that only says that it ends."""
    match body:
        case [*before, ast.Return(value=None)]:
            return before or [ast.Pass()]
        case _:
            return body or [ast.Pass()]
