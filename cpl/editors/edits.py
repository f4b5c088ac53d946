"""Changes to a text, as values: the repairs that diagnostics offer, and the style of `cpl fmt`."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final

from cpl.compiler.diagnostics import CplError, Diagnostic, Fix
from cpl.compiler.pipeline import Unfaithful, format_source
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax.layout import lay_out
from cpl.compiler.syntax.parser import parse
from cpl.editors.text_analysis import Analysis

MOST_REPAIRS: Final = 5
"""The number of repairs of a finding that are offered."""


@dataclass(frozen=True)
class Edit:
    """`text` in place of what stands at `span`."""

    span: Span
    text: str


def applied(source: Source, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap."""
    parts: list[str] = []
    end = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        parts += [source.text[end : edit.span.start], edit.text]
        end = edit.span.end
    return "".join([*parts, source.text[end:]])


# Repairs


def repairs(analysis: Analysis) -> list[tuple[Diagnostic, Fix]]:
    """The findings of a text with what repairs them, the likeliest first."""
    return [
        (finding, fix)
        for finding in analysis.diagnostics
        for fix in finding.fixes[:MOST_REPAIRS]
        if fix.span.source == analysis.source
    ]


def all_repairs(analysis: Analysis) -> list[Edit]:
    """The repair of each finding that has only one, but for those that overlap an earlier one."""
    sole = [fix for finding, fix in repairs(analysis) if len(finding.fixes) == 1]
    edits: list[Edit] = []
    end_of_last = 0
    for fix in sorted(sole, key=lambda fix: fix.span.start):
        if fix.span.start >= end_of_last:
            edits.append(Edit(fix.span, fix.text))
            end_of_last = max(fix.span.end, fix.span.start + 1)  # of two insertions at one place only one is made
    return edits


# Formatting


def format_whole(source: Source) -> list[Edit]:
    """The edits that give a text the style of `cpl fmt`, line by line. Raises CplError if it does not parse."""
    return _changes(Span(source, 0, len(source.text)), format_source(source))


def format_range(source: Source, selected: Span) -> list[Edit]:
    """The edits that give those statements of the top level the style of `cpl fmt` that a range touches. Those that do
    not parse, or would say something else, stay as they are.
    """
    program, errors = parse(source)
    edits: list[Edit] = []
    for tokens in lay_out(source, cut=bool(errors)).statements:
        statement = tokens[0].span.to(tokens[-1].span)
        is_touched = statement.start <= selected.end and selected.start <= statement.end
        if statement.column != 1 or not is_touched:
            continue

        try:
            text = format_source(Source(source.path, f"{statement.text}\n")).rstrip("\r\n")
        except (CplError, Unfaithful):
            continue

        changes = _changes(statement, text)
        # A statement that is read alone may mean something else than in its text, so the whole text is compared.
        after, _ = parse(Source(source.path, applied(source, [*edits, *changes])))
        if after == program:
            edits += changes
    return edits


def _changes(span: Span, text: str) -> list[Edit]:
    """The edits by which a stretch of whole lines becomes this text."""
    old_lines = span.text.splitlines(keepends=True)
    new_lines = text.splitlines(keepends=True)
    starts = [*accumulate(map(len, old_lines), initial=span.start)]

    edits = []
    for operation, old, old_end, new, new_end in SequenceMatcher(None, old_lines, new_lines).get_opcodes():
        if operation != "equal":
            replaced = Span(span.source, starts[old], starts[old_end])
            edits.append(Edit(replaced, "".join(new_lines[new:new_end])))
    return edits
