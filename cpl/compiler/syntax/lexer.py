"""Text to tokens: words, names, numbers, strings, symbols. `layout` decides how they belong together.

A run of lower-case letters is a reserved word if the whole run is one; otherwise each letter is a small name of its own
(`xf` is x × f, evidence L3, L4). A large name begins with a capital and runs on through letters, digits and primes
(L2).

A run of letters that are all underlined, or all bold, is a reserved word; no name can be meant (L8).

In a text with an unknown sign, `tokenize_look_alikes` reads characters that look like signs of CPL, as texts from web
pages and phones have them. `pieces` cuts a text, wrong or unfinished, so that every character is in a piece: for
colours.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Final, NamedTuple

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, Fix, report
from cpl.compiler.source import Source, Span
from cpl.compiler.suggestions import meant, near
from cpl.compiler.syntax.tokens import (
    BASES,
    BOLD_DIGITS,
    BOLD_LETTERS,
    CAPITAL_WORDS,
    CLOSERS,
    ELSEWHERE,
    GREEK,
    GREEK_LETTERS,
    IN_CONTEXT,
    OPENERS,
    SPECIAL_WORDS,
    SYMBOL_KINDS,
    UNDERLINE,
    WORD_KINDS,
    WORDS,
    Base,
    in_print,
    unmarked,
    word_kind,
)
from cpl.limits import MOST_CHARACTERS_SEEN, MOST_DIGITS, MOST_TOKENS_OF_DEFINITION, MOST_WRONG_CHARACTERS
from cpl.outside import is_hidden


@dataclass(frozen=True, slots=True)
class Token:
    """A terminal of the grammar with its text: the canonical form of a name, the contents of a string, the tag of a
    section bracket.
    """

    kind: str
    text: str
    span: Span

    @property
    def type(self) -> str:
        """The terminal, by lark's name for the field."""
        return self.kind


PRIMES: Final = "['′]*"
_TAG = r"[0-9]+(?:\.[0-9]+)*"
_STROKE = "[\u20d2\u20d3\u0337\u0338]"
# A stroke may come as a combining mark before or after the §, or as a | that does not begin the comment sign ||.
_SECTION = rf"{_STROKE}?§(?:{_TAG})?(?:{_STROKE}|\|(?!\|(?!\|)))?(?:{_TAG})?|\$[()](?:{_TAG})?"

_LONGEST = max(map(len, WORD_KINDS))
_LETTERS = f"A-Za-z{BOLD_LETTERS}"
_A_LETTER = f"[{_LETTERS}]"
_MARKED = f"(?:[A-Za-z]{UNDERLINE})+|[{BOLD_LETTERS}]+"
_UNDERLINED_DIGIT = f"(?<![0-9]{UNDERLINE})[0-9]{UNDERLINE}(?![0-9A-Za-z]{UNDERLINE})"
_BOLD_SIGN = f"(?<![{BOLD_DIGITS}])[{''.join(base.bold for base in BASES)}](?![{BOLD_DIGITS}{BOLD_LETTERS}])"
_UNDERLINED_BLANKS = f"(?: {UNDERLINE})+"
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


def any_of(texts: Iterable[str]) -> str:
    """A pattern that matches any of these texts, the longest if several do."""
    return "|".join(re.escape(text) for text in sorted(texts, key=lambda text: (-len(text), text)))


_SPELLED_LETTERS: Final = [f"\\{name}" for name in GREEK_LETTERS]
_SPELLED_SYMBOLS: Final = [form for form in SYMBOL_KINDS if re.fullmatch(r"\\[a-z]+", form)]
_SPELLED: Final = re.compile(any_of([*_SPELLED_LETTERS, *_SPELLED_SYMBOLS]))
"""What is spelled with a backslash and letters."""


_BETWEEN: Final = rf"(?:[ \t]+|{_UNDERLINED_BLANKS})"
"""The blanks between words of a branch."""


def _word(word: str) -> str:
    """A pattern of a word, plain, underlined or bold."""
    return f"(?:{any_of([word, *in_print(word)])})"


NO_NAME: Final = r"\b(?!['′]|[ \t]*\[|\()"
"""What must follow a word that is printed with a capital; else it is a name."""

NO_LETTER: Final = f"(?!{_A_LETTER})"
"""What must follow a word that is underlined or bold."""

