"""The operators on values, for the interpreter: they check that their operands fit, and say where they do not."""

import operator
from collections.abc import Callable
from typing import Any, Final

from cplrt import CplFault, Differ, Equal, Minus, Plus, Same, show
from cplrt.faults import NoValue
from cplrt.logical import is_bits

from cpl.semantics.python_errors import in_words
from cpl.source import Span

Value = Any

_SIZES: Final[dict[str, Callable[[Value, Value], bool]]] = {
    "LESS": operator.lt,
    "GREATER": operator.gt,
    "AT_MOST": operator.le,
    "AT_LEAST": operator.ge,
}
RELATIONS: Final[dict[str, Callable[[Value, Value], bool]]] = {
    **_SIZES,
    "EQUAL": Equal,
    "UNEQUAL": lambda x, y: not Equal(x, y),
}
_ARITHMETIC: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "PLUS": operator.add,
    "MINUS": operator.sub,
    "SUM": operator.add,
    "DIFFERENCE": operator.sub,
    "TIMES": operator.mul,
    "DIVIDE": operator.truediv,
    "POWER": operator.pow,
}
_BITWISE: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "PLUS": operator.or_,
    "MINUS": lambda x, y: x & ~y,
    "SUM": Plus,
    "DIFFERENCE": Minus,
    "AND": operator.and_,
    "OR": operator.or_,
}


_SAMENESS: Final[dict[str, Callable[[Value, Value], Value]]] = {"EQUIVALENT": Same, "INEQUIVALENT": Differ}


def fault(message: str, span: Span) -> CplFault:
    """A fault that says where."""
    made = CplFault(message)
    made.add_note(f"at {span.place}")
    return made


def is_number(value: Value) -> bool:
    """Whether this is a number; a truth value is none."""
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def in_order(x: Value, y: Value) -> bool:
    """Whether one of two values is the greater one, or both are equally great: numbers, strings, and bit strings."""
    if is_number(x) and is_number(y):
        return not isinstance(x, complex) and not isinstance(y, complex)
    return (isinstance(x, str) and isinstance(y, str)) or (is_bits(x) and is_bits(y))


def signed(sign: str, value: Value, span: Span) -> Value:
    """A sign before an operand."""
    match sign:
        case "NOT" if isinstance(value, bool):
            return not value
        case "NOT" if is_bits(value):
            return ~value
        case "MINUS" if is_number(value):
            return -value
        case "PLUS" if is_number(value):
            return value
    raise fault(f"this sign does not go with {show(value)}", span)


def holds(relation: str, left: Value, right: Value, span: Span) -> bool:
    """Whether a relation holds between two values."""
    if relation not in _SIZES or in_order(left, right):
        try:
            return RELATIONS[relation](left, right)
        except TypeError:
            pass  # bit strings are compared by < and > only
    raise fault(f"{show(left)} and {show(right)} cannot be compared in size", span)


def told(job: Callable[[], Value], span: Span) -> Value:
    """Do it; a fault says where."""
    try:
        return job()
    except NoValue:
        raise fault(f"{span.text} has no value yet", span) from None
    except CplFault as found:
        if hasattr(found, "__notes__"):  # it says where it was, within
            raise
        raise fault(in_words(found), span) from None
    except (ArithmeticError, TypeError, ValueError, AttributeError, LookupError) as found:
        raise fault(in_words(found), span) from None


def operate(sign: str, left: Value, right: Value, span: Span) -> Value:
    """An operator between two operands."""
    if sign in _SAMENESS:
        return told(lambda: _SAMENESS[sign](left, right), span)
    if is_number(left) and is_number(right) and sign in _ARITHMETIC:
        try:
            return _ARITHMETIC[sign](left, right)
        except ArithmeticError as error:
            raise fault(in_words(error), span) from None
    if is_bits(left) and is_bits(right) and sign in _BITWISE:
        return _BITWISE[sign](left, right)
    raise fault(f"this operator does not go with {show(left)} and {show(right)}", span)
