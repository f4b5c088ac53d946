"""Each feature of the language server, asked for by an editor."""

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra lsp")

from conversation import SECONDS, Conversation, place, shown, span, talking
from lsprotocol import types as lsp

from cpl.editors.lsp.features import make
from cpl.limits import MOST_FILES_SEARCHED, MOST_FOLDERS_SEARCHED

FACTORIAL = "|| What Fact computes.\nFact(n) = n = 0 → 1, n × Fact(n - 1)\nc = Fact(5)\n"
WITH_PART = 'get "Part.cpl"\nF(x) = G(x)\n'
SUM = "|| Both 𝜎 together.\nAdd(x,σ) = x + σ\nB = 2Add(1,2)\nC(n) = Add(n,B)\n"
EDITOR = {
    "textDocument": {"publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1]}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
UNNECESSARY = 1


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Conversation]:
    """A server for a folder, whose session must end well."""
    with talking(tmp_path) as conversation:
        conversation.begin(tmp_path, capabilities=EDITOR)
        yield conversation
        assert conversation.end() == 0
        assert not [message for message in conversation.heard if message["method"] == lsp.WINDOW_LOG_MESSAGE]


def written(folder: Path, **texts: str) -> dict[str, Path]:
    """CPL files in the folder."""
    paths = {name: folder / f"{name}.cpl" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name], encoding="utf-8")
    return paths


def edits(edit: Any) -> dict[str, list[str]]:
    """The new texts in each file."""
    return {
        change["textDocument"]["uri"]: [edit_of["newText"] for edit_of in change["edits"]]
        for change in edit["documentChanges"]
    }


def test_findings_have_places_codes_and_help(server: Conversation) -> None:
    text = 'F(x) = (x, "𝜎", Y)\nF(y) = 1\n'
    uri = server.open("untitled:a", text)
    found = {finding["code"]: finding for finding in server.findings(uri)}
    assert {"unknown-name", "defined-twice"} <= found.keys()
    twice = found["defined-twice"]
    assert (twice["severity"], twice["source"], twice["range"]["start"]["line"]) == (1, "cpl", 1)
    [first] = twice["relatedInformation"]
    assert (first["location"]["uri"], shown(text, first["location"]["range"])) == (uri, "F")
    assert shown(text, found["unknown-name"]["range"]) == "Y"
    text = "F(x) = value of § let u = x\nresult is x §\n"
    [found] = server.findings(server.open("untitled:b", text))
    assert (found["severity"], found["tags"], shown(text, found["range"])) == (2, [UNNECESSARY], "u")


def test_findings_follow_the_text_and_its_companions(server: Conversation, tmp_path: Path) -> None:
    uri = server.open("untitled:a", "F(x) = x\n")
    assert server.findings(uri) == []
    server.change(uri, 2, "F(x) = (x\n")
    assert server.codes(uri, 2) == ["unclosed-bracket"]
    server.change(uri, 3, {"range": span(0, 9, 9), "text": ")"})
    assert server.findings(uri, 3) == []
    server.close(uri)
    assert server.findings(uri, None) == []
    paths = written(tmp_path, Main=WITH_PART, Part="G(x) = (x\n", a="F(x) = x\n")
    uri = server.open_file(paths["Main"])
    [found] = [finding for finding in server.findings(uri) if "Part.cpl" in finding["message"]]
    assert found["relatedInformation"][0]["location"]["uri"] == paths["Part"].as_uri()
    (tmp_path / "programs.toml").write_text('["a.cpl"]\ncompanions = ["gone.cpl"]\n', encoding="utf-8")
    [found] = server.findings(server.open_file(paths["a"]))
    assert (found["code"], "gone.cpl" in found["message"]) == ("unreadable", True)


