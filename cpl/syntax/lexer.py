"""Text to tokens: words, names, numbers, strings, signs. What the tokens mean to each other is `layout`'s business.

A run of lower-case letters is a reserved word if the whole run is one; otherwise each letter is a small name of its own
(`xf` is x × f, evidence L3, L4). A large name begins with a capital and runs on through letters, digits and primes
(L2).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic, is_hidden, report
from cpl.source import Source, Span
from cpl.syntax.signs import CAPITAL_WORDS, ELSEWHERE, GREEK, GREEK_LETTERS, SIGNS, SPECIAL_WORDS, WORDS, word_kind

MOST_DIGITS: Final = 4000
"""Python refuses to read whole numbers of more than 4300 digits."""


@dataclass(frozen=True, slots=True)
class Token:
    """A terminal of the grammar: its kind, the text that matters of it (a name's canonical form, a string's inside),
    its place.

    A section bracket's text is its tag.
    """

    kind: str
    text: str
    span: Span


PRIMES: Final = "['′]*"
_TAG = r"[0-9]+(?:\.[0-9]+)*"
_STROKE = "[\u20d2\u20d3\u0337\u0338]"
# A stroke may come as a combining mark before or after the §, or as a | that does not begin the comment sign ||.
_SECTION = rf"{_STROKE}?§(?:{_TAG})?(?:{_STROKE}|\|(?!\|(?!\|)))?(?:{_TAG})?|\$[()](?:{_TAG})?"
_ALSO: Final = {"–": "MINUS", "·": "TIMES", "∗": "TIMES"}
SIGN_KINDS: Final = {form: sign.kind for sign in SIGNS for form in sign.forms} | _ALSO
_STANDARD_FORM: Final = {
    "ϑ": "θ",
    "ϕ": "φ",
    "ϵ": "ε",
    "ϖ": "π",
    "ϱ": "ρ",
    "ϰ": "κ",
    "µ": "μ",
    "\u2126": "Ω",
    "\u03f9": "Σ",
}
_LETTER = f"[{''.join(letter for letter in GREEK if letter != 'λ')}{''.join(_STANDARD_FORM)}]"


def either(texts: Iterable[str]) -> str:
    """A pattern for any of these texts, the longest that fits."""
    return "|".join(re.escape(text) for text in sorted(texts, key=lambda text: (-len(text), text)))


NO_NAME: Final = r"\b(?!['′]|[ \t]*\[|\()"
"""What must follow a word that is printed with a capital, or it is a name."""

_ELSEWHERE: Final = [each for each in ELSEWHERE if len(each) > 1 and not each.isalpha() and each not in ("++", "--")]
"""Signs of other languages that would be cut in two. `++` is one only where no operand follows: `a ++b` is sound."""

RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""Digits that are a power by the way that they are set."""

PATTERNS: Final = {
    "blank": r"[ \t\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|\A\ufeff",
    "newline": r"\r\n|\r|\n",
    "comment": r"(?:##|\|\|)[^\r\n]*",
    "string": r'‘[^’\r\n]*’|“[^”\r\n]*”|"[^"\r\n]*"',
    "unclosed": r'[‘“"][^\r\n]*',
    "section": _SECTION,
    "octal": r"(?:8[ \t]+|𝟖[ \t]*|#)[0-7]+(?![0-9.])",
    "number": r"[0-9]+(?:\.[0-9]+)?(?:(?:⏨|₁₀|\\10)[+−-]?[0-9]+)?",
    "raised": f"[{RAISED}]+",
    "word": f"[a-z]+{PRIMES}",
    "branch": r"If[ \t]+(?:so|not)[ \t]+do\b",
    "capital": f"(?:{either(CAPITAL_WORDS)}){NO_NAME}",
    "large": "[A-Z][A-Za-z0-9'′]*",
    "greek": _LETTER + PRIMES,
    "spelled": rf"\\[A-Za-z]+{PRIMES}",
    "remark": r"(?:#|//|/\*)[^\r\n]*",
    "elsewhere": rf"{either(_ELSEWHERE)}|(?:\+\+|--)(?=[ \t]*(?:[\r\n;)]|\Z))",
    "sign": either(SIGN_KINDS),
    "other": ".",
}
"""What a text is cut into, tried in this order: at every place one of these fits."""

_TOKEN: Final = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in PATTERNS.items()), re.DOTALL)


_ALLOWED: Final = "\t\u200c\u200d"
"""A tab, and what joins letters, or pictures, or keeps them apart: some languages are written with these."""

_LOWERED: Final = str.maketrans(RAISED, "0123456789")


