"""Types become annotations, which are true, and names where a shape recurs."""

import ast
import importlib
import io
import re
import subprocess
import sys
import types
import typing
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from itertools import count, product
from pathlib import Path
from typing import NamedTuple

import pytest
import typeguard
from case_files import read_cases
from conftest import ROOT
from cplrt import CplFault
from interactions import SHARES, programs
from typeguard._transformer import TypeguardTransformer

import cpl
from cpl.compiler import loader, pipeline
from cpl.compiler.python.execute import FAULTS

PROGRAMS = sorted(path.name for path in (ROOT / "programs").glob("*.cpl"))


class Way(NamedTuple):
    """A packaged program and how it is compiled."""

    program: str
    reading: str | None = None
    alone: bool = False

    @property
    def name(self) -> str:
        """The name of the module."""
        stem = self.program.removesuffix(".cpl").replace("-", "_")
        return f"{stem}_{self.reading or 'set'}_{'alone' if self.alone else 'with'}"


OF_1966 = [program for program in PROGRAMS if program.startswith("strachey")]
WAYS = [Way(program) for program in PROGRAMS if program not in OF_1966]
WAYS += [Way(*way) for way in product(OF_1966, (None, "arithmetic"), (False, True))]
"""Every packaged program, those of 1966 in all the ways in which they can be compiled."""


@cache
def meaning(program: str, reading: str | None) -> pipeline.Meaning:
    return pipeline.understand(loader.read(loader.find(program)), pipeline.Options(reading, repair=True))


@cache
def compiled(way: Way) -> str:
    """The text of a module. Each is compiled once in a process of a run, if a test asks for it."""
    options = pipeline.Options(standalone=way.alone, pretty=not way.alone)
    return pipeline.compile_meaning(meaning(way.program, way.reading), options).python


@pytest.fixture(autouse=True)
def _nothing_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """For programs that read their input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())


def mypy(folder: Path, *options: str) -> list[str]:
    """What mypy finds in the modules of a folder, notes apart."""
    shared = ["--config-file=", "--no-error-summary", "--python-version=3.11", "--cache-dir", ".cache"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *shared, *options, "."],
        cwd=folder,
        env={"MYPYPATH": str(ROOT / "runtime")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if ": note: " not in line]


@pytest.mark.long
def test_mypy_accepts_the_checkers_program(tmp_path: Path) -> None:
    for way in WAYS:
        if way.program in OF_1966 and not way.name.startswith("strachey_original_set"):  # cpl check refuses that
            (tmp_path / f"{way.name}.py").write_text(compiled(way), encoding="utf-8")
    assert not mypy(tmp_path, "--strict")


def test_mypy_finds_in_our_programs_what_the_page_on_types_explains(tmp_path: Path) -> None:
    for way in WAYS:
        if way.program not in OF_1966:
            (tmp_path / f"{way.name.removesuffix('_set_with')}.py").write_text(compiled(way), encoding="utf-8")
    found = Counter(line.partition(".")[0] for line in mypy(tmp_path))
    page = (ROOT / "docs" / "types.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## What mypy says of our programs")
    told = {name: int(number) for name, number in re.findall(r"^\| `([\w-]+)\.cpl` \| (\d+) \|", section, re.MULTILINE)}
    assert {name.replace("-", "_"): number for name, number in told.items()} == found
    assert sum(found.values()) <= 20


def annotations(text: str) -> Iterator[ast.expr]:
    """The annotations of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef) and node.returns:
            yield node.returns


def test_few_annotations_of_our_programs_say_any() -> None:
    """Of 2.0, it was 4.0 %."""
    written = [annotation for way in WAYS if not way.alone for annotation in annotations(compiled(way))]
    unknown = [annotation for annotation in written if re.search(r"\bAny\b", ast.unparse(annotation))]
    assert len(unknown) / len(written) <= 0.04


