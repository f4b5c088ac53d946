"""A `reading` in programs.toml holds for whatever reads the program, and the command line for more."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import run

import cpl
from cpl.compiler import loader
from cpl.compiler.readings import DEFAULT, named
from cpl.compiler.source import Source
from cpl.editors.text_analysis import analyse

MANIFEST = '["mine.cpl"]\nreading = "nil=zero,plusminus=arithmetic"\n'
TEXT = "A = Logical(1) ∧ NIL\nB = Logical(3) + Logical(1)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "programs.toml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "mine.cpl").write_text(TEXT, encoding="utf-8")
    (tmp_path / "other.cpl").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def test_every_command_reads_it_so(folder: Path) -> None:
    for interpreter in ([], ["--interpreter"]):
        assert run("cpl", "run", "mine.cpl", "--call", "B", *interpreter, well=True).stdout == "Logical([2])\n"
    assert run("cpl", "check", "mine.cpl", well=True).stdout == "mine.cpl: no errors or warnings\n"
    assert "Logical([2])" in run("cpl", "trace", "mine.cpl", "--call", "B", well=True).stdout
    assert "read with and=loose,plusminus=arithmetic,nil=zero" in run("cplc", "mine.cpl", well=True).stdout
    differing = json.loads(run("cpl", "diff", "mine.cpl", "other.cpl", "--format", "json", status=1).stdout)
    assert (differing["texts_differ"], differing["behaviours_differ"]) == (False, True)


def test_python_editors_and_the_repl_read_it_so(folder: Path) -> None:
    assert str(cpl.load("mine.cpl").B) == str(cpl.load("other.cpl", reading="nil=zero,plusminus=arithmetic").B)
    source = loader.read(Path("mine.cpl"))
    assert loader.reading_for(source) == named("nil=zero,plusminus=arithmetic")
    assert not analyse(source).diagnostics
    assert analyse(Source("other.cpl", TEXT)).diagnostics
    assert run("cpl", "repl", "mine.cpl", input="B\n").stdout == "Logical([2])\n"


def test_what_the_user_says_comes_first(folder: Path) -> None:
    assert loader.reading_for(loader.read(Path("mine.cpl")), "set") == DEFAULT
    done = run("cpl", "run", "mine.cpl", "--reading", "plusminus=set,nil=zero", "--call", "B", well=True)
    assert done.stdout == "Logical([0,1])\n"
    assert "expected a bit string, found NIL" in run("cpl", "check", "mine.cpl", "--reading", "set", status=1).stderr


def test_a_change_of_the_manifest_is_seen(folder: Path) -> None:
    first = run("cpl", "run", "mine.cpl", "--call", "B", well=True).stdout
    (folder / "programs.toml").write_text(MANIFEST.replace("arithmetic", "set"), encoding="utf-8")
    assert run("cpl", "run", "mine.cpl", "--call", "B", well=True).stdout != first
