"""`cpl perft`: how many lines of play of each length there are."""

import argparse
from collections.abc import Callable
from typing import Any, Final

from cpl.cli import common
from cpl.cli.common import Usage
from cpl.games.playable import NAMES, game_of

WHAT: Final = "count the lines of play of each length from a position"
MORE: Final = """\
examples:
  cpl perft strachey.cpl --depth 7
  cpl perft --game capture --depth 4

The counts of English draughts to depth 7: 7 49 302 1469 7361 36768 179740.
"""


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of `cpl perft`."""
    common.add_text_options(made)
    common.add_repair_option(made)
    made.add_argument("file", metavar="FILE", nargs="?", help="a program that defines a game")
    made.add_argument("--game", choices=NAMES, help="a game of cpl play and cpl match, instead of FILE")
    made.add_argument("--depth", type=common.whole, default=6, metavar="N", help="plies to count to (default: 6)")
    made.add_argument("--start", metavar="EXPRESSION", help="where to begin (default: StartPosition)")
    made.add_argument(
        "--moves",
        metavar="NAME",
        help="the function that gives all next positions (default: LegalPositionsFrom)",
    )


def run(options: argparse.Namespace) -> int:
    """Count; the result is the exit status."""
    from cpl.cli.faults import guard
    from cpl.kit.perft import perft

    if (options.file is None) == (options.game is None):
        raise Usage("name a file, or a game with --game")
    if options.game and (options.start or options.moves):
        raise Usage("--start and --moves are for files: a game has its own")
    start, moves = _of_game(options.game) if options.game else _of_file(options)
    counts = perft(moves, start, options.depth)
    for ply in range(options.depth):
        count = guard(lambda: next(counts), TypeError)  # of a function that is none for moves
        print(count, end=" " if ply + 1 < options.depth else "\n", flush=True)
    return common.DONE


def _of_game(name: str) -> tuple[Any, Callable[[Any], list[Any]]]:
    """The start of a game, and the function that gives all next states; none if play is over."""
    game = game_of(name)
    return game.start(), lambda state: [] if game.end(state) else [game.play(state, move) for move in game.moves(state)]


def _of_file(options: argparse.Namespace) -> tuple[Any, Callable[[Any], list[Any]]]:
    """The same of a program."""
    from cpl import compiler
    from cpl.cli.faults import guard
    from cpl.cli.input import understand_game

    name = options.moves or "LegalPositionsFrom"
    calls = [options.start or "StartPosition", name]
    advice = "name where play begins with --start, and the function that gives all next positions with --moves"
    meaning = understand_game(options, calls, advice)
    common.show_repair(meaning.diagnostics, options)
    _, start, moves = guard(lambda: [*compiler.evaluations(meaning)])
    if not callable(moves):
        raise Usage(f"{name} is no function: name one with --moves")
    return start, moves
