"""Jobs for many processors: in processes of this machine, or on the workers of a dask cluster.

Both are executors of `concurrent.futures`. `crew` gives what does the jobs; its `results` has a job done for each of
many items. What is lost with a process or a worker is done again, and no item counts twice. The commands that count,
play and compare call it.
"""

import logging
import multiprocessing
import os
import pickle
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from queue import SimpleQueue
from typing import Any, Final, Generic, Self, TypeVar

from cplrt.depth import allow_deep_recursion

from cpl import __version__, outside
from cpl.diagnostics import Error

Item = TypeVar("Item")
Result = TypeVar("Result")
Setup = Callable[[], None]
"""What a worker does once, before its first job. It is sent to each of them; job and item are sent each time, and are
small.
"""

AHEAD: Final = 4
"""Jobs for each worker that are under way or wait for it. No more items are asked for, however many there are."""
BREAKS: Final = 3
"""After how many deaths in a row, with no job finished between them, the jobs are given up."""
PATIENCE: Final = 10.0
"""Seconds in which a cluster must answer."""


class Lost(Error):
    """The workers are gone, in one plain line."""


class NoCluster(Error):
    """There is no cluster that can do jobs, in one plain line that says why."""


def nothing() -> None:
    """The setup of workers that need none."""


def crew(jobs: int = 1, cluster: str | None = None, setup: Setup = nothing) -> "Crew":
    """What does jobs: this process, so many others, or the cluster whose scheduler has that address. Raises NoCluster:
    there is none.
    """
    if cluster:
        return _Cluster(cluster, setup)
    return _Processes(jobs, setup) if jobs > 1 else _Alone(setup)


