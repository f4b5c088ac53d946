"""`cpl check --watch`, as a process of its own: what makes it check again, and how it ends."""

import contextlib
import os
import pty
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import BIN, run

GOOD, BAD = "F(x) = x\n", "F(x) = z\n"


class Watch:
    """A running command, and all that it has written."""

    def __init__(self, *arguments: str, cwd: Path) -> None:
        self.master, slave = pty.openpty()
        call = [BIN / "cpl", "check", "--watch", *arguments]
        self.process = subprocess.Popen(call, cwd=cwd, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)
        self.text = ""
        self.read = 0
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the end of a terminal
            while data := os.read(self.master, 65536):
                self.text += data.decode(errors="replace")

    def waits_for(self, words: str) -> None:
        """Wait until this is written after what was waited for before."""
        end = time.monotonic() + 60
        while (found := self.text.find(words, self.read)) < 0:
            assert time.monotonic() < end and self.process.poll() is None, self.text[self.read :]
            time.sleep(0.02)
        self.read = found + len(words)

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(30)
        self.reader.join(30)
        os.close(self.master)
        return status


@contextlib.contextmanager
def watching(*arguments: str, cwd: Path) -> Iterator[Watch]:
    watch = Watch(*arguments, cwd=cwd)
    try:
        yield watch
    finally:
        status = watch.end()
    assert status == 130
    assert "Traceback" not in watch.text and "interrupted" in watch.text


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def test_a_file_that_changes_vanishes_and_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "a.cpl"
    write(file, GOOD)
    with watching("a.cpl", cwd=tmp_path) as watch:
        watch.waits_for("no errors")
        write(file, BAD)
        watch.waits_for("z is not defined")
        file.unlink()
        watch.waits_for("no such file")
        write(file, GOOD)
        watch.waits_for("no errors")
        write(tmp_path / "new", BAD)
        (tmp_path / "new").replace(file)
        watch.waits_for("z is not defined")
        assert watch.text.count("checking") == watch.text.count("\x1b[2J") == 5


def test_what_a_program_gets(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "b.cpl"
    write(tmp_path / "a.cpl", 'get "parts/b.cpl"\nF(x) = G(x)\n')
    with watching("a.cpl", cwd=tmp_path) as watch:
        watch.waits_for("parts/b.cpl")
        write(part, "G(x) = x\n")
        watch.waits_for("no errors")
        write(part, "H(x) = x\n")
        watch.waits_for("G is not defined")


def test_manifest_and_companion(tmp_path: Path) -> None:
    write(tmp_path / "a.cpl", "F(x) = G(x)\n")
    write(tmp_path / "b.cpl", "G(x) = x\n")
    with watching("a.cpl", cwd=tmp_path) as watch:
        watch.waits_for("G is not defined")
        write(tmp_path / "programs.toml", '["a.cpl"]\ncompanions = ["b.cpl"]\n')
        watch.waits_for("no errors")
        write(tmp_path / "b.cpl", "H(x) = x\n")
        watch.waits_for("G is not defined")


def test_a_library(tmp_path: Path) -> None:
    write(tmp_path / "a.cpl", "F(x) = G(x)\n")
    write(tmp_path / "b.cpl", "G(x) = x\n")
    with watching("a.cpl", "--library", "b.cpl", cwd=tmp_path) as watch:
        watch.waits_for("no errors")
        (tmp_path / "b.cpl").unlink()
        watch.waits_for("no such file")
        write(tmp_path / "b.cpl", "G(x) = x\n")
        watch.waits_for("no errors")


def test_a_folder_with_a_new_file(tmp_path: Path) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    with watching("programs", cwd=tmp_path) as watch:
        watch.waits_for("no *.cpl file")
        write(folder / "b.cpl", BAD)
        watch.waits_for("z is not defined")
        (folder / "b.cpl").unlink()
        watch.waits_for("no *.cpl file")


@pytest.mark.parametrize("files", [["-"], ["a.cpl", "-"]])
def test_standard_input_cannot_be_watched(files: list[str]) -> None:
    done = run("cpl", "check", "--watch", *files)
    assert done.returncode == 2
    assert "standard input" in done.stderr
