"""The commands as a person gives them: in this process, which is quick, or in one of their own."""

import atexit
import contextlib
import functools
import gc
import io
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from cpl.cli import cpl, cplc

MAIN = {"cpl": cpl.main, "cplc": cplc.main}

BEGIN = "import sys; from cpl.cli.{name} import main; sys.argv[0] = '{name}'; sys.exit(main())"
"""What the script of a command does that an installer writes."""


@functools.cache
def commands() -> Path:
    """The folder with `cpl`, `cplc` and `python`: that of this Python, if cplc is installed there. Where only its tree
    is, as for packagers, one is made, and goes with this process.
    """
    installed = Path(sys.executable).parent
    if all(shutil.which(name, path=installed) for name in (*MAIN, "python")):
        return installed
    folder = Path(tempfile.mkdtemp(prefix="commands-of-cplc-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write_script(folder / "python")
    for name in MAIN:
        write_script(folder / name, "-P", "-c", BEGIN.format(name=name))
    return folder


def write_script(path: Path, *arguments: str) -> None:
    """A command that starts this Python with these arguments, and its own behind them."""
    call = shlex.join([sys.executable, *arguments])
    path.write_text(f'#!/bin/sh\nexec {call} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


def command_line(name: str, *arguments: str | Path) -> list[str]:
    """A command with these arguments, for a process of its own."""
    return [str(commands() / name), *map(str, arguments)]


def with_commands() -> dict[str, str]:
    """The environment, in which a shell finds our commands first."""
    return {**os.environ, "PATH": f"{commands()}{os.pathsep}{os.environ['PATH']}"}


def with_modules_of(folder: Path) -> dict[str, str]:
    """The environment, in which Python looks for modules in this folder first."""
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(
    name: str,
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
            ended_with = MAIN[name]([str(argument) for argument in arguments])
        except SystemExit as ended:
            ended_with = int(ended.code or 0)
        finally:
            gc.enable()  # the compiler turns it off, as its process ends soon
    written = []
    for stream in (out, err):
        stream.flush()
        written.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    done = subprocess.CompletedProcess([name, *arguments], ended_with, *written)
    assert status in (None, ended_with), done
    assert fails is None or (ended_with, done.stdout, "Traceback" in done.stderr) == (fails, "", False), done
    assert not well or (ended_with, done.stderr) == (0, ""), done
    return done


def run_alone(
    name: str, *arguments: str | Path, input: str = "", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, for what belongs to a process."""
    call = command_line(name, *arguments)
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
