"""A text cut into pieces that hold every character of it: the tokens, as written, and the blanks between them.

Wrong and unfinished texts are cut too.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from cpl.source import Source
from cpl.syntax.lexer import tokenize

BLANK: Final = "BLANK"
WRONG: Final = "WRONG"
APPLIED: Final = "APPLIED"


class Piece(NamedTuple):
    """Where a piece begins, its characters, and its kind: that of the token, or one of the three above.

    BLANK is between tokens, and WRONG what the lexer reports. APPLIED is a large name before a bracket: a function, as
    it is applied or defined there (or an array: only definitions tell).
    """

    start: int
    kind: str
    text: str


def pieces(source: Source) -> Iterator[Piece]:
    """The pieces of a text, in order."""
    text = source.text
    tokens, found = tokenize(source)
    wrong = {(each.span.start, each.span.end) for each in found}
    followers = [*(token.kind for token in tokens[1:]), ""]
    end = 0
    for token, follower in zip(tokens, followers, strict=False):
        start, before = token.span.start, end
        if start > before:
            yield Piece(before, BLANK, text[before:start])
        end, kind = token.span.end, token.kind
        if (start, end) in wrong:
            kind = WRONG
        elif kind == "LARGE" and follower in ("ROUND_OPEN", "SQUARE_OPEN"):
            kind = APPLIED
        if end > start:  # the ↑ that a raised digit implies has no text
            yield Piece(start, kind, text[start:end])
    if end < len(text):
        yield Piece(end, BLANK, text[end:])
