"""`cpl`: everything that is done with CPL programs besides compiling them."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from cpl.cli import check, common, diff, fmt, match, play, readings, rules, session
from cpl.cli.common import Usage
from cpl.games.playable import NAMES, game_of

_EXAMPLES = """\
examples:
  cpl check mine.cpl                                     report what is wrong with it
  cpl run strachey.cpl --call 'NextMoveDirection(4)'     evaluate an expression as if it stood in the program
  cpl fmt mine.cpl                                       lay it out in one style
  cpl diff old.cpl new.cpl                               what differs in the texts, and in what they do
  cpl play --red human --black alphabeta:3               play checkers
  cpl perft strachey.cpl --depth 7                       count the lines of play of each length
  cpl readings strachey-original.cpl --against strachey.cpl
                                                         what a text can mean, found by experiment
  cpl rules strachey.cpl                                 compare its rules with those of English draughts
  cpl match alphabeta:3 random:7                         let players of checkers meet

cpl COMMAND --help says more of each. The compiler is cplc.
"""


def _parser() -> argparse.ArgumentParser:
    made = common.parser("cpl", "Check, run, lay out, compare and measure programs in CPL (1963-67).", _EXAMPLES)
    commands = made.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(name: str, what: str, examples: str) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name,
            help=what,
            description=f"{what[0].upper()}{what[1:]}.",
            epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        added.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        return added

    check.add_options(command("check", check.WHAT, check.MORE))

    run = command(
        "run",
        "compile a program, obey its commands, and evaluate expressions in it",
        "examples:\n"
        "  cpl run mine.cpl\n"
        "  cpl run strachey.cpl --call 'PrintPosition(ChosenPosition(StartPosition))'\n"
        "  cpl run mine.cpl --call 'F(1,2)' --call 'G([1,2,3])'\n\n"
        "Results are printed as CPL writes them: true, 3.5, (1,2), ‘text’. What the program itself writes comes\n"
        "before them.\n\n"
        "exit status: 0 done; 1 the program is at fault, or a file cannot be read; 70 cpl itself is at fault.",
    )
    common.add_text_options(run)
    common.add_repair_option(run)
    run.add_argument("file", metavar="FILE", help="a file, a packaged program, or -")
    run.add_argument(
        "--call", action="append", default=[], metavar="EXPRESSION", help="evaluate and print this (may be repeated)"
    )
    run.add_argument(
        "--interpreter",
        action="store_true",
        help="use the interpreter, which defines the language, not the compiler (slow)",
    )

    fmt.add_options(command("fmt", fmt.WHAT, fmt.MORE))
    diff.add_options(command("diff", diff.WHAT, diff.MORE))

    perft = command(
        "perft",
        "count the lines of play of each length from a position",
        "examples:\n  cpl perft strachey.cpl --depth 7\n  cpl perft --game capture --depth 4\n\n"
        "The counts of English draughts to depth 7: 7 49 302 1469 7361 36768 179740.",
    )
    common.add_text_options(perft)
    common.add_repair_option(perft)
    perft.add_argument("file", metavar="FILE", nargs="?", help="a program that defines a game")
    perft.add_argument("--game", choices=NAMES, help="a game of cpl play and cpl match, instead of FILE")
    perft.add_argument("--depth", type=common.whole, default=6, metavar="N", help="plies to count to (default: 6)")
    perft.add_argument("--start", metavar="EXPRESSION", help="where to begin (default: StartPosition)")
    perft.add_argument(
        "--moves",
        metavar="NAME",
        help="the function that gives all next positions (default: LegalPositionsFrom)",
    )

    play.add_options(command("play", play.WHAT, play.MORE))
    readings.add_options(command("readings", readings.WHAT, readings.MORE))
    session.add_options(command("session", session.WHAT, session.MORE))
    rules.add_options(command("rules", rules.WHAT, rules.MORE))
    match.add_options(command("match", match.WHAT, match.MORE))
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is its exit status."""
    parser = _parser()
    options = parser.parse_args(_joined(sys.argv[1:] if arguments is None else arguments))
    if options.command is None:
        parser.print_help()
        return common.COMMAND_AT_FAULT
    _make_room()
    match options.command:
        case "check":
            return common.run("cpl check", lambda: check.run(options), options)
        case "fmt":
            return common.run("cpl fmt", lambda: fmt.run(options), options)
        case "diff":
            return common.run("cpl diff", lambda: diff.run(options), options)
        case "play":
            return common.run("cpl play", lambda: play.run(options), options)
        case "readings":
            return common.run("cpl readings", lambda: readings.run(options), options)
        case "session":
            return common.run("cpl session", lambda: session.run(options), options)
        case "rules":
            return common.run("cpl rules", lambda: rules.run(options), options)
        case "match":
            return common.run("cpl match", lambda: match.run(options), options)
        case "run":
            return common.run("cpl run", lambda: _run(options), options)
        case _:
            return common.run("cpl perft", lambda: _perft(options), options)


