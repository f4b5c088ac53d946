"""A fault of a running CPL program, as commands report it."""

from collections.abc import Callable
from typing import TypeVar

from cplrt import CplFault

from cpl.cli.exits import Failed
from cpl.run.trail import trail
from cpl.semantics.python_errors import in_words

Value = TypeVar("Value")


def guard(job: Callable[[], Value], *also: type[Exception]) -> Value:
    """Run CPL. Raises Failed for a fault of the running program; any other exception is a bug of ours."""
    faults: tuple[type[Exception], ...] = (CplFault, RecursionError, MemoryError, SystemError, *also)
    try:
        return job()
    except faults as error:
        raise failed(error) from error


def failed(error: Exception) -> Failed:
    """What went wrong and where in the CPL, as far as it is known."""
    return Failed("\n  ".join([in_words(error), *getattr(error, "__notes__", ()), *trail(error)]))