def test_null_tells_type_checkers_what_is_left(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(
        """\
from typing import Never
from cplrt import Null

def First(x: tuple[int, str] | list[Never]) -> int:
    if Null(x):
        return 0
    return x[0]

def Length(L: list[int]) -> int:
    if Null(L):
        return "none"
    return len(L)
""",
        encoding="utf-8",
    )
    [error] = mypy(tmp_path, "--strict")
    assert error.startswith("user.py:11:")


# Typeguard checks every argument, result and annotated variable while a program runs.

NUMBERS = count()
USES = {
    "strachey": "ChosenPosition(StartPosition)",
    "capture": "AlphaBetaMove(State([BoardOf('-wWw--www-------bbb--bBb-', 5)], White, 5), 1)",
    "checkers": "AlphaBetaMove(StartState, 2, Weights)",
    "simple-checkers": "Solve(StartBoard, 1, 2)",
}


def guarded(python: str, folder: Path) -> types.ModuleType:
    """A module that is imported with every annotation checked."""
    typeguard.config.collection_check_strategy = typeguard.CollectionCheckStrategy.ALL_ITEMS
    name = f"guarded_{next(NUMBERS)}"
    (folder / f"{name}.py").write_text(python, encoding="utf-8")
    with typeguard.install_import_hook([name]), pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        return importlib.import_module(name)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "strachey-original.cpl"])
def test_no_annotation_of_a_program_is_false(name: str, tmp_path: Path) -> None:
    module = guarded(compiled(Way(name)), tmp_path)
    if call := USES.get(name.removesuffix(".cpl")):
        eval(call, vars(module))


PATHS = ("cases", "fast", "types")
CASES = [
    case for folder in PATHS for file in sorted((ROOT / "tests" / folder).glob("*.case")) for case in read_cases(file)
]
ATTESTED = sorted((ROOT / "programs" / "attested").glob("*.cpl"))


class Outcome(NamedTuple):
    """How a program ends."""

    fails: bool
    violation: str = ""


def run(python: str, *, checked: bool, input: str = "") -> Outcome:
    """Run a module, with every annotation `checked` or with none."""
    typeguard.config.collection_check_strategy = typeguard.CollectionCheckStrategy.ALL_ITEMS
    tree = ast.parse(python)
    if checked:
        tree = ast.fix_missing_locations(TypeguardTransformer().visit(tree))
    module = types.ModuleType(f"guarded_{next(NUMBERS)}")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.setitem(sys.modules, module.__name__, module)
        patch.setattr(sys, "stdin", io.StringIO(input))
        try:
            exec(compile(tree, f"{module.__name__}.py", "exec"), vars(module))
        except typeguard.TypeCheckError as error:
            return Outcome(True, str(error))
        except SystemExit:
            return Outcome(False)
        except (CplFault, *FAULTS):
            return Outcome(True)
    return Outcome(False)


def violation(text: str, reading: str | None = None, input: str = "") -> str:
    """The annotation that is false when a program runs; a program that fails says nothing of annotations."""
    try:
        python = cpl.compile_text(text, reading=reading, pretty=False).python
    except cpl.CplError:
        return ""
    found = run(python, checked=True, input=input).violation
    return found if found and not run(python, checked=False, input=input).fails else ""


@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize("folder", PATHS)
@pytest.mark.parametrize("part", SHARES)
def test_no_annotation_of_a_case_is_false(part: int, folder: str) -> None:
    """With the applications of its functions that it shows."""
    false = {}
    for case in CASES[part::2]:
        if case.file.parent.name != folder or "error" in case.sections:
            continue
        shown = [call for call, result in case.runs if not result.startswith("fault")]
        calls = "".join(f"\nlet Z{number}z = {call}" for number, call in enumerate(shown))
        given = case.sections.get("input", "")
        for text in {case.cpl, case.cpl + calls}:
            if found := violation(text, case.reading, given):
                false[f"{case.file.stem}: {case.title}"] = found
    assert false == {}


