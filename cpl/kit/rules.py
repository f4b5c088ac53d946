"""How far a program's rules are from those of English draughts: its next positions beside the official ones.

Every difference is of a known kind, or unexplained. `cpl rules` reports what is found here: at single positions, and
along all lines of play from a start.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from cpl.games.position import Moves, Position
from cpl.kit.official_rules import jumping_on, official
from cpl.kit.tally import tally

DifferenceKind = Literal["same", "jumps-on", "unexplained"]
"""How the program and the official rules compare at a position."""

MEANING: Final[dict[DifferenceKind, str]] = {
    "same": "the program and the official rules agree",
    "jumps-on": "a man who is crowned by a capture jumps on as a king in the same move; officially the move ends",
    "unexplained": "they differ, and no known difference explains it",
}


@dataclass(frozen=True)
class PositionComparison:
    """What the program and the official rules say at a position: the next positions, one for each way to play."""

    position: Position
    kind: DifferenceKind
    program: tuple[Position, ...]
    official: tuple[Position, ...]

    @property
    def repeats(self) -> bool:
        """Whether both list some position twice, as two ways to capture lead to it."""
        return all(len(set(listed)) < len(listed) for listed in (self.program, self.official))

    @property
    def only_program(self) -> tuple[Position, ...]:
        """What the program lists and the official rules do not."""
        return tuple((Counter(self.program) - Counter(self.official)).elements())

    @property
    def only_official(self) -> tuple[Position, ...]:
        """What the official rules allow and the program does not list."""
        return tuple((Counter(self.official) - Counter(self.program)).elements())


def compare(moves: Moves, position: Position) -> PositionComparison:
    """Both answers, and which kind of difference makes one into the other.

    Order does not count, but a position that one of them lists twice and the other once is a difference.
    """
    program, right = tuple(moves(position)), tuple(official(position))
    kind: DifferenceKind = "same"
    if Counter(program) != Counter(right):
        kind = "jumps-on" if Counter(program) == Counter(jumping_on(position)) else "unexplained"
    return PositionComparison(position, kind, program, right)


class Survey:
    """Comparisons counted by kind, with the one of each that has the fewest pieces; and by whether both sides list a
    position twice, which those of any kind may do.
    """

    def __init__(self, comparisons: Iterable[PositionComparison]) -> None:
        found = list(comparisons)
        self.kinds = tally(((each.kind, each) for each in found), _pieces)
        self.repeats = tally(((each.repeats, each) for each in found), _pieces)


def _pieces(found: PositionComparison) -> int:
    """How many there are on the board."""
    return sum(len([*side]) for side in found.position[:2])


@dataclass(frozen=True)
class Ply:
    """The lines of play of one length, by the program's rules and by the official ones.

    `differing` are the positions before the last move where the two differ, with the number of the program's lines to
    each. In the first ply that has any, `line` leads from the start to the first of them.
    """

    depth: int
    program: int
    official: int
    differing: Mapping[Position, int]
    line: tuple[Position, ...] = ()


def compare_plies(
    moves: Moves, start: Position, depth: int, along: Callable[[list[Position]], Iterable[Position]] = iter
) -> Iterator[Ply]:
    """Play by both rules, ply by ply; each side keeps to its own, also after they part.

    A position that many lines lead to is looked at once, with their number. `along` sees the positions of each ply go
    by: a progress bar.
    """
    ours, theirs = Counter({start: 1}), Counter({start: 1})
    lines: dict[Position, tuple[Position, ...]] = {start: (start,)}  # to each position, before the two part
    has_parted = False
    for ply in range(1, depth + 1):
        after, right_after = Counter[Position](), Counter[Position]()
        differing = {}
        for position in along([*(ours | theirs)]):
            program, right = moves(position), official(position)
            for listed, before, found in ((program, ours, after), (right, theirs, right_after)):
                for each in listed:
                    found[each] += before[position]
            if Counter(program) != Counter(right):
                differing[position] = ours[position]
            for each in program if not has_parted else ():
                lines.setdefault(each, (*lines[position], each))
        line = lines[next(iter(differing))] if differing and not has_parted else ()
        has_parted = has_parted or bool(differing)
        ours, theirs = after, right_after
        yield Ply(ply, ours.total(), theirs.total(), differing, line)


@dataclass(frozen=True)
class Exchange:
    """What the program plays at a position and what it should, and how many replies there are to either."""

    comparison: PositionComparison
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
        yield Exchange(found, lines, program, sum(len(official(each)) for each in found.only_official))
