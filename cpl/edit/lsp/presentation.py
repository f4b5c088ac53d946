"""The shape of a text, for the eye: its outline, its style, and the colours of its tokens."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from lsprotocol import types as lsp

from cpl.compiler import Unfaithful
from cpl.diagnostics import CplError
from cpl.edit import edits
from cpl.edit.definitions import Definition, definitions
from cpl.edit.lsp.protocol import Encoding, range_of, span_of, text_edit
from cpl.edit.lsp.server import Failed, Server
from cpl.edit.text_analysis import Analysis
from cpl.source import Span
from cpl.syntax import nodes
from cpl.syntax.lexer import APPLIED, BLANK, WRONG, pieces
from cpl.syntax.parser import parse
from cpl.syntax.tokens import CLOSERS, OPENERS, SYMBOLS, WORDS
from cpl.syntax.tokens import TYPES as TYPE_WORDS

# Outline

_KINDS: Final = {
    "function": lsp.SymbolKind.Function,
    "routine": lsp.SymbolKind.Method,
    "constant": lsp.SymbolKind.Constant,
    "variable": lsp.SymbolKind.Variable,
    "type": lsp.SymbolKind.Struct,
    "component": lsp.SymbolKind.Field,
    "label": lsp.SymbolKind.Key,
}


async def document_symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """Return the outline of a text."""
    return symbols((await ls.documents.analysis(params.text_document.uri)).program, ls.encoding)


async def workspace_symbols(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    """Return the definitions at the top level of all texts whose names have these letters, in this order."""
    programs = [analysis.program for analysis in await ls.analyses()]
    closed, search = await ls.closed(lambda source: parse(source)[0])
    ls.tell_limit(search)
    programs += closed
    wanted = re.compile("".join(f"[^{letter}]*{letter}" for letter in map(re.escape, params.query)), re.IGNORECASE)
    return [
        lsp.WorkspaceSymbol(
            lsp.Location(ls.uri(program.span.source.path), symbol.selection_range), symbol.name, symbol.kind
        )
        for program in programs
        for symbol in symbols(program, ls.encoding)
        if wanted.match(symbol.name)
    ]


def symbols(program: nodes.Program, encoding: Encoding) -> list[lsp.DocumentSymbol]:
    """Return the definitions at the top level; those within a definition are among its children. Parameters and
    the variables of loops are left out.
    """
    top: list[lsp.DocumentSymbol] = []
    around: list[tuple[nodes.Node, list[lsp.DocumentSymbol]]] = []
    for definition in definitions(program):
        node, name, heading = definition.node, definition.name, definition.heading
        if definition.kind == "parameter" or isinstance(node, nodes.ForStep | nodes.ForList):
            continue
        while around and (around[-1][0] is node or around[-1][0].span.end <= definition.span.start):
            around.pop()
        children: list[lsp.DocumentSymbol] = []
        symbol = lsp.DocumentSymbol(
            name=name,
            kind=_KINDS[definition.kind],
            range=range_of(node.span, encoding),
            selection_range=range_of(definition.span, encoding),
            detail="" if heading == name else heading,
            children=children,
        )
        (around[-1][1] if around else top).append(symbol)
        around.append((node, children))
    return top


# Style


async def format_document(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """The whole text in the style of `cpl fmt`."""
    source = ls.documents[params.text_document.uri].source
    return _formatted(ls, lambda: edits.format_whole(source))


async def format_range(ls: Server, params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
    """The statements of the top level that a range touches."""
    source = ls.documents[params.text_document.uri].source
    return _formatted(ls, lambda: edits.format_range(source, span_of(source, params.range, ls.encoding)))


def _formatted(ls: Server, work: Callable[[], Sequence[edits.Edit]]) -> list[lsp.TextEdit]:
    try:
        return [text_edit(edit, ls.encoding) for edit in work()]
    except (CplError, Unfaithful) as error:
        reason = error.diagnostics[0].message if isinstance(error, CplError) else str(error)
        raise Failed(f"this text stays as it is: {reason}") from None


# Colours

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
Coloured = tuple[Span, str, tuple[str, ...]]
"""A token, its type and its modifiers."""

_WITHOUT: Final = {BLANK, WRONG, "NEWLINE", "COMMA", "SEPARATOR", "COLON", "DOT", "SECTION", *OPENERS, *CLOSERS}


async def semantic_tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """Return the kind of each token, by which editors colour it: line and column after the token before, length, type,
    and a bit for each modifier.
    """
    analysis = await ls.documents.analysis(params.text_document.uri)
    data: list[int] = []
    last = lsp.Position(0, 0)
    for span, type, modifiers in coloured(analysis):
        place = range_of(span, ls.encoding)
        start = place.start
        if place.end.line == start.line:
            column = start.character - (last.character if start.line == last.line else 0)
            length = place.end.character - start.character
            bits = sum(1 << MODIFIERS.index(modifier) for modifier in modifiers)
            data += [start.line - last.line, column, length, TYPES.index(type), bits]
            last = start
    return lsp.SemanticTokens(data)


def coloured(analysis: Analysis) -> Iterator[Coloured]:
    """The tokens of a text in order, but for brackets and what is no token. Names of statements that do not parse go by
    their looks.
    """
    for start, kind, text in pieces(analysis.source):
        span = Span(analysis.source, start, start + len(text))
        if kind in ("SMALL", "LARGE", APPLIED):
            yield _name(analysis, span, kind)
        elif kind in ("NUMBER", "STRING", "COMMENT"):
            yield span, kind.lower(), ()
        elif kind in TYPE_WORDS:
            yield span, "type", ()
        elif kind not in _WITHOUT:
            yield span, "operator" if kind in SYMBOLS and text not in WORDS else "keyword", ()


def _name(analysis: Analysis, span: Span, kind: str) -> Coloured:
    match analysis.meaning_of(span):
        case Definition() as definition:
            standard = analysis.library.standard
            modifiers = (
                *(["definition"] if definition.span == span else []),
                *(["readonly"] if definition.kind == "constant" else []),
                *(["defaultLibrary"] if standard and definition.span.source == standard.source else []),
            )
            return span, _OF_NAMES[definition.kind], modifiers
        case str():
            return span, "function", ("defaultLibrary",)
        case _:
            return span, "function" if kind == APPLIED else "variable", ()


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (document_symbols, None),
    lsp.WORKSPACE_SYMBOL: (workspace_symbols, None),
    lsp.TEXT_DOCUMENT_FORMATTING: (format_document, None),
    lsp.TEXT_DOCUMENT_RANGE_FORMATTING: (format_range, None),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (
        semantic_tokens,
        lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS)),
    ),
}
