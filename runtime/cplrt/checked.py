"""Operators, conditions and other uses of values that check them. They say what each takes: the interpreter uses them
everywhere, compiled programs where types disagree.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from cplrt.arrays import Array
from cplrt.equality import Equal
from cplrt.faults import CplFault
from cplrt.logical import Logical, Minus, Plus, is_bits
from cplrt.numbers import Power
from cplrt.operators import Differ, Same
from cplrt.show import show

_SIZES: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "LESS": operator.lt,
    "GREATER": operator.gt,
    "AT_MOST": operator.le,
    "AT_LEAST": operator.ge,
}
RELATIONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    **_SIZES,
    "EQUAL": Equal,
    "UNEQUAL": lambda x, y: not Equal(x, y),
}
_ARITHMETIC: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "PLUS": operator.add,
    "MINUS": operator.sub,
    "SUM": operator.add,
    "DIFFERENCE": operator.sub,
    "TIMES": operator.mul,
    "DIVIDE": operator.truediv,
    "POWER": Power,
}
_BITWISE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "PLUS": operator.or_,
    "MINUS": lambda x, y: x & ~y,
    "SUM": Plus,
    "DIFFERENCE": Minus,
    "AND": operator.and_,
    "OR": operator.or_,
}
_OF_BIT_STRINGS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "PLUS": operator.add,
    "MINUS": operator.sub,
    "AND": operator.and_,
    "OR": operator.or_,
}
_SAMENESS: Final[dict[str, Callable[[Any, Any], Any]]] = {"EQUIVALENT": Same, "INEQUIVALENT": Differ}

SIGNS: Final = {
    **dict.fromkeys(("PLUS", "SUM"), "+"),
    **dict.fromkeys(("MINUS", "DIFFERENCE"), "−"),
    "TIMES": "×",
    "DIVIDE": "/",
    "POWER": "↑",
    "AND": "∧",
    "OR": "∨",
    "NOT": "~",
}
"""The printed signs of operators that may not fit their operands."""


def is_number(x: Any) -> bool:
    """Whether this is a number, which a truth value is not."""
    return isinstance(x, int | float | complex) and not isinstance(x, bool)


def _in_order(x: Any, y: Any) -> bool:
    """Whether two values can be compared in size: numbers, strings, and bit strings."""
    if is_number(x) and is_number(y):
        return not isinstance(x, complex) and not isinstance(y, complex)
    return (isinstance(x, str) and isinstance(y, str)) or (is_bits(x) and is_bits(y))


def Operate(name: str, x: Any, y: Any) -> Any:
    """`x + y` and the like: an operator of that name between two operands."""
    if name in _SAMENESS:
        return _SAMENESS[name](x, y)
    if name in _ARITHMETIC and is_number(x) and is_number(y):
        return _ARITHMETIC[name](x, y)
    if name in ("AND", "OR") and isinstance(x, bool) and isinstance(y, bool):
        return _BITWISE[name](x, y)
    if name in _BITWISE and is_bits(x) and is_bits(y):
        return _BITWISE[name](x, y)
    if name in _OF_BIT_STRINGS and isinstance(x, Logical):
        return _OF_BIT_STRINGS[name](x, y)  # which says what it expects
    raise CplFault(f"{SIGNS[name]} cannot be applied to {show(x)} and {show(y)}")


def Decide(name: str, x: Any, y: Callable[[], Any]) -> Any:
    """`x ∧ y` or `x ∨ y`: `y` is evaluated only if `x` is no truth value that decides."""
    if isinstance(x, bool) and x != (name == "AND"):
        return x
    return Operate(name, x, y())


def Multiply(f: Any, x: Any) -> Any:
    """`f(x)` with a small name f: a call if f is a function, else a product."""
    return f(x) if callable(f) else Operate("TIMES", f, x)


def Prefix(name: str, x: Any) -> Any:
    """`−x`, `+x`, `~x`"""
    match name:
        case "NOT" if isinstance(x, bool):
            return not x
        case "NOT" if is_bits(x):
            return ~x
        case "MINUS" if is_number(x):
            return -x
        case "PLUS" if is_number(x):
            return x
    raise CplFault(f"{SIGNS[name]} cannot be applied to {show(x)}")


def Relate(names: str, x: Any, y: Any, *later: Callable[[], Any]) -> bool:
    """`x < y < z`: whether relations of these names hold between neighbours. Those from the third on are evaluated only
    if the relations before hold.
    """
    first, *others = names.split()
    if not are_related(first, x, y):
        return False
    for name, operand in zip(others, later, strict=True):
        x, y = y, operand()
        if not are_related(name, x, y):
            return False
    return True


def are_related(relation: str, x: Any, y: Any) -> bool:
    """Whether one relation holds between two values."""
    if relation not in _SIZES or _in_order(x, y):
        try:
            return RELATIONS[relation](x, y)
        except TypeError:
            pass  # bit strings are compared by < and > only
    raise CplFault(f"{show(x)} and {show(y)} cannot be compared in size")


def Condition(x: Any) -> bool:
    """Whether a condition holds: a truth value, or a list, which holds unless it is NIL."""
    if isinstance(x, bool | list | tuple):
        return bool(x)
    raise CplFault(f"expected a condition, found {show(x)}")


def Members(x: Any) -> Any:
    """What a `for` loop goes through: a list, an array, or the symbols of a string."""
    if isinstance(x, list | tuple | str | Array):
        return x
    raise CplFault(f"a for loop expected a list, found {show(x)}")


def Parts(names: Any, x: Any) -> Sequence[Any]:
    """The parts of a list that is taken apart under names; in place of a name there may be several, in a tuple."""
    parts = parts_of(x, len(names))
    return [part if isinstance(name, str) else Parts(name, part) for name, part in zip(names, parts, strict=True)]


def parts_of(x: Any, count: int) -> Sequence[Any]:
    """The members of a list that must have so many."""
    if isinstance(x, list | tuple) and len(x) == count:
        return x
    raise CplFault(f"expected a list of {count}, found {show(x)}")
