"""Imports run downhill, cplrt stands alone, and only the rim touches files, the terminal and the clock."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

LEVELS = [
    {"cpl.source", "cpl.messages", "cpl.readings", "cpl.packaged", "cpl.files", "cpl.tree_dump", "cpl.collector"},
    {"cpl.diagnostics"},
    {"cpl.room"},
    {"cpl.syntax"},
    {"cpl.semantics"},
    {"cpl.types"},
    {"cpl.python"},
    {"cpl.tables"},
    {"cpl.loader"},
    {"cpl.compiler", "cpl.formatting"},
    {"cpl.draughts"},
    {"cpl.kit", "cpl.games"},
    {"cpl.cli"},
]
RIM = (
    "cpl/cli/",
    "cpl/__main__.py",
    "cpl/loader.py",
    "cpl/packaged.py",
    "cpl/files.py",
    "cpl/tables.py",
    "cpl/python/standalone.py",
)
FILES = sorted([*(ROOT / "cpl").rglob("*.py"), *(ROOT / "runtime").rglob("*.py")])


def module_of(path: Path) -> str:
    relative = path.relative_to(ROOT / "runtime" if "runtime" in path.parts else ROOT)
    return ".".join(relative.with_suffix("").parts).removesuffix(".__init__")


def level(module: str) -> int:
    for number, room in enumerate(LEVELS):
        if any(module == name or module.startswith(f"{name}.") for name in room):
            return number
    raise AssertionError(f"{module} stands on no level: add it to LEVELS")


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom(level=depth):
                assert not depth, "relative import"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_downhill(path: Path) -> None:
    module = module_of(path)
    ours = [name for name in imports(ast.parse(path.read_text(encoding="utf-8"))) if name.startswith("cpl.")]
    if module.startswith("cplrt"):
        assert not ours
        return
    if module in ("cpl", "cpl.__main__"):
        return
    for name in ours:
        if name not in ("cpl.__version__",):
            target = name if (ROOT / name.replace(".", "/")).with_suffix(".py").exists() else name.rpartition(".")[0]
            target = name if target == "cpl" else target
            assert level(target) <= level(module), f"{module} imports {name}"


def test_no_circles() -> None:
    graph: dict[str, set[str]] = {}
    names = {module_of(path) for path in FILES}
    for path in FILES:
        found = imports(ast.parse(path.read_text(encoding="utf-8")))
        graph[module_of(path)] = {
            name if name in names else name.rpartition(".")[0] for name in found if name.startswith(("cpl", "cplrt"))
        } & names - {"cpl", "cplrt"}
    while graph:
        leaves = {module for module, needed in graph.items() if not needed & graph.keys() - {module}}
        assert leaves, f"a circle among {sorted(graph)}"
        graph = {module: needed for module, needed in graph.items() if module not in leaves}


@pytest.mark.parametrize(
    "path", [path for path in FILES if "cpl" in path.parts], ids=lambda path: str(path.relative_to(ROOT))
)
def test_only_the_rim_touches_the_world(path: Path) -> None:
    text = path.relative_to(ROOT).as_posix()
    if text.startswith(RIM):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            assert called not in {"open", "print", "input", "exit", "read_text", "write_text", "read_bytes"}, called


def test_every_module_says_what_it_is() -> None:
    for path in FILES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path
