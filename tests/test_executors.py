"""Jobs in processes and on a cluster, such as counts of lines: each counts once, and nothing is left behind."""

import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command_line import run, started

from cpl import executors
from cpl.executors import AHEAD, Lost, Workers, workers
from cpl.games.counting import counter_in, counter_of, perft
from cpl.study.compare.experiment import shared

PUBLISHED = [7, 49, 302, 1469, 7361, 36768, 179740]


def test_games_are_counted_and_faults_told() -> None:
    """Nothing in it knows checkers: take one or two from a heap, down to none."""
    text = "Start = 5\nMoves(n) = n < 1 → NIL, n = 1 → [0], [n - 1,n - 2]\n"
    done = run("cpl", "perft", "-", "--start", "Start", "--moves", "Moves", "--depth", "4", input=text)
    assert done.stdout == "2 4 7 5\n", done.stderr
    # As with one job, in words of CPL.
    text = "Start = 3\nMoves(n) = n < -3 → [1,2]/n, [n - 1,n - 2]\n"
    arguments = ["perft", "-", "--start", "Start", "--moves", "Moves", "--depth", "7"]
    alone, together = (run("cpl", *arguments, "--jobs", jobs, input=text) for jobs in "12")
    assert alone.returncode == together.returncode == 1
    assert alone.stderr.splitlines()[0] == together.stderr.splitlines()[0]
    assert "Traceback" not in together.stderr


MISSING = "<stdin> defines no StartPosition and no LegalPositionsFrom: "


def test_what_is_no_game_and_no_start_is_told() -> None:
    for arguments, text, status, said in (
        (
            ("perft", "-", "--start", "1"),
            "F(x) = x\n",
            1,
            "<stdin> defines no LegalPositionsFrom: name where play begins",
        ),
        (("perft", "-"), "F(x) = x\n", 1, f"{MISSING}name where play begins"),
        (("rules", "-"), "F(x) = x\n", 1, f"{MISSING}define both"),
        (("perft", "-", "--start", "1", "--moves", "2"), "F(x) = x\n", 1, "2 is not a function"),
        (("perft", "-", "--start", "1", "--moves", "F"), "F(x) = x\n", 1, "expected a list, found a number"),
        (("perft", "-", "--start", "1", "--moves", "F"), "F(x,y) = x\n", 1, "F got one argument too few"),
        (("perft", "--game", "capture", "--start", "X"), "", 2, "--start is for a FILE, and a game has its own"),
        (("perft", "--game", "capture", "--moves", "X"), "", 2, "--moves is for a FILE, and a game has its own"),
    ):
        assert run("cpl", *arguments, input=text, fails=status).stderr.startswith(f"cpl {arguments[0]}: {said}")
    assert "<call 1>:1:4" in run("cpl", "perft", "-", "--start", "1 +", "--moves", "F", input="F(x) = x\n").stderr


PERFT = ["perft", "strachey.cpl", "--depth"]
COUNTS = [*PUBLISHED, 845931, 3963629]


def squared(number: int) -> int:
    return number * number


