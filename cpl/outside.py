"""The gate to the outside world: files, those of the package, child processes, and text that strangers wrote.

Other modules of cpl neither open files nor start processes, so what is refused here is refused everywhere; the test of
the architecture lists the exceptions. Windows and the browser have neither `fcntl` nor `resource`: there files are not
locked, and children have no limit but time (docs/security.md).
"""

import errno
import os
import re
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from errno import EACCES, EAGAIN, EBUSY
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from subprocess import Popen

# Files

_READ: Final = ContextVar[set[tuple[int, int]]]("files that were read")


def read(path: Path, most: int, below: Iterable[Path] | None = None) -> bytes:
    """Return the bytes of a file. Of one that is longer than `most`, and may have no end, only the first `most` + 1.

    With `below` the file was found by search or is named by a text, and not by the user: it must be regular, and stand
    below one of these folders when links are resolved. Raises OSError, and ValueError for what is no path.
    """
    if below is not None:
        path = Path(os.path.realpath(path))
        if not any(path.is_relative_to(os.path.realpath(folder)) for folder in below):
            raise OSError("this file stands outside of the folders of the program and its libraries")
    flags = ["O_NONBLOCK"] if below is not None else []  # a named pipe has perhaps no writer
    with _opened(path, *flags) as file:
        if not note(file.fileno()) and below is not None:
            raise OSError("this is not a regular file")
        return file.read(most + 1)


def _opened(path: Path, *names: str) -> IO[bytes]:
    """Open a file to read, with those of these flags that the system has."""
    added = sum(getattr(os, name, 0) for name in names)
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | added))


class TooManyFolders(Exception):
    """More folders stand below one than may be searched."""


def files_below(folder: Path, suffix: str, without: str = "", most: int | None = None) -> Iterator[Path]:
    """Yield the regular files below a folder whose names end so, without hidden ones, links that lead out of it, and
    folders of the name `without`. Raises TooManyFolders after the files of `most` folders if there are more.
    """
    root = os.path.realpath(folder)
    for number, (place, folders, names) in enumerate(os.walk(folder)):
        if number == most:
            raise TooManyFolders
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != without)
        paths = [Path(place, name) for name in sorted(names) if name.endswith(suffix) and not name.startswith(".")]
        yield from (path for path in paths if path.is_file() and Path(os.path.realpath(path)).is_relative_to(root))


def write(path: Path, text: str | bytes, mode: int = 0o666, *, is_new: bool = False) -> None:
    """Write a file whole or not at all: whoever reads it sees the old text or the new. An existing file keeps its mode
    and owner, and a link leads to it as before; a special file is written to directly. Raises OSError, also for a file
    that is read-only, and FileExistsError if the file must be new and is not.
    """
    data = text.encode(errors="backslashreplace") if isinstance(text, str) else text
    if path.exists() and not path.is_file():  # it has perhaps no name that can be resolved, as /dev/stdout
        with open(path, "wb") as file:
            file.write(data)
        return
    path = Path(os.path.realpath(path))
    if path.exists() and not os.access(path, os.W_OK):  # which nobody is asked for when a draft takes its name
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    draft = path.parent / f".cplc-{os.urandom(8).hex()}"
    own_mode = 0o600 if path.exists() else mode
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, own_mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            state = os.stat(path)
            if os.name == "posix":
                with suppress(PermissionError):
                    os.chown(draft, state.st_uid, state.st_gid)
            os.chmod(draft, stat.S_IMODE(state.st_mode))
        _publish(draft, path, is_new=is_new)
    finally:
        draft.unlink(missing_ok=True)


def _publish(draft: Path, path: Path, *, is_new: bool) -> None:
    """Give a draft its name."""
    try:
        if is_new:
            os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # this file system has no links
        is_new = False
    if not is_new:
        os.replace(draft, path)


def note(descriptor: int) -> bool:
    """Remember an open file as read; False if it is not a regular file, which nothing can be written over."""
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
    """Return a path with its links resolved; as it is if it can be no path, or the current folder is gone."""
    with suppress(OSError, ValueError):
        return os.path.realpath(path)
    return str(path)


def was_read(path: Path) -> bool:
    """Tell whether this file was read, by this name or another, since `remembered` began."""
    return identity(path) in _READ.get(set())


def remembered() -> AbstractContextManager[object]:
    """Within, the files that are read are remembered: not longer, as another file may come to be in their place."""
    return within(_READ, set())


@contextmanager
def within(variable: ContextVar[Any], value: Any) -> Iterator[Any]:
    """Within, the variable has this value."""
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


def packaged(path: str) -> Path:
    """Return the path of a file or folder that travels with the package: in the wheel, else in the checkout."""
    packed = _HERE / "_data" / path
    return packed if packed.exists() else _HERE.parent / path


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
    """Within, no other process can own this file, which is open to be read and added to; this process must not open it
    again. If it is new and nothing was written, it is removed. Raises OSError.
    """
    is_new = not path.exists()
    with open(path, "a+b") as file:
        if _is_taken(file.fileno()):
            raise OSError(EBUSY, "another process is writing to it")
        try:
            yield file
        finally:
            if is_new and not os.fstat(file.fileno()).st_size:
                path.unlink(missing_ok=True)


