"""The commands, as a person uses them: output, exit status, files."""

import json
import os
import pty
import re
import stat
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from command_line import command_line, commands, run, run_alone, with_commands
from cplrt import CplFault

import cpl
from cpl.cli import cpl as cli
from cpl.compiler import pipeline
from cpl.compiler.source import Source
from cpl.compiler.syntax.lexer import pieces

GOOD = "Twice(x) = 2x\n"
BAD = "Twice(x) = 2x +\n"


def test_options_give_the_same_program(tmp_path: Path) -> None:
    done = run("cplc", "strachey.cpl", "-o", tmp_path / "out.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    script = "import out; print(out.NextMoveDirection(4), len(out.LegalPositionsFrom(out.StartPosition)))"
    ran = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == "-4 7\n"
    for options in [(), ("--no-format",), ("--standalone",), ("--repair",)]:
        done = run("cplc", "-", *options, input=GOOD, well=True)
        names: dict[str, object] = {}
        exec(done.stdout, names)
        assert names["Twice"](4) == 8  # type: ignore[operator]


def test_emit_and_an_output_that_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    done = run_alone("cplc", "-", input="F(σ) = σ\n", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert '"""F(σ) = σ"""' in done.stdout
    (tmp_path / "a.cpl").write_text("F(x) = 2x + 1\n", encoding="utf-8")
    emitted = {
        what: run("cplc", "a.cpl", "--emit", what, cwd=tmp_path) for what in ("tokens", "surface", "core", "map")
    }
    assert all(done.returncode == 0 for done in emitted.values())
    assert "JUXTAPOSED" in emitted["tokens"].stdout
    assert "Operator kind='JUXTAPOSED'" in emitted["surface"].stdout
    assert "Binary operator='TIMES'" in emitted["core"].stdout
    places = json.loads(emitted["map"].stdout)
    python = run("cplc", "a.cpl", cwd=tmp_path).stdout.splitlines()
    [line] = [number for number, text in enumerate(python, 1) if text.strip().startswith("return")]
    assert places[str(line)] == "a.cpl:1:8"


def test_a_failed_compilation_leaves_the_output_alone_and_a_good_one_its_mode_and_link(tmp_path: Path) -> None:
    out = tmp_path / "out.py"
    out.write_text("precious", encoding="utf-8")
    assert "error[unfinished]" in run("cplc", "-", "-o", out, input=BAD, status=1).stderr
    assert out.read_text(encoding="utf-8") == "precious"
    assert os.listdir(tmp_path) == ["out.py"]
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    assert run("cplc", "-", "-o", link, input=GOOD).returncode == 0
    assert link.is_symlink()
    assert "Twice" in real.read_text(encoding="utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert run_alone("cplc", "-", "-o", "/dev/null", input=GOOD).returncode == 0
    assert "Twice" in run_alone("cplc", "-", "-o", "/dev/stdout", input=GOOD).stdout


def test_what_goes_wrong_is_one_plain_line(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for arguments, status, message in (
        (("nowhere.cpl",), 1, "cplc: nowhere.cpl: no such file"),
        ((".",), 1, "cplc: .: is a directory"),
        (("strachey.cpl", "-o", "/dev/null/x"), 1, "cplc: /dev/null/x: "),
        (("-", "-o", "loop"), 1, "cplc: loop: "),
        ((), 2, "no FILE given"),
        (("--emit", "nonsense", "-"), 2, "invalid choice"),
        (("--nonsense",), 2, "unrecognized arguments"),
        (("-", "--library", "nowhere.cpl"), 1, "cplc: nowhere.cpl: no such file"),
    ):
        assert message in run("cplc", *arguments, input=GOOD, cwd=tmp_path, fails=status).stderr


def test_texts_as_editors_save_them() -> None:
    """With a byte order mark, any line ends, a no-break space, and no line end at the end."""
    for text in ("\ufeffF(x) = 2x\n", "F(x) =\r\n    2x\r\n", "F(x) =\r2x\r", "F(x)\u00a0= 2x", "F(x) = 2x"):
        assert run("cpl", "run", "-", "--call", "F(4)", input=text, well=True).stdout == "8\n"


def test_errors_have_places_and_faults_lines_of_the_cpl() -> None:
    for text, place in ((b"F(x) = \xff\n", "<stdin>:1:8"), ('get "nothing.cpl"\nF(x) = x\n', "<stdin>:1:1")):
        assert place in run("cplc", "-", input=text, fails=1).stderr
    done = run("cplc", "-", "--format-errors", "json", input="F(x) = (x\nG(y) = z\n", status=1)
    [found] = json.loads(done.stderr)
    assert found["code"] == "unclosed-bracket"
    assert (found["path"], found["line"], found["column"]) == ("<stdin>", 1, 8)
    assert found["related"][0]["line"] == 2
    [found] = json.loads(run("cplc", "strachey-original.cpl", "--format-errors", "json").stderr)
    best = found["fixes"][0]
    assert (best["text"], best["line"], best["column"]) == (")", 27, 63)
    assert f"({len(found['fixes'])} single edits " in found["help"]
    done = run("cplc", "strachey-original.cpl", status=1)
    assert done.stderr.count("error[") == 1
    assert " strachey-original.cpl:26:13\n" in done.stderr
    assert "help: insert `)` after `NextMoveDirection(s) )` on line 27" in done.stderr


@pytest.mark.long
def test_a_packaged_program_is_listed_and_found_anywhere(tmp_path: Path) -> None:
    programs, _, printed = run("cplc", "--list").stdout.partition("\n\n")
    assert printed
    names = [line.split()[0] for line in programs.splitlines()]
    assert {"strachey.cpl", "strachey-original.cpl", "library/standard.cpl"} <= set(names)
    for name in names:
        assert run("cpl", "check", name).returncode == (
            1 if name in ("strachey-original.cpl", "library/checkers-1966.cpl") else 0
        )
    for name in ("strachey.cpl", "strachey"):
        assert run("cpl", "run", name, "--call", "NextMoveDirection(4)", cwd=tmp_path).stdout == "-4\n"
    (tmp_path / "strachey.cpl").write_text("Mine = 1\n", encoding="utf-8")
    assert run("cpl", "run", "strachey.cpl", "--call", "Mine", cwd=tmp_path).stdout == "1\n"


def test_colours_are_for_terminals() -> None:
    """Under a terminal there are colours, but not against the user's wish; without them the text is the same."""
    shown = {}
    for name, environment in (("plain", {"NO_COLOR": "1"}), ("coloured", {"NO_COLOR": ""})):
        main, other = pty.openpty()
        subprocess.run(
            command_line("cplc", "strachey-original.cpl"),
            stderr=other,
            env={**os.environ, "TERM": "xterm", **environment},
            check=False,
        )
        shown[name] = os.read(main, 100_000).decode()
        os.close(main)
        os.close(other)
    assert "\x1b[1;31merror[unclosed-bracket]\x1b[0m" in shown["coloured"]
    assert "\x1b" not in shown["plain"]
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown["coloured"]) == shown["plain"]
    assert shown["plain"].replace("\r\n", "\n") == run("cplc", "strachey-original.cpl").stderr


@pytest.mark.parametrize("extra", [(), ("--interpreter",)], ids=["compiled", "interpreted"])
def test_values_of_calls_are_printed_as_in_cpl(extra: tuple[str, ...]) -> None:
    shown = {
        "NextMoveDirection(4)": "-4",
        "1 < 2": "true",
        "7/2": "3.5",
        "(1,2)": "(1,2)",
        "Capture": "‘Capture’",
        "NIL": "NIL",
        "[1,[2]]": "[1,[2]]",
        "-∞": "-∞",
        "Zero": "Logical(NIL)",
        "LastRows": "Logical([5,6,7,8,36,37,38,39])",
        "~LastRows": "~Logical([5,6,7,8,36,37,38,39])",
        "BitCount(Board)": "32",
        "Sum(Range(1,10))": "55",
    }
    done = run("cpl", "run", "strachey.cpl", *(part for call in shown for part in ("--call", call)), *extra)
    assert (done.stdout.splitlines(), done.stderr) == ([*shown.values()], "")


def test_what_a_call_writes_is_printed() -> None:
    done = run("cpl", "run", "strachey.cpl", "--call", "Black", "--call", "PrintPosition(StartPosition)")
    assert done.stdout.startswith("1\n|   | 5b|   | 6b|   | 7b|   | 8b|\n")


def test_a_program_that_does_nothing_is_advised_a_call() -> None:
    done = run("cpl", "run", "strachey.cpl")
    assert (done.returncode, done.stdout) == (0, "")
    assert "--call" in done.stderr


def test_the_python_of_a_call_warns_of_nothing() -> None:
    done = run_alone("cpl", "run", "-", "--call", "[1,2,3][true]", input="F(x) = [1,2,3][true] + x\n")
    assert "Warning" not in done.stderr and "perhaps" not in done.stderr


def test_errors_and_faults_of_a_call_have_their_place() -> None:
    assert "<call>:1:18" in run("cpl", "run", "strachey.cpl", "--call", "NextMoveDirection(4", status=1).stderr
    assert "takes 1 argument" in run("cpl", "run", "strachey.cpl", "--call", "NextMoveDirection(4,5)").stderr
    assert "\n  at strachey.cpl:38:23\n" in run("cpl", "run", "strachey.cpl", "--call", "ChosenPosition(3)").stderr


def test_a_fault_follows_what_was_printed_before() -> None:
    calls = [part for call in ("F(1)", "F(2)", "F(-1)") for part in ("--call", call)]
    for way in ([], ["--interpreter"]):
        done = run("cpl", "run", "-", *way, *calls, input=OPEN, status=1)
        assert done.stdout == "begun\n1 1\n3\n1 2\n2\n1 -1\n" and done.stderr.startswith("cpl run: division by zero")


@pytest.mark.parametrize("call", ["", " ", "\n", "|| nothing"])
def test_an_empty_call_is_incomplete(call: str) -> None:
    done = run("cpl", "run", "strachey.cpl", "--call", call, status=1)
    assert done.stderr.startswith("error[unfinished]: ")
    assert " ┌─ <call>:" in done.stderr
    assert "expected an expression" in done.stderr


def test_a_call_at_fault_is_named_by_its_number() -> None:
    for calls in [["Head(NIL)", "1", "Head(1)"], ["1", "Head(NIL)", "Next(2)"]]:
        done = run("cpl", "run", "-", *(part for call in calls for part in ("--call", call)), input="F(x) = x\n")
        number = calls.index("Head(NIL)") + 1
        assert f"at <call {number}>:1:1\n    Head(NIL)\n" in done.stderr


@pytest.mark.parametrize("engine", [[], ["--interpreter"]])
def test_a_call_may_read(engine: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.cpl").write_text("let x = 0\nlet y = 0\n", encoding="utf-8")
    calls = ("--call", "Read(x,y)", "--call", "10x + y")
    assert run("cpl", "run", "mine.cpl", *calls, *engine, input="4 2", cwd=tmp_path).stdout == "42\n"


def test_a_fault_is_shown_in_the_lines_of_the_cpl(tmp_path: Path, root: Path) -> None:
    (tmp_path / "mine.cpl").write_text("F(x) = 1 + G(x)\nG(σ) = σ + Head(\n   Tail([σ]))\n", encoding="utf-8")
    done = run("cpl", "run", "mine.cpl", "--call", "F(5)", cwd=tmp_path, status=1)
    assert (
        done.stderr
        == """\
cpl run: Head of NIL: the list is empty
  at mine.cpl:2:12
    G(σ) = σ + Head(
               ^^^^^
  called at mine.cpl:1:12
    F(x) = 1 + G(x)
               ^^^^
  called at <call>:1:1
    F(5)
    ^^^^
"""
    )
    # Its frames are lines of the program and of its companion, with carets.
    module = cpl.load(root / "programs" / "strachey.cpl")
    with pytest.raises(CplFault, match="∧ cannot be applied to a number and a bit string") as raised:
        module.Terminal((1, 2, 3, 4), 0)
    shown = "".join(traceback.format_exception(raised.value))
    assert "checkers-1966.cpl" in shown
    assert shown[shown.index("let Empty = ~ X ∧ ~ Y ∧ Board") :].splitlines()[1].strip() == "^^^^^^^^^^^^^^^^^"
    assert "runtime" not in shown


def test_faults_are_told_in_words_of_cpl() -> None:
    for call, said in (
        ("1/0", "division by zero"),
        ("Logical(1) + 1", "expected a bit string, found 1"),
        ("Map(Head,[1]) + 1", "Head expected a list, found 1"),
        ("[1] + 1", "+ cannot be applied to [1] and 1"),
        ("-[1]", "− cannot be applied to [1]"),
        ("2 < ‘a’", "2 and ‘a’ cannot be compared in size"),
        ("Map(3,[1])", "expected a function, found a number"),
        ("Map(Max,[1])", "Max got one argument too few"),
        ("Map(Cell,[1])", "Cell got one argument too few"),
        ("Map(λ(x,y). x,[1])", "F got one argument too few"),
        ("Map(λx. x↑2,[NIL])", "↑ cannot be applied to NIL and 2"),
        ("Follow(Pair)", "expected a pointer, found a type"),
        ("Follow(Pair(1,2))", "expected a pointer, found Pair[1.0,2.0]"),
        ("Total(3)", "a for loop expected a list, found 3"),
        ("Head(1 = 1)", "Head expected a list, found true"),
        ("Head(‘a’)", "Head expected a list, found ‘a’; SymbolsOf(s) is the list of its symbols"),
        (
            "Sum(Formarray[integer,(1,2)][1,2])",
            "Null expected a list or a bit string, found an array, [1,2]; ListOf(A) is the list of its members",
        ),
        ("Head(Head)", "Head expected a list, found Head"),
        ("Symbols(Source) + 1", "expected a stream, found Source"),
    ):
        done = run("cpl", "run", "-", "--call", call, input=TOTAL)
        [fault] = [line for line in done.stderr.splitlines() if line.startswith("cpl run: ")]  # below the warnings
        assert (done.returncode, fault) == (1, f"cpl run: {said}")


TOTAL = "node Pair is real : A with real : B\n"
TOTAL += "Cell(x,y) = x\n"  # the name of a class of cplrt, which messages call a pointer
TOTAL += "Total(L) = value of § let t = 0\n  for k = L do t := t + k\n  result is t §|\n"


@pytest.mark.parametrize("error", [ValueError("odd"), KeyError("odd"), CplFault("odd")])
def test_a_fault_of_the_compiler_is_not_the_program_s(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise error

    (tmp_path / "a.cpl").write_text("WriteLine(1)\n", encoding="utf-8")
    monkeypatch.setattr(pipeline, "generate", fail)
    ours = not isinstance(error, CplFault)
    assert cli.main(["run", str(tmp_path / "a.cpl")]) == (70 if ours else 1)
    said = capsys.readouterr().err
    assert said.startswith(
        "cpl run: internal error in cpl run (your program is not to blame)" if ours else "cpl run: odd\n"
    )
    assert ("what --debug prints" in said) == ours
    assert "Traceback" not in said
    if ours:
        with pytest.raises(type(error)):
            cli.main(["--debug", "run", str(tmp_path / "a.cpl")])


def test_a_long_chain_of_calls_is_cut_and_values_of_any_depth_and_length_are_written() -> None:
    text = "Even(n) = n = 0 → Head(n), Odd(n - 1)\nOdd(n) = Even(n - 1)\n"
    done = run("cpl", "run", "-", "--call", "Even(10000)", input=text)
    assert len(done.stderr.partition("cpl run: ")[2].splitlines()) < 20
    assert "… 9,997 more calls" in done.stderr
    done = run("cpl", "run", "-", "--call", "F(1)", input="F(x) = 1 + F(x)\n", status=1)
    assert "too deep" in done.stderr and "Traceback" not in done.stderr
    text = "Nest(n) = n = 0 → NIL, [Nest(n - 1)]\nFact(x) = (x = 0) → 1, xFact(x - 1)\n"
    assert (
        run("cpl", "run", "-", "--call", "Nest(50000)", input=text).stdout == "[" * 50000 + "NIL" + "]" * 50000 + "\n"
    )
    assert run("cpl", "run", "-", "--call", "Nest(50000) = Nest(50000)", input=text).stdout == "true\n"
    assert len(run("cpl", "run", "-", "--call", "Fact(1600)", input=text).stdout) == 4435


@pytest.mark.parametrize("extra", [(), ("--standalone",)])
def test_a_module_says_the_line_of_the_cpl(tmp_path: Path, extra: tuple[str, ...]) -> None:
    text = "F(x) = 1/x\n\nG(L) = Null(L) → 0, 1 +\n    F(Head(L))\nH(x) = 1 + H(x)\nWriteLine(‘’)\n"
    (tmp_path / "mine.cpl").write_text(text, encoding="utf-8")
    run("cplc", tmp_path / "mine.cpl", "-o", tmp_path / "out.py", *extra)
    start = "out.start_program" if extra else "import cplrt; cplrt.start_program"

    def outcome(call: str) -> list[str]:
        command = [sys.executable, "-c", f"import out; {start}(); {call}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stderr.splitlines()

    assert outcome("out.G([0])")[-2:] == ["ZeroDivisionError: division by zero", "in the CPL: mine.cpl:1"]
    assert outcome("out.G(7)")[-1] == "in the CPL: mine.cpl:3"
    assert outcome("out.H(1)") == ["RecursionError at mine.cpl:5: the recursion goes too deep; does it ever end?"]
    assert outcome("1/0")[-1] == "ZeroDivisionError: division by zero"
    interrupted = "def stop(L):\n  raise KeyboardInterrupt\nout.Head = stop\nout.G([1])"
    if not extra:
        assert outcome(f"\n{interrupted}") == ["interrupted at mine.cpl:3"]


@pytest.mark.long
@pytest.mark.parametrize("extra", [(), ("--standalone",)])
def test_deep_recursion_works(tmp_path: Path, extra: tuple[str, ...]) -> None:
    """A hundred thousand calls deep, also with the rest of a list in each, and in a constant of a text that is got."""
    (tmp_path / "deep.cpl").write_text(f"{COUNT}Deep = Count(50000)\n", encoding="utf-8")
    text = 'get "deep.cpl"\nAdd(L) = Null(L) → 0, value of § let (x,R) = Next(L)\n result is x + Add(R) §\n'
    text += "WriteLine(Deep, Count(100000), Add(Map(Mod,Range(1,100000))))\n"
    (tmp_path / "a.cpl").write_text(text, encoding="utf-8")
    run("cplc", "a.cpl", "-o", "out.py", *extra, cwd=tmp_path)
    done = subprocess.run([sys.executable, tmp_path / "out.py"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["50000", "100000", "5000050000"]
    for engine in ((), ("--interpreter",)) if not extra else ():
        assert run("cpl", "run", "-", "--call", "Count(100000)", *engine, input=COUNT).stdout == "100000\n"


def test_libraries_manifests_and_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "library.cpl").write_text("let n = 1\nn := n + F(1)\nWriteLine(n)\n", encoding="utf-8")
    (tmp_path / "a.cpl").write_text("F(x) = 10x\n", encoding="utf-8")
    for engine in ((), ("--interpreter",)):
        assert run("cpl", "run", "a.cpl", "--library", "library.cpl", *engine, cwd=tmp_path).stdout == "11\n"
    (tmp_path / "sub").mkdir()
    (tmp_path / "t.cpl").write_text('get "sub/l.cpl"\nA = B\n', encoding="utf-8")
    (tmp_path / "sub" / "l.cpl").write_text('get "m.cpl"\nB = C\n', encoding="utf-8")
    (tmp_path / "sub" / "m.cpl").write_text('get "l.cpl"\nC = 5\n', encoding="utf-8")
    assert run("cpl", "run", "t.cpl", "--call", "A", cwd=tmp_path).stdout == "5\n"
    (tmp_path / "sub" / "m.cpl").write_text("C = D\n", encoding="utf-8")
    assert "sub/m.cpl:1:5" in run("cplc", "t.cpl", cwd=tmp_path).stderr
    done = run("cpl", "check", "-", "nowhere.cpl", "strachey.cpl", input=BAD, status=1)
    assert "unfinished" in done.stderr and "nowhere.cpl: no such file" in done.stderr
    assert done.stdout == "strachey.cpl: no errors or warnings\n"


COUNT = "Count(n) = n = 0 → 0, 1 + Count(n - 1)\n"


@pytest.mark.parametrize("extra", [(), ("--standalone",)])
def test_a_module_writes_and_reads_numbers_of_any_length(tmp_path: Path, extra: tuple[str, ...]) -> None:
    """As `cpl run` does, and what Python by itself refuses is as it was."""
    text = "Fact(x) = (x = 0) → 1, xFact(x - 1)\nlet n = 0\nRead(n)\nWriteLine(n - 1, [-Fact(1600)])\n"
    given = "1" + "0" * 5000
    run("cplc", "-", "-o", tmp_path / "out.py", *extra, input=text)
    script = "import runpy, sys; runpy.run_path('out.py', None, '__main__'); print(sys.get_int_max_str_digits())"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, input=given, capture_output=True, text=True, check=True)
    (tmp_path / "a.cpl").write_text(text, encoding="utf-8")
    assert done.stdout == run("cpl", "run", tmp_path / "a.cpl", input=given).stdout + "4300\n"
    assert done.stdout.startswith("9" * 5000 + " [-")


def test_outputs_may_be_closed_or_full_and_readers_go_away() -> None:
    for redirection in [">/dev/full", ">&-", "<&-"]:
        done = subprocess.run(
            ["bash", "-c", f"'{commands()}/cplc' strachey.cpl {redirection}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.startswith("cplc: ") and done.stderr.count("\n") == 1
    done = subprocess.run(
        ["bash", "-c", f"'{commands()}/cplc' strachey.cpl | head -1"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith('"""')
    assert done.stderr == ""


@pytest.mark.parametrize("command", ["cpl", "cplc --version", "cpl check --help"])
@pytest.mark.parametrize("buffered", ["", "1"])
def test_help_ends_like_a_result(command: str, buffered: str) -> None:
    """If nobody reads it, or if there is no room."""
    unread, pipe = os.pipe()
    os.close(unread)
    name, *words = command.split()
    for place, said in ((pipe, ""), (os.open("/dev/full", os.O_WRONLY), "cannot write: no space left on device\n")):
        environment = os.environ | {"PYTHONUNBUFFERED": buffered}
        done = subprocess.run(
            command_line(name, *words), stdout=place, stderr=subprocess.PIPE, text=True, check=False, env=environment
        )
        os.close(place)
        assert (done.returncode, done.stderr.partition(": ")[2]) == (1, said)


def test_modules_that_python_will_not_import_and_scripts(tmp_path: Path) -> None:
    for name, said in (
        ("one", ""),
        ("random", "random.py has the name of a standard module, and one may shadow the other"),
    ):
        done = run("cplc", "-", "-o", f"{name}.py", input=GOOD, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, f"cplc: warning: {said}\n" if said else "")
        assert "def " in (tmp_path / f"{name}.py").read_text(encoding="utf-8")
    script = tmp_path / "answer"
    script.write_text(SCRIPT, encoding="utf-8")
    script.chmod(0o755)
    done = subprocess.run([script], capture_output=True, text=True, check=False, env=with_commands())
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n", "")
    assert run("cpl", "fmt", "-", input=SCRIPT).stdout == SCRIPT
    assert run("cpl", "fmt", "--ascii", "-", input=SCRIPT.replace("= 2", "=2")).stdout == SCRIPT
    assert run("cplc", "-", input=SCRIPT).stdout == run("cplc", "-", input=SCRIPT[SCRIPT.index("\n") :]).stdout
    assert next(pieces(Source("a", SCRIPT)))[1:] == ("COMMENT", "#!/usr/bin/env -S cpl run")
    [wrong] = cpl.check_text(SCRIPT.replace("21", "21 +"))
    assert (wrong.span.line, wrong.span.column) == (4, 21)
    assert cpl.check_text(f"\n{SCRIPT}")[0].span.text == "#"


OPEN = "F(x) = value of § Write(1, x); result is Quotient(6,x + 1) §\nWrite(‘begun’)\n"
SCRIPT = "#!/usr/bin/env -S cpl run\n\nTwice(x) = 2x  || of it\nWriteLine(Twice(21))\n"


def test_manifests_of_others_do_not_matter_and_bad_ones_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text(GOOD, encoding="utf-8")
    (tmp_path / "programs.toml").write_text("tool = 3\n", encoding="utf-8")
    assert run("cplc", "a.cpl", cwd=tmp_path).returncode == 0
    for bad, said in (
        ("nonsense\n", "Expected '='"),
        ("\0", "Invalid statement"),
        (f"x = {'9' * 5000}\n", "limit (4300 digits)"),
        (f"x = {'[' * 100_000}\n", ""),
        ('"a.cpl" = 3\n', "a.cpl is not a table"),
        ('["a.cpl"]\ncompanion = []\n', "a.cpl has the unknown key companion"),
        ('["a.cpl"]\ncompanions = [3]\n', "companions of a.cpl is not a list of strings that can be printed"),
        ('["a.cpl"]\ncompanions = "b.cpl"\n', "companions of a.cpl is not a list of strings that can be printed"),
        ('["a.cpl"]\nverbatim = "yes"\n', "verbatim of a.cpl is not true or false"),
        ('["a.cpl"]\ntitle = "\\u0000"\n', "title of a.cpl is not a string that can be printed"),
        ('["a.cpl"]\nreading = "nil=one"\n', "reading of a.cpl: 'nil=one' is not a reading: give set or arithmetic"),
        ('["a.cpl"]\nreading = 3\n', "reading of a.cpl is not a string that can be printed"),
        ('["a.cpl"]\nhost = "os"\n', "a.cpl asks for the unknown host part os"),
    ):
        (tmp_path / "programs.toml").write_bytes(bad.encode("utf-8", "surrogateescape"))
        done = run("cplc", "a.cpl", cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert done.stderr.startswith("cplc: programs.toml: "), done.stderr
        assert said in done.stderr
