"""Places as the protocol has them: lines from 0, columns in the units of the client, and the URIs of files."""

import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls import uris

from cpl.edit.edits import Edit
from cpl.outside import printable
from cpl.source import Source, Span, utf16_units

Encoding = lsp.PositionEncodingKind | str


def path_of(uri: str) -> str:
    """What messages call the text: its path, or the address of one that has none."""
    with suppress(ValueError):  # half a bracket in the address, half a surrogate pair in the path
        path = uris.to_fs_path(uri) or unquote(urlsplit(uri).path) or uri
        if b"\0" not in os.fsencode(path):
            return path
    return printable(uri)


def uri_of(path: str) -> str:
    """The address of a file."""
    return Path(os.path.abspath(path)).as_uri()


def _units(text: str, encoding: Encoding) -> int:
    if encoding == lsp.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) if encoding == lsp.PositionEncodingKind.Utf32 else utf16_units(text)


def position(source: Source, offset: int, encoding: Encoding) -> lsp.Position:
    """The place before the character at `offset`."""
    line = source.line_at(offset)
    return lsp.Position(line - 1, _units(source.text[source.start_of(line) : offset], encoding))


def offset(source: Source, place: lsp.Position, encoding: Encoding) -> int:
    """The offset of a place; beyond the end of a line that is the end of the line, beyond the last line that of the
    text. A place within a character is before it.
    """
    if place.line >= source.lines:
        return len(source.text)
    start, line = source.start_of(place.line + 1), source.line(place.line + 1)
    column = min(place.character, len(line))  # no character takes less than one unit
    while column and _units(line[:column], encoding) > place.character:
        column -= 1
    return start + column


def range_of(span: Span, encoding: Encoding) -> lsp.Range:
    """The range of a span."""
    return lsp.Range(position(span.source, span.start, encoding), position(span.source, span.end, encoding))


def span_of(source: Source, place: lsp.Range, encoding: Encoding) -> Span:
    """The span of a range, whichever of its ends comes first."""
    start, end = sorted((offset(source, place.start, encoding), offset(source, place.end, encoding)))
    return Span(source, start, end)


def text_edit(edit: Edit, encoding: Encoding) -> lsp.TextEdit:
    """An edit in the terms of the protocol."""
    return lsp.TextEdit(range_of(edit.span, encoding), edit.text)
