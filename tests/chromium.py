"""Chromium for the tests, driven by Playwright."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

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


def troubles_of(message: Any) -> list[str]:
    """What is wrong by a line of a page's console, and at which address."""
    address = message.location["url"]
    is_asked_by_the_browser = urlsplit(address).path == "/favicon.ico"  # while JupyterLab changes its own
    if message.type != "error" or is_asked_by_the_browser:
        return []
    return [f"{message.text} ({address})"]


@contextmanager
def launched() -> Iterator[Any]:
    """A browser. While Playwright runs, other tests of the process cannot start an event loop."""
    reason = "playwright is not installed: pip install -e '.[browser]' brings it"
    sync_api = pytest.importorskip("playwright.sync_api", reason=reason)
    path = shutil.which("chromium")
    if not path:
        pytest.skip("there is no program chromium")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@contextmanager
def beside(browser: Any) -> Iterator[Any]:
    """A second browser that nobody has used, of the same Playwright: a process can have one only."""
    started = browser.browser_type.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
    yield started
    started.close()


@contextmanager
def opening(
    browser: Any, seconds: int, ours: tuple[str, ...], contexts: dict[str, Any]
) -> Iterator[Callable[..., Any]]:
    """Opens addresses in pages of 1400 × 1000 pixels by day, unless it is told otherwise.

    It fails if a page asks for an address that is not ours, or reports an error. Pages of the same settings share one
    of the contexts, and so what the browser keeps for a site: Python begins sooner. One that is `alone` shares nothing.
    """
    troubles: list[str] = []
    pages = []

    def opened(url: str, *, width: int = 1400, height: int = 1000, alone: bool = False, **settings: Any) -> Any:
        settings["viewport"] = {"width": width, "height": height}
        key = f"{sorted(settings.items())} {url if alone else ''}"
        if key not in contexts:
            contexts[key] = browser.new_context(**settings)
        page = contexts[key].new_page()
        pages.append(page)
        page.set_default_timeout(1000 * seconds)
        page.on("request", lambda request: request.url.startswith((*ours, url)) or troubles.append(request.url))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.extend(troubles_of(message)))
        page.goto(url)
        return page

    yield opened
    for page in pages:
        page.close()
    assert not troubles, "\n".join(troubles)
