"""The cache: what took long to make, and would be made the same again, in the user's cache folder.

An entry's name holds a digest of all that it depends on, so nothing in the folder is ever out of date, only unused. One
set of rules is for all kinds of entries: compiled modules, libraries of C.

* An entry is used only if nobody but this user can have written it or its folder, and if it is whole: a digest of its
  name and its bytes stands at its end, where loaders of libraries do not look.
* It is written beside its place and then takes it, so two commands that fill the cache at once do not meet.
* There are so many bytes at most. The least recently used go first.
* Without a folder, nothing is kept, and all else is as ever.
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
    return f"{kind}-{_digest(repr((*dependencies, sys.version, __version__)).encode(errors='surrogatepass')).hex()}"


def read(name: str) -> bytes | None:
    """Return the content of an entry, or None if it is missing or cannot be trusted. It counts as used."""
    try:
        path = folder() / name
        data = outside.read_private(path, MOST_BYTES_OF_CACHE)
        with suppress(OSError):  # where nothing can be written
            os.utime(path)
    except (OSError, RuntimeError):
        return None
    content = data[:-_DIGEST]
    return content if data == _sealed(name, content) else None


def write(name: str, content: bytes) -> bool:
    """Write an entry, unless the compiler has changed since this process began. Return whether it is there now."""
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        path = _trusted() / name
        if compiler_files() != COMPILER:
            return False
        state = os.lstat(path) if os.path.lexists(path) else None
        if state and not (outside.is_private(state) and stat.S_ISREG(state.st_mode)):
            path.unlink(missing_ok=True)  # whoever made it; others are replaced, as another command may use them
        outside.write(path, _sealed(name, content), mode=0o600)
    except (OSError, RuntimeError):
        return False
    size = 0
    with suppress(OSError):  # another command may remove them, too
        for path, own in entries():
            size += own
            if size > MOST_BYTES_OF_CACHE:
                path.unlink(missing_ok=True)
    return True


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
    """Return the entries and their sizes, the last used first. Raises OSError; RuntimeError if the user has no home."""
    states = [(path, path.lstat()) for path in folder().glob("[a-z]*-*")]  # without drafts
    files = [(path, state) for path, state in states if stat.S_ISREG(state.st_mode)]
    return [(path, state.st_size) for path, state in sorted(files, key=lambda file: -file[1].st_mtime_ns)]


def compiler_files() -> list[tuple[str, int, int]]:
    """Return the files of the compiler, with sizes and times of change, so that developers get no module that an older
    compiler has made.
    """
    runtime = find_spec("cplrt")  # which need not be imported
    assert runtime and runtime.origin
    folders = (Path(__file__).parent, Path(runtime.origin).parent, outside.packaged("grammar"))
    walked = [os.path.join(place, name) for folder in folders for place, _, names in os.walk(folder) for name in names]
    paths = [path for path in walked if path.endswith((".py", ".h", ".lark"))]
    paths.append(str(outside.packaged("programs") / "library" / "standard.cpl"))
    return sorted((path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in paths)


COMPILER: Final = compiler_files()
"""The files of the compiler when this process began."""
