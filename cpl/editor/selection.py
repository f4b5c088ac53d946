"""What a growing selection takes in: the token at a place, then what stands round it, up to the whole text."""

from cpl.source import Span
from cpl.syntax import nodes, walk
from cpl.syntax.layout import Layout, pairs
from cpl.syntax.lexer import Token


def selections(layout: Layout, program: nodes.Program, offset: int) -> list[Span]:
    """The spans round a place, each within the next. Where the text does not parse, they are those of tokens, brackets
    and lines.
    """
    source = layout.source
    spans = [each.span for each in (*layout.written, *layout.comments) if each.span.end > each.span.start]
    for each in layout.statements:
        statement = each[0].span.to(each[-1].span)
        if _holds(statement, offset):
            spans += [statement, *_bracketed(each)]
    inside = [each for each in program.statements if _holds(each.span, offset)]
    parsed = [node.span for statement in inside for node in walk.walk(statement)]
    line = source.line_at(offset)
    text = source.line(line)
    if not parsed and text.strip():
        start = source.start_of(line)
        spans.append(Span(source, start + len(text) - len(text.lstrip()), start + len(text.rstrip())))
    result: list[Span] = []
    around = {each for each in (*spans, *parsed, Span(source, 0, len(source.text))) if _holds(each, offset)}
    for span in sorted(around, key=lambda each: (each.end - each.start, -each.start)):
        if not result or (span.start <= result[-1].start and result[-1].end <= span.end and span != result[-1]):
            result.append(span)
    return result


def _holds(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end


def _bracketed(tokens: list[Token]) -> list[Span]:
    """What stands within each pair of brackets, and that with the brackets."""
    found: list[Span] = []
    for opener, closer in pairs(tokens):
        found.append(tokens[opener].span.to(tokens[closer].span))
        if closer > opener + 1:
            found.append(tokens[opener + 1].span.to(tokens[closer - 1].span))
    return found
