"""The texts that are open in an editor, each with what is known of its present version.

A text is read in a thread of its own, so that the server answers meanwhile. While it is being read it may change: then
it is read again, and whoever waits for the older version gets no answer.
"""

import asyncio
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcContentModified

from cpl import loader
from cpl.diagnostics import has_errors
from cpl.edit.analysis import Analysis, analyse, nothing_known
from cpl.edit.lsp.positions import Encoding, span_of
from cpl.outside import printable, real
from cpl.source import Source
from cpl.syntax.repair import WANTED

_Result = TypeVar("_Result")

PAUSE: Final = 0.3
"""Seconds without a change after which repairs are looked for."""


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


def _whole(text: str) -> str:
    """The text with one character for each pair of surrogates, whose halves may come one after the other."""
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)


_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Document:
    """An open text. `version` is the editor's number of it; `revision` counts all that may change what is known."""

    def __init__(self, uri: str, text: str, version: int) -> None:
        self.uri = uri
        self.version = version
        self.revision = 0
        self.source = Source(path_of(uri), _whole(text))
        self.known: tuple[int, Analysis] | None = None
        self.keeper: asyncio.Task[None] | None = None
        self.news = asyncio.Event()
        self.changed = asyncio.Event()

    def change(self, changes: Sequence[lsp.TextDocumentContentChangeEvent], encoding: Encoding) -> None:
        """Change the text, one change after the other."""
        source = self.source
        for each in changes:
            text = each.text
            if isinstance(each, lsp.TextDocumentContentChangePartial):
                span = span_of(source, each.range, encoding)
                text = source.text[: span.start] + text + source.text[span.end :]
            source = Source(source.path, _whole(text))
        self.source = source

    def is_at(self, revision: int) -> bool:
        """Whether nothing has changed since this revision."""
        return self.revision == revision

    def tell(self) -> None:
        """Wake whoever waits for what is known of the text."""
        self.news.set()
        self.news = asyncio.Event()


def _read(source: Source, advice: bool, is_wanted: Callable[[], bool]) -> Analysis:
    """Read a text; the search for repairs ends when it has changed."""
    WANTED.set(is_wanted)
    return analyse(source, advice=advice)


Publish = Callable[[Document, Analysis], None]


class Documents:
    """All open texts, by address. `publish` is called with what is known of a text whenever that is news, `blame` if a
    fault of ours keeps it from being known.
    """

    def __init__(self, publish: Publish, blame: Callable[[Exception], None]) -> None:
        self._publish, self._blame = publish, blame
        self._open: dict[str, Document] = {}
        self._reader = ThreadPoolExecutor(1, "reader")

    def __iter__(self) -> Iterator[Document]:
        return iter(self._open.values())

    def __getitem__(self, uri: str) -> Document:
        """The open text at an address. Raises JsonRpcContentModified if there is none."""
        try:
            return self._open[uri]
        except KeyError:
            raise JsonRpcContentModified("this text is not open") from None

    def open(self, uri: str, text: str, version: int) -> None:
        """A text is open in the editor from now on."""
        self._open[uri] = Document(uri, text, version)
        self.refresh(uri)

    def close(self, uri: str) -> None:
        """A text is no longer open: its file counts again."""
        document = self._open.pop(uri, None)
        if document and document.keeper:
            document.keeper.cancel()
            document.tell()
        self.refresh(uri)

    def change(
        self, uri: str, version: int, changes: Sequence[lsp.TextDocumentContentChangeEvent], encoding: Encoding
    ) -> None:
        """The editor has changed a text."""
        document = self[uri]
        document.change(changes, encoding)
        document.version = version
        self.refresh(uri)

    def refresh(self, uri: str | None = None) -> None:
        """Read a text again, and those that are compiled with it; without `uri` all of them."""
        changed = real(path_of(uri)) if uri else ""
        for document in self._open.values():
            with_it = [each.source.path for each in document.known[1].texts] if document.known else []
            if not uri or document.uri == uri or changed in map(real, with_it):
                document.revision += 1
                document.changed.set()
                document.tell()
                if document.keeper is None or document.keeper.done():
                    document.keeper = asyncio.create_task(self._keep(document))

    async def known(self, uri: str) -> Analysis:
        """All that is known of the present version of a text. Raises JsonRpcContentModified if the text changes before
        it is known.
        """
        document = self[uri]
        revision = document.revision
        while document.known is None or document.known[0] != revision:
            await document.news.wait()
            if document.revision != revision or self._open.get(uri) is not document:
                raise JsonRpcContentModified("the text has changed")
        return document.known[1]

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """The result of work with texts, which is done beside the server. Files have the texts that are open."""
        texts = self._texts()

        def within() -> _Result:
            with loader.opened(texts):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._reader, within)

    def _texts(self) -> dict[str, str]:
        return {real(each.source.path): each.source.text for each in self._open.values()}

    async def _keep(self, document: Document) -> None:
        """Read a text until the version that was read is the present one; then look for repairs."""
        has_advice = False
        while document.known is None or document.known[0] != document.revision or not has_advice:
            advice = document.known is not None and document.known[0] == document.revision
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE if advice else 0):  # changes that wait already come first
                    await document.changed.wait()
                    advice = False
            document.changed.clear()
            revision, source = document.revision, document.source
            try:
                analysis = await self.run(partial(_read, source, advice, partial(document.is_at, revision)))
            except Exception as error:
                self._blame(error)
                analysis = nothing_known(source, [])
            texts = self._texts()
            if any(texts.get(real(each.path), each.text) != each.text for each in analysis.others):
                document.revision += 1  # what is compiled with it has changed meanwhile
            has_advice = advice or not has_errors(analysis.diagnostics)
            document.known = revision, analysis
            document.tell()
            if revision == document.revision:
                self._publish(document, analysis)

    def shut(self) -> None:
        """End the thread."""
        self._reader.shutdown(wait=False, cancel_futures=True)
