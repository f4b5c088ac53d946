"""The cache: what is found there is not trusted, need not be there, and is never out of date."""

import inspect
import json
import os
import pickle
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from command_line import command_line, run, run_alone
from cplrt import CplFault

import cpl
from cpl import cache
from cpl.compiler import pipeline
from cpl.compiler.source import Source


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cplc"


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the texts that are resolved."""
    names: list[str] = []
    before = pipeline.resolve

    def resolve(main: pipeline.Text, *arguments: object) -> object:
        names.append(main.source.name)
        return before(main, *arguments)

    monkeypatch.setattr(pipeline, "resolve", resolve)
    return names


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# Modules


def test_a_file_is_compiled_once(folder: Path, tmp_path: Path, resolved: list[str]) -> None:
    path = written(tmp_path / "mine.cpl", "Twice(x) = 2x\nPlus = Twice(1)\n")
    values = [(cpl.load(path).Twice(4), cpl.load(path, optimise=True).Twice(4)) for _ in range(3)]
    assert (values, resolved) == ([(8, 8)] * 3, ["mine.cpl"] * 2)
    kinds = {entry.name.partition("-")[0] for entry in folder.iterdir()}
    assert kinds == {"module"}


def test_a_text_that_is_no_file_is_not_kept(folder: Path, resolved: list[str]) -> None:
    assert [cpl.load(Source("mine.cpl", "F(x) = x\n")).F(1) for _ in range(2)] == [1, 1]
    assert len(resolved) == 2


def changed_text(path: Path) -> dict[str, object]:
    written(path, "get ‘twice.cpl’\nF(x) = Twice(x) + 1\n")
    return {}


def changed_get(path: Path) -> dict[str, object]:
    written(path.with_name("twice.cpl"), "Twice(x) = 2x + 1\n")
    return {}


def changed_companion(path: Path) -> dict[str, object]:
    written(path.with_name("more.cpl"), "Third(x) = 3x + 1\n")
    return {}


def changed_manifest(path: Path) -> dict[str, object]:
    written(path.with_name("programs.toml"), '["mine.cpl"]\ncompanions = ["more.cpl"]\ntitle = "Mine"\n')
    return {}


def another_library(path: Path) -> dict[str, object]:
    return {"libraries": [Source("more", "Third(x) = 4x\n")]}


CHANGES: list[Callable[[Path], dict[str, object]]] = [
    changed_text,
    changed_get,
    changed_companion,
    changed_manifest,
    another_library,
    lambda _: {"reading": "arithmetic"},
    lambda _: {"optimise": True},
    lambda _: {"native": True},
    lambda _: {"repair": True},
]


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_compiled_again_if_anything_is_another(
    folder: Path, tmp_path: Path, resolved: list[str], change: Callable[[Path], dict[str, object]]
) -> None:
    path = written(tmp_path / "mine.cpl", "get ‘twice.cpl’\nF(x) = Twice(x)\nG(x) = Third(x)\n")
    written(tmp_path / "twice.cpl", "Twice(x) = 2x\n")
    written(tmp_path / "more.cpl", "Third(x) = 3x\n")
    written(tmp_path / "programs.toml", '["mine.cpl"]\ncompanions = ["more.cpl"]\n')
    load = partial(cpl.load, path)
    assert [load().F(4), load().G(4), load().F(4), len(resolved)] == [8, 12, 8, 1]
    options = change(path)
    expected = {changed_text: 9, changed_get: 9}.get(change, 8)
    assert [load(**options).F(4), load(**options).F(4), len(resolved)] == [expected, expected, 2]
    third = {changed_companion: 13, another_library: 16}.get(change, 12)
    assert change is changed_text or load(**options).G(4) == third
    title = load(**options).__doc__.split()[0]
    assert title == ("Mine." if change is changed_manifest else "On" if "reading" in options else "Compiled")


def test_a_companion_that_is_gone_is_missed(folder: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.cpl", "G(x) = Third(x)\n")
    companion = written(tmp_path / "more.cpl", "Third(x) = 3x\n")
    written(tmp_path / "programs.toml", '["mine.cpl"]\ncompanions = ["more.cpl"]\n')
    assert cpl.load(path).G(1) == 3
    companion.unlink()
    with pytest.raises(cpl.Unreadable):
        cpl.load(path)


def test_a_file_that_comes_to_be_is_seen(folder: Path, tmp_path: Path) -> None:
    """A packaged text was read in its place, or nothing."""
    path = written(tmp_path / "mine.cpl", "get ‘search.cpl’\nF(x) = x\nValue(s) = s\nMoves(s) = NIL\nPlay(s,m) = s\n")
    before = cpl.load(path).__all__
    written(tmp_path / "search.cpl", "Own(x) = x\n")
    assert ("Own" in before, "Own" in cpl.load(path).__all__) == (False, True)
    written(tmp_path / "programs.toml", '["mine.cpl"]\ntitle = "Mine"\n')
    assert cpl.load(path).__doc__.startswith("Mine.")


def test_another_compiler_compiles_again(
    folder: Path, tmp_path: Path, resolved: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "mine.cpl", "F(x) = x\n")
    cpl.load(path)
    monkeypatch.setattr(cache, "__version__", "0.9")
    cpl.load(path)
    assert len(resolved) == 2
    monkeypatch.setattr(cache, "COMPILER", [*cache.COMPILER, ("a file", 1, 1)])  # which it is no more
    for _ in range(2):
        cpl.load(path)
    assert len(resolved) == 4  # and keeps nothing


def test_a_compiler_in_an_archive_takes_the_entries_that_came_with_it(
    folder: Path, tmp_path: Path, resolved: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "COMPILER", cache.COMPILER)  # and so it is again in the end
    cache.take_compiler_as_it_is()
    path = written(tmp_path / "mine.cpl", "F(x) = x\n")
    cpl.load(path)
    monkeypatch.setattr(cache, "compiler_files", lambda: [("a file", 1, 1)])
    assert cpl.load(path).F(7) == 7
    assert (resolved, len(cache.entries())) == (["mine.cpl"], 1)


def test_who_works_on_the_compiler_gets_new_modules(tmp_path: Path, root: Path) -> None:
    """A copy of cplc in which a function of the library is changed between two runs."""
    for folder in (root / "cpl", root / "grammar", root / "programs", root / "runtime" / "cplrt"):
        shutil.copytree(folder, tmp_path / folder.name)  # with its times, so that Python's own compiled modules serve
    program = written(tmp_path / "mine.cpl", "F(x) = x\n")
    command = [sys.executable, "-c", f"import cpl; print(cpl.load({str(program)!r}).__doc__, cpl.__file__)"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    shown = partial(subprocess.check_output, command, cwd=tmp_path, env=environment, text=True)
    first = shown()
    assert (first, str(tmp_path) in first) == (shown(), True)
    emit = tmp_path / "cpl" / "compiler" / "python" / "emit.py"
    emit.chmod(0o644)  # it may be read-only here
    emit.write_text(emit.read_text(encoding="utf-8").replace("Compiled from", "Translated from"), encoding="utf-8")
    assert "Translated from" in shown()


def test_a_module_from_the_cache_is_as_any(folder: Path, tmp_path: Path) -> None:
    """Its faults have places, and it gives its meaning and its Python, when somebody asks, also after changes."""
    text = "get ‘add.cpl’\nF(x) = Head(NIL) + x\nN = 3\nG(L) = Add(N,Length(L))\n"
    path, got = written(tmp_path / "mine.cpl", text), written(tmp_path / "add.cpl", "Add(x,y) = x + y\n")
    first, second = cpl.load(path), cpl.load(path)
    written(path, "A = 1\n")
    written(got, "A = 1\n")
    for module in (first, second):
        with pytest.raises(CplFault) as caught:
            module.F(1)
        frame = caught.traceback[-1]
        frames = [(Path(str(each.path)).name, each.lineno + 1) for each in caught.traceback]
        assert ("mine.cpl", 2) in frames, frame
        assert (module.__name__, module.__file__, module.N) == ("mine.cpl", str(path), 3)
        assert (module.G.__name__, module.G.__doc__) == ("G", "G(L) = Add(N,Length(L))")
        assert inspect.getsource(module.G).startswith("def G(L: ")
        assert pipeline.meaning_of(module).main.source.text == text
        assert pipeline.inner(module, "N") == 3
    assert cpl.trace(second, "G([1,2])").result == 5


def test_what_misleads_is_said_each_time(folder: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.cpl", "F(x) = x > 1 → 2,\n    3\nresult := F(1)\nWriteLine(result)\n")
    found = [run("cpl", "run", path) for _ in range(2)]
    assert found[0].stderr == found[1].stderr


def test_texts_that_are_open_in_an_editor_are_seen(folder: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.cpl", "get ‘add.cpl’\nG(x) = Add(x)\n")
    got = written(tmp_path / "add.cpl", "Add(x) = x + 1\n")
    assert cpl.load(path).G(1) == 2
    with pipeline.loader.overlay({os.path.realpath(got): "Add(x) = x + 2\n"}):
        assert cpl.load(path).G(1) == 3
    assert cpl.load(path).G(1) == 2


# What is in the folder


class Bomb:
    """What a pickle can do when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("exploded",)


