"""`cpl repl` by pipe, in the prompt of a terminal, and at a terminal with Ctrl-C; and workspaces, on which it rests."""

import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from cplrt import CplFault
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from screen import Screen

from cpl.cli.repl import entries, offers, prompt_reader, trace
from cpl.compiler.diagnostics import CplError, Invalid
from cpl.compiler.pipeline import load
from cpl.compiler.syntax.parser import is_unfinished
from cpl.compiler.workspace import Workspace


def entered(*lines: str, status: int = 0, files: tuple[str, ...] = ()) -> tuple[str, str]:
    """What `cpl repl` prints of these lines, and what it reports."""
    done = run("cpl", "repl", *files, input="\n".join(lines), status=status)
    return done.stdout, done.stderr


def test_results_are_printed_each_on_a_line_of_its_own() -> None:
    out, err = entered("F(x) = 2x", "let n = F(21)", "n", "n := n + 1", "[n, 1.5]", "‘text’", "Write(n)", "", "n > 0")
    assert (out, err) == ("42\n[43,1.5]\n‘text’\n43\ntrue\n", "")
    assert entered("routine R() is WriteLine(1)", "R", "rec routine Q is WriteLine(2)", "Q") == ("1\n2\n", "")
    assert entered("Write(1); Write(2)", "Write(3)", "3")[0] == "12\n3\n3\n"
    assert entered("WriteLine(1); finish; WriteLine(2)", "3") == ("1\n3\n", "")


def test_a_text_goes_on_over_several_lines() -> None:
    out, err = entered("let F(x) = value of §", "let y = 2x", "result is y + 1 §", "F(1,", "", "F(", "3)", status=1)
    assert out == "7\n"
    assert "error[unclosed-bracket]" in err and "<entry 2>:1:2" in err


def test_what_is_unfinished_waits_for_more() -> None:
    asks = ["F(", "let F(x) = value of § let y = 1", "F(x) = x > 0 → 1,", "if x > 0 do", "let x =  || to be said"]
    for text in (*asks, "test x > 0 then do WriteLine(1)"):
        assert is_unfinished(text), text
    for text in ("", "F(3)", "F(3))", "let s = ‘no end", "x := )"):
        assert not is_unfinished(text), text


@pytest.mark.parametrize("word", ["help", "Help", "?", "help me", "help Write", "quit", "Quit", "exit()", "exit", "q"])
def test_a_command_without_its_colon_is_advised_one(word: str) -> None:
    command = ":help" if word[0] in "hH?" else ":quit"
    said = f"error: commands begin with a colon: {command} (:help lists them)\n"
    assert entered(word, "1", status=1) == ("1\n", said)


def test_names_of_a_program_go_before_words_of_the_prompt() -> None:
    assert entered("let q, u, i, t = 2, 3, 5, 7", "quit") == ("210\n", "")
    assert entered("let q = 2", "q", "Help = 3", "Help") == ("2\n3\n", "")
    assert "Quit takes 1 argument" in entered("Quit(x) = x", "Quit()", status=1)[1]


def test_a_program_reads_the_lines_that_follow() -> None:
    assert entered("ReadItem() + ReadItem()", "17 4", "‘next’")[0] == "21\n‘next’\n"
    assert entered("let x = 0", "let y = 0", "Read(x,y)", "17 4", "x + y") == ("21\n", "")


def test_commands_tell_types_python_and_calls() -> None:
    out, err = entered("F(x) = x = 0 → 1, 2F(x - 1)", ":type F(1) > 0", ":python F", ":trace F(1)", ":quit", "never")
    assert "F(1) > 0 : Boolean\n" in out
    assert "def F(x" in out and "    return 2 * F(x - 1)\n" in out
    assert out.endswith("F(1) = 2\n  F(0) = 1\n")
    assert err == ""


def test_a_reading_is_of_the_lines_that_follow() -> None:
    union = "Logical([1,2]) + Logical([2])"
    out, _ = entered(":reading", f"A() = {union}", ":reading arithmetic", ":reading", union, "A()")
    assert out == "set\narithmetic\nLogical([1,3])\nLogical([1,2])\n"


