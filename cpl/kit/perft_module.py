"""What is sent to those who count the parts of a count: a program with the counting in it, compiled to Python.

A worker receives the text once, and makes its module when it has the first part to count.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Final

from cpl import __version__, compiler
from cpl.compiler import Meaning
from cpl.kit.perft_parts import Counter, Line, Part
from cpl.native import build
from cpl.native.values import WHOLE, List
from cpl.python.execute import FAULTS, as_fault
from cpl.source import Source

COUNTER: Final = "PerftAfterLine"
"""The function that `counting_text` defines."""


def counting_text(moves: str, start: str) -> Source:
    """A `Counter` in CPL, to be compiled with a program: `COUNTER` counts from the value of `start`, and `moves` is the
    name of a function of the program.
    """
    return Source(
        "<perft>",
        f"""\
{COUNTER}(L,n) = PerftAfter(PerftStart,L,n)
PerftStart = {start}
PerftAfter(P,L,n) = Null(L) → PerftLeaves(P,n), PerftChosen({moves}(P),Head(L),Tail(L),n)
PerftChosen(M,i,L,n) = Null(M) → 0, PerftIfFirst(Head(M),i,L,n) + PerftChosen(Tail(M),i - 1,L,n)
PerftIfFirst(P,i,L,n) = i = 0 → PerftAfter(P,L,n), 0
PerftLeaves(P,n) = n = 1 → PerftLength({moves}(P)), PerftSum({moves}(P),n - 1)
PerftSum(L,n) = Null(L) → 0, PerftLeaves(Head(L),n) + PerftSum(Tail(L),n)
PerftLength(L) = Null(L) → 0, 1 + PerftLength(Tail(L))
""",
    )


def python_of(meaning: Meaning, speed: str) -> str:
    """The module of a program with a `counting_text`: plain, optimised or, for a native module, with types. Raises
    CplError.
    """
    if speed == "native":
        line = List()
        line.members.add(WHOLE)
        return compiler.native_text(meaning, {COUNTER: [line, WHOLE]})
    return compiler.compile_meaning(meaning, pretty=False, optimise=speed == "optimised").python


def identity(meaning: Meaning) -> str:
    """What tells a count from all others: its texts, how they are read, and the version of the compiler."""
    texts = [(text.source.text, text.reading.mixture) for text in (meaning.main, *meaning.library.texts)]
    return hashlib.sha256(repr((__version__, texts)).encode()).hexdigest()[:24]


_modules: dict[str, str] = {}
"""The modules that were sent to this process, by their names."""


def receive(name: str, python: str) -> None:
    """Keep a module."""
    _modules[name] = python


@cache
def counter(name: str, speed: str) -> Counter:
    """The counter in a module that was received, made once in each process. Raises CplFault and CannotBuild."""
    try:
        if speed == "native":
            module = build.prepared(_modules[name])()
        else:
            module = ModuleType(name)
            exec(_modules[name], vars(module))
    except FAULTS as error:
        raise as_fault(error) from None
    count = compiler.inner(module, COUNTER)

    def guarded(line: Line, plies: int) -> int:
        try:
            return int(count([*line], plies))
        except FAULTS as error:
            raise as_fault(error) from None

    return guarded


def counted(of: Callable[[], Counter], part: Part) -> int:
    """The job: what a part comes to, by the counter that `of` gives in this process."""
    return of()(part.line, part.ply - len(part.line))
