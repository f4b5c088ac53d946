"""Small values of every sort that CPL has, to try functions on: those that any program may be given, those that two
programs themselves mention, and nodes of their types. `inputs` draws from them.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

from cplrt import Array, Cell, Logical, Node

from cpl.kit.loaded_program import Side
from cpl.kit.values import canonical, is_small
from cpl.semantics import core, within
from cpl.syntax import nodes

SORTS: Final = {
    "real": "number",
    "integer": "number",
    "index": "number",
    "complex": "number",
    "Boolean": "boolean",
    "logical": "logical",
    "string": "string",
    "list": "list",
    "array": "array",
    "vector": "array",
    "matrix": "array",
    "function": "function",
    "routine": "function",
    "pointer": "place",
}
"""The sort of value that a word for a type asks for."""

_LARGEST: Final = 60  # values within one that a program mentions
_MOST: Final = 40  # values of one sort
_DEEPEST: Final = 3  # nodes within each other


def _function(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    function.__name__ = name
    return function


_FUNCTIONS: Final = (
    _function("λx.x + 1", lambda x: x + 1),
    _function("λx.[x]", lambda x: [x]),
    _function("λx.x", lambda x: x),
    _function("λx.x = 1", lambda x: x == 1),
    _function("λ(x,y).x < y", lambda x, y: x < y),
    _function("λ(x,y).x + y", lambda x, y: x + y),
    _function("λ.2", lambda: 2),
)


def _array(*members: Any, lower: int = 1) -> Array:
    made = Array("real", (lower, lower + len(members) - 1))
    made.members = [*members]
    return made


def pools(one: Side, other: Side, rng: Random, seeds: Sequence[Any] = ()) -> dict[str, list[Any]]:
    """Values by their sorts, first what the programs mention, of much a sample; `seeds` are a sort of their own."""
    numbers: list[Any] = [0, 1, 2, -1, 3, 0.5, 5, 10, -4, 7, 2.5, *(rng.randint(-30, 30) for _ in range(8))]
    strings = ["", "a", "b", "ab", "cab", "x y"]
    found: dict[str, list[Any]] = {
        "number": numbers,
        "list": [[], [1], [2, 1], [1, 2, 3], [3, 1, 2, 1], ["a"], ["b", "a"], [[1], [2, 3]], [True, False]],
        "string": strings,
        "logical": [Logical(0), Logical(1), Logical([1]), Logical([0, 2]), Logical([3, 4, 7])],
        "boolean": [True, False],
        "tuple": [(1, 2), (2, 1), (1, 2, 3), ("a", 1), (0, 0, 0, 1)],
        "function": [*_FUNCTIONS],
        "array": [_array(1, 2), _array(3, 1, 2), _array(0, lower=0), _array(_array(2, 1), _array(1, 3))],
        "place": [Cell(value) for value in (0, 1, [], [1, 2], "a", _array(1, 2))],
        "node": [],
        "seed": [*seeds],
    }
    found["list"] += [[rng.choice(numbers) for _ in range(rng.randint(2, 6))] for _ in range(6)]
    mentioned: dict[str, list[Any]] = {}
    for value in _mentioned(one, other):
        if sort := sort_of(value):
            mentioned.setdefault(sort, []).insert(0, value)
    for sort, values in mentioned.items():
        found[sort] = [*_sampled(_distinct(values), _MOST - len(found[sort]), rng), *found[sort]]
    found["node"] += _nodes(one if len(one.types) >= len(other.types) else other, found, rng)
    return {sort: _distinct(values)[:_MOST] for sort, values in found.items() if values}


def sort_of(value: Any) -> str | None:
    """The sort of a value, None if it is of none that functions are tried on."""
    match value:
        case bool():
            return "boolean"
        case int() | float() | complex():
            return "number"
        case str():
            return "string"
        case Logical():
            return "logical"
        case list():
            return "list"
        case tuple():
            return "tuple"
        case Array():
            return "array"
        case Node():
            return "node"
        case Cell():
            return "place"
        case _:
            return None


def _mentioned(one: Side, other: Side) -> Iterator[Any]:
    """What the programs hold: their constants, and the numbers and strings that are written in them."""
    for side in (one, other):
        for definition in side.meaning.core.definitions:
            if definition.span.source in [text.source for text in side.texts]:
                for node in within.walk(definition):
                    if isinstance(node, core.Literal):
                        yield from _about(node.value)
        yield from (value for value in side.constants.values() if is_small(value, _LARGEST))


def _about(value: Any) -> tuple[Any, ...]:
    """A value that is written in a program; of a whole number the next ones too: many a condition ends there."""
    return (value + 1, value - 1, value) if type(value) is int else (value,)


def _sampled(values: list[Any], most: int, rng: Random) -> list[Any]:
    places = sorted(rng.sample(range(len(values)), min(most, len(values))))
    return [values[place] for place in places]


def _nodes(side: Side, pool: dict[str, list[Any]], rng: Random) -> list[Any]:
    """Nodes of every type, their components of the types that they are declared with."""
    types = side.types
    components = {
        one.name.name: [component.kind for component in one.components]
        for one in _declared(side)
        if one.name.name in types
    }
    alternatives = {
        one.name.name: [each.name for each in one.alternatives if isinstance(each, core.Global)]
        for one in side.meaning.core.definitions
        if isinstance(one, core.ElementType)
    }

    def made(kind: str, depth: int) -> Any:
        kind = rng.choice(alternatives.get(kind) or [kind])
        if kind in components and depth < _DEEPEST:
            return types[kind](*(made(each, depth + 1) for each in components[kind]))
        sort = SORTS.get(kind.split()[-1]) if kind else rng.choice(["number", "string"])
        return rng.choice(pool[sort]) if sort else []

    return [made(kind, depth) for depth in reversed(range(_DEEPEST)) for kind in components for _ in range(3)]


def _declared(side: Side) -> Iterator[nodes.NodeType]:
    for text in side.texts:
        yield from (statement for statement in text.program.statements if isinstance(statement, nodes.NodeType))


def _distinct(values: list[Any]) -> list[Any]:
    return list({canonical(value): value for value in reversed(values)}.values())[::-1]
