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
    """A server, the notifications that it has sent, and the requests."""

    def __init__(self, folder: Path, *python: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *python, "-m", "cpl", "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.heard: list[Message] = []
        self.requests: list[Message] = []
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

    def hear(self) -> Message:
        """The next message of the server; if it is no answer, it is kept, too."""
        assert self.process.stdout
        length = 0
        while (line := self.process.stdout.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the server has ended"
        message: Message = json.loads(self.process.stdout.read(length))
        if "method" in message:
            (self.requests if "id" in message else self.heard).append(message)
        return message

    def answer(self, number: Any) -> Message:
        """The answer to a request."""
        while True:
            message = self.hear()
            if "method" not in message and message.get("id") == number:
                return message

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

    def begin(self, folder: Path | None = None, **more: Any) -> Any:
        """Begin the session: what the server can do."""
        folders = [{"uri": folder.as_uri(), "name": "a"}] if folder else None
        params = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders, **more}
        result = self.result("initialize", params)
        self.notify("initialized", {})
        return result["capabilities"]

    def open(self, uri: str, text: str) -> str:
        self.notify(
            "textDocument/didOpen", {"textDocument": at(uri) | {"languageId": "cpl", "version": 1, "text": text}}
        )
        return uri

    def findings(self, uri: str) -> list[Message]:
        """What the server says first of a text."""
        while True:
            for message in self.heard:
                if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                    return list(message["params"]["diagnostics"])
            self.hear()

    def ask_at(self, method: str, uri: str, line: int, column: int, **more: Any) -> Message:
        place = {"line": line, "character": column}
        return self.ask(f"textDocument/{method}", {"textDocument": at(uri), "position": place, **more})

    def run(self, *arguments: Any) -> Message:
        return self.ask("workspace/executeCommand", {"command": "cpl.run", "arguments": [*arguments]})

    def end(self) -> int:
        """End the session: the exit status."""
        assert self.result("shutdown") is None
        self.notify("exit")
        return self.process.wait(SECONDS)


def at(uri: str) -> Message:
    return {"uri": uri}


@contextmanager
def talking(folder: Path, *python: str) -> Iterator[Conversation]:
    """A conversation with a server that was started in a folder; Python may get options."""
    conversation = Conversation(folder, *python)
    timer = Timer(SECONDS, conversation.process.kill)
    timer.start()
    with conversation.process:  # which closes the pipes
        try:
            yield conversation
        finally:
            timer.cancel()
            conversation.process.kill()
