"""Diagnostics as values that every stage may add to, and how they are shown; nothing is printed here."""

import gc
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, NamedTuple

from cpl.compiler import messages
from cpl.compiler.messages import Cause, Severity
from cpl.compiler.source import Source, Span
from cpl.display import drawn
from cpl.limits import MOST_DIAGNOSTICS
from cpl.outside import code_point, is_hidden, printable

_TAB: Final = 4
_WIDEST: Final = 110
"""Longer lines are cut to a window round the place that is meant."""


@dataclass(frozen=True)
class Fix:
    """A repair: `text` replaces what stands at `span`; `advice` is the same in words, after a verb of `_DONE`."""

    span: Span
    text: str
    advice: str

    @property
    def done(self) -> str:
        """The advice as what was done: ``inserted `)` after `Head(L` ``."""
        verb, _, rest = self.advice.partition(" ")
        return f"{_DONE.get(verb, verb)} {rest}"


_DONE: Final = {"insert": "inserted", "delete": "deleted", "replace": "replaced", "write": "wrote"}


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning about a text.

    `span` is the smallest place to blame, and `label` stands under it; `related` holds further places that matter (the
    opener of a bracket, the first definition of two), each with its label. `fixes` are edits after which the text
    would parse, the likeliest first.
    """

    cause: Cause
    message: str
    span: Span
    label: str = ""
    related: tuple[tuple[Span, str], ...] = ()
    help: str | None = None
    fixes: tuple[Fix, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.severity}[{self.code}] at {self.span.place}: {self.message}>"

    _repr_html_ = drawn

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": render(self)}

    @property
    def severity(self) -> Severity:
        """`error`: nothing is compiled. `warning`: the text compiles, and something in it is doubtful."""
        return self.cause.severity

    @property
    def code(self) -> str:
        """The name of the cause, such as `unclosed-bracket`; it stays the same when the wording improves."""
        return self.cause.code


def report(
    cause: Cause,
    span: Span,
    *,
    label: str = "",
    related: Sequence[tuple[Span, str]] = (),
    help: str | None = None,
    **words: object,
) -> Diagnostic:
    """Return a diagnostic of a cause at a place; `words` fill the gaps in the cause's message and help."""
    if help is None:
        help = cause.help.format(**words)
    return Diagnostic(cause, cause.message.format(**words), span, label, tuple(related), help or None)


class Error(Exception):
    """The base class of the exceptions of cpl, such as `CplError` and `Unreadable`."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback: the message says all."""
        return str(self).split("\n")


class Invalid(Error, ValueError):
    """Something that a user names, such as a player, and that does not exist. The message is one plain line."""


class CplError(Error):
    """A CPL text with errors. `diagnostics` holds every finding, in the order of the text; at least one is an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: list[Diagnostic] = sort(diagnostics)
        super().__init__("\n\n".join(map(render, most_shown(self.diagnostics))))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagnostics,), vars(self)

    _repr_html_ = drawn

    def _render_traceback_(self) -> list[str]:
        """In colours; the fault is in the CPL, not in the Python that compiled it."""
        shown = [render(diagnostic, coloured) for diagnostic in most_shown(self.diagnostics)]
        return "\n\n".join(shown).split("\n")


def sort(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics file by file, in the order of the text, without repetitions."""

    def place(diagnostic: Diagnostic) -> tuple[str, int, int]:
        span = diagnostic.span
        return span.source.path, span.start, span.end

    ordered = sorted(diagnostics, key=place)
    unique: dict[object, Diagnostic] = {}
    for item in reversed(ordered):
        unique[item.cause, item.message, item.span] = item  # in the end the first of those that are alike
    return [*reversed(unique.values())]


