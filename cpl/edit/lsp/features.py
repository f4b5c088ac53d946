"""All that the server can do, and how it learns what happens to texts in the editor."""

import logging
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcContentModified, JsonRpcException

from cpl.edit.lsp import commands, meanings, presentation
from cpl.edit.lsp.server import Server
from cpl.loader import MANIFEST


def make() -> Server:
    """A server with everything that it can do."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    server = Server()
    for feature, (handler, options) in (_SESSION | meanings.FEATURES | presentation.FEATURES).items():
        is_question = feature.startswith("textDocument/") and iscoroutinefunction(handler)
        server.protocol.fm.builtin_features.pop(feature, None)  # which would keep texts of its own
        server.feature(feature, options)(_current(handler) if is_question else handler)
    for name in commands.NAMES:
        server.command(name)(commands.obey)
    return server


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether this is a fault of the server; that a question has no answer is none."""
    error = record.exc_info[1] if record.exc_info else None
    return record.levelno >= logging.ERROR and not isinstance(error, JsonRpcException)


def _current(handler: Any) -> Any:
    """The handler of a request about a text, without an answer if the text has changed meanwhile."""

    @wraps(handler)
    async def current(ls: Server, params: Any) -> Any:
        source = ls.documents[params.text_document.uri].source
        answer = await handler(ls, params)
        if ls.documents[params.text_document.uri].source is not source:
            raise JsonRpcContentModified("the text has changed")
        return answer

    return current


def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    """Ask an editor that can watch files to watch ours."""
    if get_capability(ls.client_capabilities, "workspace.did_change_watched_files.dynamic_registration"):
        watchers = [lsp.FileSystemWatcher("**/*.cpl"), lsp.FileSystemWatcher(f"**/{MANIFEST}")]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        ls.client_register_capability(lsp.RegistrationParams([registration]))


def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """Read a text that the editor has opened."""
    document = params.text_document
    ls.documents.open(document.uri, document.text, document.version)


def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Read a text again that the editor has changed."""
    document = params.text_document
    ls.documents.change(document.uri, document.version, params.content_changes, ls.encoding)


def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """Forget a text that the editor has closed, with its diagnostics."""
    uri = params.text_document.uri
    ls.documents.close(uri)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def did_change_files(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Read all texts again, since files have changed."""
    ls.documents.refresh()


_SESSION: Final[dict[str, tuple[Any, Any]]] = {
    lsp.INITIALIZED: (initialized, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (did_open, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (did_change, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (did_close, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (did_change_files, None),
    lsp.WORKSPACE_EXECUTE_COMMAND: (commands.obey, None),
}
