"""The type checker against slips that are put into our programs: what share of them it finds."""

from collections import Counter
from collections.abc import Callable

import pytest
from conftest import ROOT
from mutants import Mutant, mutants

import cpl
from cpl import loader
from cpl.diagnostics import Diagnostic

SAMPLE = 320
"""One mutant in so many is compiled. Of all 11,000 about 72% are found: many make another program of the same types."""

FOUND = 0.70
ALMOST_ALL = 0.97
SURE = ("number-condition", "number-members", "nil-bound", "nil-operand", "boolean-operand", "list-operand")
"""Slips after which no value can be of the type that is needed."""


def findings(text: str, path: str) -> list[Diagnostic]:
    try:
        return cpl.compile_text(text, path=path, pretty=False).diagnostics
    except cpl.CplError as error:
        return error.diagnostics


@pytest.mark.long
@pytest.mark.usefixtures("deep")
def test_most_slips_of_type_are_found(measured: Callable[[str], None]) -> None:
    tried, found = Counter[str](), Counter[str]()
    sample: list[Mutant] = []
    for path in sorted({*ROOT.glob("programs/*.cpl")} - {ROOT / "programs" / "strachey-original.cpl"}):
        main, _, _ = loader.load(loader.read(path))
        assert findings(main.source.text, str(path)) == []
        sample += mutants(main.program)
    for mutant in sample[::SAMPLE]:
        tried[mutant.operator] += 1
        found[mutant.operator] += bool(findings(mutant.text, mutant.span.source.path))
    sure = sum(found[each] for each in SURE) / sum(tried[each] for each in SURE)
    measured(f"{found.total()} of {tried.total()} slips of type found; of those that no value survives, {sure:.0%}")
    assert found.total() >= FOUND * tried.total()
    assert sure >= ALMOST_ALL
