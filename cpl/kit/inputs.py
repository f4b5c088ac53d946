"""The inputs that two programs are compared on: for each function its natural arguments, and if these are too few,
arguments found by trial.

Natural arguments are those that functions get while the programs run by themselves, or from functions that run on
natural arguments.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from cpl.compiler import Meaning
from cpl.kit.generators import sorts_of
from cpl.kit.values import canonical, measure
from cpl.semantics import core
from cpl.types.types import FunctionOf

MOST_TRIALS: Final = 2_000
"""Arguments that are tried on one function."""

Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Input:
    """Arguments, whether they are natural, and whether the two programs were seen to differ on them."""

    arguments: Arguments
    natural: bool
    differs: bool


@dataclass
class Store:
    """Inputs of a function: those on which the programs differ, and of the others as many as there is room for."""

    room: int
    rng: Random
    inputs: dict[str, Input] = field(default_factory=dict)

    @property
    def natural(self) -> list[Arguments]:
        """The natural arguments."""
        return [each.arguments for each in self.inputs.values() if each.natural]

    def add(self, arguments: Arguments, *, natural: bool, differs: bool = False) -> None:
        """Keep arguments, and what is new of those that are known."""
        key = canonical(arguments)
        known = self.inputs.get(key)
        if known:
            natural = natural or known.natural
            differs = differs or known.differs
        if known or differs or len(self.inputs) < self.room:
            self.inputs[key] = Input(arguments, natural, differs)

    def chosen(self, count: int) -> list[Input]:
        """So many inputs, the natural ones first: half of them those on which the programs differ, and the smallest."""
        found: list[Input] = []
        for natural in (True, False):
            inputs = [each for each in self.inputs.values() if each.natural == natural]
            inputs.sort(key=lambda each: (not each.differs, measure(each.arguments)))
            wanted = count - len(found)
            if len(inputs) > wanted:
                half = wanted // 2
                inputs = [*inputs[:half], *self.rng.sample(inputs[half:], wanted - half)]
            found += inputs
        return found


def try_arguments(
    accepts: Callable[[Arguments], bool],
    parameters: Sequence[Sequence[str]],
    pool: dict[str, list[Any]],
    rng: Random,
    count: int,
) -> None:
    """Try arguments at random until some multiple of `count` is accepted; `parameters` are the sorts that each may be
    of. Every second time, they are of sorts that were accepted before.
    """
    choices = [[sort for sort in sorts if sort in pool] for sorts in parameters]
    accepted: list[tuple[str, ...]] = []
    for turn in range(MOST_TRIALS):
        sorts = tuple(map(rng.choice, choices))
        if accepted and turn % 2:
            sorts = rng.choice(accepted)
        if accepts(tuple([rng.choice(pool[sort]) for sort in sorts])):
            accepted.append(sorts)
        if len(accepted) > 3 * count:
            return


def parameter_sorts(meaning: Meaning) -> dict[str, list[tuple[str, ...]]]:
    """The sorts of value that each parameter of a program's functions may take, by the functions' CPL names."""
    found = {}
    for one in meaning.core.definitions:
        if isinstance(one, core.Function) and one.name.origin == "":
            match meaning.facts.type_of(one.name, one):
                case FunctionOf((*types, _)):
                    found[one.name.name] = [*map(sorts_of, types)]
    return found
