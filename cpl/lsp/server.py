"""The server: each request of the protocol, answered from what is known of the text."""

import logging
import os
from collections.abc import Iterator, Sequence
from functools import partial, wraps
from inspect import iscoroutinefunction
from itertools import islice
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from cpl import __version__, loader
from cpl.compiler import compile_meaning
from cpl.diagnostics import CplError, Diagnostic, Error, Invalid, has_errors
from cpl.editor import fixes
from cpl.editor.analysis import Analysis, analyse
from cpl.editor.definitions import Definition
from cpl.editor.edits import Edit
from cpl.editor.hover import hover as hover_at
from cpl.editor.rename import renamable
from cpl.editor.rename import rename as renamed
from cpl.lsp import run
from cpl.lsp.documents import Document, Documents, path_of, uri_of
from cpl.lsp.positions import Encoding, offset, range_of, span_of, text_edit
from cpl.source import Source, Span

_SEVERITIES: Final = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}

MOST_FILES: Final = 2000
"""So many files of the folders in the editor are searched for uses of a name."""


class Failed(JsonRpcException):
    """A request that cannot be fulfilled, in one plain line for the user."""

    CODE = lsp.LSPErrorCodes.RequestFailed
    MESSAGE = "this cannot be done"


class _Protocol(LanguageServerProtocol):
    """The protocol without texts of its own: `Documents` has them."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Iterator[Any]:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None


class Server(LanguageServer):
    """The language server, with the texts that are open."""

    def __init__(self) -> None:
        super().__init__("cpl", __version__, protocol_cls=_Protocol)
        self.documents = Documents(self._publish)
        self.is_ended = False

    def shutdown(self) -> None:
        """End the server, whatever it is doing."""
        self.documents.shut()
        super().shutdown()  # type: ignore[no-untyped-call]

    @property
    def encoding(self) -> Encoding:
        """The units in which the client counts columns."""
        return self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16

    def _publish(self, document: Document, analysis: Analysis) -> None:
        found = [self._diagnostic(each) for each in analysis.diagnostics if each.span.source == analysis.source]
        elsewhere = [each for each in analysis.diagnostics if each.span.source != analysis.source]
        found += [self._of_another_text(each, analysis.source) for each in elsewhere if each.severity == "error"]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(document.uri, found, document.version))

    def _diagnostic(self, found: Diagnostic) -> lsp.Diagnostic:
        help = [f"help: {found.help}"] if found.help else []
        text = ": ".join(filter(None, [found.message, found.label]))
        related = [lsp.DiagnosticRelatedInformation(self.location(span), label) for span, label in found.related]
        return lsp.Diagnostic(
            range=self.range(found.span),
            message="\n".join([text, *help]),
            severity=_SEVERITIES[found.severity],
            code=found.code,
            source="cpl",
            related_information=related,
            tags=[lsp.DiagnosticTag.Unnecessary] if found.code in _UNNECESSARY else None,
        )

    def _of_another_text(self, found: Diagnostic, source: Source) -> lsp.Diagnostic:
        """An error in a text that is compiled with this one."""
        shown = self._diagnostic(found)
        shown.message = f"in {found.span.source.name}: {shown.message}"
        shown.related_information = [lsp.DiagnosticRelatedInformation(self.location(found.span), found.message)]
        shown.range = self.range(Span(source, 0, len(source.line(1))))
        return shown

    def range(self, span: Span) -> lsp.Range:
        """The range of a span."""
        return range_of(span, self.encoding)

    def location(self, span: Span) -> lsp.Location:
        """The place of a span in its file."""
        return lsp.Location(self.uri(span.source.path), self.range(span))

    def uri(self, path: str) -> str:
        """The address of a text: that under which it is open, if it is."""
        real = os.path.realpath(path)
        is_open = (
            each.uri
            for each in self.documents
            if each.source.path == path or real == os.path.realpath(each.source.path)
        )
        return next(is_open, None) or uri_of(path)

    async def at(self, params: Any) -> tuple[Analysis, int]:
        """What is known of the text that a request is about, and the place."""
        analysis = await self.documents.known(params.text_document.uri)
        return analysis, offset(analysis.source, params.position, self.encoding)

    def files(self) -> Iterator[str]:
        """The CPL files of the folders in the editor, and those that are open."""
        yield from (each.source.path for each in self.documents)
        for folder in self.workspace.folders.values():
            for at, folders, names in os.walk(path_of(folder.uri)):
                folders[:] = sorted(each for each in folders if not each.startswith(".") and each != "node_modules")
                yield from (os.path.join(at, each) for each in sorted(names) if each.endswith(".cpl"))

    async def naming(self, name: str) -> list[Analysis]:
        """What is known of all texts in the editor that have this name somewhere, those that are open first."""
        found = [await self.documents.known(each.uri) for each in [*self.documents]]
        seen = {os.path.realpath(each.source.path) for each in found}

        def read(path: str) -> Analysis | None:
            try:
                source = loader.read(Path(path))
            except (CplError, loader.Unreadable):
                return None
            return analyse(source, advice=False) if name in source.text else None

        for path in await self.documents.run(lambda: [*islice(self.files(), MOST_FILES)]):
            if (real := os.path.realpath(path)) not in seen:
                seen.add(real)
                found += filter(None, [await self.documents.run(partial(read, path))])  # texts that change come between
        return found


_UNNECESSARY: Final = {"unused", "never-read", "unreachable"}


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether this is a fault of the server; that a question has no answer is none."""
    return record.levelno >= logging.ERROR and not (
        record.exc_info and isinstance(record.exc_info[1], JsonRpcException)
    )


