"""Each finding that does harm is said in every way to compile or run a text; advice only by `cpl check`."""

import argparse
import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT
from cplrt import CplFault
from IPython.core.interactiveshell import InteractiveShell

import cpl
from cpl.cli import cpl as command
from cpl.cli import cplc
from cpl.cli.repl import Session
from cpl.compiler import loader, messages, pipeline
from cpl.compiler.source import Source
from cpl.compiler.workspace import Workspace
from cpl.editors.signs import explanations

TEXTS = {code: explanation.wrong for code, explanation in explanations().items()}
TEXTS["indented"] = (
    "let i = 3\nif i > 5 then\n    WriteLine(i)\n    i := i - 1\n"  # that of the explanation runs for ever
)
TEXTS["repaired"] = "F(x) = Head([x)\n"
CAUSES = messages.CAUSES
HARM = sorted(code for code in CAUSES if CAUSES[code].misleads)
ADVICE = ["arms-disagree", "mixed-types", "never-read", "unused", "unused-label"]
ADD = "let T = 0\nroutine Add(x) is T := T + x\n"
TRAPS = {
    "a routine": ADD + "Mean(n) = T/n\nAdd(3)\nWriteLine(Mean(1))\n",
    "a routine in an arm": ADD + "Mean(n) = T/n\nif T = 0 then Add(3)\nWriteLine(Mean(1))\n",
    "a routine by another": (ADD + "Mean(n) = T/n\nroutine All() is § Add(3); WriteLine(Mean(1)) §|\nAll()\n"),
    "an argument": "let T = 0\nroutine Inc(ref a) is a := a + 1\nMean(n) = T/n\nInc(T)\nWriteLine(Mean(1))\n",
    "an argument passed on": (
        "let T = 0\nroutine Inc(ref a) is a := a + 1\nroutine Two(ref a) is § Inc(a); Inc(a) §|\n"
        "Mean(n) = T/n\nTwo(T)\nWriteLine(Mean(1))\n"
    ),
    "a function with ≡": (
        "let T = 0\nNext() ≡ value of § T := T + 1; result is T §|\nMean(n) = T/n\nWriteLine(Next(), Mean(1))\n"
    ),
    "a λ": "let T = 0\nlet g = λx. x + T\nT := 5\nWriteLine(g(1))\n",
    "a λ in a list": "let T = 0\nlet L = [λx. x + T]\nT := 5\nWriteLine(Map(λg. g(1), L))\n",
    "a λ assigned": "let T = 0\nlet g = λx. x\ng := λx. x + T\nT := 5\nWriteLine(g(1))\n",
    "an inner routine": (
        "F() = value of § let T = 0; let Add[x] be T := T + x; let M[n] = T/n; let Do[] be Add[2]\n"
        "                 Do[]; result is M[1] §|\nWriteLine(F())\n"
    ),
    "a loop": (ADD + "Mean(n) = T/n\nfor i = 1 to 2 do § WriteLine(Mean(1)); Add(i) §|\n"),
}
SOUND = {
    "used before": ADD + "Mean(n) = T/n\nWriteLine(Mean(1))\nAdd(3)\n",
    "never used": ADD + "Mean(n) = T/n\nAdd(3)\n",
    "an argument of the call": ADD + "Mean(n) = T/n\nAdd(Mean(1))\n",
    "an argument that is only read": (
        "let T = 0\nroutine Say(ref a) is WriteLine(a)\nM(n) = T/n\nSay(T)\nWriteLine(M(1))\n"
    ),
    "by place": ADD + "Mean(n) ≡ T/n\nAdd(3)\nWriteLine(Mean(1))\n",
    "made in each round": (
        "let n = 0\nlet L = NIL\nwhile n < 3 do § let g = λx. x + n; L := Join(L,[g]); n := n + 1 §|\n"
        "WriteLine(Map(λg. g(1), L))\n"
    ),
    "given another value": "let T = 0\nlet g = λx. x + T\nT := 5\ng := λx. x\nWriteLine(g(1))\n",
    "made anew by each call": (
        "F(n) = value of § let T = n; let Add[x] be T := T + x; let M[k] = T + k; let r = M[1]; Add[1]\n"
        "                 result is r §|\nWriteLine(F(1), ‘ ’, F(2))\n"
    ),
    "an argument of Map": "let T = 0\nlet L = Map(λx. x + T, [1,2])\nT := 5\nWriteLine(L)\n",
    "both kinds of function": (ADD + "Old() = T\nNew() ≡ T\nAdd(3)\nWriteLine(Old(), ‘ ’, New())\n"),
}


