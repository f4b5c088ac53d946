"""The texts of 1967 stand in the lines of the page: `lectures.toml` has these lines, read off the rendered pages."""

import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

FOLDER = ROOT / "programs" / "attested"
PAGES = tomllib.loads((ROOT / "tests" / "lectures.toml").read_text(encoding="utf-8"))
MANIFEST = tomllib.loads((FOLDER / "programs.toml").read_text(encoding="utf-8"))
TEXTS = [Path(name).stem for name in MANIFEST]
README = (FOLDER / "README.md").read_text(encoding="utf-8")
OURS = ("-completed", "-corrected")


def lines_of(name: str) -> list[str]:
    """The lines of a text, without blanks, empty lines and the comments at its head."""
    lines = (FOLDER / f"{name}.cpl").read_text(encoding="utf-8").splitlines()
    return ["".join(line.split()) for line in lines if line.strip() and not line.startswith("||")]


def stands_as_printed(lines: list[str], beginnings: list[str]) -> bool:
    """Whether there are as many lines as on the page, and each begins as its line there; blanks do not count."""
    begins = ["".join(beginning.split()) for beginning in beginnings]
    return len(lines) == len(begins) and all(map(str.startswith, lines, begins))


def test_the_list_has_every_text_of_the_lectures() -> None:
    assert {*PAGES} == {name for name in TEXTS if name.startswith("s67-") and not name.endswith(OURS)}
    assert len(PAGES) == 39


@pytest.mark.parametrize("name", PAGES)
def test_a_text_stands_in_the_lines_of_the_page(name: str) -> None:
    assert stands_as_printed(lines_of(name), PAGES[name]["lines"]), lines_of(name)


@pytest.mark.parametrize("name", PAGES)
def test_joined_lines_are_noticed(name: str) -> None:
    lines = lines_of(name)
    for at in range(len(lines) - 1):
        joined = [*lines[:at], lines[at] + lines[at + 1], *lines[at + 2 :]]
        assert not stands_as_printed(joined, PAGES[name]["lines"])


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(OURS)])
def test_what_we_complete_or_correct_keeps_the_lines_of_the_text(name: str) -> None:
    text = name.removesuffix(OURS[0]).removesuffix(OURS[1])
    assert len(lines_of(name)) == len(lines_of(text))


def test_the_table_of_the_comparison_says_where_each_text_stands() -> None:
    rows = [line for line in README.splitlines() if line.startswith("| `s67-")]
    places = [
        f"| `{name}` | {page['page']} | {page['place']} | {len(page['lines'])} | " for name, page in PAGES.items()
    ]
    assert len(rows) == len(places)
    assert all(map(str.startswith, sorted(rows), sorted(places)))
    assert all(MANIFEST[f"{name}.cpl"]["page"] == page["page"] for name, page in PAGES.items())
