"""Numbers: whole, real and complex. Only `Mod` is attested (O6): the other functions are our choice."""

import cmath
import math
from collections.abc import Callable
from typing import Any, Final, TypeGuard, TypeVar

from cplrt.faults import CplFault
from cplrt.show import require, show

_Number = TypeVar("_Number", float, complex)


def Quotient(a: float, b: float) -> int:
    """`a` divided by `b`, truncated towards zero: `Quotient(-7,2)` is -3 (our choice, as in BCPL)."""
    m, n = _whole(a), _whole(b)
    if n == 0:
        raise CplFault("division by zero")
    quotient = abs(m) // abs(n)
    return quotient if (m < 0) == (n < 0) else -quotient


def Remainder(a: float, b: float) -> int:
    """The remainder of `Quotient(a,b)`: `a - b × Quotient(a,b)`."""
    m, n = _whole(a), _whole(b)
    return m - n * Quotient(m, n)


def Entier(x: float) -> int:
    """The greatest whole number not above `x`, as in ALGOL 60."""
    return _floor(_real(x))


def Round(x: float) -> int:
    """The nearest whole number; halves round up."""
    number = _real(x)
    below = _floor(number)
    return below + (number - below >= 0.5)


def SqRt(x: _Number) -> _Number:
    """The square root."""
    return _of(math.sqrt, cmath.sqrt, x)


def Exp(x: _Number) -> _Number:
    """The exponential function."""
    return _of(math.exp, cmath.exp, x)


def Ln(x: _Number) -> _Number:
    """The natural logarithm."""
    return _of(math.log, cmath.log, x)


def Sin(x: _Number) -> _Number:
    """The sine."""
    return _of(math.sin, cmath.sin, x)


def Cos(x: _Number) -> _Number:
    """The cosine."""
    return _of(math.cos, cmath.cos, x)


def ArcTan(x: _Number) -> _Number:
    """The arc tangent, in radians."""
    return _of(math.atan, cmath.atan, x)


def Complex(a: float, b: float) -> complex:
    """The complex number with real part `a` and imaginary part `b` (T4: a pair of reals)."""
    return complex(_real(a), _real(b))


def RealPart(z: complex) -> float:
    """The real part of a number."""
    return float(_number(z).real)


def ImaginaryPart(z: complex) -> float:
    """The imaginary part of a number."""
    return float(_number(z).imag)


def AsInteger(x: object) -> int:
    """`x` where an integer or an index is declared. A number converts if nothing of it is lost (our choice; that
    conversions are inserted is T10): a whole real, and a real as a complex number.
    """
    if type(x) is int:
        return x
    number = _number(x)
    if isinstance(number, int):
        return number
    require(not number.imag and float(number.real).is_integer(), "expected an integer", x)
    return int(number.real)


def AsReal(x: object) -> float:
    """`x` where a real is declared."""
    if type(x) is float:
        return x
    number = _number(x)
    require(not number.imag, "expected a real number", x)
    return float(number.real)


def AsComplex(x: object) -> complex:
    """`x` where a complex number is declared."""
    return complex(_number(x))


CONVERSIONS: Final[dict[object, Callable[[object], Any]]] = {
    "integer": AsInteger,
    "index": AsInteger,
    "real": AsReal,
    "complex": AsComplex,
}
"""The conversion for each declared type of number."""


def _operand(x: Any) -> str:
    """A number as an operand of ↑, which binds more tightly than a sign: `(-8.0)`."""
    text = show(x)
    return f"({text})" if text.startswith("-") else text


def Power(a: Any, b: Any) -> Any:
    """`a ↑ b`. The types of `a` and `b` determine that of the result, so that some powers have none (T11): an integer
    with a negative exponent, a negative number with an exponent that is not whole.
    """
    base, exponent = _number(a), _number(b)
    if isinstance(base, int) and isinstance(exponent, int) and exponent < 0:
        raise CplFault(f"{_operand(a)} ↑ {_operand(b)} is not an integer; of a real base it is a real number")
    result = base**exponent
    if isinstance(result, complex) and not isinstance(base, complex) and not isinstance(exponent, complex):
        raise CplFault(f"{_operand(a)} ↑ {_operand(b)} is not a real number")
    return result


def _of(real: Callable[[Any], Any], general: Callable[[Any], Any], x: _Number) -> _Number:
    try:
        value: _Number = general(x) if isinstance(x, complex) else real(_real(x))
        return value
    except OverflowError:
        raise CplFault(f"the result for {show(x)} is too large") from None
    except ValueError:
        raise CplFault(f"this function is not defined for {show(x)}") from None


def _floor(x: float) -> int:
    try:
        return math.floor(x)
    except (ValueError, OverflowError):
        raise CplFault(f"{show(x)} cannot be rounded to a whole number") from None


def _number(x: Any) -> int | float | complex:
    require(isinstance(x, (int, float, complex)) and not isinstance(x, bool), "expected a number", x)
    number: int | float | complex = x
    return number


def _real(x: Any) -> int | float:
    require(isinstance(x, (int, float)) and not isinstance(x, bool), "expected a real number", x)
    number: int | float = x
    return number


def is_whole(x: object) -> TypeGuard[int]:
    """Tell whether this is a whole number. In Python truth values are, too; in CPL they are not."""
    return type(x) is int or (isinstance(x, int) and not isinstance(x, bool))


def _whole(x: Any) -> int:
    require(is_whole(x), "expected a whole number", x)
    return int(x)
