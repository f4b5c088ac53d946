"""What a notebook shows of values: hover, themes, and narrow windows."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import cpl

Show = Callable[..., Any]
BEFORE = cpl.Source("before.cpl", "Twice(x) = x + x\nFact(x) = (x = 0) → 1, xFact(x - 1)\n")
AFTER = cpl.Source("after.cpl", "Twice(x) = 2 + x\nFact(x) = (x = 0) → 1, xFact(x - 1)\n")
GROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 17, 17)"}
SCREEN = "document.documentElement"


def shown(*values: Any, theme: str = "") -> str:
    """A page of one cell's output in JupyterLab's theme, or in none."""
    dark = theme == "dark"
    layout, ink = ("#111", "#fff") if dark else ("#fff", "#000")
    style = f":root {{ --jp-layout-color0: {layout}; --jp-content-font-color1: {ink}; }}" if theme else ""
    body = "".join(value._repr_html_() for value in values)
    attribute = f' data-jp-theme-light="{str(not dark).lower()}"' if theme else ""
    return f"<!doctype html><meta charset=utf-8><style>{style}</style><body{attribute}>{body}"


def background(element: Any) -> str:
    return str(element.evaluate("each => getComputedStyle(each).backgroundColor"))


def test_lines_that_belong_together_light_up_together(show: Show) -> None:
    page = show(shown(cpl.beside(BEFORE)))
    written, python = page.locator("pre span", has_text="xFact(x - 1)"), page.locator("pre span", has_text="if x == 0")
    other = page.locator("pre span", has_text="def Twice")
    plain = background(python.first)
    assert plain == background(other.first)
    written.first.hover()
    assert plain != background(python.first) == background(written.first)
    assert background(other.first) == plain
    page.locator("h1, body").first.hover(position={"x": 1, "y": 1})
    assert background(python.first) == plain
    page.keyboard.press("Tab")
    focused = page.locator("pre span:focus")
    assert focused.count() == 1
    assert background(focused) != plain


def test_the_theme_of_the_notebook_decides_and_without_one_the_system(show: Show) -> None:
    for theme, system in product(("light", "dark"), repeat=2):
        page = show(shown(cpl.beside(BEFORE), theme=theme), color_scheme=system)
        element = page.locator(".cpl").first
        assert background(element) == GROUND[theme]
        assert element.evaluate("each => getComputedStyle(each).colorScheme") == theme
    bare = shown(cpl.beside(BEFORE))
    assert len({background(show(bare, color_scheme=system).locator(".cpl")) for system in ("light", "dark")}) == 2


def test_two_columns_stand_side_by_side_where_no_line_is_clipped(show: Show) -> None:
    printed = cpl.beside("strachey-original.cpl", "MakeMove", repair=True, reading="arithmetic")
    for width, is_beside in ((1100, False), (1300, True)):
        page = show(shown(printed), width=width)
        written, python = page.locator("pre").all()
        assert (written.bounding_box()["y"] == python.bounding_box()["y"]) == is_beside
        for listing in (written, python):
            assert listing.evaluate("box => box.scrollWidth - box.clientWidth") == 0


@pytest.mark.parametrize("theme", ["", "dark"])
def test_everything_fits_into_400_pixels(show: Show, theme: str) -> None:
    game = cpl.load("strachey.cpl")
    start = game.StartPosition
    values = [
        cpl.beside("strachey.cpl", "PCP", "CombineCaptureTrees"),
        cpl.boards(before=start, after=game.ChosenPosition(start)),
        cpl.diff(BEFORE, AFTER, inputs=20),
        cpl.compare_readings("strachey-original.cpl", "strachey.cpl", positions=40),
        cpl.stages(BEFORE.text),
        cpl.trace("strachey.cpl", "NextMoveDirection(4)"),
        cpl.game_view([start, game.ChosenPosition(start)]),
        cpl.search_tree(start, depth=1),
    ]
    page = show(shown(*values, theme=theme), width=400)
    assert page.evaluate(f"{SCREEN}.scrollWidth - {SCREEN}.clientWidth") == 0
    for element in page.locator(".cpl").all():
        assert element.evaluate("each => each.getBoundingClientRect().right") <= 400
