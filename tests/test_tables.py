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
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("damage", ["pickle", "pipe", "folder", "link", "writable", "cut", "changed", "deep"])
def test_tables_that_are_kept_are_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    monkeypatch.chdir(tmp_path)
    right = compiled(XDG_CACHE_HOME=str(tmp_path / "cache"))
    [kept] = Path("cache/cplc").iterdir()
    text = kept.read_bytes()
    if damage != "writable":
        kept.unlink()
    match damage:
        case "pipe":
            os.mkfifo(kept)
        case "folder":
            kept.mkdir()
        case "link":
            Path("elsewhere").write_bytes(text)
            kept.symlink_to(Path("elsewhere").resolve())
        case "writable":
            kept.chmod(0o622)
        case _:
            bad = {"pickle": pickle.dumps(Bomb()), "cut": text[:-9], "deep": b"[" * 100_000}
            text = bad.get(damage, text.replace(b"expression", b"program", 1))
            kept.write_bytes(text)
    assert compiled(XDG_CACHE_HOME=str(tmp_path / "cache")) == right
    assert not Path("exploded").exists()
    if damage != "folder":
        assert (kept.is_symlink(), stat.S_IMODE(kept.stat().st_mode)) == (False, 0o600)
        assert damage in ("pipe", "link", "writable") or kept.read_bytes() != text
    assert [*kept.parent.iterdir()] == [kept]


def test_nothing_need_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    right = compiled()
    for place in (tmp_path / "file", tmp_path / "file" / "deeper"):
        assert compiled(XDG_CACHE_HOME=str(place), HOME=str(place)) == right


def test_several_processes_keep_the_tables_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [BIN / "cplc", "strachey.cpl", "--emit", "tokens"], [BIN / "cpl", "fmt", "--diff", "-"]
    started = [
        subprocess.Popen(each, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        for each in [*command, *command]
    ]
    assert [each.wait(timeout=120) for each in started] == [0] * 4
    [kept] = (tmp_path / "cplc").iterdir()
    assert kept.stat().st_size > 10_000
