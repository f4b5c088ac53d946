"""Texts that nobody would write: each gives a result or a CplError, and soon.

`CPLC_FUZZ=10000 pytest tests/test_hostile.py` tries more of them.
"""

import ast
import contextlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cplrt import Array, Cell, CplFault, Logical, Node, StreamOf
from interactions import SHARES, programs
from shapes import SHAPES, block

import cpl
from cpl.compiler import loader

COUNT = int(os.environ.get("CPLC_FUZZ", "70"))
PIECES = """
    § §| $( $) ( ) [ ] { } , → -> = := + - − × * / ~ ∧ ∨ < > ≤ ; : . let if then value of result is while do F G Null
    NIL x y σ Φ' 12 3.5 ‘a’ ’ " || ## \\sigma \\ \x00 \x0c 漢 e\u0301 \u2028 \ufeff λ ∞ true __import__ Eval
    for step test or until repeat unless break return result rec function routine be where and in dec real ≡ ↑ 8 253 ⏨
    § x := 1 let f[x] = x + 1 result of § Test If so do
""".split(" ")


def mutated(text: str, chance: random.Random) -> str:
    """A text with some pieces taken out, doubled, exchanged, or put in from elsewhere."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.randint(0, 12))
        match chance.randrange(4):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:end] + text[start:]
            case 2:
                text = text[:start] + chance.choice(PIECES) + text[start:]
            case _:
                text = text[:start] + text[start:end][::-1] + text[end:]
    return text


def peak_of_memory() -> int:
    """The most memory that this process has had so far, in MB. What the system counts otherwise begins with what the
    process had that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        [kilobytes] = re.findall(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        return int(kilobytes) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def tried(seed: int, count: int) -> tuple[int, float, int]:
    """Compile so many mutated and random texts: how many were refused, the seconds of the slowest, and the memory."""
    chance = random.Random(seed)
    texts = [loader.read(path).text for path in loader.packaged_files() if path.parent.name != "attested"]
    parts = [part for text in texts for part in text.split("\n\n") if part.strip()]
    slowest, refused = 0.0, 0
    for _ in range(count):
        if chance.random() < 0.7:
            text = mutated("\n\n".join(chance.sample(parts, chance.randint(1, 3))), chance)
        else:
            text = chance.choice(["", " "]).join(chance.choices(PIECES, k=chance.randint(0, 60)))
        start = time.process_time()
        try:
            python = cpl.compile_text(text, pretty=False).python
        except cpl.CplError as error:
            refused += 1
            assert error.diagnostics and str(error)
        else:
            compile(python, "out.py", "exec")
        slowest = max(slowest, time.process_time() - start)
    return refused, slowest, peak_of_memory()


ALONE = "import json, sys; from test_hostile import tried; print(json.dumps(tried(*map(int, sys.argv[1:]))))"
"""A process whose memory is that of the texts, and not of tests before."""


@pytest.mark.parametrize("seed, count", [(1963, COUNT), pytest.param(1964, 2 * COUNT, marks=pytest.mark.long)])
def test_mutated_and_random_texts(seed: int, count: int, measured: Callable[[str], None]) -> None:
    command = [sys.executable, "-c", ALONE, str(seed), str(count)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    refused, slowest, memory = json.loads(done.stdout)
    measured(f"{count} mutated and random texts, {refused} refused; the slowest took {slowest:.1f} s, {memory} MB")
    assert 0 < refused < count
    assert slowest < 5 and memory < 1024


HUGE = {
    "open brackets": "(" * 100_000,
    "sections": "§ " * 50_000,
    "a long string": "A = ‘" + "x" * 1_000_000 + "’",
    "one line of a megabyte": "A = " + "x + " * 249_998 + "1",
    "new lines": "\n" * 500_000 + "A = 1",
    "signs before an operand": "A = " + "~" * 20_000 + "true",
}


@pytest.mark.long
@pytest.mark.parametrize("name", HUGE)
def test_huge_texts(name: str) -> None:
    start = time.process_time()
    cpl.check_text(HUGE[name])
    assert time.process_time() - start < 20


LARGE = {name: (make(size), None) for name, (make, size) in SHAPES.items()} | {
    "doubling without end": (SHAPES["tuples that double"][0](1000), None),
    "a thousand disagreements and more": (SHAPES["disagreements"][0](1500), None),
    "a list of 200 000 numbers": (SHAPES["a list"][0](200_000), "too-many"),
    "a list of 30 000 lists": (SHAPES["a list of lists"][0](30_000), "too-many"),
    "a switch with a thousand cases": (
        "F(n) = value of § switch n into §\n" + "case 7: result is 1\n" * 1000 + "§| §|\n",
        "too-long",
    ),
    "a thousand labels": (block(1000, lambda i: f"  L{i}: a := a + 1"), "too-long"),
    "five thousand labels": (block(5000, lambda i: f"  L{i}: a := a + 1"), "too-many"),
    "an array written to in many places": (block(3000, lambda i: f"  a := (a, {i})"), None),
}
"""Texts that are large in one way, and the error that refuses those that are too large."""

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
from cpl.cli import cpl, cplc
status = cplc.main(sys.argv[2:]) if sys.argv[1] == "cplc" else cpl.main(sys.argv[2:])
sys.exit(status)
"""
"""A command that may take a gigabyte, and four times as long as it does on a machine of its own."""


def limited(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", LIMITED, *command], capture_output=True, text=True, encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
def test_large_texts_compile_soon_or_are_refused(name: str, tmp_path: Path) -> None:
    text, refused = LARGE[name]
    program = tmp_path / "large.cpl"
    program.write_text(text, encoding="utf-8")
    done = limited("cplc", str(program), "-o", str(tmp_path / "out.py"))
    assert done.returncode in (0, 1), done.stderr[-500:]
    assert "internal error" not in done.stderr
    if refused is not None:
        assert done.stderr.startswith(f"error[{refused}]") and done.stderr.count("error[") == 1


@pytest.mark.long
@pytest.mark.parametrize("name", ["tuples that double", "lists that double", "both that double", "results that double"])
@pytest.mark.parametrize("command", ["check --types", "fmt --check", "run --interpreter"])
def test_types_that_double_are_shown_soon(command: str, name: str, tmp_path: Path) -> None:
    program = tmp_path / "large.cpl"
    program.write_text(SHAPES[name][0](100), encoding="utf-8")
    done = limited("cpl", *command.split(), str(program))
    assert done.returncode in (0, 1), done.stderr[-500:]
    assert "internal error" not in done.stderr
    assert max(map(len, done.stdout.splitlines()), default=0) < 1500


FAULTY = {
    "characters on one line": "\0" * 10_000,
    "characters between others": "a\0" * 10_000,
    "characters on lines": "A = é\n" * 10_000,
    "characters in strings": "A = ‘\0’\n" * 10_000,
    "brackets": ")\n" * 10_000,
    "names": "".join(f"F{number}(x) = x + Y{number}\n" for number in range(2000)) * 5,
    "a name": "F(x) = x + Y\n" * 10_000,
    "dots": "...\n" * 10_000,
}
"""Texts with some ten thousand faults."""


SLOW = ("names", "a name", "characters between others", "characters on lines", "characters in strings")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in SLOW), id=name) for name in FAULTY]
)
def test_a_report_of_many_faults_is_short(name: str, tmp_path: Path) -> None:
    program = tmp_path / "faulty.cpl"
    program.write_text(FAULTY[name], encoding="utf-8")
    text, data = (limited("cpl", "check", str(program), "--format-errors", form) for form in ("text", "json"))
    assert text.returncode == data.returncode == 1
    assert max(len(report.stderr.encode()) for report in (text, data)) < 60_000
    found = json.loads(data.stderr)
    assert len(found) <= 51 and text.stderr.startswith(f"error[{found[0]['code']}]: {found[0]['message']}\n")
    if len(found) > 1:
        assert found[-1]["code"] == "not-shown" and f"error[not-shown]: {found[-1]['message']}\n" in text.stderr


REFUSED = {
    "characters on one line": "\0" * 1_000_000,
    "characters on lines": "\0\n" * 500_000,
    "characters in a string": "A = ‘" + "\0" * 1_000_000 + "’",
    "characters in a comment": "A = 1 ||" + "\0" * 1_000_000,
    "look-alikes": "А\n" * 500_000,
    "letters": "x" * 1_000_000,
    "underlined letters": "x\u0332" * 500_000,
    "underlines": "x" + "\u0332" * 1_000_000,
    "letters underlined in part": "xy\u0332" * 330_000,
    "underlined digits": "2\u0332" * 500_000,
    "brackets": ")" * 1_000_000,
    "open strings": "‘\n" * 500_000,
}
"""Texts of a megabyte that are hardly CPL."""

MEMORY = """\
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
sys.exit(status)
"""
"""Writes the most memory that a command took, in kilobytes; `ru_maxrss` would count that of the process before it."""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_hardly_cpl_is_refused_at_once(name: str, tmp_path: Path) -> None:
    program = tmp_path / "refused.cpl"
    program.write_text(REFUSED[name], encoding="utf-8")
    command = LIMITED.replace("(20, 20)", "(4, 4)").replace("sys.exit(status)", MEMORY)
    done = subprocess.run(
        [sys.executable, "-c", command, "cpl", "check", str(program)], capture_output=True, text=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr.count("error[")) == (1, 1) and done.stderr.startswith("error[too-many]")
    assert int(done.stdout) < 150_000


ESCAPES = [
    "A = __import__",
    "A = Eval(1)",
    "A = Open(‘/etc/passwd’)",
    "A = x.y",
    'A = ‘"""’\nF(x) = """ || """',
    'F(x) = ‘"""; import os; """’',
    "F(x) = ‘\\’ || \\",
    'F(x) = "’\\"\n|| """',
    '|| """\n|| import os\nA = 1 || """ \\',
    "F(Exec,Eval) = Exec",
    "Print = 1\nOs = 2\nSys = Print + Os",
    "F(x) = x(x)\nG(f,x) = f(x)\nH(L) = Head(L)",
    "Exception(x) = x\nNone = Exception(1)\nTrue = 2\nF(False) = False + None + True",
    "A = ‘{0.__class__}’\nF(x) = ‘%s’",
    'F(x) = ‘\\n’\n|| \\N{NULL} \\u0022"""\nG(x) = ‘\\’\n',
    "Cplrt = 1\nF(x) = Cplrt + F(x)",
    "node A is integer Mro with integer Globals with A : Class with A : σ with A : x\nF(x) = Mro[x]\nG(x) = x[x]",
    "F(x) = Type[x]\nG(x) = Type[Type[x]]\nH(x,y) = Is[x,y]",
    "let P[x] be WriteLine(↓x)\nlet Q[ref x] be Q[↓x]\nF(x) = Pointer[x]",
    "element E is string or Object\nF(x) = E(x)",
    "F(x) = Input\nG(x) = StreamOf(x)\nlet H[x] be Input[x]\nlet K[x] be Output[x]\nL(x) = Code(x)",
]


REACHED = (0, 0.5, 1j, True, "", [], (), object, type, Logical, Array, Node, Cell(1), StreamOf(""), print, CplFault)
"""What a value of CPL may be, or lead to."""


BUILTINS = ("int", "float", "complex", "bool", "str", "list", "tuple")
"""The types that annotations are made of."""

IMPORTED = {("typing", "Any"), ("typing", "Never"), ("collections.abc", "Callable")}
"""And what they need besides."""


def assert_closed(python: str) -> None:
    """Every name is bound in the module or comes from cplrt; nothing is asked for its attributes but places for their
    value, nodes for components, whose names no Python object has an attribute by, and labels for the target of a jump.
    """
    tree = ast.parse(python)
    components, labels = set[str](), set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="Labels"), args=[])):
                labels.add(name)
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=ast.Tuple(elts=names)):
                components |= {name.value for name in names if isinstance(name, ast.Constant)}
    assert not [(name, thing) for name in components for thing in REACHED if hasattr(thing, name)]
    bound = {"__all__", "__name__", "ord", "range", *BUILTINS}  # what the compiler writes of Python's own: no CPL names
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, names=names):
                ours = module in ("cplrt", "cplrt.checkers", "cplrt.kings")
                assert ours or {(module, alias.name) for alias in names} <= IMPORTED
                bound |= {alias.asname or alias.name for alias in names}
            case ast.Import():
                raise AssertionError(ast.unparse(node))
            case (
                ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.ExceptHandler(name=str(name))
            ):
                bound.add(name)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                assert name in bound
            case ast.Attribute(value=ast.Name(id=name), attr="target") if name in labels:
                pass
            case ast.Attribute(attr=name) if name != "value" and name not in components:
                raise AssertionError(ast.unparse(node))