def test_help_lists_the_commands() -> None:
    shown = [line.split()[0] for line in entered(":h")[0].splitlines() if line.startswith("  :")]
    assert shown == [":type", ":python", ":trace", ":reading", ":load", ":help", ":quit"]


def test_after_an_error_the_session_goes_on() -> None:
    for wrong, report in (
        ("let F(x = 1)", "<entry 1>:1"),
        ("Nothing(3)", "Nothing is not defined"),
        ("1/0", "error: division by zero\n  at <entry 1>:1:1\n    1/0\n"),
        ("1 + ‘a’", "error: + cannot be applied to 1 and ‘a’"),
        ("Head(1,2)", "Head takes 1 argument but got 2"),
        (":tpye 1", "there is no command :tpye; did you mean :type? (:help lists them)"),
        (":", "there is no command :"),
        (":python", "write :python NAME"),
        (":python Nothing", "Nothing is not defined here"),
        (":reading odd", "'odd' is not a reading"),
        (":type let x = 1", "expected one expression"),
        (":trace 1/0 +", "error[unfinished]"),
        (":load \x1b[31m", "no such file"),
    ):
        out, err = entered(wrong, "", "1 + 1", status=1)
        assert out == "2\n"
        assert report in err and "\x1b" not in err and "Traceback" not in err


def test_programs_are_loaded(tmp_path: Path) -> None:
    program = tmp_path / "my program.cpl"
    program.write_text("WriteLine(‘loaded’)\nTwice(x) = 2x\n", encoding="utf-8")
    out, err = entered("NextMoveDirection(4)", f":load {program}", "Twice(4)", files=("strachey.cpl",))
    assert (out, err) == ("-4\nloaded\n8\n", "")
    program.write_text("Twice(x) = 20x\n", encoding="utf-8")
    assert entered("Twice(4)", files=(str(program),))[0] == "80\n"
    out, err = entered("1", files=("nonesuch.cpl",), status=1)
    assert out == "1\n" and "nonesuch.cpl: no such file" in err


def offered(before: str) -> list[str]:
    workspace = Workspace()
    workspace.run("Fact(n) = n = 0 → 1, n × Fact(n - 1)")
    return [text for text, _, _ in offers(workspace, before)]


@pytest.mark.parametrize(
    ("before", "offers"),
    [
        ("1 + Fac", ["Fact"]),
        ("n := Fact", []),
        ("x + \\sig", ["σ"]),
        ("x = 1 ->", ["→"]),
        ("shi", ["Shift"]),
        (":reading a", ["arithmetic"]),
        (":python F", ["Fact"]),
        (":type Fac", ["Fact"]),
        ("", []),
    ],
)
def test_these_are_all_offers(before: str, offers: list[str]) -> None:
    assert offered(before) == offers


@pytest.mark.parametrize(("before", "offer"), [("res", "result"), ("Wri", "Write"), (":load stra", "strachey.cpl")])
def test_words_names_and_files_are_offered(before: str, offer: str) -> None:
    assert offer in offered(before)


def test_several_offers_come_in_any_order() -> None:
    assert {*offered("\\p")} == {"π", "φ", "ψ"}
    assert offered(":t") == [":type", ":trace"] or offered(":t") == [":trace", ":type"]


def typed(keys: str) -> str:
    """The entry that these keys make at a prompt."""
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        keyboard.send_text(keys)
        return prompt_reader(Workspace())()


SESSION = """\
CPL. :help explains, Ctrl-D ends.
cpl> let F(x) = value of §
  …>   let y = 2x
  …>   result is y + 1 §
cpl> F(1)
3
cpl> :trace F(2)
F(2) = 5
cpl> WriteLine(F(
  …> 4))
9
cpl> 1/0
error: division by zero
  at <entry 5>:1:1
    1/0
cpl> [F(1),
7]"""


