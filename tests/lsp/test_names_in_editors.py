"""Completion, signatures and hints, asked for by an editor."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest.importorskip("pytest_lsp", reason="pytest-lsp is not installed: pip install pytest-lsp '.[lsp]' brings it")

import pytest_asyncio
from editor import Editor, editing, place, shown
from lsprotocol import types as lsp

pytestmark = pytest.mark.asyncio

TEXT = "|| Both 𝜎 together.\nAdd(x,σ) = x + σ\nB = 2Add(1,2)\nC(n) = Add(n,B)\n"


@pytest_asyncio.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    async with editing(tmp_path) as started:
        yield started


async def test_a_name_is_completed_and_explained(editor: Editor) -> None:
    text = f"{TEXT}D = σ + Ad\n"
    uri = editor.open("untitled:a", text)
    found = await editor.at(lsp.TEXT_DOCUMENT_COMPLETION, uri, *place(text, "Ad\n", 2))
    [item] = found.items
    assert (item.label, shown(text, item.text_edit.range)) == ("Add", "Ad")
    whole = await editor.ask(lsp.COMPLETION_ITEM_RESOLVE, item)
    assert whole.detail.startswith("Add : (") and whole.documentation == "Both 𝜎 together."


async def test_the_nearest_names_come_first(editor: Editor) -> None:
    text = f"{TEXT}D(a) = value of § let z = 1\n    result is \n"
    uri = editor.open("untitled:a", text)
    found = await editor.at(lsp.TEXT_DOCUMENT_COMPLETION, uri, *place(text, "is \n", 3))
    items = sorted(found.items, key=lambda each: each.sort_text)
    assert [each.label for each in items[:2]] == ["z", "a"]
    assert "x" not in [each.label for each in items]


@pytest.mark.parametrize(("typed", "sign"), [("\\sig", "σ"), ("->", "→"), ("/\\", "∧")])
async def test_a_spelling_becomes_a_sign(editor: Editor, typed: str, sign: str) -> None:
    text = f"F(x) = ‘𝜎’ {typed}"
    uri = editor.open("untitled:a", text)
    context = {"triggerKind": 2, "triggerCharacter": typed[-1]}
    found = await editor.at(lsp.TEXT_DOCUMENT_COMPLETION, uri, *place(text, typed, len(typed)), context=context)
    [item] = found.items
    assert (item.text_edit.new_text, shown(text, item.text_edit.range), item.filter_text) == (
        sign,
        typed,
        "\\sigma" if sign == "σ" else typed,
    )


async def test_a_trigger_offers_no_names(editor: Editor) -> None:
    uri = editor.open("untitled:a", "F(x) = x >")
    context = {"triggerKind": 2, "triggerCharacter": ">"}
    assert (await editor.at(lsp.TEXT_DOCUMENT_COMPLETION, uri, 0, 10, context=context)).items == ()


async def test_a_call_shows_what_it_wants(editor: Editor) -> None:
    text = f"{TEXT}D = Add(1, "
    uri = editor.open("untitled:a", text)
    found = await editor.at(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, uri, *place(text, "Add(1, ", 7))
    [signature] = found.signatures
    assert (signature.label, found.active_parameter) == ("Add(x, σ)", 1)
    assert [each.label for each in signature.parameters] == ["x", "σ"]
    assert await editor.at(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, uri, 3, 0) is None


async def test_hints_of_a_range(editor: Editor) -> None:
    uri = editor.open("untitled:a", TEXT)
    lines = lsp.Range(lsp.Position(1, 0), lsp.Position(2, 20))
    params = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), lines)
    found = await editor.ask(lsp.TEXT_DOCUMENT_INLAY_HINT, params)
    places = [(each.position.line, each.position.character, each.label) for each in found]
    assert places == [(1, 5, ": real"), (1, 7, ": real"), (2, 1, ": integer"), (2, 5, "×")]


async def test_a_sign_is_explained(editor: Editor) -> None:
    uri = editor.open("untitled:a", TEXT)
    found = await editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, *place(TEXT, "="))
    assert "Defines" in found.contents.value and "Evidence: D7" in found.contents.value
