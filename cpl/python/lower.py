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
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from cpl.python.names import Module, Names
from cpl.semantics import core
from cpl.semantics.types import Facts
from cpl.source import Span

MOST_NESTED_EXITS: Final = 8
"""A block with more early results than this, where its value is assigned, becomes a function of its own."""

_UNARY: Final[dict[str, type[ast.unaryop]]] = {"PLUS": ast.UAdd, "MINUS": ast.USub}
_BINARY: Final[dict[str, type[ast.operator]]] = {
    "PLUS": ast.Add,
    "MINUS": ast.Sub,
    "TIMES": ast.Mult,
    "DIVIDE": ast.Div,
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
Out = list[ast.stmt]


def lower_definition(definition: core.Definition, module: Module, facts: Facts) -> list[ast.stmt]:
    """The statements of one definition of the outermost level."""
    lowering = Lowering(definition, module, facts)
    match definition:
        case core.Function():
            return [lowering.function(definition)]
        case core.Constants():
            return lowering.constants(definition)


class Lowering:
    """Lowers one definition."""

    def __init__(self, definition: core.Definition, module: Module, facts: Facts) -> None:
        self.module = module
        self.facts = facts
        self.names = Names(definition, module)
        self.unset: set[core.Local] = set()  # declared, and no value given so far

    def function(self, function: core.Function) -> ast.FunctionDef:
        """`F(x,y) = body`"""
        parameters = [self.names.parameter(local) for local in function.parameters]
        body: Out = []
        self.into(function.body, Return(), body)
        body = [*self.outside(function, set()), *body]
        return at(_def(self.module.name(function.name), parameters, body), function.span)

    def constants(self, definition: core.Constants) -> list[ast.stmt]:
        """`Name = value`. What needs variables on the way gets a function of its own, so that they stay inside."""
        out: Out = []
        target = self.unbound(definition.target, {})
        position = Assign(target, self.hint(definition.target))
        if _needs_no_variables(definition.value):
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
        out.append(at(ast.Assign([position.target], ast.Call(_load(name), [], [])), node.span))

    def local_function(self, node: core.Expression, hint: str, out: Out) -> str:
        """Define a function of no arguments that returns the value, and give its name."""
        name = self.names.fresh(f"{hint}_value")
        body: Out = []
        unset = self.unset & {each for each in core.assigned(node) if isinstance(each, core.Local)}
        for variable in sorted(self.names.known[each] for each in unset):
            out.append(at(ast.Assign([ast.Name(variable, ast.Store())], ast.Constant(None)), node.span))
        outside = {*self.names.known}
        with self.names.inside():
            self.into(node, Return(), body)
        out.append(at(_def(name, [], [*self.outside(node, outside), *body]), node.span))
        return name

    def outside(self, node: core.Node, variables: Set[core.Local]) -> Out:
        """What Python must be told of variables that are bound elsewhere and assigned to within."""
        assigned = {*core.assigned(node)}
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
                case _:
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
                    leave = ast.If(_opposite(condition), [ast.Break()], [])
                    condition, body = ast.Constant(True), [*before, at(leave, test.span), *body]
                made: ast.stmt = ast.While(condition, body, [])
            case core.Repeat(commands=commands, test=test):
                self.body(commands, position, body)
                if test != core.Literal(True, span=test.span) and not core.ends(commands):
                    condition = self.value(test, body, "test")
                    body.append(at(ast.If(_opposite(condition), [ast.Break()], []), test.span))
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
                return ast.Call(_load("range"), [ast.Constant(first), ast.Constant(last + 1)], [])
        return self.call("Steps", *self.values((loop.first, loop.step, loop.last), out, "value"))

    def assign(self, command: core.Assign, out: Out) -> None:
        """`places := values`"""
        places, values = command.places, command.values
        self.unset -= {each for each in core.assigned(command) if isinstance(each, core.Local)}
        if len(places) == 1:
            value = values[0]
            if isinstance(places[0], core.Choice) and not isinstance(value, core.Local | core.Global | core.Literal):
                name = self.names.fresh("value")
                self.into(value, Assign(ast.Name(name, ast.Store()), "value"), out)
                self.assign_to(places[0], _load(name), out)
            elif isinstance(places[0], core.Choice):
                self.assign_to(places[0], self.value(value, out), out)
            else:
                self.into(value, Assign(self.stored(places[0]), self.hint(places[0])), out)
            return
        given = self.values(values, out, "value")
        if not any(isinstance(place, core.Choice) for place in places):
            target = ast.Tuple(
                [self.stored(place) for place in places if not isinstance(place, core.Choice)], ast.Store()
            )
            out.append(at(ast.Assign([target], ast.Tuple(given, ast.Load())), command.span))
            return
        names = [self.names.fresh("value") for _ in places]
        target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        out.append(at(ast.Assign([target], ast.Tuple(given, ast.Load())), command.span))
        meant = [self.decided(place, out) for place in places]
        for place, name in zip(meant, names, strict=True):
            self.assign_to(place, _load(name), out)

    def decided(self, place: core.Place, out: Out) -> "core.Place | tuple[ast.expr, Any, Any]":
        """A place whose condition is evaluated now."""
        if not isinstance(place, core.Choice):
            return place
        name = self.names.fresh("test")
        self.into(place.test, Assign(ast.Name(name, ast.Store()), "test"), out)
        return _load(name), self.decided(place.place, out), self.decided(place.otherwise, out)

    def assign_to(self, place: Any, value: ast.expr, out: Out) -> None:
        """One place, which a condition may choose."""
        match place:
            case core.Choice(test=test, place=first, otherwise=second, span=span):
                branch = at(ast.If(self.value(test, out, "test"), [], []), span)
            case (ast.expr() as condition, first, second):
                branch = ast.If(condition, [], [])
            case _:
                out.append(at(ast.Assign([self.stored(place)], value), place.span))
                return
        self.assign_to(first, value, branch.body)
        self.assign_to(second, value, branch.orelse)
        out.append(branch)

    def stored(self, place: core.Local | core.Global) -> ast.expr:
        """A variable that is assigned to."""
        name = self.names.known[place] if isinstance(place, core.Local) else self.module.name(place)
        return at(ast.Name(name, ast.Store()), place.span)

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
        first = next(core.variables(target), None)
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
            case core.Local():
                return _load(self.names.known[node])
            case core.Global():
                return _load(self.module.name(node))
            case core.Host(name=name):
                return _load(self.module.host(name))
            case core.Tuple(items=items):
                return ast.Tuple(self.values(items, out, hint), ast.Load())
            case core.List(items=items):
                return ast.List(self.values(items, out, hint), ast.Load())
            case core.Apply(function=function, arguments=arguments):
                applied = self.value(function, out)
                hints = self.module.parameters(function) or ("value",) * len(arguments)
                pairs = zip(arguments, hints, strict=True)
                return ast.Call(applied, [self.value(item, out, each) for item, each in pairs], [])
            case core.Juxtapose(left=left, right=right):
                if self.facts.kind(left) == "number":
                    return ast.BinOp(self.value(left, out), ast.Mult(), self.value(right, out))
                return self.call("Juxtapose", self.value(left, out), self.value(right, out))
            case core.Unary(operator="NOT", operand=operand):
                return self.negation(operand, out)
            case core.Unary(operator="MINUS", operand=core.Binary(operator="TIMES" | "DIVIDE") as product):
                return _negative(self.value(product, out))
            case core.Unary(operator=sign, operand=operand):
                return ast.UnaryOp(_UNARY[sign](), self.value(operand, out))
            case core.Binary(operator="AND" | "OR"):
                return self.junction(node, out, hint)
            case core.Binary(operator=sign, left=left, right=right):
                return ast.BinOp(self.value(left, out), _BINARY[sign](), self.value(right, out))
            case core.Compare():
                return self.comparison(node, out)
            case core.Conditional(arms=((test, value),), otherwise=otherwise) if _is_expression(node):
                return ast.IfExp(self.value(test, out), self.value(value, out), self.value(otherwise, out))
            case core.Block(commands=(*before, core.Result(value=value))) if not _exits(before):
                self.commands(before, Assign(_load(hint), hint), out, whole=False)
                return self.value(value, out, hint)
            case core.Conditional() | core.Block():
                name = self.names.fresh(hint)
                self.into(node, Assign(ast.Name(name, ast.Store()), hint), out)
                return _load(name)

    def values(self, items: Sequence[core.Expression], out: Out, hint: str) -> list[ast.expr]:
        """Several expressions, in order."""
        return [self.value(item, out, hint) for item in items]

    def negation(self, operand: core.Expression, out: Out) -> ast.expr:
        """`~x`"""
        match self.facts.kind(operand):
            case "boolean":
                return _opposite(self.value(operand, out))
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
        if _is_expression(right):
            operator = ast.And() if node.operator == "AND" else ast.Or()
            first, second = self.value(left, out), self.value(right, out)
            if isinstance(first, ast.BoolOp) and isinstance(first.op, type(operator)):
                return ast.BoolOp(operator, [*first.values, second])
            return ast.BoolOp(operator, [first, second])
        name = self.names.fresh(hint)
        target = ast.Name(name, ast.Store())
        self.into(left, Assign(target, hint), out)
        test: ast.expr = _load(name)
        branch = ast.If(test if node.operator == "AND" else ast.UnaryOp(ast.Not(), test), [], [])
        self.into(right, Assign(target, hint), branch.body)
        out.append(at(branch, right.span))
        return _load(name)

    def delayed(self, node: core.Expression, out: Out, hint: str) -> ast.expr:
        """A function of no arguments that gives the value when it is asked."""
        if _is_expression(node):
            nothing: Out = []
            return ast.Lambda(_arguments([]), self.value(node, nothing))
        return _load(self.local_function(node, hint, out))

    def comparison(self, node: core.Compare, out: Out) -> ast.expr:
        """`a < b < c`: Python's own chain, which evaluates c only if a < b."""
        signs = [_RELATIONS[sign]() for sign in node.operators]
        if all(map(_is_expression, node.operands[2:])):
            first, *others = self.values(node.operands, out, "value")
            return ast.Compare(first, list(signs), others)
        holds = ast.Name(self.names.fresh("holds"), ast.Store())
        left: ast.expr = self.value(node.operands[0], out)
        for index, (sign, operand) in enumerate(zip(signs, node.operands[1:], strict=True)):
            right = self.names.fresh("value")
            self.into(operand, Assign(ast.Name(right, ast.Store()), "value"), out)
            out.append(at(ast.Assign([holds], ast.Compare(left, [sign], [_load(right)])), operand.span))
            left = _load(right)
            if index + 1 < len(signs):
                branch = ast.If(_load(holds.id), [], [])
                out.append(at(branch, operand.span))
                out = branch.body
        return _load(holds.id)

    def helper(self, name: str) -> ast.expr:
        """Something of cplrt that the CPL does not name."""
        return _load(self.module.host(name))

    def call(self, helper: str, *arguments: ast.expr) -> ast.expr:
        """A function of cplrt applied."""
        return ast.Call(self.helper(helper), list(arguments), [])


Node = TypeVar("Node", bound=ast.AST)


def at(node: Node, span: Span) -> Node:
    """The Python node, knowing the CPL that it comes from."""
    if span_of(node) is None:
        node.span = span  # type: ignore[attr-defined]
    return node


def span_of(node: ast.AST) -> Span | None:
    """The CPL that a Python node comes from."""
    return getattr(node, "span", None)


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _arguments(names: Sequence[str]) -> ast.arguments:
    arguments = [ast.arg(name) for name in names]
    return ast.arguments(posonlyargs=[], args=arguments, kwonlyargs=[], kw_defaults=[], defaults=[])


def _def(name: str, parameters: Sequence[str], body: Out) -> ast.FunctionDef:
    definition = ast.FunctionDef(name, _arguments(parameters), body, [])
    if sys.version_info >= (3, 12):
        definition.type_params = []
    return definition


def _negative(product: ast.expr) -> ast.expr:
    """`-a * b` for -(a × b): the same number, without the brackets."""
    if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult | ast.Div):
        return ast.BinOp(_negative(product.left), product.op, product.right)
    return ast.UnaryOp(ast.USub(), product)


