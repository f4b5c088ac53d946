"""What visitors make stays: when they follow a link, in other tabs, when a tab is closed, in notebooks."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from website.conftest import Site
from website.test_pages import LOADED, legal, write

OFFER = ".offer"
OWN = "Thrice(x) = 3x\n"
WORKS = "Object.keys(localStorage).filter((name) => name.startsWith('cplc work '))"


@pytest.fixture
def tabs(chromium: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Opens pages of the site in tabs of one browser that nobody has used; it fails if one reports an error."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    errors: list[str] = []

    def opened(path: str, script: str = "") -> Any:
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        if script:
            page.add_init_script(script)
        page.goto(f"{site.url}{path}")
        return page

    yield opened
    context.close()
    assert errors == []


def text_of(page: Any) -> str:
    return "\n".join(page.locator("#editor .cm-line").all_inner_texts())


def shows(page: Any, text: str) -> None:
    page.locator("#editor .cm-line", has_text=text).first.wait_for()


def go_on(page: Any, text: str) -> None:
    """Take up the one work that is offered."""
    page.locator(OFFER, has_text=text).wait_for()
    page.get_by_role("button", name="Go on").click()
    shows(page, text)
    assert page.locator(OFFER).count() == 0


def test_a_text_is_offered_after_the_docs_and_in_a_new_tab(tabs: Callable[..., Any]) -> None:
    page = tabs("playground.html")
    assert page.locator(OFFER).count() == 0
    write(page, OWN)
    page.locator("#call").fill("Thrice(14)")
    page.get_by_role("link", name="Docs").click()
    page.get_by_role("link", name="Playground", exact=True).first.click()
    shows(page, "Fact")
    go_on(page, "Thrice")
    assert page.locator("#call").input_value() == "Thrice(14)"
    page.reload()
    shows(page, "Thrice")
    page.close()
    later = tabs("playground.html")
    go_on(later, "Thrice")
    later.go_back()
    shows(later, "Fact")


def test_beginning_anew_loses_nothing(tabs: Callable[..., Any]) -> None:
    write(tabs("playground.html"), OWN)
    page = tabs("playground.html")
    page.get_by_role("button", name="Begin anew").click()
    assert page.locator(OFFER).count() == 0
    write(page, "Fourfold(x) = 4x\n")
    choice = tabs("playground.html").locator(f"{OFFER} select option")
    assert [re.sub(", .*", "", each) for each in choice.all_inner_texts()] == ["“Fourfold(x) = 4x”", "“Thrice(x) = 3x”"]


def test_tabs_do_not_overwrite_each_other(tabs: Callable[..., Any]) -> None:
    one = tabs("playground.html")
    write(one, OWN)
    other = tabs("playground.html")
    go_on(other, "Thrice")
    write(other, "Fourfold(x) = 4x\n")
    one.wait_for_function(f"{WORKS}.length === 2")  # the first tab is told that its place is taken
    one.close()
    other.close()
    page = tabs("playground.html")
    choice = page.get_by_label("What you were working on")
    choice.select_option(choice.locator("option", has_text="Thrice").get_attribute("value"))
    page.get_by_role("button", name="Go on").click()
    shows(page, "Thrice")
    write(page, "Fivefold(x) = 5x\n")
    names = " ".join(tabs("playground.html").locator(f"{OFFER} option").all_inner_texts())
    assert "Fivefold" in names and "Fourfold" in names


def test_a_game_is_offered(tabs: Callable[..., Any]) -> None:
    play = tabs("play.html")
    legal(play).first.wait_for(timeout=LOADED)
    play.locator("#second").select_option("me")
    for move in ("11-15", "22-17"):
        play.locator("#typed input").fill(move)
        play.locator("#typed input").press("Enter")
        play.locator("#history li", has_text=move).wait_for()
    play.close()
    play = tabs("play.html")
    play.locator(OFFER, has_text="a game of 2 moves").wait_for()
    play.get_by_role("button", name="Go on").click()
    play.locator("#history li", has_text="22-17").wait_for()


FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("Access is denied", "SecurityError"); } });
}"""
FULL = """for (let size = 1 << 22; size; size >>= 1) {
  try {
    for (let count = 0; ; count++) localStorage.setItem(`other ${size} ${count}`, "x".repeat(size));
  } catch {}
}"""


@pytest.mark.parametrize("script", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_what_cannot_be_kept_is_told_once(tabs: Callable[..., Any], script: str) -> None:
    page = tabs("playground.html", script)
    shows(page, "Fact")
    told = page.get_by_text("This browser cannot keep what you write here")
    assert told.count() == 0
    for text in (OWN, "Fourfold(x) = 4x\n"):
        write(page, text)
        shows(page, text.strip())
    told.wait_for()
    assert told.count() == 1
    page.locator("#python", has_text="def Fourfold").wait_for(timeout=LOADED)


def test_what_is_forgotten_is_gone(tabs: Callable[..., Any]) -> None:
    front = tabs("index.html")
    write(front, OWN)
    shows(front, "Thrice")
    page = tabs("playground.html")
    write(page, OWN)
    page.wait_for_url(re.compile("#.*z="))
    assert len(page.evaluate(WORKS)) == 2
    forget = page.get_by_role("button", name="Forget what you wrote")
    page.once("dialog", lambda dialog: dialog.dismiss())
    forget.click()
    shows(page, "Thrice")
    page.once("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        forget.click()
    shows(page, "Fact")
    assert "#" not in page.url
    assert page.locator(OFFER).count() == 0
    assert page.evaluate(WORKS) == []
    assert "Thrice" not in page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    shows(front, "Thrice")  # another tab keeps what it shows


@pytest.mark.parametrize("path", ["index.html", "playground.html", "play.html"])
@pytest.mark.parametrize("width", [1400, 400])
def test_the_offer_fits_and_keeps_nobody_out(
    tabs: Callable[..., Any], barriers: Callable[[Any], list[str]], path: str, width: int
) -> None:
    page = tabs(path)
    state = """{ text: "F(x) = 2x", call: null, fen: "", moves: ["11-15"], at: 1, game: "strachey" }"""
    page.evaluate(f"""for (const count of [1, 2]) {{
      const state = {{ ...{state}, call: String(count) }};
      localStorage.setItem(`cplc work ${{location.pathname}} ${{count}}`, JSON.stringify({{ at: count, state }}));
    }}""")
    page.set_viewport_size({"width": width, "height": 1000})
    page.reload()
    page.locator(OFFER).wait_for()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
def test_a_notebook_is_saved_by_itself(tabs: Callable[..., Any]) -> None:
    address = "lab/lab/index.html?path=5-writing-cpl.ipynb"
    page = tabs(address)
    cell = page.locator(".jp-CodeCell .cm-content", has_text="Fact(x)").first
    cell.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nThrice(x) = 3x")
    dirty = page.locator(".jp-mod-dirty")
    dirty.first.wait_for(state="attached")
    dirty.first.wait_for(state="detached", timeout=30_000)
    page.close()
    tabs(address).locator(".jp-CodeCell .cm-content", has_text="Thrice(x) = 3x").first.wait_for()
