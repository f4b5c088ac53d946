"""What a text can mean, found by experiment: one program under each reading against another one, position by position.

Called by `cpl readings`. Loaded modules and positions come in; for each reading, how often the two agree, the smallest
position on which they do not, and the first function whose result differs there, come out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType
from typing import Any, Final, Literal

from cpl.kit.divergence import Pair, divergence
from cpl.kit.experiment import Tally, shrunk, tally
from cpl.kit.limits import Outcome, outcome
from cpl.kit.traces import trace
from cpl.kit.values import canonical, measure, same

Agreement = Literal["same", "different", "failed"]

MOST_UNFINISHED: Final = 3
"""Runs that are stopped before a reading is given up."""


@dataclass(frozen=True)
class Judgement:
    """Whether the two agree on one position: a fault on either side is `failed`."""

    position: Any
    agreement: Agreement
    here: Outcome


class Reference:
    """What a function of the other program gives for each position, worked out once for all readings."""

    def __init__(self, module: ModuleType, function: str, positions: Sequence[Any]) -> None:
        self.module, self.function, self.positions = module, function, positions
        self._there = cache(partial(_run, module, function))

    def tally(self, other: ModuleType) -> Tally[Agreement, Judgement]:
        """How often `other` agrees on the positions, and the smallest on which it does not."""
        cases = ((judged.agreement, judged) for judged in self.compared(other))
        return tally(cases, lambda judged: measure((judged.position,)), unremarkable=["same"])

    def compared(self, other: ModuleType) -> Iterator[Judgement]:
        """Judge each position, asking `other` as well; positions are left out if that turns out not to end."""
        unfinished = 0
        for position in self.positions:
            yield (judged := self.judged(other, position))
            unfinished += judged.here.is_unfinished
            if unfinished >= MOST_UNFINISHED:
                return

    def judged(self, other: ModuleType, position: Any) -> Judgement:
        """Judge one position."""
        here, there = _run(other, self.function, position), self._there(position)
        if here[0].fault is not None or there[0].fault is not None:
            return Judgement(position, "failed", here[0])
        return Judgement(position, "same" if here[1] == there[1] else "different", here[0])

    def smallest(self, other: ModuleType, witness: Judgement) -> Judgement:
        """A witness of the same kind, made smaller as long as one step makes it so."""
        return self.judged(other, shrunk(witness.position, lambda each: self.judged(other, each).agreement))

    def divergence(self, other: ModuleType, position: Any) -> tuple[Pair, ...]:
        """From the whole run down to the first inner call whose result differs; `other`'s is the first of each two."""
        here, there = (trace(module, self.function, [position]) for module in (other, self.module))
        return divergence(here, there, partial(same, ordered=False))


def _run(module: ModuleType, function: str, position: Any) -> tuple[Outcome, str]:
    """The outcome, and its text but for the order of lists: the text of 1966 leaves that of positions open."""
    found = outcome(getattr(module, function), [position])
    return found, canonical(found.result, ordered=False)
