"""Programs published as pages and as LaTeX: `cpl html` and `cpl latex`."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
from command_line import run
from html_pages import Page

import cpl
from cpl import loader
from cpl.views.latex import as_latex
from cpl.views.latex_signs import in_latex
from cpl.views.publication import Publication
from cpl.views.publication_html import as_page

PROGRAMS = sorted(path for path in loader.packaged_files() if path.suffix == ".cpl")
HOSTILE = """\
F(x) = ‘<script>alert(1)</script>&amp; \\end{cpl} $ # _ ^ ~ {’
|| </pre><img src=x onerror="1"> \\input{x} %
"""


def published(*arguments: str | Path, input: str = "") -> Page:
    done = run("cpl", "html", *arguments, input=input, status=0)
    return Page(done.stdout)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_page_holds_the_text_as_it_is(path: Path) -> None:
    source = loader.read(path)
    assert Page(as_page(Publication(source))).listing == source.text


def test_what_is_copied_compiles_to_the_same_in_the_signs_of_print() -> None:
    page = published("strachey.cpl", "--python", "--numbers")
    text = loader.read(loader.find("strachey.cpl")).text
    assert page.listing == text
    names = {str(found["id"]) for tag, found in page.elements if tag == "dfn"}
    assert {"ChosenPosition", "PCP"} <= names
    assert {str(found["href"]) for tag, found in page.elements if tag == "a"} == {f"#{name}" for name in names}
    typed = "F(\\sigma) = value of $( let y = 1\n    result is \\sigma > 0 -> y, -y $)\n"
    page = published("-", "--unicode", input=typed)
    assert {*"→σ§"} <= {*page.listing}
    assert cpl.compile_text(page.listing).python.splitlines()[4:6] == cpl.compile_text(typed).python.splitlines()[4:6]


def test_a_page_has_a_heading_loads_nothing_and_shows_hidden_characters() -> None:
    html = run("cpl", "html", "strachey-original.cpl", "--repair").stdout
    assert "Scientific American" in html
    assert "It has an error; links and Python need this repair: put ) after" in html
    page = published("-", input=HOSTILE)
    assert page.listing == HOSTILE
    assert not {"script", "img", "link", "iframe"} & {tag for tag, _ in page.elements}

    text = "F(x) =\f‘\u202edrawkcab’ || \u200b\n"
    page = published("-", input=text)
    assert page.listing == text
    assert [found["data-sign"] for tag, found in page.elements if tag == "bdi"] == ["U+000C", "U+202E", "U+200B"]
    assert "202E" in run("cpl", "latex", "-", input=text).stdout


def test_a_text_that_does_not_compile_is_published_without_links() -> None:
    done = run("cpl", "html", "-", input="F(x) = (x\n", status=0)
    assert "this does not compile, so there are no links" in done.stderr
    assert Page(done.stdout).listing == "F(x) = (x\n"
    assert run("cpl", "html", "-", "--python", input="F(x) = (x\n").returncode == 1
    text = "F(x) = (x -> 1, 2\n"
    done = run("cpl", "html", "-", "--unicode", input=text)
    assert (done.returncode, Page(done.stdout).listing) == (0, text)
    assert "<stdin>: this does not parse, so it stays as it is written\n" in done.stderr
    page = published("-", "--unicode", "--repair", "--python", input=text)
    assert page.listing == text
    assert ("dfn", {"id": "F"}) in page.elements
    assert run("cpl", "html", "-", "--unicode", "--python", input=text).returncode == 1


@pytest.mark.parametrize("command", ["html", "latex"])
def test_files_are_written_whole_or_not_at_all(command: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("cpl", command, "strachey.cpl", "-o", out).returncode == 0
    text = out.read_text(encoding="utf-8")
    assert run("cpl", command, "strachey.cpl").stdout == text
    for wrong in (["nothing.cpl"], ["strachey.cpl", "--speed"], ["strachey.cpl", "more.cpl"]):
        assert run("cpl", command, *wrong, "-o", out).returncode in (1, 2)
    assert out.read_text(encoding="utf-8") == text
    assert run("cpl", command, "strachey.cpl", "-o", tmp_path / "no" / "out").returncode == 1


def test_latex_is_ascii_and_has_the_signs_of_print() -> None:
    for path in PROGRAMS:
        assert as_latex(Publication(loader.read(path))).isascii()
    text = run("cpl", "latex", "-", "--fragment", input="F(\\sigma) = \\sigma -> 1, ~ #17\n").stdout
    for sign in (r"\sigma", r"\rightarrow", r"\sim", r"\cplword{8}\,17"):
        assert sign in text
    assert "->" not in text
    done = run("cpl", "latex", "-", input="F(x) = ‘\N{SNOWMAN}’\n", status=0)
    assert "[U+2603]" in done.stderr
    assert r"\cplnumber{2603}" in done.stdout


def test_a_tab_is_as_wide_as_where_it_stands_makes_it() -> None:
    below = f"{' ' * 24}y\n"  # in a column that tabs lead to
    for line in ("F(x) = x\t|| one\ttwo", "\tF(x) =\tx + 1", "F(x) = Long(x,\t‘a\tb’,\tx)", "\t \tx\t\ty"):
        typed, blank = (Publication(cpl.Source("a.cpl", f"{text}\n{below}")) for text in (line, line.expandtabs(8)))
        assert as_latex(typed, fragment=True) == as_latex(blank, fragment=True)


JOINED: Final = ("''", "'’", "’'", "’’", "‘‘", "!‘", "?‘", ",,", "--", "–-")
"""What TeX or its fonts would take for one sign, if nothing stood between."""


def test_signs_are_not_joined_in_print(tmp_path: Path) -> None:
    assert all(in_latex(pair[0]).endswith("{}") for pair in JOINED)
    if not shutil.which("pdflatex"):
        pytest.skip("there is no program pdflatex")
    text = "".join(f"|| {pair}\nF'(x) = “{pair}”\n" for pair in JOINED)
    shown_in_log = "\\tracingoutput=1 \\showboxbreadth=10000 \\showboxdepth=100\n"
    set_in("pdflatex", "joined", shown_in_log + as_latex(Publication(cpl.Source("joined.cpl", text))), tmp_path)
    log = (tmp_path / "joined.log").read_text(encoding="latin-1")
    assert "\\OT1/cmr/m/n/10 F" in log
    assert "(ligature" not in log


@pytest.mark.long
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_every_program_is_set(engine: str, tmp_path: Path) -> None:
    """Each alone, as people do, and a document of one's own that takes two fragments in."""
    if not shutil.which(engine):
        pytest.skip(f"there is no program {engine}")
    texts = {f"p{number}": as_latex(Publication(loader.read(path))) for number, path in enumerate(PROGRAMS)}
    texts["hostile"] = as_latex(Publication(cpl.Source("hostile.cpl", HOSTILE)))
    for name, text in texts.items():
        set_in(engine, name, text, tmp_path)
    for name in ("a", "b"):
        fragment = as_latex(Publication(loader.read(loader.find("strachey.cpl"))), fragment=True)
        (tmp_path / f"{name}.tex").write_text(fragment, encoding="utf-8")
    own = "\\documentclass{article}\\begin{document}One: \\input{a} Two: \\input{b}\\end{document}\n"
    set_in(engine, "own", own, tmp_path)


def set_in(engine: str, name: str, text: str, folder: Path) -> None:
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
    command: Sequence[str] = [engine, "-halt-on-error", "-interaction=batchmode", f"{name}.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    log = folder / f"{name}.log"
    assert done.returncode == 0, log.read_text(encoding="latin-1")[-1500:]
    assert (folder / f"{name}.pdf").stat().st_size > 1000
    assert "Missing character" not in log.read_text(encoding="latin-1")
