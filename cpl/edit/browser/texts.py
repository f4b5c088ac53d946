"""What a page asks of a text: findings, names, its Python, what a call gives.

A text has a name: that of a packaged program if it is one, perhaps changed, so that its companions belong to it. Places
are counted in the units of JavaScript's strings.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from cplrt import show

from cpl import compiler, packaged
from cpl.compiler import Compiled, Options
from cpl.diagnostics import CplError, Diagnostic, Invalid, has_errors
from cpl.draughts.position import is_drawable
from cpl.edit.analysis import Analysis, analyse
from cpl.edit.completion import completions
from cpl.edit.hover import hover
from cpl.kit import stages
from cpl.kit.limits import FINISHES, outcome
from cpl.kit.recording import trace
from cpl.kit.trail import trail
from cpl.kit.type_report import type_lines
from cpl.source import Source, Span
from cpl.syntax.pieces import Piece, pieces
from cpl.views import step_view
from cpl.views.boards import board
from cpl.views.side_by_side import groups
from cpl.views.style import LISTINGS, coloured

SECONDS: Final = 3600.0
"""A run in a page ends when its reader stops it."""

DEEPEST: Final = 1_000
"""Nested frames of Python in a run: the stack of a browser is small, and Python does not survive its end."""

MOST_BOARDS: Final = 12
"""Positions of a list that are shown as boards."""


def check(name: str, text: str, reading: str) -> dict[str, Any]:
    """What is wrong, with fixes, and the colours of the text: where each piece begins and ends, and its class."""
    source, place = _source(name, text), _Places(text)
    return {
        "diagnostics": [_finding(each, source, place) for each in _analysis(name, text, reading).diagnostics],
        "colours": [
            [place(piece.start), place(piece.start + len(piece.text)), colour]
            for piece in pieces(source)
            if (colour := _colour(piece))
        ],
    }


def complete(name: str, text: str, offset: int) -> dict[str, Any] | None:
    """What may stand in the place of what is typed there: names, reserved words, signs and Greek letters."""
    place = _Places(text)
    found = completions(_analysis(name, text, "set"), place.inverse(offset))
    if not found or not found[0].replaced.text:
        return None
    return {
        "from": place(found[0].replaced.start),
        "offers": [
            {
                "text": each.text,
                "shown": each.typed,
                "about": each.text if each.kind in ("sign", "letter") else each.detail or each.kind,
            }
            for each in found
        ],
    }


def describe(name: str, text: str, offset: int, reading: str) -> dict[str, Any] | None:
    """What is known of the name at a place: how it is defined, its type, and what there is to say in words."""
    place = _Places(text)
    found = hover(_analysis(name, text, reading), place.inverse(offset))
    if found is None:
        return None
    return {
        "from": place(found.span.start),
        "to": place(found.span.end),
        "code": "\n".join(found.code),
        "words": found.words,
    }


def python(name: str, text: str, reading: str) -> dict[str, Any]:
    """The Python, line by line in colour; the lines on both sides that belong together, by a number that they share;
    and the lines that are not as in the usual reading.
    """
    compiled = _compiled(name, text, reading)
    cpl, lines = _groups(compiled)
    changed = _changed(compiled, _compiled(name, text, "set"))
    return {
        "lines": coloured(compiled.python, python=True),
        "groups": {"cpl": cpl, "python": lines},
        "changed": {
            "python": changed,
            "cpl": sorted({span.line for line in changed if (span := compiled.origin(line))}),
        },
    }


def stage(name: str, text: str, reading: str, which: str) -> str:
    """The text at a stage of the compiler: `types`, `tokens`, or the tree of what is `meant` or `written`."""
    source = _source(name, text)
    if which == "tokens":
        return stages.token_lines(source)
    meaning = _understood(name, text, reading)
    match which:
        case "types":
            return "\n".join(type_lines(meaning))
        case "written":
            return stages.surface_tree(meaning.main.program)
        case "meant":
            return stages.core_tree(meaning.core)
        case _:
            raise Invalid(f"there is no stage {which!r}")


def standalone(name: str, text: str, reading: str) -> str:
    """The Python as one module that needs nothing else."""
    return compiler.compile_source(_source(name, text), Options(reading=reading, standalone=True)).python


def run(name: str, text: str, reading: str, call: str) -> dict[str, Any]:
    """Run a text, and evaluate a call in it if there is one: what it writes, the value, boards of its positions."""
    calls = [call] if call.strip() else []
    meaning = compiler.understand(_source(name, text), Options(reading=reading), calls)
    places: list[str] = []

    def evaluated() -> list[Any]:
        try:
            return [*compiler.evaluations(meaning)][1:]
        except Exception as error:
            places.extend(trail(error))
            raise

    found = outcome(evaluated, seconds=SECONDS, deepest=DEEPEST)
    values = found.result or []
    positions = [board(each).svg() for value in values for each in _positions(value)[:MOST_BOARDS]]
    return {
        "written": found.written,
        "values": [show(value) for value in values],
        "boards": positions,
        "fault": found.fault if found.is_failed else None,
        "places": places,
        "finished": found.fault == FINISHES,
    }


def steps(name: str, text: str, reading: str, call: str) -> str:
    """The step view of a call, as HTML."""
    recording = trace(_source(name, text), call, reading=reading, seconds=SECONDS)
    return step_view.fragment(recording.to_dict())


_COLOURED: Final = frozenset(re.findall(r"\.c-\w+", LISTINGS))


class _Places:
    """Offsets in a text, as JavaScript counts them: what is beyond the first plane takes two units."""

    def __init__(self, text: str) -> None:
        is_wide = not text.isascii() and max(text) > "\uffff"
        self._units = [0, *accumulate(1 + (sign > "\uffff") for sign in text)] if is_wide else None

    def __call__(self, offset: int) -> int:
        return self._units[offset] if self._units else offset

    def inverse(self, units: int) -> int:
        """The offset of the sign that begins there, or holds the unit."""
        return bisect_right(self._units, units) - 1 if self._units else units


def _source(name: str, text: str) -> Source:
    path = packaged.folder("programs") / name
    return Source(str(path) if name and path.is_file() else name or "program.cpl", text)


@lru_cache(maxsize=4)
def _compiled(name: str, text: str, reading: str) -> Compiled:
    meaning = _analysis(name, text, reading).meaning
    if has_errors(meaning.diagnostics):
        raise CplError(meaning.diagnostics)
    return compiler.compile_meaning(meaning)


def _understood(name: str, text: str, reading: str) -> compiler.Meaning:
    return _compiled(name, text, reading).meaning


@lru_cache(maxsize=4)
def _analysis(name: str, text: str, reading: str) -> Analysis:
    return analyse(_source(name, text), reading=reading)


def _colour(piece: Piece) -> str:
    """The class of a piece in the style sheet of listings; empty if it has none."""
    from pygments.token import STANDARD_TYPES

    from cpl.kit.highlighting import class_of

    colour = f"c-{STANDARD_TYPES[class_of(piece.kind, piece.text)]}"
    return colour if f".{colour}" in _COLOURED else ""


def _finding(found: Diagnostic, source: Source, place: _Places) -> dict[str, Any]:
    def placed(span: Span) -> dict[str, int]:
        if span.source != source:
            return {"from": 0, "to": 0}
        return {"from": place(span.start), "to": place(span.end)}

    return {
        **placed(found.span),
        "line": found.span.line,
        "severity": found.severity,
        "code": found.code,
        "message": found.message,
        "label": found.label,
        "help": found.help,
        "fixes": [{**placed(fix.span), "text": fix.text, "advice": fix.advice} for fix in found.fixes],
    }


def _groups(compiled: Compiled) -> tuple[Sequence[int | None], Sequence[int | None]]:
    source = compiled.meaning.main.source
    whole = Span(source, 0, len(source.text))
    count = compiled.python.rstrip("\n").count("\n") + 1
    return groups(whole, source.text.count("\n") + 1, range(1, count + 1), compiled.line_map)


def _changed(compiled: Compiled, usual: Compiled) -> list[int]:
    """The lines of Python, from 1, that are not in that of the usual reading."""
    before, after = usual.python.split("\n"), compiled.python.split("\n")
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [line + 1 for tag, _, _, start, end in codes if tag != "equal" for line in range(start, end)]


def _positions(value: Any) -> list[Any]:
    if is_drawable(value):
        return [value]
    return [each for each in value if is_drawable(each)] if isinstance(value, list) else []
