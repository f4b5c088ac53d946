"""The table of the commands of `cpl` with their options, and the options of `cplc`. The help of each command is read
from its file.

A command is a module of its name beside this one, whose docstring is its help. It is imported only to run it: a list of
commands, or the help of one, should not wait for the compiler and the games. So of the entry

    "cache": (option("--clear", action="store_true", help="empty it"),),

`cpl --help` shows the first line of the docstring in cache.py; `cpl cache --help` shows all of it, and the option; and
`cpl cache --clear` imports cache.py and calls its `run` with an `options` in which `clear` is true.
"""

import argparse
import ast
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from cpl import outside
from cpl.cli.options import (
    ALL_CORES,
    ALL_NUMBERS,
    CLUSTER,
    DRAWING,
    FILE,
    FILES,
    FORMAT,
    FORMAT_ERRORS,
    GAME,
    HOW_FAST,
    JOBS,
    LIBRARY,
    NUMBER,
    NUMBERING,
    PLIES,
    READING,
    REPAIR,
    SPEED,
    TEXT,
    Adder,
    exclusive,
    matching,
    natural,
    option,
    output,
    positive,
    reading,
    seed,
    verbose,
)
from cpl.cli.terminal import no_standard_input
from cpl.compiler.optimise import PASSES
from cpl.games import playable

_QUOTES: Final = '"""'


def docstring(name: str) -> str:
    """Return the docstring of a module of this package, which is not imported."""
    text = outside.packaged_text(f"cpl/cli/{name}.py")
    # Only the docstring is parsed: the overview of all commands would wait for all of their files.
    begin = text.index(_QUOTES)
    end = text.index(_QUOTES, begin + len(_QUOTES)) + len(_QUOTES)
    literal = text[:end]  # with the r of a raw string, if it has one
    return str(ast.literal_eval(literal))


def summary(name: str) -> str:
    """Return what a command does, as a phrase."""
    title = docstring(name).partition("\n\n")[0]
    return _as_phrase(title)


