"""Act as an engine for other draughts programs, by the Hub protocol (docs/hub.md).

examples:
  cpl hub                        other programs start it, and communicate by standard input and output
  echo hub | cpl hub             show how it introduces itself to them

exit status: 0 after the line quit, or at the end of the input.
"""

import argparse
import sys
from contextlib import suppress
from threading import Lock, Thread, Timer

from cplrt import CplFault

from cpl.cli.games import say_speed
from cpl.cli.terminal import blame_ourselves
from cpl.games import analysis
from cpl.games.analysis import Analysis
from cpl.games.game import use
from cpl.games.hub import Hub, Search
from cpl.games.playable import game_of


def run(options: argparse.Namespace) -> None:
    """Answer the lines of the other program until it ends."""
    use(options.speed)
    game = game_of(options.game)
    say_speed(options, options.speed, game)
    hub = Hub(game)
    lock = Lock()  # held by whoever asks the hub and sends its answer: this loop, or the thread of the search
    thread = Thread()  # that of the last search; before the first one, it is never started
    try:
        for line in sys.stdin:
            with lock:
                before = hub.search
                _send(hub.receive(line))
                search = hub.search
            is_new = search is not before
            if search and is_new:
                thread = Thread(target=_run, args=(hub, search, lock), daemon=True)
                thread.start()
            elif search and search.limits.stopped.is_set():
                thread.join()  # this line stopped the search; the next may ask for another one, which must wait for it
            elif search and search.seconds and line.split() == ["ponder-hit"]:
                clock = Timer(search.seconds, search.limits.stopped.set)
                clock.daemon = True
                clock.start()
            if hub.is_over:
                break
    finally:
        with lock:  # a search that ends just now sends its answer before
            search = hub.search
        if search:
            search.limits.stopped.set()
            thread.join()


def _run(hub: Hub, search: Search, lock: Lock) -> None:
    """Run a search, and send what it finds. This runs in a thread of its own: lines are answered during the search."""

    def report(result: Analysis) -> None:
        with lock:
            _send(hub.found(result))

    with suppress(BrokenPipeError):  # the other program may have ended; then the loop over its lines ends, too
        try:
            # After the end of a game, as by the 50-move rule, there is nothing to find: the hub answers any legal move.
            if not search.turn.game.end(search.turn):
                analysis.search(search.turn, search.limits, report=report)
        except (CplFault, RecursionError, MemoryError) as error:
            blame_ourselves("cpl hub", error)
        with lock:
            _send(hub.finished())


def _send(lines: list[str]) -> None:
    print("".join(f"{line}\n" for line in lines), end="", flush=True)
