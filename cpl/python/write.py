"""Python statements as text. Expressions are `ast.unparse`'s affair; what it cannot hold is added here: docstrings
as they were written, and lists without needless brackets.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy

from cpl.diagnostics import printable


def write(statements: Sequence[ast.stmt]) -> str:
    """The statements, a line each, indented by four blanks a level."""
    return "\n".join(_lines(statements, ""))


def _lines(statements: Sequence[ast.stmt], indent: str) -> Iterator[str]:
    inner = indent + "    "
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=name, args=arguments, body=body, returns=ast.expr() as result):
                yield f"{indent}def {name}({_text(arguments)}) -> {_text(result)}:"
                yield from _lines(body, inner)
            case ast.ClassDef(name=name, bases=bases, body=body):
                yield f"{indent}class {name}({', '.join(map(_text, bases))}):"
                yield from _lines(body, inner)
            case ast.If(test=test, body=body, orelse=orelse):
                yield f"{indent}if {_text(test)}:"
                yield from _lines(body, inner)
                while len(orelse) == 1 and isinstance(orelse[0], ast.If):
                    branch = orelse[0]
                    yield f"{indent}elif {_text(branch.test)}:"
                    yield from _lines(branch.body, inner)
                    orelse = branch.orelse
                yield from _otherwise(orelse, indent)
            case ast.While(test=test, body=body):
                yield f"{indent}while {_text(test)}:"
                yield from _lines(body, inner)
                yield from _otherwise(statement.orelse, indent)
            case ast.For(target=target, iter=iterable, body=body):
                yield f"{indent}for {_text(target)} in {_text(iterable)}:"
                yield from _lines(body, inner)
                yield from _otherwise(statement.orelse, indent)
            case ast.Assign(targets=[target], value=value):
                right = _bare(value) if isinstance(target, ast.Tuple) else _text(value)
                yield f"{indent}{_bare(target)} = {right}"
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                right = f" = {_text(value)}" if value else ""
                yield f"{indent}{_text(target)}: {_text(annotation)}{right}"
            case ast.Return(value=value) if value is not None:
                yield f"{indent}return {_bare(value)}"
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield from docstring(text, indent)
            case _:
                yield indent + _text(statement)


def _text(node: ast.AST) -> str:
    """An expression, or a statement of one line."""
    mixed = (ast.BitAnd | ast.BitOr, ast.Add | ast.Sub)
    operators = [part.op for part in ast.walk(node) if isinstance(part, ast.BinOp)]
    if all(any(isinstance(each, sort) for each in operators) for sort in mixed):
        node = _Brackets().visit(deepcopy(node))
    return ast.unparse(node)


class _Brackets(ast.NodeTransformer):
    """Keeps the brackets round + and - within & and |, which `ast.unparse` leaves out: few know how these bind."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        """An operator, its operands first."""
        self.generic_visit(node)
        if isinstance(node.op, ast.BitAnd | ast.BitOr):
            node.left, node.right = map(self._bracketed, (node.left, node.right))
        return node

    def _bracketed(self, node: ast.expr) -> ast.expr:
        inner = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
        return ast.Name(f"({ast.unparse(node)})", ast.Load()) if inner else node


def _otherwise(statements: Sequence[ast.stmt], indent: str) -> Iterator[str]:
    if statements:
        yield f"{indent}else:"
        yield from _lines(statements, indent + "    ")


def _bare(node: ast.expr) -> str:
    """A list of several without its brackets."""
    if isinstance(node, ast.Tuple) and len(node.elts) > 1:
        return ", ".join(map(_text, node.elts))
    return _text(node)


def docstring(text: str, indent: str = "") -> Iterator[str]:
    """A docstring, in the form that the formatter leaves alone: the text in full, however its lines are indented, and
    hidden characters as escapes.
    """
    raw = "\\" in text and '"""' not in text and printable(text) == text
    quote = 'r"""' if raw else '"""'
    if not raw:
        text = escaped(text).replace('"""', '\\"\\"\\"')
    lines = text.split("\n")
    if len(lines) == 1 and not text.endswith(('"', "\\")):
        yield f'{indent}{quote}{text}"""'
        return
    yield indent + quote
    for line in lines:
        yield (indent + line).rstrip()
    yield f'{indent}"""'


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
