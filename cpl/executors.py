"""Jobs for many processors: in processes of this machine, or on the workers of a dask cluster.

Both are executors of `concurrent.futures`. The commands that count, play and compare use them through `workers`. A job
is sent to a worker with each of its items: it is a function of a module, and what is bound to it is small.
"""

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pkgutil import resolve_name
from typing import Any, Final, TypeVar

from cplrt.depth import allow_deep_recursion

from cpl import __version__, processes
from cpl.compiler.diagnostics import Error
from cpl.limits import CLUSTER_SECONDS

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD: Final = 4
"""The number of jobs for each worker that are under way or wait for it. No more items are asked for."""


class Lost(Error):
    """The workers are gone, in one plain line."""


class NoCluster(Error):
    """There is no cluster that can do jobs, in one plain line that says why."""


@dataclass(frozen=True)
class Workers:
    """Workers that do jobs, so many of them; without an executor this process does them."""

    executor: Executor | None = None
    size: int = 1

    def map(self, job: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield what the job makes of each item, in the order of the items, which may be without end."""
        if self.executor is None:
            yield from map(job, items)
            return
        waiting = iter(items)
        submit = partial(self.executor.submit, partial(_in_worker, job))
        futures = deque(map(submit, islice(waiting, AHEAD * self.size)))
        while futures:
            result = futures.popleft().result()
            futures.extend(map(submit, islice(waiting, 1)))
            yield result


_ALONE: Final = threading.Lock()


def _in_worker(job: Callable[[Item], Result], item: Item) -> Result:
    """Do a job where a worker may have several threads, one job at a time: programs share their variables."""
    with _ALONE:
        allow_deep_recursion()
        return job(item)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """Yield workers: this process, so many others, or the cluster whose scheduler has this address. If an exception
    ends the block, they end at once. Raises NoCluster, and Lost if a worker is killed.
    """
    if cluster:
        with _cluster(cluster) as staff:
            yield staff
    elif jobs > 1:
        with _processes(jobs) as staff:
            yield staff
    else:
        yield Workers()


@contextmanager
def _processes(jobs: int) -> Iterator[Workers]:
    """Yield worker processes. They begin at once: when the caller has threads, forking is not safe any more."""
    not_ours = multiprocessing.active_children()
    # Those that fork inherit the compiled program; Python 3.14 would start them anew on Linux, too.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    pool = ProcessPoolExecutor(jobs, context, _begin)
    try:
        with _uninterrupted():
            pool.submit(int).result()  # some job, so that the processes are there
        yield Workers(pool, jobs)
    except BrokenExecutor:
        raise Lost("a worker was killed, and what it did is lost") from None
    except BaseException:  # nobody waits for what is not finished
        for process in multiprocessing.active_children():
            if process not in not_ours:
                process.kill()  # SIGTERM may have a handler of the program that called us
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a worker process: interruptions are for its parent, and without the parent it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    starter = multiprocessing.parent_process()  # a server of processes may stand between the two
    parent = os.getppid()
    processes.end_unless(lambda: os.getppid() == parent and starter is not None and starter.is_alive())


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let interruptions wait until the block ends: Python loses those that come while it forks."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    """Yield the workers of a cluster. If one dies, the scheduler gives its jobs to others."""
    if not find_spec("distributed"):
        raise NoCluster("a cluster needs dask, which is not installed: pip install 'cplc[cluster]'")
    from distributed import Client, KilledWorker

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its errors are raised, too
    try:
        client = Client(address, timeout=CLUSTER_SECONDS, set_as_default=False)
    except (OSError, ValueError):
        raise NoCluster(f"no scheduler of a cluster answers at {address}") from None
    try:
        _check(client, address)
        yield Workers(client.get_executor(pure=False), len(client.nthreads()))
    except (KilledWorker, CancelledError):
        raise Lost("the cluster is gone, or several of its workers were killed") from None
    finally:
        with suppress(Exception):  # the cluster may be gone
            client.close(CLUSTER_SECONDS)  # this withdraws all jobs that have not begun


def _byte_code() -> str:
    """Return the name of this Python's byte code, such as cpython-311: another Python cannot read it."""
    return sys.implementation.cache_tag or ""


def _check(client: Any, address: str) -> None:
    """Prepare the workers of a cluster. Raises NoCluster if there are none, or one has no cplc like this."""
    try:
        client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
    except TimeoutError:
        raise NoCluster(f"the cluster at {address} has no workers") from None
    # A function of Python asks, as a worker without cplc has none of ours.
    versions = client.run(resolve_name, "cpl:__version__", on_error="return")
    for worker, version in versions.items():
        if version != __version__:
            has = "no cplc" if isinstance(version, Exception) else f"cplc {version}"
            raise NoCluster(f"the worker at {worker} has {has}, and needs cplc {__version__}")
    # Compiled programs are sent as byte code.
    ours = _byte_code()
    for worker, theirs in client.run(_byte_code).items():
        if theirs != ours:
            raise NoCluster(f"the worker at {worker} has the Python {theirs}, and needs {ours}")
    client.run(allow_deep_recursion)  # in the main thread of each worker, where Python 3.11 needs it
