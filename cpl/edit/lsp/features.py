"""All features and commands of the server, and how it learns what happens to texts in the editor."""

import asyncio
import json
import logging
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from cpl import outside
from cpl.compiler import compile_meaning
from cpl.diagnostics import CplError, has_errors
from cpl.edit.lsp import assistance, meanings, presentation
from cpl.edit.lsp.server import Failed, Server
from cpl.limits import MOST_BYTES_OF_OUTPUT, SERVED_RUN_BYTES, SERVED_RUN_SECONDS
from cpl.loader import MANIFEST
from cpl.source import Source

COMMANDS: Final = ("cpl.showPython", "cpl.run")


_RUN: Final = "import sys; from cpl.cli.run import run_unsaved; sys.exit(run_unsaved())"
"""The script of a process that runs a text."""


def make() -> Server:
    """A server with everything that it can do."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    server = Server()
    for feature, (handler, options) in (
        _SESSION | meanings.FEATURES | assistance.FEATURES | presentation.FEATURES
    ).items():
        is_question = feature.startswith("textDocument/") and iscoroutinefunction(handler)
        server.protocol.fm.builtin_features.pop(feature, None)  # which would keep texts of its own
        server.feature(feature, options)(_current(handler) if is_question else handler)
    for name in COMMANDS:
        server.command(name)(obey)
    return server


def _is_fault(record: logging.LogRecord) -> bool:
    """Tell whether this is a fault of the server; a question without an answer is none."""
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


# The session


def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    """Ask an editor that can watch files to watch ours."""
    if get_capability(ls.client_capabilities, "workspace.did_change_watched_files.dynamic_registration"):
        watchers = [lsp.FileSystemWatcher("**/*.cpl"), lsp.FileSystemWatcher(f"**/{MANIFEST}")]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        ls.client_register_capability(lsp.RegistrationParams([registration]))


def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """Read a text that the editor has opened."""
    ls.documents.open(params.text_document)


def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Read a text again that the editor has changed."""
    ls.documents.change(params, ls.encoding)


def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """Forget a text that the editor has closed, with its diagnostics."""
    uri = params.text_document.uri
    ls.documents.close(uri)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def did_change_files(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Read all texts again, since files have changed."""
    ls.documents.refresh()


# Commands


async def obey(ls: Server, params: lsp.ExecuteCommandParams) -> dict[str, Any]:
    """Show the Python of a text, or run it and evaluate a call in it if there is one. Raises JsonRpcInvalidParams for
    other commands and other arguments.
    """
    match [params.command, *(params.arguments or ())]:
        case ["cpl.showPython", str(uri)]:
            return await show_python(ls, uri)
        case ["cpl.run", str(uri)]:
            return await run(ls.documents[uri].source)
        case ["cpl.run", str(uri), str() | None as call]:
            return await run(ls.documents[uri].source, call)
        case _:
            raise JsonRpcInvalidParams("this is no command, or these are not its arguments")


async def show_python(ls: Server, uri: str) -> dict[str, Any]:
    """The Python of a text, and for each of its lines the first and the last line of CPL that it comes from, from 0."""
    analysis = await ls.documents.analysis(uri)
    if has_errors(analysis.meaning.diagnostics):
        raise Failed("this text has errors, so there is no Python of it")
    try:
        compiled = await ls.documents.run(lambda: compile_meaning(analysis.meaning))
    except CplError as error:
        raise Failed(error.diagnostics[0].message) from None
    spans = [compiled.origin(number) for number in range(1, compiled.python.count("\n") + 1)]
    lines = [[span.line - 1, span.last_line - 1] if span else None for span in spans]
    return {"python": compiled.python, "lines": lines}


async def run(source: Source, call: str | None = None) -> dict[str, Any]:
    """Run a text in a process of its own. Return what it writes, with the value of the call at the end, as `output`;
    and as `ok` whether all went well.
    """
    request = json.dumps([source.path, source.text, call]).encode()
    child = outside.start("-c", _RUN, seconds=SERVED_RUN_SECONDS, memory=SERVED_RUN_BYTES)
    try:
        output, status = await asyncio.to_thread(
            partial(outside.finish, child, request, most=MOST_BYTES_OF_OUTPUT, seconds=SERVED_RUN_SECONDS)
        )
    finally:
        outside.kill(child)  # if nobody waits for it any more
    shown = output.decode("utf-8", "replace")
    return {
        "output": shown + (f"\nended after {SERVED_RUN_SECONDS} seconds\n" if status is None else ""),
        "ok": status == 0,
    }


_SESSION: Final[dict[str, tuple[Any, Any]]] = {
    lsp.INITIALIZED: (initialized, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (did_open, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (did_change, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (did_close, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (did_change_files, None),
    lsp.WORKSPACE_EXECUTE_COMMAND: (obey, None),
}
