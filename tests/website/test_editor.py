"""The editor of the site: its keys, the signs that are typed by name, and the row of signs."""

from collections.abc import Callable
from typing import Any

from website.conftest import PHONE
from website.test_pages import LOADED, ready, write

Visit = Callable[..., Any]

EDITOR = "#editor .cm-content"
MOMENT = 150
"""Milliseconds after which a list of the editor takes keys: none do in the first 75."""


def text(page: Any) -> str:
    """The text of the editor."""
    return "\n".join(page.locator("#editor .cm-line").all_text_contents())


def becomes(page: Any, wanted: str) -> None:
    """Waits until the editor has this text."""
    lines = wanted.split("\n")
    page.wait_for_function(
        """lines => {
          const shown = [...document.querySelectorAll("#editor .cm-line")].map(line => line.textContent);
          return JSON.stringify(shown) === JSON.stringify(lines);
        }""",
        arg=lines,
        timeout=LOADED,
    )


def is_in_editor(page: Any) -> bool:
    """Whether what is typed goes into the text."""
    return bool(page.evaluate(f"document.activeElement === document.querySelector('{EDITOR}')"))


def test_a_sign_is_typed_by_its_name_without_python(lacking: Visit) -> None:
    names = {"to": "→", "le": "≤", "ne": "≠", "and": "∧", "sec": "§", "infty": "∞", "lambda": "λ", "sigma": "σ"}
    page = lacking("playground.html", "**/python/**")
    write(page, "x ")
    for name in names:
        page.keyboard.type(f"\\{name}")
        page.locator(".cm-tooltip-autocomplete li[aria-selected]", has_text=f"\\{name}").wait_for()
        page.wait_for_timeout(MOMENT)
        page.keyboard.press("Enter")
    assert text(page) == "x " + "".join(names.values())
    write(page, "|| a comment\n")
    page.keyboard.type("x = 1 ->")
    page.locator(".cm-tooltip-autocomplete li[aria-selected]").wait_for()
    page.wait_for_timeout(MOMENT)
    page.keyboard.press("Tab")
    assert text(page) == "|| a comment\nx = 1 →"
    assert page.locator("html[data-python=loading]").count()
    assert is_in_editor(page)


def test_keys_run_and_comment(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "Twice(x) = 2x\n")
    page.locator("#call").fill("Twice(21)")
    page.locator(EDITOR).focus()
    page.keyboard.press("Control+Enter")
    page.locator("#output .value", has_text="42").wait_for(timeout=LOADED)
    assert text(page) == "Twice(x) = 2x\n"
    page.keyboard.press("Control+Home")
    page.keyboard.press("Control+/")
    assert text(page) == "|| Twice(x) = 2x\n"
    page.keyboard.press("Control+/")
    assert text(page) == "Twice(x) = 2x\n"


def test_a_name_is_renamed_and_leads_to_its_definition(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "Twice(x) = 2x\nWriteLine(Twice(3))\n")
    page.keyboard.press("Control+Home")
    for new in ("if", "Double"):
        page.keyboard.press("F2")
        page.get_by_label("New name of Twice").fill(new)
        page.keyboard.press("Enter")
        if new == "if":
            page.get_by_role("alert").get_by_text("if is not a name").wait_for()
            page.keyboard.press("Escape")
    becomes(page, "Double(x) = 2x\nWriteLine(Double(3))\n")
    assert is_in_editor(page)
    page.locator("#editor .c-nf", has_text="Double").nth(1).click(modifiers=["Control"])
    page.wait_for_function("() => getSelection().toString() === 'Double'")
    page.locator("#editor .cm-activeLine", has_text="= 2x").wait_for()
    page.keyboard.press("Control+End")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("F12")
    page.wait_for_function("() => getSelection().toString() === 'Double'")
    page.keyboard.press("Control+z")
    becomes(page, "Twice(x) = 2x\nWriteLine(Twice(3))\n")


