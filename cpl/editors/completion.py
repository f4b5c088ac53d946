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
from cpl.editors.signs import SIGNS, spellings
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


_FORMS: Final = {form: kind for kind in (*SYMBOLS, "OPEN", "CLOSE") for form in spellings(kind)}
_TYPED_FORMS: Final = {form: kind for form, kind in _FORMS.items() if form != PRINTED[kind]}
_PAIRS: Final = [form for form in _TYPED_FORMS if form.isascii() and len(form) == 2]
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
    around = [token for token in analysis.tokens_at(offset) if token.span.start < offset]
    strings = (token for token in around if token.span.text[0] in '‘“"')
    in_comment = any(comment.span.start < offset <= comment.span.end for comment in analysis.layout.comments)
    return in_comment or any(token.kind == "UNKNOWN" or offset < token.span.end for token in strings)


# Signs and letters


def spelled(source: Source, offset: int) -> list[Completion] | None:
    """The signs and letters whose spelling ends at a place, or goes on there; None if none is being spelled."""
    sign = next((form for form in _PAIRS if source.text.startswith(form, max(0, offset - 2), offset)), None)
    if sign:
        return [_sign(sign, Span(source, offset - 2, offset))]
    typed = typed_at(source, offset)
    if not typed.text.startswith("\\"):
        return None
    if source.text[: typed.start].endswith("/"):  # what follows /\ is no letter
        return []
    forms = {f"\\{name}": letter for name, letter in GREEK_LETTERS.items() if letter != "λ"}
    letters = [Completion(forms[form], typed, "letter", form, form) for form in forms if form.startswith(typed.text)]
    return [*letters, *(_sign(form, typed) for form in _TYPED_FORMS if form.startswith(typed.text))]


def typed_at(source: Source, offset: int) -> Span:
    """Return the part that is typed so far of a name, a word, or a letter that is spelled with a backslash."""
    match = _TYPED.search(source.text[:offset], max(0, offset - MOST_CHARACTERS_SEEN))
    return Span(source, match.start() if match else offset, offset)


def begins(text: str, typed: str) -> bool:
    """Tell whether a text begins as was typed; capitals need not be typed as such."""
    return text.lower().startswith(typed.lower()) if typed.islower() else text.startswith(typed)


def _sign(form: str, replaced: Span) -> Completion:
    kind = _FORMS[form]
    return Completion(PRINTED[kind], replaced, "sign", form, form, SIGNS[kind].words)


# Names and words


def words() -> list[str]:
    """The reserved words that this version compiles, and the phrases of them."""
    phrases = {PRINTED[kind] for kind in PHRASES.values() if " " in PRINTED[kind]}
    return sorted({*WORDS, *CAPITAL_WORDS, *CONSTANTS, *phrases} - {"type", "from"})


def _names_and_words(analysis: Analysis, typed: Span) -> Iterator[Completion]:
    """Yield all names and words that may stand in place of what is typed."""
    at_cursor = analysis.at_cursor(typed)
    if at_cursor is None:
        line = [token for token in analysis.tokens if token.span.line == typed.line and token.kind in NAMES]
        before = {token.text: token.span for token in line if token.span.end <= typed.start}
        yield from _visible(analysis, typed, analysis, before)
    else:
        whole, cursor = at_cursor
        around = {type(node) for node in surface.walk(whole.program) if node.span.holds(cursor)}
        local = whole.scopes.get(cursor, {})
        if nodes.GoTo in around:
            yield from _defined(analysis, typed, [whole.definitions[place] for place in local.values()])
            return
        if around & {nodes.NodeType, nodes.Element}:
            yield from _defined(
                analysis, typed, [meaning for meaning in whole.definitions.values() if meaning.kind == "type"]
            )
        elif cursor not in whole.definitions:  # there a new name is defined
            yield from _visible(analysis, typed, whole, local)
    for word in words():
        yield Completion(word, typed, "word", word, words=(SIGNS.get(word) or SIGNS[word.lower()]).words)
    for kind in ("INFINITY", "OPEN", "LAMBDA") if not typed.text else ():
        yield _sign(PRINTED[kind], typed)


def _visible(analysis: Analysis, typed: Span, whole: Analysis, local: dict[str, Span]) -> Iterator[Completion]:
    """The names that can be used: those of this place, of the text and what is compiled with it, and of cplrt."""
    definitions = [whole.definitions[place] for place in local.values() if place in whole.definitions]
    yield from _defined(analysis, typed, definitions)
    names = {definition.name for definition in definitions}
    for name in reversed([name for name in local if name not in names]):
        yield Completion(name, typed, "variable", name)
    yield from _defined(analysis, typed, [meaning for name, meaning in whole.at_top.items() if name not in local])
    for name in sorted(analysis.library.host.keys() - local.keys() - whole.at_top.keys()):
        yield Completion(name, typed, "host", name, host_heading(analysis.library, name))


def _defined(analysis: Analysis, typed: Span, definitions: list[Definition]) -> Iterator[Completion]:
    """Yield definitions of texts, the nearest first."""
    path, start = typed.source.path, typed.start
    for definition in sorted(
        definitions, key=lambda item: (item.span.source.path != path, abs(item.span.start - start))
    ):
        name = definition.name
        current = analysis.definitions.get(analysis.here(definition.span), definition)
        shown = detail(analysis, current) if analysis.is_inferred and current.name == name else definition.heading
        yield Completion(name, typed, definition.kind, name, shown, comment_of(analysis, current))
