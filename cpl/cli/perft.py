"""Count the lines of play of each length from a position.

examples:
  cpl perft strachey.cpl --depth 7
  cpl perft strachey.cpl --depth 9 --native              in C
  cpl perft --game capture --depth 4
  cpl perft strachey.cpl --depth 10 --jobs 2             in two processes
  cpl perft strachey.cpl --depth 12 --native --cluster tcp://10.0.0.1:8786
                                                         on the workers of a cluster (docs/scaling.md)

The counts of English draughts to depth 7: 7 49 302 1469 7361 36768 179740.

With --jobs or --cluster each process or worker counts a part.

exit status: 0 if all went well; 1 if the program has an error, or a file cannot be read.
"""

import argparse
import sys
from functools import partial
from typing import Final

from cpl.cli.games import chosen_game, say_speed
from cpl.cli.program import compiled_game, guard
from cpl.cli.terminal import Usage, track, waiting
from cpl.cli.texts import read_input
from cpl.compiler.diagnostics import CplError
from cpl.compiler.source import Source
from cpl.executors import workers
from cpl.games.counting import count_in_game, count_in_program, counter_in, counting_text, packed, perft
from cpl.games.game import Speed, at_speed

_ADVICE: Final = "name where play begins with --start, and the function that gives all next positions with --moves"


def run(options: argparse.Namespace) -> None:
    """Count."""
    if options.game and (options.start or options.moves):
        raise Usage("--start and --moves are for files: a game has its own")
    if options.game:
        count = partial(count_in_game, chosen_game(options).name, options.speed)
    else:
        count = partial(count_in_program, _program(options))
    in_parts = options.jobs > 1 or options.cluster
    is_drawn_over = in_parts and sys.stderr.isatty()  # by the bar
    counts: list[int] = []
    with workers(options.jobs, options.cluster) as staff:
        for jobs, results in perft(count, options.depth, staff):
            parts = track(results, "counting", jobs) if in_parts else results
            number = guard(partial(sum, parts), TypeError)  # raised by a function of something else than a position
            counts.append(number)
            if not is_drawn_over:
                print(counts[-1], end=" " if len(counts) < options.depth else "\n", flush=True)
    if is_drawn_over:
        print(*counts)


def _program(options: argparse.Namespace) -> bytes:
    """Compile and pack FILE, with its counter ready in this process, from which others may be forked."""
    source = read_input(options.file)
    is_far = options.cluster and options.speed == "fastest"  # those machines may have no C compiler
    with waiting("compiling"):
        return at_speed("optimised" if is_far else options.speed, partial(_packed, source, options))


def _packed(source: Source, options: argparse.Namespace, speed: Speed) -> bytes:
    """Compile FILE with its start and its moves as calls; in C the counting is compiled with it."""
    say_speed(options, speed)
    start = options.start or "StartPosition"
    moves = options.moves or "LegalPositionsFrom"
    counting = [counting_text(moves, start)] if speed == "native" else []
    settings = {"optimise": speed == "optimised", "native": speed == "native"}
    try:
        program = packed(
            compiled_game(source, options, start, moves, _ADVICE, libraries=(*options.library, *counting), **settings)
        )
        guard(lambda: counter_in(program))
    except CplError:
        if not counting:
            raise
        return _packed(source, options, "optimised")  # of whose errors none is in the counting
    except TypeError:
        raise Usage(f"{moves} is not a function: name one with --moves") from None
    return program
