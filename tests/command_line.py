"""The commands as a person gives them: in this process, which is quick, or in one of their own."""

import contextlib
import gc
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from cpl.cli import cpl, cplc

BIN = Path(sys.executable).parent
MAIN = {"cpl": cpl.main, "cplc": cplc.main}


def run(
    command: str,
    *arguments: str | Path,
    input: str | bytes = "",
    cwd: Path | None = None,
    status: int | None = None,
    fails: int | None = None,
    well: bool = False,
) -> subprocess.CompletedProcess[str]:
    """A command with these arguments and this standard input, and what it writes.

    It must end with this `status`, if there is one; or succeed and report nothing if it is to do `well`; or, if it
    `fails`, end with that status and write nothing but a report.
    """
    raw = input.encode() if isinstance(input, str) else input
    given, out, err = (io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (raw, b"", b""))
    with within(cwd), patch.multiple(sys, stdin=given, stdout=out, stderr=err):
        try:
            ended_with = MAIN[command]([str(argument) for argument in arguments])
        except SystemExit as ended:
            ended_with = int(ended.code or 0)
        finally:
            gc.enable()  # the compiler turns it off, as its process ends soon
    written = []
    for stream in (out, err):
        stream.flush()
        written.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    done = subprocess.CompletedProcess([command, *arguments], ended_with, *written)
    assert status in (None, ended_with), done
    assert fails is None or (ended_with, done.stdout, "Traceback" in done.stderr) == (fails, "", False), done
    assert not well or (ended_with, done.stderr) == (0, ""), done
    return done


def run_alone(
    command: str, *arguments: str | Path, input: str = "", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, for what belongs to a process."""
    call = [BIN / command, *arguments]
    settings = {**os.environ, **environment}
    done = subprocess.run(call, input=input.encode(), capture_output=True, cwd=cwd, env=settings, check=False)
    return subprocess.CompletedProcess(call, done.returncode, done.stdout.decode(), done.stderr.decode())


def started(*arguments: str | Path) -> subprocess.Popen[str]:
    """Python with these arguments, in a session of its own."""
    pipe = subprocess.PIPE
    command = [sys.executable, *map(str, arguments)]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


@contextlib.contextmanager
def within(folder: Path | None) -> Iterator[None]:
    """In this folder, with Python's own limits; what a command sets for its process is put back."""
    depth, digits = sys.getrecursionlimit(), sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    try:
        with contextlib.chdir(folder or Path.cwd()):
            yield
    finally:
        sys.setrecursionlimit(depth)
        sys.set_int_max_str_digits(digits)
