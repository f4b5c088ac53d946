"""Count the lines of play of each length from a position.

examples:
  cpl perft strachey.cpl --depth 7
  cpl perft strachey.cpl --depth 9 --native              in C
  cpl perft --game capture --depth 4
  cpl perft strachey.cpl --depth 10 --jobs 2             in two processes
  cpl perft strachey.cpl --depth 12 --native --cluster tcp://10.0.0.1:8786
                                                         on the workers of a cluster (docs/scaling.md)

The counts of English draughts to depth 7: 7 49 302 1469 7361 36768 179740.

With --jobs or --cluster the count is done in parts. If a process or a worker dies, its parts are counted again, and the
totals are exact.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from cpl.cli import output
from cpl.cli.arguments import CLUSTER, JOBS, REPAIR, SPEED, TEXT, option, positive
from cpl.cli.exits import DONE, Usage
from cpl.cli.faults import guard
from cpl.cli.game_option import chosen_game, say_speed
from cpl.cli.input import compilation, read_input
from cpl.games.playable import NAMES

if TYPE_CHECKING:
    from cpl.executors import Setup
    from cpl.games.game import Game, Speed
    from cpl.kit.perft_parts import Counter
    from cpl.source import Source

OPTIONS: Final = (
    *TEXT,
    REPAIR,
    option("file", metavar="FILE", nargs="?", help="a program that defines a game"),
    option("--game", choices=NAMES, help="a game of cpl play and cpl match, instead of FILE"),
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
)

PARTS: Final = 30
"""Parts of the last ply for each worker, at least, so that none waits long for others."""


def run(options: argparse.Namespace) -> int:
    """Count; the result is the exit status."""
    if (options.file is None) == (options.game is None):
        raise Usage("give either FILE or --game NAME")
    if options.game and (options.start or options.moves):
        raise Usage("--start and --moves are for files: a game has its own")
    in_parts = options.jobs > 1 or options.cluster
    counts = _in_parts(options) if in_parts else _at_once(options)
    is_drawn_over = in_parts and sys.stderr.isatty()  # by the bar
    found: list[int] = []
    try:
        while (
            count := guard(lambda: next(counts, None), TypeError)
        ) is not None:  # of a function that is none for moves
            found.append(count)
            if not is_drawn_over:
                print(count, end=" " if len(found) < options.depth else "\n", flush=True)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{len(found)} of {output.count(options.depth, 'ply', 'plies')} counted") from None
    if is_drawn_over:
        print(*found)
    return DONE


_ADVICE: Final = "name where play begins with --start, and the function that gives all next positions with --moves"


def _at_once(options: argparse.Namespace) -> Iterator[int]:
    """The counts by this process, by ply."""
    from cpl.games.game import at_speed
    from cpl.kit.perft import perft

    if options.game:
        return perft(*_of_game(chosen_game(options)), options.depth)
    source = read_input(options.file)
    return at_speed(options.speed, lambda speed: _of_program(source, options, speed))


def _of_program(source: "Source", options: argparse.Namespace, speed: "Speed") -> Iterator[int]:
    """The counts in FILE, by ply. In C the counting is compiled with it."""
    from cpl import compiler
    from cpl.cli.evaluation import game_in
    from cpl.cli.progress import waiting
    from cpl.diagnostics import CplError
    from cpl.kit.perft import perft
    from cpl.kit.perft_module import COUNTER, counting_text

    say_speed(options, speed)
    start, moves = _names(options)
    more = [counting_text(moves, start)] if speed == "native" else []
    try:
        with waiting("compiling"):
            module, first, function = game_in(
                source,
                options,
                start,
                moves,
                _ADVICE,
                libraries=(*options.library, *more),
                optimise=speed == "optimised",
                native=bool(more),
            )
    except CplError:
        if not more:
            raise
        return _of_program(source, options, "optimised")  # of whose errors none is in the counting
    if not callable(function):
        raise Usage(f"{moves} is not a function: name one with --moves")
    if not more:
        return perft(function, first, options.depth)
    count = compiler.inner(module, COUNTER)
    # The first by Python, which tells best of a function that is none for moves.
    return chain(perft(function, first, 1), (int(count([], ply)) for ply in range(2, options.depth + 1)))


def _in_parts(options: argparse.Namespace) -> Iterator[int]:
    """The counts by workers, by ply."""
    from cpl.cli.progress import track
    from cpl.executors import crew
    from cpl.kit.perft_module import counted
    from cpl.kit.perft_parts import divided

    setup, counter, _ = _game(options) if options.game else _program(options)
    setup()
    count = counter()  # before there are other processes, which then have it
    with crew(options.jobs, options.cluster, setup) as workers:
        division = divided(count, options.depth, PARTS * workers.size)
        found = workers.results(partial(counted, counter), division.parts(count))
        yield from division.totals(track(found, "counting", division.size))


def _names(options: argparse.Namespace) -> tuple[str, str]:
    return options.start or "StartPosition", options.moves or "LegalPositionsFrom"


Counting = tuple["Setup", Callable[[], "Counter"], str]
"""What a worker does once, the counter that it then has, and what identifies the count."""


def _program(options: argparse.Namespace) -> Counting:
    """The counting in FILE, which is compiled with it."""
    from cpl import compiler
    from cpl.cli.evaluation import understood_game
    from cpl.cli.progress import waiting
    from cpl.fast.c.build import built
    from cpl.games.game import at_speed
    from cpl.kit.perft_module import counter, counting_text, identity, receive, texts_of

    start, moves = _names(options)
    source = read_input(options.file)
    understood_game(source, options, start, moves, _ADVICE)  # reports errors without those in the counting
    libraries = (*options.library, counting_text(moves, start))
    meaning = compiler.understand(source, compilation(options, libraries=libraries))
    name = identity(meaning)

    def texts(speed: "Speed") -> tuple[str, str]:
        say_speed(options, speed)
        found = texts_of(meaning, speed)
        if speed == "native":
            built(found[1])
        return found

    is_far = options.cluster and options.speed == "fastest"  # those machines may have no C compiler
    with waiting("compiling"):
        found = at_speed("optimised" if is_far else options.speed, texts)
    return partial(receive, name, found), partial(counter, name), name


def _game(options: argparse.Namespace) -> Counting:
    """The counting in a packaged game."""
    from cpl import __version__
    from cpl.executors import nothing

    return nothing, partial(_counter_of_game, chosen_game(options).name, options.speed), f"{options.game}-{__version__}"


@cache
def _counter_of_game(name: str, speed: "Speed") -> "Counter":
    """The counter of a game, made once in each process."""
    from cpl.games.game import use
    from cpl.games.playable import game_of
    from cpl.kit.perft_parts import counter_of

    use(speed)
    return counter_of(*_of_game(game_of(name)))


def _of_game(game: "Game") -> tuple[Callable[[Any], list[Any]], Any]:
    """The function that gives all next states of a game, none if play is over; and its start."""
    return lambda state: [] if game.end(state) else [game.play(state, move) for move in state.legal], game.start()
