"""Characters that look like signs of CPL, as texts from web pages and phones have them, and character references such
as `&theta;`.

Takes a text in which the lexer met an unknown sign. Gives an error for each look-alike, with what to write as its only
fix, and the tokens of the text as if all these fixes were made, at their places in the text itself. So nothing else is
reported because of `a ≦ 1` than the ≦. What stands in comments and strings is left alone.

If the code has character references, all of the text are read as what they mean, those in comments and strings, too:
the text is the source of a web page. There is a warning for each that differs from the others.

Only what is plainly meant counts. `xⁿ` is no product and ½ no operand of ↑, so raised letters and fractions are no
look-alikes. Nor are marks that change the direction of a text: with and without them one reads something else.
"""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, Fix, report
from cpl.messages import Cause
from cpl.records import replace
from cpl.source import Source, Span
from cpl.syntax import lexer
from cpl.syntax.lexer import PATTERNS, TOKEN, Token, named

PLAIN: Final = {
    ord(char): sign
    for sign, chars in {
        "≤": "≦⩽",
        "≥": "≧⩾",
        "=": "⩵═꞊",
        ":=": "≔⩴←⟵",
        "→": "⇒⟶⟹⇨➔➙➛➜➝➞➡⭢",
        "+": "➕",
        "−": "‐‑‒―─➖˗",
        "×": "✕✖⨯⨉╳⋅∙⁎✱✲",
        "/": "÷∕⁄⧸╱➗",
        "↑": "⬆",
        "↓": "⬇",
        "∞": "♾",
        "~": "∼˜",
        "∧": "⋀⋏˄",
        "∨": "⋁⋎˅",
        "<": "˂",
        ">": "˃",
        ",": "、،",
        ";": "؛⁏",
        ":": "∶꞉ː",
        ".": "。",
        "(": "❨❪",
        ")": "❩❫",
        "[": "⟦【〔",
        "]": "⟧】〕",
        "||": "‖",
        "Σ": "∑",
        "Π": "∏",
        "Δ": "∆",
        "ε": "ɛ",
        "'": "’´ʹʼ＇",
        "''": "″",
        "'''": "‴",
        "": "\u0332\u0333\u0331\ufe0e\ufe0f\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff",
    }.items()
    for char in chars
} | str.maketrans(
    "АВЕЅІЈКМНОРСТУҮХԌԚԜасеорхуѕіјһԁԛԝӏɑɡıİ",
    "ABESIJKMHOPCTYYXGQWaceopxysijhdqwlagiI",
)
"""What characters look like. Those for "" add nothing to what they follow, as an underline does."""

QUOTES: Final = dict.fromkeys("„“ „” «» »« ＂＂ ‟” 〝〞 「」 『』 ”” ❝❞".split(), "“”") | dict.fromkeys(
    "‚‘ ‚’ ‹› ›‹ ＇＇ ’’ '' `` `' ´´ `´ ‛’ ❛❜".split(), "‘’"
)
"""Pairs of quotes round a string, and what CPL has in their place."""

_REFERENCE: Final = "&(?:#[0-9]+|#[xX][0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]*);"
_TEXT: Final = re.compile(
    "|".join(
        (
            f"(?P<reference>{_REFERENCE})",
            # In a string that holds its own quote, or a new line, the quote is no prime.
            r"‘[^’\r\n]*(?:’[ \t\w]*|(?:\r\n?|\n)[^‘’\r\n]*)’[^\r\n]*",
            "(?P<underlined>(?:[A-Za-z]\u0332)+)",
            *(pattern for kind, pattern in PATTERNS.items() if kind != "other"),
            r"(?<![\w'′’)\]])(?P<quoted>"
            + "|".join(f"{q[0]}[^{q}{plain[1]}\r\n]*{q[1]}" for q, plain in QUOTES.items())
            + r")(?![A-Za-z])",
            r"[„«»‹›‟〝「『❝❛＂][^\r\n]*",  # a string that is not closed, or holds what would close it
            r"(?<=[\w'′])(?P<primes>[’´ʹʼ＇″‴]+)",
            r"(?P<comment>‖(?![^\r\n]*‖)|｜｜|＃＃)[^\r\n]*",  # ‖x‖ is a norm
            "(?P<letters>[\u0400-\u052f\U0001d400-\U0001d7ff０-９Ａ-Ｚａ-ｚ]+)",
            "(?P<sign>[^\x00-\x7f‖][\ufe0e\ufe0f]?)",
        )
    )
)
"""What is passed over and, by their names, what may be look-alikes."""


