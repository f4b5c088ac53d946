"""What the protocol asks about names: what they mean and where they stand, what may be typed, what repairs a fault."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lsprotocol import types as lsp

from cpl import loader
from cpl.diagnostics import Error, Invalid
from cpl.edit import edits, rename
from cpl.edit.analysis import Analysis, analyse
from cpl.edit.completion import Completion, completions
from cpl.edit.definitions import Definition
from cpl.edit.hints import hints
from cpl.edit.hover import comment_of, detail, hover
from cpl.edit.lsp.places import position, span_of
from cpl.edit.lsp.server import Failed, Server
from cpl.edit.signature import signature_help
from cpl.outside import markdown, printable, real
from cpl.source import Source, Span

# What a name means, and where


async def show_hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """What is known of the name, the sign or the word at a place."""
    shown = hover(*await ls.at(params), markdown)
    if shown is None:
        return None
    code = "\n".join(["```", *shown.code, "```"])
    text = "\n\n".join(filter(None, [code, shown.words]))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.range(shown.span))


async def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Where a name is defined."""
    analysis, at = await ls.at(params)
    meaning = analysis.meaning_at(at)
    return ls.location(meaning.span) if isinstance(meaning, Definition) else None


async def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    """Where a name is used, in all texts of the editor."""
    analysis, at = await ls.at(params)
    meaning = analysis.meaning_at(at)
    if not isinstance(meaning, Definition):
        return None
    analyses = await ls.naming(meaning.name)
    places = {place for analysis in analyses for place in analysis.occurrences(meaning.span)}
    if not params.context.include_declaration:
        places.discard(meaning.span)
    return [ls.location(place) for place in sorted(places, key=lambda place: (place.source.path, place.start))]


async def highlight(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
    """Where in its text the name at a place is used."""
    analysis, at = await ls.at(params)
    meaning = analysis.meaning_at(at)
    places = analysis.occurrences(meaning.span) if isinstance(meaning, Definition) else []
    return [lsp.DocumentHighlight(ls.range(place)) for place in places if place.source == analysis.source] or None


async def prepare_rename(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range:
    """The name that would be renamed."""
    analysis, at = await ls.at(params)
    try:
        rename.renamable(analysis, at)
    except Invalid as error:
        raise Failed(str(error)) from None
    token = analysis.name_at(at)
    assert token
    return ls.range(token.span)


async def rename_all(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """Another name for what a name means, in all texts or in none."""
    analysis, at = await ls.at(params)
    try:
        meaning = rename.renamable(analysis, at)
        using = [each for each in await ls.naming(meaning.name) if len(each.occurrences(meaning.span)) > 1]
        analyses = [analysis, *(each for each in using if each is not analysis)]
        opened = {real(document.source.path): document.source.text for document in ls.documents}

        sources = [each.source for each in analyses]

        def again(texts: Mapping[str, str]) -> Sequence[Analysis]:
            with loader.opened(opened | {real(path): text for path, text in texts.items()}):
                changed = [Source(source.path, texts.get(source.path, source.text)) for source in sources]
                return [analyse(source, advice=False) for source in changed]

        changes = await ls.documents.run(lambda: rename.rename(analyses, meaning.span, params.new_name, again))
    except Error as error:
        raise Failed(str(error)) from None
    return ls.workspace_edit(changes)


# What may be typed

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
    offers = await ls.documents.run(lambda: completions(analysis, at))
    if params.context and params.context.trigger_character:  # then only what is spelled with it is wanted
        offers = [offer for offer in offers if offer.kind in ("sign", "letter") and offer.replaced.text]
    items = [_item(ls, params.text_document.uri, number, offer) for number, offer in enumerate(offers)]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _item(ls: Server, uri: str, number: int, offer: Completion) -> lsp.CompletionItem:
    place = offer.definition
    return lsp.CompletionItem(
        label=offer.text,
        kind=_COMPLETIONS[offer.kind],
        detail=offer.detail or None,
        documentation=offer.words or None,
        sort_text=f"{number:05}",
        filter_text=offer.typed,
        text_edit=lsp.TextEdit(ls.range(offer.replaced), offer.text),
        data={"uri": uri, "path": place.source.path, "at": place.start} if place else None,
    )


async def resolve(ls: Server, item: lsp.CompletionItem) -> lsp.CompletionItem:
    """The type and the comment of a name that may be typed, when an editor wants to show them."""
    match item.data:
        case {"uri": str(uri), "path": str(path), "at": int(at)}:
            analysis = await ls.documents.known(uri)
            names = (name for name in analysis.definitions.values() if name.name == item.label)
            here = (name for name in names if (name.span.source.path, name.span.start) == (path, at))
            if name := next(here, None):
                is_soon = analysis.has_types_soon
                item.detail = await ls.documents.run(lambda: detail(analysis, name)) if is_soon else name.heading
                item.documentation = comment_of(analysis, name) or None
    return item


async def signature(ls: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """What a call wants, and which of its arguments is at a place."""
    analysis, at = await ls.at(params)
    call = await ls.documents.run(lambda: signature_help(analysis, at))
    if call is None:
        return None
    parameters = [lsp.ParameterInformation(label, type or None) for label, type in call.parameters]
    information = lsp.SignatureInformation(call.heading, call.words or None, parameters)
    return lsp.SignatureHelp([information], active_signature=0, active_parameter=call.active)


async def inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Types that nobody wrote, and the products that look like one name."""
    analysis = await ls.documents.known(params.text_document.uri)
    within = span_of(analysis.source, params.range, ls.encoding)
    return [
        lsp.InlayHint(
            position=position(analysis.source, hint.offset, ls.encoding),
            label=hint.text,
            kind=lsp.InlayHintKind.Type if hint.text.startswith(":") else None,
            tooltip=hint.words,
        )
        for hint in await ls.documents.run(lambda: hints(analysis, within))
    ]


# Repairs


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The repairs of what is wrong at a place, and all repairs of the text that leave no choice."""
    analysis = await ls.documents.known(params.text_document.uri)
    selected = span_of(analysis.source, params.range, ls.encoding)
    actions = [
        lsp.CodeAction(
            title=printable(f"{repair.advice[0].upper()}{repair.advice[1:]}"),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[ls.diagnostic(repair.finding)],
            is_preferred=repair.sole,
            edit=ls.workspace_edit({analysis.source: [repair.edit]}),
        )
        for repair in edits.repairs(analysis)
        if _touch(repair.finding.span, selected) or _touch(repair.edit.span, selected)
    ]
    if every := edits.all_repairs(analysis):
        edit = ls.workspace_edit({analysis.source: every})
        actions.append(lsp.CodeAction(title="Repair all", kind="source.fixAll.cpl", edit=edit))
    only = params.context.only
    return [each for each in actions if not only or any(str(each.kind).startswith(str(kind)) for kind in only)]


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_HOVER: (show_hover, None),
    lsp.TEXT_DOCUMENT_DEFINITION: (definition, None),
    lsp.TEXT_DOCUMENT_REFERENCES: (references, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (highlight, None),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (prepare_rename, None),
    lsp.TEXT_DOCUMENT_RENAME: (rename_all, lsp.RenameOptions(prepare_provider=True)),
    lsp.TEXT_DOCUMENT_COMPLETION: (
        completion,
        lsp.CompletionOptions(trigger_characters=["\\", ">", "=", "/"], resolve_provider=True),
    ),
    lsp.COMPLETION_ITEM_RESOLVE: (resolve, None),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: (signature, lsp.SignatureHelpOptions(trigger_characters=["(", "[", ","])),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (inlay_hints, None),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (
        code_action,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    ),
}
