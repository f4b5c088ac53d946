"""The protocol in terms of ours: places, addresses, and messages.

Lines count from 0, columns in the units of the client. pygls leaves requests without an answer whose parameters do not
fit, or that come outside of the session; here they get an error.
"""

import os
import re
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol, lsp_method

from cpl import outside, processes
from cpl.compiler.diagnostics import Error
from cpl.compiler.source import Source, Span, utf16_units
from cpl.editors.edits import Edit
from cpl.limits import MOST_BYTES_OF_HEADER, MOST_BYTES_OF_MESSAGE, MOST_DIGITS_OF_LENGTH

Encoding = lsp.PositionEncodingKind | str

_ANNOUNCED: Final = re.compile(rb"(?i:content-length):[ \t]*0*(\d+)\s*")


def path_of(uri: str) -> str:
    """Return what messages call the text: its path, or the address of one that has none."""
    with suppress(ValueError):  # half a bracket in the address, half a surrogate pair in the path
        path = uris.to_fs_path(uri) or unquote(urlsplit(uri).path) or uri
        if b"\0" not in os.fsencode(path):
            return path
    return outside.printable(uri)


def uri_of(path: str) -> str:
    """The address of a file."""
    return Path(os.path.abspath(path)).as_uri()


def _units(text: str, encoding: Encoding) -> int:
    """The length of a text in the units of an encoding."""
    if encoding == lsp.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    if encoding == lsp.PositionEncodingKind.Utf32:
        return len(text)
    return utf16_units(text)


def position(source: Source, offset: int, encoding: Encoding) -> lsp.Position:
    """The place before the character at `offset`."""
    line = source.line_at(offset)
    before = source.text[source.start_of(line) : offset]
    return lsp.Position(line - 1, _units(before, encoding))


def offset(source: Source, place: lsp.Position, encoding: Encoding) -> int:
    """The offset of a place; beyond the end of a line that is the end of the line, beyond the last line that of the
    text. A place within a character is before it.
    """
    if place.line >= source.lines:
        return len(source.text)
    start = source.start_of(place.line + 1)
    line = source.line(place.line + 1)
    if line.isascii():  # one unit each
        return start + min(place.character, len(line))

    column = units = 0
    for character in line:
        units += _units(character, encoding)
        if units > place.character:
            break
        column += 1
    return start + column


def range_of(span: Span, encoding: Encoding) -> lsp.Range:
    """The range of a span."""
    return lsp.Range(position(span.source, span.start, encoding), position(span.source, span.end, encoding))


def span_of(source: Source, place: lsp.Range, encoding: Encoding) -> Span:
    """The span of a range, whichever of its ends comes first."""
    ends = [offset(source, end, encoding) for end in (place.start, place.end)]
    return Span(source, min(ends), max(ends))


def text_edit(edit: Edit, encoding: Encoding) -> lsp.TextEdit:
    """An edit in the terms of the protocol."""
    return lsp.TextEdit(range_of(edit.span, encoding), edit.text)


class Unreadable(Error):
    """The editor sends what can be no message, so that nobody can say where its next one begins."""


class Input:
    """The messages of the editor, as pygls reads them: line by line, and then so many bytes. No line and no message may
    be so long that it fills the memory.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Read a line before a message. Raises Unreadable if it is too long, or announces too much."""
        line = self._stream.readline(MOST_BYTES_OF_HEADER)
        if len(line) == MOST_BYTES_OF_HEADER:
            raise Unreadable(f"the editor sent a line of more than {MOST_BYTES_OF_HEADER:,} bytes before a message")

        announced = _ANNOUNCED.fullmatch(line)
        if announced is None:
            return line
        digits = announced[1].decode()
        is_cut = len(digits) > MOST_DIGITS_OF_LENGTH  # before it is converted, which takes long for many digits
        if is_cut or int(digits) > MOST_BYTES_OF_MESSAGE:
            length = f"{digits[:MOST_DIGITS_OF_LENGTH]}…" if is_cut else digits
            raise Unreadable(
                f"the editor announced a message of {length} bytes, and at most {MOST_BYTES_OF_MESSAGE} are read"
            )
        return b"Content-Length: %b\r\n" % announced[1]  # pygls wants it exactly so

    def read(self, size: int) -> bytes:
        """Read a message."""
        return self._stream.read(size)


class Protocol(LanguageServerProtocol):
    """The language server protocol of one session."""

    def structure_message(self, data: Any) -> Any:
        """Return a message in the types of the protocol. Answer a request whose parameters do not fit with an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        """Handle a message of the session. Answer a request outside of it, or to begin it again, with an error."""
        method = getattr(message, "method", lsp.EXIT)  # what the editor answers has none
        has_begun = self._workspace is not None
        is_in_order = method != lsp.INITIALIZE if has_begun else method == lsp.INITIALIZE
        if method == lsp.EXIT or (is_in_order and not self._shutdown):
            super().handle_message(message)
        elif hasattr(message, "id"):
            error = JsonRpcInvalidRequest() if has_begun else JsonRpcServerNotInitialized()
            self._send_response(message.id, error=error.to_response_error())

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Begin the session. A root is a folder like others; when the editor ends, so does the server."""
        root = params.root_uri or (uri_of(params.root_path) if params.root_path else None)
        if root and not params.workspace_folders:
            params.workspace_folders = [lsp.WorkspaceFolder(root, "")]
        params.root_uri = params.root_path = None
        editor = params.process_id
        if editor and processes.is_running(editor):  # one in another container has a number that means nothing here
            processes.end_unless(lambda: processes.is_running(editor))
        return (yield from super().lsp_initialize(params))

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *args: Any) -> Any:
        """End the process. What is still being done is answered before, so the output stays open."""
        sys.exit()

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Any:
        """End the session, and all that is still being done; who asked for it is told so."""
        self._shutdown = True
        for request in [*self._request_futures.values()]:  # a copy, since cancelling changes it
            request.cancel()
