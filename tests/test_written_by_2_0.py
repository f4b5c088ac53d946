"""Modules that cplc 2.0 wrote run with the run-time library of today: those in `written_by_2_0`, as they are."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
OUTPUTS = HERE / "outputs"


@pytest.mark.parametrize("name", ["derivative", "macrogenerator"])
def test_a_program_writes_what_it_wrote(name: str) -> None:
    source = OUTPUTS / f"{name}.in"
    given = source.read_text(encoding="utf-8") if source.exists() else ""
    command = [sys.executable, str(HERE / "written_by_2_0" / f"{name}.py")]
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == (OUTPUTS / f"{name}.out").read_text(encoding="utf-8")


def test_a_concordance_has_its_lines() -> None:
    command = [sys.executable, str(HERE / "written_by_2_0" / "concordance.py")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert "       Tyger Tyger, burning bright, " in done.stdout


@pytest.mark.parametrize("name", ["strachey", "strachey_fast"])
def test_the_checkers_of_1966_has_its_positions(name: str) -> None:
    game = runpy.run_path(str(HERE / "written_by_2_0" / f"{name}.py"))

    def count(position: Any, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(following, depth - 1) for following in game["LegalPositionsFrom"](position))

    assert [count(game["StartPosition"], depth) for depth in (1, 2, 3, 4)] == [7, 49, 302, 1469]
