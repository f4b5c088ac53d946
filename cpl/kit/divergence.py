"""A program and the official rules abreast from the start: the lines of play of each length, and where the two part.

`cpl rules --depth` prints what comes out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cpl.kit.oracle import official
from cpl.kit.perft import Moves
from cpl.kit.positions import Position
from cpl.kit.rules import Comparison, compare


@dataclass(frozen=True)
class Ply:
    """The lines of play of one length by either.

    `differing` are the positions before the last move where the two differ, with the number of the program's lines to
    each. The first ply that has any has in `line` the positions from the start to the first of them.
    """

    depth: int
    program: int
    official: int
    differing: Mapping[Position, int]
    line: tuple[Position, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """What the program plays at a position and what it should, and how many replies there are to either."""

    comparison: Comparison
    lines: int
    program_replies: int
    official_replies: int

    @property
    def gain(self) -> int:
        """How many lines of play more the program has for it, one ply later."""
        return self.lines * (self.program_replies - self.official_replies)


def exchanges(moves: Moves, ply: Ply) -> Iterator[Exchange]:
    """The differences that end the lines of a ply."""
    for position, lines in ply.differing.items():
        found = compare(moves, position)
        program = sum(len(moves(each)) for each in found.only_program)
        right = sum(len(official(each)) for each in found.only_official)
        yield Exchange(found, lines, program, right)


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
        differing = {}
        for position in along([*(ours | theirs)]):
            program, right = moves(position), official(position)
            _add(after, program, ours[position])
            _add(right_after, right, theirs[position])
            if Counter(program) != Counter(right):
                differing[position] = ours[position]
            if not line:
                for each in program:
                    came.setdefault(each, position)
        parts = bool(differing) and not line
        if parts:
            line = _line(came, next(iter(differing)))
        ours, theirs = after, right_after
        yield Ply(ply, ours.total(), theirs.total(), differing, line if parts else ())


def _add(after: Counter[Position], listed: Iterable[Position], lines: int) -> None:
    for each in listed:
        after[each] += lines


def _line(came: dict[Position, Position], end: Position) -> tuple[Position, ...]:
    """From the start, which came from itself."""
    before = came[end]
    return (end,) if before == end else (*_line(came, before), end)
