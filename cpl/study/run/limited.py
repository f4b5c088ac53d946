"""Runs of functions that may never end: a function and its arguments in, a result or a fault in words of CPL out.

Everything that runs CPL on inputs which nobody chose goes through `outcome`. Endless recursion stops at `DEEPEST_RUN`
frames, a loop at a time limit where there is one: in the main thread by `setitimer`, or by a second thread where that
is missing (Windows); in other threads where they have clocks; in the browser none. (A single step of Python cannot be
interrupted: multiplying two integers of a million digits, for example.)
"""

import ctypes
import io
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from types import FrameType
from typing import Any, Final

from cplrt import Input, Output, StreamOf, TooDeep

from cpl.compiler.python.execute import AS_FAULT
from cpl.compiler.python_errors import ENDLESS, in_words
from cpl.limits import DEEPEST_RUN, RUN_SECONDS

UNFINISHED: Final = "not finished after "
"""The beginning of the fault of a run that was stopped: the program may be right, we gave up."""

FINISHES: Final = "the program finishes here"
"""Stands for a fault if a run reaches `finish`, which is not one."""


@dataclass
class Outcome:
    """The result of a function, or the fault that ended it, in words of CPL; and what it wrote until then."""

    result: Any = None
    fault: str | None = None
    written: str = ""

    @property
    def is_failed(self) -> bool:
        """Whether the run ended with a fault; `finish` is none."""
        return self.fault not in (None, FINISHES)

    @property
    def is_unfinished(self) -> bool:
        """Whether the run was stopped by a limit."""
        return (self.fault or "").startswith(UNFINISHED)


INTERRUPTED: Final = "interrupted"
"""The fault of a run that was interrupted with Ctrl-C, if what it did until then is wanted."""


class Stopped(BaseException):
    """The exception that stops a run; the text says why. It is no Exception, so that no CPL program catches it."""


FAULTS: Final = (Exception, SystemExit, Stopped)
"""All that may come out of a run, except the user's Ctrl-C."""


def outcome(
    function: Callable[..., Any],
    arguments: Sequence[Any] = (),
    *,
    seconds: float = RUN_SECONDS,
    written: io.StringIO | None = None,
    deepest: int = DEEPEST_RUN,
    reads: bool = False,
) -> Outcome:
    """Apply a function; this always returns. What the function prints goes to `written`. Its input is empty, unless it
    `reads` that of the process. Its calls may nest `deepest` frames deep.
    """
    output = written or io.StringIO()
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(deepest)
    try:
        with redirect_stdout(output), _time_limit(seconds) as running:
            Input([] if reads else StreamOf(""))
            Output([])
            running.set()
            try:
                result = function(*arguments)
            finally:
                running.clear()
    except FAULTS as error:
        return Outcome(None, words(error), output.getvalue())
    finally:
        sys.setrecursionlimit(depth)
        Input([])
        Output([])
    return Outcome(result, None, output.getvalue())


def words(error: BaseException) -> str:
    """Describe a fault as CPL would report it."""
    if isinstance(error, SystemExit):
        return FINISHES
    if isinstance(error, TooDeep | RecursionError):
        return ENDLESS
    return in_words(error)


@contextmanager
def _time_limit(seconds: float) -> Iterator[threading.Event]:
    """Stop a run that takes too long, but only while the event is set: never the code that restores things after it.

    The exception is raised in whatever frame runs at that moment. A destructor or a callback of Python's garbage
    collector would lose it, so if the frame is not ours, the next ticks of the timer try again; after a hundred of them
    any frame will do. Another timer that runs already goes on afterwards.
    """
    running = threading.Event()
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with _watched(running, seconds):
            yield running
        return

    strikes = count()

    def stop(_: int, frame: FrameType | None) -> None:
        while frame is not None and frame.f_globals is globals():  # this handler can be interrupted by the next tick
            frame = frame.f_back
        if running.is_set() and (_is_ours(frame) or next(strikes) > 100):
            raise Stopped(_unfinished(seconds))

    handler = signal.signal(signal.SIGVTALRM, stop)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.01)
    try:
        yield running
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, handler)


def _unfinished(seconds: float) -> str:
    return f"{UNFINISHED}{seconds:g} seconds: does it end at all?"


def _is_ours(frame: FrameType | None) -> bool:
    """Whether a frame is CPL, or code of cpl or cplrt."""
    if frame is None:
        return False
    module = str(frame.f_globals.get("__name__"))
    return AS_FAULT in frame.f_globals or module.startswith("cpl")


@contextmanager
def _watched(running: threading.Event, seconds: float) -> Iterator[None]:
    """Stop a run that takes too long in a thread that gets no signals, such as those of a worker of a cluster: a second
    thread watches it.
    """
    watched, over = threading.get_ident(), threading.Event()
    has_clock = hasattr(time, "pthread_getcpuclockid")
    is_main = threading.current_thread() is threading.main_thread()
    if sys.platform == "emscripten" or not (has_clock or is_main):  # without other threads, or a clock of this one
        yield
        return

    clock: Callable[[], float] = time.process_time  # of all threads, of which the others hardly do anything
    if has_clock:
        clock = partial(time.clock_gettime, time.pthread_getcpuclockid(watched))
    end = clock() + seconds

    class Late(Stopped):  # Python makes the exception itself, from a class without arguments
        def __init__(self) -> None:
            super().__init__(_unfinished(seconds))

    def watch() -> None:
        strikes = count()
        while not over.wait(0.01):
            if not running.is_set() or clock() <= end:
                continue
            frame = sys._current_frames().get(watched)
            if _is_ours(frame) or next(strikes) > 100:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(watched), ctypes.py_object(Late))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        while watcher.is_alive():
            with suppress(Late):  # which may be raised as late as here
                over.set()
                watcher.join()
