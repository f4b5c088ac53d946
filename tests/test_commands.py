"""What all commands have in common: names, help, empty values, folders, short reports; the hooks that run them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run
from conftest import ROOT

from cpl import __version__
from cpl.cli import commands
from cpl.cli.cpl import main
from cpl.compiler import loader

COMMANDS = tuple(commands.COMMANDS)


def test_commands_and_programs_that_are_misspelt(tmp_path: Path) -> None:
    for command, said in (
        (("cpl", "chekc"), "there is no command 'chekc'; did you mean check? (cpl help lists them)"),
        (("cpl", "help", "redaings"), "there is no command and no code 'redaings'; did you mean readings?"),
        (("cpl", "frobnicate"), "there is no command 'frobnicate' (cpl help lists them)"),
    ):
        assert said in run(*command, fails=2).stderr
    (tmp_path / "fact.cpl").write_text("F(x) = x\n", encoding="utf-8")
    for name, meant in (("strachy.cpl", "strachey.cpl"), ("brigde", "bridge"), ("fcat.cpl", "fact.cpl")):
        assert f"; did you mean {meant}? (cplc --list shows them)" in run("cplc", name, cwd=tmp_path, fails=1).stderr
    assert "did you mean" not in run("cplc", "nowhere.cpl", cwd=tmp_path).stderr
    (tmp_path / "strachey.cpl").write_text("F(x) = x\n", encoding="utf-8")
    assert "; did you mean strachey.cpl? (" in run("cpl", "check", "strachy.cpl", cwd=tmp_path).stderr


def test_every_command_stands_under_one_heading() -> None:
    listed = [name for names in commands.GROUPS.values() for name in names]
    assert sorted(listed) == sorted(commands.COMMANDS)
    shown = run("cpl", "--help").stdout
    assert [heading for heading in commands.GROUPS if f"\n{heading}:\n" not in shown] == []
    assert [name for name in listed if f"\n  {name} " not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_and_usage_are_those_of_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for arguments, status in ((["help", name], 0), ([name, "--help"], 0), ([name, "--nonsense", "a", "b"], 2)):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == status
        shown.append("".join(capsys.readouterr()))
    assert shown[0] == shown[1]
    assert all(text.startswith(f"usage: cpl {name} ") for text in shown)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_as_wide_as_the_terminal(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost at any width, and the exit statuses come last."""
    below = []
    for columns in (40, 72, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit):
            main([name, "--help"])
        below.append(capsys.readouterr().out.partition("\nexamples:\n")[2])
        prose = [line for line in below[-1].splitlines() if not line.startswith(" ")]
        assert max(map(len, prose)) <= columns
    assert below[0].split() == below[1].split() == below[2].split()
    own, common = below[2].splitlines()[-3::2]
    assert own.startswith("exit status: 0 ")
    assert common == (
        f"cpl {name} also ends with 2 if the command line is wrong, 70 after an internal error, "
        "and 130 if interrupted with Ctrl-C."
    )


def test_options_before_the_command() -> None:
    for arguments, status, said in (
        (
            ("-x", "check"),
            2,
            "usage: cpl [-h] [--version] [--debug] [--completion SHELL] COMMAND ...\n"
            "cpl: error: unrecognized arguments: -x\n",
        ),
        (("--", "check", "strachey.cpl"), 0, "strachey.cpl: no errors or warnings\n"),
        (("--debug", "check", "--", "strachey.cpl"), 0, "strachey.cpl: no errors or warnings\n"),
        (("--", "-x", "check"), 2, "there is no command '-x' (cpl help lists them)\n"),
        (("-", "check"), 2, "there is no command '-' (cpl help lists them)\n"),
        (("--version", "help"), 0, f"cpl {__version__}\n"),
        (("--debug", "help", "check"), 0, "usage: cpl check [-h]"),
        (("help", "unclosed-bracket"), 0, "unclosed-bracket\n\nAn opening bracket has no closing one."),
        (("--debug", "help", "fixed"), 0, "fixed\n\nA function that is defined with = captures"),
        (("help", "cplc"), 0, "usage: cplc [-h]"),
        (("help", "ccplc"), 2, "did you mean cplc?"),
        (("help", "unclosed-braket"), 2, "did you mean unclosed-bracket?"),
    ):
        done = run("cpl", *arguments, status=status)
        assert said in done.stdout + done.stderr


def test_several_topics_are_explained_one_after_the_other() -> None:
    done = run("cpl", "help", "check", "fixed", "cplc", status=0)
    begins = [done.stdout.index(text) for text in ("usage: cpl check", "\nfixed\n\nA function", "\nusage: cplc")]
    assert begins == sorted(begins)
    done = run("cpl", "help", "nothing", "run", status=2)
    assert "no code 'nothing'" in done.stderr
    assert "usage: cpl run" in done.stdout


ENDS = "\nexcept SystemExit: pass"


