"""What a text can mean, found by experiment: one program under each reading against another one, position by position.

Called by `cpl readings`. Loaded modules and positions come in; for each reading, how often the two agree, the smallest
position on which they do not, and the first function whose result differs there, come out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from types import ModuleType
from typing import Any, Final, Literal

from cpl.kit.first_difference import Pair, divergence
from cpl.kit.limits import Outcome, outcome
from cpl.kit.session import Replayed
from cpl.kit.tally import Tally, shrunk, tally
from cpl.kit.text_changes import ChangedPiece
from cpl.kit.traces import trace
from cpl.kit.values import canonical, measure, same
from cpl.readings import Reading

Agreement = Literal["same", "different", "failed"]
"""Whether the two agree on a position: a fault on either side is `failed`."""

MOST_UNFINISHED: Final = 3
"""Runs that are stopped before a reading is given up."""


class Reference:
    """What a function of the other program gives for each position, worked out once for all readings."""

    def __init__(self, module: ModuleType, function: str, positions: Sequence[Any]) -> None:
        self.module, self.function, self.positions = module, function, positions
        self._there = cache(partial(_run, module, function))

    def tally(self, other: ModuleType) -> Tally[Agreement, Any]:
        """How often `other` agrees on the positions, and the smallest on which it does not."""
        return tally(self.compared(other), lambda position: measure((position,)), unremarkable=["same"])

    def compared(self, other: ModuleType) -> Iterator[tuple[Agreement, Any]]:
        """Whether the two agree on each position; positions are left out if `other` turns out not to end."""
        unfinished = 0
        for position in self.positions:
            here = _run(other, self.function, position)
            yield self._agreement(here, position), position
            unfinished += here[0].is_unfinished
            if unfinished >= MOST_UNFINISHED:
                return

    def shrunk(self, other: ModuleType, position: Any) -> Any:
        """A position of the same kind, made smaller as long as one step makes it so."""
        return shrunk(position, lambda each: self._agreement(_run(other, self.function, each), each))

    def divergence(self, other: ModuleType, position: Any) -> tuple[Pair, ...]:
        """From the whole run down to the first inner call whose result differs; `other`'s is the first of each two."""
        here, there = (trace(module, self.function, [position]) for module in (other, self.module))
        return divergence(here, there, partial(same, ordered=False))

    def _agreement(self, here: tuple[Outcome, str], position: Any) -> Agreement:
        there = self._there(position)
        if here[0].fault is not None or there[0].fault is not None:
            return "failed"
        return "same" if here[1] == there[1] else "different"


@dataclass
class Finding:
    """All that is known of one reading. `witnesses` are positions without agreement by its kind, and the calls from the
    whole run on it down to the first one whose result differs; `needs` are the fewest corrections that are enough, if
    that was asked; `broken` says why the program cannot be executed, or not further.
    """

    reading: Reading
    tally: Tally[Agreement, Any] = field(default_factory=Tally)
    witnesses: dict[Agreement, tuple[Any, tuple[Pair, ...]]] = field(default_factory=dict)
    examples: list[Replayed] = field(default_factory=list)
    needs: list[tuple[ChangedPiece, ...]] | None = None
    broken: str = ""
    is_loaded: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the two programs agree on every position."""
        return not self.tally.counts["different"] and not self.tally.counts["failed"]

    def test(self, module: ModuleType, reference: Reference) -> None:
        """Compare the program under this reading with the other one; find witnesses, unless it does not end."""
        self.is_loaded, self.tally = True, reference.tally(module)
        judged = self.tally.counts.total()
        if judged < len(reference.positions):
            self.broken = f"given up after {judged} positions: the program does not end"
            return
        for agreement, found in self.tally.smallest.items():
            position = reference.shrunk(module, found)
            self.witnesses[agreement] = position, reference.divergence(module, position)


def _run(module: ModuleType, function: str, position: Any) -> tuple[Outcome, str]:
    """The outcome, and its text but for the order of lists: the text of 1966 leaves that of positions open."""
    found = outcome(getattr(module, function), [position])
    return found, canonical(found.result, ordered=False)
