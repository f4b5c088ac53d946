"""Arguments of commands: the parser of our style, and the options that several commands have.

A command lists its options as data: `OPTIONS = (option("--seed", type=int), *TEXT)`.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Final, NoReturn

from cpl import __version__, readings
from cpl.cli import exits
from cpl.outside import printable
from cpl.readings import Reading

STYLE: Final[dict[str, Any]] = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
"""What all our argument parsers have in common."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(printable(message))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a message; end the command if standard output cannot be written, of which argparse says nothing."""
        exits.use_utf8()
        try:
            if file is sys.stdout:
                print(message, end="", flush=True)
            else:
                super()._print_message(message, file)
        except OSError as error:
            sys.exit(exits.report_unwritten(self.prog, error))


class _Completion(argparse.Action):
    """Print the script with which a shell completes the command, and end."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, shell: object, option: object = None
    ) -> None:
        from cpl.cli import completion

        try:
            parser._print_message(f"{completion.script(parser, str(shell))}\n", sys.stdout)
        except ImportError as error:
            if error.name != "shtab":
                raise
            parser.exit(1, f"{parser.prog}: this needs shtab: pip install 'cplc[completion]'\n")
        parser.exit()


def help_of(docstring: str | None) -> tuple[str, str]:
    """What `--help` says before and after the options: the first line of a command's docstring, and all else."""
    what, _, more = (docstring or "Undocumented, under python -OO.").partition("\n\n")
    return what, more


def new_parser(prog: str, docstring: str | None) -> argparse.ArgumentParser:
    """An argument parser of our style, whose help is the docstring of a module."""
    what, more = help_of(docstring)
    parser = _Parser(prog=prog, description=what, epilog=more, **STYLE)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("--debug", action="store_true", help="show a traceback if the compiler itself fails")
    parser.add_argument(
        "--completion",
        action=_Completion,
        choices=["bash", "zsh", "fish"],
        metavar="SHELL",
        help="print a script with which bash, zsh or fish completes the command (needs cplc[completion])",
    )
    parser.set_defaults(format_errors="text")  # for commands without the option
    return parser


def refuse_empty(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """End the command if an argument is empty: most likely a script used a variable without a value.

    An empty expression after --call is reported as CPL, like one of blanks.
    """
    for before, argument in pairwise(["", *arguments]):
        option = argument.removesuffix("=") if argument.startswith("-") else ""
        if not argument or option not in (argument, "", "--call"):
            where = option or (before.startswith("-") and before)
            parser.error(f"argument {where}: its value is empty" if where else "an argument is empty")


def at_least(least: int) -> Callable[[str], int]:
    """The type of options that are whole numbers, `least` or more."""

    def whole(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= least):
            raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, found {text!r}")
        return int(text)

    return whole


positive: Final = at_least(1)


def address(text: str) -> str:
    """The type of `--cluster`."""
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:\d{1,5}", text):
        raise argparse.ArgumentTypeError(f"expected an address such as tcp://10.0.0.1:8786, found {text!r}")
    return text


def reading(text: str) -> Reading:
    """What `--reading` means."""
    try:
        return readings.named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


Adder = Callable[[argparse._ActionsContainer], object]
"""Adds options to a parser."""


def add_all(parser: argparse._ActionsContainer, adders: Iterable[Adder]) -> None:
    """Add options, in this order."""
    for add in adders:
        add(parser)


def option(*names: str, **settings: Any) -> Adder:
    """One option, as `ArgumentParser.add_argument` takes it."""
    return lambda parser: parser.add_argument(*names, **settings)


def exclusive(*adders: Adder) -> Adder:
    """Options of which only one may be given."""

    def add(parser: argparse._ActionsContainer) -> None:
        add_all(parser.add_mutually_exclusive_group(), adders)

    return add


def verbose(what: str) -> Adder:
    """For reports that are short by default; `what` is the help: what they show in addition."""
    return option("-v", "--verbose", action="store_true", help=what)


FILE: Final = "a file, a packaged program, or - for standard input"
FILES: Final = option(
    "files",
    nargs="+",
    metavar="FILE",
    help="a file, a folder of *.cpl files (hidden ones left out), a packaged program, or - for standard input",
)
LIBRARY: Final = option(
    "--library",
    action="append",
    default=[],
    metavar="FILE",
    help="look up names here that the program does not define (may be repeated)",
)
FORMAT_ERRORS: Final = option(
    "--format-errors", choices=["text", "json"], default="text", help="how to report errors (default: text)"
)
READING: Final = option(
    "--reading",
    type=reading,
    metavar="NAME",
    help="how to read ∧, + and − on bit strings, and NIL: set (default), arithmetic, or a mixture such as "
    "and=tight,plusminus=set,nil=zero (docs/readings.md)",
)
TEXT: Final = (LIBRARY, READING, FORMAT_ERRORS)
"""For every command that reads CPL."""
REPAIR: Final = option(
    "--repair",
    action="store_true",
    help="replace signs that only look like those of CPL, and if one wrong token is at fault, repair it; say how "
    "and continue (the search takes five seconds at the most)",
)
BOARD: Final = (
    option(
        "--ascii",
        action=argparse.BooleanOptionalAction,
        help="draw the board without Unicode (default: see below)",
    ),
    option("--flip", action="store_true", help="show the board from the other side"),
    option("--numbers", action="store_true", help="show the number of every square, also beside pieces"),
)
"""For the commands that draw a board as text."""
JOBS: Final = option("--jobs", type=positive, default=1, metavar="N", help="processes to use (default: 1)")
CLUSTER: Final = option(
    "--cluster",
    type=address,
    metavar="ADDRESS",
    help="use the workers of a dask cluster instead, whose scheduler is at tcp://HOST:PORT (needs cplc[cluster])",
)
"""For commands whose jobs can be done elsewhere."""
PLIES: Final = option(
    "--plies",
    type=positive,
    metavar="N",
    help="end a game as a draw after N plies (default: it goes on until its end)",
)
"""For the commands that play games."""


def _speed(*names: str, speed: str, help: str) -> Adder:
    return option(*names, dest="speed", action="store_const", const=speed, default="fastest", help=help)


SPEED: Final = (
    exclusive(
        _speed("--plain", speed="plain", help="run the plain Python of the program, which is slower"),
        _speed("-O", "--optimise", speed="optimised", help="run its optimised Python, and no C"),
        _speed(
            "--native",
            speed="native",
            help="run all of it in C, where that can be (default: what is faster in C, if there is a C compiler)",
        ),
    ),
    verbose("say what runs in C"),
)
"""For the commands that play and count."""
