"""Small values of every sort that CPL has, to try functions on: general ones, those that the two programs themselves
mention, and nodes of their types. `inputs` draws from them by the types of parameters.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final

from cplrt import Array, Cell, CplFault, Logical, Node
from cplrt.logical import is_bits

from cpl.kit.loaded_program import LoadedProgram
from cpl.kit.values import canonical, is_small
from cpl.semantics import core, walk
from cpl.types.types import ArrayOf, Basic, FunctionOf, ListOf, Named, PointerTo, TupleOf, Type

ANY: Final = ("number", "seed", "list", "string", "logical", "tuple", "boolean", "function", "array", "node", "place")
"""All sorts of values."""

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
"""By the classes of types, and the names of basic ones."""

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
_MOST: Final = 40  # values of one sort
_DEEPEST: Final = 3  # nodes within each other
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


def _array(*members: Any, lower: int = 1) -> Array:
    array = Array("real", (lower, lower + len(members) - 1))
    array.members = [*members]
    return array


def generate(one: LoadedProgram, other: LoadedProgram, rng: Random, seeds: Sequence[Any] = ()) -> dict[str, list[Any]]:
    """Values by their sorts, first a sample of those that the programs mention; `seeds` are a sort of their own."""
    numbers: list[Any] = [0, 1, 2, -1, 3, 0.5, 5, 10, -4, 7, 2.5, *(rng.randint(-30, 30) for _ in range(8))]
    found: dict[str, list[Any]] = {
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
    found["list"] += [[rng.choice(numbers) for _ in range(rng.randint(2, 6))] for _ in range(6)]
    mentioned = [*_mentioned(one, other)]
    for sort, general in found.items():
        values = _distinct([value for value in mentioned if sort_of(value) == sort])
        found[sort] = [*rng.sample(values, min(_MOST - len(general), len(values))), *general]
    found["node"] += _nodes(one if len(one.types) >= len(other.types) else other, found, rng)
    found["seed"] = [*seeds]
    return {sort: _distinct(values)[:_MOST] for sort, values in found.items() if values}


def sort_of(value: Any) -> str | None:
    """The sort of a value, None if it is of none that functions are tried on."""
    return next((sort for types, sort in _SORT_OF.items() if isinstance(value, types)), None)


def sorts_of(type: Type | None) -> tuple[str, ...]:
    """The sorts of values that are of a type, or may stand for one in CPL."""
    return _SORTS.get(type.name if isinstance(type, Basic) else type.__class__, ANY)


def _mentioned(one: LoadedProgram, other: LoadedProgram) -> Iterator[Any]:
    """What the programs hold: their constants, and the numbers and strings that are written in them."""
    for program in (one, other):
        for definition in program.meaning.core.definitions:
            for node in walk.nodes(definition):
                if isinstance(node, core.Literal):
                    value = node.value  # and its neighbours, if it is a whole number: many a condition ends there
                    yield from (value + 1, value - 1, value) if type(value) is int else (value,)
        yield from (value for value in program.constants.values() if is_small(value, _LARGEST))


def _nodes(program: LoadedProgram, pool: dict[str, list[Any]], rng: Random) -> list[Any]:
    """Nodes of every type, their components of the types that the program gives them."""
    classes, facts, definitions = program.types, program.meaning.facts, program.meaning.core.definitions
    components = {
        one.name: [facts.component(one.name, component) for component in one.components]
        for one in definitions
        if isinstance(one, core.NodeType) and one.name.name in classes
    }
    alternatives = {
        one.name: [each for each in one.alternatives if isinstance(each, core.Global)]
        for one in definitions
        if isinstance(one, core.ElementType)
    }

    def value(type: Type | None, depth: int) -> Any:
        if not isinstance(type, Named):
            return rng.choice([each for sort in sorts_of(type) for each in pool.get(sort, ())])
        name = rng.choice(alternatives.get(type.name) or [type.name])
        if name not in components or depth == _DEEPEST:
            return []
        for _ in range(_TRIES):
            with suppress(CplFault):  # a number may not convert to what is declared
                return classes[name.name](*(value(each, depth + 1) for each in components[name]))
        return []

    return [value(Named(name), depth) for depth in reversed(range(_DEEPEST)) for name in components for _ in range(3)]


def _distinct(values: list[Any]) -> list[Any]:
    return list({canonical(value): value for value in reversed(values)}.values())[::-1]
