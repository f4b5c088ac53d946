"""The kind of each token of a text, by which editors colour it: what is meant counts, not how it looks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from cpl.compiler.source import Span
from cpl.compiler.syntax.lexer import APPLIED, BLANK, WRONG, pieces
from cpl.compiler.syntax.tokens import CLOSERS, OPENERS, SYMBOLS, TYPES, WORDS, unmarked
from cpl.editors.definitions import Definition, Kind
from cpl.editors.text_analysis import Analysis

TokenKind = Kind | Literal["keyword", "type word", "number", "string", "comment", "operator"]
Modifier = Literal["definition", "constant", "standard"]
"""Whether a name is defined here, cannot be assigned to, or comes with the language."""


@dataclass(frozen=True)
class SemanticToken:
    """A token, its kind, and what else is true of it."""

    span: Span
    kind: TokenKind
    modifiers: tuple[Modifier, ...] = ()


_UNCOLOURED: Final = {BLANK, WRONG, "NEWLINE", "COMMA", "SEPARATOR", "COLON", "DOT", "SECTION", *OPENERS, *CLOSERS}
_LITERALS: Final[dict[str, TokenKind]] = {"NUMBER": "number", "STRING": "string", "COMMENT": "comment"}


def semantic_tokens(analysis: Analysis) -> Iterator[SemanticToken]:
    """The tokens of a text in order, but for brackets and what is no token. Names of statements that do not parse go by
    their looks.
    """
    for start, kind, text in pieces(analysis.source):
        span = Span(analysis.source, start, start + len(text))
        if kind in ("SMALL", "LARGE", APPLIED):
            yield _name(analysis, span, kind)
        elif kind in _LITERALS:
            yield SemanticToken(span, _LITERALS[kind])
        elif kind in TYPES:
            yield SemanticToken(span, "type word")
        elif kind not in _UNCOLOURED:
            is_operator = kind in SYMBOLS and unmarked(text) not in WORDS  # `and` is a word, though it is the sign ∧
            yield SemanticToken(span, "operator" if is_operator else "keyword")


def _name(analysis: Analysis, span: Span, kind: str) -> SemanticToken:
    """The token of a name: what it means, or else how it looks."""
    match analysis.meaning_of(span):
        case Definition() as definition:
            return SemanticToken(span, definition.kind, tuple(_modifiers(analysis, definition, span)))
        case str():
            return SemanticToken(span, "function", ("standard",))
        case _:
            return SemanticToken(span, "function" if kind == APPLIED else "variable")


def _modifiers(analysis: Analysis, definition: Definition, place: Span) -> Iterator[Modifier]:
    """What else is true of a name that stands at a place and means this definition."""
    if definition.span == place:
        yield "definition"
    if definition.kind == "constant":
        yield "constant"
    standard = analysis.library.standard
    if standard and definition.span.source == standard.source:
        yield "standard"
