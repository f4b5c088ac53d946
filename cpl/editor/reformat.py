"""Formatting as one writes: a whole text, a part of it, or what a key has changed."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from cpl.diagnostics import CplError
from cpl.editor.edits import Edit, applied
from cpl.formatting import Unfaithful, format_source
from cpl.records import dataclass
from cpl.source import Source, Span
from cpl.syntax import nodes
from cpl.syntax.layout import Layout, lay_out
from cpl.syntax.lexer import Token
from cpl.syntax.parser import parse
from cpl.syntax.tokens import BEGINS, CLOSERS, ENDS, GREEK_LETTERS, OPENERS

_STEP: Final = 4
_IN_SECTION: Final = 2


def format_whole(source: Source) -> list[Edit]:
    """The edits that give a text the style of `cpl fmt`, line by line. Raises CplError if it does not parse."""
    return _changes(Span(source, 0, len(source.text)), format_source(source))


def _changes(span: Span, text: str) -> list[Edit]:
    """The edits by which a stretch of whole lines becomes this text."""
    before, after = span.text.splitlines(keepends=True), text.splitlines(keepends=True)
    starts = [span.start]
    for line in before:
        starts.append(starts[-1] + len(line))
    return [
        Edit(Span(span.source, starts[first], starts[end]), "".join(after[new:new_end]))
        for what, first, end, new, new_end in SequenceMatcher(None, before, after).get_opcodes()
        if what != "equal"
    ]


def format_range(source: Source, wanted: Span) -> list[Edit]:
    """The edits that give those statements of the top level the style of `cpl fmt` that a range touches. Those that do
    not parse stay as they are.
    """
    before, found = parse(source)
    changes: list[list[Edit]] = []
    for tokens in lay_out(source, cut=bool(found)).statements:
        span = tokens[0].span.to(tokens[-1].span)
        if span.column == 1 and span.start <= wanted.end and wanted.start <= span.end:
            try:
                text = format_source(Source(source.path, f"{span.text}\n")).rstrip("\r\n")
            except (CplError, Unfaithful):
                continue
            changes.append(_changes(span, text))
    edits = [edit for each in changes for edit in each]
    if _is_faithful(source, edits, before):
        return edits
    faithful = [each for each in changes if _is_faithful(source, each, before)]
    return [edit for each in faithful for edit in each]


def _is_faithful(source: Source, edits: list[Edit], before: nodes.Program) -> bool:
    """Whether a text says the same after the edits."""
    return parse(Source(source.path, applied(source, edits)))[0] == before


def format_on_type(source: Source, offset: int, typed: str) -> list[Edit]:
    """What a character changes that was typed before a place: a new line is indented; what closes a section at the
    beginning of a line stands below what opens it; and in a text that has printed signs, `->` and the spellings of
    Greek letters become printed signs.
    """
    layout = lay_out(source)
    if any(each.span.start <= offset - 1 < each.span.end for each in layout.comments):
        return []
    return [*_indented(layout, offset, typed), *_printed(layout, offset, typed)]


def _indented(layout: Layout, offset: int, typed: str) -> Iterator[Edit]:
    source = layout.source
    start = source.start_of(source.line_at(offset))
    line = source.line(source.line_at(offset))
    blank = len(line) - len(line.lstrip(" \t"))
    here = next((each for each in layout.tokens if each.span.start == start + blank and each.span.text), None)
    if typed not in ("\n", "\r"):
        if here is None or here.kind not in CLOSERS or here.span.end != offset:
            return
    elif start + blank < offset and not line.strip():
        blank = len(line)
    wanted = _indentation(layout, start, here)
    if wanted != blank or "\t" in line[:blank]:
        yield Edit(Span(source, start, start + blank), " " * wanted)


@dataclass
class _Level:
    """The inside of a bracket, or the top level: its statement so far."""

    opener: Token | None = None
    first: Token | None = None  # of the statement
    defined: Token | None = None  # behind what gives a name its value
    last: Token | None = None
    in_case: bool = False

    @property
    def margin(self) -> int:
        """Where statements begin, or the members of a list."""
        if self.opener is None:
            return 0
        size = _IN_SECTION if self.opener.kind == "OPEN" else len(self.opener.span.text)
        return self.opener.span.column - 1 + size

    def take(self, token: Token) -> None:
        """Go on by a token."""
        if token.kind in ("SEPARATOR", "LABELS"):
            self.first = self.defined = None
            return
        if self.first is None:
            self.first = token
            self.in_case |= token.kind in _CASES
        elif self.last and self.last.kind in _DEFINING:
            self.defined = self.defined or token
        self.last = token


_BEFORE_SECTION: Final = ("VALUE_OF", "RESULT_OF", "DO", "THEN", "BE", "INTO")
_CASES: Final = ("CASE", "DEFAULT")
_DEFINING: Final = ("DEFINED", "DEFINED_BY", "RESULT_IS")


def _indentation(layout: Layout, start: int, here: Token | None) -> int:
    """How far a line is indented that begins with this token."""
    levels = [_Level()]
    for token in layout.tokens:
        if token.span.start >= start or (not token.span.text and token.kind in CLOSERS):
            break
        if token.kind in CLOSERS and len(levels) > 1:
            levels.pop()
            levels[-1].last = token
        elif token.span.text or token.kind == "SEPARATOR":
            levels[-1].take(token)
            if token.kind in OPENERS:
                levels.append(_Level(token))
    level = levels[-1]
    if here is not None and here.kind in CLOSERS and level.opener:
        return level.opener.span.column - 1
    margin = level.margin + _STEP * (level.in_case and not (here is not None and here.kind in _CASES))
    if level.opener is not None and level.opener.kind != "OPEN":
        return margin
    if level.first is None or level.last is None:
        return margin
    if (here is not None and here.kind == "OPEN") or (here is None and level.last.kind in _BEFORE_SECTION):
        return margin + _IN_SECTION
    if level.last.kind == "COMMA" and level.defined:
        return level.defined.span.column - 1
    ends = level.last.kind in ENDS and (here is None or here.kind in BEGINS)
    return margin if ends else margin + _STEP


def _printed(layout: Layout, offset: int, typed: str) -> Iterator[Edit]:
    """The sign for a spelling that ends before what was typed, or with it."""
    source = layout.source
    if source.text.isascii():
        return
    end = offset if typed == ">" else offset - 1
    for token in layout.written:
        text = token.span.text
        if token.span.end == end and typed == ">" and text == "->":
            yield Edit(token.span, "→")
        elif token.span.end == end and not typed.isalpha() and text.startswith("\\") and text[1:] in GREEK_LETTERS:
            yield Edit(token.span, GREEK_LETTERS[text[1:]])
