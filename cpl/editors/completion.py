"""Completion at a place: the names that can be used there, reserved words, signs and Greek letters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.tokens import CAPITAL_WORDS, CONSTANTS, GREEK_LETTERS, PHRASES, PRINTED, SYMBOLS, WORDS
from cpl.editors.definitions import NAMES, Definition, Kind
from cpl.editors.hover import comment_of, detail, host_heading
from cpl.editors.signs import SIGN_NAMES, SIGNS, spellings
from cpl.editors.text_analysis import Analysis
from cpl.limits import MOST_CHARACTERS_SEEN


@dataclass(frozen=True)
class Completion:
    """`text` in place of `replaced`. `typed` is what one types to find it. `detail` is a type, or a heading if no types
    are inferred yet; `words` explain a sign or a word, and of a name they are its comment.
    """

    text: str
    replaced: Span
    kind: Kind | Literal["host", "word", "sign", "letter"]
    typed: str
    detail: str = ""
    words: str = ""


_TYPED: Final = re.compile(r"\\[A-Za-z]*\Z|[A-Z][A-Za-z0-9'′]*\Z|[a-z]+\Z")
"""A letter or sign that is spelled with a backslash, a large name, or small letters: a word, or a product of names."""


@dataclass(frozen=True)
class Spelling:
    """What one types to get a sign or a letter: a form of CPL, or a name after a backslash. `words` explain a sign."""

    typed: str
    text: str
    words: str = ""


def _spellings() -> Iterator[Spelling]:
    """All spellings of letters and signs, but for the printed forms themselves."""
    for name, letter in GREEK_LETTERS.items():
        if letter != "λ":
            yield Spelling(f"\\{name}", letter)
    for kind in ("OPEN", "CLOSE", *SYMBOLS):
        forms = [*spellings(kind), *(f"\\{name}" for name in SIGN_NAMES.get(kind, ()))]
        for form in forms:
            if form != PRINTED[kind]:
                yield Spelling(form, PRINTED[kind], SIGNS[kind].words)


SPELLINGS: Final = (*_spellings(),)
"""Of several names of a sign the first is the one that is shown."""
_PAIRS: Final = {spelling.typed: spelling for spelling in SPELLINGS if re.fullmatch(r"[!-@\[-`{-~]{2}", spelling.typed)}
"""Signs that are typed in two characters and printed in one."""


def completions(analysis: Analysis, offset: int) -> list[Completion]:
    """Return what may be typed at a place, the nearest names first; nothing within comments and strings."""
    if _is_in_comment_or_string(analysis, offset):
        return []
    signs = spelled(analysis.source, offset)
    if signs is not None:
        return signs
    typed = typed_at(analysis.source, offset)
    return [completion for completion in _names_and_words(analysis, typed) if begins(completion.typed, typed.text)]


def _is_in_comment_or_string(analysis: Analysis, offset: int) -> bool:
    """Tell whether a place is within a comment, or within a string, closed or not."""
    for comment in analysis.layout.comments:
        if comment.span.start < offset <= comment.span.end:
            return True

    for token in analysis.tokens_at(offset):
        is_string = token.span.text[0] in '‘“"'
        if is_string and token.span.start < offset:
            is_closed = token.kind != "UNKNOWN"
            if not is_closed or offset < token.span.end:
                return True
    return False


# Signs and letters


def spelled(source: Source, offset: int) -> list[Completion] | None:
    """The signs and letters whose spelling ends at a place, or goes on there; None if none is being spelled."""
    before = source.text[max(0, offset - 2) : offset]
    if before in _PAIRS:
        return [_spelled(_PAIRS[before], Span(source, offset - 2, offset))]

    typed = typed_at(source, offset)
    if not typed.text.startswith("\\"):
        return None
    if source.text[typed.start - 1 : typed.start] == "/":  # /\ is a whole sign: the backslash spells nothing else
        return []

    offers: dict[str, Completion] = {}
    for spelling in sorted(SPELLINGS, key=lambda spelling: spelling.typed != typed.text):  # what is whole comes first
        if spelling.typed.startswith(typed.text):
            offers.setdefault(spelling.text, _spelled(spelling, typed))
    return [*offers.values()]


def _spelled(spelling: Spelling, replaced: Span) -> Completion:
    kind: Literal["sign", "letter"] = "sign" if spelling.words else "letter"
    return Completion(spelling.text, replaced, kind, spelling.typed, spelling.typed, spelling.words)


def typed_at(source: Source, offset: int) -> Span:
    """Return the part that is typed so far of a name, a word, or a letter that is spelled with a backslash."""
    match = _TYPED.search(source.text, max(0, offset - MOST_CHARACTERS_SEEN), offset)
    start = match.start() if match else offset
    return Span(source, start, offset)


def begins(text: str, typed: str) -> bool:
    """Tell whether a text begins as was typed. Small letters stand for capitals too, as long as all are small."""
    if typed.islower():
        text = text.lower()
    return text.startswith(typed)


# Names and words


def words() -> list[str]:
    """The reserved words that this version compiles, and the phrases of them."""
    phrases = {PRINTED[kind] for kind in PHRASES.values() if " " in PRINTED[kind]}
    return sorted({*WORDS, *CAPITAL_WORDS, *CONSTANTS, *phrases} - {"type", "from"})


def _names_and_words(analysis: Analysis, typed: Span) -> Iterator[Completion]:
    """Yield all names and words that may stand in place of what is typed."""
    at_cursor = analysis.at_cursor(typed)
    if at_cursor is None:
        yield from _visible(analysis, typed, analysis, _names_before(analysis, typed))
    else:
        whole, cursor = at_cursor
        local = whole.scopes.get(cursor, {})
        around = {type(node) for node in surface.walk(whole.program) if node.span.holds(cursor)}
        if nodes.GoTo in around:  # only a label can follow, and no word
            labels = [whole.definitions[place] for place in local.values()]
            yield from _defined(analysis, typed, labels)
            return

        is_new_name = cursor in whole.definitions
        if around & {nodes.NodeType, nodes.Element}:
            types = [definition for definition in whole.definitions.values() if definition.kind == "type"]
            yield from _defined(analysis, typed, types)
        elif not is_new_name:
            yield from _visible(analysis, typed, whole, local)

    for word in words():
        sign = SIGNS.get(word) or SIGNS[word.lower()]
        yield Completion(word, typed, "word", word, words=sign.words)
    if not typed.text:
        for kind in ("INFINITY", "OPEN", "LAMBDA"):
            printed = PRINTED[kind]
            yield Completion(printed, typed, "sign", printed, printed, SIGNS[kind].words)


def _names_before(analysis: Analysis, typed: Span) -> dict[str, Span]:
    """The names that stand before a place in its line. Where no scope is known, they count as its local names."""
    names = {}
    for token in analysis.tokens:
        is_before = token.span.line == typed.line and token.span.end <= typed.start
        if is_before and token.kind in NAMES:
            names[token.text] = token.span
    return names


def _visible(analysis: Analysis, typed: Span, whole: Analysis, local: dict[str, Span]) -> Iterator[Completion]:
    """The names that can be used: those of this place, of the text and what is compiled with it, and of cplrt."""
    definitions = [whole.definitions[place] for place in local.values() if place in whole.definitions]
    yield from _defined(analysis, typed, definitions)

    defined = {definition.name for definition in definitions}
    undefined = [name for name in local if name not in defined]
    for name in reversed(undefined):
        yield Completion(name, typed, "variable", name)

    not_hidden = [definition for name, definition in whole.at_top.items() if name not in local]
    yield from _defined(analysis, typed, not_hidden)

    for name in sorted(analysis.library.host.keys() - local.keys() - whole.at_top.keys()):
        yield Completion(name, typed, "host", name, host_heading(analysis.library, name))


def _defined(analysis: Analysis, typed: Span, definitions: list[Definition]) -> Iterator[Completion]:
    """Yield definitions of texts, the nearest first: those of this text before those of others."""

    def distance(definition: Definition) -> tuple[bool, int]:
        span = definition.span
        return span.source.path != typed.source.path, abs(span.start - typed.start)

    for definition in sorted(definitions, key=distance):
        name = definition.name
        # The definition may be of the version with a name at the cursor. Types and comments are known of the text.
        current = analysis.definitions.get(analysis.here(definition.span), definition)
        has_detail = analysis.is_inferred and current.name == name
        shown = detail(analysis, current) if has_detail else definition.heading
        yield Completion(name, typed, definition.kind, name, shown, comment_of(analysis, current))
