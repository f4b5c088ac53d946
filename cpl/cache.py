"""The cache: compiled modules and libraries of C, which take long to make, in the user's cache folder.

The name of an entry has a digest of all that it depends on, so an entry is never out of date, only unused. All kinds of
entries have the same rules:

* An entry is used only if nobody but this user can have written it or its folder, and if it is whole: a digest of its
  name and its bytes stands at its end, where loaders of libraries do not look.
* It is written as a draft, which then takes its name, so two commands that fill the cache at once do not disturb each
  other.
* The cache has at most `MOST_BYTES_OF_CACHE` bytes. The least recently used entries are removed first.
* If the folder cannot be used, everything is made anew each time.
"""

import os
import stat
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from cpl import __version__, outside
from cpl.limits import MOST_BYTES_OF_CACHE

_DIGEST: Final = 32
"""The length of a digest in bytes."""


def folder() -> Path:
    """Return the folder of the entries. Raises RuntimeError if the user has no home."""
    return outside.cache_folder()


def name_of(kind: str, *dependencies: object) -> str:
    """Return the name of an entry that depends on these values, and on the versions of Python and cplc."""
    text = repr((*dependencies, sys.version, __version__))
    digest = _digest(text.encode(errors="surrogatepass"))
    return f"{kind}-{digest.hex()}"


def read(name: str) -> bytes | None:
    """Return the content of an entry, or None if it is missing or cannot be trusted. It counts as used."""
    try:
        path = folder() / name
        data = outside.read_private(path, MOST_BYTES_OF_CACHE)
        with suppress(OSError):  # the folder may be read-only
            os.utime(path)
    except (OSError, RuntimeError):
        return None
    content = data[:-_DIGEST]
    return content if data == _sealed(name, content) else None


def write(name: str, content: bytes) -> bool:
    """Write an entry, unless the compiler has changed since this process began. Return whether it was written."""
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        path = _trusted() / name
        if COMPILER and compiler_files() != COMPILER:
            return False

        # What is not a file of this user's own is removed first: writing would follow a link, and would not change the
        # owner of a file. A sound entry is replaced in one step, as another command may be about to use it.
        if os.path.lexists(path):
            state = os.lstat(path)
            if not (outside.is_private(state) and stat.S_ISREG(state.st_mode)):
                path.unlink(missing_ok=True)
        outside.write(path, _sealed(name, content), mode=0o600)
    except (OSError, RuntimeError):
        return False
    with suppress(OSError):  # another command may remove entries at the same time
        _remove_least_used()
    return True


def _remove_least_used() -> None:
    """Remove the least recently used entries, until the others have at most `MOST_BYTES_OF_CACHE` bytes."""
    total = 0
    for path, size in entries():  # the last used first
        total += size
        if total > MOST_BYTES_OF_CACHE:
            path.unlink(missing_ok=True)


def _trusted() -> Path:
    """Return the folder. Raises OSError if it is missing, is a link, or can be written by another user."""
    state = os.lstat(folder())
    if not (outside.is_private(state) and stat.S_ISDIR(state.st_mode)):
        raise OSError("another user may write into this folder")
    return folder()


def _sealed(name: str, content: bytes) -> bytes:
    """Return an entry as it is written, with a digest at its end."""
    return content + _digest(name.encode() + content)


def _digest(data: bytes) -> bytes:
    from hashlib import sha256

    return sha256(data).digest()


def entries() -> list[tuple[Path, int]]:
    """Return the entries and their sizes in bytes, the last used first. Raises OSError, and RuntimeError if the user
    has no home.
    """
    files = []
    for path in folder().glob("[a-z]*-*"):  # drafts have other names
        state = path.lstat()
        if stat.S_ISREG(state.st_mode):
            files.append((path, state))

    def last_use(file: tuple[Path, os.stat_result]) -> int:
        _, state = file
        return state.st_mtime_ns  # `read` sets it

    files.sort(key=last_use, reverse=True)
    return [(path, state.st_size) for path, state in files]


def compiler_files() -> list[tuple[str, int, int]]:
    """Return the files of the compiler and of its run-time library, with sizes in bytes and times of change in
    nanoseconds. Modules depend on them, so that a developer gets none that an older compiler has made.
    """
    runtime = find_spec("cplrt")  # it need not be imported
    assert runtime and runtime.origin
    paths = [str(outside.packaged("programs") / "library" / "standard.cpl")]
    for root in (Path(__file__).parent, Path(runtime.origin).parent, outside.packaged("grammar")):
        for place, _, names in os.walk(root):
            paths += [os.path.join(place, name) for name in names if name.endswith((".py", ".h", ".lark"))]

    files = []
    for path in paths:
        state = os.stat(path)
        files.append((path, state.st_size, state.st_mtime_ns))
    return sorted(files)


COMPILER = compiler_files()
"""The files of the compiler when this process began; none if it is one that does not change."""


def take_compiler_as_it_is() -> None:
    """Let entries depend on the version of the compiler only, not on its files. This is for an archive that has the
    compiler with entries which it has made: the times of its files say nothing.
    """
    global COMPILER
    COMPILER = []
