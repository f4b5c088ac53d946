"""All features and commands of the server, and how it learns what happens to texts in the editor.

Most features put a question about a text: `ANSWERED` says which, and how its answer is written in the protocol.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from itertools import chain
from typing import Any, Final, NamedTuple

from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from cpl import processes
from cpl.compiler.diagnostics import CplError, Error, has_errors
from cpl.compiler.loader import MANIFEST
from cpl.compiler.source import Source
from cpl.compiler.syntax.parser import parse
from cpl.editors.lsp import answers
from cpl.editors.lsp.protocol import span_of
from cpl.editors.lsp.server import Failed, Server
from cpl.editors.outline import Symbol, outline
from cpl.editors.questions import ask
from cpl.editors.text_analysis import Analysis
from cpl.limits import MOST_BYTES_OF_OUTPUT, SERVED_RUN_BYTES, SERVED_RUN_SECONDS
from cpl.outside import markdown, real

COMMANDS: Final = ("cpl.showPython", "cpl.run")

_RUN: Final = "import sys; from cpl.cli.run import run_unsaved; sys.exit(run_unsaved())"
"""The script of a process that runs a text."""


def make() -> Server:
    """A server with everything that it can do."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    server = Server()
    for method, feature in ANSWERED.items():
        server.feature(method, feature.options)(_current(_handler(feature)))
    for method, (handler, options) in _IN_SEVERAL_TEXTS.items():
        is_about_one = method.startswith("textDocument/")
        server.feature(method, options)(_current(handler) if is_about_one else handler)
    for method, handler in _SESSION.items():
        server.protocol.fm.builtin_features.pop(method, None)  # which would keep texts of its own
        server.feature(method)(handler)
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


# Questions about one text

About = Callable[[Server, Analysis, Any], tuple[Any, ...]]
"""What a question is about beside the text, from the parameters of a request."""


def _text(_ls: Server, _analysis: Analysis, _params: Any) -> tuple[()]:
    """Nothing but the text."""
    return ()


def _place(ls: Server, analysis: Analysis, params: Any) -> tuple[int]:
    """The place of the cursor."""
    return (ls.offset(analysis.source, params.position),)


def _quoted(ls: Server, analysis: Analysis, params: Any) -> tuple[Any, ...]:
    """The place of the cursor, and how foreign text is quoted in Markdown."""
    return (*_place(ls, analysis, params), markdown)


def _range(ls: Server, analysis: Analysis, params: Any) -> tuple[Any, ...]:
    """A part of the text."""
    return (span_of(analysis.source, params.range, ls.encoding),)


class Feature(NamedTuple):
    """How the server answers a request: the `question` in `editors/questions`, what it is about, and how the answer is
    written in the protocol. A question that `takes_long` is answered beside the server, after all that is being read.
    """

    question: str
    about: About
    written: Callable[..., Any]
    options: Any = None
    takes_long: bool = False


ANSWERED: Final[dict[str, Feature]] = {
    lsp.TEXT_DOCUMENT_HOVER: Feature("hover", _quoted, answers.shown),
    lsp.TEXT_DOCUMENT_DEFINITION: Feature("definition", _place, answers.location),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: Feature("occurrences", _place, answers.highlights),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: Feature("renamable", _place, answers.name_range),
    lsp.TEXT_DOCUMENT_CODE_ACTION: Feature(
        "repairs",
        _range,
        answers.code_actions,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    ),
    lsp.TEXT_DOCUMENT_COMPLETION: Feature(
        "completions",
        _place,
        answers.completion_list,
        lsp.CompletionOptions(trigger_characters=["\\", ">", "=", "/"]),
        takes_long=True,
    ),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: Feature(
        "signature",
        _place,
        answers.signature_help,
        lsp.SignatureHelpOptions(trigger_characters=["(", "[", ","]),
        takes_long=True,
    ),
    lsp.TEXT_DOCUMENT_INLAY_HINT: Feature("hints", _range, answers.inlay_hints, takes_long=True),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Feature("outline", _text, answers.document_symbols),
    lsp.TEXT_DOCUMENT_FORMATTING: Feature("format", _text, answers.text_edits),
    lsp.TEXT_DOCUMENT_RANGE_FORMATTING: Feature("format", _range, answers.text_edits),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: Feature(
        "semantic tokens",
        _text,
        answers.semantic_tokens,
        lsp.SemanticTokensLegend(answers.TYPES, answers.MODIFIERS),
    ),
}
"""The requests about one text."""