def test_what_is_not_needed_is_not_imported() -> None:
    for code, spared in (
        (f"from cpl.cli import cplc\ntry: cplc.main(['--help']){ENDS}", "lark black"),
        (
            f"from cpl.cli import cpl\ntry: cpl.main(['play', '--help']){ENDS}",
            "cpl.cli.play cpl.games.checkers cpl.games.board cpl.compiler.pipeline",
        ),
        (
            f"from cpl.cli import cpl\ntry: cpl.main(['--help']){ENDS}",
            "cpl.cli.play cpl.cli.check cpl.games.board lark",
        ),
        (
            f"from cpl.cli import cpl\ntry: cpl.main(['cache']){ENDS}",
            "cpl.cli.play cpl.games.board cpl.compiler.pipeline lark",
        ),
        ("import cpl.cli.cpl, cpl.compiler.pipeline", "cpl.study.views pygments"),
        ("import cpl.study.views.highlighting", "lark"),
        *(
            (f"import cpl.games.{game}", "cpl.compiler.pipeline lark")
            for game in "capture checkers simple_checkers strachey".split()
        ),
    ):
        command = [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"]
        loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split()
        assert [name for name in loaded if name.startswith((*spared.split(),))] == []


def test_help_lists_commands_and_check_takes_folders(tmp_path: Path) -> None:
    done = run("cpl", "help")
    for arguments in (("--help",), ("-h", "check"), ("help", "help"), ("--debug", "help")):
        assert (run("cpl", *arguments).stdout, done.returncode) == (done.stdout, 0)
    assert [name for name in COMMANDS if not re.search(rf"^  {name} ", done.stdout, re.MULTILINE)] == []
    (tmp_path / "sub").mkdir()
    for name, text in (("a.cpl", "F(x) = x + 1\n"), ("sub/b.cpl", "G(L) = Head(L) + 1\nH(x) = ~x\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("cpl", "check", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "a.cpl: no errors or warnings\nsub/b.cpl: no errors or warnings\n")
    done = run("cpl", "check", ".", "--type", "G", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "sub/b.cpl:\nG : real list ⇒ real\n")
    done = run("cpl", "check", "strachey.cpl", "--type", "MakeMov", cwd=tmp_path, fails=1)
    assert "no definition has the name MakeMov; did you mean MakeMove?" in done.stderr


def test_empty_values_and_starts_are_refused(tmp_path: Path) -> None:
    for arguments in (
        ("perft", "strachey.cpl", "--start", ""),
        ("perft", "strachey.cpl", "--start="),
        ("perft", "strachey.cpl", "--moves", ""),
        ("run", ""),
        ("check", "strachey.cpl", "--library", ""),
        ("diff", "strachey.cpl", "strachey.cpl", "-o", ""),
        ("readings", "strachey.cpl", "--against", ""),
        ("rules", "strachey.cpl", "--fen="),
        ("session", "strachey.cpl", "--from", ""),
        ("match", "random:1", "random:2", "--pdn", ""),
        ("play", "--load", ""),
    ):
        done = run("cpl", *arguments, cwd=tmp_path, fails=2)
        assert re.search(r"argument --?[a-z]+: its value is empty|an argument is empty", done.stderr)
    for arguments in (("",), ("-", "-o", ""), ("-", "--library=")):
        assert run("cplc", *arguments, cwd=tmp_path).returncode == 2
    for start in ["1,2", "1) + (2"]:
        done = run("cpl", "perft", "-", "--start", start, "--moves", "F", "--depth", "1", input="F(x) = []\n", fails=1)
        assert "error[" in done.stderr


def test_fmt_writes_packaged_programs_out_and_counts_files(tmp_path: Path) -> None:
    before = loader.find("strachey.cpl").read_bytes()
    done = run("cpl", "fmt", "strachey.cpl", "--ascii", cwd=tmp_path, well=True)
    assert done.stdout.startswith("ChosenPosition(P) = value of\n")
    assert loader.find("strachey.cpl").read_bytes() == before
    assert run("cpl", "fmt", "--check", "strachey.cpl", cwd=tmp_path).returncode == 1
    (tmp_path / "a.cpl").write_text("F(x) = (\n", encoding="utf-8")
    done = run("cpl", "fmt", "a.cpl", cwd=tmp_path)
    assert done.stderr.endswith("0 files changed, 0 files already formatted, 1 file left as before\n")
    (tmp_path / "b.cpl").write_text("F(x) = x +\n", encoding="utf-8")
    assert run("cpl", "fmt", ".", cwd=tmp_path).stderr.endswith("2 files left as before\n")


@pytest.mark.long
def test_reports_are_short_unless_asked(tmp_path: Path) -> None:
    text = "G(x) = x + 1\nH(x) = 3/x\nF(x) = G(x)×2 + H(x)\n"
    (tmp_path / "a.cpl").write_text(text, encoding="utf-8")
    (tmp_path / "b.cpl").write_text(text.replace("x + 1", "x + 2").replace("3/x", "3/(x - 1)"), encoding="utf-8")
    shown, long = (
        run("cpl", "diff", "a.cpl", "b.cpl", *options, cwd=tmp_path).stdout for options in ((), ("--verbose",))
    )
    assert shown == DIFFERENCE
    assert all(text in long for text in ("- G(x) = x + 1", "F differs through", "inputs  same  different"))
    command = ("cpl", "readings", "strachey-original.cpl", "--against", "strachey.cpl", "--positions", "10")
    done = run(*command)
    assert len(done.stdout.splitlines()) == 13
    assert done.stdout.splitlines()[-1].startswith("Exactly one reading agrees on every position: ")
    assert len(done.stderr.splitlines()) == 1
    command = ("cpl", "rules", "strachey.cpl", "--fen", "W:W12:B7,8")
    assert [line.split()[0] for line in run(*command).stdout.splitlines()] == [
        "FEN",
        "program",
        "official",
        "jumps-on:",
    ]
    assert "White to play." in run(*command, "--verbose").stdout


DIFFERENCE = """\
a.cpl → b.cpl

Text of the definitions: 2 changed

G changed  a.cpl:1:1  b.cpl:1:1
  1  →  2

H changed  a.cpl:2:1  b.cpl:2:1
  x  →  x - 1

Behaviour: 3 of 3 functions behave differently

    a.cpl                                          │ b.cpl
    G(0)
    = 1                                            │ 2
    H(2)
    = 1.5                                          │ 3.0
    H(0)
    = fails: division by zero                      │ -3.0

F differs through G and H.

--verbose shows the texts and the calls in full, and how often each function differs.
"""


HOOKS = {
    id: (shlex.split(entry), re.compile(files))
    for id, entry, files in re.findall(
        r"^- id: (\S+)\n(?:  .*\n)*?  entry: (.*)\n(?:  .*\n)*?  files: (.*)$",
        (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}
UNTIDY = "Twice(x)  =  2x\n"


def hook(id: str, folder: Path) -> int:
    """Run a hook on all its files in a folder; the result is its exit status."""
    entry, wanted = HOOKS[id]
    files = [name for path in sorted(folder.rglob("*")) if wanted.search(name := path.relative_to(folder).as_posix())]
    return run(*entry, *files, cwd=folder).returncode


def test_the_hooks_rewrite_and_check_programs_alone(tmp_path: Path) -> None:
    for name in ("a.cpl", "b.cpl", "a.cpl.txt"):
        (tmp_path / name).write_text(UNTIDY, encoding="utf-8")
    assert hook("cpl-fmt", tmp_path) == 0
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert texts == {"a.cpl": "Twice(x) = 2x\n", "b.cpl": "Twice(x) = 2x\n", "a.cpl.txt": UNTIDY}
    (tmp_path / "a.cpl").write_text("Twice(x) = (2x\n", encoding="utf-8")
    assert hook("cpl-fmt", tmp_path) == 1


def test_fmt_leaves_a_historical_text_even_if_it_is_the_only_one(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text(UNTIDY, encoding="utf-8")
    (tmp_path / "programs.toml").write_text('["a.cpl"]\nverbatim = true\n', encoding="utf-8")
    assert hook("cpl-fmt", tmp_path) == 0
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == UNTIDY
    assert run("cpl", "fmt", "a.cpl", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") != UNTIDY


def test_check_fails_for_errors_only(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text("F(x) = value of § let y = 1; result is x §|\n", encoding="utf-8")
    assert hook("cpl-check", tmp_path) == 0
    (tmp_path / "b.cpl").write_text("F(x) = z\n", encoding="utf-8")
    assert hook("cpl-check", tmp_path) == 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cpl check - -", "cpl check: standard input can be read only once\n"),
        ("cpl diff - -", "cpl diff: standard input can be read only once\n"),
        ("cpl readings - --against -", "cpl readings: standard input can be read only once\n"),
        ("cpl session - --from -", "cpl session: standard input can be read only once\n"),
        ("cpl repl -", "error: argument FILE: standard input (-) cannot be read here: name a file\n"),
        ("cpl copy - folder", "error: argument PROGRAM: standard input (-) cannot be read here: name a file\n"),
        ("cplc strachey.cpl --library -", "error: argument --library: standard input (-) cannot be read here"),
        ("cpl match random:1 random:2 --pdn -", "error: argument --pdn: expected the name of a file, found '-'\n"),
        ("cpl board -", "cpl board: 'F(x) = x' is not a position"),
        ("cpl pdn -", "cpl pdn: <stdin>: line 1"),
        ("cpl analyse -", "cpl analyse: <stdin>: line 1"),
        ("cpl run -", "cpl run: <stdin> contains only definitions"),
        ("cpl session -", "cpl session: no examples were recorded with <stdin>"),
    ],
)
def test_standard_input_has_one_name_and_is_read_once(command: str, said: str) -> None:
    done = run(*command.split(), input="F(x) = x\n", cwd=ROOT)
    assert said in done.stderr


def test_a_position_and_examples_come_from_standard_input() -> None:
    drawn = run("cpl", "board", "-", input="B:W18,30:B15,K2\n", well=True).stdout
    assert drawn == run("cpl", "board", "B:W18,30:B15,K2", well=True).stdout
    assert run("cpl", "session", "strachey.cpl", "--from", "-", input=">>> 1 + 1\n2\n", status=0).stdout
