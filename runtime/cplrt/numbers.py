"""Numbers: whole, real and complex. Only `Mod` is attested (O6): the other functions are our choice."""

import cmath
import math
from collections.abc import Callable
from typing import Any

from cplrt.faults import CplFault
from cplrt.show import show


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


def Entier(x: Any) -> Any:
    """The greatest whole number that is not greater than `x`, as in ALGOL 60."""
    return _floor(_real(x))


def Round(x: Any) -> Any:
    """The nearest whole number; of two equally near the greater one."""
    return x if isinstance(_real(x), int) else _floor(x + 0.5)


def SqRt(x: Any) -> Any:
    """The square root."""
    return _of(math.sqrt, cmath.sqrt, x)


def Exp(x: Any) -> Any:
    """The exponential function."""
    return _of(math.exp, cmath.exp, x)


def Ln(x: Any) -> Any:
    """The natural logarithm."""
    return _of(math.log, cmath.log, x)


def Sin(x: Any) -> Any:
    """The sine."""
    return _of(math.sin, cmath.sin, x)


def Cos(x: Any) -> Any:
    """The cosine."""
    return _of(math.cos, cmath.cos, x)


def ArcTan(x: Any) -> Any:
    """The angle of which `x` is the tangent."""
    return _of(math.atan, cmath.atan, x)


def Complex(a: Any, b: Any) -> complex:
    """The complex number of real part `a` and imaginary part `b` (T4: a pair of reals)."""
    return complex(_real(a), _real(b))


def RealPart(z: Any) -> float:
    """The real part of a number."""
    return float(_number(z).real)


def ImaginaryPart(z: Any) -> float:
    """The imaginary part of a number."""
    return float(_number(z).imag)


def _of(real: Callable[[float], float], general: Callable[[complex], complex], x: Any) -> Any:
    try:
        return general(x) if isinstance(x, complex) else real(_real(x))
    except OverflowError:
        raise CplFault(f"the value of this function for {show(x)} is too large") from None
    except ValueError:
        raise CplFault(f"this function has no value for {show(x)}") from None


def _floor(x: float) -> int:
    try:
        return math.floor(x)
    except (ValueError, OverflowError):
        raise CplFault(f"{show(x)} is near no whole number") from None


def _number(x: Any) -> Any:
    if not isinstance(x, int | float | complex) or isinstance(x, bool):
        raise CplFault(f"a number is wanted; this is {show(x)}")
    return x


def _real(x: Any) -> Any:
    if not isinstance(x, int | float) or isinstance(x, bool):
        raise CplFault(f"a real number is wanted; this is {show(x)}")
    return x


def _whole(x: Any) -> int:
    if not isinstance(x, int) or isinstance(x, bool):
        raise CplFault(f"a whole number is wanted; this is {show(x)}")
    return x
