"""Files: which ones a text may name, which ones no command writes over, and what `cpl copy` takes along."""

import json
import os
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from command_line import command_line, run

import cpl
from cpl.cli import cpl as commands
from cpl.cli import cplc
from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import CplError

OUTSIDE = "stands outside of the folders of the program and its libraries"


def in_a_process(name: str, *arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own: one that waits for ever is a failure."""
    options = {"stdin": subprocess.DEVNULL, "timeout": 120} | settings
    return subprocess.run(command_line(name, *arguments), capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with all that it may be compiled with, in the current folder; and `outside`, beside the folder."""
    here = tmp_path / "here"
    (here / "sub").mkdir(parents=True)
    texts = {
        "a.cpl": 'get "sub/got.cpl"\nF(x) = Twice(x) + Got + Mine\n',
        "sub/got.cpl": "Got = 1\n",
        "lib.cpl": "Twice(x) = 2x\n",
        "mine.cpl": "Mine = 3\n",
        "programs.toml": '["a.cpl"]\ncompanions = ["mine.cpl"]\n',
        "../outside.cpl": "Outside = 7\n",
    }
    for name, text in texts.items():
        (here / name).write_text(text, encoding="utf-8")
    (here / "hard.cpl").hardlink_to(here / "lib.cpl")
    (here / "soft.cpl").symlink_to("lib.cpl")
    (here / "link.cpl").symlink_to("../outside.cpl")
    (here / "up").symlink_to("..")
    monkeypatch.chdir(here)
    return here


def texts(folder: Path) -> dict[str, str]:
    """All that is in a folder and deeper, but for what was left out for being no regular file."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and "up" not in path.parts)
    return {str(path): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize(
    "output", ["a.txt", "lib.txt", "soft.txt", "sub/../lib.txt", "sub/got.txt", "mine.txt", "programs.toml"]
)
def test_no_output_is_written_over_what_was_read(folder: Path, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By another name, as none is named like a program."""
    for name in ("a", "lib", "mine", "sub/got"):
        Path(f"{name}.txt").hardlink_to(f"{name}.cpl")
    Path("soft.txt").symlink_to("lib.txt")
    before = texts(folder)
    assert cplc.main(["a.cpl", "--library", "lib.cpl", "-o", output]) == 2
    assert capsys.readouterr().err == (
        f"cplc: {output} is part of the input, and would be overwritten: name another output file\n"
    )
    if output in ("lib.txt", "mine.txt", "sub/got.txt"):
        assert commands.main(["diff", "a.cpl", "mine.cpl", "--library", "lib.cpl", "-o", output]) == 2
    assert texts(folder) == before
    assert cplc.main(["a.cpl", "--library", "lib.cpl", "-o", "out.py"]) == 0
    assert texts(folder).keys() - before.keys() == {str(folder / "out.py")}


def test_names_and_earlier_files_may_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its place on the disk may have become another file's."""
    assert cplc.main(["hard.cpl", "-o", "out.py"]) == 0
    Path("hard.cpl").unlink()
    Path("lib.cpl").rename("old.py")
    Path("lib.cpl").write_text("Twice(x) = x + x\n", encoding="utf-8")
    assert cplc.main(["mine.cpl", "--library", "lib.cpl", "-o", "old.py"]) == 0
    name = os.fsdecode(b"\xff.cpl")
    Path(name).write_text("F(x) = x\n", encoding="utf-8")
    assert cplc.main([name, "--emit", "map", "-o", "map.json"]) == 0
    assert "udcff.cpl:1:" in Path("map.json").read_text(encoding="utf-8")
    assert commands.main(["diff", "lib.cpl", "mine.cpl", "-o", "-"]) == 1
    assert "Twice" in capsys.readouterr().out
    assert not Path("-").exists()


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_is_not_written_over(folder: Path, name: str) -> None:
    Path("lib.txt").hardlink_to("lib.cpl")
    with Path("lib.cpl").open(encoding="utf-8") as file:
        assert in_a_process("cplc", name, "-o", "lib.txt", stdin=file).returncode == 2
    assert Path("lib.cpl").read_text(encoding="utf-8") == "Twice(x) = 2x\n"


@pytest.mark.parametrize(
    "command",
    [
        ["cplc", "lib.cpl", "-o"],
        ["diff", "lib.cpl", "mine.cpl", "-o"],
        ["play", "--black", "random:1", "--white", "random:2", "--save"],
        ["match", "random:1", "random:2", "--games", "1", "--pdn"],
    ],
)
def test_no_folder_is_made_for_an_output(folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main = cplc.main if command[0] == "cplc" else commands.main
    assert main([*command[command[0] == "cplc" :], "new/dir/x"]) == 1
    assert capsys.readouterr().err.endswith("new/dir/x: the folder new/dir does not exist\n")
    assert not Path("new").exists()


def test_what_is_formatted_in_place_is_a_file_of_the_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = folder.parent / "outside.cpl"
    for path in (outside, folder / "lib.cpl"):
        path.write_text("F(x)=x\n", encoding="utf-8")
    assert commands.main(["fmt", "."]) == 0
    assert outside.read_text(encoding="utf-8") == "F(x)=x\n"
    assert (folder / "lib.cpl").read_text(encoding="utf-8") == "F(x) = x\n"
    capsys.readouterr()
    end, other = os.pipe()
    os.write(other, b"F(x)=x\n")
    os.close(other)
    assert commands.main(["fmt", f"/dev/fd/{end}"]) == 1
    os.close(end)
    assert "is not a regular file" in capsys.readouterr().err


def test_what_is_changed_while_it_is_formatted_is_not_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "lib.cpl"
    path.write_text("F(x)=x\n", encoding="utf-8")
    real = pipeline.format_source

    def slow(*arguments: object) -> str:
        path.write_text("F(x)=x+1\n", encoding="utf-8")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "format_source", slow)
    assert commands.main(["fmt", "lib.cpl"]) == 1
    assert "changed meanwhile" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "F(x)=x+1\n"


@pytest.mark.parametrize("place", ["", "../", "up/", "link"])
def test_a_text_gets_nothing_from_outside(folder: Path, place: str) -> None:
    name = {"": str(folder.parent / "outside.cpl"), "link": "link.cpl"}.get(place, f"{place}outside.cpl")
    text = f'Here = 1\nget "{name}"\nA = 1\n'
    for path in ("<text>", "a.cpl", "sub/../b.cpl"):
        [finding] = cpl.check_text(text, path=path, libraries=["lib.cpl"])
        assert (finding.span.place, finding.cause.code) == (f"{path}:2:1", "unreadable")
        assert finding.message.endswith(f"{name}: this file {OUTSIDE}")


def test_a_library_opens_its_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for name, text in {"l.cpl": 'get "m.cpl"\nL = M\n', "m.cpl": "M = 5\n"}.items():
        (tmp_path / "more" / name).write_text(text, encoding="utf-8")
    assert cpl.check_text("A = L\n", libraries=[tmp_path / "more" / "l.cpl"]) == []
    [finding] = cpl.check_text(f'get "{tmp_path}/more/l.cpl"\nA = L\n')
    assert finding.cause.code == "unreadable"


def test_what_is_got_is_a_regular_file(folder: Path) -> None:
    os.mkfifo("pipe")
    os.mkfifo("sub/pipe.cpl")
    Path("a.cpl").write_text('get "pipe"\nget "sub/pipe.cpl"\nget "sub"\nA = 1\n', encoding="utf-8")
    done = in_a_process("cplc", "a.cpl", "--format-errors", "json")
    assert [(finding["line"], finding["message"]) for finding in json.loads(done.stderr)] == [
        (1, "pipe: this is not a regular file"),
        (2, "sub/pipe.cpl: this is not a regular file"),
        (3, "sub: is a directory"),
    ]


def test_what_is_got_is_told_and_has_a_limit(folder: Path) -> None:
    findings = cpl.check_text('get "link.cpl"\nget "sub/../link.cpl"\nget "up/outside.cpl"\nget ""\nA = 1\n')
    assert [finding.message.partition(": ")[0] for finding in findings[:3]] == [
        "link.cpl",
        "sub/../link.cpl",
        "up/outside.cpl",
    ]
    assert [finding.message for finding in findings[3:]] == ["the name of the file is empty"]


@pytest.mark.parametrize("name", ["sub/../a.cpl", "sub/again.cpl", "alias/a.cpl"])
def test_a_text_that_gets_itself_by_another_name_ends(folder: Path, name: str) -> None:
    Path("programs.toml").unlink()
    Path("a.cpl").write_text(f'get "{name}"\nA = 3\n', encoding="utf-8")
    Path("sub/again.cpl").hardlink_to("a.cpl")
    Path("alias").symlink_to(".")
    assert in_a_process("cpl", "run", "a.cpl", "--call", "A").stdout == "3\n"


def test_all_that_is_got_has_a_limit(folder: Path) -> None:
    for name in ("one.cpl", "two.cpl"):
        Path(name).write_text("A = 1\n" + "|| a line\n" * 410_000, encoding="utf-8")
    said = "the files read by get have more than 8,000,000 characters together"
    findings = cpl.check_text('get "one.cpl"\nget "two.cpl"\nget "two.cpl"\n')
    assert [finding.span.line for finding in findings if finding.message == said] == [2]
    assert said not in [finding.message for finding in cpl.check_text('get "one.cpl"\nget "one.cpl"\n')]


@pytest.mark.parametrize(
    ("key", "name"),
    [("companions", "../outside.cpl"), ("companions", "pipe"), ("session", "link.cpl"), ("session", "up/outside.cpl")],
)
def test_a_manifest_names_regular_files_of_the_folder(folder: Path, key: str, name: str) -> None:
    os.mkfifo("pipe")
    value = f'["{name}"]' if key == "companions" else f'"{name}"'
    Path("programs.toml").write_text(f'["lib.cpl"]\n{key} = {value}\n', encoding="utf-8")
    done = in_a_process("cpl", "check" if key == "companions" else "session", "lib.cpl")
    said = "this is not a regular file" if name == "pipe" else f"this file {OUTSIDE}"
    assert (done.returncode, done.stderr.partition(": ")[2]) == (1, f"{name}: {said}\n")


def spoil(manifest: Path, fault: str) -> None:
    """Make a manifest one that cannot be read."""
    manifest.unlink(missing_ok=True)
    match fault:
        case "pipe":
            os.mkfifo(manifest)
        case "link":
            manifest.symlink_to("../outside.cpl")
        case _:
            manifest.write_text({"long": "#\n" * 4_000_001, "malformed": "x = [\n"}[fault], encoding="utf-8")


@pytest.mark.parametrize(
    ("fault", "said"), [("pipe", "is not a regular file"), ("link", OUTSIDE), ("long", "has more than 8,000,000 bytes")]
)
def test_a_manifest_is_a_regular_file(folder: Path, fault: str, said: str) -> None:
    spoil(Path("programs.toml"), fault)
    done = in_a_process("cplc", "lib.cpl")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "programs.toml: this" in done.stderr and said in done.stderr


@pytest.mark.parametrize("fault", ["pipe", "link", "malformed"])
def test_no_manifest_is_added_to_that_cannot_be_read(folder: Path, fault: str) -> None:
    (folder / "new").mkdir()
    spoil(folder / "new" / "programs.toml", fault)
    before = texts(folder)
    done = in_a_process("cpl", "copy", "strachey.cpl", "new")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("cpl copy: new/programs.toml: ")
    assert texts(folder) == before


def test_what_a_manifest_names_is_copied_from_its_folder(folder: Path) -> None:
    name = "link.cpl"
    Path("programs.toml").write_text(f'["lib.cpl"]\ncompanions = ["{name}"]\n', encoding="utf-8")
    done = in_a_process("cpl", "copy", "lib.cpl", "new")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"cpl copy: {name}: this ")
    assert not Path("new").exists()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_a_byte_order_mark_says_what_a_text_is(folder: Path, encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    Path("mine.cpl").write_bytes(mark + "Φ = 2\nA = ‘漢’".encode(encoding))
    done = in_a_process("cpl", "run", "mine.cpl", "--call", "(Φ, A)")
    assert (done.stdout, done.stderr) == ("(2,‘漢’)\n", "")


@pytest.mark.parametrize(
    ("text", "encoding", "sign"), [("F(x) = 2×x", "ISO-8859-1", "×"), ("§ A = ‘a’ §|", "WINDOWS-1252", "§")]
)
def test_a_text_that_may_be_latin_1_is_called_that(folder: Path, text: str, encoding: str, sign: str) -> None:
    Path("mine.cpl").write_bytes(f"A = 1\n{text}\n".encode(encoding))
    done = in_a_process("cpl", "check", "mine.cpl")
    assert f"error[not-utf8]: byte {sign.encode(encoding).hex()} is not valid UTF-8" in done.stderr
    assert f"2│ {text}\n" in done.stderr and f"^ {sign} in {encoding}\n" in done.stderr
    assert f"save it as UTF-8 in an editor, or run: iconv -f {encoding} -t UTF-8 FILE > NEW\n" in done.stderr
    command = f"iconv -f {encoding} -t UTF-8 mine.cpl > new.cpl"
    if shutil.which("iconv"):
        subprocess.run(command, shell=True, check=True)
        assert Path("new.cpl").read_text(encoding="utf-8") == f"A = 1\n{text}\n"


@pytest.mark.parametrize("raw", [b"A = \x00\x80\xff", b"\xff\xfeA\x00\x00\xd8", b"\xa7\x81"])
def test_bytes_that_are_no_text_are_called_nothing(folder: Path, raw: bytes) -> None:
    Path("mine.cpl").write_bytes(raw)
    done = in_a_process("cpl", "check", "mine.cpl")
    assert "is not valid UTF-8" in done.stderr and "help: save the text as UTF-8\n" in done.stderr


@pytest.mark.parametrize(
    ("raw", "byte", "line"),
    [
        (b"\xef\xbb\xbfA = \xd7 1", "d7", "A = \ufffd"),
        (b"\xef\xbb\xbf\xc2\xa7\xc2\xa7\xff", "ff", "§§\ufffd"),
        (b"\xef\xbb\xbf\xff", "ff", "\ufffd"),
        (b"\xff\xfeA\x00\n", "0a", "A\ufffd"),
    ],
)
def test_a_wrong_byte_after_a_byte_order_mark_is_found(raw: bytes, byte: str, line: str) -> None:
    with pytest.raises(CplError) as raised:
        loader.decode(raw, "mine.cpl")
    [error] = raised.value.diagnostics
    assert error.message == f"byte {byte} is not valid UTF-8"
    assert error.span.source.text == line and error.span.text == "\ufffd"


def test_a_program_from_a_pipe_has_the_current_folder(folder: Path) -> None:
    text = 'get "lib.cpl"\nA = Twice(4)\n'
    for name in ("-", "/dev/stdin"):
        done = in_a_process("cpl", "run", name, "--call", "A", stdin=None, input=text)
        assert (done.stdout, done.stderr) == ("8\n", "")


FOLDER = loader.find("strachey.cpl").parent
WITH_OTHERS = ("s67-40-list-assignment", "s67-44-tree-loop-corrected", "s67-46-load-update-law-completed")
PACKAGED = [
    path.relative_to(FOLDER).as_posix()
    for path in loader.packaged_files()
    if path.stem in WITH_OTHERS or (path.parent == FOLDER and loader.entry(str(path)).companions)
]


FIRST = ("checkers.cpl", "strachey-original.cpl", *(f"attested/{name}.cpl" for name in WITH_OTHERS))
"""One with two companions, one that is repaired, and those that are small; the others take the same way."""


def others_long(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.long] * (name not in FIRST)) for name in names]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def compiled(path: Path) -> list[str] | str:
    """The Python; if the text is at fault, of what."""
    try:
        return cpl.compile_text(path.read_text(encoding="utf-8"), path=str(path), repair=True, pretty=False).python
    except CplError as error:
        return [diagnostic.message for diagnostic in error.diagnostics]


