"""How the site loads: how much of Python has come, its memory, visits without a net, and a new build."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import opening
from visiting import Lasting, served

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

FILES = """async () => {
  const name = (await caches.keys()).find((name) => name.startsWith("site"));
  return (await (await caches.open(name)).keys()).map(({ url }) => url);
}"""
"""What is kept of the site."""
WHOLE = f"""async () => {{
  const hasGames = async () => (await ({FILES})()).some((file) => file.endsWith("strachey.wasm"));
  while (!(await hasGames())) await new Promise((done) => setTimeout(done, 50));
}}"""

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


def change(path: Path, pattern: str, replacement: str) -> None:
    text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"))
    assert count
    path.unlink()  # it is a file of the other site, too
    path.write_text(text, encoding="utf-8")


def publish(folder: Path, *names: str) -> None:
    """A new build, in which these pages have the title New."""
    for name in names:
        change(folder / name, "<title>.*?</title>", "<title>New</title>")
    change(folder / "service.js", '"version": "[^"]*"', '"version": "new"')


def test_a_new_build_takes_the_place_of_the_old_one(copy: Path, opened: Callable[[str], Any]) -> None:
    folder = copy / "some/folder"
    with served(copy) as origin:
        page = opened(f"{origin}some/folder/index.html")
        page.evaluate(KEPT)
        change(folder / "index.html", "<title>.*?</title>", "<title>Changed</title>")
        page.reload()
        assert page.title() != "Changed"
        publish(folder, "index.html")
        page.reload()
        page.evaluate(REPLACED)
        page.reload()
        assert page.title() == "New"


def test_after_an_update_the_next_visit_shows_the_new_documentation(copy: Path, opened: Callable[[str], Any]) -> None:
    """Also if the browser has a copy of its own of the old page."""
    with served(copy, Lasting) as origin:
        url = f"{origin}some/folder/docs/"
        page = opened(f"{url}tour.html")
        page.evaluate(KEPT)
        page.goto(f"{url}types.html")
        publish(copy / "some/folder", "docs/tour.html", "docs/types.html")
        page.goto(f"{url}tour.html")
        assert page.title() != "New"
        page.evaluate(REPLACED)
        for name in ("types", "tour"):
            page.goto(f"{url}{name}.html")
            assert page.title() == "New", name


def test_who_only_reads_keeps_pages_and_without_a_net_sees_which(
    copy: Path, opened: Callable[[str], Any], barriers: Callable[[Any], list[str]]
) -> None:
    with served(copy) as origin:
        url = f"{origin}some/folder/"
        page = opened(f"{url}docs/tour.html")
        page.evaluate(KEPT)
        page.goto(f"{url}docs/types.html")
        title = page.locator("h1").inner_text()
    assert not [name for name in page.evaluate(FILES) if re.search("python/|native/", name)]
    page.goto(f"{url}docs/errors.html#endless")
    page.wait_for_url(f"{url}offline.html*")
    page.locator("#wanted", has_text="has not kept docs/errors.html.").wait_for()
    assert page.locator("#again").get_attribute("href") == f"{url}docs/errors.html#endless"
    assert barriers(page) == []
    kept = page.locator("#kept a")
    kept.first.wait_for()
    addresses = kept.evaluate_all("all => all.map(({ href }) => href)")
    assert {each.removeprefix(url) for each in addresses} == {"docs/README.html", "docs/tour.html", "docs/types.html"}
    kept.and_(page.locator("[href$='types.html']")).click()
    page.wait_for_url(f"{url}docs/types.html")
    assert page.locator("h1").inner_text() == title
    page.go_back()
    page.goto(f"{url}docs/tour.html")
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui")


def test_who_reads_and_then_runs_keeps_all(copy: Path, opened: Callable[[str], Any]) -> None:
    with served(copy) as origin:
        url = f"{origin}some/folder/"
        page = opened(f"{url}docs/tour.html")
        page.evaluate(KEPT)
        page.goto(f"{url}playground.html")
        ready(page)
        page.evaluate(WHOLE)
    page.goto(f"{url}play.html")
    page.locator("#moves button").first.wait_for(timeout=LOADED)


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
