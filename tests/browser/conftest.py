"""Pages in Chromium. A test fails if its page asks a host for anything, or reports an error."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import launched, watch


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture
def show(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens HTML in a page of 1400 × 1000 pixels by day, unless it is told otherwise."""
    troubles: list[str] = []
    contexts = []

    def opened(html: str, *, width: int = 1400, height: int = 1000, **settings: Any) -> Any:
        path = tmp_path / f"{len(contexts)}.html"
        path.write_text(html, encoding="utf-8")
        contexts.append(chromium.new_context(viewport={"width": width, "height": height}, **settings))
        page = contexts[-1].new_page()
        page.set_default_timeout(10_000)
        watch(page, lambda url: url == path.as_uri(), troubles)
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []
