"""CPL in editors: the extension for VS Code agrees with the compiler, Neovim talks with the server; and JavaScript."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import with_commands
from conftest import ROOT

import cpl
from cpl.compiler import loader
from cpl.compiler.source import Source
from cpl.compiler.syntax.lexer import pieces
from cpl.compiler.syntax.tokens import GREEK, GREEK_LETTERS, WORDS
from cpl.editors.completion import SPELLINGS, spelled
from cpl.limits import MOST_CHARACTERS_OF_PROGRAM
from cpl.study.views.highlighting import CplLexer
from cpl.study.views.listing import colour

EDITORS = ROOT / "editors"
OWN_PAGE = "extension.md"
"""What a marketplace shows of the extension."""
SECONDS = 60
"""After which a program that does not end has failed."""


def run_program(*command: str | Path, cwd: Path, **environment: str) -> str:
    settings = {**os.environ, "npm_config_update_notifier": "false", **environment}
    try:
        done = subprocess.run(
            command, cwd=cwd, env=settings, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"{command[0]} did not end within {SECONDS} seconds: {late.stdout!r} {late.stderr!r}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def read(name: str) -> Any:
    return json.loads((EDITORS / name).read_text(encoding="utf-8"))


MANIFEST = read("package.json")
LANGUAGE = read("language-configuration.json")
SNIPPETS = read("snippets.json")


def classes(text: str) -> list[tuple[str, str]]:
    """What the compiler's colours make of a text."""
    return [(str(kind), part) for _, kind, part in CplLexer().get_tokens_unprocessed(text)]


def test_the_manifest_names_what_is_there() -> None:
    contributes = MANIFEST["contributes"]
    [language], [grammar], [snippets] = contributes["languages"], contributes["grammars"], contributes["snippets"]
    named = {language["configuration"], grammar["path"], snippets["path"]}
    assert {name.removeprefix("./") for name in named} < {*MANIFEST["files"]}
    assert all((EDITORS / name).is_file() for name in named)
    assert grammar["language"] == snippets["language"] == language["id"] == "cpl"
    coloured = read(grammar["path"])
    assert grammar["scopeName"] == coloured["scopeName"]
    assert language["extensions"] == [f".{item}" for item in coloured["fileTypes"]]
    assert MANIFEST["version"] == cpl.__version__
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in MANIFEST["devDependencies"].values())
    commands = {item["command"] for item in contributes["commands"]}
    assert MANIFEST["icon"] in MANIFEST["files"]
    for menu in contributes["menus"].values():
        assert {item["command"] for item in menu} <= commands


def test_its_own_page_has_its_settings_and_its_commands() -> None:
    """And no link that leads out of the extension to a file that is not in it."""
    page = (EDITORS / OWN_PAGE).read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", page, re.MULTILINE))
    settings = MANIFEST["contributes"]["configuration"]["properties"]
    for name, setting in settings.items():
        default = setting["default"]
        assert rows[f"`{name}`"] == f"`{default if isinstance(default, str) else json.dumps(default)}`"
    commands = {f"{item['category']}: {item['title']}" for item in MANIFEST["contributes"]["commands"]}
    assert {name for name in rows if name.startswith("CPL: ")} == commands
    assert re.findall(r"\]\((?!https:)", page) == []


def test_comments_brackets_and_words_are_those_of_the_compiler() -> None:
    assert classes(LANGUAGE["comments"]["lineComment"] + "x") == [("Token.Comment.Single", "||x")]
    kinds = {kind for pair in LANGUAGE["brackets"] for bracket in pair for kind, _ in classes(bracket)}
    assert kinds == {"Token.Keyword.Pseudo", "Token.Punctuation"}
    for pair in LANGUAGE["autoClosingPairs"]:
        assert not any("Error" in kind for kind, _ in classes(f"{pair['open']} {pair['close']}")), pair
    for name in (
        *(*GREEK, *(f"{letter}'" for letter in GREEK), *(f"\\{name}" for name in GREEK_LETTERS)),
        *(*"x x' σ′ Fact1 R' Ip 253 value".split(), *WORDS),
    ):
        assert re.findall(LANGUAGE["wordPattern"], f"({name},") == [name]
    assert re.findall(LANGUAGE["wordPattern"], "xFact(x) = σs + 2Φ'") == ["x", "Fact", "x", "σ", "s", "2", "Φ'"]


