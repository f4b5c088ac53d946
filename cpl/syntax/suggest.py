"""Which word was meant: a run of small letters is a product (evidence L3), and so is `whle` for `while`."""

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.source import Span
from cpl.syntax.lexer import Token
from cpl.syntax.signs import ELSEWHERE, SPECIAL_WORDS, WORDS

_ALL_WORDS: Final = sorted(WORDS | {"do", *SPECIAL_WORDS})
_LETTERS: Final = re.compile("[a-z]+")
_NAME: Final = re.compile("[A-Za-z0-9]*")
_LARGE: Final = re.compile(r"\b[A-Z][A-Za-z0-9]*")


def near(name: str, names: Iterable[str]) -> list[str]:
    """The names that may have been meant, most likely first: all that are a single slip away, else the one that is
    nearest.
    """
    ordered = sorted(names)
    if len(name) > _TOO_SHORT:
        slips = [other for other in ordered if len(other) > _TOO_SHORT and _one_slip(name, other)]
        if slips:
            return sorted(slips, key=lambda other: sorted(other) != sorted(name))[:_MOST_NAMED]
    return difflib.get_close_matches(name, ordered, n=1, cutoff=_NEAR)


_TOO_SHORT: Final = 2
_NEAR: Final = 0.74
_MOST_NAMED: Final = 3


def _one_slip(one: str, other: str) -> bool:
    """Whether one comes from the other by a character left out, put in, changed, or changed about with the next."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:] or (one[1::-1] + one[2:]) == other


def near_words(letters: str) -> list[str]:
    """The reserved words that may have been meant by a run of letters."""
    for word in (letters.lower(), letters.upper()):
        if word in _ALL_WORDS:
            return [word]
    return near(letters.lower(), _ALL_WORDS) if len(letters) > 1 else []


def run_at(span: Span) -> Span:
    """The letters that stand together with the small Latin name at this place; what else begins here, as it is."""
    text = span.source.text
    match = _LETTERS.match(text, span.start)
    if not match:
        return span
    start = span.start
    while start and _LETTERS.match(text[start - 1]):
        start -= 1
    return Span(span.source, start, match.end())


def word_at(run: Span) -> str:
    """A run of letters with the large name that it runs into: the whole of `wriTe`."""
    match = _NAME.match(run.source.text, run.start)
    return match.group() if match else run.text


def help_for(run: Span, names: Collection[str]) -> str:
    """What to do about a run of letters that is no word of CPL; `names` are those that could be meant."""
    letters = run.text
    if letters.lower() in ELSEWHERE:
        return ELSEWHERE[letters.lower()]
    if name := next((name for name in sorted(names) if name.lower() == letters), None):
        return f"it is written with {'a capital' if name[1:].islower() else 'capitals'}: {name}"
    word = word_at(run)
    words = near_words(letters) if word == letters else []
    return meant(letters, [*words, *near(word, names)]) or (
        f"a lower-case letter is a whole name; a name of several letters begins with a capital: {letters.capitalize()}"
    )


def product_for_name(run: Span) -> Diagnostic:
    """A run of letters where one name is needed: the text may use the one that is meant."""
    letters = run.text
    used = set(_LARGE.findall(run.source.text))
    help = meant(letters, near(word_at(run), used))
    product, capital = " × ".join(letters), letters.capitalize()
    return report(causes.PRODUCT_FOR_NAME, run, help=help, run=letters, product=product, capital=capital)


def meant(letters: str, words: Sequence[str]) -> str | None:
    """That one of these was probably meant; None if there are none."""
    if not words:
        return None
    if letters.lower() == words[0].lower():
        return f"the word is written {words[0]}"
    return f"did you mean {' or '.join(words)}?"


def suspects(tokens: Sequence[Token], at: int) -> list[tuple[Span, str]]:
    """The runs of letters at or before a token that come near a reserved word, with that word: those that are long
    enough to be sure first, the nearest first.
    """
    found: list[tuple[Span, str]] = []
    seen: set[int] = set()
    for token in reversed(tokens[: at + 2]):
        run = token.span if token.kind == "LARGE" else run_at(token.span)
        if token.kind not in ("SMALL", "LARGE") or run.start in seen:
            continue
        seen.add(run.start)
        if token.kind == "SMALL" or run.text.lower() in _ALL_WORDS:
            found += [(run, word) for word in near_words(run.text) or _short_words(run.text)]
    return sorted(found, key=lambda pair: is_short(pair[0]))


def is_short(run: Span) -> bool:
    """Whether so few letters come near a word by chance."""
    return len(run.text) <= _TOO_SHORT


def _short_words(letters: str) -> list[str]:
    return [word for word in _ALL_WORDS if _one_slip(letters, word)] if len(letters) <= _TOO_SHORT else []
