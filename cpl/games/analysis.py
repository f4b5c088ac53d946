"""What a search finds of a state while it looks deeper and deeper: a state and limits in, the best lines of play out.

This is iterative deepening: a search one ply deep, another two plies deep, and so on, until a limit is reached. Each
search tries the best moves of the one before first, as alpha-beta leaves out the more, the sooner it meets the best
move. One such search is Deeper of `programs/library/search.cpl`, compiled with the program of the game: a
principal-variation search with late move reductions, a history heuristic and a transposition table, which is called a
memory here.

In checkers, with Black to move, two lines of play were wanted of `B:W18,22,25:B9,11,15`:

    1 ply, 17 positions     15-19, worth 29              9-13, worth 3
    2 plies, 50 positions   9-13 18-14, worth -19        11-16 18x11, worth -114
    3 plies, 98 positions   9-13 18-14 11-16, worth 6    9-14 18x9 11-16, worth -106
"""

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from math import copysign, inf
from queue import Queue
from threading import Event, Thread
from typing import Any, Final

from cplrt.tables import halting

from cpl.games.game import WON, Path, Turn
from cpl.limits import MOST_PLIES

_NO_LIMIT: Final = 2**60
MOST_MEMORIES: Final = 1000
"""How many transposition tables there are, each with a number."""
_MEMORIES: Final = cycle(range(MOST_MEMORIES))


def new_memory() -> int:
    """Return the number of a transposition table that searches can share. After a thousand, the numbers come again."""
    return next(_MEMORIES)


@dataclass(frozen=True)
class Line:
    """A principal variation: a first move, and then the moves that both sides think best.

    `value` is that for the side to move, in hundredths of a man: infinite if it wins, or loses, for certain, in so many
    `plies`.
    """

    value: float
    moves: tuple[Path, ...]
    plies: int | None = None


@dataclass(frozen=True)
class Analysis:
    """The best lines of play of a state, the best first, as seen so many plies deep, in so many seconds, with so many
    positions looked at.
    """

    turn: Turn
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]

    @property
    def best(self) -> Path:
        """The first move of the best line."""
        return self.lines[0].moves[0]


@dataclass
class Limits:
    """The limits of a search: so many plies deep, after so many seconds or positions, or when it is `stopped`. It
    ends by itself where a win or a loss is certain. Searches with the same limits, or the same `memory`, share a
    transposition table. Where there are `moves`, a line of play begins with one of them.
    """

    depth: int = MOST_PLIES
    seconds: float | None = None
    nodes: int | None = None
    history: Sequence[Turn] = ()
    moves: Sequence[Path] = ()
    stopped: Event = field(default_factory=Event)
    memory: int = field(default_factory=new_memory)


def search(
    turn: Turn, limits: Limits, lines: int = 1, report: Callable[[Analysis], object] = lambda _: None
) -> Analysis:
    """Search within limits, and `report` what is found after each depth. The state must not be the end.

    A depth that was not finished counts if it has the best line and no others are wanted.

    Raises ValueError for a limit that is not above 0, and for less than one line.
    """
    if not all(limit is None or limit > 0 for limit in (limits.depth, limits.seconds, limits.nodes, lines)):
        raise ValueError("a search has limits of depth, seconds and nodes above 0, and 1 line or more")
    game = turn.game
    seen = _seen(turn, limits.history)
    game.searching()  # it is compiled before the time begins
    began = time.perf_counter()
    nodes = 0
    order = [*range(len(turn.legal))]
    if limits.moves:
        order = _numbers_of(turn, limits, seen)
    analysis: Analysis | None = None

    def is_over() -> bool:
        return limits.stopped.is_set() or time.perf_counter() - began >= (limits.seconds or inf)

    with halting(is_over):  # the program asks from 2 plies on, so that there is always a result
        for depth in range(1, limits.depth + 1):
            left = limits.nodes - nodes if limits.nodes else _NO_LIMIT
            looked_at, best = game.deeper(turn.state, depth, lines, left, order, limits.memory, seen)
            nodes += looked_at
            # The transposition table may have changed the value of a line after it was found.
            best = sorted(best, key=lambda line: -line[0])
            found = tuple(_line(turn, value, moves) for value, _, moves in best)
            seconds = time.perf_counter() - began

            ended_early = len(found) < min(lines, len(order))
            if analysis and ended_early:
                # The values of two depths do not compare, so all lines remain those of the last depth.
                analysis = replace(analysis, nodes=nodes, seconds=seconds)
                break
            analysis = Analysis(turn, depth, nodes, seconds, found)
            report(analysis)

            is_decided = all(line.plies is not None and line.plies <= depth for line in found)
            is_spent = limits.nodes and nodes >= limits.nodes
            if is_decided or is_spent or is_over():
                break
            first = [number for _, number, _ in best]
            order = first + [number for number in order if number not in first]
    assert analysis  # one ply deep, nothing ends a search early
    return analysis


def analyse(
    turn: Turn,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    history: Sequence[Turn] = (),
) -> Generator[Analysis, None, None]:
    """Yield the best `lines` of play, one analysis after each depth; the last is the result. The search ends at a
    limit, or when the caller closes the iterator. If the game is over there is no analysis.

    A state that comes again counts as a draw. The states before this one are found by `Turn.before`, as in a game in
    progress, and in `history`.
    """
    if turn.game.end(turn):
        return
    limits = Limits(MOST_PLIES if depth is None else depth, seconds, nodes, history)
    yield from reported(turn, limits, lines)


def reported(turn: Turn, limits: Limits, lines: int = 1) -> Generator[Analysis, None, None]:
    """Yield what `search` reports, which runs in a thread: so Ctrl-C ends it at once. The search also ends when the
    caller closes the iterator. Raises ValueError as `search` does.
    """
    results: Queue[Analysis | BaseException | None] = Queue()

    def run() -> None:
        try:
            search(turn, limits, lines, results.put)
            results.put(None)
        except BaseException as error:  # it is the caller's
            results.put(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while (result := results.get()) is not None:
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        limits.stopped.set()
        thread.join()


def _numbers_of(turn: Turn, limits: Limits, seen: list[int]) -> list[int]:
    """Return the numbers of the moves that limits allow. Only the program knows them, and what it finds has them: so it
    looks one ply deep at all moves.
    """
    all_moves = [*range(len(turn.legal))]
    _, found = turn.game.deeper(turn.state, 1, len(all_moves), _NO_LIMIT, all_moves, limits.memory, seen)
    return [number for _, number, (first, *_) in found if turn.path_of(first) in limits.moves]


def _line(turn: Turn, value: float, moves: Sequence[Any]) -> Line:
    """Return a line that a search has found, its value in hundredths of a man, its moves as paths."""
    paths = []
    for move in moves:
        path = turn.path_of(move)
        paths.append(path)
        turn = turn.game.play(turn, path)
    is_decided = abs(value) > WON / 2
    if is_decided:
        return Line(copysign(inf, value), tuple(paths), plies=int(WON - abs(value)))
    return Line(100 * value / turn.game.man, tuple(paths))


def _seen(turn: Turn, history: Sequence[Turn]) -> list[int]:
    """The marks of the states before this one that can come again: none does from before a capture or a man's move."""
    earlier = [state for state in history if state.progress == turn.progress]
    while turn.before and turn.before.progress == turn.progress:
        turn = turn.before
        earlier.append(turn)
    return [state.game.mark(state.state) for state in earlier]
