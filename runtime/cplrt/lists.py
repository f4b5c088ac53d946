"""The list functions that Strachey described in 1966 and did not print (evidence S4).

A list is a Python list. A list written in round brackets, such as a position, is a Python tuple: `Null`, `Head`, `Tail`
and `Next` take it as the list that it is; `Join` and `MinList` take it as one member, as the recorded examples need.
"""

from typing import TYPE_CHECKING, Any, Final, Never, TypeVar, overload

from cplrt.equality import Equal
from cplrt.faults import CplFault
from cplrt.logical import Logical
from cplrt.nodes import Node
from cplrt.sharing import MANY, SharingList
from cplrt.show import require

if TYPE_CHECKING:
    from typing_extensions import TypeIs
else:

    class TypeIs:
        """What Python 3.13 has in `typing`. When a program runs, it is the type of a truth value."""

        def __class_getitem__(cls, _: object) -> type[bool]:
            return bool


_T = TypeVar("_T")

LISTS: Final = (list, tuple)
"""The types of lists. (Python would make `list | tuple` anew each time.)"""

_MAYBE_EMPTY: Final = (*LISTS, Logical, str)


@overload
def Null(x: Node | tuple[Any, ...] | list[Never]) -> TypeIs[list[Never]]: ...
@overload
def Null(x: object) -> bool: ...
def Null(x: object) -> bool:
    """Tell whether `x` is the empty list, the empty string, or the bit string of zeros alone; no node is (S8)."""
    if type(x) is Logical:
        return not x.bits
    if isinstance(x, _MAYBE_EMPTY):
        return not x
    require(isinstance(x, Node), "Null expected a list or a bit string", x)
    return False


@overload
def Head(L: list[_T]) -> _T: ...
@overload
def Head(L: Any) -> Any: ...
def Head(L: Any) -> Any:
    """The first member of a list."""
    return L[0] if type(L) is list and L else _members(L, "Head")[0]


@overload
def Tail(L: list[_T]) -> list[_T]: ...
@overload
def Tail(L: Any) -> list[Any]: ...
def Tail(L: Any) -> list[Any]:
    """The list of all members but the first."""
    return L[1:] if type(L) is list and 0 < len(L) < MANY else _tail(_members(L, "Tail"))


@overload
def Next(L: list[_T]) -> tuple[_T, list[_T]]: ...
@overload
def Next(L: Any) -> tuple[Any, list[Any]]: ...
def Next(L: Any) -> tuple[Any, list[Any]]:
    """The head and the tail of a list: `(Head(L), Tail(L))`."""
    if type(L) is list and 0 < len(L) < MANY:
        return L[0], L[1:]
    members = _members(L, "Next")
    return members[0], _tail(members)


@overload
def Join(L1: list[_T], L2: list[_T]) -> list[_T]: ...
@overload
def Join(L1: _T | list[_T], L2: list[_T]) -> list[_T]: ...
@overload
def Join(L1: Any, L2: Any) -> list[Any]: ...
def Join(L1: Any, L2: Any) -> list[Any]:
    """The members of `L1` followed by those of `L2`. An argument that is not a list counts as a list of one member."""
    first = L1 if isinstance(L1, list) else [L1]
    second = L2 if isinstance(L2, list) else [L2]
    if len(first) + len(second) < MANY:
        return [*first, *second]
    if not isinstance(second, SharingList):
        if len(second) < MANY:
            return [*first, *second]
        second = SharingList(second)
    return second.after(first)


@overload
def MinList(*items: list[_T]) -> list[_T]: ...
@overload
def MinList(*items: _T | list[Never]) -> list[_T]: ...
def MinList(*items: Any) -> list[Any]:
    """The members of the lists, without those that are `Null` and without repetitions. An argument that is not a list
    counts as a list of one member.

    They stay in the order in which they were given. (Strachey leaves the order open.)
    """
    result: list[Any] = []
    for item in items:
        for member in item if isinstance(item, list) else [item]:
            is_null = isinstance(member, _MAYBE_EMPTY) and not member
            if not is_null and not any(Equal(member, present) for present in result):
                result.append(member)
    return result


def _tail(members: Any) -> list[Any]:
    """All members but the first, without copying them if they are many."""
    if len(members) < MANY:
        return list(members[1:])
    return (members if isinstance(members, SharingList) else SharingList(members)).tail()


def _members(L: Any, function: str) -> Any:
    require(isinstance(L, LISTS), f"{function} expected a list", L)
    if not L:
        raise CplFault(f"{function} of NIL: the list is empty")
    return L
