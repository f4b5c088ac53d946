"""What docs/security.md promises: each sentence has a test or a reason in tests/security.txt; limits have one table.

In that file a line that is not indented is a sentence; the indented lines after it name the tests that show it, as
`test_outside.py::test_name`, or say `read: ` and what a person has read instead, because no test can show it.
"""

import ast
import os
import re
import signal
import subprocess
import sys
import time
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command_line import command_line, run, run_alone
from conftest import ROOT

import cpl
from cpl import limits, outside
from cpl.study.run import record

PAGE = ROOT / "docs" / "security.md"
TABLE = re.compile(r"(<!-- limits -->\n)(.*?)(<!-- end of the limits -->\n)", re.DOTALL)

# The page


def sentences(page: str) -> list[str]:
    """The sentences of a page, of its lists, and the rows of its tables, without the table of limits."""
    text = TABLE.sub("", page)
    found = []
    for block in re.split(r"\n\s*\n", text):
        if block.startswith("#"):
            continue
        if block.startswith("|"):
            found += block.splitlines()[2:]
            continue
        for item in re.split(r"^\* ", block, flags=re.MULTILINE):
            found += re.split(r"(?<=[.!?])(?:\*\*|\))?\s+(?=[A-Z`*(\[])", " ".join(item.split()))
    return [sentence for sentence in found if sentence]


def known(table: str) -> dict[str, list[str]]:
    """The sentences of tests/security.txt, each with how it is known."""
    found: dict[str, list[str]] = {}
    for line in table.splitlines():
        if line.startswith(" "):
            found[[*found][-1]].append(line.strip())
        elif line:
            assert line not in found, line
            found[line] = []
    return found


TOLD = known((ROOT / "tests" / "security.txt").read_text(encoding="utf-8"))


