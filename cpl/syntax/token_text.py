"""The text of tokens: as written, with the signs of print, or in ASCII; and which of them need a blank between them."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from cpl.source import Source
from cpl.syntax.lexer import RAISED, Token, on_one_line, tokenize
from cpl.syntax.tokens import CLOSERS, GREEK, OPENERS, SIGNS

Notation = Callable[[Token], str]
"""How a token is written."""

_PRINTED: Final = {sign.kind: sign.forms[0] for sign in SIGNS} | {
    "LAMBDA": "λ",
    "INFINITY": "∞",
    "DEFINED_BY": "≡",
}
_TYPED: Final = {sign.kind: next((form for form in sign.forms if form.isascii()), "") for sign in SIGNS} | {
    "LAMBDA": "\\lambda",
    "INFINITY": "infinity",
    "DEFINED_BY": "\\equiv",
}


def is_raised(token: Token) -> bool:
    """Whether a number is set as a power: `²`."""
    return token.kind == "NUMBER" and token.span.text[0] in RAISED


def as_written(token: Token) -> str:
    """As it stands in the text; words that form one terminal have single blanks, and no comments, between them."""
    if token.kind in ("STRING", "COMMENT"):
        return token.span.text.rstrip()
    return on_one_line(token.span)


def printed(token: Token) -> str:
    """With the signs of print: `→`, `×`, `σ`, `§|`."""
    written = as_written(token)
    match token.kind:
        case "OPEN":
            return f"§{token.text}"
        case "CLOSE":
            return f"§|{token.text}"
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
    r"""In ASCII: `->`, `*`, `\sigma`, `$)`. The contents of strings stay; their quotes become `"` where possible."""
    written = as_written(token)
    match token.kind:
        case "OPEN":
            return f"$({token.text}"
        case "CLOSE":
            return f"$){token.text}"
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
    """Whether a blank stands between two tokens where the tree does not matter."""
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
    """Whether two tokens stay the same tokens when nothing stands between them."""
    return _tokens(left + right) == _tokens(left) + _tokens(right)


def _tokens(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokenize(Source("", text))[0]]
