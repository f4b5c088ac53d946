"""Visits to the site, for benchmarks and tests: a server for it, and what pages are told to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

ENDLESS = "Loop(n) = value of § while true do n := n + 1; result is n §\n"
"""A program of which a call, `Loop(1)`, does not end."""

PASTE = """(content, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
"""Pastes a text into an editor: it may be too long to be typed."""

STOP = """() => new Promise((done) => {
  const began = performance.now();
  document.querySelector("#stop").click();
  const look = () => {
    if (document.documentElement.dataset.python === "ready") done((performance.now() - began) / 1000);
    else setTimeout(look, 5);
  };
  look();
})"""
"""Presses Stop; the seconds until Python is ready again."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


class Lasting(Quiet):
    """Serves files as many hosts do: a browser may use its copy for an hour, and does not ask."""

    def end_headers(self) -> None:
        """Say how long a copy lasts."""
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()


@contextmanager
def served(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """Within, a folder is served; at which address, is yielded."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