@cache
def names_of_tests(file: str) -> set[str]:
    """The names of the tests in a file, which pytest collects."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_sentence_says_how_it_is_known() -> None:
    page = sentences(PAGE.read_text(encoding="utf-8"))
    assert [sentence for sentence in page if sentence not in TOLD] == [], "add them to tests/security.txt"
    assert [sentence for sentence in TOLD if sentence not in page] == [], "the page does not say this any more"
    for sentence, ways in TOLD.items():
        assert ways, sentence
        for way in ways:
            file, _, name = way.partition("::")
            is_test = Path(file).name.startswith("test_") and name in names_of_tests(file)
            assert is_test or re.fullmatch(r"read: .{10,}", way), f"{sentence}: {way}"


def documented() -> dict[str, tuple[int | float, str]]:
    """The limits: their figures, and the sentence below each."""
    tree = ast.parse((ROOT / "cpl" / "limits.py").read_text(encoding="utf-8"))
    found = {}
    for node, text in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(node, ast.AnnAssign):
            assert isinstance(node.target, ast.Name)
            assert isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant), node.target.id
            found[node.target.id] = getattr(limits, node.target.id), " ".join(str(text.value.value).split())
    return found


def test_the_page_shows_the_table_of_limits(request: pytest.FixtureRequest) -> None:
    rows = ["| at most | of what | why |", "|---:|---|---|"]
    for name, (figure, sentence) in documented().items():
        bounded, colon, reason = sentence.removesuffix(".").partition(": ")
        assert colon, f"{name}: say after a colon why the figure is what it is"
        rows.append(f"| {figure:,} | {bounded[0].lower()}{bounded[1:]} | {reason} |")
    table = "".join(f"{row}\n" for row in rows)
    page = PAGE.read_text(encoding="utf-8")
    if request.config.getoption("--update-cases"):
        PAGE.write_text(TABLE.sub(lambda match: f"{match[1]}\n{table}\n{match[3]}", page), encoding="utf-8")
        return
    [shown] = TABLE.finditer(page)
    assert shown[2].strip() == table.strip()


def test_every_limit_is_used_and_every_figure_of_the_page_is_one() -> None:
    texts = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "cpl").rglob("*.py")
        if path.name != "limits.py" or path.parent.name == "run"
    )
    assert [name for name in documented() if not re.search(rf"\b{name}\b", texts)] == []
    assert not [
        node
        for node in ast.walk(ast.parse((ROOT / "cpl/limits.py").read_text()))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("cpl")
    ]
    megabytes_of_cache, status_of_ctrl_c = "200", "130"
    figures = {f"{figure:,}" for figure, _ in documented().values()} | {megabytes_of_cache, status_of_ctrl_c}
    assert limits.MOST_BYTES_OF_CACHE == 200_000_000
    prose = re.sub(r"`[^`]*`|\([^)]*\)", "", " ".join(sentences(PAGE.read_text(encoding="utf-8"))))
    assert {*re.findall(r"\b\d[\d,]*\d\b", prose)} <= figures


def test_a_name_of_a_limit_has_one_meaning() -> None:
    """Whatever is most, deepest or so many seconds is defined in one module only."""
    defined: dict[str, set[str]] = {}
    for path in (ROOT / "cpl").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                name = target.id.lstrip("_") if isinstance(target, ast.Name) else ""
                if re.search("MOST|DEEPEST|SECONDS|PATIENCE", name):
                    defined.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}


# What a program can do


def modules() -> dict[str, str]:
    """The Python of the packaged programs."""
    return {
        path.name: cpl.compile_text(path.read_text(encoding="utf-8"), path=str(path), pretty=False).python
        for path in sorted((ROOT / "programs").glob("*.cpl"))
        if path.name != "strachey-original.cpl"
    }


def test_a_module_imports_the_runtime_and_what_annotations_need() -> None:
    imported = set()
    for python in modules().values():
        for node in ast.walk(ast.parse(python)):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module))
    parts = {name for name in imported if name.startswith("cplrt.")}
    assert imported - parts == {"cplrt", "typing", "collections.abc"}


def test_a_name_means_what_cpl_defines() -> None:
    for name in ("open", "eval", "exec", "__import__", "globals", "print", "os"):
        findings = cpl.check_text(f"F(x) = {name}(x)\n")
        assert any(finding.severity == "error" for finding in findings), name


@pytest.mark.parametrize("engine", [[], pytest.param(["--interpreter"], marks=pytest.mark.long)])
def test_deep_recursion_is_a_fault(engine: list[str], tmp_path: Path) -> None:
    (tmp_path / "deep.cpl").write_text("F(x) = x < 0 → 0, F(x + 1) + 1\n")
    done = run_alone("cpl", "run", "deep.cpl", *engine, "--call", "F(1)", cwd=tmp_path)
    assert done.returncode == 1 and "the recursion goes too deep" in done.stderr, done


def test_only_two_commands_run_recorded_examples(tmp_path: Path) -> None:
    """`cpl session` runs what the manifest names; the others that take a program do not."""
    (tmp_path / "mine.cpl").write_text("F(x) = 2x\n")
    (tmp_path / "mine.doctest").write_text(">>> open('ran', 'w').close()\n")
    (tmp_path / "programs.toml").write_text('["mine.cpl"]\nsession = "mine.doctest"\n')
    for command in (
        ["run", "mine.cpl", "--call", "F(1)"],
        ["check", "mine.cpl", "--types"],
        ["diff", "mine.cpl", "mine.cpl"],
        ["trace", "mine.cpl", "--call", "F(1)"],
        ["html", "mine.cpl"],
        ["latex", "mine.cpl"],
        ["fmt", "mine.cpl", "--check"],
        ["perft", "mine.cpl"],
        ["rules", "mine.cpl"],
        ["copy", "mine.cpl", "there"],
        ["repl", "mine.cpl"],
    ):
        run("cpl", *command, cwd=tmp_path)
        assert not (tmp_path / "ran").exists(), command
    run("cpl", "session", "mine.cpl", cwd=tmp_path)
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "command", [["diff", "mine.cpl", "other.cpl", "--inputs", "3"], ["trace", "mine.cpl", "--call", "F(1)"]]
)
def test_commands_end_though_their_program_does_not(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(record.record.__kwdefaults__, "seconds", 0.2)
    for file, step in (("mine.cpl", 1), ("other.cpl", 2)):
        (tmp_path / file).write_text(f"F(x) = value of § while true do x := x + {step}; result := x §|\n")
    done = run("cpl", *command, cwd=tmp_path)
    assert ("no difference was found" if command[0] == "diff" else "not finished after") in done.stdout, done


def test_a_file_beyond_its_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "big.cpl").write_bytes(b"|" * (limits.MOST_BYTES_OF_PROGRAM + 1))
    assert f"more than {limits.MOST_BYTES_OF_PROGRAM:,} bytes" in run("cpl", "check", "big.cpl", cwd=tmp_path).stderr
    (tmp_path / "long.cpl").write_text(f"F(x) = [{'x, ' * (limits.MOST_TOKENS_OF_DEFINITION // 2)}x]\n")
    assert f"{limits.MOST_TOKENS_OF_DEFINITION:,} tokens" in run("cpl", "check", "long.cpl", cwd=tmp_path).stderr
    with (tmp_path / "big.pdn").open("wb") as file:
        file.truncate(limits.MOST_BYTES_OF_GAMES + 1)
    assert f"more than {limits.MOST_BYTES_OF_GAMES:,} bytes" in run("cpl", "pdn", "big.pdn", cwd=tmp_path).stderr


# What is shown


def test_json_has_no_character_that_steers(tmp_path: Path) -> None:
    for file, sign in (("mine\x7f.cpl", ">"), ("other.cpl", "<")):
        (tmp_path / file).write_text(f"F(x) = x {sign} 0 → ‘a\u202eb\u200b’, ‘c\u2066’\n", encoding="utf-8")
    (tmp_path / "games.pdn").write_text('[Event "a\u202e\x7f\x9b"]\n\n1. 11-15 *\n', encoding="utf-8")
    for arguments in (
        ["trace", "mine\x7f.cpl", "--call", "F(1)", "--format", "json"],
        ["diff", "mine\x7f.cpl", "other.cpl", "--format", "json"],
        ["pdn", "games.pdn", "--format", "json"],
    ):
        text = run("cpl", *arguments, cwd=tmp_path).stdout
        assert "\\u202e" in text, arguments
        assert not [char for char in text if outside.is_hidden(char) and char != "\n"], arguments


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_generated_pages_load_nothing(tmp_path: Path) -> None:
    image = "<img src=http://x.example/a.png><link href=//x.example>"
    for file in ("mine.cpl", "other.cpl"):
        (tmp_path / file).write_text(f"F(x) = ‘{image}{file}’\n|| {image}\n", encoding="utf-8")
    for arguments in (
        ["html", "mine.cpl", "--python", "-o", "page"],
        ["trace", "mine.cpl", "--call", "F(1)", "--html", "page"],
        ["diff", "mine.cpl", "other.cpl", "--format", "html", "-o", "page"],
    ):
        run("cpl", *arguments, cwd=tmp_path)
        elements = Elements((tmp_path / "page").read_text(encoding="utf-8")).found
        (tmp_path / "page").unlink()
        assert not {"img", "link", "iframe", "object"} & {tag for tag, _ in elements}, arguments
        loaded = [value for _, found in elements for key, value in found.items() if key in ("src", "href", "action")]
        assert not [value for value in loaded if not str(value).startswith("#")], arguments


# What is written

FAILING = {
    "cplc": ["cplc", "wrong.cpl", "-o", "out"],
    "standalone": ["cplc", "wrong.cpl", "--standalone", "-o", "out"],
    "optimised": ["cplc", "wrong.cpl", "-O", "-o", "out"],
    "c": ["cplc", "wrong.cpl", "--to", "c", "-o", "out"],
    "html": ["cpl", "html", "wrong.cpl", "--python", "-o", "out"],
    "latex": ["cpl", "latex", "none.cpl", "-o", "out"],
    "board": ["cpl", "board", "B:W99", "-o", "out"],
    "diff": ["cpl", "diff", "mine.cpl", "none.cpl", "-o", "out"],
    "trace": ["cpl", "trace", "wrong.cpl", "--call", "F(1)", "--html", "out"],
    "pdn": ["cpl", "pdn", "none.pdn", "-o", "out"],
    "analyse": ["cpl", "analyse", "wrong.cpl", "--all", "-o", "out"],
    "match": ["cpl", "match", "random:1", "nobody", "--pdn", "out"],
    "play": ["cpl", "play", "--load", "none.pdn", "--save", "out"],
    "fmt": ["cpl", "fmt", "wrong.cpl"],
    "copy": ["cpl", "copy", "none.cpl", "."],
}


@pytest.mark.parametrize("name", FAILING)
def test_a_command_that_fails_leaves_its_output_as_it_was(name: str, tmp_path: Path) -> None:
    texts = {"wrong.cpl": "F(x) = (x\n", "mine.cpl": "F(x) = x\n", "out": "before"}
    for file, text in texts.items():
        (tmp_path / file).write_text(text)
    command, *arguments = FAILING[name]
    done = run(command, *arguments, cwd=tmp_path)
    assert done.returncode, done
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == texts


# Child processes


@pytest.mark.skipif(sys.platform == "win32", reason="a session is one of POSIX")
def test_a_c_compiler_ends_with_the_command_that_is_killed(tmp_path: Path) -> None:
    compiler = tmp_path / "slow"
    compiler.write_text("#!/bin/sh\necho $$ > number\nmv number $FOUND\nexec sleep 100\n")
    compiler.chmod(0o755)
    found = tmp_path / "found"
    settings = {**os.environ, "CC": str(compiler), "FOUND": str(found), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = command_line("cpl", "perft", "strachey.cpl", "--depth", "2", "--native")
    with subprocess.Popen(command, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as parent:
        while not found.exists():
            assert parent.poll() is None
            time.sleep(0.1)
        time.sleep(1)  # until it is watched
        parent.kill()
    number = int(found.read_text())
    for _ in range(100):
        state = Path(f"/proc/{number}/status")
        if not state.exists() or "zombie" in state.read_text():
            return
        time.sleep(0.1)
    os.kill(number, signal.SIGKILL)
    pytest.fail("the C compiler lives")


def test_the_c_compiler_has_limits_of_memory_and_time(tmp_path: Path) -> None:
    compiler = tmp_path / "limits"
    compiler.write_text(f"#!/bin/sh\nulimit -v > {tmp_path}/memory\nulimit -t > {tmp_path}/time\nexit 1\n")
    compiler.chmod(0o755)
    settings = {"CC": str(compiler), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    run_alone("cplc", "strachey.cpl", "--native", "-o", str(tmp_path / "mine"), **settings)
    assert (tmp_path / "time").read_text().strip() == str(limits.BUILD_SECONDS)
    if sys.platform == "linux":
        assert (tmp_path / "memory").read_text().strip() == str(limits.BUILD_BYTES // 1024)
