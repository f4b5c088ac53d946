"""Imports run downhill, cplrt stands alone, and only the rim touches files, the terminal and the clock."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from conftest import ROOT

LEVELS = [
    {"cpl.records"},
    {"cpl.source", "cpl.messages", "cpl.readings", "cpl.packaged", "cpl.files", "cpl.tree_dump", "cpl.display"},
    {"cpl.diagnostics"},
    {"cpl.executors"},
    {"cpl.compile_guard"},
    {"cpl.syntax"},
    {"cpl.semantics"},
    {"cpl.types"},
    {"cpl.optimise"},
    {"cpl.python"},
    {"cpl.native"},
    {"cpl.parser_cache"},
    {"cpl.loader"},
    {"cpl.compiler", "cpl.formatting"},
    {"cpl.import_hook", "cpl.workspace"},
    {"cpl.draughts"},
    {"cpl.kit", "cpl.games"},
    {"cpl.views"},
    {"cpl.editor"},
    {"cpl.browser"},
    {"cpl.lsp"},
    {"cpl.cli"},
]
RIM = (
    "cpl/cli/",
    "cpl/lsp/",
    "cpl/__main__.py",
    "cpl/loader.py",
    "cpl/packaged.py",
    "cpl/files.py",
    "cpl/parser_cache.py",
    "cpl/python/standalone.py",
    "cpl/native/build.py",
)
TREES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted([*(ROOT / "cpl").rglob("*.py"), *(ROOT / "runtime").rglob("*.py")])
}


def module_of(path: Path) -> str:
    relative = path.relative_to(ROOT / "runtime" if "runtime" in path.parts else ROOT)
    return ".".join(relative.with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): tree for path, tree in TREES.items()}


def level(module: str) -> int:
    for number, rooms in enumerate(LEVELS):
        if any(module == name or module.startswith(f"{name}.") for name in rooms):
            return number
    raise AssertionError(f"{module} stands on no level: add it to LEVELS")


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules of ours that a module imports."""
    for node in ast.walk(tree):
        names: list[str] = []
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.ImportFrom():
                assert not node.level, "relative import"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            module = name if name in MODULES else name.rpartition(".")[0]
            if module in MODULES:
                yield module


def allowed(module: str, name: str) -> bool:
    """Whether a module may import another; `cpl` itself imports its whole interface."""
    if module in ("cpl", "cpl.__main__") or name == "cpl" or name.startswith("cplrt"):
        return True
    return not module.startswith("cplrt") and level(name) <= level(module)


def test_imports_run_downhill() -> None:
    pairs = [(module, name) for module, tree in MODULES.items() for name in imported(tree)]
    assert [f"{module} imports {name}" for module, name in pairs if not allowed(module, name)] == []


def test_no_circles() -> None:
    graph = {module: {*imported(tree)} - {module, "cpl", "cplrt"} for module, tree in MODULES.items()}
    TopologicalSorter(graph).prepare()


def test_only_the_rim_touches_the_world() -> None:
    for path, tree in TREES.items():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("cpl/") and not name.startswith(RIM):
            calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
            called = {call.id if isinstance(call, ast.Name) else getattr(call, "attr", "") for call in calls}
            assert not called & {"open", "print", "input", "exit", "read_text", "write_text", "read_bytes"}, name


def test_every_module_says_what_it_is() -> None:
    for path, tree in TREES.items():
        assert ast.get_docstring(tree), path
