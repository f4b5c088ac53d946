"""Every attested row of the evidence has a case, or a reason why not; the page of the dialects says no more."""

import re

from case_files import read_cases
from conftest import ROOT
from forms import CODE, EVIDENCE, cells, is_of, lacking

NO_CASE = {
    "D34": "a secondary source says it of the language; parameters by value and by substitution are both there",
    "S14": "named as structures for the future; lists and tuples are there, sets and bags are not",
}


ROWS = {code: row.confidence for code, row in EVIDENCE.items()}
ATTESTED = [code for code, confidence in ROWS.items() if re.search(r"\b(V1|V2|P)\b", confidence)]
TITLES = [case.title for file in (ROOT / "tests" / "cases").glob("*.case") for case in read_cases(file)]
SHOWN = {code for title in TITLES for code in re.findall(rf"\b{CODE}\b", title)}


def test_every_source_has_a_place_to_go_to_or_says_that_it_is_unknown() -> None:
    """An address, a repository, or a file of this project."""
    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8").partition("## Sources")[2]
    places = {row[0]: row[2] for line in page.splitlines() if line.startswith("| **") for row in [cells(line)]}
    assert len(places) >= 24
    for key, where in places.items():
        if not re.search(r"\*\*places? unknown\*\*", where):
            assert re.search(r"https?://\w|`[\w.-]+/[\w.-]+`|\w+\.\w+/\w", where), key
            assert not re.search(r"\ba public repository\b|\bexample-", where), key


def test_every_attested_row_has_a_case_and_every_case_a_row(measured) -> None:
    assert len(ROWS) >= 170
    assert len(ATTESTED) >= 150
    assert {*ATTESTED} - SHOWN - NO_CASE.keys() == set()
    assert not SHOWN - ROWS.keys()
    assert not NO_CASE.keys() & SHOWN
    shown = SHOWN & {*ATTESTED}
    measured(f"{len(shown)} of {len(ATTESTED)} attested rows of the evidence have cases, the others a reason")


PAGE = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
YEARS = ("1963", "1966", "1967")
BORNE_OUT = {"●": r"\bV[12]\b", "◐": r"\b[PIBUK]\b|prose"}
"""The codes of confidence that each mark may rest on."""
MEANT = {"●": "attested", "◐": "described"}


MARKED = [(mark, code) for mark, codes in re.findall(rf"([●◐])((?: {CODE})+)", PAGE) for code in codes.split()]
TABLES = [
    row
    for table in re.findall(r"^\| \| 1963 \| 1966 \| 1967 \| cplc \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    for line in table.splitlines()
    for row in [cells(line)]
]


def test_the_evidence_bears_the_marks_out() -> None:
    assert len(MARKED) >= 80
    for mark, code in MARKED:
        assert re.search(BORNE_OUT[mark], EVIDENCE[code].confidence), EVIDENCE[code]


def test_every_cell_is_marked_and_of_its_year_and_the_evidence_shows_its_forms() -> None:
    assert len(TABLES) >= 40
    for row in TABLES:
        assert len(row) == 5
        for year, cell in zip(YEARS, row[1:4], strict=True):
            assert cell == "–" or re.search("[●◐] ", cell), cell
            for code in re.findall(rf"\b{CODE}\b", re.sub("`[^`]*`", "", cell)):
                assert is_of(EVIDENCE[code].dialect, year), (year, cell, EVIDENCE[code])
            for said, mark, codes in re.findall(rf"(.*?)([●◐])((?: {CODE})+)", cell.replace(r"\|", "|")):
                for form in re.findall("`([^`]+)`", said):
                    assert not lacking(form, codes.split(), MEANT[mark], (year,)), form
