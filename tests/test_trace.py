"""Recorded runs: `cpl.trace`, its text and its data, and `cpl trace`."""

import io
import json
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cplrt
import pytest
from command_line import run
from cplrt import show
from screen import Screen
from test_programs import CALL as ATTESTED_CALL
from test_programs import FOLDER, LAST, TEXTS
from ways import evaluated

import cpl
from cpl.compiler import loader, pipeline
from cpl.study.run.record import Kind, Recording, record
from cpl.study.run.values import ValueTable
from cpl.study.views.steps import as_page

CALLS = {
    "bridge.cpl": "Bridge[10,20,30,40,5,6,1]",
    "capture.cpl": "Count(Logical([1,2,5]))",
    "checkers.cpl": "LegalPositionsFrom(StartPosition)",
    "codes.cpl": "Decoded[t,Signs]",
    "concordance.cpl": "Words(SymbolsOf(‘A bee sees’))",
    "macrogenerator.cpl": "Expanded[‘§DEF,A,<[~1]>;§A,x;’]",
    "endgames.cpl": "Located(Logical([5]),Logical([39,38]),1,2)",
    "derivative.cpl": "D(Formula(‘3x↑2’),‘x’)",
    "pendulum.cpl": "ByMean[1]",
    "simple-checkers.cpl": "NextBoards(StartBoard,Black)",
    "strachey-original.cpl": "NextMoveDirection(4)",
    "strachey-search.cpl": "AlphaBetaMove(StartPosition,2)",
    "strachey.cpl": "LegalPositionsFrom(StartPosition)",
}
LARGE = """
    capture.cpl checkers.cpl endgames.cpl macrogenerator.cpl pendulum.cpl simple-checkers.cpl strachey-search.cpl
""".split()
DOUBLE_JUMP = "LegalPositionsFrom((Logical([7,10]),Logical([15,24,36]),Zero,Black))"


def traced(text: str, call: str, **settings: Any) -> Recording:
    return cpl.trace(cpl.Source("mine.cpl", text), call, **settings)