def _locals(target: core.Target) -> Iterator[core.Local]:
    return (name for name in core.variables(target) if isinstance(name, core.Local))


def _is_expression(node: core.Expression) -> bool:
    """Whether the value is one Python expression, with at most one conditional to each operand."""
    for part in core.walk(node):
        match part:
            case core.Block():
                return False
            case core.Conditional(arms=arms):
                inner = sum(isinstance(each, core.Conditional) for each in core.walk(part))
                if inner > 1 or len(arms) > 1:
                    return False
    return True


def _needs_no_variables(node: core.Expression) -> bool:
    """Whether a value can be assigned as an expression, or by the arms of one conditional."""
    if isinstance(node, core.Conditional):
        arms = (part for arm in node.arms for part in arm)
        return all(map(_is_expression, (*arms, node.otherwise)))
    return _is_expression(node)


def _opposite(condition: ast.expr) -> ast.expr:
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return ast.Compare(left, [_OPPOSITE[type(operator)]()], [right])
        case _:
            return ast.UnaryOp(ast.Not(), condition)


def _gives(commands: Sequence[core.Command]) -> bool:
    """Whether these commands give a result whatever way they go."""
    match commands:
        case (*_, core.Result()):
            return True
        case (*_, core.If(commands=inner, otherwise=otherwise)):
            return _gives(inner) and _gives(otherwise)
        case _:
            return False


def _exits(commands: Sequence[core.Command]) -> bool:
    """Whether one of these commands may leave the block with a result."""
    for command in commands:
        match command:
            case core.Result():
                return True
            case core.If(commands=inner, otherwise=otherwise):
                if _exits(inner) or _exits(otherwise):
                    return True
            case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                if _exits(command.commands):
                    return True
    return False


def _nests(commands: Sequence[core.Command], most: int) -> bool:
    """Whether a block can be written as nested if and else, with no more than so many early results."""
    exits = [command for command in commands if not isinstance(command, core.Result) and _exits([command])]
    if len(exits) > most or not all(isinstance(each, core.If) and not each.otherwise for each in exits):
        return False
    return all(_gives(each.commands) and _nests(each.commands, most) for each in exits if isinstance(each, core.If))
