"""Options that apply only together with others: one table, and one rule, which refuses those that would do nothing.

What a file or a game decides, such as whether a position is in a file of games, the command itself finds out.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cpl.cli.terminal import Usage


@dataclass(frozen=True)
class Rule:
    """Options that apply only if something holds of the command line; else `reason` says why they do not."""

    options: tuple[str, ...]
    applies: Callable[[argparse.Namespace], object]
    reason: str

    def refusal(self, option: str, options: argparse.Namespace) -> str:
        """Return the message that refuses one of the options."""
        return f"{option} {self.reason}"


_OF_WORK: Final = {
    "packaged": "--list",
    "tokens": "--emit tokens",
    "surface": "--emit surface",
    "core": "--emit core",
    "map": "--emit map",
    "c": "--to c",
    "native": "--native",
    "python": "Python",
}
"""The kinds of work of `cplc`, and how the command line asks for each. Of two the first one is done."""


def work(options: argparse.Namespace) -> str:
    """Return the kind of work that `cplc` is to do."""
    if options.list:
        return "packaged"
    if options.to == "c":
        return "c"
    if options.native:
        return "native"
    emitted: str = options.emit
    return emitted


class _ForWork(Rule):
    """Options that apply to some kinds of work of `cplc`."""

    def __init__(self, options: Sequence[str], kinds: str) -> None:
        super().__init__(tuple(options), lambda given: work(given) in kinds.split(), "does not apply to")

    def refusal(self, option: str, options: argparse.Namespace) -> str:
        return f"{option} {self.reason} {_OF_WORK[work(options)]}"


RULES: Final[Mapping[str, Sequence[Rule]]] = {
    "cplc": (
        Rule(
            ("--without",),
            lambda options: options.optimise or work(options) == "native",
            "leaves out a pass of -O, which is missing",
        ),
        Rule(("--explain",), lambda options: options.native, "goes with --native"),
        _ForWork(["FILE", "--output", "--format-errors"], "tokens surface core map c native python"),
        _ForWork(["--library", "--reading", "--repair"], "surface core map c native python"),
        _ForWork(["--emit"], "tokens surface core map"),
        _ForWork(["--native"], "c native"),
        _ForWork(["--explain"], "native"),
        _ForWork(["--optimise"], "core map c native python"),
        _ForWork(["--without"], "core map python"),
        _ForWork(["--standalone"], "map python"),
        _ForWork(["--no-format"], "map native python"),
    ),
    "analyse": (Rule(("--output",), lambda options: options.all, "is for the games of --all"),),
    "board": (
        Rule(
            ("--ascii",),
            lambda options: not (options.output or "").endswith(".svg"),
            "is for a board as text, and a picture has no letters",
        ),
    ),
    "fmt": (
        Rule(("--stdin-filename",), lambda options: "-" in options.files, "names standard input, which is the FILE -"),
    ),
    "match": (Rule(("--resume",), lambda options: options.pdn, "continues the match in a file: name it with --pdn"),),
    "pdn": (
        Rule(("--flip", "--ascii"), lambda options: options.board is not None, "is for a board: add --board PLIES"),
        Rule(
            ("--no-remarks",),
            lambda options: options.format != "text" and options.board is None and not options.check,
            "leaves remarks out of what --format pdn or json writes",
        ),
    ),
    "perft": (
        Rule(
            ("--start", "--moves", "--library", "--reading", "--repair"),
            lambda options: options.file,
            "is for a FILE, and a game has its own",
        ),
    ),
    "play": (
        Rule(
            ("--number",),
            lambda options: options.load or options.replay,
            "says which game of a file: name the file with --load or --replay",
        ),
    ),
    "rules": (
        Rule(
            ("--positions", "--seed"),
            lambda options: options.depth is None and options.fen is None,
            "is for positions drawn by chance, without --depth and --fen",
        ),
    ),
    "trace": (
        Rule(
            ("--depth", "--function"),
            lambda options: options.format == "text" and not options.html,
            "chooses what is printed as text; the page and the JSON hold every step",
        ),
    ),
}
"""The rules of `cplc`, and of each command of `cpl` that has some."""


def refuse(name: str, parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Raise Usage if an option is given that does not apply."""
    for rule in RULES.get(name, ()):
        for option in rule.options:
            action = _action(parser, option)
            is_given = getattr(options, action.dest) != action.default
            if is_given and not rule.applies(options):
                shortest = action.option_strings[0] if action.option_strings else option
                raise Usage(rule.refusal(shortest, options))


def _action(parser: argparse.ArgumentParser, option: str) -> argparse.Action:
    """Return the option of a parser that is written so, or the argument that its help shows so."""
    return next(action for action in parser._actions if option in action.option_strings or option == action.metavar)
