"""`cpl fmt`: it changes nothing of what is said, nothing at all the second time, and no text of ours."""

import json
import os
import random
import re
import shutil
from pathlib import Path

import pytest
from case_files import Case, read_cases, write_cases
from conftest import ROOT
from hypothesis import given, settings
from random_programs import SLOW, Program, programs
from test_cli import run
from test_hostile import mutated

import cpl
from cpl import formatting, loader
from cpl.cli import cpl as cli
from cpl.diagnostics import has_errors
from cpl.source import Source
from cpl.syntax import document, layout, nodes, printer, token_text
from cpl.syntax.parser import parse

GOLDEN = Path(__file__).parent / "format" / "layout.case"
LAYOUTS = read_cases(GOLDEN)
PROGRAMS = {path.name: loader.read(path).text for path in loader.packaged_files()}
CASES = {
    f"{file.stem}: {case.title}": case.cpl
    for file in sorted((ROOT / "tests" / "cases").glob("*.case"))
    for case in read_cases(file)
}
TEXTS = PROGRAMS | CASES | {f"layout: {case.title}": case.cpl for case in LAYOUTS}
OURS = [path for path in loader.packaged_files() if not loader.entry(str(path)).verbatim]
NOTATIONS = {None: token_text.as_written, "ascii": token_text.typed, "unicode": token_text.printed}
"""By the names that `format_text` has for them."""


def surface(text: str) -> nodes.Program | None:
    """The tree of a text; None if it has errors."""
    program, found = parse(Source("text.cpl", text))
    return None if has_errors(found) else program


def notes(program: nodes.Program) -> list[str]:
    return [comment.text.rstrip() for comment in program.comments]


def check(text: str, signs: str | None = None) -> str:
    """The formatted text, which says the same, keeps the comments, and stays as it is."""
    program = surface(text)
    assert program is not None
    formatted = printer.print_program(program, NOTATIONS[signs])
    again = surface(formatted)
    assert again == program, formatted
    assert notes(again) == notes(program)
    assert printer.print_program(again, NOTATIONS[signs]) == formatted
    return formatted


SOUND = {name: text for name, text in TEXTS.items() if surface(text) is not None}


@pytest.fixture(scope="module", autouse=True)
def write_back(request: pytest.FixtureRequest):
    yield
    if request.config.getoption("--update-cases"):
        write_cases(GOLDEN, LAYOUTS)


@pytest.mark.parametrize("case", LAYOUTS, ids=lambda case: case.title)
def test_layout(case: Case, request: pytest.FixtureRequest) -> None:
    sections = {"formatted": None} | ({"unicode": "unicode", "ascii": "ascii"} if "signs" in case.title else {})
    for section, signs in sections.items():
        found = check(case.cpl, signs)
        if request.config.getoption("--update-cases"):
            case.sections[section] = found
        assert found.rstrip() == case.sections[section].rstrip()


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_our_own_programs_are_in_style(path: Path) -> None:
    text = loader.read(path).text
    assert cpl.format_text(text) == text


def test_most_texts_are_sound() -> None:
    assert len(SOUND) > 180


@pytest.mark.parametrize("signs", NOTATIONS)
def test_every_text_says_the_same(signs: str | None) -> None:
    for text in SOUND.values():
        check(text, signs)


@pytest.mark.parametrize("width", [60, 35, 5])
def test_every_text_says_the_same_in_narrow_lines(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "WIDTH", width)
    for text in SOUND.values():
        check(text)


def test_signs_go_both_ways() -> None:
    """To a keyboard and back to print, or the other way round: the same text, lines and all.

    Only raised digits come back as ↑, since a keyboard has no others.
    """
    for text in SOUND.values():
        if not any(digit in text for digit in "⁰¹²³⁴⁵⁶⁷⁸⁹"):
            typed, printed = check(text, "ascii"), check(text, "unicode")
            assert check(printed, "ascii") == typed
            assert check(typed, "unicode") == printed


def test_typed_texts_are_ascii_but_for_comments_and_strings() -> None:
    for text in SOUND.values():
        tokens = layout.lay_out(Source("text.cpl", check(text, "ascii"))).written
        assert all(token.span.text.isascii() for token in tokens if token.kind != "STRING")


def test_lines_are_no_longer_than_they_must_be() -> None:
    """In our programs, that is; a string or a name may be longer than a line."""
    for path in OURS:
        for line in loader.read(path).text.splitlines():
            assert len(line) <= document.WIDTH or line.lstrip().startswith("||")


@pytest.mark.parametrize("part", range(2))
def test_comments_anywhere(part: int) -> None:
    """A comment after any token; where it does not change what is said, it is kept there."""
    chance = random.Random(part)
    tried = 0
    for text in SOUND.values():
        tokens = layout.lay_out(Source("text.cpl", text)).written
        ends = [token.span.end for token in tokens if token.span.text.strip()]
        for end in sorted(chance.sample(ends, min(len(ends), chance.randint(1, 6))), reverse=True):
            comment = chance.choice([" || note\n", "|| note\n", "\n  || by itself\n", "\n\n\n## one\n|| two\n"])
            text = text[:end] + comment + text[end:]
        if surface(text) is not None:
            check(text)
            tried += 1
    assert tried > 150


@settings(SLOW, max_examples=200)
@given(programs())
def test_random_programs(program: Program) -> None:
    check(program.text)
    check(program.text, "ascii")


