"""The page of the dialects says no more than the evidence: what it marks as attested is, and in the year it says."""

import re

from conftest import ROOT
from forms import CODE, EVIDENCE, cells, is_of, lacking

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
