"""What each token of a text is, in the words of the Language Server Protocol, by which editors colour it."""

from collections.abc import Iterator
from typing import Final

from cpl.edit.analysis import Analysis
from cpl.edit.definitions import Definition
from cpl.records import dataclass
from cpl.source import Span
from cpl.syntax.pieces import APPLIED, BLANK, WRONG, pieces
from cpl.syntax.tokens import CLOSERS, OPENERS, SYMBOLS, WORDS
from cpl.syntax.tokens import TYPES as TYPE_WORDS

_OF_NAMES: Final = {
    "function": "function",
    "routine": "method",
    "constant": "variable",
    "variable": "variable",
    "parameter": "parameter",
    "label": "label",
    "type": "struct",
    "component": "property",
}
TYPES: Final = ("keyword", "type", "number", "string", "comment", "operator", *dict.fromkeys(_OF_NAMES.values()))
MODIFIERS: Final = ("definition", "readonly", "defaultLibrary")


@dataclass(frozen=True)
class SemanticToken:
    """A token, its type and its modifiers."""

    span: Span
    type: str
    modifiers: tuple[str, ...] = ()


def semantic_tokens(analysis: Analysis) -> Iterator[SemanticToken]:
    """The tokens of a text in order, but for brackets and what is no token. Names of statements that do not parse go by
    their looks.
    """
    source = analysis.source
    for start, kind, text in pieces(source):
        span = Span(source, start, start + len(text))
        if kind in ("SMALL", "LARGE", APPLIED):
            yield _name(analysis, span, kind)
        elif type := _type(kind, text):
            yield SemanticToken(span, type)


def _type(kind: str, text: str) -> str | None:
    if kind in (BLANK, WRONG, "NEWLINE", "COMMA", "SEPARATOR", "COLON", "DOT", *OPENERS, *CLOSERS, "SECTION"):
        return None
    if kind in ("NUMBER", "STRING", "COMMENT"):
        return kind.lower()
    if kind in TYPE_WORDS:
        return "type"
    return "operator" if kind in SYMBOLS and text not in WORDS else "keyword"


def _name(analysis: Analysis, span: Span, kind: str) -> SemanticToken:
    match analysis.meaning_of(span):
        case Definition() as found:
            standard = analysis.library.standard
            modifiers = (
                *(["definition"] if found.span == span else []),
                *(["readonly"] if found.kind == "constant" else []),
                *(["defaultLibrary"] if standard and found.span.source == standard.source else []),
            )
            return SemanticToken(span, _OF_NAMES[found.kind], modifiers)
        case str():
            return SemanticToken(span, "function", ("defaultLibrary",))
        case _:
            return SemanticToken(span, "function" if kind == APPLIED else "variable")
