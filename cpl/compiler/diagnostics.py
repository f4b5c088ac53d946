"""Diagnostics as values that every stage may add to, and how they are shown; nothing is printed here."""

import gc
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from cpl.compiler import messages
from cpl.compiler.messages import Cause, Severity
from cpl.compiler.source import Source, Span
from cpl.display import drawn
from cpl.limits import MOST_DIAGNOSTICS
from cpl.outside import code_point, is_hidden, printable

_TAB = 4
_WIDEST = 110
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
    hint = help if help is not None else cause.help and cause.help.format(**words)
    return Diagnostic(cause, cause.message.format(**words), span, label, tuple(related), hint or None)


class Error(Exception):
    """The base class of the exceptions of cpl, such as `CplError` and `Unreadable`."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback: the message says all."""
        return str(self).split("\n")


class Invalid(Error, ValueError):
    """Something that a user names, such as a player, and that there is not. The message is one plain line."""


class CplError(Error):
    """A CPL text with errors. `diagnostics` holds every finding, in the order of the text; at least one is an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: list[Diagnostic] = sort(diagnostics)
        super().__init__("\n\n".join(render(diagnostic) for diagnostic in most_shown(self.diagnostics)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagnostics,), vars(self)

    _repr_html_ = drawn

    def _render_traceback_(self) -> list[str]:
        """In colours; the fault is in the CPL, not in the Python that compiled it."""
        return "\n\n".join(render(diagnostic, coloured) for diagnostic in most_shown(self.diagnostics)).split("\n")


def sort(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics file by file, in the order of the text, without repetitions."""
    ordered = sorted(
        diagnostics, key=lambda diagnostic: (diagnostic.span.source.path, diagnostic.span.start, diagnostic.span.end)
    )
    return [
        *{
            (diagnostic.cause, diagnostic.message, diagnostic.span): diagnostic for diagnostic in reversed(ordered)
        }.values()
    ][::-1]


def most_shown(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the diagnostics of a report: of each text MOST_DIAGNOSTICS, errors first, and one that counts the rest."""
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
    """Return a diagnostic as a warning, which does not keep the text from being compiled."""
    if diagnostic.severity == "warning":
        return diagnostic
    return replace(diagnostic, cause=replace(diagnostic.cause, severity="warning"))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Tell whether any of the diagnostics keeps the text from being compiled."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


@contextmanager
def compiling(source: Source) -> Iterator[None]:
    """Within, the trees of a text are worked on. As these are made and not dropped, Python's garbage collector would
    find nothing, and is turned off. Raises CplError where calls nest too deep for the process.
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
"""Gives a text the look of its role, such as `error` or `title`; roles without a look are left plain."""


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
    places = [
        (diagnostic.span, diagnostic.label, "^"),
        *((span, text, "-") for span, text in diagnostic.related[:MOST_DIAGNOSTICS]),
    ]
    gutter = max(len(str(span.line)) for span, _, _ in places)
    head = paint(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity)
    lines = [f"{head}{paint(f': {printable(diagnostic.message)}', 'title')}"]
    for index, (source, group) in enumerate(groupby(places, key=lambda place: place[0].source)):
        members = list(group)
        corner = "┌─" if index == 0 else "├─"
        lines.append(f"{paint(f'{chr(32):{gutter}}{corner}', 'frame')} {printable(members[0][0].place)}")
        by_line = sorted(members, key=lambda place: (place[0].line, place[0].start))
        for number, marks in groupby(by_line, key=lambda place: place[0].line):
            lines += _snippet(source, number, list(marks), gutter, diagnostic.severity, paint)
    if diagnostic.help:
        lines.append(f"{'':{gutter}}{paint('help:', 'help')} {printable(diagnostic.help)}")
    return "\n".join(lines)


def _snippet(
    source: Source, number: int, marks: list[tuple[Span, str, str]], gutter: int, severity: str, paint: Paint
) -> list[str]:
    text = source.line(number)
    first = marks[0][0].column - 1
    is_wide = columns(text[max(0, first - _WIDEST) : first + _WIDEST]) > 4 * _WIDEST  # of hidden characters
    widest = _WIDEST // 4 if is_wide else _WIDEST
    cut = max(0, first - widest // 2) if len(text) > widest else 0
    window = text[cut : cut + widest]
    shown = ("…" if cut else "") + printable(window).expandtabs(_TAB) + ("…" if cut + widest < len(text) else "")
    lines = [f"{paint(f'{number:>{gutter}}│', 'frame')} {shown}".rstrip()]
    for span, label, mark in marks:
        start = span.column - 1
        end = start + (span.end - span.start)
        indent = columns(text[cut:start], 0) + (1 if cut else 0)
        length = columns(text[start : min(end, len(text), cut + widest)], indent)
        underline = f"{mark * max(1, length)} {printable(label)}".rstrip()
        role = severity if mark == "^" else "frame"
        lines.append(f"{paint(f'{chr(32):{gutter}}│', 'frame')} {'':{indent}}{paint(underline, role)}")
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
    return {
        "path": span.source.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.last_line,
        "end_column": span.source.column_at(span.last) + (1 if span.end > span.start else 0),
        "label": label,
    }
