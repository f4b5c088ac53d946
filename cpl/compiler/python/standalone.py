"""The parts of cplrt that a module uses, as text to stand in the module itself.

The definitions of cplrt are a graph by the names that stand in each: what can be reached from the names that a module
uses is copied, in the order of `_MODULES`, and what these definitions import of Python's own library is imported.
"""

import ast
import builtins
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from cpl.compiler.python.names import Module
from cpl.compiler.python.text import imports, written
from cpl.compiler.semantics.graphs import reachable

_MODULES: Final = (
    "faults",
    "show",
    "places",
    "depth",
    "numbers",
    "logical",
    "edge",
    "sharing",
    "nodes",
    "equality",
    "lists",
    "operators",
    "arrays",
    "references",
    "strings",
    "tables",
    "steps",
    "streams",
    "jumps",
    "checked",
    "checkers",
    "kings",
)
"""Modules of cplrt in an order in which each uses earlier ones only."""


@cache
def _runtime() -> tuple[dict[str, str], dict[str, set[str]], dict[str, str]]:
    """The definitions of cplrt: the text of each by its name, in order, and the names that stand in it; and for each
    name that is imported from elsewhere the module it comes from.
    """
    from importlib.resources import files

    texts: dict[str, str] = {}
    uses: defaultdict[str, set[str]] = defaultdict(set)
    origins: dict[str, str] = {}
    for module in _MODULES:
        source = (files("cplrt") / f"{module}.py").read_text(encoding="utf-8")
        lines = source.splitlines()
        body = ast.parse(source).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            start = min([node.lineno, *[decorator.lineno for decorator in decorators]])
            last = after if isinstance(after, ast.Expr) else node  # the docstring of a constant
            match node:
                case ast.ImportFrom(module=str() as origin, names=aliases) if not origin.startswith("cplrt"):
                    origins |= {alias.name: origin for alias in aliases}
                case ast.If(
                    test=ast.Name(id="TYPE_CHECKING"),
                    body=[ast.ImportFrom(names=[ast.alias(name=name)]) | ast.Assign(targets=[ast.Name(id=name)])],
                ):
                    texts[name] = "\n".join(lines[start - 1 : last.end_lineno])
                    uses[name] |= {*_names(node)}
                case ast.Import(names=aliases):
                    origins |= {alias.name: "" for alias in aliases}
                case (
                    ast.FunctionDef(name=name)
                    | ast.ClassDef(name=name)
                    | ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ):
                    text = "\n".join(lines[start - 1 : last.end_lineno])
                    overloads = texts.get(name) if isinstance(node, ast.FunctionDef) else None
                    texts[name] = f"{overloads}\n\n\n{text}" if overloads else text
                    uses[name] |= {*_names(node)}
    return texts, uses, origins


def _names(node: ast.stmt) -> Iterator[str]:
    """The names that stand in a definition, in quoted annotations as well."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name):
                yield name
            case ast.Constant(value=str() as text):
                yield from re.findall(r"[^\s|\[\]]+", text)


def inline(module: Module, exports: Iterable[str]) -> str:
    """Text that defines what the module uses of cplrt and passes on, under the names that it has there.

    Where the program has a name that the text needs, one of Python's own among them, the text uses another.
    """
    texts, uses, origins = _runtime()
    needed = texts.keys() & reachable([*module.used, *exports], lambda name: uses.get(name, ()))
    used = set().union(*[uses[name] for name in needed])

    origins = origins | {name: "builtins" for name in vars(builtins) if name in module.taken}
    foreign = {name: origin for name, origin in origins.items() if name in used} | module.origins
    aliases = {name: module.alias(name) for name in needed | foreign.keys() if module.alias(name) != name}

    definitions = [_rename(text, aliases) for name, text in texts.items() if name in needed]
    heading = "# The parts of the run-time library (cplrt) that this module uses."
    imported = written(imports(foreign, aliases))
    top = f"{imported}\n\n{heading}" if imported else heading  # as every version of black wants it
    return ("\n\n\n" if definitions else "\n\n").join([top, *definitions])


def _rename(text: str, aliases: dict[str, str]) -> str:
    """The text with some names changed, attributes left alone."""
    if not aliases:
        return text
    lines = text.splitlines(keepends=True)
    quoted = _quoted_annotations(text)
    tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    before = ["", *(token.string for token in tokens)]
    for token, previous in reversed([*zip(tokens, before, strict=False)]):  # from the end, so that columns stay right
        new = token.string
        if token.type == tokenize.NAME and previous != ".":
            new = aliases.get(new, new)
        elif token.start in quoted:
            new = re.sub(r"\w+", lambda word: aliases.get(word[0], word[0]), new)
        if new != token.string:
            row, column = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:column] + new + line[column + len(token.string) :]
    return "".join(lines)


def _quoted_annotations(text: str) -> set[tuple[int, int]]:
    """The rows and columns of the strings in annotations."""
    found: set[tuple[int, int]] = set()
    for node in ast.walk(ast.parse(text)):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if annotation is not None:
                found.update(_strings_in(annotation))
    return found


def _strings_in(tree: ast.AST) -> Iterator[tuple[int, int]]:
    for part in ast.walk(tree):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.lineno, part.col_offset
