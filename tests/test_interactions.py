"""Random programs in which features meet: all ways to run them do what the language reference says.

`CPLC_SEED=1000 CPLC_EXAMPLES=20000 pytest tests/test_interactions.py` tries the programs of those seeds.
"""

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import oracle
import pytest
from interactions import PARTS, Program, features, programs, shrunk
from test_properties import outcome

import cpl
from cpl import compiler
from cpl.semantics import core, walk
from cpl.source import Source

SEED = int(os.environ.get("CPLC_SEED", "0"))
EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "60"))
NATIVE = int(os.environ.get("CPLC_NATIVE", "20"))
NODES = {kind for kind in vars(core).values() if isinstance(kind, type) and issubclass(kind, core.Node)}
NODES -= {core.Node, core.Append, core.Activation, core.Attempt}  # which only passes and lowered jumps have
Outcome = tuple[str, str]  # how a run ends, and what it writes


def evaluated(program: compiler.Meaning | compiler.Executable, *, interpreted: bool = False) -> str:
    [*_] = compiler.evaluations(program, interpreted=interpreted)
    return "value"


def native(meaning: compiler.Meaning) -> compiler.Executable:
    return compiler.executable_of(meaning, compiler.Options(native=True))


def executed(meaning: compiler.Meaning, *, standalone: bool, pretty: bool) -> Outcome:
    """As text, in which some faults are exceptions of Python."""
    python = compiler.compile_meaning(meaning, compiler.Options(standalone=standalone, pretty=pretty)).python
    code = compile(python, "out.py", "exec")
    return outcome(lambda: exec(code, {"__name__": "out"}) or "value", Exception)


def understood(program: Program) -> compiler.Meaning:
    return compiler.understand(Source("random.cpl", program.text), compiler.Options(program.reading))


def ways(program: Program) -> dict[str, Outcome]:
    """The outcome of each way to run a program; or why it is refused."""
    try:
        meaning = understood(program)
        fast = compiler.optimised(meaning)
        standalone = executed(meaning, standalone=True, pretty=False)
    except cpl.CplError as error:
        return {"refused": (" ".join(sorted({finding.code for finding in error.diagnostics})), "")}
    except Exception as error:
        return {"not compiled": (repr(error), "")}
    return {
        "interpreted": outcome(lambda: evaluated(meaning, interpreted=True)),
        "compiled": outcome(lambda: evaluated(meaning)),
        "optimised": outcome(lambda: evaluated(fast)),
        "optimised and interpreted": outcome(lambda: evaluated(fast, interpreted=True)),
        "standalone": standalone,
    }


def wanted(program: Program) -> Outcome | None:
    """The outcome by the reference, if it says what that is."""
    try:
        return oracle.outcome(program.commands, program.reading)
    except oracle.Unclear:
        return None


def agree(outcome: Outcome, judged: Outcome) -> bool:
    """Whether outcomes are alike. What is written by operands beside the one with a fault may be missing."""
    (end, text), (wanted_end, wanted_text) = outcome, judged
    are_alike = text.startswith(wanted_text) or wanted_text.startswith(text)
    return outcome == judged or (end == wanted_end == "fault" and are_alike)


def disagreement(program: Program) -> dict[str, Outcome]:
    """Nothing, or else all outcomes."""
    judged = wanted(program)
    outcomes = ways(program) if judged else {}
    is_right = not judged or all(agree(outcome, judged) for outcome in outcomes.values())
    return {} if is_right else {"by the reference": judged, **outcomes}


def explained(program: Program) -> str:
    """The least program that goes wrong in the same way, and all its outcomes."""
    refusal = disagreement(program).get("refused")

    def fails(candidate: Program) -> bool:
        try:
            outcomes = disagreement(candidate)
        except (AttributeError, KeyError, TypeError, ValueError):  # it is cut down to what is no program
            return False
        return bool(outcomes) and outcomes.get("refused") == refusal

    small = shrunk(program, fails)
    return f"{small}\n" + "\n".join(f"{engine}: {end}" for engine, end in disagreement(small).items())


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("first, count", [(0, EXAMPLES), pytest.param(EXAMPLES, 4 * EXAMPLES, marks=pytest.mark.long)])
def test_all_ways_do_what_the_reference_says(
    part: int, first: int, count: int, measured: Callable[[str], None]
) -> None:
    failed = [program for program in programs(part, count, SEED + first) if disagreement(program)]
    measured(f"interactions: {count // len(PARTS)} random programs, {len(failed)} go wrong")
    seeds = [program.seed for program in failed]
    if failed:
        pytest.fail(f"the seeds {seeds} go wrong, such as{''.join(map(explained, failed[:3]))}")


@pytest.mark.long
def test_each_feature_occurs() -> None:
    """Most programs have a meaning and reach their end, and each feature and each node of the core is in some."""
    counts: Counter[Any] = Counter()
    for part in PARTS:
        for program in programs(part, 400):
            judged = wanted(program)
            counts.update([judged and judged[0], *features(program)])
            counts.update({type(node) for whole in understood(program).core.definitions for node in walk.nodes(whole)})
            fast = compiler.optimised(understood(program)).core.definitions if program.seed < 100 else ()
            nodes = (node for whole in fast for node in walk.nodes(whole))
            counts["whole numbers"] += any(getattr(node, "operator", "") in core.INTEGER_OPERATORS for node in nodes)
    assert counts[None] < 120
    assert counts["value"] > 200
    assert counts["whole numbers"] > 10  # for bit strings
    assert not [kind for kind in {*counts, *NODES} if counts[kind] < 4]


def test_what_is_right_has_no_errors() -> None:
    """Programs that run to their end: `cpl check` may warn of them, and finds places declared to be of another type of
    number, which does no harm in the end.
    """
    judged = [program for program in programs(0, 80, SEED) if (wanted(program) or "?")[0] == "value"]
    findings = [
        diagnostic for program in judged for diagnostic in cpl.check_text(program.text, reading=program.reading)
    ]
    assert {diagnostic.message for diagnostic in findings if diagnostic.severity == "error"} <= {
        "expected an integer, found a real number"
    }


@pytest.mark.parametrize("part", PARTS)
def test_formatted_modules_do_the_same(part: int) -> None:
    for program in programs(part, 8):
        meaning = understood(program)
        plain = outcome(lambda: evaluated(meaning))  # noqa: B023
        assert [executed(meaning, standalone=alone, pretty=True) for alone in (False, True)] == [plain, plain], program


@pytest.mark.long
def test_native_modules_do_what_the_reference_says() -> None:
    """With the variable CPLC_NATIVE there are as many."""
    for part in PARTS:
        for program in programs(part, NATIVE, SEED):
            if judged := wanted(program):
                meaning = understood(program)
                assert agree(outcome(lambda: evaluated(native(meaning))), judged), program  # noqa: B023
