"""Chromium for the tests, driven by Playwright."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def watch(page: Any, ours: Callable[[str], bool], troubles: list[str]) -> None:
    """Note the requests of a page that are not ours, and the errors that it reports."""
    page.on("request", lambda request: None if ours(request.url) else troubles.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
