"""Tokens to statements: what the papers left to the eye is made explicit here, in small passes over the tokens.

1. phrases     two words that stand for one terminal: `value of`, `result is`
2. sections    every § becomes OPEN or CLOSE; brackets are paired, and a tagged close closes the sections within
3. separators  a new line becomes a SEPARATOR where a statement can end before it and begin after it
4. definitions the `=` that defines becomes DEFINED; every other one is the relation
5. products    zero-width tokens where operands stand side by side: JUXTAPOSED, or MAYBE where only the meaning of the
               left one tells product from application (`f(x)`)

The parser sees the result only. Each pass takes and returns tokens (or statements of them); none looks at text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.source import Source, Span
from cpl.syntax.lexer import Token, tokenize
from cpl.syntax.signs import CLOSERS, OPENERS, PHRASES, PRINTED

MOST_BRACKETS: Final = 80
"""How deep brackets may nest: Python's own parser refuses 200, and one CPL bracket can become two of its."""

_OPERANDS: Final = {"SMALL", "LARGE", "NUMBER", "STRING", "INFINITY", "NIL", "TRUE", "FALSE", "UNKNOWN"}
_ENDS: Final = _OPERANDS | {
    "ROUND_CLOSE",
    "SQUARE_CLOSE",
    "CURLY_CLOSE",
    "CLOSE",
    "RETURN",
    "FINISH",
    "BREAK",
    "REPEAT",
}
_BEGINS: Final = (
    _OPERANDS
    | {"ROUND_OPEN", "SQUARE_OPEN", "CURLY_OPEN", "OPEN", "NOT", "LAMBDA", "VALUE_OF", "RESULT_IS", "RESULT"}
    | {
        "LET",
        "IF",
        "UNLESS",
        "TEST",
        "WHILE",
        "UNTIL",
        "FOR",
        "DEC",
        "RETURN",
        "FINISH",
        "BREAK",
        "GO",
        "SWITCH",
        "GET",
    }
    | {"REC", "FUNCTION", "ROUTINE", "NODE", "ELEMENT", "REAL", "INTEGER", "INDEX", "COMPLEX", "LOGICAL", "TYPE"}
)


@dataclass
class Layout:
    """A text as the parser takes it: the statements of its outermost level, and the comments beside them.

    A statement of which a bracket is amiss is not `sound`, and no parser need look at it.
    """

    source: Source
    statements: list["Statement"] = field(default_factory=list)
    written: list[Token] = field(default_factory=list)  # before any pass, comments left out
    stroked: bool = False
    comments: list[Token] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def tokens(self) -> list[Token]:
        """All tokens in order, with a SEPARATOR between statements."""
        return join(self.statements)


@dataclass
class Statement:
    """The tokens of one statement at the outermost level."""

    tokens: list[Token]
    sound: bool = True


def lay_out(source: Source, *, expression: bool = False, cut: bool = False) -> Layout:
    """All passes, one after the other. In a text that is one `expression`, no = defines.

    `cut` ends every statement where a definition begins at the very left, finished or not: for texts with errors.
    """
    tokens, found = tokenize(source)
    layout = Layout(source, diagnostics=found)
    layout.comments = [token for token in tokens if token.kind == "COMMENT"]
    layout.written = [token for token in tokens if token.kind != "COMMENT"]
    layout.stroked = any(token.kind == "CLOSE" for token in tokens)
    layout.statements = lay_out_tokens(
        layout.written, layout.diagnostics, stroked=layout.stroked, expression=expression, cut=cut
    )
    return layout


def lay_out_tokens(
    tokens: Sequence[Token],
    found: list[Diagnostic],
    *,
    stroked: bool,
    expression: bool = False,
    cut: bool = False,
) -> list["Statement"]:
    """The passes over tokens; `stroked` if the text that they come from has a sign of its own for closing sections."""
    paired, spoilt = sections(phrases(tokens), found, stroked=stroked)
    result = statements(separators(paired, cut=cut), spoilt)
    for statement in result:
        statement.tokens = products(definitions(statement.tokens, expression=expression))
    return result


