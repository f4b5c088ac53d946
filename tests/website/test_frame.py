"""What stands round every page: one bar, one theme, what a link to the page shows, and the page for others."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

Visit = Callable[..., Any]

KINDS = {
    "index.html": "cplc",
    "play.html": "Play",
    "playground.html": "Playground",
    "docs/tour.html": "Docs",
    "docs/language/2-definitions.html": "Docs",
    "gallery.html": "Docs",
    "programs/strachey.html": "Docs",
    "programs/attested/s63-fact.html": "Docs",
    "notebooks/1-reading-the-1966-program.html": "Docs",
}
"""A page of each kind, and the room of the bar that it belongs to."""

LINKS = """() => [...document.querySelectorAll("nav.bar a")].map(({ textContent, href }) => [textContent, href])"""
GROUND = "getComputedStyle(document.body).backgroundColor"


def test_every_kind_of_page_has_the_same_bar(visit: Visit, site: Any) -> None:
    expected = None
    for address, room in KINDS.items():
        page = visit(address)
        bar = page.get_by_role("navigation", name="Site")
        assert bar.count() == 1, address
        expected = expected or page.evaluate(LINKS)
        assert page.evaluate(LINKS) == expected, address
        assert bar.locator("[aria-current]").inner_text() == room
        box = bar.bounding_box()
        assert box["x"] == 0 and box["y"] == 0 and box["width"] >= 1270, address
        page.close()
    for _, href in expected or []:
        assert (site.folder / href.removeprefix(site.url)).exists()


@pytest.mark.parametrize("width", [320, 390])
def test_the_bar_is_one_line_on_a_phone(visit: Visit, width: int) -> None:
    for address in KINDS:
        page = visit(address, width=width, height=800)
        bar = page.get_by_role("navigation", name="Site").bounding_box()
        assert bar["height"] <= 52 and bar["width"] <= width, address
        if width >= 390:
            switch = page.locator("[data-theme-switch]").bounding_box()
            assert switch["x"] + switch["width"] <= width, address
        page.close()


def test_a_theme_that_is_chosen_on_one_page_is_that_of_all(visit: Visit, site: Any) -> None:
    page = visit("index.html", alone=True, color_scheme="light")
    day = page.evaluate(GROUND)
    switch = page.locator("[data-theme-switch]")
    said = []
    for _ in range(3):
        said.append(switch.get_attribute("aria-label"))
        switch.click()
    assert said == ["Theme: as the system has it", "Theme: light", "Theme: dark"]
    switch.click()
    switch.click()
    night = page.evaluate(GROUND)
    assert night != day
    for address in KINDS:
        page.goto(site.url + address)
        assert page.evaluate(GROUND) == night, address
        assert page.locator("[data-theme-switch]").get_attribute("aria-label") == "Theme: dark"


def test_a_page_that_is_open_in_two_tabs_has_one_theme(visit: Visit) -> None:
    page = visit("docs/tour.html", alone=True, color_scheme="light")
    other = page.context.new_page()
    other.goto(page.url)
    page.locator("[data-theme-switch]").click()
    page.locator("[data-theme-switch]").click()
    other.wait_for_selector("html[data-theme=dark]", state="attached")
    assert other.evaluate("document.body.dataset.theme") == "dark"


@pytest.mark.parametrize("asked", ["no-such-page.html", "docs/language/gone.html", "programs/attested/x/y.html"])
def test_a_page_that_is_not_there_leads_to_those_that_are(visit: Visit, site: Any, asked: str) -> None:
    page = visit("docs/tour.html", service_workers="block")
    text = (site.folder / "404.html").read_text(encoding="utf-8")
    page.route(f"**/{asked}", lambda route: route.fulfill(status=200, content_type="text/html", body=text))
    page.goto(site.url + asked)
    assert page.locator("#wanted").inner_text() == asked
    for href in page.evaluate("[...document.querySelectorAll('a')].map(({ href }) => href)"):
        assert href.startswith(site.url) and (site.folder / href.removeprefix(site.url)).is_file(), href
    assert page.locator("nav.bar [data-theme-switch]").is_visible()


def test_the_page_that_is_not_there_knows_all_folders_of_the_site(site: Any) -> None:
    text = (site.folder / "404.html").read_text(encoding="utf-8")
    [known] = re.findall(r"const FOLDERS = \[([^\]]*)\]", text)
    with_pages = {path.relative_to(site.folder).parts[0] for path in site.folder.glob("*/**/*.html")}
    assert with_pages - {"_static"} <= {*re.findall(r"\w+", known)}


@pytest.mark.parametrize("address", [*KINDS, "lessons.html", "meaning.html"])
def test_a_link_to_a_page_shows_its_title_and_what_it_is_about(site: Any, address: str) -> None:
    text = (site.folder / address).read_text(encoding="utf-8")
    head = text[: text.index("</head>")]
    shown = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)"', head))
    title = unescape(re.search(r"<title>(.*?)</title>", head, re.DOTALL)[1])  # type: ignore[index]
    assert unescape(shown["og:title"]).split(" – ")[0] == re.split(" – | - ", title)[0]
    assert 20 <= len(unescape(shown["description"])) <= 210
    assert shown["description"] == shown["og:description"]


@pytest.mark.parametrize(
    ("game", "first", "second", "below"),
    [
        ("strachey", "me", "random:1", "1 2 3 4"),
        ("strachey", "random:1", "me", "29 30 31 32"),
        ("checkers", "me", "me", "1 2 3 4"),
    ],
)
def test_ones_own_men_stand_below(visit: Visit, game: str, first: str, second: str, below: str) -> None:
    page = visit(f"play.html#game={game}&first={first}&second={second}&paused=1")
    page.locator("#board [data-square='1']").wait_for()
    last = "[...document.querySelectorAll('#board tr:last-child button')].map((button) => button.dataset.square)"
    assert sorted(page.evaluate(last), key=int) == below.split()
