"""A fault of the server itself: the writer is told, once, and the server goes on."""

import asyncio
from unittest.mock import patch

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra lsp")

from lsprotocol import types as lsp

from cpl.lsp.features import make


def test_a_fault_of_ours_is_told_and_not_at_every_key() -> None:
    server = make()
    told: list[str] = []
    published: list[int | None] = []
    server.window_show_message = lambda params: told.append(params.message)  # type: ignore[method-assign]
    server.text_document_publish_diagnostics = (  # type: ignore[method-assign]
        lambda params: published.append(params.version)
    )

    async def session() -> None:
        with patch("cpl.lsp.documents.analyse", side_effect=ZeroDivisionError("by nought")):
            server.documents.open("file:///a.cpl", "F(x) = x\n", 1)
            await server.documents.known("file:///a.cpl")
            whole = lsp.TextDocumentContentChangeWholeDocument("F(x) = 2x\n")
            server.documents.change("file:///a.cpl", 2, [whole], lsp.PositionEncodingKind.Utf16)
            await server.documents.known("file:///a.cpl")
        assert told == ["cpl lsp: this is a fault of cpl lsp itself, not of your program: ZeroDivisionError: by nought"]
        server.documents.change("file:///a.cpl", 3, [whole], lsp.PositionEncodingKind.Utf16)
        known = await server.documents.known("file:///a.cpl")
        assert [each.name.name for each in known.meaning.core.definitions] == ["F"]
        assert published[-1] == 3

    asyncio.run(session())
    server.documents.shut()
