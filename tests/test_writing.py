"""How files are written over: outputs and programs, owners, links, mounts, drafts, and names that change meanwhile."""

import argparse
import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import kills
import platformdirs.unix  # which a child of another user may not be able to import
import pytest
from command_line import command_line
from test_docs import parsers

from cpl import outside
from cpl.cli import cpl as commands
from cpl.cli import cplc

fcntl = pytest.importorskip("fcntl", reason="this system has no locks")
assert platformdirs.unix
OLD, NEW = "old text, which is longer\n" * 40, "new text\n"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
as_root = pytest.mark.skipif(not IS_ROOT, reason="only root can be several users")
Fails = Callable[..., Any]


# Outputs are not named like programs

WRITING = {
    "cplc -o": ["cplc", "a.cpl", "-o"],
    "cplc --to": ["cplc", "a.cpl", "--to", "c", "-o"],
    "cplc --emit": ["cplc", "a.cpl", "--emit", "tokens", "-o"],
    "cplc --native": ["cplc", "a.cpl", "--native", "-o"],
    "html": ["html", "a.cpl", "-o"],
    "latex": ["latex", "a.cpl", "-o"],
    "board": ["board", "-o"],
    "trace": ["trace", "a.cpl", "--call", "1", "--html"],
    "pdn": ["pdn", "games.pdn", "--format", "pdn", "-o"],
    "analyse": ["analyse", "games.pdn", "--all", "--depth", "1", "-o"],
    "match": ["match", "random:1", "random:2", "--pdn"],
    "play": ["play", "--black", "random:1", "--white", "random:2", "--save"],
    "diff": ["diff", "a.cpl", "a.cpl", "-o"],
}


def status_of(arguments: list[str]) -> int:
    main = cplc.main if arguments[0] == "cplc" else commands.main
    try:
        return main(arguments[arguments[0] == "cplc" :])
    except SystemExit as error:
        return int(error.code or 0)


