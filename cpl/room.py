"""How deep the compiler may go in the process of its caller."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cpl import messages
from cpl.diagnostics import CplError, report
from cpl.source import Source, Span


@contextmanager
def room(source: Source) -> Iterator[None]:
    """Around work on the trees of a text. Raises CplError where Python's calls nest too deep for the process."""
    try:
        yield
    except RecursionError:
        span = Span(source, 0, len(source.line(1)))
        raise CplError([report(messages.NO_ROOM, span, limit=f"{sys.getrecursionlimit():,}")]) from None
