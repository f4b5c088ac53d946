"""Ranges of whole numbers, and what the operators of Python make of them: the width analysis.

A bit string is a number of endless two's complement, so a range says which bits may be set: those of [0, 255] are
eight, and a negative number has all bits above some place.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_Bound = int | None


@dataclass(frozen=True)
class Range:
    """The numbers from `least` to `most`; a bound of None is infinite."""

    least: _Bound
    most: _Bound

    @property
    def fits(self) -> bool:
        """Whether all of them are numbers of 64 bits, and their negatives too."""
        return self.least is not None and self.most is not None and self.least > -_WORD and self.most < _WORD

    @property
    def is_constant(self) -> bool:
        """Whether it is one number only."""
        return self.least is not None and self.least == self.most

    @property
    def is_positive(self) -> bool:
        """Whether none is negative."""
        return self.least is not None and self.least >= 0

    def joined(self, other: "Range") -> "Range":
        """The least range that holds both."""
        least = None if self.least is None or other.least is None else min(self.least, other.least)
        most = None if self.most is None or other.most is None else max(self.most, other.most)
        return Range(least, most)

    def widened(self) -> "Range":
        """A range with bounds of which there are few, so that growth comes to an end."""
        least = None if self.least is None else next((-each for each in _STEPS if -each <= self.least), None)
        most = None if self.most is None else next((each for each in _STEPS if each >= self.most), None)
        return Range(least, most)


_WORD: Final = 1 << 63
_STEPS: Final = (0, *((1 << bits) - 1 for bits in (1, 4, 8, 16, 32, 40, 50, 63)))

ALL: Final = Range(None, None)
"""All whole numbers."""
_MOST_SHIFT: Final = 200
"""Shifts by more than this are not followed."""


def _sum(one: Range, two: Range) -> Range:
    least = None if one.least is None or two.least is None else one.least + two.least
    most = None if one.most is None or two.most is None else one.most + two.most
    return Range(least, most)


def negative(one: Range) -> Range:
    """Of `-x`."""
    return Range(None if one.most is None else -one.most, None if one.least is None else -one.least)


def complement(one: Range) -> Range:
    """Of `~x`, which is `-x - 1`."""
    return _sum(negative(one), Range(-1, -1))


def _difference(one: Range, two: Range) -> Range:
    return _sum(one, negative(two))


def _product(one: Range, two: Range) -> Range:
    if one.least is None or one.most is None or two.least is None or two.most is None:
        return Range(0, None) if one.is_positive and two.is_positive else ALL
    corners = [a * b for a in (one.least, one.most) for b in (two.least, two.most)]
    return Range(min(corners), max(corners))


def _and(one: Range, two: Range) -> Range:
    if one.is_positive or two.is_positive:
        bounds = [each.most for each in (one, two) if each.is_positive and each.most is not None]
        return Range(0, min(bounds, default=None))
    return _of_digits(one, two)


def _or(one: Range, two: Range) -> Range:
    return _of_digits(one, two)


def _of_digits(one: Range, two: Range) -> Range:
    """The numbers that need no more digits than these."""
    bounds = [one.least, one.most, two.least, two.most]
    if one.is_positive and two.is_positive:
        known = [each for each in bounds if each is not None]
        return Range(0, (1 << max(known).bit_length()) - 1 if len(known) == len(bounds) else None)
    digits = max(-1 if each is None else (each if each >= 0 else ~each).bit_length() for each in bounds)
    return ALL if None in bounds else Range(-1 << digits, (1 << digits) - 1)


def _left(one: Range, two: Range) -> Range:
    """Of `x << n`, which fails if n is negative."""
    if one.least is None or one.most is None or two.most is None or two.most > _MOST_SHIFT:
        return Range(0, None) if one.is_positive else ALL
    least, most = max(0, two.least or 0), max(0, two.most)
    corners = [bound << count for bound in (one.least, one.most) for count in (least, most)]
    return Range(min(corners), max(corners))


def _right(one: Range, two: Range) -> Range:
    """Of `x >> n`, which fails if n is negative."""
    count = min(max(0, two.least or 0), _MOST_SHIFT)
    least = None if one.least is None else min(one.least >> count, 0 if one.least >= 0 else one.least)
    most = None if one.most is None else max(one.most >> count, -1 if one.most < 0 else 0)
    return Range(least, most)


_BINARY: Final[dict[str, Callable[[Range, Range], Range]]] = {
    "Add": _sum,
    "Sub": _difference,
    "Mult": _product,
    "BitAnd": _and,
    "BitOr": _or,
    "BitXor": _or,
    "LShift": _left,
    "RShift": _right,
}


def result(operator: str, one: Range, two: Range) -> Range | None:
    """The range of what an operator of Python gives; None if it may be no whole number."""
    return _BINARY[operator](one, two) if operator in _BINARY else None
