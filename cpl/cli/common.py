"""What the commands share: options, exit statuses, reports on standard error, and output files."""

import argparse
import contextlib
import errno
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO

from cpl import __version__, files, messages, readings
from cpl.diagnostics import CplError, Diagnostic, coloured, has_errors, plain, printable, render, to_json
from cpl.readings import Reading

DONE: Final = 0
CPL_AT_FAULT: Final = 1
COMMAND_AT_FAULT: Final = 2
OURSELVES_AT_FAULT: Final = 70
INTERRUPTED: Final = 130


class Usage(Exception):
    """The command line is at fault, in one plain line."""


class Failed(Exception):
    """Something cannot be done, in one plain line; no CPL text is to blame."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


STYLE: Final[dict[str, Any]] = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
"""What all our argument parsers have in common."""


def parser(prog: str, description: str, examples: str) -> argparse.ArgumentParser:
    """An argument parser of our style."""
    made = _Parser(prog=prog, description=description, epilog=examples, **STYLE)
    made.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    made.add_argument("--debug", action="store_true", help="show a traceback if the compiler itself fails")
    return made


def refuse_empty(made: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """End the command if an argument is empty: most likely a script used a variable without a value."""
    for before, argument in pairwise(["", *arguments]):
        option = argument.removesuffix("=") if argument.startswith("-") else ""
        if not argument or option not in (argument, "", *_MAY_BE_EMPTY):
            where = option or (before.startswith("-") and before)
            made.error(f"argument {where}: its value is empty" if where else "an argument is empty")


_MAY_BE_EMPTY: Final = ("--call",)
"""An expression that is empty is reported as CPL, like one of blanks."""


def meant(word: str, words: Iterable[str]) -> str:
    """The end of a message: which of these words may have been meant; nothing if none is near."""
    from cpl.syntax.suggest import meant, near

    question = meant(word, near(word, words))
    return f"; {question}" if question else ""


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}{'s' if number != 1 else ''}"


def whole(text: str) -> int:
    """A number that counts something: 1 or more."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 1 or more")
    return number


def reading(text: str) -> Reading:
    """What `--reading` means."""
    try:
        return readings.named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


Adder = Callable[[argparse._ActionsContainer], object]
"""Adds options to a parser."""


def option(*names: str, **settings: Any) -> Adder:
    """One option, as `ArgumentParser.add_argument` takes it."""
    return lambda parser: parser.add_argument(*names, **settings)


def options(*adders: Adder) -> Adder:
    """Several options, in this order."""
    return lambda parser: [add(parser) for add in adders]


def exclusive(*adders: Adder) -> Adder:
    """Options of which only one may be given."""
    return lambda parser: options(*adders)(parser.add_mutually_exclusive_group())


def verbose(what: str) -> Adder:
    """For reports that are short by default; `what` is the help: what they show in addition."""
    return option("-v", "--verbose", action="store_true", help=what)


add_library_option: Final = option(
    "--library",
    action="append",
    default=[],
    metavar="FILE",
    help="look names up in this file that the program does not define (may be repeated)",
)
add_error_option: Final = option(
    "--format-errors", choices=["text", "json"], default="text", help="how to report errors (default: text)"
)
add_text_options: Final = options(
    add_library_option,
    option(
        "--reading",
        type=reading,
        metavar="NAME",
        help="how to read ∧, + and − on bit strings, and NIL: set (default), arithmetic, or a mixture such as "
        "and=tight,plusminus=set,nil=zero (docs/readings.md)",
    ),
    add_error_option,
)
"""For every command that reads CPL."""
add_repair_option: Final = option(
    "--repair",
    action="store_true",
    help="if one wrong token stops parsing, repair it and continue, and say how (the search takes five seconds at the "
    "most)",
)
add_plies_option: Final = option(
    "--plies",
    type=whole,
    metavar="N",
    help="draw a game at so many plies (default: 300; checkers has draws of its own)",
)
"""For the commands that play games."""