def test_unsaved_texts_and_changed_files_count(server: Conversation, tmp_path: Path) -> None:
    paths = written(tmp_path, Main=WITH_PART, Part="H(x) = x\n")
    main = server.open_file(paths["Main"])
    assert server.codes(main) == ["unknown-name"]
    seen = len(server.published())
    part = server.open(paths["Part"].as_uri(), "G(x) = x\n")
    assert server.findings(main, after=seen) == []
    seen = len(server.published())
    server.close(part)
    assert server.codes(main, after=seen) == ["unknown-name"]
    for kind, expected in ((3, {"unreadable"}), (1, set())):  # deleted, created
        paths["Part"].unlink() if kind == 3 else written(tmp_path, Part="G(x) = x\n")
        seen = len(server.published())
        server.notify(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"changes": [{"uri": part, "type": kind}]})
        assert {*server.codes(main, after=seen)} - {"unknown-name"} == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places_count_in_the_units_of_the_editor(tmp_path: Path, encoding: str) -> None:
    text = 'F(σ) = ("𝜎", σ)\n'
    column = len(text[: text.rindex("σ")].encode(f"{encoding}-le" if encoding != "utf-8" else encoding))
    column //= {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    with talking(tmp_path) as server:
        server.begin(capabilities={"general": {"positionEncodings": [encoding]}})
        assert server.encoding == encoding
        hover = server.at("hover", server.open("untitled:a", text), 0, column)
        assert hover["range"]["start"] == {"line": 0, "character": column}
        assert "parameter" in hover["contents"]["value"]
        assert server.end() == 0


def test_definition_in_text_companion_library_and_another_file(
    server: Conversation, root: Path, tmp_path: Path
) -> None:
    path = root / "programs/strachey.cpl"
    text = path.read_text(encoding="utf-8")
    uri = server.open_file(path)
    found = server.at("definition", uri, *place(text, "BestPosition(NIL"))
    line, column = place(text, "BestPosition(P,V,L,d)")
    assert (found["uri"], found["range"]["start"]) == (uri, {"line": line, "character": column})
    found = server.at("definition", uri, *place(text, "LegalPositionsFrom(P)"))
    assert shown(text, found["range"]) == "LegalPositionsFrom"
    found = server.at("definition", server.open("untitled:a", "F(x) = Max(x, 0)\n"), 0, 7)
    assert found["uri"] == (root / "programs/library/standard.cpl").as_uri()
    paths = written(tmp_path, Main=WITH_PART, Part="H(x) = x\nG(y) = y\n")
    found = server.at("definition", server.open_file(paths["Main"]), 1, 7)
    assert found == {"uri": paths["Part"].as_uri(), "range": span(1, 0, 1)}


def test_references_and_highlights(server: Conversation, tmp_path: Path) -> None:
    texts = {"Main": 'get "Part.cpl"\nF(x) = G(x) + G(1)\n', "Part": "G(y) = y\n", "Other": "G(z) = G(z - 1)\n"}
    main, part, _ = (path.as_uri() for path in written(tmp_path, **texts).values())
    server.open(main, texts["Main"])
    for with_definition in (True, False):
        found = server.at("references", main, 1, 7, context={"includeDeclaration": with_definition})
        places = sorted((each["uri"], *each["range"]["start"].values()) for each in found)
        assert places == [(main, 1, 7), (main, 1, 14), *([(part, 0, 0)] if with_definition else [])]
    found = server.at("documentHighlight", server.open("untitled:a", "F(x) = x + G(x)\nG(x) = x\n"), 0, 7)
    assert [each["range"] for each in found] == [span(0, column, column + 1) for column in (2, 7, 13)]


def test_what_helps_while_one_types(server: Conversation) -> None:
    """After a trigger there are no names, and a spelling becomes a sign."""
    hover = server.at("hover", server.open("untitled:g", FACTORIAL), *place(FACTORIAL, "Fact(n - 1)", 2))
    assert all(part in hover["contents"]["value"] for part in ("Fact :", "function", "What Fact computes."))
    assert server.at("hover", "untitled:g", 3, 0) is None
    text = f"{SUM}D = σ + Ad\n"
    uri = server.open("untitled:a", text)
    [item] = server.at("completion", uri, *place(text, "Ad\n", 2))["items"]
    assert (item["label"], shown(text, item["textEdit"]["range"])) == ("Add", "Ad")
    assert (item["detail"], item["documentation"]) == ("Add(x,σ)", "Both 𝜎 together.")
    for typed, sign, spelling in (("\\sig", "σ", "\\sigma"), ("->", "→", "->"), ("/\\", "∧", "/\\")):
        text = f"F(x) = ‘𝜎’ {typed}"
        context = {"triggerKind": 2, "triggerCharacter": typed[-1]}
        uri = server.open(f"untitled:{sign}", text)
        [item] = server.at("completion", uri, *place(text, typed, len(typed)), context=context)["items"]
        assert (item["textEdit"]["newText"], shown(text, item["textEdit"]["range"])) == (sign, typed)
        assert item["filterText"] == spelling
    uri = server.open("untitled:d", "F(x) = x >")
    assert server.at("completion", uri, 0, 10, context={"triggerKind": 2, "triggerCharacter": ">"})["items"] == []
    text = f"{SUM}D = Add(1, "
    uri = server.open("untitled:e", text)
    found = server.at("signatureHelp", uri, *place(text, "Add(1, ", 7))
    assert (found["signatures"][0]["label"], found["activeParameter"]) == ("Add(x, σ)", 1)
    lines = {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 20}}
    params = {"textDocument": {"uri": server.open("untitled:f", SUM)}, "range": lines}
    hints = server.result(lsp.TEXT_DOCUMENT_INLAY_HINT, params)
    labels = [(*hint["position"].values(), hint["label"]) for hint in hints]
    assert labels == [(1, 5, ": real"), (1, 7, ": real"), (2, 1, ": integer"), (2, 5, "×")]


