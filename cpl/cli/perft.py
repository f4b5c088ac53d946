"""Count the lines of play of each length from a position.

examples:
  cpl perft strachey.cpl --depth 7
  cpl perft --game capture --depth 4

The counts of English draughts to depth 7: 7 49 302 1469 7361 36768 179740.
"""

import argparse
from collections.abc import Callable
from typing import Any, Final

from cpl.cli.arguments import REPAIR, TEXT, option, positive
from cpl.cli.exits import DONE, Usage
from cpl.games.playable import NAMES, game_of

OPTIONS: Final = (
    *TEXT,
    REPAIR,
    option("file", metavar="FILE", nargs="?", help="a program that defines a game"),
    option("--game", choices=NAMES, help="a game of cpl play and cpl match, instead of FILE"),
    option("--plain", action="store_true", help="count with the plain Python of FILE, which is slower"),
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
    from cpl.cli.faults import guard
    from cpl.kit.perft import perft

    if (options.file is None) == (options.game is None):
        raise Usage("give either FILE or --game NAME")
    if options.game:
        if options.start or options.moves:
            raise Usage("--start and --moves are for files: a game has its own")
        start, moves = _of_game(options.game)
    else:
        advice = "name where play begins with --start, and the function that gives all next positions with --moves"
        name = options.moves or "LegalPositionsFrom"
        start, moves = game_in(options, options.start or "StartPosition", name, advice, plain=options.plain)
        if not callable(moves):
            raise Usage(f"{name} is not a function: name one with --moves")
    counts = perft(moves, start, options.depth)
    for ply in range(options.depth):
        count = guard(lambda: next(counts), TypeError)  # of a function that is none for moves
        print(count, end=" " if ply + 1 < options.depth else "\n", flush=True)
    return DONE


def _of_game(name: str) -> tuple[Any, Callable[[Any], list[Any]]]:
    """The start of a game, and the function that gives all next states; none if play is over."""
    game = game_of(name)
    return game.start(), lambda state: [] if game.end(state) else [game.play(state, move) for move in state.legal]
