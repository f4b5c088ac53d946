"""Child processes: what they import, their limits and their end."""

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cpl import processes


def test_children_see_nothing_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("json.py", "cplrt.py", "runpy.py"):
        Path(name).write_text("print('mine')\n")
    child = processes.start("-c", "import json, cplrt; print(len(json.dumps(input())))", seconds=10)
    assert processes.finish(child, b"1234\n", most=100, seconds=60) == (b"6\n", 0)
    # In a virtual environment of Windows a launcher stands between the two, and so it may elsewhere.
    launcher = tmp_path / "python"
    launcher.write_text(f'#!/bin/sh\n{shlex.quote(sys.executable)} "$@"\n')
    launcher.chmod(0o755)
    (tmp_path / "cgi_of_mine.py").write_text("print('mine')\n")
    monkeypatch.setattr(sys, "executable", str(launcher))
    monkeypatch.setenv("PYTHONPATH", f".{os.pathsep}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.chdir(tmp_path)
    child = processes.start("-c", "import time; time.sleep(1.5); import cgi_of_mine", seconds=10)
    output, status = processes.finish(child, most=1000, seconds=60)
    assert status == 1 and b"No module named 'cgi_of_mine'" in output


def test_a_child_has_limits_and_ends_with_its_parent(tmp_path: Path) -> None:
    def ended(code: str, most: int = 10_000, seconds: float = 60, memory: int = 0) -> tuple[bytes, int | None]:
        return processes.finish(processes.start("-c", code, seconds=2, memory=memory), most=most, seconds=seconds)

    assert ended("print('x' * 1000000)", most=5) == (b"xxxxx", 0)
    assert ended("import time; time.sleep(100)", seconds=1) == (b"", None)
    assert b"MemoryError" in ended("x = 'x' * (2 << 30)", memory=1 << 30)[0]
    assert ended("import sys; sys.exit(3)") == (b"", 3)
    assert (ended("while True: pass")[1] or 0) < 0
    code = "from cpl import processes; child = processes.start('-c', 'import time; time.sleep(60)', seconds=9);"
    parent = subprocess.Popen(
        [sys.executable, "-c", f"{code} print(child.pid, flush=True); child.wait()"], stdout=subprocess.PIPE
    )
    assert parent.stdout
    number = int(parent.stdout.readline())
    time.sleep(1)  # until it watches
    parent.kill()
    parent.communicate()
    for _ in range(100):
        time.sleep(0.1)
        if not Path(f"/proc/{number}").exists() or "zombie" in Path(f"/proc/{number}/status").read_text():
            return
    pytest.fail("the child lives")