DAMAGES = ["pickle", "pipe", "folder", "link", "writable", "foreign", "cut", "changed", "deep", "renamed"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_entry_is_not_trusted(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    monkeypatch.chdir(tmp_path)
    name, other = (cache.name_of("module", number) for number in (1, 2))
    content = json.dumps([*range(1000)]).encode()
    assert cache.write(name, content)
    assert cache.write(other, b"other")
    assert cache.read(name) == content
    entry, data = folder / name, (folder / name).read_bytes()
    entry.unlink()
    match damage:
        case "pipe":
            os.mkfifo(entry)
        case "folder":
            entry.mkdir()
        case "link":
            entry.symlink_to(written(tmp_path / "elsewhere", "").absolute())
            (tmp_path / "elsewhere").write_bytes(data)
        case "writable":
            entry.write_bytes(data)
            entry.chmod(0o622)
        case "foreign":
            entry.write_bytes(data)
            if os.geteuid():
                pytest.skip("a file can be given away by root alone")
            os.chown(entry, 65534, -1)
        case _:
            damaged = {
                "pickle": pickle.dumps(Bomb()),
                "cut": data[:-9],
                "deep": b"[" * 100_000,
                "changed": data.replace(b"999", b"998"),
                "renamed": (folder / other).read_bytes(),
            }[damage]
            entry.write_bytes(damaged)
            entry.chmod(0o600)
    assert cache.read(name) is None
    assert not Path("exploded").exists()
    assert cache.write(name, content) == (damage != "folder")
    if damage != "folder":
        found = entry.lstat()
        assert (stat.S_ISREG(found.st_mode), stat.S_IMODE(found.st_mode), found.st_uid) == (True, 0o600, os.geteuid())
        assert cache.read(name) == content
    assert len([*folder.iterdir()]) == 2


def test_what_is_damaged_is_made_again(folder: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.cpl", "F(x) = 2x\n")
    command = partial(run_alone, "cpl", "run", path, "--call", "F(2)", XDG_CACHE_HOME=str(folder.parent))
    assert command().stdout == "4\n"
    entries = {*folder.iterdir()}
    for entry in entries:
        entry.write_bytes(b"nothing")
    assert (command().stdout, command().stderr) == ("4\n", "")
    assert {*folder.iterdir()} == entries
    assert all(cache.read(entry.name) for entry in entries)


def test_an_entry_that_is_kept_again_is_there_all_the_time(folder: Path) -> None:
    name = cache.name_of("module", 1)
    assert cache.write(name, b"content")
    with ThreadPoolExecutor() as others:
        kept = [others.submit(cache.write, name, b"content") for _ in range(50)]
        while not all(job.done() for job in kept):
            assert cache.read(name) == b"content"
    assert all(job.result() for job in kept)


def test_a_folder_of_others_is_not_used(folder: Path, tmp_path: Path) -> None:
    name = cache.name_of("module", 1)
    assert cache.write(name, b"content")
    folder.chmod(0o777)
    assert (cache.read(name), cache.write(name, b"content")) == (None, False)
    folder.chmod(0o700)
    assert cache.read(name) == b"content"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert (cache.read(name), cache.write(name, b"content")) == (None, False)


def test_no_folder_is_needed(tmp_path: Path) -> None:
    written(tmp_path / "file", "")
    program = written(tmp_path / "mine.cpl", "F(x) = 2x\nA = F(1)\n")
    load = f"import cpl; print(cpl.load({str(program)!r}, native=True).F(3))"
    for place in (tmp_path / "file", tmp_path / "file" / "deeper"):
        environment = {**os.environ, "XDG_CACHE_HOME": str(place), "HOME": str(place)}
        command = [sys.executable, "-c", load]
        assert subprocess.check_output(command, env=environment, stderr=subprocess.STDOUT, text=True) == "6\n"


def test_several_processes_fill_it_at_once(folder: Path, tmp_path: Path) -> None:
    program = written(tmp_path / "mine.cpl", "".join(f"F{n}(x) = x + {n}\n" for n in range(200)))
    words = command_line("cpl", "run", program, "--call", "F7(1)")
    started = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(3)]
    assert [each.communicate(timeout=120)[0] for each in started] == [b"8\n"] * 3
    assert sorted(entry.name.partition("-")[0] for entry in folder.iterdir()) == ["module"]
    assert all(cache.read(entry.name) is not None for entry in folder.iterdir())


def test_it_does_not_grow_without_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES_OF_CACHE", 1000)
    names = [cache.name_of("module", number) for number in range(5)]
    for age, name in enumerate(names[:4]):
        assert cache.write(name, bytes(200))
        os.utime(folder / name, (age, age))
    assert cache.read(names[0]) is not None  # used last
    assert cache.write(names[4], bytes(200))
    assert [cache.read(name) is not None for name in names] == [True, False, True, True, True]


# The command


def test_the_command(folder: Path, tmp_path: Path) -> None:
    assert run("cpl", "cache").stdout == f"{folder}: 0 entries, 0.0 MB of at most 200 MB\n"
    cache.write(cache.name_of("module", 1), bytes(2_500_000))
    other = written(folder / "mypy" / "file", "not ours")
    (folder / ".cplc-0123456789abcdef").touch()
    assert run("cpl", "cache").stdout == f"{folder}: 1 entry, 2.5 MB of at most 200 MB\n"
    assert run("cpl", "cache", "--clear").stdout == f"{folder}: 1 entry, 2.5 MB removed\n"
    assert run("cpl", "cache").stdout == f"{folder}: 0 entries, 0.0 MB of at most 200 MB\n"
    assert other.exists()