_ELSEWHERE: Final = [
    symbol for symbol in ELSEWHERE if len(symbol) > 1 and not symbol.isalpha() and symbol not in ("++", "--")
]
"""Symbols of other languages that would be cut in two. `++` is one only if no operand follows: `a ++b` is CPL."""

RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""Digits that are set as a power."""

PATTERNS: Final = {
    # The blank between two underlined words may be underlined, too.
    "blank": rf"(?<=[A-Za-z]{UNDERLINE}){_UNDERLINED_BLANKS}(?=[A-Za-z]{UNDERLINE})|"
    r"[ \t\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|\A\ufeff",
    "newline": r"\r\n|\r|\n",
    "comment": r"(?:##|\|\||\A#!)[^\r\n]*",
    "string": r'‘[^’\r\n]*’|“[^”\r\n]*”|"[^"\r\n]*"',
    "unclosed": r'[‘“"][^\r\n]*',
    "section": _SECTION,
    **{base.name: base.pattern for base in BASES},
    # What an underlined digit or a bold sign begins, and is no such number.
    "misbased": rf"(?:{_UNDERLINED_DIGIT}|{_BOLD_SIGN})(?:[ \t]*[0-9]+(?:\.[0-9]+)?)?",
    "number": r"[0-9]+(?:\.[0-9]+)?(?:(?:⏨|₁₀|\\10)[+−-]?[0-9]+)?",
    "raised": f"[{RAISED}]+",
    "branch": f"{_word('If')}{_BETWEEN}(?:{_word('so')}|{_word('not')}){_BETWEEN}{_word('do')}(?![\\w{UNDERLINE}])",
    "marked": f"(?:(?:[A-Za-z]{UNDERLINE}){{1,{_LONGEST}}}|[{BOLD_LETTERS}]+){NO_LETTER}",
    # Any other run with letters that are underlined or bold. (A repeated group would take much memory in a long one.)
    "mixed": f"(?=[A-Za-z]*(?:[A-Za-z]{UNDERLINE}|[{BOLD_LETTERS}]))[{_LETTERS}][{_LETTERS}{UNDERLINE}]*",
    "word": f"[a-z]+{PRIMES}",
    "capital": f"(?:{any_of(CAPITAL_WORDS)}){NO_NAME}",
    "large": f"[A-Z][A-Za-z0-9'′]*(?!{UNDERLINE})",
    "greek": _LETTER + PRIMES,
    "spelled": rf"\\[A-Za-z]+{PRIMES}",
    "remark": r"(?:#|//|/\*)[^\r\n]*",
    "elsewhere": rf"{any_of(_ELSEWHERE)}|(?:\+\+|--)(?=[ \t]*(?:[\r\n;)]|\Z))",
    "dots": r"\.(?:[ \t]*\.){2,}",
    "sign": any_of(SYMBOL_KINDS),
    "other": r"[^\W\d_A-Za-z\u0370-\u03ff]+|.",
}
"""The patterns of tokens, tried in this order; the last one matches anything."""

TOKEN: Final = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in PATTERNS.items()), re.DOTALL)
"""Any token; the name of the group is the name of its pattern."""

_ALLOWED: Final = "\t\u200c\u200d"
"""A tab, and the joiners and non-joiners that some scripts and emoji need."""

_LOWERED: Final = str.maketrans(RAISED, "0123456789")


def tokenize(source: Source) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of a source, NEWLINE and COMMENT included, before any layout. They end where there are too many."""
    tokens: list[Token] = []
    diagnostics: list[Diagnostic] = []
    dots: list[Span] = []
    unopened = 0  # how many brackets close that none opens
    limit = MOST_TOKENS_OF_DEFINITION  # for those before the next new line or semicolon, which are of one definition
    for match in TOKEN.finditer(source.text):
        if len(tokens) > limit or len(diagnostics) + unopened > MOST_WRONG_CHARACTERS:
            break
        span = Span(source, *match.span())
        kind, text = "UNKNOWN", match.group()
        numeral = text  # of a number: its digits, without the sign of the base
        match match.lastgroup:
            case "blank":
                continue
            case "newline":
                kind, limit = "NEWLINE", len(tokens) + 1 + MOST_TOKENS_OF_DEFINITION
            case "comment":
                kind = "COMMENT"
                diagnostics += _hidden_characters(span, is_hidden)
            case "string":
                kind, text = "STRING", text[1:-1]
                diagnostics += _hidden_characters(span, _is_control)
            case "unclosed":
                diagnostics.append(report(messages.UNCLOSED_STRING, span, closer=_CLOSING_QUOTES[text[0]]))
            case "section":
                kind, text = _section(text)
            case "binary" | "octal":
                base = next(base for base in BASES if base.name == match.lastgroup)
                numeral = text[len(text.rstrip(base.digits)) :]
                kind, text = "NUMBER", base.prefix + numeral[:MOST_DIGITS]
            case "misbased":
                diagnostics.append(_misbased(span))
            case "number":
                digits = re.sub(r"⏨|₁₀|\\10", "e", text).replace("−", "-")
                kind, text = "NUMBER", "0" if len(digits) > MOST_DIGITS else digits
            case "raised":
                tokens.append(Token("POWER", "", Span(source, span.start, span.start)))
                kind, text = "NUMBER", text.translate(_LOWERED)[:MOST_DIGITS]
            case "word" if text in WORDS:
                kind = word_kind(text)
            case "word":
                for name in islice(re.finditer(f"[a-z]{PRIMES}", text), MOST_TOKENS_OF_DEFINITION + 1):
                    place = Span(source, span.start + name.start(), span.start + name.end())
                    tokens.append(Token("SMALL", name.group().replace("′", "'"), place))
                continue
            case "branch":
                kind = "THEN" if "so" in unmarked(text) else "ELSE"
            case "marked" | "mixed" if _is_about_words(text):
                kind, text = WORD_KINDS.get(unmarked(text), "UNKNOWN"), plainly(text)
                if match.lastgroup == "mixed":
                    diagnostics.append(_partly_marked(span))
            case "capital":
                kind = CAPITAL_WORDS[text]
            case "large":
                kind, text = SPECIAL_WORDS.get(text, "LARGE"), text.replace("′", "'")
            case "greek":
                kind, text = "SMALL", _STANDARD_FORM.get(text[0], text[0]) + text[1:].replace("′", "'")
            case "dots":
                dots.append(span)
            case "sign" | "spelled" if text in SYMBOL_KINDS:
                kind = SYMBOL_KINDS[text]
                limit = len(tokens) + 1 + MOST_TOKENS_OF_DEFINITION if kind == "SEPARATOR" else limit
            case "spelled":
                letter = text[1:].rstrip("'′")
                beginning = None if letter in GREEK_LETTERS else _SPELLED.match(text)
                if beginning and beginning.end() < 1 + len(letter):
                    separated, error = _run_together(span, beginning.group())
                    tokens += separated
                    diagnostics.append(error)
                    continue
                if letter not in GREEK_LETTERS:
                    diagnostics.append(report(messages.UNKNOWN_LETTER, span, sign=text))
                kind = "LAMBDA" if letter == "lambda" else "SMALL"
                primes = text[1 + len(letter) :].replace("′", "'")
                text = GREEK_LETTERS.get(letter, "σ") + primes  # after the error of an unknown letter any name will do
            case _:
                diagnostics.append(_unknown_sign(span))
        if kind == "NUMBER" and len(numeral) > MOST_DIGITS:
            diagnostics.append(report(messages.LONG_NUMBER, span, digits=len(numeral)))
        unopened += (kind in CLOSERS) - (kind in OPENERS)
        tokens.append(Token(kind, text, span))
    if len(diagnostics) + unopened > MOST_WRONG_CHARACTERS:
        first = (diagnostics or tokens)[0].span
        return tokens, [too_many(first, MOST_WRONG_CHARACTERS, "wrong characters", "see whether this is a text of CPL")]
    if len(tokens) > limit:
        return tokens, [too_many(tokens[limit - MOST_TOKENS_OF_DEFINITION].span)]
    if dots:
        diagnostics.append(report(messages.LEFT_OUT, dots[0], related=[(place, "and here") for place in dots[1:]]))
    return tokens, diagnostics


