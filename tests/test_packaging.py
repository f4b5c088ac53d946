"""The wheel and the editable install, each in a fresh environment, used from an empty folder."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

PIP = ["-m", "pip", "--disable-pip-version-check", "-q"]


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, *PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, root, cwd=folder)
    [path] = folder.glob("cplc-*.whl")
    return path


def test_what_the_wheel_holds(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"cpl", "cplrt"}
    for wanted in (
        "cpl/py.typed",
        "cplrt/py.typed",
        "cpl/games/board.json",
        "cpl/games/kings.z",
        "cpl/views/static/step_view.js",
        "cpl/views/static/step_view.css",
        "cpl/_data/grammar/cpl.lark",
        "cpl/_data/grammar/tables.json",
        "cpl/_data/programs/programs.toml",
        "cpl/_data/programs/strachey.cpl",
        "cpl/_data/programs/library/standard.cpl",
        "cpl/_data/programs/openings/ballots.pdn",
        "cpl/_data/programs/attested/programs.toml",
        "cpl/_data/programs/attested/s63-fact.cpl",
        "cpl/_data/programs/attested/surroundings/around-s67-42-tree-sort.cpl",
    ):
        assert wanted in names
    of_the_runtime = {Path(name).suffix for name in names if name.startswith("cplrt/")}
    assert of_the_runtime == {".py", ".typed"}, "it is for every program: data of one stands elsewhere"


def built(project: Path, folder: Path) -> dict[str, bytes]:
    """The sdist and the wheel of a project, by their names."""
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=project)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_whoever_builds_it_gets_the_same_bytes(tmp_path: Path, root: Path) -> None:
    """From the checkout, and from the sdist in another folder at another time."""
    first = built(root, tmp_path / "first")
    [sdist] = tmp_path.glob("first/*.tar.gz")
    with tarfile.open(sdist) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4 on
        archive.extractall(tmp_path, **safely)
    copy = tmp_path / sdist.name.removesuffix(".tar.gz")
    for path in copy.rglob("*"):
        os.utime(path, (1e9, 1e9))
    assert built(copy, tmp_path / "second") == first


def use(environment: Path, folder: Path) -> None:
    """What a person does first."""
    bin = environment / "bin"
    folder.mkdir()
    run(bin / "cplc", "strachey.cpl", "-o", "out.py", cwd=folder)
    shown = run(
        bin / "python", "-c", "import out; out.PrintPosition(out.ChosenPosition(out.StartPosition))", cwd=folder
    )
    assert shown.endswith("White to play.\n")
    assert run(bin / "cpl", "run", "strachey.cpl", "--call", "NextMoveDirection(4)", cwd=folder) == "-4\n"
    assert run(bin / "cpl", "run", "attested/s63-fact.cpl", "--call", "Fact[5]", cwd=folder) == "120\n"
    assert "standard.cpl" in run(bin / "cplc", "--list", cwd=folder)
    (folder / "twice.cpl").write_text("Twice(x) = 2x\n", encoding="utf-8")
    assert run(bin / "python", "-m", "cpl", "run", "twice.cpl", "--call", "Sum(Map(Twice,[1,2]))", cwd=folder) == "6\n"


@pytest.mark.long
def test_the_wheel_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    run(tmp_path / "env/bin/python", *PIP, "install", wheel, cwd=tmp_path)
    use(tmp_path / "env", tmp_path / "empty")


@pytest.mark.long
def test_an_editable_install_in_a_fresh_environment(tmp_path: Path, root: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    run(tmp_path / "env/bin/python", *PIP, "install", "-e", root, cwd=tmp_path)
    use(tmp_path / "env", tmp_path / "empty")
