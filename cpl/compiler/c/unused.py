"""A library without what it does not use: functions, variables and macros of the prelude, and functions of the program.

The prelude has what some program needs. A function of the program may be written out wherever it is applied, and be
none that Python may call. What nothing reaches from the entry points is left out, with the comment right above it; so
is the heading of a part of the text of which nothing is left.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from cpl.compiler.c.c_text import names_in, without_comments
from cpl.compiler.c.pieces import Piece, pieces_of
from cpl.compiler.semantics.graphs import reachable


def without_unused_definitions(text: str) -> str:
    """Return the text of a library without the static functions and variables and the macros that it does not use."""
    pieces = [*pieces_of(text.split("\n"))]
    used = _used(pieces)
    kept = [not piece.names or not used.isdisjoint(piece.names) for piece in pieces]
    for at, piece in enumerate(pieces[:-1]):
        if piece.is_comment and not pieces[at + 1].is_empty:
            kept[at] = kept[at + 1]
    _leave_out_headings(pieces, kept)
    lines = [line for piece, is_kept in zip(pieces, kept, strict=True) if is_kept for line in piece.lines]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


_TAGGED: Final = re.compile(r"\b(?:one_of\(\w+, |only\()(\w+)")
"""The types of which these macros of the prelude write the tags, as `is_whole` for `whole`."""


def _used(pieces: Sequence[Piece]) -> set[str]:
    """The names that are reached from what stays in any case."""
    mentioned: defaultdict[str, set[str]] = defaultdict(set)  # by each name that may be left out; by "" what stays
    for piece in pieces:
        if not piece.is_comment:
            code = without_comments("\n".join(piece.lines))
            tags = {f"is_{type}" for type in _TAGGED.findall(code)}
            for name in piece.names or {""}:
                mentioned[name] |= names_in([code]) | tags
    return {*reachable(mentioned[""], lambda name: mentioned.get(name, ()))}


def _leave_out_headings(pieces: Sequence[Piece], kept: list[bool]) -> None:
    """Leave out each comment that heads a part, followed by an empty line, if nothing is left of the part."""
    headings = [at for at in range(len(pieces) - 1) if pieces[at].is_comment and pieces[at + 1].is_empty]
    for heading, end in pairwise([*headings, len(pieces)]):
        definitions = [at for at in range(heading, end) if not (pieces[at].is_comment or pieces[at].is_empty)]
        if definitions and not any(kept[at] for at in definitions):
            kept[heading] = False
