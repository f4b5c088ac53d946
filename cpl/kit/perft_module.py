"""What is sent to those who count the parts of a count: a program with the counting in it, compiled to Python.

A worker receives the text once, and makes its module when it has the first part to count.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Final

from cpl import __version__, compiler
from cpl.compiler import Meaning, Options
from cpl.fast.c import build
from cpl.kit.perft_parts import Counter, Line, Part
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


def texts_of(meaning: Meaning, speed: str) -> tuple[str, str]:
    """The module of a program with a `counting_text`, and the C of its library if it has one. Raises CplError."""
    if speed == "native":
        python, library = compiler.native_text(meaning, pretty=False)
        return python, library.text
    return compiler.compile_meaning(meaning, Options(pretty=False, optimise=speed == "optimised")).python, ""


def identity(meaning: Meaning) -> str:
    """What tells a count from all others: its texts, how they are read, and the version of the compiler."""
    texts = [(text.source.text, text.reading.mixture) for text in (meaning.main, *meaning.library.texts)]
    return hashlib.sha256(repr((__version__, texts)).encode()).hexdigest()[:24]


_modules: dict[str, tuple[str, str]] = {}
"""The modules that were sent to this process, by their names, each with the C of its library."""


def receive(name: str, texts: tuple[str, str]) -> None:
    """Keep a module."""
    _modules[name] = texts


@cache
def counter(name: str) -> Counter:
    """The counter in a module that was received, made once in each process. Raises CplFault and CannotBuild."""
    python, c = _modules[name]
    module = ModuleType(name)
    if c:
        module.__file__ = str(build.built(c))
    try:
        exec(python, vars(module))
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