@pytest.mark.parametrize("text", ESCAPES)
def test_no_python_is_reached(text: str) -> None:
    try:
        python = cpl.compile_text(text).python
    except cpl.CplError:
        return
    assert_closed(python)


@pytest.mark.parametrize("first", [0, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize("part", SHARES)
def test_random_programs_reach_no_python(part: int, first: int) -> None:
    for program in programs(part, int(os.environ.get("CPLC_EXAMPLES", "60")), first):
        assert_closed(cpl.compile_text(program.text, pretty=False).python)


@pytest.mark.long
def test_our_programs_reach_no_python() -> None:
    for path in loader.packaged_files():
        if path.parent.name == "programs":
            source = loader.read(path)
            assert_closed(cpl.compile_text(source.text, path=source.path, repair=True, pretty=False).python)


WATCHED = """
import json, sys, cplrt
def watch(event, arguments):
    if watching and event not in ("exec", "compile", "object.__getattr__", "sys._getframe"):
        print("reached", event, arguments)
        sys.exit(1)
watching = False
modules = [compile(text, "out.py", "exec") for text in json.load(sys.stdin)]
sys.addaudithook(watch)
for module in modules:
    names = {"__name__": "out"}
    watching = True
    exec(module, names)
    for name, value in list(names.items()):
        if callable(value) and getattr(value, "__module__", "") == "out":
            for count in range(4):
                try:
                    value(*["__import__('os').system('true')"] * count)
                except Exception:
                    pass
    watching = False
"""


def test_no_python_is_reached_by_running() -> None:
    """A module that runs, and whose functions are applied, opens, imports and starts nothing: Python would tell."""
    texts = []
    for text in ESCAPES:
        with contextlib.suppress(cpl.CplError):
            texts.append(cpl.compile_text(text).python)
    assert len(texts) > 5
    command = [sys.executable, "-c", WATCHED]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
