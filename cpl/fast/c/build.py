"""Libraries from C, by the compiler of the machine.

What was built is kept in the user's cache folder by its content, where only the user can write.
"""

import hashlib
import os
import shlex
import shutil
import stat
import sysconfig
import tempfile
from pathlib import Path
from typing import Final

from cplrt.native import SUFFIX

from cpl import __version__, outside
from cpl.diagnostics import Error

_FLAGS: Final = ("-O2", "-std=gnu11", "-w", "-fPIC", "-shared", "-fwrapv", "-ffp-contract=off")
_BUILD: Final = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
_SECONDS: Final = 600
_MOST_OUTPUT: Final = 1_000_000
_MOST_BYTES: Final = 1_000_000_000
"""Limits of a build: seconds, bytes of messages, and bytes of a library."""


class CannotBuild(Error):
    """A library cannot be built here, in one plain line that says what is missing."""


def build(text: str, library: Path) -> None:
    """Build the library of a text of C. Raises CannotBuild."""
    compiler = _compiler()
    with tempfile.TemporaryDirectory(prefix="cplc-") as work:
        outside.write(Path(work) / "library.c", text)
        command = (*compiler, *_FLAGS, "-o", "library", "library.c", "-lm")
        child = outside.start("-c", _BUILD, *command, seconds=_SECONDS, cwd=work)
        output, status = outside.finish(child, most=_MOST_OUTPUT, seconds=_SECONDS)
        if status is None:
            raise CannotBuild(f"the library could not be built in {_SECONDS} seconds")
        if status:
            raise CannotBuild(f"the library could not be built: {_why(output.decode(errors='replace'))}")
        outside.write(library, outside.read(Path(work) / "library", _MOST_BYTES), 0o755)


def built(text: str) -> Path:
    """The library of a text of C, which is built unless it was before. Raises CannotBuild."""
    folder = _cache() / "native"
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_ours(folder):
        _temporary.append(tempfile.TemporaryDirectory(prefix="cplc-"))
        folder = Path(_temporary[-1].name)
    library = folder / f"cpl_{_digest(text)}{SUFFIX}"
    witness = library.with_suffix(".sum")
    if not (_is_ours(library) and _is_ours(witness) and outside.read(witness, _MOST_OUTPUT) == _sum(library)):
        build(text, library)
        outside.write(witness, _sum(library).decode())
    return library


def _sum(library: Path) -> bytes:
    """By what a library that was damaged is known: loading it could end the process."""
    return hashlib.sha256(outside.read(library, _MOST_BYTES)).hexdigest().encode()


_temporary: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process for libraries that cannot be kept."""


def _compiler() -> list[str]:
    command = shlex.split(os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc"))
    for candidate in (command, ["cc"], ["gcc"], ["clang"]):
        if shutil.which(candidate[0]):
            return candidate
    raise CannotBuild(f"native code needs a C compiler, and {command[0]} was not found: install gcc or clang")


def _why(output: str) -> str:
    """What went wrong, in one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "no reason given")


def _digest(text: str) -> str:
    known = (text, _compiler(), _FLAGS, sysconfig.get_platform(), __version__)
    return hashlib.sha256(repr(known).encode()).hexdigest()[:24]


def _cache() -> Path:
    """The user's cache folder."""
    from platformdirs import user_cache_path

    folder = user_cache_path("cplc")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _is_ours(path: Path) -> bool:
    """Whether a file or folder is there, no link, and only this user can write it."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return outside.is_private(found) and not stat.S_ISLNK(found.st_mode)