def after_enter(line: str) -> str:
    """How an editor indents the line after this one."""
    indentation = re.match(r" *", line)[0]
    for rule in LANGUAGE["onEnterRules"]:
        if re.search(rule["beforeText"], line):
            action = rule["action"]
            if action["indent"] == "indent":
                indentation += " " * MANIFEST["contributes"]["configurationDefaults"]["[cpl]"]["editor.tabSize"]
            length = len(indentation) - action.get("removeText", 0)
            return indentation[:length] + action.get("appendText", "")
    return indentation


TYPED = """\
F(x) = value of
  § let y = 2x
    while y > 9 do
      § WriteLine(y)
        y := 1 §|
    if y > 0 then do § WriteLine(y); WriteLine(x) §|
    result is y §|
routine R(x) is
  § WriteLine(x); WriteLine(2x) §|
G(x) = value of § let y = 2; result is y §|
let A =
    "a long text"
"""

CLOSED_BY_ONE_SIGN = """\
F(x) = value of
  § let y = 2x
    while y > 9 do
      § WriteLine(y)
        y := 1 §
    while y > 5 do
      § while y > 3 do
          § y := y - 1
            y := y - 2 § §
    if y > 0 then do § WriteLine(y); WriteLine(x) §
    result is y §
R[n] be
  § for i = step 1, 1, n do
      § WriteLine[i] §
    switch n into
      § case 1: WriteLine(1)
        default: WriteLine(2) § §
G(x) = value of § let y = 2; result is y §
"""
"""Where a § alone closes, too, it closes at the end of a line."""


@pytest.mark.parametrize("text", [TYPED, CLOSED_BY_ONE_SIGN])
def test_what_is_typed_is_in_the_style_of_fmt(text: str) -> None:
    assert cpl.format_text(text) == text
    for typed in (text, cpl.format_text(text, signs="ascii")):
        for line, following in pairwise(typed.splitlines()):
            assert after_enter(line) == re.match(r" *", following)[0], line


def test_snippets_are_in_the_style_of_fmt() -> None:
    for name in SNIPPETS:
        text = expanded(SNIPPETS[name]["body"]) + "\n"
        if name in ("value of", "choice", "where", "lambda"):  # expressions
            text = "let z = " + text
        assert not cpl.compile_text(text).diagnostics
        assert cpl.format_text(text) == text


def expanded(body: list[str]) -> str:
    """A snippet with its proposals: the first of a choice, else the text."""
    text = "\n".join(body)
    while (shorter := re.sub(r"\$\{\d+(?:\|([^,|]*)[^|]*\||:([^{}]*))\}", lambda m: m[1] or m[2] or "", text)) != text:
        text = shorter
    assert "${" not in text
    return text


NODE = pytest.mark.skipif(not shutil.which("node"), reason="there is no program node")
BUILT = pytest.mark.skipif(
    not shutil.which("npm") or not (EDITORS / "node_modules").is_dir(),
    reason="what the extension is built of is not installed: npm install in editors brings it",
)


@NODE
def test_the_extension_without_vs_code() -> None:
    run_program("node", "--test", "extension.test.js", cwd=ROOT / "tests" / "javascript")


@BUILT
def test_its_types_are_whole() -> None:
    run_program("npm", "run", "--silent", "types", cwd=EDITORS)


@BUILT
def test_one_command_builds_what_vs_code_installs() -> None:
    vsix = EDITORS / "dist" / "cpl.vsix"
    vsix.unlink(missing_ok=True)
    said = run_program("npm", "run", "--silent", "package", cwd=EDITORS)
    assert "WARN" not in said and "ERROR" not in said, said
    with zipfile.ZipFile(vsix) as archive:
        names = {name.removeprefix("extension/") for name in archive.namelist() if name[:10] == "extension/"}
        renamed = {OWN_PAGE: "readme.md", "LICENSE": "LICENSE.txt"}
        assert names == {"package.json", *(renamed.get(name, name) for name in MANIFEST["files"])}
        assert json.loads(archive.read("extension/package.json"))["contributes"] == MANIFEST["contributes"]
        assert archive.read("extension/icon.png") == (EDITORS / "icon.png").read_bytes()
        assert archive.read("extension/LICENSE.txt") == (ROOT / "LICENSE").read_bytes()
        assert archive.read("extension/readme.md") == (EDITORS / OWN_PAGE).read_bytes()
        shown = archive.read("extension.vsixmanifest").decode()
        bundle = archive.read("extension/" + MANIFEST["main"].removeprefix("./")).decode()
    of_node = json.loads(run_program("node", "-p", "JSON.stringify(require('module').builtinModules)", cwd=EDITORS))
    assert {*re.findall(r'\brequire\("(?:node:)?([^"]+)"\)', bundle)} - {*of_node} == {"vscode"}
    assert "pip install 'cplc[lsp]'" in bundle
    assert "<Icon>extension/icon.png</Icon>" in shown
    assert "<License>extension/LICENSE.txt</License>" in shown
    assert re.search(r'Content\.Details" Path="extension/readme\.md"', shown)


