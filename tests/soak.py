"""Run random programs in all ways, for as long as you like; stop at any time and go on later.

    python tests/soak.py soak.jsonl --programs 20000 --native 0.1
    python tests/soak.py soak.jsonl --summary
    python tests/soak.py soak.jsonl --again

Each program is judged by the language reference, run in all ways, and a share of them in C; with `--without RULE`, in
C without one of the rules that make it faster. What was done is appended to the file after each batch, so that the same
command goes on after the last batch. A program that goes wrong is cut down to the least one that still does, which is
printed and noted in the file. At the end, and after Ctrl-C or `kill`, there is a summary.

The exit status is 0 if all programs did what the reference says, 1 if some went wrong, and 130 if the run was stopped.
"""

import argparse
import json
import multiprocessing
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import closures
import interactions
from cplrt import allow_deep_recursion
from judge import WAYS, disagreement, explained, judged
from long_runs import ended, lines, told
from ways import ALL

from cpl.compiler.c.rules import CAN_BE_LEFT_OUT

WRITERS: dict[str, type[interactions.Writer]] = {"usual": interactions.Writer, "closures": closures.Keeper}
ENDS = ["value", "fault", "finish", "unclear"]
SECONDS_TO_START = 60


@dataclass(frozen=True)
class Batch:
    """Programs of one kind, from one seed up to another, which is not included."""

    writer: str
    first: int
    last: int


@dataclass
class Limits:
    native: float
    seconds: float
    shrinking: float
    way: str = "native"  # that of C


@dataclass
class Done:
    """What became of a batch; a line of the file."""

    batch: Batch
    version: str
    ends: Counter[str] = field(default_factory=Counter)
    native: int = 0
    wrong: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0

    def line(self) -> str:
        counts = {end: self.ends[end] for end in ENDS}
        last = {"native": self.native, "wrong": self.wrong, "seconds": round(self.seconds, 1), "version": self.version}
        return json.dumps({**vars(self.batch), **counts, **last}, ensure_ascii=False) + "\n"


def is_native(seed: int, share: float) -> bool:
    """Whether the program of that seed also runs in C: one of so many, whatever the batches."""
    return int((seed + 1) * share) > int(seed * share)


def tried(writer: str, seed: int, limits: Limits) -> dict[str, Any]:
    """The end of a program, whether it ran in C too, and what went wrong with it."""
    program = WRITERS[writer](seed).program()
    wanted = judged(program)
    if not wanted:
        return {"seed": seed, "end": "unclear", "native": False}
    in_c = "native" in ALL and is_native(seed, limits.native)
    only = [*WAYS, *([limits.way] if in_c else [])]
    result = {"seed": seed, "end": wanted.brief, "native": in_c}
    if wrong := disagreement(program, only, limits.seconds):
        shown = explained(
            program, [*WAYS, *([limits.way] if limits.way in wrong else [])], limits.seconds, limits.shrinking
        )
        result["wrong"] = {"seed": seed, "ways": {way: each.end for way, each in wrong.items()}, "least": shown}
    return result


def work(writer: str, seeds: list[int], limits: Limits, results: Connection) -> None:
    """What a process does: it sends the result of one program after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    allow_deep_recursion()
    results.send(None)
    for seed in seeds:
        results.send(tried(writer, seed, limits))


def obeyed(batch: Batch, limits: Limits, version: str) -> Done:
    """Run a batch in a process of its own. If it does not come back from a program, it is ended, and another goes on
    with the next one.
    """
    done, started = Done(batch, version), time.monotonic()
    seeds = [*range(batch.first, batch.last)]
    patience = (len(WAYS) + 2) * limits.seconds + limits.shrinking + SECONDS_TO_START
    context = multiprocessing.get_context("spawn")
    while seeds:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(batch.writer, seeds, limits, sender), daemon=True)
        process.start()
        sender.close()
        try:
            receiver.recv()
            while seeds:
                if not receiver.poll(patience):
                    raise EOFError
                note(done, receiver.recv())
                seeds = seeds[1:]
        except EOFError:
            process.join(1)
            how = "it did not come back" if process.is_alive() else f"its process ended: {process.exitcode}"
            done.wrong.append({"seed": seeds[0], "ways": {"process": how}, "least": ""})
            done.ends["unclear"] += 1
            seeds = seeds[1:]
        finally:
            process.kill()
            process.join()
    done.seconds = time.monotonic() - started
    return done


def note(done: Done, result: dict[str, Any]) -> None:
    done.ends[result["end"]] += 1
    done.native += result["native"]
    if "wrong" in result:
        done.wrong.append(result["wrong"])


# The file -------------------------------------------------------------------------------------------------------------


def batches(done: list[dict[str, Any]], writers: list[str], first: int, last: int, size: int) -> Iterator[Batch]:
    """The batches that are left, the kinds of programs in turn."""
    tried_before = {
        (line["writer"], seed) for line in done for seed in range(max(line["first"], first), min(line["last"], last))
    }
    for start in range(first, last, size):
        for writer in writers:
            left = [seed for seed in range(start, min(start + size, last)) if (writer, seed) not in tried_before]
            for _, run in groupby(enumerate(left), lambda pair: pair[1] - pair[0]):
                seeds = [seed for _, seed in run]
                yield Batch(writer, seeds[0], seeds[-1] + 1)


def counted(line: dict[str, Any]) -> str:
    return ", ".join(f"{line[end]:,} {end}" for end in ENDS) + f", {len(line['wrong']):,} wrong"


def summary(done: list[dict[str, Any]]) -> str:
    rows = []
    for writer in WRITERS:
        own = [line for line in done if line["writer"] == writer]
        if own:
            total = {end: sum(line[end] for line in own) for end in ENDS}
            wrong = [each for line in own for each in line["wrong"]]
            programs = sum(total.values())
            row = f"{writer}: {programs:,} programs ({counted({**total, 'wrong': wrong})})"
            rows.append(f"{row}; {sum(line['native'] for line in own):,} of them in C, too")
            if wrong:
                rows.append("  wrong: " + ", ".join(str(each["seed"]) for each in wrong))
    return "\n".join(rows) or "nothing is done yet"


def version_of(folder: Path) -> str:
    """The commit of the compiler that is tried."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


