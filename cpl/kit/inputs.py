"""What two programs are run on: for each function its natural arguments, and where these are too few, arguments found
by trial.

Natural arguments are those that functions get while the programs run by themselves, or from functions that run on
natural arguments. The same for the same seed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product, zip_longest
from math import prod
from random import Random
from typing import Any, Final

from cpl.compiler import Meaning
from cpl.kit.generators import SORTS
from cpl.kit.loaded_program import texts
from cpl.kit.values import canonical, measure
from cpl.semantics import core, walk
from cpl.syntax import nodes
from cpl.syntax import walk as surface

MOST_COMBINATIONS: Final = 1_000
"""Ways to give sorts to the parameters of one function that are tried."""

Arguments = tuple[Any, ...]


@dataclass
class Store:
    """The arguments that a function may be run on, or a sample of very many. All that are `telling` are kept: those on
    which the two programs were seen to differ, with the way in which they do.
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
        kept = self.natural if natural else self.tried
        if key in self.natural or key in kept:
            return
        self._seen += 1
        if len(kept) >= self.most:
            place = self.rng.randrange(self._seen)
            if place >= self.most and key not in self.telling:
                return
            dropped = [*kept][place % self.most]
            if dropped not in self.telling:
                del kept[dropped]
        self.tried.pop(key, None)
        kept[key] = arguments

    def chosen(self, count: int) -> list[tuple[Arguments, bool]]:
        """So many arguments, the natural ones first, and whether they are: half of them those that are telling, and the
        smallest.
        """
        found: list[tuple[Arguments, bool]] = []
        for kept, natural in ((self.natural, True), (self.tried, False)):
            keys = [key for key, _ in sorted(kept.items(), key=lambda each: measure(each[1]))]
            wanted = count - len(found)
            if len(keys) > wanted:
                kinds = dict.fromkeys(self.telling.values())
                telling = ([key for key in keys if self.telling.get(key) == kind] for kind in kinds)
                first = [key for some in telling for key in some[: wanted // 4]]
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
    written = _written(meaning)
    found: dict[str, list[tuple[str, ...]]] = {}
    for one in meaning.core.definitions:
        if isinstance(one, core.Function) and one.name.origin == "":
            used = [node for node in walk.nodes(one.body) if isinstance(node, core.Local)]
            inferred = {node: kind for node in used if (kind := meaning.facts.kind(node))}
            declared = written.get(one.name.name, ())
            found[one.name.name] = [
                _sorts(parameter, inferred.get(local))
                for parameter, local in zip_longest(declared[: len(one.parameters)], one.parameters)
            ]
    return found


def _sorts(declared: nodes.Parameter | None, inferred: str | None) -> tuple[str, ...]:
    mode, word = (declared.mode, (declared.kind.split() or [""])[-1]) if declared else ("", "")
    match mode, SORTS.get(word):
        case "ref", _:
            return ("place",)
        case "substitution", _:
            return ("function",)
        case _, "list":
            return ("list", "tuple")
        case _, str() as sort:
            return (sort,)
    if word not in ("", "general"):
        return ("node", "list")
    return (inferred,) if inferred else ANY


def _written(meaning: Meaning) -> dict[str, tuple[nodes.Parameter, ...]]:
    """The parameters of functions and routines as their headings have them."""
    found: dict[str, tuple[nodes.Parameter, ...]] = {}
    statements = (statement for text in texts(meaning) for statement in text.program.statements)
    for part in (part for statement in statements for part in surface.parts(statement)):
        match part:
            case (
                nodes.Definition(heading=nodes.FunctionHeading() as heading)
                | nodes.Routine(heading=heading)
                | nodes.Own(definition=nodes.Definition(heading=nodes.FunctionHeading() as heading))
            ):
                found.setdefault(heading.name.name, tuple(heading.parameters))
    return found
