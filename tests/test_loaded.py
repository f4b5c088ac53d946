"""Functions of loaded programs in other processes: `pickle` writes what to load, and how."""

import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import cpl

TEXT = "node Pair is integer Left with integer Right\nF(x) = x + Mine(x)\nσ(p) = Left[p]\nP = Pair[3,4]\n"
MINE = "Mine(x) = 100x\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "mine.cpl").write_text(MINE, encoding="utf-8")
    (tmp_path / "my.program.cpl").write_text(TEXT, encoding="utf-8")
    return tmp_path / "my.program.cpl"


@pytest.mark.parametrize("start", multiprocessing.get_all_start_methods())
@pytest.mark.parametrize("optimise", [False, True])
def test_a_pool_applies_a_function(program: Path, start: str, optimise: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # A new process looks for the main module of the one that starts it; tests that run side by side have none.
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None, raising=False)
    module = cpl.load(program, libraries=[program.parent / "mine.cpl"], optimise=optimise)
    with ProcessPoolExecutor(1, multiprocessing.get_context(start)) as pool:
        assert [*pool.map(module.F, [1, 2])] == [101, 202]
        assert pool.submit(vars(module)["sigma"], module.P).result() == 3


def test_another_process_loads_what_it_gets(program: Path) -> None:
    module = cpl.load(cpl.Source("a.b", "F(x) = Logical(x) ∧ NIL\n"), reading="nil=zero")
    pickled = pickle.dumps(module.F)
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read())(3))"
    done = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True, check=False)
    assert (done.stderr, done.stdout) == (b"", b"Logical([])\n")


def test_each_load_has_functions_of_its_own(program: Path) -> None:
    counter = cpl.Source("a.cpl", "let n = 0 in F[] ≡ value of § n := n + 1\n result is n §|\n")
    one, other = cpl.load(counter), cpl.load(counter)
    assert pickle.loads(pickle.dumps(one.F)) is one.F
    assert pickle.loads(pickle.dumps(other.F)) is other.F
    assert one.F is not other.F


def test_a_file_that_has_gone_is_named(program: Path) -> None:
    pickled = pickle.dumps(cpl.load(program, libraries=[program.parent / "mine.cpl"]).F)
    program.unlink()
    code = "import pickle, sys; pickle.loads(sys.stdin.buffer.read())"
    done = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True, text=False, check=False)
    assert b"my.program.cpl: no such file" in done.stderr
