"""The gate to the outside: foreign text, what is owned, child processes, and what is shown of long jobs."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from command_line import command_line
from kills import COMMANDS, contents, finished, prepared
from test_text import EVIL, TRICKY, hidden_in

from cpl import outside
from cpl.cli import cpl, cplc, terminal

ESCAPES = "\x1b]0;title\x07\x1b[31m\x9b1m"
MARKUP = "<b onclick=x>&amp;</b></script>"
PDN = f'[Event "{ESCAPES}{TRICKY} {MARKUP}"]\n[White "A{ESCAPES}"]\n[Result "*"]\n\n1. 11-15 {{{TRICKY}{ESCAPES}}} *\n'
PROGRAM = f"F(x) = x > 0 → ‘{TRICKY}{MARKUP}’, ‘b’\nG(x) = F(x)\nH(x) = [F(1), F(0)]\n"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def at_terminal(command: str, *arguments: str | Path) -> str:
    """All that a command writes at a terminal without colours."""
    out, err = (kind(io.BytesIO(), encoding="utf-8") for kind in (Terminal, io.TextIOWrapper))
    main = cplc.main if command == "cplc" else cpl.main
    with patch.multiple(sys, stdin=io.TextIOWrapper(io.BytesIO()), stdout=out, stderr=err):
        with contextlib.suppress(SystemExit):
            main([str(argument) for argument in arguments])
        out.flush()
        err.flush()
    return (out.buffer.getvalue() + err.buffer.getvalue()).decode()  # type: ignore[attr-defined]


def test_nothing_foreign_steers_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    mine, other, games = tmp_path / f"mine{EVIL}", tmp_path / f"other{EVIL}", tmp_path / f"{EVIL}.pdn"
    mine.write_text(PROGRAM, encoding="utf-8")
    other.write_text(PROGRAM.replace("> 0", "> 1"), encoding="utf-8")
    games.write_text(PDN, encoding="utf-8")
    wrong = tmp_path / f"wrong{EVIL}"
    wrong.write_text(f"F(x) = ‘{TRICKY}’ + x\nG(x) = x(‘{TRICKY}’\nH(x = 1\n", encoding="utf-8")
    commands = [
        *(["cplc", mine, "--emit", stage] for stage in ("python", "tokens", "surface", "core", "map")),
        ["cplc", mine, "--standalone"],
        *(["cplc", *more] for more in ([f"no{EVIL}"], [mine, mine], [mine, "-o", f"none/\x1b/{EVIL}/x.py"])),
        *([*command, wrong] for command in (["cplc", "--format-errors", "json"], ["cplc"], ["cpl", "check", mine])),
        ["cpl", "fmt", "--check", mine, wrong, f"no{EVIL}"],
        ["cpl", "run", "--interpreter", mine, "--call", "H(1)"],
        *(["cpl", "diff", mine, other, "--format", form] for form in ("text", "json", "html")),
        ["cpl", "check", mine, "--types"],
        ["cpl", "html", mine, "-o", "-"],
        ["cpl", "html", mine, "--python", "-o", "-"],
        ["cpl", "latex", mine, "-o", "-"],
        *(["cpl", "trace", mine, "--call", "H(1)", "--format", form] for form in ("text", "json")),
        ["cpl", "run", mine, "--call", "H(1)"],
        ["cpl", "fmt", "--diff", mine],
        ["cpl", "session", mine],
        ["cpl", "rules", mine],
        ["cpl", "perft", mine],
        *(["cpl", "pdn", games, "--format", form] for form in ("text", "json", "pdn")),
        ["cpl", "pdn", games, "--check"],
        ["cpl", "pdn", games, "--board", "1"],
        ["cpl", "analyse", games, "--depth", "1"],
        ["cpl", "analyse", games, "--depth", "1", "--all"],
        ["cpl", "play", "--load", games, "--black", "random", "--white", "random"],
        ["cpl", "board", f"B:W{ESCAPES}"],
        ["cpl", "copy", mine, f"folder{EVIL}"],
        ["cpl", "help", ESCAPES],
        ["cpl", ESCAPES],
    ]
    for arguments in commands:
        text = at_terminal(*map(str, arguments))
        assert text and not [char for char in hidden_in(text) if char not in "\t\r"], arguments


def test_pages_mark_what_is_hidden(tmp_path: Path) -> None:
    """A listing has it, so that it is copied, with its number; all else has the number only."""
    mine, other, page = tmp_path / "mine.cpl", tmp_path / "other.cpl", tmp_path / "page.html"
    mine.write_text(PROGRAM, encoding="utf-8")
    other.write_text(PROGRAM.replace("> 0", "> 1"), encoding="utf-8")
    for command in (
        ["diff", mine, other, "--format", "html", "-o", page],
        ["trace", mine, "--call", "H(1)", "--html", page],
        ["html", mine, "-o", page],
    ):
        at_terminal("cpl", *command)
        text = page.read_text(encoding="utf-8")
        unmarked = re.sub(r'<bdi data-sign="U\+[0-9A-F]{4,}">.</bdi>', "", text, flags=re.DOTALL)
        assert not hidden_in(unmarked) and "U+202E" in text and MARKUP not in text, command


# Files


def test_a_new_file_is_written_over_none_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old").write_text("old")
    with pytest.raises(FileExistsError):
        outside.write(tmp_path / "old", "new", is_new=True)
    outside.write(tmp_path / "new", "new", is_new=True)
    assert contents(tmp_path) == {"old": "old", "new": "new"}

    def fails(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", fails)
    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(PermissionError):
        outside.write(tmp_path / "third", "text", is_new=True)
    assert contents(tmp_path) == {"old": "old", "new": "new"}


def test_a_file_has_one_owner_and_is_removed_if_it_got_nothing(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "here")
    with outside.owned(folder / "games.pdn") as file:
        file.write(b"mine")
        file.flush()
        status, said = finished(folder, COMMANDS["match"])
        assert status == 1 and "another process is writing to it" in said
        assert "mine" in contents(folder).values()
    folder = tmp_path / "apart"
    folder.mkdir()
    (folder / "old").touch()
    for name in ("old", "new"):
        with contextlib.suppress(KeyError), outside.owned(folder / name):
            raise KeyError
    assert contents(folder) == {"old": ""}


def test_standard_error_may_be_closed_and_output_in_any_locale(tmp_path: Path) -> None:
    """Whoever closes it gets no messages, and the status of the command."""
    (tmp_path / "good.cpl").write_text("F(x) = x\n")
    (tmp_path / "bad.cpl").write_text("F(x) = (x\n")
    for name, status in (("good.cpl", 0), ("bad.cpl", 1)):
        line = shlex.join(command_line("cpl", "check", tmp_path / name)) + " 2>&-"
        assert subprocess.run(line, shell=True, stdout=subprocess.PIPE, check=False).returncode == status
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command_line("cpl", "fmt", "--help"), env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"") and "→".encode() in done.stdout


def test_markdown_shows_a_text_as_it_is() -> None:
    assert outside.markdown("a*b* [x](y) <b>\n- c\n1. d\x1b") == (
        "a\\*b\\* \\[x\\](y) \\<b\\>  \n\\- c  \n1\\. d\\<U+001B\\>"
    )


def test_systems_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows and the browser: what is written is whole."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    outside.write(tmp_path / "new", "text")
    with outside.owned(tmp_path / "games"), outside.owned(tmp_path / "games") as file:
        file.write(b"1")
    assert contents(tmp_path) == {"new": "text", "games": "1"}


def test_a_check_of_a_folder_leaves_nothing_out_and_no_name_forges_a_message(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "bad.cpl").write_text("F(x) = (x\n")
    assert "bad.cpl:1" in at_terminal("cpl", "check", tmp_path)
    path = tmp_path / "a\nerror: forged.cpl"
    path.write_text("F(x) = (x\n")
    assert "\nerror: forged" not in at_terminal("cpl", "check", path)


CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Glass(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True

    def wait_for(self, pattern: str) -> None:
        """Until such a text has been shown, for a minute at most."""
        late = time.monotonic() + 60
        while not re.search(pattern, CONTROL.sub("", self.getvalue())):
            assert time.monotonic() < late, self.getvalue()
            time.sleep(0.01)


def put_up(monkeypatch: pytest.MonkeyPatch) -> Glass:
    """A terminal, and somebody without patience before it. (In a fixture pytest would take standard error back.)"""
    glass = Glass()
    monkeypatch.setattr(sys, "stderr", glass)
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return glass


def clocks() -> list[str]:
    """The threads that draw. A process of pytest-xdist has others."""
    return [each.name for each in threading.enumerate() if terminal.CLOCK in each.name]


def test_clocks_are_there_for_people_without_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    glass = put_up(monkeypatch)
    with terminal.waiting("white thinks"):
        glass.wait_for(r"white thinks, \d+ s")
    glass = put_up(monkeypatch)

    def games() -> Iterator[int]:
        glass.wait_for(r"playing +0% ")
        yield 1
        glass.wait_for(r"playing +25% #+")
        yield 2

    assert [*terminal.track(games(), "playing", 4)] == [1, 2]
    glass = put_up(monkeypatch)
    monkeypatch.setattr(terminal, "PATIENCE", 60.0)
    with terminal.waiting("black thinks"):
        assert [*terminal.track("abc", "letters", 3)] == ["a", "b", "c"]
    assert glass.getvalue() == ""
    assert not clocks()
    put_up(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        list(terminal.track((1 // number for number in (1, 0)), "playing", 2))
    with pytest.raises(ZeroDivisionError), terminal.waiting("playing"):
        1 / 0  # noqa: B018
    assert not clocks()


def test_without_a_terminal_nothing_is_shown_and_no_clock_runs(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    for _ in terminal.track("abc", "letters", 3):
        assert not clocks()
        time.sleep(0.01)
    assert capfd.readouterr() == ("", "")
