"""Arrays: storage made by a function (evidence S1), its members reached by subscripts (S2)."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, overload

from cplrt.faults import CplFault
from cplrt.lists import LISTS
from cplrt.numbers import CONVERSIONS, is_whole
from cplrt.show import WHOLE, Shown, require, show

_T = TypeVar("_T")


class Array(Shown):
    """An array with subscripts from a lower to an upper bound, inclusive; with several dimensions, an array of arrays.

    Members have no value until one is assigned; numbers convert to the type of the array (T10). Assigning an array
    shares it; it is not copied (S3).
    """

    __slots__ = ("dimensions", "kind", "lower", "members")
    sort = "array"  # the word by which declared types call it

    def __init__(self, kind: str, *bounds: tuple[int, int]) -> None:
        if not bounds or not isinstance(bounds[0], tuple | list) or len(bounds[0]) != 2:
            raise CplFault("Array takes a type and the two bounds of each dimension: Array[real, (0,15)]")
        lower, upper = bounds[0]
        if not (is_whole(lower) and is_whole(upper) and upper >= lower - 1):
            advice = WHOLE if float in (type(lower), type(upper)) else ""
            raise CplFault(f"expected the bounds of an array, found ({show(lower)},{show(upper)}){advice}")
        self.kind = kind
        self.dimensions = len(bounds)
        self.lower = lower
        self.members: list[Any] = [Array(kind, *bounds[1:]) if bounds[1:] else UNSET for _ in range(lower, upper + 1)]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple):
            member: Any = self
            for subscript in index:
                member = Item(member, subscript)
            return member
        member = self.members[_position(self.members, index, self.lower)]
        if member is UNSET:
            raise CplFault(f"member {index} has no value yet")
        return member

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, tuple):
            *before, index = index
            SetItem(Item(self, *before) if before else self, [index], value)
        else:
            place = _position(self.members, index, self.lower)
            convert = CONVERSIONS.get(self.kind)
            if convert and self.dimensions > 1 and isinstance(value, Array) and value.kind != self.kind:
                raise CplFault(f"expected a row of type {self.kind}, found one of type {value.kind}")
            self.members[place] = convert(value) if convert and self.dimensions == 1 else value

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(self.lower, self.lower + len(self.members)))

    def __len__(self) -> int:
        return len(self.members)

    def shown(self) -> tuple[str, list[Any]]:
        """Its members only."""
        return "", self.members

    def __repr__(self) -> str:
        return f"Array({self.kind!r}, ({self.lower}, {self.lower + len(self.members) - 1})): {show(self)}"


def Formarray(kind: str, bounds: tuple[int, int], members: list[Any]) -> Array:
    """An array with these members (evidence G8): `Formarray[index, (1,3)][2, 3, 5]`."""
    array = Array(kind, bounds)
    if len(members) != len(array):
        raise CplFault(f"Formarray expected {len(array)} members, found {len(members)}")
    for subscript, member in enumerate(members, array.lower):
        array[subscript] = member
    return array


class _Unset(Shown):
    """The content of a member that has no value yet."""

    __slots__ = ()

    def shown(self) -> tuple[str, None]:
        """A question mark: it is not a value."""
        return "?", None

    def __repr__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "UNSET"  # copies and pickles keep it unique


UNSET = _Unset()


@overload
def Item(m: list[_T], index: Any, /) -> _T: ...
@overload
def Item(m: Callable[..., _T], *indices: Any) -> _T: ...
@overload
def Item(m: Any, *indices: Any) -> Any: ...
def Item(m: Any, *indices: Any) -> Any:
    """`m[k]`: a member of an array or of a list (numbered from 0: our choice), or a function applied."""
    if callable(m):
        return m(*indices)
    for index in indices:
        if isinstance(m, LISTS):
            m = m[index if type(index) is int and 0 <= index < len(m) else _position(m, index)]
        elif isinstance(m, Array):
            m = m[index]
        else:
            raise CplFault(f"expected an array or a list, found {show(m)}")
    return m


def SetItem(m: Any, indices: list[Any], value: Any) -> None:
    """`m[k] := value`"""
    *before, last = indices
    m = Item(m, *before) if before else m
    if isinstance(m, Array):
        m[last] = value
    elif isinstance(m, list):
        m[_position(m, last)] = value
    else:
        raise CplFault(f"expected an array to assign to, found {show(m)}")


def _position(members: Any, subscript: Any, lower: int = 0) -> int:
    """Where the member with this subscript is, if that of the first is `lower`."""
    if not is_whole(subscript):  # asked first, as every subscript comes here
        require(False, "expected a whole number as a subscript", subscript)
    index: int = subscript - lower
    if not 0 <= index < len(members):
        limits = f"{lower} to {lower + len(members) - 1}" if members else "there are no members"
        raise CplFault(f"subscript {subscript} is out of bounds ({limits})")
    return index


def ListOf(m: Any) -> list[Any]:
    """The list of the members of an array, in order; the rows, if it has several dimensions."""
    require(isinstance(m, Array), "ListOf expected an array", m)
    return [*m]


def Copy(m: Any) -> Array:
    """A copy of an array (evidence S3). The rows of a multi-dimensional array are copied as well; other arrays that
    are members are shared.
    """
    require(isinstance(m, Array), "Copy expected an array", m)
    copy = Array(m.kind, (m.lower, m.lower - 1))
    copy.dimensions = m.dimensions
    has_rows = m.dimensions > 1
    copy.members = [Copy(member) if has_rows and isinstance(member, Array) else member for member in m.members]
    return copy
