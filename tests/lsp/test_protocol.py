"""Whatever is sent, and whatever stands in the folder, every request has an answer, and nothing strange is run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra lsp")

from conversation import Conversation, at, talking
from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcServerNotInitialized,
)

from cpl.compiler.source import Source
from cpl.editors.lsp.features import make
from cpl.editors.lsp.protocol import offset
from cpl.limits import MOST_BYTES_OF_MESSAGE

TEXT = "|| One more.\nF(x) = x + 1\nG(y) = F(y)\n"
FOREVER = "let x = 0\nwhile true do x := x + 1\n"
HOSTILE = "open('ran', 'w').close()\n"
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
TEXT_ALONE = {"textDocument": at("untitled:a")}
PLACE = TEXT_ALONE | {"position": {"line": 1, "character": 0}}
FORMAT = TEXT_ALONE | {"options": {"tabSize": 4, "insertSpaces": True}}
QUESTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_HOVER: PLACE,
    lsp.TEXT_DOCUMENT_DEFINITION: PLACE,
    lsp.TEXT_DOCUMENT_REFERENCES: PLACE | {"context": {"includeDeclaration": True}},
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: PLACE,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: PLACE,
    lsp.TEXT_DOCUMENT_RENAME: PLACE | {"newName": "H"},
    lsp.TEXT_DOCUMENT_CODE_ACTION: TEXT_ALONE | {"range": RANGE, "context": {"diagnostics": []}},
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: TEXT_ALONE,
    lsp.WORKSPACE_SYMBOL: {"query": "f"},
    lsp.TEXT_DOCUMENT_FORMATTING: FORMAT,
    lsp.TEXT_DOCUMENT_RANGE_FORMATTING: FORMAT | {"range": RANGE},
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: TEXT_ALONE,
    lsp.TEXT_DOCUMENT_COMPLETION: PLACE,
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: PLACE,
    lsp.TEXT_DOCUMENT_INLAY_HINT: TEXT_ALONE | {"range": RANGE},
    lsp.WORKSPACE_EXECUTE_COMMAND: {"command": "cpl.showPython", "arguments": ["untitled:a"]},
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Conversation]:
    """A server whose session has begun, and must end well."""
    with talking(tmp_path) as conversation:
        conversation.begin(tmp_path)
        yield conversation
        assert conversation.end() == 0


def test_requests_before_and_after_the_session(tmp_path: Path) -> None:
    with talking(tmp_path) as server:
        server.open("untitled:a", TEXT)  # which is ignored
        for method in (lsp.TEXT_DOCUMENT_HOVER, lsp.SHUTDOWN, "no/such"):
            assert server.error(method, QUESTIONS.get(method)) == JsonRpcServerNotInitialized.CODE
        assert server.error(lsp.INITIALIZE, {"capabilities": 5}) == JsonRpcInvalidParams.CODE
        server.begin()
        assert server.published() == []
        assert server.error(lsp.INITIALIZE, {"processId": None, "rootUri": None, "capabilities": {}}) == (
            JsonRpcInvalidRequest.CODE
        )
        assert server.error("no/such") == JsonRpcMethodNotFound.CODE
        assert server.result(lsp.SHUTDOWN) is None
        for method in (lsp.TEXT_DOCUMENT_HOVER, lsp.SHUTDOWN, "no/such"):
            assert server.error(method, QUESTIONS.get(method)) == JsonRpcInvalidRequest.CODE
        server.notify(lsp.EXIT)
        assert server.process.wait(60) == 0


@pytest.mark.parametrize("begun", [True, False])
def test_an_exit_without_shutdown_has_status_1(tmp_path: Path, begun: bool) -> None:
    with talking(tmp_path) as server:
        if begun:
            server.begin()
        server.notify(lsp.EXIT)
        assert server.process.wait(60) == 1


@pytest.mark.skipif(os.name != "posix", reason="only there the server can see whether a process is alive")
def test_the_server_ends_with_the_editor(tmp_path: Path) -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with talking(tmp_path) as server:
        server.begin(processId=editor.pid)
        time.sleep(1)
        assert server.process.poll() is None
        editor.communicate(b"\n")
        assert server.process.wait(10) == 1


def test_a_server_in_another_container_does_not_know_the_editor(tmp_path: Path) -> None:
    editor = subprocess.Popen([sys.executable, "-c", ""])
    editor.wait()
    with talking(tmp_path) as server:
        server.begin(processId=editor.pid)
        time.sleep(1.5)
        assert server.end() == 0


def test_runs_and_requests_are_answered_also_beyond_the_text(server: Conversation) -> None:
    assert QUESTIONS.keys() == {name for name in make().protocol.fm.features if lsp.METHOD_TO_TYPES[name][1]}
    server.open("untitled:a", TEXT)
    for method, (line, column) in product(QUESTIONS, ((3, 0), (9, 9), (0, 10_000), (2**31 - 1, 2**31 - 1))):
        params = deepcopy(QUESTIONS[method])
        params |= {"position": {"line": line, "character": column}} if "position" in params else {}
        params |= {"range": RANGE | {"start": {"line": line, "character": column}}} if "range" in params else {}
        answer = server.ask(method, params)
        assert "error" not in answer or answer["error"]["code"] == lsp.LSPErrorCodes.RequestFailed, (method, answer)
    assert server.result(lsp.TEXT_DOCUMENT_HOVER, PLACE)


def test_what_is_no_message_of_the_protocol_is_no_end(server: Conversation) -> None:
    """Wrong parameters get an answer."""
    server.open("untitled:a", TEXT)
    for method, params in QUESTIONS.items():
        assert server.error(method, "text") == JsonRpcInvalidParams.CODE, method
        for key in params:
            answer = server.ask(method, {other: params[other] for other in params if other != key})
            assert answer.get("error", {}).get("code") != JsonRpcInternalError.CODE, (method, key)
    for params in (None, {}, {"textDocument": {"uri": "untitled:a", "version": 2}, "contentChanges": [5]}):
        server.notify(lsp.TEXT_DOCUMENT_DID_CHANGE, params)
    for message in (
        5,
        [],
        [{}],
        "a",
        None,
        {"jsonrpc": "2.0", "id": None},
        {"jsonrpc": "1.0", "id": "a", "method": "b"},
    ):
        server.send(message)
    for part in (b'{"jsonrpc": "2.0", ', b"\xff", b"[" * 100_000):
        server.send_bytes(part)
    assert "One more" in server.result(lsp.TEXT_DOCUMENT_HOVER, PLACE)["contents"]["value"]


MEMORY = 4 << 30
"""More than the server needs, and less than a message may announce."""


@pytest.mark.skipif(os.name != "posix", reason="the test limits the memory as Unix does")
@pytest.mark.parametrize(
    "sent",
    [
        *(b"Content-Length: %d\r\n\r\n{}" % length for length in (MOST_BYTES_OF_MESSAGE + 1, 10**10, 2**63, 10**30)),
        b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n{}",
        b"content-length: " + b"9" * 3_000 + b"\r\n\r\n{}",
        b"X" * (2 << 30 >> 5),
    ],
    ids=["a byte too many", "10 GB", "more than an address", "10**30", "5,000 digits", "small letters", "no header"],
)
def test_what_cannot_be_a_message_ends_the_server_in_one_line(tmp_path: Path, sent: bytes) -> None:
    script = f"import resource, runpy; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}));"
    script += "import sys; sys.argv = ['cpl', 'lsp']; runpy.run_module('cpl', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", script], input=sent, capture_output=True, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")
    [line] = done.stderr.decode().splitlines()
    assert line.startswith("cpl lsp: the editor ")
    assert str(MOST_BYTES_OF_MESSAGE) in line or "4,096" in line


def test_a_message_of_the_largest_size_is_read(server: Conversation) -> None:
    question = b'{"jsonrpc": "2.0", "id": "large", "method": "no/such", "params": null}'
    server.send_bytes(question.ljust(MOST_BYTES_OF_MESSAGE))
    assert server.answer("large")["error"]["code"] == JsonRpcMethodNotFound.CODE


@pytest.mark.skipif(os.name != "posix", reason="a signal of this kind can be sent there")
@pytest.mark.parametrize("begun", [True, False])
def test_ctrl_c_ends_the_server_at_once(tmp_path: Path, begun: bool) -> None:
    command = [sys.executable, "-m", "cpl", "lsp"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=-1, stdout=-1, stderr=-1) as process:
        assert process.stdin and process.stdout and process.stderr
        body = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": null, "capabilities": {}}}'
        process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        process.stdin.flush()
        process.stdout.readline()  # it reads
        if begun:
            process.stdin.write(b"Content-Length: 100\r\n\r\n{")  # and waits for the rest
            process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr.read() == b"cpl lsp: interrupted\n"


def test_runs_with_and_without_a_call_are_answered(server: Conversation) -> None:
    uri = server.open("untitled:a", "F(x) = 2x\nWriteLine[F(4)]\n")
    for arguments in ((uri,), (uri, None), (uri, "")):
        assert server.run(*arguments)["result"] == {"output": "8\n", "ok": True}
    assert server.run(uri, "F(1)")["result"]["output"].endswith("2\n")
    for wrong in ((), (None,), (5,), (uri, 5), (uri, "1", "2"), (uri, ["1"])):
        assert server.run(*wrong)["error"]["code"] == JsonRpcInvalidParams.CODE
    unknown = {"command": "no.such", "arguments": [uri]}
    assert server.error(lsp.WORKSPACE_EXECUTE_COMMAND, unknown) == JsonRpcInvalidParams.CODE
    uri = server.open("untitled:a", TEXT)
    for call in ("\0", "\ud800", "1 + " * 50_000 + "1", "--help", "-"):
        assert "error" not in server.run(uri, call), call[:9]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_run_of_a_text_that_shares_its_name(server: Conversation, tmp_path: Path) -> None:
    (tmp_path / "--help").write_text("F(x) = 3x\n")
    os.mkfifo(tmp_path / "pipe.cpl")
    for uri in ("untitled:--help", (tmp_path / "pipe.cpl").as_uri()):
        server.open(uri, "F(x) = 2x\n")
        assert server.run(uri, "F(4)")["result"] == {"output": "8\n", "ok": True}
    halves = server.run(server.open("untitled:b", "|| \ud800\n"))["result"]
    assert not halves["ok"] and "Traceback" not in halves["output"]


def children(process: int) -> set[int]:
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return {int(number) for path in lists for number in path.read_text().split()}


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(holds: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only there processes are files")


def running(server: Conversation) -> tuple[int, int]:
    """Start a run without end: the number of the request, and the process."""
    uri = server.open("untitled:a", FOREVER)
    number = server.request(lsp.WORKSPACE_EXECUTE_COMMAND, {"command": "cpl.run", "arguments": [uri]})
    wait_until(lambda: children(server.process.pid))
    [child] = children(server.process.pid)
    time.sleep(1.5)  # until it watches its parent
    assert is_alive(child)
    return number, child


@on_linux
def test_a_run_ends_with_the_server_or_when_it_is_cancelled(tmp_path: Path) -> None:
    with talking(tmp_path) as server:
        server.begin(tmp_path)
        _, child = running(server)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        wait_until(lambda: not is_alive(child), 5)


@on_linux
@pytest.mark.parametrize(
    "ends", ["shutdown", *(pytest.param(end, marks=pytest.mark.long) for end in ("exit", "input"))]
)
def test_the_session_ends_during_a_run(tmp_path: Path, ends: str) -> None:
    with talking(tmp_path) as server:
        server.begin(tmp_path)
        number, child = running(server)
        if ends == "shutdown":
            assert server.result(lsp.SHUTDOWN) is None
            assert server.answer(number)["error"]["code"] == lsp.LSPErrorCodes.RequestCancelled
            wait_until(lambda: not is_alive(child), 5)
        if ends == "input":
            assert server.process.stdin
            server.process.stdin.close()
        else:
            server.notify(lsp.EXIT)
        assert server.process.wait(10) == (0 if ends == "shutdown" else 1)
        assert not is_alive(child)


@on_linux
def test_a_run_can_be_cancelled(server: Conversation) -> None:
    number, child = running(server)
    server.notify(lsp.CANCEL_REQUEST, {"id": number})
    assert server.answer(number)["error"]["code"] == lsp.LSPErrorCodes.RequestCancelled
    wait_until(lambda: not is_alive(child), 5)


def test_a_run_imports_nothing_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "cpl").mkdir()
    for name in ("json.py", "cplrt.py", "cpl/__init__.py", "re.py", "runpy.py", "sitecustomize.py"):
        (tmp_path / name).write_text(HOSTILE)
    with talking(tmp_path, "-P") as server:
        server.begin(tmp_path)
        uri = server.open((tmp_path / "a.cpl").as_uri(), "F(x) = 2x\n")
        assert server.run(uri, "F(4)")["result"] == {"output": "8\n", "ok": True}
        assert server.end() == 0
    assert not (tmp_path / "ran").exists()


def test_the_command_imports_nothing_from_the_folder(tmp_path: Path) -> None:
    for name in ("json.py", "asyncio.py", "cplrt.py", "argparse.py", "logging.py", "pygls.py"):
        (tmp_path / name).write_text(HOSTILE)
    with talking(tmp_path) as server:
        server.begin(tmp_path)
        assert server.end() == 0
    assert not (tmp_path / "ran").exists()


def found_in(server: Conversation) -> set[str]:
    """The files that define G, as the server finds them."""
    return {each["location"]["uri"].rpartition("/")[2] for each in server.result(lsp.WORKSPACE_SYMBOL, {"query": "G"})}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_only_files_of_the_folder_are_read_and_changed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "in", tmp_path / "out"
    for each in (folder / "deep", outside / "deep"):
        each.mkdir(parents=True)
    (folder / "Part.cpl").write_text("G(y) = y\n")
    (folder / "deep/Main.cpl").write_text('get "../Part.cpl"\nF(x) = G(x)\n')
    (outside / "Other.cpl").write_text('get "../in/Part.cpl"\nG2(x) = G(x)\n')
    (outside / "deep/Deep.cpl").write_text("G3(x) = x\n")
    os.mkfifo(folder / "pipe.cpl")
    os.symlink(outside / "Other.cpl", folder / "link.cpl")
    os.symlink(outside / "deep", folder / "linked")
    os.symlink(folder / "Part.cpl", folder / "deep/same.cpl")
    os.symlink("circle.cpl", folder / "circle.cpl")
    os.symlink("..", folder / "deep/circle")
    os.symlink("/dev/zero", folder / "zero.cpl")
    os.symlink("/dev/stdin", folder / "terminal.cpl")
    (folder / "folder.cpl").mkdir()
    with talking(tmp_path) as server:
        server.begin(folder)
        assert found_in(server) == {"Part.cpl"}
        uri = server.open((folder / "Part.cpl").as_uri(), "G(y) = y\n")
        edit = server.ask_at("rename", uri, 0, 0, newName="H")["result"]
        changes = {change["textDocument"]["uri"].rpartition("/")[2] for change in edit["documentChanges"]}
        assert changes == {"Part.cpl"}
        places = server.ask_at("references", uri, 0, 0, context={"includeDeclaration": True})["result"]
        assert {place["uri"] for place in places} == {uri}
        assert server.end() == 0


BAD = [f"file:///{name}.cpl" for name in ("a%00b", "a\0b", "\ud800", "a" * 9000)] + ["file://[a", "untitled:\0"]


def test_addresses_that_can_be_no_files(server: Conversation) -> None:
    text = 'get "b.cpl"\nG(x) = F(x)\n' + TEXT.replace("G", "H")
    server.open("untitled:a", TEXT)
    assert server.findings("untitled:a") == []
    for bad in BAD:
        server.open(bad, text)
        assert [finding["code"] for finding in server.findings(bad)] == ["unreadable"]
        assert server.ask_at("definition", bad, 1, 7)["result"]["uri"] == bad
        assert "error" not in server.ask_at("references", bad, 1, 0, context={"includeDeclaration": True})
        edit = server.ask_at("rename", bad, 1, 0, newName="K")["result"]
        assert [change["textDocument"]["uri"] for change in edit["documentChanges"]] == [bad]
        server.notify(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"changes": [{"uri": bad, "type": 1}]})
        folders = {"added": [{"uri": bad, "name": "a"}, {"uri": "vfs://host/", "name": "b"}], "removed": []}
        server.notify("workspace/didChangeWorkspaceFolders", {"event": folders})
        server.notify(lsp.TEXT_DOCUMENT_DID_CLOSE, {"textDocument": at(bad)})
    assert "error" not in server.run(server.open(BAD[0], text), "G(1)")
    assert found_in(server) >= {"untitled:a"}
    assert server.ask_at("hover", "untitled:a", 1, 0)["result"]
    assert not [each for each in server.heard if each["method"] == lsp.WINDOW_SHOW_MESSAGE]


def test_a_folder_may_go_while_the_server_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    with talking(folder, "-P") as server:
        server.begin(folder)
        server.open("untitled:a", TEXT)
        assert server.findings("untitled:a") == []
        folder.rmdir()
        for uri in ("untitled:b", (tmp_path / "c.cpl").as_uri()):
            assert server.findings(server.open(uri, TEXT)) == []
            assert server.ask_at("definition", uri, 2, 7)["result"]["uri"] == uri
            assert "error" not in server.ask_at("rename", uri, 1, 0, newName="H")
            assert "error" not in server.run(uri)
        assert server.end() == 0


def roots(folder: Path) -> dict[str, dict[str, Any]]:
    return {
        "rootUri": {"rootUri": folder.as_uri()},
        "rootPath": {"rootPath": str(folder)},
        "both": {"rootUri": folder.as_uri(), "rootPath": "/nowhere"},
        "folders": {"rootUri": "file:///nowhere", "workspaceFolders": [{"uri": folder.as_uri(), "name": "a"}]},
    }


@pytest.mark.parametrize("way", ["rootUri", "rootPath", "both", "folders"])
def test_the_root_is_a_folder(tmp_path: Path, way: str) -> None:
    (tmp_path / "Main.cpl").write_text('get "Part.cpl"\nF(x) = G(x)\n')
    (tmp_path / "Part.cpl").write_text("G(y) = y\n")
    with talking(tmp_path) as server:
        server.begin(None, **roots(tmp_path)[way])
        uri = server.open((tmp_path / "Part.cpl").as_uri(), "G(y) = y\n")
        edit = server.ask_at("rename", uri, 0, 0, newName="H")["result"]
        changes = {change["textDocument"]["uri"].rpartition("/")[2] for change in edit["documentChanges"]}
        assert changes == {"Main.cpl", "Part.cpl"}
        assert server.end() == 0


def test_folders_come_and_go(tmp_path: Path) -> None:
    folders = [tmp_path / "a b", tmp_path / "c"]
    for folder in folders:
        folder.mkdir()
        (folder / f"{folder.name[0]}.cpl").write_text("G(y) = y\n")
    one, other = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    with talking(tmp_path) as server:
        assert server.begin(folders[0])["workspace"]["workspaceFolders"]["changeNotifications"]
        assert found_in(server) == {"a.cpl"}
        for added, removed, expected in (
            ([other], [], {"a.cpl", "c.cpl"}),
            ([], [one], {"c.cpl"}),
            ([one], [other], {"a.cpl"}),
        ):
            server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": removed}})
            assert found_in(server) == expected
        assert server.end() == 0


@pytest.mark.parametrize("can", [True, False])
def test_the_server_asks_to_hear_of_files(tmp_path: Path, can: bool) -> None:
    (tmp_path / "a.cpl").write_text("F(x) = G(x)\n")
    with talking(tmp_path) as server:
        server.begin(tmp_path, capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": can}}})
        uri = server.open((tmp_path / "a.cpl").as_uri(), "F(x) = G(x)\n")
        assert [each["code"] for each in server.findings(uri)] == ["unknown-name"]
        asked = [each for request in server.requests for each in request["params"]["registrations"]]
        assert [each["method"] for each in asked] == [lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES] * can
        patterns = {each["globPattern"] for one in asked for each in one["registerOptions"]["watchers"]}
        assert patterns == ({"**/*.cpl", "**/programs.toml"} if can else set())
        for request in server.requests:
            server.send({"jsonrpc": "2.0", "id": request["id"], "result": None})
        (tmp_path / "Part.cpl").write_text("G(y) = y\n")
        (tmp_path / "programs.toml").write_text('["a.cpl"]\ncompanions = ["Part.cpl"]\n')
        server.heard.clear()
        event = {"uri": (tmp_path / "programs.toml").as_uri(), "type": 1}
        server.notify(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"changes": [event]})
        assert server.findings(uri) == []
        assert server.end() == 0


def test_texts_of_strangers_are_shown_as_they_are(server: Conversation, tmp_path: Path) -> None:
    name = "[a](b)<i>.cpl"
    comment = "![x](https://e.example/x.png) <img src=x> **b** `c` # # [l](command:x)"
    (tmp_path / name).write_text(f"|| {comment}\n||# head\nF(x, || ```\n y) = x\n", encoding="utf-8")
    uri = server.open((tmp_path / "a.cpl").as_uri(), f'get "{name}"\nG(x) = F(x)\n')
    shown = server.ask_at("hover", uri, 1, 7)["result"]["contents"]
    assert shown["kind"] == "markdown"
    code, _, words = shown["value"].rpartition("\n```\n")
    assert code.startswith("```\nF") and code.count("\n") == 1
    assert "defined in \\[a\\](b)\\<i\\>.cpl" in words
    assert "\\!\\[x\\](https://e.example/x.png) \\<img src=x\\> \\*\\*b\\*\\* \\`c\\` \\# \\#" in words
    assert "\n\\# head" in words
    folder = tmp_path / "a\u202eb"
    folder.mkdir()
    (folder / "programs.toml").write_text('["a.cpl"]\ncompanions = ["gone.cpl"]\n')
    [found] = server.findings(server.open((folder / "a.cpl").as_uri(), TEXT))
    assert "/a<U+202E>b/gone.cpl" in found["message"]
    uri = server.open("untitled:a", "F(x, || \u202e\n y) = x\nG(x) = F(Y)\n")
    [symbol, _] = server.result(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, TEXT_ALONE)
    hover = server.ask_at("hover", uri, 0, 0)["result"]["contents"]["value"]
    refusal = server.ask_at("rename", uri, 0, 0, newName="\u202e")["error"]["message"]
    assert "F(x, || <U+202E> y)" in hover
    assert symbol["detail"] == "F(x, || <U+202E> y)"
    assert refusal.startswith("<U+202E> is not a name")


def test_a_place_in_a_long_line_is_found_in_one_walk() -> None:
    arrows = Source("a", 150_000 * "→")
    began = time.process_time()
    found = [offset(arrows, lsp.Position(0, units), "utf-8") for units in (0, 2, 3, 150_000, 449_999, 450_000, 500_000)]
    assert found == [0, 0, 1, 50_000, 149_999, 150_000, 150_000]
    assert time.process_time() - began < 2
