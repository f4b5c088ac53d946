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
_LETTERS: Final = re.compile("[a-z]*")


def closest(name: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant, None if none is near: first one that is a single slip away."""
    ordered = sorted(names)
    if len(name) > _TOO_SHORT:
        for other in ordered:
            if len(other) > _TOO_SHORT and _one_slip(name, other):
                return other
    close = difflib.get_close_matches(name, ordered, n=1, cutoff=_NEAR)
    return close[0] if close else None


_TOO_SHORT: Final = 2
_NEAR: Final = 0.74


def _one_slip(one: str, other: str) -> bool:
    """Whether one comes from the other by a character left out, put in, changed, or changed about with the next."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:] or (one[1::-1] + one[2:]) == other


def near_word(letters: str) -> str | None:
    """The reserved word that was probably meant by a run of letters, None if there is none."""
    if letters.lower() in _ALL_WORDS or letters.upper() in _ALL_WORDS:
        return letters.lower() if letters.lower() in _ALL_WORDS else letters.upper()
    return closest(letters.lower(), _ALL_WORDS) if len(letters) > 1 else None


def run_at(span: Span) -> Span:
    """The letters that stand together with the small name at this place."""
    text = span.source.text
    start = span.start
    while start and _LETTERS.fullmatch(text[start - 1]):
        start -= 1
    match = _LETTERS.match(text, span.start)
    return Span(span.source, start, match.end() if match else span.end)


def help_for(letters: str, names: Collection[str]) -> str:
    """What to do about a run of letters that is no word of CPL; `names` are those that could be meant."""
    if letters.lower() in ELSEWHERE:
        return ELSEWHERE[letters.lower()]
    if (name := letters.capitalize()) in {*names}:
        return f"it is written with a capital: {name}"
    if word := near_word(letters) or closest(letters, names):
        return meant(letters, word)
    return (
        f"a lower-case letter is a whole name; a name of several letters begins with a capital: {letters.capitalize()}"
    )


def product_for_name(run: Span) -> Diagnostic:
    """A run of letters where one name is needed."""
    letters = run.text
    return report(causes.PRODUCT_FOR_NAME, run, run=letters, product=" × ".join(letters), capital=letters.capitalize())


def meant(letters: str, word: str) -> str:
    """That a reserved word was probably meant."""
    if letters.lower() == word.lower():
        return f"the word is written {word}"
    return f"did you mean {word}?"


def suspects(tokens: Sequence[Token], at: int) -> list[tuple[Span, str]]:
    """The runs of letters at or before a token that come near a reserved word, nearest first, with that word."""
    found: list[tuple[Span, str]] = []
    seen: set[int] = set()
    for token in reversed(tokens[: at + 2]):
        run = token.span if token.kind == "LARGE" else run_at(token.span)
        if token.kind not in ("SMALL", "LARGE") or run.start in seen or len(run.text) < 2:
            continue
        seen.add(run.start)
        word = near_word(run.text)
        if word and (token.kind == "SMALL" or run.text.lower() == word):
            found.append((run, word))
    return found
