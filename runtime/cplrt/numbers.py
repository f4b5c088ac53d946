"""Whole numbers: quotient and remainder."""

from typing import Any

from cplrt.faults import CplFault


def Quotient(a: int, b: int) -> int:
    """How many times `b` goes into `a`, cut off towards zero: `Quotient(-7,2)` is -3 (our choice, as in BCPL)."""
    a, b = _whole(a), _whole(b)
    if b == 0:
        raise CplFault("division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def Remainder(a: int, b: int) -> int:
    """What is left of `a` when `b` has been taken from it as often as `Quotient` says."""
    return a - b * Quotient(a, b)


def _whole(x: Any) -> int:
    if not isinstance(x, int) or isinstance(x, bool):
        raise CplFault(f"a whole number is wanted; this is {x!r}")
    return x
