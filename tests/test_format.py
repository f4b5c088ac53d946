"""`cpl fmt` keeps the meaning of a text and its comments and changes nothing twice, whatever parts a heading has."""

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from case_files import Case, read_cases, write_cases
from command_line import run
from conftest import ROOT
from interactions import SHARES, programs
from test_hostile import mutated
from ways import Ways

import cpl
from cpl.cli import cpl as cli
from cpl.compiler import loader
from cpl.compiler.diagnostics import has_errors
from cpl.compiler.source import Source
from cpl.compiler.syntax import document, layout, nodes, printer
from cpl.compiler.syntax.parser import parse

GOLDEN = Path(__file__).parent / "format" / "layout.case"
LAYOUTS = read_cases(GOLDEN)
NOTATIONS = {None: printer.as_written, "ascii": printer.typed, "unicode": printer.printed}
"""By the names that `format_text` has for them."""
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def surface(text: str) -> nodes.Program | None:
    """The tree of a text; None if it has errors."""
    program, found = parse(Source("text.cpl", text))
    return None if has_errors(found) else program


def notes(program: nodes.Program) -> list[str]:
    return [comment.text.rstrip() for comment in program.comments]


def check(text: str, signs: str | None = None) -> str:
    """The formatted text; it has the same tree and comments, and formatting it again changes nothing."""
    program = surface(text)
    assert program is not None
    formatted = printer.print_program(program, NOTATIONS[signs])
    again = surface(formatted)
    assert again == program, formatted
    assert notes(again) == notes(program)
    assert printer.print_program(again, NOTATIONS[signs]) == formatted
    return formatted


@cache
def sound() -> list[str]:
    """The texts of this tree that have no errors. Reading them takes seconds, so only who needs them does it."""
    programs = [loader.read(path).text for path in loader.packaged_files()]
    files = sorted((ROOT / "tests" / "cases").glob("*.case"))
    cases = [case.cpl for file in files for case in read_cases(file)]
    layouts = [case.cpl for case in LAYOUTS]
    return [text for text in (*programs, *cases, *layouts) if surface(text) is not None]


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


def test_our_own_programs_are_in_style() -> None:
    packaged = [path for path in loader.packaged_files() if not loader.entry(str(path)).verbatim]
    for path in (*packaged, *ROOT.glob("programs/attested/surroundings/*.cpl")):
        text = loader.read(path).text
        assert cpl.format_text(text) == text, path
        assert all(len(line) <= document.WIDTH or line.lstrip().startswith("||") for line in text.splitlines()), path


@pytest.mark.long
@pytest.mark.parametrize(("signs", "width"), [(None, 100), ("ascii", 100), ("unicode", 100), (None, 5)])
def test_every_text_keeps_its_meaning(signs: str | None, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "WIDTH", width)
    assert len(sound()) > 180
    for text in sound():
        formatted = check(text, signs)
        tokens = layout.lay_out(Source("text.cpl", formatted)).written
        if signs == "ascii":
            assert all(token.span.text.isascii() for token in tokens if token.kind != "STRING")


@pytest.mark.parametrize("part", SHARES)
def test_comments_anywhere(part: int) -> None:
    """A comment after any token is kept if it does not change the meaning."""
    chance = random.Random(part)
    tried = 0
    for text in sound()[part::2]:
        tokens = layout.lay_out(Source("text.cpl", text)).written
        ends = [token.span.end for token in tokens if token.span.text.strip()]
        for end in sorted(chance.sample(ends, min(len(ends), chance.randint(1, 6))), reverse=True):
            comment = chance.choice([" || note\n", "|| note\n", "\n  || by itself\n", "\n\n\n## one\n|| two\n"])
            text = text[:end] + comment + text[end:]
        if surface(text) is not None:
            check(text)
            tried += 1
    assert tried > 75


@pytest.mark.parametrize("part", SHARES)
def test_random_programs(part: int) -> None:
    for program in programs(part, 40):
        check(program.text)
        check(program.text, "ascii")


def test_mutated_programs(measured) -> None:
    """Mutated texts that still parse have the oddest shapes."""
    chance = random.Random(1966)
    parts = [part for text in sound() for part in text.split("\n\n") if part.strip()]
    kept = 0
    for _ in range(600):
        text = mutated(chance.choice(parts), chance)
        if re.search(rf"[{RAISED}]\s+[{RAISED}]", text):
            continue  # a power of a power, which print cannot separate
        if surface(text) is not None:
            check(text, chance.choice([*NOTATIONS]))
            kept += 1
    measured(f"{kept} of 600 mutated texts parse and keep their meaning when they are formatted")
    assert kept > 100


