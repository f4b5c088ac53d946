"""The documentation by Sphinx: the pages of the checkout, the notebooks as they run now, a gallery, the interface."""

import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType

import gallery
from steps import empty, run

_API = {
    "cpl": "cpl: compile, load, compare",
    "cplrt": "cplrt: what compiled programs use",
    "cpl.games.game": "cpl.games.game: a game and its positions",
    "cpl.games.players": "cpl.games.players: who plays",
    "cpl.games.match": "cpl.games.match: games between players",
    "cpl.games.analysis": "cpl.games.analysis: the best moves of a position",
    "cpl.games.pdn": "cpl.games.pdn: files of games",
    "cpl.games.strachey": "cpl.games.strachey: the game of 1966",
    "cpl.games.checkers": "cpl.games.checkers: English draughts",
    "cpl.games.simple_checkers": "cpl.games.simple_checkers: a game without captures",
    "cpl.games.capture": "cpl.games.capture: the capture game",
}

_GATES = ("cpl", "cplrt", "cpl.games.checkers")
"""Packages that offer what their modules define."""


_ACCESSIBLE = {
    # What scrolls can be scrolled by keys.
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    # What a folded cell says is its name.
    '<summary aria-label="Toggle hidden content">': "<summary>",
    # The captions of the contents are headings, and those have a level.
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    # Parts of a page that are alike are told apart.
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    # A corner of a table is no heading.
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    # The page with the results of a search has a heading.
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
}


def make(folder: Path, root: Path) -> None:
    """Fill the folder."""
    source = empty(folder.parent / "docs-source")
    empty(source / "api")
    for page in [*root.glob("*.md"), root / "CITATION.cff", root / "pyproject.toml"]:
        shutil.copy(page, source)
    for name in ("docs", "notebooks", "programs", "grammar", "editors", "benchmarks", "LICENSES"):
        shutil.copytree(
            root / name, source / name, ignore=shutil.ignore_patterns("site", "build", "node_modules", "dist")
        )
    for name in ("docs/site/README.md", "tests/README.md"):
        (source / name).parent.mkdir()
        shutil.copy(root / name, source / name)
    for name, text in _api_pages():
        (source / name).write_text(text, encoding="utf-8")
    (source / "gallery.md").write_text(gallery.page(), encoding="utf-8")
    options = ["-b", "html", "-j", "2", "-q", "-W", "--keep-going", "-c", Path(__file__).resolve().parent]
    run(sys.executable, "-m", "sphinx", *options, "-d", empty(folder.parent / "docs-trees"), source, empty(folder))
    (folder / "docs/index.html").write_text(_to("README.html"), encoding="utf-8")
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for plain, accessible in _ACCESSIBLE.items():
            text = text.replace(plain, accessible)
        page.write_text(text, encoding="utf-8")


def _api_pages() -> Iterator[tuple[str, str]]:
    """A page for each module, with what it offers and none before it."""
    seen: set[object] = set()
    for module, title in _API.items():
        here = import_module(module)
        offered = {name: getattr(here, name) for name in vars(here).get("__all__", ())}
        again = [name for name, value in offered.items() if isinstance(value, type) and value in seen]
        seen.update(value for value in offered.values() if isinstance(value, type))
        options = ["   :imported-members:", "   :undoc-members:"] * (module in _GATES)
        if again:
            options.append(f"   :exclude-members: {', '.join(again)}")
        values = [
            f".. autodata:: {module}.{name}"  # what is imported and neither class nor function, automodule leaves out
            for name, value in offered.items()
            if module in _GATES and not isinstance(value, (type, FunctionType)) and not name.startswith("_")
        ]
        lines = [f"# {title}", "", "```{eval-rst}", f".. automodule:: {module}", *options, "", *values, "```", ""]
        yield f"api/{module}.md", "\n".join(lines)


def _to(page: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Documentation</title>\n'
        f'<meta http-equiv="refresh" content="0; url={page}"><p><a href="{page}">Documentation</a></p></html>\n'
    )
