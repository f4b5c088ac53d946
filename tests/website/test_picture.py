"""The picture of the playground in the README is one of the page as it is built.

`pytest tests/website/test_picture.py -m '' --update-cases` makes it again. Look at it then.
"""

import struct
from collections.abc import Callable
from typing import Any

import pytest
from conftest import ROOT

pytestmark = pytest.mark.long

PICTURE = ROOT / "docs/pictures/playground.png"
WIDTH = 1100
HEIGHT = 720
MOST = 150_000
"""Bytes: the README is to open at once."""


def size(picture: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def test_the_picture_in_the_readme_shows_the_playground(
    visit: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    page = visit("playground.html#example=strachey.cpl", width=WIDTH, height=HEIGHT, color_scheme="light")
    page.wait_for_selector("html[data-python=ready]", timeout=90_000)
    page.locator("#call").fill("NextMoveDirection(4)")
    page.get_by_role("button", name="Run").click()
    page.locator("#output .value", has_text="-4").wait_for()
    page.locator("#editor .cm-line", has_text="let (p, l) = Next(L)").hover()
    page.locator("#python .lit", has_text="p, l = Next(L)").wait_for()
    page.locator("#editor .cm-scroller").evaluate("box => (box.scrollLeft = 0)")
    listings, output = (page.locator(part).bounding_box() for part in ("main .panes", "#output"))
    top, bottom = listings["y"] - 8, output["y"] + output["height"] + 8
    clip = {"x": 0, "y": top, "width": WIDTH, "height": bottom - top}
    picture = page.screenshot(clip=clip, animations="disabled")
    if request.config.getoption("--update-cases"):
        PICTURE.write_bytes(picture)
    stored = PICTURE.read_bytes()
    assert len(stored) < MOST
    # Fonts differ from one machine to the next, and lines break elsewhere: the pixels are not compared.
    (width, height), (stored_width, stored_height) = size(picture), size(stored)
    assert width == stored_width
    assert abs(height - stored_height) < 100
