"""A command of `cpl` at a terminal: keys in, what appears out."""

import codecs
import os
import pty
import select
import subprocess
import sys


class Screen:
    """A terminal with a person at it, who gave a command of `cpl`."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._end, far = pty.openpty()
        script = "import sys; from cpl.cli.cpl import main; sys.exit(main(sys.argv[1:]))"
        settings = {**os.environ, "LANG": "en_GB.UTF-8", "LC_ALL": "", "TERM": "xterm", "NO_COLOR": "", **environment}
        command = [sys.executable, "-c", script, *arguments]
        self._process = subprocess.Popen(
            command, stdin=far, stdout=far, stderr=far, env=settings, start_new_session=True, preexec_fn=_own_terminal
        )
        os.close(far)
        self.seen = ""
        self._awaited = 0  # so much of it
        self._decoded = codecs.getincrementaldecoder("utf-8")().decode

    def until(self, prompt: str) -> str:
        """What appears up to this."""
        began = self._awaited
        while (found := self.seen.find(prompt, began)) < 0:
            try:
                new = os.read(self._end, 4096)
            except OSError:
                new = b""
            assert new, f"it has ended: {self.seen[began:]}"
            self.seen += self._decoded(new)
        self._awaited = found + len(prompt)
        return self.seen[began : self._awaited]

    def type(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def interrupt(self) -> None:
        """Ctrl-C; again if nothing follows, as readline loses it if it comes before it waits."""
        while True:
            self.type("\x03")
            if select.select([self._end], [], [], 5)[0]:
                return

    def ended(self) -> int:
        """The exit status, when all is read."""
        while True:
            try:
                new = os.read(self._end, 4096)
            except OSError:
                break
            if not new:
                break
            self.seen += self._decoded(new)
        status = self._process.wait()
        os.close(self._end)
        return status


def _own_terminal() -> None:
    """Ctrl-C reaches those whose terminal it is."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
