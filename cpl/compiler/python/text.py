"""Python statements as text in black's style.

`ast.unparse` writes expressions, and is told what it would write otherwise. Here are the lines: docstrings, empty lines
round definitions, and calls, lists, headings and imports that are too long for one line. To import black takes longer
than to compile most programs, so black formats only what holds something that may need more than this. A test compares
the two.
"""

import ast
import re
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final, cast

from cpl.outside import printable

WIDTH: Final = 88

_FOR_BLACK: Final = re.compile(r" \*\* |:=|\*, |\\|^\(")
"""What black may write in another way: powers, brackets round a statement, and more."""


def written(statements: Sequence[ast.stmt], *, pretty: bool = True) -> str:
    """The statements as text. If it is `pretty`, black has a hand in it where it must."""
    printer = _Printer()
    printer.block(statements, 0)
    text = "\n".join(printer.lines)
    if printer.is_in_style or not pretty:
        return text
    left = _LEFT.get()
    if left is not None and "black" not in sys.modules:
        left.append(text)
        return text
    return blackened(text).rstrip("\n")


_LEFT: Final = ContextVar[list[str] | None]("left", default=None)


@contextmanager
def not_waiting_for_black() -> Iterator[list[str]]:
    """Within, black is not imported. What it would have formatted stays as it is, and is added to the list: in a
    browser black comes over the net, and is imported in seconds.
    """
    left: list[str] = []
    before = _LEFT.set(left)
    try:
        yield left
    finally:
        _LEFT.reset(before)


IMPORTING: Final = threading.Lock()
"""Held while black or Pygments is imported: a second thread that imports it meanwhile may see a part of it only."""


@lru_cache(maxsize=200)
def blackened(text: str) -> str:
    """Format Python by black. The user's own configuration is not read: output depends on input alone. In an editor
    most definitions are as they were a moment ago.
    """
    with IMPORTING:
        import black
        from black.mode import TargetVersion

    return black.format_str(text, mode=black.Mode(target_versions={TargetVersion.PY311}, line_length=WIDTH))


class _Printer:
    """Writes statements line by line; `is_in_style` until one comes that black may write in another way."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.is_in_style = True
        self.after_heading = False  # of a function or a class
        self.after_definition = False

    def block(self, statements: Sequence[ast.stmt], margin: int) -> None:
        """Statements one below the other."""
        for statement in statements:
            self.statement(statement, margin)

    def statement(self, statement: ast.stmt, margin: int, prefix: str = "") -> None:
        """One statement, with those in it; the `prefix` of an `if` makes it an `elif`."""
        match statement:
            case ast.FunctionDef(body=body) | ast.ClassDef(body=body):
                self.add(_heading(statement), margin)
                self.after_heading = True
                docstring = ast.get_docstring(statement, clean=False)
                if docstring:
                    self.docstring(docstring, margin + 4)
                    if isinstance(statement, ast.ClassDef):
                        self.lines.append("")
                    body = body[1:]
                self.block(body, margin + 4)
                self.after_definition = True
            case ast.If(body=body) | ast.While(body=body) | ast.For(body=body):
                self.add(_heading(statement), margin, prefix)
                self.block(body, margin + 4)
                match statement, statement.orelse:
                    case ast.If(), [ast.If() as following]:
                        self.statement(following, margin, "el")
                    case _, [_, *_] as otherwise:
                        self.add("else:", margin)
                        self.block(otherwise, margin + 4)
            case _:
                self.add(_styled(statement), margin)

    def add(self, code: ast.stmt | str, margin: int, prefix: str = "") -> None:
        """A line, or several if it is too long. Empty lines stand round definitions: one, or two at the left margin."""
        begins_definition = isinstance(code, ast.FunctionDef | ast.ClassDef)
        if self.lines and (self.after_definition or (begins_definition and not self.after_heading)):
            self.lines += [""] * (1 if margin else 2)
        self.after_heading = self.after_definition = False

        lines = [code] if isinstance(code, str) else _lines(code, WIDTH - margin)
        lines[0] = prefix + lines[0]
        if any(_FOR_BLACK.search(line) or _width(line) > WIDTH - margin for line in lines):
            self.is_in_style = False
        self.lines += [" " * margin + line for line in lines]

    def docstring(self, text: str, margin: int) -> None:
        """A docstring in the form that black leaves alone: the text in full, however its lines are indented, and hidden
        characters as escapes.
        """
        is_raw = "\\" in text and '"""' not in text and printable(text) == text
        quote = 'r"""' if is_raw else '"""'
        if not is_raw:
            text = escaped(text).replace('"""', '\\"\\"\\"')
        lines = [quote, *text.split("\n"), '"""']
        whole = f'{quote}{text}"""'
        if "\n" not in text and not text.endswith(('"', "\\")) and margin + len(whole) <= WIDTH:
            lines = [whole]
        self.lines += [f"{' ' * margin}{line}".rstrip() for line in lines]
        self.after_heading = False


def _heading(statement: ast.stmt) -> ast.stmt:
    """A statement without those in it, as `_styled` makes it."""
    bodies = {"body": [ast.Pass()], "orelse": []}
    fields = {name: bodies.get(name, value) for name, value in ast.iter_fields(statement)}
    return cast(ast.stmt, _styled(type(statement)(**fields)))


def _lines(code: ast.stmt, width: int) -> list[str]:
    """A statement or a heading. If it is too long, black cuts it at its last brackets: what is in them has a line to
    itself, or else each part has one. The parts of a list never share a line, nor do names that are imported.
    """
    *decorators, line = ast.unparse(ast.fix_missing_locations(code)).removesuffix("\n    pass").split("\n")
    if _width(line) <= width or not line.isascii():  # black knows which signs are wide
        return [*decorators, line]

    # What stands before, in and behind the last brackets; whether the parts may have a line together.
    parts: Sequence[ast.AST] = ()
    opening, closing, may_share = "", ")", True
    match code:
        case ast.ImportFrom(module=module, names=parts):
            opening, may_share = f"from {module} import (", False
        case ast.FunctionDef(name=name, args=ast.arguments(args=parts, kwonlyargs=[]), returns=ast.expr() as result):
            opening, closing, may_share = f"def {name}(", f") -> {ast.unparse(result)}:", len(parts) > 1
        case ast.Return(value=value) | ast.Expr(value=value) | ast.Assign(targets=[ast.Name()], value=value):
            match value:
                case ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name()), args=parts, keywords=[]):
                    pass
                case ast.List(elts=parts):
                    closing, may_share = "]", False
                case ast.Tuple(elts=parts):
                    may_share = False

    texts = [*map(ast.unparse, parts)]
    inside = ", ".join(texts)
    if not opening:
        opening = line.removesuffix(inside + closing)
    if parts and may_share and len(inside) + 4 <= width:
        return [*decorators, opening, f"    {inside}", closing]
    if len(parts) > 1 or (parts and isinstance(code, ast.FunctionDef)):
        return [*decorators, opening, *(f"    {text}," for text in texts), closing]
    return [*decorators, line]


def _width(line: str) -> int:
    """The columns that a line may take: a sign outside ASCII may take two."""
    if line.isascii():
        return len(line)
    return len(line) + sum(not sign.isascii() for sign in line)


def _styled(node: Any) -> Any:
    """A copy of a tree, with text in place of what `ast.unparse` would write in another way."""
    if isinstance(node, list):
        return [*map(_styled, node)]
    if not isinstance(node, ast.AST):
        return node
    copy = type(node)(**{name: _styled(value) for name, value in ast.iter_fields(node)})
    match copy:
        case ast.Constant(value=str() as text):
            literal = repr(text)
            if '"' not in literal:
                literal = f'"{literal[1:-1]}"'
            return ast.Name(literal)
        case ast.Assign(targets=[ast.Tuple() as target], value=value):
            copy.targets, copy.value = [_bare(target)], _bare(value)
        case ast.Return(value=ast.Tuple() as value):
            copy.value = _bare(value)
        case ast.BoolOp(values=values):
            copy.values = [*map(_operand_of_junction, values)]
        case ast.BinOp(op=ast.Pow(), left=left, right=right) if _is_simple(left) and _is_simple(right):
            return ast.Name(f"{ast.unparse(left)}**{ast.unparse(right)}")
        case ast.BinOp(op=ast.Pow(), left=ast.Name(id=text) as left) if "**" in text:
            copy.left = ast.Name(f"({ast.unparse(left)})")
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            copy.left = _bracketed(copy.left)
            copy.right = _bracketed(copy.right)
    return copy


def _operand_of_junction(node: ast.expr) -> ast.expr:
    """What stands beside `and` or `or`. `ast.unparse` brackets a third relation, and of two `and` the second one."""
    match node:
        case ast.BoolOp():
            return ast.Name(f"({ast.unparse(node)})")
        case ast.Compare() | ast.BinOp() | ast.UnaryOp():
            return ast.Name(ast.unparse(node))
        case _:
            return node


def _bare(node: ast.expr) -> ast.expr:
    """A tuple without its brackets."""
    is_tuple = isinstance(node, ast.Tuple) and len(node.elts) > 1
    return ast.Name(ast.unparse(node)[1:-1]) if is_tuple else node


def _is_simple(node: ast.expr) -> bool:
    """Tell whether black writes a power of this operand without spaces."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isidentifier())


def _bracketed(node: ast.expr) -> ast.expr:
    """A sum or a difference in brackets."""
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return ast.Name(f"({ast.unparse(node)})") if is_sum else node


def escaped(text: str) -> str:
    """The text with escapes for backslashes and hidden characters, as it may stand in a string of Python."""
    return printable(text.replace("\\", "\\\\"), lambda char: char.encode("unicode_escape").decode())


def imports(origins: Mapping[str, str], names: Mapping[str, str]) -> list[ast.stmt]:
    """Import statements: for each name the module that it comes from, and what it is called here.

    A name that comes from nowhere is a module. The statements stand in the order that Python's linters want.
    """
    statements: list[ast.stmt] = [ast.Import([ast.alias(name)]) for name in sorted(origins) if not origins[name]]
    for origin in sorted({*origins.values()} - {""}):
        members = sorted((name for name in origins if origins[name] == origin), key=rank)
        plain = [ast.alias(name) for name in members if names.get(name, name) == name]
        for name in members:
            if names.get(name, name) != name:
                statements.append(ast.ImportFrom(origin, [ast.alias(name, names[name])], 0))
            elif name == plain[0].name:
                statements.append(ast.ImportFrom(origin, plain, 0))
    return statements


def rank(name: str) -> tuple[bool, bool, str]:
    """The order of names in imports and in `__all__`: constants, classes, the rest."""
    return not (name.isupper() and len(name) > 1), not name[0].isupper(), name
