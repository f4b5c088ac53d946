"""Whether a text that is being typed goes on: a text in, yes or no out, for prompts that ask for another line."""

from cpl import messages
from cpl.diagnostics import Diagnostic
from cpl.source import Source
from cpl.syntax.layout import lay_out
from cpl.syntax.parser import parse


def is_unfinished(text: str) -> bool:
    """Whether nothing is wrong with the text but that it ends too early: within a bracket, a section or a statement."""
    source = Source("<typed>", text)
    found = [each for each in parse(source)[1] if each.severity == "error"]
    end = max((token.span.end for token in lay_out(source).written if token.kind != "NEWLINE"), default=0)
    return bool(found) and all(_may_go_on(each, end) for each in found)


def _may_go_on(error: Diagnostic, end: int) -> bool:
    at_end = error.cause is messages.UNFINISHED and error.span.start >= end
    return at_end or error.cause is messages.UNCLOSED_BRACKET
