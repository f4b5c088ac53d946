"""The long run of random programs (`soak.py`): it can be stopped, goes on where it was, and says what went wrong."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
import soak
import ways
from interactions import programs
from judge import disagreement

SOAK = [sys.executable, str(Path(__file__).parent / "soak.py")]
BATCH = {"writer": "usual", "value": 2, "fault": 1, "finish": 0, "unclear": 1, "native": 1}


def seeds(file: Path) -> list[int]:
    batches = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [seed for batch in batches for seed in range(batch["first"], batch["last"])]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_is_stopped_and_goes_on(stop: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    command = [*SOAK, str(file), "--kind", "usual", "--batch", "1", "--native", "0", "--programs"]
    with subprocess.Popen([*command, "1000"], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        assert running.stdout.readline().startswith("usual 0–0: ")
        running.send_signal(stop)
        shown = running.stdout.read()
    assert running.returncode == 130
    assert "stopped; the same command goes on from here\n" in shown
    done = seeds(file)
    assert done == [*range(len(done))]
    with file.open("a", encoding="utf-8") as log:
        log.write('{"writer": "usual", "first')  # as if it had been stopped while it wrote
    finished = subprocess.run([*command, str(len(done) + 1)], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished
    assert seeds(file) == [*range(len(done) + 1)]
    assert finished.stdout.startswith(f"usual {len(done)}–{len(done)}: ")
    assert f"usual: {len(done) + 1} programs (" in finished.stdout


def test_the_summary_counts_and_names_what_went_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "soak.jsonl"
    wrong = {"seed": 5, "ways": {"plain": "fault"}, "least": "…"}
    batches = [{**BATCH, "first": 0, "last": 4, "wrong": []}, {**BATCH, "first": 4, "last": 8, "wrong": [wrong]}]
    file.write_text("".join(json.dumps(batch) + "\n" for batch in batches), encoding="utf-8")
    assert soak.main([str(file), "--summary"]) == 1
    assert capsys.readouterr().out == (
        "usual: 8 programs (4 value, 2 fault, 0 finish, 2 unclear, 1 wrong); 2 of them in C, too\n  wrong: 5\n"
    )


def test_batches_are_what_is_left_of_each_kind() -> None:
    done = [{"writer": "usual", "first": 0, "last": 4}, {"writer": "closures", "first": 4, "last": 6}]
    left = [*soak.batches(done, ["usual", "closures"], 2, 9, 4)]
    assert left == [
        soak.Batch("usual", 4, 6),
        soak.Batch("closures", 2, 4),
        soak.Batch("usual", 6, 9),
        soak.Batch("closures", 6, 9),
    ]


@pytest.mark.parametrize(("share", "count"), [(0, 0), (0.1, 10), (1 / 3, 33), (1, 100)])
def test_a_share_of_the_programs_is_native(share: float, count: int) -> None:
    assert sum(soak.is_native(seed, share) for seed in range(100)) == count


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_a_way_that_does_not_end_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(first: int) -> Iterator[str]:
        while True:
            pass
        yield ""

    monkeypatch.setitem(ways.WAYS, "plain", lambda program: endless)
    program = next(programs(0, 1))
    assert disagreement(program, ["interpreted", "plain"], seconds=2) == {"plain": ways.Outcome("endless")}


def test_a_process_that_ends_is_noted_and_the_next_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "work", dying)
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None, raising=False)  # a worker of xdist has none
    done = soak.obeyed(soak.Batch("usual", 3, 6), soak.Limits(0, 1, 1), "")
    assert [wrong["seed"] for wrong in done.wrong] == [4]
    assert done.wrong[0]["ways"] == {"process": "its process ended: 7"}
    assert (done.ends["value"], done.ends["unclear"]) == (2, 1)


def dying(writer: str, seeds: list[int], limits: soak.Limits, results: Connection) -> None:
    results.send(None)
    for seed in seeds:
        if seed == 4:
            sys.exit(7)
        results.send({"seed": seed, "end": "value", "native": False})
