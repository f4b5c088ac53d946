"""What may be typed at a place: the names that can be used there, reserved words, signs and Greek letters.

The text is nearly always half-written there, so all this rests on tokens; what still parses adds types.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from cpl.edit import host
from cpl.edit.analysis import Analysis
from cpl.edit.definitions import Definition, Kind
from cpl.edit.scopes import Binding
from cpl.edit.signs import SIGNS, spellings
from cpl.records import dataclass
from cpl.source import Source, Span
from cpl.syntax.lexer import Token
from cpl.syntax.tokens import CAPITAL_WORDS, CONSTANTS, GREEK_LETTERS, PHRASES, PRINTED, SYMBOLS, TYPES, WORDS


@dataclass(frozen=True)
class Completion:
    """`text` in place of `replaced`. `typed` is what one types to find it. `detail` is a type, or a heading if no types
    are inferred yet; a name that a text defines has its `definition`.
    """

    text: str
    replaced: Span
    kind: Kind | Literal["host", "word", "sign", "letter"]
    typed: str
    detail: str = ""
    words: str = ""
    definition: Span | None = None


_TYPED: Final = re.compile(r"\\[A-Za-z]*\Z|[A-Z][A-Za-z0-9'′]*\Z|[a-z]+\Z")
_NOT_COMPILED: Final = {"type", "from"}
_PHRASES: Final = {PRINTED[kind] for kind in PHRASES.values() if " " in PRINTED[kind]}
_BEFORE_NEW: Final = {"LET", "REC", "FUNCTION", "ROUTINE", "FOR", "LAMBDA", "NODE", "ELEMENT"}
"""A name after one of these is a new one."""


def completions(analysis: Analysis, offset: int) -> list[Completion]:
    """What may be typed at a place, the nearest names first; nothing within comments and strings."""
    if _is_quiet(analysis, offset):
        return []
    signs = spelled(analysis.source, offset)
    if signs is not None:
        return signs
    replaced = typed_at(analysis.source, offset)
    return [each for each in _found(analysis, replaced) if begins(each.typed, replaced.text)]


def spelled(source: Source, offset: int) -> list[Completion] | None:
    """The signs and letters whose spelling ends at a place, or goes on there; None if none is being spelled."""
    before = source.text[max(0, offset - _MOST) : offset]
    sign = next((each for each in _ASCII if before.endswith(each)), None)
    if sign:
        return [_sign(sign, Span(source, offset - len(sign), offset))]
    replaced = typed_at(source, offset)
    if not replaced.text.startswith("\\"):
        return None
    is_and = source.text[: replaced.start].endswith("/")  # what follows /\ is no letter
    return [] if is_and else [*letters(replaced.text, replaced)]


def typed_at(source: Source, offset: int) -> Span:
    """What is typed so far of a name, a word, or a letter that is spelled with a backslash."""
    match = _TYPED.search(source.text[:offset], max(0, offset - _MOST))
    return Span(source, match.start() if match else offset, offset)


_MOST: Final = 200
"""No name that one types is longer."""


def begins(text: str, typed: str) -> bool:
    """Whether a text goes on as was typed; capitals need not be typed as such."""
    return text.lower().startswith(typed.lower()) if typed.islower() else text.startswith(typed)


def letters(typed: str, replaced: Span) -> Iterator[Completion]:
    """Greek letters, and signs that are spelled with a backslash."""
    for name, letter in GREEK_LETTERS.items():
        if f"\\{name}".startswith(typed) and letter != "λ":
            yield Completion(letter, replaced, "letter", f"\\{name}", f"\\{name}")
    for kind in SYMBOLS:
        for form in spellings(kind)[1:]:
            if form[1:].isalpha() and form.startswith(typed):
                yield _sign(form, replaced)


_ASCII: Final = sorted(
    (form for kind in (*SYMBOLS, "OPEN", "CLOSE") for form in spellings(kind)[1:] if form.isascii() and len(form) == 2),
    key=len,
)
"""Signs that are typed in two characters and printed in one."""

_KINDS: Final = {form: kind for kind in (*SYMBOLS, "OPEN", "CLOSE") for form in spellings(kind)}


def _sign(form: str, replaced: Span) -> Completion:
    kind = _KINDS[form]
    return Completion(PRINTED[kind], replaced, "sign", form, form, SIGNS[kind].words)


def words() -> Iterator[str]:
    """The reserved words that this version compiles, and the phrases of them."""
    yield from sorted({*WORDS, *CAPITAL_WORDS, *CONSTANTS, *_PHRASES} - _NOT_COMPILED)


def _is_quiet(analysis: Analysis, offset: int) -> bool:
    """Whether a place is within a comment or a string, closed or not."""
    layout = analysis.layout
    if any(each.span.start < offset <= each.span.end for each in layout.comments):
        return True
    token = next((each for each in analysis.tokens_at(offset) if each.span.start < offset), None)
    if token is None or token.kind not in ("STRING", "UNKNOWN"):
        return False
    return token.span.text[0] in '‘“"' and (offset < token.span.end or token.kind == "UNKNOWN")


def _found(analysis: Analysis, replaced: Span) -> Iterator[Completion]:
    """All that may stand at a place."""
    before = _before(analysis, replaced.start)
    kinds = [each.kind for each in before]
    if kinds[-1:] == ["NUMBER"] and before[-1].span.end == replaced.start and not replaced.text:
        return
    if kinds[-1:] == ["GO_TO"] or [each.text for each in before[-2:]] == ["go", "to"]:
        yield from (_local(analysis, each, replaced) for each in analysis.scopes.labels_at(replaced.start))
        return
    if kinds[:1] in (["NODE"], ["ELEMENT"]) and len(kinds) > 1:
        yield from _types(analysis, replaced)
        yield from _words(replaced, {"is", "or", "with", *_TYPE_WORDS})
        return
    if kinds and kinds[-1] in _BEFORE_NEW | TYPES:
        yield from _words(replaced, _BEFORE_NAME if kinds[-1] in ("LET", "REC") else ())
        return
    yield from names(analysis, replaced)
    yield from _words(replaced)
    yield from (_sign(PRINTED[kind], replaced) for kind in ("INFINITY", "OPEN", "LAMBDA") if not replaced.text)


_BEFORE_NAME: Final = {"rec", "function", "routine"}
_TYPE_WORDS: Final = {each for each in SIGNS if SIGNS[each].words.startswith("The type of")}


def _words(replaced: Span, wanted: Iterable[str] | None = None) -> Iterator[Completion]:
    for word in words() if wanted is None else sorted(wanted):
        entry = SIGNS.get(word) or SIGNS[word.lower()]
        yield Completion(word, replaced, "word", word, words=entry.words)


def _before(analysis: Analysis, offset: int) -> list[Token]:
    """The tokens before a place, from the beginning of its line or statement on."""
    for statement in analysis.layout.statements:
        if statement[0].span.start < offset and statement[-1].span.end >= offset:
            tokens = [each for each in statement if each.span.end <= offset and each.span.text]
            last = max((at for at, each in enumerate(tokens) if each.kind == "SEPARATOR"), default=-1)
            return tokens[last + 1 :]
    line = analysis.source.line_at(offset)
    return [each for each in analysis.tokens if each.span.end <= offset and each.span.line == line]


def names(analysis: Analysis, replaced: Span) -> Iterator[Completion]:
    """The names that can be used at a place, each once: of the text, of what is compiled with it, and of cplrt."""
    seen: set[str] = set()
    for each in analysis.scopes.at(replaced.start):
        seen.add(each.name)
        yield _local(analysis, each, replaced)
    for definition in analysis.at_top.values():
        if definition.name not in seen:
            yield _defined(analysis, definition, replaced)
    for name in sorted(analysis.library.host.keys() - seen - analysis.at_top.keys()):
        yield Completion(name, replaced, "host", name, host.heading(analysis.library, name))


def _types(analysis: Analysis, replaced: Span) -> Iterator[Completion]:
    for each in analysis.scopes.bindings:
        if each.kind == "type":
            yield _local(analysis, each, replaced)
    for definition in analysis.definitions.values():
        if definition.kind == "type" and definition.span.source != analysis.source:
            yield _defined(analysis, definition, replaced)


def _local(analysis: Analysis, binding: Binding, replaced: Span) -> Completion:
    known = analysis.definitions.get(binding.span)
    if known:
        return _defined(analysis, known, replaced)
    heading = " ".join(binding.heading.text.split())
    return Completion(binding.name, replaced, binding.kind, binding.name, heading, definition=binding.span)


def _defined(analysis: Analysis, known: Definition, replaced: Span) -> Completion:
    detail = detail_of(analysis, known) if analysis.is_inferred else known.heading
    return Completion(known.name, replaced, known.kind, known.name, detail, definition=known.span)


def detail_of(analysis: Analysis, known: Definition) -> str:
    """The type of a name, or its heading if it has none."""
    type = analysis.type_of(known.span)
    return known.heading if type is None else f"{known.name} : {type}"
