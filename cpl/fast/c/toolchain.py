"""Libraries from C, by the compiler of the machine."""

import os
import shlex
import shutil
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cplrt.native import SUFFIX, load

from cpl import cache, outside
from cpl.diagnostics import Error
from cpl.limits import BUILD_BYTES, BUILD_SECONDS, MOST_BYTES_OF_LIBRARY, MOST_BYTES_OF_MESSAGES

_FLAGS: Final = ("-O2", "-std=gnu11", "-w", "-fPIC", "-shared", "-fwrapv", "-ffp-contract=off")


class CannotBuild(Error):
    """A library cannot be built here, in one plain line that says what is missing."""


@contextmanager
def _system_errors() -> Iterator[None]:
    """Within, what the system refuses is a CannotBuild: there may be no temporary folder, or no room in it."""
    try:
        yield
    except OSError as error:
        raise CannotBuild(f"the library could not be built: {error.strerror or error}") from None


def build(text: str) -> bytes:
    """Build the library of a text of C. Raises CannotBuild."""
    if not compiler():
        raise CannotBuild("native code needs a C compiler, and none was found: install gcc or clang")
    with _system_errors(), tempfile.TemporaryDirectory(prefix="cplc-") as work:
        outside.write(Path(work) / "library.c", text)
        command = "-c", "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)", *compiler()
        command += *_FLAGS, "-o", "library", "library.c", "-lm"
        child = outside.start(*command, seconds=BUILD_SECONDS, memory=BUILD_BYTES, cwd=work)
        output, status = outside.finish(child, most=MOST_BYTES_OF_MESSAGES, seconds=BUILD_SECONDS)
        if status is None:
            raise CannotBuild(f"the library could not be built in {BUILD_SECONDS} seconds")
        if status:
            lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
            reason = next(
                (line for line in lines if "error" in line.lower()), lines[-1] if lines else "no reason given"
            )
            raise CannotBuild(f"the library could not be built: {reason}")
        return outside.read(Path(work) / "library", MOST_BYTES_OF_LIBRARY)


def built(text: str) -> Path:
    """The library of a text of C, which is built unless it is in the cache. Raises CannotBuild."""
    name = cache.name_of("library", text, compiler(), _FLAGS, sysconfig.get_platform()) + SUFFIX
    # A user without a home has no folder of the cache: then nothing is read from it, nor written.
    if cache.read(name) is not None and not refused(cache.folder() / name):
        return cache.folder() / name
    content = build(text)
    if cache.write(name, content) and not refused(cache.folder() / name):
        return cache.folder() / name
    with _system_errors():
        _temporary.append(tempfile.TemporaryDirectory(prefix="cplc-"))
        path = Path(_temporary[-1].name) / name
        outside.write(path, content)
    if reason := refused(path):
        raise CannotBuild(f"the library was built, but the system does not load it: {reason}")
    return path


def refused(library: Path) -> str:
    """Why the system does not load a library, "" if it does: it may be cut off, or where no code may be run."""
    try:
        load(str(library.absolute()))
    except OSError as error:
        return str(error).removeprefix(f"{library.absolute()}: ")
    return ""


_temporary: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process, for libraries that cannot be kept."""


def compiler() -> list[str]:
    """The command of the C compiler of this machine: that of the variable CC, which is split as a shell does, else that
    with which Python was built, or cc, gcc or clang; empty if there is none. Raises CannotBuild if CC is wrong.
    """
    wanted = os.environ.get("CC", "")
    try:
        words = shlex.split(wanted)
    except ValueError as error:
        raise CannotBuild(f"the variable CC is {wanted!r}, which is no command: {str(error).lower()}") from None
    if words and not shutil.which(words[0]):
        raise CannotBuild(
            f"the variable CC names a C compiler that was not found, {words[0]!r}: correct it or unset it"
        )
    of_python = shlex.split(str(sysconfig.get_config_var("CC") or ""))
    commands = (words, of_python, ["cc"], ["gcc"], ["clang"])
    return next((command for command in commands if command and shutil.which(command[0])), [])
