"""The pages, with all that can be shown before Python is there: pictures, programs in colour, tables.

A page of `pages` has marks `<!-- fill: NAME -->`; each is replaced by what the function of that name in FILLED gives.
"""

import re
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from cpl import compare_readings, diff, loader, outside, search_tree
from cpl.edit.browser import answers, games
from cpl.games.playable import NAMES, game_of
from cpl.games.players import STRENGTHS
from cpl.views.listing import coloured
from cpl.views.style import LISTINGS, embedded, palette

_HERE: Final = Path(__file__).parent
_PAGES: Final = _HERE / "pages"

_PROGRAM: Final = "strachey.cpl"
_ON_TOP: Final = "NextMoveDirection"
_CALL: Final = "NextMoveDirection(5)"
_OPENING: Final = "ChosenPosition(StartPosition)"

_FIRST: Final = "attested/s63-fact.cpl"
"""What the playground shows before anything is chosen."""
_CALLS: Final = {
    "strachey.cpl": _OPENING,
    "strachey-original.cpl": "LegalPositionsFrom(StartPosition)",
    "strachey-search.cpl": "StartPosition",
    "attested/s63-fact.cpl": "Fact[5]",
    "attested/s63-fact1.cpl": "Fact1[5]",
    "attested/s63-fact2.cpl": "Fact2[5]",
    "attested/s63-fact2-progopedia-corrected.cpl": "Fact2[5]",
    "attested/s63-fact2-two-hyphens-corrected.cpl": "Fact2[5]",
    "attested/s65-impossible-program.cpl": "value of § P; result is T[P] §",
    "pendulum.cpl": "ByMean[1]",
    "simple-checkers.cpl": "SimpleCheckers(StartBoard, -1, 2)",
}
"""A call to begin with, for some of the programs."""

_POSITIONS: Final = 200
_INPUTS: Final = 40
"""Of experiments whose results the pages show."""

_OWN: Final = ("strachey:2", "strachey:0", "strachey:1", "strachey:3")
_PLAYERS: Final = ("random:1", "minimax:2", "alphabeta:2", "alphabeta:4", "alphabeta:5", "alphabeta:3s")

_TITLES: Final = {
    "index": "CPL in your browser",
    "playground": "Playground",
    "play": "Play",
    "meaning": "What did it mean?",
}
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'"
)


def pages() -> dict[str, str]:
    """The finished pages by their file names."""
    return {path.name: _filled(path.read_text(encoding="utf-8")) for path in sorted(_PAGES.glob("*.html"))}


