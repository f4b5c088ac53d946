"""Our own code: types whole, lint clean, in one style, and each file's licence stated; and the benchmarks in short."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from command_line import with_modules_of


@pytest.mark.again
@pytest.mark.linters
@pytest.mark.parametrize(
    "command",
    [
        ["mypy"],
        ["reuse", "lint"],
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_tool(command: list[str], root: Path) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_no_process_outlives_a_test_that_is_interrupted(name: str, root: Path, tmp_path: Path) -> None:
    """Nor where the run began with the signals ignored, as in the background. The output ends with all processes."""
    inner = f"""\
        import os, signal, subprocess
        def test_endless():
            subprocess.run(["sh", "-c", "setsid sleep 300 & sleep 300 &"])
            os.kill(os.getpid(), signal.{name})
            signal.pause()
    """
    (tmp_path / "test_endless.py").write_text(textwrap.dedent(inner), encoding="utf-8")
    command = ["sh", "-c", 'trap "" INT QUIT; exec "$0" -m pytest -p conftest -p no:xdist -s', sys.executable]
    settings = with_modules_of(root / "tests") | {"PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=60, check=False)
    assert "KeyboardInterrupt" in done.stdout, done.stdout + done.stderr


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
