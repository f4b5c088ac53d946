"""The playground in one window, at three sizes; and pages say what is true of them, also when they do not start."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from website.conftest import PHONE, Site
from website.test_pages import LOADED, PAGES, ready, write
from website.test_tasks import Visitor

Visit = Callable[..., Any]

SIZES = {"large": {"width": 1400, "height": 900}, "small": {"width": 1366, "height": 660}, "phone": PHONE}
CHECKERS = "playground.html#example=strachey.cpl"
CONTROLS = "button:visible, input:visible, select:visible, textarea:visible"

_IN_WINDOW = """element => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const isInside = left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return isInside && (element.contains(seen) || Boolean(seen?.contains(element)));
}"""
"""Whether a whole element is in the window, and nothing covers its middle."""


def is_in_window(target: Any) -> bool:
    return bool(target.first.evaluate(_IN_WINDOW))


@pytest.fixture(
    params=[("large", "keys"), ("small", "keys"), ("phone", "touch"), ("small", "touch"), ("phone", "keys")]
)
def at(visit: Visit, request: pytest.FixtureRequest) -> Callable[[str], Visitor]:
    """Opens a page in a window of some size for a visitor with keys or with a finger."""
    size, way = request.param

    def opened(path: str) -> Visitor:
        page = visit(path, **SIZES[size], has_touch=way == "touch", is_mobile=(size, way) == ("phone", "touch"))
        return Visitor(page, way)

    return opened


def test_the_result_is_in_the_window_after_run(at: Callable[[str], Visitor]) -> None:
    visitor = at("playground.html")
    page = visitor.page
    ready(page)
    assert is_in_window(page.locator("#call"))
    assert is_in_window(page.locator("#editor"))
    visitor.press("#run [type=submit]")
    value = visitor.target("#output .value", "120")
    assert is_in_window(value)
    assert is_in_window(page.locator("#run [type=submit]"))
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


def test_step_is_in_the_window_after_steps(at: Callable[[str], Visitor]) -> None:
    visitor = at(CHECKERS)
    page = visitor.page
    ready(page)
    visitor.fill("#call", "LegalPositionsFrom(StartPosition)")
    visitor.press("#steps")
    visitor.target("#stage .cpl-steps.live")
    step = page.locator("#stage [data-verb=step]")
    count = page.locator("#stage .count")
    for _ in range(3):
        before = count.inner_text()
        assert is_in_window(step)
        visitor.press("#stage [data-verb=step]")
        page.wait_for_function("before => document.querySelector('#stage .count').textContent !== before", arg=before)
    if page.viewport_size["width"] > PHONE["width"]:
        assert is_in_window(page.locator("#editor mark"))  # the text itself is the column of CPL
        assert is_in_window(page.locator("#stage .target .line.here"))
        assert is_in_window(page.locator("#stage [aria-label=Values] .part-name"))
        assert is_in_window(page.locator("#stage .boards svg"))
    else:
        assert is_in_window(page.locator("#stage .source mark"))
    page.locator("#tab-python").click()
    assert page.locator("#editor mark").count() == 0


def test_a_step_marks_what_the_view_of_the_steps_marks(visit: Visit) -> None:
    """Also where a letter takes two units, and in an expression of several lines."""
    page = visit("playground.html")
    ready(page)
    write(page, "|| \U0001d70e \U0001d70e\nTwice(x) = 2x\nBoth(x,y) = Twice(x) +\n  Twice(y)\n")
    page.locator("#call").fill("Both(1,2)")
    page.locator("#steps").click()
    page.locator("#stage .cpl-steps").wait_for(timeout=LOADED)
    compared = 0
    while page.locator("#stage [data-verb=step][aria-disabled=false]").count():
        page.locator("#stage [data-verb=step]").click()
        in_editor, in_view = (
            "".join(page.locator(f"{side} mark").all_text_contents()) for side in ("#editor", "#stage .source")
        )
        is_in_text = page.locator("#stage .cpl-steps[data-source='0']").count()
        assert in_editor == (in_view if is_in_text else "")  # and not in the call, which is a text of its own
        compared += is_in_text
    assert compared > 3


def test_control_enter_runs_wherever_one_is(at: Callable[[str], Visitor]) -> None:
    visitor = at("playground.html")
    page = visitor.page
    ready(page)
    for place, call in (("#editor .cm-content", "Fact[4]"), ("#call", "Fact[6]"), ("#share", "Fact[3]")):
        page.locator("#call").fill(call)
        if page.viewport_size["width"] == PHONE["width"]:
            page.locator(".views button[value=cpl]").click()
        page.locator(place).focus()
        page.keyboard.press("Control+Enter")
        page.locator("#output .value", has_text={"Fact[4]": "24", "Fact[6]": "720", "Fact[3]": "6"}[call]).wait_for()
    assert "Fact[x] = (x = 0)" in page.locator("#editor").text_content()


def test_a_phone_shows_one_of_three_and_what_one_asked_for(visit: Visit) -> None:
    page = visit("playground.html", **PHONE, has_touch=True, is_mobile=True)
    ready(page)
    shown = ("#editor", "#python", "#output")
    for number, name in enumerate(("CPL", "Python", "Result")):
        page.get_by_role("group", name="Show").get_by_role("button", name=name).tap()
        assert [page.locator(each).is_visible() for each in shown] == [each == number for each in range(3)]
        call = page.locator("#run").bounding_box()
        assert call["y"] > PHONE["height"] / 2
        assert call["y"] + call["height"] == pytest.approx(PHONE["height"], abs=1)
    page.get_by_role("group", name="Show").get_by_role("button", name="CPL").tap()
    write(page, "Twice(x) = (2x\n")
    page.get_by_role("group", name="Show").get_by_role("button", name="Result").tap()
    page.locator("#problems .fix").first.tap(timeout=LOADED)
    assert page.locator("#editor").is_visible()
    assert "(2x)" in page.locator("#editor").text_content()


def test_the_readings_are_folded_unless_a_link_has_one(visit: Visit) -> None:
    page = visit("playground.html")
    selects = page.locator("#reading select")
    assert page.locator("#reading summary").inner_text() == "Read as usual"
    assert not selects.first.is_visible()
    page.locator("#reading summary").click()
    selects.first.select_option("tight")
    page.locator("#reading summary", has_text="∧ binds tighter than + and −").wait_for()
    page = visit("playground.html#example=strachey-original-repaired&reading=and%3Dtight")
    selects.first.wait_for()
    assert page.locator("#reading select").first.input_value() == "tight"


def test_the_python_pane_has_nothing_for_machines_and_the_download_has_it(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "Twice(x) = 2x\n\nThrice(x) = 3x\n")
    page.locator("#python:not(.stale)", has_text="def Thrice").wait_for(timeout=LOADED)
    shown = page.locator("#python").inner_text()
    assert "Compiled from" not in shown
    assert "# Lines from" not in shown
    page.locator("#python .line", has_text="return 3 * x").hover()
    assert page.locator("#editor .cm-line.lit").all_inner_texts() == ["Thrice(x) = 3x"]
    page.locator("#editor .cm-line", has_text="Twice").hover()
    page.locator("#python .line.lit", has_text="def Twice").wait_for()
    with page.expect_download() as download:
        page.locator("#download").click()
    whole = download.value.path().read_text(encoding="utf-8")
    assert "Compiled from program.cpl" in whole
    assert "# Lines from program.cpl" in whole


def test_python_of_an_older_text_says_so(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    older = page.locator("#older")
    write(page, "Twice(x) = 2x\n")
    page.locator("#python:not(.stale)", has_text="def Twice").wait_for(timeout=LOADED)
    assert not older.is_visible()
    write(page, "Twice(x) = (2x\n")
    older.wait_for(timeout=LOADED)
    assert older.bounding_box()["y"] < page.locator("#python").bounding_box()["y"]
    assert "def Twice" in page.locator("#python").inner_text()
    write(page, "Thrice(x) = 3x\n")
    page.locator("#python", has_text="def Thrice").wait_for(timeout=LOADED)
    assert not older.is_visible()


def test_no_problems_is_said_only_of_what_was_checked(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    found = page.locator("[data-problems]")
    write(page, "Twice(x) = (2x\n")
    fix = page.locator("#problems .fix").first
    fix.wait_for(timeout=LOADED)
    found.evaluate(
        """found => {
          window.said = [];
          const list = document.querySelector("#problems");
          new MutationObserver(() => said.push([found.textContent, list.inert])).observe(found, { childList: true });
        }"""
    )
    write(page, "Twice(x) = 2x\n")
    found.get_by_text("No problems").wait_for(timeout=LOADED)
    said = page.evaluate("said")
    assert said[0] == ["Not checked yet", True]  # and its fixes, which belong to the other text, cannot be pressed
    assert said[-1] == ["No problems", False]


def test_nothing_is_said_of_a_text_while_python_has_not_come(lacking: Callable[..., Any]) -> None:
    page = lacking("playground.html", "**/first.bin", wait=False)
    page.locator("[data-problems]", has_text="No problems").wait_for()  # the build has checked the example
    write(page, "Twice(x) = (2x\n")
    page.locator("[data-problems]", has_text="Not checked yet").wait_for()


def test_what_loads_is_said_beside_what_was_pressed_on_a_phone(lacking: Callable[..., Any]) -> None:
    page = lacking("playground.html", "**/first.bin", wait=False)
    page.locator(".cm-content").wait_for()
    page.locator("#run [type=submit]").click()
    said = page.locator("#run [data-python]", has_text="Python is")
    said.wait_for()
    assert is_in_window(said)
    page.locator("#output", has_text="Python is").wait_for()
    page.locator("#download").click()
    beside = page.locator("#download + [data-python]", has_text="Python is")
    beside.wait_for()
    assert is_in_window(beside)
    page = lacking("play.html", "**/first.bin", wait=False)
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    page.locator("#others summary").click()
    page.locator("#write").click()
    page.locator("#write + [data-python]", has_text="Python is").wait_for(timeout=LOADED)
    assert is_in_window(page.locator("#write + [data-python]"))


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("python/pyodide.asm.wasm", {"status": 404}),
        ("python/pyodide.asm.wasm", {"body": "<!DOCTYPE html>", "content_type": "text/html"}),
        ("python/first.bin", {"status": 404}),
        ("python/first.bin", {"body": "<!DOCTYPE html>", "content_type": "text/html"}),
        ("python/pyodide.mjs", {"status": 404}),
        ("python/pyodide.asm.mjs", {"status": 404}),
        ("assets/worker.js", {"status": 500}),
    ],
)
def test_a_python_that_does_not_come_is_told(lacking: Callable[..., Any], name: str, answer: dict[str, Any]) -> None:
    page = lacking("playground.html", f"**/{name}", **answer)
    said = page.locator("#run [data-python]", has_text="Python could not be loaded")
    said.wait_for(timeout=LOADED)
    assert name in said.inner_text()
    assert "Reload the page" in said.inner_text()
    assert is_in_window(said)
    page.locator("#run [type=submit]").click()
    page.locator("#output .fault", has_text=name).wait_for()


def test_a_server_that_does_not_know_wasm_is_no_hindrance(lacking: Callable[..., Any], site: Site) -> None:
    body = (site.folder / "python/pyodide.asm.wasm").read_bytes()
    page = lacking("playground.html", "**/pyodide.asm.wasm", body=body, content_type="application/octet-stream")
    ready(page)


@pytest.mark.parametrize("path", ["index.html", "playground.html", "play.html"])
def test_a_script_that_does_not_come_is_told_and_nothing_dead_is_shown(lacking: Callable[..., Any], path: str) -> None:
    name = {"index.html": "front", "playground.html": "playground", "play.html": "play"}[path]
    for pattern, answer in (
        (f"**/assets/{name}.js", {"status": 404}),
        ("**/assets/chunk-*.js", {"status": 404}),
        (f"**/assets/{name}.js", {"body": "throw new Error('it broke')", "content_type": "text/javascript"}),
    ):
        page = lacking(path, pattern, **answer)
        page.locator("#trouble", has_text=re.compile(f"{name}.js|it broke")).wait_for()
        assert "Reload the page" in page.locator("#trouble").inner_text()
        assert page.locator(CONTROLS).count() == 0


def test_a_game_that_does_not_come_is_played_by_python_and_without_both_it_is_told(lacking: Callable[..., Any]) -> None:
    page = lacking("play.html", "**/native/*/strachey.wasm", status=404)
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    page = lacking("play.html", re.compile(r"native/|first\.bin"), status=404)  # type: ignore[arg-type]
    page.locator("#status", has_text="Python could not be loaded").wait_for(timeout=LOADED)
    assert is_in_window(page.locator("#status"))


@pytest.mark.parametrize("path", PAGES)
def test_without_scripts_no_control_is_dead(visit: Visit, path: str) -> None:
    page = visit(path, **PHONE, java_script_enabled=False)
    assert page.locator(CONTROLS).count() == 0
    if path == "playground.html":
        assert page.locator("#editor").is_visible()
        assert page.locator("#python").is_visible()


def test_restore_is_there_only_when_something_was_changed(visit: Visit) -> None:
    page = visit("index.html")
    page.locator(".cm-content").wait_for()
    assert not page.locator("#again").is_visible()
    page.locator("#suggested").click()
    page.locator("#again").click()
    assert not page.locator("#again").is_visible()
    page.keyboard.press("Enter")  # as the other button has the focus now
    page.locator("#again").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_keeps_people_out_of_results_and_steps(
    visit: Visit, barriers: Callable[[Any], list[str]], size: str, scheme: str
) -> None:
    page = visit(CHECKERS, **SIZES[size], color_scheme=scheme)
    ready(page)
    page.locator("#call").fill("LegalPositionsFrom(StartPosition)")
    page.locator("#run [type=submit]").click()
    page.locator("#output .value").wait_for(timeout=LOADED)
    assert barriers(page) == []
    page.locator("#steps").click()
    page.locator("#stage .cpl-steps").wait_for(timeout=LOADED)
    assert barriers(page) == []


def test_an_error_on_a_page_that_works_takes_no_controls_away(lacking: Callable[..., Any]) -> None:
    page = lacking("playground.html", "**/nothing")
    ready(page)
    page.evaluate("setTimeout(() => { throw new Error('of a script') })")
    page.locator("#trouble", has_text="A script of this page failed").wait_for()
    assert page.locator("#call").is_visible()


def test_the_python_of_an_older_text_leads_nowhere(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "".join(f"F{number}(x) = {number}x\n" for number in range(12)))
    page.locator("#python", has_text="def F11").wait_for(timeout=LOADED)
    write(page, "G(x) = (2x")
    page.locator("#problems .error").first.wait_for(timeout=LOADED)
    page.locator("#python .line", has_text="def F9").click()
    assert not page.locator("#editor .lit").count()
