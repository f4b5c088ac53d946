"""The operators of the interpreter: those of `cplrt.checked`, which check the types of their operands. A fault here
tells the place in the text where it arose.
"""

import operator as operators
from collections.abc import Callable
from typing import Any, Final

from cplrt import CplFault
from cplrt.checked import RELATIONS, Operate, Prefix, are_related, is_number
from cplrt.faults import NoValue
from cplrt.numbers import is_whole

from cpl.compiler.python_errors import in_words
from cpl.compiler.source import Span

__all__ = ["RELATIONS", "apply_prefix", "fault", "holds", "is_number", "operate", "with_location"]

Value = Any


def _shift(bits: int, places: int) -> int:
    """Shift right, or left if the number of places is negative."""
    return bits >> places if places > 0 else bits << -places


_INTEGER: Final[dict[str, Callable[[int, int], int]]] = {
    "BIT_AND": operators.and_,
    "BIT_OR": operators.or_,
    "BIT_XOR": operators.xor,
    "SHIFT": _shift,
}
"""Operators on bit strings that are represented by whole numbers (`core.INTEGER_OPERATORS`)."""


def fault(message: str, span: Span) -> CplFault:
    """A fault with its place."""
    error = CplFault(message)
    error.add_note(f"at {span.place}")
    return error


def apply_prefix(operator: str, value: Value, span: Span) -> Value:
    """An operator before its operand."""
    if operator == "BIT_NOT" and is_whole(value):
        return ~value
    return with_location(lambda: Prefix(operator, value), span)


def holds(relation: str, left: Value, right: Value, span: Span) -> bool:
    """Whether a relation holds between two values."""
    is_true: bool = with_location(lambda: are_related(relation, left, right), span)
    return is_true


def with_location(job: Callable[[], Value], span: Span) -> Value:
    """The result of a job; a fault in it gets its place."""
    try:
        return job()
    except NoValue:
        raise fault(f"{span.text} has no value yet", span) from None
    except CplFault as error:
        if hasattr(error, "__notes__"):  # it has its place already: an inner call has added it
            raise
        raise fault(in_words(error), span) from None
    except (ArithmeticError, TypeError, ValueError, AttributeError, LookupError) as error:
        raise fault(in_words(error), span) from None


def operate(operator: str, left: Value, right: Value, span: Span) -> Value:
    """An operator between two operands."""
    if operator in _INTEGER and is_whole(left) and is_whole(right):
        return _INTEGER[operator](left, right)
    return with_location(lambda: Operate(operator, left, right), span)
