"""Types as a text declares them (`real`, `integer list`, `real 2 array`, `Tree`), for the inference."""

from collections.abc import Mapping
from typing import Final

from cpl.source import Span
from cpl.types.constraints import LISTS, SEQUENCES, Shape, Variable, holder
from cpl.types.solver import Solver

_BASIC: Final = {
    **{word: word for word in ("integer", "real", "complex", "boolean", "logical", "string")},
    "index": "integer",
}
_MOST_DIMENSIONS: Final = 9
_KINDS: Final[dict[str, frozenset[object]]] = {
    "list": LISTS,
    **dict.fromkeys(("vector", "matrix"), frozenset({"array"})),
    **dict.fromkeys(("integer", "index", "real", "complex"), frozenset({"number"})),
    "general": SEQUENCES | {"boolean", "logical", "string", "number", "function", "pointer"},
}


def kinds(words: str) -> frozenset[object]:
    """The kinds of value that are of a type."""
    *_, last = words.lower().split()
    return _KINDS.get(last, frozenset({last}))


def declare(
    solver: Solver,
    variable: Variable,
    words: str,
    span: Span,
    types: Mapping[str, Shape],
    *,
    converts: bool = True,
) -> None:
    """Declare a variable to be of a type: what flows into it needs that type, and what uses it gets it. Numbers are
    converted to it where they are stored, but not in lists and by pointers. The mode of a parameter may stand before
    the type. A `general` one takes every value, and what is read from it may be of any type. Of a type that has
    parameters (T17) nothing is known.
    """
    shape = _shape(solver, words.split(), span, types)
    if shape is not None:
        variable.declared = shape
        variable.converts = converts and shape.kind == "number"
        solver.flow(shape, variable)


def _shape(solver: Solver, words: list[str], span: Span, types: Mapping[str, Shape]) -> Shape | None:
    match words:
        case ["reference", *of]:
            return _shape(solver, [*of, "pointer"], span, types) if of else None
        case ["substitution", *of]:
            return Shape(span, "function", outputs=(_member(solver, of, span, types),))
        case ["place", "by", *of]:
            return Shape(span, "function", outputs=(_member(solver, ["reference", *of[1:]], span, types),))
        case [word] if word.lower() == "general":
            return Shape(span, "general", soft=True)
        case [word] if word.lower() in _BASIC:
            return Shape(span, _BASIC[word.lower()])
        case [word] if word in types:
            return Shape(span, types[word].head, types[word].name)
        case [*of, "list"]:
            return Shape(span, "list", outputs=(_member(solver, of, span, types),))
        case [*of, "pointer"]:
            return holder("pointer", _member(solver, of, span, types), span)
        case [*of, "vector"]:
            return _shape(solver, [*of, "1", "array"], span, types)
        case [*of, "matrix"]:
            return _shape(solver, [*of, "2", "array"], span, types)
        case [*of, count, "array"] if count.isdecimal():
            rows = [*of, str(min(int(count), _MOST_DIMENSIONS) - 1), "array"]
            return holder("array", _member(solver, rows if int(count) > 1 else of, span, types, converts=True), span)
        case _:
            return None


def _member(
    solver: Solver, words: list[str], span: Span, types: Mapping[str, Shape], *, converts: bool = False
) -> Variable:
    member = solver.variable()
    declare(solver, member, " ".join(words), span, types, converts=converts)
    return member
