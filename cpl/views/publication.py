"""A program ready to be set in print: its text and what is known of it in, roles of its pieces, links and notes out.

The roles come from the tokens alone, so that a text with misprints can be published, too. What needs the meaning of the
text is there only if the text has one: links from names to their definitions, and the Python.
"""

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

from cpl import loader, messages
from cpl.compiler import Compiled, Meaning
from cpl.semantics import core, walk
from cpl.source import Source
from cpl.syntax import nodes
from cpl.syntax.lexer import APPLIED, BLANK, WRONG, pieces
from cpl.syntax.tokens import CLOSERS, OPENERS, SYMBOLS, WORDS

Role = Literal["word", "small", "large", "number", "string", "comment", "section", "sign", "blank", "wrong"]

_ROLES: Final[dict[str, Role]] = {
    **dict.fromkeys([*SYMBOLS, *OPENERS, *CLOSERS], "sign"),
    **dict.fromkeys(["SECTION", "OPEN", "CLOSE"], "section"),
    "SMALL": "small",
    "LARGE": "large",
    APPLIED: "large",
    "NUMBER": "number",
    "STRING": "string",
    "COMMENT": "comment",
    "UNKNOWN": "wrong",
    WRONG: "wrong",
    BLANK: "blank",
}
_OCTAL: Final = re.compile(r"8(?=[ \t])|𝟖")


class Sign(NamedTuple):
    """Some characters of a line, and the role that they have in it. `start` is their place in the text."""

    start: int
    role: Role
    kind: str
    text: str


@dataclass(frozen=True)
class Block:
    """A definition or command of the top level, with the comments above it and the blank lines below it.

    `first` and `last` are its lines, counted from 1. `python` are the lines that it becomes, without the docstring,
    each with the line of CPL that it comes from.
    """

    first: int
    last: int
    python: tuple[tuple[str, int | None], ...] = ()


@dataclass(frozen=True)
class Publication:
    """A text, and what is known of it. `program` is its meaning, or None if only the signs are known."""

    source: Source
    program: Compiled | Meaning | None = None

    @property
    def title(self) -> str:
        """As the manifest has it; else the name of the file."""
        return self._entry.title or self.source.name

    @property
    def origin(self) -> str:
        """The date and the source that the manifest names, in one line."""
        return ". ".join(filter(None, [self._entry.date, self._entry.source]))

    @property
    def repairs(self) -> list[str]:
        """How the text had to be changed in order to know its meaning. What is published is the text as it is."""
        found = self.program.diagnostics if self.program else []
        return [each.help or each.message for each in found if each.cause is messages.REPAIRED]

    @cached_property
    def _entry(self) -> loader.ManifestEntry:
        return loader.entry(self.source.path)

    @cached_property
    def lines(self) -> list[list[Sign]]:
        """The signs of each line, without its end."""
        lines: list[list[Sign]] = [[]]
        for start, kind, text in pieces(self.source):
            if kind == "NEWLINE":
                lines.append([])
            else:
                lines[-1] += _signs(start, kind, text)
        return lines

    @cached_property
    def definitions(self) -> dict[int, str]:
        """The names that the text defines for all of it, each at its place."""
        if not self.program:
            return {}
        own = [one for one in self.program.core.definitions if one.span.source is self.source]
        found = [name for one in own for name in walk.names(one) if isinstance(name, core.Global)]
        return {name.span.start: name.name for name in found if not name.is_hidden}

    @cached_property
    def uses(self) -> dict[int, str]:
        """The places where names stand that the text defines for all of it."""
        if not self.program:
            return {}
        known = {*self.definitions.values()}
        return {
            node.span.start: node.name
            for one in self.program.core.definitions
            for node in walk.nodes(one)
            if isinstance(node, core.Global) and not node.is_hidden and node.origin == "" and node.name in known
            if node.span.source is self.source and node.span.start not in self.definitions
        }

    @cached_property
    def blocks(self) -> list[Block]:
        """The text cut into definitions if it is compiled to Python; else the whole as one."""
        count = len(self.lines)
        if not isinstance(self.program, Compiled):
            return [Block(1, count)]
        firsts = sorted({1, *(self._first(each) for each in self.program.surface.statements)})
        found: list[list[tuple[str, int | None]]] = [[] for _ in firsts]
        for lines in _statements(self.program):
            origin = next((line for _, line in lines if line), None)
            if origin:
                block = found[bisect_right(firsts, origin) - 1]
                block += [("", None), *lines] if block else lines
        lasts = [*(first - 1 for first in firsts[1:]), count]
        return [Block(first, last, tuple(python)) for first, last, python in zip(firsts, lasts, found, strict=True)]

    def _first(self, statement: nodes.Statement) -> int:
        """The line of a statement, or of the comments directly above it."""
        line = statement.span.line
        while line > 1 and (above := self.lines[line - 2]) and above[0].role == "comment":
            line -= 1
        return line


def _signs(start: int, kind: str, text: str) -> Iterator[Sign]:
    """A piece as signs: the 8 of an octal number is a word."""
    if kind == "NUMBER" and (octal := _OCTAL.match(text)):
        yield Sign(start, "word", kind, octal.group())
        start, text = start + octal.end(), text[octal.end() :]
    role = _ROLES.get(kind, "word")
    yield Sign(start, "word" if role == "sign" and text in WORDS else role, kind, text)


def _statements(compiled: Compiled) -> Iterator[list[tuple[str, int | None]]]:
    """The statements of the module, as lines, each with the line of the text that it comes from."""
    text = compiled.python.split("\n")
    source = compiled.core.source
    for statement in ast.parse(compiled.python).body:
        last = statement.end_lineno or statement.lineno
        numbers = [*range(statement.lineno, last + 1)]
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            numbers = [*range(min([statement.lineno, *(each.lineno for each in statement.decorator_list)]), last + 1)]
            first, *rest = statement.body
            if rest and ast.get_docstring(statement) is not None:
                numbers = [each for each in numbers if not first.lineno <= each <= (first.end_lineno or first.lineno)]
        spans = [compiled.line_map.get(each) for each in numbers]
        yield [
            (text[number - 1], span.line if span and span.source is source else None)
            for number, span in zip(numbers, spans, strict=True)
        ]
