"""Bit strings, and the functions on them that Strachey described in 1966 (evidence S5, E13)."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Protocol, TypeGuard, overload

from cplrt.numbers import is_whole
from cplrt.show import Shown, require


class Bits(Protocol):
    """A bit string, or a value that can stand for one, such as `Nil`."""

    @property
    def bits(self) -> int:
        """Its digits as one whole number."""


class Logical(Shown):
    """A bit string: digits 0 or 1 at positions 0, 1, 2 … without end. It has no length, which is our choice: the
    glossary of 1966 has strings of 45 digits, numbered from 0 to 44 (evidence S5).

    Made from its digits as one whole number, or from the positions of its ones: `Logical(6) == Logical([1, 2])`.
    `&`, `|` and `~` work digit by digit. `x + y` is `x | y` and `x - y` is `x & ~y`, as Strachey's glossary has it.
    """

    __slots__ = ("bits",)
    sort = "logical"  # the word by which declared types call it

    bits: int

    def __init__(self, value: "int | Logical | Iterable[int]") -> None:
        if is_whole(value):
            self.bits = int(value)
        elif isinstance(value, Logical):
            self.bits = value.bits
        else:
            self.bits = 0
            for position in _positions(value):
                self.bits |= 1 << position

    # Here programs spend most of their time, nearly always on plain bit strings. The exact class tells one at once, and
    # `bits_of` has all the rest; `_new` makes one without `__init__`, which asks what it is given.

    def __and__(self, other: Bits) -> "Logical":
        result = _new()
        result.bits = self.bits & (other.bits if type(other) is Logical else bits_of(other))
        return result

    def __or__(self, other: Bits) -> "Logical":
        result = _new()
        result.bits = self.bits | (other.bits if type(other) is Logical else bits_of(other))
        return result

    __add__ = __or__

    def __sub__(self, other: Bits) -> "Logical":
        result = _new()
        result.bits = self.bits & ~(other.bits if type(other) is Logical else bits_of(other))
        return result

    def __invert__(self) -> "Logical":
        result = _new()
        result.bits = ~self.bits
        return result

    def __eq__(self, other: object) -> bool:
        return (type(other) is Logical or is_bits(other)) and self.bits == other.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __lt__(self, other: Bits) -> bool:
        return self.bits < (other.bits if type(other) is Logical else bits_of(other))

    def __gt__(self, other: Bits) -> bool:
        return self.bits > (other.bits if type(other) is Logical else bits_of(other))

    def __bool__(self) -> bool:
        return self.bits != 0

    def __int__(self) -> int:
        return self.bits

    def __contains__(self, position: int) -> bool:
        return bool(self.bits >> position & 1)

    def __iter__(self) -> Iterator[int]:
        """The positions of the ones, the lowest first (without end if almost all are ones)."""
        bits, position = self.bits, 0
        while bits:
            if bits & 1:
                yield position
            bits >>= 1
            position += 1

    def shown(self) -> tuple[str, None]:
        """Show a bit string as the call that makes it."""
        positions = ",".join(map(str, self if self.bits >= 0 else ~self))
        return f"{'~' * (self.bits < 0)}Logical({f'[{positions}]' if positions else 'NIL'})", None

    def __repr__(self) -> str:
        if self.bits < 0:
            return f"~{~self!r}"
        return f"Logical({list(self)})"


_new = partial(Logical.__new__, Logical)
"""A bit string that has no digits yet."""


class Nil(list[Any]):
    """NIL in the readings with `nil=zero`, where it is also the bit string of zeros.

    As a list it is empty; where a bit string is needed it is `Logical(0)`.
    """

    __slots__ = ()
    bits = 0

    def __and__(self, other: Bits) -> Logical:
        return Logical(0) & other

    def __or__(self, other: Bits) -> Logical:
        return Logical(0) | other

    def __add__(self, other: Any) -> Any:
        return Logical(0) + other if is_bits(other) else super().__add__(other)

    def __sub__(self, other: Bits) -> Logical:
        return Logical(0) - other

    def __invert__(self) -> Logical:
        return ~Logical(0)

    def __eq__(self, other: object) -> bool:
        return other.bits == 0 if is_bits(other) else super().__eq__(other)

    def __lt__(self, other: Any) -> bool:
        return Logical(0) < other if is_bits(other) else super().__lt__(other)

    def __gt__(self, other: Any) -> bool:
        return Logical(0) > other if is_bits(other) else super().__gt__(other)


class ArithmeticLogical(Logical):
    """The `Logical` that a module read with `plusminus=arithmetic` passes to Python.

    Between two of them + and − are the operations on whole numbers. What the module itself makes are plain bit
    strings, which mean in every module what its own reading says.
    """

    __slots__ = ()

    def __add__(self, other: Bits) -> Logical:
        return ArithmeticLogical(self.bits + other.bits) if isinstance(other, ArithmeticLogical) else self | other

    def __sub__(self, other: Bits) -> Logical:
        if isinstance(other, ArithmeticLogical):
            return ArithmeticLogical(self.bits - other.bits)
        return super().__sub__(other)


def is_bits(x: object) -> TypeGuard[Logical]:
    """Tell whether this is a bit string or stands for one, as `Nil` does."""
    return isinstance(x, (Logical, Nil))


def _are_bits(x: object, y: object) -> bool:
    return type(x) is type(y) is Logical or (is_bits(x) and is_bits(y))


def _positions(value: Any) -> list[int]:
    positions = [*value] if isinstance(value, Iterable) else None
    are_positions = positions is not None and all(is_whole(position) and position >= 0 for position in positions)
    require(are_positions, "Logical expected a whole number or a list of positions", value)
    return positions or []


def _logical(bits: int) -> Logical:
    result = _new()
    result.bits = bits
    return result


def bits_of(x: Any) -> int:
    """The digits of a bit string as one whole number."""
    require(is_bits(x), "expected a bit string", x)
    bits: int = x.bits
    return bits


def SingleDigitFrom(x: Bits) -> Logical:
    """The lowest one of `x` by itself, as a bit string; zero if `x` has none."""
    bits = x.bits if type(x) is Logical else bits_of(x)
    result = _new()
    result.bits = bits & -bits
    return result


def Shift(x: Bits, n: int) -> Logical:
    """`x` shifted `n` places right, or left if `n` is negative. Digits shifted out on the right are lost. On the left
    none is, as a bit string has no length here; the glossary loses those too (evidence S5).
    """
    bits = x.bits if type(x) is Logical else bits_of(x)
    if type(n) is not int:
        require(is_whole(n), "expected a whole number to shift by", n)
    result = _new()
    result.bits = bits >> n if n > 0 else bits << -n
    return result


def ShiftBits(x: int, n: int) -> int:
    """`Shift` of a bit string that is represented by a whole number, as in an optimised module."""
    if type(n) is not int:
        require(is_whole(n), "expected a whole number to shift by", n)
    return x >> n if n > 0 else x << -n


@overload
def Plus(x: Bits, y: Bits) -> Logical: ...
@overload
def Plus(x: Any, y: Any) -> Any: ...
def Plus(x: Any, y: Any) -> Any:
    """`x + y` where + adds bit strings as whole numbers."""
    return _logical(x.bits + y.bits) if _are_bits(x, y) else x + y


@overload
def Minus(x: Bits, y: Bits) -> Logical: ...
@overload
def Minus(x: Any, y: Any) -> Any: ...
def Minus(x: Any, y: Any) -> Any:
    """`x - y` where − subtracts bit strings as whole numbers; below zero the digits are ones without end."""
    return _logical(x.bits - y.bits) if _are_bits(x, y) else x - y


@overload
def Union(x: Bits, y: Bits) -> Logical: ...
@overload
def Union(x: Any, y: Any) -> Any: ...
def Union(x: Any, y: Any) -> Any:
    """`x + y` where + is the union of bit strings, whatever module made them (see `ArithmeticLogical`)."""
    return x | y if _are_bits(x, y) else x + y


@overload
def Without(x: Bits, y: Bits) -> Logical: ...
@overload
def Without(x: Any, y: Any) -> Any: ...
def Without(x: Any, y: Any) -> Any:
    """`x - y` where − is the difference of bit strings as sets, whatever module made them."""
    return x & ~y if _are_bits(x, y) else x - y
