"""Output of all commands, and how they end: with a status, and with what went wrong in one line."""

import argparse
import contextlib
import errno
import json
import os
import shutil
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

from cplrt.depth import allow_deep_recursion

from cpl import outside
from cpl.compiler import messages
from cpl.compiler.diagnostics import (
    CplError,
    Diagnostic,
    Error,
    Invalid,
    Paint,
    coloured,
    most_shown,
    plain,
    render,
    to_json,
    with_help,
)
from cpl.compiler.suggestions import meant, near
from cpl.outside import printable, shown_on

Item = TypeVar("Item")

# How a command ends

DONE: Final = 0
CPL_AT_FAULT: Final = 1
COMMAND_AT_FAULT: Final = 2
OURSELVES_AT_FAULT: Final = 70
INTERRUPTED: Final = 130


class Usage(Exception):
    """The command line is at fault, in one plain line."""


class Failed(Error):
    """Something cannot be done, in one plain line; no CPL text is to blame."""


def run(prog: str, command: Callable[[], int | None], options: argparse.Namespace) -> int:
    """Run a command; turn whatever goes wrong into a message and an exit status."""
    try:
        allow_deep_recursion()
        if sys.stderr is None:  # whoever closed it wants no messages
            sys.stderr = os.fdopen(outside.open_devnull(), "w")
        if sys.stdout is None or sys.stdin is None:
            raise Failed("standard input or output is closed")
        use_utf8()
        with outside.remembered(), outside.within(_TAKEN, []), warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = lambda message, *_: say(f"{prog}: warning: {message}")
            status = command()
            sys.stdout.flush()
        return status or DONE
    except KeyboardInterrupt as stopped:
        reason = f": {stopped}" if stopped.args else ""
        say("\n  ".join([f"{prog}: interrupted{reason}", *getattr(stopped, "__notes__", ())]))
        return INTERRUPTED
    except CplError as error:
        show(error.diagnostics, options)
    except (Usage, Invalid) as error:
        say(f"{prog}: {error}")
        return COMMAND_AT_FAULT
    except Error as error:
        say(f"{prog}: {error}")
    except (MemoryError, SystemError):  # SystemError if there is no memory for one more call
        say(f"{prog}: memory ran out")
    except OSError as error:
        return report_unwritten(prog, error)
    except Exception as error:
        if options.debug:
            raise
        blame_ourselves(prog, error)
        return OURSELVES_AT_FAULT
    return CPL_AT_FAULT


# Standard input

STDIN: Final = "-"
"""The name of standard input, wherever a command reads a file."""

SHOWN_STDIN: Final = "<stdin>"
"""What messages call it."""

_TAKEN: Final[ContextVar[list[str]]] = ContextVar("taken")
"""What is in the list is said: that this command has read standard input."""


def read_standard_input(most: int) -> bytes:
    """Read standard input to its end, or one byte more than `most`. Raises Usage if the command has read it before."""
    taken = _TAKEN.get([])
    if taken:
        raise Usage("standard input can be read only once")
    taken.append(STDIN)
    outside.note(0)
    return sys.stdin.buffer.read(most + 1)


def shown_input(name: str) -> str:
    """Return how messages call a file that a command reads."""
    return SHOWN_STDIN if name == STDIN else name


def no_standard_input(text: str) -> str:
    """A type for argparse: any name of a file but that of standard input."""
    if text == STDIN:
        raise argparse.ArgumentTypeError("standard input (-) cannot be read here: name a file")
    return text


