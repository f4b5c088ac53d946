"""Types as values, for `--types`, annotations and messages: operations on them, their notation, names for them.

They are written as Strachey wrote types in 1967 (evidence T12): `α list`, `(α ⇒ β, α list) ⇒ β list`.
"""

import re
from collections import Counter, deque
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
    return _with_parts(type, tuple(map(change, type.parts)))


def _with_parts(type: Composite, parts: tuple[Type, ...]) -> Type:
    """A type that is made of other parts in the same way."""
    return either(parts) if isinstance(type, Either) else replace(type, parts=parts)


def either(options: Sequence[Type]) -> Type:
    """The join of types: a choice between them, each once, NIL last; the type itself if there is only one.

    No choice stands within a choice: a choice among the options is made one with the others, and deeper ones, such as
    that in `(α or β) list`, become general.
    """
    is_choice = len({*options}) > 1

    flat: dict[Type, None] = {}
    for option in options:
        for part in option.parts if isinstance(option, Either) else (option,):
            simple = rebuilt(part, _without_choice) if is_choice else part
            flat[simple] = None

    if len(flat) == 1:
        [only] = flat
        return only
    if not flat or len(flat) > MOST_OPTIONS or any(isinstance(option, Unknown) for option in flat):
        return GENERAL
    return Either(tuple(sorted(flat, key=_rank_in_choice)))


def _without_choice(type: Type) -> Type:
    return GENERAL if isinstance(type, Either) else rebuilt(type, _without_choice)


def _rank_in_choice(option: Type) -> tuple[bool, bool]:
    """The order within a choice: composite types, then basic ones, then NIL."""
    return option == NIL, isinstance(option, Basic)


def narrowed(general: Type, used: Type) -> Type:
    """A definition's type: `general`, which its own text tells, with what that leaves open as the program has `used`
    it.
    """
    match general, used:
        case Unknown(), Unknown():
            return general
        case Unknown(), _:
            return used
        case (Basic(name="integer"), Basic(name="real")) | (Basic(), Basic(name="number")):
            return general
        case Composite(some), Composite(others) if type(general) is type(used) and len(some) == len(others):
            return _with_parts(general, tuple(map(narrowed, some, others)))
        case _, Unknown(letter=""):
            return general
        case _:
            says_less = has_letters(used) and not has_letters(general)
            return general if says_less else used


def has_letters(type: Type) -> bool:
    """Whether some part of a type is a type variable with a letter."""
    return any(isinstance(part, Unknown) and part.letter for part in all_parts(type))


def lettered(type: Type) -> Type:
    """Letter the unknown parts of a type from α on; numbers of unknown width become real."""
    letters: dict[str, str] = {}

    def renamed(part: Type) -> Type:
        match part:
            case Unknown(letter=""):
                return part
            case Unknown(letter=letter):
                next_letter = LETTERS[len(letters) % len(LETTERS)]
                return Unknown(letters.setdefault(letter, next_letter))
            case Basic(name="number"):
                return Basic("real")
            case _:
                return rebuilt(part, renamed)

    return renamed(type)


# Notation


# How tightly a notation binds: `or` binds less than `⇒`, and that less than `list`.
_OR, _ARROW, _ATOM = 1, 2, 3

_MANY: Final = 4
"""A tuple of more than so many parts of one type is written as a list."""


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
        case ByReference((contents,)):
            text = f"ref {written(contents, names, _ARROW)}"
            return f"({text})" if rank > 0 else text
        case BySubstitution((ByReference((value,)) | value,)):
            text = f"substitution {written(value, names, _ARROW)}"
            return f"({text})" if rank > 0 else text
        case PointerTo((contents,)):
            return f"{written(contents, names, _ATOM)} pointer"
        case TupleOf((item, *rest)) if len(rest) >= _MANY and {*rest} == {item}:
            return f"{written(item, names, _ATOM)} list"  # in round brackets
        case TupleOf(items):
            return _in_brackets(items, names)
        case Either(options):
            text = " or ".join([written(option, names, _ARROW) for option in options])
            return f"({text})" if rank > _OR else text
        case _:
            *parameters, result = type.parts
            text = f"{_parameters(parameters, names)} ⇒ {_result(result, names)}"
            return f"({text})" if rank > 0 else text


def _parameters(parameters: Sequence[Type], names: Mapping[Type, str]) -> str:
    if len(parameters) == 1:
        [only] = parameters
        # A tuple has brackets of its own, which would look like those of several parameters.
        if not isinstance(only, TupleOf) or only in names:
            return written(only, names, _ATOM)
    return _in_brackets(parameters, names)


def _result(result: Type, names: Mapping[Type, str]) -> str:
    if result == NOTHING:
        return "()"
    return written(result, names, _OR if isinstance(result, FunctionOf) else 0)


def _in_brackets(types: Sequence[Type], names: Mapping[Type, str]) -> str:
    return f"({', '.join([written(type, names) for type in types])})"


# Names for shapes that recur

_LONG: Final = 3
"""A type of fewer parts than this is short enough to need no name."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")
_PREPOSITIONS: Final = ("Of", "From")
"""Words after the one that counts: `BoardOf` gives a board."""

_NO_NAMES: Final = ("The", "From", "With", "By", "Of", "To", "For", "In")


def shape_names(types: Mapping[str, Type], reserved: Collection[str]) -> dict[Type, str]:
    """Choose names for the shapes that recur in a program's types, after the program's own words for such values:
    `StartPosition`, `FinalPosition` and `LegalPositionsFrom` speak of a position; `MakeMove` gives a move.

    `types` are those of the definitions by name, in the order of the text. No name is among those `reserved`.
    """
    names: dict[Type, str] = {}
    for shape in _candidates(types.values(), names):
        words_of_lists = _words(ListOf((shape,)), types)
        words = (*_words(shape, types), *(f"{word}Member" for word in words_of_lists))
        excluded = {*reserved, *names.values()}
        free = [word for word in words if word not in excluded]
        if free:
            names[shape] = free[0]
    return names


def _candidates(types: Collection[Type], names: Mapping[Type, str]) -> Iterator[Type]:
    """The shapes that deserve a name, the outer ones first: long tuples, and choices with tuples among their options
    that stand in more than one place.

    The caller adds to `names` while this goes on: the parts of a choice that got a name are no candidates.
    """
    counts = Counter[Type]()
    for type in types:
        counts.update(all_parts(type))

    waiting, seen = deque(types), set[Type]()
    while waiting:
        type = waiting.popleft()
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
    """Yield names for values of this shape: the last words of the program's names for them, the most frequent first. If
    all names with a word begin with an underscore, as those of optimised functions do, so does the word.
    """
    called = [name for name, type in types.items() if shape in _values(type)]

    names_with: dict[str, list[str]] = {}
    for name in called:
        words = _WORD.findall(name)
        if len(words) > 1 and words[-1] in _PREPOSITIONS:
            del words[-1]
        if words and words[-1] not in _NO_NAMES:
            names_with.setdefault(words[-1], []).append(name)

    for word, names in sorted(names_with.items(), key=lambda item: -len(item[1])):
        is_within = all(name.startswith("_") for name in names)
        yield f"_{word}" if is_within else word
    for name in called:
        yield f"{name}Value"


def _values(type: Type) -> tuple[Type, ...]:
    """The types of value that a definition may give."""
    value = type.parts[-1] if isinstance(type, FunctionOf) else type
    return (value, *value.parts) if isinstance(value, Either) else (value,)