# The run --------------------------------------------------------------------------------------------------------------


def soak(file: Path, planned: Iterator[Batch], limits: Limits, processes: int) -> None:
    """Run the batches, several at once, and note each in the file."""
    version = version_of(Path(__file__).parent)
    with ThreadPoolExecutor(processes) as pool, file.open("a", encoding="utf-8") as log:
        running: set[Future[Done]] = set()
        try:
            while True:
                while len(running) < processes and (batch := next(planned, None)):
                    running.add(pool.submit(obeyed, batch, limits, version))
                if not running:
                    return
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for each in finished:
                    log.write(each.result().line())
                    log.flush()
                    show(each.result())
        finally:  # stopped: what is under way is not noted
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.kill()


def show(done: Done) -> None:
    line = json.loads(done.line())
    batch = done.batch
    print(f"{batch.writer} {batch.first}–{batch.last - 1}: {counted(line)} ({done.seconds:.0f} s)", flush=True)
    for wrong in done.wrong:
        print(f"seed {wrong['seed']} goes wrong: {wrong['ways']}{wrong['least']}", flush=True)


def again(done: list[dict[str, Any]], limits: Limits) -> bool:
    """Whether all programs that went wrong are right now."""
    allow_deep_recursion()
    wrong = [(line["writer"], each["seed"]) for line in done for each in line["wrong"]]
    still = [(writer, seed) for writer, seed in wrong if "wrong" in tried(writer, seed, limits)]
    print(f"of {len(wrong)} programs that went wrong, {len(still)} still do: {still}")
    return not still


def main(arguments: list[str] | None = None) -> int:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("soak.py", description=__doc__, formatter_class=formatter)
    parser.add_argument("file", type=Path, help="where to note what was done")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed (default: 0)")
    parser.add_argument("--programs", type=int, default=1000, metavar="N", help="how many of each kind (default: 1000)")
    parser.add_argument("--kind", choices=WRITERS, action="append", help="only this kind of programs; may be repeated")
    parser.add_argument("--native", type=float, default=0.1, metavar="SHARE", help="how many also in C (default: 0.1)")
    parser.add_argument("--without", choices=CAN_BE_LEFT_OUT, metavar="RULE", help="a rule of C to leave out")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="how many at once (default: 1)")
    parser.add_argument("--batch", type=int, default=20, metavar="N", help="programs to a batch (default: 20)")
    parser.add_argument("--seconds", type=float, default=30, help="for a program in one way (default: 30)")
    parser.add_argument("--shrinking", type=float, default=120, metavar="SECONDS", help="to cut it down (default: 120)")
    parser.add_argument("--summary", action="store_true", help="only print what was done")
    parser.add_argument("--again", action="store_true", help="only try again what went wrong")
    options = parser.parse_args(arguments)
    way = f"native without {options.without}" if options.without else "native"
    limits = Limits(options.native, options.seconds, options.shrinking, way)
    done = lines(options.file)
    status = 0
    if options.again:
        return 0 if again(done, limits) else 1
    if not options.summary:
        last = options.first + options.programs
        planned = batches(done, options.kind or [*WRITERS], options.first, last, options.batch)
        status = ended(lambda: soak(options.file, planned, limits, options.processes))
    is_wrong = told(options.file, summary)
    return status or int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
