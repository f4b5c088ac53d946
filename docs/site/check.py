"""What must hold of the built site: what its pages show is there, in colour, links lead somewhere, nothing comes from
elsewhere, each has a policy, a first visit loads little.
"""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

import python_bundle

_LOADED: Final = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}

_SHOWN: Final = {
    "index.html": {"CPL", "Python", "board"},
    "playground.html": {"CPL", "Python"},
    "play.html": {"board"},
    "lessons.html": {"CPL", "board"},
    "meaning.html": {"board"},
    "gallery.html": {"CPL"},
    "docs/cpl-for-python-programmers.html": {"CPL"},
    "docs/language/2-definitions.html": {"CPL"},
    "notebooks/1-reading-the-1966-program.html": {"CPL", "Python", "board"},
    "programs/strachey.html": {"CPL", "Python"},
}
"""Pages that must be there, and what they must show."""
FIRST_GAME: Final = "strachey"
"""The game that the page to play on begins with."""
_IMPORTED: Final = re.compile(r"""(?:from|import)\s*["'](\./[^"']+)["']""")
"""What a script imports at its head, whose text is made small."""
_LANGUAGES: Final = {
    "cpl": "CPL",
    "highlight-cpl": "CPL",
    "highlight-cpl-cell": "CPL",
    "editor": "CPL",
    "python": "Python",
    "highlight-python": "Python",
    "highlight-ipython3": "Python",
}
"""The language of a listing, by a class of it or round it."""
_COLOUR: Final = re.compile(r"c-\w+|(?!g\d)[a-z]{1,2}\d?")
"""A class of a piece in colour, as cpl has them, and as Pygments has them."""
_COLOURFUL: Final = {"CPL": re.compile(r"\b[a-z]"), "Python": re.compile(r"\b(def|import)\b|\"")}
"""What is in colour wherever it stands."""
_POLICY_FIRST: Final = re.compile(
    r"(?:(?!<script|<style|<body).)*?<meta http-equiv=.Content-Security-Policy", re.DOTALL
)
"""The beginning of a page whose policy holds for all that it loads and runs."""


@dataclass
class _Page(HTMLParser):
    """The addresses that a page links and loads, the places in it that links may lead to, and what it shows.

    `listings` are the languages of what should be in colour, `shown` those of what is, and "board" for a board.
    """

    text: str
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)
    listings: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.around: list[str] = []  # languages of the elements that are open
        self.language = ""  # of the listing that is open
        self.caption = ""
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        words = " ".join(value or "" for name, value in attrs if name in ("class", "id")).split()
        language = next((_LANGUAGES[word] for word in words if word in _LANGUAGES), "")
        if tag == "div":
            self.around.append(language if "cpl" not in words else "")  # the class of any fragment
        elif tag == "figcaption":
            self.caption = "?"
        elif tag == "pre":
            self.language = language or self.caption or next(filter(None, reversed(self.around)), "")
        elif tag == "span" and any(map(_COLOUR.fullmatch, words)):
            self.shown |= {self.language} - {""}
        elif tag == "svg" and ("role", "img") in attrs:
            self.shown.add("board")
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            if value and (tag, name) in _LOADED:
                self.loaded.append(value)
            elif value and name == "href":
                self.links.append(value)

    def handle_data(self, data: str) -> None:
        if self.language and _COLOURFUL[self.language].search(data):
            self.listings.add(self.language)
        if self.caption == "?":
            self.caption = data if data in _LANGUAGES.values() else ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self.around:
            self.around.pop()
        elif tag == "figure":
            self.caption = ""
        elif tag == "pre":
            self.language = ""


@cache
def _page(path: Path) -> _Page:
    return _Page(path.read_text(encoding="utf-8"))


def problems(site: Path) -> list[str]:
    """What is missing or without colour, broken links, what is loaded from another host, and addresses that are not
    relative, outside of JupyterLite.
    """
    found = [_missing(site / name, name, parts) for name, parts in _SHOWN.items()]
    for path in sorted(site.rglob("*")):
        if path.suffix == ".html" and not _POLICY_FIRST.match(path.read_text(encoding="utf-8")):
            found.append(f"{path.relative_to(site)} has no policy before its scripts")
        if path.relative_to(site).parts[0] == "lab":
            continue
        if path.suffix == ".html":
            page = _page(path)
            found += [
                f"{path.relative_to(site)} has {language} without colours"
                for language in sorted(page.listings - page.shown)
            ]
            found += [_loaded(site, path, address) for address in page.loaded]
            found += [_linked(site, path, address) for address in page.links]
        elif path.suffix == ".css":
            text = path.read_text(encoding="utf-8")
            addresses = re.findall(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)", text)
            found += [_loaded(site, path, url or imported) for url, imported in addresses]
    return [problem for problem in found if problem]


def _missing(path: Path, name: str, parts: set[str]) -> str | None:
    if not path.is_file():
        return f"{name} is not there"
    lacking = parts - _page(path).shown
    return f"{name} shows no {' and no '.join(sorted(lacking))}" if lacking else None


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
    opened = [f"lab/files/{name}" for name in parse_qs(parts.query).get("path", ())]
    examples = parse_qs(parts.fragment).get("example", ())
    opened += [f"assets/examples/{name.replace('/', '-')}.json" for name in examples]
    for name in opened:
        if not (site / name).is_file():
            return f"{path.relative_to(site)} links {address}, which opens what is not there"
    if place and "=" not in place and goal.suffix == ".html" and place not in _page(goal).places:
        return f"{path.relative_to(site)} links {address}, where the place is not there"
    return None


def first_visit(site: Path) -> int:
    """How many bytes a browser loads until the front page has compiled something, with what compresses compressed."""
    python = (site / "python" / name for name in python_bundle.FIRST)
    return sum(map(_size, [*python, *(site / "assets").glob("*.*"), site / "index.html"]))


def first_move(site: Path) -> int:
    """How many bytes a browser loads until the page to play on takes a move, with what compresses compressed."""
    [programs] = (site / "native").iterdir()
    needed = loads(site / "play.html")
    needed |= {programs / "programs.json", programs / f"{FIRST_GAME}.wasm"}
    needed |= {*_with_imports(site / "assets" / "games.js")}
    return sum(map(_size, needed))


def loads(page: Path) -> set[Path]:
    """A page, and the files that it makes a browser load at once."""
    needed = {page}
    for address in _page(page).loaded:
        path = urlsplit(address).path
        if not address.startswith("data:") and not path.endswith(".html"):  # what a head links is not loaded
            needed |= {*_with_imports((page.parent / path).resolve())}
    return needed


def _with_imports(path: Path) -> Iterator[Path]:
    """A file, and if it is a script those that it imports, and so on."""
    yield path
    if path.suffix == ".js":
        for address in _IMPORTED.findall(path.read_text(encoding="utf-8")):
            yield from _with_imports((path.parent / address).resolve())


def _size(path: Path) -> int:
    content = path.read_bytes()
    return min(len(content), len(gzip.compress(content, 6)))
