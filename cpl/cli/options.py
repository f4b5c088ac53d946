"""Options of commands: the parser of our style, and what several commands have.

The table of commands lists the options of each as data: `(option("--call"), *TEXT)`.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from itertools import groupby, pairwise
from typing import Any, Final, NoReturn

from cpl import __version__
from cpl.cli import terminal
from cpl.compiler import readings
from cpl.compiler.readings import Reading
from cpl.games.numberings import NUMBERINGS, OFFICIAL_NUMBERS
from cpl.games.playable import NAMES
from cpl.outside import printable, real

_NARROW: Final = 24
"""Columns that a remark beside an example needs at least; with fewer it stands below the example."""


class _Help(argparse.HelpFormatter):
    """The text of a help, as wide as the terminal. Its paragraphs are filled; indented lines, such as examples, keep
    their line breaks, and a remark that follows one after two blanks is filled beside it.
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(_filled(paragraph, width) for paragraph in text.split("\n\n"))


def _filled(paragraph: str, width: int) -> str:
    """Return a paragraph in lines of this width. Indented lines are kept apart."""
    lines: list[str] = []
    for is_indented, group in groupby(paragraph.splitlines(), lambda line: line.startswith(" ")):
        if is_indented:
            lines += [_with_remark(line, width) for line in group]
        else:
            lines.append(terminal.filled(" ".join(group), width))
    return "\n".join(lines)


def _with_remark(line: str, width: int) -> str:
    """Return an indented line; if it is too wide, its remark over several lines."""
    found = re.fullmatch(r"(  .*\S {2,}| {6,})(\S.*)", line)
    if len(line) <= width or not found:
        return line
    example, remark = found.groups()
    if width - len(example) >= _NARROW:
        return terminal.filled(remark, width, example, " " * len(example))
    indent = " " * 6
    below = terminal.filled(remark, width, indent, indent)
    return below if example.isspace() else f"{example.rstrip()}\n{below}"