def test_format_text_and_standard_input_are_formatted() -> None:
    assert cpl.format_text("F(x)=x\r\nG(x)=x\r\n") == "F(x) = x\r\nG(x) = x\r\n"
    assert cpl.format_text("") == ""
    assert cpl.format_text("\n\n|| alone") == "|| alone\n"
    with pytest.raises(cpl.CplError):
        cpl.format_text("F(x) = (x")
    done = run("cpl", "fmt", "--ascii", "-", input="F(σ)=σ→1,2\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "F(\\sigma) = \\sigma -> 1, 2\n", "")
    assert run("cpl", "fmt", "--check", "-", input=MESSY).returncode == 1


MESSY, NEAT = "F(x)=2 x\n", "F(x) = 2 x\n"


def written(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.cpl").write_text(text, encoding="utf-8")


def test_files_are_rewritten(tmp_path: Path) -> None:
    written(tmp_path, a=MESSY, b=NEAT, wrong="F(x) = (\n")
    checked = run("cpl", "fmt", "--check", "a.cpl", "b.cpl", cwd=tmp_path, fails=1)
    assert checked.stderr == "would change a.cpl\n1 file would change, 1 file already formatted\n"
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == MESSY
    shown = run("cpl", "fmt", "--diff", "a.cpl", cwd=tmp_path, status=0)
    assert "-F(x)=2 x\n+F(x) = 2 x\n" in shown.stdout
    assert "\x1b" not in shown.stdout
    done = run("cpl", "fmt", ".", cwd=tmp_path, status=1)
    assert "wrong.cpl:1:8" in done.stderr
    assert "changed a.cpl" in done.stderr
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == NEAT
    assert (tmp_path / "wrong.cpl").read_text(encoding="utf-8") == "F(x) = (\n"
    assert run("cpl", "fmt", "--check", "a.cpl", "b.cpl", cwd=tmp_path).returncode == 0


def test_historical_texts_are_left_unless_named_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "programs", tmp_path / "programs")
    for path in (tmp_path / "programs", tmp_path / "programs" / "strachey.cpl"):
        path.chmod(0o755)  # they may be read-only here
    old = tmp_path / "programs" / "strachey.cpl"
    before = old.read_bytes()
    done = run("cpl", "fmt", "programs", "programs/strachey.cpl", cwd=tmp_path, status=0)
    assert "strachey.cpl: skipped, as it is a historical text" in done.stderr
    assert old.read_bytes() == before
    assert run("cpl", "fmt", "programs/strachey.cpl", cwd=tmp_path).returncode == 0
    assert old.read_bytes() != before


def test_an_editor_names_standard_input(tmp_path: Path) -> None:
    (tmp_path / "programs.toml").write_text("['old.cpl']\nverbatim = true\n", encoding="utf-8")
    for name, options, text, status, out, err in (
        ("new.cpl", (), "F(x)=x\n", 0, "F(x) = x\n", ""),
        ("new.cpl", ("--check",), "F(x)=x\n", 1, "", "would change new.cpl\n"),
        ("sub/new.cpl", (), "F(x)=(x\n", 1, "", "sub/new.cpl:1:6"),
        ("old.cpl", (), "F(x)=(x\n", 0, "F(x)=(x\n", "old.cpl: skipped, as it is a historical text"),
        ("old.cpl", ("--diff",), "F(x)=x\n", 0, "", "old.cpl: skipped, as it is a historical text"),
    ):
        done = run("cpl", "fmt", "-", "--stdin-filename", name, *options, input=text, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (status, out)
        assert err in done.stderr and bool(err) == bool(done.stderr)
    done = run("cpl", "fmt", "old.cpl", "--stdin-filename", "old.cpl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "cpl fmt: --stdin-filename names standard input, which is the FILE -\n",
    )


def test_differences_are_those_of_files(tmp_path: Path) -> None:
    """With line ends as they are, and a last line that has none."""
    (tmp_path / "a.cpl").write_bytes(b"F(x) = x")
    done = run("cpl", "fmt", "--diff", "a.cpl", cwd=tmp_path)
    assert done.stdout.endswith("-F(x) = x\n\\ No newline at end of file\n+F(x) = x\n")
    (tmp_path / "a.cpl").write_bytes(b"F(x)=x\r\n")
    assert run("cpl", "fmt", "--diff", "a.cpl", cwd=tmp_path).stdout.endswith("-F(x)=x\r\n+F(x) = x\r\n")
    written(tmp_path, x=MESSY)
    assert run("cpl", "fmt", "", cwd=tmp_path).returncode == 2
    assert (tmp_path / "x.cpl").read_text(encoding="utf-8") == MESSY
    done = run("cpl", "fmt", "missing.cpl", cwd=tmp_path, status=1)
    assert done.stderr.startswith("cpl fmt: missing.cpl: no such file")
    assert run("cpl", "fmt").returncode == 2


def test_other_things_in_folders_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "folder.cpl").mkdir()
    (tmp_path / "gone.cpl").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.cpl")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "other.cpl").write_text(MESSY, encoding="utf-8")
    done = run("cpl", "fmt", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        0,
        ".: no *.cpl file is in this folder\n0 files changed, 0 files already formatted\n",
    )
    written(tmp_path, wrong="F(x) = (\n")
    done = run("cpl", "fmt", "--format-errors", "json", ".", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stderr)[0]["code"]) == (1, "unclosed-bracket")


