"""A program and the official rules abreast from the start: the lines of play of each length, and where the two part.

`cpl rules --depth` prints what comes out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from cpl.kit.oracle import official
from cpl.kit.perft import Moves
from cpl.kit.positions import Position


@dataclass(frozen=True)
class Ply:
    """The lines of play of one length by either, and the positions before the last move where the two differ.

    The first ply that has such positions has in `line` the positions from the start to the first of them.
    """

    depth: int
    program: int
    official: int
    differing: tuple[Position, ...]
    line: tuple[Position, ...] = ()


def abreast(
    moves: Moves, start: Position, depth: int, along: Callable[[list[Position]], Iterable[Position]] = iter
) -> Iterator[Ply]:
    """Play both, ply by ply; each keeps to its own rules, also after they part.

    A position that many lines lead to is looked at once, with their number. `along` sees the positions of each ply go
    by: a progress bar.
    """
    ours, theirs = Counter({start: 1}), Counter({start: 1})
    came = {start: start}
    line: tuple[Position, ...] = ()
    for ply in range(1, depth + 1):
        after, right_after = Counter[Position](), Counter[Position]()
        differing = []
        for position in along([*(ours | theirs)]):
            program, right = moves(position), official(position)
            _add(after, program, ours[position])
            _add(right_after, right, theirs[position])
            if Counter(program) != Counter(right):
                differing.append(position)
            if not line:
                for each in program:
                    came.setdefault(each, position)
        parts = bool(differing) and not line
        if parts:
            line = _line(came, differing[0])
        ours, theirs = after, right_after
        yield Ply(ply, ours.total(), theirs.total(), tuple(differing), line if parts else ())


def _add(after: Counter[Position], listed: Iterable[Position], lines: int) -> None:
    for each in listed:
        after[each] += lines


def _line(came: dict[Position, Position], end: Position) -> tuple[Position, ...]:
    """From the start, which came from itself."""
    before = came[end]
    return (end,) if before == end else (*_line(came, before), end)