def run(prog: str, command: Callable[[], int], options: argparse.Namespace) -> int:
    """Run a command and turn what goes wrong into a message and an exit status."""
    try:
        from cplrt.depth import allow_deep_recursion

        from cpl.loader import Unreadable

        allow_deep_recursion()
        if sys.stdout is None or sys.stdin is None:
            raise Failed("standard input or output is closed")
        for stream in (sys.stdout, sys.stderr):  # CPL is not ASCII: write UTF-8 whatever the terminal's settings say
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        with files.remembered():
            status = command()
            sys.stdout.flush()
            return status
    except KeyboardInterrupt as stopped:  # first: Unreadable may not be there yet
        say(f"{prog}: interrupted{f': {stopped}' if stopped.args else ''}")
        return INTERRUPTED
    except CplError as error:
        show(error.diagnostics, options)
        return CPL_AT_FAULT
    except (Unreadable, Failed, Usage) as error:
        say(f"{prog}: {error}")
        return COMMAND_AT_FAULT if isinstance(error, Usage) else CPL_AT_FAULT
    except (MemoryError, SystemError):  # SystemError if there is no memory for one more call
        say(f"{prog}: memory ran out")
        return CPL_AT_FAULT
    except OSError as error:  # of standard output: errors of files are handled where they are read and written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # else the reader has gone, and there is nobody to tell
            print(f"{prog}: cannot write: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return CPL_AT_FAULT
    except Exception as error:
        if options.debug:
            raise
        say(
            f"{prog}: this is a fault of {prog} itself, not of your program: {type(error).__name__}: {error}\n"
            f"{prog}: please report it, with the program and what --debug prints"
        )
        return OURSELVES_AT_FAULT


def say(text: str) -> None:
    """Write a message on standard error, hidden characters as escapes."""
    print(printable(text), file=sys.stderr)


def show(diagnostics: Iterable[Diagnostic], options: argparse.Namespace) -> None:
    """Report on standard error."""
    found = list(diagnostics)
    if options.format_errors == "json":
        print(as_json([to_json(each) for each in found]), file=sys.stderr)
        return
    for each in found:
        print(render(each, coloured if in_colour(sys.stderr) else plain) + "\n", file=sys.stderr)
    errors = sum(each.severity == "error" for each in found)
    if errors > 1:
        print(f"{errors} errors", file=sys.stderr)


def show_repair(diagnostics: Iterable[Diagnostic], options: argparse.Namespace) -> None:
    """With `--repair`, report on standard error how the text was repaired: in one line, unless as JSON."""
    for each in diagnostics if options.repair else ():
        if each.cause is messages.REPAIRED:
            if options.format_errors == "json":
                show([each], options)
            else:
                say(f"{each.span.place}: repaired: {each.help}")


def as_json(data: Any) -> str:
    """Data as programs read it, and people can."""
    return printable(json.dumps(data, ensure_ascii=False, indent=2), lambda char: json.dumps(char)[1:-1])


def in_colour(stream: TextIO) -> bool:
    """Whether this is a terminal whose user has not turned colours off."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def status_of(diagnostics: Sequence[Diagnostic]) -> int:
    """The exit status that findings call for."""
    return CPL_AT_FAULT if has_errors(diagnostics) else DONE


def check_output(path: Path, *, in_place: bool = False) -> Path:
    """Where the text of an output file goes, links resolved. Raises Failed if its folder is missing or, `in_place`,
    it is not a regular file; Usage if it was read, and is not to be changed in place.
    """
    with file_errors(path):
        target = path.resolve()
        if target.is_symlink():  # a circle of links; Python before 3.13 has raised already
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not target.parent.exists():
            raise Failed(f"{path}: the folder {path.parent} does not exist")
        if in_place and path.exists() and not path.is_file():
            raise Failed(f"{path}: this is not a regular file, and cannot be changed in place")
    if not in_place and files.was_read(path):
        raise Usage(f"{path} is part of the input, and would be overwritten: name another output file")
    return target


def write_output(path: Path, text: str, *, in_place: bool = False) -> None:
    """Write a file whole or not at all; a special file is written to directly. Raises what `check_output` does."""
    target = check_output(path, in_place=in_place)
    with file_errors(path):
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
            return
        import tempfile  # not at the head: it takes longer to import than most commands need to start

        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".cplc-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
                file.write(text)
            os.chmod(name, stat.S_IMODE(mode))
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise


def write(output: str | None, text: str) -> None:
    """Write the result of a command to this file, or to standard output if there is none or it is `-`."""
    if output in (None, "-"):
        sys.stdout.write(text)
    else:
        write_output(Path(str(output)), text)


@contextlib.contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Within, whatever goes wrong with a file is reported with its name, in one plain line. Raises Failed."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError
        reason = getattr(error, "strerror", None) or str(error)
        raise Failed(f"{path}: {reason[0].lower()}{reason[1:]}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
