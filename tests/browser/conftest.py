"""Pages in Chromium. A test fails if its page asks a host for anything, or reports an error."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="package")  # while Playwright runs, other tests of the process cannot start an event loop
def chromium() -> Iterator[Any]:
    reason = "playwright is not installed: pip install -e '.[browser]' brings it"
    sync_api = pytest.importorskip("playwright.sync_api", reason=reason)
    path = shutil.which("chromium")
    if not path:
        pytest.skip("there is no program chromium")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


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
        page.on("request", lambda request: None if request.url == path.as_uri() else troubles.append(request.url))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []
