"""Change one thing in a room of the house, and see whether its tests notice: twenty such mutants, or more.

    python tests/mutants.py cpl/compiler/syntax --tests tests/test_cases.py tests/test_diagnostics.py
    python tests/mutants.py cpl/games/pdn.py --tests tests/test_pdn.py --mutants 40 --seed 7

A mutant has a relation turned (`<` for `<=`), `and` for `or`, a condition negated, a number one higher, a statement
left out, or None for a result. The tests run on a copy of the tree, up to the first failure. A mutant that they pass is
a survivor: a test is missing, or the change makes no difference. The same seed makes the same mutants.

The exit status is 0 if all mutants were noticed, 1 if some were not, and 2 if the tests fail without any.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE = 4
"""A mutant that takes so many times as long as the tests without it is noticed: it may never end."""
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "node_modules", "__pycache__", ".pytest_cache", "build", "dist")

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True)
class Mutant:
    """A change of one place. `text` is the whole file after it."""

    file: Path
    line: int
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before}  →  {self.after}"


def changed(node: ast.AST) -> tuple[ast.expr | ast.stmt, str] | None:
    """A part of the node, and what is written in its place; None if this sort of node is not changed."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=comparators) if type(operator) in TURNED:
            return node, ast.unparse(ast.Compare(left, [TURNED[type(operator)]()], comparators))
        case ast.BoolOp(op=operator, values=values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            return node, ast.unparse(ast.BoolOp(other, values))
        case ast.If(test=test) | ast.IfExp(test=test):
            return test, f"not ({ast.unparse(test)})"
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return node, str(number + 1)
        case ast.Return(value=ast.expr()):
            return node, "return None"
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            return node, "pass"
        case _:
            return None


def mutants(file: Path) -> Iterator[Mutant]:
    """All mutants of a file. Annotations are left alone, as no run depends on them."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    annotations: set[ast.AST] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            annotations.update(ast.walk(getattr(node, name, None) or ast.Pass()))

    for node in ast.walk(tree):
        change = changed(node)
        if change is None or node in annotations:
            continue
        place, text = change
        first = starts[place.lineno - 1] + place.col_offset
        last = starts[(place.end_lineno or place.lineno) - 1] + (place.end_col_offset or 0)
        before = source[first:last].decode()
        after = f"({text})" if isinstance(place, ast.expr) else text
        whole = source[:first].decode() + after + source[last:].decode()
        yield Mutant(file.relative_to(ROOT), place.lineno, " ".join(before.split()), after, whole)


def passes(tree: Path, tests: list[str], seconds: float | None = None) -> bool:
    """Whether the tests pass on a copy of the tree, within so many seconds."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree), str(tree / "runtime")])}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not long and not linters"]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=tree, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", type=Path, help="a file or a folder of Python")
    parser.add_argument("--tests", nargs="+", required=True, metavar="TEST", help="what should notice, for pytest")
    parser.add_argument("--mutants", type=int, default=20, metavar="N", help="how many (default: 20)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the choice (default: 0)")
    options = parser.parse_args()

    room = (ROOT / options.room).resolve()
    files = sorted(room.rglob("*.py")) if room.is_dir() else [room]
    everything = [mutant for file in files for mutant in mutants(file)]
    drawn = random.Random(options.seed).sample(everything, min(options.mutants, len(everything)))

    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "cplc"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
        began = time.monotonic()
        if not passes(tree, options.tests):
            print("the tests fail without a mutant", file=sys.stderr)
            return 2
        seconds = PATIENCE * (time.monotonic() - began)
        for number, mutant in enumerate(drawn, 1):
            (tree / mutant.file).write_text(mutant.text, encoding="utf-8")
            survives = passes(tree, options.tests, seconds)
            shutil.copyfile(ROOT / mutant.file, tree / mutant.file)
            print(f"{number}/{len(drawn)} {'SURVIVES' if survives else 'noticed '} {mutant}", flush=True)
            if survives:
                survivors.append(mutant)
    print(f"{len(drawn)} mutants of {len(everything)}, {len(survivors)} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
