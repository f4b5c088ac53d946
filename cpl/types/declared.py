"""Types as a text declares them (`real`, `integer list`, `real 2 array`, `Tree`), for the inference."""

from collections.abc import Mapping
from typing import Final

from cpl.source import Span
from cpl.types.constraints import Shape, Variable
from cpl.types.solver import Solver

_BASIC: Final = {
    "integer": "integer",
    "index": "integer",
    "real": "real",
    "complex": "complex",
    "boolean": "boolean",
    "logical": "logical",
    "string": "string",
}
_DIMENSIONS: Final = {"vector": 1, "matrix": 2}


def kinds(words: str) -> frozenset[object]:
    """The kinds of value that are of a type."""
    *_, last = words.lower().split()
    match last:
        case "list":
            return frozenset({"list", "tuple", "nil"})
        case "array" | "vector" | "matrix":
            return frozenset({"array"})
        case "general":
            return frozenset({*_BASIC.values(), "number", "list", "tuple", "nil", "array", "function", "pointer"})
        case "integer" | "index" | "real" | "complex":
            return frozenset({"number"})
        case _:
            return frozenset({_BASIC.get(last, last)})


def declare(solver: Solver, variable: Variable, words: str, span: Span, types: Mapping[str, Shape]) -> None:
    """A variable is declared as of a type: that is needed of what comes to it, and given to what uses it. One that is
    `general` takes every value, and what is read from it may be of any type. Of a type that has parameters (T17)
    nothing is known. The mode of a parameter may stand before it.
    """
    shape = _shape(solver, words.split(), span, types)
    if shape is not None:
        solver.declare(variable, shape)


def _shape(solver: Solver, words: list[str], span: Span, types: Mapping[str, Shape]) -> Shape | None:
    match words:
        case ["reference", *of]:
            return _shape(solver, [*of, "pointer"], span, types) if of else None
        case ["substitution", *of]:
            return Shape(span, "function", (_member(solver, of, span, types),))
        case ["place", "by", *of]:
            member = _member(solver, ["reference", *of[1:]], span, types)
            return Shape(span, "function", (member,))
        case [word] if word.lower() == "general":
            return Shape(span, "general", soft=True)
        case [word] if word.lower() in _BASIC:
            return Shape(span, _BASIC[word.lower()])
        case [word] if word in types:
            return Shape(span, types[word].head, name=types[word].name)
        case [*of, "list"]:
            return Shape(span, "list", (_member(solver, of, span, types),))
        case [*of, "pointer"]:
            member = _member(solver, of, span, types)
            return Shape(span, "pointer", (member, member))
        case [*of, "vector" | "matrix" as sort]:
            return _array(solver, of, _DIMENSIONS[sort], span, types)
        case [*of, count, "array"] if count.isdecimal():
            return _array(solver, of, min(int(count), 9), span, types)
        case _:
            return None


def _member(solver: Solver, words: list[str], span: Span, types: Mapping[str, Shape]) -> Variable:
    member = solver.variable()
    declare(solver, member, " ".join(words), span, types)
    return member


def _array(solver: Solver, of: list[str], dimensions: int, span: Span, types: Mapping[str, Shape]) -> Shape:
    member = _member(solver, of, span, types)
    for _ in range(dimensions - 1):
        member = solver.as_variable(Shape(span, "array", (member, member)))
    return Shape(span, "array", (member, member))
