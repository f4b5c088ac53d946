"""What is known of a value of Python: the range of a whole number, what a tuple and a list hold.

A value is an approximation: everything that a variable may hold is within it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cpl.native import ranges
from cpl.native.ranges import Range

_DEEPEST: Final = 5
"""Tuples nested deeper than this are of any type."""


@dataclass(frozen=True)
class Kind:
    """A value of which only the kind is known."""

    name: str


NOTHING: Final = Kind("nothing")
"""No value: of what is never reached."""
BOOLEAN: Final = Kind("boolean")
ANYTHING: Final = Kind("anything")


@dataclass(frozen=True)
class Int:
    """A whole number in a range."""

    range: Range


@dataclass(frozen=True)
class Tuple:
    """A tuple of these values."""

    items: tuple["Value", ...]


class List:
    """A list, by what its members are. Lists that may be the same list share this."""

    def __init__(self) -> None:
        self.members = Cell()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self.members.root is other.members.root

    def __hash__(self) -> int:
        return id(self.members.root)


Value = Kind | Int | Tuple | List

WHOLE: Final = Int(ranges.ALL)
"""Any whole number."""


class Cell:
    """What a variable may hold: it grows as values flow to it. `root` is the cell that this one was united with."""

    changes = 0
    """How often any cell has grown."""

    def __init__(self) -> None:
        self._value: Value = NOTHING
        self._growth = 0
        self._united: Cell | None = None

    @property
    def root(self) -> "Cell":
        """The cell that stands for this one and those that it was united with."""
        cell = self
        while cell._united:
            cell = cell._united
        return cell

    @property
    def value(self) -> Value:
        """All that came so far."""
        return self.root._value

    def add(self, value: Value) -> None:
        """Let a value flow into the cell."""
        while True:
            cell = self.root
            joined = join(cell._value, value)
            if cell is not self.root:  # to join the values, it was united with another
                continue
            if joined == cell._value:
                return
            Cell.changes += 1
            cell._growth += 1
            cell._value = _widened(joined) if cell._growth > _PATIENCE else joined

    def unite(self, other: "Cell") -> None:
        """Make two cells one."""
        one, two = self.root, other.root
        if one is not two:
            Cell.changes += 1
            value, two._united = two._value, one
            one.add(value)


_PATIENCE: Final = 3
"""A range that has grown so often is widened."""


def join(one: Value, two: Value) -> Value:
    """What is either of two values."""
    match one, two:
        case _ if one == two:
            return one
        case (Kind(name="nothing"), other) | (other, Kind(name="nothing")):
            return other
        case Int(), Int():
            return Int(one.range.joined(two.range))
        case Tuple(), Tuple() if len(one.items) == len(two.items):
            return cut(Tuple(tuple([join(*each) for each in zip(one.items, two.items, strict=True)])))
        case List(), List():
            one.members.unite(two.members)
            return one
        case _:
            let_go(one)
            let_go(two)
            return ANYTHING


def cut(value: Value) -> Value:
    """A value; anything if it nests too deep."""
    if _depth(value) > _DEEPEST:
        let_go(value)
        return ANYTHING
    return value


def _depth(value: Value) -> int:
    return 1 + max(map(_depth, value.items), default=0) if isinstance(value, Tuple) else 0


def let_go(value: Value) -> None:
    """Note that a value goes where it is not followed: anything may be put into its lists."""
    for each in lists(value):
        before = each.members.value
        if before != ANYTHING:
            each.members.add(ANYTHING)
            let_go(before)


def lists(value: Value) -> Iterator[List]:
    """The lists in a value, without those in lists."""
    match value:
        case List():
            yield value
        case Tuple(items=items):
            for each in items:
                yield from lists(each)


def _widened(value: Value) -> Value:
    match value:
        case Int(range=range):
            return Int(range.widened())
        case Tuple(items=items):
            return Tuple(tuple(map(_widened, items)))
        case _:
            return value