@pytest.mark.usefixtures("deep")
def test_no_annotation_of_an_attested_program_is_false() -> None:
    found = {path.name: violation(path.read_text(encoding="utf-8")) for path in ATTESTED}
    assert not any(found.values()), found


TAKEN = "F(L) = value of § let b = NIL\n{}\nresult is b §\nlet A = F([1,2,3])"
SEVERAL = "F(s) = value of § let r = NIL\nfor x = s do r := Join([x],r)\nresult is r §\nlet A, B = F({}), F({})"
SHAPES = {
    "a member, from a list that gets shorter": TAKEN.format("until Null(L) do § b := Head(L); L := Tail(L) §"),
    "at once": TAKEN.format("until Null(L) do b, L := Head(L), Tail(L)"),
    "by Next": TAKEN.format("until Null(L) do (b,L) := Next(L)"),
    "by a function": "Rest(M) = Tail(M)\n" + TAKEN.format("until Null(L) do § b := Head(L); L := Rest(L) §"),
    "by a number": TAKEN.format("b := L[0]\nL := Tail(L)"),
    "a list that gets a member of another type": TAKEN.format(
        "until Null(L) do § b := Head(L); L := Tail(L); if b = 1 do L := Join([‘a’],L) §"
    ),
    "members of a list become the list": TAKEN.format("for x = L do b := x\nL := [b]"),
    "a result, or NIL": (
        "F(L) = Null(L) → NIL, value of § let b = NIL\nb := Head(L)\nL := Tail(L)\nresult is b §\nlet A = F([1,2])"
    ),
    "lists and strings in a loop": SEVERAL.format("[1,2]", "‘abc’"),
    "lists and arrays in a loop": SEVERAL.format("[1,2]", "Formarray[real,(0,1),[1,2]]"),
    "strings and arrays in a loop": SEVERAL.format("‘abc’", "Formarray[real,(0,1),[1,2]]"),
    "a pointer to a list": "routine R() is § let L = [1,2]\nlet p = Pointer[L]\n↓p := Head(L)\nWrite(L) §\nR()",
    "a reference to a list": "routine R[ref L] is L := Head(L)\nlet M = [1,2]\nR[M]\nWrite(M)",
    "a number that converts": "F[integer n] = n\nlet A = F(2.0)",
    "lists and tuples": "F(L) = Tail(L)\nlet A, B = F([1,2]), F((1,‘a’))",
    "a general array": "F(x) = Tail(x)\nlet V = Array[general,(0,1)]\nV[0] := (1,2)\nlet A = F(V[0])",
    "a general component": "node Box is general Item\nF(x) = Null(x) → 0, Head(x)\nlet A = F(Item[Box[(1,2)]])",
    "a table": "F(x) = x = 1 → 2, 3\nRemember(1,‘a’)\nlet A = F(Recall(1,0))",
    "a real number in a place that is declared an integer": (
        "let d = 2.5\nF[ref integer d] = Length[[16,d]]\nlet A = F[d]"
    ),
    "an application that is checked": (
        "let c = [1,2.5][1]\nlet g = λx. 5\nlet b = g(c)\n"
        "let F[ref integer c] = value of § § let e = 0; e := b §; result is g(5) §\n"
        "routine R is § let X = F[c] §"
    ),
    "a bit string for a number": "F(x) = -x\nlet g be general\ng := Logical(1)\nlet A = F(g)",
}
"""Programs that give values of types that their functions do not tell."""


@pytest.mark.parametrize("what", SHAPES)
def test_no_annotation_is_a_guess_that_the_program_refutes(what: str) -> None:
    text = SHAPES[what]
    cpl.compile_text(text)
    assert not violation(text)


