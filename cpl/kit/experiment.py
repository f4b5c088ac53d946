"""What all experiments share: cases are counted by what became of them, and for each kind the smallest witness is kept.

Three reports are made so: how functions of two programs differ (`behaviour`), under which reading a program does what
another one does (`reading_experiment`), and how a program's rules differ from the official ones (`rules`).
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from cpl.draughts.position import Position
from cpl.kit.positions import shrinking

Kind = TypeVar("Kind")
Case = TypeVar("Case")


class Tally(Generic[Kind, Case]):
    """How many cases there were of each kind, and the smallest of each; the first, if several are equally small."""

    def __init__(self, size: Callable[[Case], Any]) -> None:
        self.counts: Counter[Kind] = Counter()
        self.smallest: dict[Kind, Case] = {}
        self._size = size
        self._sizes: dict[Kind, Any] = {}

    def add(self, kind: Kind, case: Case, *, keep: bool = True) -> None:
        """Count one more case. If not `keep`, it need not be measured, as nobody will ask for a witness."""
        self.counts[kind] += 1
        size = self._size(case) if keep else None
        if keep and (kind not in self.smallest or size < self._sizes[kind]):
            self.smallest[kind], self._sizes[kind] = case, size


def shrunk(
    position: Position, kind: Callable[[Position], Any], is_enough: Callable[[], bool] = lambda: False
) -> Position:
    """A position of the same kind with as few pieces as steps that keep the kind can reach, or until it `is_enough`."""
    wanted = kind(position)
    for smaller in shrinking(position, lambda each: bool(kind(each) == wanted)):
        position = smaller
        if is_enough():
            break
    return position
