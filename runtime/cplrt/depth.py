"""Recursion limits: CPL programs recurse once for each member of a list, deeper than Python allows by default."""

import signal
import sys
import threading

from cplrt.places import note_cpl_lines

DEEPEST = 1_000_000
"""Calls within each other that a program may have, once it is allowed to go deep."""

_BYTES_PER_CALL = 1024


def allow_deep_recursion() -> None:
    """Let calls nest a million deep: this raises the recursion limit of the whole process.

    Python 3.11 counts calls through C under the same limit, and does not look at the stack that they take. There the
    stack grows as well, that of threads which start later too, and the limit is as high as the stack can carry. So call
    it in the main thread: in another one of Python 3.11 it changes nothing.
    """
    limit = DEEPEST if sys.version_info >= (3, 12) else _deepest_on_stack()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), limit))


def _deepest_on_stack() -> int:
    """Make the stack as large as the system allows; return how deep calls may nest on it."""
    if threading.current_thread() is not threading.main_thread():
        return 0
    wanted = DEEPEST * _BYTES_PER_CALL
    threading.stack_size(wanted)
    if sys.platform != "linux":  # elsewhere the stack of a thread that runs cannot grow
        return DEEPEST
    import resource

    current, largest = resource.getrlimit(resource.RLIMIT_STACK)
    if current == resource.RLIM_INFINITY or current >= wanted:
        return DEEPEST
    size = wanted if largest == resource.RLIM_INFINITY else min(wanted, largest)
    resource.setrlimit(resource.RLIMIT_STACK, (size, largest))
    return size // _BYTES_PER_CALL


def start_program() -> None:
    """Make this process one that runs a compiled program: its calls may nest deep, Python's tracebacks say the line of
    the CPL, and it ends without a word when nobody reads what it writes, as in `python out.py | head -1`. For a module
    that is run as a program, not for one that is imported.
    """
    allow_deep_recursion()
    if hasattr(signal, "SIGPIPE") and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    note_cpl_lines()