def most_shown(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the diagnostics of a report: MOST_DIAGNOSTICS of each text, errors first, and one that counts the rest."""
    for _, group in groupby(diagnostics, key=lambda diagnostic: diagnostic.span.source.path):
        members = list(group)
        if len(members) > MOST_DIAGNOSTICS:
            members.sort(key=lambda diagnostic: diagnostic.severity != "error")
            rest = members[MOST_DIAGNOSTICS:]
            counted = report(messages.NOT_SHOWN, rest[0].span, count=f"{len(rest):,}")
            members[MOST_DIAGNOSTICS:] = [counted if has_errors(rest) else as_warning(counted)]
        yield from members


def with_help(diagnostic: Diagnostic) -> str:
    """Return the message of a diagnostic with its help, on one line."""
    return f"{diagnostic.message} ({diagnostic.help})" if diagnostic.help else diagnostic.message


def as_warning(diagnostic: Diagnostic) -> Diagnostic:
    """Return a diagnostic as a warning, after which the text is compiled nevertheless."""
    if diagnostic.severity == "warning":
        return diagnostic
    return replace(diagnostic, cause=replace(diagnostic.cause, severity="warning"))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Tell whether any of the diagnostics keeps the text from being compiled."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


@contextmanager
def compiling(source: Source) -> Iterator[None]:
    """A context in which the trees of a text are made. They all stay alive, so Python's garbage collector would find
    nothing to free, and is turned off. Raises CplError where calls nest too deep for the process.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    except RecursionError:
        span = Span(source, 0, len(source.line(1)))
        raise CplError([report(messages.NO_ROOM, span, limit=f"{sys.getrecursionlimit():,}")]) from None
    finally:
        if was_enabled:
            gc.enable()


Paint = Callable[[str, str], str]
"""Gives a text the look of its role, such as `error` or `title`; a text whose role has no look stays plain."""


def plain(text: str, role: str) -> str:
    """Return the text without colours."""
    return text


def coloured(text: str, role: str) -> str:
    """Return the text in the colours that a terminal has for its role; blanks and other roles have none."""
    return f"\x1b[{_COLOURS[role]}m{text}\x1b[0m" if role in _COLOURS and text.strip() else text


_COLOURS: Final = {
    "error": "1;31",
    "warning": "1;33",
    "title": "1",
    "frame": "34",
    "help": "36",
    "before": "31",
    "after": "32",
    "place": "36",
    "head": "1",
    "dim": "2",
}


def render(diagnostic: Diagnostic, paint: Paint = plain) -> str:
    """Return a diagnostic as text for people: message, place, the lines with carets under them, help."""
    marks = [_Mark(diagnostic.span, diagnostic.label, "^", diagnostic.severity)]
    marks += [_Mark(span, label, "-", "frame") for span, label in diagnostic.related[:MOST_DIAGNOSTICS]]
    gutter = max(len(str(mark.span.line)) for mark in marks)

    head = paint(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity)
    title = paint(f": {printable(diagnostic.message)}", "title")
    lines = [head + title]
    for source, group in groupby(marks, key=lambda mark: mark.span.source):
        in_source = list(group)
        corner = "┌─" if len(lines) == 1 else "├─"
        frame = paint(f"{' ' * gutter}{corner}", "frame")
        lines.append(f"{frame} {printable(in_source[0].span.place)}")
        in_source.sort(key=lambda mark: (mark.span.line, mark.span.start))
        for number, in_line in groupby(in_source, key=lambda mark: mark.span.line):
            lines += _snippet(source, number, list(in_line), gutter, paint)

    if diagnostic.help:
        word = paint("help:", "help")
        lines.append(f"{' ' * gutter}{word} {printable(diagnostic.help)}")
    return "\n".join(lines)


class _Mark(NamedTuple):
    """A place that is underlined with a `sign`, and the label after that; both have the look of the `role`."""

    span: Span
    label: str
    sign: str
    role: str


def _snippet(source: Source, number: int, marks: Sequence[_Mark], gutter: int, paint: Paint) -> list[str]:
    """A line of a text, or as much of it as there is room for, and under it a line for each of its marks."""
    text = source.line(number)
    first = marks[0].span.column - 1
    is_wide = columns(text[max(0, first - _WIDEST) : first + _WIDEST]) > 4 * _WIDEST  # of hidden characters
    widest = _WIDEST // 4 if is_wide else _WIDEST
    start = max(0, first - widest // 2) if len(text) > widest else 0  # of the window
    end = start + widest
    before = "…" if start else ""
    after = "…" if end < len(text) else ""
    shown = before + printable(text[start:end]).expandtabs(_TAB) + after

    frame = paint(f"{number:>{gutter}}│", "frame")
    lines = [f"{frame} {shown}".rstrip()]
    empty_frame = paint(f"{' ' * gutter}│", "frame")
    for span, label, sign, role in marks:
        mark_start = span.column - 1
        mark_end = mark_start + (span.end - span.start)
        indent = len(before) + columns(text[start:mark_start])
        length = columns(text[mark_start : min(mark_end, len(text), end)], indent)
        underline = f"{sign * max(1, length)} {printable(label)}".rstrip()
        lines.append(f"{empty_frame} {' ' * indent}{paint(underline, role)}")
    return lines


def columns(text: str, column: int = 0) -> int:
    """Return how many columns a text takes on a terminal when it begins at `column`."""
    start = column
    for char in text:
        if char == "\t":
            column += _TAB - column % _TAB
        elif is_hidden(char):
            column += len(code_point(char))
        elif not unicodedata.combining(char):
            column += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return column - start


def to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic for programs: plain dictionaries, lists, strings and numbers."""
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        **_place(diagnostic.span, diagnostic.label),
        "related": [_place(span, label) for span, label in diagnostic.related[:MOST_DIAGNOSTICS]],
        "help": diagnostic.help,
        "fixes": [{**_place(fix.span, fix.advice), "text": fix.text} for fix in diagnostic.fixes],
    }


def _place(span: Span, label: str) -> dict[str, Any]:
    """A place with its label, for programs; the end is after the last character."""
    end_column = span.source.column_at(span.last)
    if span.end > span.start:
        end_column += 1
    return {
        "path": span.source.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.last_line,
        "end_column": end_column,
        "label": label,
    }
