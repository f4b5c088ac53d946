"""Check, run, format, compare and measure programs in CPL (1963-67).

examples:
  cpl check mine.cpl                                     report its errors and likely mistakes
  cpl run strachey.cpl --call 'NextMoveDirection(4)'     evaluate an expression as if it stood in the program
  cpl repl strachey.cpl                                  type CPL, and see what it does at once
  cpl trace strachey.cpl --call 'NextMoveDirection(4)'   show the calls that lead to a value
  cpl fmt mine.cpl                                       format it
  cpl html mine.cpl -o mine.html                         a page to read and to print
  cpl diff old.cpl new.cpl                               what differs in their texts and behaviour
  cpl analyse B:W18,26:B11,K2 --lines 3                  find the best moves of a position
  cpl play --black human --white alphabeta:3             play checkers
  cpl board B:W18,30:B15,K2 -o position.svg              draw a position
  cpl hub                                                act as an engine for other draughts programs
  cpl perft strachey.cpl --depth 7                       count the lines of play of each length
  cpl readings strachey-original.cpl --against strachey.cpl
                                                         what a text can mean, found by experiment
  cpl rules strachey.cpl                                 compare its rules with those of English draughts
  cpl match alphabeta:3 random:7                         play a match of checkers
  cpl pdn games.pdn --check                              list, check and convert files of games
  cpl lsp                                                serve an editor
  cpl cache                                              where compiled programs are kept, and how many bytes
  cpl copy strachey.cpl mine                             copy a packaged program into a folder, to change it there

cpl help COMMAND explains a command, or several, and cpl help CODE a diagnostic: cpl help unclosed-bracket. The compiler
is cplc: cpl help cplc explains it.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile
from typing import Final

from cpl.cli import cplc, terminal
from cpl.cli.applicable import refuse
from cpl.cli.commands import COMMANDS, GROUPS, docstring, summary
from cpl.cli.options import STYLE, add_all, help_of, joined_choices, new_parser, refuse_empty

_USAGE: Final = "cpl [-h] [--version] [--debug] [--completion SHELL] COMMAND ..."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is its exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    general, words = _split(_joined(arguments))
    parser = new_parser("cpl", docstring("cpl"))

    topics = words[1:] if words[:1] == ["help"] else []
    if len(topics) > 1 and not any(topic.startswith("-") for topic in topics):
        return max([_helped([*general, "help", topic]) for topic in topics])

    while words[:1] == ["help"]:  # again for `cpl help help`
        topic = words[1] if len(words) > 1 else ""
        if topic == "cplc":
            return cplc.main([*general, "--help"])
        is_diagnostic = topic and not topic.startswith("-") and topic not in ("help", *COMMANDS)
        if is_diagnostic:
            status: int = import_module("cpl.cli.explain").explain(topic, parser, general)
            return status
        general, words = _split([*general, *words[1:], "--help"])  # `cpl help run` is `cpl run --help`

    # The parsers of all commands are made only for the shell and for the overview: each reads the file of its command.
    parser.usage = _USAGE
    is_for_shell = any(word.startswith("--completion") for word in general)
    listed = None if is_for_shell else argparse.SUPPRESS  # people read the overview
    commands = parser.add_subparsers(prog="cpl", metavar="COMMAND", help=listed)
    if is_for_shell or not words or {"-h", "--help"} & {*general}:
        parser.epilog = f"{_overview()}\n\n{parser.epilog}"
        for name in COMMANDS:
            _add(commands, name)
    options = parser.parse_args(general)  # which ends the process after --help, --version and --completion
    if not words:
        parser.print_help()
        return terminal.COMMAND_AT_FAULT

    name, *rest = words
    if name not in COMMANDS:
        parser.error(f"there is no command {name!r}{terminal.suggestion(name, COMMANDS)} (cpl help lists them)")
    command = _add(commands, name)
    refuse_empty(command, rest)
    command.parse_args(joined_choices(command, rest), options)
    sys.set_int_max_str_digits(0)  # programs may write numbers of any length
    return terminal.run(f"cpl {name}", lambda: _run(name, command, options), options)


def _helped(arguments: Sequence[str]) -> int:
    """Explain one of several topics, with an empty line after it; the result is the exit status."""
    try:
        status = main(arguments)
    except SystemExit as ended:  # the parser ends so
        status = int(ended.code or 0)
    print(flush=True)
    return status


def _run(name: str, parser: argparse.ArgumentParser, options: argparse.Namespace) -> int | None:
    """Import the command, and run it. The result is the exit status, DONE if it is None. Raises Usage."""
    refuse(name, parser, options)
    status: int | None = import_module(f"cpl.cli.{name}").run(options)
    return status


def _overview() -> str:
    """The commands under their headings, a row each, with a summary, which the formatter of the help fills."""
    width = max(map(len, COMMANDS))
    blocks = []
    for heading, names in GROUPS.items():
        rows = [f"  {name:{width}}  {summary(name)}" for name in names]
        blocks.append("\n".join([f"{heading}:", *rows]))
    return "\n\n".join(blocks)


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split the arguments into the options before the command, and the command with all that follows it. A `--` may
    stand between them. None of these options has a value as a word of its own: see `_joined`.
    """
    options = [*takewhile(_is_option, arguments)]
    words = arguments[len(options) :]
    if words[:1] == ["--"]:
        words = words[1:]
    return options, words


def _is_option(word: str) -> bool:
    """Tell whether a word is an option; `--` and negative numbers are not."""
    return word.startswith("-") and word.lstrip("-")[:1].isalpha()


def _joined(arguments: Sequence[str]) -> list[str]:
    """Join options with their values, `--call -x` to `--call=-x`: an expression may begin like an option. `_split` also
    relies on this for `--completion`.
    """
    result: list[str] = []
    for argument in arguments:
        if result and result[-1] in ("--call", "--start", "--completion"):
            result[-1] += f"={argument}"
        else:
            result.append(argument)
    return result


def _add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str) -> argparse.ArgumentParser:
    """Add the parser of a command. It takes `--debug`, which may also stand before the command."""
    title, epilog = help_of(docstring(name), f"cpl {name}")
    parser = commands.add_parser(name, help=summary(name), description=title, epilog=epilog, **STYLE)
    parser.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add_all(parser, COMMANDS[name])
    return parser
