"""Names for the shapes that recur in a program's types, after the program's own words for such values.

`StartPosition`, `FinalPosition` and `LegalPositionsFrom` speak of a position; `MakeMove` gives a move.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from cpl.types.types import Either, FunctionOf, ListOf, TupleOf, Type, Unknown, all_parts, parts

_LONG: Final = 3

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")
_NO_NAMES: Final = ("The", "From", "With", "By", "Of", "To", "For", "In")


def shape_names(types: Mapping[str, Type], reserved: Collection[str]) -> dict[Type, str]:
    """The types that get a name, and that name, which is not `reserved`. `types` are those of the definitions by name,
    in the order of the text.
    """
    names: dict[Type, str] = {}
    for candidates in (_choices(types.values()), _tuples(types.values(), names)):
        for shape in candidates:
            words = (*_words(shape, types), *(f"{word}Member" for word in _words(ListOf(shape), types)))
            name = next((each for each in words if each not in {*reserved, *names.values()}), None)
            if name is not None:
                names[shape] = name
    return names


def _choices(types: Iterable[Type]) -> Iterator[Type]:
    """What may be of several types, tuples among them, in more than one place."""
    counts = Counter(part for type in types for part in all_parts(type) if isinstance(part, Either))
    for choice, count in counts.items():
        assert isinstance(choice, Either)
        several = len(choice.options) >= _LONG and any(isinstance(each, TupleOf) for each in choice.options)
        if several and count > 1 and not _is_open(choice):
            yield choice


def _tuples(types: Iterable[Type], names: Mapping[Type, str]) -> Iterator[Type]:
    """Tuples that are long, and not only parts of what has a name."""
    waiting, seen = [*types], set()
    while waiting:
        type = waiting.pop(0)
        if type in names or type in seen:
            continue
        seen.add(type)
        waiting += parts(type)
        if isinstance(type, TupleOf) and len(type.items) >= _LONG and not _is_open(type):
            yield type


def _is_open(type: Type) -> bool:
    return any(isinstance(each, Unknown) and each.letter for each in all_parts(type))


def _words(shape: Type, types: Mapping[str, Type]) -> Iterator[str]:
    """What the program calls values of this shape: the last words of its names for them, that of most names first."""
    called = [name for name, type in types.items() if shape in _values(type)]
    words = Counter(found[-1] for name in called if (found := _WORD.findall(name)) and found[-1] not in _NO_NAMES)
    yield from (word for word, _ in words.most_common())
    yield from (f"{name}Value" for name in called)


def _values(type: Type) -> tuple[Type | None, ...]:
    """The types of value that a definition may give."""
    value = type.result if isinstance(type, FunctionOf) else type
    return (value, *value.options) if isinstance(value, Either) else (value,)
