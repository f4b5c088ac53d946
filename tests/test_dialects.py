"""The page of the dialects says no more than the evidence: what it marks as attested is, and in the year it says."""

import re
from typing import NamedTuple

import pytest
from conftest import ROOT

PAGE = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
YEARS = ("1963", "1966", "1967")
BORNE_OUT = {"●": r"\bV[12]\b", "◐": r"\b[PIBUK]\b|prose"}
"""The codes of confidence that each mark may rest on."""


class Row(NamedTuple):
    """What a row of the evidence says of itself."""

    dialect: str
    confidence: str


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


EVIDENCE = {
    row[0]: Row(*row[-2:])
    for line in (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| [LTEDCSO]\d+[ab]? \|", line)
    for row in [cells(line)]
}
MARKED = [
    (mark, code) for mark, codes in re.findall(r"([●◐])((?: [LTEDCSO]\d+[ab]?)+)", PAGE) for code in codes.split()
]
TABLES = [
    row
    for table in re.findall(r"^\| \| 1963 \| 1966 \| 1967 \| cplc \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    for line in table.splitlines()
    for row in [cells(line)]
]


def is_of(dialect: str, year: str) -> bool:
    """Whether a row of the evidence speaks of that year: by name, in a range, or because it names none."""
    named = re.findall(r"\d{4}", dialect)
    spans = [(first, first[:2] + last) for first, last in re.findall(r"(\d{4})–(\d\d)\b", dialect)]
    return not named or year in named or any(first <= year <= last for first, last in spans)


@pytest.mark.parametrize(("mark", "code"), sorted(set(MARKED)))
def test_the_evidence_bears_the_mark_out(mark: str, code: str) -> None:
    assert re.search(BORNE_OUT[mark], EVIDENCE[code].confidence), EVIDENCE[code]


@pytest.mark.parametrize("row", TABLES, ids=lambda row: row[0])
def test_every_cell_is_marked_and_of_its_year(row: list[str]) -> None:
    assert len(row) == 5
    for year, cell in zip(YEARS, row[1:4], strict=True):
        assert cell == "–" or re.search("[●◐] ", cell), cell
        for code in re.findall(r"\b[LTEDCSO]\d+[ab]?\b", re.sub("`[^`]*`", "", cell)):
            assert is_of(EVIDENCE[code].dialect, year), (year, cell, EVIDENCE[code])


def test_the_tables_are_read() -> None:
    assert len(TABLES) >= 40
    assert len(MARKED) >= 80
