"""The inputs that programs are compared on: natural arguments of functions, sample values of every type, positions.

Natural arguments are those that functions get while the programs run by themselves, or from functions that run on
natural arguments. Where they are too few, sample values are tried. Programs that play checkers are compared on
positions, those of the program of 1966: (X, Y, K, σ), the mover's pieces, the opponent's, the kings of both, and 1 for
Black or −1 for White to move. All inputs are the same for the same seed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from cplrt import Array, Cell, CplFault, Logical, Node
from cplrt.checkers import board
from cplrt.logical import is_bits

from cpl.compiler.pipeline import Meaning
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.types import ArrayOf, Basic, FunctionOf, ListOf, Named, PointerTo, TupleOf, Type
from cpl.games.position import CROWNED, Moves, Position
from cpl.limits import MOST_KNOWN_POSITIONS, MOST_PLIES_AT_RANDOM, MOST_TRIALS
from cpl.study.run.program import LoadedProgram
from cpl.study.run.values import canonical, is_small, measure

Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Input:
    """Arguments, whether they are natural, and whether the two programs were seen to differ on them."""

    arguments: Arguments
    natural: bool
    differs: bool = False

    @property
    def size(self) -> Any:
        """The key by which the smallest input is found, natural ones first."""
        return not self.natural, measure(self.arguments)


@dataclass
class Store:
    """Inputs of a function: those on which the programs differ, and of the others as many as there is room for."""

    room: int
    rng: Random
    inputs: dict[str, Input] = field(default_factory=dict)

    @property
    def natural(self) -> list[Arguments]:
        """The natural arguments."""
        return [stored.arguments for stored in self.inputs.values() if stored.natural]

    def add(self, arguments: Arguments, *, natural: bool, differs: bool = False) -> None:
        """Add arguments, or what is new of those that are known."""
        key = canonical(arguments)
        stored = self.inputs.get(key, Input(arguments, natural=False))
        if key in self.inputs or differs or len(self.inputs) < self.room:
            self.inputs[key] = Input(arguments, natural or stored.natural, differs or stored.differs)

    def chosen(self, count: int) -> list[Input]:
        """Choose so many inputs, natural ones first: half of them those on which the programs differ, and the smallest;
        of the others a sample.
        """
        chosen: list[Input] = []
        for natural in (True, False):
            inputs = [stored for stored in self.inputs.values() if stored.natural == natural]
            inputs.sort(key=lambda stored: (not stored.differs, stored.size))
            wanted = count - len(chosen)
            if len(inputs) > wanted:
                half = wanted // 2
                inputs = [*inputs[:half], *self.rng.sample(inputs[half:], wanted - half)]
            chosen += inputs
        return chosen


# Sample values

ANY: Final = ("number", "seed", "list", "string", "logical", "tuple", "boolean", "function", "array", "node", "place")
"""The sorts of sample values, for parameters of which nothing is known."""

_SORTS: Final[dict[Any, tuple[str, ...]]] = {
    **dict.fromkeys(["integer", "real", "complex"], ("number",)),
    "Boolean": ("boolean",),
    "logical": ("logical",),
    "string": ("string",),
    "NIL": ("list",),
    ListOf: ("list", "tuple"),
    TupleOf: ("tuple", "seed"),
    ArrayOf: ("array",),
    PointerTo: ("place",),
    FunctionOf: ("function",),
    Named: ("node", "list"),
}
"""The sorts of values that may stand for a type, by the classes of types and the names of basic ones."""

_SORT_OF: Final[dict[Any, str]] = {
    bool: "boolean",  # before int, which it is too
    (int, float, complex): "number",
    str: "string",
    Logical: "logical",
    list: "list",
    tuple: "tuple",
    Array: "array",
    Node: "node",
    Cell: "place",
}

_LARGEST: Final = 60  # values within one that a program mentions
_VALUES_OF_SORT: Final = 40  # values of one sort
_LEVELS_OF_NODES: Final = 3  # nodes within each other
_TRIES: Final = 10  # to find numbers that a node can have

_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "λx.x + 1": lambda x: x + 1,
    "λx.[x]": lambda x: [x],
    "λx.x": lambda x: x,
    "λx.x = 1": lambda x: x == 1,
    "λ(x,y).x < y": lambda x, y: x < y,
    "λ(x,y).x + y": lambda x, y: x + y if is_bits(x) else +x + y,  # Python's + would join lists, too
    "λ.2": lambda: 2,
}
for _name, _function in _FUNCTIONS.items():
    _function.__name__ = _function.__qualname__ = _name  # `show` hides what is within another function


def samples(left: LoadedProgram, right: LoadedProgram, rng: Random, seeds: Sequence[Any] = ()) -> dict[str, list[Any]]:
    """Return sample values by their sorts: general ones, those that the two programs mention, and nodes of their types.
    The `seeds` are a sort of their own.
    """
    numbers: list[Any] = [0, 1, 2, -1, 3, 0.5, 5, 10, -4, 7, 2.5, *(rng.randint(-30, 30) for _ in range(8))]
    pool: dict[str, list[Any]] = {
        "number": numbers,
        "list": [[], [1], [2, 1], [1, 2, 3], [3, 1, 2, 1], ["a"], ["b", "a"], [[1], [2, 3]], [True, False]],
        "string": ["", "a", "b", "ab", "cab", "x y"],
        "logical": [Logical(0), Logical(1), Logical([1]), Logical([0, 2]), Logical([3, 4, 7])],
        "boolean": [True, False],
        "tuple": [(1, 2), (2, 1), (1, 2, 3), ("a", 1), (0, 0, 0, 1)],
        "function": [*_FUNCTIONS.values()],
        "array": [_array(1, 2), _array(3, 1, 2), _array(0, lower=0), _array(_array(2, 1), _array(1, 3))],
        "place": [Cell(value) for value in (0, 1, [], [1, 2], "a", _array(1, 2))],
        "node": [],
    }
    pool["list"] += [[rng.choice(numbers) for _ in range(rng.randint(2, 6))] for _ in range(6)]
    mentioned = [*_mentioned(left), *_mentioned(right)]
    for sort, general in pool.items():
        values = _distinct([value for value in mentioned if _sort_of(value) == sort])
        pool[sort] = [*rng.sample(values, min(_VALUES_OF_SORT - len(general), len(values))), *general]
    pool["node"] += _nodes(left if len(left.types) >= len(right.types) else right, pool, rng)
    pool["seed"] = [*seeds]
    return {sort: _distinct(values)[:_VALUES_OF_SORT] for sort, values in pool.items() if values}


def _array(*members: Any, lower: int = 1) -> Array:
    array = Array("real", (lower, lower + len(members) - 1))
    array.members = [*members]
    return array


def _sort_of(value: Any) -> str | None:
    return next((sort for types, sort in _SORT_OF.items() if isinstance(value, types)), None)


def _mentioned(program: LoadedProgram) -> Iterator[Any]:
    """Yield the numbers and strings that are written in a program, and its constants."""
    for definition in program.meaning.core.definitions:
        for node in walk.nodes(definition):
            if isinstance(node, core.Literal):
                value = node.value  # and its neighbours, if it is a whole number: many a condition ends there
                yield from (value + 1, value - 1, value) if type(value) is int else (value,)
    yield from (value for value in program.constants.values() if is_small(value, _LARGEST))


def _nodes(program: LoadedProgram, pool: dict[str, list[Any]], rng: Random) -> list[Any]:
    """Make nodes of every type, their components of the types that the program gives them."""
    classes, facts, definitions = program.types, program.meaning.facts, program.meaning.core.definitions
    components = {
        definition.name: [facts.shown.component(definition.name, component) for component in definition.components]
        for definition in definitions
        if isinstance(definition, core.NodeType) and definition.name.name in classes
    }
    alternatives = {
        definition.name: [name for name in definition.alternatives if isinstance(name, core.Global)]
        for definition in definitions
        if isinstance(definition, core.ElementType)
    }

    def value(type: Type | None, depth: int) -> Any:
        if not isinstance(type, Named):
            return rng.choice([sample for sort in _sorts_of(type) for sample in pool.get(sort, ())])
        name = rng.choice(alternatives.get(type.name) or [type.name])
        if name not in components or depth == _LEVELS_OF_NODES:
            return []
        for _ in range(_TRIES):
            with suppress(CplFault):  # a number may not convert to what is declared
                return classes[name.name](*(value(component, depth + 1) for component in components[name]))
        return []

    return [
        value(Named(name), depth)
        for depth in reversed(range(_LEVELS_OF_NODES))
        for name in components
        for _ in range(3)
    ]


def _distinct(values: list[Any]) -> list[Any]:
    return list({canonical(value): value for value in reversed(values)}.values())[::-1]


def _sorts_of(type: Type | None) -> tuple[str, ...]:
    return _SORTS.get(type.name if isinstance(type, Basic) else type.__class__, ANY)


def parameter_sorts(meaning: Meaning) -> dict[str, list[tuple[str, ...]]]:
    """Return the sorts of value that each parameter of a program's functions may take, by the functions' CPL names."""
    sorts = {}
    for definition in meaning.core.definitions:
        if isinstance(definition, core.Function) and definition.name.origin == "":
            match meaning.facts.shown.type_of(definition.name, definition):
                case FunctionOf((*types, _)):
                    sorts[definition.name.name] = [*map(_sorts_of, types)]
    return sorts


def try_samples(
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


# Positions of checkers

_RECORDED: Final = 0.25  # of the positions of a game, so that a small sample draws on several games
_MOST_PIECES: Final = 12


def positions(moves: Moves, start: Position, count: int, seed: int = 0) -> Iterator[Position]:
    """Yield so many distinct positions: half from play, then scattered ones. Where play gives too few (a program that
    knows no move), more are scattered.
    """
    rng = Random(seed)
    distinct: set[Position] = set()
    for source, wanted in ((played(moves, start, rng), count // 2), (scattered(rng), count)):
        stale = 0
        for position in source:
            if len(distinct) >= wanted or stale > MOST_KNOWN_POSITIONS:
                break
            stale = stale + 1 if position in distinct else 0
            if not stale:
                distinct.add(position)
                yield position


def played(moves: Moves, start: Position, rng: Random) -> Iterator[Position]:
    """Yield positions of games that are played at random, from `start` to the end or for so many plies that it is given
    up; without end.
    """
    while True:
        position = start
        for _ in range(MOST_PLIES_AT_RANDOM):
            if rng.random() < _RECORDED:
                yield position
            next_positions = moves(position)
            if not next_positions:
                break
            position = rng.choice(next_positions)


def scattered(rng: Random) -> Iterator[Position]:
    """Yield positions of pieces thrown on the board, one to twelve of either colour; without end.

    Any share of them may be kings, and a man on the row where he would have been crowned is one.
    """
    while True:
        black, white = rng.randint(1, _MOST_PIECES), rng.randint(1, _MOST_PIECES)
        squares = rng.sample(board, black + white)
        placed = {1: squares[:black], -1: squares[black:]}
        kings_ratio = rng.random()
        kings = [
            square
            for colour, pieces in placed.items()
            for square in pieces
            if square in CROWNED[colour] or rng.random() < kings_ratio
        ]
        mover = rng.choice((1, -1))
        yield Logical(placed[mover]), Logical(placed[-mover]), Logical(kings), mover


def smaller(position: Position) -> Iterator[Position]:
    """Yield the positions with one piece less, or with a man for a king."""
    own, other, kings, colour = position
    for piece in (Logical([square]) for square in board if square in own or square in other):
        yield own - piece, other - piece, kings - piece, colour
    for square in kings:
        if square not in CROWNED[colour if square in own else -colour]:
            yield own, other, kings - Logical([square]), colour
