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

_NOTHING: Final = {"general", "NIL", *"αβγδεζηθικλμνξοπρστυφχψω"}
"""Types that say nothing."""
_PLAIN: Final = nodes.Number | nodes.String | nodes.Constant | nodes.Lambda
"""Values that show their type."""
_NUMBERS: Final = ("integer", "real", "complex", "index")


@dataclass(frozen=True)
class Hint:
    """A text that is shown before the character at `offset`, and what it says."""

    offset: int
    text: str
    words: str


def hints(analysis: Analysis, within: Span) -> list[Hint]:
    """All hints of a part of a text, in order."""
    every = [*_types(analysis), *_products(analysis)] if analysis.has_types_soon else []
    return sorted((hint for hint in every if within.start <= hint.offset <= within.end), key=lambda hint: hint.offset)


def _types(analysis: Analysis) -> Iterator[Hint]:
    """The types of parameters and variables that none is written for, and that their values do not show."""
    wrong = [finding.span for finding in analysis.diagnostics if finding.severity == "error"]
    for definition in analysis.definitions.values():
        whole = definition.node.span
        is_wrong = any(whole.start <= span.start < whole.end for span in wrong)
        if definition.span.source == analysis.source and _wants_type(definition) and not is_wrong:
            type = analysis.type_of(definition.span)
            if type and len(type) <= LONGEST and type not in _NOTHING:
                yield Hint(definition.span.end, f": {type}", f"{definition.name} : {type}")


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
    """A × where operands stand close together and are multiplied, a bracket beside a number among them."""
    tokens = [token for statement in analysis.layout.statements for token in statement]
    is_open = any(token.kind == "MAYBE_PRODUCT" for token in tokens)
    multiplied = {*_multiplied(analysis)} if is_open else set()
    for left, token in pairwise(tokens):
        start = token.span.start
        is_product = token.kind == "JUXTAPOSED" or (token.kind == "MAYBE_PRODUCT" and start in multiplied)
        if is_product and left.span.end == start:
            yield Hint(start, "×", "These stand side by side, so they are multiplied.")


def _multiplied(analysis: Analysis) -> Iterator[int]:
    """Where a left operand of a product ends."""
    for definition in analysis.meaning.core.definitions:
        for node in walk.nodes(definition):
            match node:
                case core.Juxtapose(left=left):
                    meaning = analysis.meaning_of(left.span)
                    if isinstance(meaning, Definition) and analysis.type_of(meaning.span) in _NUMBERS:
                        yield left.span.end
                case core.Binary(operator="TIMES", left=left):
                    yield left.span.end