def plainly(text: str) -> str:
    """Return words as a plain text has them. `Test` and `Unless` begin with a small letter if they were underlined or
    bold, since in a plain text they are names before a bracket.
    """
    plain = unmarked(text)
    may_be_name = plain in CAPITAL_WORDS and plain.lower() in WORDS
    return plain.lower() if may_be_name and plain != text else plain


def _is_about_words(run: str) -> bool:
    """Tell whether a run of letters, some or all of them underlined or bold, is a reserved word or has one in it."""
    parts = [run, *re.findall(_MARKED, run)]
    return any(unmarked(part) in WORD_KINDS for part in parts)


def _partly_marked(span: Span) -> Diagnostic:
    """The error of a run of letters of which only some are underlined or bold, and which has to do with a word."""
    if unmarked(span.text) in WORD_KINDS:
        word = plainly(span.text)
        advice = f"write {word}, with no letter underlined or bold, or with all of them"
        error = report(messages.PARTLY_MARKED, span, run=span.text, help=advice)
        return replace(error, fixes=(Fix(span, word, advice),))
    words = [part for part in re.findall(_MARKED, span.text) if unmarked(part) in WORD_KINDS]
    advice = f"put a blank between the word {unmarked(words[0])} and the letters beside it"
    return report(messages.PARTLY_MARKED, span, run=span.text, help=advice)


