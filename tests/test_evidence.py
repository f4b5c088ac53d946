"""Every row of the evidence that is attested has a case, or a reason why it has none."""

import re

import pytest
from case_files import read_cases
from conftest import ROOT

_ROW = re.compile(r"^\| ([LTEDCSO]\d+[ab]?) \|")

NO_CASE = {
    "L27": "dots stand for the rest of a program in the papers: they are no CPL",
    "D34": "a secondary source says it of the language; parameters by value and by substitution are both there",
    "S14": "named as structures for the future; lists and tuples are there, sets and bags are not",
}


def rows() -> dict[str, str]:
    """Code and confidence of each row of the tables 1.1 to 1.7."""
    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    tables = page[page.index("### 1.1") : page.index("## 2.")]
    found = {}
    for line in tables.splitlines():
        if match := _ROW.match(line):
            found[match.group(1)] = re.split(r"(?<!\\)\|", line)[-2].strip()
    return found


ROWS = rows()
ATTESTED = [code for code, confidence in ROWS.items() if re.search(r"\b(V1|V2|P)\b", confidence)]
TITLES = [case.title for file in (ROOT / "tests" / "cases").glob("*.case") for case in read_cases(file)]
SHOWN = {code for title in TITLES for code in re.findall(r"\b([LTEDCSO]\d+[ab]?)\b", title)}


def test_the_tables_are_read() -> None:
    assert len(ROWS) >= 170
    assert len(ATTESTED) >= 150


@pytest.mark.parametrize("code", ATTESTED)
def test_every_attested_row_has_a_case(code: str) -> None:
    assert code in SHOWN or code in NO_CASE, f"{code} has no case"


def test_no_case_names_a_row_that_is_not_there(measured) -> None:
    assert not SHOWN - ROWS.keys()
    assert not NO_CASE.keys() & SHOWN
    shown = SHOWN & {*ATTESTED}
    measured(f"{len(shown)} of {len(ATTESTED)} attested rows of the evidence have cases, the others a reason")
