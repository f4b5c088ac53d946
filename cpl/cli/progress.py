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
"""What the thread is called that draws."""
_BEAT: Final = 0.2
"""Seconds from one look at the clock to the next."""


def track(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The items, one by one; if standard error is a terminal, a bar says how many of `total` there were."""
    done = 0

    def draw(over: threading.Event) -> None:
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total, completed=done)
            while not over.wait(_BEAT):
                bar.update(task, completed=done)

    with _shown(draw):
        for item in items:
            yield item
            done += 1


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """Around a job that cannot say how far it is: its time, if it takes long and standard error is a terminal."""
    began = time.monotonic()

    def draw(over: threading.Event) -> None:
        from rich.console import Console

        with Console(stderr=True).status(what, spinner="line") as status:
            while not over.wait(_BEAT):
                status.update(f"{what}, {time.monotonic() - began:.0f} s")

    with _shown(draw):
        yield


@contextlib.contextmanager
def _shown(draw: Callable[[threading.Event], None]) -> Iterator[None]:
    """Around a job: what draws it is called when the patience is at an end, and returns when the job is over."""
    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()

    def begin() -> None:
        if not over.wait(PATIENCE):
            draw(over)

    clock = threading.Thread(target=begin, name=CLOCK, daemon=True)
    clock.start()
    try:
        yield
    finally:
        over.set()
        clock.join()
