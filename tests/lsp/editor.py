"""An editor that does what its test says, with the real server behind it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient, client_capabilities

SECONDS = 60
"""Longer nothing takes, however busy the machine is."""

Key = tuple[str, int | None]


class Editor:
    """Texts that are open, and what the server has said of them."""

    def __init__(self, *encodings: lsp.PositionEncodingKind) -> None:
        self.client = LanguageClient()
        self.published: list[lsp.PublishDiagnosticsParams] = []
        self.messages: list[str] = []
        self._capabilities = client_capabilities("visual-studio-code")
        if encodings:
            self._capabilities.general = lsp.GeneralClientCapabilities(position_encodings=[*encodings])
        self._news = asyncio.Event()
        self.encoding: Any = None
        self._asked = 0

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            self._news.set()

        @self.client.feature(lsp.WINDOW_LOG_MESSAGE)
        def logged(params: lsp.LogMessageParams) -> None:
            self.messages.append(params.message)

    async def start(self, folder: Path | None) -> lsp.InitializeResult:
        """Start the server for a folder."""
        await self.client.start_io(sys.executable, "-m", "cpl", "lsp")
        folders = [lsp.WorkspaceFolder(folder.as_uri(), folder.name)] if folder else None
        params = lsp.InitializeParams(self._capabilities, workspace_folders=folders)
        result = await asyncio.wait_for(self.client.initialize_session(params), SECONDS)
        self.encoding = result.capabilities.position_encoding
        return result

    async def stop(self) -> int | None:
        """End the session: the exit status of the server."""
        if self.client.stopped:
            return 0
        await asyncio.wait_for(self.client.shutdown_session(), SECONDS)
        server = self.client._server
        await self.client.stop()
        return server and server.returncode

    # Texts

    def open(self, uri: str, text: str, version: int = 1) -> str:
        """Open a text; the result is its address."""
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "cpl", version, text))
        )
        return uri

    def open_file(self, path: Path) -> str:
        """Open a file."""
        return self.open(path.as_uri(), path.read_text(encoding="utf-8"))

    def change(self, uri: str, version: int, *changes: lsp.TextDocumentContentChangeEvent | str) -> None:
        """Change a text; a change that is a string is the whole text."""
        events = [
            lsp.TextDocumentContentChangeWholeDocument(each) if isinstance(each, str) else each for each in changes
        ]
        identifier = lsp.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, events))

    def close(self, uri: str) -> None:
        """Close a text."""
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    async def findings(self, uri: str, version: int | None = 1, *, after: int = 0) -> list[lsp.Diagnostic]:
        """What the server says of this version of a text, of its notifications from number `after` on."""

        async def wait() -> list[lsp.Diagnostic]:
            while True:
                for each in self.published[after:]:
                    if (each.uri, each.version) == (uri, version):
                        return [*each.diagnostics]
                self._news.clear()
                await self._news.wait()

        return await asyncio.wait_for(wait(), SECONDS)

    # Questions

    async def ask(self, method: str, params: Any) -> Any:
        """The answer to a request."""
        return await asyncio.wait_for(self.client.protocol.send_request_async(method, params), SECONDS)

    def send(self, method: str, params: dict[str, Any], number: str) -> Any:
        """Send a request of this number: the future of its answer."""
        message = {"id": number, "jsonrpc": "2.0", "method": method, "params": params}
        structured = self.client.protocol._converter.structure(message, lsp.METHOD_TO_TYPES[method][0])
        return self.client.protocol.send_request(method, structured.params, number)

    async def at(self, method: str, uri: str, line: int, column: int, **more: Any) -> Any:
        """The answer to a request about a place; lines and columns count from 0."""
        self._asked += 1
        params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}, **more}
        answer = self.send(method, params, f"question {self._asked}")
        return await asyncio.wait_for(asyncio.wrap_future(answer), SECONDS)

    async def command(self, name: str, *arguments: Any) -> Any:
        """The answer to a command."""
        return await self.ask(lsp.WORKSPACE_EXECUTE_COMMAND, lsp.ExecuteCommandParams(name, arguments=[*arguments]))


@asynccontextmanager
async def editing(folder: Path | None = None, *encodings: lsp.PositionEncodingKind) -> AsyncIterator[Editor]:
    """An editor with a server, which must end well."""
    editor = Editor(*encodings)
    await editor.start(folder)
    yield editor
    assert await editor.stop() == 0
    assert editor.messages == []


def place(text: str, of: str, within: int = 0) -> tuple[int, int]:
    """Line and column, in UTF-16 units, of the first occurrence of some words, or of a character within them."""
    before = text[: text.index(of) + within]
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


def shown(text: str, at: lsp.Range) -> str:
    """What a range of a text holds, in UTF-16 units."""
    lines = [each.encode("utf-16-le") for each in text.split("\n")]
    if at.start.line == at.end.line:
        part = lines[at.start.line][at.start.character * 2 : at.end.character * 2]
    else:
        whole = lines[at.start.line : at.end.line + 1]
        whole = [whole[0][at.start.character * 2 :], *whole[1:-1], whole[-1][: at.end.character * 2]]
        part = "\n".encode("utf-16-le").join(whole)
    return part.decode("utf-16-le")
