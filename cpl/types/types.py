"""Types as values, for `--types`, annotations and messages, and the operations on them.

Written as Strachey wrote types in 1967 (evidence T12): `α list`, `(α ⇒ β, α list) ⇒ β list`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cpl.semantics import core


@dataclass(frozen=True, slots=True)
class Basic:
    """One of `BASIC`, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Of any type, as the `general` type of CPL (T9); in one definition the same `letter` is the same type."""

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
NIL: Final = Basic("NIL")
LETTERS: Final = "αβγδεζηθικλμνξοπρστυφχψω"

MOST_OPTIONS: Final = 6
"""What is of more types than this is general."""


def parts(type: Type) -> tuple[Type, ...]:
    """The types directly within a type, in the order in which they are written."""
    match type:
        case ListOf(member=part) | ArrayOf(member=part) | PointerTo(contents=part):
            return (part,)
        case TupleOf(items=items) | Either(options=items):
            return items
        case FunctionOf(parameters=parameters, result=result):
            return parameters if result is None else (*parameters, result)
        case _:
            return ()


def all_parts(type: Type) -> Iterator[Type]:
    """The type and all within it."""
    yield type
    for part in parts(type):
        yield from all_parts(part)


def rebuilt(type: Type, change: Callable[[Type], Type]) -> Type:
    """The type with its parts changed."""
    made = [change(part) for part in parts(type)]
    match type:
        case ListOf():
            return ListOf(*made)
        case ArrayOf():
            return ArrayOf(*made)
        case PointerTo():
            return PointerTo(*made)
        case TupleOf():
            return TupleOf(tuple(made))
        case Either():
            return either(made)
        case FunctionOf(parameters=parameters):
            return FunctionOf(tuple(made[: len(parameters)]), None if type.result is None else made[-1])
        case _:
            return type


def either(options: Sequence[Type]) -> Type:
    """One of these types, each once, NIL last; within one of several there is no further choice."""
    if len(options) == 1:
        return options[0]
    several = len({*options}) > 1
    flat: dict[Type, None] = {}
    for option in options:
        alone = option.options if isinstance(option, Either) else (option,)
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
        case FunctionOf(result=None), _:
            return used if isinstance(used, FunctionOf) and used.result is None else general
        case _ if type(general) is type(used) and len(parts(general)) == len(parts(used)) > 0:
            inner = iter([narrowed(one, other) for one, other in zip(parts(general), parts(used), strict=True)])
            return rebuilt(general, lambda _: next(inner))
        case _:
            return general if used == GENERAL or (_has_letters(used) and not _has_letters(general)) else used


def _has_letters(type: Type) -> bool:
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
