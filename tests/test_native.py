"""Native modules do what the plain ones do."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command_line import run
from cplrt import CplFault, Logical, show
from hypothesis import given as drawn
from hypothesis import strategies as st
from test_perft import PUBLISHED

import cpl
from cpl import compiler, loader
from cpl.kit.session import examples, replay
from cpl.native import build, ranges
from cpl.native.ranges import Range
from cpl.source import Source

OPERATORS: dict[str, Any] = {
    "Add": lambda x, y: x + y,
    "Sub": lambda x, y: x - y,
    "Mult": lambda x, y: x * y,
    "BitAnd": lambda x, y: x & y,
    "BitOr": lambda x, y: x | y,
    "BitXor": lambda x, y: x ^ y,
    "LShift": lambda x, n: x << n,
    "RShift": lambda x, n: x >> n,
}

BOUNDS = st.one_of(st.integers(-20, 20), st.integers(-(2**66), 2**66))


@st.composite
def members(draw: st.DrawFn) -> tuple[Range, int]:
    """A range, and a number in it."""
    least, member, most = sorted(draw(st.tuples(BOUNDS, BOUNDS, BOUNDS)))
    return Range(draw(st.sampled_from([least, None])), draw(st.sampled_from([most, None]))), member


def holds(range: Range, number: int) -> bool:
    return (range.least is None or range.least <= number) and (range.most is None or number <= range.most)


@drawn(st.sampled_from([*OPERATORS]), members(), members())
def test_what_an_operator_gives_is_in_its_range(operator: str, one: tuple[Range, int], two: tuple[Range, int]) -> None:
    if "Shift" in operator and not 0 <= two[1] <= 300:
        two = Range(-3, 300), two[1] % 300
    found = ranges.result(operator, one[0], two[0])
    assert found is not None
    assert holds(found, OPERATORS[operator](one[1], two[1]))
    assert holds(found.widened(), OPERATORS[operator](one[1], two[1]))


@drawn(members())
def test_negatives_and_complements_are_in_their_ranges(one: tuple[Range, int]) -> None:
    assert holds(ranges.negative(one[0]), -one[1])
    assert holds(ranges.complement(one[0]), ~one[1])


@pytest.fixture(scope="module")
def strachey() -> ModuleType:
    return cpl.load("strachey.cpl", native=True)


@pytest.mark.long
def test_the_recorded_session(strachey: ModuleType) -> None:
    path = str(loader.find("strachey.cpl"))
    recorded = loader.session(path)
    assert recorded
    replayed = [*replay(vars(strachey), examples(recorded))]
    assert len(replayed) == 44
    assert [each for each in replayed if not each.holds] == []


@pytest.mark.long
def test_functions_show_themselves(strachey: ModuleType) -> None:
    assert show(strachey.BitCount) == "BitCount"
    assert "SingleDigitFrom" in strachey.BitCount.__doc__


@pytest.mark.long
@pytest.mark.parametrize("program", ["strachey.cpl", "checkers.cpl"])
def test_published_counts(program: str) -> None:
    done = run("cpl", "perft", program, "--depth", "7", "--native")
    assert (done.stdout, done.stderr) == (f"{' '.join(map(str, PUBLISHED))}\n", "")


TEXT = """\
Fact(n) = n = 0 → 1, n × Fact(n - 1)
Deep(n) = 1 / Deep(n + 1)
Twice(f,x) = f(f(x))
Endless(f) = f(f)
Power(n) = Shift(Logical([1]), 1 - n)
Wide(n) = value of § let t = 1
                     let x, i = t, 0
                     while i < n do x, i := x + x, i + 1
                     result is x §
