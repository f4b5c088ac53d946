"""Names for the shapes that recur in a program's types, after the program's own words for such values.

`StartPosition`, `FinalPosition` and `LegalPositionsFrom` speak of a position; `MakeMove` gives a move.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from cpl.types.types import Composite, Either, FunctionOf, ListOf, TupleOf, Type, all_parts, has_letters

_LONG: Final = 3

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")
_NO_NAMES: Final = ("The", "From", "With", "By", "Of", "To", "For", "In")


def shape_names(types: Mapping[str, Type], reserved: Collection[str]) -> dict[Type, str]:
    """The types that get a name, and that name, which is not `reserved`. `types` are those of the definitions by name,
    in the order of the text.
    """
    names: dict[Type, str] = {}
    for shape in _candidates(types.values(), names):
        words = (*_words(shape, types), *(f"{word}Member" for word in _words(ListOf((shape,)), types)))
        name = next((each for each in words if each not in {*reserved, *names.values()}), None)
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
        has_tuple = any(isinstance(each, TupleOf) for each in type.parts)
        is_choice = isinstance(type, Either) and counts[type] > 1 and has_tuple
        if len(type.parts) >= _LONG and (is_choice or isinstance(type, TupleOf)) and not has_letters(type):
            yield type
        if not (is_choice and type in names):
            waiting += type.parts


def _words(shape: Type, types: Mapping[str, Type]) -> Iterator[str]:
    """What the program calls values of this shape: the last words of its names for them, that of most names first."""
    called = [name for name, type in types.items() if shape in _values(type)]
    words = Counter(found[-1] for name in called if (found := _WORD.findall(name)) and found[-1] not in _NO_NAMES)
    yield from (word for word, _ in words.most_common())
    yield from (f"{name}Value" for name in called)


def _values(type: Type) -> tuple[Type, ...]:
    """The types of value that a definition may give."""
    value = type.parts[-1] if isinstance(type, FunctionOf) else type
    return (value, *value.parts) if isinstance(value, Either) else (value,)
