"""Our own code: types whole, lint clean, in one style."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "command",
    [["mypy"], ["ruff", "check", "--no-cache", "."], ["ruff", "format", "--no-cache", "--check", "."]],
    ids=lambda command: " ".join(command[:2]),
)
def test_tool(command: list[str], root: Path) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
