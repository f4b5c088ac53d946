"""Changes to a text, as values."""

from collections.abc import Iterable

from cpl.records import dataclass
from cpl.source import Source, Span


@dataclass(frozen=True)
class Edit:
    """`text` in place of what stands at `span`."""

    span: Span
    text: str


def applied(source: Source, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap."""
    parts: list[str] = []
    end = 0
    for edit in sorted(edits, key=lambda each: (each.span.start, each.span.end)):
        parts += [source.text[end : edit.span.start], edit.text]
        end = edit.span.end
    return "".join([*parts, source.text[end:]])
