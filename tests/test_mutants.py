"""The type checker is as good as the slips that it finds: all mutants of all programs, and why some survive."""

from functools import cache, partial
from pathlib import Path

import pytest
from judged import Judge, judges
from mutants import OPERATORS, Mutant, mutants
from reasons import REASONS, proposed
from survivors import FOLDER, listed, path_of, read, report, written

import cpl
from cpl.diagnostics import Diagnostic, has_errors
from cpl.source import Source
from cpl.syntax import nodes
from cpl.syntax.parser import parse

JUDGES = list(judges())
PARTS = 8
"""In how many tests the mutants of a program are judged."""

SAMPLE = 16
"""Unless asked for all, the tests judge one mutant in so many; the lists were written with all of them."""

UPDATED: dict[Judge, dict[Mutant, bool]] = {}
"""With --update-cases: of each mutant whether it is found."""


@cache
def mutated(judge: Judge) -> list[Mutant]:
    """All mutants of a program, in the order of the lists."""
    operators = [operator.name for operator in OPERATORS]
    return sorted(
        mutants(judge.text.program),
        key=lambda each: (each.span.start, each.span.end, operators.index(each.operator)),
    )


def identify(judge: Judge) -> str:
    return Path(judge.name).stem


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("judge", JUDGES, ids=identify)
def test_every_mutant_is_found_or_listed(judge: Judge, part: int, request: pytest.FixtureRequest) -> None:
    update = request.config.getoption("--update-cases")
    every = 1 if update or request.config.getoption("--all-mutants") else SAMPLE
    found = {mutant: judge.finds(mutant) for mutant in mutated(judge)[part :: PARTS * every]}
    if update:
        UPDATED.setdefault(judge, {}).update(found)
        return
    known = read(path_of(judge.name)).keys()
    new = [str(mutant) for mutant, is_found in found.items() if not is_found and str(mutant) not in known]
    assert not new, "nothing is said of these, and they are not listed"
    assert not [str(mutant) for mutant, is_found in found.items() if is_found and str(mutant) in known]


@pytest.fixture(scope="module", autouse=True)
def write_back():
    """The lists of those programs whose mutants were all judged, and the page beside them."""
    yield
    for judge, found in UPDATED.items():
        if len(found) == len(mutated(judge)):
            survivors = [mutant for mutant in mutated(judge) if not found[mutant]]
            path = path_of(judge.name)
            lines = listed(survivors, read(path), partial(proposed, judge=judge))
            FOLDER.mkdir(exist_ok=True)
            path.write_text(written(lines), encoding="utf-8")
    if UPDATED:
        (FOLDER / "README.md").write_text(page(), encoding="utf-8")


def page() -> str:
    return report(
        {judge.name: mutated(judge) for judge in JUDGES},
        {judge.name: read(path_of(judge.name)) for judge in JUDGES},
    )


@pytest.mark.parametrize("judge", JUDGES, ids=identify)
def test_a_list_holds_mutants_in_order_each_with_a_reason(judge: Judge, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-cases"):
        return
    every = [str(mutant) for mutant in mutated(judge)]
    assert len(set(every)) == len(every)
    known = read(path_of(judge.name))
    assert list(known) == [line for line in every if line in known]
    assert not {reason: line for line, reason in known.items() if reason not in REASONS}


def test_there_is_a_list_for_every_program_and_the_page_counts_them(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-cases"):
        return
    assert {*FOLDER.glob("*.txt")} == {path_of(judge.name) for judge in JUDGES}
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("judge", JUDGES, ids=identify)
def test_nothing_is_found_in_a_correct_program(judge: Judge) -> None:
    assert [*judge.findings(judge.text)] == []
    if judge.program == judge.name:
        assert cpl.check_text(judge.text.source.text, path=judge.text.source.path) == []


@pytest.mark.parametrize("judge", [judge for judge in JUDGES if judge.name == judge.program], ids=identify)
def test_the_short_way_finds_what_check_finds(judge: Judge) -> None:
    """One mutant in three hundred is parsed as a whole, and checked the long way too."""
    path = judge.text.source.path
    for mutant in mutated(judge)[::300]:
        assert judge.finds(mutant) == bool(said(mutant.text, path)), mutant
        program, found = parse(Source(path, mutant.text))
        assert judge.parsed(mutant) == (None if has_errors(found) else program), mutant


def said(text: str, path: str) -> list[Diagnostic]:
    """What is said of a text that is compiled: of types too, without the lints."""
    try:
        return cpl.compile_text(text, path=path, pretty=False).diagnostics
    except cpl.CplError as error:
        return error.diagnostics


@pytest.mark.parametrize("judge", JUDGES, ids=identify)
def test_slips_are_of_types_and_not_of_signs(judge: Judge) -> None:
    """Mutants parse, but for those that give several names at once too few values or too many: `p, q = 1`."""
    for mutant in mutated(judge):
        if not mutant.operator.endswith("-components"):
            assert isinstance(judge.parsed(mutant), nodes.Program), mutant
