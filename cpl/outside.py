"""The gate to the outside world: files, those of the package, and text that strangers wrote.

Other modules of cpl do not open files, so what is refused here is refused everywhere; the test of the architecture
lists the exceptions. Windows and the browser have no `fcntl`: there files are not locked (docs/security.md).
"""

import errno
import io
import os
import re
import stat
import sys
import time
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import ContextVar
from errno import EACCES, EAGAIN, EBUSY
from pathlib import Path
from typing import IO, Any, Final, Literal

# Files

_READ: Final = ContextVar[set[tuple[int, int]]]("files that were read")


def read(path: Path, most: int, below: Iterable[Path] | None = None) -> bytes:
    """Return the bytes of a file, or its first `most` + 1 if it has more: a file may have no end.

    With `below` the file was found by search or is named by a text, and not by the user: it must be regular, and stand
    below one of these folders when links are resolved, however others rename files meanwhile. Raises OSError, and
    ValueError for a text that cannot be a path.
    """
    opener = None if below is None else _opener_below([*map(os.path.realpath, below)])
    with open(path, "rb", opener=opener) as file:
        if not note(file.fileno()) and below is not None:
            raise OSError("this is not a regular file")
        return file.read(most + 1)


def _flag(name: str) -> int:
    """Return a flag of `os.open`, 0 if this system lacks it."""
    return int(getattr(os, name, 0))


_AT_ONCE: Final = _flag("O_NONBLOCK")
"""To open a named pipe without waiting for a writer, which it perhaps never has."""
_NO_LINK: Final = _flag("O_NOFOLLOW")
"""To refuse a link."""
_FOLDER: Final = _flag("O_DIRECTORY") | (_flag("O_PATH") or os.O_RDONLY)
"""To open a folder, in order to open what is in it."""
_WALKS: Final = os.open in os.supports_dir_fd and sys.platform != "emscripten"
"""Whether folders can be opened, and names looked up in them. Windows renames no file that is open, and none of its
folders; in a browser there is no other process.
"""


def _opener_below(roots: list[str]) -> Callable[[str, int], int]:
    """Return an opener of files that stand below one of these folders, whose own paths have no links.

    A name that is checked, and then opened, may be another file's by then. So, after links are resolved, each folder is
    opened in the one before, without following a link.
    """

    def below(name: str) -> tuple[str, Path]:
        """Return the folder of these that a file stands below, and its path from there."""
        path = Path(os.path.realpath(name))
        for root in roots:
            if path.is_relative_to(root):
                return root, path.relative_to(root)
        raise OSError("this file stands outside of the folders of the program and its libraries")

    def opener(name: str, flags: int) -> int:
        if not _WALKS:
            descriptor = os.open(name, flags | _AT_ONCE)
            try:
                below(name)
            except BaseException:
                os.close(descriptor)
                raise
            return descriptor
        root, path = below(name)
        *folders, last = path.parts or (os.curdir,)  # the root itself has no parts
        place = os.open(root, _FOLDER)
        try:
            for folder in folders:
                outer = place
                place = os.open(folder, _FOLDER | _NO_LINK, dir_fd=outer)
                os.close(outer)
            return os.open(last, flags | _AT_ONCE | _NO_LINK, dir_fd=place)
        finally:
            os.close(place)

    return opener


class TooManyFolders(Exception):
    """More folders stand below one than may be searched."""


def files_below(folder: Path, suffix: str, without: str = "", most: int | None = None) -> Iterator[Path]:
    """Yield the regular files below a folder whose names end with the suffix, without hidden ones, links that lead out
    of the folder, and folders of the name `without`. The names may be other files' when they are opened: `read` with
    `below` refuses those that stand elsewhere by then. Raises TooManyFolders after the files of `most` folders if there
    are more.
    """
    root = os.path.realpath(folder)
    for number, (place, folders, names) in enumerate(os.walk(folder)):
        if number == most:
            raise TooManyFolders
        # This tells `os.walk` where to go on.
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != without)
        for name in sorted(names):
            if name.startswith(".") or not name.endswith(suffix):
                continue
            path = Path(place, name)
            if path.is_file() and Path(os.path.realpath(path)).is_relative_to(root):
                yield path


