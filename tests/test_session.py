"""The 44 recorded examples, in every form that the program can take."""

import doctest
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cplrt
import pytest
from conftest import ROOT
from cplrt import checkers

import cpl
from cpl import compiler
from cpl.loader import find, read
from cpl.semantics.interpreter import Interpreter

SESSION = ROOT / "programs" / "strachey.doctest"
EXAMPLES = 44


def replay(names: dict[str, Any]) -> doctest.TestResults:
    return doctest.testfile(str(SESSION), module_relative=False, globs=names, optionflags=doctest.NORMALIZE_WHITESPACE)


FORMS = {
    "a module": lambda path: runpy.run_path(str(path)),
    "loaded": lambda _: dict(vars(cpl.load("strachey.cpl"))),
    "interpreted": lambda _: HOST | interpreted(),
}
HOST = {name: getattr(cplrt, name) for name in ("Logical", "Next", "Null", "Shift", "SingleDigitFrom")}
HOST |= {"board": checkers.board, "PrintPosition": checkers.PrintPosition}


def interpreted() -> dict[str, Any]:
    meaning = compiler.understand(read(find("strachey.cpl")))
    return Interpreter(meaning.core, meaning.library.host).names


def compiled(**options: bool) -> str:
    path = ROOT / "programs" / "strachey.cpl"
    return cpl.compile_text(path.read_text(encoding="utf-8"), path=str(path), **options).python


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_examples_hold(form: Callable[[Path], dict[str, Any]], tmp_path: Path) -> None:
    out = tmp_path / "out.py"
    out.write_text(compiled(), encoding="utf-8")
    assert replay(form(out)) == (0, EXAMPLES)


def test_standing_alone_under_bare_python(tmp_path: Path) -> None:
    """No installed package can be seen: -I keeps the user's out, -S all others."""
    out = tmp_path / "out.py"
    out.write_text(compiled(standalone=True), encoding="utf-8")
    assert "cplrt import" not in out.read_text(encoding="utf-8")
    script = (
        "import doctest, runpy; print(doctest.testfile("
        f"{str(SESSION)!r}, module_relative=False, globs=runpy.run_path({str(out)!r}), "
        "optionflags=doctest.NORMALIZE_WHITESPACE))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"TestResults(failed=0, attempted={EXAMPLES})"
