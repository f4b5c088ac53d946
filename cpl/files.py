"""Files, opened with care. A command remembers which ones it read, so that it writes no output over them."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

_READ: Final = ContextVar[set[tuple[int, int]]]("files that were read")
Version = tuple[int, int, int] | None
_SOUGHT: Final = ContextVar[dict[Path, Version]]("files that were looked for")


def read(path: Path, most: int, below: Iterable[Path] | None = None) -> bytes:
    """The bytes of a file. Of one that is longer than `most`, and may have no end, only the first `most` + 1.

    With `below` the file is one that a text names, and not the user: it must be regular, and stand below one of these
    folders when links are resolved. Raises OSError, and ValueError for what is no path.
    """
    seek(path)
    if below is not None:
        path = Path(os.path.realpath(path))
        if not any(path.is_relative_to(os.path.realpath(folder)) for folder in below):
            raise OSError("this file stands outside of the folders of the program and its libraries")
    no_wait = 0 if below is None else getattr(os, "O_NONBLOCK", 0)  # a named pipe has perhaps no writer
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | no_wait)) as file:
        if not note(file.fileno()) and below is not None:
            raise OSError("this is not a regular file")
        return file.read(most + 1)


def write(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a file whole or not at all: whoever reads it sees the old text or the new. An existing file keeps its mode.
    Raises OSError.
    """
    draft = path.parent / f".cplc-{os.urandom(8).hex()}"
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if path.exists() else mode)
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(draft, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def note(descriptor: int) -> bool:
    """Remember an open file as read; False if it is not a regular file, which nothing can be written over."""
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        return False
    _READ.get(set()).add((found.st_dev, found.st_ino))
    return True


def identity(path: str | Path) -> tuple[int, int] | None:
    """The device and inode of a file, which are the same under all its names. None if there is no such file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def version(path: Path) -> Version:
    """What changes when a file does: its time, its size and its inode. None if it is missing, or a folder."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return None if stat.S_ISDIR(found.st_mode) else (found.st_mtime_ns, found.st_size, found.st_ino)


def seek(path: Path) -> Path:
    """Remember that this file is looked for, and in which version."""
    _SOUGHT.get({}).setdefault(path, version(path))
    return path


def sought() -> dict[Path, Version]:
    """The files that were looked for since `remembered` began, as they were then."""
    return _SOUGHT.get({})


def was_read(path: Path) -> bool:
    """Whether this file was read, by this name or another, since `remembered` began."""
    return identity(path) in _READ.get(set())


@contextmanager
def remembered() -> Iterator[None]:
    """Within, the files that are read are remembered: not longer, as another file may come to be in their place."""
    read, sought = _READ.set(set()), _SOUGHT.set({})
    try:
        yield
    finally:
        _READ.reset(read)
        _SOUGHT.reset(sought)
