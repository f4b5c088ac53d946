"""How far a program's rules are from those of English draughts: its next positions beside the official ones.

Every difference is of a known kind, or unexplained. `cpl rules` reports what is found here.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cpl.draughts.position import Position
from cpl.kit.oracle import jumping_on, official
from cpl.kit.perft import Moves


class Kind(StrEnum):
    """How the two stand to each other at a position."""

    SAME = "same"
    JUMPS_ON = "jumps-on"
    UNEXPLAINED = "unexplained"


MEANING: Final = {
    Kind.SAME: "the program and the official rules agree",
    Kind.JUMPS_ON: "a man who is crowned by a capture jumps on as a king in the same move; officially the move ends",
    Kind.UNEXPLAINED: "they differ, and no known difference explains it",
}


@dataclass(frozen=True)
class Comparison:
    """What the program and the official rules say at a position: the next positions, one for each way to play."""

    position: Position
    kind: Kind
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

    @property
    def pieces(self) -> int:
        """How many there are on the board."""
        own, other, _, _ = self.position
        return len([*own, *other])


def compare(moves: Moves, position: Position) -> Comparison:
    """Both answers, and which kind of difference makes one into the other.

    Order does not count, but a position that one of them lists twice and the other once is a difference.
    """
    program, right = tuple(moves(position)), tuple(official(position))
    listed = Counter(program)
    if listed == Counter(right):
        kind = Kind.SAME
    elif listed == Counter(jumping_on(position)):
        kind = Kind.JUMPS_ON
    else:
        kind = Kind.UNEXPLAINED
    return Comparison(position, kind, program, right)


@dataclass(frozen=True)
class Survey:
    """Comparisons counted, with the one of each kind that has the fewest pieces; `repeats` may be of any kind."""

    counts: Counter[Kind]
    witnesses: dict[Kind, Comparison]
    repeats: int
    repeated: Comparison | None


def survey(comparisons: Iterable[Comparison]) -> Survey:
    """Count them."""
    counts: Counter[Kind] = Counter()
    witnesses: dict[Kind, Comparison] = {}
    repeats, repeated = 0, None
    for each in comparisons:
        counts[each.kind] += 1
        witnesses[each.kind] = _smaller(witnesses.get(each.kind), each)
        if each.repeats:
            repeats += 1
            repeated = _smaller(repeated, each)
    return Survey(counts, witnesses, repeats, repeated)


def _smaller(one: Comparison | None, other: Comparison) -> Comparison:
    return one if one and one.pieces <= other.pieces else other
