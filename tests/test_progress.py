"""What a person at a terminal sees of a long job (`cpl.cli.progress`), and that nobody else sees anything."""

import io
import re
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from cpl.cli import progress

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Glass(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True

    def wait_for(self, pattern: str) -> None:
        """Until such a text has been shown, for a minute at most."""
        late = time.monotonic() + 60
        while not re.search(pattern, ESCAPES.sub("", self.getvalue())):
            assert time.monotonic() < late, self.getvalue()
            time.sleep(0.01)


def put_up(monkeypatch: pytest.MonkeyPatch) -> Glass:
    """A terminal, and somebody without patience before it. (In a fixture pytest would take standard error back.)"""
    glass = Glass()
    monkeypatch.setattr(sys, "stderr", glass)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return glass


def clocks() -> list[str]:
    """The threads that draw. A process of pytest-xdist has others."""
    return [each.name for each in threading.enumerate() if progress.CLOCK in each.name]


def test_who_thinks_long_is_named_and_a_bar_is_there_from_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    glass = put_up(monkeypatch)
    with progress.waiting("black thinks"):
        glass.wait_for(r"black thinks, \d+ s")
    glass = put_up(monkeypatch)

    def games() -> Iterator[int]:
        glass.wait_for(r"playing .* 0%")
        yield 1
        glass.wait_for(r"playing .* 25%")
        yield 2

    assert [*progress.track(games(), "playing", 4)] == [1, 2]


def test_what_is_quick_or_fails_leaves_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    glass = put_up(monkeypatch)
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    with progress.waiting("red thinks"):
        assert [*progress.track("abc", "letters", 3)] == ["a", "b", "c"]
    assert glass.getvalue() == ""
    assert not clocks()
    put_up(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        list(progress.track((1 // number for number in (1, 0)), "playing", 2))
    with pytest.raises(ZeroDivisionError), progress.waiting("playing"):
        1 / 0  # noqa: B018
    assert not clocks()


def test_without_a_terminal_nothing_is_shown_and_no_clock_runs(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    for _ in progress.track("abc", "letters", 3):
        assert not clocks()
        time.sleep(0.01)
    assert capfd.readouterr() == ("", "")