def test_rename_in_all_files_or_not_at_all(server: Conversation, tmp_path: Path) -> None:
    paths = written(tmp_path, Main=WITH_PART, Part="G(y) = y\n", Other="G(z) = z\n")
    main, part = (server.open_file(paths["Main"]), paths["Part"].as_uri())
    assert server.at("prepareRename", main, 1, 7) == span(1, 7, 8)
    edit = server.at("rename", main, 1, 7, newName="Twice")
    assert edits(edit) == {main: ["Twice"], part: ["Twice"]}
    versions = {change["textDocument"]["uri"]: change["textDocument"]["version"] for change in edit["documentChanges"]}
    assert versions == {main: 1, part: None}
    uri = server.open("untitled:a", "F(x) = G(x) + x\nG(y) = y\n")
    for name in ("F", "x", "if", "1", "", "𝜎", "G G"):
        message = server.ask_at("rename", uri, 1, 0, newName=name)["error"]["message"]
        assert "cannot be called" in message or "is not a name" in message
    uri = server.open("untitled:c", "F(x) = x\nG(x) = 2\n")
    assert "second definition" in server.ask_at("rename", uri, 0, 0, newName="G")["error"]["message"]
    text = "F(x) = Max(x, 0)\nG(x) = Null(x)\n"
    uri = server.open("untitled:b", text)
    for name, reason in (("Max", "comes with cplc"), ("Null", "part of the language"), ("0)", "no name here")):
        assert reason in server.ask_at("prepareRename", uri, *place(text, name))["error"]["message"]