@pytest.mark.parametrize("name", others_long(PACKAGED))
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
    names = ("checkers.cpl", "capture.cpl", *packaged["checkers.cpl"]["companions"])
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


@pytest.mark.parametrize("shadowed", [pytest.param(False, marks=pytest.mark.long), True])
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


def test_what_cannot_be_copied(tmp_path: Path) -> None:
    for arguments, status, said in (
        (("strachey.cpl", "no/such/folder"), 1, "cpl copy: no/such/folder: the folder no/such does not exist\n"),
        (("strachy.cpl", "mine"), 1, "did you mean strachey.cpl?"),
        (("strachey.cpl",), 2, "usage: cpl copy"),
        (("strachey.cpl", ""), 2, "an argument is empty"),
    ):
        done = run("cpl", "copy", *arguments, cwd=tmp_path, fails=status)
        assert said in done.stderr and "Traceback" not in done.stderr
        assert [*tmp_path.iterdir()] == []


COMPANIONS = {program for companion in loader.companions() for program in companion.owners}


@pytest.mark.parametrize("name", others_long(sorted(COMPANIONS)))
def test_a_copy_without_its_companions_gets_a_finding_for_each(name: str, tmp_path: Path) -> None:
    """What it advises works as it is printed, from any folder."""
    (tmp_path / "other.cpl").write_bytes((FOLDER / name).read_bytes())
    done = run("cpl", "run", "other.cpl", "--repair", "--call", "1", cwd=tmp_path)
    companions = [Path(companion).name for companion in loader.entry(str(FOLDER / name)).companions]
    assert done.stderr.count("error[") == len(companions)
    assert name in done.stderr
    for companion in companions:
        assert f"in {companion}, the companion of " in done.stderr
        assert f'add --library {companion}, or begin the text with the line: get "{companion}"' in done.stderr
    advice = [word for companion in companions for word in ("--library", companion)]
    done = run("cpl", "run", "other.cpl", "--repair", "--call", "1", *advice, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "1\n")
    lines = "".join(f'get "{companion}"\n' for companion in companions)
    (tmp_path / "other.cpl").write_bytes(lines.encode() + (FOLDER / name).read_bytes())
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
    both = tmp_path / "both"
    both.mkdir()
    for name, text in (
        ("a.cpl", "F(x) = x > 0 → G(x - 1), 0\n"),
        ("b.cpl", "G(x) = x > 0 → F(x - 1), 1\n"),
        ("programs.toml", '["a.cpl"]\ncompanions = ["b.cpl"]\n["b.cpl"]\ncompanions = ["a.cpl"]\n'),
    ):
        (both / name).write_text(text, encoding="utf-8")
    assert run("cpl", "check", ".", cwd=both).stdout == "a.cpl: no errors or warnings\nb.cpl: no errors or warnings\n"
    (both / "programs.toml").write_text("x = [\n", encoding="utf-8")
    assert run("cpl", "check", ".", cwd=both).stderr.count("cpl check: programs.toml: ") == 2


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


def test_a_read_only_file_is_not_written_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    access = os.access  # which lets root do anything
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path).name not in ("a.cpl", "a.py") and access(path, mode)
    )
    (folder / "a.py").write_text("old", encoding="utf-8")
    (folder / "a.cpl").write_text("F( x )=x\n", encoding="utf-8")
    before = texts(folder)
    for command in (("cpl", "fmt", "a.cpl"), ("cplc", "lib.cpl", "-o", "a.py")):
        done = run(*command)
        assert done.returncode == 1 and "permission denied" in done.stderr, done
    assert texts(folder) == before
