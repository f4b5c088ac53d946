"""Each feature of the language server, asked for by an editor."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest.importorskip("pytest_lsp", reason="pytest-lsp is not installed: pip install pytest-lsp '.[lsp]' brings it")

import pytest_asyncio
from editor import SECONDS, Editor, editing, place, shown
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

pytestmark = pytest.mark.asyncio

FACTORIAL = "|| What Fact computes.\nFact(n) = n = 0 → 1, n × Fact(n - 1)\nc = Fact(5)\n"


@pytest_asyncio.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    async with editing(tmp_path) as started:
        yield started


def written(folder: Path, **texts: str) -> dict[str, Path]:
    """CPL files in the folder."""
    paths = {name: folder / f"{name}.cpl" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name], encoding="utf-8")
    return paths


# Diagnostics


async def test_findings_have_places_codes_and_help(editor: Editor) -> None:
    text = 'F(x) = (x, "𝜎", Y)\nF(y) = 1\n'
    uri = editor.open("untitled:a", text)
    found = {each.code: each for each in await editor.findings(uri)}
    assert {"unknown-name", "defined-twice"} <= found.keys()
    twice = found["defined-twice"]
    assert (twice.severity, twice.source, twice.range.start.line) == (lsp.DiagnosticSeverity.Error, "cpl", 1)
    assert twice.related_information
    [first] = twice.related_information
    assert (first.location.uri, shown(text, first.location.range)) == (uri, "F")
    assert shown(text, found["unknown-name"].range) == "Y"


async def test_findings_follow_the_text(editor: Editor) -> None:
    uri = editor.open("untitled:a", "F(x) = x\n")
    assert await editor.findings(uri) == []
    editor.change(uri, 2, "F(x) = (x\n")
    assert [each.code for each in await editor.findings(uri, 2)] == ["unclosed-bracket"]
    at = lsp.Range(lsp.Position(0, 9), lsp.Position(0, 9))
    editor.change(uri, 3, lsp.TextDocumentContentChangePartial(at, ")"))
    assert await editor.findings(uri, 3) == []
    editor.close(uri)
    assert await editor.findings(uri, None) == []


async def test_warnings_fade_what_is_not_needed(editor: Editor) -> None:
    text = "F(x) = value of § let u = x\nresult is x §\n"
    uri = editor.open("untitled:a", text)
    [found] = await editor.findings(uri)
    assert found.tags
    assert (found.severity, *found.tags) == (lsp.DiagnosticSeverity.Warning, lsp.DiagnosticTag.Unnecessary)
    assert shown(text, found.range) == "u"


async def test_errors_of_companions_are_shown(editor: Editor, tmp_path: Path) -> None:
    paths = written(tmp_path, Main='get "Part.cpl"\nF(x) = G(x)\n', Part="G(x) = (x\n")
    uri = editor.open_file(paths["Main"])
    [found] = [each for each in await editor.findings(uri) if "Part.cpl" in each.message]
    assert found.related_information
    assert found.related_information[0].location.uri == paths["Part"].as_uri()


async def test_unsaved_texts_count(editor: Editor, tmp_path: Path) -> None:
    paths = written(tmp_path, Main='get "Part.cpl"\nF(x) = G(x)\n', Part="H(x) = x\n")
    main = editor.open_file(paths["Main"])
    assert [each.code for each in await editor.findings(main)] == ["unknown-name"]
    seen = len(editor.published)
    part = editor.open(paths["Part"].as_uri(), "G(x) = x\n")
    assert await editor.findings(main, after=seen) == []
    seen = len(editor.published)
    editor.close(part)
    assert [each.code for each in await editor.findings(main, after=seen)] == ["unknown-name"]


async def test_changed_files_count(editor: Editor, tmp_path: Path) -> None:
    paths = written(tmp_path, Main='get "Part.cpl"\nF(x) = G(x)\n')
    main = editor.open_file(paths["Main"])
    assert "unreadable" in [each.code for each in await editor.findings(main)]
    part = written(tmp_path, Part="G(x) = x\n")["Part"]
    for kind, expected in ((lsp.FileChangeType.Created, set()), (lsp.FileChangeType.Deleted, {"unreadable"})):
        if kind == lsp.FileChangeType.Deleted:
            part.unlink()
        seen = len(editor.published)
        event = lsp.FileEvent(part.as_uri(), kind)
        editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
        assert {each.code for each in await editor.findings(main, after=seen)} - {"unknown-name"} == expected


# Names


async def test_hover_tells_type_kind_and_comment(editor: Editor) -> None:
    uri = editor.open("untitled:a", FACTORIAL)
    hover = await editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, *place(FACTORIAL, "Fact(n - 1)", 2))
    assert shown(FACTORIAL, hover.range) == "Fact"
    assert all(part in hover.contents.value for part in ("Fact :", "function", "What Fact computes."))
    assert await editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, 3, 0) is None


async def test_places_count_in_the_units_of_the_editor() -> None:
    text = 'F(σ) = ("𝜎", σ)\n'
    before = text[: text.rindex("σ")]
    columns = {
        lsp.PositionEncodingKind.Utf8: len(before.encode()),
        lsp.PositionEncodingKind.Utf16: len(before) + 1,
        lsp.PositionEncodingKind.Utf32: len(before),
    }
    for encoding, column in columns.items():
        async with editing(None, encoding) as editor:
            assert editor.encoding == encoding
            uri = editor.open("untitled:a", text)
            hover = await editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, 0, column)
            assert hover.range.start == lsp.Position(0, column)
            assert "parameter" in hover.contents.value


async def test_definition_in_text_companion_and_library(editor: Editor, root: Path) -> None:
    path = root / "programs/strachey.cpl"
    text = path.read_text(encoding="utf-8")
    uri = editor.open_file(path)
    found = await editor.at(lsp.TEXT_DOCUMENT_DEFINITION, uri, *place(text, "BestPosition(NIL"))
    assert (found.uri, found.range.start) == (uri, lsp.Position(*place(text, "BestPosition(P,V,L,d)")))
    found = await editor.at(lsp.TEXT_DOCUMENT_DEFINITION, uri, *place(text, "LegalPositionsFrom(P)"))
    assert shown(text, found.range) == "LegalPositionsFrom"
    text = "F(x) = Max(x, 0)\n"
    uri = editor.open("untitled:a", text)
    found = await editor.at(lsp.TEXT_DOCUMENT_DEFINITION, uri, *place(text, "Max"))
    assert found.uri == (root / "programs/library/standard.cpl").as_uri()


async def test_definition_in_another_file(editor: Editor, tmp_path: Path) -> None:
    paths = written(tmp_path, Main='get "Part.cpl"\nF(x) = G(x)\n', Part="H(x) = x\nG(y) = y\n")
    uri = editor.open_file(paths["Main"])
    found = await editor.at(lsp.TEXT_DOCUMENT_DEFINITION, uri, 1, 7)
    assert found == lsp.Location(paths["Part"].as_uri(), lsp.Range(lsp.Position(1, 0), lsp.Position(1, 1)))


async def test_references_in_all_files(editor: Editor, tmp_path: Path) -> None:
    texts = {"Main": 'get "Part.cpl"\nF(x) = G(x) + G(1)\n', "Part": "G(y) = y\n", "Other": "G(z) = G(z - 1)\n"}
    paths = written(tmp_path, **texts)
    uri = editor.open_file(paths["Main"])
    for with_definition in (True, False):
        context = {"includeDeclaration": with_definition}
        found = await editor.at(lsp.TEXT_DOCUMENT_REFERENCES, uri, 1, 7, context=context)
        places = sorted((each.uri, each.range.start.line, each.range.start.character) for each in found)
        main, part = paths["Main"].as_uri(), paths["Part"].as_uri()
        assert places == [(main, 1, 7), (main, 1, 14), *([(part, 0, 0)] if with_definition else [])]


async def test_highlights_of_a_name(editor: Editor) -> None:
    text = "F(x) = x + G(x)\nG(x) = x\n"
    uri = editor.open("untitled:a", text)
    found = await editor.at(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, uri, 0, 7)
    assert [each.range.start for each in found] == [lsp.Position(0, column) for column in (2, 7, 13)]


# Renaming


async def test_rename_in_all_files(editor: Editor, tmp_path: Path) -> None:
    paths = written(tmp_path, Main='get "Part.cpl"\nF(x) = G(x)\n', Part="G(y) = y\n", Other="G(z) = z\n")
    uri = editor.open_file(paths["Main"])
    assert await editor.at(lsp.TEXT_DOCUMENT_PREPARE_RENAME, uri, 1, 7) == lsp.Range(
        lsp.Position(1, 7), lsp.Position(1, 8)
    )
    edit = await editor.at(lsp.TEXT_DOCUMENT_RENAME, uri, 1, 7, newName="Twice")
    changes = {each.text_document.uri: each for each in edit.document_changes}
    assert {at: [one.new_text for one in each.edits] for at, each in changes.items()} == {
        paths["Main"].as_uri(): ["Twice"],
        paths["Part"].as_uri(): ["Twice"],
    }
    assert changes[uri].text_document.version == 1
    assert changes[paths["Part"].as_uri()].text_document.version is None


@pytest.mark.parametrize("name", ["F", "x", "if", "1", "", "𝜎", "G G"])
async def test_rename_refuses(editor: Editor, name: str) -> None:
    uri = editor.open("untitled:a", "F(x) = G(x) + x\nG(y) = y\n")
    with pytest.raises(JsonRpcException, match=r"cannot be called|is not a name"):
        await editor.at(lsp.TEXT_DOCUMENT_RENAME, uri, 1, 0, newName=name)


async def test_what_keeps_its_name(editor: Editor) -> None:
    text = "F(x) = Max(x, 0)\nG(x) = Null(x)\n"
    uri = editor.open("untitled:a", text)
    for name, reason in (("Max", "comes with cplc"), ("Null", "part of the language"), ("0)", "no name here")):
        with pytest.raises(JsonRpcException, match=reason):
            await editor.at(lsp.TEXT_DOCUMENT_PREPARE_RENAME, uri, *place(text, name))


# Repairs


async def test_a_repair_mends_its_finding(editor: Editor) -> None:
    text = "F(x) = G((x)\nG(y) = y\n"
    uri = editor.open("untitled:a", text)
    quick = await editor.findings(uri)
    [found] = await editor.findings(uri, after=1)  # repairs are looked for when nothing is typed for a while
    assert len(quick) == 1
    assert "put )" not in quick[0].message
    assert "put )" in found.message
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), found.range, lsp.CodeActionContext([found]))
    actions = await editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, params)
    assert {(each.kind, each.is_preferred) for each in actions} == {(lsp.CodeActionKind.QuickFix, False)}
    [change] = actions[0].edit.document_changes
    [edit] = change.edits
    assert (edit.range.start, edit.range.end, edit.new_text) == (lsp.Position(0, 12), lsp.Position(0, 12), ")")
    assert change.text_document.version == 1
    params.context.only = [lsp.CodeActionKind.SourceFixAll]
    assert not await editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, params)


async def test_only_what_leaves_no_choice_is_preferred(editor: Editor) -> None:
    text = "F(x) = x @ 2\nG(x) = x ≦ 1 → （x ✕ 2), 10 ∕ x\nH(x) = (x，１)\n"
    uri = editor.open("untitled:a", text)
    await editor.findings(uri, after=1)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(3, 0))
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), whole, lsp.CodeActionContext([]))
    *quick, every = await editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, params)
    edits = {each.edit.document_changes[0].edits[0].new_text for each in quick if each.is_preferred}
    assert edits == {"≤", "(", "×", "/", ",", "1"}
    assert {each.diagnostics[0].range.start.line for each in quick if not each.is_preferred} == {0}
    assert [each.new_text for each in every.edit.document_changes[0].edits] == ["≤", "(", "×", "/", ",", "1"]
    params.context.only = [lsp.CodeActionKind.SourceFixAll]
    assert [each.kind for each in await editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, params)] == ["source.fixAll.cpl"]
    editor.change(uri, 2, "F(x) = valu of § result is x ＋ 1 §|\n")
    await editor.findings(uri, 2, after=1)
    params.range.end.line = 1
    [every] = await editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, params)
    assert [each.new_text for each in every.edit.document_changes[0].edits] == ["value", "+"]


# Commands


async def test_show_python_with_its_lines(editor: Editor) -> None:
    uri = editor.open("untitled:a", FACTORIAL)
    shown_python = await editor.command("cpl.showPython", uri)
    python = shown_python["python"].split("\n")
    assert any("def Fact" in line for line in python)
    linked = {tuple(lines) for line, lines in zip(python, shown_python["lines"], strict=False) if lines}
    assert {(1, 1), (2, 2)} <= linked
    editor.change(uri, 2, "F(x) = (\n")
    with pytest.raises(JsonRpcException, match="has errors"):
        await editor.command("cpl.showPython", uri)


async def test_run_writes_and_evaluates(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open("untitled:Untitled-1", FACTORIAL)
    assert await editor.command("cpl.run", uri, "Fact(4)") == {"output": "24\n", "ok": True}
    path = written(tmp_path, a="F(x) = x\n")["a"]
    uri = editor.open(path.as_uri(), "F(x) = 2 × x\n")
    assert await editor.command("cpl.run", uri, "F(4)") == {"output": "8\n", "ok": True}
    wrong = await editor.command("cpl.run", uri, "Nothing")
    assert not wrong["ok"]
    assert "Nothing" in wrong["output"]


# The session


async def test_nothing_is_known_of_a_closed_text(editor: Editor) -> None:
    uri = editor.open("untitled:a", 500 * FACTORIAL)  # so that it is still being read when it is closed
    asked = asyncio.create_task(editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, 1, 0))
    await asyncio.sleep(0)
    editor.close(uri)
    with pytest.raises(JsonRpcException):
        await asked
    with pytest.raises(JsonRpcException, match="not open"):
        await editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, 1, 0)


async def test_questions_can_be_cancelled(editor: Editor, root: Path) -> None:
    text = (root / "programs/strachey.cpl").read_text(encoding="utf-8")
    long = 20 * text  # so that it is still being read when the question is cancelled
    uri = editor.open("untitled:a", long)
    asked = []
    for number in range(20):
        editor.change(uri, number + 2, f"|| {number}\n{long}")
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(1, 0))
        asked.append(editor.client.protocol.send_request(lsp.TEXT_DOCUMENT_HOVER, params, msg_id=f"hover {number}"))
        editor.client.cancel_request(lsp.CancelParams(f"hover {number}"))
    for each in asked:
        with pytest.raises((JsonRpcException, asyncio.CancelledError)):
            await asyncio.wait_for(asyncio.wrap_future(each), SECONDS)
    editor.change(uri, 22, f"|| 19\n{text}")
    assert await editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, *place(f"|| 19\n{text}", "BestPosition"))


async def test_what_cannot_be_done_leaves_no_traceback(
    editor: Editor, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    uri = editor.open("untitled:a", FACTORIAL)
    with pytest.raises(JsonRpcException):
        await editor.at(lsp.TEXT_DOCUMENT_RENAME, uri, 1, 0, newName="1")
    await editor.stop()
    assert capfdbinary.readouterr().err == b""


async def test_the_exit_status_says_how_the_session_ended() -> None:
    for ended in (True, False):
        editor = Editor()
        await editor.start(None)
        editor.open("untitled:a", "F(x) = (((\n" * 300)
        if ended:
            await editor.client.shutdown_async(None)
        editor.client.exit(None)
        assert editor.client._server
        assert await asyncio.wait_for(editor.client._server.wait(), 20) == (0 if ended else 1)
        await editor.client.stop()


async def test_a_text_nested_too_deep_is_no_end(editor: Editor) -> None:
    uri = editor.open("untitled:a", f"F(x) = {'(' * 20_000}x{')' * 20_000}\n")
    await editor.findings(uri)
    editor.change(uri, 2, FACTORIAL)
    assert await editor.findings(uri, 2) == []
    assert await editor.at(lsp.TEXT_DOCUMENT_HOVER, uri, 1, 0)


@pytest.mark.parametrize("name", ["a b", "100%", "é𝜎#?", "%20"])
async def test_names_of_files(editor: Editor, tmp_path: Path, name: str) -> None:
    paths = written(tmp_path, **{name: "G(x) = x\n", "Main": f'get "{name}.cpl"\nF(x) = G(x)\n'})
    main = editor.open_file(paths["Main"])
    part = editor.open_file(paths[name])
    assert await editor.findings(main) == []
    found = await editor.at(lsp.TEXT_DOCUMENT_DEFINITION, main, 1, 7)
    assert found.uri == part
    edit = await editor.at(lsp.TEXT_DOCUMENT_RENAME, part, 0, 0, newName="Half")
    assert {each.text_document.uri for each in edit.document_changes} == {main, part}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
async def test_a_file_under_two_names_is_one(editor: Editor, tmp_path: Path) -> None:
    paths = written(tmp_path, Part="G(x) = x\n", Main='get "Part.cpl"\nF(x) = G(x)\n')
    os.symlink(paths["Part"], tmp_path / "Link.cpl")
    main = editor.open_file(paths["Main"])
    link = editor.open((tmp_path / "Link.cpl").as_uri(), "G(x) = x\n")
    found = await editor.at(lsp.TEXT_DOCUMENT_DEFINITION, main, 1, 7)
    assert found.uri == link
    found = await editor.at(lsp.TEXT_DOCUMENT_REFERENCES, main, 1, 7, context={"includeDeclaration": True})
    assert {each.uri for each in found} == {main, link}


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file:///c%3A/My%20Files/a.cpl", "vfs://git/a.cpl", "x:"])
async def test_addresses_that_are_no_files(editor: Editor, uri: str) -> None:
    editor.open(uri, "F(x) = x\nG(x) = F(x)\n")
    assert await editor.findings(uri) == []
    found = await editor.at(lsp.TEXT_DOCUMENT_DEFINITION, uri, 1, 7)
    assert found.uri == uri
    edit = await editor.at(lsp.TEXT_DOCUMENT_RENAME, uri, 0, 0, newName="Half")
    assert [each.text_document.uri for each in edit.document_changes] == [uri]


async def test_a_companion_that_cannot_be_read_is_a_finding(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "programs.toml").write_text('["a.cpl"]\ncompanions = ["gone.cpl"]\n', encoding="utf-8")
    uri = editor.open_file(written(tmp_path, a="F(x) = x\n")["a"])
    [found] = await editor.findings(uri)
    assert found.code == "unreadable"
    assert "gone.cpl" in found.message
