"""The benchmarks in short: everything that counts positions counts the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.long
def test_all_count_the_same(tmp_path: Path) -> None:
    files = [tmp_path / "out.json", tmp_path / "out.svg"]
    done = subprocess.run(
        [sys.executable, "benchmarks", "--short", "perft", "--json", str(files[0]), "--svg", str(files[1])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(files[0].read_text(encoding="utf-8"))["rows"]
    counted = {row["name"] for row in rows if row["value"]}
    assert {"cplc", "cplc -O", "cplc --native", "pydraughts", "Python on ints, by hand"} <= counted
    assert "no figure" not in done.stdout.replace("no figure: no C compiler", "")
    assert files[1].read_text(encoding="utf-8").startswith("<svg")


def test_unknown_parts_are_refused() -> None:
    command = [sys.executable, "benchmarks", "magic"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no part magic" in done.stderr
