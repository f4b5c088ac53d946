"""cpl and cplrt as Python's own tools see them: help, source, copies, types; the import hook; cells of notebooks."""

import _thread
import copy
import functools
import gc
import importlib
import inspect
import linecache
import os
import pickle
import re
import runpy
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import cplrt
import pytest
from command_line import with_modules_of
from cplrt import CplFault
from IPython.core.interactiveshell import InteractiveShell

import cpl
from cpl.cli import cplc
from cpl.compiler import loader
from cpl.compiler.pipeline import load

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.fixture
def error() -> cpl.CplError:
    with pytest.raises(cpl.CplError) as caught:
        cpl.compile_text("F(x) = (x\nG(x) = x]\n", path="f.cpl")
    return caught.value


def test_names_are_there_before_they_are_used() -> None:
    program = (
        "import sys, cpl\n"
        "print({*cpl.__all__} <= {*dir(cpl)}, 'lark' in sys.modules)\n"
        "import inspect\n"
        "print(inspect.signature(cpl.load).parameters['reading'].default)\n"
        "from cpl import *\n"
        "print(load is cpl.load, issubclass(Unreadable, OSError), Reading().name)\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown == "True False\nNone\nTrue True set\n"
    with pytest.raises(AttributeError, match=r"^module 'cpl' has no attribute 'lod'$"):
        cpl.lod  # noqa: B018


def load_text(text: str, path: str, reading: str | None = None) -> ModuleType:
    return load(cpl.Source(path, text), reading=reading)


@pytest.mark.parametrize("name", ["strachey.cpl", "codes.cpl"])
def test_the_source_of_a_loaded_function_is_its_python(name: str) -> None:
    path = loader.find(name)
    text = cpl.compile_text(path.read_text("utf-8"), path=str(path)).python
    module = cpl.load(path)
    assert inspect.getdoc(module) == inspect.cleandoc(text.split('"""')[1])
    functions = [member for member in vars(module).values() if isinstance(member, FunctionType)]
    own = [
        function
        for function in functions
        if function.__globals__ is vars(module) and not function.__name__.startswith("__")
    ]
    assert len(own) > 5
    for function in own:
        source = inspect.getsource(function)
        assert source.startswith(f"def {function.__name__}(") and f"\n{source}" in text
        assert str(inspect.getsourcefile(function)).endswith(".cpl")


def test_loaded_functions_have_sources_and_tracebacks_of_their_own() -> None:
    def kept() -> int:
        gc.collect()
        return sum(name.startswith("gone.cpl.") for name in linecache.cache)

    text = "F(x) = Logical(x) - Logical(1)\nG(x) = F(x)\n"
    functions = [load_text(text, "gone.cpl", reading).F for reading in ("set", "arithmetic")]
    assert ["Minus(" in inspect.getsource(function) for function in functions] == [False, True]
    assert kept() == 4  # G is still known to F
    del functions
    assert kept() == 0
    with pytest.raises(cplrt.CplFault) as caught:
        load_text("F(x) = x +\n  Head(x)\n", "f.cpl").F([])
    frames = inspect.getinnerframes(caught.value.__traceback__)
    assert ("f.cpl", 2) in [(frame.filename, frame.lineno) for frame in frames]


def test_the_sources_of_values_and_types_are_their_python(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "|| § a heading\nL = λx. x = 1 → 2, 3\nlet g = λy. y × 2\nnode Leaf is string Letter\n"
        "F(x) = G where G(y) = y × x\n(P, Q) = (λx. x, λy. 2y)\n"
    )
    module, python = load_text(text, "values.cpl"), cpl.compile_text(text, path="values.cpl").python
    monkeypatch.setitem(sys.modules, "values.cpl", module)
    has_types = sys.version_info < (3, 13)
    for value in [module.L, module.g, *([module.Leaf] if has_types else [])]:
        assert f"\n{inspect.getsource(value)}" in python
    assert (module.L.__name__, module.L(1), module.L(2), module.g(2)) == ("L", 2, 3, 4)
    assert [*inspect.signature(module.Leaf).parameters] == ["components"]
    assert inspect.getsource(module).rstrip() == text.rstrip()


THINGS = """\
node Leaf is string Letter with integer Times
element Tree is Leaf or real
let Oak = Leaf[‘a’,3]
let Row = Array[real,(1,3)]
let Table = Array[real,(1,2),(1,2)]
let x = 5
let ToX = Pointer[x]
let ToRow = Pointer[Row[1]]
let ToTimes = Pointer[Times[Oak]]
let Many = Steps(1)
let Bits = Logical(6)
let Text = StreamOf[‘abc’]
F(x) = x + 1
Steps(n) = n > 600 → NIL, Join(n, Steps(n + 1))
"""


@functools.cache
def things(standalone: bool) -> str:
    return cpl.compile_text(THINGS, standalone=standalone).python


@pytest.fixture(params=[False, True], ids=["with cplrt", "standalone"])
def compiled(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    name = f"things_{int(request.param)}"
    (tmp_path / f"{name}.py").write_text(things(request.param), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(name)
    del sys.modules[name]


@pytest.mark.parametrize("how", COPIES)
def test_what_a_compiled_module_has_can_be_copied(compiled: ModuleType, how: str) -> None:
    show = getattr(compiled, "show", cplrt.show)
    for name in compiled.__all__:
        value = getattr(compiled, name)
        other = COPIES[how](value)
        assert type(other) is (list if isinstance(value, list) else type(value))
        if isinstance(value, type | FunctionType):
            assert other is value
        else:
            assert show(other) == show(value)


@pytest.mark.parametrize("how", COPIES)
def test_what_has_no_value_has_none_in_copies(how: str) -> None:
    array = cplrt.Array("real", (1, 2))
    array[1] = 5
    other = COPIES[how](array)
    assert other[1] == 5
    with pytest.raises(cplrt.CplFault, match="member 2 has no value yet"):
        other[2]
    empty: cplrt.Cell[int] = COPIES[how](cplrt.Cell())
    with pytest.raises(cplrt.CplFault, match="no value yet"):
        empty.value  # noqa: B018
    assert COPIES[how](cplrt.Cell(3)).value == 3


def test_values_are_written_in_one_line_and_can_be_pickled(error: cpl.CplError) -> None:
    module = load_text(THINGS, "things.cpl")
    assert pickle.loads(pickle.dumps(module.Bits)) == module.Bits
    assert copy.deepcopy(module.Oak).Times == 3
    for value in (module.F, module.Leaf):
        assert pickle.loads(pickle.dumps(value)) is value
    assert pickle.loads(pickle.dumps(module.Oak)).Times == 3
    compiled = cpl.compile_text("F(x) = x + ‘a’\n")
    values = [compiled, *compiled.diagnostics, *error.diagnostics, cpl.Reading(), cpl.Source("f.cpl", "F(x) = x\n")]
    assert compiled.diagnostics
    for value in values:
        assert "\n" not in repr(value) and len(repr(value)) < 200
    assert repr(error.diagnostics[0]).startswith("<error[")


@pytest.mark.parametrize("how", COPIES)
def test_errors_can_be_copied(error: cpl.CplError, how: str) -> None:
    error.add_note("seen by somebody")
    other = COPIES[how](error)
    assert str(other) == str(error)
    assert [*map(repr, other.diagnostics)] == [*map(repr, error.diagnostics)]
    assert other.diagnostics == error.diagnostics
    assert other.__notes__ == ["seen by somebody"]


@pytest.mark.parametrize("how", COPIES)
def test_unreadable_files_are_errors_of_the_system(how: str, tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught:
        cpl.load(tmp_path)
    error = COPIES[how](caught.value)
    assert isinstance(error, cpl.Unreadable) and isinstance(error, cpl.Error)
    assert not isinstance(error, cpl.CplError) and issubclass(cpl.CplError, cpl.Error)
    assert str(error) == f"{tmp_path}: is a directory"
    assert (error.filename, error.strerror) == (str(tmp_path), "is a directory")
    with pytest.raises(FileNotFoundError):
        (tmp_path / "nix").read_text()
    with pytest.raises(cpl.Unreadable, match=r"^nix: no such file, and no packaged program of that name") as caught:
        cpl.load("nix")
    assert caught.value._render_traceback_() == [str(caught.value)]  # in a notebook


USER = """\
from types import ModuleType

import cpl
import cplrt


def moves(name: str) -> int:
    try:
        game: ModuleType = cpl.load(name, reading=cpl.Reading(nil="zero"))
        position: tuple[cplrt.Logical, ...] = game.StartPosition
        return len(game.LegalPositionsFrom(position))
    except cpl.CplError as error:
        first: cpl.Diagnostic = error.diagnostics[0]
        print(first.severity, first.code, first.message, first.span.line, first.help)
    except cpl.Unreadable as error:
        print(error.filename, error.errno)
    except (cpl.Error, cplrt.CplFault):
        raise
    return 0


compiled: cpl.Compiled = cpl.compile_text("Two = 2", libraries=[cpl.Source("a.cpl", "Three = 3")])
python: str = compiled.python
lines: list[int] = [span.line for span in compiled.line_map.values()]
found: list[cpl.Diagnostic] = cpl.check_text("Two = 2")
tidy: str = cpl.format_text("Two=2")
bits: cplrt.Logical = cplrt.Logical([1, 2]) & cplrt.Logical(3)
shown: str = cplrt.show([1, cplrt.infinity])
print(moves("strachey.cpl"))
"""
WRONG = "import cpl\nimport cplrt\ncpl.lod(1)\ncpl.load(1)\ncplrt.Logcal\n"


@pytest.mark.long
def test_types_for_programs_that_use_it(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "wrong.py").write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "user.py", "wrong.py"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert [line.split(" error: ")[0] for line in shown.splitlines()] == ["wrong.py:3:", "wrong.py:4:", "wrong.py:5:"]
    done = subprocess.run([sys.executable, "user.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "7\n"


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


def test_imports_are_in_packages_and_there_once(folder: Path) -> None:
    (folder / "games").mkdir()
    write(folder / "games" / "__init__.py", "from games.mine import Twice\n")
    write(folder / "games" / "mine.cpl", "Twice(x) = 2x\n")
    assert importlib.import_module("games").Twice(2) == 4
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("mine")
    write(folder / "mine.cpl", "Twice(x) = 2x\n")
    finders = len(sys.meta_path)
    cpl.install_import_hook()
    assert len(sys.meta_path) == finders
    cpl.uninstall_import_hook()
    cpl.uninstall_import_hook()
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


def test_a_module_that_cplc_wrote_of_an_older_text_is_warned_of(folder: Path) -> None:
    path = write(folder / "mine.cpl", "Twice(x) = 2x\n")
    assert cplc.main([str(path), "-o", str(folder / "mine.py")]) == 0
    os.utime(path, (2e9, 2e9))
    with pytest.warns(UserWarning, match=r"mine\.py is imported, but .*mine\.cpl is newer: compile it again") as caught:
        assert importlib.import_module("mine").Twice(2) == 4
    assert [warning.filename for warning in caught] == [importlib.__file__]
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
    for value in (module.Twice, module.F_prime, module.Knot):
        assert pickle.loads(pickle.dumps(value)) is value
    assert runpy.run_module("mine")["Twice"](4) == 8


def test_other_processes_run_and_import_what_the_hook_finds(folder: Path) -> None:
    write(folder / "sitecustomize.py", "import cpl\ncpl.install_import_hook()\n")
    write(folder / "mine.cpl", "Twice(x) = 2x\nWriteLine(Twice(21))\n")
    (folder / "several.py").write_text(
        "import mine\nfrom multiprocessing import get_context\n"
        "if __name__ == '__main__':\n    print(get_context('spawn').Pool(1).map(mine.Twice, [1, 2]))\n"
    )

    def shown(*arguments: str) -> str:
        return subprocess.run(
            [sys.executable, *arguments], env=with_modules_of(folder), check=True, capture_output=True, text=True
        ).stdout

    assert shown("-m", "mine") == "42\n"
    assert shown(str(folder / "several.py")).endswith("[2, 4]\n")


class Notebook:
    """Runs cells, and knows what they showed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.shell = InteractiveShell.instance()
        self.capsys = capsys
        assert self.run("%load_ext cpl") == ""

    def run(self, cell: str) -> str:
        """What a cell shows, in order: its values, what it writes, its errors."""
        self.capsys.readouterr()
        self.result: Any = self.shell.run_cell(cell, store_history=True)
        shown = self.capsys.readouterr()
        return re.sub("\x1b\\[[0-9;]*m", "", f"{shown.out}{shown.err}")

    @property
    def names(self) -> dict[str, Any]:
        return dict(self.shell.user_ns)


@pytest.fixture
def notebook(capsys: pytest.CaptureFixture[str]) -> Iterator[Notebook]:
    started = Notebook(capsys)
    yield started
    InteractiveShell.clear_instance()


def test_cells_are_one_program(notebook: Notebook) -> None:
    assert notebook.run("%%cpl\nTwice(x) = 2x\nFour(x) = Twice(Twice(x))") == ""
    assert notebook.names["Four"](3) == 12
    assert notebook.run("%%cpl\nMap(Four, [1,2])") == "[4,8]\n"
    assert notebook.run("%%cpl\nTwice(x) = x + x + 1\nFour(1)") == "7\n"
    assert notebook.names["Four"](1) == 7
    assert notebook.run("Four(2)").splitlines()[-1].endswith("11")


def test_cells_write_warn_and_show_boards(notebook: Notebook) -> None:
    shown = notebook.run("%%cpl --repair\nF(x) = (x + 1\nG(x) = x\nWriteLine(‘hello’)")
    assert "hello" in shown
    assert notebook.run("%%cpl\nWrite(‘a line ’)\nWrite(‘that is open’)") == "a line that is open\n"
    assert "warning[repaired]" in shown
    assert "In[2]:2:14" in shown
    assert "Black to play." in notebook.run("%%cpl --library strachey.cpl\nStartPosition")
    notebook.run("%%cpl\nF(x,y) = x\nG(x) = F(x,x)")
    shown = notebook.run("%%cpl\nF(x) = x\n1/0")
    assert "warning" in shown and "division by zero" in shown


def test_modules_of_their_own_have_their_own_functions(notebook: Notebook) -> None:
    notebook.run("%%cpl\nF(x) = 1")
    assert notebook.run("%%cpl other\nF(x) = 2") == ""
    assert notebook.run("%%cpl other\nG(x) = F(x)\nG(0)") == "2\n"
    assert (notebook.names["F"](0), notebook.names["other"].F(0)) == (1, 2)
    assert "return 2" in notebook.run("%cpl_python other.F")
    assert "return 1" in notebook.run("%cpl_python F")


def test_a_cell_may_end_itself(notebook: Notebook) -> None:
    shown = notebook.run("%%cpl --repair\nF(x) = (x + 1\nWriteLine(‘a’)\nfinish\nWriteLine(‘b’)")
    assert shown.startswith("a\nwarning[repaired]")
    assert notebook.result.success
    assert notebook.names["F"](1) == 2


def test_a_function_that_may_end_its_cell_is_called_in_others(notebook: Notebook) -> None:
    notebook.run("%%cpl\nF(x) = x + 1")
    assert notebook.run("%%cpl\nG(x) = value of § if x > 1 then finish; result is F(x) §\nG(2)") == ""
    assert "return F(x)" in notebook.run("%cpl_python G")
    assert notebook.run("%%cpl\nG(1)") == "2\n"


def test_a_cell_may_keep_to_itself_how_it_is_mended(notebook: Notebook) -> None:
    wrong = "F(x) = (x + 1\nG(x) = x"
    assert "help: insert `)`" in notebook.run(f"%%cpl\n{wrong}")
    shown = notebook.run(f"%%cpl --no-advice\n{wrong}")
    assert "this ( is never closed" in shown
    assert "insert" not in shown


def test_cells_may_have_readings_and_repairs(notebook: Notebook) -> None:
    cell = "let L = Logical([5])\n[L + L = Logical([6])]"
    assert notebook.run(f"%%cpl a\n{cell}") == "[false]\n"
    assert notebook.run(f"%%cpl b --reading arithmetic\n{cell}") == "[true]\n"
    assert "unclosed-bracket" in notebook.run("%%cpl\nF(x) = (x + 1\nG(x) = x")
    assert "warning[repaired]" in notebook.run("%%cpl --repair\nF(x) = (x + 1\nG(x) = x")
    assert notebook.names["F"](1) == 2


def test_an_error_points_into_the_cell_and_changes_nothing(notebook: Notebook) -> None:
    notebook.run("%%cpl\nF(x) = 1")
    shown = notebook.run("%%cpl\nF(x) = 2\nG(x) = Fx")
    assert isinstance(notebook.result.error_in_exec, cpl.CplError)
    assert shown.startswith("error[unknown-name]: Fx is not defined\n")
    assert "In[3]:3:8" in shown
    assert "Traceback" not in shown
    assert "G" not in notebook.names
    assert notebook.run("%%cpl\nF(0)") == "1\n"


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        ("Share(a,n) = a/n\nShare(7,0)", "at In[2]:2:14"),
        ("Deep(n) = 1 + Deep(n + 1)\nDeep(0)", "called at In[2]:3:1"),
        ("Share(a,n) = a/n\nx = Share(7,0)", "called at In[2]:3:5"),
    ],
)
def test_a_fault_shows_the_lines_of_cpl(notebook: Notebook, cell: str, place: str) -> None:
    shown = notebook.run(f"%%cpl\n{cell}")
    assert isinstance(notebook.result.error_in_exec, CplFault)
    assert place in shown
    assert ".py" not in shown


def test_a_fault_in_python_that_calls_cpl(notebook: Notebook) -> None:
    notebook.run("%%cpl\nShare(a,n) = a/n")
    assert "at In[2]:2:14" in notebook.run("Share(7, 0)")
    assert "ZeroDivisionError" in notebook.run("1/0")
    for magic in ("time", "timeit"):
        shown = notebook.run(f"%{magic} Share(7, 0)").rstrip().splitlines()
        assert [line.strip() for line in shown[-4:]] == ["division by zero", "at In[2]:2:14", "Share(a,n) = a/n", "^^^"]


def test_an_endless_run_can_be_interrupted(notebook: Notebook) -> None:
    threading.Timer(0.5, _thread.interrupt_main).start()
    shown = notebook.run("%%cpl\nLet n = 0\nuntil n < 0 do n := n + 1".replace("Let", "let"))
    assert isinstance(notebook.result.error_in_exec, KeyboardInterrupt)
    assert "interrupted" in shown
    assert "In[2]:3" in shown
    assert notebook.run("%%cpl\n1 + 1") == "2\n"


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("%%cpl --speed 3\nF = 1", "unrecognized arguments: --speed"),
        ("%%cpl --reading odd\nF = 1", "odd"),
        ("%%cpl two words\nF = 1", "unrecognized arguments: words"),
        ("%%cpl 2\nF = 1", "2 cannot be the name of a module"),
        ("%%cpl class\nF = 1", "class cannot be the name of a module"),
        ("%%cpl --library nothing.cpl\nF = 1", "no such file"),
        ('%%cpl "\nF = 1', "No closing quotation"),
        ("%cpl_python F", "no cell has defined anything yet"),
        ("%cpl_python a.F", "there is no program a"),
        ("%cpl_python", "F"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(notebook: Notebook, cell: str, message: str) -> None:
    shown = notebook.run(cell)
    assert message in shown
    assert "Traceback" not in shown
    assert "F" not in notebook.names


def test_names_of_python_are_left_alone_and_unknown_ones_suggested(notebook: Notebook) -> None:
    notebook.run("%%cpl\nLength2(x) = 1")
    assert "did you mean Length2?" in notebook.run("%cpl_python Length3")
    assert "--reading" in notebook.shell.magics_manager.magics["cell"]["cpl"].__doc__
    notebook.run("import math")
    assert "math is a module of Python here: choose another name" in notebook.run("%%cpl math\nlet e = 3")
    assert notebook.names["math"].e > 2.7


def test_a_cell_gives_the_notebook_what_is_new(notebook: Notebook) -> None:
    """Not what Python has given another meaning; but what Python's own calls have changed."""
    notebook.run("%%cpl\nF(x) = x\nlet n = 1\nroutine Inc() is n := n + 1")
    notebook.run("F = 5\nInc()")
    notebook.run("%%cpl\nH(x) = 1")
    assert (notebook.names["F"], notebook.names["n"]) == (5, 2)


def test_what_a_cell_defines_is_bound_though_python_had_changed_it(notebook: Notebook) -> None:
    for name, prefix in (("", ""), (" other", "other.")):
        cell = f"%%cpl{name}\nlet i = 2\nF(x) = x"
        notebook.run(cell)
        notebook.run(f"for {prefix}i in range(9): pass\n{prefix}F = 0")
        assert notebook.run(cell) == ""
        assert notebook.run(f"{prefix}i, {prefix}F(1)").splitlines()[-1].endswith("(2, 1)")
        notebook.run(f"for {prefix}i in range(9): pass\n{prefix}F = 0")
        notebook.run(f"%%cpl{name}\nG(x) = i")
        assert notebook.run(f"{prefix}i, {prefix}F, {prefix}G(1)").splitlines()[-1].endswith("(8, 0, 2)")
    notebook.run("other = 5")
    notebook.run("%%cpl\nlet k = 2")
    assert notebook.names["other"] == 5
    assert notebook.run("%%cpl other\nF(3)") == "3\n"
    assert notebook.names["other"].i == 8


def test_what_the_cells_defined_comes_back_after_a_reset(notebook: Notebook) -> None:
    notebook.run("%%cpl\nShare(a,n) = a/n\nlet i = 2")
    notebook.run("%%cpl other\nlet i = 3")
    notebook.run("%reset -f")
    assert notebook.run("%%cpl\nlet k = i + 1\nk") == "3\n"
    assert "i + 1" not in notebook.run("Share(i, 0)")
    assert "at In[2]:2:14" in notebook.run("Share(i, k - 3)")
    assert notebook.names["other"].i == 3
    notebook.run("%reset -f")
    notebook.run("%%cpl other\ni")
    assert (notebook.names["i"], notebook.names["other"].i) == (2, 3)
