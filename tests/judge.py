"""Random programs, judged by the language reference: what goes wrong, and the least program that does so."""

import contextlib
import math
import signal
import time
from collections.abc import Iterator, Sequence

import oracle
import ways
from interactions import Program, shrunk
from ways import Outcome, agree

import cpl
from cpl.compiler import pipeline
from cpl.compiler.source import Source

WAYS = tuple(way for way in ways.IN_PYTHON if way != "text")  # which is what is run as `plain`
BY_REFERENCE, REFUSED = "by the reference", "refused"


def run(program: Program, only: Sequence[str] = WAYS) -> ways.Ways:
    return ways.ways(Source("random.cpl", program.text), program.reading, only=only)


def understood(program: Program) -> pipeline.Meaning:
    return run(program).program.meaning


def judged(program: Program) -> Outcome | None:
    """The outcome by the reference, if it says what that is."""
    try:
        return Outcome(*oracle.outcome(program.commands, program.reading))
    except oracle.Unclear:
        return None


class TooLong(BaseException):
    """A run has taken its time."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End what takes longer, if there is a limit and signals can end it. Raises TooLong."""
    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return

    def end(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, end)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)  # what was left of the limit around
        signal.signal(signal.SIGALRM, before)


def outcomes(program: Program, only: Sequence[str] = WAYS, seconds: float = 0) -> dict[str, Outcome]:
    """What the program does in each way, or why it is refused."""
    found: dict[str, Outcome] = {}
    running = run(program, only)
    for way in only:
        try:
            with limited(seconds):
                found[way] = running.outcome(way)
        except TooLong:
            found[way] = Outcome("endless")
        except cpl.CplError as error:
            codes = {finding.code for finding in error.diagnostics}
            return {REFUSED: Outcome(" ".join(sorted(codes)))}
    return found


def disagreement(program: Program, only: Sequence[str] = WAYS, seconds: float = 0) -> dict[str, Outcome]:
    """The ways that do something else than the reference says, or why the program is refused; nothing if all is well
    or the reference leaves it open. With a limit of time a way that takes longer is `endless`.
    """
    wanted = judged(program)
    if not wanted:
        return {}
    found = outcomes(program, only, seconds)
    return {way: outcome for way, outcome in found.items() if not agree(outcome, wanted)}


NO_PROGRAM = (AttributeError, KeyError, TypeError, ValueError)
"""What the evaluator raises for what is cut down too far."""


def least(program: Program, only: Sequence[str] = WAYS, seconds: float = 0, shrinking: float = math.inf) -> Program:
    """As few commands as still go wrong in the same way, as far as the time for it allows: the first way that goes
    wrong is tried alone.
    """
    wrong = disagreement(program, only, seconds)
    first = next(iter(wrong))
    tried = WAYS[:1] if first == REFUSED else [first]
    end = time.monotonic() + shrinking

    def fails(candidate: Program) -> bool:
        if time.monotonic() > end:
            return False
        try:
            found = disagreement(candidate, tried, min(seconds, MOST_FOR_A_STEP))
        except NO_PROGRAM:
            return False
        return first in found and (first != REFUSED or found == wrong)

    return shrunk(program, fails)


MOST_FOR_A_STEP = 5.0
"""Seconds that a program may take while it is cut down, if there is a limit."""


def explained(program: Program, only: Sequence[str] = WAYS, seconds: float = 0, shrinking: float = math.inf) -> str:
    """The least program that goes wrong in the same way, and all its outcomes."""
    small = least(program, only, seconds, shrinking)
    wanted = judged(small)
    found = {BY_REFERENCE: wanted} if wanted else {}
    return f"{small}\n{ways.shown(found | outcomes(small, only, seconds))}"
