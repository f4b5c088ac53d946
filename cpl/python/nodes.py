"""Small Python trees, and the CPL that each comes from."""

import ast
import sys
from collections.abc import Mapping, Sequence
from typing import TypeVar

from cpl.source import Span

Out = list[ast.stmt]

Node = TypeVar("Node", bound=ast.AST)


def at(node: Node, span: Span) -> Node:
    """The Python node, knowing the CPL that it comes from."""
    if span_of(node) is None:
        node.span = span  # type: ignore[attr-defined]
    return node


def span_of(node: ast.AST) -> Span | None:
    """The CPL that a Python node comes from."""
    return getattr(node, "span", None)


def load(name: str) -> ast.Name:
    """The value of a Python name."""
    return ast.Name(name, ast.Load())


def contents(reference: ast.expr) -> ast.Attribute:
    """What is in a place."""
    return ast.Attribute(reference, "value", ast.Load())


def arguments_of(arguments: Sequence[ast.arg]) -> ast.arguments:
    """Parameters that are told apart by their places."""
    return ast.arguments(posonlyargs=[], args=[*arguments], kwonlyargs=[], kw_defaults=[], defaults=[])


def define(
    name: str,
    parameters: Mapping[str, ast.expr],
    result: ast.expr,
    body: Out,
    taken: Mapping[str, tuple[ast.expr, ast.expr]] | None = None,
) -> ast.FunctionDef:
    """A Python function, its parameters and its result annotated; what it is to have from where it is defined may be
    `taken` along: an annotation and a value.
    """
    arguments = arguments_of([ast.arg(each, annotation) for each, annotation in parameters.items()])
    for each, (annotation, value) in sorted((taken or {}).items()):
        arguments.kwonlyargs.append(ast.arg(each, annotation))
        arguments.kw_defaults.append(value)
    definition = ast.FunctionDef(name, arguments, body, [], result)
    if sys.version_info >= (3, 12):
        definition.type_params = []
    return definition
