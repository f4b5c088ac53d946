"""What all experiments share: cases are counted by their kind, and for each kind the smallest is kept as a witness.

Three reports are made so: how functions of two programs differ (`behaviour`), under which reading a program does what
another one does (`reading_experiment`), and how a program's rules differ from the official ones (`rules`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cpl.games.position import Position
from cpl.kit.positions import smaller

Kind = TypeVar("Kind")
Case = TypeVar("Case")


@dataclass
class Tally(Generic[Kind, Case]):
    """How many cases there were of each kind, and the smallest of each; the first, if several are equally small."""

    counts: Counter[Kind] = field(default_factory=Counter)
    smallest: dict[Kind, Case] = field(default_factory=dict)


def tally(
    cases: Iterable[tuple[Kind, Case]], size: Callable[[Case], Any], unremarkable: Collection[Kind] = ()
) -> Tally[Kind, Case]:
    """Count the cases by their kinds; of `unremarkable` kinds no witness is kept, and nothing measured."""
    by_kind: dict[Kind, list[Case]] = {}
    for kind, case in cases:
        by_kind.setdefault(kind, []).append(case)
    counts = Counter({kind: len(found) for kind, found in by_kind.items()})
    smallest = {kind: min(found, key=size) for kind, found in by_kind.items() if kind not in unremarkable}
    return Tally(counts, smallest)


def shrunk(
    position: Position, kind: Callable[[Position], Any], is_enough: Callable[[], bool] = lambda: False
) -> Position:
    """A position of the same kind with as few pieces as steps that keep the kind can reach, or until it `is_enough`."""
    wanted, found = kind(position), position
    while not is_enough():
        next_found = next((each for each in smaller(found) if kind(each) == wanted), None)
        if next_found is None:
            break
        found = next_found
    return found
