"""Types as values, for `--types`, annotations and messages, and the operations on them.

Written as Strachey wrote types in 1967 (evidence T12): `α list`, `(α ⇒ β, α list) ⇒ β list`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cpl.semantics import core


@dataclass(frozen=True, slots=True)
class Basic:
    """One of the types of 1963 (T1): `integer`, `real`, `complex`, `Boolean`, `logical`, `string`; or one of ours:
    `NIL`, which belongs to many types (S8), `stream`, `type` (S7). While a type is made there is `number` too, of
    unknown width.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Of any type, as the `general` type of CPL (T9); in one definition the same `letter` is the same type."""

    letter: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A type of nodes or an element (T14, T15), by its name."""

    name: core.Global


@dataclass(frozen=True, slots=True)
class Composite:
    """A type made of others, its parts, in the order in which they are written."""

    parts: tuple["Type", ...]


class ListOf(Composite):
    """`α list`"""


class TupleOf(Composite):
    """`(α, β)`: a list in round brackets, fixed in length."""


class ArrayOf(Composite):
    """`α array`"""


class PointerTo(Composite):
    """`α pointer` (T13): a place as a value."""


class ByReference(PointerTo):
    """`ref α` (T18): of a parameter by reference, which is a place."""


class FunctionOf(Composite):
    """`(α, β) ⇒ γ`: the parameters, then the result, which is `NOTHING` for a routine."""


class BySubstitution(FunctionOf):
    """`substitution α` (T18): of a parameter by substitution, which is a function without parameters; if it needs a
    place, its result is `ByReference`.
    """


class Either(Composite):
    """`α or β`: of one of several types (the word is T15's)."""


Type = Basic | Unknown | Named | Composite

GENERAL: Final = Unknown()
NIL: Final = Basic("NIL")
NOTHING: Final = Basic("nothing")
"""What a routine gives."""
LETTERS: Final = "αβγδεζηθικλμνξοπρστυφχψω"

MOST_OPTIONS: Final = 6
"""What is of more types than this is general."""


def all_parts(type: Type) -> Iterator[Type]:
    """The type and all within it."""
    yield type
    if isinstance(type, Composite):
        for part in type.parts:
            yield from all_parts(part)


def rebuilt(type: Type, change: Callable[[Type], Type]) -> Type:
    """The type with its parts changed."""
    if not isinstance(type, Composite):
        return type
    made = tuple([change(part) for part in type.parts])
    return either(made) if isinstance(type, Either) else replace(type, parts=made)


def either(options: Sequence[Type]) -> Type:
    """One of these types, each once, NIL last; within one of several there is no further choice."""
    several = len({*options}) > 1
    flat: dict[Type, None] = {}
    for option in options:
        alone = option.parts if isinstance(option, Either) else (option,)
        flat |= dict.fromkeys([rebuilt(each, _single) if several else each for each in alone])
    if len(flat) == 1:
        return next(iter(flat))
    if not flat or len(flat) > MOST_OPTIONS or any(isinstance(each, Unknown) for each in flat):
        return GENERAL
    return Either(tuple(sorted(flat, key=lambda each: (each == NIL, isinstance(each, Basic)))))


def _single(type: Type) -> Type:
    return GENERAL if isinstance(type, Either) else rebuilt(type, _single)


def narrowed(general: Type, used: Type) -> Type:
    """A definition's type, with what its own text leaves open as the program uses it."""
    match general, used:
        case Unknown(), _:
            return general if isinstance(used, Unknown) else used
        case (Basic(name="integer"), Basic(name="real")) | (Basic(), Basic(name="number")):
            return general
        case Composite(some), Composite(others) if type(general) is type(used) and len(some) == len(others):
            inner = iter([narrowed(one, other) for one, other in zip(some, others, strict=True)])
            return rebuilt(general, lambda _: next(inner))
        case _:
            return general if used == GENERAL or (has_letters(used) and not has_letters(general)) else used


def has_letters(type: Type) -> bool:
    """Whether some part of a type is unknown, with a letter."""
    return any(isinstance(each, Unknown) and each.letter for each in all_parts(type))


def lettered(type: Type) -> Type:
    """The same type, its unknown parts lettered from α on, numbers of unknown width real."""
    letters: dict[str, str] = {}

    def renamed(part: Type) -> Type:
        match part:
            case Unknown(letter=letter):
                return Unknown(letters.setdefault(letter, LETTERS[len(letters) % len(LETTERS)])) if letter else part
            case Basic(name="number"):
                return Basic("real")
            case _:
                return rebuilt(part, renamed)

    return renamed(type)
