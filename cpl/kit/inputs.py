"""What two programs are run on: for each function its natural arguments, and where these are too few, arguments found
by trial.

Natural arguments are those that functions get while the programs run by themselves, or from functions that run on
natural arguments. The same for the same seed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from random import Random
from typing import Any, Final

from cpl.compiler import Meaning
from cpl.kit.generators import sorts_of
from cpl.kit.values import canonical, measure
from cpl.semantics import core
from cpl.types.types import FunctionOf

MOST_COMBINATIONS: Final = 1_000
"""Ways to give sorts to the parameters of one function that are tried."""

Arguments = tuple[Any, ...]


@dataclass
class Store:
    """The arguments that a function may be run on, or a sample of very many. All that are `differing` are kept: on them
    the two programs were seen to differ, in the way that is noted.
    """

    most: int
    rng: Random
    natural: dict[str, Arguments] = field(default_factory=dict)
    tried: dict[str, Arguments] = field(default_factory=dict)
    differing: dict[str, str] = field(default_factory=dict)
    _seen: int = 0

    def add(self, arguments: Arguments, *, natural: bool, difference: str = "") -> None:
        """Keep arguments, unless they are known."""
        key = canonical(arguments)
        if difference:
            self.differing[key] = difference
            alike = [each for each, kind in self.differing.items() if kind == difference]
            if len(alike) > self.most // 8:
                del self.differing[alike[0]]  # the latest are the smallest: witnesses are made smaller
        kept = self.natural if natural else self.tried
        if key in self.natural or key in kept:
            return
        self._seen += 1
        if len(kept) >= self.most:
            place = self.rng.randrange(self._seen)
            if place >= self.most and key not in self.differing:
                return
            dropped = [*kept][place % self.most]
            if dropped not in self.differing:
                del kept[dropped]
        self.tried.pop(key, None)
        kept[key] = arguments

    def chosen(self, count: int) -> list[tuple[Arguments, bool]]:
        """So many arguments, the natural ones first, and whether they are natural: half of them those on which the
        programs differ, and the smallest.
        """
        found: list[tuple[Arguments, bool]] = []
        for kept, natural in ((self.natural, True), (self.tried, False)):
            keys = [key for key, _ in sorted(kept.items(), key=lambda each: measure(each[1]))]
            wanted = count - len(found)
            if len(keys) > wanted:
                kinds = dict.fromkeys(self.differing.values())
                differing = ([key for key in keys if self.differing.get(key) == kind] for kind in kinds)
                first = [key for some in differing for key in some[: wanted // 4]]
                first += [key for key in keys if key not in first][: max(0, wanted // 2 - len(first))]
                rest = [key for key in keys if key not in first]
                keys = [*first, *self.rng.sample(rest, wanted - len(first))]
            found += [(kept[key], natural) for key in keys]
        return found


def found_by_trial(
    accepts: Callable[[Arguments], bool],
    parameters: Sequence[Sequence[str]],
    pool: dict[str, list[Any]],
    rng: Random,
    count: int,
) -> Iterator[Arguments]:
    """Arguments that something `accepts`; `parameters` are the sorts that each may be of.

    First every combination of sorts is tried on a few values, then those that were accepted on more. It ends when
    `count` are found, or few more can be.
    """
    choices = [[sort for sort in sorts if sort in pool] for sorts in parameters]
    if prod(map(len, choices)) <= MOST_COMBINATIONS:
        combinations = [*product(*choices)]
    else:
        sampled = (tuple([rng.choice(sorts) for sorts in choices]) for _ in range(2 * MOST_COMBINATIONS))
        combinations = [*islice(dict.fromkeys(sampled), MOST_COMBINATIONS)]

    def drawn(combination: Sequence[str]) -> Arguments:
        return tuple([rng.choice(pool[sort]) for sort in combination])

    accepted: dict[tuple[str, ...], None] = {}
    for combination in combinations:
        for arguments in (tuple([pool[sort][0] for sort in combination]), drawn(combination)):
            if accepts(arguments):
                accepted[combination] = None
                yield arguments
    for _ in range(8 * count // max(1, len(accepted))):
        yield from filter(accepts, map(drawn, accepted))


def parameters(meaning: Meaning) -> dict[str, list[tuple[str, ...]]]:
    """The sorts of value that each parameter of a program's functions may take, by the functions' CPL names."""
    found = {}
    for one in meaning.core.definitions:
        if isinstance(one, core.Function) and one.name.origin == "":
            match meaning.facts.type_of(one.name, one):
                case FunctionOf((*types, _)):
                    found[one.name.name] = [*map(sorts_of, types)]
    return found