def crowded(folder: Path, files: int) -> None:
    """Folders with files of CPL, none of which has a G."""
    for number in range(files):
        place = folder / str(number // 500)
        place.mkdir(exist_ok=True)
        (place / f"{number:04}.cpl").write_text("F(x) = x\n", encoding="utf-8")


def told(server: Conversation) -> list[str]:
    """The messages that the user is shown."""
    return [each["params"]["message"] for each in server.heard if each["method"] == lsp.WINDOW_SHOW_MESSAGE]


@pytest.mark.parametrize("way", ["files", "folders"])
def test_a_search_that_was_cut_renames_nothing_and_says_so_once(tmp_path: Path, way: str) -> None:
    if way == "files":
        crowded(tmp_path, MOST_FILES_SEARCHED + 2)
    else:
        for number in range(MOST_FOLDERS_SEARCHED + 1):
            (tmp_path / str(number)).mkdir()
    (tmp_path / "zzz").mkdir()
    (tmp_path / "zzz/last.cpl").write_text('get "../Part.cpl"\nF(x) = G(x)\n', encoding="utf-8")
    text = "G(y) = y\n"
    (tmp_path / "Part.cpl").write_text(text, encoding="utf-8")
    reason = "2,004 files that end in .cpl, of which only 2,000 are read" if way == "files" else "10,000 folders"
    with talking(tmp_path, seconds=3 * SECONDS) as server:
        server.begin(tmp_path, capabilities=EDITOR)
        uri = server.open((tmp_path / "Part.cpl").as_uri(), text)
        refusal = server.ask_at("rename", uri, 0, 0, newName="H")["error"]["message"]
        assert refusal.startswith("G is not renamed") and reason in refusal
        assert edits(server.at("rename", uri, 0, 2, newName="z")) == {uri: ["z", "z"]}  # which no other file can use
        assert told(server) == []
        for _ in range(2):
            found = server.at("references", uri, 0, 0, context={"includeDeclaration": True})
            assert {each["uri"] for each in found} == {uri}
            assert server.result(lsp.WORKSPACE_SYMBOL, {"query": "G"})
        [message] = told(server)
        assert "incomplete" in message and reason in message
        assert server.end() == 0


def test_as_many_files_as_are_read_are_renamed(tmp_path: Path) -> None:
    crowded(tmp_path, MOST_FILES_SEARCHED - 2)
    paths = written(tmp_path, Part="G(y) = y\n", Main=WITH_PART)
    with talking(tmp_path) as server:
        server.begin(tmp_path, capabilities=EDITOR)
        uri = server.open_file(paths["Part"])
        assert edits(server.at("rename", uri, 0, 0, newName="H")) == {uri: ["H"], paths["Main"].as_uri(): ["H"]}
        server.at("references", uri, 0, 0, context={"includeDeclaration": True})
        assert told(server) == []
        assert server.end() == 0


def actions(server: Conversation, uri: str, at: Any, findings: list[Any], *only: str) -> Any:
    context = {"diagnostics": findings, **({"only": [*only]} if only else {})}
    return server.result(lsp.TEXT_DOCUMENT_CODE_ACTION, {"textDocument": {"uri": uri}, "range": at, "context": context})


def test_a_repair_mends_its_finding(server: Conversation) -> None:
    uri = server.open("untitled:a", "F(x) = G((x)\nG(y) = y\n")
    [quick] = server.findings(uri)
    [found] = server.findings(uri, after=1)  # repairs are looked for when nothing is typed for a while
    assert "insert `)`" not in quick["message"]
    assert "insert `)`" in found["message"]
    offered = actions(server, uri, found["range"], [found])
    assert {(action["kind"], action["isPreferred"]) for action in offered} == {("quickfix", False)}
    [change] = offered[0]["edit"]["documentChanges"]
    assert change["textDocument"]["version"] == 1
    [edit] = change["edits"]
    assert (edit["range"], edit["newText"]) == (span(0, 12, 12), ")")
    assert not actions(server, uri, found["range"], [found], "source.fixAll")
    assert actions(server, uri, found["range"], [found], "quickfix") == offered


def test_only_what_leaves_no_choice_is_preferred(server: Conversation) -> None:
    uri = server.open("untitled:a", "F(x) = x @ 2\nG(x) = x ≦ 1 → （x ✕ 2), 10 ∕ x\nH(x) = (x，１)\n")
    server.findings(uri, after=1)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
    *quick, every = actions(server, uri, whole, [])
    preferred = [text for action in quick if action["isPreferred"] for text in edits(action["edit"])[uri]]
    assert {*preferred} == {"≤", "(", "×", "/", ",", "1"}
    lines = {action["diagnostics"][0]["range"]["start"]["line"] for action in quick if not action["isPreferred"]}
    assert lines == set()  # @ may mean anything
    assert edits(every["edit"]) == {uri: ["≤", "(", "×", "/", ",", "1"]}
    assert [action["kind"] for action in actions(server, uri, whole, [], "source.fixAll")] == ["source.fixAll.cpl"]
    server.change(uri, 2, "F(x) = valu of § result is x ＋ 1 §|\n")
    server.findings(uri, 2, after=1)
    whole["end"]["line"] = 1
    [every] = actions(server, uri, whole, [], "source.fixAll")
    assert edits(every["edit"]) == {uri: ["value", "+"]}


def test_what_is_closed_or_cancelled_is_answered_so(server: Conversation, root: Path) -> None:
    uri = server.open("untitled:a", 500 * FACTORIAL)  # so that it is still being read when it is closed
    here = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}}
    asked = server.request(lsp.TEXT_DOCUMENT_HOVER, here)
    server.close(uri)
    assert "error" in server.answer(asked)
    assert "not open" in server.ask(lsp.TEXT_DOCUMENT_HOVER, here)["error"]["message"]
    text = (root / "programs/strachey.cpl").read_text(encoding="utf-8")
    long = 20 * text  # so that it is still being read when the question is cancelled
    uri = server.open("untitled:a", long)
    asked = []
    for number in range(20):
        server.change(uri, number + 2, f"|| {number}\n{long}")
        there = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}}
        asked.append(server.request(lsp.TEXT_DOCUMENT_HOVER, there))
        server.cancel(asked[-1])
    assert all("error" in server.answer(number) for number in asked)
    server.change(uri, 22, f"|| 19\n{text}")
    assert server.at("hover", uri, *place(f"|| 19\n{text}", "BestPosition"))


