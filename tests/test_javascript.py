"""Our JavaScript: types whole, in one style, and the states of a run as a plain replay finds them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

FOLDER = ROOT / "tests" / "javascript"


def run(*command: str, **environment: str) -> None:
    settings = {**os.environ, "npm_config_update_notifier": "false", **environment}
    done = subprocess.run(command, cwd=FOLDER, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not (FOLDER / "node_modules").is_dir(), reason="no tsc and prettier: npm install brings them")
@pytest.mark.parametrize("script", ["types", "format"])
def test_tool(script: str) -> None:
    run("npm", "run", "--silent", script)


@pytest.mark.skipif(not shutil.which("node"), reason="there is no program node")
def test_replay(tmp_path: Path) -> None:
    module = shutil.copy(ROOT / "cpl" / "views" / "static" / "replay.js", tmp_path / "replay.mjs")
    run("node", "--test", "replay.test.js", REPLAY=str(module))