def write(path: Path, text: str | bytes, mode: int = 0o666, *, is_new: bool = False) -> None:
    """Write a file whole or not at all: whoever reads it sees the old text or the new, which is written as a draft
    beside it and then takes its name. An existing file keeps its mode, its owner and group, and the attributes that
    Python can read (on Linux, with lists of access), and a link leads to it as before.

    Where a draft cannot take its place, an existing file is written in place: if it has other hard links, its owner or
    something else cannot be kept, its folder cannot be written, or it is mounted by itself. Meanwhile a copy of the old
    text stands beside it, or, if its folder cannot be written, in `copies` of the user's cache folder. The copy is
    removed when the new text is whole. If that cannot be written the old text is put back.

    A special file is written to directly. Raises OSError, also for a file that is read-only, that another process
    writes in place, or that a command left torn, with its copy; and FileExistsError if the file must be new and is not.
    """
    data = text.encode(errors="backslashreplace") if isinstance(text, str) else text
    if path.exists() and not path.is_file():  # a special file such as /dev/stdout, which has perhaps no other name
        with open(path, "wb") as file:
            file.write(data)
        return
    path = Path(os.path.realpath(path))
    remove_drafts(path.parent)
    if not path.exists():
        with new_draft(path.parent, mode) as (draft, file):
            _fill(file, data)
            _publish(draft, file, path, is_new=is_new)
        return
    if is_new:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    if not os.access(path, os.W_OK):  # a draft could take the name of a read-only file all the same
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    has_other_names = os.stat(path).st_nlink > 1
    if has_other_names or not _replace(path, data):
        _write_in_place(path, data)


_KEEPS_AWAY: Final = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV}
"""What a system says if a draft cannot be in the folder, or take the name. That a disk is full, for example, is no
reason to write in place.
"""


def _replace(path: Path, data: bytes) -> bool:
    """Write a draft, and let it take the place of a file. False if it cannot, or would not be like the file."""
    try:
        with new_draft(path.parent, 0o600) as (draft, file):
            _fill(file, data)
            # The open file, if this system can change that: the name may be another file's by now.
            opened = file.fileno() if os.chmod in os.supports_fd else draft
            if not _is_made_like(opened, path):
                return False
            _publish(draft, file, path, is_new=False)
            return True
    except OSError as error:
        if error.errno in _KEEPS_AWAY:
            return False
        raise


def _is_made_like(draft: int | Path, path: Path) -> bool:
    """Give a draft the owner, group, mode and attributes of a file. False if it does not have them then."""
    state = os.stat(path)
    wanted = _attributes(path)
    with suppress(OSError):  # the comparison below shows what was refused
        if os.name == "posix":
            os.chown(draft, state.st_uid, state.st_gid)
        had = _attributes(draft)
        for name in had.keys() - wanted.keys():  # a folder may hand down a list of access
            os.removexattr(draft, name)
        for name, value in wanted.items():
            if had.get(name) != value:
                os.setxattr(draft, name, value)
        os.chmod(draft, stat.S_IMODE(state.st_mode))
    made = os.stat(draft)
    is_like = (made.st_uid, made.st_gid, made.st_mode) == (state.st_uid, state.st_gid, state.st_mode)
    return is_like and _attributes(draft) == wanted


def _attributes(path: int | Path) -> dict[str, bytes]:
    """Return the extended attributes of a file; none where a system or a file system has none."""
    if not hasattr(os, "listxattr"):
        return {}
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return {}
        raise


def _fill(file: IO[bytes], data: bytes) -> None:
    """Write a draft, and wait until it is on the disk."""
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _publish(draft: Path, file: IO[bytes], path: Path, *, is_new: bool) -> None:
    """Give a draft, which is open, its name. Raises FileExistsError if the file must be new and is not."""
    if os.name != "posix":  # Windows renames no open file
        file.close()
    if is_new:
        try:
            os.link(draft, path)  # which refuses a name that exists, as a renaming does not
            return
        except FileExistsError:
            raise
        except OSError:  # this file system has no links
            pass
    os.replace(draft, path)


