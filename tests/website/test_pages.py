"""The pages of the site in Chromium: what a visitor does on them, with the mouse, by keys alone, and on a phone."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from cpl.compiler import loader

READY = "html[data-python=ready]"
LOADED = 90_000
"""Milliseconds that Python may take to load while other tests run."""

PAGES = ["index.html", "playground.html", "lessons.html", "play.html", "meaning.html"]
Visit = Callable[..., Any]


def ready(page: Any) -> None:
    page.wait_for_selector(READY, timeout=LOADED)


def write(page: Any, text: str) -> None:
    """Replace the text of the editor."""
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def change(page: Any, before: str, after: str) -> None:
    """Type another text in a line of the editor."""
    line = page.locator("#editor .cm-line", has_text=before).first
    text = line.inner_text()
    line.click()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.insert_text(text.replace(before, after))


def test_text_and_pictures_come_first_and_what_is_changed_is_followed(
    visit: Visit, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.perf_counter()
    front = visit("index.html")
    assert "NextMoveDirection" in front.locator("#editor").inner_text()
    assert "def NextMoveDirection" in front.locator("#python").inner_text()
    assert front.locator("#board svg").count() == 1
    shown = time.perf_counter() - began
    change(front, "(s = 5) → 4", "(s = 5) → 44")
    front.locator("#python", has_text="return 44").wait_for(timeout=LOADED)
    with capsys.disabled():
        print(f"\nfront page: text after {shown:.1f} s, own text compiled after {time.perf_counter() - began:.1f} s")
    front = visit("index.html")
    before = front.locator("#board svg").get_attribute("aria-label")
    change(front, "(s = 5) → 4", "(s = 5) → - 4")
    front.locator("#result", has_text="-4").wait_for(timeout=LOADED)
    front.locator("#again").click()
    change(front, "v > V", "v ≥ V")
    front.locator(f"#board svg:not([aria-label='{before}'])").wait_for(timeout=LOADED)
    front.locator("#again").click()
    front.locator(f"#board svg[aria-label='{before}']").wait_for()


def test_a_problem_is_mended_by_a_click_and_lines_light_up(visit: Visit) -> None:
    playground = visit("playground.html")
    write(playground, "Twice(x) = (2x\n")
    ready(playground)
    fix = playground.locator("#problems .fix").first
    fix.click(timeout=LOADED)
    playground.get_by_text("No problems").wait_for()
    playground.locator("#python", has_text="def Twice").wait_for()
    assert "(2x)" in playground.locator("#editor .cm-content").inner_text()
    playground = visit("playground.html")
    ready(playground)
    playground.locator("#editor .cm-line", has_text="Fact").hover()
    playground.locator("#python .lit").first.wait_for()
    assert "def Fact" in "".join(playground.locator("#python .lit").all_inner_texts())
    playground.locator("#python .line", has_text="x * Fact(x - 1)").hover()
    assert "Fact" in playground.locator("#editor .cm-line.lit").inner_text()


def test_readings_stages_and_steps_are_shown(visit: Visit) -> None:
    playground = visit("playground.html#example=strachey.cpl&reading=arithmetic")
    playground.locator("#python .changed").first.wait_for(timeout=LOADED)
    assert playground.locator("#editor .cm-line.changed").count()
    assert playground.locator("#changes").is_visible()
    playground = visit("playground.html")
    ready(playground)
    for tab, words in {"Types": "Fact :", "Tokens": "LARGE", "Tree": "Function"}.items():
        playground.get_by_role("tab", name=tab).click()
        playground.locator("#stage pre", has_text=words).wait_for()
    playground.get_by_role("button", name="Steps").click()
    playground.locator("#stage .cpl-steps").get_by_role("button", name="Step ▶").click()


def test_completion_hover_and_a_text_of_ones_own(visit: Visit) -> None:
    playground = visit("playground.html")
    ready(playground)
    write(playground, "f(x) = x + \\sig")
    playground.locator(".cm-tooltip-autocomplete").get_by_text("\\sigma").wait_for()
    playground.wait_for_timeout(150)  # CodeMirror takes no key for a list that came up in the last 75 ms
    playground.keyboard.press("Enter")
    assert "σ" in playground.locator("#editor .cm-content").inner_text()
    write(playground, "Twice(x) = 2x\n")
    playground.locator("#python", has_text="def Twice").wait_for()
    playground.locator("#editor .cm-line .c-nf").hover()
    playground.locator(".cm-tooltip-hover", has_text="Twice :").wait_for()
    playground = visit("playground.html")
    ready(playground)
    assert playground.locator("#call").input_value()
    write(playground, "Input(NIL)\nWriteLine(NextSymbol() = ‘’, ‘: the input is empty’)\n")
    assert not playground.locator("#call").input_value()
    assert playground.locator("#example").input_value() == ""
    playground.get_by_role("button", name="Run").click()
    playground.locator("#output", has_text="true: the input is empty").wait_for(timeout=LOADED)


@pytest.mark.parametrize(
    "text", ["Loop(n) = value of § while true do n := n + 1; result is n §\n", "Loop(n) = 1 + Loop(n)\n"]
)
def test_the_page_outlives_a_program_that_does_not_end(visit: Visit, text: str) -> None:
    playground = visit("playground.html")
    ready(playground)
    write(playground, text)
    playground.locator("#python", has_text="def Loop").wait_for(timeout=LOADED)
    playground.locator("#call").fill("Loop(1)")
    playground.get_by_role("button", name="Run").click()
    if "while" in text:
        playground.get_by_role("button", name="Stop").click()
    playground.locator("#output .fault").wait_for(timeout=LOADED)
    ready(playground)
    playground.locator("#call").fill("6 × 7")
    playground.get_by_role("button", name="Run").click()
    playground.locator("#output .value", has_text="42").wait_for(timeout=LOADED)


def test_whose_a_text_is_stands_below_it(visit: Visit) -> None:
    """Also in the gallery, where a text is set, and on the front page; below a text of one's own is nothing."""
    playground = visit("playground.html")
    origin = playground.locator("#origin")
    assert origin.inner_text().endswith("its rights remain with its owners.")
    playground.locator("#example").select_option("pendulum.cpl")
    assert origin.inner_text().endswith("Under the MIT licence.")
    write(playground, "Twice(x) = 2x\n")
    playground.wait_for_function("document.querySelector('#origin').textContent === ''")
    page = loader.entry(str(loader.find("attested/s67-18-product.cpl"))).origin
    assert "p. 18" in page
    for path, said in (
        ("index.html", loader.entry(str(loader.find("strachey.cpl"))).origin),
        ("gallery.html", page),
        ("programs/attested/s67-18-product.html", page),
    ):
        assert said in visit(path).locator("body").inner_text(), path


