"""What two programs are run on: for each function the arguments that are known to be natural, and where there are too
few those that are found by trial.

Natural are the arguments that functions get while the programs run by themselves, or from functions that run on natural
arguments. The same for the same seed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from random import Random
from typing import Any, Final

from cpl.compiler import Meaning
from cpl.kit.generators import SORTS
from cpl.kit.loaded_program import texts
from cpl.kit.traces import Call
from cpl.kit.values import canonical, measure
from cpl.semantics import core, within
from cpl.syntax import nodes
from cpl.syntax import within as surface

MOST_COMBINATIONS: Final = 1_000
"""Ways to give sorts to the parameters of one function that are tried."""

Arguments = tuple[Any, ...]


@dataclass
class Store:
    """The arguments that a function may be run on; of very many a sample, but all that are `telling`: on which the two
    programs were seen to differ, in what way is said of each.
    """

    most: int
    rng: Random
    natural: dict[str, Arguments] = field(default_factory=dict)
    tried: dict[str, Arguments] = field(default_factory=dict)
    telling: dict[str, str] = field(default_factory=dict)
    _seen: int = 0

    def add(self, arguments: Arguments, *, natural: bool, telling: str = "") -> None:
        """Keep arguments, unless they are known."""
        key = canonical(arguments)
        if telling:
            self.telling[key] = telling
            alike = [each for each, kind in self.telling.items() if kind == telling]
            if len(alike) > self.most // 8:
                del self.telling[alike[0]]  # the latest are the smallest: witnesses are made smaller
        if key in self.natural:
            return
        kept = self.natural if natural else self.tried
        if key in kept:
            return
        self._seen += 1
        if len(kept) >= self.most:
            place = self.rng.randrange(self._seen)
            if place >= self.most and key not in self.telling:
                return
            dropped = [*kept][place % self.most]
            if dropped not in self.telling:
                del kept[dropped]
        if natural:
            self.tried.pop(key, None)
        kept[key] = arguments

    def chosen(self, count: int) -> list[tuple[Arguments, bool]]:
        """So many arguments, the natural ones first, and whether they are: half of them those that are telling, and the
        smallest.
        """
        found: list[tuple[Arguments, bool]] = []
        for kept, natural in ((self.natural, True), (self.tried, False)):
            ranked = sorted(kept.items(), key=lambda each: measure(each[1]))
            wanted = count - len(found)
            if len(ranked) > wanted:
                kinds = dict.fromkeys(self.telling.values())
                first = [
                    each
                    for kind in kinds
                    for each in [each for each in ranked if self.telling.get(each[0]) == kind][: wanted // 4]
                ]
                first += [each for each in ranked if each not in first][: max(0, wanted // 2 - len(first))]
                rest = [each for each in ranked if each not in first]
                ranked = [*first, *self.rng.sample(rest, wanted - len(first))]
            found += [(arguments, natural) for _, arguments in ranked]
        return found


def inner_calls(call: Call) -> Iterator[Call]:
    """All calls that were recorded within one."""
    waiting = [*call.inner]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting += inner.inner


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
    ways = [[sort for sort in sorts if sort in pool] for sorts in parameters]
    if prod(map(len, ways)) <= MOST_COMBINATIONS:
        combinations = [*product(*ways)]
    else:
        sampled = (tuple([rng.choice(sorts) for sorts in ways]) for _ in range(2 * MOST_COMBINATIONS))
        combinations = [*islice(dict.fromkeys(sampled), MOST_COMBINATIONS)]
    accepted: dict[tuple[str, ...], None] = {}
    for combination in combinations:
        for arguments in (
            tuple([pool[sort][0] for sort in combination]),
            tuple([rng.choice(pool[sort]) for sort in combination]),
        ):
            if accepts(arguments):
                accepted[combination] = None
                yield arguments
    for _ in range(8 * count // max(1, len(accepted))):
        for combination in accepted:
            arguments = tuple([rng.choice(pool[sort]) for sort in combination])
            if accepts(arguments):
                yield arguments


ANY: Final = ("number", "seed", "list", "string", "logical", "tuple", "boolean", "function", "array", "node", "place")


def parameters(meaning: Meaning) -> dict[str, list[tuple[str, ...]]]:
    """The sorts of value that each parameter of a program's functions may take, as far as types are written or can be
    inferred, by the functions' CPL names.
    """
    facts = meaning.facts
    written = _written(meaning)
    found: dict[str, list[tuple[str, ...]]] = {}
    for one in meaning.core.definitions:
        if isinstance(one, core.Function) and one.name.origin == "":
            kinds = {
                node: facts.kind(node)
                for node in within.walk(one.body)
                if isinstance(node, core.Local) and facts.kind(node)
            }
            declared = written.get(one.name.name, [])
            found[one.name.name] = [
                _sorts(declared[place] if place < len(declared) else None, kinds.get(local))
                for place, local in enumerate(one.parameters)
            ]
    return found


def _sorts(declared: nodes.Parameter | None, inferred: str | None) -> tuple[str, ...]:
    words = declared.kind.split() if declared else []
    if declared and declared.mode == "ref":
        return ("place",)
    if declared and declared.mode == "substitution":
        return ("function",)
    if words and words[-1] in SORTS:
        return (SORTS[words[-1]], "tuple") if SORTS[words[-1]] == "list" else (SORTS[words[-1]],)
    if words and words[-1] != "general":
        return ("node", "list")
    return (inferred,) if inferred else ANY


def _written(meaning: Meaning) -> dict[str, list[nodes.Parameter]]:
    """The parameters of functions and routines as their headings have them."""
    found: dict[str, list[nodes.Parameter]] = {}
    for text in texts(meaning):
        for statement in text.program.statements:
            for part in surface.parts(statement):
                match part:
                    case (
                        nodes.Definition(heading=nodes.FunctionHeading() as heading)
                        | nodes.Routine(heading=heading)
                        | nodes.Own(definition=nodes.Definition(heading=nodes.FunctionHeading() as heading))
                    ):
                        found.setdefault(heading.name.name, [*heading.parameters])
    return found
