"""Libraries from C, by the compiler of the machine."""

import ctypes
import os
import shutil
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from cplrt.native import SUFFIX

from cpl import cache, outside
from cpl.diagnostics import Error
from cpl.limits import BUILD_SECONDS, MOST_BYTES_OF_LIBRARY, MOST_BYTES_OF_MESSAGES

_FLAGS: Final = ("-O2", "-std=gnu11", "-w", "-fPIC", "-shared", "-fwrapv", "-ffp-contract=off")


class CannotBuild(Error):
    """A library cannot be built here, in one plain line that says what is missing."""


def build(text: str) -> bytes:
    """Build the library of a text of C. Raises CannotBuild."""
    if not compiler():
        raise CannotBuild("native code needs a C compiler, and none was found: install gcc or clang")
    with tempfile.TemporaryDirectory(prefix="cplc-") as work:
        outside.write(Path(work) / "library.c", text)
        command = "-c", "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)", *compiler()
        child = outside.start(*command, *_FLAGS, "-o", "library", "library.c", "-lm", seconds=BUILD_SECONDS, cwd=work)
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
    if cache.read(name) is None or not _loads(cache.folder() / name):
        content = build(text)
        if not (cache.write(name, content) and _loads(cache.folder() / name)):
            _temporary.append(tempfile.TemporaryDirectory(prefix="cplc-"))
            path = Path(_temporary[-1].name) / name
            outside.write(path, content)
            if not _loads(path):
                raise CannotBuild("the library was built, but the system does not load it")
            return path
    return cache.folder() / name


def _loads(library: Path) -> bool:
    """Tell whether the system loads a library: it may be gone, from a newer system, or where nothing may be run."""
    with suppress(OSError):
        return ctypes.CDLL(str(library)) is not None
    return False


_temporary: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process, for libraries that cannot be kept."""


def compiler() -> list[str]:
    """The command of the C compiler of this machine; empty if there is none."""
    wanted = (os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "")).split()
    commands = (wanted, ["cc"], ["gcc"], ["clang"])
    return next((command for command in commands if command and shutil.which(command[0])), [])
