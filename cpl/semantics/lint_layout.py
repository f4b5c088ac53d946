"""Lints of the layout: a command that is indented as if it belonged to the loop or the choice above it."""

from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.source import Span
from cpl.syntax import nodes, walk

_TAKES_ONE: Final = (nodes.If, nodes.Test, nodes.While, nodes.ForStep, nodes.ForList)


def lint_layout(program: nodes.Program) -> Iterator[Diagnostic]:
    """Indentation means nothing, and the body of a loop or of an arm is one command."""
    sections = (each for each in walk.walk(program) if isinstance(each, nodes.Program | nodes.Section))
    for head, command in (pair for each in sections for pair in pairwise(each.statements)):
        place, source = command.span, command.span.source
        begins_line = not source.line(place.line)[: place.column - 1].strip()
        if isinstance(head, _TAKES_ONE) and begins_line and place.column > head.span.column:
            word = "".join(takewhile(str.isalpha, head.span.text))
            start = Span(source, head.span.start, head.span.start + len(word))
            yield report(messages.INDENTED, place, related=[(start, "its body is one command")], word=word)
