"""Attested rows of the evidence have cases; the pages of dialects and grammar say no more than rows and code."""

import re
import unicodedata

import pytest
from case_files import read_cases
from conftest import ROOT
from forms import CODE, EVIDENCE, cells, is_of, lacking

from cpl.compiler.precedence import TABLES
from cpl.compiler.source import Source
from cpl.compiler.syntax.lexer import tokenize
from cpl.compiler.syntax.parser import make_parser
from cpl.compiler.syntax.tokens import CAPITAL_WORDS, PHRASES, SYMBOL_KINDS, WORDS

NO_CASE = {
    "D34": "a secondary source says it of the language; parameters by value and by substitution are both there",
    "S14": "named as structures for the future; lists and tuples are there, sets and bags are not",
}


ROWS = {code: row.confidence for code, row in EVIDENCE.items()}
ATTESTED = [code for code, confidence in ROWS.items() if re.search(r"\b(V1|V2|P)\b", confidence)]
TITLES = [case.title for file in (ROOT / "tests" / "cases").glob("*.case") for case in read_cases(file)]
SHOWN = {code for title in TITLES for code in re.findall(rf"\b{CODE}\b", title)}


def test_every_source_has_a_place() -> None:
    """An address, a repository, or a file of this project."""
    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8").partition("## Sources")[2]
    places = {row[0]: row[2] for line in page.splitlines() if line.startswith("| **") for row in [cells(line)]}
    assert len(places) >= 24
    for key, where in places.items():
        if not re.search(r"\*\*places? unknown\*\*", where):
            assert re.search(r"https?://\w|`[\w.-]+/[\w.-]+`|\w+\.\w+/\w", where), key
            assert not re.search(r"\ba public repository\b|\bexample-", where), key


def test_identifiers_for_a_citation_are_those_of_the_evidence() -> None:
    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    found = re.findall(r"^ +(?:doi|commit): (\S+)$", citation, re.MULTILINE)
    assert len(found) >= 9
    assert [each for each in found if each not in page] == []
    whole = re.findall(r"\b[0-9a-f]{40}\b", page)
    short = {*re.findall(r"\b(?:commit |blob |HEAD )([0-9a-f]{8})(?:…|\b)", page)}
    assert len(short) >= 5
    assert [each for each in short if not any(commit.startswith(each) for commit in whole)] == []


def test_attested_rows_have_cases_or_a_reason(measured) -> None:
    assert len(ROWS) >= 170
    assert len(ATTESTED) >= 150
    assert {*ATTESTED} - SHOWN - NO_CASE.keys() == set()
    assert not SHOWN - ROWS.keys()
    assert not NO_CASE.keys() & SHOWN
    shown = SHOWN & {*ATTESTED}
    measured(f"{len(shown)} of {len(ATTESTED)} attested rows of the evidence have cases, the others a reason")


def test_marks_of_the_page_of_dialects_are_borne_out_by_their_rows() -> None:
    assert len(MARKED) >= 80
    for mark, code in MARKED:
        assert re.search(BORNE_OUT[mark], EVIDENCE[code].confidence), EVIDENCE[code]


def test_years_of_the_page_of_dialects_are_borne_out_by_their_rows() -> None:
    assert len(YEARS_OF_ROWS) >= 40
    for row in YEARS_OF_ROWS:
        assert len(row) == 6
        for year, cell in zip(YEARS, row[1:5], strict=True):
            assert cell == "–" or re.search("[●◐] ", cell), cell
            for code in re.findall(rf"\b{CODE}\b", re.sub("`[^`]*`", "", cell)):
                assert is_of(EVIDENCE[code].dialect, year), (year, cell, EVIDENCE[code])
            for said, mark, codes in re.findall(rf"(.*?)([●◐])((?: {CODE})+)", cell.replace(r"\|", "|")):
                for form in re.findall("`([^`]+)`", said):
                    assert not lacking(form, codes.split(), MEANT[mark], (year,)), form


def test_the_page_of_the_grammar_shows_every_sign() -> None:
    used = {symbol.name for rule in make_parser().rules for symbol in rule.expansion if symbol.is_term}
    assert used - {terminal for terminals, _ in SIGNS for terminal in terminals} == set()


def test_signs_of_the_page_of_the_grammar_are_read_as_it_says() -> None:
    for terminals, forms in SIGNS:
        for form in forms:
            assert kinds(form) & {*terminals} or form in {"'", "′", "|"}, form


def test_a_sign_and_a_stroke_over_it_are_one_character() -> None:
    """In Unicode's normal form."""
    for form, kind in SYMBOL_KINDS.items():
        [forms] = [forms for terminals, forms in SIGNS if kind in terminals]
        assert unicodedata.normalize("NFC", form) in forms


