"""The shape of a text, for the eye: its outline, what can be folded away, and what its tokens are coloured as."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from cpl.edit.analysis import Analysis
from cpl.edit.definitions import Definition, Kind, definitions
from cpl.records import dataclass, field
from cpl.source import Source, Span
from cpl.syntax import nodes
from cpl.syntax.layout import lay_out, pairs
from cpl.syntax.pieces import APPLIED, BLANK, WRONG, pieces
from cpl.syntax.tokens import CLOSERS, OPENERS, SYMBOLS, WORDS
from cpl.syntax.tokens import TYPES as TYPE_WORDS

# Outline


@dataclass(frozen=True)
class Symbol:
    """A name that is defined. `span` is that of the whole definition; `detail` is its heading if that says more."""

    name: str
    kind: Kind
    span: Span
    name_span: Span
    detail: str = ""
    children: list["Symbol"] = field(default_factory=list)


def symbols(program: nodes.Program) -> list[Symbol]:
    """What a text defines at its top level; what is defined within a definition is among its children. Parameters and
    the variables of loops are left out.
    """
    top: list[Symbol] = []
    around: list[tuple[nodes.Node, Symbol]] = []
    for definition in definitions(program):
        node, name, heading = definition.node, definition.name, definition.heading
        if definition.kind == "parameter" or isinstance(node, nodes.ForStep | nodes.ForList):
            continue
        while around and (around[-1][0] is node or around[-1][0].span.end <= definition.span.start):
            around.pop()
        symbol = Symbol(name, definition.kind, node.span, definition.span, heading if heading != name else "")
        (around[-1][1].children if around else top).append(symbol)
        around.append((node, symbol))
    return top


# Folds


@dataclass(frozen=True)
class Fold:
    """A stretch of several lines, of which the first stays. `kind` is None for code."""

    span: Span
    kind: Literal["comment", "imports"] | None = None


def folds(source: Source) -> list[Fold]:
    """All folds of a text, one for each line on which one begins; also of a text that does not parse: definitions,
    sections, brackets over several lines, comments, lists of `get`.
    """
    layout = lay_out(source)
    if layout.diagnostics:
        layout = lay_out(source, cut=True)
    tokens, statements = layout.tokens, layout.statements
    code = [statement[0].span.to(statement[-1].span) for statement in statements]
    code += [tokens[opener].span.to(tokens[closer].span) for opener, closer in pairs(tokens)]
    comments = [comment.span for comment in layout.comments]
    alone = [span for span in comments if not source.line(span.line)[: span.column - 1].strip()]
    gets = [statement[0].span.to(statement[-1].span) for statement in statements if statement[0].kind == "GET"]
    every = [Fold(span) for span in code]
    every += [Fold(span, "comment") for span in _runs(alone)] + [Fold(span, "imports") for span in _runs(gets)]
    longest: dict[int, Fold] = {}
    for fold in sorted(every, key=lambda fold: fold.span.end):
        if fold.span.last_line > fold.span.line:
            longest[fold.span.line] = fold
    return [longest[line] for line in sorted(longest)]


def _runs(spans: Iterable[Span]) -> list[Span]:
    """The spans, with those that stand on lines one after the other joined."""
    runs: list[Span] = []
    for span in spans:
        if runs and span.line == runs[-1].last_line + 1:
            runs[-1] = runs[-1].to(span)
        else:
            runs.append(span)
    return runs


# Colours, in the words of the Language Server Protocol

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
_WITHOUT: Final = {BLANK, WRONG, "NEWLINE", "COMMA", "SEPARATOR", "COLON", "DOT", "SECTION", *OPENERS, *CLOSERS}


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
    for start, kind, text in pieces(analysis.source):
        span = Span(analysis.source, start, start + len(text))
        if kind in ("SMALL", "LARGE", APPLIED):
            yield _name(analysis, span, kind)
        elif kind in ("NUMBER", "STRING", "COMMENT"):
            yield SemanticToken(span, kind.lower())
        elif kind in TYPE_WORDS:
            yield SemanticToken(span, "type")
        elif kind not in _WITHOUT:
            yield SemanticToken(span, "operator" if kind in SYMBOLS and text not in WORDS else "keyword")


def _name(analysis: Analysis, span: Span, kind: str) -> SemanticToken:
    match analysis.meaning_of(span):
        case Definition() as definition:
            standard = analysis.library.standard
            modifiers = (
                *(["definition"] if definition.span == span else []),
                *(["readonly"] if definition.kind == "constant" else []),
                *(["defaultLibrary"] if standard and definition.span.source == standard.source else []),
            )
            return SemanticToken(span, _OF_NAMES[definition.kind], modifiers)
        case str():
            return SemanticToken(span, "function", ("defaultLibrary",))
        case _:
            return SemanticToken(span, "function" if kind == APPLIED else "variable")
