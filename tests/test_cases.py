"""Every case: its Python is as it stands, clean and mapped; it runs, compiled and interpreted; so are its errors."""

import ast
import contextlib
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest
from case_files import Case, read_cases, write_cases
from interactions import programs
from ways import FAULT, Outcome, understood, ways

import cpl
from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import Diagnostic, as_warning, render
from cpl.compiler.pipeline import Compiled
from cpl.compiler.python.text import blackened
from cpl.compiler.source import Source

pytestmark = pytest.mark.usefixtures("deep")

FILES = sorted((Path(__file__).parent / "cases").glob("*.case"))
CASES = [case for file in FILES for case in read_cases(file)]


def identify(case: Case) -> str:
    return f"{case.file.stem}: {case.title}"


@cache
def compiled_text(text: str, reading: str | None, **options: bool) -> Compiled:
    return pipeline.compile_meaning(understood(Source("case.cpl", text), reading), pipeline.Options(**options))


def compiled(case: Case, **options: bool) -> Compiled:
    return compiled_text(case.cpl, case.reading, **options)


def checked(case: Case) -> list[Diagnostic]:
    return cpl.check_text(case.cpl, path="case.cpl", reading=case.reading)


def body(python: str) -> str:
    """The definitions of a module, without what libraries define, docstrings, which repeat the CPL, and the key to the
    lines.
    """
    lines = python.split("\n")
    for node in ast.walk(ast.parse(python)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and is_docstring(node.body[0]) and node.body[1:]:
            first, last = node.body[0].lineno - 1, node.body[0].end_lineno or 0
            last += not lines[last].strip()
            lines[first:last] = [DROPPED] * (last - first)
    last = max(i for i, line in enumerate(lines) if line.startswith("__all__"))
    while not lines[last].endswith("]"):
        last += 1
    text = "\n".join(line for line in lines[last + 1 :] if line is not DROPPED)
    text = text.split("\n# Lines from ")[0].strip("\n").removeprefix("# fmt: on").strip("\n").replace("\n\n\n", "\n\n")
    text = text.replace('if __name__ == "__main__":\n    start_program()\n\n', "")
    parts = re.split(r"^# (?:From|Again from) (.*)$\n+", "# From case.cpl\n" + text, flags=re.MULTILINE)
    own = [part.strip("\n") for file, part in zip(parts[1::2], parts[2::2], strict=True) if file == "case.cpl"]
    return "\n\n".join(filter(None, own))


DROPPED = "# dropped"


def errors(case: Case) -> list[Diagnostic]:
    with pytest.raises(cpl.CplError) as raised:
        compiled(case)
    return raised.value.diagnostics


def shown(diagnostics: list[Diagnostic], wanted: str) -> str:
    """Each in full, or in a line if the case wants no more: one case shows the whole wording of a message."""
    wants_line = [each[0].isdigit() for each in re.findall(r"^(?:\d+:\d+ |error\[|warning\[)", wanted, re.MULTILINE)]
    pairs = zip_longest(diagnostics, wants_line[: len(diagnostics)], fillvalue=False)
    parts = [brief(each) if in_a_line else f"\n{render(each)}\n" for each, in_a_line in pairs]
    return "\n".join(parts).replace("\n\n\n", "\n\n").strip("\n")


def brief(diagnostic: Diagnostic) -> str:
    """Where, which diagnostic, what it blames; below it the help that was chosen for this text."""
    text = diagnostic.span.text.partition("\n")[0]
    label = diagnostic.label and f" ({diagnostic.label})"
    usual = re.sub(r"\\{\w+\\}", ".*", re.escape(diagnostic.cause.help))
    help = diagnostic.help if diagnostic.help and not re.fullmatch(usual, diagnostic.help, re.DOTALL) else ""
    head = f"{diagnostic.span.line}:{diagnostic.span.column} {diagnostic.code} {text}".rstrip()
    return head + label + (f"\n  help: {help}" if help else "")


def ran(case: Case, calls: Sequence[str] = (), way: str = "plain") -> Outcome:
    """What the program of a case does in one way."""
    program = ways(Source("case.cpl", case.cpl), case.reading, calls, case.sections.get("input", ""))
    found = program.outcome(way)
    assert found.brief in ("value", "fault", "finish"), found
    return found


def value_of(call: str, case: Case, way: str = "plain") -> str:
    """The value as CPL writes it, or the fault."""
    found = ran(case, (call,), way)
    return found.values[0] if found.values else found.end


def results(case: Case, way: str) -> str:
    """Each call of the case with its outcome. The interpreter words its faults by itself: that there is one counts."""
    found = ran(case, [call for call, _ in case.runs], way)
    values = found.values or (found.end,) * len(case.runs)
    lines = []
    for (call, wanted), value in zip(case.runs, values, strict=True):
        both_fail = value.startswith(FAULT) and wanted.startswith(FAULT)
        lines.append(f"{call} => {wanted if way == 'interpreted' and both_fail else value}")
    return "\n".join(lines)


def output(case: Case, way: str = "plain") -> str:
    """What the program writes, and how it ends if it fails."""
    found = ran(case, way=way)
    return found.written + (found.end if found.brief == "fault" else "")


def test_cases_have_titles_of_their_own() -> None:
    assert len({identify(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=identify)
def test_case(case: Case, request: pytest.FixtureRequest) -> None:
    update = request.config.getoption("--update-cases")

    def compare(section: str, found: str) -> None:
        if update and (found or section in case.sections):
            case.sections[section] = found
        assert found.rstrip() == case.sections.get(section, "").rstrip()

    if "error" in case.sections:
        compare("error", shown(errors(case), case.sections["error"]))
        return
    module = compiled(case)
    diagnostics = checked(case)
    compare("check", shown(diagnostics, case.sections.get("check", "")))
    assert {*module.diagnostics} <= {as_warning(each) for each in diagnostics}
    for section, text in (("python", body(module.python)), ("module", module.python)):
        if section in case.sections:
            compare(section, text)
    has_output = "output" in case.sections or understood(Source("case.cpl", case.cpl), case.reading).has_commands
    for way in ("plain", "interpreted"):
        if case.runs:
            compare("run", results(case, way))
        if has_output:
            compare("output", output(case, way))
    is_mapped_and_says_the_same_unformatted(case, module)


def is_mapped_and_says_the_same_unformatted(case: Case, module: Compiled) -> None:
    """Formatted and not, the same program; every line of a definition is mapped to the case's own CPL."""
    assert strip(module.python) == strip(compiled(case, pretty=False).python)
    tree = ast.parse(module.python)
    definitions = [statement for statement in tree.body if not is_prelude(statement)]
    for statement in (part for definition in definitions for part in ast.walk(definition)):
        if isinstance(statement, ast.stmt) and not is_docstring(statement):
            span = module.line_map[statement.lineno]
            assert span.source.name in ("case.cpl", "standard.cpl")
            assert span.text


@pytest.fixture(scope="module", autouse=True)
def write_back(request: pytest.FixtureRequest):
    yield
    if request.config.getoption("--update-cases"):
        for file in FILES:
            write_cases(file, [case for case in CASES if case.file == file])


GOOD = [case for case in CASES if "error" not in case.sections]


def strip(python: str) -> str:
    """The tree without docstrings, whose indentation black may change."""
    tree = ast.parse(python)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and is_docstring(node):
            node.value = ast.Constant("")
    return ast.dump(tree)


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_prelude(node: ast.stmt) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.Assign(value=ast.Subscript(value=ast.Name(id="tuple" | "list"))):  # a name for a shape
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False


def test_generated_code_is_clean(tmp_path: Path, root: Path) -> None:
    """black would change nothing; ruff finds nothing but names, which are CPL's, and what CPL leaves unused. It cannot
    know that the λs in loops which capture nothing do not outlive their rounds (B023): other cases show this.
    """
    for number, case in enumerate(GOOD[::2]):
        (tmp_path / f"case_{number}.py").write_text(compiled(case).python, encoding="utf-8")
        if number % 8 == 0:  # most of the text is that of the runtime, again and again
            (tmp_path / f"alone_{number}.py").write_text(compiled(case, standalone=True).python, encoding="utf-8")
    strachey = loader.read(root / "programs" / "strachey.cpl")
    (tmp_path / "strachey.py").write_text(pipeline.compile_source(strachey).python, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "black", "--check", "-q", tmp_path], check=True)
    rules = [
        "--select",
        "E,F,W,I,UP,B,C4,PIE,RET,RUF100",
        "--ignore",
        "E501,E712,E731,E741,E743,F811,F841,RET504,B007,B018,B023",
    ]
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--output-format", "concise"]
    done = subprocess.run([*ruff, *rules, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "noqa" not in "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.py"))


@pytest.mark.long
def test_black_would_write_all_generated_code_as_it_is() -> None:
    texts = [compiled(case).python for case in GOOD]
    texts += [cpl.compile_text(program.text, reading=program.reading).python for program in programs(0, 60)]
    for path in loader.packaged_files():
        with contextlib.suppress(cpl.CplError):
            texts.append(pipeline.compile_source(loader.read(path)).python)
    assert len(texts) > 250
    for text in texts:
        assert blackened(text) == text