@pytest.mark.parametrize("name", ["other.cpl", "other.CPL", "new.Cpl", "leads"])
@pytest.mark.parametrize("command", WRITING)
def test_an_output_is_not_named_like_a_program(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("a.cpl", "other.cpl", "other.CPL"):
        Path(file).write_text("F(x) = x\n", encoding="utf-8")
    Path("games.pdn").write_text("1. 11-15 *\n", encoding="utf-8")
    Path("leads").symlink_to("other.cpl")
    before = kills.contents(tmp_path)
    assert status_of([*WRITING[command], name]) == 2
    said = f"{name} is the name of a program in CPL, which this does not write: name another file\n"
    assert capsys.readouterr().err.endswith(said)
    assert kills.contents(tmp_path) == before


def all_parsers() -> dict[str, argparse.ArgumentParser]:
    found = {"cplc": parsers(cplc.main)}
    for action in parsers(commands.main)._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= action.choices
    return found


def test_every_option_for_an_output_refuses_such_names() -> None:
    found = set()
    for command, parser in all_parsers().items():
        outputs = [action for action in parser._actions if action.metavar == "OUT"]
        for action in outputs:
            found.add(command)
            with pytest.raises(SystemExit) as refused:
                parser.parse_args([f"{action.option_strings[-1]}=x.cpl"])
            assert refused.value.code == 2
    assert found == {name.split()[0] for name in WRITING}


def test_a_game_is_not_saved_as_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = iter(["save mine.cpl", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    assert commands.main(["play", "--game", "simple-checkers", "--black", "random:1"]) == 0
    assert "mine.cpl is the name of a program in CPL" in capsys.readouterr().out
    assert [*tmp_path.iterdir()] == []


# Owners, links and mounts


def state_of(path: Path) -> tuple[int, int, int, int]:
    state = path.stat()
    return state.st_uid, state.st_gid, state.st_mode, state.st_nlink


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An old text, in a folder for all; and a cache that is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "here").mkdir()
    path = tmp_path / "here" / "text.py"
    path.write_text(OLD, encoding="utf-8")
    path.chmod(0o660)
    return path


def failing(code: int, paths: Callable[[Path], bool] = lambda path: True, real: Fails | None = None) -> Fails:
    """A function of `os` that fails for some paths."""

    def fails(path: Any, *arguments: Any, **settings: Any) -> Any:
        if isinstance(path, int) or paths(Path(path)):
            raise OSError(code, os.strerror(code))
        assert real
        return real(path, *arguments, **settings)

    return fails


def test_an_owner_that_cannot_be_kept_keeps_his_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another owner would be seen by the number of the file: it stays."""
    before = file.stat().st_ino, state_of(file)
    stat = os.stat

    class Other:
        """The state of a draft whose owner is another one."""

        def __init__(self, state: os.stat_result) -> None:
            self.state = state

        def __getattr__(self, name: str) -> Any:
            return self.state.st_uid + 1 if name == "st_uid" else getattr(self.state, name)

    monkeypatch.setattr(os, "chown", failing(errno.EPERM))
    monkeypatch.setattr(
        os, "stat", lambda path, **more: Other(stat(path)) if isinstance(path, int) else stat(path, **more)
    )
    outside.write(file, NEW)
    monkeypatch.undo()
    assert (file.read_text(encoding="utf-8"), file.stat().st_ino, state_of(file)) == (NEW, *before)
    assert kills.drafts(file.parents[1]) == []


@pytest.mark.parametrize("code", [errno.EBUSY, errno.EXDEV, errno.EPERM])
def test_a_file_whose_name_cannot_be_taken_is_written_in_place(
    file: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, replace = file.stat().st_ino, os.replace
    monkeypatch.setattr(os, "replace", lambda old, new: failing(code)(new) if new == file else replace(old, new))
    outside.write(file, NEW)
    assert (file.read_text(encoding="utf-8"), file.stat().st_ino) == (NEW, number)
    assert kills.drafts(file.parents[1]) == []


def test_a_full_disk_is_no_reason_to_write_in_place(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))
    with pytest.raises(OSError, match="No space"):
        outside.write(file, NEW)
    assert file.read_text(encoding="utf-8") == OLD
    assert kills.drafts(file.parents[1]) == []


def test_a_hard_link_stays_a_link(file: Path) -> None:
    other = file.with_name("other.py")
    other.hardlink_to(file)
    before = state_of(file)
    outside.write(file, NEW)
    assert (other.read_text(encoding="utf-8"), state_of(other)) == (NEW, before)
    assert other.samefile(file)
    assert kills.drafts(file.parents[1]) == []


def no_room_here(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be made in the folder of a file, as if it could not be written."""
    there = lambda path: path.parent == file.parent and path.name.startswith(".cplc-")  # noqa: E731
    monkeypatch.setattr(os, "open", failing(errno.EACCES, there, os.open))


def test_a_folder_that_cannot_be_written_has_the_copy_in_the_cache(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_room_here(file, monkeypatch)
    seen: list[str] = []
    overwrite = outside._overwrite

    def watching(target: Any, source: Any) -> None:
        seen.extend(kills.drafts(file.parents[1]))
        overwrite(target, source)

    monkeypatch.setattr(outside, "_overwrite", watching)
    outside.write(file, NEW)
    assert file.read_text(encoding="utf-8") == NEW
    assert [Path(name).parent for name in seen[-1:]] == [Path("cache/cplc/copies")]
    assert kills.drafts(file.parents[1]) == []


def test_without_a_place_for_a_copy_nothing_is_written(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(file / "none"))
    no_room_here(file, monkeypatch)
    with pytest.raises(OSError):
        outside.write(file, NEW)
    assert file.read_text(encoding="utf-8") == OLD


def test_what_cannot_be_written_in_place_is_put_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.with_name("other.py").hardlink_to(file)
    truth, calls = os.fsync, iter(range(100))

    def third(descriptor: int) -> None:
        if next(calls) == 1:  # after the copy
            raise OSError(errno.ENOSPC, "no space left")
        truth(descriptor)

    monkeypatch.setattr(os, "fsync", third)
    with pytest.raises(OSError, match="no space"):
        outside.write(file, NEW)
    assert file.read_text(encoding="utf-8") == OLD
    assert kills.drafts(file.parents[1]) == []


def test_two_do_not_write_in_place_at_once(file: Path) -> None:
    file.with_name("other.py").hardlink_to(file)
    with file.open("r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(OSError, match="another process is writing to it"):
            outside.write(file, NEW)
    assert file.read_text(encoding="utf-8") == OLD


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="this system has no extended attributes")
def test_attributes_stay(file: Path) -> None:
    try:
        os.setxattr(file, "user.cpl", b"mine")
    except OSError:
        pytest.skip("this file system has no attributes of users")
    outside.write(file, NEW)
    assert (file.read_text(encoding="utf-8"), os.getxattr(file, "user.cpl")) == (NEW, b"mine")


def as_user(user: int, groups: list[int], job: Callable[[], Any]) -> str:
    """Do something as another user, in a child; what it raises, in words."""
    reader, writer = os.pipe()
    if child := os.fork():
        os.close(writer)
        with open(reader, encoding="utf-8") as said:
            text = said.read()
        os.waitpid(child, 0)
        return text
    try:
        os.setgroups(groups)
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        job()
    except BaseException as error:
        os.write(writer, str(error).encode())
    os._exit(0)


@pytest.fixture
def shared(tmp_path: Path, file: Path) -> Path:
    """A file of user 1000 and group 2000, in a folder for all that all can reach."""
    temporary = Path(tempfile.gettempdir())
    around = [place for place in tmp_path.parents if temporary in place.parents]
    for place in (file.parent, tmp_path / "cache", tmp_path, *around):
        place.chmod(0o777)
    os.chown(file, 1000, 2000)
    return file


@as_root
@pytest.mark.parametrize("may_write_folder", [True, False])
def test_a_member_of_the_group_does_not_take_a_file(shared: Path, may_write_folder: bool) -> None:
    if not may_write_folder:
        shared.parent.chmod(0o755)
    before = state_of(shared)
    assert as_user(65534, [2000], lambda: outside.write(shared, NEW)) == ""
    assert (shared.read_text(encoding="utf-8"), state_of(shared)) == (NEW, before)
    assert kills.drafts(shared.parents[1]) == []
    shared.chmod(0o600)
    assert "Permission denied" in as_user(65534, [2000], lambda: outside.write(shared, OLD))
    assert shared.read_text(encoding="utf-8") == NEW


@as_root
def test_an_owner_outside_the_group_and_root_keep_it(shared: Path) -> None:
    before = state_of(shared)
    assert as_user(1000, [], lambda: outside.write(shared, NEW)) == ""
    assert (shared.read_text(encoding="utf-8"), state_of(shared)) == (NEW, before)
    outside.write(shared, OLD)
    assert (shared.read_text(encoding="utf-8"), state_of(shared)) == (OLD, before)


@as_root
@pytest.mark.parametrize("words", [["cpl", "fmt", "a.cpl"], ["cplc", "b.cpl", "-o", "a.cpl.py"]])
def test_commands_write_to_a_mount(words: list[str], tmp_path: Path) -> None:
    """A file that is mounted by itself, as containers do, cannot be replaced."""
    here = tmp_path / "here"
    here.mkdir()
    for path in (tmp_path / "real", here / "a.cpl", here / "a.cpl.py", here / "b.cpl"):
        path.write_text("F(x)=x\n", encoding="utf-8")
    target = here / words[-1]
    if subprocess.run(["mount", "--bind", tmp_path / "real", target], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        done = subprocess.run(command_line(*words), cwd=here, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done
    finally:
        subprocess.run(["umount", target], check=True)
    assert (tmp_path / "real").read_text(encoding="utf-8") != "F(x)=x\n"
    assert kills.drafts(tmp_path) == []


# Killed at every step

STEPS = ("open", "fsync", "chown", "chmod", "replace", "link", "unlink", "stat")
WRITES = """
import os, sys
from pathlib import Path
from cpl import outside

calls = iter(range(10_000))


def dying(real):
    def call(*arguments, **settings):
        if next(calls) == int(sys.argv[2]):
            os.kill(os.getpid(), 9)
        return real(*arguments, **settings)

    return call


for name in {steps}:
    setattr(os, name, dying(getattr(os, name)))
outside.write(Path(sys.argv[1]), {new!r}, is_new=len(sys.argv) > 3)
"""


@pytest.mark.parametrize("kind", ["new", "is new", "replaced", "in place"])
def test_a_kill_at_any_step_loses_nothing(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old or new, or torn with a copy of the old text beside it; and the next write leaves nothing behind."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    code = WRITES.format(steps=STEPS, new=NEW)
    ended = False
    for step in range(200):
        here = tmp_path / str(step)
        here.mkdir()
        file = here / "text.py"
        if kind in ("replaced", "in place"):
            file.write_text(OLD, encoding="utf-8")
        if kind == "in place":
            (here / "other.py").hardlink_to(file)
        arguments = [sys.executable, "-c", code, str(file), str(step), *(["new"] if kind == "is new" else [])]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        text = file.read_text(encoding="utf-8") if file.exists() else None
        copies = [path for path in here.iterdir() if ".cplc-" in path.name and not path.name.startswith(".cplc-")]
        old = None if kind in ("new", "is new") else OLD
        if text not in (old, NEW):
            assert [copy.read_text(encoding="utf-8") for copy in copies] == [OLD]
            with pytest.raises(FileExistsError, match="Its old text is "):
                outside.write(file, "third\n")
            copies[0].replace(file)
        outside._CLEARED.discard(here)
        outside.write(file, "third\n")
        assert file.read_text(encoding="utf-8") == "third\n"
        assert kills.drafts(here) == []
        ended = done.returncode == 0
        if ended:
            break
    assert ended


# Drafts


def draft_of(folder: Path, host: str = "", number: int = 1) -> Path:
    path = folder / f".cplc-{host or outside._HOST}{number:08x}"
    path.write_text("half", encoding="utf-8")
    return path


@pytest.mark.parametrize("writes", ["write", "owned"])
def test_the_drafts_of_the_dead_are_removed(writes: str, tmp_path: Path) -> None:
    dead, living = draft_of(tmp_path), draft_of(tmp_path, number=2)
    elsewhere, long_dead = draft_of(tmp_path, "0" * 8), draft_of(tmp_path, "0" * 8, 2)
    os.utime(long_dead, (time.time() - 200_000,) * 2)
    mine = tmp_path / ".cplc-notes"
    mine.write_text("mine", encoding="utf-8")
    (tmp_path / f".cplc-{outside._HOST}00000003").mkdir()
    os.mkfifo(tmp_path / f".cplc-{outside._HOST}00000004")
    os.utime(living, (0, 0))
    with living.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if writes == "write":
            outside.write(tmp_path / "new", "text")
        else:
            with outside.owned(tmp_path / "new") as owned:
                owned.write(b"text")  # which need not be flushed
    assert not dead.exists() and not long_dead.exists()
    assert living.exists() and elsewhere.exists() and mine.exists()
    assert len([*tmp_path.iterdir()]) == 6  # with what is no regular file


def test_a_folder_is_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is saved after every move."""
    searched: list[object] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: searched.append(path) or scandir(path))
    for number in range(3):
        outside.write(tmp_path / "new", str(number))
    assert searched == [tmp_path]


def test_a_draft_that_was_taken_for_dead_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process locks and removes it before its writer can lock it."""
    lock, removed = fcntl.flock, []

    def late(descriptor: int, operation: int) -> None:
        if not removed:
            removed.extend(tmp_path.iterdir())
            removed[0].unlink()
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    outside.write(tmp_path / "new", "text")
    assert removed
    assert kills.contents(tmp_path) == {"new": "text"}


# Check and use one thing


@pytest.mark.parametrize("part", ["file", "folder"])
def test_what_is_checked_is_what_is_read(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name becomes a link that leads out, after it was resolved."""
    folder = tmp_path / "here"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "got.cpl").write_text("Got = 1\n", encoding="utf-8")
    (folder.parent / "got.cpl").write_text("Secret = 7\n", encoding="utf-8")
    real = os.path.realpath

    def then_swapped(path: Any, **settings: Any) -> str:
        found = str(real(path, **settings))
        if found.endswith("got.cpl") and not (folder / "moved").exists():
            place = folder / "sub" if part == "folder" else folder / "sub" / "got.cpl"
            place.rename(folder / "moved")
            place.symlink_to(folder.parent if part == "folder" else folder.parent / "got.cpl")
        return found

    monkeypatch.setattr(os.path, "realpath", then_swapped)
    with contextlib.suppress(OSError):
        assert outside.read(folder / "sub" / "got.cpl", 100, [folder]) == b"Got = 1\n"
    assert (folder / "moved").exists()


def swapping(path: Path, other: Path, stop: threading.Event) -> Iterator[None]:
    """Let a name mean a file of the folder and a link that leads out, in turn."""
    mine = path.with_name("mine")
    link = path.with_name("link")
    while not stop.is_set():
        mine.write_text("mine", encoding="utf-8")
        mine.replace(path)
        link.symlink_to(other)
        link.replace(path)
        yield


def test_in_a_race_no_secret_is_read(tmp_path: Path) -> None:
    here, secret, stop = tmp_path / "here", tmp_path / "secret.cpl", threading.Event()
    here.mkdir()
    secret.write_text("secret", encoding="utf-8")
    path = here / "x.cpl"
    path.write_text("mine", encoding="utf-8")
    thread = threading.Thread(target=lambda: [*swapping(path, secret, stop)], daemon=True)
    thread.start()
    seen = set[bytes]()
    try:
        for _ in range(5_000):
            with contextlib.suppress(OSError):
                seen.add(outside.read(path, 100, [here]))
    finally:
        stop.set()
        thread.join()
    assert seen <= {b"mine"}


@pytest.mark.parametrize("command", [["check"], ["fmt", "--diff"]])
def test_a_file_that_was_found_is_read_below_its_folder(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "here").mkdir()
    path = tmp_path / "here" / "a.cpl"
    path.write_text("F(x)=x\n", encoding="utf-8")
    (tmp_path / "secret").write_text("Secret(x)=x(\n", encoding="utf-8")
    found = outside.files_below

    def then_swapped(*arguments: Any) -> Iterator[Path]:
        paths = [*found(*arguments)]
        path.unlink()
        path.symlink_to(tmp_path / "secret")
        yield from paths

    monkeypatch.setattr(outside, "files_below", then_swapped)
    assert commands.main([*command, str(tmp_path / "here")]) == 1
    shown = capsys.readouterr()
    assert "stands outside of the folders" in shown.err and "Secret" not in shown.out + shown.err


@as_root
@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_private_file_stands_in_a_private_folder(tmp_path: Path, place: str) -> None:
    path = tmp_path / "private" / "entry"
    path.parent.mkdir(mode=0o700)
    path.write_bytes(b"mine")
    path.chmod(0o600)
    assert outside.read_private(path, 100) == b"mine"
    (path if place == "file" else path.parent).chmod(0o722)
    with pytest.raises(OSError, match="another user"):
        outside.read_private(path, 100)
    (path if place == "file" else path.parent).chmod(0o700)
    os.chown(path if place == "file" else path.parent, 1000, -1)
    with pytest.raises(OSError, match="another user"):
        outside.read_private(path, 100)


def test_the_file_that_is_owned_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is removed by another command just before it is locked."""
    path, lock, removed = tmp_path / "games", fcntl.lockf, []

    def late(descriptor: int, operation: int) -> None:
        if not removed:
            removed.append(path.stat().st_ino)
            path.unlink()
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "lockf", late)
    with outside.owned(path) as file:
        file.write(b"game")
    assert removed and path.read_bytes() == b"game"


# Random kills


@pytest.mark.long
def test_kills_lose_nothing_and_leave_no_drafts(tmp_path: Path) -> None:
    log = tmp_path / "kills.jsonl"
    number = int(os.environ.get("CPLC_KILLS", "16"))
    assert kills.main([str(log), "--kills", str(number)]) == 0, kills.summary(kills.lines(log))


def test_kills_go_on_where_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "kills.jsonl"
    tried: list[tuple[str, int]] = []

    def trial(name: str, number: int, folder: Path) -> kills.Trial:
        tried.append((name, number))
        return kills.Trial(name, number, False, wrong="lost" * (number == 1))

    monkeypatch.setattr(kills, "trial", trial)
    assert kills.main([str(log), "--kills", "2", "--command", "run", "--command", "fmt"]) == 0
    with log.open("a", encoding="utf-8") as file:
        file.write('{"name": "run", "num')
    assert kills.main([str(log), "--kills", "3", "--command", "run", "--command", "fmt"]) == 1
    assert tried == [("run", 0), ("fmt", 0), ("run", 1)]
    assert [json.loads(line)["number"] for line in log.read_text(encoding="utf-8").splitlines()] == [0, 0, 1]
