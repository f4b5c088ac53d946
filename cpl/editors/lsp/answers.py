"""Answers to questions about a text, in the terms of the protocol."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from lsprotocol import types as lsp

from cpl.compiler.source import Span
from cpl.editors.completion import Completion
from cpl.editors.definitions import Definition
from cpl.editors.edits import Edit
from cpl.editors.hints import Hint
from cpl.editors.hover import Hover
from cpl.editors.lsp.protocol import position, range_of, text_edit
from cpl.editors.lsp.server import Server
from cpl.editors.outline import Symbol
from cpl.editors.questions import Repairs
from cpl.editors.semantic_tokens import Modifier, SemanticToken, TokenKind
from cpl.editors.signature import CallSignature
from cpl.editors.text_analysis import Analysis
from cpl.outside import printable

# While a text is typed

_COMPLETIONS: Final = {
    "function": lsp.CompletionItemKind.Function,
    "routine": lsp.CompletionItemKind.Function,
    "host": lsp.CompletionItemKind.Function,
    "constant": lsp.CompletionItemKind.Constant,
    "variable": lsp.CompletionItemKind.Variable,
    "parameter": lsp.CompletionItemKind.Variable,
    "label": lsp.CompletionItemKind.Reference,
    "type": lsp.CompletionItemKind.Class,
    "component": lsp.CompletionItemKind.Field,
    "word": lsp.CompletionItemKind.Keyword,
    "sign": lsp.CompletionItemKind.Operator,
    "letter": lsp.CompletionItemKind.Text,
}


def completion_list(
    ls: Server, _analysis: Analysis, params: lsp.CompletionParams, offers: list[Completion]
) -> lsp.CompletionList:
    """What may be typed at a place, the nearest first; after a trigger character only what is spelled with it."""
    if params.context and params.context.trigger_character:
        offers = [offer for offer in offers if offer.kind in ("sign", "letter") and offer.replaced.text]

    items = []
    for number, offer in enumerate(offers):
        item = lsp.CompletionItem(
            label=offer.text,
            kind=_COMPLETIONS[offer.kind],
            detail=offer.detail or None,
            documentation=offer.words or None,
            sort_text=f"{number:05}",  # else editors sort by the alphabet
            filter_text=offer.typed,
            text_edit=lsp.TextEdit(ls.range(offer.replaced), offer.text),
        )
        items.append(item)
    return lsp.CompletionList(is_incomplete=False, items=items)


def signature_help(
    _ls: Server, _analysis: Analysis, _params: lsp.SignatureHelpParams, found: CallSignature | None
) -> lsp.SignatureHelp | None:
    """The parameters of a call, and which of them is at a place."""
    if found is None:
        return None
    parameters = [lsp.ParameterInformation(each.heading, each.type or None) for each in found.parameters]
    information = lsp.SignatureInformation(found.heading, found.words or None, parameters)
    return lsp.SignatureHelp([information], active_signature=0, active_parameter=found.active)


def inlay_hints(ls: Server, analysis: Analysis, _params: lsp.InlayHintParams, hints: list[Hint]) -> list[lsp.InlayHint]:
    """Types that nobody wrote, and the × of a product that looks like one name."""
    inlay_hints = []
    for hint in hints:
        place = position(analysis.source, hint.offset, ls.encoding)
        kind = lsp.InlayHintKind.Type if hint.kind == "type" else None
        inlay_hints.append(lsp.InlayHint(place, hint.label, kind=kind, tooltip=hint.words))
    return inlay_hints


# What a name means, and where


def shown(ls: Server, _analysis: Analysis, _params: lsp.HoverParams, found: Hover | None) -> lsp.Hover | None:
    """Facts about the name, the sign or the word at a place."""
    if found is None:
        return None
    code = "\n".join(["```", *found.code, "```"])
    text = "\n\n".join(filter(None, [code, found.words]))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.range(found.span))


def location(
    ls: Server, _analysis: Analysis, _params: lsp.DefinitionParams, found: Definition | None
) -> lsp.Location | None:
    """Where a name is defined."""
    return ls.location(found.span) if found else None


def highlights(
    ls: Server, _analysis: Analysis, _params: lsp.DocumentHighlightParams, places: list[Span]
) -> list[lsp.DocumentHighlight] | None:
    """Where in its text the name at a place is used."""
    return [lsp.DocumentHighlight(ls.range(place)) for place in places] or None


def name_range(ls: Server, analysis: Analysis, params: lsp.PrepareRenameParams, _found: Definition) -> lsp.Range | None:
    """The name that would be renamed."""
    token = analysis.name_at(ls.offset(analysis.source, params.position))
    return ls.range(token.span) if token else None


# Repairs


def code_actions(
    ls: Server, analysis: Analysis, params: lsp.CodeActionParams, repairs: Repairs
) -> list[lsp.CodeAction]:
    """The repairs of what is wrong at a place, and all repairs of the text that leave no choice."""
    actions = []
    for finding, fix in repairs.here:
        action = lsp.CodeAction(
            title=printable(f"{fix.advice[0].upper()}{fix.advice[1:]}"),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[ls.diagnostic(finding)],
            is_preferred=len(finding.fixes) == 1,
            edit=ls.workspace_edit({analysis.source: [Edit(fix.span, fix.text)]}),
        )
        actions.append(action)
    if repairs.all:
        edit = ls.workspace_edit({analysis.source: repairs.all})
        actions.append(lsp.CodeAction(title="Repair all", kind="source.fixAll.cpl", edit=edit))

    wanted = tuple(params.context.only or ())
    if not wanted:
        return actions
    return [action for action in actions if action.kind and action.kind.startswith(wanted)]


# The shape of a text

SYMBOLS: Final = {
    "function": lsp.SymbolKind.Function,
    "routine": lsp.SymbolKind.Method,
    "constant": lsp.SymbolKind.Constant,
    "variable": lsp.SymbolKind.Variable,
    "type": lsp.SymbolKind.Struct,
    "component": lsp.SymbolKind.Field,
    "label": lsp.SymbolKind.Key,
}


def document_symbols(
    ls: Server, analysis: Analysis, params: lsp.DocumentSymbolParams, symbols: list[Symbol]
) -> list[lsp.DocumentSymbol]:
    """The outline of a text."""
    return [
        lsp.DocumentSymbol(
            name=symbol.name,
            kind=SYMBOLS[symbol.kind],
            range=range_of(symbol.span, ls.encoding),
            selection_range=range_of(symbol.name_span, ls.encoding),
            detail=symbol.detail,
            children=document_symbols(ls, analysis, params, symbol.children),
        )
        for symbol in symbols
    ]


def text_edits(ls: Server, _analysis: Analysis, _params: Any, edits: Sequence[Edit]) -> list[lsp.TextEdit]:
    """Changes to a text."""
    return [text_edit(edit, ls.encoding) for edit in edits]


_TYPES: Final[dict[TokenKind, str]] = {
    "keyword": "keyword",
    "type word": "type",
    "number": "number",
    "string": "string",
    "comment": "comment",
    "operator": "operator",
    "function": "function",
    "routine": "method",
    "constant": "variable",
    "variable": "variable",
    "parameter": "parameter",
    "label": "label",
    "type": "struct",
    "component": "property",
}
_MODIFIERS: Final[dict[Modifier, str]] = {
    "definition": "definition",
    "constant": "readonly",
    "standard": "defaultLibrary",
}
TYPES: Final = [*dict.fromkeys(_TYPES.values())]
MODIFIERS: Final = [*_MODIFIERS.values()]


def semantic_tokens(
    ls: Server, _analysis: Analysis, _params: lsp.SemanticTokensParams, tokens: Iterable[SemanticToken]
) -> lsp.SemanticTokens:
    """The kind of each token, by which editors colour it: line and column after the token before, length, type, and a
    bit for each modifier.
    """
    data: list[int] = []
    last = lsp.Position(0, 0)
    for token in tokens:
        place = range_of(token.span, ls.encoding)
        start, end = place.start, place.end
        if end.line != start.line:  # the protocol has no tokens over several lines
            continue

        lines = start.line - last.line
        columns = start.character - last.character if lines == 0 else start.character
        length = end.character - start.character
        type = TYPES.index(_TYPES[token.kind])
        modifiers = 0
        for modifier in token.modifiers:
            modifiers |= 1 << MODIFIERS.index(_MODIFIERS[modifier])
        data += [lines, columns, length, type, modifiers]
        last = start
    return lsp.SemanticTokens(data)
