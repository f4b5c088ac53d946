"""A run to look at: a program and a call in, every step of the interpreter out, as a text and as data.

The data is one JSON document in which everything has a number; `Recording.to_dict` describes it.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from cplrt import CplFault

from cpl import compiler
from cpl.compiler import Libraries, Meaning, Options, Program, Wanted
from cpl.display import drawn_by, written_by
from cpl.kit.call_tree import DEPTH, call_tree
from cpl.kit.limits import FINISHES, outcome
from cpl.kit.recorder import MOST_STEPS, Recorder
from cpl.semantics.interpreter import Interpreter
from cpl.semantics.whole_program import CALL

SECONDS: Final = 60.0
"""Processor time that a recorded run may take."""

_DEEPEST: Final = 50_000  # frames of Python: a call of CPL takes some seven


@dataclass(frozen=True)
class Recording:
    """What happened when an expression was evaluated in a program.

    `result` is its value, and `fault` what ended the run instead, if something did, with its `place` in the CPL if that
    is known; `written` is what the program wrote until then. `cut` says what is missing of a long run. `str` is the
    tree of calls; a notebook shows the step view.
    """

    title: str
    result: Any
    fault: str | None
    place: str
    written: str
    recorder: Recorder
    meaning: Meaning

    def __repr__(self) -> str:
        return f"<Recording of {self.title!r}, steps: {len(self.recorder.steps):,}>"

    def __str__(self) -> str:
        return self.tree()

    _repr_html_ = drawn_by("cpl.views.step_view:as_html")
    _repr_mimebundle_ = written_by("builtins:str")

    @property
    def is_failed(self) -> bool:
        """Whether the run ended by a fault."""
        return self.fault not in (None, FINISHES)

    @property
    def cut(self) -> str | None:
        """What is missing, as a sentence, if the run was too long to be recorded in full."""
        return self.recorder.cut

    @property
    def called(self) -> list[str]:
        """The names of the functions that were called, in the order of their first calls."""
        return [*dict.fromkeys(self.recorder.functions[1:])]

    def tree(self, *, depth: int = DEPTH, function: str | None = None) -> str:
        """The calls with their arguments and results, those within a call below it, to so many levels; what is left out
        is counted. With a `function`, only its calls and what is in them. Raises KeyError if it was not called.
        """
        return call_tree(self.recorder, depth=depth, function=function)

    @cached_property
    def _python(self) -> tuple[str, list[tuple[int, int, int, int]]]:
        """The text of the module; and for its lines, in runs, the source and the line of CPL that they come from."""
        text, lines = compiler.python_text(self.meaning)
        sources = self.recorder.sources
        known = [(line, span) for line, span in sorted(lines.items()) if span.source in sources]
        runs = groupby(enumerate(known), lambda each: (each[1][1].source, each[1][1].line, each[1][0] - each[0]))
        rows = []
        for (source, line, _), run in runs:
            numbers = [number for _, (number, _) in run]
            rows.append((sources.index(source), line, numbers[0], numbers[-1]))
        return text, rows

    def to_dict(self) -> dict[str, Any]:
        """The recording as data for JSON.

        `steps` holds four columns of integers. `kind` is what happens: 0 a function is called, 1 a variable of the
        function that runs is set, 2 an expression has a value, 3 a function returns, 4 the run fails. `span`, `a` (a
        function or a variable) and `b` (a value) are numbers in the tables `spans`, `functions` or `names`, and
        `values`, or −1. The steps after a call set the parameters, of which the function has as many as its arity. A
        span is a source and where in its text it begins and ends; `python_lines` are a source, a line of it, and the
        first and last line of `python` that come from it.

        Raises CplError if the program cannot be compiled.
        """
        recorder, (python, lines) = self.recorder, self._python
        kinds, spans, first, second = zip(*recorder.steps, strict=True)
        return {
            "version": 1,
            "title": self.title,
            "cut": self.cut,
            "result": None if self.fault else recorder.steps[-1].b,
            "fault": self.fault,
            "sources": [{"name": each.name, "cpl": each.text, "lines": {}} for each in recorder.sources],
            "python": python,
            "python_lines": [[*row] for row in lines],
            "spans": [[*span] for span in recorder.spans],
            "functions": recorder.functions,
            "function_spans": recorder.function_spans,
            "arities": recorder.arities,
            "names": recorder.names,
            "values": recorder.values.table,
            "steps": {"kind": [int(kind) for kind in kinds], "span": [*spans], "a": [*first], "b": [*second]},
        }


def trace(
    program: Program,
    call: str,
    *,
    reading: Wanted = None,
    libraries: Libraries = (),
    steps: int = MOST_STEPS,
    seconds: float = SECONDS,
) -> Recording:
    """Evaluate an expression in a program, and record every step.

    `program` is a file, a packaged program by its name, a text, or a program that is compiled or loaded already; the
    `call` is an expression as it might stand in it. `reading` and `libraries` are as for `cpl.compile_text`. After so
    many `steps` only calls and results are recorded. A run that takes more than so many `seconds` ends with a fault;
    so does one that goes wrong.

    Raises CplError, also for a mistake in the call, Unreadable, ValueError if the reading is unknown, and TypeError for
    a module that cpl did not load.
    """
    meaning = compiler.meaning_of(program, Options(reading, libraries), [call])
    return record(meaning, steps=steps, seconds=seconds)


def record(meaning: Meaning, *, steps: int = MOST_STEPS, seconds: float = SECONDS, reads: bool = False) -> Recording:
    """As `trace`, for a program that was understood with one call. It may read the input of the process."""
    [call] = compiler.calls(meaning)
    title = " ".join(call.span.text.split())
    recorder = Recorder(title, meaning.main.source, steps)

    places: list[str] = []

    def run() -> Any:
        try:
            interpreter = Interpreter(meaning.core, meaning.library.host)
            interpreter.observer = recorder
            return interpreter.names[f"{CALL}1"]()
        except CplFault as error:
            places.extend(getattr(error, "__notes__", ()))
            raise

    found = outcome(run, seconds=seconds, deepest=_DEEPEST, reads=reads)
    if found.fault is not None:
        recorder.failed(found.fault)
    return Recording(title, found.result, found.fault, "\n".join(places), found.written, recorder, meaning)