def _misbased(span: Span) -> Diagnostic:
    """The error of what an underlined or bold digit begins, and is no number."""
    sign = re.match(f"[0-9]{UNDERLINE}|.", span.text)
    assert sign
    base = next((base for base in BASES if sign[0][0] in (base.digit, base.bold)), None)
    digits = span.text[sign.end() :].strip()
    if base and digits:
        return wrong_digit(base, Span(span.source, span.end - len(digits), span.end))

    digit = unicodedata.normalize("NFKC", sign[0][0])
    if base is None:
        advice = "an underlined or bold 2 begins a binary number, an 8 an octal one"
    else:
        example = f"{base.digit}{UNDERLINE} 101"
        advice = f"the digits of {base.with_article} number follow it, as in {example}"
    advice += f"; for the number {digit} write {digit}"
    place = Span(span.source, span.start, span.start + sign.end())
    return report(messages.NO_BASE, place, sign=sign[0], help=advice)


def wrong_digit(base: Base, digits: Span, *, is_plain: bool = False) -> Diagnostic:
    """The error of digits of which one, or the point, is not of this base. If the sign of the base `is_plain`, it may
    have been meant as a number.
    """
    at = next(at for at, digit in enumerate(digits.text) if digit not in base.digits)
    place = Span(digits.source, digits.start + at, digits.start + at + 1)
    kind = base.with_article
    if is_plain:
        help = messages.DIGIT_OR_VALUE.format(sign=base.digit, base=kind, digits=base.range)
    else:
        help = f"{kind} number is whole, and its digits are {base.range}"
    return report(messages.WRONG_DIGIT, place, help=help, digit=place.text, base=kind)


def _unknown_sign(span: Span) -> Diagnostic:
    """The error of what is no token: a symbol of another language at its beginning, or all of it."""
    symbol = max((other for other in ELSEWHERE if span.text.startswith(other)), key=len, default=span.text)
    place = Span(span.source, span.start, span.start + len(symbol))

    if not symbol.isprintable():
        help: str | None = messages.HIDDEN.help
    elif symbol.isalpha():
        help = messages.LETTERS
    else:
        help = elsewhere(place)
    if help is None and _IS_OPERATOR.search(seen_at(place)):
        help = messages.NO_OPERATOR
    return report(messages.UNKNOWN_SIGN, place, sign=named(symbol), help=help)


def elsewhere(place: Span) -> str | None:
    """The help for a symbol or a word of another language, worded for its operands if it has any; None for others."""
    symbol = place.text if place.text in ELSEWHERE else place.text.lower()
    for pattern, advice in IN_CONTEXT.get(symbol, {}).items():
        match = re.search(pattern, seen_at(place))
        if match:
            return advice.format(*match.groups())
    return ELSEWHERE.get(symbol)


def seen_at(span: Span, start: int = 0) -> str:
    """The text around a place, from `start` on, with ▸ before the place."""
    text = span.source.text
    before = text[max(start, span.start - MOST_CHARACTERS_SEEN) : span.start]
    after = text[span.start : span.start + MOST_CHARACTERS_SEEN]
    return f"{unmarked(before)}▸{unmarked(after)}"