SERVER = pytest.mark.skipif(
    not importlib.util.find_spec("pygls"), reason="pygls is not installed: pip install -e '.[lsp]' brings it"
)


@SERVER
def test_the_server_ends_without_a_word_when_the_editor_does() -> None:
    messages = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    texts = [json.dumps({"jsonrpc": "2.0", **message}) for message in messages]
    done = subprocess.run(
        [sys.executable, "-m", "cpl", "lsp"],
        input="".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts).encode(),
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"Content-Length") == 2


NEOVIM = """\
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    error("waited in vain for " .. what)
  end
end
local function lines(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\\n")
end
local function windows(condition)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local text = lines(vim.api.nvim_win_get_buf(window))
    if condition(window) and text ~= "" then
      return text
    end
  end
end
local function floating()
  return windows(function(window) return vim.api.nvim_win_get_config(window).relative ~= "" end)
end
local function shown(filetype)
  return windows(function(window)
    local buffer = vim.api.nvim_win_get_buf(window)
    return vim.bo[buffer].buftype == "nofile" and vim.bo[buffer].filetype == filetype
      and vim.api.nvim_win_get_config(window).relative == ""
  end)
end
local function messages()
  return vim.tbl_map(function(each) return each.message end, vim.diagnostic.get(0))
end
local function session()
  wait("the server", function() return vim.fn.exists(":CplRun") == 2 end)
  %s
end
local well, result = xpcall(session, debug.traceback)
vim.fn.writefile({ vim.fn.json_encode({ well = well, result = result }) }, "result.json")
vim.cmd("qall!")
"""


@pytest.fixture
def neovim(tmp_path: Path) -> Callable[[str, str], Any]:
    """Opens a text with the settings that we ship, and does there what a piece of Lua says."""
    if not shutil.which("nvim"):
        pytest.skip("there is no program nvim")

    def session(text: str, script: str) -> Any:
        (tmp_path / "mine.cpl").write_text(text, encoding="utf-8")
        (tmp_path / "session.lua").write_text(NEOVIM % script, encoding="utf-8")
        said = run_program(
            *("nvim", "--clean", "--headless", "-u", EDITORS / "nvim.lua", "mine.cpl", "-S", "session.lua"),
            cwd=tmp_path,
            PATH=with_commands()["PATH"],
            **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")},
        )
        answer = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
        assert answer["well"], f"{answer['result']}\n{said}"
        return answer["result"]

    return session


WRONG = "Twice(x)=2y\nlet σ = Twice(3)\nWriteLine(Twice(σ) + 1, Twice(1))\n"
RIGHT = WRONG.replace("2y", "2x")


@SERVER
def test_neovim_with_our_settings_shows_and_changes_what_the_server_says(neovim: Callable[[str, str], Any]) -> None:
    answers = neovim(
        WRONG,
        """
        local answers = {}
        wait("diagnostics", function() return #messages() > 0 end)
        answers.found = messages()
        vim.cmd("normal! gg$rx")
        wait("their end", function() return #messages() == 0 end)
        vim.api.nvim_win_set_cursor(0, { 1, 0 })
        vim.cmd("normal K")
        wait("a floating window", floating)
        answers.hover = floating()
        vim.api.nvim_win_set_cursor(0, { 3, 10 })
        vim.lsp.buf.rename("Double")
        wait("the new name", function() return lines(0):find("Double") end)
        answers.renamed = lines(0)
        vim.cmd("normal grf")
        wait("a change", function() return lines(0) ~= answers.renamed end)
        answers.formatted = lines(0)
        vim.cmd("CplPython")
        wait("the Python", function() return shown("python") end)
        vim.cmd("CplRun")
        wait("the output", function() return shown("") end)
        answers.output = shown("")
        vim.cmd("CplRun Double(21)")
        wait("the value", function() return shown("") ~= answers.output end)
        answers.python, answers.value = shown("python"), shown("")
        return answers
        """,
    )
    renamed = RIGHT.replace("Twice", "Double")
    assert answers["found"] == ["y is not defined"]
    assert "Twice" in answers["hover"] and "integer ⇒ integer" in answers["hover"]
    assert answers["renamed"] + "\n" == renamed
    assert answers["formatted"] + "\n" == cpl.format_text(renamed) != renamed
    assert "def Double(x: int) -> int:" in answers["python"]
    assert answers["output"] == "13 2"
    assert answers["value"].splitlines()[-1] == "42"


