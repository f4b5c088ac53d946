"""Readings: how they are named, what a library keeps, modules of different ones; and the positions to try them on."""

import json
import re
import runpy
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cplrt
import pytest
from command_line import run
from cplrt import Logical
from cplrt.checkers import board
from screen import Screen
from ways import IN_PYTHON, Ways

import cpl
from cpl.cli import cpl as cli
from cpl.compiler import pipeline, readings
from cpl.compiler.diagnostics import Error
from cpl.compiler.loader import find, read
from cpl.compiler.source import Source
from cpl.games.position import Position
from cpl.limits import MOST_PLIES_AT_RANDOM
from cpl.study.compare.citation import CitedProgram
from cpl.study.compare.experiment import Experiment, Tally
from cpl.study.compare.inputs import played, scattered, smaller
from cpl.study.compare.inputs import positions as drawn
from cpl.study.compare.readings_table import Reference, corrected, corrections_of, mended, needed
from cpl.study.compare.recorded import examples, replay
from cpl.study.compare.report import Labelled, as_text
from cpl.study.run.record import Call
from cpl.study.run.values import same


def test_readings_have_names() -> None:
    assert readings.named("set") == readings.DEFAULT == readings.Reading("loose", "set", "list")
    assert readings.named("arithmetic") == readings.Reading("tight", "arithmetic", "zero")
    assert readings.named(" and=tight , nil=zero") == readings.Reading("tight", "set", "zero")
    assert readings.named(" arithmetic ") == readings.ARITHMETIC
    assert readings.named("shift=up").mixture == "and=loose,plusminus=set,nil=list,shift=up"


def test_a_shift_is_named_if_it_is_not_the_usual_one() -> None:
    three = "and=tight,plusminus=set,nil=zero"
    assert readings.named(three) == readings.named(f"{three},shift=down") == readings.Reading("tight", "set", "zero")
    assert readings.named(three).mixture == three and readings.named(three).values["shift"] == "down"


def test_a_name_of_no_reading_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="'set,nil=zero' is not a reading: give set or arithmetic"):
        readings.named("set,nil=zero")


def test_all_sixteen_readings_are_named_by_their_parts() -> None:
    for each in readings.ALL:
        assert readings.named(each.mixture) == readings.named(each.name) == each
    assert len({*readings.ALL}) == 16
    assert readings.ALL[0] == readings.DEFAULT
    assert [reading.shift for reading in readings.ALL] == ["down"] * 8 + ["up"] * 8


@pytest.mark.parametrize("text", ["", "sets", "and=soft", "and", "and=tight,and=loose", "set,nil=zero", "and=tight,"])
def test_what_names_no_reading_compiles_nothing(text: str) -> None:
    with pytest.raises(ValueError, match="is not a reading"):
        cpl.compile_text("x = 1\n", reading=text)


def test_a_command_refuses_what_names_no_reading() -> None:
    done = run("cpl", "run", "strachey.cpl", "--reading", "and=soft")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a reading" in done.stderr and "Traceback" not in done.stderr


def test_a_call_on_the_command_line_has_the_reading_of_the_program() -> None:
    call = "Logical([1,2,3,4,5]) - Logical([2,4,6])"
    for engine in ([], ["--interpreter"]):
        for reading, shown in (("arithmetic", "~Logical([0,2,4])\n"), ("set", "Logical([1,3,5])\n")):
            assert run("cpl", "run", "strachey.cpl", "--reading", reading, "--call", call, *engine).stdout == shown


REPAIRED = ("strachey-original.cpl", "--repair", "--reading")


def test_moves_are_counted_under_a_reading() -> None:
    assert run("cpl", "perft", *REPAIRED, "arithmetic", "--depth", "4").stdout == "7 49 302 1469\n"


def test_a_repaired_program_runs_under_a_reading() -> None:
    done = run("cpl", "run", *REPAIRED, "nil=zero", "--call", "NextMoveDirection(4)")
    assert (done.returncode, done.stdout) == (0, "-4\n")
    assert done.stderr.count("\n") == 1 and "27:63: this does not compile; cplc inserted `)` after" in done.stderr


TEXT = "F(x,y) = x - y\nMade = Logical([1,2])\n"