_IS_OPERATOR: Final = re.compile(r"[\w\])'′][ \t]*▸[^\w\s][ \t]*[\w(\[~↓-]")
"""A sign between two operands, with ▸ before it."""


def too_many(
    start: Span, limit: int = MOST_TOKENS_OF_DEFINITION, counted: str = "tokens", help: str | None = None
) -> Diagnostic:
    """The error of a definition that begins at this token and has too many."""
    return report(messages.TOO_MANY, start, help=help, limit=f"{limit:,}", things=counted)


_CLOSING_QUOTES: Final = {"‘": "’", "“": "”", '"': '"'}

_ESCAPES: Final = {"N": "\n", "n": "\n", "S": " ", "T": "\t", "t": "\t", "*": "*"}
ODD_STARS: Final = re.compile(rf"(?<!\*)(?:\*\*)+\*(?![{re.escape(''.join(_ESCAPES))}])")
"""Stars in a row of which the last has no other that it makes one star with: `***`, which is two."""


def symbols_of(string: str) -> str:
    """Return what a string stands for: of a star and the sign after it, another symbol (L24, G16)."""
    return re.sub(r"\*([NSTnt*])", lambda match: _ESCAPES[match[1]], string)


def _section(text: str) -> tuple[str, str]:
    """The kind and the tag of a section bracket. A plain § may open or close: a SECTION, for `brackets` to decide."""
    tag = re.search(_TAG, text)
    if re.search(rf"{_STROKE}|\||\$\)", text):
        kind = "CLOSE"
    elif "$" in text:
        kind = "OPEN"
    else:
        kind = "SECTION"
    return kind, tag.group() if tag else ""


def _run_together(span: Span, sign: str) -> tuple[list[Token], Diagnostic]:
    """The tokens of what is spelled with a backslash and of the letters directly after it, and the error: a blank
    belongs between them.
    """
    source, place = span.source, span.start + len(sign)
    rest = source.text[place : span.end]
    tokens = [*_tokens_of_part(source, span.start, place), *_tokens_of_part(source, place, span.end)]

    advice = f"put a blank between them: {sign} {rest}"
    blank = Fix(Span(source, place, place), " ", advice)
    letter = sign[1:]
    may_be_name = letter in GREEK_LETTERS and letter != "lambda"
    if may_be_name:
        name = f"{letter.capitalize()}{rest[:1].upper()}{rest[1:]}"
        advice += f", a product; a longer name has only Latin letters and digits: {name}"
    error = report(messages.RUN_TOGETHER, span, sign=sign, rest=rest, help=advice)

    digit_follows = source.text[span.end : span.end + 1].isdigit()  # which belongs to what is meant, too
    return tokens, error if may_be_name or digit_follows else replace(error, fixes=(blank,))


def _tokens_of_part(source: Source, start: int, end: int) -> list[Token]:
    """The tokens of a part of a text as if it stood alone, at their places in the text."""
    tokens, _ = _tokenize_as(source, source.text[start:end], range(start, end + 1))
    return tokens


