"""`cpl.install_import_hook()`: `import mine` finds `mine.cpl`."""

import importlib
import inspect
import os
import pickle
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from cplrt import CplFault

import cpl


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on `sys.path`, with the hook installed; what is imported within a test is forgotten after it."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    cpl.install_import_hook()
    yield tmp_path
    cpl.uninstall_import_hook()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    os.utime(path, (0, 0))  # a change is seen by the text, not by the time
    return path


def test_an_import_is_a_module_as_any_other(folder: Path) -> None:
    path = write(folder / "mine.cpl", "|| Adds.\nTwice(x) = 2x\nFourTimes(x) = Twice(Twice(x))\n")
    module = importlib.import_module("mine")
    assert module.FourTimes(2) == 8
    assert module.__name__ == module.Twice.__module__ == "mine"
    assert module.__file__ == module.__spec__.origin == str(path)
    assert "Twice(x) = 2x" in inspect.getsource(module)
    assert inspect.getsource(module.Twice).startswith("def Twice(x")
    assert pickle.loads(pickle.dumps(module.Twice)) is module.Twice
    names: dict[str, object] = {}
    exec("from mine import *", names)
    assert {"Twice", "FourTimes"} <= names.keys()


def test_a_reload_reads_the_changed_text_into_the_same_module(folder: Path) -> None:
    path = write(folder / "mine.cpl", "Scale(x) = 2x\nBoth(x) = Scale(x) + 1\n")
    module = importlib.import_module("mine")
    both = module.Both
    write(path, "Scale(x) = 3x\nBoth(x) = Scale(x) + 1\n")
    assert importlib.reload(module) is module
    assert module.Both(5) == both(5) == 16


def test_python_of_the_same_name_comes_first(folder: Path) -> None:
    write(folder / "mine.cpl", "Twice(x) = 2x\n")
    write(folder / "mine.py", "language = 'Python'\n")
    assert importlib.import_module("mine").language == "Python"


def test_a_program_in_a_package(folder: Path) -> None:
    (folder / "games").mkdir()
    write(folder / "games" / "__init__.py", "from games.mine import Twice\n")
    write(folder / "games" / "mine.cpl", "Twice(x) = 2x\n")
    assert importlib.import_module("games").Twice(2) == 4
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("mine")


def test_a_fault_is_traced_in_lines_of_cpl(folder: Path) -> None:
    path = write(folder / "mine.cpl", "Half(x) = 1/x\n\nTest(x) = Half(x - 1)\n")
    module = importlib.import_module("mine")
    with pytest.raises(CplFault, match="division by zero") as caught:
        module.Test(1)
    frames = [(frame.filename, frame.lineno, frame.line) for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert (str(path), 3, "Test(x) = Half(x - 1)") in frames
    assert frames[-1] == (str(path), 1, "Half(x) = 1/x")


def test_wrong_cpl_leaves_no_module_behind(folder: Path) -> None:
    path = write(folder / "mine.cpl", "Twice(x) = 2y\n")
    with pytest.raises(cpl.CplError, match="y is not defined") as caught:
        importlib.import_module("mine")
    assert caught.value.diagnostics[0].span.source.path == str(path)
    assert "mine" not in sys.modules
    write(path, "Twice(x) = 2x\n")
    assert importlib.import_module("mine").Twice(2) == 4


def test_the_hook_is_there_once_and_only_when_asked_for(folder: Path) -> None:
    write(folder / "mine.cpl", "Twice(x) = 2x\n")
    finders = len(sys.meta_path)
    cpl.install_import_hook()
    assert len(sys.meta_path) == finders
    cpl.uninstall_import_hook()
    cpl.uninstall_import_hook()
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("mine")


def test_what_is_no_folder_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [None, b"bytes", *sys.path])
    write(folder / "found.cpl", "F(x) = x\n")
    assert importlib.import_module("found").F(1) == 1