def make() -> Server:
    """A server with everything that it can do."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    server = Server()
    from cpl.lsp import shape

    for feature, (handler, options) in (_FEATURES | shape.FEATURES).items():
        is_question = feature.startswith("textDocument/") and iscoroutinefunction(handler)
        server.feature(feature, options)(_current(handler) if is_question else handler)
    for name, command in _COMMANDS.items():
        server.command(name)(command)
    return server


def _current(handler: Any) -> Any:
    """The handler of a request about a text, without an answer if the text has changed meanwhile."""

    @wraps(handler)
    async def current(ls: Server, params: Any) -> Any:
        document = ls.documents[params.text_document.uri]
        revision = document.revision
        answer = await handler(ls, params)
        if document.revision != revision or ls.documents[document.uri] is not document:
            raise JsonRpcContentModified("the text has changed")
        return answer

    return current


def shutdown(ls: Server, params: None) -> None:
    """The editor ends the session."""
    ls.is_ended = True


# Documents


def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """The editor has opened a text."""
    document = params.text_document
    ls.documents.open(document.uri, document.text, document.version)


def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """The editor has changed a text."""
    document = params.text_document
    ls.documents.change(document.uri, document.version, params.content_changes, ls.encoding)


def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """The editor has closed a text."""
    uri = params.text_document.uri
    ls.documents.close(uri)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def did_change_files(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Files have changed that the editor watches."""
    ls.documents.refresh()


# Names


async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """What is known of a name."""
    found = hover_at(*await ls.at(params))
    if found is None:
        return None
    code = "\n".join(found.code)
    text = "\n\n".join(filter(None, [f"```cpl\n{code}\n```" if code else "", found.words]))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.range(found.span))


def _definition(analysis: Analysis, offset: int) -> Definition | None:
    token = analysis.name_at(offset)
    found = analysis.meaning_of(token.span) if token else None
    return found if isinstance(found, Definition) else None