def _hidden_characters(span: Span, is_refused: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """Report the hidden characters that are refused even in a comment or a string, until there are too many."""
    refused = (at for at, char in enumerate(span.text, span.start) if is_refused(char) and char not in _ALLOWED)
    for start in islice(refused, MOST_WRONG_CHARACTERS + 1):
        place = Span(span.source, start, start + 1)
        yield report(messages.HIDDEN, place, sign=visible(place.text))


def _is_control(char: str) -> bool:
    """Tell whether a character controls a terminal, or is half of a pair of UTF-16."""
    return unicodedata.category(char) in ("Cc", "Cs")


def visible(char: str) -> str:
    """A printable character, or a description of one that is not."""
    if char.isprintable():
        return char
    name = unicodedata.name(char, "").lower()
    return f"the invisible character U+{ord(char):04X}" + (f" ({name})" if name else "")


def named(sign: str) -> str:
    """An unknown sign, with the name that Unicode has for it unless all of it is ASCII or invisible."""
    foreign = next((char for char in sign if char.isprintable() and not char.isascii()), None)
    if foreign is None:
        return visible(sign)
    return f"{sign} (U+{ord(foreign):04X}, {unicodedata.name(foreign, 'without a name')})"


def first_word(span: Span) -> Span:
    """The word with which a place begins, plain, underlined or bold."""
    word = re.match(f"(?:{_A_LETTER}{UNDERLINE}?)*", span.text)
    assert word
    return Span(span.source, span.start, span.start + word.end())


def on_one_line(span: Span) -> str:
    """The words of a span with single blanks between them, without comments."""
    return " ".join(re.sub(PATTERNS["comment"], "", span.text).split())


# Look-alikes
#
# `a ≦ 1` gives one error, with ≤ as its only fix, and the tokens of `a ≤ 1`, at their places in the text itself; so
# nothing else is reported because of the ≦. What stands in comments and strings is left alone.
#
# Only what is plainly meant counts. `xⁿ` is no product and ½ no operand of ↑, so raised letters and fractions are no
# look-alikes. Nor are marks that change the direction of a text: with and without them one reads something else.

_LOOK_ALIKES: Final = {
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
}
"""The characters that look like each sign of CPL; those for "" add nothing to what they follow, as underlines do."""

_LOOK_ALIKE_LETTERS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУҮХԌԚԜасеорхуѕіјһԁԛԝӏɑɡıİ",
    "ABESIJKMHOPCTYYXGQWaceopxysijhdqwlagiI",
)

PLAIN: Final = {ord(char): sign for sign, chars in _LOOK_ALIKES.items() for char in chars} | _LOOK_ALIKE_LETTERS
"""What each character looks like, by its code point."""

QUOTES: Final = dict.fromkeys("„“ „” «» »« ＂＂ ‟” 〝〞 「」 『』 ”” ❝❞".split(), "“”") | dict.fromkeys(
    "‚‘ ‚’ ‹› ›‹ ＇＇ ’’ '' `` `' ´´ `´ ‛’ ❛❜".split(), "‘’"
)
"""Pairs of quotes round a string, and what CPL has in their place."""

_FOREIGN: Final = "(?:[À-ÖØ-öø-\u012f\u0132-\u024f\u1e00-\u1eff]|[A-Za-z][\u0300-\u0314\u0323-\u0328]+)"
"""A Latin letter that CPL does not have, or one with an accent that is a character of its own."""

_LATIN: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}
)
"""Letters of other languages that are no letters with an accent, as texts without them are typed."""

_QUOTED: Final = "|".join(f"{quotes[0]}[^{quotes}{plain[1]}\r\n]*{quotes[1]}" for quotes, plain in QUOTES.items())
"""A string in quotes that CPL does not have, which holds none of them nor the quote that would close it in CPL."""

_TEXT: Final = "|".join(
    (
        # In a string that holds its own quote, or a new line, the quote is no prime.
        r"‘[^’\r\n]*(?:’[ \t\w]*|(?:\r\n?|\n)[^‘’\r\n]*)’[^\r\n]*",
        f"(?P<marked>{PATTERNS['marked']}|{PATTERNS['mixed']})",
        rf"(?P<name>[A-Za-z]*{_FOREIGN}(?:[A-Za-z0-9'′]|{_FOREIGN})*)",
        *(pattern for kind, pattern in PATTERNS.items() if kind != "other"),
        rf"(?<![\w'′’)\]])(?P<quoted>{_QUOTED})(?![A-Za-z])",
        r"[„«»‹›‟〝「『❝❛＂][^\r\n]*",  # a string that is not closed, or holds what would close it
        r"(?<=[\w'′])(?P<primes>[’´ʹʼ＇″‴]+)",
        r"(?P<comment>‖(?![^\r\n]*‖)|｜｜|＃＃)[^\r\n]*",  # ‖x‖ is a norm
        "(?P<letters>[\u0400-\u052f\U0001d400-\U0001d7ff０-９Ａ-Ｚａ-ｚ]+)",
        "(?P<sign>[^\x00-\x7f‖][\ufe0e\ufe0f]?)",
    )
)
"""What is passed over and, by their names, what may be look-alikes."""


_WORDS_OF_ALGOL: Final = """
    and array begin boolean code comment div do else end eqv equiv eq equal false for ge geq go goto greater gt if impl
    integer label le leq less lt ne not notequal notgreater notless or own power procedure real step string switch then
    to true until value while
    """.split()
