"""How deep a CPL program may go."""

import sys


def allow_deep_recursion() -> None:
    """Raise Python's limit: CPL repeats by recursion, once for each member of a list. Python's frames live on the
    heap.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1_000_000))
