"""Every way to run a program: what each gives, and whether they agree.

`ways(text).agreed()` runs a program in all ways and gives the outcome that they share. A test that wants the outcome of
one way, or of some, asks `ways(text).outcome("optimised")` or `ways(text, only=("interpreted", "plain"))`.
"""

import contextlib
import io
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from types import CodeType
from typing import Any
from unittest.mock import patch

from cplrt import CplFault, Input, Output, show

import cpl
from cpl.compiler import pipeline
from cpl.compiler.c.rules import CAN_BE_LEFT_OUT
from cpl.compiler.python.execute import FAULTS
from cpl.compiler.source import Source

FAULT = "fault: "


@dataclass(frozen=True)
class Outcome:
    """How a run ends, what it writes, and the values of its calls as CPL writes them.

    The end is `value`, `finish`, `fault: …`, or the name of an error that no run may end with. A call without a value
    has its end instead.
    """

    end: str
    written: str = ""
    values: tuple[str, ...] = ()

    @property
    def brief(self) -> str:
        """The end without the words of the fault."""
        return self.end.partition(": ")[0]


def agree(one: Outcome, other: Outcome) -> bool:
    """Whether both do the same. The words of a fault may differ, and what is written by operands beside the one with a
    fault may be missing.
    """
    if one.brief != other.brief or [*map(brief, one.values)] != [*map(brief, other.values)]:
        return False
    if one.brief == "fault":
        return one.written.startswith(other.written) or other.written.startswith(one.written)
    return one.written == other.written


def brief(value: str) -> str:
    return "fault" if value.startswith(FAULT) else value


Results = Iterator[str]
"""Runs the program, which gives an empty text; then the values of its calls, one by one."""
Run = Callable[[int], Results]
"""Runs a program and evaluates its calls without the first so many."""


def evaluated(program: pipeline.Meaning | pipeline.Executable, *, interpreted: bool = False, after: int = 0) -> Results:
    results = pipeline.evaluations(program, interpreted=interpreted, after=after)
    next(results)
    yield ""
    yield from map(show, results)


def executed(python: CodeType, calls: range) -> Results:
    """The same of the text of a module, in which functions write the values (`Program.asking`)."""
    Input([])
    Output([])
    module: dict[str, Any] = {"__name__": "out"}
    exec(python, module)
    yield ""
    for number in calls:
        written = io.StringIO()
        try:
            with contextlib.redirect_stdout(written):
                module[f"{ASKED}{number}"]()
        except BaseException:
            print(written.getvalue(), end="")
            raise
        *before, value = written.getvalue().splitlines(keepends=True)
        print(*before, sep="", end="")
        yield value.rstrip("\n").removeprefix("[").removesuffix("]")


ASKED = "Asked"


@lru_cache(maxsize=100)
def understood(
    source: Source,
    reading: pipeline.ReadingOption = None,
    calls: tuple[str, ...] = (),
    libraries: tuple[Source, ...] = (),
) -> pipeline.Meaning:
    return pipeline.understand(source, pipeline.Options(reading, libraries), calls)


@dataclass(frozen=True)
class Program:
    """A program, how it is read, what it gets to read, and calls that are evaluated after it."""

    source: Source
    reading: pipeline.ReadingOption = None
    calls: tuple[str, ...] = ()
    input: str = ""
    libraries: tuple[Source, ...] = ()

    @property
    def meaning(self) -> pipeline.Meaning:
        return understood(self.source, self.reading, self.calls, self.libraries)

    @cached_property
    def optimised(self) -> pipeline.Meaning:
        return pipeline.optimised(self.meaning)

    @cached_property
    def asking(self) -> pipeline.Meaning:
        """The program with a function for each call, which writes its value in a list: its text alone shows it."""
        if not self.calls:
            return self.meaning
        asked = [
            f"{ASKED}{number}[] ≡ value of § WriteLine([({call.strip()})]); result is 0 §|"
            for number, call in enumerate(self.calls, 1)
        ]
        text = "\n".join([self.source.text, *asked, ""])
        return understood(Source(self.source.path, text), self.reading, (), self.libraries)

    def text(self, **options: Any) -> str:
        return pipeline.compile_meaning(self.asking, pipeline.Options(**options)).python


def interpreting(meant: Callable[[Program], pipeline.Meaning]) -> Callable[[Program], Run]:
    return lambda program: lambda after: evaluated(meant(program), interpreted=True, after=after)


def compiling(
    meant: Callable[[Program], pipeline.Meaning], options: pipeline.Options = pipeline.DEFAULTS
) -> Callable[[Program], Run]:
    """The program is compiled once, when it runs first, and not again for the calls after a fault."""

    def way(program: Program) -> Run:
        executable = cache(lambda: pipeline.executable_of(meant(program), options))
        return lambda after: evaluated(executable(), after=after)

    return way