def test_a_text_whose_meaning_would_change_is_left(tmp_path: Path, monkeypatch, capsys) -> None:
    written(tmp_path, a=MESSY, b=MESSY)
    true_print = printer.print_program
    monkeypatch.setattr(
        printer,
        "print_program",
        lambda *given: "F(x) = 3x\n" if "a.cpl" in str(given[0].span) else true_print(*given),
    )
    assert cli.main(["fmt", str(tmp_path)]) == 70
    assert "a fault of cpl fmt" in capsys.readouterr().err
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == MESSY
    assert (tmp_path / "b.cpl").read_text(encoding="utf-8") == NEAT


EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "100"))
OWN = ("", "let M = 2 in ", "let real M = 2 in ", "let M, L = 2, 3 in ", "let rec M = 2 in ", "let L = 3 and M = 2 in ",
       "let function L[y] = y and M = 2 in ", "let (M,(L,K)), J = (2,(3,4)), 5 in ", "let M ≃ 2 in ")  # fmt: skip
AND = ("", " and G[y] = y", " and real function G[y] ≡ y", " and routine R[y] be Write(y)", " and R[y] is Write(y)",
       " and rec G[y] = y = 0 → 1, G[y - 1]", " and real Y = 5", " and Y ≃ 3", " and real (Y,Z) = (5,6)")  # fmt: skip
PLACES = {
    "top": "{definition}\nC = {use}",
    "section": "C = value of\n  § {definition}\n    result is {use} §|",
    "dec": "C = value of\n  § dec §1 {definition} §1\n    result is {use} §|",
    "where": "C = value of § result is ({use} where {definition}) §|",
}


def functions():
    """Each function that a choice of parts defines, and what it gives for 3."""
    words = product(("", "let "), ("", "rec "), ("", "real "), ("", "function "))
    for (let, rec, kind, function), own, brackets, sign, more in product(
        words, OWN, ("[x]", "(x)", "[integer x]", "[ref x]"), "=≡", AND
    ):
        recursive = rec or "rec" in more
        body = "x = 0 → 0, F[x - 1] + 2" if recursive else "2x + M - 2" if own else "2x"
        if not (own and let):
            wanted = "6.0" if kind or ("real" in own and "M" in body) else "6"
            yield f"{own}{let}{rec}{kind}{function}F{brackets} {sign} {body}{more}", "F[3]", wanted
    for let, rec, own, sign, more in product(("", "let "), ("", "rec "), OWN, ("= ", "be ", "is "), AND):
        if not (own and let):
            yield f"{own}{let}{rec}routine F[x] {sign} WriteLine(x){more}", "3", "3"


def values():
    """Each choice of names that get values, and the last of the values."""
    lefts = ("X = 4", "(X,(Y',W)) = (1,(2,4))", "X', X = 1, 4", "(Y',(W,Z')), X = (1,(2,3)), 4", "X ≡ 4", "X ≃ 4",
             "X', X ≃ 3, 4", "X', X ≡ 3, 4")  # fmt: skip
    for let, rec, kind, own, left, more in product(("", "let "), ("", "rec "), ("", "real "), OWN, lefts, AND):
        if not (own and let) and not (kind and "≃" in left):
            last = "W" if left.startswith("(X") else "X"
            yield f"{own}{let}{rec}{kind}{left}{more}", last, "4.0" if kind else "4"


@pytest.mark.parametrize("place", ["top", *(pytest.param(place, marks=pytest.mark.long) for place in [*PLACES][1:])])
@pytest.mark.parametrize("parts", [functions, values])
def test_choices_of_the_parts_of_a_heading(parts, place: str, ways: Callable[..., Ways]) -> None:
    every = list(parts())
    if place == "where":
        every = [choice for choice in every if not re.search("let|routine|be |is |, X ", choice[0])]
    chosen = Random(place).sample(every, min(EXAMPLES, len(every)))
    text = ""
    for at, (definition, use, _) in enumerate(chosen):
        check(part := PLACES[place].format(definition=definition, use=use))
        text += re.sub(r"\b[A-Z]'?(?![a-z'])", rf"\g<0>{at}", part) + "\n"
    found = ways(text, calls=[f"C{at}" for at in range(len(chosen))]).agreed().values
    for (definition, _, wanted), value in zip(chosen, found, strict=True):
        assert value == wanted, definition
