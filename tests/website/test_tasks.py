"""What newcomers want of the site, from the front page on: on a phone by touch, and by keys alone.

How long each took is printed beside the time that it should take on an idle machine.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from website.conftest import PHONE
from website.test_pages import LOADED, ready, write

Visit = Callable[..., Any]

MOST_TABS = 150
GAMES = '[Event "First"]\n1. 11-15 22-17 2. 15-19 *\n\n[Event "Second"]\n1. 9-14 22-18 2. 5-9 *\n'
DOUBLE_JUMP = "B:W18,25:B14"


_PLACE = """(line, place) => {
  const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let text = texts.nextNode();
  while (place > text.length) {
    place -= text.length;
    text = texts.nextNode();
  }
  const range = new Range();
  range.setStart(text, place - 1);
  range.setEnd(text, place);
  const { right, top, height } = range.getBoundingClientRect();
  return [right, top + height / 2];
}"""
"""Where on the page a place in a line is."""


class Visitor:
    """A person on a page who touches it, or has keys only."""

    def __init__(self, page: Any, way: str) -> None:
        self.page, self.way = page, way

    def press(self, selector: str, words: str | None = None) -> None:
        """Press a button, or follow a link."""
        target = self.target(selector, words)
        if self.way == "touch":
            target.tap(timeout=LOADED)
        else:
            self.focus(target)
            self.page.keyboard.press("Enter")

    def target(self, selector: str, words: str | None = None) -> Any:
        """The first such element, once it is seen."""
        target = self.page.locator(selector, has_text=words).first
        target.wait_for(timeout=LOADED)
        return target

    def focus(self, target: Any) -> None:
        """Go to an element by the Tab key."""
        for _ in range(MOST_TABS):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {target}")

    def fill(self, selector: str, text: str) -> None:
        """Write into a field, in place of what is there."""
        target = self.target(selector)
        target.tap() if self.way == "touch" else self.focus(target)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        target = self.target(selector)
        if self.way == "touch":
            target.select_option(value)
            return
        self.focus(target)
        self.page.keyboard.press("Home")
        while target.input_value() != value:
            before = target.input_value()
            self.page.keyboard.press("ArrowDown")
            assert target.input_value() != before, f"{value} is not in the list"

    def edit(self, before: str, after: str) -> None:
        """Change a line of the editor: `after` is `before` with something put in."""
        start = next(place for place, signs in enumerate(zip(before, after, strict=False)) if signs[0] != signs[1])
        put_in = after[start : start + len(after) - len(before)]
        lines = self.page.locator("#editor .cm-line")
        texts = lines.all_inner_texts()
        number = next(number for number, line in enumerate(texts) if before in line)
        place = texts[number].index(before) + start
        if self.way == "touch":
            lines.nth(number).scroll_into_view_if_needed()
            x, y = lines.nth(number).evaluate(_PLACE, place)
            self.page.touchscreen.tap(x, y)
        else:
            self.focus(self.page.locator("#editor .cm-content"))
            for key in ("Control+Home", *["ArrowDown"] * number, "Home", "Home", *["ArrowRight"] * place):
                self.page.keyboard.press(key)
        self.page.keyboard.insert_text(put_in)

    def is_seen(self, target: Any) -> bool:
        """Whether an element is within the window, and within the box in which it scrolls."""
        found = target.evaluate(
            """element => {
              const { top, bottom } = element.getBoundingClientRect();
              const scrolled = element.closest(".cm-scroller, .code")?.getBoundingClientRect();
              const box = scrolled ?? { top: 0, bottom: innerHeight };
              return top >= box.top - 1 && bottom <= box.bottom + 1;
            }"""
        )
        return bool(found)


@pytest.fixture(params=["touch", "keys"])
def visitor(visit: Visit, request: pytest.FixtureRequest) -> Visitor:
    settings = {**PHONE, "has_touch": True} if request.param == "touch" else {}
    return Visitor(visit("index.html", **settings), request.param)


@pytest.fixture
def by_keys(visit: Visit) -> Visitor:
    return Visitor(visit("index.html"), "keys")


@pytest.fixture
def takes(measured: Callable[[str], None], request: pytest.FixtureRequest) -> Callable[[float], Any]:
    """Reports how long something took, and how long it should take."""

    @contextmanager
    def timing(seconds: float) -> Iterator[None]:
        began = time.perf_counter()
        yield
        measured(f"{request.node.name}: {time.perf_counter() - began:.1f} s, should take {seconds:g} s at most")

    return timing


def test_a_game_against_the_program(visitor: Visitor, takes: Any) -> None:
    with takes(15):
        visitor.press(".doors a", "Play against")
        if visitor.way == "touch":
            visitor.press("[data-square='11'].possible")
            visitor.press("[data-square='15'].possible")
        else:
            visitor.press("#moves button", "11-15")
        visitor.page.locator("#history li").nth(1).wait_for(timeout=LOADED)


def test_what_norvig_changed(by_keys: Visitor, takes: Any) -> None:
    with takes(5):
        by_keys.press(".doors a", "What did it mean")
        by_keys.press(".parts a", "What Norvig changed")
        by_keys.page.wait_for_url("**#norvig")
        assert by_keys.page.locator(".cpl-diff", has_text="K - ψ - Φ + Xk").count()


def test_a_changed_letter_and_the_other_move(visitor: Visitor, takes: Any) -> None:
    before = visitor.target("#move").inner_text()
    with takes(6):
        visitor.edit("v > V", "v >= V")
        visitor.page.wait_for_function("before => document.querySelector('#move').textContent !== before", arg=before)
    assert visitor.page.locator("#python .changed").last.inner_text().strip() == "if v >= V:"
    visitor.press("#again")
    assert visitor.target("#move").inner_text() == before
    visitor.press("#suggested")
    assert visitor.target("#move").inner_text() != before
    assert visitor.is_seen(visitor.target("#board svg")) or visitor.way == "keys"


def test_a_program_is_shared(visitor: Visitor, visit: Visit, takes: Any) -> None:
    visitor.press(".doors a", "The playground")
    with takes(10):
        visitor.fill("#editor .cm-content", "Thrice(x) = 3x || für Ü und σ\n")
        visitor.fill("#call", "Thrice(14)")
        visitor.press("#share")
        visitor.target("#shared", "link")
        other = visit(f"playground.html#{visitor.page.url.partition('#')[2]}")
        other.locator("#editor .cm-line", has_text="für Ü und σ").wait_for()
    assert other.locator("#call").input_value() == "Thrice(14)"


def test_how_and_binds(by_keys: Visitor, takes: Any) -> None:
    with takes(30):
        by_keys.press(".doors a", "What did it mean")
        by_keys.press(".parts a", "Try the readings")
        line = by_keys.target("#editor .cm-line.changed")
    assert "K - ψ ∧ K + Xk" in line.inner_text()
    assert by_keys.is_seen(line)
    by_keys.page.locator("#python .changed", has_text="K - (psi & K) + Xk").first.wait_for()
    by_keys.choose("#reading select[name=and]", "loose")
    by_keys.choose("#reading select[name=plusminus]", "arithmetic")
    by_keys.page.locator("#python", has_text="plus").or_(
        by_keys.page.locator("#changes", has_text="fault")
    ).first.wait_for()


def test_sixty_lines_are_mended_by_a_click(by_keys: Visitor, takes: Any) -> None:
    by_keys.press(".doors a", "The playground")
    ready(by_keys.page)
    with takes(10):
        lines = [f"F{number}(x) = x + {number}" for number in range(60)]
        lines[40] = "F40(x) = (x + 40"
        by_keys.fill("#editor .cm-content", "\n".join(lines))
        assert by_keys.target("#problems .fix").count() == 1
        by_keys.press("#problems .fix")
        by_keys.target("#python .line", "def F59")
    by_keys.page.get_by_text("No problems").wait_for()


def test_an_endless_loop_is_stopped(by_keys: Visitor, takes: Any) -> None:
    by_keys.press(".doors a", "The playground")
    ready(by_keys.page)
    by_keys.fill("#editor .cm-content", "Loop(n) = value of § while true do n := n + 1; result is n §")
    by_keys.target("#python .line", "def Loop")
    by_keys.fill("#call", "Loop(1)")
    by_keys.press("#run button", "Run")
    with takes(5):
        by_keys.press("#stop")
        by_keys.target("#output .fault", "Stopped")
    with takes(3):
        ready(by_keys.page)
    by_keys.fill("#call", "6 × 7")
    by_keys.press("#run button", "Run")
    by_keys.target("#output .value", "42")


def test_two_games_of_a_file_are_walked(visitor: Visitor, takes: Any, tmp_path: Path) -> None:
    visitor.press(".doors a", "Play against")
    visitor.target("#moves button")
    with takes(20):
        visitor.press("#others summary")
        if visitor.way == "touch":
            file = tmp_path / "two.pdn"
            file.write_text(GAMES, encoding="utf-8")
            visitor.page.locator("#file").set_input_files(file)
        else:
            visitor.fill("#pdn", GAMES)
            visitor.press("#read")
        walked = []
        for game in ("1", "2"):
            if game == "2":
                visitor.choose("#games", game)
            first = {"1": "11-15", "2": "9-14"}[game]
            visitor.page.locator("#history li", has_text=first).wait_for(timeout=LOADED)
            for ply in range(1, 4):
                visitor.press("#on")
                visitor.page.locator(f"#history li:nth-child({ply}) [aria-current]").wait_for()
                walked.append(visitor.page.locator("#history [aria-current]").inner_text())
            visitor.press("#start")
            visitor.page.locator("#history [aria-current]").wait_for(state="detached")
    assert walked == ["1. 11-15", "22-17", "2. 15-19", "1. 9-14", "22-18", "2. 5-9"]
    visitor.press("#history button", "22-18")
    visitor.page.locator("#history li:nth-child(2) [aria-current]").wait_for()


def test_a_double_jump_is_stepped_through(visitor: Visitor, takes: Any) -> None:
    visitor.press(".doors a", "Play against")
    visitor.target("#moves button")
    with takes(60):
        visitor.press("#others summary")
        visitor.fill("#fen", DOUBLE_JUMP)
        visitor.press("#setup button")
        visitor.target("#moves button", "14x")
        visitor.press("#found")
        visitor.target("#stage", "Press Steps to run LegalPositionsFrom")
        visitor.press("#steps")
        visitor.target("#stage .cpl-steps")
        for _ in range(3):
            visitor.press("#stage button", "Step")
        visitor.press("#stage button", "Last")
    if visitor.way == "touch":
        button = visitor.page.locator("#stage button", has_text="Step").bounding_box()
        assert 0 <= button["x"] <= PHONE["width"] - button["width"]
        assert 0 <= button["y"] <= PHONE["height"] - button["height"]
    visitor.press("#on-board")
    visitor.target("#moves button", "14x")
    assert DOUBLE_JUMP in visitor.page.locator("#fen").input_value()


def test_reload_back_and_forward_keep_everything(by_keys: Visitor) -> None:
    page = by_keys.page
    by_keys.press(".doors a", "The playground")
    by_keys.fill("#editor .cm-content", "Twice(x) = 2x\n")
    by_keys.fill("#call", "Twice(21)")
    page.reload()
    page.locator("#editor .cm-line", has_text="Twice").wait_for()
    assert page.locator("#call").input_value() == "Twice(21)"
    by_keys.choose("#example", "strachey.cpl")
    page.locator("#editor .cm-line", has_text="ChosenPosition").first.wait_for()
    page.go_back()
    page.locator("#editor .cm-line", has_text="Twice").wait_for()
    page.go_forward()
    page.locator("#editor .cm-line", has_text="ChosenPosition").first.wait_for()
    page.go_back()
    by_keys.press("header a[href='play.html']")
    by_keys.press("#moves button", "11-15")
    page.locator("#history li").nth(1).wait_for(timeout=LOADED)
    moves = page.locator("#history").inner_text()
    by_keys.press("#others summary")
    by_keys.fill("#fen", "B:W18,99:B14")
    by_keys.press("#setup button")
    page.locator("#status", has_text="99").wait_for()
    assert page.locator("#history").inner_text() == moves
    page.reload()
    page.locator("#history li").nth(1).wait_for(timeout=LOADED)
    assert page.locator("#history").inner_text() == moves
    page.go_back()
    page.locator("#editor .cm-line", has_text="Twice").wait_for()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("playground.html#example=nothing.cpl", "no example “nothing.cpl”"),
        ("playground.html#reading=and%3Dpurple", "no reading"),
        ("playground.html#reading=constructor&pane=__proto__", "no reading"),
        ("play.html#game=chess", "no game “chess”"),
        ("play.html#game=__proto__", "no game “__proto__”"),
        ("play.html#game=strachey&fen=B%3AW18%2C99%3AB14", "99"),
        ("play.html#moves=11-15+1-32", "1-32"),
    ],
)
def test_a_broken_link_is_explained(visit: Visit, address: str, words: str) -> None:
    page = visit(address, **PHONE)
    page.locator("#address", has_text=words).wait_for(timeout=LOADED)
    if address.startswith("play.html"):
        page.locator("#moves button").first.wait_for(timeout=LOADED)


def test_a_link_that_was_cut_shows_what_could_be_read(visit: Visit) -> None:
    page = visit("playground.html")
    text = "\n".join(f"F{number}(x) = x + {number * 7919}" for number in range(80))
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    page.locator("#share").click()
    page.locator("#shared", has_text="link").wait_for()
    cut = visit(f"playground.html#{page.url.partition('#')[2][:-60]}")
    cut.locator("#address", has_text=re.compile("ends in the middle.*lines")).wait_for()
    cut.locator("#editor .cm-line", has_text="F9(x)").wait_for()


def test_undo_takes_back_what_was_typed_and_no_more(visit: Visit) -> None:
    page = visit("playground.html#example=attested/s63-fact2.cpl")
    line = page.locator("#editor .cm-line", has_text="Fact2").first
    before = line.inner_text()
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("|| ")
    page.locator("#editor .cm-line", has_text="|| ").first.wait_for()
    page.keyboard.press("Control+z")
    assert line.inner_text() == before
    page.keyboard.press("Control+z")  # there is nothing before that
    page.keyboard.press("Control+z")
    assert line.inner_text() == before


def test_an_endless_call_in_the_trace_is_stopped_for_good(visit: Visit) -> None:
    page = visit("playground.html")
    ready(page)
    write(page, "Loop(n) = value of § while true do n := n + 1; result is n §\n")
    page.locator("#python", has_text="def Loop").wait_for(timeout=LOADED)
    page.locator("#call").fill("Loop(1)")
    page.locator("#steps").click()
    page.locator("html[data-python=busy]").wait_for()
    page.locator("#stop").click()
    page.locator("#stage", has_text="Press Steps").wait_for(timeout=LOADED)
    ready(page)


def test_a_game_that_is_walked_is_not_lost(visit: Visit) -> None:
    """A move of the game leads on in it, another begins a game of its own, from which one can go back."""
    page = visit("play.html#moves=11-15+22-17+15-19+24x15&at=0&first=me&second=me")
    page.locator("#moves button", has_text="11-15").click(timeout=LOADED)
    page.locator("#history li:nth-child(1) [aria-current]").wait_for()
    assert page.locator("#history li").count() == 4
    for key in ("|◀", "Forward ▶", "Forward ▶"):
        page.get_by_text(key, exact=True).click()
    page.locator("#history li:nth-child(2) [aria-current]").wait_for()
    page.locator("#moves button", has_text="8-11").click()
    page.locator("#history li:nth-child(3)", has_text="8-11").wait_for()
    page.go_back()
    page.locator("#history li:nth-child(4)", has_text="24x15").wait_for()


def test_back_while_a_program_thinks_leaves_both_games_as_they_are(visit: Visit) -> None:
    page = visit("play.html#second=me")
    page.locator("#moves button", has_text="11-15").click(timeout=LOADED)
    page.locator("#history li").first.wait_for()
    page.locator("#game").select_option("checkers")
    page.locator("#moves button", has_text="9-13").wait_for(timeout=LOADED)
    page.evaluate("() => { document.querySelector('#moves button').click(); history.back(); }")
    page.locator("#history li", has_text="11-15").wait_for()
    page.locator("html[data-python=ready]").wait_for(timeout=LOADED)
    assert page.locator("#history li").all_inner_texts() == ["1. 11-15"]
    assert page.locator("#game").input_value() == "strachey"


def test_a_game_that_was_read_stays_paused(visit: Visit) -> None:
    page = visit("play.html")
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    page.locator("#others summary").click()
    page.locator("#pdn").fill("1. 11-15 22-17 2. 15-19 *")
    page.locator("#read").click()
    page.locator("#history li").nth(2).wait_for(timeout=LOADED)
    page.locator("#end").click()
    page.locator("#status", has_text="paused").wait_for()
    page.reload()
    page.locator("#status", has_text="paused").wait_for(timeout=LOADED)
    assert page.locator("#history li").count() == 3
    page.locator("#new").click()
    page.locator("#status", has_text="your turn").wait_for(timeout=LOADED)


def test_the_front_page_says_that_a_broken_text_has_no_move(visit: Visit) -> None:
    page = visit("index.html")
    page.locator("#suggested").click()
    page.locator("#python .changed").first.wait_for()
    ready(page)
    assert page.locator("#python .changed").count() == 1
    page.locator("#editor .cm-content").click()
    page.keyboard.insert_text("(((")
    page.locator("#why", has_text="error").wait_for(timeout=LOADED)


def test_a_link_to_a_text_with_an_error_shows_the_error(visit: Visit) -> None:
    page = visit("playground.html#text=F(x)+=+(x")
    page.locator("#python", has_text="no Python").wait_for(timeout=LOADED)
    assert page.locator("#problems .fix").count() == 1
    page = visit("playground.html#text=F(x)+=+(x&reading=and%3Dtight")
    page.locator("#python", has_text="read so").wait_for(timeout=LOADED)
    assert page.locator("#problems .fix").count() == 1
