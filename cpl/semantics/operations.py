"""The operators of the interpreter: they check that their operands fit, and report where they do not."""

import operator as operators
from collections.abc import Callable
from typing import Any, Final

from cplrt import CplFault, Differ, Equal, Minus, Plus, Power, Same, show
from cplrt.faults import NoValue
from cplrt.logical import is_bits
from cplrt.numbers import is_whole

from cpl.semantics.python_errors import in_words
from cpl.source import Span
from cpl.syntax.tokens import SYMBOLS

Value = Any

_SIZES: Final[dict[str, Callable[[Value, Value], bool]]] = {
    "LESS": operators.lt,
    "GREATER": operators.gt,
    "AT_MOST": operators.le,
    "AT_LEAST": operators.ge,
}
RELATIONS: Final[dict[str, Callable[[Value, Value], bool]]] = {
    **_SIZES,
    "EQUAL": Equal,
    "UNEQUAL": lambda x, y: not Equal(x, y),
}
_ARITHMETIC: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "PLUS": operators.add,
    "MINUS": operators.sub,
    "SUM": operators.add,
    "DIFFERENCE": operators.sub,
    "TIMES": operators.mul,
    "DIVIDE": operators.truediv,
    "POWER": Power,
}
_BITWISE: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "PLUS": operators.or_,
    "MINUS": lambda x, y: x & ~y,
    "SUM": Plus,
    "DIFFERENCE": Minus,
    "AND": operators.and_,
    "OR": operators.or_,
}


_INTEGER: Final[dict[str, Callable[[int, int], int]]] = {
    "BIT_AND": operators.and_,
    "BIT_OR": operators.or_,
    "BIT_XOR": operators.xor,
    "SHIFT": lambda x, n: x >> n if n > 0 else x << -n,
}
_SAMENESS: Final[dict[str, Callable[[Value, Value], Value]]] = {"EQUIVALENT": Same, "INEQUIVALENT": Differ}


def fault(message: str, span: Span) -> CplFault:
    """A fault with its place."""
    error = CplFault(message)
    error.add_note(f"at {span.place}")
    return error


def sign(operator: str) -> str:
    """The printed sign of an operator."""
    forms = SYMBOLS.get({"SUM": "PLUS", "DIFFERENCE": "MINUS"}.get(operator, operator))
    return forms[0] if forms else operator


def is_number(value: Value) -> bool:
    """Whether this is a number, which a truth value is not."""
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def in_order(x: Value, y: Value) -> bool:
    """Whether two values can be compared in size: numbers, strings, and bit strings."""
    if is_number(x) and is_number(y):
        return not isinstance(x, complex) and not isinstance(y, complex)
    return (isinstance(x, str) and isinstance(y, str)) or (is_bits(x) and is_bits(y))


def apply_prefix(operator: str, value: Value, span: Span) -> Value:
    """An operator before its operand."""
    match operator:
        case "NOT" if isinstance(value, bool):
            return not value
        case "BIT_NOT" if is_whole(value):
            return ~value
        case "NOT" if is_bits(value):
            return ~value
        case "MINUS" if is_number(value):
            return -value
        case "PLUS" if is_number(value):
            return value
    raise fault(f"{sign(operator)} cannot be applied to {show(value)}", span)


def holds(relation: str, left: Value, right: Value, span: Span) -> bool:
    """Whether a relation holds between two values."""
    if relation not in _SIZES or in_order(left, right):
        try:
            return RELATIONS[relation](left, right)
        except TypeError:
            pass  # bit strings are compared by < and > only
    raise fault(f"{show(left)} and {show(right)} cannot be compared in size", span)


def with_location(job: Callable[[], Value], span: Span) -> Value:
    """The result of a job; a fault in it gets its place."""
    try:
        return job()
    except NoValue:
        raise fault(f"{span.text} has no value yet", span) from None
    except CplFault as error:
        if hasattr(error, "__notes__"):  # it has its place already
            raise
        raise fault(in_words(error), span) from None
    except (ArithmeticError, TypeError, ValueError, AttributeError, LookupError) as error:
        raise fault(in_words(error), span) from None


def operate(operator: str, left: Value, right: Value, span: Span) -> Value:
    """An operator between two operands."""
    if operator in _INTEGER and is_whole(left) and is_whole(right):
        return _INTEGER[operator](left, right)
    if operator in _SAMENESS:
        return with_location(lambda: _SAMENESS[operator](left, right), span)
    if is_number(left) and is_number(right) and operator in _ARITHMETIC:
        return with_location(lambda: _ARITHMETIC[operator](left, right), span)
    if isinstance(left, bool) and isinstance(right, bool) and operator in ("AND", "OR"):
        return _BITWISE[operator](left, right)
    if is_bits(left) and is_bits(right) and operator in _BITWISE:
        return _BITWISE[operator](left, right)
    raise fault(f"{sign(operator)} cannot be applied to {show(left)} and {show(right)}", span)
