"""The notebooks run from top to bottom, and show what stands in them."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def shown(notebook: Any) -> list[list[Any]]:
    """What each cell printed and gave."""
    return [
        [output.get("text") or output["data"] for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, request: pytest.FixtureRequest) -> None:
    notebook = nbformat.read(path, 4)
    before = shown(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(notebook, timeout=120, record_timing=False, coalesce_streams=True).execute()
    if request.config.getoption("--update-cases"):
        nbformat.write(notebook, path)
        return
    assert shown(notebook) == before


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
