"""The parser's tables in the user's cache folder: what is found there is not trusted, and need not be there."""

import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


class Bomb:
    """What a pickle can do when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("exploded",)


def compiled(**environment: str) -> str:
    """A program, compiled in a process of its own: one that waits for ever is a failure."""
    done = subprocess.run(
        [BIN / "cplc", "-", "--no-format"],
        input="F(x) = x + 1\n",
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What is compiled when nothing is kept yet, and what is kept then."""
    cache = tmp_path_factory.mktemp("cache")
    right = compiled(XDG_CACHE_HOME=str(cache))
    [kept] = (cache / "cplc").iterdir()
    return right, kept


@pytest.mark.long
@pytest.mark.parametrize(
    "damage", ["pickle", "pipe", "folder", "link", "writable", "foreign", "cut", "changed", "deep"]
)
def test_tables_that_are_kept_are_not_trusted(
    first: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    right, before = first
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "cache" / "cplc" / before.name
    kept.parent.mkdir(parents=True)
    text = before.read_bytes()
    match damage:
        case "pipe":
            os.mkfifo(kept)
        case "folder":
            kept.mkdir()
        case "link":
            kept.symlink_to(before)
        case "writable":
            kept.write_bytes(text)
            kept.chmod(0o622)
        case "foreign":
            kept.write_bytes(text)
            if os.geteuid():
                pytest.skip("a file can be given away by root alone")
            os.chown(kept, 65534, -1)
        case _:
            bad = {"pickle": pickle.dumps(Bomb()), "cut": text[:-9], "deep": b"[" * 100_000}
            text = bad.get(damage, text.replace(b"expression", b"program", 1))
            kept.write_bytes(text)
    assert compiled(XDG_CACHE_HOME=str(tmp_path / "cache")) == right
    assert not Path("exploded").exists()
    if damage != "folder":
        found = kept.lstat()
        assert (stat.S_ISREG(found.st_mode), stat.S_IMODE(found.st_mode), found.st_uid) == (True, 0o600, os.geteuid())
        assert damage not in ("pickle", "cut", "changed", "deep") or kept.read_bytes() != text
    assert [*kept.parent.iterdir()] == [kept]


def test_nothing_need_be_kept(first: tuple[str, Path], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "deeper"):
        assert compiled(XDG_CACHE_HOME=str(place), HOME=str(place)) == first[0]


def test_several_processes_keep_the_tables_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    started = [subprocess.Popen([BIN / "cpl", "fmt", "-"], env=environment, **quiet) for _ in range(3)]
    assert [each.wait(timeout=120) for each in started] == [0] * 3
    [kept] = (tmp_path / "cplc").iterdir()
    assert kept.stat().st_size > 10_000
