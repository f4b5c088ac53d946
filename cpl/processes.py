"""Child processes: each has limits on its time and memory, imports nothing from its folder, and ends when cplc does.

No other module of cpl starts a process, but for the pools of `executors`. Windows has no `resource`: there children
have no limit but time (docs/security.md).
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from subprocess import Popen

_SIGKILL: Final = 9
"""The signal that ends a process at once. Windows has no such name."""


def start(*arguments: str, seconds: int, memory: int = 0, **options: Any) -> "Popen[bytes]":
    """Start `python ARGUMENTS`, which begin with `-m` or `-c`, with pipes for its input and its output. It imports
    nothing from the folder that it starts in, ends when this process does, and may take so many seconds of a processor
    and, unless that is 0, bytes of memory. The options are those of `Popen`. On Windows the only limit is that of
    `finish`.
    """
    import subprocess

    import cplrt

    # These folders come last in its path, as they may have modules with the names of Python's.
    folders = os.pathsep.join(str(Path(file).resolve().parents[1]) for file in (__file__, cplrt.__file__))
    environment = {**(options.pop("env", None) or os.environ)}
    # An empty or relative entry is the folder that it starts in, or leads there.
    paths = environment.get("PYTHONPATH", "").split(os.pathsep)
    environment["PYTHONPATH"] = os.pathsep.join(filter(os.path.isabs, paths))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _BEGIN, folders, str(seconds), str(memory), str(os.getpid()), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
        **options,
    )


_BEGIN: Final = """\
import os, sys
sys.path += sys.argv.pop(1).split(os.pathsep)
from cpl.processes import begin
begin()
"""


def begin() -> None:
    """Set the limits of a child that `start` has started, and do what its arguments say."""
    import runpy
    from importlib.util import find_spec

    seconds, memory, parent, kind, code, *rest = sys.argv[1:]
    if find_spec("resource"):  # not on Windows
        import resource

        _limit(resource.RLIMIT_CPU, int(seconds))
        _limit(resource.RLIMIT_AS, int(memory))
    starter = os.getppid()  # the parent, or a launcher between the two
    end_unless(lambda: os.getppid() == starter and is_running(int(parent)), _end_session)
    sys.argv = [code, *rest]
    if kind == "-m":
        runpy.run_module(code, run_name="__main__", alter_sys=True)
    else:
        exec(compile(code, "<child>", "exec"), {"__name__": "__main__"})


def _limit(resource_number: int, most: int) -> None:
    """Limit a resource of this process, unless the limit is 0 or a smaller one is there."""
    import resource

    _, hard = resource.getrlimit(resource_number)
    if most and (hard == resource.RLIM_INFINITY or hard > most):
        with suppress(OSError, ValueError):  # not every system limits memory
            resource.setrlimit(resource_number, (most, most))


def _end_session() -> None:
    """End this process with what it has started, such as a C compiler: `start` gave it a session of its own."""
    if hasattr(os, "killpg"):
        os.killpg(0, _SIGKILL)
    os._exit(1)


def end_unless(is_needed: Callable[[], bool], end: Callable[[], None] = lambda: os._exit(1)) -> None:
    """End this process as soon as it is not needed, for example because its parent is gone."""
    import threading

    def watch() -> None:
        while is_needed():
            time.sleep(0.5)
        end()

    threading.Thread(target=watch, daemon=True).start()


def is_running(process: int) -> bool:
    """Tell whether there is a process of this number. On Windows the answer is yes: to ask there would end it."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        return True
    return True


def finish(child: "Popen[bytes]", text: bytes = b"", *, most: int, seconds: float) -> tuple[bytes, int | None]:
    """Give a child its input. Return the first `most` bytes of its output, and its exit status; None if it was killed
    after these seconds, with what it has started in its own session.
    """
    import threading

    assert child.stdin and child.stdout
    is_late = threading.Event()

    def give_up() -> None:
        is_late.set()
        kill(child)

    timer = threading.Timer(seconds, give_up)
    output = bytearray()
    try:
        timer.start()
        with suppress(BrokenPipeError), child.stdin:
            child.stdin.write(text)
        with child.stdout:
            while part := os.read(child.stdout.fileno(), 1 << 16):
                output += part[: most - len(output)]
        status = child.wait()
    finally:
        timer.cancel()
        kill(child)
    return bytes(output), None if is_late.is_set() else status


def kill(child: "Popen[bytes]") -> None:
    """Kill a child, with what it has started in its session."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, _SIGKILL)
        else:
            child.kill()
    child.wait()
