"""The texts that are open in an editor, each with what is known of its present version.

A text is read in a thread of its own, so that the server answers meanwhile. When it changes it is read again, and
whoever waits for the older version gets no answer.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified

from cpl.compiler import loader
from cpl.compiler.diagnostics import has_errors
from cpl.compiler.source import Source
from cpl.compiler.syntax.repair import WANTED
from cpl.editors.lsp.protocol import Encoding, path_of, span_of
from cpl.editors.text_analysis import Analysis, analyse, empty_analysis
from cpl.outside import real

_Result = TypeVar("_Result")

PAUSE: Final = 0.3
"""Seconds without a change after which repairs are looked for."""


_SURROGATES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _whole(text: str) -> str:
    """The text with one character for each pair of surrogates, whose halves may come one after the other."""
    return _SURROGATES.sub(lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)


class Document:
    """An open text. `version` is the editor's number of it. The `analysis` is cancelled when the text changes, or one
    that is compiled with it.
    """

    def __init__(self, item: lsp.TextDocumentItem) -> None:
        self.uri = item.uri
        self.version = item.version
        self.source = Source(path_of(item.uri), _whole(item.text))
        self.analysis: asyncio.Future[Analysis] = asyncio.get_running_loop().create_future()
        self.reading: asyncio.Task[None] | None = None

    def change(self, params: lsp.DidChangeTextDocumentParams, encoding: Encoding) -> None:
        """Change the text, one change after the other."""
        self.version = params.text_document.version
        for change in params.content_changes:
            text = change.text
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                span = span_of(self.source, change.range, encoding)
                text = self.source.text[: span.start] + text + self.source.text[span.end :]
            self.source = Source(self.source.path, _whole(text))

    def may_need(self, file: str) -> bool:
        """Tell whether a file is compiled with the text, as far as is known."""
        if not self.analysis.done():
            return True
        return file in [real(text.source.path) for text in self.analysis.result().texts]

    def forget(self) -> None:
        """Stop reading the text. Whoever waits for what is known of it gets no answer."""
        self.analysis.cancel()
        if self.reading:
            self.reading.cancel()


class Documents:
    """All open texts, by address. `publish` is called with what is known of a text whenever that is news, `blame` if a
    fault of ours keeps it from being known.
    """

    def __init__(self, publish: Callable[[Document, Analysis], None], blame: Callable[[Exception], None]) -> None:
        self._publish = publish
        self._blame = blame
        self._open: dict[str, Document] = {}
        self._reader = ThreadPoolExecutor(1, "reader")

    def __iter__(self) -> Iterator[Document]:
        return iter(self._open.values())

    def __getitem__(self, uri: str) -> Document:
        """The open text at an address. Raises JsonRpcContentModified if there is none."""
        if uri not in self._open:
            raise JsonRpcContentModified("this text is not open")
        return self._open[uri]

    def open(self, item: lsp.TextDocumentItem) -> None:
        """Count what the editor has opened as the text at an address."""
        self.close(item.uri)
        self._open[item.uri] = Document(item)
        self.refresh(item.uri)

    def close(self, uri: str) -> None:
        """Count the file as the text at an address again."""
        if uri in self._open:
            self._open.pop(uri).forget()
            self.refresh(uri)

    def change(self, params: lsp.DidChangeTextDocumentParams, encoding: Encoding) -> None:
        """Change a text as the editor has changed it."""
        self[params.text_document.uri].change(params, encoding)
        self.refresh(params.text_document.uri)

    def refresh(self, uri: str | None = None) -> None:
        """Read a text again, and those that are compiled with it; without `uri` all of them."""
        file = real(path_of(uri)) if uri else ""
        for document in self:
            if not uri or document.uri == uri or document.may_need(file):
                document.forget()
                document.analysis = asyncio.get_running_loop().create_future()
                document.reading = asyncio.create_task(self._read(document))

    async def analysis(self, uri: str) -> Analysis:
        """Return the analysis of the present version of a text. Raises JsonRpcContentModified if the text changes
        before it is known.
        """
        analysis = self[uri].analysis
        try:
            return await asyncio.shield(analysis)  # others wait for it too, so it outlives this request
        except asyncio.CancelledError:
            if analysis.cancelled():
                raise JsonRpcContentModified("the text has changed") from None
            raise

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """The result of work with texts, which is done beside the server. Files have the texts that are open."""
        texts = {real(document.source.path): document.source.text for document in self}

        def work_on_texts() -> _Result:
            with loader.overlay(texts):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._reader, work_on_texts)

    async def _read(self, document: Document) -> None:
        """Read a text; and if it has errors and is not changed soon, look for repairs until it changes."""
        source = document.source
        task = asyncio.current_task()

        def read(advice: bool) -> Analysis:
            WANTED.set(lambda: task is not None and not task.cancelling())
            return analyse(source, advice=advice)

        for advice in (False, True):
            try:
                analysis = await self.run(partial(read, advice))
            except Exception as error:
                self._blame(error)
                analysis = empty_analysis(source, [])

            if document.analysis.done():  # the second time, when requests have had the answer without repairs
                document.analysis = asyncio.get_running_loop().create_future()
            document.analysis.set_result(analysis)
            self._publish(document, analysis)
            if not has_errors(analysis.diagnostics):
                break
            await asyncio.sleep(PAUSE)

    def shut(self) -> None:
        """End the thread."""
        self._reader.shutdown(wait=False, cancel_futures=True)