@pytest.mark.parametrize("alone", [False, True])
def test_modules_of_several_readings_live_together(alone: bool, tmp_path: Path) -> None:
    """What one module made another takes as its own reading has it; so does a module that stands alone."""
    loaded = {}
    beside = tmp_path / "mine.cpl"
    (tmp_path / "programs.toml").write_text('["mine.cpl"]\nhost = "checkers"\n', encoding="utf-8")
    for reading in ("set", "arithmetic"):
        out = tmp_path / f"{reading}.py"
        compiled = cpl.compile_text(TEXT, path=str(beside), reading=reading, standalone=alone)
        out.write_text(compiled.python, encoding="utf-8")
        loaded[reading] = runpy.run_path(str(out))
    sets, numbers = loaded["set"], loaded["arithmetic"]
    assert list(sets["F"](sets["Made"], sets["Logical"]([2, 3]))) == [1]
    assert int(numbers["F"](numbers["Made"], numbers["Logical"]([2, 3]))) == 6 - 12
    if not alone:
        assert list(sets["F"](numbers["F"](numbers["Made"], numbers["Logical"](0)), numbers["Logical"]([2, 3]))) == [1]
        assert int(numbers["F"](sets["Made"], sets["Logical"]([2, 3]))) == 6 - 12
    difference = numbers["Logical"]([1, 2]) - numbers["Logical"]([2, 3])  # typed in Python, in the module's own terms
    assert int(difference + numbers["Logical"](1)) == -5


@pytest.mark.parametrize("way", IN_PYTHON)
def test_a_library_keeps_the_usual_reading_and_the_type_of_bit_strings_is_none(
    way: str, ways: Callable[..., Ways]
) -> None:
    library = Source("more.cpl", "Less(x,y) = x - y ∧ y\nNone = NIL\n")
    program = Source("mine.cpl", "Mine(x,y) = x - y ∧ y\n")

    wanted = {
        "Less(Logical(12),Logical(6))": cplrt.Logical((12 & ~6) & 6),
        "Mine(Logical(12),Logical(5))": cplrt.Logical(12 - (5 & 5)),
        "NIL - Logical(1)": cplrt.Logical(-1),
    }
    found = ways(program, "arithmetic", [*wanted, "None - Logical(1)"], libraries=[library]).outcome(way)
    *values, fault = found.values
    assert values == [*map(cplrt.show, wanted.values())]
    assert fault.startswith("fault: ")
    for call in ("~Logical", "Logical(1) ∧ Logical", "Logical(1) - Logical", "Logical ≡ Logical(1)"):
        [fault] = ways("X = 1\n", calls=[call]).outcome(way).values
        assert re.match(r"fault: .*(bit string|cannot be applied to)", fault)


@pytest.mark.parametrize("alone", [False, True])
def test_a_library_keeps_it_whoever_made_the_bit_strings(alone: bool, tmp_path: Path) -> None:
    """Also those that Python made with the program's own `Logical`."""
    (tmp_path / "programs.toml").write_text('["mine.cpl"]\nhost = "checkers"\n', encoding="utf-8")
    library = Source("more.cpl", "Less(x,y) = x - y\nMore(x,y) = x + y\nFewer(x) = x - SingleDigitFrom(x)\n")
    text = "Mine(x,y) = (Less(x,y),More(x,y),x - y,x + y,Less(5,3),More(5,3))\n"
    options = {"path": str(tmp_path / "mine.cpl"), "reading": "arithmetic", "standalone": alone}
    out = tmp_path / "out.py"
    out.write_text(cpl.compile_text(text, libraries=[library], **options).python, encoding="utf-8")
    names = runpy.run_path(str(out))
    assert [int(each) for each in names["Mine"](names["Logical"](12), names["Logical"](6))] == [8, 14, 6, 18, 2, 8]
    assert int(names["Fewer"](names["Logical"](12))) == 8


def test_a_program_that_does_not_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cpl.study.compare.readings_table.RUN_SECONDS", 0.02)
    loop = "LegalPositionsFrom(P) = value of § let x = 0; until false do x := x + 1; result is x §|\n"
    (tmp_path / "loop.cpl").write_text(loop, encoding="utf-8")
    found = cli.main(["readings", str(tmp_path / "loop.cpl"), "--against", "strachey.cpl", "--positions", "50", "-v"])
    assert found == 0
    assert capsys.readouterr().out.count("given up after 3 positions: the program does not end") == 8


