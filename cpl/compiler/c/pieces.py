"""The text of a library, taken apart by its layout: a definition begins at the start of a line, and its last brace
stands there, too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cpl.compiler.c.c_text import names_in, without_comments


@dataclass(frozen=True)
class Piece:
    """A comment, a directive, a definition or an empty line at the top level of a text. What may be left out, if
    nothing uses it, has `names`; only an enumeration has several.
    """

    lines: tuple[str, ...]
    names: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Tell whether this is an empty line."""
        return self.lines == ("",)

    @property
    def is_comment(self) -> bool:
        """Tell whether this is a comment by itself."""
        return self.lines[0].startswith("/*")


def pieces_of(lines: Sequence[str]) -> Iterator[Piece]:
    """Take a text apart."""
    at = 0
    while at < len(lines):
        end = _end(lines, at)
        yield Piece(tuple(lines[at:end]), _names(lines[at:end]))
        at = end


_NAMED: Final = re.compile(r"#define (\w+)|static [^\n=(;]*?(\w+)(?:\(|;| = |$)")


def _names(lines: Sequence[str]) -> frozenset[str]:
    """The names of what may be left out."""
    code = without_comments("\n".join(lines))
    if code.startswith("enum "):
        return frozenset(names_in([code])) - {"enum"}
    if code.startswith("typedef "):
        return frozenset(re.findall(r"(\w+);$", code))
    found = _NAMED.match(code)
    name = found and (found[1] or found[2])
    return frozenset({name} - _FOR_SYSTEM) if name else frozenset()


_FOR_SYSTEM: Final = {"_GNU_SOURCE"}
"""Macros that the headers of the system read."""


def _end(lines: Sequence[str], at: int) -> int:
    """The number of the line after the piece that begins in a line."""
    first = lines[at]
    if first.startswith("/*"):
        while "*/" not in lines[at]:
            at += 1
        return at + 1
    if first.startswith("#"):
        while lines[at].endswith("\\"):
            at += 1
        return at + 1
    while lines[at].endswith((",", "(")):  # a long heading
        at += 1
    if without_comments(lines[at]).endswith("{"):
        while not lines[at].startswith("}"):
            at += 1
    return at + 1
