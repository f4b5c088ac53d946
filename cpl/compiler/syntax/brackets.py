"""Decides which § opens and which closes, and pairs all brackets: a pass of `layout` over the tokens.

Every bracket that is left open gets a closing token without text, so that the result is always balanced:

    if a do                       if a do
      § x := 1                      OPEN x := 1
        § y := 2 §      becomes       OPEN y := 2 CLOSE
      §                             CLOSE

    x := (1 + [2; 3)    becomes   x := (1 + [2; 3 SQUARE_CLOSE ), with the error that this [ is never closed
"""

import re
from dataclasses import replace
from itertools import islice
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.source import Span
from cpl.compiler.syntax.lexer import Token
from cpl.compiler.syntax.tokens import BEGINS, CLOSERS, ENDS, OPENERS, PRINTED


def sections(tokens: list[Token], diagnostics: list[Diagnostic], *, stroked: bool, cut: bool = False) -> list[Token]:
    """Tell opening § from closing § and pair all brackets; the wrong ones are added to `diagnostics`.

    `cut` ends every bracket where a definition begins at the left margin: for texts with errors.
    """
    pairing = _Pairing(diagnostics)
    for index, token in enumerate(tokens):
        if token.kind == "SECTION":
            closes = _closes(tokens, index, pairing, stroked=stroked)
            if stroked and not closes and pairing.may_close:
                pairing.doubtful.add(token.span.start)
            open_tags = [opener.text for opener in pairing.stack if opener.kind == "OPEN" and opener.text]
            token = replace(token, kind="CLOSE" if closes or token.text in open_tags else "OPEN")
        if cut and begins_definition(token):
            pairing.abandon(token)
        pairing.add(token)
    pairing.abandon(None)
    return pairing.result


class _Pairing:
    """The open brackets, and the tokens of the result so far."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        self.result: list[Token] = []
        self.doubtful: set[int] = set()  # the offsets of plain §s that would close in a text without stroked ones
        self.stack: list[Token] = []  # the open brackets, the innermost last
        self.closed: Token | None = None  # the closing bracket of the last section that ended

    @property
    def last(self) -> Token:
        """The last token of the result that separates nothing."""
        return next(token for token in reversed(self.result) if token.kind not in ("NEWLINE", "SEPARATOR"))

    @property
    def in_section(self) -> bool:
        """Whether a section is open."""
        return any(opener.kind == "OPEN" for opener in self.stack)

    @property
    def may_close(self) -> bool:
        """Whether a section is open and a statement can end here."""
        return self.in_section and self.last.kind in ENDS

    def add(self, token: Token) -> None:
        """Add the next token of the text."""
        if token.kind in CLOSERS:
            self.close(token)
            return
        self.result.append(token)
        if token.kind in OPENERS:
            self.stack.append(token)

    def close(self, token: Token) -> None:
        """Close the bracket that a closer belongs to, and those left open within it."""
        kind = CLOSERS[token.kind]
        tag = token.text if kind == "OPEN" else ""
        openers = (bracket for bracket in reversed(self.stack) if bracket.kind == kind and tag in ("", bracket.text))
        opener = next(openers, None)
        if opener is None:
            self.reject(token, kind, tag)
            return
        while self.stack[-1] is not opener:
            innermost = self.stack[-1]
            if not (tag and innermost.kind == "OPEN"):  # a tagged close closes the sections within (L13)
                self.diagnostics.append(self.unclosed(innermost, token))
            self.force(token.span)
        self.stack.pop()
        self.result.append(token)
        if kind == "OPEN":
            self.closed = token

    def reject(self, token: Token, kind: str, tag: str) -> None:
        """Report a closer for which no bracket of its `kind` and its `tag` is open."""
        closer = token.span.text
        innermost = self.stack[-1] if self.stack else None
        if tag:
            self.diagnostics.append(report(messages.UNKNOWN_TAG, token.span, closer=closer))
        elif kind == "OPEN" and self.closed:
            label = "this is one too many, or its § is missing"
            related = [(self.closed.span, "the section before it ends here")]
            self.diagnostics.append(
                report(messages.STRAY_BRACKET, token.span, label=label, related=related, closer=closer)
            )
        elif kind == "OPEN" or innermost is None or innermost.kind == "OPEN":
            self.diagnostics.append(report(messages.STRAY_BRACKET, token.span, closer=closer))
        else:
            mismatch = report(
                messages.MISMATCHED,
                token.span,
                related=[(innermost.span, "opened here")],
                closer=closer,
                opener=innermost.span.text,
                wanted=PRINTED[OPENERS[innermost.kind]],
            )
            self.diagnostics.append(mismatch)
            self.force(token.span)

    def force(self, at: Span) -> None:
        """Close the innermost open bracket with a token without text."""
        self.result.append(Token(OPENERS[self.stack.pop().kind], "", Span(at.source, at.start, at.start)))

    def abandon(self, at: Token | None) -> None:
        """Report and close all open brackets: a definition begins at `at`, or the text ends."""
        if self.stack:
            self.diagnostics.append(self.unclosed(self.stack[-1], at))  # one error for all of them
        while self.stack:
            last = self.last.span
            self.force(at.span if at else Span(last.source, last.end, last.end))

    def unclosed(self, opener: Token, at: Token | None) -> Diagnostic:
        """The diagnostic for an opener that is still open at a token, or at the end."""
        return report(
            messages.UNCLOSED_BRACKET,
            opener.span,
            label="opened here",
            related=[(at.span, "still open here")] if at else [],
            help=messages.PLAIN_OPENS if opener.span.start in self.doubtful else None,
            opener=opener.span.text,
        )


def _closes(tokens: list[Token], index: int, pairing: _Pairing, *, stroked: bool) -> bool:
    """Tell whether a plain § closes a section.

    It opens where no statement can end; elsewhere within a line it closes. At the head of a line it opens if the text
    is `stroked`, that is, has a symbol of its own for closing. Otherwise it opens there if a command follows on its
    line, or if it is alone and the next line is indented further. A line that ends with a label may be the last. After
    a heading without be (G4) it opens.
    """
    if index > 1 and tokens[index - 2].kind == "ROUTINE":
        return False
    after_label = pairing.in_section and tokens[index - 1].kind == "NEWLINE" and tokens[index - 2].kind == "COLON"
    can_close = pairing.may_close or after_label
    in_line = tokens[index - 1].kind not in ("NEWLINE", "SEPARATOR")
    if stroked or in_line or not can_close:
        return can_close and in_line

    following = next((token for token in islice(tokens, index + 1, None) if token.kind != "NEWLINE"), None)
    if following is None:
        return True
    if following is tokens[index + 1]:  # on the same line
        return following.kind not in BEGINS
    return following.span.column <= tokens[index].span.column


def begins_definition(token: Token) -> bool:
    """Tell whether this looks like a definition with parameters at the left margin."""
    at_left = token.kind == "LARGE" and token.span.column == 1
    return at_left and bool(DEFINITION.match(token.span.source.text, token.span.start))


DEFINITION: Final = re.compile(r"[\w'′]+[ \t]*[(\[][\w'′\\, \t]*[)\]][ \t]*=(?![=<>\u0338])")
"""The beginning of a definition with parameters."""
