"""How the site loads: how much of Python has come, its memory, visits without a net, and a new build."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import opening
from visiting import served

from website.conftest import Site
from website.test_pages import LOADED, ready, write

KEPT = """async () => {
  const { serviceWorker } = navigator;
  await serviceWorker.ready;
  if (!serviceWorker.controller) await new Promise((done) => serviceWorker.addEventListener("controllerchange", done));
}"""
REPLACED = """async () => {
  const isOld = (name) => name.startsWith("site") && !name.endsWith(" new");
  while ((await caches.keys()).some(isOld)) await new Promise((done) => setTimeout(done, 50));
}"""

CACHE = "const cache = await caches.open((await caches.keys()).find((name) => name.startsWith('memory')));"
FORGOTTEN = f"""async () => {{
  {CACHE}
  await cache.put((await cache.keys())[0], new Response("nothing"));
}}"""
REMEMBERED = f"""async () => {{
  {CACHE}
  const size = async () => (await (await cache.matchAll())[0]?.blob())?.size ?? 0;
  while ((await size()) < 1000000) await new Promise((done) => setTimeout(done, 50));
}}"""


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """A site of its own, which a test may change."""
    return Path(shutil.copytree(built, tmp_path / "some/folder", copy_function=os.link)).parent.parent


@pytest.fixture
def opened(chromium: Any) -> Iterator[Callable[[str], Any]]:
    with opening(chromium, 60, ("http://127.0.0.1:", "data:", "blob:"), {}) as opened:
        yield opened


def test_after_one_visit_all_works_without_a_net(copy: Path, opened: Callable[[str], Any]) -> None:
    with served(copy) as origin:
        url = f"{origin}some/folder/"
        page = opened(f"{url}index.html")
        page.evaluate(KEPT)
        page.goto(f"{url}docs/README.html")
    page.goto(url)
    ready(page)
    page.goto(f"{url}play.html")
    page.locator("#moves button").first.wait_for(timeout=LOADED)
    page.goto(f"{url}docs/README.html")
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui")
    page.goto(f"{url}playground.html")
    write(page, "Cube(x) = x ↑ 3\n")  # black writes powers: it is in the rest of the library
    page.locator("#python", has_text="x**3").wait_for(timeout=LOADED)


def test_a_new_build_takes_the_place_of_the_old_one(copy: Path, opened: Callable[[str], Any]) -> None:
    def change(name: str, pattern: str, replacement: str) -> None:
        path = copy / "some/folder" / name
        text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"))
        assert count
        path.unlink()  # it is a file of the other site, too
        path.write_text(text, encoding="utf-8")

    with served(copy) as origin:
        page = opened(f"{origin}some/folder/index.html")
        page.evaluate(KEPT)
        change("index.html", "<title>.*?</title>", "<title>New</title>")
        page.reload()
        assert page.title() != "New"
        change("service.js", '"version": "[^"]*"', '"version": "new"')
        page.reload()
        page.evaluate(REPLACED)
        page.reload()
        assert page.title() == "New"


def test_a_memory_that_cannot_be_used_is_made_anew(site: Site, opened: Callable[[str], Any]) -> None:
    page = opened(f"{site.url}index.html")
    page.evaluate(KEPT)
    page.evaluate(REMEMBERED)
    page.evaluate(FORGOTTEN)
    page.reload()
    ready(page)
    page.evaluate(REMEMBERED)


def test_a_bar_shows_how_much_of_python_has_come(site: Site, opened: Callable[[str], Any]) -> None:
    page = opened(f"{site.url}meaning.html")
    held: list[Any] = []
    page.route("**/first.bin", lambda route: held.append(route))
    page.goto(f"{site.url}index.html")
    bar = page.locator("[data-python] progress")
    bar.wait_for(timeout=LOADED)
    assert 0 < bar.evaluate("(bar) => bar.value") < 1
    for route in held:  # the page asks for it, and then the worker
        route.continue_()
    ready(page)
    assert bar.is_hidden()