def test_the_page_of_the_grammar_shows_every_word() -> None:
    shown = {word for form in quoted(section("Signs")) for word in form.split()}
    assert {*WORDS, *CAPITAL_WORDS} - shown == set()


def test_signs_that_no_row_shows_are_listed() -> None:
    """Where a row does not say itself that they are our choice."""
    unattested = set()
    for _, signs, rests_on in rows(section("Signs")):
        codes = re.findall(rf"\b{CODE}\b", re.sub(r"C5–C9", "C5 C6 C7 C8 C9", rests_on))
        marked = [part for part in re.findall(r"(?:`[^`]*`|[^`;])+", f"{signs};{rests_on}") if "our choice" in part]
        if all(map(quoted, marked)):
            shown = " ".join(f" {text} " for code in codes for text in EVIDENCE[code].shown)
            unattested |= {sign for sign in quoted(signs) if sign not in shown}.difference(*map(quoted, marked))
    assert unattested == {*quoted(section("Signs").partition("Signs that no row shows")[2].partition("\n\n")[0])}


PAGE = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
YEARS = ("1963", "1965", "1966", "1967")
BORNE_OUT = {"●": r"\bV[12]\b", "◐": r"\b[PIBUK]\b|prose"}
"""The codes of confidence that each mark may rest on."""
MEANT = {"●": "attested", "◐": "described"}


MARKED = [(mark, code) for mark, codes in re.findall(rf"([●◐])((?: {CODE})+)", PAGE) for code in codes.split()]
YEARS_OF_ROWS = [
    row
    for table in re.findall(
        r"^\| \| 1963 \| 1965 \| 1966 \| 1967 \| cplc \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE
    )
    for line in table.splitlines()
    for row in [cells(line)]
]


GRAMMAR_PAGE = (ROOT / "grammar" / "README.md").read_text(encoding="utf-8")
LATER = {
    "EQUAL": {"DEFINED"},
    "EQUIVALENT": {"DEFINED_BY"},
    "COLON": {"LABELS"},
    "SECTION": {"OPEN", "CLOSE"},
    "ROUND_OPEN": {"CURLY_OPEN"},
    "ROUND_CLOSE": {"CURLY_CLOSE"},
    "AND_WORD": {"ALSO", "WHERE_ALSO"},
    "OR_WORD": {"ELSE"},
}
"""What the layout makes of a token that the lexer cannot decide."""


def section(title: str) -> str:
    """What stands under a heading, up to the next."""
    return re.split(r"^#+ .*\n", GRAMMAR_PAGE.partition(f"# {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """The cells of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def quoted(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell.replace(r"\|", "|"))


SIGNS = [(row[0].split(", "), quoted(row[1])) for row in rows(section("Signs"))]


def kinds(text: str) -> set[str]:
    """The terminals that a sign, or words that belong together, may be."""
    tokens = [token.kind for token in tokenize(Source("grammar/README.md", text))[0]]
    phrase = PHRASES.get((tokens[0], tokens[-1])) if len(tokens) == 2 else None
    return {phrase} if phrase else {*tokens}.union(*(LATER.get(kind, set()) for kind in tokens))


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_precedence_is_that_of_the_readings(name: str) -> None:
    """From the tightest to the loosest; what is not in the table, the grammar settles."""
    reading = TABLES[name]
    infix: dict[str, tuple[int, str]] = {}
    prefix: dict[str, int] = {}
    table = rows(section(f"The table `{name}`"))
    for rank, (operators, equal, _) in enumerate(reversed(table)):
        signs = {SYMBOL_KINDS[form] for form in quoted(operators) if form in SYMBOL_KINDS} - {"POINTS"}
        if "side by side" in operators:
            signs.add("JUXTAPOSED")
        if "signs before" in operators or "` before" in operators:
            prefix |= dict.fromkeys(signs, rank)
        if equal:
            infix |= dict.fromkeys(signs, (rank, equal))
    assert infix.keys() == reading.infix.keys()
    assert prefix.keys() == reading.prefix.keys()
    said = {f"{kind} before": rank for kind, rank in prefix.items()} | {kind: rank for kind, (rank, _) in infix.items()}
    meant = {f"{kind} before": rank for kind, rank in reading.prefix.items()}
    meant |= {kind: rank for kind, (rank, _) in reading.infix.items()}
    assert groups(said) == groups(meant)
    words = {kind: "right" if equal.startswith("what follows") else equal for kind, (_, equal) in infix.items()}
    for kind, (_, binding) in reading.infix.items():
        assert binding in words[kind] or kind == "TIMES", kind


def groups(ranks: dict[str, int]) -> list[set[str]]:
    """The operators of equal rank, the loosest first."""
    return [{kind for kind, rank in ranks.items() if rank == level} for level in sorted({*ranks.values()})]
