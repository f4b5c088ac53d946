"""Operators that are chosen at run time, where the compiler does not know the types of the operands."""

from collections.abc import Callable
from math import inf
from typing import Any

from cplrt.faults import CplFault
from cplrt.logical import is_bits
from cplrt.show import show

infinity = inf
"""∞, greater than every number."""


def Juxtapose(f: Any, x: Any) -> Any:
    """`f(x)` with a small name f: a call if f is a function, else a product."""
    if callable(f):
        return f(x)
    if isinstance(f, bool) or isinstance(x, bool):
        raise CplFault(f"× expected two numbers, found {show(f)} and {show(x)}")
    return f * x


def Not(x: Any) -> Any:
    """`~x`, of a truth value or a bit string."""
    if isinstance(x, bool):
        return not x
    if is_bits(x):
        return ~x
    raise CplFault(f"~ expected a truth value or a bit string, found {show(x)}")


def And(x: Any, y: Callable[[], Any]) -> Any:
    """`x ∧ y`, of truth values (`y` is evaluated only if `x` is true) or bit strings."""
    if isinstance(x, bool):
        return x and y()
    return x & y()


def Same(x: Any, y: Any) -> Any:
    """`x ≡ y`: whether two truth values are the same; of bit strings, digit by digit."""
    if isinstance(x, bool) and isinstance(y, bool):
        return x == y
    if is_bits(x) and is_bits(y):
        return (x & y) | (~x & ~y)
    raise CplFault(f"≡ expected two truth values or two bit strings, found {show(x)} and {show(y)}")


def Differ(x: Any, y: Any) -> Any:
    """`x ≢ y`: the opposite of `x ≡ y`."""
    return Not(Same(x, y))


def Or(x: Any, y: Callable[[], Any]) -> Any:
    """`x ∨ y`, of truth values (`y` is evaluated only if `x` is false) or bit strings."""
    if isinstance(x, bool):
        return x or y()
    return x | y()