def test_mutated_programs(measured) -> None:
    """What still parses though it is spoilt has the oddest shapes."""
    chance = random.Random(1966)
    parts = [part for text in SOUND.values() for part in text.split("\n\n") if part.strip()]
    sound = 0
    for _ in range(3000):
        text = mutated(chance.choice(parts), chance)
        if re.search("[⁰¹²³⁴⁵⁶⁷⁸⁹]\\s+[⁰¹²³⁴⁵⁶⁷⁸⁹]", text):
            continue  # a power of a power, which print has no way to part
        if surface(text) is not None:
            check(text, chance.choice([*NOTATIONS]))
            sound += 1
    measured(f"{sound} of 3000 mutated texts parse, and say the same when they are formatted")
    assert sound > 500


def test_a_text_that_does_not_parse_is_refused() -> None:
    with pytest.raises(cpl.CplError):
        cpl.format_text("F(x) = (x")


def test_line_ends_stay_and_an_empty_text_stays_empty() -> None:
    assert cpl.format_text("F(x)=x\r\nG(x)=x\r\n") == "F(x) = x\r\nG(x) = x\r\n"
    assert cpl.format_text("") == ""
    assert cpl.format_text("\n\n|| alone") == "|| alone\n"


MESSY, NEAT = "F(x)=2 x\n", "F(x) = 2 x\n"


def test_files_are_rewritten_and_told_of(tmp_path: Path) -> None:
    for name, text in (("a.cpl", MESSY), ("b.cpl", NEAT), ("wrong.cpl", "F(x) = (\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    checked = run("cpl", "fmt", "--check", "a.cpl", "b.cpl", cwd=tmp_path)
    assert (checked.returncode, checked.stdout) == (1, "")
    assert checked.stderr == "would change a.cpl\n1 file would change, 1 file in style already\n"
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == MESSY
    shown = run("cpl", "fmt", "--diff", "a.cpl", cwd=tmp_path)
    assert shown.returncode == 0
    assert "-F(x)=2 x\n+F(x) = 2 x\n" in shown.stdout
    assert "\x1b" not in shown.stdout
    done = run("cpl", "fmt", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert "wrong.cpl:1:8" in done.stderr
    assert "changed a.cpl" in done.stderr
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == NEAT
    assert (tmp_path / "wrong.cpl").read_text(encoding="utf-8") == "F(x) = (\n"
    assert run("cpl", "fmt", "--check", "a.cpl", "b.cpl", cwd=tmp_path).returncode == 0


def test_standard_input_is_formatted_to_standard_output() -> None:
    done = run("cpl", "fmt", "--ascii", "-", input="F(σ)=σ→1,2\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "F(\\sigma) = \\sigma -> 1, 2\n", "")
    assert run("cpl", "fmt", "--check", "-", input=MESSY).returncode == 1


def test_historical_texts_are_left_as_they_are_unless_named_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "programs", tmp_path / "programs")
    old = tmp_path / "programs" / "strachey.cpl"
    before = old.read_bytes()
    done = run("cpl", "fmt", "programs", "programs/strachey.cpl", cwd=tmp_path)
    assert done.returncode == 0
    assert "strachey.cpl: a historical text, left as it is" in done.stderr
    assert old.read_bytes() == before
    assert run("cpl", "fmt", "programs/strachey.cpl", cwd=tmp_path).returncode == 0
    assert old.read_bytes() != before


def test_differences_are_those_of_files(tmp_path: Path) -> None:
    """With line ends as they are, and a last line that has none."""
    (tmp_path / "a.cpl").write_bytes(b"F(x) = x")
    done = run("cpl", "fmt", "--diff", "a.cpl", cwd=tmp_path)
    assert done.stdout.endswith("-F(x) = x\n\\ No newline at end of file\n+F(x) = x\n")
    (tmp_path / "a.cpl").write_bytes(b"F(x)=x\r\n")
    assert run("cpl", "fmt", "--diff", "a.cpl", cwd=tmp_path).stdout.endswith("-F(x)=x\r\n+F(x) = x\r\n")


def test_folders_hold_what_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "folder.cpl").mkdir()
    (tmp_path / "gone.cpl").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.cpl")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "other.cpl").write_text(MESSY, encoding="utf-8")
    done = run("cpl", "fmt", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        0,
        ".: no *.cpl file is in this folder\n0 files changed, 0 files in style already\n",
    )
    (tmp_path / "wrong.cpl").write_text("F(x) = (\n", encoding="utf-8")
    done = run("cpl", "fmt", "--format-errors", "json", ".", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stderr)[0]["code"]) == (1, "unclosed-bracket")


def test_a_text_that_would_say_something_else_is_left(tmp_path: Path, monkeypatch, capsys) -> None:
    for name in ("a.cpl", "b.cpl"):
        (tmp_path / name).write_text(MESSY, encoding="utf-8")
    true_print = formatting.print_program
    monkeypatch.setattr(
        formatting,
        "print_program",
        lambda *given: "F(x) = 3x\n" if "a.cpl" in str(given[0].span) else true_print(*given),
    )
    assert cli.main(["fmt", str(tmp_path)]) == 70
    assert "a fault of cpl fmt" in capsys.readouterr().err
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == MESSY
    assert (tmp_path / "b.cpl").read_text(encoding="utf-8") == NEAT


def test_what_cannot_be_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "x.cpl").write_text(MESSY, encoding="utf-8")
    assert run("cpl", "fmt", "", cwd=tmp_path).returncode == 2
    assert (tmp_path / "x.cpl").read_text(encoding="utf-8") == MESSY
    done = run("cpl", "fmt", "missing.cpl", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("cpl fmt: missing.cpl: no such file")
    assert run("cpl", "fmt").returncode == 2
