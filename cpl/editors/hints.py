"""Hints between the words of a text: types that nobody wrote, and the × of a product that looks like one name."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, Literal

from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes, surface
from cpl.editors.definitions import Definition
from cpl.editors.text_analysis import Analysis

LONGEST: Final = 24
"""A longer type would hide the text."""

_UNINFORMATIVE: Final = {"general", "NIL", *"αβγδεζηθικλμνξοπρστυφχψω"}
"""Types that say nothing."""
_LITERAL: Final = nodes.Number | nodes.String | nodes.Constant | nodes.Lambda
"""Values that show their type."""


@dataclass(frozen=True, order=True)
class Hint:
    """A hint that is shown before the character at `offset`, and what it says in words."""

    offset: int
    label: str
    words: str
    kind: Literal["type", "product"]


def hints(analysis: Analysis, part: Span) -> list[Hint]:
    """Return all hints of a part of a text, in order; none if the types are not inferred fast enough."""
    if not analysis.has_types_soon:
        return []
    every = sorted([*_types(analysis), *_products(analysis)])
    return [hint for hint in every if part.start <= hint.offset <= part.end]


def _types(analysis: Analysis) -> Iterator[Hint]:
    """The types of parameters and variables that none is written for, and that their values do not show."""
    errors = [finding.span for finding in analysis.diagnostics if finding.severity == "error"]
    for definition in analysis.definitions.values():
        if definition.span.source != analysis.source or not _wants_type(definition):
            continue

        whole = definition.node.span
        if any(whole.start <= error.start < whole.end for error in errors):
            continue

        type = analysis.type_of(definition.span)
        if type and len(type) <= LONGEST and type not in _UNINFORMATIVE:
            yield Hint(definition.span.end, f": {type}", f"{definition.name} : {type}", "type")


def _wants_type(definition: Definition) -> bool:
    """Tell whether the text shows the type of a definition neither in words nor by its value."""
    match definition.node:
        case nodes.Parameter(kind=""):
            return definition.kind == "parameter"
        case nodes.Definition(heading=nodes.Name(), value=value) as node if not isinstance(value, _LITERAL):
            return not surface.result(node) and definition.parameters is None
        case nodes.Definition(heading=nodes.Pattern(), value=value) as node:
            return not (surface.result(node) or isinstance(value, nodes.Name))  # P = (X,Y) has its type where P is
        case node:
            return isinstance(node, nodes.ForList | nodes.Lambda)


def _products(analysis: Analysis) -> Iterator[Hint]:
    """A × where operands stand close together and are multiplied."""
    tokens = chain.from_iterable(analysis.layout.statements)
    for left, token in pairwise(tokens):
        if token.kind == "JUXTAPOSED" and left.span.end == token.span.start:
            yield Hint(token.span.start, "×", "These stand side by side, so they are multiplied.", "product")
