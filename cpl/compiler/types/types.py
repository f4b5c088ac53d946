"""Types as values, for `--types`, annotations and messages: operations on them, their notation, names for them.

They are written as Strachey wrote types in 1967 (evidence T12): `α list`, `(α ⇒ β, α list) ⇒ β list`.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cpl.compiler.semantics import core
from cpl.limits import MOST_OPTIONS


@dataclass(frozen=True, slots=True)
class Basic:
    """One of the types of 1963 (T1): `integer`, `real`, `complex`, `Boolean`, `logical`, `string`; or one of ours:
    `NIL`, which belongs to many types (S8), `stream`, `type` (S7). While a type is made there is `number` too, of
    unknown width.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A type variable; one `letter` is one type within a definition. Without a letter, CPL's `general` type (T9)."""

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
"""The type of the result of a routine."""
LETTERS: Final = "αβγδεζηθικλμνξοπρστυφχψω"


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
    parts = tuple([change(part) for part in type.parts])
    return either(parts) if isinstance(type, Either) else replace(type, parts=parts)


def either(options: Sequence[Type]) -> Type:
    """Join types to a choice, each once, NIL last; within a choice there is no further choice."""
    several = len({*options}) > 1
    flat: dict[Type, None] = {}
    for option in options:
        alone = option.parts if isinstance(option, Either) else (option,)
        flat |= dict.fromkeys([rebuilt(part, _single) if several else part for part in alone])
    if len(flat) == 1:
        return next(iter(flat))
    if not flat or len(flat) > MOST_OPTIONS or any(isinstance(option, Unknown) for option in flat):
        return GENERAL
    return Either(tuple(sorted(flat, key=lambda option: (option == NIL, isinstance(option, Basic)))))


def _single(type: Type) -> Type:
    return GENERAL if isinstance(type, Either) else rebuilt(type, _single)


def narrowed(general: Type, used: Type) -> Type:
    """A definition's type, with what its own text leaves open as the program uses it."""
    match general, used:
        case Unknown(), _:
            return general if isinstance(used, Unknown) else used
        case (Basic(name="integer"), Basic(name="real")) | (Basic(), Basic(name="number")):
            return general
        case Composite(some), Composite(used_parts) if type(general) is type(used) and len(some) == len(used_parts):
            parts = iter([narrowed(general_part, other) for general_part, other in zip(some, used_parts, strict=True)])
            return rebuilt(general, lambda _: next(parts))
        case _:
            return general if used == GENERAL or (has_letters(used) and not has_letters(general)) else used


def has_letters(type: Type) -> bool:
    """Whether some part of a type is unknown, with a letter."""
    return any(isinstance(part, Unknown) and part.letter for part in all_parts(type))


def lettered(type: Type) -> Type:
    """Letter the unknown parts of a type from α on; numbers of unknown width become real."""
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


# Notation


_OR, _ARROW, _ATOM = 1, 2, 3
_MANY = 4


def written(type: Type, names: Mapping[Type, str] = {}, rank: int = 0) -> str:
    """The type as text, with brackets round one that binds less than `rank`; some types have `names`."""
    if type in names:
        return names[type]
    match type:
        case Basic(name=name):
            return name
        case Unknown(letter=letter):
            return letter or "general"
        case Named(name=name):
            return name.name
        case ListOf((member,)):
            return f"{written(member, names, _ATOM)} list"
        case ArrayOf():
            dimensions = 0
            while isinstance(type, ArrayOf):
                [type] = type.parts
                dimensions += 1
            return f"{written(type, names, _ATOM)} {dimensions} array"
        case ByReference((contents,)) | BySubstitution((ByReference((contents,)) | contents,)):
            word = "ref" if isinstance(type, ByReference) else "substitution"
            text = f"{word} {written(contents, names, _ARROW)}"
            return f"({text})" if rank > 0 else text
        case PointerTo((contents,)):
            return f"{written(contents, names, _ATOM)} pointer"
        case TupleOf((item, *rest)) if len(rest) >= _MANY and {*rest} == {item}:
            return f"{written(item, names, _ATOM)} list"  # in round brackets
        case TupleOf(items):
            return f"({', '.join([written(item, names, 0) for item in items])})"
        case Either(options):
            text = " or ".join([written(option, names, _ARROW) for option in options])
            return f"({text})" if rank > _OR else text
        case _:
            *parameters, result = type.parts
            text = f"{_parameters(parameters, names)} ⇒ {_result(result, names)}"
            return f"({text})" if rank > 0 else text


def _parameters(parameters: Sequence[Type], names: Mapping[Type, str]) -> str:
    if len(parameters) == 1 and (not isinstance(parameters[0], TupleOf) or parameters[0] in names):
        return written(parameters[0], names, _ATOM)
    return f"({', '.join([written(parameter, names, 0) for parameter in parameters])})"


def _result(result: Type, names: Mapping[Type, str]) -> str:
    return "()" if result == NOTHING else written(result, names, _OR if isinstance(result, FunctionOf) else 0)


# Names for shapes that recur

_LONG: Final = 3

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")
_NO_NAMES: Final = ("The", "From", "With", "By", "Of", "To", "For", "In")


def shape_names(types: Mapping[str, Type], reserved: Collection[str]) -> dict[Type, str]:
    """Choose names for the shapes that recur in a program's types, after the program's own words for such values:
    `StartPosition`, `FinalPosition` and `LegalPositionsFrom` speak of a position; `MakeMove` gives a move.

    `types` are those of the definitions by name, in the order of the text. No name is among those `reserved`.
    """
    names: dict[Type, str] = {}
    for shape in _candidates(types.values(), names):
        words = (*_words(shape, types), *(f"{word}Member" for word in _words(ListOf((shape,)), types)))
        name = next((word for word in words if word not in {*reserved, *names.values()}), None)
        if name is not None:
            names[shape] = name
    return names


def _candidates(types: Collection[Type], names: Mapping[Type, str]) -> Iterator[Type]:
    """Long tuples, and what may be of several types, tuples among them, in more than one place; not the parts of such a
    choice that has a name.
    """
    counts = Counter(part for type in types for part in all_parts(type))
    waiting, seen = [*types], set()
    while waiting:
        type = waiting.pop(0)
        if type in seen or not isinstance(type, Composite):
            continue
        seen.add(type)
        has_tuple = any(isinstance(part, TupleOf) for part in type.parts)
        is_choice = isinstance(type, Either) and counts[type] > 1 and has_tuple
        if len(type.parts) >= _LONG and (is_choice or isinstance(type, TupleOf)) and not has_letters(type):
            yield type
        if not (is_choice and type in names):
            waiting += type.parts


def _words(shape: Type, types: Mapping[str, Type]) -> Iterator[str]:
    """Yield names for values of this shape: the last words of the program's names for them, the most frequent first."""
    called = [name for name, type in types.items() if shape in _values(type)]
    words = Counter(
        words_in_name[-1]
        for name in called
        if (words_in_name := _WORD.findall(name)) and words_in_name[-1] not in _NO_NAMES
    )
    yield from (word for word, _ in words.most_common())
    yield from (f"{name}Value" for name in called)


def _values(type: Type) -> tuple[Type, ...]:
    """The types of value that a definition may give."""
    value = type.parts[-1] if isinstance(type, FunctionOf) else type
    return (value, *value.parts) if isinstance(value, Either) else (value,)
