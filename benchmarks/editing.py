"""From a key to its findings: a program that is open in the language server is typed into, and every key is timed.

Each key leaves the program broken or whole in turn. The worst of them is what a writer notices.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from compile_time import program
from measure import Row

LENGTHS = (100, 2_000)
KEYS = 50
_SERVER = [sys.executable, "-c", "from cpl.cli.cpl import main; raise SystemExit(main(['lsp']))"]
_URI = "untitled:typing"


def rows(runs: int, say: Callable[[str], None], *, short: bool = False) -> list[Row]:
    """Milliseconds of the median key and of the worst, for each length; and of keys after a pause in which repairs are
    looked for.
    """
    results: list[Row] = []
    for lines in LENGTHS[:1] if short else LENGTHS:
        for name, pause in (("a key", 0.0), ("a key after a pause", 0.5)):
            say(f"{name} in {lines} lines")
            try:
                times = _times(program(lines), 5 if short else KEYS, pause)
            except OSError as error:
                results.append(Row("typing", name, None, "ms", f"{lines:,} lines", problem=str(error)))
                continue
            detail = f"{lines:,} lines; the worst of {len(times)} took {max(times) * 1000:.0f} ms"
            results.append(Row("typing", name, statistics.median(times) * 1000, "ms", detail))
    return results


def _times(text: str, keys: int, pause: float) -> list[float]:
    """Seconds from each key to its findings."""
    with subprocess.Popen(_SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        _send(server, "initialize", {"capabilities": {}, "processId": None, "rootUri": None}, id=1)
        _send(server, "initialized", {})
        document = {"uri": _URI, "languageId": "cpl", "version": 0, "text": text}
        _send(server, "textDocument/didOpen", {"textDocument": document})
        _findings(server, 0)
        line = text.count("\n") // 2
        here, there = ({"line": line, "character": column} for column in (0, 1))
        times = []
        for key in range(1, keys + 1):
            time.sleep(pause)
            change = {"range": {"start": here, "end": here}, "text": "("}
            if key % 2 == 0:
                change = {"range": {"start": here, "end": there}, "text": ""}
            before = time.perf_counter()
            identifier = {"uri": _URI, "version": key}
            _send(server, "textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
            _findings(server, key)
            times.append(time.perf_counter() - before)
        _send(server, "shutdown", None, id=2)
        _send(server, "exit", None)
        server.communicate(timeout=60)
    return times


def _send(server: subprocess.Popen[bytes], method: str, params: Any, **fields: int) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **fields}).encode()
    assert server.stdin
    server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    server.stdin.flush()


def _findings(server: subprocess.Popen[bytes], version: int) -> None:
    """Wait until the findings of that version are there. Raises OSError if the server has ended."""
    assert server.stdout
    while header := server.stdout.readline():
        length = 0
        while header.strip():
            name, _, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
            header = server.stdout.readline()
        message = json.loads(server.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["version"] == version:
            return
    raise OSError("the server has ended; it needs the extra lsp")