def use_utf8() -> None:
    """Read and write UTF-8, whatever the locale: CPL is not ASCII."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace" if stream is sys.stdin else "backslashreplace")


def report_unwritten(prog: str, error: OSError) -> int:
    """Report a failed write to standard output, or to a file such as one in the cache, and return the exit status. The
    errors of other files are handled where they are read and written.
    """
    if error.filename is None:
        os.dup2(outside.open_devnull(), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):  # a reader that has gone needs no message
        say(f"{prog}: {error.filename or 'cannot write'}: {(error.strerror or str(error)).lower()}")
    return CPL_AT_FAULT


def blame_ourselves(prog: str, error: Exception) -> None:
    """Report an exception that only a bug of ours can have raised."""
    say(
        f"{prog}: internal error in {prog} (your program is not to blame): {type(error).__name__}: {error}\n"
        f"{prog}: please report it, with the program and what --debug prints"
    )


# Messages and results


def say(text: str) -> None:
    """Write a message on standard error, hidden characters as escapes."""
    print(printable(text), file=sys.stderr)


def tell(text: str) -> None:
    """Print a text on a line; on a terminal hidden characters as escapes."""
    print(shown_on(sys.stdout, text))


def show(diagnostics: Iterable[Diagnostic], options: argparse.Namespace) -> None:
    """Report diagnostics on standard error."""
    diagnostics = list(diagnostics)
    if options.format_errors == "json":
        print(as_json([to_json(diagnostic) for diagnostic in most_shown(diagnostics)]), file=sys.stderr)
        return
    paint = painter(sys.stderr)
    for diagnostic in most_shown(diagnostics):
        print(render(diagnostic, paint) + "\n", file=sys.stderr)
    errors = sum(diagnostic.severity == "error" for diagnostic in diagnostics)
    if errors > 1:
        print(f"{errors:,} errors", file=sys.stderr)


def show_misleading(diagnostics: Iterable[Diagnostic], options: argparse.Namespace) -> None:
    """Report what misleads in a text that is run, each once, and a repair in one line unless it is for programs."""
    rest = []
    for diagnostic in dict.fromkeys(diagnostics):
        if diagnostic.cause is messages.REPAIRED and options.format_errors == "text":
            say(f"{diagnostic.span.place}: {with_help(diagnostic)}")
        else:
            rest.append(diagnostic)
    if rest:
        show(rest, options)


def as_json(data: Any) -> str:
    """Write data as JSON that people can read, too; hidden characters as escapes."""
    return printable(json.dumps(data, ensure_ascii=False, indent=2), lambda char: json.dumps(char)[1:-1])


def in_colour(stream: TextIO) -> bool:
    """Tell whether to write to a stream in colour: at a terminal that has colours, unless NO_COLOR is set; anywhere if
    FORCE_COLOR is set, unless NO_COLOR is.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def painter(stream: TextIO) -> Paint:
    """Return how to paint what is written to a stream."""
    return coloured if in_colour(stream) else plain


def in_unicode(is_ascii: bool | None) -> bool:
    """Tell whether boards are drawn in Unicode: as --ascii says, or if the locale is UTF-8 or not set. Python itself
    sets LC_CTYPE where LANG is C (PEP 538).
    """
    if is_ascii is not None:
        return not is_ascii
    ctype = os.environ.get("LC_CTYPE")
    lang = os.environ.get("LANG")
    is_set_by_python = lang in ("C", "POSIX") and ctype in (None, "", "C.UTF-8")
    locale = lang if is_set_by_python else ctype or lang
    encoding = os.environ.get("PYTHONIOENCODING") or os.environ.get("LC_ALL") or locale
    return not encoding or "utf8" in encoding.lower().replace("-", "")


