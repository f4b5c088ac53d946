"""Values of CPL compared across modules, copied and measured. Two modules that are compiled from one text have
different classes for their types of nodes, and a list may have its members in another order.

`traces`, `inputs` and `behaviour` call it. Nothing here recurses: values may nest to any depth, and nodes may form
cycles.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import isinf, isnan
from typing import Any, Final

from cplrt import Array, Cell, ComponentOf, Logical, MemberOf, Node, show
from cplrt.faults import NoValue
from cplrt.show import Shown

MOST_PARTS: Final = 100_000
"""Parts of a value beyond this number are ignored."""

_END: Final = object()
"""Stands for the end of members."""


def same(one: Any, other: Any, ordered: bool = True) -> bool:
    """Whether two values are the same to a CPL program.

    Numbers are what they count (1 and 1.0 are the same, nan is nan), nodes the names of their types and their
    components, functions their names (those within others have none). If not `ordered`, lists are the same if they
    have the same members, however often each, in any order, at any depth.
    """
    return one is other or canonical(one, ordered) == canonical(other, ordered)


def canonical(value: Any, ordered: bool = True) -> str:
    """A text that two values have in common if they are the `same`, and no other two."""
    found: list[str] = []
    # The compounds round the current value: their names, the members that wait, and where in `found` members begin.
    compounds: list[tuple[str, Iterator[Any], list[int]]] = [("", iter([value]), [])]
    depths: dict[int, int] = {}  # of the same, by identity
    for _ in range(5 * MOST_PARTS):
        name, members, begins = compounds[-1]
        current = next(members, _END)
        if current is not _END:
            begins.append(len(found))
            compound = _compound(current)
            if compound is None:
                found.append(f"{_atom(current)},")
            elif id(current) in depths:
                found.append(f"^{len(depths) - depths[id(current)]},")
            else:
                depths[id(current)] = len(depths)
                found.append(f"{compound[0]}(")
                compounds.append((compound[0], iter(compound[1]), []))
        elif len(compounds) == 1:
            break
        else:
            compounds.pop()
            depths.popitem()
            if name == "list" and begins and not ordered:
                ends = [*begins[1:], len(found)]
                found[begins[0] :] = sorted("".join(found[begin:end]) for begin, end in zip(begins, ends, strict=True))
            found.append("),")
    return "".join(found)


def measure(arguments: tuple[Any, ...]) -> tuple[int, str]:
    """By this the smallest witness is found: how long it is as CPL writes it, then its text."""
    text = show(arguments)
    return len(text), text


def parts(value: Any) -> Iterator[Any]:
    """A value and all that is within it, each compound once; up to MOST_PARTS."""
    return islice(_parts(value), MOST_PARTS)


def is_small(value: Any, most: int) -> bool:
    """Whether a value holds no more than so many others."""
    return sum(1 for _ in islice(_parts(value), most + 1)) <= most


def _parts(value: Any) -> Iterator[Any]:
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        compound = _compound(part)
        if compound is not None:
            if id(part) in seen:
                continue
            seen.add(id(part))
            waiting += reversed(compound[1])
        yield part


def copied(value: Any, exchange: Callable[[Any], Any] = lambda part: part) -> Any:
    """A value with places of its own: what a program assigns to in it does not change the original, and what was one
    place stays one. The very value if it holds no places.

    `exchange` may put others in place of functions, types and empty lists.
    """
    copies: dict[int, Any] = {}
    waiting: list[tuple[Any, Any]] = []

    def copy_of(part: Any) -> Any:
        if id(part) in copies:
            return copies[id(part)]
        match part:
            case tuple():
                members = tuple([copy_of(member) for member in part])
                return members if any(new is not old for new, old in zip(members, part, strict=True)) else part
            case list() if not part:
                return exchange(part)  # it holds no places; how it is read, it may stand for a bit string
            case list():
                copy: Any = []
            case Node():
                kind = exchange(type(part))
                copy = kind.__new__(kind)
            case Array() | Cell() | MemberOf() | ComponentOf():
                copy = type(part).__new__(type(part))
            case _:
                return exchange(part) if callable(part) else part
        copies[id(part)] = copy
        waiting.append((part, copy))
        return copy

    result = copy_of(value)
    while waiting:
        old, new = waiting.pop()
        if isinstance(old, list):
            new += map(copy_of, old)
            continue
        for name in type(old).__slots__:
            with suppress(NoValue):  # a place may have none yet
                held = getattr(old, name)  # the members of an array are a list that belongs to it alone
                setattr(new, name, [*map(copy_of, held)] if name == "members" else copy_of(held))
    return result


def _compound(value: Any) -> tuple[str, Sequence[Any]] | None:
    """What kind of compound value this is, and its members in order; None if it is none."""
    match value:
        case list():
            return "list", value
        case tuple():
            return "tuple", value
        case Array(lower=lower, members=members):
            return f"array{lower}:", members
        case Shown():
            name, within = value.shown()
            return None if within is None else (name, [*within])
        case _:
            return None


def _atom(value: Any) -> str:
    match value:
        case bool() | None:
            return str(value)
        case complex(imag=imaginary) if imaginary:
            return f"{_atom(value.real)}+{_atom(imaginary)}i"
        case complex():
            return _atom(value.real)
        case float() if isinf(value) or isnan(value) or not value.is_integer():
            return repr(value)
        case int() | float():
            return f"{int(value):x}"
        case Logical(bits=bits):
            return f"bits {bits:x}"
        case str():
            return f"‘{len(value)}:{value}"
        case _:
            return f"{type(value).__name__} {show(value)}"
