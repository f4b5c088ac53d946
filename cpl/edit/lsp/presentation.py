"""What the protocol asks about the shape of a text: symbols, folds, formatting, colours."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from lsprotocol import types as lsp

from cpl.diagnostics import CplError
from cpl.edit import edits, shape
from cpl.edit.lsp.places import range_of, span_of, text_edit
from cpl.edit.lsp.server import Failed, Server
from cpl.formatting import Unfaithful
from cpl.syntax.parser import parse

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
    """What a text defines."""
    analysis = await ls.documents.known(params.text_document.uri)
    return [_symbol(ls, symbol) for symbol in shape.symbols(analysis.program)]


def _symbol(ls: Server, symbol: shape.Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=ls.range(symbol.span),
        selection_range=ls.range(symbol.name_span),
        detail=symbol.detail,
        children=[_symbol(ls, child) for child in symbol.children],
    )


async def workspace_symbols(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    """What the texts of the editor define at their top level whose names have these letters, in this order."""
    programs = [analysis.program for analysis in await ls.known()]
    programs += await ls.closed(lambda source: parse(source)[0])
    symbols = []
    for symbol in (symbol for program in programs for symbol in shape.symbols(program)):
        letters = iter(symbol.name.lower())
        if all(letter in letters for letter in params.query.lower()):
            symbols.append(lsp.WorkspaceSymbol(ls.location(symbol.name_span), symbol.name, _KINDS[symbol.kind]))
    return symbols


async def folding_ranges(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    """What can be folded."""
    folds = shape.folds(ls.documents[params.text_document.uri].source)
    return [lsp.FoldingRange(fold.span.line - 1, fold.span.last_line - 1, kind=fold.kind) for fold in folds]


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
    except CplError as error:
        raise Failed(f"this text does not parse, and stays as it is: {error.diagnostics[0].message}") from None
    except Unfaithful as error:
        raise Failed(str(error)) from None


async def semantic_tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """What each token is, by which editors colour it: line and column after the token before, length, type, and a bit
    for each modifier.
    """
    analysis = await ls.documents.known(params.text_document.uri)
    data: list[int] = []
    last = lsp.Position(0, 0)
    for token in shape.semantic_tokens(analysis):
        place = range_of(token.span, ls.encoding)
        start = place.start
        if place.end.line == start.line:
            column = start.character - (last.character if start.line == last.line else 0)
            modifiers = sum(1 << shape.MODIFIERS.index(modifier) for modifier in token.modifiers)
            length, kind = place.end.character - start.character, shape.TYPES.index(token.type)
            data += [start.line - last.line, column, length, kind, modifiers]
            last = start
    return lsp.SemanticTokens(data)


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (document_symbols, None),
    lsp.WORKSPACE_SYMBOL: (workspace_symbols, None),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (folding_ranges, None),
    lsp.TEXT_DOCUMENT_FORMATTING: (format_document, None),
    lsp.TEXT_DOCUMENT_RANGE_FORMATTING: (format_range, None),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (
        semantic_tokens,
        lsp.SemanticTokensLegend(list(shape.TYPES), list(shape.MODIFIERS)),
    ),
}
