"""What the server answers about the meanings of names, and how it repairs what is wrong."""

from collections.abc import Sequence
from typing import Any, Final

from lsprotocol import types as lsp

from cpl import loader
from cpl.diagnostics import Error, Invalid
from cpl.edit import fixes
from cpl.edit.analysis import Analysis, analyse
from cpl.edit.definitions import Definition
from cpl.edit.hover import hover as hover_at
from cpl.edit.lsp.positions import span_of
from cpl.edit.lsp.server import Failed, Server
from cpl.edit.rename import renamable
from cpl.edit.rename import rename as renamed
from cpl.outside import markdown, printable, real
from cpl.source import Source, Span


async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """What is known of a name."""
    found = hover_at(*await ls.at(params), markdown)
    if found is None:
        return None
    code = "\n".join(found.code)
    text = "\n\n".join(filter(None, [f"```\n{code}\n```" if code else "", found.words]))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.range(found.span))


async def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Where a name is defined."""
    analysis, at = await ls.at(params)
    found = analysis.meaning_at(at)
    return ls.location(found.span) if isinstance(found, Definition) else None


async def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    """Where a name is used, in all texts of the editor."""
    analysis, at = await ls.at(params)
    found = analysis.meaning_at(at)
    if not isinstance(found, Definition):
        return None
    places = {place for each in await ls.naming(found.name) for place in each.occurrences(found.span)}
    if not params.context.include_declaration:
        places.discard(found.span)
    return [ls.location(each) for each in sorted(places, key=lambda each: (each.source.path, each.start))]


async def highlight(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
    """Where in its text the name at a place is used."""
    analysis, at = await ls.at(params)
    found = analysis.meaning_at(at)
    places = analysis.occurrences(found.span) if isinstance(found, Definition) else []
    return [lsp.DocumentHighlight(ls.range(each)) for each in places if each.source == analysis.source] or None


async def prepare_rename(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range:
    """The name that would be renamed."""
    analysis, at = await ls.at(params)
    try:
        renamable(analysis, at)
    except Invalid as error:
        raise Failed(str(error)) from None
    token = analysis.name_at(at)
    assert token
    return ls.range(token.span)


async def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """Another name for what a name means, in all texts or in none."""
    analysis, at = await ls.at(params)
    try:
        found = renamable(analysis, at)
        analyses = [each for each in await ls.naming(found.name) if len(each.occurrences(found.span)) > 1]
        analyses = [analysis, *(each for each in analyses if each is not analysis)]
        opened = {real(each.source.path): each.source.text for each in ls.documents}
        edits = await ls.documents.run(
            lambda: renamed(analyses, found.span, params.new_name, lambda texts: _again(analyses, opened, texts))
        )
    except Error as error:
        raise Failed(str(error)) from None
    return ls.workspace_edit(edits)


def _again(analyses: Sequence[Analysis], opened: dict[str, str], texts: Any) -> list[Analysis]:
    """The texts read again, some of them with another text."""
    with loader.opened(opened | {real(path): text for path, text in texts.items()}):
        sources = [each.source for each in analyses]
        return [analyse(Source(each.path, texts.get(each.path, each.text)), advice=False) for each in sources]


# Repairs


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The repairs of what is wrong at a place, and all repairs of the text that leave no choice."""
    analysis = await ls.documents.known(params.text_document.uri)
    wanted = span_of(analysis.source, params.range, ls.encoding)
    here = [
        each for each in fixes.repairs(analysis) if _touch(each.finding.span, wanted) or _touch(each.edit.span, wanted)
    ]
    actions = [
        lsp.CodeAction(
            title=printable(f"{each.advice[0].upper()}{each.advice[1:]}"),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[ls.diagnostic(each.finding)],
            is_preferred=each.sole,
            edit=ls.workspace_edit({analysis.source: [each.edit]}),
        )
        for each in here
    ]
    if edits := fixes.all_repairs(analysis):
        edit = ls.workspace_edit({analysis.source: edits})
        actions.append(lsp.CodeAction(title="Repair all", kind="source.fixAll.cpl", edit=edit))
    only = params.context.only
    return [each for each in actions if not only or any(str(each.kind).startswith(str(kind)) for kind in only)]


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_HOVER: (hover, None),
    lsp.TEXT_DOCUMENT_DEFINITION: (definition, None),
    lsp.TEXT_DOCUMENT_REFERENCES: (references, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (highlight, None),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (prepare_rename, None),
    lsp.TEXT_DOCUMENT_RENAME: (rename, lsp.RenameOptions(prepare_provider=True)),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (
        code_action,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    ),
}