def test_a_text_is_formatted(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "|| σ\nF( x )=x\nWriteLine( F(1) )\n")
    page.keyboard.press("Shift+Alt+F")
    becomes(page, "|| σ\nF(x) = x\nWriteLine(F(1))\n")
    page.keyboard.press("Shift+Alt+F")
    page.get_by_role("alert").get_by_text("has the style of cpl fmt").wait_for()


def test_lines_are_indented_and_brackets_closed_as_one_types(visit: Visit) -> None:
    page = visit("playground.html")
    write(page, "")
    page.keyboard.press("Delete")
    lines = ["F(x) = value of", "  § let y = 2x", "    result is y §|", "R(n) is", "  $( WriteLine(n) $)", "G(y) = y"]
    for line in lines:
        page.keyboard.type(line.strip())
        page.keyboard.press("Enter")
    assert text(page) == "\n".join([*lines, ""])
    page.keyboard.type("H([‘")
    assert text(page).endswith("\nH([‘’])")
    page.keyboard.press("Backspace")
    assert text(page).endswith("\nH([])")


def test_find_and_replace(visit: Visit) -> None:
    page = visit("playground.html")
    write(page, "A \\to B \\to C\n")
    page.keyboard.press("Control+f")
    page.keyboard.type("\\to")
    page.get_by_placeholder("Replace").focus()
    page.keyboard.type("→")
    page.get_by_role("button", name="replace all").click()
    assert text(page) == "A → B → C\n"
    page.get_by_placeholder("Replace").press("Escape")
    assert is_in_editor(page)


def test_the_row_of_signs_stands_above_the_keyboard_of_a_phone(visit: Visit) -> None:
    page = visit("playground.html", **PHONE, has_touch=True, is_mobile=True)
    assert page.locator(EDITOR).evaluate("content => getComputedStyle(content).fontSize") == "16px"
    page.locator(EDITOR).tap()
    before = text(page)
    row = page.get_by_role("toolbar", name="Signs")
    box = row.bounding_box()
    assert (box["x"], box["width"], box["y"] + box["height"]) == (0, PHONE["width"], PHONE["height"])
    page.get_by_role("button", name="→ to").tap()
    assert len(text(page)) == len(before) + 1
    assert is_in_editor(page)
    page.context.new_cdp_session(page).send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    page.wait_for_function("() => visualViewport.height < innerHeight")  # as it is while a keyboard is shown
    page.wait_for_function(
        """() => {
          const { bottom } = document.querySelector(".signs").getBoundingClientRect();
          return Math.abs(bottom - visualViewport.offsetTop - visualViewport.height) < 1;
        }"""
    )


def test_the_row_of_signs_by_keys(visit: Visit) -> None:
    page = visit("playground.html")
    write(page, "x ")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    assert text(page) == f"x {name.split()[0]}"
    assert is_in_editor(page)


def test_the_keys_are_listed_and_can_be_pressed(visit: Visit, barriers: Callable[[Any], list[str]]) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "Twice(x) = 2x")
    page.locator("#python:not(.stale)", has_text="def Twice").wait_for(timeout=LOADED)
    page.keyboard.press("F1")
    keys = page.get_by_role("dialog", name="Keys and signs")
    for name in ("Run Ctrl+Enter", "Rename F2", "Format Shift+Alt+F", "Find and replace Ctrl+F"):
        keys.get_by_role("button", name=name).wait_for()
    keys.get_by_role("listitem").filter(has_text="→").filter(has_text="\\to").wait_for()
    assert barriers(page) == []
    page.keyboard.press("Escape")
    assert is_in_editor(page)
    page.get_by_role("button", name="Keys").click()
    keys.get_by_role("button", name="Turn lines into comments").click()
    assert text(page) == "|| Twice(x) = 2x"
    page.keyboard.press("Control+z")
    page.locator("#python:not(.stale)", has_text="def Twice").wait_for(timeout=LOADED)
    page.keyboard.press("Control+f")
    assert barriers(page) == []