FOLDER = ROOT / "tests" / "javascript"


@pytest.mark.skipif(not (FOLDER / "node_modules").is_dir(), reason="no tsc and prettier: npm install brings them")
@pytest.mark.linters
def test_types_and_form_of_our_javascript() -> None:
    for script in ("types", "format"):
        run_program("npm", "run", "--silent", script, cwd=FOLDER)


@NODE
def test_replay(tmp_path: Path) -> None:
    module = shutil.copy(ROOT / "cpl" / "study" / "views" / "static" / "replay.js", tmp_path / "replay.mjs")
    run_program("node", "--test", "replay.test.js", cwd=FOLDER, REPLAY=str(module))


def test_a_link_unfolds_to_no_more_than_the_compiler_reads() -> None:
    text = (ROOT / "docs/site/scripts/parts/state.js").read_text(encoding="utf-8")
    [limit] = re.findall(r"MOST_IN_PROGRAM = ([\d_]+);", text)
    assert int(limit) == MOST_CHARACTERS_OF_PROGRAM


@NODE
def test_cells_of_jupyterlab_are_cut_as_python_cuts_them(tmp_path: Path) -> None:
    """All packaged programs, and where a grammar may go wrong: at the ends of a text, beyond the first plane."""
    cut = shutil.copy(ROOT / "docs/site/scripts/parts/cut.js", tmp_path / "cut.mjs")
    texts = [path.read_text(encoding="utf-8") for path in loader.packaged_files()]
    texts += ["x", "#!comment", "‘𝐀’ 𝐥𝐞𝐭 x = ‘open", "$( x++\n++"]
    done = subprocess.run(
        ["node", FOLDER / "cut.mjs"],
        env={**os.environ, "CUT": str(cut), "GRAMMAR": str(EDITORS / "cpl.tmLanguage.json")},
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    for text, found in zip(texts, json.loads(done.stdout), strict=True):
        units = text.encode("utf-16-le")
        parts = [(units[2 * start : 2 * end].decode("utf-16-le"), shade) for start, end, shade in found]
        wanted = [(piece.text, colour(piece)) for piece in pieces(Source("cell", text)) if colour(piece)]
        assert [part for part in parts if part[0] != "∞"] == wanted  # a sign, which other editors show as a constant


@NODE
@pytest.mark.parametrize("name", ["state", "works", "questions", "asked", "progress"])
def test_what_pages_keep_and_ask(tmp_path: Path, name: str) -> None:
    parts = shutil.copytree(ROOT / "docs" / "site" / "scripts" / "parts", tmp_path / "parts")
    (parts / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    run_program("node", "--test", f"{name}.test.js", cwd=FOLDER, **{name.upper(): str(parts / f"{name}.js")})


@NODE
def test_what_is_typed_in_the_pages(tmp_path: Path) -> None:
    """A spelling becomes what it becomes elsewhere, and the next line begins where `cpl fmt` has it."""
    beginnings = {spelling.typed[:length] for spelling in SPELLINGS for length in range(len(spelling.typed) + 1)}
    spelt = []
    for text in [f"{before}{begun}" for before in ("", "x ", "/", "σ𝜎-") for begun in sorted(beginnings)]:
        found = spelled(Source("", text), len(text)) or []
        spelt.append([text, [[offer.replaced.text, offer.text] for offer in found]])
    lines = []
    for text in (TYPED, CLOSED_BY_ONE_SIGN):
        for form in (text, cpl.format_text(text, signs="ascii")):
            lines += [[line, len(re.match(r" *", following)[0])] for line, following in pairwise(form.splitlines())]
    given = {
        "spellings": [asdict(spelling) for spelling in SPELLINGS],
        "spelt": spelt,
        "rules": LANGUAGE["onEnterRules"],
        "lines": lines,
    }
    (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
    module = shutil.copy(ROOT / "docs" / "site" / "scripts" / "parts" / "typing.js", tmp_path / "typing.mjs")
    run_program(
        *("node", "--test", "typing.test.js"), cwd=FOLDER, TYPING=str(module), GIVEN=str(tmp_path / "given.json")
    )
