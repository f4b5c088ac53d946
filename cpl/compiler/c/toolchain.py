"""Libraries from C, by the compiler of the machine."""

import os
import shlex
import shutil
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cplrt.native import SUFFIX, NativeLibrary, why_not_loaded

from cpl import cache, outside, processes
from cpl.compiler.diagnostics import Error
from cpl.limits import BUILD_BYTES, BUILD_SECONDS, MOST_BYTES_OF_LIBRARY, MOST_BYTES_OF_MESSAGES

_FLAGS: Final = ("-O2", "-std=gnu11", "-w", "-fPIC", "-shared", "-fwrapv", "-ffp-contract=off")


class CannotBuild(Error):
    """A library cannot be built here, in one plain line that says what is missing."""


@contextmanager
def _building() -> Iterator[None]:
    """Turn what the system refuses into CannotBuild: there may be no temporary folder, no room, or no process."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # RuntimeError if there can be no other thread
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise CannotBuild(f"the library could not be built: {reason}") from None


_RUN: Final = """\
import subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
sys.exit(f"the C compiler was killed by signal {-status}" if status < 0 else status)
"""


def build(text: str) -> bytes:
    """Build the library of a text of C. Raises CannotBuild."""
    command = compiler()
    if not command:
        raise CannotBuild("native code needs a C compiler, and none was found: install gcc or clang")
    with _building(), tempfile.TemporaryDirectory(prefix="cplc-", ignore_cleanup_errors=True) as work:
        outside.write(Path(work) / "library.c", text)
        arguments = "-c", _RUN, *command, *_FLAGS, "-o", "library", "library.c", "-lm"
        child = processes.start(*arguments, seconds=BUILD_SECONDS, memory=BUILD_BYTES, cwd=work)
        output, status = processes.finish(child, most=MOST_BYTES_OF_MESSAGES, seconds=BUILD_SECONDS)
        if status is None:
            raise CannotBuild(f"the library could not be built in {BUILD_SECONDS} seconds")
        if status:
            raise CannotBuild(f"the library could not be built: {_reason(output.decode(errors='replace'))}")
        return outside.read(Path(work) / "library", MOST_BYTES_OF_LIBRARY)


def _reason(output: str) -> str:
    """Return the line of a compiler's output that says best why it failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines[-1:] or ["no reason given"])[0]


def native_library(text: str, strings: Sequence[str]) -> NativeLibrary:
    """Load the library of a text of C, with constants of its own. Raises CannotBuild."""
    path = str(built(text))
    try:
        return NativeLibrary(path, strings)
    except ImportError as error:
        raise CannotBuild(str(error)) from None


def built(text: str) -> Path:
    """The library of a text of C, which is built unless it is in the cache. Raises CannotBuild."""
    name = cache.name_of("library", text, compiler(), _FLAGS, sysconfig.get_platform()) + SUFFIX
    cached = cache.read(name)
    if cached is not None:
        with suppress(CannotBuild):  # it is perhaps from a newer system
            return _placed(name, cached, is_cached=True)
    content = build(text)
    return _placed(name, content, is_cached=cache.write(name, content))


def _placed(name: str, content: bytes, *, is_cached: bool) -> Path:
    """Return where the system loads a library: in the cache if it is there, else in a folder of this process. Raises
    CannotBuild.
    """
    if is_cached:
        path = cache.folder() / name
        if not why_not_loaded(str(path)):  # the system may refuse to load code from the cache's folder
            return path
    with _building():
        folder = tempfile.TemporaryDirectory(prefix="cplc-", ignore_cleanup_errors=True)
        path = Path(folder.name) / name
        outside.write(path, content)
    why_not = why_not_loaded(str(path))
    if why_not:
        folder.cleanup()
        raise CannotBuild(f"the library was built, but the system does not load it: {why_not}")
    _temporary.append(folder)
    return path


def try_in(folder: Path, content: bytes) -> None:
    """Try whether the system loads a library from a folder. Raises CannotBuild, and OSError if nothing can be written
    there.
    """
    if os.name != "posix":  # where each folder may have code, and no file that was loaded can be removed
        return
    with outside.new_draft(folder, 0o700) as (path, file):
        file.write(content)
        file.flush()
        why_not = why_not_loaded(str(path))
        if why_not:
            raise CannotBuild(f"the library was built, but the system does not load it from {folder}: {why_not}")


_temporary: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process, for libraries that cannot be in the cache. They are removed when it ends."""


def compiler() -> list[str]:
    """The command of the C compiler, with the path of its program: that in the variable `CC`, which is split as a shell
    splits it, or that of Python's own build, `cc`, `gcc` or `clang`; empty if there is none. Raises CannotBuild if `CC`
    names none.
    """
    wanted = os.environ.get("CC", "").strip()
    if wanted:
        found = _found(_split(wanted))
        if not found:
            raise CannotBuild(
                f"the variable CC names a C compiler that was not found, {wanted!r}: correct it or unset it"
            )
        return found
    of_python = str(sysconfig.get_config_var("CC") or "").split()
    for command in (of_python, ["cc"], ["gcc"], ["clang"]):
        found = _found(command)
        if found:
            return found
    return []


def _split(command: str) -> list[str]:
    """Split a command as a shell does. Raises CannotBuild if its quotes do not match."""
    try:
        return shlex.split(command, posix=os.name == "posix")  # on Windows a backslash is part of a path
    except ValueError:
        raise CannotBuild(f"the variable CC has a quotation mark without its partner: {command!r}") from None


def _found(command: list[str]) -> list[str]:
    """Return a command with the whole path of its program, as it is run in another folder; empty if there is none."""
    if not command:
        return []
    program, *options = command
    path = shutil.which(program)
    return [os.path.abspath(path), *options] if path else []