def tokenize(source: Source) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of a text as if all look-alikes were replaced, and what is wrong with it."""
    look_alikes, references = [*_look_alikes(source.text)], [*_references(source.text)]
    found = [_reported(Span(source, start, end), plain) for start, end, plain in look_alikes]
    pieces = [*source.text]  # what is meant by each character
    for start, end, plain in look_alikes + references:
        pieces[start:end] = plain if len(plain) == end - start else [plain, *[""] * (end - start - 1)]
    places = [*(place for place, piece in enumerate(pieces) for _ in piece), len(pieces)]

    def moved(span: Span) -> Span:
        return Span(source, places[span.start], places[span.end])

    tokens, others = lexer.tokenize(Source(source.path, "".join(pieces)))
    found += [
        replace(other, span=moved(other.span), related=tuple([(moved(span), label) for span, label in other.related]))
        for other in others
    ]
    wrong = {each.span for each in found}
    apart = [(Span(source, start, end), plain) for start, end, plain in reversed(references)]
    kinds = {span.text: (span, plain) for span, plain in apart if span not in wrong}
    found += [_reported(span, plain, messages.REFERENCE) for span, plain in kinds.values()]
    return [replace(token, span=moved(token.span)) for token in tokens], found


def _look_alikes(text: str) -> Iterator[tuple[int, int, str]]:
    """The look-alikes in the code of a text: where each begins and ends, and what is meant."""
    for match in _TEXT.finditer(text):
        start, end = match.span(match.lastgroup or 0)
        if match["quoted"]:
            yield from zip((start, end - 1), (start + 1, end), QUOTES[text[start] + text[end - 1]], strict=True)
        elif match.lastgroup and (plain := _meant(text[start:end], is_prime=bool(match["primes"]))) is not None:
            yield start, end, plain


def _references(text: str) -> Iterator[tuple[int, int, str]]:
    """The character references in a text whose code has any: where each begins and ends, and what is meant."""
    if any(match["reference"] for match in _TEXT.finditer(text)):
        for match in re.finditer(_REFERENCE, text):
            sign = unescape(match[0])
            # An unknown name stands for itself; hidden characters are better seen.
            if sign != match[0] and not unicodedata.category(sign[0]).startswith("C"):
                plain = _meant(sign, is_prime=False)
                yield *match.span(), sign if plain is None else plain


def _meant(text: str, *, is_prime: bool) -> str | None:
    """Return the plain signs that these look like. None if those are several tokens, or if these mean more, as raised
    letters and fractions do.
    """
    plain = unicodedata.normalize("NFKC", text.translate(PLAIN))
    kinds = {match.lastgroup for match in TOKEN.finditer("x" + plain if is_prime else plain)}
    means_more = unicodedata.decomposition(text[0]).startswith(("<super>", "<sub>", "<fraction>", "<square>"))
    is_known = kinds <= {"comment", "sign", "word", "capital", "large", "greek", "number"}
    return plain if is_known and not means_more and (len(kinds) < 2 or plain.isalnum()) else None


def _reported(span: Span, plain: str, cause: Cause = messages.UNKNOWN_SIGN) -> Diagnostic:
    """The finding about what stands for a plain sign, with its fix."""
    sign = named(span.text)
    advice = (
        f"write {'the Latin ' if 'CYRILLIC' in sign else ''}{plain.strip() or 'a blank'} for {span.text}"
        if plain
        else f"take out {sign}"
    )
    return replace(report(cause, span, sign=sign, plain=named(plain), help=advice), fixes=(Fix(span, plain, advice),))