def tokenize(source: Source) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of a source, with NEWLINE and COMMENT tokens among them; no END token, no layout."""
    tokens: list[Token] = []
    found: list[Diagnostic] = []
    for match in _TOKEN.finditer(source.text):
        span = Span(source, *match.span())
        text = match.group()
        match match.lastgroup:
            case "blank":
                pass
            case "newline":
                tokens.append(Token("NEWLINE", text, span))
            case "comment":
                found += _invisible(span, is_hidden)
                tokens.append(Token("COMMENT", text, span))
            case "string":
                found += _invisible(span, _is_control)
                tokens.append(Token("STRING", text[1:-1], span))
            case "unclosed":
                closer = {"‘": "’", "“": "”"}.get(text[0], '"')
                found.append(report(causes.UNCLOSED_STRING, span, closer=closer))
                tokens.append(Token("UNKNOWN", text, span))
            case "section":
                tokens.append(_section(text, span))
            case "octal":
                found += _long(span)
                digits = (re.search("[0-7]+$", text) or match).group()
                tokens.append(Token("NUMBER", f"0o{digits[:MOST_DIGITS]}", span))
            case "number":
                text = re.sub(r"⏨|₁₀|\\10", "e", text).replace("−", "-")
                found += _long(span)
                tokens.append(Token("NUMBER", "0" if len(text) > MOST_DIGITS else text, span))
            case "raised":
                tokens.append(Token("POWER", "", Span(source, span.start, span.start)))
                found += _long(span)
                tokens.append(Token("NUMBER", text.translate(_LOWERED)[:MOST_DIGITS], span))
            case "word":
                tokens += _words(text, span)
            case "branch":
                tokens.append(Token("THEN" if "so" in text else "ELSE", text, span))
            case "capital":
                tokens.append(Token(CAPITAL_WORDS[text], text, span))
            case "large":
                kind = SPECIAL_WORDS.get(text, "LARGE")
                tokens.append(Token(kind, text.replace("′", "'"), span))
            case "greek":
                letter = _STANDARD_FORM.get(text[0], text[0])
                tokens.append(Token("SMALL", letter + "'" * (len(text) - 1), span))
            case "spelled" if text in SIGN_KINDS:
                tokens.append(Token(SIGN_KINDS[text], text, span))
            case "spelled":
                name = text[1:].rstrip("'′")
                if name not in GREEK_LETTERS:
                    found.append(report(causes.UNKNOWN_LETTER, span, sign=text))
                kind = "LAMBDA" if name == "lambda" else "SMALL"
                primes = "'" * (len(text) - 1 - len(name))
                tokens.append(Token(kind, GREEK_LETTERS.get(name, "σ") + primes, span))
            case "sign":
                tokens.append(Token(SIGN_KINDS[text], text, span))
            case _:
                sign = max((each for each in ELSEWHERE if text.startswith(each)), key=len, default=text)
                place = Span(source, span.start, span.start + len(sign))
                help = ELSEWHERE.get(sign) if sign.isprintable() else causes.HIDDEN.help
                found.append(report(causes.UNKNOWN_SIGN, place, sign=visible(sign), help=help))
                tokens.append(Token("UNKNOWN", text, span))
    return tokens, found


def _words(text: str, span: Span) -> Iterator[Token]:
    """A reserved word, or the small names that a run of letters is made of."""
    if text in WORDS:
        yield Token(word_kind(text), text, span)
        return
    if len(text) == 1:
        yield Token("SMALL", text, span)
        return
    for letter in re.finditer(f"[a-z]{PRIMES}", text):
        start = span.start + letter.start()
        name = letter.group().replace("′", "'")
        yield Token("SMALL", name, Span(span.source, start, span.start + letter.end()))


def _section(text: str, span: Span) -> Token:
    """§ and its relatives. Plain § may open or close: SECTION, for `layout` to decide."""
    tag = re.search(_TAG, text)
    if text.startswith("$"):
        kind = "OPEN" if text[1] == "(" else "CLOSE"
    else:
        kind = "CLOSE" if re.search(rf"{_STROKE}|\|", text) else "SECTION"
    return Token(kind, tag.group() if tag else "", span)


def _long(span: Span) -> Iterator[Diagnostic]:
    """A number that Python would not read."""
    if len(span.text) > MOST_DIGITS:
        yield report(causes.LONG_NUMBER, span, digits=len(span.text))


def _is_control(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cs")


def _invisible(span: Span, is_wrong: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """Hidden characters that may not stand in a comment or a string, where otherwise any may."""
    if span.text.isprintable():
        return
    for start, char in enumerate(span.text, span.start):
        if is_wrong(char) and char not in _ALLOWED:
            place = Span(span.source, start, start + 1)
            yield report(causes.HIDDEN, place, sign=visible(char))


def visible(char: str) -> str:
    """A character that can be seen, or what to call it."""
    if char.isprintable():
        return char
    name = unicodedata.name(char, "").lower()
    return f"the invisible character U+{ord(char):04X}" + (f" ({name})" if name else "")


def on_one_line(span: Span) -> str:
    """The words of a span with one blank between two, and without the comments that stand among them."""
    text = span.text
    if text.isalnum() or len(text) == 1:  # it is one already
        return text
    return " ".join(re.sub(PATTERNS["comment"], "", text).split())