STYLE: Final[dict[str, Any]] = {"formatter_class": _Help, "allow_abbrev": False}
"""Settings of all our argument parsers."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(printable(message))

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; end the command if some are left over, as a second FILE is where one is taken."""
        parsed, rest = self.parse_known_args(args, namespace)
        if not rest:
            return parsed
        files = [action.nargs for action in self._get_positional_actions() if action.metavar == "FILE"]
        is_second = files in ([None], ["?"]) and not rest[0].startswith("-")
        problem = f"one text at a time: {rest[0]} is a second FILE" if is_second else None
        unknown = next((word for word in rest if word.startswith("--")), "")
        meant = terminal.suggestion(unknown, [*self._option_string_actions]) if unknown else ""
        return self.error(problem or f"unrecognized arguments: {' '.join(rest)}{meant}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a message; end the command if standard output cannot be written, of which argparse says nothing."""
        terminal.use_utf8()
        try:
            if file is sys.stdout:
                print(message, end="", flush=True)
            else:
                super()._print_message(message, file)
        except OSError as error:
            sys.exit(terminal.report_unwritten(self.prog, error))


def help_of(docstring: str, prog: str) -> tuple[str, str]:
    """Return what `--help` says before and after the options: the first line of a docstring, and all else. A command
    lists the exit statuses that have a meaning of its own; those of all commands are added.
    """
    title, _, epilog = docstring.rstrip().partition("\n\n")
    if "\nexit status: " in epilog:
        epilog += (
            f"\n\n{prog} also ends with 2 if the command line is wrong, 70 after an internal error, "
            "and 130 if interrupted with Ctrl-C."
        )
    return title, epilog


def new_parser(prog: str, docstring: str) -> argparse.ArgumentParser:
    """Make an argument parser of our style, whose help is the docstring of a module."""
    title, epilog = help_of(docstring, prog)
    parser = _Parser(prog=prog, description=title, epilog=epilog, **STYLE)
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
        if not argument:
            where = before if before.startswith("-") else ""
        elif argument.startswith("-") and argument.endswith("=") and argument != "--call=":
            where = argument.removesuffix("=")
        else:
            continue
        parser.error(f"argument {where}: its value is empty" if where else "an argument is empty")


def joined_choices(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> list[str]:
    """Join each option whose value may be missing with its value, `--numbers 1952` to `--numbers=1952`; a bare one gets
    the value that it stands for. Otherwise the position or the file after `--numbers` would be its value.

    A word is meant as a value if it is one of the choices, or a number, which the parser then refuses.
    """
    options: dict[str, argparse.Action] = {}
    for action in parser._actions:
        if action.nargs == "?" and action.choices:
            options |= dict.fromkeys(action.option_strings, action)

    joined: list[str] = []
    words = [*arguments]
    while words:
        word = words.pop(0)
        if word == "--":
            return [*joined, word, *words]
        if word not in options:
            joined.append(word)
            continue
        action = options[word]
        has_value = bool(words) and (words[0] in (action.choices or ()) or words[0].isdecimal())
        value = words.pop(0) if has_value else action.const
        joined.append(f"{word}={value}")
    return joined


class _Completion(argparse.Action):
    """Print the script with which a shell completes the command, and end."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, shell: object, option: object = None
    ) -> None:
        if not find_spec("shtab"):
            parser.exit(1, f"{parser.prog}: this needs shtab: pip install 'cplc[completion]'\n")
        from cpl.cli.completion import script

        parser._print_message(f"{script(parser, str(shell))}\n", sys.stdout)
        parser.exit()


# Types of options


def matching(expected: str, pattern: str, value: Callable[[str], Any] = str) -> Callable[[str], Any]:
    """Return a type for argparse: a text that matches the pattern, all of it, is converted by `value`. For any other
    text, the message says what was `expected`.
    """

    def read(text: str) -> Any:
        if not re.fullmatch(pattern, text, re.ASCII):
            raise argparse.ArgumentTypeError(f"expected {expected}, found {text!r}")
        return value(text)

    return read


natural: Final = matching("a whole number of at least 0", r"\d{1,18}", int)
positive: Final = matching("a whole number of at least 1", r"0*(?!0)\d{1,18}", int)


def reading(text: str) -> Reading:
    """Convert the value of `--reading`."""
    try:
        return readings.named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


# Options


Adder = Callable[[argparse._ActionsContainer], object]
"""Adds options to a parser."""


def add_all(parser: argparse._ActionsContainer, adders: Iterable[Adder]) -> None:
    """Add options, in this order."""
    for add in adders:
        add(parser)


def option(*names: str, **settings: Any) -> Adder:
    """Make one option, as `ArgumentParser.add_argument` takes it."""
    return lambda parser: parser.add_argument(*names, **settings)


def output(*names: str, type: Callable[[str], Any] = str, **settings: Any) -> Adder:
    """Make the option of a file that the command writes, which is not CPL."""
    return option(*names, type=lambda text: type(not_cpl(text)), metavar="OUT", **settings)


def not_cpl(name: str) -> str:
    """Return the name of an output file. Raises ArgumentTypeError if it, or what it leads to, is named like CPL: most
    likely another program stands there.
    """
    if any(path.lower().endswith(".cpl") for path in (name, real(name))):
        raise argparse.ArgumentTypeError(
            f"{name} is the name of a program in CPL, which this does not write: name another file"
        )
    return name


def exclusive(*adders: Adder, required: bool = False) -> Adder:
    """Make options exclude each other; one is `required` or not."""
    return lambda parser: add_all(parser.add_mutually_exclusive_group(required=required), adders)


def seed(what: str) -> Adder:
    """Make the option of commands that draw something by chance."""
    return option("--seed", type=int, default=0, metavar="S", help=f"another seed gives other {what} (default: 0)")


def verbose(help: str) -> Adder:
    """Make the option of reports that are short by default; the help says what they show in addition."""
    return option("-v", "--verbose", action="store_true", help=help)


FILE: Final = option("file", metavar="FILE", help="a file, a packaged program, or - for standard input")
FILES: Final = option(
    "files",
    nargs="+",
    metavar="FILE",
    help="a file, a folder of *.cpl files (hidden ones left out), a packaged program, or - for standard input",
)
LIBRARY: Final = option(
    "--library",
    action="append",
    type=terminal.no_standard_input,
    default=[],
    metavar="FILE",
    help="look in this file for names that the program does not define (may be repeated)",
)
FORMAT: Final = option("--format", choices=["text", "json"], default="text", help="how to report (default: text)")
FORMAT_ERRORS: Final = option(
    "--format-errors", choices=["text", "json"], default="text", help="how to report errors (default: text)"
)
READING: Final = option(
    "--reading",
    type=reading,
    metavar="NAME",
    help="how to read ∧, + and − on bit strings, NIL and Shift: set (default), arithmetic, or a mixture such as "
    "and=tight,plusminus=set,nil=zero (docs/readings.md)",
)
TEXT: Final = (LIBRARY, READING, FORMAT_ERRORS)
"""For every command that reads CPL."""
REPAIR: Final = option(
    "--repair",
    action="store_true",
    help="replace signs that only look like those of CPL; if one wrong token keeps the text from being parsed, repair "
    "it, say how, and continue (the search takes five seconds at the most)",
)
GAME: Final = option("--game", choices=NAMES, default="checkers", help="the game (default: checkers)")
DRAWING: Final = (
    option(
        "--ascii",
        action=argparse.BooleanOptionalAction,
        help="draw the board in ASCII, or in Unicode (default: see below)",
    ),
    option("--flip", action="store_true", help="show the board from the other side"),
)
"""For the commands that draw a board as text."""
ALL_NUMBERS: Final = option(
    "--numbers", action="store_true", help="show the number of every square, also beside pieces"
)
NUMBERING: Final = option(
    "--numbers",
    nargs="?",
    const=OFFICIAL_NUMBERS,
    choices=[*NUMBERINGS],
    help="show the number of every square, also beside pieces: its official one (default), or that of Strachey's "
    "program of 1952 or 1966 (docs/1952.md)",
)
"""Which of the numberings a picture shows. What is typed and what files have is official."""
JOBS: Final = option("--jobs", type=positive, default=1, metavar="N", help="processes to use (default: 1)")
ALL_CORES: Final = option(
    "--jobs", type=positive, metavar="N", help="processes to use (default: one for each processor)"
)
"""For the comparisons, which take long: their results do not depend on how many processes share the work."""
CLUSTER: Final = option(
    "--cluster",
    type=matching("an address such as tcp://10.0.0.1:8786", r"(tcp|tls)://[^\s/]+:\d{1,5}"),
    metavar="ADDRESS",
    help="use the workers of the dask cluster whose scheduler is at tcp://HOST:PORT (needs cplc[cluster])",
)
"""For commands whose jobs can be done elsewhere."""
NUMBER: Final = option("--number", type=positive, metavar="N", help="which game of the file (default: the first)")
PLIES: Final = option(
    "--plies",
    type=positive,
    metavar="N",
    help="end a game as a draw after N plies (default: no limit)",
)
"""For the commands that play games."""


def _speed(*names: str, speed: str, help: str) -> Adder:
    return option(*names, dest="speed", action="store_const", const=speed, default="fastest", help=help)


HOW_FAST: Final = exclusive(
    _speed("--plain", speed="plain", help="use the readable Python (slower)"),
    _speed("-O", "--optimise", speed="optimised", help="use the optimised Python, and no C"),
    _speed(
        "--native",
        speed="native",
        help="compile everything possible to C (default: only where C is faster, if a C compiler is found)",
    ),
)
SPEED: Final = (HOW_FAST, verbose("say what runs in C"))
"""For the commands that play and count."""