def _handler(feature: Feature) -> Callable[[Server, Any], Awaitable[Any]]:
    """Return what answers a request with a question."""

    async def handler(ls: Server, params: Any) -> Any:
        analysis = await ls.documents.analysis(params.text_document.uri)
        work = partial(ask, feature.question, analysis, *feature.about(ls, analysis, params))
        try:
            found = await ls.documents.run(work) if feature.takes_long else work()
        except Error as error:
            raise Failed(str(error)) from None
        return feature.written(ls, analysis, params, found)

    return handler


# Questions about several texts


async def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    """Return where a name is used, in all texts of the editor."""
    analysis, at = await ls.at(params)
    definition = ask("definition", analysis, at)
    if definition is None:
        return None
    analyses, search = await ls.naming(definition.name)
    ls.tell_limit(search)
    places = ask("references", analysis, definition.span, analyses)
    is_wanted = params.context.include_declaration
    return [ls.location(place) for place in places if is_wanted or place != definition.span]


async def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """Another name for what a name means, in all texts or in none."""
    analysis, at = await ls.at(params)
    try:
        definition = ask("renamable", analysis, at)
        named, search = await ls.naming(definition.name)
        if search.limit and definition.kind not in _LOCAL:
            raise Failed(f"{definition.name} is not renamed, as it would be in some files only: {search.limit}")
        opened = {real(document.source.path): document.source.text for document in ls.documents}
        work = partial(ask, "rename", analysis, definition.span, params.new_name, named, opened)
        return ls.workspace_edit(await ls.documents.run(work))
    except Error as error:
        raise Failed(str(error)) from None


_LOCAL: Final = ("parameter", "label")
"""Kinds of names that no other text can use."""


async def workspace_symbols(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    """Return the definitions at the top level of all texts whose names have these letters, in this order."""

    def outline_of(source: Source) -> list[Symbol]:
        program, _ = parse(source)
        return outline(program)

    outlines = [ask("outline", analysis) for analysis in await ls.analyses()]
    closed, search = await ls.closed(outline_of)
    ls.tell_limit(search)

    letters = map(re.escape, params.query)
    wanted = re.compile("".join(f"[^{letter}]*{letter}" for letter in letters), re.IGNORECASE)
    found = []
    for symbol in chain(*outlines, *closed):
        if wanted.match(symbol.name):
            kind = answers.SYMBOLS[symbol.kind]
            found.append(lsp.WorkspaceSymbol(ls.location(symbol.name_span), symbol.name, kind))
    return found


_IN_SEVERAL_TEXTS: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_REFERENCES: (references, None),
    lsp.TEXT_DOCUMENT_RENAME: (rename, lsp.RenameOptions(prepare_provider=True)),
    lsp.WORKSPACE_SYMBOL: (workspace_symbols, None),
}


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
        compiled = await ls.documents.run(partial(ask, "python", analysis))
    except CplError as error:
        raise Failed(error.diagnostics[0].message) from None
    lines = []
    for number in range(1, compiled.python.count("\n") + 1):
        span = compiled.origin(number)
        lines.append([span.line - 1, span.last_line - 1] if span else None)
    return {"python": compiled.python, "lines": lines}


async def run(source: Source, call: str | None = None) -> dict[str, Any]:
    """Run a text in a process of its own. Return what it writes, with the value of the call at the end, as `output`;
    and as `ok` whether all went well.
    """
    request = json.dumps([source.path, source.text, call]).encode()
    child = processes.start("-c", _RUN, seconds=SERVED_RUN_SECONDS, memory=SERVED_RUN_BYTES)
    try:
        output, status = await asyncio.to_thread(
            partial(processes.finish, child, request, most=MOST_BYTES_OF_OUTPUT, seconds=SERVED_RUN_SECONDS)
        )
    finally:
        processes.kill(child)  # if nobody waits for it any more
    shown = output.decode("utf-8", "replace")
    if status is None:
        shown += f"\nended after {SERVED_RUN_SECONDS} seconds\n"
    return {"output": shown, "ok": status == 0}


_SESSION: Final[dict[str, Any]] = {
    lsp.INITIALIZED: initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: did_open,
    lsp.TEXT_DOCUMENT_DID_CHANGE: did_change,
    lsp.TEXT_DOCUMENT_DID_CLOSE: did_close,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_files,
    lsp.WORKSPACE_EXECUTE_COMMAND: obey,
}
