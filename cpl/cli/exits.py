"""How a command ends: its exit status, and whatever goes wrong as one plain line."""

import argparse
import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Final

from cpl import outside
from cpl.cli import output
from cpl.diagnostics import CplError, Error, Invalid

DONE: Final = 0
CPL_AT_FAULT: Final = 1
COMMAND_AT_FAULT: Final = 2
OURSELVES_AT_FAULT: Final = 70
INTERRUPTED: Final = 130


class Usage(Exception):
    """The command line is at fault, in one plain line."""


class Failed(Error):
    """Something cannot be done, in one plain line; no CPL text is to blame."""


def run(prog: str, command: Callable[[], int], options: argparse.Namespace) -> int:
    """Run a command; turn whatever goes wrong into a message and an exit status."""
    try:
        from cplrt.depth import allow_deep_recursion

        allow_deep_recursion()
        if sys.stderr is None:  # whoever closed it wants no messages
            sys.stderr = os.fdopen(outside.open_devnull(), "w")
        if sys.stdout is None or sys.stdin is None:
            raise Failed("standard input or output is closed")
        use_utf8()
        with outside.remembered(), _plain_warnings(prog):
            status = command()
            sys.stdout.flush()
            return status
    except KeyboardInterrupt as stopped:
        output.say(f"{prog}: interrupted{f': {stopped}' if stopped.args else ''}")
        return INTERRUPTED
    except CplError as error:
        output.show(error.diagnostics, options)
    except (Usage, Invalid) as error:
        output.say(f"{prog}: {error}")
        return COMMAND_AT_FAULT
    except Error as error:
        output.say(f"{prog}: {error}")
    except (MemoryError, SystemError):  # SystemError if there is no memory for one more call
        output.say(f"{prog}: memory ran out")
    except OSError as error:
        return report_unwritten(prog, error)
    except Exception as error:
        if options.debug:
            raise
        blame_ourselves(prog, error)
        return OURSELVES_AT_FAULT
    return CPL_AT_FAULT


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
        output.say(f"{prog}: {error.filename or 'cannot write'}: {(error.strerror or str(error)).lower()}")
    return CPL_AT_FAULT


@contextlib.contextmanager
def _plain_warnings(prog: str) -> Iterator[None]:
    """Within, a warning is one plain line on standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_: output.say(f"{prog}: warning: {message}")
        yield


def blame_ourselves(prog: str, error: Exception) -> None:
    """Report an exception that only a bug of ours can have raised."""
    output.say(
        f"{prog}: this is a fault of {prog} itself, not of your program: {type(error).__name__}: {error}\n"
        f"{prog}: please report it, with the program and what --debug prints"
    )
