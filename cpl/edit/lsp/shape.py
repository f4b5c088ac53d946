"""What the protocol asks about the shape of a text: symbols, folds, formatting, colours."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from lsprotocol import types as lsp

from cpl.diagnostics import CplError
from cpl.edit import folding, reformat, semantic, symbols
from cpl.edit.edits import Edit
from cpl.edit.lsp.positions import range_of, span_of, text_edit
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

COLOURS: Final = lsp.SemanticTokensLegend(list(semantic.TYPES), list(semantic.MODIFIERS))


async def document_symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """What a text defines."""
    analysis = await ls.documents.known(params.text_document.uri)
    return [_symbol(ls, each) for each in symbols.symbols(analysis.meaning.main.program)]


def _symbol(ls: Server, symbol: symbols.Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=ls.range(symbol.span),
        selection_range=ls.range(symbol.name_span),
        detail=symbol.detail,
        children=[_symbol(ls, each) for each in symbol.children],
    )


async def workspace_symbols(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    """What the texts of the editor define at their top level whose names have these letters, in this order."""
    wanted = params.query.lower()
    found = []
    known = [each.meaning.main.program for each in await ls.known()]
    for program in known + await ls.closed(lambda source: parse(source)[0]):
        for each in symbols.symbols(program):
            letters = iter(each.name.lower())
            if all(letter in letters for letter in wanted):
                found.append(lsp.WorkspaceSymbol(ls.location(each.name_span), each.name, _KINDS[each.kind]))
    return found


async def folding_ranges(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    """What can be folded."""
    source = ls.documents[params.text_document.uri].source
    return [
        lsp.FoldingRange(each.span.line - 1, each.span.last_line - 1, kind=each.kind) for each in folding.folds(source)
    ]


def _edited(ls: Server, work: Callable[[], Sequence[Edit]]) -> list[lsp.TextEdit]:
    try:
        return [text_edit(each, ls.encoding) for each in work()]
    except CplError as error:
        raise Failed(f"this text does not parse, and stays as it is: {error.diagnostics[0].message}") from None
    except Unfaithful as error:
        raise Failed(str(error)) from None


async def format_document(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """The whole text in the style of `cpl fmt`."""
    source = ls.documents[params.text_document.uri].source
    return _edited(ls, lambda: reformat.format_whole(source))


async def format_range(ls: Server, params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
    """The statements of the top level that a range touches."""
    source = ls.documents[params.text_document.uri].source
    return _edited(ls, lambda: reformat.format_range(source, span_of(source, params.range, ls.encoding)))


async def semantic_tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """What each token is, by which editors colour it."""
    analysis = await ls.documents.known(params.text_document.uri)
    data: list[int] = []
    line = column = 0
    for token in semantic.semantic_tokens(analysis):
        place = range_of(token.span, ls.encoding)
        start = place.start
        if place.end.line != start.line:
            continue
        along = start.character - (column if start.line == line else 0)
        modifiers = sum(1 << semantic.MODIFIERS.index(each) for each in token.modifiers)
        length = place.end.character - start.character
        data += [start.line - line, along, length, semantic.TYPES.index(token.type), modifiers]
        line, column = start.line, start.character
    return lsp.SemanticTokens(data)


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (document_symbols, None),
    lsp.WORKSPACE_SYMBOL: (workspace_symbols, None),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (folding_ranges, None),
    lsp.TEXT_DOCUMENT_FORMATTING: (format_document, None),
    lsp.TEXT_DOCUMENT_RANGE_FORMATTING: (format_range, None),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (semantic_tokens, COLOURS),
}