WITH_NIL = {
    "a chain": "let Show[k] be until Null[k] do § WriteLine(Key[k]); k := Pre[k] §|\nShow[Knot[Knot[NIL,1],2]]",
    "a parameter, and a result": "F[Knot: k] = Null[k] → NIL, Pre[k]\nWriteLine(F[NIL], F[Knot[NIL,1]])",
    "a list of them": "F[Knot list: L] = Head[L]\nWriteLine(F[[NIL,Knot[NIL,1]]])",
    "a component that is a number": "F(k) = Key[k]\nWriteLine(F(Knot[NIL,NIL]))",
    "an element": "element Item is Knot or string\nF[Item: k] = k = NIL → 0, 1\nWriteLine(F[NIL], F[‘a’])",
    "an array, and a pointer": "F[vector v, real pointer p] = (v = NIL, p = NIL)\nWriteLine(F[NIL,NIL])",
    "of a type with a parameter": (
        "node α Chain is α : Item with α Chain : Rest\nLen(c) = Null(c) → 0, 1 + Len(Rest[c])\n"
        "F[α Chain: c] = Null(c) → NIL, Rest[c]\n"
        "WriteLine(Len(Chain[1,NIL]), Len(Chain[‘a’,NIL]), F[NIL], F[Chain[1,NIL]], F[Chain[‘a’,NIL]])"
    ),
}


@pytest.mark.parametrize("what", WITH_NIL)
def test_no_annotation_forgets_nil(what: str, tmp_path: Path) -> None:
    text = f"node Knot is Knot : Pre with integer Key\n{WITH_NIL[what]}\n"
    with redirect_stdout(io.StringIO()):
        guarded(cpl.compile_text(text).python, tmp_path)


@pytest.mark.parametrize(("first", "count"), [(0, 30), pytest.param(30, 200, marks=pytest.mark.long)])
@pytest.mark.parametrize("part", SHARES)
def test_no_annotation_of_a_random_program_is_false(part: int, first: int, count: int) -> None:
    false = {program.text: violation(program.text, program.reading) for program in programs(part, count, first)}
    found_false = {program: found for program, found in false.items() if found}
    assert not found_false


def signatures(text: str) -> dict[str, str]:
    """What stands between `def` and the colon, for every function of the top level."""
    return {
        node.name: f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.returns
    }


def test_what_one_use_needs_makes_no_number_narrower() -> None:
    """That `Max` gives a whole number for `Shift` is one use of it; `Search` applies it to −∞."""
    text = """\
Max(x,y) = x > y → x, y
Best(P,n,Value) = value of
  § let rec Search(P,n,a,b) = value of
      § if n = 0 then result is (Value(P), P)
        let v, m = −∞, P
        for k = 1 to 2 do
          § let (w,r) = Search(P, n - 1, −b, −Max(a,v))
            if −w > v then do v, m := −w, r
            if v ≥ b then break §
        result is (v,m) §
    result is Search(P, n, −∞, ∞) §
Most(L) = value of § let n = 0; for x = L do n := Max(n,Length(x)); result is Shift(Logical(1),n) §
"""
    python = cpl.compile_text(text).python
    written = signatures(python)
    assert written["Max"] == "(x: float, y: float) -> float"
    assert written["Best"].endswith(" -> tuple[float, Any]")
    assert "def Search(P: Any, n: int, a: float, b: float) -> tuple[float, Any]:" in python
    assert "    n: float" not in python


def test_a_number_is_as_wide_as_the_weights_that_only_python_gives() -> None:
    """`Shift` needs the value of `Weighed` as an integer, and `Score` is for arguments of several types; the numbers of
    `Gcd` come from Python, too, but are needed as integers.
    """
    text = """\
Score(F,x,W) = value of
  § let v = 0
    for w = W do v := v + w × F(x)
    result is v §
Half(n) = Quotient(n,2)
Size(s) = Length(s)
Other(W) = Score(Size,‘ab’,W)
Weighed(W) = Score(Half,4,W)
Most(W) = Shift(Logical(1), Weighed(W))
Gcd(a,b) = value of
  § until b = 0 do a, b := b, Remainder(a,b)
    result is a §
"""
    written = signatures(cpl.compile_text(text).python)
    assert written["Weighed"] == "(W: list[float]) -> float"
    assert written["Gcd"] == "(a: int, b: int) -> int"


