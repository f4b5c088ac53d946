"""What of a text can be folded away: definitions, sections, brackets over several lines, comments, lists of `get`."""

from collections.abc import Iterable, Iterator
from typing import Literal

from cpl.records import dataclass
from cpl.source import Source, Span
from cpl.syntax.layout import lay_out, pairs


@dataclass(frozen=True)
class Fold:
    """A stretch of several lines, of which the first stays. `kind` is None for code."""

    span: Span
    kind: Literal["comment", "imports"] | None = None


def folds(source: Source) -> list[Fold]:
    """All folds of a text, one for each line on which one begins; also of a text that does not parse."""
    layout = lay_out(source)
    if layout.diagnostics:
        layout = lay_out(source, cut=True)
    spans = [each[0].span.to(each[-1].span) for each in layout.statements]
    tokens = layout.tokens
    spans += [tokens[opener].span.to(tokens[closer].span) for opener, closer in pairs(tokens)]
    alone = [each.span for each in layout.comments if not source.line(each.span.line)[: each.span.column - 1].strip()]
    gets = [each[0].span.to(each[-1].span) for each in layout.statements if each[0].kind == "GET"]
    found = [Fold(each) for each in spans]
    found += [Fold(each, "comment") for each in _runs(alone)] + [Fold(each, "imports") for each in _runs(gets)]
    longest: dict[int, Fold] = {}
    for fold in sorted(found, key=lambda each: each.span.end):
        if fold.span.last_line > fold.span.line:
            longest[fold.span.line] = fold
    return [longest[line] for line in sorted(longest)]


def _runs(spans: Iterable[Span]) -> Iterator[Span]:
    """Those that stand on lines one after the other, as one."""
    run: Span | None = None
    for span in spans:
        if run and span.line == run.last_line + 1:
            run = run.to(span)
            continue
        if run:
            yield run
        run = span
    if run:
        yield run