Low(n) = Power(62) ∧ ~Power(n)
High = Power(63) ∨ Power(64) ∨ Power(200)
Minus = -113
Either(b) = b → 1, true
Members(n) = n = 0 → NIL, Join([true,1,n],Members(n - 1))
Part(x) = Head(x)
Steps(n) = n = 0 → NIL, Join([n],Steps(n - 1))
Length(L) = Null(L) → 0, 1 + Length(Tail(L))
"""
CALLS = {
    "Fact(30)": "265252859812191058636308480000000",
    "Twice(Fact,3)": "720",
    "Power(31)": "Logical([31])",
    "Power(33)": "Logical([33])",
    "High": "Logical([63,64,200])",
    "Low(62)": "Logical([])",
    "Wide(62) + Wide(63) - Wide(64)": str(2**62 + 2**63 - 2**64),
    "Minus": "-113",
    "[Either(true),Either(false),Either(true) = 1]": "[1,true,true]",
    "Members(2)": "[true,1,2,true,1,1]",
    "Part((1,2))": "1",
    "[Length(Steps(3)),Length(NIL)]": "[3,0]",
}


@pytest.mark.long
def test_numbers_are_as_wide_as_they_must_be() -> None:
    meaning = compiler.understand(Source("mine.cpl", TEXT), (), [*CALLS])
    plain = [show(each) for each in compiler.evaluations(meaning)]
    assert [show(each) for each in compiler.evaluations(meaning, native=True)] == plain
    assert plain[1:] == [each.replace("Logical([])", "Logical(NIL)") for each in CALLS.values()]


@pytest.fixture(scope="module")
def mine() -> ModuleType:
    return compiler.load_source(Source("mine.cpl", TEXT), native=True)


@pytest.mark.long
@pytest.mark.parametrize("call", ["Deep(1)", "Endless(Endless)", "Fact(1⏨9)"])
def test_endless_recursion_is_a_fault(call: str, mine: ModuleType) -> None:
    name, argument = call[:-1].split("(")
    value = {"1": 1, "Endless": mine.Endless, "1⏨9": 10**9}[argument]
    for _ in range(2):
        with pytest.raises(CplFault, match="recursion"):
            getattr(mine, name)(value)
    assert mine.Fact(20) == 2432902008176640000


@pytest.mark.long
def test_what_is_given_from_outside_may_be_anything(mine: ModuleType) -> None:
    assert mine.Twice(lambda x: x + 0.5, 1) == 2
    assert mine.Fact(0.0) == 1
    with pytest.raises(CplFault, match="Head expected a list, found true"):
        mine.Part(True)


@pytest.mark.long
def test_a_constant_is_worked_out_though_its_value_is_known() -> None:
    with pytest.raises(CplFault, match="division by zero"):
        compiler.load_source(Source("mine.cpl", "x = value of § let y = 1/0\n result is 7 §|\n"), native=True)


@pytest.mark.long
def test_functions_of_one_name_in_several_branches() -> None:
    text = """\
F(n) = value of
  § let h = n > 2 → λx. x + n, n > 1 → λx. 2x, λx. 7x
    result is h[n] §|
"""
    calls = ["F(3)", "F(2)", "F(1)"]
    meaning = compiler.understand(Source("mine.cpl", text), (), calls)
    assert [*compiler.evaluations(meaning, native=True)] == [*compiler.evaluations(meaning)]


def refuse(texts: object, folder: object) -> None:
    raise build.CannotBuild


@pytest.mark.long
def test_what_was_built_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = Source("mine.cpl", "let n = 0\nlet Next[] be n := n + 1\nlet Now[] ≡ n\n")
    first = compiler.load_source(source, native=True)
    monkeypatch.setattr(build, "build", refuse)
    again = compiler.load_source(source, native=True)
    for _ in range(3):
        again.Next()
    assert (first.Now(), again.Now()) == (0, 3)
    folder = tmp_path / "cplc" / "native"
    assert folder.stat().st_mode & 0o077 == 0
    [file] = folder.iterdir()
    file.chmod(0o666)  # somebody else may have written it
    with pytest.raises(build.CannotBuild):
        compiler.load_source(source, native=True)


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    done = run("cplc", "--native", "strachey.cpl", "-o", "fast", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "cplc: native modules need a C compiler, and no-such-compiler was not found: install gcc or clang\n"
    )
    monkeypatch.setitem(sys.modules, "mypyc", None)
    with pytest.raises(build.CannotBuild, match="pip install"):
        build.build({"one": ""}, tmp_path)
    monkeypatch.setitem(sys.modules, "mypy.version", None)
    with pytest.raises(build.CannotBuild, match="pip install"):
        build.prepared("")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["not-a-name", "class", "-"])
def test_a_module_needs_a_name(name: str) -> None:
    done = run("cplc", "--native", "strachey.cpl", "-o", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert "a name for a module of Python" in done.stderr


@pytest.mark.parametrize("name", ["random", "types", "cplrt"])
def test_a_module_hides_none_that_python_needs(name: str, tmp_path: Path) -> None:
    done = run("cplc", "--native", "strachey.cpl", "-o", name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"cplc: --native: {name} would hide a module that Python needs: give -o another name\n"


def test_an_error_of_the_cache_names_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cplc").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "made").mkdir()
    for command in (("cplc", "--native", "-", "-o", "fast"), ("cpl", "perft", "strachey.cpl", "--native")):
        done = run(*command, input="F(x) = x\n", cwd=tmp_path / "made")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.endswith(f": {tmp_path / 'cplc'}: file exists\n")


@pytest.mark.long
def test_an_extension_module_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("cplc", "--native", "-", "-o", "ones", input="Ones(x) = Shift(x,0) ∨ Logical([1])\n", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"cplc: built ones{build.SUFFIX}\n"
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("ones")
    assert module.__all__ == ["Logical", "Ones", "Shift"]
    assert module.Ones(Logical([3])) == Logical([1, 3])
