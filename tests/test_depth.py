"""How deep programs may go, and what becomes of the process that they run in."""

import subprocess
import sys
from pathlib import Path

import pytest
from cplrt import Array, Cell, Equal, MinList, show

PROGRAM = """\
Count(n) = n = 0 → 0, 1 + Count(n - 1)
Endless(n) = 1 + Endless(n + 1)
Nest(n) = n = 0 → NIL, [Nest(n - 1)]
Same(n) = Nest(n) = Nest(n)
After[ref x] = x + 1
Up[n] = value of
  § let g = λm. Up[m]
    result is n = 0 → 0, After[g[n - 1]] §|
"""

LIMITS = """\
import gc, locale, os, resource, signal, sys, threading, warnings
def limits():
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGVTALRM)]
    stacks = resource.getrlimit(resource.RLIMIT_STACK), threading.stack_size(threading.stack_size())
    modes = gc.isenabled(), locale.setlocale(locale.LC_ALL), [*warnings.filters], os.getcwd(), dict(os.environ)
    of_sys = sys.getrecursionlimit(), sys.excepthook, sys.displayhook, sys.get_int_max_str_digits()
    return of_sys, handlers, stacks, modes
before = limits()
"""

ASK = """\
import threading, cpl, cplrt
module = cpl.load("a.cpl")
def ask(function, *arguments):
    try:
        print(function(*arguments))
    except cplrt.CplFault as fault:
        print(type(fault).__name__, "allow_deep_recursion()" in str(fault))
def everything():
    ask(module.Count, 100000)
    ask(module.Same, 60000)
    ask(module.Up, 15000)
    ask(module.Endless, 0)
def in_thread():
    thread = threading.Thread(target=everything)
    thread.start()
    thread.join()
"""


def script(folder: Path, *parts: str) -> list[str]:
    """What a host prints that goes through these steps."""
    (folder / "a.cpl").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-c", "".join(parts)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_library_changes_nothing_of_its_host(tmp_path: Path) -> None:
    use = "cpl.compile_text('F(x) = x').python\nassert cpl.check_text('F(x) = y')\nassert limits() == before\n"
    assert script(tmp_path, LIMITS, ASK, use) == []


@pytest.mark.parametrize("where", ["everything()", "in_thread()"])
def test_a_host_is_told_how_to_get_more_room(tmp_path: Path, where: str) -> None:
    assert script(tmp_path, ASK, where) == ["TooDeep True"] * 4


@pytest.mark.parametrize("where", ["everything()", "in_thread()"])
def test_a_host_may_allow_more_room(tmp_path: Path, where: str) -> None:
    found = script(tmp_path, ASK, "cplrt.allow_deep_recursion()\n", where)
    assert found == ["100000", "True", "15000", "TooDeep False"]


@pytest.mark.long
def test_a_command_has_room_and_ends(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text(PROGRAM, encoding="utf-8")
    for way, calls, values in (
        ([], ("Count(100000)", "Same(60000)", "Up(15000)", "Endless(0)"), ["100000", "true", "15000"]),
        (["--interpreter"], ("Up(5000)", "Endless(0)"), ["5000"]),  # a tenth as fast
    ):
        command = [sys.executable, "-m", "cpl", "run", "a.cpl", *way, *(f"--call={call}" for call in calls)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.split()) == (1, values)
        assert done.stderr.startswith("cpl run: the recursion goes too deep; does it ever end?\n")


def nested(depth: int, inner: object) -> list[object]:
    """A list of a list of … of this."""
    made = [inner]
    for _ in range(depth):
        made = [made]
    return made


def test_values_of_any_depth_and_within_themselves_are_compared_and_written() -> None:
    """No host must allow deep recursion for that."""
    one, other, unlike = nested(100_000, 1), nested(100_000, 1), nested(100_000, True)
    assert Equal(one, other) and not Equal(one, unlike)
    assert len(MinList([one], [other, unlike])) == 2
    assert show(one) == "[" * 100_001 + "1" + "]" * 100_001
    array = Array("general", (0, 0))
    array[0] = one
    for value in (Cell(one), array):
        assert repr(value).count("[") >= 100_001
    one: list[object] = [1]
    one.append(one)
    other: list[object] = [1]
    other.append(other)
    assert Equal(one, other)
    assert show(one) == "[1,[…]]"
    assert show([other, other]) == "[[1,[…]],[1,[…]]]"


def test_a_text_that_needs_room_is_refused_or_compiled(tmp_path: Path) -> None:
    """A chain of operators, which the compiler walks by recursion."""
    use = """\
import cpl, cplrt
text = "F(b) = " + "b ∧ " * 399 + "b"
for found in cpl.check_text(text):
    print(found.code, found.help)
cplrt.allow_deep_recursion()
print(cpl.check_text(text))
"""
    advice = "use cplc, or call cplrt.allow_deep_recursion() first"
    assert script(tmp_path, LIMITS, use) == [f"no-room {advice}", "[]"]
    (tmp_path / "b.cpl").write_text("F(b) = " + "b ∧ " * 399 + "b\n", encoding="utf-8")
    command = [sys.executable, "-m", "cpl", "check", "b.cpl"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
