"""Be an engine for other draughts programs, by the Hub protocol (docs/hub.md).

examples:
  cpl hub                        other programs start it, and talk to it by standard input and output
  echo hub | cpl hub             how it introduces itself to them
"""

import _thread
import argparse
import signal
import threading
from queue import Queue
from types import FrameType
from typing import TYPE_CHECKING, Final

from cpl.cli.arguments import SPEED, option
from cpl.cli.exits import DONE
from cpl.cli.game_option import chosen_game

if TYPE_CHECKING:
    from cpl.games.hub import Hub, Search, Thinker

OPTIONS: Final = (
    option("--game", choices=["checkers"], default="checkers", help="the game that it plays (default: checkers)"),
    SPEED,
)


def run(options: argparse.Namespace) -> int:
    """Answer until the other program ends; the result is the exit status."""
    from cpl.games.hub import Hub, think

    Engine(Hub(chosen_game(options)), think).serve()
    return DONE


class _Stopped(BaseException):
    """The search that is running is not wanted any more. Not an Exception, so that no CPL program catches it."""


class Engine:
    """A thread of its own reads, so that `stop` is answered while the main thread searches.

    What leaves a search is a signal to the main thread: a search may be anywhere, and need not look whether it goes on.
    """

    def __init__(self, hub: "Hub", thinker: "Thinker") -> None:
        self._hub, self._thinker = hub, thinker
        self._lock = threading.Lock()
        """For whoever uses the hub, or writes."""
        self._waiting: Queue[Search | Exception | None] = Queue()
        """The searches that were asked for; at the end None, or what has gone wrong."""
        self._running: Search | None = None
        self._is_leaving = False
        """Whether the next interruption is ours, not the user's."""

    def serve(self) -> None:
        """Answer standard input until its end, or `quit`."""
        before = signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            while search := self._waiting.get():
                if isinstance(search, Exception):
                    raise search
                self._run(search)
        finally:
            signal.signal(signal.SIGINT, before)

    def _run(self, search: "Search") -> None:
        with self._lock:
            if self._hub.search is not search:
                return
            self._running = search
        try:
            for finding in self._thinker(search):
                with self._lock:
                    self._write(self._hub.found(search, finding))
                if self._hub.search is not search:
                    break
            self._running = None
        except _Stopped:
            return
        with self._lock:
            self._write(self._hub.finished(search))

    def _listen(self) -> None:
        error = None
        try:
            with open(0, encoding="utf-8", errors="replace", closefd=False) as lines:
                for line in lines:
                    with self._lock:
                        self._take(line)
                    if self._hub.is_over:
                        break
        except Exception as raised:
            error = raised
        with self._lock:
            self._quit(error)

    def _take(self, line: str) -> None:
        """Answer a line, and begin or leave a search if it says so."""
        before = self._hub.search
        was_pondering = before and before.is_pondering
        self._write(self._hub.receive(line))
        now = self._hub.search
        if now is not before:
            self._leave() if now is None else self._waiting.put(now)
        elif now and was_pondering and not now.is_pondering and now.limits.seconds:
            alarm = threading.Timer(now.limits.seconds, self._end, [now])
            alarm.daemon = True
            alarm.start()

    def _end(self, search: "Search") -> None:
        """The time of a search is over."""
        with self._lock:
            if self._hub.search is search:
                try:
                    self._take("stop")
                except OSError as error:
                    self._quit(error)

    def _quit(self, error: Exception | None) -> None:
        self._hub.search = None
        self._waiting.put(error)
        self._leave()

    def _leave(self) -> None:
        """Interrupt the main thread if it searches."""
        if self._running is None or self._is_leaving:
            return
        self._is_leaving = True
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:
        if not self._is_leaving:
            signal.default_int_handler(signum, frame)
        self._is_leaving = False
        if self._running and self._running is not self._hub.search:
            self._running = None
            raise _Stopped

    @staticmethod
    def _write(lines: list[str]) -> None:
        if lines:
            print(*lines, sep="\n", flush=True)
