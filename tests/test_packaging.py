"""The sdist, the wheel, the editable install and a zip file: each used from a folder that has nothing of the tree."""

import os
import shutil
import stat
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import command_line
import pytest
from command_line import with_modules_of

PIP = ["-m", "pip", "--disable-pip-version-check", "-q"]


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(project: Path, folder: Path) -> Path:
    """The folder, with the sdist and the wheel of a project."""
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=project)
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """This tree, in which a build writes the parser's tables: a copy, if it is read-only."""
    if os.access(root, os.W_OK):
        return root
    copy = tmp_path_factory.mktemp("project") / root.name
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
    for path in [copy, *copy.rglob("*")]:
        path.chmod(path.stat().st_mode | stat.S_IWUSR)
    return copy


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory, project: Path) -> dict[str, Path]:
    """The sdist and the wheel of the project, by how their names end."""
    folder = build(project, tmp_path_factory.mktemp("archives"))
    return {path.suffix: path for path in folder.iterdir()}


@pytest.fixture(scope="module")
def wheel(archives: dict[str, Path]) -> Path:
    return archives[".whl"]


def test_the_sdist_holds_all_that_is_in_git(archives: dict[str, Path], root: Path) -> None:
    """Or else tests, which are part of it, lack what they need; only the code host needs the rest."""
    if not (root / ".git").exists():
        pytest.skip("this is no checkout of git")
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=root).split("\0")
    files = {name for name in listed if (root / name).is_file()}  # one may have been removed since
    wanted = {name for name in files if not name.startswith((".gitattributes", ".github/"))}
    with tarfile.open(archives[".gz"]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert len(wanted) > 500
    assert held == {*wanted, "PKG-INFO"}


def test_what_the_wheel_holds(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"cpl", "cplrt"}
    for wanted in (
        "cpl/py.typed",
        "cplrt/py.typed",
        "cpl/games/board_style.json",
        "cpl/games/kings.z",
        "cpl/study/views/static/step_view.js",
        "cpl/study/views/static/step_view.css",
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
    for licence in ("LICENSE", "LICENSES/LicenseRef-Texts-Of-Others.txt"):
        assert any(name.endswith(f".dist-info/licenses/{licence}") for name in names)
    of_the_runtime = {Path(name).suffix for name in names if name.startswith("cplrt/")}
    assert of_the_runtime == {".py", ".typed"}, "it is for every program: data of one stands elsewhere"


def test_the_wheel_says_that_not_all_in_it_is_ours(wheel: Path) -> None:
    """As an SPDX expression, and REUSE.toml says of which files."""
    with zipfile.ZipFile(wheel) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        lines = archive.read(metadata).decode().splitlines()
    assert "License-Expression: MIT AND LicenseRef-Texts-Of-Others" in lines


def test_whoever_builds_it_gets_the_same_bytes(archives: dict[str, Path], tmp_path: Path) -> None:
    """From the checkout, and from the sdist in another folder at another time."""
    sdist = archives[".gz"]
    with tarfile.open(sdist) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4 on
        archive.extractall(tmp_path, **safely)
    copy = tmp_path / sdist.name.removesuffix(".tar.gz")
    for path in copy.rglob("*"):
        os.utime(path, (1e9, 1e9))
    again = build(copy, tmp_path / "second")
    assert {path.name for path in again.iterdir()} == {path.name for path in archives.values()}
    for path in archives.values():
        assert (again / path.name).read_bytes() == path.read_bytes()


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
def test_an_editable_install_in_a_fresh_environment(tmp_path: Path, project: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    run(tmp_path / "env/bin/python", *PIP, "install", "-e", project, cwd=tmp_path)
    use(tmp_path / "env", tmp_path / "empty")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """The packages in a zip file, as `python -m zipapp` makes it."""
    archive = tmp_path_factory.mktemp("zip") / "cplc.pyz"
    with zipfile.ZipFile(archive, "w") as file:
        for place in (root, root / "runtime"):
            for path in [*place.glob("cpl*/**/*")]:
                if path.is_file() and "__pycache__" not in path.parts:
                    file.write(path, path.relative_to(place))
        file.writestr("__main__.py", "from cpl.cli.cpl import main\nmain()\n")
    return archive


@pytest.mark.parametrize(
    "arguments", [["-c", "import cpl"], ["-m", "cpl", "--version"], ["-m", "cpl.cli.cplc", "--list"], ["cplc.pyz"]]
)
def test_in_a_zip_file_it_says_that_it_must_be_unpacked(arguments: list[str], archive: Path) -> None:
    command = [sys.executable, *arguments]
    environment = with_modules_of(archive)
    done = subprocess.run(command, cwd=archive.parent, env=environment, capture_output=True, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert last.startswith("ImportError: cplc does not run from an archive") and last.endswith(f"unpack {archive}")


def test_modules_run_with_the_library_in_a_zip_file(archive: Path, tmp_path: Path) -> None:
    command_line.run("cplc", "-", "-o", tmp_path / "mine.py", input="Twice(x) = 2x\nAll(L) = Map(Twice,L)\n")
    script = f"""
import sys
sys.path[:0] = [{str(archive)!r}, {str(tmp_path)!r}]
import cplrt, mine
assert cplrt.__file__.startswith({str(archive)!r})
print(mine.All([1, 2]))
"""
    assert run(sys.executable, "-I", "-S", "-c", script, cwd=tmp_path) == "[2, 4]\n"
