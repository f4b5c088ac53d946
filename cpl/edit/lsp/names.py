"""What the server answers about names: completion, the signature of a call, and hints between the words."""

from typing import Any, Final

from lsprotocol import types as lsp

from cpl.edit.completion import Completion, completions, detail_of
from cpl.edit.hints import hints
from cpl.edit.hover import comment_of
from cpl.edit.lsp.positions import position, span_of
from cpl.edit.lsp.server import Server
from cpl.edit.signature import signature_help

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


async def completion(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    """What may be typed at a place, the nearest first."""
    analysis, at = await ls.at(params)
    found = await ls.documents.run(lambda: completions(analysis, at))
    if params.context and params.context.trigger_character:  # then only what is spelled with it is wanted
        found = [each for each in found if each.kind in ("sign", "letter") and each.replaced.text]
    uri = params.text_document.uri
    return lsp.CompletionList(is_incomplete=False, items=[_item(ls, uri, at, each) for at, each in enumerate(found)])


def _item(ls: Server, uri: str, at: int, found: Completion) -> lsp.CompletionItem:
    place = found.definition
    return lsp.CompletionItem(
        label=found.text,
        kind=_COMPLETIONS[found.kind],
        detail=found.detail or None,
        documentation=found.words or None,
        sort_text=f"{at:05}",
        filter_text=found.typed,
        text_edit=lsp.TextEdit(ls.range(found.replaced), found.text),
        data={"uri": uri, "path": place.source.path, "at": place.start} if place else None,
    )


async def resolve(ls: Server, item: lsp.CompletionItem) -> lsp.CompletionItem:
    """The type and the comment of a name that may be typed, when an editor wants to show them."""
    match item.data:
        case {"uri": str(uri), "path": str(path), "at": int(at)}:
            analysis = await ls.documents.known(uri)
            known = analysis.definitions.values()
            here = (each for each in known if each.span.start == at and each.span.source.path == path)
            if name := next(here, None):
                wants_type = analysis.has_types_soon
                item.detail = await ls.documents.run(lambda: detail_of(analysis, name)) if wants_type else name.heading
                item.documentation = comment_of(analysis, name) or None
    return item


async def signature(ls: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """What a call wants, and which of its arguments is at a place."""
    analysis, at = await ls.at(params)
    found = await ls.documents.run(lambda: signature_help(analysis, at))
    if found is None:
        return None
    parameters = [
        lsp.ParameterInformation(found.heading[each.start : each.end], each.type or None) for each in found.parameters
    ]
    one = lsp.SignatureInformation(found.heading, found.words or None, parameters)
    return lsp.SignatureHelp([one], active_signature=0, active_parameter=found.active)


async def inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Types that nobody wrote, and the products that look like one name."""
    analysis = await ls.documents.known(params.text_document.uri)
    within = span_of(analysis.source, params.range, ls.encoding)
    return [
        lsp.InlayHint(
            position=position(analysis.source, each.offset, ls.encoding),
            label=each.text,
            kind=lsp.InlayHintKind.Type if each.text.startswith(":") else None,
            tooltip=each.words,
        )
        for each in await ls.documents.run(lambda: hints(analysis, within))
    ]


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_COMPLETION: (
        completion,
        lsp.CompletionOptions(trigger_characters=["\\", ">", "=", "/"], resolve_provider=True),
    ),
    lsp.COMPLETION_ITEM_RESOLVE: (resolve, None),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: (signature, lsp.SignatureHelpOptions(trigger_characters=["(", "[", ","])),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (inlay_hints, None),
}
