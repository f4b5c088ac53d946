"""Nobody waits for what is of no use any more: newer texts pass older ones, and Stop ends any kind of work."""

import os
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from visiting import ENDLESS, PASTE, STOP

from website.test_pages import LOADED, change, ready, write

Visit = Callable[..., Any]

LONG = "".join(f"F{number}(x,y) = (x > {number} → {number}x, y + Max(x,{number})) + 2xy\n" for number in range(10_000))
"""A text that takes a minute and more to be checked in a browser."""

SOON = 15_000
"""Milliseconds within which a newer text is compiled, where an idle machine needs four seconds."""

READY_AFTER_STOP = 1.2
"""Seconds on an idle machine."""


def room() -> float:
    """How many times as long it may take on this machine, as busy as it is."""
    return 1.5 + os.getloadavg()[0] / (os.cpu_count() or 1)


def paste(page: Any, text: str) -> None:
    """Replace the text of the editor by one that is too long to be typed."""
    content = page.locator("#editor .cm-content")
    content.click()
    page.keyboard.press("Control+a")
    content.evaluate(PASTE, text)


def busy(page: Any) -> None:
    page.wait_for_selector("html[data-python=busy]", timeout=LOADED)


def test_a_short_text_does_not_wait_for_a_long_one(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    paste(page, LONG)
    busy(page)
    page.wait_for_timeout(1_000)
    write(page, "Twice(x) = (2x\n")
    page.locator("#problems .fix").first.wait_for(timeout=SOON)
    write(page, "Twice(x) = 2x\n")
    page.locator("#python", has_text="def Twice").wait_for(timeout=SOON)


def test_the_front_page_gives_up_a_program_that_does_not_end(visit: Visit) -> None:
    page = visit("index.html")
    ready(page)
    change(page, "if Null(L) then Resign", "while true do L := L")
    page.locator("#python", has_text="while True").wait_for(timeout=LOADED)
    page.wait_for_timeout(1_000)
    assert page.locator("html[data-python=busy]").count()
    page.locator("#again").click()
    change(page, "(s = 5) → 4", "(s = 5) → - 4")
    page.locator("#result", has_text="-4").wait_for(timeout=SOON)


@pytest.mark.parametrize("work", ["check", "run", "steps", "stage", "reading", "download"])
def test_stop_ends_any_kind_of_work_and_python_is_soon_ready(
    visit: Visit, measured: Callable[[str], None], work: str
) -> None:
    page = visit("playground.html")
    ready(page)
    output = page.locator("#output")
    if work in ("run", "steps"):
        write(page, ENDLESS)
        page.locator("#python", has_text="def Loop").wait_for(timeout=LOADED)
        page.locator("#call").fill("Loop(1)")
        page.locator("#run button", has_text={"run": "Run", "steps": "Steps"}[work]).click()
    else:
        paste(page, LONG)
        if work == "stage":
            page.locator("#tab-types").click()
        if work == "reading":
            page.locator("#reading summary").click()
            page.locator("#reading select[name=and]").select_option("tight")
        if work == "download":
            busy(page)  # with the text itself, which would else be compiled after the download is stopped
            page.locator("#download").click()
    busy(page)
    page.wait_for_timeout(1_000)
    seconds = page.evaluate(STOP)
    measured(f"Python is ready {seconds:.2f} s after Stop ({work}), should be after {READY_AFTER_STOP:g} s at most")
    assert seconds < READY_AFTER_STOP * room()
    output.get_by_text("Stopped.").first.wait_for()

    page.wait_for_timeout(500)
    assert page.locator("html[data-python=ready]").count()  # nothing of it has begun again
    assert page.locator("#stop").is_disabled()
    began = time.perf_counter()
    write(page, "Twice(x) = 2x\n")
    page.locator("#call").fill("Twice(21)")
    page.locator("#run button", has_text="Run").click()
    output.locator(".value", has_text="42").wait_for(timeout=SOON)
    measured(f"a text of one's own runs {time.perf_counter() - began:.2f} s after that")


def test_a_text_that_waited_for_a_run_is_compiled_when_the_run_is_stopped(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, ENDLESS)
    page.locator("#python", has_text="def Loop").wait_for(timeout=LOADED)
    page.locator("#call").fill("Loop(1)")
    page.locator("#run button", has_text="Run").click()
    busy(page)
    write(page, f"{ENDLESS}Twice(x) = 2x\n")
    page.wait_for_timeout(3_000)  # a run is not given up for a newer text
    assert page.locator("html[data-python=busy]").count()
    page.locator("#stop").click()
    page.locator("#python", has_text="def Twice").wait_for(timeout=SOON)
    page.locator("#output .fault", has_text="Stopped").wait_for()


def test_a_long_line_is_shown_before_black_is_there_and_then_in_its_style(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    terms = " + ".join(f"{number}x" for number in range(2, 40))
    write(page, f"F(x) = {terms}\n")
    page.locator("#python .line", has_text="return 2 * x + 3 * x + 4 * x").wait_for(timeout=LOADED)
    page.locator("#python .line", has_text=re.compile(r"^\s+\+ 3 \* x$")).wait_for(timeout=LOADED)
