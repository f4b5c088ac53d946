"""Runs of CPL functions that may never end: a function and its arguments in, a value or a fault in words of CPL out.

Everything of the kit that runs functions on inputs which nobody chose goes through here. Endless recursion ends at
`DEEPEST` calls within each other, a loop at a time limit, where there is one: in the main thread of systems that have
`setitimer`. (One single step of Python cannot be stopped: two whole numbers of a million digits are multiplied.)
"""

import io
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

from cplrt import Input, Output, StreamOf, TooDeep

from cpl.semantics.words import ENDLESS, in_words

DEEPEST: Final = 6_000
"""Python frames within each other. The commands raise Python's own limit so far that memory would end first."""

PATIENCE: Final = 2.0
"""Seconds that a run may take, of the processor's time: how busy the machine is makes no difference."""


@dataclass(frozen=True)
class Value:
    """What a function gave, and what it wrote."""

    result: Any
    written: str = ""


@dataclass(frozen=True)
class Fault:
    """What went wrong, in words of CPL, and what had been written until then."""

    words: str
    written: str = ""


Outcome = Value | Fault

UNFINISHED: Final = "not finished after "
"""How the words begin of a fault that is none of the program: our patience is at an end."""


FINISHES: Final = "the program finishes here"
"""What is said of a run that comes to `finish`: it is none of a fault."""


class Stopped(BaseException):
    """A run is broken off: no exception that a CPL program would take for its own. The text says why."""


FAULTS: Final = (Exception, SystemExit, Stopped)
"""All that may come out of a run, but for the user's Ctrl-C."""


def outcome(function: Callable[..., Any], arguments: Sequence[Any], *, seconds: float = PATIENCE) -> Outcome:
    """Apply a function; it always comes back. Nothing is printed, and there is nothing to be read."""
    written = io.StringIO()
    try:
        with guarded(seconds, written) as clock:
            clock.running = True
            try:
                result = function(*arguments)
            finally:
                clock.running = False
    except FAULTS as error:
        return Fault(words(error), written.getvalue())
    return Value(result, written.getvalue())


def words(error: BaseException) -> str:
    """A fault as CPL would tell it."""
    match error:
        case SystemExit():
            return FINISHES
        case TooDeep() | RecursionError():
            return ENDLESS
        case _:
            return in_words(error)


class Clock:
    """Whether the time runs: only then a run is broken off, and never what puts things back after it."""

    __slots__ = ("running",)

    def __init__(self) -> None:
        self.running = False


@contextmanager
def guarded(seconds: float, written: io.StringIO) -> Iterator[Clock]:
    """Limits for what runs within, in time as long as the clock is `running`. What it writes goes to `written`, what it
    reads is empty.
    """
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(min(depth, DEEPEST))
    try:
        with redirect_stdout(written), _timed(seconds) as clock:
            Input(StreamOf(""))
            Output([])
            yield clock
    finally:
        sys.setrecursionlimit(depth)
        Input([])
        Output([])


@contextmanager
def _timed(seconds: float) -> Iterator[Clock]:
    """A clock that breaks off what runs too long. A timer of others goes on afterwards."""
    clock = Clock()
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield clock
        return

    def stop(*_: object) -> None:
        if clock.running:
            raise Stopped(f"{UNFINISHED}{seconds:g} seconds: does it end at all?")

    handler = signal.signal(signal.SIGVTALRM, stop)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield clock
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, handler)
