"""Suggestions for misspelt words and names. A run of small letters, such as `whle`, is a product (evidence L3)."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, Fix, report
from cpl.source import Span
from cpl.syntax.lexer import Token
from cpl.syntax.tokens import ELSEWHERE, SPECIAL_WORDS, WORDS

_ALL_WORDS: Final = sorted(WORDS | {"do", *SPECIAL_WORDS})
_LETTERS: Final = re.compile("[a-z]+")
_NAME: Final = re.compile("[A-Za-z0-9]*")
_LARGE: Final = re.compile(r"\b[A-Z][A-Za-z0-9]*")


def near(name: str, names: Iterable[str]) -> list[str]:
    """The names that may have been meant, the likeliest first: those one slip away, else the nearest one."""
    ordered = sorted(names)
    slips = [other for other in ordered if min(len(name), len(other)) > _TOO_SHORT and _one_slip(name, other)]
    likeliest = sorted(slips, key=lambda other: sorted(other) != sorted(name))[:_MOST_NAMED]
    if likeliest:
        return likeliest
    import difflib

    return difflib.get_close_matches(name, ordered, n=1, cutoff=_NEAR)


TYPE_WORDS: Final = r"real|integer|index|complex|Boolean|logical|string|label|general"
_TOO_SHORT: Final = 2
_NEAR: Final = 0.74
_MOST_NAMED: Final = 3


def _one_slip(one: str, other: str) -> bool:
    """Whether one becomes the other when a single character is deleted, inserted, changed, or swapped with the next."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:] or (one[1::-1] + one[2:]) == other


def near_words(letters: str) -> list[str]:
    """The reserved words that a run of letters may have meant."""
    same = [word for word in (letters.lower(), letters.upper()) if word in _ALL_WORDS][:1]
    return same or (near(letters.lower(), _ALL_WORDS) if len(letters) > 1 else [])


def run_at(span: Span) -> Span:
    """The run of small letters around this place; the span itself if no small letter begins here."""
    text, start = span.source.text, span.start
    while start and "a" <= text[start - 1] <= "z":
        start -= 1
    match = _LETTERS.match(text, start)
    return Span(span.source, start, match.end()) if match and match.end() > span.start else span


def word_at(run: Span) -> str:
    """A run of letters together with the large name directly after it: all of `wriTe`."""
    match = _NAME.match(run.source.text, run.start)
    return match.group() if match else run.text


def is_defined(name: str, text: str) -> bool:
    """Whether a text seems to define this name: before a sign that defines, or as a parameter."""
    return re.search(_DEFINING.replace("NAME", rf"\b{re.escape(name)}(?![\w'′])"), text) is not None


_DEFINING: Final = (
    rf"\b(let|rec|{TYPE_WORDS})[ \t]+NAME|"
    r"[(\[](FEW[,:\s])?NAME[ \t]*(,FEW)?[)\]][ \t]*([=≡]|(be|is)\b)"
    r"|NAME([(\[]FEW[)\]]|[ \t]*,FEW)?[ \t]*(:?=|[≡≃]|(be|is)\b)"
).replace("FEW", r"[^()\[\]=;\n]{0,100}")


def array_at(span: Span) -> str:
    """How to define the array whose bounds are declared here, as in `real V[1:10]`."""
    line = span.source.line(span.line)
    arrays = (each for each in re.finditer(r"([A-Za-z][\w']*)\[([^\]\n]*)", line) if each.end() >= span.column)
    name, bounds = next((each.groups() for each in arrays), ("V", "1:10"))
    pairs = [
        f"({low.strip() or 1},{high.strip()})" for low, _, high in (each.rpartition(":") for each in bounds.split(","))
    ]
    *_, kind = "integer", *re.findall(rf"\b(?:{TYPE_WORDS})\b", line[: span.column])
    return f"let {name} = Array[{kind}, {', '.join(pairs)}]"


def help_for(run: Span, names: Collection[str]) -> str:
    """The help for a run of letters that is no word of CPL; `names` are those that could be meant."""
    letters = run.text
    if letters.lower() in ELSEWHERE and letters.capitalize() not in _LARGE.findall(run.source.text):
        return ELSEWHERE[letters.lower()]
    if name := next((name for name in sorted(names) if name.lower() == letters), None):
        return f"write it with {'a capital' if name[1:].islower() else 'capitals'}: {name}"
    word = word_at(run)
    words = near_words(letters) if word == letters else []
    return meant(letters, [*words, *near(word, names)]) or (
        f"a lower-case letter is a name by itself; a longer name starts with a capital: {word[:1].upper()}{word[1:]}"
    )


def product_for_name(run: Span) -> Diagnostic:
    """The diagnostic for a run of letters where one name is expected, with the large name directly after it; the text
    may have the name that was meant.
    """
    letters = max(run.text, word_at(run), key=len)
    run = Span(run.source, run.start, run.start + len(letters))
    help = (
        "a program needs no start: write its commands outside of routines"
        if re.match(r"start\(\)\s*(be|is|=\s*valof)\b", run.source.text[run.start : run.start + 40])
        else meant(letters, near(letters, set(_LARGE.findall(run.source.text))))
    )
    return report(
        messages.PRODUCT_FOR_NAME,
        run,
        help=help,
        run=letters,
        product=" × ".join(re.findall(r"(?:[A-Z][A-Za-z0-9]*|.)'*", letters)),
        capital=letters[:1].upper() + letters[1:],
    )


def meant(letters: str, words: Sequence[str]) -> str | None:
    """The question whether one of these words was meant; None if there are none."""
    if words and letters.lower() == words[0].lower():
        return f"write the word as {words[0]}"
    return f"did you mean {' or '.join(words)}?" if words else None


def fixes(run: Span, words: Sequence[str]) -> tuple[Fix, ...]:
    """The repairs that put one of these words in the place of what stands there."""
    return tuple([Fix(run, word, f"write {word}") for word in words])


def suspects(tokens: Sequence[Token], at: int) -> list[tuple[Span, str]]:
    """The runs of letters at or before a token that resemble a reserved word, with that word. Long runs come before
    short ones, near ones before distant ones.
    """
    words = (
        token
        for token in reversed(tokens[: at + 2])
        if token.kind == "SMALL" or (token.kind == "LARGE" and token.span.text.lower() in _ALL_WORDS)
    )
    runs = dict.fromkeys(run_at(token.span) if token.kind == "SMALL" else token.span for token in words)
    found = [
        (run, word)
        for run in runs
        for word in near_words(run.text) or [each for each in _ALL_WORDS if is_short(run) and _one_slip(run.text, each)]
    ]
    return sorted(found, key=lambda pair: is_short(pair[0]))


def is_short(run: Span) -> bool:
    """Whether a run is so short that it may resemble a word by accident."""
    return len(run.text) <= _TOO_SHORT