def _joined(arguments: Sequence[str]) -> list[str]:
    """`--call -x` as `--call=-x`: what follows is an expression, even if it begins like an option."""
    result: list[str] = []
    for argument in arguments:
        if result and result[-1] in ("--call", "--start"):
            result[-1] += f"={argument}"
        else:
            result.append(argument)
    return result


def _run(options: argparse.Namespace) -> int:
    from cplrt import show

    from cpl import compiler
    from cpl.cli.input import read_input

    source = read_input(options.file)
    meaning = compiler.understand(source, options.library, options.call, reading=options.reading, repair=options.repair)
    if options.repair:
        common.show(meaning.diagnostics, options)
    values = compiler.evaluations(meaning, interpreted=options.interpreter)
    _guard(lambda: next(values))
    for _ in options.call:
        value = _guard(lambda: next(values))
        if value is not None:
            print(_guard(lambda value=value: show(value)))
    if not options.call and not meaning.has_commands:
        print(f"cpl run: {options.file} holds definitions only; evaluate something with --call 'F(x)'", file=sys.stderr)
    return common.DONE


def _make_room() -> None:
    """Let CPL go deep, and have numbers of any length."""
    from cplrt.depth import allow_deep_recursion

    sys.set_int_max_str_digits(0)
    allow_deep_recursion()


def _guard(job: Any, *also: type[Exception]) -> Any:
    """Run CPL; a fault of the running program is told in a line or two. What else goes wrong is a fault of ours."""
    from cplrt import CplFault

    from cpl.cli.faults import failed

    faults: tuple[type[Exception], ...] = (CplFault, RecursionError, MemoryError, *also)
    try:
        return job()
    except faults as error:
        raise failed(error) from error


def _perft(options: argparse.Namespace) -> int:
    from cpl.kit.perft import perft

    if (options.file is None) == (options.game is None):
        raise Usage("name a file, or a game with --game")
    if options.game and (options.start or options.moves):
        raise Usage("--start and --moves are for files: a game has its own")
    start, moves = _of_game(options.game) if options.game else _of_file(options)
    counts = perft(moves, start, options.depth)
    for ply in range(options.depth):
        count = _guard(lambda: next(counts), TypeError)  # of a function that is none for moves
        print(count, end=" " if ply + 1 < options.depth else "\n", flush=True)
    return common.DONE


def _of_game(name: str) -> tuple[Any, Callable[[Any], list[Any]]]:
    """The start of a game, and the function that gives all next states; none if play is over."""
    game = game_of(name)
    return game.start(), lambda state: [] if game.end(state) else [game.play(state, move) for move in game.moves(state)]


def _of_file(options: argparse.Namespace) -> tuple[Any, Callable[[Any], list[Any]]]:
    """The same of a program."""
    from cpl import compiler
    from cpl.cli.input import read_input

    source = read_input(options.file)
    name = options.moves or "LegalPositionsFrom"
    wanted = f"({options.start or 'StartPosition'},{name})"
    start, moves = _guard(
        lambda: compiler.evaluate(source, wanted, options.library, reading=options.reading, repair=options.repair)
    )
    if not callable(moves):
        raise Usage(f"{name} is no function: name one with --moves")
    return start, moves
