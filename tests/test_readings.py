"""Readings: how they are named, what a library keeps, and modules of different readings in one process."""

import runpy
from pathlib import Path

import cplrt
import pytest
from test_cli import run

import cpl
from cpl import compiler, readings
from cpl.source import Source


def test_names() -> None:
    assert readings.named("set") == readings.DEFAULT == readings.Reading("loose", "set", "list")
    assert readings.named("arithmetic") == readings.Reading("tight", "arithmetic", "zero")
    assert readings.named(" and=tight , nil=zero") == readings.Reading("tight", "set", "zero")
    for each in readings.ALL:
        assert readings.named(each.mixture) == readings.named(each.name) == each
    assert len({*readings.ALL}) == 8
    assert readings.ALL[0] == readings.DEFAULT


@pytest.mark.parametrize("text", ["", "sets", "and=soft", "and", "and=tight,and=loose", "set,nil=zero", "and=tight,"])
def test_what_is_no_reading(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no reading|is given twice"):
        cpl.compile_text("x = 1\n", reading=text)
    done = run("cpl", "run", "strachey.cpl", "--reading", text)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


TEXT = "F(x,y) = x - y\nMade = Logical([1,2])\n"


@pytest.mark.parametrize("alone", [False, True])
def test_modules_of_several_readings_live_together(alone: bool, tmp_path: Path) -> None:
    """What a module is given by another it takes as its own reading has it; so does a module that stands alone."""
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


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_library_keeps_the_usual_reading(interpreted: bool) -> None:
    library = Source("more.cpl", "Less(x,y) = x - y ∧ y\nNone = NIL\n")
    program = Source("mine.cpl", "Mine(x,y) = x - y ∧ y\n")

    def value(call: str) -> object:
        return compiler.evaluate(program, call, [library], reading="arithmetic", interpreted=interpreted)

    assert value("Less(Logical(12),Logical(6))") == cplrt.Logical((12 & ~6) & 6)
    assert value("Mine(Logical(12),Logical(5))") == cplrt.Logical(12 - (5 & 5))
    assert value("NIL - Logical(1)") == cplrt.Logical(-1)
    with pytest.raises(cplrt.CplFault):
        value("None - Logical(1)")


def test_what_stands_on_the_command_line_has_the_reading_of_the_program() -> None:
    call = "Logical([1,2,3,4,5]) - Logical([2,4,6])"
    for engine in ([], ["--interpreter"]):
        done = run("cpl", "run", "strachey.cpl", "--reading", "arithmetic", "--call", call, *engine)
        assert done.stdout == "~Logical([0,2,4])\n", done.stderr
        assert run("cpl", "run", "strachey.cpl", "--call", call, *engine).stdout == "Logical([1,3,5])\n"


def test_commands_take_readings_and_repairs() -> None:
    done = run("cpl", "perft", "strachey-original.cpl", "--repair", "--reading", "arithmetic", "--depth", "4")
    assert done.stdout == "7 49 302 1469\n"
    done = run("cpl", "check", "strachey.cpl", "--reading", "and=tight")
    assert (done.returncode, done.stdout) == (0, "strachey.cpl: nothing wrong\n")
    done = run(
        "cpl", "run", "strachey-original.cpl", "--repair", "--reading", "nil=zero", "--call", "NextMoveDirection(4)"
    )
    assert (done.returncode, done.stdout) == (0, "-4\n")
    assert "read with one sign changed" in done.stderr
