"""The progress of a long job, shown at a terminal. Commands that may take longer than two seconds use it.

A thread of its own draws it, by the clock: the first step of a job may take long.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

Item = TypeVar("Item")

PATIENCE: Final = 2.0
"""Delay in seconds before showing progress."""
CLOCK: Final = "cpl-progress"
"""The name of the thread that draws."""
_BEAT: Final = 0.2
"""Seconds from one look at the clock to the next."""


def track(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """The items, one by one; if standard error is a terminal, a bar says how many of `total` there were."""
    done = 0
    with _shown(what, lambda: done, total):
        for item in items:
            yield item
            done += 1


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """Around a job that cannot say how far it is: its time, if it takes long and standard error is a terminal."""
    began = time.monotonic()
    with _shown(what, lambda: int(time.monotonic() - began)):
        yield


@contextlib.contextmanager
def _shown(what: str, done: Callable[[], int], total: int | None = None) -> Iterator[None]:
    """Around a job: it is drawn when the patience is at an end, until it is over. Without a `total`, what is `done`
    are seconds.
    """
    over = threading.Event()

    def draw() -> None:
        if over.wait(PATIENCE):
            return
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn

        seconds = [SpinnerColumn("line"), TextColumn("{task.description}, {task.completed:.0f} s")]
        columns = Progress.get_default_columns() if total else seconds
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total)
            while not over.wait(_BEAT):
                bar.update(task, completed=done())

    clock = threading.Thread(target=draw, name=CLOCK, daemon=True)
    if sys.stderr.isatty():
        clock.start()
    try:
        yield
    finally:
        over.set()
        if clock.ident:
            clock.join()
