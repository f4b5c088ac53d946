"""Types become annotations, which are exact, are names where a shape recurs, and which mypy accepts."""

import ast
import subprocess
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import read_cases
from conftest import ROOT

import cpl
from cpl import compiler, loader

PROGRAMS = sorted(path.name for path in (ROOT / "programs").glob("*.cpl"))
CASES = [case for file in sorted((ROOT / "tests" / "cases").glob("*.case")) for case in read_cases(file)]


def modules() -> Iterator[tuple[str, str]]:
    """Every packaged program as Python, in all the ways in which it can be compiled."""
    for name in PROGRAMS:
        source = loader.read(loader.find(name))
        for reading in (None, "arithmetic") if name.startswith("strachey") else (None,):
            for alone in (False, True):
                stem = (
                    f"{name.removesuffix('.cpl').replace('-', '_')}_{reading or 'set'}_{'alone' if alone else 'with'}"
                )
                made = compiler.compile_source(source, reading=reading, standalone=alone, repair=True)
                yield stem, made.python


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return dict(modules())


def test_mypy_accepts_every_program_and_every_case(texts: dict[str, str], tmp_path: Path) -> None:
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    for number, case in enumerate(CASES):
        if "error" not in case.sections:
            made = cpl.compile_text(case.cpl, path="case.cpl", reading=case.reading, pretty=False)
            (tmp_path / f"case_{number}.py").write_text(made.python, encoding="utf-8")
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


def signatures(text: str) -> dict[str, str]:
    """What stands between `def` and the colon, for every function of the outermost level."""
    return {
        node.name: f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.returns
    }


def test_the_types_of_the_checkers_program(texts: dict[str, str]) -> None:
    found = signatures(texts["strachey_set_with"])
    wanted = {
        "ChosenPosition": "(P: Position) -> str | Position | Nil",
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
    assert {name: found[name] for name in wanted} == wanted
    for line in (
        "Nil = list[Never]",
        "Position = tuple[Logical, Logical, Logical, int]",
        "Move = tuple[Logical, Logical, Logical, int, Logical]",
    ):
        assert f"\n{line}\n" in texts["strachey_set_with"]
    assert "Any" not in texts["strachey_set_with"].partition("__all__")[2]


def test_nodes_places_functions(texts: dict[str, str]) -> None:
    codes, bridge = signatures(texts["codes_set_with"]), signatures(texts["bridge_set_with"])
    assert codes["Weight"] == "(x: Leaf | Fork) -> int"
    assert codes["Count"] == "(L: Place[Link], c: str) -> None"
    assert bridge["Total"] == "(i: Place[int], a: int, b: int, Term: Callable[[], float]) -> float"
    assert '    Dot: "Leaf | Fork"\n' in texts["codes_set_with"]


def test_annotations_can_be_evaluated(texts: dict[str, str]) -> None:
    """In the text, and in a module that was made without it."""
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


def test_names_of_shapes_are_new_names(texts: dict[str, str]) -> None:
    for text in texts.values():
        body = ast.parse(text).body
        after = next(
            i for i, each in enumerate(body) if isinstance(each, ast.Assign) and "__all__" in ast.unparse(each)
        )
        shapes = [each for each in body[after:] if isinstance(each, ast.Assign) and is_shape(each.value)]
        given = {each.targets[0].id for each in shapes if isinstance(each.targets[0], ast.Name)}
        others = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        others |= {node.id for each in body if each not in shapes for node in stored(each)}
        assert not given & others
        assert not given & set(ast.literal_eval(body[after].value))  # type: ignore[attr-defined]


def is_shape(value: ast.expr) -> bool:
    return isinstance(value, ast.Subscript | ast.BinOp) and ast.unparse(value).split("[")[0] in {"tuple", "list"}


def stored(statement: ast.stmt) -> Iterator[ast.Name]:
    return (each for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("F(x) = x", "def F(x: Any) -> Any:"),
        ("Twice(x) = 2x; Four = Twice(2)", "def Twice(x: int) -> int:"),
        ("MakeTriple(x) = (x, x + 1, x + 2); T = MakeTriple(2)", "Triple = tuple[int, int, int]"),
        ("Triple(x) = (x, x + 1, x + 2); T = Triple(2)", "def Triple(x: int) -> tuple[int, int, int]:"),
        ("F(n) = value of § let s = 0; s := s + 0.5n; result is s §", "    s: float = 0"),
        ("routine R[ref real x] be x := x + 1", "def R(x: Place[float]) -> None:"),
        ("F(Any) = Any", "def F(Any_1: Any) -> Any:"),
        ("Any(x) = x", "def Any(x: Any_1) -> Any_1:"),
    ],
)
def test_single_lines(text: str, line: str) -> None:
    assert f"\n{line}\n" in cpl.compile_text(text).python
