"""What compiling a text does to the process of its caller."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cpl import messages
from cpl.diagnostics import CplError, report
from cpl.source import Source, Span


@contextmanager
def compiling(source: Source) -> Iterator[None]:
    """Around work on the trees of a text. Trees are made and kept, so that Python's garbage collector would walk them
    over and over and find nothing: it is turned off. Raises CplError where calls nest too deep for the process.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    except RecursionError:
        span = Span(source, 0, len(source.line(1)))
        raise CplError([report(messages.NO_ROOM, span, limit=f"{sys.getrecursionlimit():,}")]) from None
    finally:
        if was_enabled:
            gc.enable()