def test_what_is_pasted_from_a_session_is_run_again() -> None:
    definition = "let F(x) = value of §\n  let y = 2x\n  result is y + 1 §"
    assert entries(SESSION) == [definition, "F(1)", ":trace F(2)", "WriteLine(F(\n4))", "1/0", "[F(1),\n7]"]
    assert entries("F(\n3)\n7") == ["F(\n3)\n7"]
    lines = [line for line in SESSION.splitlines() if "> " in line]
    assert entered(*lines, "7]", status=1)[0] == "3\nF(2) = 5\n9\n[3,7]\n"
    assert entered("cpl> F(", "  …> ", "cpl> 3", "cpl> :quit", "4", status=1)[0] == "3\n"


@pytest.mark.parametrize(
    "lines",
    [
        [">>> F(x) = value of §", "...   result is 2x §", ">>>", ">>> F(21)"],
        ["In [3]: F(x) = value of §", "   ...:   result is 2x §", "", "In [4]: F(21)"],
    ],
)
def test_prompts_of_python_and_of_notebooks_are_left_out(lines: list[str]) -> None:
    assert entered(*lines) == ("42\n", "")
    pasted = "\n".join([*lines, "Out[4]: 42"])
    assert [entry for entry in entries(pasted) if entry] == ["F(x) = value of §\n  result is 2x §", "F(21)"]
    assert entered(*lines, "Out[4]: 42") == ("42\n", "")


def test_the_empty_line_with_which_python_ends_an_entry_is_left_out() -> None:
    assert entered(">>> F(x) = 2x", "... ", ">>> F(21)") == ("42\n", "")
    assert entered("In [1]: F(x) = 2x", "   ...: ", "In [2]: F(21)") == ("42\n", "")


def test_the_warnings_of_an_entry_stand_before_its_error() -> None:
    _, err = entered("let L = [1,2]", "L(0)", status=1)
    assert err.index("warning[disagreement]") < err.index("error: expected a function, found a list")


def test_what_uses_a_name_that_was_set_aside_is_told_so() -> None:
    lines = ["G(x) = 2x", "F(x) = G(x) + 1", "G(x,y) = x + y", "F(2)", ":python F", "F(x) = G(x,x)", "F(2)"]
    out, err = entered(*lines, status=1)
    told = "F was set aside by <entry 3>, which its definition does not fit: define it again"
    assert out == "4\n"
    assert "error[unknown-name]: F is not defined\n ┌─ <entry 4>:1:1\n" in err
    assert "├─ <entry 2>:1:1\n1│ F(x) = G(x) + 1\n │ - its definition\n" in err
    assert f" help: {told}\n" in err
    assert f"error: F is not defined here; {told}\n" in err
    _, err = entered("node P is real X with real Y", "node P is real Z with real Y", "X(P(1,2))", status=1)
    assert "X was set aside by <entry 2>" in err


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("state")
def test_a_prompt_takes_several_lines() -> None:
    assert typed("F(3)\r") == "F(3)"
    assert typed("F(\r3)\r") == "F(\n3)"
    assert typed("F(\r\r") == "F(\n"
    assert typed("F(x) = x\x1b\r  where x = 1\r") == "F(x) = x\n  where x = 1"
    assert typed("\x1b[200~let a = 1\nlet b = 2\x1b[201~\r") == "let a = 1\nlet b = 2"
    assert typed("\x1b[200~cpl> 1\n1\ncpl> F(\n  …> 3,\x1b[201~\r4)\r") == "cpl> 1\n1\ncpl> F(\n  …> 3,\n  4)"
    with pytest.raises(KeyboardInterrupt):
        typed("F(\x03")
    with pytest.raises(EOFError):
        typed("\x04")


def test_the_history_is_for_its_owner_if_there_is_one(state: Path) -> None:
    assert typed("secret\r") == "secret"
    [file] = [path for path in state.rglob("*") if path.is_file()]
    assert "secret" in file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert typed("\x1b[A\r") == "secret"
    shutil.rmtree(state / "cplc")
    (state / "cplc").write_text("no folder", encoding="utf-8")
    assert typed("3\r") == "3"


