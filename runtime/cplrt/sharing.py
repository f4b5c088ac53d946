"""Long lists that share members, so that taking the tail or prepending a member copies nothing.

CPL goes through a list by `Next` or by `Head` and `Tail`, and makes one by `Join`, a member at a time. With plain lists
the work and the memory of that grow with the square of the length: that does not matter for the moves on a board, but
for a hundred thousand members.

Were such lists long, the three of `Join(1, Join(2, [3]))` would share one list of 3, 2, 1, in reverse order: the
innermost is its first member, the next one its first two, and the outermost all of it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

MANY = 256
"""Shorter lists are plain ones."""


def _reading(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that leaves lists as they are, for a list that shares its members: it sees plain copies."""

    def on_copies(*arguments: Any) -> Any:
        return method(*[[*value] if isinstance(value, SharingList) else value for value in arguments])

    return on_copies


def _changing(change: Callable[..., Any]) -> Callable[..., Any]:
    """A method that changes a list, for a list that shares its members: it copies them first."""

    def on_own_members(self: Any, *arguments: Any, **options: Any) -> Any:
        members = [*self]
        result = change(members, *arguments, **options)
        self._own(members)
        return self if result is members else result

    return on_own_members


class SharingList(list[Any]):
    """A list that shares its members; callers see an ordinary list.

    The members stand in reverse in a list that several `SharingList`s have in common, each the first so many of it.
    Whoever has all of it may add to it without the others seeing: that is how a member is put before a list. A list
    whose members change has them to itself, until it is shared again.
    """

    __slots__ = ("_count", "_is_own", "_reversed")

    def __init__(self, members: Iterable[Any] = ()) -> None:
        self._own([*members])

    def _own(self, members: list[Any]) -> None:
        self._reversed = members[::-1]
        self._count = len(members)
        self._is_own = True

    def tail(self) -> "SharingList":
        """All members but the first."""
        self._is_own = False
        return self._sharing(self._reversed, self._count - 1)

    def after(self, members: list[Any]) -> "SharingList":
        """These members and then those of this list."""
        if self._count < len(self._reversed):
            self._reversed = self._reversed[: self._count]
        self._is_own = False
        self._reversed += members[::-1]
        return self._sharing(self._reversed, self._count + len(members))

    @staticmethod
    def _sharing(common: list[Any], count: int) -> "SharingList":
        result = SharingList.__new__(SharingList)
        result._reversed = common
        result._count = count
        result._is_own = False
        return result

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        skipped = len(self._reversed) - self._count
        return islice(reversed(self._reversed), skipped, None) if skipped else reversed(self._reversed)

    def __reversed__(self) -> Iterator[Any]:
        return islice(self._reversed, self._count)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and 0 <= index < self._count:
            return self._reversed[self._count - 1 - index]
        return [*self][index]

    def __setitem__(self, index: Any, value: Any) -> None:
        if not (isinstance(index, int) and 0 <= index < self._count):
            members = [*self]
            members[index] = value
            self._own(members)
            return
        if not self._is_own:
            self._own([*self])
        self._reversed[self._count - 1 - index] = value

    def __radd__(self, other: list[Any]) -> list[Any]:
        return [*other, *self]

    def __reduce_ex__(self, protocol: Any) -> Any:
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
