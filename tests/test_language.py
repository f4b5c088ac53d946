"""The language reference: its examples do what it says, and it leaves out nothing of the grammar and the evidence.

`pytest tests/test_language.py --update-cases` writes what the examples give, and the counts, into the pages.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from case_files import Case
from conftest import ROOT
from forms import CODE, forms, lacking
from test_cases import body, compiled, output, value_of
from test_evidence import NO_CASE, ROWS

import cpl

pytestmark = pytest.mark.usefixtures("deep")

FOLDER = ROOT / "docs" / "language"
INDEX = FOLDER / "README.md"
REST = FOLDER / "choices.md"
PAGES = sorted(FOLDER.glob("[1-9]-*.md"))
MARKS = {"attested": ("V1", "V2"), "described": ("P",), "our choice": ()}
"""What a section may be, and the confidence of the strongest row that it names."""
LEVELS = ["V1", "V2", "P", "I", "B", "U", "K", "gap", "–"]
"""Confidence, the strongest first; – is for what other rows say."""


@dataclass(frozen=True)
class Section:
    """One construct: its text begins with its heading."""

    page: Path
    text: str

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].removeprefix("## ")

    @property
    def mark(self) -> str:
        return self.title.rpartition(" · ")[2].strip("*")

    def named(self, label: str) -> list[str]:
        """The codes of rows (`Evidence`) or the names of rules (`Grammar`) in small print."""
        line = re.search(rf"^(?:<sub>)?{label}: ([^<]*)", self.text, re.MULTILINE)
        return line[1].replace(",", " ").split() if line else []


def strongest(confidence: str) -> str:
    """Words of a source that show no notation describe."""
    return "P" if "(prose" in confidence else next(level for level in LEVELS if level in confidence)


def sections(page: Path) -> list[Section]:
    """The parts of a page, of which the first is what stands before the first construct."""
    return [Section(page, text) for text in re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)]


CONSTRUCTS = [section for page in PAGES for section in sections(page)[1:]]
NOT_DONE = next(section for section in sections(REST) if section.title == "Not done")
CHOICES = next(section for section in sections(REST) if section.title == "Our choices")

# Examples ---------------------------------------------------------------------------------------------------------

_PART = re.compile(
    r"^```(?P<kind>cpl|input|python|output|error)\n(?P<text>.*?)^```$|`(?P<call>[^`\n]+)` → `(?P<result>[^`\n]*)`",
    re.MULTILINE | re.DOTALL,
)


def as_found(section: Section, way: str) -> str:
    """The section with what its examples give, in the places where it says so: `call` → `result`, and blocks of
    Python, output, and errors. An example is in the style of `cpl fmt`, too.
    """
    example = Case("", section.page)
    interpreted = way == "interpreted"

    def part(match: re.Match[str]) -> str:
        if call := match["call"]:
            result = value_of(call, example, way)
            return f"`{call}` → `{same_but_for_words(result, match['result']) if interpreted else result}`"
        result_text = text = match["text"]
        match match["kind"]:
            case "cpl":
                result_text = styled(text)
                example.sections = {"cpl": result_text}
            case "input":
                example.sections["input"] = text
            case "python" if not interpreted:
                result_text = definitions(compiled(example).python)
            case "output":
                result_text = output(example, way)
                result_text = same_but_for_words(result_text, text) if interpreted else result_text
            case "error":
                result_text = refusal(example)
        return f"```{match['kind']}\n{result_text.rstrip()}\n```"

    return _PART.sub(part, section.text)


def same_but_for_words(result: str, wanted: str) -> str:
    """The interpreter says of a fault what is wrong in words of its own."""
    return wanted if result.partition("fault: ")[:2] == wanted.partition("fault: ")[:2] else result


def styled(text: str) -> str:
    try:
        return cpl.format_text(text)
    except cpl.CplError:
        return text


def refusal(example: Case) -> str:
    """The errors, without their places."""
    with pytest.raises(cpl.CplError) as raised:
        compiled(example)
    return "\n".join(
        f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}" for diagnostic in raised.value.diagnostics
    )


def definitions(python: str) -> str:
    """The Python of an example alone, without any docstring."""
    own = body(python).removeprefix("cplrt.allow_deep_recursion()").strip("\n")
    return re.sub(r'^ +r?""".*?"""\n+', "", own, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("section", [*CONSTRUCTS, *sections(REST)], ids=lambda section: section.title)
def test_the_examples_give_what_the_page_says(section: Section, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-cases"):
        text = section.page.read_text(encoding="utf-8")
        section.page.write_text(text.replace(section.text, as_found(section, "plain")), encoding="utf-8")
        return
    assert as_found(section, "plain") == section.text
    assert as_found(section, "interpreted") == section.text


def test_every_section_is_whole_and_the_evidence_shows_its_forms() -> None:
    """But the forms that are marked: an inference names rows of the section."""
    for section in CONSTRUCTS:
        assert section.mark in MARKS, section.title
        best = min((LEVELS.index(strongest(ROWS[row])) for row in section.named("Evidence")), default=-1)
        if section.mark != "our choice":
            assert LEVELS[best] in MARKS[section.mark], section.title
        assert section.text.count("```cpl\n") >= 1, section.title
        assert re.search(r"```python\n|```error\n", section.text), section.title
        assert re.search(r"` → `|```output\n|```error\n", section.text), section.title
        for form in forms(section.text):
            if section.mark != "our choice" and not form.remark:
                assert not lacking(form.text, section.named("Evidence"), section.mark, form.years), form
            assert {*re.findall(CODE, form.remark)} <= {*section.named("Evidence")}, form


# Nothing is left out ----------------------------------------------------------------------------------------------


@cache
def grammar() -> tuple[set[str], set[str]]:
    """The names of the rules, with those of their forms (`-> name`), and the terminals."""
    text = re.sub(r"//.*", "", (ROOT / "grammar" / "cpl.lark").read_text(encoding="utf-8"))
    rules = {*re.findall(r"^[?!]?(\w+):", text, re.MULTILINE), *re.findall(r"-> (\w+)", text)}
    terminals = {name for line in re.findall(r"^%declare (.*)", text, re.MULTILINE) for name in line.split()}
    return rules, terminals


def test_every_rule_row_and_choice_is_somewhere(measured) -> None:
    rules, terminals = grammar()
    assert len(rules) > 80
    assert len(terminals) > 100
    named = {name for section in CONSTRUCTS for name in section.named("Grammar")}
    assert named == rules | terminals, named ^ (rules | terminals)
    measured(f"language reference: {len(CONSTRUCTS)} sections for {len(rules)} rules and {len(terminals)} terminals")
    named = {row for section in CONSTRUCTS for row in section.named("Evidence")}
    assert named | not_done() == ROWS.keys(), (named | not_done()) ^ ROWS.keys()
    assert not_done() >= NO_CASE.keys()
    assert not NO_CASE.keys() & named
    measured(
        f"language reference: {len(ROWS)} rows of the evidence, {len(not_done() - named)} of them without a section"
    )
    named = {*re.findall(r"\b[LTEDCSOG]\d+[ab]?\b", CHOICES.text)} | not_done()
    unsure = {row for row, confidence in ROWS.items() if strongest(confidence) in ("B", "U", "K", "gap")}
    assert len(unsure) > 5
    assert unsure <= named, unsure - named
    # A file or room says as often that something is our choice as rows of the table name it.
    places = [row.split("|")[-2] for row in listed()]
    assert all((ROOT / file).exists() for place in places for file in re.findall("`(.*?)`", place) or [""])
    named = Counter(file for place in places for file in _WHERE.findall(place))
    assert named == marked(), f"{named - marked()} {marked() - named}"
    measured(f"language reference: {len(places)} choices of ours, {named.total()} places that say so")


def not_done() -> set[str]:
    """The rows of the evidence that the list *Not done* names at the head of an entry."""
    entries = re.findall(r"^\* \*\*(.*?)\*\*:? \S+ \S+", NOT_DONE.text, re.MULTILINE | re.DOTALL)
    return {row for entry in entries for row in re.findall(r"\b[LTEDCSOG]\d+[ab]?\b", entry)}


_CHOICE = re.compile(r"(?<!marked \*\*)\bour[\s#|/*]+(?:choice|notation)|\bis ours\b", re.IGNORECASE)
_WHERE = re.compile(r"`([\w/.-]+)`(?!, unmarked)")


def marked() -> Counter[str]:
    """How often each file, or each room of the compiler, says of something that it is our choice."""
    files = [
        path
        for folder in ("cpl", "runtime", "grammar", "programs/library")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".lark", ".cpl")
    ]
    counts = Counter[str]()
    for path in files:
        file = path.relative_to(ROOT)
        place = file.parent if file.parts[0] == "cpl" else file
        counts[str(place)] += len(_CHOICE.findall(path.read_text(encoding="utf-8")))
    return +counts


def listed() -> list[str]:
    """The rows of the table of choices."""
    return re.findall(r"^\|(?! *(?:choice|---)).*\|$", CHOICES.text, re.MULTILINE)


def counts() -> dict[str, int]:
    """What the index counts."""
    rules, terminals = grammar()
    best = Counter(map(strongest, ROWS.values()))
    return {
        "constructs": len(CONSTRUCTS),
        **{f"constructs: {mark}": sum(section.mark == mark for section in CONSTRUCTS) for mark in MARKS},
        "rules of the grammar": len(rules),
        "terminals of the grammar": len(terminals),
        "rows of the evidence": len(ROWS),
        **{f"rows: {level} at best": best[level] for level in sorted(best, key=LEVELS.index)},
        "rows: not done, whole or in part": len(not_done()),
        "our choices": len(listed()),
        "places that say so": marked().total(),
    }


def contents() -> str:
    """The pages, each with its constructs."""
    lines = []
    for number, page in enumerate(PAGES, start=1):
        title, *names = [section.title.partition(" · ")[0] for section in sections(page)]
        entry = f"{number}. [{title.removeprefix('# ')}]({page.name}): {'; '.join(names)}"
        lines += textwrap.wrap(entry, 118, subsequent_indent="   ", break_on_hyphens=False)
    return "\n".join([*lines, f"{len(PAGES) + 1}. [Our choices, and what is not done]({REST.name})\n"])


def table() -> str:
    return "| | |\n|---|---|\n" + "".join(f"| {title} | {number} |\n" for title, number in counts().items())


@pytest.mark.parametrize(("pattern", "found"), [(r"^1\. (?:.+\n)*", contents), (r"^\| \| \|\n(?:\|.*\n)*", table)])
def test_the_index_is_right(pattern: str, found: Callable[[], str], request: pytest.FixtureRequest) -> None:
    text = INDEX.read_text(encoding="utf-8")
    right = re.sub(pattern, lambda _: found(), text, flags=re.MULTILINE)
    assert found() in right
    if request.config.getoption("--update-cases"):
        INDEX.write_text(right, encoding="utf-8")
    else:
        assert text == right
