"""`cpl.install_import_hook()`: `import mine` finds `mine.cpl`."""

import importlib
import inspect
import os
import pickle
import runpy
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from cplrt import CplFault
from IPython.core.interactiveshell import InteractiveShell

import cpl
from cpl.cli import cplc


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on `sys.path`, with the hook installed; what is imported within a test is forgotten after it."""
    monkeypatch.syspath_prepend(tmp_path)
    cpl.install_import_hook()
    yield tmp_path
    cpl.uninstall_import_hook()
    for name, module in [*sys.modules.items()]:
        if str(tmp_path) in str(getattr(module, "__file__", None)):
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


def test_python_comes_first_and_what_is_no_folder_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "mine.cpl", "Twice(x) = 2x\n")
    write(folder / "mine.py", "language = 'Python'\n")
    assert importlib.import_module("mine").language == "Python"
    monkeypatch.setattr(sys, "path", [None, b"bytes", *sys.path])
    write(folder / "found.cpl", "F(x) = x\n")
    assert importlib.import_module("found").F(1) == 1


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


def test_a_module_that_cplc_wrote_of_an_older_text_is_warned_of(folder: Path) -> None:
    path = write(folder / "mine.cpl", "Twice(x) = 2x\n")
    assert cplc.main([str(path), "-o", str(folder / "mine.py")]) == 0
    os.utime(path, (2e9, 2e9))
    with pytest.warns(UserWarning, match=r"mine\.py is imported, but .*mine\.cpl is newer: compile it again") as found:
        assert importlib.import_module("mine").Twice(2) == 4
    assert [each.filename for each in found] == [importlib.__file__]
    write(folder / "other.py", "language = 'Python'\n")
    write(folder / "other.cpl", "Twice(x) = 2x\n")
    os.utime(folder / "other.cpl", (2e9, 2e9))
    with warnings.catch_warnings(action="error"):
        assert importlib.import_module("other").language == "Python"


def test_the_loader_is_one_as_any_other(folder: Path) -> None:
    path = write(folder / "mine.cpl", "Twice(x) = 2x\nnode Knot is integer Key\nF'(x) = x\n")
    module = importlib.import_module("mine")
    loader = module.__spec__.loader
    assert (loader.get_filename("mine"), loader.is_package("mine")) == (str(path), False)
    assert loader.get_source("mine") == path.read_text(encoding="utf-8")
    names: dict[str, object] = {"__spec__": module.__spec__, "__name__": "again"}
    exec(loader.get_code("mine"), names)
    assert names["Twice"].__module__ == "again"  # type: ignore[attr-defined]
    for each in (module.Twice, module.F_prime, module.Knot):
        assert pickle.loads(pickle.dumps(each)) is each
    assert runpy.run_module("mine")["Twice"](4) == 8


def test_other_processes_run_and_import_what_the_hook_finds(folder: Path) -> None:
    write(folder / "sitecustomize.py", "import cpl\ncpl.install_import_hook()\n")
    write(folder / "mine.cpl", "Twice(x) = 2x\nWrite(Twice(21))\n")
    (folder / "several.py").write_text(
        "import mine\nfrom multiprocessing import get_context\n"
        "if __name__ == '__main__':\n    print(get_context('spawn').Pool(1).map(mine.Twice, [1, 2]))\n"
    )

    def shown(*arguments: str) -> str:
        environment = os.environ | {"PYTHONPATH": str(folder)}
        return subprocess.run(
            [sys.executable, *arguments], env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert shown("-m", "mine") == "42\n"
    assert shown(str(folder / "several.py")).endswith("[2, 4]\n")


def test_autoreload_reads_a_changed_text_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(folder / "mine.cpl", "Scale(x) = 2x\n")
    shell = InteractiveShell.instance()
    shell.run_cell("%load_ext autoreload\n%autoreload 2")
    shell.run_cell("import mine\nfrom mine import Scale\nprint(mine.Scale(5), Scale(5))")
    for time, factor in ((1, 3), (2, 4)):
        write(path, f"Scale(x) = {factor}x\n")
        os.utime(path, (time, time))
        shell.run_cell("print(mine.Scale(5), Scale(5))")
    shell.run_cell("%autoreload off")
    InteractiveShell.clear_instance()
    assert capsys.readouterr().out.splitlines() == ["10 10", "15 15", "20 20"]
