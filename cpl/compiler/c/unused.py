"""A library without what it does not use: functions, variables and macros of the prelude, and functions of the program.

The prelude has what some program needs. A function of the program may be written out wherever it is applied, and be
none that Python may call. What nothing reaches from the entry points is left out, with the comment right above it; so
is the heading of a part of the text of which nothing is left.

The text is read by its layout: a definition begins at the start of a line, and its last brace stands there, too.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cpl.compiler.c.c_text import names_in, without_comments
from cpl.compiler.semantics.graphs import reachable


@dataclass(frozen=True)
class _Piece:
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


def without_unused_definitions(text: str) -> str:
    """Return the text of a library without the static functions and variables and the macros that it does not use."""
    pieces = [*_pieces(text.split("\n"))]
    used = _used(pieces)
    kept = [not piece.names or not used.isdisjoint(piece.names) for piece in pieces]
    for at, piece in enumerate(pieces[:-1]):
        if piece.is_comment and not pieces[at + 1].is_empty:
            kept[at] = kept[at + 1]
    _leave_out_headings(pieces, kept)
    lines = [line for piece, is_kept in zip(pieces, kept, strict=True) if is_kept for line in piece.lines]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _used(pieces: Sequence[_Piece]) -> set[str]:
    """The names that are reached from what stays in any case."""
    mentioned: defaultdict[str, set[str]] = defaultdict(set)  # by each name that may be left out; by "" what stays
    for piece in pieces:
        if not piece.is_comment:
            code = without_comments("\n".join(piece.lines))
            for name in piece.names or {""}:
                mentioned[name] |= names_in([code])
    return {*reachable(mentioned[""], lambda name: mentioned.get(name, ()))}


def _leave_out_headings(pieces: Sequence[_Piece], kept: list[bool]) -> None:
    """Leave out each comment that heads a part, followed by an empty line, if nothing is left of the part."""
    headings = [at for at in range(len(pieces) - 1) if pieces[at].is_comment and pieces[at + 1].is_empty]
    for heading, end in pairwise([*headings, len(pieces)]):
        definitions = [at for at in range(heading, end) if not (pieces[at].is_comment or pieces[at].is_empty)]
        if definitions and not any(kept[at] for at in definitions):
            kept[heading] = False


def _pieces(lines: Sequence[str]) -> Iterator[_Piece]:
    """Take a text apart."""
    at = 0
    while at < len(lines):
        end = _end(lines, at)
        yield _Piece(tuple(lines[at:end]), _names(lines[at:end]))
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
