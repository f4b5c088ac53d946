"""Commands timed from outside: the processor's time and the memory of the whole process, and what it prints.

What other programs do on the machine changes these figures by a few per cent, so that commands that are compared are
run in turn, several times, and the least time of each counts.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace


class Failed(Exception):
    """A command that could not be run; the message is one line."""


def how_often(text: str) -> int:
    """The number of runs that an option asks for, 1 or more. Raises argparse.ArgumentTypeError."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text}: a whole number from 1 is needed")
    return int(text)


@dataclass(frozen=True)
class Timed:
    """A run of a command: seconds of processor time, user and system, its children's included; and its peak memory."""

    seconds: float
    megabytes: float
    output: str


def timed(command: Sequence[str], variables: Mapping[str, str] | None = None) -> Timed:
    """Run a command without input, with these variables in its environment. Raises Failed unless its status is 0."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        try:
            environment = {**inherited, **(variables or {})}
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment)
        except OSError as error:
            raise Failed(str(error)) from None
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            lines = errors.read().strip().splitlines() or [f"exit status {process.returncode}"]
            raise Failed(lines[-1])
        unit = 1 if sys.platform == "darwin" else 1024
        return Timed(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6, output.read())


def best(
    commands: Mapping[str, Sequence[str]], runs: int, variables: Mapping[str, Mapping[str, str]] | None = None
) -> dict[str, Timed | Failed]:
    """Each command run so often, in turn: the run that took least, or why one failed."""
    results: dict[str, Timed | Failed] = {}
    for _ in range(runs):
        for name, command in commands.items():
            before = results.get(name)
            if isinstance(before, Failed):
                continue
            try:
                now = timed(command, (variables or {}).get(name))
            except Failed as error:
                results[name] = error
                continue
            if before and before.output != now.output:
                results[name] = Failed("two runs differ in what they print")
            else:
                results[name] = min(now, before or now, key=lambda time: time.seconds)
    return results


@dataclass(frozen=True)
class Row:
    """A figure. `ratio` says how many times that of `rival` it is; `problem` why there is no figure."""

    part: str
    name: str
    value: float | None
    unit: str
    detail: str = ""
    ratio: float | None = None
    rival: str = ""
    problem: str = ""


def against(rows: Sequence[Row], rival: str) -> list[Row]:
    """The rows with their ratios to the row of this name."""
    [base] = [row.value for row in rows if row.name == rival]
    return [
        replace(row, ratio=row.value / base, rival=rival) if row.value is not None and base else row for row in rows
    ]