def join(parts: Sequence["Statement"]) -> list[Token]:
    """The tokens of several statements, with a SEPARATOR between two."""
    tokens: list[Token] = []
    for statement in parts:
        if tokens:
            first = statement.tokens[0].span
            tokens.append(Token("SEPARATOR", "", Span(first.source, first.start, first.start)))
        tokens += statement.tokens
    return tokens


def phrases(tokens: Iterable[Token]) -> list[Token]:
    """Join the words that stand for one terminal together, across a line end too."""
    result: list[Token] = []
    last = -1  # where the last token that is no new line stands
    for token in tokens:
        kind = PHRASES.get((result[last].kind, token.kind)) if last >= 0 else None
        if kind:
            del result[last + 1 :]
            result[last] = Token(kind, PRINTED[kind], result[last].span.to(token.span))
            continue
        result.append(token)
        if token.kind != "NEWLINE":
            last = len(result) - 1
    return result


def sections(tokens: list[Token], found: list[Diagnostic], *, stroked: bool) -> tuple[list[Token], set[Token]]:
    """Tell § from § and pair all brackets. Also returned: the tokens at which bad brackets were found."""
    pairing = _Pairing(found)
    for index, token in enumerate(tokens):
        if token.kind == "SECTION":
            closes = _closes(tokens, index, pairing, stroked=stroked)
            token = Token("CLOSE" if closes or pairing.has_tag(token.text) else "OPEN", token.text, token.span)
        if _begins_definition(tokens, index):
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
        self.stack: list[Token] = []
        self.last: Token | None = None  # that is no separator
        self.too_deep = False

    @property
    def in_section(self) -> bool:
        return any(opener.kind == "OPEN" for opener in self.stack)

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
                self.complain(_unclosed(inner, token), inner)
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
            self.complain(_unclosed(self.stack[-1], at), self.stack[-1])
        while self.stack:
            self.force((at or self.stack[-1]).span)
        self.too_deep = False

    def complain(self, diagnostic: Diagnostic, token: Token) -> None:
        self.found.append(diagnostic)
        self.spoilt.add(token)


def _tag(token: Token) -> str:
    return token.text if token.kind in ("OPEN", "CLOSE") else ""


def _unclosed(opener: Token, at: Token | None) -> Diagnostic:
    related = [(at.span, "still open here")] if at else []
    return report(causes.UNCLOSED_BRACKET, opener.span, label="opened here", related=related, opener=opener.span.text)


def _closes(tokens: list[Token], index: int, pairing: "_Pairing", *, stroked: bool) -> bool:
    """Whether a plain § closes a section.

    It opens where nothing can have ended; within a line it closes. At the head of a line both are possible: there it
    opens in a text that is `stroked`, which has a sign of its own for closing. In a text with one sign for both it
    opens if a command follows on its line, or if it is alone and the next line is set further in.
    """
    if pairing.last is None or pairing.last.kind not in _ENDS or not pairing.in_section:
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
        return tokens[following].kind not in _BEGINS
    return tokens[following].span.column <= column


def _begins_definition(tokens: list[Token], index: int) -> bool:
    """Whether a definition with parameters begins here, at the very left: a sure sign, whatever is still open."""
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


def separators(tokens: list[Token], *, cut: bool = False) -> list[Token]:
    """Make a SEPARATOR of each new line between two statements, and drop all others (evidence L14–L17).

    A line goes on if it cannot have ended, or if the next one cannot begin a statement: no statement begins with an
    operator. Within round and square brackets lines never end, except in a section inside them. `cut` ends the line
    also where a definition begins at the very left.
    """
    result: list[Token] = []
    stack: list[str] = []
    pending: Token | None = None
    for index, token in enumerate(tokens):
        if token.kind in ("NEWLINE", "SEPARATOR"):
            if pending is None or token.kind == "SEPARATOR":
                pending = token
            continue
        in_list = bool(stack) and stack[-1] != "OPEN"
        forced = cut and not stack and result and _begins_definition(tokens, index)
        if pending and (forced or _separates(pending, result, token, in_list=in_list)):
            result.append(Token("SEPARATOR", "", pending.span))
        pending = None
        if token.kind in OPENERS:
            stack.append(token.kind)
        elif token.kind in CLOSERS and stack:
            stack.pop()
        result.append(token)
    return result