class Replayed:
    """A document read step by step, as a view does: what was called, and how the variables of the calls changed."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.results: list[tuple[str, list[str], str]] = []  # of calls in the order of their ends
        self.changes: list[tuple[str, str]] = []
        self.open: list[tuple[int, list[str]]] = []  # calls that have not ended: their functions and arguments
        columns = (document["steps"][column] for column in ("kind", "span", "a", "b"))
        for step in zip(*columns, strict=True):
            self._replay(*step)

    def _replay(self, kind: int, span: int, a: int, b: int) -> None:
        if span >= 0:
            source, start, end = self.document["spans"][span]
            assert 0 <= start < end <= len(self.document["sources"][source]["cpl"])
        match kind:
            case Kind.CALL:
                self.open.append((a, []))
            case Kind.SET:
                function, arguments = self.open[-1]
                if len(arguments) < self.document["arities"][function]:
                    arguments.append(self.text(b))
                self.changes.append((self.document["names"][a], self.text(b)))
            case Kind.RETURN:
                function, arguments = self.open.pop()
                assert function == a
                assert len(arguments) == self.document["arities"][a]
                self.results.append((self.document["functions"][a], arguments, self.text(b)))

    def text(self, number: int) -> str:
        match self.document["values"][number]:
            case {"list": members}:
                return f"[{','.join(map(self.text, members))}]"
            case {"tuple": members}:
                return f"({','.join(map(self.text, members))})"
            case {"position": [*sides, mover]}:
                return f"({','.join(map(self.text, sides))},{mover})"
            case {"bits": digits}:
                ones = [str(place) for place in range(len(digits) * 4) if int(digits, 16) >> place & 1]
                return f"Logical([{','.join(ones)}])" if ones else "Logical(NIL)"
            case {"function": name}:
                return str(name)
            case text:
                return str(text)


def assert_is_right(source: cpl.Source, call: str, expected: str | None = None) -> None:
    """The recording ends with the value that the interpreter and the compiled program give, and its calls nest."""
    meaning = pipeline.understand(source, pipeline.Options(repair=True), [call])
    found = record(meaning)
    assert found.fault is None
    for interpreted in (False, True):
        *_, value = evaluated(meaning, interpreted=interpreted)
        assert show(found.result) == value == (expected or value)
    document = json.loads(json.dumps(found.to_dict()))
    replayed = Replayed(document)
    assert not replayed.open
    assert replayed.results[-1] == (found.title, [], replayed.text(document["result"]))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in LARGE)) for name in CALLS])
def test_a_packaged_program(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert_is_right(loader.read(loader.find(name)), CALLS[name])


def test_every_packaged_program_is_here(root: Path) -> None:
    assert {*CALLS} == {path.name for path in (root / "programs").glob("*.cpl")}


@pytest.mark.parametrize(
    ("name", "call", "value"),
    [(name, *each) for name in TEXTS if not TEXTS[name].impossible for each in ATTESTED_CALL.findall(LAST[name])],
)
def test_an_attested_text(name: str, call: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_is_right(loader.read(FOLDER / f"{name}.cpl"), call, value)


def test_a_call_shows_its_steps_its_python_and_values_as_they_were() -> None:
    found = traced("Twice(x) = x + x\nF(x,y) = x + Twice(y)\n", "F(1,2)").to_dict()
    steps = found["steps"]
    spans = [
        found["sources"][source]["cpl"][start:end]
        for source, start, end in (found["spans"][span] for span in steps["span"] if span >= 0)
    ]
    called, set_, value, returned = Kind.CALL, Kind.SET, Kind.VALUE, Kind.RETURN
    assert steps["kind"] == [called, called, set_, set_, called, set_, returned, value, returned, returned]
    assert spans == ["F(1,2)", "x", "y", "Twice(y)", "x", "x + x", "Twice(y)", "x + Twice(y)", "F(1,2)"]
    assert Replayed(found).results == [("Twice", ["2"], "4"), ("F", ["1", "2"], "5"), ("F(1,2)", [], "5")]
    found = traced("Twice(x) = x + x\nF(x) = x = 0 → 1,\n  Twice(x)\n", "F(1)").to_dict()
    lines = found["python"].splitlines()
    pieces = {line: lines[first - 1 : last] for source, line, first, last in found["python_lines"] if source == 0}
    assert pieces[3] == ["    return Twice(x)"]
    # Arrays and lists of variables that change later.
    text = "F() = value of § let A = Array[integer,(0,1)]\n  A[0] := 5\n  A[1] := A[0] + 1\n  result is A[1] §\n"
    found = traced(text, "F()")
    arrays = [value for name, value in Replayed(found.to_dict()).changes if name == "A"]
    assert len(arrays) == len({*arrays}) == 3
    assert "5" in arrays[1] and "6" not in arrays[1] and "6" in arrays[2]


def test_a_recording_ends_with_a_fault_or_keeps_what_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    found = traced("F(x) = value of § WriteLine(‘x is ’, x)\n  result is x §\n", "F(3)")
    assert (found.written, found.result) == ("x is 3\n", 3)
    assert capsys.readouterr().out == ""
    found = traced("F(x) = 1/x\nG(x) = F(x - 1)\n", "G(1)")
    document = found.to_dict()
    replayed = Replayed(document)
    assert found.fault == "division by zero"
    assert document["result"] is None
    assert [document["functions"][function] for function, _ in replayed.open] == ["G(1)", "G", "F"]
    assert document["steps"]["kind"][-1] == Kind.FAULT
    source, start, end = document["spans"][document["steps"]["span"][-1]]
    assert document["sources"][source]["cpl"][start:end] == "1/x"


def test_recordings_end_and_are_shown_as_text() -> None:
    for text, seconds, fault in (
        ("F(x) = value of § while true do Noted(1) §\nNoted(x) = value of § result is x §\n", 1, "not finished after"),
        ("F(x) = F(x + 1) + 1\n", 60, "the recursion goes too deep"),
    ):
        found = traced(text, "F(0)", seconds=seconds, steps=500)
        assert found.fault and found.fault.startswith(fault)
        assert found.cut and found.cut.startswith("only calls and results are recorded after step 500")
        as_page(found)
    text = "F(n) = n = 0 → 0, value of § let m = n - 1\n  result is 1 + F(m) §\n"
    full, cut = (traced(text, "F(50)", steps=steps) for steps in (100_000, 20))
    assert full.cut is None
    assert cut.cut == "only calls and results are recorded after step 20"
    assert len(cut.recorder.steps) < len(full.recorder.steps)
    assert Replayed(cut.to_dict()).results == Replayed(full.to_dict()).results
    page = as_page(cut)
    assert "Only calls and results are recorded after step 20." in page
    listings, _, _ = page.partition('<script type="application/json">')
    assert "1 + F(m)" in listings and "Lines from" not in listings, "nobody reads the map of lines"
    found = traced("F(n) = n = 0 → 0, F(n - 1) + F(n - 1)\n", "F(5)")
    assert found.tree(depth=2).splitlines() == ["F(5) = 0", *["  F(4) = 0  (30 calls within)"] * 2]
    with pytest.raises(KeyError):
        found.tree(function="G")
    text = cpl.trace("strachey.cpl", DOUBLE_JUMP).tree(depth=3, function="CaptureTree")
    assert text.splitlines()[:4] == [
        "CaptureTree((Logical([7,20]),Logical([24,36]),Logical(NIL),1,Logical([20]))) = "
        "[(Logical([36]),Logical([7,28]),Logical(NIL),-1)]",
        "  PartialCapturePositionList((Logical([7,20]),Logical([24,36]),Logical(NIL),1,Logical([20]))) = "
        "[(Logical([7,28]),Logical([36]),Logical(NIL),1,Logical([28]))]",
        "    PCP((Logical([7,20]),Logical([24,36]),Logical(NIL),1),Logical([20]),5) = NIL",
        "    PCP((Logical([7,20]),Logical([24,36]),Logical(NIL),1),Logical([20]),4) = "
        "(Logical([7,28]),Logical([36]),Logical(NIL),1,Logical([28]))",
    ]


@pytest.mark.long
def test_the_page_of_a_long_recording_is_not_too_large() -> None:
    found = cpl.trace("strachey.cpl", "ChosenPosition(StartPosition)")
    assert len(found.recorder.steps) > 100_000
    assert len(as_page(found).encode()) < 5_000_000


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("F(n) = Range(1,n)\n", "F(100000)"),
        ("F(n,L) = n = 0 → L, F(n - 1, [L,L])\n", "F(40,[1,2])"),
        (
            "node N is N : Suc with integer Key\nF() = value of § let a = N[NIL,1]\n  Suc[a] := a\n  result is a §\n",
            "F()",
        ),
        ("F(n) = n = 0 → ‘’, Join(‘abc’, F(n - 1))\n", "F(500)"),
        ("F(n) = n = 0 → 7, F(n - 1) × F(n - 1)\n", "F(14)"),
    ],
    ids=["long", "shared", "cyclic", "text", "number"],
)
def test_huge_values_are_cut(text: str, call: str) -> None:
    found = traced(text, call)
    assert len(json.dumps(found.to_dict())) < 5_000_000
    assert len(str(found)) < 50_000


def test_recordings_of_modules_and_in_several_ways(tmp_path: Path) -> None:
    text = "F(x) = x + 1\n"
    file = tmp_path / "mine.cpl"
    file.write_text(text, encoding="utf-8")
    ways = [cpl.Source("mine.cpl", text), cpl.compile_text(text), file, str(file)]
    assert [cpl.trace(way, "F(1)").result for way in ways] == [2] * 4
    with pytest.raises(cpl.CplError):
        cpl.trace(file, "F(")
    with pytest.raises(cpl.Unreadable):
        cpl.trace(tmp_path / "none.cpl", "F(1)")
    with pytest.raises(TypeError):
        cpl.trace(json, "F(1)")
    text, library = cpl.Source("f.cpl", "F(x) = G(x) + Logical([1])"), cpl.Source("g.cpl", "G(x) = x")
    game = cpl.load(text, libraries=[library], reading="arithmetic")
    assert show(cpl.trace(game, "F(Logical([1]))").result) == show(game.F(game.Logical([1]))) == "Logical([2])"
    assert traced("F(x) = x + 1\n", "F(1)")._repr_html_().startswith('<div class="cpl cpl-steps">')


def test_the_command_prints_the_tree_and_writes_json_and_a_page(tmp_path: Path) -> None:
    done = run(
        "cpl", "trace", "strachey.cpl", "--call", "RemainingPositionList(StartPosition,Capture,-4)", "--depth", "1"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("RemainingPositionList(")
    assert done.stdout.endswith(" = NIL  (6 calls within)\n")
    call = ("cpl", "trace", "strachey.cpl", "--call", "NextMoveDirection(4)")
    assert json.loads(run(*call, "--format", "json").stdout)["functions"][1] == "NextMoveDirection"
    done = run(*call, "--html", "run.html", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    html = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert html == run(*call, "--html", "-").stdout
    assert "<title>NextMoveDirection(4)</title>" in html
    done = run("cpl", "trace", "strachey.cpl", "--call", "NextMoveDirection(1/0)", "--html", "run.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "cpl trace: division by zero\n  at <call>:1:19\n")
    assert "The run fails: division by zero" in (tmp_path / "run.html").read_text(encoding="utf-8")


def test_the_command_refuses(tmp_path: Path) -> None:
    for arguments, status, said in (
        (["--call", "F("], 1, "error"),
        (["--call", "NoSuch(1)"], 1, "NoSuch"),
        (["--call", "1", "--function", "PCP"], 1, "there is no call of PCP"),
        (["--call", "1", "--html", "no/run.html"], 1, "the folder no does not exist"),
        (["--call", "1", "--html", "run.html", "--format", "json"], 2, "--html"),
        (["--call", "1", "--html", "run.html", "--depth", "2"], 2, "--depth"),
        ([], 2, "--call"),
        (["--call", "1", "--call", "2"], 2, "one --call at a time can be recorded"),
    ):
        done = run("cpl", "trace", "strachey.cpl", *arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (status, "")
        assert said in done.stderr
        assert "Traceback" not in done.stderr
        assert not [*tmp_path.iterdir()]


def test_a_program_may_fail_finish_and_read(tmp_path: Path) -> None:
    done = run("cpl", "trace", "-", "--call", "F(1)", input="let x = 1/0\nF(n) = n\n")
    assert (done.returncode, done.stderr) == (1, "cpl trace: division by zero\n  at <stdin>:1:9\n")
    done = run("cpl", "trace", "-", "--call", "F(1)", input="F(n) = n\nfinish\n")
    assert (done.returncode, done.stderr) == (0, "")
    path = tmp_path / "reads.cpl"
    path.write_text("let x = ReadItem()\nF(n) = n + x\n", encoding="utf-8")
    assert "F(1) = 6" in run("cpl", "trace", str(path), "--call", "F(1)", input="5\n").stdout


# Runs that are stopped: at the tenth turn of a loop, by what Clock does then

LOOP = """\
F(x) = value of
    § let n = x
      WriteLine(‘begins’)
      while n > 0 do
          § n := n + G(n)
            if n = 10 do n := Clock() §|
      result is n §|
