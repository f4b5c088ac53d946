"""Perft: count the lines of play of each length, the standard test of a move generator, by one worker or by many.

Play is divided by how it begins. A job counts what follows one beginning, in a program that is sent with the job as
code, or in a packaged game. So checkers is counted by two workers:

    plies            1   2    3     4     5      6
    jobs             1   1    1     1     7     49
    lines of play    7  49  302  1469  7361  36768
"""

import marshal
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from cpl.compiler import pipeline
from cpl.compiler.pipeline import Executable
from cpl.compiler.semantics.whole_program import CALL
from cpl.compiler.source import Source
from cpl.executors import Workers
from cpl.games.game import Speed, Turn, use
from cpl.games.playable import game_of
from cpl.games.position import Moves

Beginning = tuple[int, ...]
"""The number of each move, from 0, among those that are possible: not all positions can be sent to a worker."""
Counter = Callable[[Beginning, int], int]
"""Counts the lines of play of so many plies, one or more, after a beginning."""

BEGINNINGS: Final = 30
"""Jobs for each worker, at least, so that none waits long for others. Shallow counts have fewer."""
PLIES: Final = 4
"""Plies that a job counts, at least, before play is divided further: sending a job takes time, too."""
_COUNTER: Final = "PerftAfterLine"


def perft(
    count: Callable[[tuple[Beginning, int]], int], depth: int, workers: Workers
) -> Iterator[tuple[int, Iterator[int]]]:
    """Yield for 1, 2 … `depth` plies the number of jobs and what they count: the sum is the number of lines of play.

    The job is `count`, which takes a beginning and how many plies to go on.
    """
    beginnings: list[Beginning] = [()]
    played = 0
    for ply in range(1, depth + 1):
        plies = ply - played
        yield len(beginnings), workers.map(count, [(beginning, plies) for beginning in beginnings])
        are_few = len(beginnings) < BEGINNINGS * workers.size
        if workers.size > 1 and are_few and plies >= PLIES:
            beginnings = [*_one_move_longer(beginnings, count)]
            played += 1


def _one_move_longer(beginnings: list[Beginning], count: Callable[[tuple[Beginning, int]], int]) -> Iterator[Beginning]:
    for beginning in beginnings:
        for move in range(count((beginning, 1))):
            yield (*beginning, move)


def leaves(moves: Moves, position: Any, depth: int) -> int:
    """Count the lines of play of exactly `depth` plies, one or more, from a position."""
    after = moves(position)
    if depth == 1:
        return len(after)
    count = 0
    for position in after:  # faster than a sum of a generator
        count += leaves(moves, position, depth - 1)
    return count


def counter_of(moves: Moves, start: Any) -> Counter:
    """Return the counter of a game from the position where it starts."""

    def count(beginning: Beginning, plies: int) -> int:
        position = start
        for move in beginning:
            position = moves(position)[move]
        return leaves(moves, position, plies)

    return count


def count_in_game(name: str, speed: Speed, part: tuple[Beginning, int]) -> int:
    """Count a part of the lines of a packaged game."""
    return _counter_of_game(name, speed)(*part)


@cache
def _counter_of_game(name: str, speed: Speed) -> Counter:
    """Return the counter of a packaged game, made once in each process."""
    use(speed)
    game = game_of(name)

    def moves(turn: Turn) -> list[Turn]:
        return [] if game.end(turn) else [game.play(turn, move) for move in turn.legal]

    return counter_of(moves, game.start())


# Games in programs


def counting_text(moves: str, start: str) -> Source:
    """Return a counter in CPL, to be compiled into C with a program: play starts at the value of an expression, and
    goes on by a function of the program.
    """
    return Source(
        "<perft>",
        f"""\
{_COUNTER}(L,n) = PerftAfter(PerftStart,L,n)
PerftStart = {start}
PerftAfter(P,L,n) = Null(L) → PerftLeaves(P,n), PerftChosen({moves}(P),Head(L),Tail(L),n)
PerftChosen(M,i,L,n) = Null(M) → 0, PerftIfFirst(Head(M),i,L,n) + PerftChosen(Tail(M),i - 1,L,n)
PerftIfFirst(P,i,L,n) = i = 0 → PerftAfter(P,L,n), 0
PerftLeaves(P,n) = value of
    § let M = {moves}(P)
      let c = 0
      for Q = M do c := c + (n = 1 → 1, PerftLeaves(Q,n - 1))
      result is c §
""",
    )


def packed(program: Executable) -> bytes:
    """Pack a program that was compiled with two calls, the start and the moves of its game, for `count_in_program`."""
    left_out = ("meaning", "lowered", "misleading")  # they are for people; the first two are closures
    data = {name: value for name, value in vars(program).items() if name not in left_out}
    return zlib.compress(marshal.dumps(data))


def count_in_program(program: bytes, part: tuple[Beginning, int]) -> int:
    """Count a part of the lines of the game in a packed program. Raises as `counter_in` does."""
    return counter_in(program)(*part)


@cache
def counter_in(program: bytes) -> Counter:
    """Return the counter in a packed program, made once in each process. Raises CplFault, CannotBuild, and TypeError if
    the moves are no function.
    """
    data = marshal.loads(zlib.decompress(program))
    module = Executable(**data, meaning=_nothing, lowered=_nothing).module()
    start = pipeline.inner(module, f"{CALL}1")()
    moves = pipeline.inner(module, f"{CALL}2")()
    if not callable(moves):
        raise TypeError("the moves are not a function")
    in_python = counter_of(moves, start)
    in_c = pipeline.inner(module, _COUNTER)
    if in_c is None:
        return in_python

    def count(beginning: Beginning, plies: int) -> int:
        if plies == 1:  # Python says more clearly that the function gives no list of moves
            return in_python(beginning, 1)
        return int(in_c([*beginning], plies))

    return count


def _nothing() -> Any:
    """Return nothing, instead of the meaning of a program whose text was not packed."""
