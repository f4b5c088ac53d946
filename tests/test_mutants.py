"""The type checker against slips that are put into our programs: what share of them it finds."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from judged import Judge, judges
from mutants import Mutant, mutants

import cpl
from cpl.diagnostics import has_errors
from cpl.source import Source
from cpl.syntax.parser import parse

JUDGES = list(judges())

SAMPLE = 16
"""One mutant in so many is judged. Of all 13 000, 72% were found: many make another program of the same types."""

FOUND = 0.70
ALMOST_ALL = 0.97
SURE = ("number-condition", "number-members", "nil-bound", "nil-operand", "boolean-operand", "list-operand")
"""Slips after which no value can be of the type that is needed."""


def identify(judge: Judge) -> str:
    return Path(judge.name).stem


@cache
def sample(judge: Judge, step: int) -> list[Mutant]:
    return [*mutants(judge.text.program)][::step]


def test_most_slips_of_type_are_found(measured: Callable[[str], None]) -> None:
    tried, found = Counter[str](), Counter[str]()
    for judge in JUDGES:
        for mutant in sample(judge, SAMPLE):
            tried[mutant.operator] += 1
            found[mutant.operator] += judge.finds(mutant)
    sure = sum(found[each] for each in SURE) / sum(tried[each] for each in SURE)
    measured(f"{found.total()} of {tried.total()} slips of type found; of those that no value survives, {sure:.0%}")
    assert found.total() >= FOUND * tried.total()
    assert sure >= ALMOST_ALL


@pytest.mark.parametrize("judge", JUDGES, ids=identify)
def test_nothing_is_found_in_a_correct_program(judge: Judge) -> None:
    assert [*judge.findings(judge.text)] == []
    if judge.program == judge.name:
        assert cpl.check_text(judge.text.source.text, path=judge.text.source.path) == []


@pytest.mark.parametrize("judge", [judge for judge in JUDGES if judge.name == judge.program], ids=identify)
def test_the_short_way_finds_what_check_finds(judge: Judge) -> None:
    """One mutant in three hundred is parsed as a whole, and checked the long way too."""
    path = judge.text.source.path
    for mutant in sample(judge, 300):
        try:
            found = cpl.compile_text(mutant.text, path=path, pretty=False).diagnostics
        except cpl.CplError as error:
            found = error.diagnostics
        assert judge.finds(mutant) == bool(found), mutant
        program, slips = parse(Source(path, mutant.text))
        assert judge.parsed(mutant) == (None if has_errors(slips) else program), mutant