def test_the_python_can_be_taken_along(visit: Visit) -> None:
    playground = visit("playground.html")
    ready(playground)
    with playground.expect_download() as download:
        playground.locator("#download").click()
    names: dict[str, Any] = {}
    exec(download.value.path().read_text(encoding="utf-8"), names)
    assert names["Fact"](5) == 120


def legal(play: Any) -> Any:
    return play.locator("#moves button")


def test_ten_plies_against_the_program_of_1966(visit: Visit) -> None:
    play = visit("play.html")
    for ply in range(0, 10, 2):
        legal(play).first.wait_for(timeout=LOADED)
        legal(play).first.click()
        play.locator("#history li").nth(ply + 1).wait_for(timeout=LOADED)
    assert play.locator("#history li").count() == 10
    legal(play).first.wait_for()
    play.get_by_role("button", name="Why this move?").click()
    play.locator("#behind .cpl-tree").wait_for(timeout=LOADED)
    play.get_by_role("button", name="Undo").click()
    play.locator("#history li:nth-child(8) [aria-current]").wait_for()
    play.get_by_role("button", name="Redo").click()
    play.locator("#history li:nth-child(10) [aria-current]").wait_for()


def test_a_game_is_written_and_read_as_pdn(visit: Visit) -> None:
    play = visit("play.html")
    legal(play).first.wait_for(timeout=LOADED)
    play.locator("#second").select_option("me")
    for move in ("11-15", "22-17", "15-19"):
        play.locator("#typed input").fill(move)
        play.locator("#typed input").press("Enter")
        play.locator("#history li", has_text=move).wait_for()
    play.locator("#others summary").click()
    play.get_by_role("button", name="Write this game").click()
    play.locator("#said", has_text="PDN").wait_for()
    written = play.locator("#pdn").input_value()
    assert "1. 11-15 22-17 2. 15-19" in written
    play.get_by_role("button", name="New game").click()
    play.locator("#history li").first.wait_for(state="detached")
    play.locator("#pdn").fill(written)
    play.get_by_role("button", name="Read the games above").click()
    play.locator("#history li").nth(2).wait_for()


