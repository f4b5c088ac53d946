"""A conversation with the real server, message by message, as a program has it that keeps to no protocol."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

SECONDS = 60
"""Longer nothing takes, however busy the machine is."""

Message = dict[str, Any]


class Conversation:
    """A server, the notifications that it has sent, its requests, and answers that nobody has asked for yet."""

    def __init__(self, folder: Path, *python: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *python, "-m", "cpl", "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.heard: list[Message] = []
        self.requests: list[Message] = []
        self.encoding = ""
        self._answers: list[Message] = []
        self._number = 0

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        self.send_bytes(json.dumps(message).encode())

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any = None) -> int:
        """Send a request: its number."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def cancel(self, number: int) -> None:
        self.notify("$/cancelRequest", {"id": number})

    def hear(self) -> None:
        """Keep the next message of the server."""
        assert self.process.stdout
        length = 0
        while (line := self.process.stdout.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the server has ended"
        message: Message = json.loads(self.process.stdout.read(length))
        if "method" in message:
            (self.requests if "id" in message else self.heard).append(message)
        else:
            self._answers.append(message)

    def answer(self, number: Any) -> Message:
        """The answer to a request."""
        while True:
            for at, message in enumerate(self._answers):
                if message.get("id") == number:
                    return self._answers.pop(at)
            self.hear()

    def ask(self, method: str, params: Any = None) -> Message:
        return self.answer(self.request(method, params))

    def result(self, method: str, params: Any = None) -> Any:
        answer = self.ask(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, params: Any = None) -> int:
        """The code of the error that a request gives."""
        answer = self.ask(method, params)
        assert "error" in answer, (method, params, answer)
        return int(answer["error"]["code"])

    def begin(self, folder: Path | None = None, **settings: Any) -> Any:
        """Begin the session: what the server can do."""
        folders = [{"uri": folder.as_uri(), "name": "a"}] if folder else None
        params = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders, **settings}
        capabilities = self.result("initialize", params)["capabilities"]
        self.encoding = capabilities["positionEncoding"]
        self.notify("initialized", {})
        return capabilities

    def open(self, uri: str, text: str) -> str:
        self.notify(
            "textDocument/didOpen", {"textDocument": at(uri) | {"languageId": "cpl", "version": 1, "text": text}}
        )
        return uri

    def open_file(self, path: Path) -> str:
        return self.open(path.as_uri(), path.read_text(encoding="utf-8"))

    def change(self, uri: str, version: int, *changes: Message | str) -> None:
        """Change a text; a change that is a string is the whole text."""
        events = [{"text": change} if isinstance(change, str) else change for change in changes]
        params = {"textDocument": at(uri) | {"version": version}, "contentChanges": events}
        self.notify("textDocument/didChange", params)

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": at(uri)})

    def findings(self, uri: str, version: int | None = 1, *, after: int = 0) -> list[Message]:
        """What the server says first of this version of a text, of its notifications from number `after` on."""
        while True:
            for message in self.published()[after:]:
                if (message["uri"], message.get("version")) == (uri, version):
                    return list(message["diagnostics"])
            self.hear()

    def codes(self, uri: str, version: int | None = 1, *, after: int = 0) -> list[str]:
        return [finding["code"] for finding in self.findings(uri, version, after=after)]

    def published(self) -> list[Message]:
        return [message["params"] for message in self.heard if message["method"] == "textDocument/publishDiagnostics"]

    def ask_at(self, method: str, uri: str, line: int, column: int, **settings: Any) -> Message:
        place = {"line": line, "character": column}
        return self.ask(f"textDocument/{method}", {"textDocument": at(uri), "position": place, **settings})

    def at(self, method: str, uri: str, line: int, column: int, **settings: Any) -> Any:
        """The result of a question about a place."""
        answer = self.ask_at(method, uri, line, column, **settings)
        assert "error" not in answer, answer
        return answer["result"]

    def command(self, name: str, *arguments: Any) -> Message:
        return self.ask("workspace/executeCommand", {"command": f"cpl.{name}", "arguments": [*arguments]})

    def run(self, *arguments: Any) -> Message:
        return self.command("run", *arguments)

    def end(self) -> int:
        """End the session: the exit status."""
        assert self.result("shutdown") is None
        self.notify("exit")
        return self.process.wait(SECONDS)


def at(uri: str) -> Message:
    return {"uri": uri}


@contextmanager
def talking(folder: Path, *python: str, seconds: float = SECONDS) -> Iterator[Conversation]:
    """A conversation with a server that was started in a folder; Python may get options."""
    conversation = Conversation(folder, *python)
    timer = Timer(seconds, conversation.process.kill)
    timer.start()
    with conversation.process:  # which closes the pipes
        try:
            yield conversation
        finally:
            timer.cancel()
            conversation.process.kill()


def place(text: str, of: str, within: int = 0) -> tuple[int, int]:
    """Line and column, in UTF-16 units, of the first occurrence of some words, or of a character within them."""
    before = text[: text.index(of) + within]
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


def span(line: int, start: int, end: int) -> Message:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def shown(text: str, at: Message) -> str:
    """What a range within a line of a text holds, in UTF-16 units."""
    start, end = at["start"], at["end"]
    assert start["line"] == end["line"]
    line = text.split("\n")[start["line"]].encode("utf-16-le")
    return line[start["character"] * 2 : end["character"] * 2].decode("utf-16-le")
