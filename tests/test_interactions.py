"""The random programs of `test_ways.py`: what is in them, and that `cpl check` finds no errors in what is right."""

import os
from collections import Counter
from typing import Any

import closures
import interactions
import pytest
from interactions import PARTS, programs
from judge import judged, understood

import cpl
from cpl.compiler import pipeline
from cpl.compiler.semantics import core, walk

SEED = int(os.environ.get("CPLC_SEED", "0"))
NODES = {kind for kind in vars(core).values() if isinstance(kind, type) and issubclass(kind, core.Node)}
NODES -= {
    core.Node,
    core.Append,
    core.Activation,
    core.Attempt,
    core.NewBox,
    core.InBox,
    core.Capture,
}  # which only passes and lowered jumps have
NODES -= {core.LabelName, core.ConvertParts}  # no label is left as it is; tests/cases/types.case converts parts


@pytest.mark.long
def test_each_feature_occurs() -> None:
    """Most programs have a meaning and reach their end, and each feature and each node of the core is in some."""
    counts: Counter[Any] = Counter()
    for part in PARTS:
        for program in programs(part, 400):
            outcome = judged(program)
            counts.update([outcome and outcome.brief, *interactions.features(program)])
            counts.update({type(node) for whole in understood(program).core.definitions for node in walk.nodes(whole)})
            fast = pipeline.optimised(understood(program)).core.definitions if program.seed < 100 else ()
            nodes = (node for whole in fast for node in walk.nodes(whole))
            counts["whole numbers"] += any(getattr(node, "operator", "") in core.INTEGER_OPERATORS for node in nodes)
    assert counts[None] < 120
    assert counts["value"] > 200
    assert counts["whole numbers"] > 10  # for bit strings
    assert not [kind for kind in {*counts, *NODES} if counts[kind] < 4]


@pytest.mark.long
def test_all_kinds_of_functions_are_kept_of_all_rounds_in_all_places() -> None:
    counts: Counter[Any] = Counter()
    for part in PARTS:
        for program in programs(part, 600, writer=closures.Keeper):
            outcome = judged(program)
            counts.update([outcome and outcome.brief, *closures.features(program)])
    assert counts[None] < 150
    assert counts["value"] > 400
    functions = [*closures.SIGNS.values(), *closures.OTHERS]
    kept = {f"{function} of {round}" for function in functions for round in closures.ROUNDS}
    kept |= {f"{function} in {place}" for function in functions for place in closures.STORED if function != "a routine"}
    kept |= {f"of {round} in {place}" for round in closures.ROUNDS for place in closures.STORED}
    assert not [feature for feature in kept if counts[feature] < 2]


def test_what_is_right_has_no_errors() -> None:
    """Programs that run to their end: `cpl check` may warn of them, and finds places declared to be of another type of
    number, which does no harm in the end, and subscripts that are no whole numbers where no run comes.
    """
    drawn = [program for program in programs(0, 80, SEED) if (outcome := judged(program)) and outcome.end == "value"]
    findings = [diagnostic for program in drawn for diagnostic in cpl.check_text(program.text, reading=program.reading)]
    assert {diagnostic.message for diagnostic in findings if diagnostic.severity == "error"} <= {
        "expected an integer, found a real number",
        "expected a whole number, found a real number",
    }
