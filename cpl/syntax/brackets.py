"""Which § opens and which closes, and which bracket belongs to which: a pass of `layout` over the tokens.

What cannot be right is blamed at the bracket, and every bracket that is left open is closed by a token of no width.
"""

from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.source import Span
from cpl.syntax.lexer import Token
from cpl.syntax.signs import BEGINS, CLOSERS, ENDS, OPENERS, PRINTED

MOST_BRACKETS: Final = 80
"""How deep brackets may nest: Python's own parser refuses 200, and one CPL bracket can become two of its."""


def sections(
    tokens: list[Token], found: list[Diagnostic], *, stroked: bool, cut: bool = False
) -> tuple[list[Token], set[Token]]:
    """Tell § from § and pair all brackets. Also returned: the tokens at which bad brackets were found.

    `cut` ends every bracket where a definition begins at the very left: for texts with errors.
    """
    pairing = _Pairing(found)
    for index, token in enumerate(tokens):
        if token.kind == "SECTION":
            closes = _closes(tokens, index, pairing, stroked=stroked)
            doubtful = stroked and not closes and pairing.may_close
            token = Token("CLOSE" if closes or pairing.has_tag(token.text) else "OPEN", token.text, token.span)
            if doubtful:
                pairing.doubtful.add(token)
        if cut and begins_definition(tokens, index):
            pairing.abandon(token)
        if token.kind in OPENERS:
            pairing.push(token)
        elif token.kind in CLOSERS:
            pairing.close(token)
        else:
            pairing.pass_on(token)
    pairing.abandon(None)
    return pairing.result, pairing.spoilt


class _Pairing:
    """The brackets that are open, and what has come out so far."""

    def __init__(self, found: list[Diagnostic]) -> None:
        self.found = found
        self.result: list[Token] = []
        self.spoilt: set[Token] = set()
        self.doubtful: set[Token] = set()  # plain §s that would close if none in the text were stroked
        self.stack: list[Token] = []
        self.last: Token | None = None  # that is no separator
        self.too_deep = False

    @property
    def in_section(self) -> bool:
        return any(opener.kind == "OPEN" for opener in self.stack)

    @property
    def may_close(self) -> bool:
        """Whether what stands before can end, within a section."""
        return self.last is not None and self.last.kind in ENDS and self.in_section

    def has_tag(self, tag: str) -> bool:
        return bool(tag) and any(opener.text == tag for opener in self.stack if opener.kind == "OPEN")

    def pass_on(self, token: Token) -> None:
        self.result.append(token)
        if token.kind not in ("NEWLINE", "SEPARATOR"):
            self.last = token

    def push(self, token: Token) -> None:
        self.pass_on(token)
        self.stack.append(token)
        if len(self.stack) > MOST_BRACKETS and not self.too_deep:
            self.too_deep = True
            self.complain(report(causes.TOO_DEEP, token.span, limit=MOST_BRACKETS), token)

    def close(self, token: Token) -> None:
        opener = CLOSERS[token.kind]
        if _tag(token) and not self.has_tag(token.text):
            self.complain(report(causes.UNKNOWN_TAG, token.span, closer=token.span.text), token)
            return
        if not any(earlier.kind == opener for earlier in self.stack):
            self.mismatch(token)
            return
        while not self.closed_by(token):
            inner = self.stack[-1]
            if not (_tag(token) and inner.kind == "OPEN"):  # a tagged close closes the sections within (L13)
                self.complain(self.unclosed(inner, token), inner)
            self.force(token.span)
        self.stack.pop()
        self.pass_on(token)

    def mismatch(self, token: Token) -> None:
        """A closer whose opener is not there: it stands for another one, or it is one too many."""
        closer = token.span.text
        if self.stack and token.kind != "CLOSE" and self.stack[-1].kind != "OPEN":
            inner = self.stack[-1]
            related = [(inner.span, "opened here")]
            wanted = PRINTED[OPENERS[inner.kind]]
            self.complain(
                report(
                    causes.MISMATCHED,
                    token.span,
                    related=related,
                    closer=closer,
                    opener=inner.span.text,
                    wanted=wanted,
                ),
                inner,
            )
            self.force(token.span)
        else:
            self.complain(report(causes.STRAY_BRACKET, token.span, closer=closer), token)

    def closed_by(self, token: Token) -> bool:
        """Whether this closer is the innermost open bracket's own."""
        inner = self.stack[-1]
        return inner.kind == CLOSERS[token.kind] and (not _tag(token) or token.text == inner.text)

    def force(self, at: Span) -> None:
        """Close the innermost open bracket with a token of no width."""
        kind = OPENERS[self.stack.pop().kind]
        self.pass_on(Token(kind, "", Span(at.source, at.start, at.start)))

    def abandon(self, at: Token | None) -> None:
        """Nothing that is still open will be closed: a definition begins at `at`, or the text ends."""
        if self.stack and not self.too_deep:
            self.complain(self.unclosed(self.stack[-1], at), self.stack[-1])
        while self.stack:
            assert self.last is not None
            end = Span(self.last.span.source, self.last.span.end, self.last.span.end)
            self.force(at.span if at else end)
        self.too_deep = False

    def unclosed(self, opener: Token, at: Token | None) -> Diagnostic:
        """The opener, and what shows that it is left open."""
        related = [(at.span, "still open here")] if at else []
        sign = opener.span.text
        help = causes.PLAIN_OPENS if opener in self.doubtful else None
        return report(
            causes.UNCLOSED_BRACKET, opener.span, label="opened here", related=related, opener=sign, help=help
        )

    def complain(self, diagnostic: Diagnostic, token: Token) -> None:
        self.found.append(diagnostic)
        self.spoilt.add(token)


def _tag(token: Token) -> str:
    return token.text if token.kind in ("OPEN", "CLOSE") else ""


def _closes(tokens: list[Token], index: int, pairing: "_Pairing", *, stroked: bool) -> bool:
    """Whether a plain § closes a section.

    It opens where nothing can have ended; within a line it closes. At the head of a line both are possible: there it
    opens in a text that is `stroked`, which has a sign of its own for closing. In a text with one sign for both it
    opens if a command follows on its line, or if it is alone and the next line is set further in. A line that ends
    with a label may be the last.
    """
    after_label = pairing.in_section and tokens[index - 1].kind == "NEWLINE" and tokens[index - 2].kind == "COLON"
    if not (pairing.may_close or after_label):
        return False
    if tokens[index - 1].kind not in ("NEWLINE", "SEPARATOR"):
        return True
    if stroked:
        return False
    following = index + 1
    while following < len(tokens) and tokens[following].kind == "NEWLINE":
        following += 1
    if following == len(tokens):
        return True
    column = tokens[index].span.column
    if following == index + 1:
        return tokens[following].kind not in BEGINS
    return tokens[following].span.column <= column


def begins_definition(tokens: list[Token], index: int) -> bool:
    """Whether a definition with parameters begins here, at the very left: a likely one, whatever is still open."""
    if tokens[index].kind != "LARGE" or tokens[index].span.column != 1:
        return False
    if index + 1 >= len(tokens) or tokens[index + 1].kind not in ("ROUND_OPEN", "SQUARE_OPEN"):
        return False
    for at in range(index + 2, len(tokens)):
        if tokens[at].kind in ("ROUND_CLOSE", "SQUARE_CLOSE"):
            return at + 1 < len(tokens) and tokens[at + 1].kind == "EQUAL"
        if tokens[at].kind not in ("SMALL", "LARGE", "COMMA"):
            return False
    return False
