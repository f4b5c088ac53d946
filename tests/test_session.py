"""The 44 recorded examples, in every form that the program can take."""

import doctest
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import cplrt
import pytest
from conftest import ROOT
from cplrt import checkers

import cpl
from cpl import compiler
from cpl.loader import read
from cpl.semantics.interpreter import Interpreter

SESSION = ROOT / "programs" / "strachey.doctest"
EXAMPLES = 44


def replay(names: dict[str, Any]) -> doctest.TestResults:
    return doctest.testfile(str(SESSION), module_relative=False, globs=names, optionflags=doctest.NORMALIZE_WHITESPACE)


def assert_all(results: doctest.TestResults) -> None:
    assert (results.failed, results.attempted) == (0, EXAMPLES)


@pytest.fixture(scope="module")
def program(root: Path) -> Path:
    return root / "programs" / "strachey.cpl"


def test_as_a_module_written_to_a_file(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.py"
    out.write_text(cpl.compile_text(program.read_text(encoding="utf-8"), path=str(program)).python, encoding="utf-8")
    assert_all(replay(runpy.run_path(str(out))))


def test_as_a_loaded_module(program: Path) -> None:
    assert_all(replay(dict(vars(cpl.load(program)))))


def test_under_the_interpreter(program: Path) -> None:
    meaning = compiler.understand(read(program))
    names = Interpreter(meaning.core, meaning.library.host).names
    host = {name: getattr(cplrt, name) for name in ("Logical", "Next", "Null", "Shift", "SingleDigitFrom")}
    host |= {"board": checkers.board, "PrintPosition": checkers.PrintPosition}
    assert_all(replay(names | host))


def test_standing_alone_under_bare_python(program: Path, tmp_path: Path) -> None:
    """No installed package can be seen: -I keeps the user's out, -S all others."""
    out = tmp_path / "out.py"
    compiled = cpl.compile_text(program.read_text(encoding="utf-8"), path=str(program), standalone=True)
    assert "cplrt import" not in compiled.python
    out.write_text(compiled.python, encoding="utf-8")
    script = (
        "import doctest, runpy; print(doctest.testfile("
        f"{str(SESSION)!r}, module_relative=False, globs=runpy.run_path({str(out)!r}), "
        "optionflags=doctest.NORMALIZE_WHITESPACE))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"TestResults(failed=0, attempted={EXAMPLES})"


def test_the_session_can_fail() -> None:
    """A wrong program does not pass."""
    text = (SESSION.parent / "strachey.cpl").read_text(encoding="utf-8")
    path = str(SESSION.parent / "strachey.cpl")
    wrong = cpl.compile_text(text.replace("(θ ∧ LastRows), θ\n", "θ, θ\n"), path=path)
    names: dict[str, Any] = {}
    exec(compile(wrong.python, "wrong.py", "exec"), names)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    examples = doctest.DocTestParser().get_doctest(SESSION.read_text(encoding="utf-8"), names, "session", None, 0)
    assert results.run(examples, out=lambda _: None).failed > 0
