"""Cells of CPL in a notebook, by IPython's own shell. The fifth notebook runs them in a kernel."""

import _thread
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from cplrt import CplFault
from IPython.core.interactiveshell import InteractiveShell

import cpl


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
    made = Notebook(capsys)
    yield made
    assert made.run("%unload_ext cpl") == ""
    InteractiveShell.clear_instance()


def test_cells_are_one_program(notebook: Notebook) -> None:
    assert notebook.run("%%cpl\nTwice(x) = 2x\nFour(x) = Twice(Twice(x))") == ""
    assert notebook.names["Four"](3) == 12
    assert notebook.run("%%cpl\nMap(Four, [1,2])") == "[4,8]\n"
    assert notebook.run("%%cpl\nTwice(x) = x + x + 1\nFour(1)") == "7\n"
    assert notebook.names["Four"](1) == 7
    assert notebook.run("Four(2)").splitlines()[-1].endswith("11")


def test_cells_write_warn_and_show_boards(notebook: Notebook) -> None:
    shown = notebook.run("%%cpl --repair\nF(x) = (x + 1\nG(x) = x\nWrite(‘hello’)")
    assert "hello" in shown
    assert "warning[repaired]" in shown
    assert "In[2]:2:14" in shown
    assert "Black to play." in notebook.run("%%cpl --library strachey.cpl\nStartPosition")
    notebook.run("%%cpl\nF(x,y) = x\nG(x) = F(x,x)")
    shown = notebook.run("%%cpl\nF(x) = x\n1/0")
    assert "warning" in shown and "division by zero" in shown


def test_modules_of_their_own_end_by_themselves(notebook: Notebook) -> None:
    notebook.run("%%cpl\nF(x) = 1")
    assert notebook.run("%%cpl other\nF(x) = 2") == ""
    assert notebook.run("%%cpl other\nG(x) = F(x)\nG(0)") == "2\n"
    assert (notebook.names["F"](0), notebook.names["other"].F(0)) == (1, 2)
    assert "return 2" in notebook.run("%cpl_python other.F")
    assert "return 1" in notebook.run("%cpl_python F")
    shown = notebook.run("%%cpl --repair\nF(x) = (x + 1\nWrite(‘a’)\nfinish\nWrite(‘b’)")
    assert shown.startswith("a\nwarning[repaired]")
    assert notebook.result.success
    assert notebook.names["F"](1) == 2
    assert notebook.run("%%cpl\nG(x) = value of § if x > 1 then finish; result is F(x) §\nG(2)") == ""
    assert "return F(x)" in notebook.run("%cpl_python G")
    assert notebook.run("%%cpl\nG(1)") == "2\n"


def test_readings_and_repair(notebook: Notebook) -> None:
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
