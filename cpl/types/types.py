"""Types as values, once they are known: what the checker says of a definition, and what annotations are made from.

Written as Strachey wrote types in 1967 (evidence T12): `α list`, `(α ⇒ β, α list) ⇒ β list`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cpl.semantics import core


@dataclass(frozen=True, slots=True)
class Basic:
    """One of `BASIC`, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Of any type, as the `general` type of CPL (T9); `letter` tells unknown ones of one definition apart."""

    letter: str = ""


@dataclass(frozen=True, slots=True)
class ListOf:
    """`α list`"""

    member: "Type"


@dataclass(frozen=True, slots=True)
class TupleOf:
    """`(α, β)`: a list in round brackets, fixed in length."""

    items: tuple["Type", ...]


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """`α array`"""

    member: "Type"


@dataclass(frozen=True, slots=True)
class PointerTo:
    """`α pointer` (T13): a place as a value."""

    contents: "Type"


@dataclass(frozen=True, slots=True)
class FunctionOf:
    """`(α, β) ⇒ γ`; a routine has no result."""

    parameters: tuple["Type", ...]
    result: "Type | None"


@dataclass(frozen=True, slots=True)
class Named:
    """A type of nodes or an element (T14, T15), by its name."""

    name: core.Global


@dataclass(frozen=True, slots=True)
class Either:
    """`α or β`: of one of several types (the word is T15's)."""

    options: tuple["Type", ...]


Type = Basic | Unknown | ListOf | TupleOf | ArrayOf | PointerTo | FunctionOf | Named | Either

BASIC: Final = ("integer", "real", "complex", "Boolean", "logical", "string", "NIL", "stream", "type")
"""The types of 1963 (T1), and three of ours: that of NIL, which belongs to many (S8); of a stream; of a type (S7)."""

GENERAL: Final = Unknown()


def parts(type: Type) -> tuple[Type, ...]:
    """The types directly within a type, in the order in which they are written."""
    match type:
        case Basic() | Unknown() | Named():
            return ()
        case ListOf(member=part) | ArrayOf(member=part) | PointerTo(contents=part):
            return (part,)
        case TupleOf(items=items) | Either(options=items):
            return items
        case FunctionOf(parameters=parameters, result=result):
            return parameters if result is None else (*parameters, result)


def all_parts(type: Type) -> Iterator[Type]:
    """The type and all within it."""
    yield type
    for part in parts(type):
        yield from all_parts(part)
