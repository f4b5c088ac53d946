"""Meanings of names, where they stand, and their renaming; and repairs."""

from typing import Any, Final

from lsprotocol import types as lsp

from cpl.diagnostics import Error, Invalid
from cpl.edit import edits, rename
from cpl.edit.definitions import Definition
from cpl.edit.hover import hover
from cpl.edit.lsp.protocol import span_of
from cpl.edit.lsp.server import Failed, Server
from cpl.outside import markdown, printable, real
from cpl.source import Span

LOCAL: Final = ("parameter", "label")
"""Kinds of names that no other text can use."""

# What a name means, and where


async def show_hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """Return facts about the name, the sign or the word at a place."""
    shown = hover(*await ls.at(params), markdown)
    if shown is None:
        return None
    code = "\n".join(["```", *shown.code, "```"])
    text = "\n\n".join(filter(None, [code, shown.words]))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.range(shown.span))


async def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Return where a name is defined."""
    analysis, at = await ls.at(params)
    meaning = analysis.meaning_at(at)
    return ls.location(meaning.span) if isinstance(meaning, Definition) else None


async def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    """Return where a name is used, in all texts of the editor."""
    analysis, at = await ls.at(params)
    meaning = analysis.meaning_at(at)
    if not isinstance(meaning, Definition):
        return None
    analyses, search = await ls.naming(meaning.name)
    ls.tell_limit(search)
    places = {place for analysis in analyses for place in analysis.occurrences(meaning.span)}
    if not params.context.include_declaration:
        places.discard(meaning.span)
    return [ls.location(place) for place in sorted(places, key=lambda place: (place.source.path, place.start))]


async def highlight(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
    """Return where in its text the name at a place is used."""
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
        named, search = await ls.naming(meaning.name)
        if search.limit and meaning.kind not in LOCAL:
            raise Failed(f"{meaning.name} is not renamed, as it would be in some files only: {search.limit}")
        using = [other for other in named if len(other.occurrences(meaning.span)) > 1]
        analyses = [analysis, *(other for other in using if other is not analysis)]
        opened = {real(document.source.path): document.source.text for document in ls.documents}
        changes = await ls.documents.run(lambda: rename.rename(analyses, meaning.span, params.new_name, opened))
    except Error as error:
        raise Failed(str(error)) from None
    return ls.workspace_edit(changes)


# Repairs


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The repairs of what is wrong at a place, and all repairs of the text that leave no choice."""
    analysis = await ls.documents.analysis(params.text_document.uri)
    selected = span_of(analysis.source, params.range, ls.encoding)
    actions = [
        lsp.CodeAction(
            title=printable(f"{fix.advice[0].upper()}{fix.advice[1:]}"),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[ls.diagnostic(finding)],
            is_preferred=len(finding.fixes) == 1,
            edit=ls.workspace_edit({analysis.source: [edits.Edit(fix.span, fix.text)]}),
        )
        for finding, fix in edits.repairs(analysis)
        if _touch(finding.span, selected) or _touch(fix.span, selected)
    ]
    if every := edits.all_repairs(analysis):
        edit = ls.workspace_edit({analysis.source: every})
        actions.append(lsp.CodeAction(title="Repair all", kind="source.fixAll.cpl", edit=edit))
    only = params.context.only
    return [action for action in actions if not only or any(str(action.kind).startswith(str(kind)) for kind in only)]


def _touch(left: Span, right: Span) -> bool:
    return left.start <= right.end and right.start <= left.end


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_HOVER: (show_hover, None),
    lsp.TEXT_DOCUMENT_DEFINITION: (definition, None),
    lsp.TEXT_DOCUMENT_REFERENCES: (references, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (highlight, None),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (prepare_rename, None),
    lsp.TEXT_DOCUMENT_RENAME: (rename_all, lsp.RenameOptions(prepare_provider=True)),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (
        code_action,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    ),
}