@pytest.mark.parametrize("kind", ["xterm", pytest.param("dumb", marks=pytest.mark.long)])
def test_ctrl_c_stops_a_run_and_not_the_session(kind: str, tmp_path: Path) -> None:
    screen = Screen("repl", TERM=kind, XDG_STATE_HOME=str(tmp_path), PROMPT_TOOLKIT_NO_CPR="1")
    screen.until("cpl> ")
    screen.type("let n = 0\r")
    screen.until("cpl> ")
    screen.type("n := 1; WriteLine(‘begins’); while true do n := n + 1\r")
    screen.until("begins\r\n")
    screen.interrupt()
    screen.until("interrupted")
    screen.until("cpl> ")
    screen.type("G(x) = 1 + G(x + 1)\r")
    screen.until("cpl> ")
    screen.type("G(0)\r")
    screen.until("the recursion goes too deep")
    screen.until("cpl> ")
    screen.type("n > 0\r")
    screen.until("true\r\n")
    screen.until("cpl> ")
    screen.type("\x1b[200~cpl> 20 + 1\ncpl> 40 + 2\x1b[201~\r" if kind == "xterm" else "cpl> 40 + 2\r")
    screen.until("42\r\n")
    screen.until("cpl> ")
    screen.type("\x04")
    assert screen.ended() == 0


def test_a_trace_reads_lines_fails_and_leaves_the_program_as_its_run_left_it() -> None:
    """The variable f, which held another function, and the list of functions hold the functions themselves."""
    lines = ["let f = λx. x", "let S = NIL", "G(x) = 2x", "routine P() is § f := G; S := [G] §|"]
    out, _ = entered(*lines, ":trace P()", "f(3)", "Head(S)(4)", "let n = Head(S)", ":trace n(1)")
    assert out.split("\n")[1:3] == ["6", "8"]
    out, err = entered(":trace 1/0", status=1)
    assert (out, err) == ("1/0: division by zero\n", "error: division by zero\n")
    assert entered(":trace ReadItem()", "5", "7")[0] == "ReadItem() = 5\n7\n"


def after(*texts: str) -> tuple[Workspace, Any]:
    """A workspace that has run these texts, and the value of the last one."""
    workspace = Workspace()
    for text in texts:
        value = workspace.run(text)
    return workspace, value


def test_a_function_that_keeps_what_the_one_before_it_only_applied() -> None:
    rounds = "let G(n) = value of § let L = NIL\nfor k = 1 to n do L := Join(L, [Use[10k]])\nresult is L §"
    keeping = "let Use[substitution x] = value of § let f[y] ≡ x + y\nresult is f §"
    later = [keeping, "let A = Old(2)", "let One(f) = f(1)", "Map(One, A)"]
    assert after("let Use[substitution x] = x", rounds, "let Old = G", *later)[1] == [11, 21]


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (["let n = 1", "n := n + 1", "n"], 2),
        (["F(x) = 2x", "F(F(3))"], 12),
        (["let A = 1; let B = A + 1", "B"], 2),
        (["let F(x) = x", "let G(x) = F(x)", "let F(x) = 10x", "G(2)"], 20),
        (["let n = 1", "let m = n + 1", "let n = 50", "m"], 2),
        (["let n = 1", "F(x) = x + n", "n := 5", "F(1)"], 2),
        (["let n = 1", "F(x) ≡ x + n", "n := 5", "F(1)"], 6),
        (["let n = 1", "let P[ref x] be x := x + 1", "P[n]", "n"], 2),
        (["let n = 1"], None),
    ],
    ids=lambda each: " | ".join(each) if isinstance(each, list) else None,
)
def test_texts_make_one_program(texts: list[str], value: Any) -> None:
    assert after(*texts)[1] == value


def test_a_text_with_an_error_does_nothing() -> None:
    workspace, _ = after("let n = 1")
    for wrong in ("n := 2; Undefined(n)", "let n = 2 +", "let n = (3"):
        with pytest.raises(CplError) as caught:
            workspace.run(wrong)
        assert caught.value.diagnostics[0].span.source.text == wrong
    assert workspace.run("n") == 1


def test_what_a_text_did_before_a_fault_stays() -> None:
    workspace, _ = after("let n = 1", "let m = 1")
    with pytest.raises(CplFault, match="division by zero"):
        workspace.run("n := 2; m := 1/0; n := 3")
    assert workspace.run("[n,m]") == [2, 1]