G(x) = x - 1 + 2 - x
"""
TREE = "begins\nF(1): {0}\n" + "".join(f"  G({n}) = 1\n" for n in range(1, 10)) + "{1}"


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def use_up_the_time() -> None:
    for _ in range(200):  # a run is stopped later where the code is not ours
        signal.raise_signal(signal.SIGVTALRM)


def use_up_the_memory() -> None:
    raise MemoryError


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    path = tmp_path / "loop.cpl"
    path.write_text(LOOP, encoding="utf-8")
    return path


STOPS = [
    (interrupt, "interrupted", 130),
    (use_up_the_time, "not finished after 60 seconds: does it end at all?", 1),
    (use_up_the_memory, "memory ran out", 1),
]


@pytest.mark.parametrize(("stop", "reason", "status"), STOPS)
def test_what_was_recorded_and_the_line_are_shown_of_a_run_that_is_stopped(
    stop: Callable[[], None], reason: str, status: int, loop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cplrt, "Clock", stop)
    done = run("cpl", "trace", loop, "--call", "F(1)", status=status)
    assert done.stdout.startswith(TREE.format(reason, "")), done.stdout
    assert done.stderr.startswith(f"cpl trace: {reason}\n  at {loop}:6:31\n    if n = 10 do n := Clock() §|\n")
    document = json.loads(run("cpl", "trace", loop, "--call", "F(1)", "--format", "json", status=status).stdout)
    assert document["fault"] == reason
    assert Replayed(document).results == [("G", [str(n)], "1") for n in range(1, 10)]
    page = loop.with_suffix(".html")
    run("cpl", "trace", loop, "--call", "F(1)", "--html", page, status=status)
    assert reason in page.read_text(encoding="utf-8")


def test_the_line_is_shown_of_a_run_that_goes_too_deep(tmp_path: Path) -> None:
    (tmp_path / "deep.cpl").write_text("D(x) = x + D(x + 1)", encoding="utf-8")
    done = run("cpl", "trace", "deep.cpl", "--call", "D(1)", cwd=tmp_path, status=1)
    assert "D(1): the recursion goes too deep; does it ever end?\n  D(2): " in done.stdout
    assert "cpl trace: the recursion goes too deep; does it ever end?\n  at deep.cpl:1:" in done.stderr
    assert "    D(x) = x + D(x + 1)\n" in done.stderr


@pytest.mark.parametrize("how", [[], ["--interpreter"]])
@pytest.mark.parametrize(("stop", "reason", "status"), [STOPS[0], STOPS[2]])
def test_cpl_run_shows_the_line_where_it_is_stopped(
    stop: Callable[[], None], reason: str, status: int, how: list[str], loop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cplrt, "Clock", stop)
    done = run("cpl", "run", loop, "--call", "F(1)", *how, status=status)
    assert done.stdout == "begins\n"
    assert done.stderr.startswith(f"cpl run: {reason}\n  at {loop}:6:31\n    if n = 10 do n := Clock() §|\n")


def test_ctrl_c_at_a_terminal_shows_the_line_of_a_loop(tmp_path: Path) -> None:
    (tmp_path / "loop.cpl").write_text("let n = 0\nwhile true do § n := n + 1; WriteLine(n) §|\n", encoding="utf-8")
    screen = Screen("run", str(tmp_path / "loop.cpl"))
    screen.until("\r\n2\r\n")
    screen.interrupt()
    assert screen.ended() == 130
    assert "cpl run: interrupted\r\n" in screen.seen
    assert re.search(r"loop\.cpl:2:\d+\r\n    while true do § n := n \+ 1; WriteLine\(n\) §\|\r\n", screen.seen)


def test_ctrl_c_while_a_call_is_recorded_leaves_the_recording_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last call is left out if not all of its parameters are recorded."""
    meaning = pipeline.understand(
        cpl.Source("mine.cpl", "F(x,y) = x = 0 → y, F(x - 1,y)"), pipeline.DEFAULTS, ["F(9,1)"]
    )
    as_ever, left = ValueTable.number, iter(range(10))

    def number(table: ValueTable, value: Any) -> int:
        if next(left, None) is None:
            interrupt()
        return as_ever(table, value)

    for most in range(5, 25):
        left = iter(range(most))
        monkeypatch.setattr(ValueTable, "number", number)
        recording = record(meaning, keeps_interrupted=True)
        monkeypatch.undo()
        assert recording.fault == "interrupted"
        document = recording.to_dict()
        kinds, functions = document["steps"]["kind"], document["steps"]["a"]
        for at in (at for at, kind in enumerate(kinds) if kind == Kind.CALL):
            parameters = document["arities"][functions[at]]
            assert kinds[at + 1 : at + 1 + parameters] == [Kind.SET] * parameters
        Replayed(document)
        assert as_page(recording)
    with pytest.raises(KeyboardInterrupt):
        monkeypatch.setattr(ValueTable, "number", number)
        record(meaning)
