"""The text of a token: as written, as printed, or in ASCII; and which tokens need a blank between them."""

from collections.abc import Callable
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
    written = as_written(token)
    match token.kind:
        case "OPEN" | "CLOSE":
            return _PRINTED[token.kind] + token.text
        case "SMALL" | "LARGE":
            return token.text
        case "NUMBER" if token.text.startswith("0o"):
            return f"8 {token.text[2:]}"
        case "NUMBER" if not is_raised(token):
            return token.text.replace("e", "⏨").replace("-", "−")
        case "STRING":
            return next((f"{a}{token.text}{b}" for a, b in ("‘’", "“”") if b not in token.text), written)
        case _:
            return _PRINTED.get(token.kind, written)


def typed(token: Token) -> str:
    r"""In ASCII: `->`, `*`, `\sigma`, `$)`. Strings keep their contents, their quotes become `"` if possible."""
    written = as_written(token)
    match token.kind:
        case "OPEN" | "CLOSE":
            return _TYPED[token.kind] + token.text
        case "SMALL" if token.text[0] in GREEK:
            return f"\\{GREEK[token.text[0]]}{token.text[1:]}"
        case "SMALL" | "LARGE":
            return token.text
        case "NUMBER" if token.text.startswith("0o"):
            return f"#{token.text[2:]}"
        case "NUMBER" if not is_raised(token):
            return token.text.replace("e", "\\10")
        case "NUMBER":
            return f"\\up{token.text}"
        case "STRING":
            return written if '"' in token.text else f'"{token.text}"'
        case _:
            return _TYPED.get(token.kind) or written


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
