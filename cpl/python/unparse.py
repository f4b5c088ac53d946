"""Python statements as text. `ast.unparse` writes expressions; added here are docstrings as they were written, tuples
and `not` without needless brackets, and brackets round + and − within & and |.
"""

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from cpl.outside import printable


def unparse(statements: Sequence[ast.stmt]) -> str:
    """The statements, without empty lines between them."""
    lines: list[str] = []
    for statement in map(_rewritten, statements):
        is_definition = isinstance(statement, ast.FunctionDef | ast.ClassDef)
        text = ast.get_docstring(statement, clean=False) if is_definition else None
        heading = docstring(text) if text else []
        if text:
            del statement.body[0]
        written = [*filter(None, ast.unparse(ast.fix_missing_locations(statement)).split("\n"))]
        first = 1 + len(getattr(statement, "decorator_list", ()))
        lines += [*written[:first], *heading, *written[first:]]
    return "\n".join(lines)


def _rewritten(node: Any) -> Any:
    """A copy of a tree, with text in place of what `ast.unparse` would write otherwise."""
    if isinstance(node, list):
        return [*map(_rewritten, node)]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)(**{name: _rewritten(value) for name, value in ast.iter_fields(node)})
    match made:
        case ast.Assign(targets=[ast.Tuple() as target], value=value):
            made.targets, made.value = [_bare(target)], _bare(value)
        case ast.Return(value=ast.Tuple() as value):
            made.value = _bare(value)
        case ast.BoolOp(values=values):
            made.values = [ast.Name(ast.unparse(each)) if isinstance(each, ast.UnaryOp) else each for each in values]
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            made.left = _bracketed(made.left)
            made.right = _bracketed(made.right)
    return made


def _bare(node: ast.expr) -> ast.expr:
    """A tuple without its brackets."""
    if isinstance(node, ast.Tuple) and len(node.elts) > 1:
        return ast.Name(", ".join(map(ast.unparse, node.elts)))
    return node


def _bracketed(node: ast.expr) -> ast.expr:
    """A sum or a difference in brackets."""
    inner = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return ast.Name(f"({ast.unparse(node)})") if inner else node


def docstring(text: str) -> list[str]:
    """The lines of a docstring, in the form that the formatter leaves alone: the text in full, however its lines are
    indented, and hidden characters as escapes.
    """
    raw = "\\" in text and '"""' not in text and printable(text) == text
    quote = 'r"""' if raw else '"""'
    if not raw:
        text = escaped(text).replace('"""', '\\"\\"\\"')
    lines = text.split("\n")
    if len(lines) == 1 and not text.endswith(('"', "\\")):
        return [f'    {quote}{text}"""']
    return [f"    {line}".rstrip() for line in (quote, *lines, '"""')]


def escaped(text: str) -> str:
    """The text with escapes for backslashes and hidden characters, as it may stand in a string of Python."""
    return printable(text.replace("\\", "\\\\"), lambda char: char.encode("unicode_escape").decode())


def imports(origins: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Import statements: for each name the module that it comes from, and what it is called here.

    A name that comes from nowhere is a module. The statements stand in the order that Python's linters want.
    """
    lines = [f"import {name}" for name in sorted(origins) if not origins[name]]
    for origin in sorted({*origins.values()} - {""}):
        members = sorted((name for name in origins if origins[name] == origin), key=rank)
        plain = [name for name in members if names.get(name, name) == name]
        for name in members:
            if name not in plain:
                lines.append(f"from {origin} import {name} as {names[name]}")
            elif name == plain[0]:
                lines.append(f"from {origin} import {', '.join(plain)}")
    return "\n".join(lines)


def rank(name: str) -> tuple[bool, bool, str]:
    """The order of names in imports and in `__all__`: constants, classes, the rest."""
    return not (name.isupper() and len(name) > 1), not name[0].isupper(), name