def summary_of_method(module: str, method: Callable[..., object]) -> str:
    """Return what a method in the module of a command does, as a phrase, for the help within `cpl play` or `cpl repl`.
    It is the docstring of the method, which `python -OO` leaves out: then it is read from the file.
    """
    sentence = method.__doc__ or ""
    if not sentence:
        tree = ast.parse(outside.packaged_text(f"cpl/cli/{module}.py"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == method.__name__:
                sentence = ast.get_docstring(node) or ""
                break
    return _as_phrase(sentence)


def _as_phrase(sentence: str) -> str:
    """Return a sentence that begins with a small letter and has no full stop, to stand in a list."""
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


GROUPS: Final[Mapping[str, Sequence[str]]] = {
    "compile and run (cplc writes Python and C)": ("check", "run", "repl", "trace", "copy", "cache"),
    "read and compare": ("html", "latex", "diff", "readings", "session", "rules"),
    "play": ("play", "match", "analyse", "board", "pdn", "perft", "hub"),
    "edit": ("fmt", "lsp"),
}
"""The headings of `cpl --help`, and the commands below each."""

START: Final = "B:W21-32:B1-12"
"""The position that `cpl board` draws if none is given: the first of a game."""

TIME_TO_SEARCH: Final = 5.0
"""Seconds that `cpl analyse` searches if neither --seconds nor --depth limits it."""

SIDES: Final = ("black", "white", "red")
"""The sides of all games. `cpl play` has an option for each, as its options are read before the game is known."""

# Types of options that one command has


def _read_range(text: str) -> tuple[int, int]:
    """Return the first and the last number of a range such as `10-20`; a single number is both."""
    first = int(text.partition("-")[0])
    last = int(text.rpartition("-")[2])
    if first > last:
        raise argparse.ArgumentTypeError(f"a range goes from the smaller number to the larger, found {text!r}")
    return first, last


def _read_lead_and_plies(text: str) -> tuple[int, int]:
    """Return the two numbers of `3,20`."""
    lead, plies = text.split(",")
    return int(lead), int(plies)


def _read_seconds(text: str) -> float:
    """Return the number of `0.5s` or `0.5`."""
    return float(text.removesuffix("s"))


_GAME_FILE: Final = matching("the name of a file", r"(?!-$).*", Path)
"""Any name but `-`: in `cpl play`, standard input and output are for the game."""

_RANGE: Final = matching("a number or a range such as 10-20", r"[1-9]\d{0,8}(-[1-9]\d{0,8})?", _read_range)

_RESULT: Final = matching("a result such as 1-0 or 1/2-1/2", r".*[0-9½*].*")
"""Anything with a digit or a sign of a result: results are written in many ways, which the reader of games knows."""

_LEAD_AND_PLIES: Final = matching("LEAD,PLIES, such as 3,20", r"[1-9]\d{0,8},[1-9]\d{0,8}", _read_lead_and_plies)

_SECONDS: Final = matching("a number of seconds", r"(?=.*[1-9])\d{0,6}(\.\d+)?s?", _read_seconds)
"""A number above 0: one of its digits is not 0."""

_PLAYERS: Final = [
    option(f"--{side}", metavar="PLAYER", help=f"who plays {side}, if the game has that side") for side in SIDES
]

COMMANDS: Final[Mapping[str, Sequence[Adder]]] = {
    "check": (
        *TEXT,
        REPAIR,
        option("--types", action="store_true", help="print the type of each definition, one per line"),
        option(
            "--type",
            action="append",
            default=[],
            metavar="NAME",
            help="print the type of this definition (may be repeated), and the types that it names",
        ),
        FILES,
    ),
    "run": (
        *TEXT,
        REPAIR,
        FILE,
        option(
            "--call",
            action="append",
            default=[],
            metavar="EXPRESSION",
            help="evaluate and print this (may be repeated)",
        ),
        option(
            "--interpreter",
            action="store_true",
            help="use the interpreter, which defines the language: 15 to 60 times as slow as the compiled program",
        ),
    ),
    "repl": (
        READING,
        option(
            "files",
            metavar="FILE",
            nargs="*",
            type=no_standard_input,
            help="load this first: a file or a packaged program",
        ),
    ),
    "trace": (
        *TEXT,
        REPAIR,
        FILE,
        option("--call", required=True, action="append", metavar="EXPRESSION", help="evaluate this"),
        option("--depth", type=positive, metavar="N", help="levels of calls that are printed (default: 3)"),
        option("--function", metavar="F", help="print only the calls of F, and what is in them"),
        exclusive(
            option("--format", choices=["text", "json"], default="text", help="how to print it (default: text)"),
            output("--html", help="print nothing; write the page to this file"),
        ),
    ),
    "fmt": (
        FILES,
        option("--check", action="store_true", help="change nothing; exit with 1 if a file would change"),
        option("--diff", action="store_true", help="change nothing; print what would change"),
        option("--skip-verbatim", action="store_true", help="skip a historical text even if you name only that file"),
        option(
            "--stdin-filename",
            metavar="NAME",
            help="the name of the text on standard input, for messages and programs.toml",
        ),
        exclusive(
            option(
                "--ascii", dest="signs", action="store_const", const="ascii", help="write ASCII forms: -> $( \\sigma"
            ),
            option("--unicode", dest="signs", action="store_const", const="unicode", help="write printed forms: → § σ"),
        ),
        FORMAT_ERRORS,
    ),
    "html": (
        FILE,
        output("-o", "--output", help="write the page to this file"),
        option("--python", action="store_true", help="show the Python beside the CPL (needs a text that compiles)"),
        option(
            "--unicode", action="store_true", help="lay the text out in printed forms, → § σ, as cpl fmt --unicode does"
        ),
        option("--numbers", action="store_true", help="number the lines"),
        REPAIR,
        *TEXT,
    ),
    "latex": (
        FILE,
        output("-o", "--output", help="write the LaTeX to this file"),
        option("--fragment", action="store_true", help="write a listing for another document"),
        FORMAT_ERRORS,
    ),
    "diff": (
        option("files", nargs=2, metavar="FILE", help="a file, a packaged program, or, once, - for standard input"),
        option(
            "--function",
            action="append",
            default=[],
            metavar="NAME",
            help="report only on this function, in full (may be repeated)",
        ),
        verbose("show changed definitions as a whole, how often each function differs, and by which calls"),
        option("--unordered", action="store_true", help="ignore the order of members of lists"),
        option("--inputs", type=positive, default=100, metavar="N", help="inputs for each function (default: 100)"),
        seed("inputs"),
        option("--format", choices=["text", "json", "html"], default="text", help="how to report (default: text)"),
        output("-o", "--output", help="write the report to this file"),
        ALL_CORES,
        CLUSTER,
        *TEXT,
        option(
            "--reading-b", type=reading, metavar="NAME", help="how to read the second text (default: like the first)"
        ),
    ),
    "copy": (
        option("program", metavar="PROGRAM", type=no_standard_input, help="a packaged program, or a file"),
        option("folder", metavar="DIR", type=Path, help="where to put it"),
        option("--force", action="store_true", help="overwrite existing files"),
    ),
    "readings": (
        FILE,
        option("--against", metavar="FILE", required=True, help="the program to compare it with"),
        option("--positions", type=positive, default=5000, metavar="N", help="how many positions (default: 5000)"),
        seed("positions"),
        option(
            "--moves",
            default="LegalPositionsFrom",
            metavar="NAME",
            help="the function to compare, which gives all next positions (default: LegalPositionsFrom)",
        ),
        option(
            "--corrections",
            action="store_true",
            help="find which of the other program's corrections each reading needs",
        ),
        option("--cite", action="store_true", help="say how to cite what was found"),
        verbose("show where each reading differs from the other program, and why"),
        ALL_CORES,
        CLUSTER,
        LIBRARY,
        FORMAT,
        FORMAT_ERRORS,
    ),
    "session": (
        FILE,
        option("--from", dest="session", metavar="SESSION", help="the file with the examples"),
        FORMAT,
        *TEXT,
        REPAIR,
    ),
    "rules": (
        *TEXT,
        REPAIR,
        option("file", metavar="FILE", help="a program that defines LegalPositionsFrom and StartPosition"),
        option("--positions", type=positive, default=4000, metavar="N", help="how many positions (default: 4000)"),
        seed("positions"),
        exclusive(
            option("--depth", type=positive, metavar="D", help="compare all lines of play of up to D plies instead"),
            option("--fen", metavar="FEN", help="compare at this position instead"),
        ),
        verbose("show the positions with the differences, and draw the boards"),
        FORMAT,
    ),
    "perft": (
        *TEXT,
        REPAIR,
        exclusive(
            option("file", metavar="FILE", nargs="?", help="a program that defines a game"),
            option("--game", choices=playable.NAMES, help="a game of cpl play and cpl match, instead of FILE"),
            required=True,
        ),
        *SPEED,
        option("--depth", type=positive, default=6, metavar="N", help="plies to count to (default: 6)"),
        option("--start", metavar="EXPRESSION", help="where to begin (default: StartPosition)"),
        option(
            "--moves",
            metavar="NAME",
            help="the function that gives all next positions (default: LegalPositionsFrom)",
        ),
        JOBS,
        CLUSTER,
    ),
    "play": (
        GAME,
        *_PLAYERS,
        exclusive(
            option("--load", type=_GAME_FILE, metavar="FILE", help="continue a saved game"),
            option(
                "--replay", type=_GAME_FILE, metavar="FILE", help="step through a saved game, from its first position"
            ),
            option("--fen", metavar="FEN", help="begin at this position (checkers and strachey)"),
        ),
        NUMBER,
        output("--save", type=_GAME_FILE, help="save the games of this session in this new file"),
        *DRAWING,
        ALL_NUMBERS,
        PLIES,
        *SPEED,
        seed("random players"),
    ),
    "match": (
        option("players", nargs="+", metavar="PLAYER", help="two or more, such as alphabeta:3 and random:7"),
        GAME,
        option("--games", type=positive, default=10, metavar="N", help="games of each pair (default: 10)"),
        seed("games"),
        PLIES,
        option(
            "--adjudicate",
            type=_LEAD_AND_PLIES,
            metavar="LEAD,PLIES",
            help="give the win to a side that is LEAD or more pieces ahead for PLIES plies",
        ),
        *SPEED,
        exclusive(
            option(
                "--opening",
                type=natural,
                default=0,
                metavar="N",
                help="random plies at the start of each game (default: 0)",
            ),
            option("--openings", metavar="FILE", help="begin with these openings: PDN, FEN, `ballots` or `barred`"),
            option("--fen", help="begin with this position"),
        ),
        JOBS,
        CLUSTER,
        output("--pdn", type=_GAME_FILE, help="write each game to this file when it is finished"),
        option("--resume", action="store_true", help="continue the match in that file"),
        FORMAT,
    ),
    "analyse": (
        option(
            "position",
            nargs="?",
            metavar="FEN|FILE",
            help="a position, or a file of games in PDN, - for standard input (default: the first position)",
        ),
        GAME,
        option("--all", action="store_true", help="annotate all games of the file, and write them as PDN"),
        output("-o", "--output", help="with --all, write the games to this file"),
        NUMBER,
        option("--ply", type=natural, metavar="N", help="the position after N plies of the game (default: its last)"),
        option(
            "--seconds",
            type=_SECONDS,
            metavar="S",
            help=f"time to search (default: {TIME_TO_SEARCH:g}, or no limit with --depth)",
        ),
        option("--depth", type=positive, metavar="N", help="look no more than N plies ahead"),
        option("--lines", type=positive, default=1, metavar="N", help="show the N best moves (default: 1)"),
        HOW_FAST,
        verbose("say what runs in C; with --all, list the mistakes also where no terminal shows them"),
        FORMAT,
    ),
    "board": (
        option(
            "fen",
            nargs="?",
            default=START,
            metavar="FEN",
            help="the position, or - to read it from standard input (default: the first of a game)",
        ),
        output("-o", "--output", help="write a picture, SVG, to this file; - is standard output"),
        option("--last", metavar="MOVE", help="the move that led to the position, such as 11-15, shown as an arrow"),
        *DRAWING,
        NUMBERING,
    ),
    "pdn": (
        option("file", metavar="FILE", help="a file of games, or - for standard input"),
        GAME,
        option(
            "--number",
            type=_RANGE,
            metavar="N",
            help="only the N-th game, or a range such as 10-20",
        ),
        option("--player", metavar="TEXT", help="only games with a player whose name contains TEXT (case ignored)"),
        option("--event", metavar="TEXT", help="only games whose event contains TEXT (case ignored)"),
        option(
            "--result",
            type=_RESULT,
            metavar="RESULT",
            help="only games with this result, for example 1-0 (won by the first side)",
        ),
        option("--date", metavar="DATE", help="only games whose date begins with DATE, for example 1987 or 1987.05"),
        option("--position", metavar="FEN", help="only games that reach this position"),
        exclusive(
            option("--check", action="store_true", help="play all games, and report every error"),
            option(
                "--format",
                choices=["text", "pdn", "json"],
                default="text",
                help="what to write (default: text, a list)",
            ),
            option("--board", type=natural, metavar="PLIES", help="draw the position of one game after PLIES plies"),
        ),
        option("--no-remarks", action="store_true", help="leave out comments, marks and variations"),
        *DRAWING,
        NUMBERING,
        output("-o", "--output", help="write to this file (a board to *.svg is a picture)"),
        *SPEED,
    ),
    "hub": (
        option("--game", choices=["checkers"], default="checkers", help="the game that it plays (default: checkers)"),
        *SPEED,
    ),
    "lsp": (option("--stdio", action="store_true", help="the default (some editors add this option)"),),
    "cache": (option("--clear", action="store_true", help="empty it"),),
}
"""The options of each command of `cpl`. `GROUPS` has the order of `cpl --help`."""

CPLC: Final[Sequence[Adder]] = (
    option("file", nargs="?", metavar="FILE", help="a file, the name of a packaged program, or - for standard input"),
    output("-o", "--output", help="write to this file; without it, to standard output"),
    option(
        "--emit",
        choices=["python", "tokens", "surface", "core", "map"],
        default="python",
        help="write Python (default), an intermediate stage, or a line map",
    ),
    option(
        "--standalone",
        action="store_true",
        help="include the parts of cplrt that the module needs, so that it runs without that package",
    ),
    REPAIR,
    option("-O", "--optimise", action="store_true", help="write an equivalent, faster module"),
    option(
        "--without",
        action="append",
        choices=PASSES,
        default=[],
        metavar="PASS",
        help="with -O, leave out this pass: " + ", ".join(PASSES) + " (may be repeated)",
    ),
    option(
        "--native",
        action="store_true",
        help="compile the functions to C: -o NAME writes the module NAME.py and its library (needs a C compiler)",
    ),
    option("--explain", action="store_true", help="with --native, say which functions run in C, and why others do not"),
    option("--to", choices=["python", "c"], default="python", help="write Python, or the C of --native"),
    option("--no-format", action="store_true", help="do not format the Python with black"),
    option("--list", action="store_true", help="list the packaged programs and libraries"),
    *TEXT,
)
"""The options of `cplc`."""