def _write_in_place(path: Path, data: bytes) -> None:
    """Write an existing file as it stands there, while a copy keeps the old text."""
    with open(path, "r+b", buffering=0) as file:
        if _lock(file.fileno(), "flock") is False:
            raise OSError(EBUSY, "another process is writing to it")
        name = _name_of_copy(path, data)
        folders = [path.parent, *_copies()]
        for folder in folders:
            _clear_copies(folder, path, file)
        copy = _copied(file, name, folders)
        try:
            _overwrite(file, io.BytesIO(data))
        except BaseException:
            # There is room for the old text, as nothing was cut off. If this fails all the same, the copy stays.
            with open(copy, "rb") as old:
                _overwrite(file, old)
            copy.unlink()
            raise
        copy.unlink()


def _overwrite(file: IO[bytes], source: IO[bytes]) -> None:
    """Write another text over that of an open file, and only then cut off what is left of the old one."""
    file.seek(0)
    while part := memoryview(source.read(1 << 20)):
        while part:  # a file without a buffer may write less than it is given
            written = file.write(part)
            part = part[written:]
    file.truncate()
    os.fsync(file.fileno())


def _copies() -> list[Path]:
    """Return the folder for copies of files whose own folder cannot be written; none if the user has no home."""
    try:
        return [cache_folder() / "copies"]
    except RuntimeError:
        return []


def cache_folder() -> Path:
    """Return the cache folder of the user. Raises RuntimeError if the user has no home."""
    from platformdirs import user_cache_path

    return user_cache_path("cplc")


def _name_of_copy(path: Path, data: bytes) -> str:
    """Name the copy of the old text of a file while it gets this text: by checksums of its place and of the new text,
    which tell later whether the new text is whole.
    """
    return f"{path.name[:50]}.cplc-{zlib.crc32(os.fsencode(path)):08x}{zlib.crc32(data):08x}"


def _copied(file: IO[bytes], name: str, folders: list[Path]) -> Path:
    """Copy an open file under this name into the first of the folders that takes it. Raises OSError if none does."""
    refused: OSError | None = None
    for folder in folders:
        try:
            if folder != folders[0]:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                remove_drafts(folder)
            with new_draft(folder, 0o600) as (draft, copy):
                file.seek(0)
                _overwrite(copy, file)
                _publish(draft, copy, folder / name, is_new=False)
            return folder / name
        except OSError as error:
            refused = error
    assert refused
    raise refused


def _clear_copies(folder: Path, path: Path, file: IO[bytes]) -> None:
    """Remove the copies of a file, which this process has locked, that earlier commands left when the file was as it
    had been, or whole again. Raises FileExistsError if it is neither: then it is torn, or was changed since.
    """
    prefix = _name_of_copy(path, b"")[:-8]  # without the checksum of the text
    names: list[str] = []
    with suppress(OSError):  # the folder may be missing
        names = [name for name in os.listdir(folder) if name.startswith(prefix)]
    if not names:
        return
    file.seek(0)
    text = file.read()
    for name in names:
        copy = folder / name
        is_whole = name == _name_of_copy(path, text)
        if not is_whole and copy.read_bytes() != text:
            reason = f"a command was ended while it wrote this file. Its old text is {copy}: move or remove that"
            raise FileExistsError(errno.EEXIST, reason, str(path))
        with suppress(OSError):
            copy.unlink()


# Drafts, and those of commands that were killed


_HOST: Final = f"{zlib.crc32(os.fsencode(os.uname().nodename if hasattr(os, 'uname') else '')):08x}"
_DRAFT: Final = re.compile(r"\.cplc-[0-9a-f]{16}")
"""Names of drafts: that of the machine, and digits that differ."""
_DAY: Final = 86_400
_CLEARED: Final = set[Path]()
"""Folders where this process has looked for drafts."""


@contextmanager
def new_draft(folder: Path, mode: int) -> Iterator[tuple[Path, IO[bytes]]]:
    """Make a file for a text that is to be written, and remove it in the end unless it has taken another name. It is
    locked as long as it is open, which shows that its writer lives.
    """
    path, file = _locked_draft(folder, mode)
    try:
        with file:
            yield path, file
    finally:
        path.unlink(missing_ok=True)