def killed(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def test_results_come_in_order_and_few_items_are_under_way() -> None:
    for jobs in (1, 2, 3):
        with workers(jobs) as staff:
            assert [*staff.map(squared, iter(range(100)))] == [*map(squared, range(100))]
    asked = 0

    def items() -> Iterator[int]:
        nonlocal asked
        for number in range(1000):
            asked += 1
            yield number

    with workers(2) as staff:
        for done, _ in enumerate(staff.map(squared, items()), 1):
            assert asked <= done + 2 * AHEAD
    assert asked == done == 1000


def test_what_a_job_raises_is_raised_and_who_is_killed_is_missed() -> None:
    with pytest.raises(ZeroDivisionError), workers(2) as staff:
        assert [*staff.map(partial(divmod, 1), range(3))]
    with pytest.raises(Lost, match="a worker was killed"), workers(2) as staff:
        assert [*staff.map(killed, range(1))]
    other = multiprocessing.Process(target=time.sleep, args=(60,), daemon=True)
    other.start()
    try:
        with pytest.raises(TypeError), workers(2) as staff:
            list(staff.map(squared, ["no number"]))  # type: ignore[list-item]
        other.join(0.2)
        assert multiprocessing.active_children() == [other]
    finally:
        other.kill()
        other.join()


HEAP = "Start = 9\nMoves(n) = n < 1 → NIL, n = 1 → [0], [n - 1,n - 2]\n"
GAME = ["perft", "heap.cpl", "--start", "Start", "--moves", "Moves", "--depth"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game that is compiled quickly."""
    (tmp_path / "heap.cpl").write_text(HEAP)
    return tmp_path


def heap(left: int) -> list[int]:
    """Take one or two from a heap."""
    return [left - taken for taken in (1, 2) if taken <= left]


def test_parts_make_the_whole() -> None:
    count = counter_of(heap, 9)
    whole = [count((), ply) for ply in range(1, 13)]
    assert whole[-1] == 0 < whole[-4]
    for size in (1, 2, 5):
        plies = [*perft(lambda part: count(*part), 12, Workers(size=size))]
        assert [sum(found) for _, found in plies] == whole
        assert (max(jobs for jobs, _ in plies) > 1) == (size > 1)


@pytest.mark.parametrize("options", [["--jobs", "2"], ["--jobs", "2", "--plain"]])
@pytest.mark.parametrize("command", [[*PERFT, "6"], [*GAME, "11"], ["perft", "--game", "capture", "--depth", "4"]])
def test_the_same_counts_whatever_the_jobs(command: list[str], options: list[str], folder: Path) -> None:
    assert run("cpl", *command, *options, cwd=folder, well=True).stdout == run("cpl", *command, cwd=folder).stdout


@pytest.mark.long
def test_the_same_counts_in_native_modules(tmp_path: Path) -> None:
    found = run("cpl", *PERFT, "8", "--jobs", "2", "--native")
    assert found.stdout.split() == [*map(str, COUNTS[:8])], found.stderr


READINGS = ["readings", "strachey-original.cpl", "--against", "strachey.cpl", "--positions", "30", "--verbose"]
STEPS = "Step(n) = n = 0 → 0, 1 + Step(n - 1)\nTwice(F) = Compose where Compose(x) = F(F(x))\nWriteLine(Step(3))\n"
DIFF = ["diff", "before.cpl", "after.cpl", "--verbose"]


@pytest.fixture
def changed(folder: Path) -> Path:
    """A folder with a program before and after a change. A result is a function, which no process can send."""
    (folder / "before.cpl").write_text(STEPS)
    (folder / "after.cpl").write_text(STEPS.replace("1 + ", "2 + ").replace("F(F(x))", "F(F(F(x)))"))
    return folder


LONG = [pytest.param([*DIFF, *others], marks=pytest.mark.long) for others in ([], ["--format", "json"])]


@pytest.mark.long
@pytest.mark.parametrize("command", [[*DIFF, "--function", "Step"], *LONG])
def test_the_same_differences_whatever_the_jobs(command: list[str], changed: Path) -> None:
    alone, together = (run("cpl", *command, "--jobs", jobs, cwd=changed) for jobs in "12")
    assert alone.returncode == 1
    assert "Step" in alone.stdout
    assert (together.stdout, together.stderr, together.returncode) == (alone.stdout, alone.stderr, 1)


@pytest.mark.long
def test_the_same_readings_whatever_the_jobs() -> None:
    alone, together = (run("cpl", *READINGS, "--jobs", jobs) for jobs in "12")
    assert alone.returncode == 0, alone.stderr
    assert (together.stdout, together.stderr, together.returncode) == (alone.stdout, alone.stderr, 0)


def doubled(number: int) -> int | Callable[[], int]:
    """An answer that can be sent, or one that cannot."""
    return number * 2 if number % 2 else lambda: number * 2


class Doubling:
    def answer(self, number: int) -> int | Callable[[], int]:
        return doubled(number)


def test_answers_that_cannot_be_sent_and_addresses_that_are_none() -> None:
    with shared(Doubling(), jobs=2) as ask:
        found = dict([*ask(range(4)), *ask(range(4, 6))])
    assert sorted(found) == [*range(6)]
    assert [each if isinstance(each, int) else each() for _, each in sorted(found.items())] == [0, 2, 4, 6, 8, 10]
    for address in ("localhost:8786", "tcp://", "http://127.0.0.1:80", "tcp://a b:1", "tcp://a:x"):
        done = run("cpl", *PERFT, "5", "--cluster", address)
        assert (done.returncode, "expected an address such as tcp://" in done.stderr) == (2, True)


def wait_for(what: str, happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def is_gone(group: int) -> bool:
    """Whether no process of a group is left: those whose parents have ended are ours (conftest.py)."""
    try:
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_count_that_is_killed_leaves_no_process(how: signal.Signals) -> None:
    process = started("-m", "cpl", *PERFT, "9", "--jobs", "2", "--plain")
    assert process.stdout and process.stdout.read(4) == "7 49"
    os.kill(process.pid, how)
    # communicate alone would lose what was read ahead
    out, err = process.stdout.read(), process.communicate(timeout=60)[1]
    wait_for("the end of its processes", partial(is_gone, process.pid))
    assert "3963629" not in out
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert err == "cpl perft: interrupted\n"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    if not find_spec("distributed"):
        pytest.skip("dask.distributed is not installed")
    file, processes = tmp_path / "scheduler.json", []

    def dask(*arguments: str) -> None:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        quiet = subprocess.DEVNULL
        processes.append(subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=tmp_path))

    try:
        dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        wait_for("a scheduler", file.exists)
        wait_for("its address", lambda: file.read_text().rstrip().endswith("}"))
        address = json.loads(file.read_text())["address"]
        for _ in range(2):
            dask("worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.long
def test_a_worker_of_a_cluster_is_killed(cluster: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    address, (worker, _) = cluster
    process = started("-m", "cpl", *PERFT, "9", "--cluster", address)
    assert process.stdout and process.stdout.read(4) == "7 49"
    worker.kill()
    out, err = process.stdout.read(), process.communicate(timeout=120)[1]
    assert err == ""
    assert f"7 49{out}".split() == [*map(str, COUNTS)]


@pytest.mark.long
def test_a_cluster_does_what_one_process_does(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], changed: Path
) -> None:
    address, _ = cluster
    for name in ("before.cpl", "after.cpl"):  # a function that never ends is given up there, too
        with (changed / name).open("a") as file:
            file.write("Endless(n) = Endless(n + 1)\n")
    match = ["match", "random:1", "alphabeta:1", "--games", "4", "--seed", "3", "--opening", "2"]
    for command in ([*GAME, "9"], ["perft", "--game", "capture", "--depth", "4"], match, READINGS, DIFF):
        alone, together = (run("cpl", *command, *more, cwd=changed) for more in ([], ["--cluster", address]))
        assert alone.stdout, alone.stderr
        assert (together.stdout, together.stderr, together.returncode) == (alone.stdout, alone.stderr, alone.returncode)


@pytest.mark.long
def test_where_no_cluster_is() -> None:
    done = run("cpl", *PERFT, "5", "--cluster", "tcp://127.0.0.1:9", fails=1)
    assert re.fullmatch(r"cpl perft: (no scheduler of a cluster answers|a cluster needs dask).*\n", done.stderr)


def test_a_count_runs_in_c_where_that_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    count = partial(run, "cpl", "perft", "strachey.cpl", "--depth", "3", "-v")
    assert (count().stdout, count().stderr) == ("7 49 302\n", "all in C where possible\n")
    assert count("-O").stderr == "all in optimised Python\n"
    game = run("cpl", "perft", "--game", "strachey", "--depth", "2", "-v")
    assert (game.stdout, game.stderr) == ("7 49\n", "all in optimised Python\n")
    monkeypatch.setenv("CC", "false")  # a compiler that fails
    counter_in.cache_clear()
    broken = count()
    assert (broken.stdout, broken.stderr.splitlines()[1:]) == (
        "7 49 302\n",
        [
            "cpl perft: warning: the library could not be built: no reason given; optimised Python is run instead of C",
            "all in optimised Python",
        ],
    )
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "")
    assert (count().stdout, count().stderr) == ("7 49 302\n", "all in optimised Python\n")
    assert count("--native").stderr.startswith("all in C where possible\ncpl perft: native code needs a C compiler")


class ClusterOf:
    """A cluster with one worker, on which some functions give other values than here."""

    def __init__(self, **values: str) -> None:
        self.values = values

    def wait_for_workers(self, count: int, timeout: float) -> None:
        """It is there."""

    def run(self, function: Callable[..., Any], *arguments: Any, **_: Any) -> dict[str, Any]:
        """What the function gives on each worker."""
        name = function.__name__
        return {"tcp://1": self.values[name] if name in self.values else function(*arguments)}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"resolve_name": "1.0"}, "has cplc 1.0, and needs cplc"),
        ({"_byte_code": "cpython-39"}, "has the Python cpython-39"),
    ],
)
def test_a_worker_with_another_cplc_or_python_is_refused(values: dict[str, str], message: str) -> None:
    executors._check(ClusterOf(), "tcp://0")
    with pytest.raises(executors.NoCluster, match=message):
        executors._check(ClusterOf(**values), "tcp://0")
