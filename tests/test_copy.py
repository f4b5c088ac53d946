"""`cpl copy`: a program and what belongs to it in a folder of one's own; and what is said of a copy that lacks it."""

import shlex
import tomllib
from pathlib import Path

import pytest
from command_line import run

import cpl
from cpl import loader
from cpl.diagnostics import CplError

FOLDER = loader.find("strachey.cpl").parent
WITH_OTHERS = ("s67-40-list-assignment", "s67-44-tree-loop", "s67-46-load-update-law-completed")
PACKAGED = [
    path.relative_to(FOLDER).as_posix()
    for path in loader.packaged_files()
    if path.parent.name != "attested" or path.stem in WITH_OTHERS
]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def compiled(path: Path) -> list[str] | str:
    """The Python; if the text is at fault, of what."""
    try:
        return cpl.compile_text(path.read_text(encoding="utf-8"), path=str(path), repair=True, pretty=False).python
    except CplError as error:
        return [each.message for each in error.diagnostics]


@pytest.mark.parametrize("name", PACKAGED)
def test_every_packaged_program_compiles_as_before(name: str, tmp_path: Path) -> None:
    done = run("cpl", "copy", name, tmp_path / "mine", well=True)
    copy = tmp_path / "mine" / Path(name).name
    assert done.stdout.startswith(f"{copy}\n")
    assert copy.read_bytes() == (FOLDER / name).read_bytes()
    assert compiled(copy) == compiled(FOLDER / name)


def test_a_manifest_that_is_there_is_added_to(tmp_path: Path) -> None:
    manifest = tmp_path / "programs.toml"
    manifest.write_text('# mine\n["a.cpl"]\ntitle = "A"\n', encoding="utf-8")
    for name in ("checkers.cpl", "capture.cpl"):
        assert run("cpl", "copy", name, ".", "--force", cwd=tmp_path).returncode == 0
    text = manifest.read_text(encoding="utf-8")
    assert text.startswith('# mine\n["a.cpl"]\ntitle = "A"\n')
    packaged = tomllib.loads((FOLDER / "programs.toml").read_text(encoding="utf-8"))
    names = ("checkers.cpl", "capture.cpl", "library/search.cpl")
    assert tomllib.loads(text) == {"a.cpl": {"title": "A"}} | {name: packaged[name] for name in names}


def test_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "checkers-1966.cpl").write_text("Mine = 1\n", encoding="utf-8")
    before = files(tmp_path)
    done = run("cpl", "copy", "strachey.cpl", ".", cwd=tmp_path, fails=1)
    assert done.stderr == "cpl copy: library/checkers-1966.cpl already exists: --force overwrites it\n"
    assert files(tmp_path) == before
    assert run("cpl", "copy", "strachey.cpl", ".", "--force", cwd=tmp_path).returncode == 0
    assert files(tmp_path)["library/checkers-1966.cpl"] == (FOLDER / "library" / "checkers-1966.cpl").read_bytes()
    done = run("cpl", "session", "strachey.cpl", cwd=tmp_path)
    assert done.stdout == "44 of 44 examples hold\n", "the recorded examples come, too"


