"""Imports run downhill, cplrt stands alone, only the rim touches the terminal, and all else passes one gate."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from conftest import ROOT

LEVELS = [
    {"cpl.limits", "cpl.outside", "cpl.processes", "cpl.display"},
    {"cpl.cache"},
    {"cpl.compiler.source", "cpl.compiler.messages", "cpl.compiler.python_errors", "cpl.compiler.wording"},
    {"cpl.compiler.precedence", "cpl.compiler.readings", "cpl.compiler.suggestions"},
    {"cpl.compiler.diagnostics"},
    {"cpl.executors"},
    {"cpl.compiler.syntax"},
    {"cpl.compiler.semantics"},
    {"cpl.compiler.types"},
    {"cpl.compiler.python"},
    {"cpl.compiler.optimise"},
    {"cpl.compiler.c"},
    {"cpl.compiler.loader"},
    {"cpl.compiler.repairing"},
    {"cpl.compiler.pipeline"},
    {"cpl.compiler.import_hook", "cpl.compiler.loaded", "cpl.compiler.workspace"},
    {"cpl.games"},
    {"cpl.study.run"},
    {"cpl.study.exercises"},
    {"cpl.study.compare"},
    {"cpl.study.views"},
    {"cpl.editors"},
    {"cpl.cli"},
]
RIM = ("cpl/cli/", "cpl/editors/lsp/", "cpl/__main__.py")
OPENING = {"open", "fdopen", "read_text", "read_bytes", "write_text", "write_bytes", "CDLL", "Popen", "system", "popen"}
OPENING |= {"fork", "mkstemp", "TemporaryFile", "NamedTemporaryFile", "copyfile", "move", "execv", "posix_spawn"}
STARTING = {"subprocess", "multiprocessing", "socket", "ctypes", "pty", "urllib.request", "http", "asyncio.subprocess"}
GATES = {"cpl/outside.py", "cpl/processes.py"}
EXCEPTIONS = {  # to the rule that only these open files and start processes, with the reason
    ("cpl/compiler/python/standalone.py", "read_text"): "the modules of cplrt",
    ("cpl/cli/terminal.py", "fdopen"): "standard error that is closed",
    ("cpl/cli/lsp.py", "open"): "standard output, once more",
    ("cpl/editors/lsp/features.py", "open"): "of a text in the editor",
    ("cpl/executors.py", "multiprocessing"): "pools are those of concurrent.futures, and ask for this",
    ("cpl/study/run/limited.py", "ctypes"): "the interpreter itself, to stop a thread",
}


@cache
def trees() -> dict[Path, ast.Module]:
    paths = sorted([*(ROOT / "cpl").rglob("*.py"), *(ROOT / "runtime").rglob("*.py")])
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def module_of(path: Path) -> str:
    relative = path.relative_to(ROOT / "runtime" if "runtime" in path.parts else ROOT)
    return ".".join(relative.with_suffix("").parts).removesuffix(".__init__")


@cache
def modules_of_ours() -> dict[str, ast.Module]:
    return {module_of(path): tree for path, tree in trees().items()}


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
            module = name if name in modules_of_ours() else name.rpartition(".")[0]
            if module in modules_of_ours():
                yield module


def allowed(module: str, name: str) -> bool:
    """Whether a module may import another; `cpl` itself imports its whole interface."""
    if module in ("cpl", "cpl.__main__") or name == "cpl" or name.startswith("cplrt"):
        return True
    return not module.startswith("cplrt") and level(name) <= level(module)


def test_imports_run_downhill_through_one_gate_at_the_rim() -> None:
    pairs = [(module, name) for module, tree in modules_of_ours().items() for name in imported(tree)]
    assert [f"{module} imports {name}" for module, name in pairs if not allowed(module, name)] == []
    graph = {module: {*imported(tree)} - {module, "cpl", "cplrt"} for module, tree in modules_of_ours().items()}
    TopologicalSorter(graph).prepare()
    for path, tree in trees().items():
        assert ast.get_docstring(tree), path
    for path, tree in trees().items():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("cpl/") and not name.startswith(RIM):
            assert not called(tree) & {"print", "input", "exit"}, name
    # Only the gates open files and start processes.
    opened = {
        (name, name_of_call)
        for path, tree in trees().items()
        if (name := path.relative_to(ROOT).as_posix()).startswith("cpl/") and name not in GATES
        for name_of_call in opens(tree)
    }
    assert opened == EXCEPTIONS.keys()
    assert not [name for name, tree in modules_of_ours().items() if name.startswith("cplrt") and "cpl" in modules(tree)]


def test_code_rests_on_what_is_sure() -> None:
    """Only annotations, reports and views ask what is shown to readers; what lowers, optimises or writes C may not."""
    makes_code = {
        module: tree
        for module, tree in modules_of_ours().items()
        if module.startswith(("cpl.compiler.python.", "cpl.compiler.optimise.", "cpl.compiler.c."))
        and module not in ("cpl.compiler.python.annotations", "cpl.compiler.python.emit")
    }
    assert "cpl.compiler.python.lower" in makes_code
    asking = {module for module, tree in makes_code.items() if "shown" in attributes(tree)}
    assert asking == set(), "they may ask Facts.sure"
    checking = {module for module, tree in makes_code.items() if attributes(tree) & {"checked", "runs"}}
    # `append` does so where it makes the program for C.
    allowed = {"cpl.compiler.optimise.bits", "cpl.compiler.optimise.append"}
    assert {module for module in checking - allowed if not module.startswith("cpl.compiler.c.")} == set()


def test_commands_import_at_their_heads_what_must_be_there() -> None:
    """Only what may be missing, what needs that, and what waits for a person is imported where it is used."""
    later = (
        "prompt_toolkit",
        "cpl.cli.completion",
        "readline",
        "cpl.editors.lsp",
        "cpl.study.views.highlighting",
        "tqdm",
        "cpl.compiler.syntax.errors",
    )
    for path, tree in trees().items():
        if path.parent != ROOT / "cpl" / "cli":
            continue
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        inside = [node for function in functions for node in ast.walk(function)]
        imported_inside = [node.module or "" for node in inside if isinstance(node, ast.ImportFrom)]
        imported_inside += [alias.name for node in inside if isinstance(node, ast.Import) for alias in node.names]
        assert [name for name in imported_inside if not name.startswith(later)] == [], path


def attributes(tree: ast.AST) -> set[str]:
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def called(tree: ast.AST) -> set[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {call.id if isinstance(call, ast.Name) else getattr(call, "attr", "") for call in calls}


def modules(tree: ast.AST) -> Iterator[str]:
    """All that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]


def opens(tree: ast.AST) -> set[str]:
    """How a module opens files or starts processes itself."""
    starts = {name for name in STARTING for module in modules(tree) if f"{module}.".startswith(f"{name}.")}
    return (called(tree) & OPENING) | {name for name in called(tree) if name.startswith("create_subprocess")} | starts