STROPPED: Final = rf"(?i:'(?:{any_of([*_WORDS_OF_ALGOL, 'go to'])})')"
"""A word in quotes, as many compilers of ALGOL 60 wanted them."""

_IN_QUOTES: Final = rf"(?i:'(?:{any_of({*_WORDS_OF_ALGOL, 'go to', *WORDS})})')"
"""Such a word, or one of CPL."""

_COVER: Final = "¤"
"""A sign that CPL does not have: it covers such words."""

_BEGINS_STROPPED: Final = re.compile(
    rf"(?m)(?:^|;)[ \t]*(?:{STROPPED}(?![ \t]*[,)\]])|{_IN_QUOTES}[ \t]+\w)|{_IN_QUOTES}[ \t]+{_IN_QUOTES}"
)
"""In a text with such a word where a statement begins, or with two side by side, those everywhere are words; in others
they are strings.
"""


def tokenize_look_alikes(source: Source) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of a text as if all look-alikes were replaced, and what is wrong with it."""
    if _BEGINS_STROPPED.search(source.text):
        return _tokenize_stropped(source)
    diagnostics: list[Diagnostic] = []
    pieces = [*source.text]  # what is meant by each character of the source
    for start, end, plain in _look_alikes(source.text):
        diagnostics.append(_reported(Span(source, start, end), plain))
        if len(plain) == end - start:
            pieces[start:end] = plain
        else:
            pieces[start:end] = [plain, *[""] * (end - start - 1)]

    places: list[int] = []  # of each character that is meant, in the source
    for place, piece in enumerate(pieces):
        places += [place] * len(piece)
    places.append(len(pieces))

    tokens, rest = _tokenize_as(source, "".join(pieces), places)
    return tokens, diagnostics + rest


def _tokenize_stropped(source: Source) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of a text whose words in quotes, as in ALGOL 60, are one mistake; and what else is wrong with it."""
    covered = re.sub(_IN_QUOTES, lambda word: _COVER * len(word[0]), source.text)
    tokens, diagnostics = _tokenize_as(source, covered, range(len(covered) + 1))
    others = [other for other in diagnostics if covered[other.span.start : other.span.start + 1] != _COVER]

    first = Span(source, *next(re.finditer(_IN_QUOTES, source.text)).span())
    word = first.text.strip("'").lower()
    advice = "CPL writes its words without quotes"
    if word in ELSEWHERE:
        advice += f"; {ELSEWHERE[word]}"
    elif word in WORDS:
        advice += f": {word}"
    return tokens, [report(messages.MISSPELT, first, run=first.text, help=advice), *others]