@pytest.mark.parametrize(
    ("name", "text"), [("library", "no folder"), ("programs.toml", '["strachey.cpl"]\ntitle = "Another"\n')]
)
def test_whole_or_not_at_all(name: str, text: str, tmp_path: Path) -> None:
    """The companion's folder cannot be made, or the manifest says something else: nothing is there."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text(text, encoding="utf-8")
    before = files(tmp_path)
    run("cpl", "copy", "strachey.cpl", "mine", cwd=tmp_path, fails=1)
    assert files(tmp_path) == before


def test_a_program_of_one_s_own_with_what_it_gets(tmp_path: Path) -> None:
    """Its entry comes as it is: lines, backslashes and quotes in it, too."""
    (tmp_path / "old").mkdir()
    said = """["a.cpl"]\nabout = '''first C:\\new line\nsecond "x" \U0001f600\n'''\ntitle = 'n\\t \\u00e9'\n"""
    texts = {
        "a.cpl": 'get "b.cpl"\nF(x) = G(x)\n',
        "b.cpl": "G(x) = 2x\n",
        "c.cpl": "H(x) = x\n",
        "programs.toml": said,
    }
    for name, text in {**texts, "programs.toml": said}.items():
        (tmp_path / "old" / name).write_text(text, encoding="utf-8")
    assert run("cpl", "copy", "old/a.cpl", "new", cwd=tmp_path).returncode == 0
    assert sorted(files(tmp_path / "new")) == ["a.cpl", "b.cpl", "programs.toml"]
    assert loader.manifest(tmp_path / "new") == tomllib.loads(said)
    assert run("cpl", "run", "new/a.cpl", "--call", "F(4)", cwd=tmp_path).stdout == "8\n"
    (tmp_path / "old" / "b.cpl").write_bytes(b"\xff")
    done = run("cpl", "copy", "old/a.cpl", "other", cwd=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "b.cpl:1:1" in done.stderr


@pytest.mark.parametrize("shadowed", [False, True])
def test_what_is_advised_compares_the_copy_with_the_original(shadowed: bool, tmp_path: Path) -> None:
    """Also if the copy now has the name by which the original was called."""
    if shadowed:
        (tmp_path / "derivative").mkdir()
    done = run("cpl", "copy", "derivative.cpl", ".", cwd=tmp_path)
    advised = shlex.split(done.stdout.splitlines()[-1])
    assert advised[:2] == ["cpl", "diff"] and advised[3] == "derivative.cpl"
    with (tmp_path / "derivative.cpl").open("a", encoding="utf-8") as file:
        file.write("Mine = 1\n")
    done = run(*advised, "--inputs", "1", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "Mine" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("strachey.cpl", "no/such/folder"), 1, "cpl copy: no/such/folder: the folder no/such does not exist\n"),
        (("strachy.cpl", "mine"), 1, "did you mean strachey.cpl?"),
        (("strachey.cpl",), 2, "usage: cpl copy"),
        (("strachey.cpl", ""), 2, "an argument is empty"),
    ],
)
def test_what_cannot_be_copied(arguments: tuple[str, ...], status: int, said: str, tmp_path: Path) -> None:
    done = run("cpl", "copy", *arguments, cwd=tmp_path, fails=status)
    assert said in done.stderr and "Traceback" not in done.stderr
    assert [*tmp_path.iterdir()] == []


COMPANIONS = {program for companion in loader.companions() for program in companion.owners}


@pytest.mark.parametrize("name", sorted(COMPANIONS))
def test_a_copy_without_its_companion_gets_one_finding(name: str, tmp_path: Path) -> None:
    """What it advises works as it is printed, from any folder."""
    (tmp_path / "other.cpl").write_bytes((FOLDER / name).read_bytes())
    done = run("cpl", "run", "other.cpl", "--repair", "--call", "1", cwd=tmp_path)
    assert done.stderr.count("error[") == 1
    companion = Path(loader.entry(str(FOLDER / name)).companions[0]).name
    assert f"in {companion}, the companion of " in done.stderr and name in done.stderr
    advice = f"--library {companion}"
    assert f'add {advice}, or begin the text with the line: get "{companion}"' in done.stderr
    done = run("cpl", "run", "other.cpl", "--repair", "--call", "1", *advice.split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "1\n")
    (tmp_path / "other.cpl").write_bytes(f'get "{companion}"\n'.encode() + (FOLDER / name).read_bytes())
    done = run("cpl", "run", "other.cpl", "--repair", "--call", "1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "1\n")


def test_what_is_advised_of_missing_names() -> None:
    """Names of a companion are listed as far as there is room; what nothing defines stays an error of its own."""
    text = loader.read(FOLDER / "strachey.cpl").text + "More() = (Strength,BitCount,Squares,DepthLimit,Nothing)\n"
    first, second = cpl.check_text(text, path="copy.cpl")
    assert first.message.startswith("these 12 names are defined in checkers-1966.cpl, the companion of strachey.cpl")
    assert first.message.endswith(" and 4 more")
    assert second.message == "Nothing is not defined"
    [search] = cpl.check_text("F(S) = AlphaBeta(S,3,Moves,Play,Value)\nMoves(S) = []\nPlay(S,m) = S\nValue(S) = 1\n")
    assert (search.code, "--library search.cpl" in (search.help or "")) == ("in-companion", True)


def test_companions_are_checked_with_their_program(tmp_path: Path) -> None:
    """A companion is checked with its program, where its names are; by itself only if it is named."""
    for name in ("strachey.cpl", "pendulum.cpl"):
        assert run("cpl", "copy", name, "mine", cwd=tmp_path).returncode == 0
    done = run("cpl", "check", "mine", cwd=tmp_path, well=True)
    assert done.stdout == "mine/pendulum.cpl: no errors or warnings\nmine/strachey.cpl: no errors or warnings\n"
    companion = Path("mine", "library", "checkers-1966.cpl")
    assert run("cpl", "check", "mine", str(companion), cwd=tmp_path).returncode == 1
    text = (tmp_path / companion).read_text(encoding="utf-8")
    (tmp_path / companion).write_text(f"{text}\nMine(x)=Head(3)\n", encoding="utf-8")
    done = run("cpl", "check", "mine", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("error[")) == (1, 1)
    assert f"{companion}:" in done.stderr
    assert f"changed {companion}\n" in run("cpl", "fmt", "mine", cwd=tmp_path).stderr
    for name, text in (
        ("a.cpl", "F(x) = x > 0 → G(x - 1), 0\n"),
        ("b.cpl", "G(x) = x > 0 → F(x - 1), 1\n"),
        ("programs.toml", '["a.cpl"]\ncompanions = ["b.cpl"]\n["b.cpl"]\ncompanions = ["a.cpl"]\n'),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert (
        run("cpl", "check", ".", cwd=tmp_path).stdout == "a.cpl: no errors or warnings\nb.cpl: no errors or warnings\n"
    )
    (tmp_path / "programs.toml").write_text("x = [\n", encoding="utf-8")
    assert run("cpl", "check", ".", cwd=tmp_path).stderr.count("cpl check: programs.toml: ") == 2


def test_a_file_is_copied_under_each_name_and_never_onto_itself(tmp_path: Path) -> None:
    folder, shared = tmp_path / "mine", tmp_path / "mine" / "q.cpl"
    folder.mkdir()
    shared.write_text("F(x) = x\n", encoding="utf-8")
    (folder / "alias.cpl").symlink_to("q.cpl")
    (folder / "both.cpl").write_text('get "q.cpl"\nget "alias.cpl"\nG(x) = F(x)\n', encoding="utf-8")
    assert run("cpl", "copy", folder / "both.cpl", tmp_path / "o").returncode == 0
    assert run("cpl", "check", tmp_path / "o" / "both.cpl").stdout.endswith("no errors or warnings\n")
    (folder / "absolute.cpl").write_text(f'get "{shared}"\nG(x) = F(x)\n', encoding="utf-8")
    refused = run("cpl", "copy", folder / "absolute.cpl", tmp_path / "p", "--force", status=1)
    assert "cannot be copied with it" in refused.stderr
    assert not (tmp_path / "p").exists()
