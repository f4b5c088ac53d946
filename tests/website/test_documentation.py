"""The pages of the documentation, the gallery and the notebooks, as readers find them on the site."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cplrt
import pytest
from conftest import ROOT

import cpl
from cpl.compiler import loader
from website.conftest import Site

pytestmark = pytest.mark.long

Visit = Callable[..., Any]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LESSON = "docs/cpl-for-python-programmers.html"
PAGES = [
    LESSON,
    "docs/README.html",
    "docs/language/2-definitions.html",
    "notebooks/3-playing-a-game.html",
    "programs/README.html",
    "gallery.html",
    "api/cpl.html",
]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_a_phone_and_keeps_nobody_out(
    path: str, visit: Visit, barriers: Callable[[Any], list[str]]
) -> None:
    page = visit(path, width=400)
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    assert barriers(page) == []


CLIPPED = """() => [...document.querySelectorAll("pre")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .map((box) => `${box.scrollWidth} > ${box.clientWidth}: ${box.innerText.slice(0, 80)}`)"""
WORDLESS = """() => [...document.querySelectorAll(".cell_output svg, .cell_output img")]
  .filter((drawing) => !(drawing.getAttribute("aria-label") || drawing.getAttribute("alt") || drawing.ariaHidden))
  .map((drawing) => drawing.outerHTML.slice(0, 200))"""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_clips_no_listing_and_keeps_nobody_out(
    path: Path, visit: Visit, barriers: Callable[[Any], list[str]]
) -> None:
    page = visit(f"notebooks/{path.stem}.html", width=1100)
    assert page.locator(".cell_output").count()
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(WORDLESS) == []
    assert page.get_by_text("No position here.").count() == 0
    assert barriers(page) == []


def test_themes_are_followed(visit: Visit) -> None:
    grounds = {
        visit(LESSON, color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert len(grounds) == 2
    page = visit("notebooks/1-reading-the-1966-program.html", alone=True, color_scheme="light")
    ground = "getComputedStyle(document.querySelector('.cpl')).backgroundColor"
    day = page.evaluate(ground)
    page.locator("[data-theme-switch]").click(click_count=2)
    assert page.evaluate("document.body.dataset.theme") == "dark"
    assert page.evaluate(ground) != day


def test_every_example_and_program_opens_in_the_playground(visit: Visit) -> None:
    page = visit("docs/language/2-definitions.html")
    examples = page.locator(".highlight-cpl pre").all_inner_texts()
    links = page.locator("a", has_text="Open in the playground").evaluate_all("all => all.map(each => each.href)")
    texts = [parse_qs(urlsplit(link).fragment)["text"][0] for link in links]
    assert [text.split() for text in texts] == [example.split() for example in examples]
    assert len(texts) > 20
    page = visit("gallery.html")
    links = page.locator("a", has_text="Open in the playground").evaluate_all("all => all.map(each => each.href)")
    names = {parse_qs(urlsplit(link).fragment)["example"][0] for link in links}
    assert {loader.find(name) for name in names} == {*loader.packaged_files()}
    page.locator('a[href="programs/strachey.html"]').first.click()
    assert page.locator("dfn", has_text="NextMoveDirection").count() == 1


@pytest.mark.parametrize("name", ["cpl", "cplrt"])
def test_the_interface_is_there(name: str, site: Site) -> None:
    text = (site.folder / f"api/{name}.html").read_text(encoding="utf-8")
    offered = {each for each in {"cpl": cpl, "cplrt": cplrt}[name].__all__ if not each.startswith("_")}
    assert {each for each in offered if f'id="{name}.{each}"' not in text} == set()


def test_the_search_finds_a_page_and_a_notebook_runs(visit: Visit) -> None:
    page = visit("docs/README.html")
    page.get_by_placeholder("Search").fill("transcription")
    page.keyboard.press("Enter")
    page.locator("#search-results a", has_text="Another transcription").first.click()
    page.wait_for_url("**/docs/transcriptions.html*")
    page = visit("notebooks/1-reading-the-1966-program.html", alone=True)
    page.locator("a", has_text="Open in the browser").click()
    page.get_by_text("Python (Pyodide) | Idle").wait_for()
    page.locator(".jp-CodeCell .cm-content").first.click()
    for _ in range(3):  # import cpl, words, the board
        page.keyboard.press("Shift+Enter")
    page.locator(".jp-OutputArea-output img").first.wait_for()


def test_an_exercise_is_solved_in_the_browser(visit: Visit) -> None:
    page = visit("lab/lab/index.html?path=7-two-hours-with-a-program-of-1966.ipynb", alone=True)
    page.get_by_text("Python (Pyodide) | Idle").wait_for()
    page.locator(".jp-MarkdownCell").first.click()
    for _ in range(7):  # the text, the checks, a text, a board, exercise 1, its answer and its check
        page.keyboard.press("Shift+Enter")
    page.get_by_text("Exercise 1: not yet. Write your answer in place of the dots").wait_for()
    assert page.locator(".jp-OutputArea-output img").first.get_attribute("alt").startswith("Black to play")
    page.locator(".jp-CodeCell .cm-content", has_text="direction_after_5").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(
        "direction_after_5 = 4\ndirection_after_4 = -4\ndirection_after_minus_4 = game.NextMoveDirection(-4)"
    )
    for _ in range(2):
        page.keyboard.press("Shift+Enter")
    page.get_by_text("Exercise 1: right.").wait_for()


def test_from_a_file_the_documentation_can_be_read(chromium: Any, site: Site) -> None:
    page = chromium.new_page()
    page.goto((site.folder / LESSON).as_uri())
    assert "Ten minutes, and you can write CPL" in page.locator("body").inner_text()
    page.goto((site.folder / "lab/lab/index.html").as_uri())
    assert "python3 -m http.server" in page.locator("body").inner_text()
    page.close()


def test_an_example_is_edited_and_run_where_it_stands(visit: Visit) -> None:
    page = visit(LESSON)
    page.get_by_role("button", name="Edit and run").first.click()
    page.get_by_label("Program in CPL").fill("WriteLine(6 × 7)")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("cpl-try pre", has_text="42").wait_for()