def options() -> argparse.Namespace:
    return argparse.Namespace(reading=None, format_errors="text", debug=False)


def in_session(path: Path, text: str) -> None:
    session = Session(options())
    session.attempt(lambda: session.workspace.run(text, repair=True))


def in_notebook(path: Path, text: str) -> None:
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "cpl")
    try:
        shell.run_cell_magic("cpl", "--repair", text)
    except CplFault:
        pass
    finally:
        InteractiveShell.clear_instance()


def of_commands(main: Callable[[list[str]], int], *arguments: str) -> Callable[[Path, str], None]:
    return lambda path, text: void(main([*arguments, "--repair", str(path)]))


def void(value: object) -> None:
    pass


WAYS: dict[str, Callable[[Path, str], None]] = {
    "cpl check": of_commands(command.main, "check"),
    "cpl run": of_commands(command.main, "run"),
    "cpl run --interpreter": of_commands(command.main, "run", "--interpreter"),
    "cplc": of_commands(cplc.main),
    "cplc -O": of_commands(cplc.main, "-O"),
    "repl": in_session,
    "notebook": in_notebook,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_does_harm_is_said_in_every_way(way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [*((code, TEXTS[code]) for code in (*HARM, *ADVICE)), *(("not-seen", text) for text in TRAPS.values())]
    for code, text in texts:
        path = tmp_path / "mine.cpl"
        path.write_text(text, encoding="utf-8")
        WAYS[way](path, text)
        said = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().err)
        is_said = f"[{code}]" in said or (code == "repaired" and "does not compile" in said)
        assert is_said == (way == "cpl check" or code not in ADVICE), (code, text, said)


def test_from_python_the_diagnostics_have_them_and_load_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for code in (*HARM, *ADVICE):
        found = cpl.compile_text(TEXTS[code], repair=True).diagnostics
        assert all(diagnostic.severity == "warning" for diagnostic in found)
        assert (code in [diagnostic.code for diagnostic in found]) == (code in HARM)
    assert capsys.readouterr() == ("", "")
    for text in TRAPS.values():
        cpl.load(Source("mine.cpl", text))
    assert capsys.readouterr().err == ""


def test_a_warning_changes_neither_output_nor_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.cpl"
    path.write_text(TRAPS["a routine"], encoding="utf-8")
    assert command.main(["run", str(path)]) == 0
    assert capsys.readouterr().out == "0.0\n"
    assert cplc.main([str(path), "-o", str(tmp_path / "mine.py")]) == 0
    capsys.readouterr()
    runpy.run_path(str(tmp_path / "mine.py"))
    assert capsys.readouterr() == ("0.0\n", "")


def test_every_cause_does_harm_or_is_advice_or_an_error() -> None:
    beside = {"algol", "bcpl", "not-shown"}  # beside errors
    warnings = {code for code in CAUSES if CAUSES[code].severity == "warning" and not CAUSES[code].misleads}
    assert warnings - beside == {*ADVICE}
    for code, explanation in explanations().items():
        assert ("advice" in explanation.told) == (code in ADVICE)
        assert ("compiles or runs" in explanation.told) == (code in HARM)


def test_the_help_of_a_captured_value_works() -> None:
    for title, text in TRAPS.items():
        assert [found.code for found in cpl.check_text(text)] == ["not-seen"], title
        cured = re.sub(r"(Mean\(n\)|M\[n\]) =", r"\1 ≡", text).replace("let g = λx. x + T", "g(x) ≡ x + T")
        if cured != text:
            assert cpl.check_text(cured) == [], title
    for title, text in SOUND.items():
        assert [found.code for found in cpl.check_text(text)] == [], title


PACKAGED = sorted(ROOT.glob("programs/**/*.cpl"))


def test_packaged_and_attested_programs_say_nothing_when_they_are_compiled_or_run() -> None:
    compiled = 0
    for path in PACKAGED:
        try:
            meaning = pipeline.understand(loader.read(path))
        except cpl.CplError:
            continue
        compiled += 1
        assert meaning.misleading == [], path
        assert "not-seen" not in [found.code for found in meaning.findings] or "by-value" in path.stem
    assert compiled > 50


def test_a_session_remembers_what_the_expressions_of_its_entries_changed() -> None:
    workspace = Workspace()
    told = []
    for entry in [*TRAPS["a routine"].splitlines()[:3], "Add(3)", "Mean(1)", "Mean(1)", "Add(1)", "Mean(1)", "1 + 2"]:
        workspace.run(entry)
        told.append([finding.code for finding in workspace.warnings])
    assert told == [[], [], [], [], ["not-seen"], [], [], ["not-seen"], []]