class Crew(ABC):
    """Workers, `size` of them, within a `with`: at its end they go, at once if it ends with an exception."""

    size: int

    @abstractmethod
    def results(self, job: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """The items, each with what the job makes of it when that is finished: with several workers not in their order.
        Raises whatever the job does, and Lost.

        Processes begin at once, before the caller may have started threads, with which forking is not safe.
        """

    @abstractmethod
    def end(self, *, now: bool) -> None:
        """Let the workers go: `now`, or when they have finished."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, exception: type[BaseException] | None, *_: object) -> None:
        self.end(now=exception is not None)


class _Alone(Crew):
    size = 1

    def __init__(self, setup: Setup) -> None:
        setup()

    def results(self, job: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        return ((item, job(item)) for item in items)

    def end(self, *, now: bool) -> None:
        pass


class _Others(Crew):
    """The workers of an executor. If some die, their jobs raise one of `deaths`."""

    executor: Executor
    deaths: tuple[type[Exception], ...] = (BrokenExecutor,)

    def submit(self, job: Callable[[Item], Result], item: Item) -> Future[Result]:
        """Have the job done for an item."""
        return self.executor.submit(job, item)

    @abstractmethod
    def renew(self) -> None:
        """Take care that there are workers, after some died."""

    def results(self, job: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        rest = iter(items)
        under_way = _UnderWay(self, job)
        with _uninterrupted():
            for item in islice(rest, AHEAD * self.size):
                under_way.submit(item)
        return under_way.finished(rest)


class _UnderWay(Generic[Item, Result]):
    """Jobs that were given to workers, and are not finished yet; and what was lost, and will be given to others."""

    def __init__(self, crew: _Others, job: Callable[[Item], Result]) -> None:
        self.crew, self.job = crew, job
        self.items: dict[Future[Result], Item] = {}
        self.done: SimpleQueue[Future[Result]] = SimpleQueue()
        self.lost: list[Item] = []

    def submit(self, item: Item) -> None:
        """Have the job done for an item."""
        try:
            future = self.crew.submit(self.job, item)
        except self.crew.deaths:
            self.lost.append(item)
        else:
            self.items[future] = item
            future.add_done_callback(self.done.put)

    def finished(self, rest: Iterator[Item]) -> Iterator[tuple[Item, Result]]:
        """What is finished; for each, the job begins for one of the rest."""
        breaks = 0
        while self.items or self.lost:
            if not self.items:  # each job has said that it is lost: none can be finished after all
                breaks += 1
                if breaks == BREAKS:
                    raise Lost("workers were killed again and again")
                self.crew.renew()
                again, self.lost = self.lost, []
                for item in again:
                    self.submit(item)
                continue
            future = self.done.get()
            item = self.items.pop(future)
            try:
                found = future.result()
            except self.crew.deaths:
                self.lost.append(item)
                continue
            except CancelledError:
                raise Lost("the cluster is gone") from None
            breaks = 0
            for another in islice(rest, 1):
                self.submit(another)
            yield item, found


class _Processes(_Others):
    def __init__(self, jobs: int, setup: Setup) -> None:
        self.size, self.setup = jobs, setup
        self.not_ours = multiprocessing.active_children()
        self.executor = ProcessPoolExecutor(jobs, None, _serve, (setup,))

    def renew(self) -> None:
        """Not by forking, as there are threads by now."""
        self.executor.shutdown(wait=False)
        self.executor = ProcessPoolExecutor(self.size, multiprocessing.get_context("spawn"), _serve, (self.setup,))

    def end(self, *, now: bool) -> None:
        if now:  # nobody waits for what is not finished
            for worker in multiprocessing.active_children():
                if worker not in self.not_ours:
                    worker.kill()  # SIGTERM may have a handler of the program that called us
        self.executor.shutdown(cancel_futures=now)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Interruptions wait: Python loses those that come while it forks."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(setup: Setup) -> None:
    """Set up a worker process: interruptions are for its parent, and without the parent it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asking = multiprocessing.parent_process()  # a server of processes may stand between the two
    parent = os.getppid()
    outside.end_unless(lambda: os.getppid() == parent and asking is not None and asking.is_alive())
    allow_deep_recursion()
    setup()


class _Cluster(_Others):
    """If a worker dies, the scheduler gives its jobs to others, or to those that come later."""

    def __init__(self, address: str, setup: Setup) -> None:
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise NoCluster("a cluster needs dask, which is not installed: pip install 'cplc[cluster]'") from None
        self.deaths = (KilledWorker,)
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # whatever matters is raised
        try:
            self.client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError):
            raise NoCluster(f"no scheduler of a cluster answers at {address}") from None
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
            self.name = self._set_up(setup)
        except TimeoutError:
            self._leave()
            raise NoCluster(f"the cluster at {address} has no workers") from None
        except RuntimeError as error:
            self._leave()
            raise NoCluster(str(error)) from None
        self.size = len(self.client.nthreads())
        self.executor = self.client.get_executor(pure=False)

    def _set_up(self, setup: Setup) -> str:
        """Set up every worker, those that come later, too. The result is the name of this. Raises RuntimeError."""
        from distributed import WorkerPlugin

        version, joined = __version__, pickle.dumps(partial(_join, setup))

        class SetUp(WorkerPlugin):  # type: ignore[misc]
            """A class of a function is sent whole, so that it also arrives where there is no cplc."""

            def setup(self, worker: Any) -> None:
                import pickle

                try:
                    import cpl

                    found = f"cplc {cpl.__version__}"
                except ImportError:
                    found = "no cplc"
                if found != f"cplc {version}":
                    raise RuntimeError(f"the worker at {worker.address} has {found}, and needs cplc {version}")
                pickle.loads(joined)()

        name = f"cplc-{os.urandom(8).hex()}"
        self.client.register_plugin(SetUp(), name)
        return name

    def submit(self, job: Callable[[Item], Result], item: Item) -> Future[Result]:
        return self.executor.submit(_one_at_a_time, job, item)

    def renew(self) -> None:
        """The scheduler gave up a job because several workers died: it may have been unlucky."""

    def end(self, *, now: bool) -> None:
        with suppress(Exception):  # the cluster may be gone
            self.executor.shutdown(wait=not now)
            self.client.unregister_worker_plugin(self.name)
        self._leave()

    def _leave(self) -> None:
        with suppress(Exception):
            self.client.close(PATIENCE)


def _join(setup: Setup) -> None:
    """Set up a worker of a cluster."""
    allow_deep_recursion()
    setup()


_ALONE: Final = threading.Lock()


def _one_at_a_time(job: Callable[[Item], Result], item: Item) -> Result:
    """Do a job on a worker of a cluster, which may have several threads: programs share their variables."""
    with _ALONE:
        return job(item)
