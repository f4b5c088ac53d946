"""Core to Python syntax trees, by position: each construct is told where its value goes.

    Return    last thing in a function      conditionals become guards, blocks their statements
    Assign    the value of a definition     each arm assigns
    Value     an operand or an argument     an expression; what must be statements is lifted before it

Lifting may evaluate a later operand before an earlier one: CPL leaves the order open (evidence E36). It never
evaluates what a conditional, ∧ or ∨ would have left alone. A lifted value is named after the parameter that it is for.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

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

    def function(self, function: core.Function) -> ast.FunctionDef:
        """`F(x,y) = body`"""
        parameters = [self.names.parameter(local) for local in function.parameters]
        body: Out = []
        self.into(function.body, Return(), body)
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
        with self.names.inside():
            self.into(node, Return(), body)
        out.append(at(_def(name, [], body), node.span))
        return name

    def commands(self, commands: Sequence[core.Command], position: Position, out: Out, *, whole: bool = True) -> None:
        """The commands of a block. If they are the `whole` of it, they must give a result in the end."""
        tail = isinstance(position, Return)
        for index, command in enumerate(commands):
            match command:
                case core.Let(target=target, value=value):
                    self.let(target, value, out, tail=tail)
                case core.Result(value=value):
                    self.into(value, position, out)
                    return
                case core.Evaluate(value=value):
                    out.append(at(ast.Expr(self.value(value, out)), command.span))
                case core.If(test=test, commands=inner):
                    branch = ast.If(self.value(test, out, "test"), [], [])
                    horizon = command.span.end if core.ends(inner) else sys.maxsize
                    with self.names.until(horizon):
                        self.commands(inner, position, branch.body, whole=False)
                    if not branch.body:
                        branch.body.append(ast.Pass())
                    out.append(at(branch, command.span))
                    if not tail and core.ends(inner):
                        self.commands(commands[index + 1 :], position, branch.orelse, whole=whole)
                        return
        if whole:
            out.append(self.no_result(commands))

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
                return ast.UnaryOp(ast.Not(), self.value(operand, out))
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


def _exits(commands: Sequence[core.Command]) -> bool:
    """Whether one of these commands may leave the block."""
    return any(
        isinstance(command, core.Result) or isinstance(command, core.If) and _exits(command.commands)
        for command in commands
    )


def _nests(commands: Sequence[core.Command], most: int) -> bool:
    """Whether a block can be written as nested if and else, with no more than so many early results."""
    exits = [command for command in commands if isinstance(command, core.If) and _exits(command.commands)]
    return len(exits) <= most and all(core.ends(each.commands) and _nests(each.commands, most) for each in exits)