def assets() -> dict[str, str]:
    """The other files that are made from the package, by their names in the folder `assets`."""
    site, editor = ((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("site", "editor"))
    return {
        "style.css": palette(":root") + LISTINGS + site + editor,
        "try.css": f"{palette('cpl-try')}cpl-try {{\n{LISTINGS}{editor}}}\n",
    }


def _filled(text: str) -> str:
    return re.sub(r"<!-- fill: (\w+) -->", lambda mark: FILLED[mark[1]](), text)


def _head(name: str) -> str:
    links = "".join(
        f'<a href="{page}.html"{" aria-current=page" if page == name else ""}>{label}</a>\n'
        for page, label in (("index", "cplc"), ("playground", "Playground"), ("play", "Play"), ("meaning", "Meaning"))
    )
    title = _TITLES[name] if name == "index" else f"{_TITLES[name]} – cplc"
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(title)}</title>
<link rel="icon" href="_static/icon.svg">
<link rel="stylesheet" href="assets/style.css">
<script src="assets/here.js"></script>
</head>
<body class="{name}">
<header><nav aria-label="Site">
{links}<a href="docs/index.html">Docs</a>
</nav></header>
"""


_NOTICE: Final = """\
<p class="notice from-file-only">Python runs here only from a web server. Type <code>python3 -m http.server</code> in
this folder, then open <code>http://localhost:8000</code>. Until then you see text and pictures.</p>
<noscript><p class="notice">Without scripts you see text and pictures; to edit and to run, allow the scripts of this
site.</p></noscript>
"""
_FOOT: Final = """\
<footer><p>cplc compiles CPL (1963–67) to Python. This site asks no other host for anything. Your browser keeps a
copy of it, which works without a net; what you write stays in the page.
<a href="licences.txt">The software of others in it</a> has licences of its own.</p>
</footer>
</body>
</html>
"""


def _listing(text: str, *, python: bool = False) -> str:
    lines = coloured(text.rstrip("\n"), python=python)
    return "".join(f'<span class="line">{line}</span>\n' for line in lines)


@cache
def _front() -> dict[str, Any]:
    """The program with one definition on top, and all that Python says of it."""
    text = loader.read(outside.packaged("programs") / _PROGRAM).text
    definitions = text.split("\n\n")
    definitions.sort(key=lambda each: not each.startswith(_ON_TOP))
    text = "\n\n".join(each.strip("\n") for each in definitions) + "\n"
    return {"name": _PROGRAM, "text": text, "call": _CALL, **_known(_PROGRAM, text)}


def _known(name: str, text: str) -> dict[str, Any]:
    return {"check": answers.check(name, text, "set"), "python": answers.python(name, text, "set")}


def _run(call: str) -> dict[str, Any]:
    return answers.run(_PROGRAM, _front()["text"], "set", call)


@cache
def _examples() -> list[dict[str, str]]:
    folder = outside.packaged("programs")
    found = []
    for path in loader.packaged_files():
        name = path.relative_to(folder).as_posix()
        if not name.startswith("library/"):
            title = loader.entry(str(path)).title or name
            text = loader.read(path).text
            found.append({"name": name, "title": f"{name.removeprefix('attested/')}: {title}", "text": text})
    return [{**each, "call": _CALLS.get(each["name"], "")} for each in found]


@cache
def _first() -> dict[str, Any]:
    example = next(each for each in _examples() if each["name"] == _FIRST)
    return {**example, **_known(_FIRST, example["text"])}


def _python_lines(known: dict[str, Any]) -> str:
    return "".join(f'<span class="line">{line}</span>\n' for line in known["python"]["lines"])


def _games() -> dict[str, Any]:
    return {
        name: {
            "title": game_of(name).title,
            "sides": game_of(name).sides,
            "players": [*(_OWN if name == "strachey" else ()), *_PLAYERS],
        }
        for name in sorted(NAMES, key=lambda each: each != "strachey")
    }


def _readings() -> str:
    found = compare_readings("strachey-original.cpl", _PROGRAM, positions=_POSITIONS, corrections=True)
    return found._repr_html_()


def _difference() -> str:
    return diff("strachey-original.cpl", _PROGRAM, inputs=_INPUTS, ordered=False)._repr_html_()


FILLED: Final[dict[str, Callable[[], str]]] = {
    **{f"head_{name}": lambda name=name: _head(name) for name in _TITLES},
    "notice": lambda: _NOTICE,
    "foot": lambda: _FOOT,
    "front_cpl": lambda: f"<pre>{_listing(_front()['text'])}</pre>",
    "front_python": lambda: _python_lines(_front()),
    "front_call": lambda: escape(_CALL),
    "front_value": lambda: escape(_run(_CALL)["values"][0]),
    "front_board": lambda: _run(_OPENING)["boards"][0],
    "front_tree": lambda: search_tree()._repr_html_(),
    "front_given": lambda: embedded(_front()),
    "playground_cpl": lambda: f"<pre>{_listing(_first()['text'])}</pre>",
    "playground_python": lambda: _python_lines(_first()),
    "playground_call": lambda: escape(_first()["call"]),
    "playground_given": lambda: embedded({"examples": _examples(), "first": _first()}),
    "play_board": lambda: games.state("strachey", "", [], flipped=False)["board"],
    "play_given": lambda: embedded({"games": _games(), "strengths": STRENGTHS}),
    "meaning_readings": _readings,
    "meaning_diff": _difference,
}
