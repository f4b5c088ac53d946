"""The server: the texts that are open in an editor, and what the protocol wants to be told of them."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from cpl import __version__
from cpl.compiler import loader
from cpl.compiler.diagnostics import CplError, Diagnostic
from cpl.compiler.source import Source, Span
from cpl.editors.edits import Edit
from cpl.editors.lsp.documents import Document, Documents
from cpl.editors.lsp.protocol import Encoding, Protocol, offset, path_of, range_of, text_edit, uri_of
from cpl.editors.questions import ask
from cpl.editors.text_analysis import Analysis, analyse
from cpl.limits import MOST_FILES_SEARCHED, MOST_FOLDERS_SEARCHED
from cpl.outside import TooManyFolders, files_below, printable, real

_Reading = TypeVar("_Reading")

_SEVERITIES: Final = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}

_UNNECESSARY: Final = {"unused", "never-read", "unreachable"}


@dataclass(frozen=True)
class Search:
    """The files in the folders of the editor that are read, each with its folder; and how many more there are, or that
    there are more folders than are searched.
    """

    files: list[tuple[Path, Path]]
    left: int
    has_more_folders: bool

    @property
    def limit(self) -> str:
        """What kept the search from all files, in words; empty if nothing did."""
        if self.has_more_folders:
            return f"there are more than the {MOST_FOLDERS_SEARCHED:,} folders that are searched"
        if self.left:
            found = len(self.files) + self.left
            return f"the folders have {found:,} files that end in .cpl, of which only {MOST_FILES_SEARCHED:,} are read"
        return ""


class Failed(JsonRpcException):
    """A request that cannot be fulfilled, in one plain line for the user."""

    CODE = lsp.LSPErrorCodes.RequestFailed

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class Server(LanguageServer):
    """The language server, with the texts that are open."""

    def __init__(self) -> None:
        super().__init__("cpl", __version__, protocol_cls=Protocol)
        self.documents = Documents(self._publish, self._blame)
        self._told: set[str] = set()

    def shutdown(self) -> None:
        """End the server, whatever it is doing."""
        self.documents.shut()
        super().shutdown()  # type: ignore[no-untyped-call]

    @property
    def is_ended(self) -> bool:
        """Whether the editor has ended the session."""
        return self.protocol._shutdown

    # Diagnostics

    def _publish(self, document: Document, analysis: Analysis) -> None:
        """Tell the editor what is wrong with a text, and the errors in texts that are compiled with it."""
        problems: list[Diagnostic] = ask("problems", analysis)
        here = [self.diagnostic(finding) for finding in problems if finding.span.source == analysis.source]
        elsewhere = [
            self._diagnostic_of_other_text(finding, analysis.source)
            for finding in problems
            if finding.span.source != analysis.source and finding.severity == "error"
        ]
        published = lsp.PublishDiagnosticsParams(document.uri, here + elsewhere, document.version)
        self.text_document_publish_diagnostics(published)

    def _diagnostic_of_other_text(self, finding: Diagnostic, source: Source) -> lsp.Diagnostic:
        """A finding in another text, at the first line of the text that is compiled with it."""
        diagnostic = self.diagnostic(finding)
        place = lsp.DiagnosticRelatedInformation(self.location(finding.span), printable(finding.message))
        diagnostic.related_information = [place]
        diagnostic.message = f"in {finding.span.source.name}: {diagnostic.message}"
        diagnostic.range = self.range(Span(source, 0, len(source.line(1))))
        return diagnostic

    def _blame(self, error: Exception) -> None:
        """Report what only a bug of ours can have raised: without a word it would seem that the text has no errors."""
        text = f"cpl lsp: internal error in cpl lsp (your program is not to blame): {type(error).__name__}: {error}"
        logging.error(text, exc_info=error)
        self._tell(lsp.MessageType.Error, text)

    def _tell(self, kind: lsp.MessageType, text: str) -> None:
        """Show a message to the user, and not again at every key."""
        if text not in self._told:
            self._told.add(text)
            self.window_show_message(lsp.ShowMessageParams(kind, text))

    def tell_limit(self, search: Search) -> None:
        """Tell the user that an answer is incomplete, if it is."""
        if search.limit:
            self._tell(lsp.MessageType.Warning, f"CPL: what was found is incomplete: {search.limit}")

    def diagnostic(self, finding: Diagnostic) -> lsp.Diagnostic:
        """A finding in the terms of the protocol."""
        text = ": ".join(filter(None, [finding.message, finding.label]))
        if finding.help:
            text += f"\nhelp: {finding.help}"

        related = []
        for span, label in finding.related:
            related.append(lsp.DiagnosticRelatedInformation(self.location(span), printable(label)))

        return lsp.Diagnostic(
            range=self.range(finding.span),
            message=printable(text),
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            source="cpl",
            related_information=related,
            tags=[lsp.DiagnosticTag.Unnecessary] if finding.code in _UNNECESSARY else None,
        )

    # Places

    @property
    def encoding(self) -> Encoding:
        """The units in which the client counts columns."""
        return self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16

    def range(self, span: Span) -> lsp.Range:
        """The range of a span."""
        return range_of(span, self.encoding)

    def offset(self, source: Source, place: lsp.Position) -> int:
        """The offset of a place in a text."""
        return offset(source, place, self.encoding)

    def location(self, span: Span) -> lsp.Location:
        """The place of a span in its file."""
        return lsp.Location(self.uri(span.source.path), self.range(span))

    def uri(self, path: str) -> str:
        """The address of a text: that under which it is open, if it is."""
        file = real(path)
        for document in self.documents:
            name = document.source.path
            if path == name or file == real(name):
                return document.uri
        return uri_of(path)

    def workspace_edit(self, edits: dict[Source, list[Edit]]) -> lsp.WorkspaceEdit:
        """The edits, each for the version of the text that it was made for."""
        versions = {document.uri: document.version for document in self.documents}
        changes = []
        for source, edits_of_text in edits.items():
            uri = self.uri(source.path)
            identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri))
            text_edits = [text_edit(edit, self.encoding) for edit in edits_of_text]
            changes.append(lsp.TextDocumentEdit(identifier, text_edits))
        return lsp.WorkspaceEdit(document_changes=changes)

    # Texts

    async def at(self, params: Any) -> tuple[Analysis, int]:
        """Return the analysis of the text that a request is about, and the place."""
        analysis = await self.documents.analysis(params.text_document.uri)
        return analysis, self.offset(analysis.source, params.position)

    async def analyses(self) -> list[Analysis]:
        """Return the analyses of all open texts."""
        uris = [document.uri for document in self.documents]  # texts may be opened and closed meanwhile
        return [await self.documents.analysis(uri) for uri in uris]

    async def closed(self, read: Callable[[Source], _Reading | None]) -> tuple[list[_Reading], Search]:
        """Return what is read from files in the folders of the editor that are not open, without None; and where it was
        looked for.
        """
        seen = {real(document.source.path) for document in self.documents}

        def of_file(path: Path, folder: Path) -> _Reading | None:
            try:
                return read(loader.read(path, below=[folder]))
            except (CplError, loader.Unreadable):
                return None

        uris = [folder.uri for folder in self.workspace.folders.values()]
        folders = [Path(path_of(uri)) for uri in uris if uri.startswith("file:")]
        search = await asyncio.to_thread(_search, folders)

        readings = []
        for path, folder in search.files:
            file = real(path)
            if file in seen:
                continue
            seen.add(file)
            # One by one, so that texts that the user changes are read in between.
            reading = await self.documents.run(partial(of_file, path, folder))
            if reading is not None:
                readings.append(reading)
        return readings, search

    async def naming(self, name: str) -> tuple[list[Analysis], Search]:
        """Return the analyses of all texts in the editor that may have this name, the open ones first; and where others
        were looked for.
        """

        def read(source: Source) -> Analysis | None:
            return analyse(source, advice=False) if name in source.text else None

        opened = await self.analyses()
        closed, search = await self.closed(read)
        return opened + closed, search


def _search(folders: list[Path]) -> Search:
    """Look for the files of CPL in these folders."""
    files: list[tuple[Path, Path]] = []
    left = 0
    has_more_folders = False
    for folder in folders:
        try:
            for path in files_below(folder, ".cpl", "node_modules", MOST_FOLDERS_SEARCHED):
                if len(files) < MOST_FILES_SEARCHED:
                    files.append((path, folder))
                else:
                    left += 1
        except TooManyFolders:
            has_more_folders = True
    return Search(files, left, has_more_folders)
