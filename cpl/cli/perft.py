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
from collections.abc import Iterator
from functools import partial
from typing import Final

from cpl.cli.games import chosen_game, say_speed
from cpl.cli.program import compiled_game, guard
from cpl.cli.terminal import Failed, track, waiting
from cpl.cli.texts import read_input
from cpl.compiler.diagnostics import CplError
from cpl.compiler.source import Source
from cpl.executors import workers
from cpl.games.counting import count_in_game, count_in_program, counter_in, counting_text, packed, perft
from cpl.games.game import Speed, at_speed

_ADVICE: Final = "name where play begins with --start, and the function that gives all next positions with --moves"


def run(options: argparse.Namespace) -> None:
    """Print the number of lines of play of 1, 2 … plies on one line, each as soon as it is known."""
    if options.game:
        count = partial(count_in_game, chosen_game(options, searches=False).name, options.speed)
    else:
        count = partial(count_in_program, _packed_program(options))

    in_parts = options.jobs > 1 or options.cluster
    has_bar = in_parts and sys.stderr.isatty()  # the progress bar would overwrite a line that is not finished
    counts: list[int] = []
    with workers(options.jobs, options.cluster) as staff:
        for jobs, results in perft(count, options.depth, staff):  # how many jobs, and what each of them counts
            if in_parts:
                results = track(results, "counting", jobs)
            counts.append(_total(results))
            if not has_bar:
                is_last = len(counts) == options.depth
                print(counts[-1], end="\n" if is_last else " ", flush=True)
    if has_bar:
        print(*counts)


def _total(results: Iterator[int]) -> int:
    """Add up what the jobs count. The program runs meanwhile, as results are computed when they are asked for. Raises
    Failed if it fails, also with a TypeError: then what `--moves` names does not give positions.
    """
    return guard(lambda: sum(results), TypeError)


def _packed_program(options: argparse.Namespace) -> bytes:
    """Compile FILE, and pack it for the workers. Raises CplError, and Failed if the program fails or is no game."""
    source = read_input(options.file)
    speed = options.speed
    if speed == "fastest" and options.cluster:
        speed = "optimised"  # C would be faster, but the machines of a cluster may have no C compiler
    with waiting("compiling"):
        return at_speed(speed, partial(_packed_at, source, options))


def _packed_at(source: Source, options: argparse.Namespace, speed: Speed) -> bytes:
    """Compile FILE at a speed with two calls, its start and its moves, and pack it. In C, the function that counts is
    compiled with it.
    """
    say_speed(options, speed)
    start = options.start or "StartPosition"
    moves = options.moves or "LegalPositionsFrom"
    is_native = speed == "native"
    counting = [counting_text(moves, start)] if is_native else []
    try:
        program = compiled_game(
            source,
            options,
            start,
            moves,
            _ADVICE,
            libraries=(*options.library, *counting),
            optimise=speed == "optimised",
            native=is_native,
        )
        packed_program = packed(program)
        # Makes the counter once to see that it can be made. It is kept for this process and those forked from it.
        guard(lambda: counter_in(packed_program))
    except CplError:
        if not is_native:
            raise
        # The error may be in the text that counts, which the user did not write. Without that text, every error is in
        # the program.
        return _packed_at(source, options, "optimised")
    except TypeError:
        raise Failed(f"{moves} is not a function: name one with --moves") from None
    return packed_program