async def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Where a name is defined."""
    found = _definition(*await ls.at(params))
    return ls.location(found.span) if found else None


async def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    """Where a name is used, in all texts of the editor."""
    found = _definition(*await ls.at(params))
    if found is None:
        return None
    places = {place for each in await ls.naming(found.name) for place in each.occurrences(found.span)}
    if not params.context.include_declaration:
        places.discard(found.span)
    return [ls.location(each) for each in sorted(places, key=lambda each: (each.source.path, each.start))]


async def highlight(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
    """Where in its text the name at a place is used."""
    analysis, at = await ls.at(params)
    found = _definition(analysis, at)
    places = analysis.occurrences(found.span) if found else []
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
        opened = {os.path.realpath(each.source.path): each.source.text for each in ls.documents}
        edits = await ls.documents.run(
            lambda: renamed(analyses, found.span, params.new_name, lambda texts: _again(analyses, opened, texts))
        )
    except Error as error:
        raise Failed(str(error)) from None
    return _workspace_edit(ls, edits)


def _again(analyses: Sequence[Analysis], opened: dict[str, str], texts: Any) -> list[Analysis]:
    """The texts read again, some of them with another text."""
    with loader.opened(opened | {os.path.realpath(path): text for path, text in texts.items()}):
        sources = [each.source for each in analyses]
        return [analyse(Source(each.path, texts.get(each.path, each.text)), advice=False) for each in sources]


def _workspace_edit(ls: Server, edits: dict[Source, list[Edit]]) -> lsp.WorkspaceEdit:
    """The edits, each for the version of the text that it was made for."""
    versions = {each.uri: each.version for each in ls.documents}
    changes = []
    for source, several in edits.items():
        uri = ls.uri(source.path)
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri))
        changes.append(lsp.TextDocumentEdit(identifier, [text_edit(each, ls.encoding) for each in several]))
    return lsp.WorkspaceEdit(document_changes=changes)


# Repairs


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The repairs of what is wrong at a place, and of all that is wrong."""
    analysis = await ls.documents.known(params.text_document.uri)
    wanted = span_of(analysis.source, params.range, ls.encoding)
    every = fixes.repairs(analysis)
    here = [each for each in every if _touch(each.finding.span, wanted) or _touch(each.edit.span, wanted)]
    actions = [
        lsp.CodeAction(
            title=f"{each.advice[0].upper()}{each.advice[1:]}",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[ls._diagnostic(each.finding)],
            is_preferred=each.likeliest,
            edit=_workspace_edit(ls, {analysis.source: [each.edit]}),
        )
        for each in here
    ]
    if every:
        edit = _workspace_edit(ls, {analysis.source: fixes.all_repairs(analysis)})
        actions.append(lsp.CodeAction(title="Repair all", kind="source.fixAll.cpl", edit=edit))
    only = params.context.only
    return [each for each in actions if not only or any(str(each.kind).startswith(str(kind)) for kind in only)]


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


# Commands


async def show_python(ls: Server, uri: str) -> dict[str, Any]:
    """The Python of a text, and for each of its lines the first and the last line of CPL that it comes from, from 0."""
    analysis = await ls.documents.known(uri)
    if has_errors(analysis.meaning.diagnostics):
        raise Failed("this text has errors, so there is no Python of it")
    try:
        compiled = await ls.documents.run(lambda: compile_meaning(analysis.meaning))
    except CplError as error:
        raise Failed(error.diagnostics[0].message) from None
    lines: list[list[int] | None] = []
    for number in range(1, compiled.python.count("\n") + 1):
        span = compiled.line_map.get(number)
        is_own = span is not None and span.source == analysis.source
        lines.append(
            [span.line - 1, span.source.line_at(max(span.start, span.end - 1)) - 1] if span and is_own else None
        )
    return {"python": compiled.python, "lines": lines}


async def run_text(ls: Server, uri: str, call: str | None = None) -> dict[str, Any]:
    """What a text writes when it runs, and the value of a call if there is one."""
    source = ls.documents[uri].source
    output, ok = await run.run(source, call)
    return {"output": output, "ok": ok}


_FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.SHUTDOWN: (shutdown, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (did_open, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (did_change, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (did_close, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (did_change_files, None),
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
_COMMANDS: Final[dict[str, Any]] = {"cpl.showPython": show_python, "cpl.run": run_text}
