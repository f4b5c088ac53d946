"""Answers to a page: about a text those of `editors/questions`, and what a call gives; of a game what `games` answers.

A request is `{"ask": NAME, ...}` in JSON with the arguments of one of QUESTIONS by their names. An answer is
`{"answer": …}`, or `{"error": …}`, one or more plain lines, if the request cannot be answered.

A text has a name: that of a packaged program if it is one, perhaps changed, so that its companions belong to it; or
that of the exercise that it answers. Places are counted in the units of JavaScript's strings.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Final

from cplrt import show

from cpl import outside
from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import CplError, Diagnostic, Error, most_shown
from cpl.compiler.pipeline import Compiled, Options
from cpl.compiler.python.emit import lines_for_readers
from cpl.compiler.python.text import not_waiting_for_black
from cpl.compiler.source import Source, Span, utf16_units
from cpl.compiler.syntax.lexer import pieces
from cpl.editors.browser import games, lessons
from cpl.editors.completion import Completion
from cpl.editors.definitions import Definition
from cpl.editors.edits import Edit
from cpl.editors.questions import ask
from cpl.editors.text_analysis import Analysis, analyse
from cpl.games.board import is_drawable
from cpl.games.game import BadMove
from cpl.games.live import NotNow
from cpl.games.pdn import BadPdn
from cpl.games.playable import game_of
from cpl.games.position import BadFen, from_fen
from cpl.limits import DEEPEST_IN_PAGE, PAGE_SECONDS
from cpl.study.exercises import libraries_of, may_advise
from cpl.study.run.limited import FINISHES, Outcome, outcome
from cpl.study.run.record import trace
from cpl.study.run.trail import Reached, reached
from cpl.study.views.boards import board
from cpl.study.views.listing import colour, coloured, groups
from cpl.study.views.steps import recording_html

BOARDS_OF_A_LIST: Final = 12
"""Positions of a list that are shown as boards."""

_BOARD: Final = re.compile(r"\bboard\s*\(\s*[\"'“‘]([^\"'“”‘’]*)[\"'”’]\s*\)")


def check(name: str, text: str, reading: str) -> dict[str, Any]:
    """Return the diagnostics, with fixes, and the colours: start, end and class of each piece of the text."""
    analysis = _analysis(name, text, reading)
    units = _units(text)
    source = analysis.source

    colours = []
    for piece in pieces(source):
        shade = colour(piece)
        if shade:
            end = piece.start + len(piece.text)
            colours.append([units[piece.start], units[end], shade])

    diagnostics = [_finding(finding, source, units) for finding in ask("problems", analysis)]
    return {"diagnostics": diagnostics, "colours": colours}


def complete(name: str, text: str, offset: int) -> dict[str, Any] | None:
    """Return what may stand in the place of what is typed there. None if nothing is typed yet: a page then offers
    nothing. What is spelled, such as → by its name, a page knows by itself.
    """
    completions: list[Completion] = ask("completions", _analysis(name, text, "set"), _offset(text, offset))
    if not completions or not completions[0].replaced.text:
        return None

    offers = []
    for completion in completions:
        about = completion.detail or completion.kind
        offers.append({"text": completion.text, "shown": completion.typed, "about": about})
    return {"from": _units(text)[completions[0].replaced.start], "offers": offers}


def describe(name: str, text: str, offset: int, reading: str) -> dict[str, Any] | None:
    """Return facts about the name at a place: how it is defined, its type, and what there is to say in words."""
    units = _units(text)
    shown = ask("hover", _analysis(name, text, reading), _offset(text, offset))
    if shown is None:
        return None
    start, end = units[shown.span.start], units[shown.span.end]
    return {"from": start, "to": end, "code": "\n".join(shown.code), "words": shown.words}


def definition(name: str, text: str, reading: str, offset: int) -> dict[str, int]:
    """Return where in the text the name at a place is defined. Raises Error if it is not defined there."""
    analysis = _analysis(name, text, reading)
    found = ask("definition", analysis, _offset(text, offset))
    if found is None:
        raise Error("there is no name here that a text defines")
    if found.span.source != analysis.source:
        raise Error(f"{found.name} is defined in {found.span.source.name}, which comes with this text")
    return _placed(found.span, _units(text))


def renamable(name: str, text: str, offset: int) -> str:
    """The name at a place, if it can have another one. Raises Error with the reason if it cannot."""
    found: Definition = ask("renamable", _analysis(name, text, "set"), _offset(text, offset), True)
    return found.name


def rename(name: str, text: str, offset: int, new: str) -> list[dict[str, Any]]:
    """The changes to the text that give the name at a place another one. Raises Error if some name would then mean
    something else.
    """
    analysis = _analysis(name, text, "set")
    found: Definition = ask("renamable", analysis, _offset(text, offset), True)
    edits: dict[Source, list[Edit]] = ask("rename", analysis, found.span, new, [analysis], {})
    return _changes(edits.pop(analysis.source), text)


def formatted(name: str, text: str) -> list[dict[str, Any]]:
    """The changes that give the text the style of `cpl fmt`. Raises Error with the reason if it has none."""
    return _changes(ask("format", _analysis(name, text, "set")), text)


def python(name: str, text: str, reading: str, soon: bool = False) -> dict[str, Any]:
    """The Python for readers, line by line in colour; the lines on both sides that belong together, by a number that
    they share; and the lines that are not as in the usual reading.

    If it is wanted `soon`, black is not imported for it. `styled` says whether it is as it would be with black.
    """
    compiled, is_styled = _compiled(name, text, reading, soon)
    source = compiled.meaning.main.source
    python_lines = lines_for_readers(compiled.python)
    place_of = {line: number for number, line in enumerate(python_lines, 1)}
    cpl_groups, python_groups = groups(source, 1, source.text.count("\n") + 1, python_lines, compiled.line_map)

    usual = _compiled(name, text, "set", soon)[0].python
    origins: dict[int, Span] = {}
    for line in _changed_lines(usual.split("\n"), compiled.python.split("\n")):
        span = compiled.origin(line)
        if span and line in place_of:
            origins[place_of[line]] = span

    in_colour = coloured(compiled.python, python=True)
    return {
        "lines": [in_colour[line - 1] for line in python_lines],
        "groups": {"cpl": cpl_groups, "python": python_groups},
        "changed": {"python": [*origins], "cpl": sorted({span.line for span in origins.values()})},
        "styled": is_styled,
    }


def _changed_lines(before: list[str], after: list[str]) -> Iterator[int]:
    """The numbers, from 1, of the lines that are not as before."""
    for operation, _, _, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if operation != "equal":
            yield from range(start + 1, end + 1)


def stage(name: str, text: str, reading: str, which: str) -> str:
    """The text at a stage of the compiler: `types`, `tokens`, or the tree of what is `meant` or `written`."""
    answer: str = ask(which, _analysis(name, text, reading))
    return answer


def standalone(name: str, text: str, reading: str) -> str:
    """The Python as one module that needs nothing else."""
    return pipeline.compile_source(_source(name, text), Options(reading=reading, standalone=True)).python


def run(name: str, text: str, reading: str, call: str) -> dict[str, Any]:
    """Run a text, and evaluate a call in it if there is one: what it writes, the value, boards of its positions."""
    ended, led_there = _evaluated(name, text, reading, call)
    values = ended.result or []
    boards = []
    for value in values:
        for position in _positions(value)[:BOARDS_OF_A_LIST]:
            boards.append(board(position).svg())
    return {
        "written": ended.written,
        "values": [show(value) for value in values],
        "boards": boards,
        "fault": ended.fault if ended.is_failed else None,
        "places": [_place(place, _source(name, text)) for place in led_there],
        "finished": ended.fault == FINISHES,
    }


def _evaluated(name: str, text: str, reading: str, call: str) -> tuple[Outcome, list[Reached | str]]:
    """The outcome of a run, whose result is a list with the value of the call if there is one; and what led to its
    failure.
    """
    calls = [_with_positions(call)] if call.strip() else []
    options = Options(reading=reading, libraries=libraries_of(name))
    program = pipeline.executable_of(pipeline.understand(_source(name, text), options, calls))
    led_there: list[Reached | str] = []

    def evaluate() -> list[Any]:
        try:
            _, *values = pipeline.evaluations(program)  # the first is that of the program itself
            return values
        except Exception as error:
            led_there.extend(reached(error))
            raise

    return outcome(evaluate, seconds=PAGE_SECONDS, deepest=DEEPEST_IN_PAGE), led_there


def steps(name: str, text: str, reading: str, call: str) -> str:
    """The step view of a call, as HTML."""
    return recording_html(trace(_source(name, text), _with_positions(call), reading=reading, seconds=PAGE_SECONDS))


def opening(name: str, text: str, reading: str) -> dict[str, Any]:
    """Return how a text of the program of 1966 begins a game: the move and the board after it, in official numbers."""
    ended, _ = _evaluated(name, text, reading, "ChosenPosition(StartPosition)")
    chosen = ended.result[0] if ended.result else None
    first = game_of("strachey").start()
    path = next((path for path, position in first.legal.items() if position == chosen), None)
    if not path:
        why = ended.fault if ended.is_failed else "The program finds no move."
        return {"move": None, "board": None, "why": why}

    after = first.game.board(first.game.play(first, path), path)
    return {"move": first.game.text(path), "board": after.svg(), "why": None}


def _with_positions(call: str) -> str:
    """The call, with the position of the program of 1966 in place of each `board("FEN")`."""
    return _BOARD.sub(lambda fen: show(from_fen(fen[1])), call)


def _units(text: str) -> list[int]:
    """For each offset in a text, the offset as JavaScript counts: what is beyond the first plane takes two units."""
    return [*accumulate((2 if char > "\uffff" else 1 for char in text), initial=0)]


def _offset(text: str, unit: int) -> int:
    """The offset of the character that begins at a unit of JavaScript, or whose second unit it is."""
    return bisect_right(_units(text), unit) - 1


def _source(name: str, text: str) -> Source:
    """A text with its name, which is that of a packaged program or of none."""
    packaged = outside.packaged("programs") / name
    if name and packaged.is_file():
        return Source(str(packaged), text)
    return Source(name or "program.cpl", text)


@lru_cache(maxsize=4)
def _compiled(name: str, text: str, reading: str, soon: bool) -> tuple[Compiled, bool]:
    """The Python, and whether it is in black's style."""
    analysis = _analysis(name, text, reading)
    waiting: AbstractContextManager[list[str]] = not_waiting_for_black() if soon else nullcontext([])
    with waiting as left:
        compiled: Compiled = ask("python", analysis)
    return compiled, not left