def compared(*more: str, status: int = 0) -> dict[str, Any]:
    done = run("cpl", "readings", "strachey-original.cpl", "--against", "strachey.cpl", "--format", "json", *more)
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def against_the_corrected() -> Any:
    """The printed text under each reading against the corrected one."""
    return compared("--positions", "120", "--cite")


@pytest.mark.long
def test_exactly_one_reading_of_the_printed_text_does_what_the_corrected_one_does(against_the_corrected: Any) -> None:
    found = against_the_corrected
    assert found["agreeing"] == ["and=tight,plusminus=arithmetic,nil=zero"]
    assert len(found["readings"]) == 16
    usual = found["readings"][:8]
    assert [len(each["examples_that_fail"]) for each in usual] == [21, 6, 22, 6, 21, 4, 21, 1]


@pytest.mark.long
def test_the_printed_text_resigns_at_once_if_shifts_go_up(against_the_corrected: Any) -> None:
    others = against_the_corrected["readings"][8:]
    for each in others:
        assert each["shift"] == "up" and each["resigns"] and not each["witnesses"]
        assert each["same"] == each["different"] == each["failed"] == 0


@pytest.mark.long
def test_positions_under_a_reading_agree_or_have_a_witness(against_the_corrected: Any) -> None:
    for each in against_the_corrected["readings"][:8]:
        assert each["shift"] == "down" and "resigns" not in each
        assert each["same"] + each["different"] + each["failed"] == 120
        kinds = [kind for kind in ("different", "failed") if each[kind]]
        assert sorted(witness["kind"] for witness in each["witnesses"]) == kinds
        assert (each["nil"] == "list") == (each["failed"] > 0)


@pytest.mark.long
def test_witnesses_against_a_reading_are_small_and_differ(
    against_the_corrected: Any, ways: Callable[..., Ways]
) -> None:
    printed, other = (read(find(name)) for name in ("strachey-original.cpl", "strachey.cpl"))
    source = mended(pipeline.understand(printed, pipeline.Options(repair=True)))
    for each in against_the_corrected["readings"][:8]:
        reading = ",".join(f"{key}={each[key]}" for key in readings.KEYS)
        for witness in each["witnesses"]:
            assert witness["call"].startswith("MakeMove(")
            assert witness["here"] != witness["there"]
            assert witness["here"].startswith("a fault: ") == (witness["kind"] == "failed")
            assert witness["position"].count("[") <= 3, "one piece, or two where one is taken"
            call = f"LegalPositionsFrom({witness['position']})"
            [here] = ways(source, reading, [call]).outcome("plain").values
            [there] = ways(other, calls=[call]).outcome("plain").values
            assert here != there
            assert "fault: " not in here + there or witness["kind"] == "failed"


@pytest.mark.parametrize("name", ["strachey.cpl", pytest.param("strachey-original.cpl", marks=pytest.mark.long)])
def test_no_move_is_legal_from_the_start_where_a_shift_to_the_right_goes_up(name: str) -> None:
    """Of both texts, and whatever else is read how: the program moves against its glossary."""
    for reading in readings.ALL[8:]:
        game = cpl.load(name, repair=True, reading=reading)
        assert game.LegalPositionsFrom(game.StartPosition) == []
        assert game.ChosenPosition(game.StartPosition) == game.Resign
        for shift, arrival in (("up", 11), ("down", 19)):
            usual = cpl.load(name, repair=True, reading=replace(reading, nil="zero", shift=shift))
            move = usual.MakeMove(usual.StartPosition, usual.NonCapture, 4, Logical([15]))
            assert move[4] == Logical([arrival]), "a man of Black on 15, one step"


