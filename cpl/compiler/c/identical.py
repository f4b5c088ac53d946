"""Functions of a library that are identical are written once.

    static whole MiniMaxMove_Value(…) { return Weighed(S, L, of_whole(d), W); }
    static whole AlphaBetaMove_Value(…) { return Weighed(S, L, of_whole(d), W); }

CPL has the same local function in two functions, or the compiler has made two copies for arguments that turn out to do
the same. The second goes, and who calls it calls the first. Functions that differ only in whom they call may then be
identical, so that this is done until no two are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from cpl.compiler.c.c_text import without_comments
from cpl.compiler.c.pieces import Piece, pieces_of


def with_functions_once(text: str) -> str:
    """Return the text of a library without the functions that are the same as earlier ones."""
    pieces = [*pieces_of(text.split("\n"))]
    while True:
        same = _same(pieces)
        if not same:
            return "\n".join(line for piece in pieces for line in piece.lines)
        pieces = _called_by(same, _without(same, pieces))


def _same(pieces: Sequence[Piece]) -> dict[str, str]:
    """The functions that are the same as earlier ones, each with the first of these."""
    first: dict[tuple[str, ...], str] = {}
    same: dict[str, str] = {}
    for piece in pieces:
        if _is_function(piece):
            [name] = piece.names
            text = without_comments("\n".join(piece.lines))
            key = _words(re.sub(rf"(?<![.>\w]){name}\b", "@", text))  # but not a field of a struct with this name
            if first.setdefault(key, name) != name and _is_only_called(name, pieces):
                same[name] = first[key]
    return same


def _words(text: str) -> tuple[str, ...]:
    """The words and signs of a text: where its lines are broken depends on how long the names are."""
    return tuple(re.findall(r"\w+|[^\w\s]", text))


def _is_function(piece: Piece) -> bool:
    """Tell whether a piece is a function of the program: those of the prelude and of types are inline."""
    return piece.lines[0].startswith("static ") and piece.lines[-1] == "}" and "static inline " not in piece.lines[0]


def _is_only_called(name: str, pieces: Sequence[Piece]) -> bool:
    """Tell whether a name never stands for anything but a function that is called, such as a variable."""
    mention = re.compile(rf"(?<![.>\w]){name}\b(?!\()")
    return not any(mention.search("\n".join(piece.lines)) for piece in pieces if not piece.is_comment)


def _without(same: dict[str, str], pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces without these functions, and the comments right above them."""
    kept = [*pieces]
    for at in reversed(range(len(kept))):
        if _is_function(kept[at]) and not same.keys().isdisjoint(kept[at].names):
            start = at - 1 if at and kept[at - 1].is_comment else at
            end = at + 2 if at + 1 < len(kept) and kept[at + 1].is_empty else at + 1
            del kept[start:end]
    return kept


def _called_by(same: dict[str, str], pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with other names for these functions; a declaration that stands there already goes."""
    names = re.compile(rf"(?<![.>\w])({'|'.join(same)})\b(?=\()")
    result: list[Piece] = []
    declared: set[tuple[str, ...]] = set()
    for piece in pieces:
        if not piece.is_comment:
            lines = tuple(names.sub(lambda found: same[found[1]], "\n".join(piece.lines)).split("\n"))
            renamed = frozenset(same.get(name, name) for name in piece.names)
            is_declaration = lines[0].startswith("static ") and lines[-1].endswith(";")
            words = _words("\n".join(lines))
            if is_declaration and lines != piece.lines and words in declared:
                continue
            piece = replace(piece, lines=lines, names=renamed)
            declared.add(words)
        result.append(piece)
    return result
