"""Conversion of numbers: a place declared to hold numbers of some type holds only such numbers (T10)."""

from typing import Final

from cpl.semantics import core

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
