"""Where pages of the site lead: out of programs and notebooks, to the evidence, and from an error to its place."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from cpl.editors.signs import SIGNS
from website.conftest import Site
from website.test_pages import LOADED, ready, write

Visit = Callable[..., Any]


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("path", ["programs/strachey.html", "programs/attested/s63-fact.html"])
def test_a_program_has_ways_out(visit: Visit, barriers: Callable[[Any], list[str]], path: str, width: int) -> None:
    page = visit(path, width=width)
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="Open in the playground").click()
    page.wait_for_url("**/playground.html#*")
    assert page.locator("#example").input_value() == path.removeprefix("programs/").replace(".html", ".cpl")
    page.go_back()
    page.get_by_role("navigation", name="Site").get_by_role("link", name="cplc", exact=True).click()
    page.wait_for_url("**/index.html")


@pytest.mark.parametrize("path", ["lab", "notebooks"])
def test_notebooks_have_ways_out(visit: Visit, path: str) -> None:
    page = visit(f"lab/{path}/index.html?path=5-writing-cpl.ipynb", alone=True)
    page.locator(".jp-Notebook").first.wait_for(timeout=LOADED)
    bar = page.get_by_role("navigation", name="Site")
    below = page.locator("#main").bounding_box()
    assert bar.bounding_box()["height"] <= below["y"]
    assert below["y"] + below["height"] <= 1000
    page.wait_for_load_state("networkidle")  # what is cut off while it loads is an error
    bar.get_by_role("link", name="Docs").click()
    page.wait_for_url("**/docs/README.html")


def test_every_row_that_explains_a_sign_can_be_linked(site: Site) -> None:
    text = (site.folder / "docs/evidence.html").read_text(encoding="utf-8")
    rows = {row for sign in SIGNS.values() for row in sign.rows.split()}
    assert len(rows) > 50
    assert {row for row in rows if f'id="{row}"' not in text} == set()


def test_what_is_said_of_a_sign_leads_to_its_evidence(visit: Visit, barriers: Callable[[Any], list[str]]) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "Sign(x) = x > 0 → 1, - 1\n")
    line = page.locator("#editor .cm-line").first
    line.locator(".c-nf").wait_for()
    place = line.evaluate("""(line) => {
      const range = new Range();
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (!texts.nextNode().data.includes("→"));
      const start = texts.currentNode.data.indexOf("→");
      range.setStart(texts.currentNode, start);
      range.setEnd(texts.currentNode, start + 1);
      const { left, top, width, height } = range.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    }""")
    page.mouse.move(*place)
    tip = page.locator(".cm-tooltip .hover")
    tip.wait_for()
    assert tip.evaluate("box => parseFloat(getComputedStyle(box).paddingLeft)") >= 8
    assert barriers(page) == []
    with page.context.expect_page() as opened:
        tip.get_by_role("link", name="E15").click()
    evidence = opened.value
    evidence.wait_for_load_state()
    assert evidence.url.endswith("docs/evidence.html#E15")
    assert "Conditional expression" in evidence.locator("#E15").inner_text()
    evidence.close()


TAG = re.compile("<[^>]*>")
CARETS = re.compile(r"\^\^|┌─")


def test_an_error_of_a_call_leads_to_its_place(visit: Visit, barriers: Callable[[Any], list[str]]) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "|| a text\nHalf(x) = 1/x\n")
    page.locator("#python", has_text="def Half").wait_for(timeout=LOADED)
    call, output = page.locator("#call"), page.locator("#output")
    call.fill("1 + Hlaf(2)")
    page.get_by_role("button", name="Run", exact=True).click()
    problem = output.locator("li.error", has_text="Hlaf is not defined")
    problem.wait_for(timeout=LOADED)
    assert not CARETS.search(output.inner_text())
    assert barriers(page) == []
    problem.get_by_role("button", name="Call", exact=True).click()
    selected = call.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected == "Hlaf"
    problem.locator(".fix").click()
    assert call.input_value() == "1 + Half(2)"
    call.fill("Half(0)")
    page.get_by_role("button", name="Run", exact=True).click()
    fault = output.locator("li.error", has_text="division by zero")
    fault.wait_for(timeout=LOADED)
    assert not CARETS.search(output.inner_text())
    assert fault.locator("mark").all_inner_texts() == ["1/x", "Half(0)"]
    assert barriers(page) == []
    fault.get_by_role("button", name="Line 2").click()
    page.keyboard.insert_text("7 × ")
    assert "Half(x) = 7 × 1/x" in page.locator("#editor .cm-content").inner_text()


CELL_PAGES = {
    "notebooks/5-writing-cpl.html": 5,
    "notebooks/7-two-hours-with-a-program-of-1966.html": 2,
    "docs/notebooks.html": 1,
}


@pytest.mark.parametrize("path", CELL_PAGES)
def test_cells_of_cpl_have_its_colours(site: Site, path: str) -> None:
    text = (site.folder / path).read_text(encoding="utf-8")
    cells = [each for each in re.findall("<pre.*?</pre>", text, re.DOTALL) if TAG.sub("", each).startswith("%%cpl")]
    assert len(cells) >= CELL_PAGES[path]
    for cell in cells:
        assert re.search('class="(nf|nv|k|kt|c1)"', cell), cell


INNERMOST = """element => {
  while (element.firstElementChild) element = element.firstElementChild;
  return getComputedStyle(element).fontWeight;
}"""


def test_in_jupyterlite_cells_of_cpl_have_its_colours(visit: Visit) -> None:
    """Those of Python keep theirs, and a cell follows what is typed."""
    page = visit("lab/lab/index.html?path=5-writing-cpl.ipynb", alone=True)
    cell = page.locator(".jp-CodeCell .cm-content", has_text="Fact(x) =").first
    cell.wait_for(timeout=LOADED)
    assert cell.locator(".c-nf").all_inner_texts() == ["Fact", "Fact"]
    name = cell.locator(".c-nf").first
    assert name.evaluate("element => getComputedStyle(element).color") == "rgb(31, 78, 158)"
    word = page.locator(".cpl-cell .c-k", has_text="for").first  # which is one of Python, too
    assert word.evaluate(INNERMOST) == "700"
    python = page.locator(".jp-CodeCell .cm-content", has_text="%load_ext").first
    assert python.locator("[class^=c-]").count() == 0
    python.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("%%cpl\nlet Twice(x) = 2x")
    typed = page.locator(".jp-CodeCell .cm-content", has_text="Twice(x)").first
    typed.locator(".c-k", has_text="let").wait_for()