def _locked_draft(folder: Path, mode: int) -> tuple[Path, IO[bytes]]:
    """Make a draft, and lock it."""
    while True:
        path = folder / f".cplc-{_HOST}{os.urandom(4).hex()}"
        with suppress(FileExistsError), ExitStack() as stack:
            file = stack.enter_context(open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode)))
            if _lock(file.fileno(), "flock") is not False and _has_name(file.fileno(), path):
                stack.pop_all()
                return path, file
            path.unlink(missing_ok=True)  # another process took it for that of a dead writer before it was locked


def remove_drafts(folder: Path) -> None:
    """Remove the drafts in a folder whose writers were killed, the first time that this process asks. A draft that
    nobody has locked has no writer on this machine; one of another machine, or where there are no locks, has none after
    a day.
    """
    if folder in _CLEARED:
        return
    _CLEARED.add(folder)
    names: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        names = [entry.name for entry in entries if _DRAFT.fullmatch(entry.name)]
    for name in names:
        with suppress(OSError):  # it may be another user's
            _remove_if_dead(folder / name)


def _remove_if_dead(draft: Path) -> None:
    """Remove a draft unless its writer may live."""
    state = os.lstat(draft)
    if not stat.S_ISREG(state.st_mode):
        return
    is_old = time.time() - state.st_mtime > _DAY
    if os.name != "posix":
        if is_old:
            os.unlink(draft)  # which fails if it is open
        return
    descriptor = os.open(draft, os.O_RDWR | _AT_ONCE | _NO_LINK)
    try:
        locked = _lock(descriptor, "flock")
        if locked is False:  # its writer lives
            return
        is_of_this_machine = draft.name.startswith(f".cplc-{_HOST}")
        has_no_writer = locked is True and is_of_this_machine  # a lock does not show writers on other machines
        if (has_no_writer or is_old) and _has_name(descriptor, draft):
            os.unlink(draft)
    finally:
        os.close(descriptor)


def _has_name(descriptor: int, path: Path) -> bool:
    """Tell whether a name still means an open file, and not another one, or none."""
    state = os.fstat(descriptor)
    return identity(path) == (state.st_dev, state.st_ino)


def note(descriptor: int) -> bool:
    """Remember an open file as read, if anybody wants that (see `remembered`). False if it is not a regular file, which
    nothing can be written over.
    """
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        return False
    _READ.get(set()).add((state.st_dev, state.st_ino))
    return True


