"""How far a long job is, for whoever waits at a terminal. Commands that may take longer than two seconds ask here."""

import contextlib
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

Item = TypeVar("Item")

PATIENCE: Final = 2.0
"""Seconds that nobody minds: what is done sooner shows nothing."""


def track(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The items, one by one; if standard error is a terminal, a bar says how many of `total` there were."""
    if not sys.stderr.isatty():
        yield from items
        return
    began = time.monotonic()
    waiting = iter(items)
    done = 0
    for item in waiting:
        yield item
        done += 1
        if time.monotonic() - began > PATIENCE:
            break
    else:
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, completed=done)
        for item in waiting:
            yield item
            bar.advance(task)


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """Around a job that cannot say how far it is: its time, if it takes long and standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    clock = threading.Thread(target=_tick, args=(what, done), daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()


def _tick(what: str, done: threading.Event) -> None:
    began = time.monotonic()
    if done.wait(PATIENCE):
        return
    from rich.console import Console

    with Console(stderr=True).status(what, spinner="line") as shown:
        while not done.wait(0.5):
            shown.update(f"{what}, {time.monotonic() - began:.0f} s")
