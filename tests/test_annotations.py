"""Types become annotations, which are true, and names where a shape recurs."""

import ast
import importlib
import io
import subprocess
import sys
import types
import typing
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from itertools import count
from pathlib import Path

import pytest
import typeguard
from conftest import ROOT
from cplrt import CplFault
from interactions import SHARES, programs

import cpl
from cpl import compiler, loader
from cpl.python.execute import FAULTS

PROGRAMS = sorted(path.name for path in (ROOT / "programs").glob("*.cpl"))


def modules() -> Iterator[tuple[str, str]]:
    """Every packaged program as Python, those of 1966 in all the ways in which they can be compiled."""
    for name in PROGRAMS:
        source = loader.read(loader.find(name))
        for reading in (None, "arithmetic") if name.startswith("strachey") else (None,):
            meaning = compiler.understand(source, compiler.Options(reading, repair=True))
            for alone in (False, True) if name.startswith("strachey") else (False,):
                stem = f"{name.removesuffix('.cpl').replace('-', '_')}_{reading or 'set'}"
                compiled = compiler.compile_meaning(meaning, compiler.Options(standalone=alone, pretty=not alone))
                yield f"{stem}_{'alone' if alone else 'with'}", compiled.python


@pytest.fixture(autouse=True)
def _nothing_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """For programs that read their input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return dict(modules())


@pytest.mark.long
def test_mypy_accepts_the_checkers_program(texts: dict[str, str], tmp_path: Path) -> None:
    for name, text in texts.items():
        if name.startswith("strachey") and not name.startswith("strachey_original_set"):  # cpl check refuses that
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    options = ["--strict", "--config-file=", "--no-error-summary", "--python-version=3.11", "--cache-dir", ".cache"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "."],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT / "runtime")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


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
    module = guarded(compiler.compile_source(loader.read(loader.find(name))).python, tmp_path)
    if call := USES.get(name.removesuffix(".cpl")):
        eval(call, vars(module))


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


@pytest.mark.parametrize(("first", "count"), [(0, 15), pytest.param(15, 45, marks=pytest.mark.long)])
@pytest.mark.parametrize("part", SHARES)
def test_no_annotation_of_a_random_program_is_false(part: int, first: int, count: int, tmp_path: Path) -> None:
    """Of one with which the checker finds nothing wrong."""
    for program in programs(part, count, first):
        codes = {diagnostic.code for diagnostic in cpl.check_text(program.text, reading=program.reading)}
        if codes.isdisjoint({"disagreement", "may-disagree"}):
            with redirect_stdout(io.StringIO()), suppress(SystemExit, CplFault, *FAULTS):
                python = cpl.compile_text(program.text, reading=program.reading, pretty=False).python
                guarded(python, tmp_path)


def signatures(text: str) -> dict[str, str]:
    """What stands between `def` and the colon, for every function of the top level."""
    return {
        node.name: f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.returns
    }


@pytest.mark.long
def test_types_of_the_checkers_program_and_of_nodes_can_be_evaluated(texts: dict[str, str]) -> None:
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
