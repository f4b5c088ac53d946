"""The page of `cpl html`, as readers see it."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.test_fragments import background
from cpl.compiler import loader, pipeline
from cpl.compiler.source import Source
from cpl.study.views.listing import as_page

Show = Callable[..., Any]


@pytest.fixture(scope="module")
def beside() -> str:
    source = loader.read(loader.find("strachey.cpl"))
    return as_page(source, pipeline.compile_source(source), numbered=True)


def test_the_python_of_a_line_lights_up_and_a_name_leads_to_its_definition(show: Show, beside: str) -> None:
    page = show(beside)
    line = page.locator("pre.cpl span", has_text="let Empty = ~ X ∧ ~ Y ∧ Board").first
    python = page.locator("pre.python span", has_text="Empty = ~X & ~Y & Board").first
    before = background(python)
    line.hover()
    assert background(python) == background(line) != before
    page = show(beside, height=300)
    page.locator("pre.cpl a", has_text="CombineCaptureTrees").first.click()
    assert page.url.endswith("#CombineCaptureTrees")
    assert 0 <= page.locator("#CombineCaptureTrees").bounding_box()["y"] < 300


def test_hidden_characters_are_copied_and_turn_nothing_round(show: Show) -> None:
    text = "F(x) =\f‘\u202eabcdef’"
    page = show(as_page(Source("a.cpl", text)))
    line = page.locator("pre.cpl")
    assert line.evaluate("each => { getSelection().selectAllChildren(each); return getSelection().toString() }") == text
    assert "U+202E" in line.locator("bdi").last.evaluate("each => getComputedStyle(each, '::before').content")
    places = line.evaluate(
        """each => [..."abc"].map(letter => {
            const node = [...each.querySelectorAll(".c-s")].flatMap(part => [...part.childNodes]).at(-1)
            const range = document.createRange(), at = node.data.indexOf(letter)
            range.setStart(node, at), range.setEnd(node, at + 1)
            return range.getBoundingClientRect().left
        })"""
    )
    assert places == sorted(places)


def test_long_lines_scroll_and_there_are_forms_for_the_dark_and_paper(show: Show, beside: str) -> None:
    for width in (400, 1400):
        page = show(beside, width=width)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    light, dark = (show(beside, color_scheme=scheme) for scheme in ("light", "dark"))
    assert background(light.locator("body")) != background(dark.locator("body"))
    dark.emulate_media(media="print")
    assert background(dark.locator("body")) in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