def shifted(tmp_path: Path, text: str, *more: str) -> str:
    """The report on a program of positions that is compared with one that shifts by 4 to the left."""
    start = "StartPosition = (Logical([5]),Logical([39]),Logical(0),1)\nLegalPositionsFrom(P) = value of\n"
    start += "  § let (X,Y,K,σ) = P\n    result is Next(X) §|\n"
    for file, made in (("mine.cpl", text), ("other.cpl", "Next(x) = [(Shift(x,-4),x,x,1)]\n")):
        (tmp_path / file).write_text(start.replace("Next", "After") + made.replace("Next", "After"), encoding="utf-8")
    done = run("cpl", "readings", "mine.cpl", "--against", "other.cpl", "--positions", "3", *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readings_of_shift_have_one_line_or_rows_of_their_own(tmp_path: Path) -> None:
    """One line if they all resign or all do the same; else a row for each."""
    signs = "and=loose,plusminus=set,nil=list"
    same = shifted(tmp_path, "Next(x) = [(Logical(0),x,x,1)]\n")
    assert same.count("plusminus=") == 8 and "\nshift=up                                  the same in all eight" in same
    resigns = shifted(tmp_path, "Next(x) = Null(Shift(x,1) ∧ Logical([4])) → NIL, [(Shift(x,-4),x,x,1)]\n", "-v")
    assert "\nshift=up                                  all eight resign at once: no move is legal from" in resigns
    assert f"\n{signs},shift=up\n  resigns at once: no move is legal from the start\n" in resigns
    other = shifted(tmp_path, "Next(x) = [(Shift(x,4),x,x,1)]\n")
    assert "\nshift=up" not in other and other.count(",shift=up      ") == 8
    assert other.splitlines()[-1].startswith(f"8 readings agree on every position: {signs},shift=up; ")


CITED = """\
F(x) = x
StartPosition = (Logical([5]),Logical([40]),Logical(0),1)
LegalPositionsFrom(P) = value of
  § let (X,Y,K,σ) = P
    result is [(Y,X,K,-σ)] §|
"""


def test_a_citation_has_all_that_is_needed_to_find_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text(CITED, encoding="utf-8")
    (tmp_path / "b.cpl").write_text("get ‘c.cpl’\n" + CITED.replace("F(x) = x\n", ""), encoding="utf-8")
    (tmp_path / "c.cpl").write_text("G(x) = x\n", encoding="utf-8")
    (tmp_path / "programs.toml").write_text('["a.cpl"]\ndate = "1966"\nsource = "Mine"\nlicence = "MIT"\n', "utf-8")
    command = ("cpl", "readings", "a.cpl", "--against", "b.cpl", "--positions", "3", "--seed", "5")
    shown = run(*command, "--cite", cwd=tmp_path).stdout.partition("To cite this:\n")[2].splitlines()
    hashes = {name: sha256((tmp_path / name).read_bytes()).hexdigest() for name in ("a.cpl", "b.cpl", "c.cpl")}
    assert shown[:8] == [
        f"  software cplc {cpl.__version__}",
        "  text     a.cpl. 1966. Mine.",
        f"  SHA-256  {hashes['a.cpl']}",
        "  against  b.cpl",
        f"  SHA-256  {hashes['b.cpl']}",
        "  with     c.cpl",
        f"  SHA-256  {hashes['c.cpl']}",
        "  compared LegalPositionsFrom at 3 positions, seed 5",
    ]
    assert shown[8] == "  reading  and=loose,plusminus=set,nil=list: 3 same, 0 different, 0 failed"
    assert len(shown) == 16, "all eight agree"
    data = json.loads(run(*command, "--cite", "--format", "json", cwd=tmp_path).stdout)
    assert data["citation"]["version"] == cpl.__version__
    assert data["citation"]["against"]["with"] == [{"name": "c.cpl", "provenance": "", "sha256": hashes["c.cpl"]}]
    counts = {"same": 3, "different": 0, "failed": 0}
    assert data["citation"]["readings"][0] == {"reading": "and=loose,plusminus=set,nil=list"} | counts
    assert "citation" not in json.loads(run(*command, "--format", "json", cwd=tmp_path).stdout)


def test_a_citation_of_the_printed_text_names_its_source_and_its_repair() -> None:
    program, against = (
        CitedProgram.of(pipeline.understand(read(find(name)), pipeline.Options(repair=True)))
        for name in ("strachey-original.cpl", "strachey.cpl")
    )
    assert program.text.provenance.startswith("1966. C. Strachey, System Analysis and Programming, ")
    assert [other.name for other in program.others] == ["library/checkers-1966.cpl"]
    [repair] = program.repairs
    assert repair.startswith("inserted `)`") and not against.repairs


@pytest.mark.long
def test_the_reading_that_agrees_is_cited_or_else_the_nearest(against_the_corrected: Any) -> None:
    cited = against_the_corrected["citation"]["readings"]
    assert cited == [{"reading": "and=tight,plusminus=arithmetic,nil=zero", "same": 120, "different": 0, "failed": 0}]


def test_corrections_of_any_program() -> None:
    """Two ways to be right, in one definition twice; what is no correction is told."""
    before = pipeline.understand(Source("a.cpl", "F(x) = [x + 1,x + 2,x + 1]\nG(x) = x - 1\n"))
    after = pipeline.understand(Source("b.cpl", "F(x) = [(x - 1),x + 2,(x - 1)]\nG(x) = x\n"))
    found = corrections_of(before, after)
    assert [(each.definition, each.before, each.after, len(each.edits)) for each in found] == [
        ("F", "x + 1", "x - 1", 2),
        ("G", "x - 1", "x", 1),
    ]
    assert corrected(before.main.source, found).text == "F(x) = [(x - 1),x + 2,(x - 1)]\nG(x) = x\n"
    more = pipeline.understand(Source("c.cpl", "F(x) = [x + 1,x + 2,x + 1]\nG(x) = x - 1\nH(x) = x\n"))
    with pytest.raises(Error, match="H is added as a whole"):
        corrections_of(before, more)
    made = {0: "F(x) = x\n", 1: "F(x) = x + 1\n"}
    reference = Reference(pipeline.load(Source("r.cpl", "F(x) = x + 1\n")), "F", [1, 2, 3])
    modules = {number: pipeline.load(Source("m.cpl", text)) for number, text in made.items()}
    assert [*needed(found, lambda chosen: modules[bool(chosen)], reference)] == [(found[0],), (found[1],)]


@pytest.mark.long
def test_a_wrong_program_agrees_under_no_reading(tmp_path: Path) -> None:
    assert run("cpl", "copy", "strachey.cpl", ".", cwd=tmp_path).returncode == 0
    wrong = tmp_path / "strachey.cpl"
    wrong.write_text(wrong.read_text(encoding="utf-8").replace("(s = 5) → 4", "(s = 5) → 5"), encoding="utf-8")
    (tmp_path / "strachey.doctest").write_text("Nothing.\n", encoding="utf-8")
    against = find("strachey.cpl")
    done = run("cpl", "readings", "strachey.cpl", "--against", against, "--positions", "1", "--verbose", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "No reading agrees on every position." in done.stdout
    assert done.stdout.count("NextMoveDirection(5)\n    here it gives  5\n    there it gives 4") == 8
    (tmp_path / "strachey.doctest").write_text(">>>bad\n", encoding="utf-8")
    done = run("cpl", "readings", "strachey.cpl", "--against", against, "--positions", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("cpl readings: the examples are not understood: ")


def test_programs_that_cannot_be_compared(tmp_path: Path) -> None:
    for text, said in (
        ("", "defines no LegalPositionsFrom"),
        ("LegalPositionsFrom(P) = LegalPositionsFrom(P)\n", "fails at a position of play"),
        ("LegalPositionsFrom(P) = [(P,P)]\n", "is not a list of positions"),
        ("LegalPositionsFrom(P,Q) = NIL\n", "LegalPositionsFrom got one argument too few"),
    ):
        other = tmp_path / "other.cpl"
        other.write_text(text + "StartPosition = (Logical(32),Logical(64),Logical(0),1)\n", encoding="utf-8")
        for file in ("strachey.cpl", "nix.cpl", *([] if text else ["pendulum.cpl"])):
            done = run("cpl", "readings", file, "--against", str(other), "--positions", "5")
            assert (done.returncode, done.stdout) == (1, "")
            assert (said if file != "nix.cpl" else "no such file") in done.stderr
            assert "Traceback" not in done.stderr


def test_session(tmp_path: Path) -> None:
    done = run("cpl", "session", "strachey-original.cpl", "--repair", "--reading", "arithmetic")
    assert done.returncode == 1
    assert done.stdout.endswith("found    ~Logical([0, 2, 4])\n43 of 44 examples hold\n")
    assert run("cpl", "session", "strachey.cpl").stdout == "44 of 44 examples hold\n"
    (tmp_path / "mine.cpl").write_text("F(x) = x + 1\nG(x) = Head(x)\n", encoding="utf-8")
    done = run("cpl", "session", "mine.cpl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, ""), "no examples were recorded with it"
    session = tmp_path / "mine.doctest"
    session.write_text(">>> F(1)\n2\n\n>>> y = F(2)\n\n>>> y\n4\n\n>>> G([])\n1\n", encoding="utf-8")
    done = run("cpl", "session", "mine.cpl", "--from", session, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(
        "line 6: y\n  expected 4\n  found    3\nline 9: G([])\n  expected 1\n  found    cplrt.faults.CplFault"
    )
    assert done.stdout.endswith("2 of 4 examples hold\n")
    for text, said in ((">>>F(1)\n2\n", "not understood"), ("Nothing.\n", "cpl session: found no examples")):
        session.write_text(text, encoding="utf-8")
        done = run("cpl", "session", "mine.cpl", "--from", session, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr


def test_what_examples_write_does_not_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "mine.cpl").write_text("F(x) = x\n", encoding="utf-8")
    session = tmp_path / "mine.doctest"
    session.write_text('>>> print(chr(27) + "[31mred")\nred\n', encoding="utf-8")
    screen = Screen("session", str(tmp_path / "mine.cpl"), "--from", str(session))
    assert screen.ended() == 1
    assert "found    <U+001B>[31mred\r\n" in screen.seen
    facts = Labelled("this recorded example fails: F(1)", [("expected", "1"), ("found", "2\n3")], indent="  ")
    assert as_text([facts]).endswith("    expected 1\n    found    2\n             3\n")


def test_examples_that_do_not_parse_are_skipped_or_never_end() -> None:
    module = pipeline.load(Source("mine.cpl", "F(x) = Null(x) → 1, F(x - Logical(1))\n"))
    text = ">>> 1 +\n2\n>>> import sys; sys.exit()\n>>> 2 # doctest: +SKIP\n3\n>>> F(Logical(2))\n1\n>>> 4\n4\n"
    found = [*replay(vars(module) | {"Logical": cplrt.Logical}, examples(text), seconds=1)]
    assert [(each.line, each.holds) for each in found] == [(1, False), (3, False), (6, False), (8, True)]
    assert found[0].found.startswith("SyntaxError: ")
    assert found[2].found.startswith(("cplrt.faults.TooDeep: ", "not finished after 1 seconds"))
    [endless] = replay({}, examples(">>> while True: pass\n"), seconds=0.1)
    assert (endless.holds, endless.found) == (False, "not finished after 0.1 seconds: does it end at all?")


def test_a_constant_that_fails_under_some_readings_only(tmp_path: Path) -> None:
    """Those readings fail on every position; what the program writes by itself is not shown."""
    text = "All = Logical([5]) - NIL\nWriteLine(‘words’)\nStartPosition = (All,Logical([39]),Logical(0),1)\n"
    for name, moves in (("one", "NIL"), ("other", "[P]")):
        (tmp_path / f"{name}.cpl").write_text(f"{text}LegalPositionsFrom(P) = {moves}\n", encoding="utf-8")
    against = tmp_path / "against.cpl"
    against.write_text((tmp_path / "one.cpl").read_text("utf-8").replace("NIL\nW", "Logical(0)\nW"), encoding="utf-8")
    done = run("cpl", "readings", str(tmp_path / "one.cpl"), "--against", str(against), "--positions", "3", "-v")
    assert done.returncode == 0, done.stderr
    assert "words" not in done.stdout
    assert done.stdout.count("fails before anything can be compared: ") == 4
    assert done.stdout.count(" 3          0       0\n") == done.stdout.count(" 0          0       3\n") == 4
    other = tmp_path / "other.cpl"
    other.write_text(other.read_text("utf-8").replace("NIL\nW", "Logical(0)\nW"), encoding="utf-8")
    more = ("--positions", "3", "--corrections", "--format", "json")
    done = run("cpl", "readings", str(tmp_path / "one.cpl"), "--against", str(other), *more)
    found = json.loads(done.stdout)["readings"]
    assert [each["same"] for each in found] == [0] * 16
    assert ["broken" in each for each in found] == [each["nil"] == "list" for each in found]
    wrong = ["All: NIL → Logical(0)", "LegalPositionsFrom: NIL → [P]"]
    assert [each["corrections_needed"] for each in found] == [
        [wrong if each["nil"] == "list" else wrong[1:]] for each in found
    ]


COUNT = 1000


@pytest.fixture(scope="module")
def positions(game) -> list[Position]:
    return [*drawn(game.LegalPositionsFrom, game.StartPosition, COUNT)]


def pieces(position: Position) -> int:
    return len([*position[0], *position[1]])


def test_positions_are_as_many_as_are_asked_for_by_a_seed(game, positions: list[Position]) -> None:
    assert len(set(positions)) == len(positions) == COUNT
    assert [len([*drawn(game.LegalPositionsFrom, game.StartPosition, count)]) for count in (0, 1)] == [0, 1]
    assert [*drawn(game.LegalPositionsFrom, game.StartPosition, COUNT)] == positions
    other = [*drawn(game.LegalPositionsFrom, game.StartPosition, COUNT, seed=1)]
    assert len({*positions, *other}) > 1.8 * COUNT


def test_positions_are_of_checkers(game, positions: list[Position]) -> None:
    squares, last = Logical(board), {1: game.Squares(36, 39), -1: game.Squares(5, 8)}
    for own, other, kings, mover in positions:
        assert not own & other and not kings - (own | other) and not (own | other) - squares
        assert not (own & last[mover]) - kings and not (other & last[-mover]) - kings, "a man where he would be a king"
        assert all(len([*each]) <= 12 for each in (own, other))


def test_half_of_the_positions_come_from_games(game, positions: list[Position]) -> None:
    reached = {*islice(played(game.LegalPositionsFrom, game.StartPosition, Random(0)), 10 * COUNT)}
    assert sum(position in reached for position in positions) >= COUNT // 2


def test_positions_at_random_have_both_colours() -> None:
    assert all(own and other for own, other, _, _ in islice(scattered(Random(0)), COUNT)), "both colours"


def test_games_without_moves_or_end_have_positions_too(game) -> None:
    assert len([*drawn(lambda position: [], game.StartPosition, 50)]) == 50
    assert len([*drawn(lambda position: [position], game.StartPosition, 50)]) == 50
    endless = played(lambda position: [position], game.StartPosition, Random(0))
    assert len([*islice(endless, MOST_PLIES_AT_RANDOM)]) == MOST_PLIES_AT_RANDOM


def test_positions_have_all_that_rules_are_about(game, positions: list[Position]) -> None:
    seen: Counter[str] = Counter()
    for position in positions:
        own, _, kings, mover = position
        after = game.LegalPositionsFrom(position)
        taken = max((pieces(position) - pieces(each) for each in after), default=0)
        seen["no move"] += not after
        seen["a capture"] += taken > 0
        seen["several captures"] += taken > 1
        seen["more than two captures"] += taken > 2
        seen["a king to move"] += bool(kings & own)
        seen["men only"] += not kings
        seen["a man is crowned"] += any(len([*each[2] & each[1]]) > len([*kings & own]) for each in after)
        seen["Black to move"] += mover == 1
        seen["White to move"] += mover == -1
        seen["up to six pieces"] += pieces(position) <= 6
        seen["fourteen pieces and more"] += pieces(position) >= 14
    assert seen["no move"] >= 2 and seen["more than two captures"] >= COUNT // 100, seen
    assert seen["several captures"] >= COUNT // 20 and seen["a man is crowned"] >= COUNT // 20, seen
    rare = {"no move", "more than two captures", "several captures", "a man is crowned"}
    assert all(count >= COUNT // 10 for what, count in seen.items() if what not in rare), seen


def test_the_smallest_witness_is_found_and_made_smaller() -> None:
    tally = Tally(((len(case) > 1, case) for case in ("aaa", "bb", "c", "dd", "e")), len)
    assert (tally.counts, tally.smallest(True)) == ({True: 3, False: 2}, "bb")
    assert (tally.smallest(True, False), tally.smallest(None)) == ("c", None)
    start = Logical([5, 6, 7]), Logical([30, 32]), Logical([6]), 1

    def run(position: Position, recorded: bool) -> tuple[Call, Call]:
        left, right = (Call(function="F", arguments=(position,), result=result) for result in (6 in position[0], False))
        return left, right

    found, pairs = Experiment(run, smaller, same).witness(start)
    assert (pieces(found), [*found[0]], [*found[2]], len(pairs)) == (1, [6], [], 1)
    assert pieces(Experiment(run, smaller, same, most_work=2).witness(start)[0]) == 4
