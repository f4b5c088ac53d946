"""Perft: leaves a second of everything that counts the lines of play of English draughts from the start.

The time is that of a whole process which counts to some depth, less that of one which counts to depth 1. Every position
is made, and whoever counts anything else than the others has no figure.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import rivals
from measure import Failed, Row, Timed, against, best

PUBLISHED = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963629, 18391602, 85153971]
"""The counts of the rules of 1966, to depth 7 those of English draughts. From depth 8 on they are somewhat lower: a
piece that becomes a king by a capture goes on capturing as one."""

PLAIN = "cplc"
_PERFT = [sys.executable, "-m", "cpl", "perft", "strachey.cpl", "--depth"]


@dataclass(frozen=True)
class Contender:
    """What counts. The `depth` follows the command; `short` is the depth of a short run."""

    name: str
    command: list[str]
    depth: int
    short: int
    options: tuple[str, ...] = ()
    package: str = ""

    def to(self, depth: int) -> list[str]:
        """The command that counts to a depth."""
        return [*self.command, str(depth), *self.options]


def _script(name: str) -> list[str]:
    return [sys.executable, str(rivals.HERE / name)]


CONTENDERS = (
    Contender("pydraughts", _script("pydraughts.py"), 4, 3),
    Contender("py-draughts", _script("py_draughts.py"), 4, 0, package="py-draughts"),
    Contender(PLAIN, _PERFT, 6, 5, ("--plain",)),
    Contender("cplc -O", _PERFT, 8, 6, ("-O",)),
    Contender("Python on ints, by hand", _script("ints.py"), 8, 6),
    Contender("cplc --native", _PERFT, 11, 7, ("--native",)),
    Contender("C on words, by hand", [], 11, 7),
)


def rows(runs: int, say: Callable[[str], None], *, short: bool = False) -> list[Row]:
    """Leaves a second of each; in a `short` run to lower depths, and without packages that are not installed."""
    results: list[Row] = []
    for contender in CONTENDERS:
        depth = contender.short if short else contender.depth
        command = contender
        variables: dict[str, str] = {}
        problem = ""
        if not depth:
            continue
        if contender.package:
            variables = rivals.package(contender.package) or {}
            problem = "" if variables else "could not be installed"
        if not contender.command:
            program = rivals.c_program()
            command = Contender(contender.name, [program or ""], contender.depth, contender.short)
            problem = "" if program else "no C compiler"
        say(f"{contender.name}, to depth {depth}")
        results.append(
            Row("perft", contender.name, None, "leaves/s", problem=problem)
            if problem
            else _row(command, depth, runs, variables)
        )
    return against(results, PLAIN)


def _row(contender: Contender, depth: int, runs: int, variables: dict[str, str]) -> Row:
    part, unit, detail = "perft", "leaves/s", f"to depth {depth}"
    commands = {"whole": contender.to(depth), "start": contender.to(1)}
    times = best(commands, runs, dict.fromkeys(commands, variables))
    for measured in times.values():
        if isinstance(measured, Failed):
            return Row(part, contender.name, None, unit, detail, problem=str(measured))
    whole, start = times["whole"], times["start"]
    assert isinstance(whole, Timed)
    assert isinstance(start, Timed)
    counts = [int(count) for count in whole.output.split()]
    if counts != PUBLISHED[:depth]:
        ply = next((at for at, pair in enumerate(zip(counts, PUBLISHED, strict=False), 1) if pair[0] != pair[1]), depth)
        return Row(part, contender.name, None, unit, detail, problem=f"counts {counts[ply - 1]} at depth {ply}")
    return Row(part, contender.name, sum(counts[1:]) / max(whole.seconds - start.seconds, 1e-3), unit, detail)
