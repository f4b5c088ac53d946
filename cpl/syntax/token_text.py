"""The text of a token: as written, as printed, or in ASCII; and which tokens need a blank between them."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from cpl.source import Source
from cpl.syntax.lexer import RAISED, Token, on_one_line, tokenize
from cpl.syntax.tokens import CLOSERS, GREEK, OPENERS, SYMBOLS

Notation = Callable[[Token], str]
"""A way to write tokens."""

_PRINTED: Final = {kind: forms[0] for kind, forms in SYMBOLS.items()} | {
    "DEFINED_BY": "≡",
    "OPEN": "§",
    "CLOSE": "§|",
}
_TYPED: Final = {kind: next(filter(str.isascii, forms), "") for kind, forms in SYMBOLS.items()} | {
    "DEFINED_BY": "\\equiv",
    "INFINITY": "infinity",
    "LAMBDA": "\\lambda",
    "OPEN": "$(",
    "CLOSE": "$)",
}


def is_raised(token: Token) -> bool:
    """Whether this is a power in raised digits: `²`."""
    return token.kind == "NUMBER" and token.span.text[0] in RAISED


def as_written(token: Token) -> str:
    """The text of the token; the words of a phrase are separated by single blanks, without comments between them."""
    if token.kind in ("STRING", "COMMENT"):
        return token.span.text.rstrip()
    return on_one_line(token.span)


def printed(token: Token) -> str:
    """In print: `→`, `×`, `σ`, `§|`."""
    return _spelled(token, _PRINTED, "8 ", "⏨", (("‘", "’"), ("“", "”")))


def typed(token: Token) -> str:
    r"""In ASCII: `->`, `*`, `\sigma`, `$)`. Strings keep their contents, their quotes become `"` if possible."""
    if is_raised(token):
        return f"\\up{token.text}"
    if token.kind == "SMALL" and token.text[0] in GREEK:
        return f"\\{GREEK[token.text[0]]}{token.text[1:]}"
    return _spelled(token, _TYPED, "#", "\\10", (('"', '"'),))


def _spelled(
    token: Token, symbols: Mapping[str, str], octal: str, exponent: str, quotes: Sequence[tuple[str, str]]
) -> str:
    """The token in a notation that has these symbols, signs of octal numbers and exponents, and pairs of quotes."""
    written = as_written(token)
    match token.kind:
        case "OPEN" | "CLOSE":
            return symbols[token.kind] + token.text
        case "SMALL" | "LARGE":
            return token.text
        case "NUMBER" if token.text.startswith("0o"):
            return octal + token.text[2:]
        case "NUMBER" if not is_raised(token):
            return token.text.replace("e", exponent).replace("-", symbols["MINUS"])
        case "STRING":
            pairs = (*quotes, (written[0], written[-1]))
            return next(f"{a}{token.text}{b}" for a, b in pairs if b not in token.text)
        case "COMMENT":
            return token.text.rstrip()
        case _:
            return symbols.get(token.kind) or written


def blank_between(left: Token, right: Token) -> bool:
    """Whether a blank separates two tokens unless the tree says otherwise."""
    if left.kind in _CLOSE_AFTER or right.kind in _CLOSE_BEFORE or is_raised(right):
        return False
    if left.kind in _BEFORE_PRODUCT | {"LARGE", "STRING"} and right.kind in BRACKETS_OPEN:
        return False
    if left.kind in _BEFORE_PRODUCT and right.kind in _IN_PRODUCT:
        greek = left.text[:1] in GREEK or right.text[:1] in GREEK  # they make no words
        touching = left.span.end == right.span.start
        return not (touching or right.kind == "INFINITY" or (greek and left.kind == right.kind == "SMALL"))
    return True


BRACKETS_OPEN: Final = {*OPENERS} - {"OPEN"}
_BRACKETS_CLOSE: Final = {*CLOSERS} - {"CLOSE"}
_BEFORE_PRODUCT: Final = {"SMALL", "NUMBER", *_BRACKETS_CLOSE}
_IN_PRODUCT: Final = {"SMALL", "LARGE", "INFINITY", "RESULT", "NUMBER"}
_CLOSE_BEFORE: Final = {"COMMA", "SEPARATOR", "LABELS", "DOT", *_BRACKETS_CLOSE}
_CLOSE_AFTER: Final = {"NOT", "POINTS", "LAMBDA", *BRACKETS_OPEN}


@lru_cache(maxsize=10_000)
def stay_apart(left: str, right: str) -> bool:
    """Whether two tokens are still the same tokens with nothing between them."""
    return _tokens(left + right) == _tokens(left) + _tokens(right)


def _tokens(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokenize(Source("", text))[0]]