def _is_taken(descriptor: int) -> bool:
    """Lock an open file until it is closed, if this system can. Tell whether another process has locked it."""
    with suppress(ImportError, AttributeError):  # in the browser the module is there, and empty
        import fcntl

        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which a worker that is forked does not inherit
        except OSError as error:
            return error.errno in (EACCES, EAGAIN)
    return False


def read_private(path: Path, most: int) -> bytes:
    """Return the bytes of a file that only this user can have written. Raises OSError for any other."""
    with _opened(path, "O_NOFOLLOW", "O_NONBLOCK") as file:
        state = os.fstat(file.fileno())
        if not (is_private(state) and stat.S_ISREG(state.st_mode)):
            raise OSError("another user may have written this file")
        return file.read(most)


def is_private(state: os.stat_result) -> bool:
    """Tell whether only this user can write a file or a folder."""
    return not hasattr(os, "geteuid") or (state.st_uid == os.geteuid() and not state.st_mode & 0o022)


# Child processes


def start(*arguments: str, seconds: int, memory: int = 0, **options: Any) -> "Popen[bytes]":
    """Start `python ARGUMENTS`, which begin with `-m` or `-c`, with pipes for its input and its output. It imports
    nothing from the folder that it starts in, ends when this process does, and may take so many seconds of a processor
    and, unless that is 0, bytes of memory. The options are those of `Popen`. On Windows the only limit is that of
    `finish`.
    """
    import subprocess

    import cplrt

    # These folders come last, as they may have modules with the names of Python's.
    folders = os.pathsep.join(str(Path(file).resolve().parents[1]) for file in (__file__, cplrt.__file__))
    environment = {**(options.pop("env", None) or os.environ)}
    # An empty or relative entry is the folder that it starts in, or leads there.
    paths = environment.get("PYTHONPATH", "").split(os.pathsep)
    environment["PYTHONPATH"] = os.pathsep.join(filter(os.path.isabs, paths))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _BEGIN, folders, str(seconds), str(memory), str(os.getpid()), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
        **options,
    )


_BEGIN: Final = """\
import os, sys
sys.path += sys.argv.pop(1).split(os.pathsep)
from cpl.outside import begin
begin()
"""


def begin() -> None:
    """Set the limits of a child that `start` has started, and do what its arguments say."""
    import runpy
    from importlib.util import find_spec

    seconds, memory, parent, kind, code, *rest = sys.argv[1:]
    if find_spec("resource"):  # not on Windows
        import resource

        for limit, most in ((resource.RLIMIT_CPU, int(seconds)), (resource.RLIMIT_AS, int(memory))):
            hard = resource.getrlimit(limit)[1]
            if most and (hard == resource.RLIM_INFINITY or hard > most):
                with suppress(OSError, ValueError):  # not every system limits memory
                    resource.setrlimit(limit, (most, most))
    starter = os.getppid()  # the parent, or a launcher between the two
    end_unless(lambda: os.getppid() == starter and is_running(int(parent)))
    sys.argv = [code, *rest]
    if kind == "-m":
        runpy.run_module(code, run_name="__main__", alter_sys=True)
    else:
        exec(compile(code, "<child>", "exec"), {"__name__": "__main__"})


def end_unless(is_needed: Callable[[], bool]) -> None:
    """End this process as soon as it is not needed, for example because its parent is gone."""
    import threading
    import time

    def watch() -> None:
        while is_needed():
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def is_running(process: int) -> bool:
    """Tell whether there is a process of this number. On Windows it seems so: to ask there would end the process."""
    try:
        if os.name == "posix":
            os.kill(process, 0)
    except OSError as error:  # it may be that of another user
        return not isinstance(error, ProcessLookupError)
    return True


def finish(child: "Popen[bytes]", text: bytes = b"", *, most: int, seconds: float) -> tuple[bytes, int | None]:
    """Give a child its input. Return the first `most` bytes of its output, and its exit status; None if it was killed
    after these seconds, with what it has started in its own session.
    """
    import threading

    assert child.stdin and child.stdout
    is_late = threading.Event()

    def give_up() -> None:
        is_late.set()
        kill(child)

    timer = threading.Timer(seconds, give_up)
    timer.start()
    output = bytearray()
    try:
        with suppress(BrokenPipeError), child.stdin:
            child.stdin.write(text)
        with child.stdout:
            while part := os.read(child.stdout.fileno(), 1 << 16):
                output += part[: most - len(output)]
        status = child.wait()
    finally:
        timer.cancel()
        kill(child)
    return bytes(output), None if is_late.is_set() else status


def kill(child: "Popen[bytes]") -> None:
    """Kill a child, with what it has started in its session."""
    with suppress(OSError):
        os.killpg(child.pid, 9) if hasattr(os, "killpg") else child.kill()
    child.wait()


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
    marked = re.sub(r"[\\`*_~\[\]<>&|#!]|(?<!\S)[-+=]|(?<=\d)[.)]", r"\\\g<0>", printable(text))
    return "  \n".join(line.strip() for line in marked.split("\n"))
