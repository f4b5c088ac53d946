"""Python statements as text. `ast.unparse` writes expressions; added here are docstrings as they were written, tuples
without needless brackets, and brackets round + and − within & and |.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Final

from cpl.diagnostics import printable


def unparse(statements: Sequence[ast.stmt]) -> str:
    """The statements, a line each, indented by four blanks a level."""
    return "\n".join(_lines(statements, ""))


def _lines(statements: Sequence[ast.stmt], indent: str) -> Iterator[str]:
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=name, args=arguments, body=body, returns=ast.expr() as result):
                yield from _block(f"def {name}({_text(arguments)}) -> {_text(result)}", body, indent)
            case ast.ClassDef(name=name, bases=bases, body=body):
                yield from _block(f"class {name}({', '.join(map(_text, bases))})", body, indent)
            case ast.If(test=test, body=body, orelse=otherwise):
                yield from _block(f"if {_text(test)}", body, indent)
                while len(otherwise) == 1 and isinstance(branch := otherwise[0], ast.If):
                    yield from _block(f"elif {_text(branch.test)}", branch.body, indent)
                    otherwise = branch.orelse
                yield from _block("else", otherwise, indent)
            case ast.While(test=test, body=body, orelse=otherwise):
                yield from _block(f"while {_text(test)}", body, indent)
                yield from _block("else", otherwise, indent)
            case ast.For(target=target, iter=iterable, body=body, orelse=otherwise):
                yield from _block(f"for {_text(target)} in {_text(iterable)}", body, indent)
                yield from _block("else", otherwise, indent)
            case ast.Assign(targets=[target], value=value):
                right = _bare(value) if isinstance(target, ast.Tuple) else _text(value)
                yield f"{indent}{_bare(target)} = {right}"
            case ast.Return(value=value) if value is not None:
                yield f"{indent}return {_bare(value)}"
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield from docstring(text, indent)
            case _:
                yield indent + _text(statement)


def _block(head: str, body: Sequence[ast.stmt], indent: str) -> Iterator[str]:
    """A line and the statements that belong to it, if there are any."""
    if body:
        yield f"{indent}{head}:"
        yield from _lines(body, indent + "    ")


def _text(node: ast.AST) -> str:
    """An expression, or a statement of one line."""
    operators = [part.op for part in ast.walk(node) if isinstance(part, ast.BinOp)]
    if any(isinstance(each, _BITS) for each in operators) and any(isinstance(each, _SUMS) for each in operators):
        node = _Brackets().visit(deepcopy(node))
    return ast.unparse(node)


_BITS: Final = (ast.BitAnd, ast.BitOr)
_SUMS: Final = (ast.Add, ast.Sub)


class _Brackets(ast.NodeTransformer):
    """Keeps the brackets round + and - within & and |, which `ast.unparse` leaves out: few know how these bind."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        """An operator, its operands first."""
        self.generic_visit(node)
        if isinstance(node.op, _BITS):
            node.left, node.right = map(self._bracketed, (node.left, node.right))
        return node

    def _bracketed(self, node: ast.expr) -> ast.expr:
        inner = isinstance(node, ast.BinOp) and isinstance(node.op, _SUMS)
        return ast.Name(f"({ast.unparse(node)})", ast.Load()) if inner else node


def _bare(node: ast.expr) -> str:
    """An expression, a tuple without its brackets."""
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