def _separates(sign: Token, before: list[Token], after: Token, in_list: bool) -> bool:
    if not before:
        return False
    if sign.kind == "SEPARATOR":  # a semicolon always does, unless there is nothing between it and a bracket
        return before[-1].kind != "OPEN" and after.kind != "CLOSE"
    return not in_list and before[-1].kind in _ENDS and after.kind in _BEGINS


def statements(tokens: list[Token], spoilt: set[Token]) -> list[Statement]:
    """Cut the tokens at the separators of the outermost level."""
    result: list[Statement] = []
    depth = 0
    current: list[Token] = []
    for token in tokens:
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind == "SEPARATOR" and depth <= 0:
            result.append(Statement(current))
            current = []
        else:
            current.append(token)
    result.append(Statement(current))
    for statement in result:
        statement.sound = spoilt.isdisjoint(statement.tokens) and all(
            token.kind != "UNKNOWN" for token in statement.tokens
        )
    return [statement for statement in result if statement.tokens]


def definitions(tokens: list[Token], *, expression: bool = False) -> list[Token]:
    """Make DEFINED of the first = of a statement at the outermost level, and of the first after a `let`."""
    result: list[Token] = []
    armed = [not expression]  # for each open bracket: does the next = define?
    for token in tokens:
        if token.kind == "LET":
            armed[-1] = True
        elif token.kind == "SEPARATOR":
            armed[-1] = False
        elif token.kind in OPENERS:
            armed.append(False)
        elif token.kind in CLOSERS and len(armed) > 1:
            armed.pop()
        elif token.kind == "EQUAL" and armed[-1]:
            armed[-1] = False
            token = Token("DEFINED", token.text, token.span)
        result.append(token)
    return result


def products(tokens: list[Token]) -> list[Token]:
    """Put a zero-width operator between operands that stand side by side on one line (evidence L3–L7).

    A large name before a bracket is applied to it, and so is anything before a square bracket: no operator there.
    """
    result: list[Token] = []
    headings = _headings(tokens)
    for index, token in enumerate(tokens):
        kind = result and index not in headings and _product(result[-1], token)
        if kind and result[-1].span.line == token.span.line:
            result.append(Token(kind, "", Span(token.span.source, token.span.start, token.span.start)))
        result.append(token)
    return result


def _headings(tokens: list[Token]) -> set[int]:
    """Where the bracket of a heading `f(x) =` opens, whose small name is a function's."""
    openers: list[int] = []
    result: set[int] = set()
    last = 0  # the opener of the bracket that was closed last
    for index, token in enumerate(tokens):
        if token.kind in OPENERS:
            openers.append(index)
        elif token.kind in CLOSERS and openers:
            last = openers.pop()
        elif token.kind == "DEFINED" and tokens[index - 1].kind == "ROUND_CLOSE" and last:
            before = tokens[last - 2].kind if last > 1 else "SEPARATOR"
            if tokens[last - 1].kind == "SMALL" and before in ("LET", "SEPARATOR", "OPEN"):
                result.add(last)
    return result


def _product(left: Token, right: Token) -> str | None:
    if left.kind not in ("SMALL", "NUMBER", "ROUND_CLOSE", "SQUARE_CLOSE"):
        return None
    match right.kind:
        case "SMALL" | "LARGE" | "INFINITY":
            return "JUXTAPOSED"
        case "ROUND_OPEN":
            return "JUXTAPOSED" if left.kind == "NUMBER" else "MAYBE"
        case _:
            return None
