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
        """Add arguments; or note of known ones that they are natural, or that the programs differ on them."""
        key = canonical(arguments)
        known = self.inputs.get(key)
        if known is not None:
            self.inputs[key] = Input(arguments, natural or known.natural, differs or known.differs)
        elif differs or len(self.inputs) < self.room:
            self.inputs[key] = Input(arguments, natural, differs)

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
                sample = self.rng.sample(inputs[half:], wanted - half)
                inputs = [*inputs[:half], *sample]
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
    random_numbers = [rng.randint(-30, 30) for _ in range(8)]
    numbers: list[Any] = [0, 1, 2, -1, 3, 0.5, 5, 10, -4, 7, 2.5, *random_numbers]
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
    for _ in range(6):
        length = rng.randint(2, 6)
        pool["list"].append([rng.choice(numbers) for _ in range(length)])

    mentioned = [*_mentioned(left), *_mentioned(right)]
    for sort, general in pool.items():
        values = _distinct([value for value in mentioned if _sort_of(value) == sort])
        room = _VALUES_OF_SORT - len(general)
        pool[sort] = [*rng.sample(values, min(room, len(values))), *general]

    with_more_types = left if len(left.types) >= len(right.types) else right
    pool["node"] += _nodes(with_more_types, pool, rng)
    pool["seed"] = [*seeds]
    return {sort: _distinct(values)[:_VALUES_OF_SORT] for sort, values in pool.items() if values}


def _array(*members: Any, lower: int = 1) -> Array:
    array = Array("real", (lower, lower + len(members) - 1))
    array.members = [*members]
    return array


def _sort_of(value: Any) -> str | None:
    return next((sort for types, sort in _SORT_OF.items() if isinstance(value, types)), None)


def _mentioned(program: LoadedProgram) -> Iterator[Any]:
    """Yield the numbers and strings that are written in a program, and its constants. The neighbours of a whole number
    come with it: many a condition, such as `x > 5`, is true from there on.
    """
    for definition in program.meaning.core.definitions:
        for node in walk.nodes(definition):
            if not isinstance(node, core.Literal):
                continue
            if type(node.value) is int:  # and not bool
                yield node.value + 1
                yield node.value - 1
            yield node.value
    for value in program.constants.values():
        if is_small(value, _LARGEST):
            yield value


def _nodes(program: LoadedProgram, pool: dict[str, list[Any]], rng: Random) -> list[Any]:
    """Make nodes of every type, their components of the types that the program gives them."""
    shown = program.meaning.facts.shown
    components: dict[core.Global, list[Type | None]] = {}
    alternatives: dict[core.Global, list[core.Global]] = {}
    for definition in program.meaning.core.definitions:
        match definition:
            case core.NodeType(name=name) if name.name in program.types:
                components[name] = [shown.component(name, component) for component in definition.components]
            case core.ElementType(name=name):
                alternatives[name] = [other for other in definition.alternatives if isinstance(other, core.Global)]

    def value_of(type: Type | None, depth: int) -> Any:
        if isinstance(type, Named):
            return node_of(rng.choice(alternatives.get(type.name) or [type.name]), depth)
        values: list[Any] = []
        for sort in _sorts_of(type):
            values += pool.get(sort, ())
        return rng.choice(values)

    def node_of(name: core.Global, depth: int) -> Any:
        if name not in components or depth == _LEVELS_OF_NODES:
            return []
        for _ in range(_TRIES):
            with suppress(CplFault):  # a number may not convert to what is declared
                values = [value_of(component, depth + 1) for component in components[name]]
                return program.types[name.name](*values)
        return []

    made = []
    for depth in reversed(range(_LEVELS_OF_NODES)):
        for name in components:
            made += [value_of(Named(name), depth) for _ in range(3)]
    return made


def _distinct(values: list[Any]) -> list[Any]:
    """Return values without repetitions; of equal ones the last stays."""
    by_text = {canonical(value): value for value in reversed(values)}
    return [*by_text.values()][::-1]


def _sorts_of(type: Type | None) -> tuple[str, ...]:
    key = type.name if isinstance(type, Basic) else type.__class__
    return _SORTS.get(key, ANY)


def parameter_sorts(meaning: Meaning) -> dict[str, list[tuple[str, ...]]]:
    """Return the sorts of value that each parameter of a program's functions may have, by the functions' CPL names."""
    sorts = {}
    for definition in meaning.core.definitions:
        if not isinstance(definition, core.Function) or definition.name.origin != "":
            continue
        match meaning.facts.shown.type_of(definition.name, definition):
            case FunctionOf((*parameters, _)):
                sorts[definition.name.name] = [*map(_sorts_of, parameters)]
    return sorts


def try_samples(
    accepts: Callable[[Arguments], bool],
    parameters: Sequence[Sequence[str]],
    pool: dict[str, list[Any]],
    rng: Random,
    count: int,
) -> None:
    """Try arguments at random until some multiple of `count` is accepted. `parameters` has the sorts that each argument
    may be of. Every second trial is of sorts that were accepted before.
    """
    choices = []
    for parameter in parameters:
        choices.append([sort for sort in parameter if sort in pool])
    accepted: list[list[str]] = []
    for trial in range(MOST_TRIALS):
        sorts = [*map(rng.choice, choices)]
        if accepted and trial % 2:
            sorts = rng.choice(accepted)
        arguments = [rng.choice(pool[sort]) for sort in sorts]
        if accepts(tuple(arguments)):
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
        repeated = 0  # positions in a row
        for position in source:
            if len(distinct) >= wanted or repeated > MOST_KNOWN_POSITIONS:
                break
            if position in distinct:
                repeated += 1
            else:
                repeated = 0
                distinct.add(position)
                yield position


def played(moves: Moves, start: Position, rng: Random) -> Iterator[Position]:
    """Yield positions of games that are played at random from `start`, one game after another, without end. A game that
    takes too many plies is given up.
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
        kings = []
        for colour, pieces in placed.items():
            kings += [square for square in pieces if square in CROWNED[colour] or rng.random() < kings_ratio]
        mover = rng.choice((1, -1))
        yield Logical(placed[mover]), Logical(placed[-mover]), Logical(kings), mover


def smaller(position: Position) -> Iterator[Position]:
    """Yield the positions with one piece less, or with a man for a king."""
    own, other, kings, colour = position
    for square in board:
        if square in own or square in other:
            piece = Logical([square])
            yield own - piece, other - piece, kings - piece, colour
    for square in kings:
        owner = colour if square in own else -colour
        if square not in CROWNED[owner]:
            yield own, other, kings - Logical([square]), colour
