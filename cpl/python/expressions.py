"""Core expressions to Python's, and the parts that all of the lowering stands on: positions, spans, small trees.

What must be statements is lifted before the expression; `lower` supplies the statements.
"""

import ast
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from cpl.python.analysis import exits, first_empty, is_delayed, is_empty_list, is_expression
from cpl.python.annotations import Annotations
from cpl.python.names import Module, Names
from cpl.python.nodes import Out, arguments_of, at, contents, load, span_of
from cpl.semantics import core
from cpl.types.facts import Facts

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


class Expressions(ABC):
    """Lowers the expressions of one definition."""

    def __init__(self, definition: core.Definition, module: Module, facts: Facts, annotations: Annotations) -> None:
        self.definition = definition
        self.module = module
        self.facts = facts
        self.annotations = annotations
        self.names = Names(definition, module, self.kind)
        self.own: dict[core.Global, str] = {}  # what a function has of variables of the module for itself
        self.noted: set[str] = set()  # names of which a type has been said, or will not be said
        self.celled: set[core.Local | core.Global] = set(module.celled)  # variables that a `Cell` holds
        self.changing: set[core.Local] = set()  # may have other values later
        self.unset: set[core.Local] = set()  # declared, and no value given so far
        self.empty = set(first_empty(definition))  # Python's checkers want to be told what comes into such a list

    @abstractmethod
    def into(self, node: core.Expression, position: Position, out: Out) -> None:
        """Statements that bring a value to its position."""

    @abstractmethod
    def apart(self, node: core.Expression, position: Assign, out: Out) -> None:
        """The value by a local function."""

    @abstractmethod
    def commands(self, commands: Sequence[core.Command], position: Position, out: Out, *, whole: bool = True) -> None:
        """The commands of a block."""

    @abstractmethod
    def local_function(self, node: core.Expression, hint: str, out: Out) -> str:
        """Define a function of no arguments that returns the value, and give its name."""

    @abstractmethod
    def closure(self, name: str, function: core.LetFunction | core.Lambda, out: Out) -> None:
        """Define a function within a function."""

    @abstractmethod
    def is_bound_again(self, node: core.Node) -> bool:
        """Whether variables stand in it that a loop round it binds anew each time."""

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
                name = self.names.fresh("function")
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
