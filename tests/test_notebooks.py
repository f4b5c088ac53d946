"""The notebooks run from top to bottom, and show what stands in them. Of an output only its text is kept, so that a
change of a notebook can be read; pictures are drawn anew when it runs.
"""

import io
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import ROOT
from kernels import executed

import cpl

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}
"""What a kernel of any version says of its language."""

_COLOUR = re.compile("\x1b\\[[0-9;]*m")


def run(path: Path) -> Any:
    """The notebook with the outputs that it has now, as text."""
    notebook = nbformat.read(path, 4)
    kept = dict(notebook.metadata)
    cells = executed(notebook, path.parent, record_timing=False, coalesce_streams=True)
    language = notebook.metadata.language_info
    notebook.metadata = {**kept, "language_info": {key: language[key] for key in LANGUAGE}}
    for cell in cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if "data" in output:
                output.data = {"text/plain": output.data.get("text/plain", "")}
            if "traceback" in output:
                output.traceback = _COLOUR.sub("", "\n".join(output.traceback)).split("\n")
            if "text" in output:
                output.text = _COLOUR.sub("", output.text)
    return notebook


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.long] * (path.name[0] in "14"), id=path.stem) for path in NOTEBOOKS]
)
def test_notebook(path: Path, request: pytest.FixtureRequest) -> None:
    now = run(path)
    if request.config.getoption("--update-cases"):
        nbformat.write(now, path)
    assert [cell.get("outputs") for cell in now.cells] == [cell.get("outputs") for cell in nbformat.read(path, 4).cells]


def test_there_are_seven_notebooks() -> None:
    assert [path.name[0] for path in NOTEBOOKS] == [*"1234567"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_language_is_told(path: Path) -> None:
    """Those who show a notebook without a kernel colour it by this. A version would change with the machine."""
    assert nbformat.read(path, 4).metadata.language_info == LANGUAGE


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_only_text_is_kept(path: Path) -> None:
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", ()):
            assert {*output.get("data", {})} <= {"text/plain"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_between_notebooks_lead_somewhere(path: Path) -> None:
    for cell in nbformat.read(path, 4).cells:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", cell.source if cell.cell_type == "markdown" else ""):
            assert (path.parent / target).exists(), target


def folded(name: str) -> str:
    """The answer that a notebook folds."""
    [path] = (ROOT / "notebooks").glob(name)
    [answer] = [cell.source for cell in nbformat.read(path, 4).cells if "<summary>An answer</summary>" in cell.source]
    [listing] = re.findall(r"^```\w+\n(.*?)^```$", answer, re.MULTILINE | re.DOTALL)
    return str(listing)


def test_folded_answers_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    fib = cpl.load(cpl.Source("fib.cpl", folded("5-*").partition("Map(")[0])).Fib
    assert [fib(n) for n in range(1, 8)] == [1, 1, 2, 3, 5, 8, 13]
    monkeypatch.setattr("sys.stdin", io.StringIO())
    names: dict[str, str] = {}
    exec(folded("6-*"), names)
    assert cpl.load("macrogenerator.cpl").Expanded(names["words"] + "§WORD,3; §WORD,1;") == "three one"
