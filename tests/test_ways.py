"""All ways to run a program do the same: random programs, which the language reference judges, and all cases.

`CPLC_SEED=1000 CPLC_EXAMPLES=20000 pytest tests/test_ways.py` tries the random programs of those seeds; `soak.py` tries
many more, and goes on where it was stopped.
"""

import os
from collections.abc import Callable

import closures
import interactions
import pytest
from case_files import Case
from interactions import PARTS, programs
from judge import disagreement, explained, run
from test_cases import GOOD, identify
from ways import ALL, AS_TEXT, FORMATTED, Ways

from cpl.compiler import pipeline

pytestmark = pytest.mark.usefixtures("deep")

SEED = int(os.environ.get("CPLC_SEED", "0"))
EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "24"))
NATIVE = int(os.environ.get("CPLC_NATIVE", "20"))
WRITERS = [interactions.Writer, closures.Keeper]
"""Who draws the random programs."""
NEEDS_C = pytest.mark.skipif("native" not in ALL, reason="there is no C compiler")


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("first, count", [(0, EXAMPLES), pytest.param(EXAMPLES, 12 * EXAMPLES, marks=pytest.mark.long)])
def test_all_ways_do_what_the_reference_says(
    part: int, first: int, count: int, writer: type[interactions.Writer], measured: Callable[[str], None]
) -> None:
    failed = [program for program in programs(part, count, SEED + first, writer) if disagreement(program)]
    measured(f"{writer.__name__}: {count // len(PARTS)} random programs, {len(failed)} go wrong")
    seeds = [program.seed for program in failed]
    if failed:
        pytest.fail(f"the seeds {seeds} go wrong, such as{''.join(map(explained, failed[:3]))}")


@NEEDS_C
@pytest.mark.long
@pytest.mark.parametrize("writer", WRITERS)
def test_native_modules_do_what_the_reference_says(writer: type[interactions.Writer]) -> None:
    """With the variable CPLC_NATIVE there are as many."""
    for part in PARTS:
        for program in programs(part, NATIVE, SEED, writer):
            assert not disagreement(program, ["native"]), program


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("first, count", [(0, 4), pytest.param(4, 4, marks=pytest.mark.long)])
def test_formatted_modules_do_the_same(part: int, first: int, count: int) -> None:
    for program in programs(part, count, first):
        run(program, ("plain", *FORMATTED)).agreed()


@pytest.mark.parametrize("case", [case for case in GOOD if "output" in case.sections], ids=identify)
@pytest.mark.parametrize("way", AS_TEXT)
def test_the_text_of_a_program_writes_what_the_program_writes(case: Case, way: str, ways: Callable[..., Ways]) -> None:
    """As far as it comes: a fault is Python's there."""
    found = ways(case.cpl, case.reading, input=case.sections.get("input", ""), only=[way]).agreed()
    written, fault, _ = case.sections["output"].partition("fault: ")
    assert found.brief in (["fault"] if fault else ["value", "finish"])
    assert found.written.rstrip() == written.rstrip()


@NEEDS_C
@pytest.mark.long
def test_all_cases_do_the_same_in_c(ways: Callable[..., Ways]) -> None:
    moved = 0
    for case in GOOD:
        program = ways(case.cpl, case.reading, only=("plain", "native"))
        if functions := pipeline.native_module(program.program.meaning)[1].functions:
            moved += len(functions)
            assert program.do_agree, (case.title, program.outcomes)
    assert moved > 100
