"""Conversion of numbers: a place declared to hold numbers of some type holds only such numbers (T10)."""

from dataclasses import replace
from typing import Final

from cpl.compiler.semantics import core

TYPES: Final = {"integer": "integer", "index": "integer", "real": "real", "complex": "complex"}
"""The types of numbers, by their words; an index is an integer (T2)."""


def declared(place: core.Node) -> str:
    """The type of number that is declared for what is stored in a place; "" if there is none."""
    match place:
        case core.Local(mode="", declared=words) | core.Global(declared=words):
            return TYPES.get(words, "")
        case core.Contents(
            reference=core.Local(mode="reference", declared=words)
            | core.Apply(function=core.Local(mode="place by substitution", declared=words))
        ):
            return TYPES.get(words, "")
        case _:
            return ""


_LARGEST_WHOLE: Final = 2**53
"""Below this, a whole number is the same number as a real."""


def converted_constant(node: core.Convert) -> core.Expression:
    """A conversion of a number that is written down, as the number that it becomes; others stay as they are."""
    match node:
        case core.Convert(kind="real", value=core.Unary(operator="MINUS", operand=operand)):
            number = converted_constant(replace(node, value=operand))
            if not isinstance(number, core.Literal):
                return node
            return core.Unary("MINUS", number, span=node.value.span) if number.value else number  # 0 has no sign
        case core.Convert(kind="real", value=core.Literal(value=int() as whole)) if (
            not isinstance(whole, bool) and abs(whole) < _LARGEST_WHOLE
        ):
            return core.Literal(float(whole), span=node.value.span)
        case core.Convert(kind="integer", value=core.Literal(value=float() as real)) if (
            real.is_integer() and abs(real) < _LARGEST_WHOLE
        ):
            return core.Literal(int(real), span=node.value.span)
        case _:
            return node


def conversion(kind: str, value: core.Expression) -> core.Expression:
    """A value, converted to a number of a kind, if there is one; a constant is such a number at once."""
    return converted_constant(core.Convert(kind, value, span=value.span)) if kind else value