def test_a_name_whose_value_failed_can_be_defined_again() -> None:
    workspace = Workspace()
    with pytest.raises(CplFault, match="division by zero"):
        workspace.run("let n = 1/0; F(x) = 2x")
    workspace.run("F(x) = 2x")
    assert workspace.run("F(3)") == 6


def test_a_fault_names_the_last_definition() -> None:
    workspace, _ = after("F(x) = 1/x", "F(x) = 1/x")
    with pytest.raises(CplFault) as caught:
        workspace.run("F(0)")
    assert caught.traceback[-1].frame.code.raw.co_filename == "<entry 2>"


def test_warnings_are_of_the_last_text() -> None:
    workspace, _ = after("G(x) = value of § result is x; WriteLine(x) §")
    assert [warning.code for warning in workspace.warnings] == ["unreachable"]
    assert workspace.run("G(1)") == 1
    assert workspace.warnings == []


def test_a_definition_that_no_longer_fits_is_warned_of_and_gone() -> None:
    workspace, _ = after("let F(x) = x", "K(x) = F(x)", "let F(x,y) = x + y")
    [warning] = workspace.warnings
    assert warning.code == "wrong-count" and "define it again" in (warning.help or "")
    with pytest.raises(CplError, match="K is not defined"):
        workspace.run("K(1)")
    workspace.run("K(x) = F(x,1)")
    assert workspace.run("K(1)") == 2


def test_a_fixed_value_stays_until_its_name_is_defined_again() -> None:
    """Not because its Python changes: here n gets a place that others refer to."""
    workspace, _ = after("let n = 3", "F(x) = x + n", "n := 10", "routine W(ref a) is a := a + 1", "W(n)")
    assert workspace.run("F(1)") == 4
    workspace.run("let n = 7")
    assert workspace.run("F(1)") == 8
    workspace.run("n := 20")
    assert workspace.run("F(1)") == 8


def test_traces_and_names_are_found_without_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    workspace, _ = after("F(x) = x + 1", "let n = F(2)")
    assert workspace.names == ["F", "n"]
    assert workspace.values["n"] == 3
    assert "return x + 1" in workspace.python("F")
    with pytest.raises(Invalid, match="Facts is not defined here"):
        workspace.python("Facts")
    workspace, _ = after("let n = 0", "F(x) ≡ value of § n := n + 1; result is x > 0 §")
    assert workspace.type_of("F(1)") == "Boolean"
    assert workspace.run("n") == 0
    with pytest.raises(CplError, match="expected a number, found a string"):
        workspace.type_of("1 + ‘a’")
    for no_expression in ("let x = 1", ""):
        with pytest.raises(Invalid, match="expected one expression"):
            workspace.type_of(no_expression)
    workspace, _ = after("let n = 1", "Fact(x) ≡ value of § n := n + 1; result is x = 0 → 1, x × Fact(x - 1) §")
    assert trace(workspace, "Fact(2) + 1") == "Fact(2) + 1 = 3\n  Fact(2) = 2\n    Fact(1) = 1  (1 call within)"
    assert workspace.run("n") == 4
    assert trace(workspace, "Fact( 1 )") == "Fact(1) = 1\n  Fact(0) = 1"
    workspace, _ = after("H(x) = x = 0 → 1/0, H(x - 1)")
    with pytest.raises(Invalid, match="division by zero"):
        trace(workspace, "H(1)")
    assert capsys.readouterr().out == "H(1): division by zero\n  H(0): division by zero\n"


def test_functions_of_the_library_with_own_variables_work_as_in_a_program(tmp_path: Path) -> None:
    calls = ["Random(6)", "Random(6)", "Seed(3)", "Random(10↑6)"]
    program = "Three() = value of § let a = Random(6)\nlet b = Random(6)\nSeed(3)\nresult is [a,b,Random(10↑6)] §\n"
    (tmp_path / "three.cpl").write_text(program, encoding="utf-8")
    workspace = Workspace()
    drawn = [workspace.run(call) for call in calls]
    assert [drawn[0], drawn[1], drawn[3]] == load(tmp_path / "three.cpl").Three()
