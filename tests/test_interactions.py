"""Random programs in which features meet: all ways to run them do what the language reference says.

`CPLC_SEED=1000 CPLC_EXAMPLES=20000 pytest tests/test_interactions.py` tries the programs of those seeds.
"""

import importlib
import io
import os
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import oracle
import pytest
from cplrt import CplFault
from interactions import Program, Writer, features, shrunk

import cpl
from cpl import compiler
from cpl.native import build
from cpl.native.execute import run as run_native
from cpl.source import Source

SEED = int(os.environ.get("CPLC_SEED", "0"))
EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "300"))
NATIVE = int(os.environ.get("CPLC_NATIVE", "10"))
PARTS = range(2)
Outcome = tuple[str, str]


def outcome(run: Callable[[], Any], faults: type[Exception] = CplFault) -> Outcome:
    """How a run ends, and what it writes."""
    written = io.StringIO()
    with redirect_stdout(written):
        try:
            run()
            end = "value"
        except faults:
            end = "fault"
        except SystemExit:
            end = "finish"
        except Exception as error:
            end = repr(error)
    return end, written.getvalue()


def executed(meaning: compiler.Meaning) -> None:
    """Alone, a module has Python's own exceptions for some faults."""
    python = compiler.compile_meaning(meaning, standalone=True, pretty=False).python
    exec(compile(python, "out.py", "exec"), {"__name__": "out"})


def understood(program: Program) -> compiler.Meaning:
    return compiler.understand(Source("random.cpl", program.text), reading=program.reading)


def ways(program: Program) -> dict[str, Outcome]:
    """The outcome of each way to run a program."""
    try:
        meaning = understood(program)
    except cpl.CplError as error:
        return {"refused": (" ".join(sorted({found.code for found in error.diagnostics})), "")}
    except Exception as error:
        return {"crash": (repr(error), "")}
    return {
        "interpreted": outcome(lambda: [*compiler.evaluations(meaning, interpreted=True)]),
        "compiled": outcome(lambda: [*compiler.evaluations(meaning)]),
        "optimised": outcome(lambda: [*compiler.evaluations(meaning, optimise=True)]),
        "standalone": outcome(lambda: executed(meaning), Exception),
    }


def wanted(program: Program) -> Outcome | None:
    """The outcome by the reference, if it says what that is."""
    try:
        return oracle.outcome(program.commands, arithmetic=program.arithmetic)
    except oracle.Unclear:
        return None


def disagreement(program: Program) -> dict[str, Outcome]:
    """Nothing, or else all outcomes."""
    judged = wanted(program)
    if judged is None:
        return {}
    outcomes = ways(program)
    return {} if {*outcomes.values()} == {judged} else {"by the reference": judged, **outcomes}


def explained(program: Program) -> str:
    """The least program that goes wrong in the same way, and all its outcomes."""
    refused = [*disagreement(program)][1] in ("refused", "crash")

    def fails(candidate: Program) -> bool:
        try:
            outcomes = disagreement(candidate)
        except (AttributeError, KeyError, TypeError, ValueError):  # cut down to what is no program
            return False
        return bool(outcomes) and (outcomes.get("refused") == disagreement(program).get("refused"))

    small = shrunk(program, fails) if not refused else program
    return f"{small}\n" + "\n".join(f"{way}: {end}" for way, end in disagreement(small).items())


@pytest.mark.parametrize("part", PARTS)
def test_all_ways_do_what_the_reference_says(part: int, measured: Callable[[str], None]) -> None:
    programs = [Writer(seed).program() for seed in range(SEED + part, SEED + EXAMPLES, len(PARTS))]
    failed = [program for program in programs if disagreement(program)]
    measured(f"interactions: {len(programs)} random programs, {len(failed)} go wrong")
    seeds = [program.seed for program in failed]
    assert not failed, f"the seeds {seeds} go wrong, such as{''.join(map(explained, failed[:3]))}"


def test_each_feature_occurs() -> None:
    """In one of fifty programs at least; and most programs have a meaning, and reach their end."""
    programs = [Writer(seed).program() for seed in range(SEED, SEED + 400)]
    ends = Counter(end and end[0] for end in map(wanted, programs))
    assert ends[None] < 0.2 * len(programs)
    assert ends["value"] > 0.6 * len(programs)
    counts = Counter(feature for program in programs for feature in features(program.commands))
    rare = {feature: count for feature, count in counts.items() if count < len(programs) / 50}
    assert not rare


@pytest.mark.long
def test_native_modules_do_what_the_reference_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many to a build, as a build takes seconds. With the variable CPLC_NATIVE there are as many."""
    programs = [Writer(seed).program() for seed in range(SEED, SEED + NATIVE)]
    meanings = {f"random_{program.seed}": understood(program) for program in programs if wanted(program)}
    modules = {name: compiler.native_module(meaning) for name, meaning in meanings.items()}
    build.build({name: text for name, (text, _) in modules.items()}, tmp_path, effort=0)
    monkeypatch.syspath_prepend(str(tmp_path))
    for program in programs:
        if judged := wanted(program):
            name = f"random_{program.seed}"
            source, generated = meanings[name].main.source, modules[name][1]
            run = outcome(lambda: run_native(lambda: importlib.import_module(name), generated, source))  # noqa: B023
            assert run == judged, program