@lru_cache(maxsize=4)
def _analysis(name: str, text: str, reading: str) -> Analysis:
    libraries = [loader.program(library) for library in libraries_of(name)]
    return analyse(_source(name, text), libraries, reading=reading, advice=may_advise(name))


def _placed(span: Span, units: Sequence[int]) -> dict[str, int]:
    return {"from": units[span.start], "to": units[span.end]}


def _changes(edits: Sequence[Edit], text: str) -> list[dict[str, Any]]:
    units = _units(text)
    return [{**_placed(edit.span, units), "text": edit.text} for edit in edits]


def _finding(finding: Diagnostic, source: Source, units: Sequence[int], call: str = "") -> dict[str, Any]:
    """A diagnostic as plain data. `where` names its text. Its places are in the text of the page or in the call; those
    of another text stand at the beginning.
    """

    def placed(span: Span) -> dict[str, int]:
        if span.source == source:
            return _placed(span, units)
        if span.source == Source(pipeline.OF_CALL, call):
            return _placed(span, _units(call))
        return {"from": 0, "to": 0}

    return {
        **placed(finding.span),
        "where": _where(finding.span.source.path, source),
        "line": finding.span.line,
        "severity": finding.severity,
        "code": finding.code,
        "message": finding.message,
        "label": finding.label,
        "help": finding.help,
        "fixes": [{**placed(fix.span), "text": fix.text, "advice": fix.advice} for fix in finding.fixes],
    }


