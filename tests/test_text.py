"""What a text may hide: characters that are not seen, and comments that something else would obey."""

import ast
import io
import json
import re
import resource
import subprocess
import sys
import tokenize
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from cplrt import show
from ways import BOTH, Ways

import cpl
from cpl.cli import terminal
from cpl.cli.cplc import main
from cpl.compiler import pipeline
from cpl.compiler.diagnostics import render
from cpl.compiler.source import Source


@cache
def hidden() -> list[str]:
    """Marks of direction and format, separators of lines; controls stand nowhere in a text."""
    return [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in ("Cf", "Zl", "Zp")]


CONTROLS = [chr(code) for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc" and chr(code) not in "\t\n\r"]
TRICKY = "\u202e\u2066\u200f\u061c\u200b\u200d\ufeff\u00ad\u2028\u2029\U000e0041"
EVIL = "a\x1b[31m\u202eb.cpl"


def hidden_in(text: str) -> list[str]:
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return [char for char in text if unicodedata.category(char) in kinds and char != "\n"]


@pytest.mark.parametrize("before", ["A = 1 ", "A = 1 || a comment ", "## a comment "])
def test_outside_strings_they_are_errors(before: str) -> None:
    joiners = "\u200c\u200d" if "comment" in before else ""
    blanks = "" if "comment" in before else "\f\v"
    for char in hidden() + CONTROLS:
        text = f"\n{before}{char}\nB = 2\n"
        found = cpl.check_text(text)
        if char in joiners + blanks:
            assert not found
            continue
        [error] = found
        assert error.severity == "error" and error.span.text == char, hex(ord(char))
        assert (error.span.line, error.span.column) == (2, len(before) + 1)
        assert f"U+{ord(char):04X}" in error.message
        assert error.help
        assert not hidden_in(render(error))


def test_comments_hide_nothing_and_are_no_metadata() -> None:
    """Of what stands in a comment, no repair takes the error away."""
    with pytest.raises(cpl.CplError) as raised:
        cpl.compile_text("F(x) = (x + 1  || a\u202eb\nG(x) = 2\n", repair=True)
    assert "hidden-character" in [each.code for each in raised.value.diagnostics]
    assert cpl.check_text("\ufeffA = 1\n") == []
    assert cpl.check_text("A = 1\n\ufeffB = 1\n") != []
    for comment in ("Note: x", "as follows: x", "n = 3", "http://example.org", "a type: real", *PROSE):
        assert f"A = 1  # {comment}\n" in cpl.compile_text(f"A = 1 || {comment}\n").python
    # By the pattern of PEP 723.
    text = '|| /// script\n|| dependencies = ["evil"]\n|| ///\nA = 1\n'
    block = r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$"
    assert not re.search(block, cpl.compile_text(text).python)


@pytest.mark.parametrize("alone", [False, True])
def test_in_strings_they_stay_and_python_shows_them(alone: bool, ways: Callable[..., Ways]) -> None:
    """The text of the module is seen whole; values and docstrings are exact."""
    for chars in ("".join(hidden()), TRICKY, TRICKY + "\\", TRICKY + '"""'):
        function = f"F(x) =\f‘{chars}’"
        text = f"{function}\nA = ‘{chars}’\nB = A = F(1)\n"
        compiled = cpl.compile_text(text, standalone=alone)
        assert not hidden_in(compiled.python)
        module: dict[str, object] = {}
        exec(compiled.python, module)
        assert (module["A"], module["B"]) == (chars, True)
        assert str(module["F"].__doc__).strip() == function
        assert ways(text, calls=["A"], only=BOTH).agreed().values == (show(chars),)
        formatted = cpl.format_text(text)
        assert f"‘{chars}’" in formatted
        assert cpl.format_text(formatted) == formatted


def test_titles_json_and_carets_hide_none_of_them(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.cpl").write_text("A = 1\n", encoding="utf-8")
    title = '["mine.cpl"]\ntitle = "A \\u202e title"\nabout = "one\\u2028two"\n'
    (tmp_path / "programs.toml").write_text(title, encoding="utf-8")
    assert main([str(tmp_path / "mine.cpl")]) == 1
    message = capfd.readouterr().err
    assert "mine.cpl" in message and not hidden_in(message)
    print(terminal.as_json({TRICKY: "§\n\t"}))
    text = capfd.readouterr().out
    assert not hidden_in(text) and "§" in text
    assert json.loads(text) == {TRICKY: "§\n\t"}
    [error] = cpl.check_text("F(x) = \t(‘\u202e’,\t‘\u202e\u200d’ + x + ∧)\n")
    *_, line, carets = render(error).splitlines()[:4]
    place = carets.index("^")
    assert line[place : place + carets.count("^")] == error.span.text


INSTRUCTIONS = """type: str|type: ignore|  type:ignore[misc]|noqa|words # noqa|fmt: off|words # fmt: skip|nopep8
    |pragma: no cover|mypy: ignore-errors|pyright: basic|pylint: disable=all|isort:skip_file|words isort: off|%% cell
    |cython: language_level=2|-*- coding: latin-1 -*-|vim: set fileencoding=latin-1 :|!/usr/bin/env python|/// script
    |NOLINT(x)|pyre-ignore[3]|In[1]:|region Name|noinspection PyX|nuitka-project: --x|words; @formatter:off
    |vim9: set x :|pyrefly: ignore"""
OBEYED = re.compile(
    r"""\#!
    | \#\s*type:
    | \#\s*(?i:noqa|nosec|nopep8|nosonar|nolint|lgtm|nosemgrep|noinspection|sourcery|skylos)
    | \#\s*(?:pragma|PRAGMA)[:\s]?\s*(?:no|NO)
    | \#\s*(?:mypy|ruff|pyright|yapf|pytype|cython|distutils|pyrefly|nuitka-project|(?i:flake8))\s*[:=]
    | \#\s*(?:pyre-|///|%%|In\[\d*\]|(?:end)?region\b)
    | @formatter:
    | [\s](?:vi|vim|ex)[<=>]?\d*:
    | [\#;]\s*fmt:\s*(?:off|skip)
    | \#.*\b(?:pylint|isort|vim):
    | coding[:=]\s*[-\w.]+""",
    re.VERBOSE,
)
"""What the tools look for, after their documentation."""


@pytest.mark.parametrize("instruction", re.split(r"\n? *\|", INSTRUCTIONS))
def test_a_comment_is_no_instruction(instruction: str) -> None:
    text = f"|| {instruction}\n||{instruction}\n\n|| {instruction}\nA   = (1,   2) || {instruction}\nF(x) = x\n"
    python = cpl.compile_text(text + f"|| {instruction}\n").python
    comments = [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(python).readline)
        if token.type == tokenize.COMMENT and not token.string.startswith("# Lines from")
    ]
    docstring = ast.get_docstring(ast.parse(python)) or ""
    heading, _, about = docstring.rpartition("\n\n")
    assert about == "Compiled from CPL by cplc; the docstrings are the CPL."
    assert len(comments) == 3
    assert len(heading.splitlines()) == 2
    for comment in (*comments, *heading.splitlines()):
        assert not OBEYED.search(comment)
        assert re.findall(r"\w+", comment) == re.findall(r"\w+", instruction)
    assert "\nA = (1, 2)  # " in python
    tree = ast.parse(python, type_comments=True)
    assert not tree.type_ignores
    assert not any(getattr(statement, "type_comment", None) for statement in tree.body)
    assert tokenize.detect_encoding(io.BytesIO(python.encode()).readline)[0] == "utf-8"


PROSE = ["note: a man", "result: x", "squares: 5 to 12", "sort: by row", "Kate: white", "Type: x", "regions", "v = 3"]


GROWING = "Grow(L) = Grow(Join(L,L))\nDeep(n) = 1 + Deep(n + 1)\n"


def small() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (300 * 2**20,) * 2)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit does not hold")
@pytest.mark.parametrize("how", [[], ["--interpreter"]])
def test_memory_that_runs_out_is_told_as_such(how: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.cpl").write_text(GROWING, encoding="utf-8")
    command = [sys.executable, "-m", "cpl.cli", "run", "mine.cpl", *how, "--call", "Grow((1,2))"]
    command[1:3] = ["-c", "import sys; from cpl.cli.cpl import main; sys.exit(main(sys.argv[1:]))"]
    done = subprocess.run(command, preexec_fn=small, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "cpl run: memory ran out" in done.stderr.splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit does not hold")
@pytest.mark.parametrize("alone", [False, True])
def test_a_module_says_that_memory_ran_out(alone: bool, tmp_path: Path) -> None:
    source = Source("mine.cpl", f"{GROWING}WriteLine(Grow((1,2)))\n")
    (tmp_path / "out.py").write_text(
        pipeline.compile_source(source, pipeline.Options(standalone=alone)).python, encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "out.py"], preexec_fn=small, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == "MemoryError at mine.cpl:1: memory ran out\n"


@pytest.mark.parametrize("error", [MemoryError(), SystemError("error return without exception set")])
def test_memory_that_runs_out_while_compiling_is_no_fault_of_ours(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    for place in ("cpl.compiler.pipeline.understand", "cpl.compiler.python.emit.written"):
        with monkeypatch.context() as patch:
            patch.setattr(place, fail)
            assert main(["strachey.cpl"]) == 1
        assert capsys.readouterr().err == "cplc: memory ran out\n"


def test_black_can_be_asked_by_several_threads_at_once() -> None:
    """In a new process: each thread imports it, and none sees a part of it only."""
    script = """
from concurrent.futures import ThreadPoolExecutor
from cpl.compiler.python.text import blackened
with ThreadPoolExecutor(8) as pool:
    print({*pool.map(blackened, ["x  = 1"] * 8)})
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout == "{'x = 1\\n'}\n"
