"""The parts of cplrt that a module uses, as text to stand in the module itself."""

import ast
import builtins
import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from cpl.python.names import Module
from cpl.python.write import imports

_MODULES: Final = (
    "faults",
    "show",
    "places",
    "depth",
    "numbers",
    "logical",
    "sharing",
    "nodes",
    "equality",
    "lists",
    "operators",
    "arrays",
    "references",
    "strings",
    "steps",
    "streams",
    "checkers",
)
"""Modules of cplrt in an order in which each uses earlier ones only."""


@dataclass(frozen=True)
class _Part:
    """Something that cplrt defines: its text, and the names that stand in it."""

    text: str
    uses: frozenset[str]

    def after(self, other: "_Part | None") -> "_Part":
        """A part stands behind another of the same name: the signatures of a function stand before it."""
        return _Part(f"{other.text}\n\n\n{self.text}", other.uses | self.uses) if other else self


@cache
def _runtime() -> tuple[dict[str, _Part], dict[str, str]]:
    """All parts by name, in order; and for each name that is imported from elsewhere the module it comes from."""
    parts: dict[str, _Part] = {}
    imports: dict[str, str] = {}
    for module in _MODULES:
        source = (files("cplrt") / f"{module}.py").read_text(encoding="utf-8")
        body = ast.parse(source).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            last = after if isinstance(after, ast.Expr) else node  # the docstring of a constant
            match node:
                case ast.ImportFrom(module=origin, names=aliases) if origin and not origin.startswith("cplrt"):
                    imports |= {alias.name: origin for alias in aliases}
                case ast.Import(names=aliases):
                    imports |= {alias.name: "" for alias in aliases}
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    part = _part(source, node, node)
                    parts[name] = part.after(parts.get(name))
                case ast.Assign(targets=[ast.Name(id=name)]):
                    parts[name] = _part(source, node, last)
                    for each in node.targets[1:]:
                        assert isinstance(each, ast.Name)
                        parts[each.id] = parts[name]
    return parts, imports


def _part(source: str, first: ast.stmt, last: ast.stmt) -> _Part:
    decorators = first.decorator_list if isinstance(first, ast.FunctionDef | ast.ClassDef) else []
    start = min([first.lineno, *(each.lineno for each in decorators)])
    lines = source.splitlines()[start - 1 : last.end_lineno]
    names = {node.id for node in ast.walk(first) if isinstance(node, ast.Name)}
    quoted = {  # annotations in quotes
        word
        for node in ast.walk(first)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in node.value.replace("|", " ").replace("[", " ").replace("]", " ").split()
    }
    return _Part("\n".join(lines), frozenset(names | quoted))


def inline(module: Module, exports: Iterable[str]) -> str:
    """Text that defines what the module uses of cplrt and passes on, under the names that it has there.

    Where the program has a name that the text needs, one of Python's own among them, the text uses another.
    """
    parts, origins = _runtime()
    needed: set[str] = set()
    waiting = [*module.used, *exports]
    while waiting:
        name = waiting.pop()
        if name in parts and name not in needed:
            needed.add(name)
            waiting += parts[name].uses
    texts = [part.text for name, part in parts.items() if name in needed]
    used = set().union(*(parts[name].uses for name in needed))
    origins = origins | {name: "builtins" for name in vars(builtins) if name in module.taken}
    foreign = {name: origin for name, origin in origins.items() if name in used} | module.origins
    aliases = {name: module.alias(name) for name in needed | foreign.keys() if module.alias(name) != name}
    body = [_rename(text, aliases) for text in texts]
    heading = "# The parts of the run-time library (cplrt) that this module uses."
    return "\n\n\n".join([imports(foreign, aliases), heading, *body])


def _rename(text: str, aliases: dict[str, str]) -> str:
    """The text with some names changed, attributes left alone."""
    if not aliases:
        return text
    lines = text.splitlines(keepends=True)
    quoted = _quoted_annotations(text)
    before = ""
    changes: list[tuple[int, int, str, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string in aliases and before != ".":
            changes.append((*token.start, token.string, aliases[token.string]))
        elif token.start in quoted:
            words = re.sub(r"\w+", lambda word: aliases.get(word[0], word[0]), token.string)
            changes.append((*token.start, token.string, words))
        before = token.string
    for row, column, old, new in reversed(changes):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + new + line[column + len(old) :]
    return "".join(lines)


def _quoted_annotations(text: str) -> set[tuple[int, int]]:
    """Where annotations in quotes stand."""
    annotations = [
        getattr(node, field)
        for node in ast.walk(ast.parse(text))
        for field in ("annotation", "returns")
        if getattr(node, field, None)
    ]
    constants = [part for each in annotations for part in ast.walk(each) if isinstance(part, ast.Constant)]
    return {(part.lineno, part.col_offset) for part in constants if isinstance(part.value, str)}
