"""The lessons of the site: they are done by keys alone at three sizes, stay as they were, and work without a net."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lessons
import pytest
from chromium import opening
from visiting import served

from website.test_loading import KEPT
from website.test_pages import LOADED, ready
from website.test_tasks import Visitor, takes

Visit = Callable[..., Any]
SIZES = [(1400, 1000), (1366, 660), (390, 844)]
COURSES = {"ten minutes": [*lessons.ten_minutes()], "two hours": [*lessons.two_hours()]}
TASKS = {lesson.name: lesson for lesson in COURSES["ten minutes"]}
FIELDS = {"X": "25 30 39", "Y": "5, 16", "K": "[16, 39]", "sigma": "white"}
SIGN = "Sign(x) = x > 0 -> 1, x < 0 -> -1, 0\n"

__all__ = ["takes"]


def said(page: Any, words: str) -> None:
    page.locator("#verdict", has_text=words).wait_for(timeout=LOADED)


def seen(page: Any, selector: str) -> bool:
    """Whether all of an element is in the window, above the bar that turns the pages."""
    box, bar = page.locator(selector).bounding_box(), page.locator("#turn").bounding_box()
    return bool(box["y"] >= 0 and box["y"] + box["height"] <= bar["y"] + 1)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_lessons_are_done_by_keys(visit: Visit, takes: Any, width: int, height: int) -> None:
    page = visit("lessons.html#below", width=width, height=height, alone=True)
    by_keys = Visitor(page, "keys")
    with takes(15):
        by_keys.fill("#editor .cm-content", TASKS["below"].solution)
        page.keyboard.press("Control+Enter")
        said(page, "Right.")
    assert width == 390 or (seen(page, "#editor") and seen(page, "#verdict"))
    with takes(4):
        page.keyboard.press("Alt+ArrowRight")
        page.locator("#table.shown").wait_for()
        by_keys.fill("#editor .cm-content", TASKS["table"].solution)
        page.keyboard.press("Control+Enter")
        said(page, "Right.")
    assert "1 2 3 4 5" in page.locator("#output").inner_text()
    assert page.locator("#progress").inner_text() == "2 of 12, 2 done"
    page.keyboard.press("Alt+ArrowLeft")
    page.locator("#below.shown").wait_for()
    assert page.url.endswith("#below")
    assert "is below it" in page.locator("#editor .cm-content").inner_text()
    assert page.locator("#verdict").inner_text() == "✓ Done before."


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_an_exercise_of_the_class_is_done_by_keys(visit: Visit, takes: Any, width: int, height: int) -> None:
    page = visit("lessons.html#class-2", width=width, height=height)
    by_keys = Visitor(page, "keys")
    with takes(10):
        for name, text in FIELDS.items():
            by_keys.fill(f"#class-2 [name={name}]", text if name != "K" else "16")
        page.keyboard.press("Enter")
        said(page, "K is not right.")
        by_keys.focus(page.locator("#class-2 [name=K]"))  # it goes round by Tab
        by_keys.fill("#class-2 [name=K]", FIELDS["K"])
        page.keyboard.press("Control+Enter")
        said(page, "Right.")


def test_a_function_is_written_and_called(visit: Visit) -> None:
    page = visit("lessons.html#class-9")
    by_keys = Visitor(page, "keys")
    page.keyboard.press("Control+Enter")
    said(page, "Not yet. There is no Sign.")
    by_keys.fill("#editor .cm-content", SIGN)
    by_keys.fill("#call", "Sign(-7)")
    page.keyboard.press("Enter")
    said(page, "Right.")
    assert page.locator("#output .value").inner_text() == "-1"
    by_keys.fill("#editor .cm-content", "Sign(x) = Sign(x)")
    page.keyboard.press("Control+Enter")
    said(page, "The run fails")


def test_the_bracket_is_not_found_for_the_student(visit: Visit) -> None:
    page = visit("lessons.html#class-5")
    page.locator("#problems li", has_text="this ( is never closed").wait_for()
    ready(page)
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+Enter")
    said(page, "Line 2: this ( is never closed.")
    page.locator(".cm-lint-marker-error").first.hover()
    page.locator(".cm-tooltip-lint").wait_for()
    assert page.locator(".cm-diagnosticAction").count() == 0
    assert "insert" not in page.locator("main").inner_text()
    page.evaluate("document.querySelector('#class-5 details summary').click()")
    assert page.locator("#class-5 details").get_by_text("what is opened").is_visible()


def test_a_run_is_stopped(visit: Visit) -> None:
    page = visit("lessons.html#sums")
    ready(page)
    by_keys = Visitor(page, "keys")
    by_keys.fill("#editor .cm-content", "let n = 0\nwhile true do n := n + 1\n")
    page.keyboard.press("Control+Enter")
    page.locator("#verdict", has_text="Running").wait_for(timeout=LOADED)
    page.wait_for_timeout(500)
    by_keys.press("#stop")
    said(page, "The run was stopped.")
    ready(page)


def test_what_was_answered_is_there_again_until_it_is_forgotten(visit: Visit) -> None:
    page = visit("lessons.html", width=1200)
    by_keys = Visitor(page, "keys")
    assert page.locator("#below.shown").count() == 1
    by_keys.fill("#editor .cm-content", "WriteLine(1)\n")
    page.goto(page.url.partition("#")[0] + "#class-3")
    by_keys.fill("#class-3 [name=man_on_11]", "15 16")
    again = visit("lessons.html#class-3", width=1200)
    assert again.locator("#class-3 [name=man_on_11]").input_value() == "15 16"
    again.keyboard.press("Alt+ArrowRight")
    again.locator("#class-4.shown").wait_for()
    again.goto(again.url.partition("#")[0] + "#below")
    again.locator("#below.shown").wait_for()
    assert again.locator("#editor .cm-content").inner_text().strip() == "WriteLine(1)"
    again.locator(".plan summary").click()
    again.locator("#forget").click()
    assert "Which marks" in again.locator("#editor .cm-content").inner_text()
    again.goto(again.url.partition("#")[0] + "#nowhere")
    again.locator("#address", has_text="There is no lesson “nowhere”").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_lesson_keeps_people_out(visit: Visit, barriers: Callable[[Any], list[str]], scheme: str) -> None:
    for name in ("table", "class-2", "class-4", "class-5"):
        page = visit(f"lessons.html#{name}", color_scheme=scheme)
        page.locator(f"#{name}.shown").wait_for()
        page.locator(".plan summary").click()
        assert barriers(page) == [], name


def test_every_lesson_fits_a_phone(visit: Visit) -> None:
    page = visit("lessons.html", width=390, height=844)
    for lesson in (*COURSES["ten minutes"], *COURSES["two hours"]):
        page.goto(page.url.partition("#")[0] + f"#{lesson.name}")
        page.locator(f"#{lesson.name}.shown").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 390, lesson.name


def test_all_lessons_can_be_read_without_scripts(visit: Visit) -> None:
    still = visit("lessons.html", java_script_enabled=False)
    for lesson in (*COURSES["ten minutes"], *COURSES["two hours"]):
        screen = still.locator(f"#{lesson.name}")
        assert screen.get_by_role("heading", name=lesson.title, exact=True).is_visible()
        assert lesson.program is None or screen.locator(".given pre").first.is_visible()
    assert "2 squared is 4" in still.locator("#table .result").inner_text()
    assert not still.locator("#desk").is_visible()


def test_a_lesson_is_done_without_a_net(built: Path, chromium: Any, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(built, tmp_path / "site", copy_function=os.link))
    with opening(chromium, 60, ("http://127.0.0.1:", "data:", "blob:"), {}) as opened:
        with served(copy) as origin:
            page = opened(f"{origin}index.html")
            page.evaluate(KEPT)
        page.goto(f"{origin}lessons.html#cube")
        Visitor(page, "keys").fill("#editor .cm-content", TASKS["cube"].solution)
        page.keyboard.press("Control+Enter")
        said(page, "Right.")


def test_pages_lead_to_the_lessons(visit: Visit) -> None:
    for path in ("index.html", "docs/README.html", "docs/cpl-for-python-programmers.html", "docs/class.html"):
        page = visit(path)
        links = page.locator("a[href*='lessons.html']")
        assert links.count() >= (1 if path == "docs/README.html" else 2), path