def _where(path: str, source: Source) -> str:
    """The name of a text, as a page shows it: `call` for what a person calls, nothing for the text of the page."""
    if path == source.path:
        return ""
    return "call" if path == pipeline.OF_CALL else outside.short_path(path)


def _place(place: Reached | str, source: Source) -> dict[str, Any]:
    """A place that led to a failure, as plain data: its line in three pieces, of which the second is meant. `from` is
    where it begins in the text of the page; None if it is in another text.
    """
    if isinstance(place, str):
        return {"words": place, "where": None}
    text, start, stop = place.text, place.start, len(place.text) if place.stop is None else place.stop
    where = _where(place.path, source)
    begins = None
    if not where:
        begins = utf16_units(source.text[: source.start_of(place.line) + start])
    return {
        "words": f"{place.words}{place.how_often}",
        "where": where,
        "line": place.line,
        "from": begins,
        "pieces": [text[:start].lstrip(), text[start:stop], text[stop:]],
    }


def _positions(value: Any) -> list[Any]:
    """The positions that can be drawn: a value, or the members of a list."""
    if is_drawable(value):
        return [value]
    if isinstance(value, list):
        return [member for member in value if is_drawable(member)]
    return []


_FUNCTIONS: Final = (
    check,
    complete,
    describe,
    definition,
    renamable,
    rename,
    formatted,
    python,
    stage,
    standalone,
    run,
    steps,
    opening,
    games.state,
    games.choose,
    games.understand,
    games.why,
    games.write,
    games.read,
    games.listed,
    lessons.verdict,
)
QUESTIONS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {function.__name__: function for function in _FUNCTIONS}
)
"""What a page can ask, by name."""


def answer(request: str) -> str:
    """The answer to a request."""
    arguments = json.loads(request)
    question = QUESTIONS[arguments.pop("ask")]
    try:
        result = {"answer": question(**arguments)}
    except CplError as error:
        source = _source(arguments["name"], arguments["text"])
        units = _units(source.text)
        findings = [
            _finding(finding, source, units, arguments.get("call", "")) for finding in most_shown(error.diagnostics)
        ]
        result = {"error": str(error), "findings": findings}
    except (Error, BadFen, BadMove, BadPdn, NotNow) as error:
        result = {"error": str(error)}
    return json.dumps(result, ensure_ascii=False)
