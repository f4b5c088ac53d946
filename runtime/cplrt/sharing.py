"""Long lists that share members, so that taking the tail or prepending a member copies nothing.

CPL goes through a list by `Next` or by `Head` and `Tail`, and makes one by `Join`, a member at a time. On plain lists
each of these steps copies the members, so the time for all of them grows with the square of the length. For the moves
on a board that does not matter, but for a hundred thousand members it does.

Lists that share their members have a plain list in common, which has the members in reverse order: so a new first
member is appended to it. Each of the lists is a beginning of it. Shown with short lists, which in fact are plain ones:

    list            the common list    the members of the list
    C = [3]         3                  the first one of it
    B = Join(2,C)   3, 2               the first two
    A = Join(1,B)   3, 2, 1            all three
    Tail(A)         3, 2, 1            the first two
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

MANY = 256
"""A list with fewer members than this is a plain one: to copy it takes little time."""


def _reading(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method of `SharingList` from a method of `list` that changes nothing. It is given plain copies."""

    def on_copies(*arguments: Any) -> Any:
        copies = [[*value] if isinstance(value, SharingList) else value for value in arguments]
        return method(*copies)

    return on_copies


def _changing(change: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method of `SharingList` from a method of `list` that changes the list. It changes a plain copy, whose
    members the list then takes over.
    """

    def on_own_members(self: Any, *arguments: Any, **options: Any) -> Any:
        members = [*self]
        result = change(members, *arguments, **options)
        self._own(members)
        is_the_list = result is members  # as that of +=
        return self if is_the_list else result

    return on_own_members


class SharingList(list[Any]):
    """A list that shares its members; callers see an ordinary list.

    It is a `list` since cplrt, and whoever calls a program from Python, tells lists by that. But the list that it
    inherits is empty, so every method is replaced. The members are the first `_count` ones of the common list
    `_reversed`, the last of them first.

    A list that is all of the common list may append to it: the other lists do not see that, as they are shorter
    beginnings of it. Nothing else in a common list may change, unless `_is_own` tells that no other list has it. So a
    list whose members are changed first gets a copy of its own.
    """

    __slots__ = ("_count", "_is_own", "_reversed")

    def __init__(self, members: Iterable[Any] = ()) -> None:
        self._own([*members])

    def _own(self, members: list[Any]) -> None:
        """Take these members, in a new common list that no other list has."""
        self._reversed = members[::-1]
        self._count = len(members)
        self._is_own = True

    def tail(self) -> "SharingList":
        """All members but the first. The list must have one."""
        self._is_own = False  # the tail has the same common list
        return self._sharing(self._reversed, self._count - 1)

    def after(self, members: list[Any]) -> "SharingList":
        """These members and then those of this list."""
        is_all_of_it = self._count == len(self._reversed)
        if not is_all_of_it:
            # The next place in the common list is taken by a member of another list.
            self._reversed = self._reversed[: self._count]
        self._is_own = False  # the result has the same common list
        self._reversed += members[::-1]
        return self._sharing(self._reversed, self._count + len(members))

    @staticmethod
    def _sharing(common: list[Any], count: int) -> "SharingList":
        """The list of the first `count` members of a common list."""
        # Without `__init__`, which copies the members.
        result = SharingList.__new__(SharingList)
        result._reversed = common
        result._count = count
        result._is_own = False
        return result

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        members: Iterator[Any] = reversed(self._reversed)
        of_others = len(self._reversed) - self._count
        if not of_others:
            return members  # without `islice`, as that is faster
        return islice(members, of_others, None)

    def __reversed__(self) -> Iterator[Any]:
        return islice(self._reversed, self._count)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and 0 <= index < self._count:
            return self._reversed[self._count - 1 - index]
        return [*self][index]  # an index from the end, a slice, or an error

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, int) and 0 <= index < self._count:
            if not self._is_own:
                self._own([*self])
            self._reversed[self._count - 1 - index] = value
        else:
            # An index from the end, a slice, or an error.
            members = [*self]
            members[index] = value
            self._own(members)

    def __radd__(self, other: list[Any]) -> list[Any]:
        """Add this list to a plain one. `list` has no such method, and would add the empty list that is inherited."""
        return [*other, *self]

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Be pickled as a plain list."""
        return list, ([*self],)

    copy = _reading(list.copy)
    count = _reading(list.count)
    index = _reading(list.index)
    __add__ = _reading(list.__add__)
    __mul__ = _reading(list.__mul__)
    __rmul__ = _reading(list.__rmul__)
    __contains__ = _reading(list.__contains__)
    __repr__ = _reading(list.__repr__)
    __eq__ = _reading(list.__eq__)
    __ne__ = _reading(list.__ne__)
    __lt__ = _reading(list.__lt__)
    __le__ = _reading(list.__le__)
    __gt__ = _reading(list.__gt__)
    __ge__ = _reading(list.__ge__)
    append = _changing(list.append)
    clear = _changing(list.clear)
    extend = _changing(list.extend)
    insert = _changing(list.insert)
    pop = _changing(list.pop)
    remove = _changing(list.remove)
    reverse = _changing(list.reverse)
    sort = _changing(list.sort)
    __delitem__ = _changing(list.__delitem__)
    __iadd__ = _changing(list.__iadd__)
    __imul__ = _changing(list.__imul__)