@pytest.mark.long
def test_types_of_the_checkers_program_and_of_nodes_can_be_evaluated() -> None:
    texts = {way.name: compiled(way) for way in WAYS}
    actual = signatures(texts["strachey_set_with"])
    wanted = {
        "ChosenPosition": "(P: Position) -> Position | str | Nil",
        "BestPosition": "(P: Position | Nil, V: float, L: list[Position], d: int) -> tuple[Position | Nil, float]",
        "PositionValue": "(P: Position, d: int) -> float",
        "LegalPositionsFrom": "(P: Position) -> list[Position]",
        "PartialPositionList": "(P: Position, C: str, s: int, L: Logical) -> list[Position]",
        "FindMoveList": "(P: Position, C: str, s: int) -> Logical",
        "MakeMove": "(P: Position, C: str, s: int, Phi: Logical) -> Move",
        "FinalPosition": "(Ip: Move) -> Position",
        "CaptureTree": "(Ip: Move) -> Position | list[Position]",
        "PartialCapturePositionList": "(Ip: Move) -> list[Move]",
        "PCP": "(P: Position, Phi: Logical, s: int) -> Move | Nil",
        "Terminal": "(P: Position, d: int) -> bool",
        "BitCount": "(x: Logical) -> int",
    }
    assert {name: actual[name] for name in wanted} == wanted
    for line in (
        "Nil = list[Never]",
        "Position = tuple[Logical, Logical, Logical, int]",
        "Move = tuple[Logical, Logical, Logical, int, Logical]",
    ):
        assert f"\n{line}\n" in texts["strachey_set_with"]
    assert "Any" not in texts["strachey_set_with"].partition("__all__")[2]
    codes, bridge = signatures(texts["codes_set_with"]), signatures(texts["bridge_set_with"])
    assert codes["Weight"] == "(x: Leaf | Fork) -> int"
    assert codes["Count"] == "(L: Place[Link | Nil], c: str) -> None"
    assert bridge["Total"] == "(i: Place[int], a: int, b: int, Term: Callable[[], float]) -> float"
    assert '    Dot: "Leaf | Fork"\n' in texts["codes_set_with"]
    # In the text, and in a module that was made without it.
    loaded = [vars(cpl.load(name)) for name in PROGRAMS if name != "strachey-original.cpl"]
    executed = []
    for name, text in texts.items():
        names: dict[str, object] = {"__name__": name}
        exec(compile(text, f"{name}.py", "exec"), names)
        executed.append(names)
    for names in (*loaded, *executed):
        for value in [*names.values()]:
            if isinstance(value, types.FunctionType | type) and value.__module__ != "builtins":
                assert "Any_" not in repr(typing.get_type_hints(value, names))


def test_single_lines() -> None:
    for text, line in (
        ("node Knot is Knot : Pre with integer Key", '    Pre: "Knot | Nil"'),
        ("R() = value of § let b = NIL; b := ReadItem(); result is b §\nlet Best = NIL\nBest := R()", "Best: Any = []"),
        ("F(x) = x", "def F(x: Any) -> Any:"),
        ("Twice(x) = 2x; Four = Twice(2)", "def Twice(x: int) -> int:"),
        ("MakeTriple(x) = (x, x + 1, x + 2); T = MakeTriple(2)", "Triple = tuple[int, int, int]"),
        ("Triple(x) = (x, x + 1, x + 2); T = Triple(2)", "def Triple(x: int) -> tuple[int, int, int]:"),
        ("F(n) = value of § let L = NIL; L := [n]; result is L §", "    L: list[Any] = []"),
        ("routine R[ref real x] be x := x + 1", "def R(x: Place[float]) -> None:"),
        ("F(Any) = Any", "def F(Any_1: Any) -> Any:"),
        ("Any(x) = x", "def Any(x: Any_1) -> Any_1:"),
    ):
        assert f"\n{line}\n" in cpl.compile_text(text).python