def native(*without: str) -> Callable[[Program], Run]:
    """C, without some of the rules that make it faster."""
    return compiling(lambda program: program.meaning, pipeline.Options(native=True, without=without))


def executing(*, standalone: bool = False, pretty: bool = False) -> Callable[[Program], Run]:
    def way(program: Program) -> Run:
        code = compile(program.text(standalone=standalone, pretty=pretty), "out.py", "exec")
        return lambda after: executed(code, range(after + 1, len(program.calls) + 1))

    return way


WAYS: Mapping[str, Callable[[Program], Run]] = {
    "interpreted": interpreting(lambda program: program.meaning),
    "plain": compiling(lambda program: program.meaning),
    "optimised": compiling(lambda program: program.optimised),
    "optimised and interpreted": interpreting(lambda program: program.optimised),
    "text": executing(),
    "standalone": executing(standalone=True),
    "native": native(),
    "formatted": executing(pretty=True),
    "formatted and standalone": executing(standalone=True, pretty=True),
    **{f"native without {rule}": native(rule) for rule in CAN_BE_LEFT_OUT},
}
"""How to run a program in each way."""
AS_TEXT = ("text", "standalone")
FORMATTED = ("formatted", "formatted and standalone")
BOTH = ("interpreted", "plain")
IN_PYTHON = ("interpreted", "plain", "optimised", "optimised and interpreted", *AS_TEXT)
ALL = (*IN_PYTHON, "native") if shutil.which("cc") else IN_PYTHON
"""What this machine has; what is formatted is the same text."""


def is_fault(error: Exception, way: str) -> bool:
    """In the text of a module some faults are errors of Python, and one that stands alone has faults of its own."""
    if way.endswith("standalone") and any(kind.__name__ == "CplFault" for kind in type(error).__mro__):
        return True
    return isinstance(error, (CplFault, *FAULTS) if way in (*AS_TEXT, *FORMATTED) else CplFault)


def observed(results: Callable[[], Results], input: str = "", way: str = "") -> tuple[Outcome, bool]:
    """One run, as far as it comes, and whether the program itself came to its end. Raises CplError."""
    values: list[str] = []
    end = "value"
    written = io.StringIO()
    with contextlib.redirect_stdout(written), patch.object(sys, "stdin", io.StringIO(input)):
        try:
            for value in results():
                values.append(value)  # those before a fault count
        except SystemExit:
            end = "finish"
        except cpl.CplError:
            raise
        except Exception as error:
            end = f"{FAULT}{error}" if is_fault(error, way) else repr(error)
    text = written.getvalue()
    if text and not text.endswith("\n"):  # a module leaves its last line open; `cpl run` ends it
        text += "\n"
    return Outcome(end, text, tuple(values[1:])), bool(values)


def outcome(program: Program, way: str) -> Outcome:
    """What the program does in that way. After a call without a value it is run again for the following ones.

    Raises CplError if it is refused.
    """
    run = WAYS[way](program)
    found, has_run = observed(partial(run, 0), program.input, way)
    if not has_run or found.end == "value":
        return found
    values = [*found.values, found.end]
    while len(values) < len(program.calls):
        again, _ = observed(partial(run, len(values)), program.input, way)
        values += again.values
        values += [again.end] if again.end != "value" else []
    return Outcome("value", found.written, tuple(values))


class Disagreement(AssertionError):
    """Not all ways do the same."""


@dataclass(frozen=True)
class Ways:
    """A program and the ways to run it."""

    program: Program
    names: tuple[str, ...]

    def outcome(self, way: str) -> Outcome:
        return outcome(self.program, way)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        return {way: self.outcome(way) for way in self.names}

    @property
    def do_agree(self) -> bool:
        first, *others = self.outcomes.values()
        return all(agree(first, other) for other in others)

    def agreed(self) -> Outcome:
        """What all ways do, in the words of the first one. Raises Disagreement."""
        if not self.do_agree:
            raise Disagreement(f"{self.program.source.text}\n{shown(self.outcomes)}")
        return self.outcomes[self.names[0]]


def shown(outcomes: Mapping[str, Outcome]) -> str:
    return "\n".join(f"{way}: {outcome}" for way, outcome in outcomes.items())


def ways(
    text: str | Source,
    reading: pipeline.ReadingOption = None,
    calls: Sequence[str] = (),
    input: str = "",
    libraries: Sequence[Source] = (),
    only: Sequence[str] = IN_PYTHON,
) -> Ways:
    """A program in all ways, or in those that are named: with `only=ALL` also in C, where there is a compiler."""
    source = text if isinstance(text, Source) else Source("mine.cpl", text)
    return Ways(Program(source, reading, tuple(calls), input, tuple(libraries)), tuple(only))
