"""Generated trees to a living module, without text: its code stands in the CPL files, so tracebacks show CPL lines."""

import ast
import linecache
from importlib import import_module
from types import ModuleType
from typing import Any

from cpl.python.emit import Generated
from cpl.python.expressions import span_of
from cpl.semantics import core
from cpl.source import Source, Span


def run(generated: Generated, source: Source) -> ModuleType:
    """Execute every definition in order. Raises CplFault, or what Python raises, if a constant cannot be made."""
    module = ModuleType(source.name)
    names: dict[str, Any] = vars(module)
    names["__file__"] = source.path
    library = generated.library
    import_module("cplrt")
    for name, here in generated.module.used.items():
        names[here] = getattr(import_module(library.module_of(name)), name)
    for name in generated.exports:
        names[name] = getattr(import_module(library.module_of(name)), name)
    for text in {piece.definition.span.source for piece in generated.pieces}:
        _show_in_tracebacks(text)
    for piece in generated.pieces:
        execute(piece.statements, piece.definition.span, names)
        if isinstance(piece.definition, core.Function):  # to whoever asks, a function has its CPL name
            names[generated.module.name(piece.definition.name)].__name__ = piece.definition.name.name
    names["__all__"] = [name for name in names if not name.startswith("_")]
    return module


def execute(statements: list[ast.stmt], span: Span, names: dict[str, Any]) -> None:
    """Execute statements that come from the CPL of `span`."""
    tree = ast.Module(body=statements, type_ignores=[])
    for statement in statements:
        _place(statement, span)
    exec(compile(tree, span.source.path, "exec"), names)


def _place(node: ast.AST, outer: Span) -> None:
    """Give every Python node the place of the CPL that it comes from, or that of what is round it."""
    waiting = [(node, outer)]
    while waiting:
        node, outer = waiting.pop()
        span = span_of(node) or outer
        if isinstance(node, ast.expr | ast.stmt | ast.arg):
            last = max(span.start, span.end - 1)
            node.lineno, node.col_offset = span.line, span.source.byte_column_at(span.start)
            node.end_lineno = span.source.line_at(last)
            node.end_col_offset = span.source.byte_column_at(span.end) if span.end > last else node.col_offset
        waiting += [(child, span) for child in ast.iter_child_nodes(node)]


def _show_in_tracebacks(source: Source) -> None:
    """Let Python find the lines of a text that is no file, or that was read from elsewhere than its path says."""
    lines = [f"{source.line(number)}\n" for number in range(1, source.line_at(len(source.text)) + 1)]
    linecache.cache[source.path] = (len(source.text), None, lines, source.path)
