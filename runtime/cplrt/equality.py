"""Equality of CPL values. In Python `True == 1`; in CPL truth values are not numbers."""

from collections.abc import Iterator
from typing import Any, Final

from cplrt.logical import Logical

_FLAT: Final = frozenset((bool, int, float, str, Logical))
"""Types of values that hold no others. Two of one such type are as Python compares them."""

_COMPARED_BY_PYTHON: Final = _FLAT - {float}
"""Those of which Python compares whole lists as one by one: it takes any number in a list for equal to itself, even
one that is undefined.
"""

_LISTS: Final = frozenset((list, tuple))


def Equal(x: Any, y: Any) -> bool:
    """`x = y`: lists are equal if they are of one sort and their members are.

    Lists may nest to any depth, and may hold themselves, where Python's own `==` fails.
    """
    if type(x) is type(y):
        if type(x) in _FLAT:
            return bool(x == y)
        if type(x) in _LISTS and x and y:  # most lists that differ do so in the first member
            first, second = x[0], y[0]
            if type(first) is type(second) and type(first) in _FLAT and first != second:
                return False
    if not _are_lists(x, y):
        return not _differ(x, y)
    if len(x) != len(y):
        return False
    if type(x) is type(y) and type(x) in _LISTS:
        types = [*map(type, x)]
        if _COMPARED_BY_PYTHON.issuperset(types) and types == [*map(type, y)]:
            return bool(x == y)
    for first, second in zip(x, y, strict=True):  # most lists hold no others
        if type(first) is not type(second) or type(first) not in _FLAT:
            return _are_equal_lists(x, y)
        if first != second:
            return False
    return True


def _are_equal_lists(x: Any, y: Any) -> bool:
    compared = set[tuple[int, int]]()  # lists that are equal unless a difference is found
    waiting: list[Iterator[tuple[Any, Any]]] = [iter([(x, y)])]
    while waiting:
        for first, second in waiting[-1]:
            if _are_lists(first, second):
                if len(first) != len(second):
                    return False
                if (pair := (id(first), id(second))) not in compared:
                    compared.add(pair)
                    waiting.append(zip(first, second, strict=True))
                    break
            elif _differ(first, second):
                return False
        else:
            waiting.pop()
    return True


def _differ(x: Any, y: Any) -> Any:
    return isinstance(x, bool) is not isinstance(y, bool) or x != y


def _are_lists(x: object, y: object) -> bool:
    return (isinstance(x, list) and isinstance(y, list)) or (isinstance(x, tuple) and isinstance(y, tuple))
