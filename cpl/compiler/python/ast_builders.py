"""Small Python trees, and the CPL that each comes from."""

import ast
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from cpl.compiler.source import Span

Out = list[ast.stmt]

Node = TypeVar("Node", bound=ast.AST)

NO_TYPE_PARAMETERS: Final[dict[str, Any]] = {"type_params": []} if sys.version_info >= (3, 12) else {}
"""What Python 3.12 and later want of a definition."""


def at(node: Node, span: Span | None) -> Node:
    """The Python node, with the CPL that it comes from."""
    if span_of(node) is None:
        node.span = span  # type: ignore[attr-defined]
    return node


def span_of(node: ast.AST) -> Span | None:
    """The CPL that a Python node comes from."""
    return getattr(node, "span", None)


def with_spans(tree: Node, outer: Span | None = None) -> Node:
    """The tree, in which each node has the CPL that it comes from: its own, or else that of the node round it."""
    at(tree, outer)
    for part in ast.walk(tree):
        for child in ast.iter_child_nodes(part):
            at(child, span_of(part))
    return tree


def load(name: str) -> ast.Name:
    """The value of a Python name."""
    return ast.Name(name, ast.Load())


def assign(name: str, value: ast.expr) -> ast.Assign:
    """`name = value`"""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def declare(name: str, annotation: ast.expr, value: ast.expr | None = None) -> ast.AnnAssign:
    """`name: annotation = value`"""
    return ast.AnnAssign(ast.Name(name, ast.Store()), annotation, value, 1)


def subscript(value: ast.expr, *items: ast.expr) -> ast.Subscript:
    """`value[item, item]`"""
    index = items[0] if len(items) == 1 else ast.Tuple([*items], ast.Load())
    return ast.Subscript(value, index, ast.Load())


def contents(reference: ast.expr) -> ast.Attribute:
    """Read a place."""
    return ast.Attribute(reference, "value", ast.Load())


def arguments_of(arguments: Sequence[ast.arg]) -> ast.arguments:
    """Positional parameters."""
    return ast.arguments(posonlyargs=[], args=[*arguments], kwonlyargs=[], kw_defaults=[], defaults=[])


def define(
    name: str,
    parameters: Mapping[str, ast.expr],
    result: ast.expr,
    body: Out,
    captured: Mapping[str, tuple[ast.expr, ast.expr]] | None = None,
) -> ast.FunctionDef:
    """A Python function, its parameters and its result annotated. Values `captured` at its definition, each with its
    annotation, become defaults of keyword parameters.
    """
    arguments = arguments_of([ast.arg(parameter, annotation) for parameter, annotation in parameters.items()])
    if captured:
        for parameter in sorted(captured):
            annotation, value = captured[parameter]
            arguments.kwonlyargs.append(ast.arg(parameter, annotation))
            arguments.kw_defaults.append(value)
    return ast.FunctionDef(name, arguments, body, [], result, **NO_TYPE_PARAMETERS)


def without_return(body: Out) -> Out:
    """The body of a function without a last `return` that has no value."""
    match body:
        case [*before, ast.Return(value=None)]:
            return before or [ast.Pass()]
        case _:
            return body or [ast.Pass()]


def number(node: ast.expr) -> int | float | None:
    """The value of a number that is written down."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case _:
            return None


def plus(node: ast.expr, addend: int) -> ast.expr:
    """`node + addend` for a whole number, simplified."""
    match node:
        case ast.Constant(value=int(value)):
            total = value + addend
            constant = ast.Constant(abs(total))
            return ast.UnaryOp(ast.USub(), constant) if total < 0 else constant
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=ast.Constant(value=int(value))):
            total = addend + value if isinstance(operator, ast.Add) else addend - value
            if total == 0:
                return left
            return ast.BinOp(left, ast.Add() if total > 0 else ast.Sub(), ast.Constant(abs(total)))
        case ast.BinOp(left=ast.Constant(value=int(value)), op=ast.Sub(), right=right) if value + addend > 0:
            return ast.BinOp(ast.Constant(value + addend), ast.Sub(), right)
        case _:
            return ast.BinOp(node, ast.Add() if addend > 0 else ast.Sub(), ast.Constant(abs(addend)))


def negative(product: ast.expr) -> ast.expr:
    """`-a * b` for -(a × b): the same number, without the brackets."""
    if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult | ast.Div):
        return ast.BinOp(negative(product.left), product.op, product.right)
    return ast.UnaryOp(ast.USub(), product)


_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


def opposite(condition: ast.expr) -> ast.expr:
    """`not condition`, simplified."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.BoolOp(op=operator, values=[ast.UnaryOp(op=ast.Not()), *_] as values):
            # `not (not x and y)`: `x or not y` has one `not` less, and no brackets
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            first, *others = map(opposite, values)
            for value in others:
                first = joined(other, first, value)
            return first
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return ast.Compare(left, [_OPPOSITE[type(operator)]()], [right])
        case _:
            return ast.UnaryOp(ast.Not(), condition)


def joined(operator: ast.boolop, first: ast.expr, second: ast.expr) -> ast.BoolOp:
    """`first and second` or `first or second`, without needless brackets."""
    values: list[ast.expr] = []
    for value in (first, second):
        if isinstance(value, ast.BoolOp) and isinstance(value.op, type(operator)):
            values += value.values
        else:
            values.append(value)
    return ast.BoolOp(operator, values)
