"""Random programs, judged by the language reference: what goes wrong, and the least program that does so."""

from collections.abc import Sequence

import oracle
import ways
from interactions import Program, shrunk
from ways import Outcome, agree

import cpl
from cpl import compiler
from cpl.source import Source

WAYS = tuple(way for way in ways.IN_PYTHON if way != "text")  # which is what is run as `plain`
BY_REFERENCE, REFUSED = "by the reference", "refused"


def run(program: Program, only: Sequence[str] = WAYS) -> ways.Ways:
    return ways.ways(Source("random.cpl", program.text), program.reading, only=only)


def understood(program: Program) -> compiler.Meaning:
    return run(program).program.meaning


def judged(program: Program) -> Outcome | None:
    """The outcome by the reference, if it says what that is."""
    try:
        return Outcome(*oracle.outcome(program.commands, program.reading))
    except oracle.Unclear:
        return None


def disagreement(program: Program, only: Sequence[str] = WAYS) -> dict[str, Outcome]:
    """The ways that do something else than the reference says, or why the program is refused; nothing if all is well
    or the reference leaves it open.
    """
    wanted = judged(program)
    if not wanted:
        return {}
    try:
        outcomes = run(program, only).outcomes
    except cpl.CplError as error:
        codes = {finding.code for finding in error.diagnostics}
        return {REFUSED: Outcome(" ".join(sorted(codes)))}
    return {way: outcome for way, outcome in outcomes.items() if not agree(outcome, wanted)}


NO_PROGRAM = (AttributeError, KeyError, TypeError, ValueError)
"""What the evaluator raises for what is cut down too far."""


def least(program: Program, only: Sequence[str] = WAYS) -> Program:
    """As few commands as still go wrong in the same way: the first that does is tried alone."""
    wrong = disagreement(program, only)
    first = next(iter(wrong))
    tried = WAYS[:1] if first == REFUSED else [first]

    def fails(candidate: Program) -> bool:
        try:
            found = disagreement(candidate, tried)
        except NO_PROGRAM:
            return False
        return first in found and (first != REFUSED or found == wrong)

    return shrunk(program, fails)


def explained(program: Program, only: Sequence[str] = WAYS) -> str:
    """The least program that goes wrong in the same way, and all its outcomes."""
    small = least(program, only)
    wanted = judged(small)
    outcomes = {BY_REFERENCE: wanted} if wanted else {}
    try:
        outcomes |= run(small, only).outcomes
    except cpl.CplError:
        outcomes |= disagreement(small, only)
    return f"{small}\n{ways.shown(outcomes)}"
