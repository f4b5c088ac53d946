"""Every way to run a program: what each gives, and whether they agree.

`ways(text).agreed()` runs a program in all ways and gives the outcome that they share. A test that wants the outcome of
one way, or of some, asks `ways(text).outcome("optimised")` or `ways(text, only=("interpreted", "plain"))`.
"""

import contextlib
import io
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from unittest.mock import patch

from cplrt import CplFault, Input, Output, show

import cpl
from cpl import compiler
from cpl.python.execute import FAULTS
from cpl.source import Source

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


def evaluated(program: compiler.Meaning | compiler.Executable, *, interpreted: bool = False) -> Results:
    results = compiler.evaluations(program, interpreted=interpreted)
    next(results)
    yield ""
    yield from map(show, results)


def executed(python: str, calls: int) -> Results:
    """The same of the text of a module, in which functions write the values (`Program.asking`)."""
    Input([])
    Output([])
    module: dict[str, Any] = {"__name__": "out"}
    exec(compile(python, "out.py", "exec"), module)
    yield ""
    for number in range(1, calls + 1):
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


@dataclass(frozen=True)
class Program:
    """A program, how it is read, what it gets to read, and calls that are evaluated after it."""

    source: Source
    reading: compiler.ReadingOption = None
    calls: tuple[str, ...] = ()
    input: str = ""
    libraries: tuple[Source, ...] = ()

    @cached_property
    def options(self) -> compiler.Options:
        return compiler.Options(self.reading, self.libraries)

    @cached_property
    def meaning(self) -> compiler.Meaning:
        return compiler.understand(self.source, self.options, self.calls)

    @cached_property
    def optimised(self) -> compiler.Meaning:
        return compiler.optimised(self.meaning)

    @cached_property
    def asking(self) -> compiler.Meaning:
        """The program with a function for each call, which writes its value in a list: its text alone shows it."""
        if not self.calls:
            return self.meaning
        asked = [
            f"{ASKED}{number}[] ≡ value of § WriteLine([{call}]); result is 0 §|"
            for number, call in enumerate(self.calls, 1)
        ]
        text = "\n".join([self.source.text, *asked, ""])
        return compiler.understand(Source(self.source.path, text), self.options)

    def text(self, **options: Any) -> str:
        return compiler.compile_meaning(self.asking, compiler.Options(pretty=False, **options)).python

    def native(self) -> compiler.Executable:
        return compiler.executable_of(self.meaning, compiler.Options(native=True))


WAYS: Mapping[str, Callable[[Program], Results]] = {
    "interpreted": lambda program: evaluated(program.meaning, interpreted=True),
    "plain": lambda program: evaluated(program.meaning),
    "optimised": lambda program: evaluated(program.optimised),
    "optimised and interpreted": lambda program: evaluated(program.optimised, interpreted=True),
    "text": lambda program: executed(program.text(), len(program.calls)),
    "standalone": lambda program: executed(program.text(standalone=True), len(program.calls)),
    "native": lambda program: evaluated(program.native()),
}
"""How to run a program in each way."""
AS_TEXT = ("text", "standalone")
BOTH = ("interpreted", "plain")
IN_PYTHON = tuple(name for name in WAYS if name != "native")
ALL = IN_PYTHON if shutil.which("cc") is None else tuple(WAYS)
"""What this machine has."""


def is_fault(error: Exception, way: str) -> bool:
    """In the text of a module some faults are errors of Python, and one that stands alone has faults of its own."""
    own = {kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "out"}
    faults = (CplFault, *FAULTS) if way in AS_TEXT else CplFault
    return isinstance(error, faults) or (way == "standalone" and not own.isdisjoint({"CplFault", "NoValue"}))


def outcome(program: Program, way: str) -> Outcome:
    """What the program does in that way. After a call without a value it is run again for the following ones.

    Raises CplError if it is refused.
    """
    values: list[str] = []
    end, has_run = "value", False
    written, given = io.StringIO(), io.StringIO(program.input)
    with contextlib.redirect_stdout(written), patch.object(sys, "stdin", given):
        try:
            for result in WAYS[way](program):
                values += [result] if has_run else []
                has_run = True
        except SystemExit:
            end = "finish"
        except cpl.CplError:
            raise
        except Exception as error:
            end = f"{FAULT}{error}" if is_fault(error, way) else repr(error)
    if not has_run or end == "value":
        return Outcome(end, written.getvalue(), tuple(values))
    values.append(end)
    if rest := program.calls[len(values) :]:
        values += outcome(replace(program, calls=rest), way).values
    return Outcome("value", written.getvalue(), tuple(values))


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
    reading: compiler.ReadingOption = None,
    calls: Sequence[str] = (),
    input: str = "",
    libraries: Sequence[Source] = (),
    only: Sequence[str] = IN_PYTHON,
) -> Ways:
    """A program in all ways, or in those that are named: with `only=ALL` also in C, where there is a compiler."""
    source = text if isinstance(text, Source) else Source("mine.cpl", text)
    return Ways(Program(source, reading, tuple(calls), input, tuple(libraries)), tuple(only))
