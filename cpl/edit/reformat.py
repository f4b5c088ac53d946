"""The edits that format a text in an editor, or a part of it."""

from difflib import SequenceMatcher

from cpl.diagnostics import CplError
from cpl.edit.edits import Edit, applied
from cpl.formatting import Unfaithful, format_source
from cpl.source import Source, Span
from cpl.syntax import nodes
from cpl.syntax.layout import lay_out
from cpl.syntax.parser import parse


def format_whole(source: Source) -> list[Edit]:
    """The edits that give a text the style of `cpl fmt`, line by line. Raises CplError if it does not parse."""
    return _changes(Span(source, 0, len(source.text)), format_source(source))


def _changes(span: Span, text: str) -> list[Edit]:
    """The edits by which a stretch of whole lines becomes this text."""
    before, after = span.text.splitlines(keepends=True), text.splitlines(keepends=True)
    starts = [span.start]
    for line in before:
        starts.append(starts[-1] + len(line))
    return [
        Edit(Span(span.source, starts[first], starts[end]), "".join(after[new:new_end]))
        for what, first, end, new, new_end in SequenceMatcher(None, before, after).get_opcodes()
        if what != "equal"
    ]


def format_range(source: Source, wanted: Span) -> list[Edit]:
    """The edits that give those statements of the top level the style of `cpl fmt` that a range touches. Those that do
    not parse stay as they are.
    """
    before, found = parse(source)
    changes: list[list[Edit]] = []
    for tokens in lay_out(source, cut=bool(found)).statements:
        span = tokens[0].span.to(tokens[-1].span)
        if span.column == 1 and span.start <= wanted.end and wanted.start <= span.end:
            try:
                text = format_source(Source(source.path, f"{span.text}\n")).rstrip("\r\n")
            except (CplError, Unfaithful):
                continue
            changes.append(_changes(span, text))
    edits = [edit for each in changes for edit in each]
    if _is_faithful(source, edits, before):
        return edits
    faithful = [each for each in changes if _is_faithful(source, each, before)]
    return [edit for each in faithful for edit in each]


def _is_faithful(source: Source, edits: list[Edit], before: nodes.Program) -> bool:
    """Whether a text says the same after the edits."""
    return parse(Source(source.path, applied(source, edits)))[0] == before