@pytest.mark.parametrize("game", ["checkers", "simple-checkers", "capture"])
def test_programs_play_each_other(visit: Visit, game: str) -> None:
    play = visit("play.html")
    legal(play).first.wait_for(timeout=LOADED)
    play.locator("#game").select_option(game)
    play.locator("#first").select_option("easy")
    play.locator("#second").select_option("random:1")
    play.locator("#history li").nth(5).wait_for(timeout=LOADED)


@pytest.mark.parametrize(("game", "first"), [("checkers", "11-15"), ("simple-checkers", "a3-b4"), ("capture", "b4-b3")])
def test_squares_are_chosen_where_they_are_drawn(visit: Visit, game: str, first: str) -> None:
    play = visit("play.html")
    legal(play).first.wait_for(timeout=LOADED)
    play.locator("#game").select_option(game)
    legal(play).get_by_text(first, exact=True).wait_for(timeout=LOADED)
    off = play.evaluate(
        """() => {
          const drawn = [...document.querySelectorAll("#picture rect")].map((each) => each.getBoundingClientRect());
          const off = ({ x, y }) => Math.min(...drawn.slice(1).map((each) => Math.hypot(each.x - x, each.y - y)));
          const buttons = [...document.querySelectorAll("#board button")];
          return Math.max(...buttons.map((each) => off(each.getBoundingClientRect())));
        }"""
    )
    assert off < 2
    assert play.locator("#typed input").get_attribute("placeholder")


def test_a_wrong_move_is_explained_and_a_game_can_be_played_by_keys_alone(visit: Visit) -> None:
    play = visit("play.html")
    legal(play).first.wait_for(timeout=LOADED)
    play.locator("#typed input").fill("1-5")
    play.locator("#typed input").press("Enter")
    play.locator("#status", has_text="cannot").wait_for()
    play = visit("play.html")
    legal(play).first.wait_for(timeout=LOADED)
    for _ in range(40):
        play.keyboard.press("Tab")
        if play.evaluate("document.activeElement.dataset.square"):
            break
    for _ in range(5):
        play.keyboard.press("ArrowDown")
    assert play.evaluate("document.activeElement.dataset.square") in ("11", "12")
    play.keyboard.press("Enter")
    play.keyboard.press("ArrowUp")
    assert play.evaluate("document.activeElement.dataset.square") in ("15", "16")
    play.keyboard.press("Enter")
    play.locator("#history li").nth(1).wait_for(timeout=LOADED)
    assert "Black played" not in play.locator("#said").inner_text()  # the last news is White's answer
    assert "White played" in play.locator("#said").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_keeps_people_out(visit: Visit, barriers: Callable[[Any], list[str]], path: str, scheme: str) -> None:
    opened = visit(path, color_scheme=scheme)
    if path == "play.html":
        legal(opened).first.wait_for(timeout=LOADED)
    assert barriers(opened) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_phone_scrolls_in_one_direction_only(visit: Visit, path: str) -> None:
    phone = visit(path, width=400, height=800)
    if path == "play.html":
        legal(phone).first.wait_for(timeout=LOADED)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.parametrize("path", PAGES)
def test_text_and_pictures_without_scripts(visit: Visit, path: str) -> None:
    still = visit(path, java_script_enabled=False)
    assert still.locator("svg").count() or "Fact" in still.locator("#python").inner_text()
    assert path == "meaning.html" or still.locator("noscript .notice").is_visible()


def test_opened_as_a_file_it_says_how_to_serve_it(chromium: Any, site: Any) -> None:
    context = chromium.new_context()
    front = context.new_page()
    front.goto((site.folder / "index.html").as_uri())
    assert front.get_by_text("http.server").is_visible()
    assert "def NextMoveDirection" in front.locator("#python").inner_text()
    context.close()
