"""What a text can mean, found by experiment: one program under each reading against another one, position by position.

Called by `cpl readings`. What comes in are loaded modules and positions; what comes out says for each reading how
often the two agree, the smallest position on which they do not, and the first function whose result differs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final, Literal

from cpl.kit.limits import UNFINISHED, Fault, Outcome, Value, outcome
from cpl.kit.positions import Position, shrinking
from cpl.kit.traces import Call, parting, trace
from cpl.kit.values import canonical, measure, same

Agreement = Literal["same", "different", "failed"]

MOST_UNFINISHED: Final = 3
"""Runs that are broken off before a reading is given up."""


@dataclass(frozen=True)
class Judgement:
    """What became of one position: a fault on either side is `failed`."""

    position: Any
    agreement: Agreement
    here: Outcome


@dataclass
class Tally:
    """How often there was agreement, and the smallest positions without: one where the two give different results, one
    where there is a fault. `unfinished` counts the runs of the program that were broken off.
    """

    same: int = 0
    different: int = 0
    failed: int = 0
    unfinished: int = 0
    witnesses: dict[Agreement, Judgement] = field(default_factory=dict)
    _sizes: dict[Agreement, Any] = field(default_factory=dict, repr=False)

    @property
    def hopeless(self) -> bool:
        """Whether the program should not be asked about more: it does not end."""
        return self.unfinished >= MOST_UNFINISHED

    @property
    def agrees(self) -> bool:
        """Whether the two agree on every position."""
        return not self.different and not self.failed

    def add(self, judged: Judgement) -> None:
        """Count one more position."""
        match judged.agreement:
            case "same":
                self.same += 1
                return
            case "different":
                self.different += 1
            case "failed":
                self.failed += 1
        self.unfinished += isinstance(judged.here, Fault) and judged.here.words.startswith(UNFINISHED)
        size = measure((judged.position,))
        if judged.agreement not in self.witnesses or size < self._sizes[judged.agreement]:
            self.witnesses[judged.agreement], self._sizes[judged.agreement] = judged, size


class Reference:
    """What the other program gives for each position, worked out once for all readings."""

    def __init__(self, module: ModuleType, function: str, positions: Sequence[Any]) -> None:
        self.module = module
        self.function = function
        self.positions = positions
        self._known: dict[int, tuple[Outcome, str]] = {}

    def compared(self, other: ModuleType) -> Iterator[Judgement]:
        """What becomes of each position if `other` is asked as well."""
        for index, position in enumerate(self.positions):
            if index not in self._known:
                self._known[index] = _outcome(self.module, self.function, position)
            yield _judged(position, _outcome(other, self.function, position), self._known[index])

    def judged(self, other: ModuleType, position: Any) -> Judgement:
        """The same for one more position."""
        there = _outcome(self.module, self.function, position)
        return _judged(position, _outcome(other, self.function, position), there)

    def smallest(self, other: ModuleType, witness: Judgement) -> Judgement:
        """A witness made smaller as long as one step makes it so and leaves it one of its kind."""

        def holds(position: Position) -> bool:
            return self.judged(other, position).agreement == witness.agreement

        *_, last = witness.position, *shrinking(witness.position, holds)
        return self.judged(other, last)

    def parted(self, other: ModuleType, position: Any) -> list[tuple[Call, Call]]:
        """From the whole run down to the first inner call whose result differs; `other`'s is the first of each two."""
        here, there = (trace(module, self.function, [position]) for module in (other, self.module))
        return parting(here, there, same_in_any_order)


def same_in_any_order(one: Any, other: Any) -> bool:
    """Whether two values are the same but for the order of lists: the text of 1966 leaves that of positions open."""
    return same(one, other, ordered=False)


def _outcome(module: ModuleType, function: str, position: Any) -> tuple[Outcome, str]:
    found = outcome(getattr(module, function), [position])
    return found, canonical(found.result, ordered=False) if isinstance(found, Value) else ""


def _judged(position: Any, here: tuple[Outcome, str], there: tuple[Outcome, str]) -> Judgement:
    agreement: Agreement = "same" if here[1] == there[1] else "different"
    if isinstance(here[0], Fault) or isinstance(there[0], Fault):
        agreement = "failed"
    return Judgement(position, agreement, here[0])
