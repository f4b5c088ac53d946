"""Faint words between those of a text: types that nobody wrote, and the × of a product that looks like one name."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from cpl.edit.analysis import Analysis
from cpl.edit.definitions import Definition
from cpl.records import dataclass
from cpl.semantics import core, walk
from cpl.source import Span
from cpl.syntax import nodes
from cpl.syntax import walk as surface

LONGEST: Final = 24
"""A longer type would hide the text."""


@dataclass(frozen=True)
class Hint:
    """A text that is shown before the character at `offset`, and what it says."""

    offset: int
    text: str
    words: str


def hints(analysis: Analysis, within: Span) -> list[Hint]:
    """All hints of a part of a text, in order."""
    found = [*_types(analysis), *_products(analysis)] if analysis.has_types_soon else []
    return sorted((each for each in found if within.start <= each.offset <= within.end), key=lambda each: each.offset)


def _types(analysis: Analysis) -> Iterator[Hint]:
    """The types of parameters and variables that none is written for, and that their values do not show."""
    wrong = [each.span for each in analysis.diagnostics if each.severity == "error"]
    for each in analysis.definitions.values():
        if each.span.source == analysis.source and _wants_type(each) and not any(_holds(each, span) for span in wrong):
            type = analysis.type_of(each.span)
            if type and len(type) <= LONGEST and type not in _NOTHING:
                yield Hint(each.span.end, f": {type}", f"{each.name} : {type}")


_NOTHING: Final = {"general", "NIL", *"αβγδεζηθικλμνξοπρστυφχψω"}
"""Types that say nothing."""
_PLAIN: Final = nodes.Number | nodes.String | nodes.Constant | nodes.Lambda
"""Values that show their type."""


def _holds(definition: Definition, place: Span) -> bool:
    return definition.node.span.start <= place.start < definition.node.span.end


def _wants_type(definition: Definition) -> bool:
    match definition.node:
        case nodes.Parameter(kind=kind):
            return not kind and definition.kind == "parameter"
        case nodes.Definition(heading=nodes.Name(), value=value) as node:
            return not (surface.result(node) or isinstance(value, _PLAIN)) and definition.parameters is None
        case nodes.Definition(heading=nodes.Pattern(), value=value) as node:
            return not (surface.result(node) or isinstance(value, nodes.Name))  # P = (X,Y) has its type where P is
        case nodes.ForList() | nodes.Lambda():
            return True
        case _:
            return False


def _products(analysis: Analysis) -> Iterator[Hint]:
    """A × where operands stand close together, and are multiplied. What is applied needs none."""
    tokens = [each for statement in analysis.layout.statements for each in statement]
    is_doubtful = any(each.kind == "MAYBE_PRODUCT" for each in tokens)
    decided = dict(_decided(analysis)) if is_doubtful else {}
    for left, each in pairwise(tokens):
        if each.kind in ("JUXTAPOSED", "MAYBE_PRODUCT") and left.span.end == each.span.start:
            sign = "×" if each.kind == "JUXTAPOSED" else decided.get(each.span.start)
            if sign:
                yield Hint(each.span.start, sign, _WORDS[sign])


_WORDS: Final = {
    "×": "These stand side by side, so they are multiplied.",
    "×?": "The running program tells whether this is a product or an application.",
}


def _decided(analysis: Analysis) -> Iterator[tuple[int, str]]:
    """Where a bracket stands beside what is no function for certain: × if it is a number, ×? if that is not known."""
    for one in analysis.meaning.core.definitions:
        for node in walk.nodes(one):
            match node:
                case core.Juxtapose(left=left):
                    meant = analysis.meaning_of(left.span)
                    type = analysis.type_of(meant.span) if isinstance(meant, Definition) else None
                    if type is None or "⇒" not in type:
                        yield left.span.end, "×" if type in _NUMBERS else "×?"
                case core.Binary(operator="TIMES", left=left):
                    yield left.span.end, "×"


_NUMBERS: Final = ("integer", "real", "complex", "index")
