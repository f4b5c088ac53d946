"""Who calls a function, and whom it calls, each with the places."""

import re
from collections.abc import Iterable
from typing import Final

from cpl.editor.analysis import Analysis
from cpl.editor.definitions import Definition
from cpl.records import dataclass
from cpl.source import Source, Span


@dataclass(frozen=True)
class Call:
    """What calls or is called, and where: a definition, or for the commands of the top level their text."""

    by: Definition | Source
    places: tuple[Span, ...]


def callable_at(analysis: Analysis, offset: int) -> Definition | None:
    """The function that a name at a place means; elsewhere the one whose definition holds the place."""
    meant = analysis.meaning_at(offset)
    if isinstance(meant, Definition):
        return meant if meant.parameters is not None else None
    holder = _holder(analysis, Span(analysis.source, offset, offset))
    return holder if isinstance(holder, Definition) else None


def incoming(analyses: Iterable[Analysis], function: Definition) -> list[Call]:
    """Who calls a function in these texts."""
    found: dict[tuple[str, int], tuple[Definition | Source, dict[Span, None]]] = {}
    for analysis in analyses:
        for place in analysis.occurrences(function.span):
            if place != function.span and _is_call(place, function):
                holder = _holder(analysis, place)
                start = holder.span.start if isinstance(holder, Definition) else -1
                found.setdefault((place.source.path, start), (holder, {}))[1][place] = None
    return [Call(holder, tuple(places)) for holder, places in found.values()]


def outgoing(analysis: Analysis, function: Definition) -> list[Call]:
    """Whom a function calls, in the order of the text."""
    found: dict[Span, tuple[Definition, list[Span]]] = {}
    within = [each for each in analysis.uses if function.node.span.holds(each)]
    for place in sorted(within, key=lambda each: each.start):
        meant = analysis.meaning_of(place)
        if isinstance(meant, Definition) and _is_call(place, meant) and _holder(analysis, place) == function:
            found.setdefault(meant.span, (meant, []))[1].append(place)
    return [Call(meant, tuple(places)) for meant, places in found.values()]


_APPLIED: Final = re.compile(r"\s*[(\[]")


def _is_call(place: Span, function: Definition) -> bool:
    """Whether a function is applied at a place: one without parameters needs no brackets."""
    if function.parameters is None or function.kind == "type":
        return False
    return not function.parameters or bool(_APPLIED.match(place.source.text, place.end))


def _holder(analysis: Analysis, place: Span) -> Definition | Source:
    """The function in whose definition a place is; outside of functions, what the top level defines there, or the
    text.
    """
    around = [
        each
        for each in analysis.definitions.values()
        if each.kind in ("function", "routine", "constant") and each.node.span.holds(place)
    ]
    functions = [each for each in around if each.parameters is not None] or around
    return max(functions, key=lambda each: each.node.span.start, default=place.source)
