"""The page to play on: games run as WebAssembly, before Python is there and without it.

What is measured has an aim for an idle machine, which is printed, and fails at twice as much.
"""

import gzip
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import beside, opening

from website.conftest import Site
from website.test_pages import LOADED, ready

ROOM = 2
"""How much longer than on an idle machine something may take."""
FIRST_MOVE = 1.5
"""Seconds until the page takes a move,"""
FIRST_BYTES = 300_000
"""the bytes, compressed, that it loads before,"""
MEMORY = 100e6
"""and the bytes that its process has for itself."""
POSITIONS = 200_000
"""Positions a second of a search."""

_PRIVATE = re.compile(r"^Private_\w+:\s+(\d+) kB$", re.MULTILINE)


@pytest.fixture
def another(chromium: Any, site: Site) -> Iterator[tuple[Any, Callable[..., Any]]]:
    """A browser that nobody has used, and what opens a page in it."""
    with beside(chromium) as browser, opening(browser, 60, (site.origin, "data:", "blob:"), {}) as opened:
        yield browser, opened


@pytest.fixture
def alone(chromium: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Opens a page in a context of its own."""
    with opening(chromium, 60, (site.origin, "data:", "blob:"), {}) as opened:
        yield lambda path: opened(f"{site.url}{path}")


def memory_of_pages(browser: Any) -> int:
    """The bytes that the largest process of a page has for itself."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    sizes = []
    for process in processes:
        if process["type"] == "renderer":
            text = Path(f"/proc/{process['id']}/smaps_rollup").read_text(encoding="ascii")
            sizes.append(1024 * sum(map(int, _PRIVATE.findall(text))))
    return max(sizes)


def test_a_first_visit_takes_a_move_soon(
    another: tuple[Any, Callable[..., Any]], site: Site, measured: Callable[[str], None]
) -> None:
    browser, opened = another
    page = opened("about:blank")
    loaded: list[Any] = []
    page.on("response", lambda response: loaded.append(response))
    began = time.perf_counter()
    page.goto(f"{site.url}play.html", wait_until="commit")
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    took = time.perf_counter() - began
    bodies = [response.body() for response in {response.url: response for response in loaded}.values()]
    size = sum(min(len(body), len(gzip.compress(body, 6))) for body in bodies)
    page.locator("#moves button", has_text="11-15").click()
    page.locator("#history li").nth(1).wait_for(timeout=LOADED)
    answered = time.perf_counter() - began
    memory = memory_of_pages(browser)
    assert page.evaluate("document.documentElement.dataset.python") != "ready"
    measured(
        f"first visit: takes a move after {took:.1f} s ({FIRST_MOVE} s on an idle machine), answers it after "
        f"{answered:.1f} s; {size / 1e3:.0f} kB before it, {memory / 1e6:.0f} MB of memory"
    )
    assert took < ROOM * FIRST_MOVE
    assert size < FIRST_BYTES
    assert memory < MEMORY


def test_python_comes_while_one_plays(alone: Callable[..., Any]) -> None:
    page = alone("play.html")
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    assert page.evaluate("document.documentElement.dataset.python") is None
    ready(page)


def test_without_webassembly_of_a_game_python_plays(alone: Callable[..., Any]) -> None:
    page = alone("meaning.html")
    page.route("**/native/*/programs.json", lambda route: route.fulfill(status=200, body="{}"))
    page.goto(page.url.replace("meaning", "play"))
    page.locator("#moves button", has_text="11-15").click(timeout=LOADED)
    page.locator("#history li").nth(1).wait_for(timeout=LOADED)
    assert page.evaluate("document.documentElement.dataset.python") == "ready"


def test_what_the_program_gives_up_waits_for_python_and_says_so(alone: Callable[..., Any]) -> None:
    page = alone("meaning.html")
    held: list[Any] = []

    def give_little_stack(route: Any) -> None:
        described = route.fetch().json()
        described["rules"]["stack"] = 1000
        route.fulfill(json=described)

    page.route("**/native/*/programs.json", give_little_stack)
    page.route("**/first.bin", lambda route: held.append(route))
    page.goto(page.url.replace("meaning.html", "play.html#game=checkers"))
    page.locator("#moves button", has_text="11-15").click(timeout=LOADED)
    page.locator("#status", has_text="gave up: functions called each other too deeply. Python will answer").wait_for(
        timeout=LOADED
    )
    assert page.locator("#history li").count() == 1
    page.unroute("**/first.bin")
    for route in held:
        route.continue_()
    page.locator("#history li").nth(1).wait_for(timeout=LOADED)
    page.locator("#status", has_text="your turn").wait_for()


@pytest.mark.parametrize(
    "address",
    ["moves=11-15+23-19", "game=simple-checkers&moves=a3-b4+b6-a5", "game=capture&moves=c4-c3+c2xc4"],
)
def test_the_board_is_that_of_python(alone: Callable[..., Any], address: str) -> None:
    """Both draw the same pieces, arrows, letters and numbers, and have the same squares to click; only labels may stand
    in another corner.
    """
    drawn = """() => [
      ...document.querySelectorAll("#picture svg :is(circle, polyline, polygon, text, path:not([fill=none]))"),
    ].map((shape) => {
      const short = (number) => Number(Number(number).toPrecision(4));
      const points = shape.getAttribute("points")?.replace(/[\\d.]+/g, short);
      return [shape.tagName, shape.getAttribute("fill"), points, shape.textContent].join(" ");
    }).sort()"""
    squares = "() => [...document.querySelectorAll('#board button')].map((button) => button.ariaLabel)"
    pictures = []
    for game in ("?", ""):
        page = alone("meaning.html")
        if not game:
            page.route("**/native/*/programs.json", lambda route: route.fulfill(status=200, body="{}"))
        page.goto(page.url.replace("meaning.html", f"play.html#{address}&at=2&second=me"))
        page.locator("#moves button").first.wait_for(timeout=LOADED)
        page.locator("#flip").click()
        page.locator("#said", has_text="turned").wait_for(timeout=LOADED)
        words = page.locator("#picture svg").get_attribute("aria-label")
        pictures.append((page.evaluate(drawn), words, page.evaluate(squares)))
    assert pictures[0] == pictures[1]


def test_analysis_goes_deeper_while_one_thinks_and_follows_the_game(
    alone: Callable[..., Any], measured: Callable[[str], None]
) -> None:
    page = alone("play.html#game=checkers&second=me")
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    analysis = page.locator("#analysis")
    analysis.click()
    assert analysis.get_attribute("aria-pressed") == "true"
    page.locator("#seen", has_text=re.compile(r"for black, as seen (8|9|\d\d) plies deep")).wait_for()
    page.locator("#moves button", has_text="11-15").click()
    page.locator("#seen", has_text=re.compile(r"for white, as seen (8|9|\d\d) plies deep")).wait_for()
    page.locator("#hint").click()
    page.locator("#said", has_text="Hint:").wait_for()
    page.locator("#why").click()
    words = page.locator("#behind p", has_text="plies deep").inner_text(timeout=LOADED)
    depth, positions = re.search(r"seen (\d+) plies deep, after ([\d,]+) positions", words).groups()  # type: ignore[union-attr]
    speed = int(positions.replace(",", "")) / 2
    measured(f"why, in Chromium, in two seconds: {depth} plies for three lines, {speed:,.0f} positions/s")
    assert int(depth) >= 10
    assert speed > POSITIONS / ROOM
    analysis.click()
    assert page.locator("#seen").is_hidden()


def test_analysis_is_of_the_position_that_one_sees(alone: Callable[..., Any]) -> None:
    page = alone("play.html#game=checkers&second=me")
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    page.evaluate("""() => {
      [...document.querySelectorAll("#moves button")].find((button) => button.textContent === "11-15").click();
      document.querySelector("#analysis").click(); // before the move is made
    }""")
    seen, analysis = page.locator("#seen"), page.locator("#analysis")
    of_white = page.locator("#seen", has_text=re.compile(r"for white, as seen \d+ plies deep"))
    of_white.wait_for()
    again = "(button) => { button.click(); button.click(); }"
    analysis.evaluate(again)
    of_white.wait_for()

    hide = """(isHidden) => {
      Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    analysis.evaluate(again)
    page.wait_for_timeout(1500)
    assert not seen.inner_text()
    page.evaluate(hide, False)
    of_white.wait_for()


def test_a_move_does_not_wait_long_for_an_analysis(alone: Callable[..., Any], measured: Callable[[str], None]) -> None:
    page = alone("play.html#game=checkers&second=me")
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    page.locator("#analysis").click()
    page.wait_for_timeout(25_000)
    began = time.perf_counter()
    page.locator("#moves button", has_text="11-15").click()
    page.locator("#history li").first.wait_for()
    took = time.perf_counter() - began
    measured(f"a move after 25 seconds of analysis: {took:.1f} s (1 s on an idle machine)")
    assert took < ROOM * 1


def test_stop_ends_what_a_program_thinks(alone: Callable[..., Any]) -> None:
    page = alone("play.html#game=checkers&second=alphabeta%3A3s")
    page.locator("#moves button", has_text="11-15").click(timeout=LOADED)
    page.locator("#status", has_text="is thinking").wait_for()
    page.wait_for_timeout(500)
    began = time.perf_counter()
    page.locator("#stop").click()
    page.locator("#status", has_text="paused").wait_for()
    assert time.perf_counter() - began < 2
    assert page.locator("#history li").count() == 1
    page.locator("#pause").click()
    page.locator("#history li").nth(1).wait_for(timeout=LOADED)