def _tokenize_as(source: Source, meant: str, places: Sequence[int]) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of the text that a source means, and what is wrong with it, at their places in the source itself."""

    def moved(span: Span) -> Span:
        return Span(source, places[span.start], places[span.end])

    def moved_error(error: Diagnostic) -> Diagnostic:
        related = [(moved(span), label) for span, label in error.related]
        fixes = [replace(fix, span=moved(fix.span)) for fix in error.fixes]
        return replace(error, span=moved(error.span), related=tuple(related), fixes=tuple(fixes))

    tokens, diagnostics = tokenize(Source(source.path, meant))
    moved_tokens = [replace(token, span=moved(token.span)) for token in tokens]
    return moved_tokens, list(map(moved_error, diagnostics))


def _look_alikes(text: str) -> Iterator[tuple[int, int, str]]:
    """The look-alikes in the code of a text: where each begins and ends, and what is meant."""
    own_names = {*re.findall(r"(?<!\w)[A-Za-z][A-Za-z0-9]*'*(?![\w\u0300-\u036f])", text)}
    for match in re.finditer(_TEXT, text):
        start, end = match.span(match.lastgroup or 0)
        if match["name"]:
            plain = _latin(match["name"])
            if plain and plain not in own_names:
                yield start, end, plain
        elif match["marked"] and _is_about_words(match["marked"]):
            continue  # no look-alike: what the lexer reads, or reports as marked in part
        elif match["quoted"]:
            quotes = QUOTES[text[start] + text[end - 1]]
            yield start, start + 1, quotes[0]
            yield end - 1, end, quotes[1]
        elif match.lastgroup:
            plain = _meant(text[start:end], is_prime=bool(match["primes"]))
            if plain is not None:
                yield start, end, plain


def _latin(name: str) -> str | None:
    """Return a name in the letters that CPL has; one of several letters begins with a capital. None if it has no form
    in those letters.
    """
    decomposed = unicodedata.normalize("NFKD", name.translate(_LATIN))
    letters = [letter for letter in decomposed if not unicodedata.combining(letter)]
    plain = "".join(letters).replace("′", "'")
    if not re.fullmatch("[A-Za-z][A-Za-z0-9']*", plain):
        return None
    is_long = len(plain.rstrip("'")) > 1 and plain not in WORDS
    return plain[:1].upper() + plain[1:] if is_long else plain


def _meant(text: str, *, is_prime: bool) -> str | None:
    """Return the plain signs that these look like. None if those are several tokens, or if these mean more, as raised
    letters and fractions do.
    """
    if unicodedata.decomposition(text[0]).startswith(("<super>", "<sub>", "<fraction>", "<square>")):
        return None
    plain = unicodedata.normalize("NFKC", text.translate(PLAIN))
    with_name = "x" + plain if is_prime else plain  # a prime is only a token with the name before it
    kinds = {match.lastgroup for match in TOKEN.finditer(with_name)}
    is_known = kinds <= {"comment", "sign", "word", "capital", "large", "greek", "number"}
    is_one_token = len(kinds) < 2 or plain.isalnum()
    return plain if is_known and is_one_token else None


def _reported(span: Span, plain: str) -> Diagnostic:
    """The error about what stands for a plain sign, with its fix; that about a name with a letter of another language
    only says how it may be written.
    """
    foreign = re.search(_FOREIGN, span.text)
    if foreign:
        letter = unicodedata.normalize("NFC", foreign.group())
        return report(messages.UNKNOWN_SIGN, span, sign=named(letter), help=f"write {plain} for {span.text}")
    words = _words_meant(plain) if re.fullmatch(_MARKED, span.text) else []
    if words:
        return report(messages.MISSPELT, span, run=span.text, help=meant(plain, words))
    sign = named(span.text)
    if not plain:
        advice = f"delete {sign}"
    else:
        script = "the Latin " if "CYRILLIC" in sign else ""
        advice = f"write {script}{plain.strip() or 'a blank'} for {span.text}"
    error = report(messages.UNKNOWN_SIGN, span, sign=sign, help=advice)
    return replace(error, fixes=(Fix(span, plain, advice),))


def _words_meant(letters: str) -> list[str]:
    """The reserved words that underlined or bold letters may have meant: words are, names seldom."""
    is_name = letters.istitle() or len(letters) > _LONGEST + 1
    if is_name:
        return []
    small = letters.lower()
    return [small] if small in WORDS else near(small, WORDS)


# Pieces

BLANK: Final = "BLANK"
WRONG: Final = "WRONG"
APPLIED: Final = "APPLIED"


class Piece(NamedTuple):
    """A piece of text: where it begins, its characters, and its kind, that of the token or one of the three above.

    BLANK is between tokens, and WRONG what the lexer reports. APPLIED is a large name before a bracket: a function, as
    it is applied or defined there (or an array: only definitions tell).
    """

    start: int
    kind: str
    text: str


def pieces(source: Source) -> Iterator[Piece]:
    """The pieces of a text, in order."""
    text = source.text
    tokens, diagnostics = tokenize(source)
    wrong = {(diagnostic.span.start, diagnostic.span.end) for diagnostic in diagnostics}
    run_together = {item.span.start: item.span.end for item in diagnostics if item.cause is messages.RUN_TOGETHER}
    last = Token("", "", Span(source, len(text), len(text)))
    before = 0  # where the last piece ends
    for token, follower in pairwise([*tokens, last, last]):
        start, end, kind = token.span.start, token.span.end, token.kind
        if start < before:
            continue  # in one piece with the token before it
        if start in run_together:
            kind, end = WRONG, run_together[start]
        elif (start, end) in wrong:
            kind = WRONG
        elif kind == "LARGE" and follower.kind in ("ROUND_OPEN", "SQUARE_OPEN"):
            kind = APPLIED
        if before < start:
            yield Piece(before, BLANK, text[before:start])
        if start < end:  # the ↑ that a raised digit implies has no text
            yield Piece(start, kind, text[start:end])
        before = end
