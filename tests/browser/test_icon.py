"""The icon of the extension for VS Code is that of the site.

`pytest tests/browser/test_icon.py --update-cases` draws it again. Look at it then.
"""

import struct
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from conftest import ROOT

DRAWING = ROOT / "docs/site/static/icon.svg"
ICON = ROOT / "editors/icon.png"
SIZE = 128
"""Pixels, as marketplaces ask for."""
PAGE = """\
<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px; height: {size}px }}</style>
{drawing}
"""
COLOURS = """\
async (address) => {
  const picture = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  return [[0, 0], [64, 4], [24, 64], [64, 28]].map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
}
"""
"""The colours of a corner, the wood round the man, the man at the left, and the man above the sign."""


def data_address(picture: bytes) -> str:
    return "data:image/png;base64," + b64encode(picture).decode()


def test_the_icon_of_the_extension_is_that_of_the_site(
    show: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    page = show(PAGE.format(size=SIZE, drawing=DRAWING.read_text(encoding="utf-8")), width=SIZE, height=SIZE)
    drawn = page.locator("svg").screenshot(omit_background=True)
    if request.config.getoption("--update-cases"):
        ICON.write_bytes(drawn)
    stored = ICON.read_bytes()
    assert struct.unpack(">II", stored[16:24]) == (SIZE, SIZE)
    # Fonts differ from one machine to the next, so the pixels of the sign are not compared.
    of_drawn, of_stored = (page.evaluate(COLOURS, data_address(picture)) for picture in (drawn, stored))
    assert of_stored == of_drawn
    transparent, wood, *man = of_stored
    assert transparent[3] == 0
    assert wood == [0xB0, 0x8A, 0x5B, 255]
    assert man == [[0x2B, 0x2B, 0x2B, 255]] * 2