def test_a_text_nested_too_deep_and_what_cannot_be_done_are_no_end(
    server: Conversation, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """And leave no traceback."""
    uri = server.open("untitled:a", f"F(x) = {'(' * 20_000}x{')' * 20_000}\n")
    server.findings(uri)
    server.change(uri, 2, FACTORIAL)
    assert server.findings(uri, 2) == []
    assert server.at("hover", uri, 1, 0)
    assert "error" in server.ask_at("rename", uri, 1, 0, newName="1")
    assert capfdbinary.readouterr().err == b""


def test_names_of_files_and_addresses_that_are_none(server: Conversation, tmp_path: Path) -> None:
    for name in ("a b", "100%", "é𝜎#?", "%20"):
        paths = written(tmp_path, **{name: "G(x) = x\n", f"{name}main": f'get "{name}.cpl"\nF(x) = G(x)\n'})
        part, main = map(server.open_file, paths.values())
        assert server.findings(main) == []
        assert server.at("definition", main, 1, 7)["uri"] == part
        assert edits(server.at("rename", part, 0, 0, newName="Half")).keys() == {main, part}
    for uri in ("untitled:Untitled-1", "file:///c%3A/My%20Files/a.cpl", "vfs://git/a.cpl", "x:"):
        server.open(uri, "F(x) = x\nG(x) = F(x)\n")
        assert server.findings(uri) == []
        assert server.at("definition", uri, 1, 7)["uri"] == uri
        assert edits(server.at("rename", uri, 0, 0, newName="Half")).keys() == {uri}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_file_under_two_names_is_one(server: Conversation, tmp_path: Path) -> None:
    paths = written(tmp_path, Part="G(x) = x\n", Main=WITH_PART)
    os.symlink(paths["Part"], tmp_path / "Link.cpl")
    main = server.open_file(paths["Main"])
    link = server.open((tmp_path / "Link.cpl").as_uri(), "G(x) = x\n")
    assert server.at("definition", main, 1, 7)["uri"] == link
    found = server.at("references", main, 1, 7, context={"includeDeclaration": True})
    assert {each["uri"] for each in found} == {main, link}


def test_a_fault_of_ours_is_told_and_not_at_every_key() -> None:
    server = make()
    told: list[str] = []
    published: list[int | None] = []
    server.window_show_message = lambda params: told.append(params.message)  # type: ignore[method-assign]
    server.text_document_publish_diagnostics = (  # type: ignore[method-assign]
        lambda params: published.append(params.version)
    )

    async def session() -> None:
        with patch("cpl.editors.lsp.documents.analyse", side_effect=ZeroDivisionError("by nought")):
            server.documents.open(lsp.TextDocumentItem("file:///a.cpl", "cpl", 1, "F(x) = x\n"))
            await server.documents.analysis("file:///a.cpl")
            changes = [lsp.TextDocumentContentChangeWholeDocument("F(x) = 2x\n")]
            document = lsp.VersionedTextDocumentIdentifier(2, "file:///a.cpl")
            change = lsp.DidChangeTextDocumentParams(document, changes)
            server.documents.change(change, lsp.PositionEncodingKind.Utf16)
            await server.documents.analysis("file:///a.cpl")
        assert told == [
            "cpl lsp: internal error in cpl lsp (your program is not to blame): ZeroDivisionError: by nought"
        ]
        document.version = 3
        server.documents.change(change, lsp.PositionEncodingKind.Utf16)
        analysis = await server.documents.analysis("file:///a.cpl")
        assert [definition.name.name for definition in analysis.meaning.core.definitions] == ["F"]
        assert published[-1] == 3

    asyncio.run(session())
    server.documents.shut()
