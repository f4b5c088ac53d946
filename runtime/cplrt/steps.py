"""The numbers that a `for … = step` goes through."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from cplrt.faults import CplFault
from cplrt.show import require, show

_Real = TypeVar("_Real", int, float)


class Steps(Generic[_Real]):
    """`first`, `first + step`, … up to and including `last` (evidence C16)."""

    __slots__ = ("first", "last", "step")

    def __init__(self, first: _Real, step: _Real, last: _Real) -> None:
        for number in (first, step, last):
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
            require(is_number, "a for loop expected a number", number)
        if step == 0:
            raise CplFault("a for loop with step 0 would never end")
        self.first: _Real = first
        self.step: _Real = step
        self.last: _Real = last

    def __iter__(self) -> Iterator[_Real]:
        number = self.first
        while number <= self.last if self.step > 0 else number >= self.last:
            yield number
            before = number
            try:
                number += self.step
            except OverflowError:
                raise CplFault("a number is too large") from None
            if number == before:
                raise CplFault(f"a for loop would never end: {show(number)} and its step make {show(number)} again")
