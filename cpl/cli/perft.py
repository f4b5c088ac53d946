"""Count the lines of play of each length from a position.

examples:
  cpl perft strachey.cpl --depth 7
  cpl perft strachey.cpl --depth 9 --native              builds an extension module first
  cpl perft --game capture --depth 4

The counts of English draughts to depth 7: 7 49 302 1469 7361 36768 179740.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from cpl.cli.arguments import REPAIR, SPEED, TEXT, option, positive
from cpl.cli.exits import DONE, Usage
from cpl.cli.faults import guard
from cpl.cli.game_option import chosen_game
from cpl.cli.input import read_input
from cpl.games.playable import NAMES

if TYPE_CHECKING:
    from cpl.games.game import Game

OPTIONS: Final = (
    *TEXT,
    REPAIR,
    option("file", metavar="FILE", nargs="?", help="a program that defines a game"),
    option("--game", choices=NAMES, help="a game of cpl play and cpl match, instead of FILE"),
    SPEED,
    option("--depth", type=positive, default=6, metavar="N", help="plies to count to (default: 6)"),
    option("--start", metavar="EXPRESSION", help="where to begin (default: StartPosition)"),
    option(
        "--moves",
        metavar="NAME",
        help="the function that gives all next positions (default: LegalPositionsFrom)",
    ),
)


def run(options: argparse.Namespace) -> int:
    """Count; the result is the exit status."""
    from cpl.cli.evaluation import game_in
    from cpl.kit.perft import perft

    counts: Iterator[int]
    if (options.file is None) == (options.game is None):
        raise Usage("give either FILE or --game NAME")
    if options.game:
        if options.start or options.moves:
            raise Usage("--start and --moves are for files: a game has its own")
        counts = perft(*_of_game(chosen_game(options)), options.depth)
    else:
        advice = "name where play begins with --start, and the function that gives all next positions with --moves"
        name = options.moves or "LegalPositionsFrom"
        at = options.start or "StartPosition"
        if options.speed == "native":
            counts = _native(options, at, name, advice)
        else:
            start, moves = game_in(options, at, name, advice, plain=options.speed == "plain")
            if not callable(moves):
                raise Usage(f"{name} is not a function: name one with --moves")
            counts = perft(moves, start, options.depth)
    for ply in range(options.depth):
        count = guard(lambda: next(counts), TypeError)  # of a function that is none for moves
        print(count, end=" " if ply + 1 < options.depth else "\n", flush=True)
    return DONE


def _native(options: argparse.Namespace, start: str, moves: str, advice: str) -> Iterator[int]:
    """The counts by a native module in which the counting is compiled with FILE."""
    from cpl.cli.evaluation import understood_game
    from cpl.cli.progress import waiting
    from cpl.compiler import execute_native
    from cpl.kit.perft import COUNTER, counting_text
    from cpl.native.values import WHOLE

    text = counting_text(moves, start)
    meaning = understood_game(read_input(options.file), options, start, moves, advice, [text])
    with waiting("building a native module"):
        count = vars(guard(lambda: execute_native(meaning, {COUNTER: [WHOLE]})))[COUNTER]
    return (count(plies) for plies in range(1, options.depth + 1))


def _of_game(game: "Game") -> tuple[Callable[[Any], list[Any]], Any]:
    """The function that gives all next states of a game, none if play is over; and its start."""
    return lambda state: [] if game.end(state) else [game.play(state, move) for move in state.legal], game.start()
