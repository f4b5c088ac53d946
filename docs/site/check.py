"""What must hold of the built site: links lead somewhere, nothing comes from elsewhere, a first visit loads little."""

import gzip
import re
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import python_bundle

_LOADED: Final = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}


@dataclass
class _Page(HTMLParser):
    """The addresses that a page links and loads, and the places in it that links may lead to."""

    text: str
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            if value and (tag, name) in _LOADED:
                self.loaded.append(value)
            elif value and name == "href":
                self.links.append(value)


@cache
def _page(path: Path) -> _Page:
    return _Page(path.read_text(encoding="utf-8"))


def problems(site: Path) -> list[str]:
    """Broken links, what is loaded from another host, and addresses that are not relative, outside of JupyterLite."""
    found = []
    for path in sorted(site.rglob("*")):
        if path.relative_to(site).parts[0] == "lab":
            continue
        if path.suffix == ".html":
            page = _page(path)
            found += [_loaded(site, path, address) for address in page.loaded]
            found += [_linked(site, path, address) for address in page.links]
        elif path.suffix == ".css":
            text = path.read_text(encoding="utf-8")
            addresses = re.findall(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)", text)
            found += [_loaded(site, path, url or imported) for url, imported in addresses]
    return [problem for problem in found if problem]


def _loaded(site: Path, path: Path, address: str) -> str | None:
    if address.startswith(("data:", "#")):
        return None
    if urlsplit(address).netloc:
        return f"{path.relative_to(site)} loads {address}"
    return _linked(site, path, address)


def _linked(site: Path, path: Path, address: str) -> str | None:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    goal = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    goal = goal / "index.html" if goal.is_dir() else goal
    place = unquote(parts.fragment)
    if parts.path.startswith("/") or not goal.is_file() or not goal.is_relative_to(site):
        return f"{path.relative_to(site)} links {address}, which is not there"
    if place and "=" not in place and goal.suffix == ".html" and place not in _page(goal).places:
        return f"{path.relative_to(site)} links {address}, where the place is not there"
    return None


def first_visit(site: Path) -> int:
    """How many bytes a browser loads until the front page has compiled something, with what compresses compressed."""
    python = (site / "python" / name for name in python_bundle.FIRST)
    return sum(map(_size, [*python, *(site / "assets").iterdir(), site / "index.html"]))


def _size(path: Path) -> int:
    content = path.read_bytes()
    return min(len(content), len(gzip.compress(content, 6)))