def columns() -> int:
    """Return how wide a line on standard output should be: as the terminal, but not over 80."""
    return min(80, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 80


def wrapped(text: str, indent: str = "") -> str:
    """Fill lines that are not too wide with a text, each but the first after an indent."""
    return filled(text, columns(), rest=indent)


def filled(text: str, width: int, first: str = "", rest: str = "") -> str:
    """Fill lines of this width with a text, without breaking words: after `first` the first line, after `rest` each
    other.
    """
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def suggestion(word: str, words: Iterable[str]) -> str:
    """Return the end of a message, which of these words may have been meant; empty if none is near."""
    question = meant(word, near(word, words))
    return f"; {question}" if question else ""


# Output files: written whole or not at all, and never over what was read


def check_output(path: Path, *, in_place: bool = False) -> Path:
    """Return where the text of an output file goes, links resolved. Raises Failed if its folder is missing or,
    `in_place`, it is not a regular file; Usage if it was read, and is not to be changed in place.
    """
    with file_errors(path):
        target = path.resolve()
        if target.is_symlink():  # a circle of links; Python before 3.13 has raised already
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not target.parent.exists():
            raise Failed(f"{path}: the folder {path.parent} does not exist")
        if in_place and path.exists() and not path.is_file():
            raise Failed(f"{path}: this is not a regular file, and cannot be changed in place")
    if not in_place and outside.was_read(path):
        raise Usage(f"{path} is part of the input, and would be overwritten: name another output file")
    return target


def write(path: Path, text: str, *, in_place: bool = False, is_new: bool = False) -> None:
    """Write a file as `outside.write` does. Raises as `check_output` does, and Failed if it must be new and is not."""
    check_output(path, in_place=in_place)
    with file_errors(path):
        outside.write(path, text, is_new=is_new)


def write_result(output: str | None, text: str) -> None:
    """Write the result of a command to this file, or to standard output if there is none or it is `-`: on a terminal
    with escapes for what would steer it.
    """
    if output is None or output == "-":
        sys.stdout.write(shown_on(sys.stdout, text))
    else:
        write(Path(output), text)


@contextlib.contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Within, whatever goes wrong with a file is reported in one plain line that names it, or a file elsewhere that is
    needed for it. Raises Failed.
    """
    try:
        yield
    except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError
        reason = getattr(error, "strerror", None) or str(error)
        cause = str(getattr(error, "filename", None) or path)
        is_elsewhere = os.path.dirname(os.path.realpath(cause)) != os.path.dirname(os.path.realpath(path))
        name = cause if is_elsewhere else path  # a draft beside the file is not named
        raise Failed(f"{name}: {reason[0].lower()}{reason[1:]}") from None


# Progress of long jobs, drawn at a terminal by a thread with a clock, as the first step of a job may take long

PATIENCE: Final = 2.0
"""Delay in seconds before showing progress."""
CLOCK: Final = "cpl-progress"
"""The name of the thread that draws."""
_BEAT: Final = 0.2
"""Seconds from one look at the clock to the next."""
_BAR: Final = "{desc} {percentage:3.0f}% {bar:40} {remaining} left"
"""The layout of the progress of a job with a total; `remaining` is an estimated time."""
_CLOCK_FACE: Final = "{desc}, {n} s"
"""The layout for a job without one."""


def track(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """Yield the items; if standard error is a terminal, a bar says how many of `total` there were."""
    done = 0
    with waiting(what, lambda: done, total):
        for item in items:
            yield item
            done += 1


@contextlib.contextmanager
def waiting(description: str, done: Callable[[], int] | None = None, total: int | None = None) -> Iterator[None]:
    """Show the progress of a job that takes long: a bar of what is `done` of the `total`, or the time of a job that
    cannot say how far it is.
    """
    over = threading.Event()
    began = time.monotonic()

    def draw() -> None:
        if over.wait(PATIENCE):
            return
        from tqdm import tqdm

        tqdm.set_lock(threading.RLock())  # the lock that tqdm makes itself is one for processes, too
        tqdm.monitor_interval = 0  # and this thread refreshes the bar
        layout = _BAR if total else _CLOCK_FACE
        width, height = shutil.get_terminal_size()  # 80 by 24 at a terminal that does not say its size
        with tqdm(
            desc=description, total=total, bar_format=layout, leave=False, ncols=width, nrows=height, delay=PATIENCE
        ) as bar:
            bar.start_t -= time.monotonic() - began
            while True:
                bar.n = done() if done else int(time.monotonic() - began)
                bar.refresh()
                if over.wait(_BEAT):
                    break

    clock = threading.Thread(target=draw, name=CLOCK, daemon=True)
    if sys.stderr.isatty():
        clock.start()
    try:
        yield
    finally:
        over.set()
        if clock.ident:
            clock.join()