def identity(path: str | Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, which are the same under all its names; None if there is no such file."""
    with suppress(OSError, ValueError):
        state = os.stat(path)
        return state.st_dev, state.st_ino
    return None


def real(path: str | Path) -> str:
    """Return a path with its links resolved, or as it is if the text cannot be a path or the current folder is gone."""
    with suppress(OSError, ValueError):
        return os.path.realpath(path)
    return str(path)


def was_read(path: Path) -> bool:
    """Tell whether this file was read, by this name or another, since `remembered` began."""
    return identity(path) in _READ.get(set())


def remembered() -> AbstractContextManager[object]:
    """Remember the files that are read until the block ends: not longer, as other files may have their numbers then."""
    return within(_READ, set())


@contextmanager
def within(variable: ContextVar[Any], value: Any) -> Iterator[Any]:
    """Give a variable this value until the block ends."""
    before = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(before)


def open_devnull() -> int:
    """Open the null device for writing. Return its descriptor."""
    return os.open(os.devnull, os.O_WRONLY)


# Files of the package


_HERE: Final = Path(__file__).resolve().parent

if not _HERE.is_dir():  # this module is imported first, so no other one has to ask
    archive = next((place for place in _HERE.parents if place.is_file()), _HERE)
    raise ImportError(f"cplc does not run from an archive, as it reads grammar and programs as files: unpack {archive}")


def packaged(path: str) -> Path:
    """Return the path of a file or folder that travels with the package: in the wheel, else in the checkout."""
    in_wheel = _HERE / "_data" / path
    return in_wheel if in_wheel.exists() else _HERE.parent / path


def packaged_text(path: str) -> str:
    """Return the text of a file that travels with the package."""
    return packaged(path).read_text(encoding="utf-8")


def short_path(path: str) -> str:
    """Return what to call a file in messages: a packaged program by its short name, any other by its path."""
    programs = packaged("programs")
    return Path(path).relative_to(programs).as_posix() if Path(path).is_relative_to(programs) else path


# State files, which commands add to, and caches


@contextmanager
def owned(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to be read and added to, and let no other process own it until the block ends. This process must not
    open it a second time. If the file is new and nothing was written, it is removed. Raises OSError.
    """
    remove_drafts(path.parent)
    is_new = not path.exists()
    with _owned(path) as file:
        try:
            yield file
        finally:
            is_empty = file.seek(0, os.SEEK_END) == 0  # this counts also what is not on the disk yet
            if is_new and is_empty and _has_name(file.fileno(), path):
                path.unlink()


def _owned(path: Path) -> IO[bytes]:
    """Open a file and lock it, again if it was removed between the two."""
    while True:
        with ExitStack() as stack:
            file = stack.enter_context(open(path, "a+b"))
            # By `lockf`, so that a worker that is forked does not inherit it.
            if _lock(file.fileno(), "lockf") is False:
                raise OSError(EBUSY, "another process is writing to it")
            if _has_name(file.fileno(), path):
                stack.pop_all()
                return file


def _lock(descriptor: int, way: Literal["lockf", "flock"]) -> bool | None:
    """Lock an open file until it is closed: with `lockf` against other processes, with `flock` also against this one.
    False if it is locked already, None if this system cannot lock it.
    """
    with suppress(ImportError, AttributeError):  # in the browser the module is there, and empty
        import fcntl

        try:
            getattr(fcntl, way)(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError as error:
            return False if error.errno in (EACCES, EAGAIN) else None
    return None


def read_private(path: Path, most: int) -> bytes:
    """Return the bytes of a file that only this user can have written, in a folder that only this user can write to.
    Raises OSError for any other.
    """
    flags = os.O_RDONLY | _flag("O_BINARY") | _AT_ONCE | _NO_LINK
    with ExitStack() as stack:
        if _WALKS:  # the file is opened in the folder that is checked, whatever is renamed meanwhile
            place = os.open(path.parent, _FOLDER | _NO_LINK)
            stack.callback(os.close, place)
            folder = os.fstat(place)
            descriptor = os.open(path.name, flags, dir_fd=place)
        else:
            folder = os.lstat(path.parent)
            descriptor = os.open(path, flags)
        file = stack.enter_context(open(descriptor, "rb"))
        state = os.fstat(descriptor)
        is_private_folder = stat.S_ISDIR(folder.st_mode) and is_private(folder)
        is_private_file = stat.S_ISREG(state.st_mode) and is_private(state)
        if not (is_private_folder and is_private_file):
            raise OSError("another user may have written this file")
        return file.read(most)


def is_private(state: os.stat_result) -> bool:
    """Tell whether only this user can write a file or a folder."""
    return not hasattr(os, "geteuid") or (state.st_uid == os.geteuid() and not state.st_mode & 0o022)


# Foreign text


def is_hidden(char: str) -> bool:
    """Tell whether a character is not seen and may change how others are: a control, a format or direction mark, a line
    separator, half a surrogate pair.
    """
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def code_point(char: str) -> str:
    """Name a character by its number: `<U+202E>`."""
    return f"<U+{ord(char):04X}>"


def printable(text: str, escape: Callable[[str], str] = code_point) -> str:
    """Return the text with an escape for each hidden character other than a tab or a line end."""
    if text.isprintable():
        return text
    return "".join(escape(char) if is_hidden(char) and char not in "\t\n" else char for char in text)


def shown_on(stream: IO[str], text: str) -> str:
    """Return what is to be written to a stream: printable text if that is a terminal, else the text itself."""
    return printable(text) if stream.isatty() else text


def escape(text: str, quote: bool = True) -> str:
    """Return printable text as HTML that shows it."""
    import html

    return html.escape(printable(text), quote)


def markdown(text: str) -> str:
    """Return printable text as Markdown that shows it, line by line: without marks and tags of its own."""
    # Signs that mean something anywhere, those that begin a list or underline, and what ends the number of a list.
    marked = re.sub(r"[\\`*_~\[\]<>&|#!]|(?<!\S)[-+=]|(?<=\d)[.)]", r"\\\g<0>", printable(text))
    return "  \n".join(line.strip() for line in marked.split("\n"))
