"""The pages, with all that can be shown before Python is there: pictures, programs in colour, tables.

A page of `pages` has marks `<!-- fill: NAME -->`; each is replaced by what the function of that name in FILLED gives.
"""

import json
import re
from collections.abc import Callable
from functools import cache, partial
from html import escape
from itertools import product
from pathlib import Path
from typing import Any, Final

import address
import python_bundle
import screens
from frame import THEME, bar, style, told

import cpl
from cpl import compare_readings, diff, outside, search_tree
from cpl.compiler import loader, pipeline
from cpl.compiler.readings import KEYS, WORDS
from cpl.editors.browser import answers, games
from cpl.games.board import COLOURS, disc_inset
from cpl.games.playable import NAMES, game_of
from cpl.games.players import STRENGTHS
from cpl.study.compare import readings_table
from cpl.study.views.boards import board
from cpl.study.views.listing import coloured
from cpl.study.views.page_style import LISTINGS, embedded, palette

_HERE: Final = Path(__file__).parent
_PAGES: Final = _HERE / "pages"
_SCRIPTS_OF_HEADS: Final = _HERE / "scripts/head"
"""Scripts that stand in the heads of pages: one says when other scripts do not come, one begins Python."""
_WORKER: Final = "assets/worker.js"
"""The script in which Python runs."""

_PROGRAM: Final = "strachey.cpl"
_ON_TOP: Final = ("NextMoveDirection", "BestPosition")
_EDIT: Final = ("(v > V)", "(v >= V)")
"""What the front page suggests to change, and to what."""
_CALL: Final = "NextMoveDirection(5)"
_OPENING: Final = "ChosenPosition(StartPosition)"
_ORIGINAL: Final = "strachey-original.cpl"
_REPAIRED: Final = "strachey-original-repaired"
"""What its example is called in which its slip is repaired."""
_GROUPS: Final = {"modern": "Of later authors", "2026": "Ours, in CPL", "": "Libraries"}
"""Examples that are not of the 1960s, by their dates; libraries have none."""

_FIRST: Final = "attested/s63-fact.cpl"
"""What the playground shows before anything is chosen."""
_CALLS: Final = {
    "strachey.cpl": _OPENING,
    _ORIGINAL: "LegalPositionsFrom(StartPosition)",
    "strachey-search.cpl": "StartPosition",
    "attested/s63-fact.cpl": "Fact[5]",
    "attested/s63-fact1.cpl": "Fact1[5]",
    "attested/s63-fact2.cpl": "Fact2[5]",
    "attested/s63-fact2-progopedia-corrected.cpl": "Fact2[5]",
    "attested/s63-fact2-two-hyphens-corrected.cpl": "Fact2[5]",
    "attested/s65-impossible-program.cpl": "value of § P; result is T[P] §",
    "attested/s66-product-reconstructed.cpl": "Product[[[1,2],[3,4],[5]]]",
    "pendulum.cpl": "ByMean[1]",
    "simple-checkers.cpl": "SimpleCheckers(StartBoard, -1, 2)",
}
"""A call to begin with, for some of the programs."""

_KING: Final = "MakeMove((Logical([8]),Zero,Logical([8]),White),NonCapture,-4,Logical([8]))"
_WHERE: Final = {0: "nowhere", 1 << 8: "where he was", 1 << 12: "where he went", 1 << 8 | 1 << 12: "in two places"}
"""By the squares of kings after his move."""

_POSITIONS: Final = 200
_INPUTS: Final = 40
"""Of experiments whose results the pages show."""

_OWN: Final = ("strachey:2", "strachey:0", "strachey:1", "strachey:3")
_PLAYERS: Final = ("random:1", "minimax:2", "alphabeta:2", "alphabeta:4", "alphabeta:5", "alphabeta:3s")

_OF_PYTHON: Final = (_WORKER, *(f"python/{name}" for name in python_bundle.FIRST))
_EARLY: Final = {
    "index": _OF_PYTHON,
    "playground": _OF_PYTHON,
    "lessons": _OF_PYTHON,
    "play": ("assets/games.js", "native/programs.json", "native/strachey.wasm"),
}
"""What pages ask for in their heads, as they need it before they can do anything, and scripts of editors are large."""

_TITLES: Final = {
    "index": "CPL in your browser",
    "playground": "Playground",
    "lessons": "Lessons",
    "play": "Play",
    "meaning": "What did it mean?",
    "offline": "Without a connection",
    "404": "There is no such page",
}
_DESCRIPTIONS: Final = {
    "index": "Christopher Strachey's checkers program of 1966, compiled from CPL to readable Python, to be edited.",
    "playground": "Write CPL of 1963, or open a text of the 1960s, and see its Python, its types and its steps.",
    "lessons": "CPL, the ancestor of BCPL and C, in twelve short lessons with programs to change and tasks to solve.",
    "play": "Play checkers against the program of 1966, or a stronger one, and see why it moves as it does.",
    "meaning": "The printed text of 1966 can be read in sixteen ways. What each of them does, tried on positions.",
    "offline": "Pages of this site that the browser has kept.",
    "404": "This site has no page at this address.",
}
"""A sentence on each page, for those who see a link to it."""

_ANYWHERE: Final = "404"
"""The page that servers show at any address. It has its style in itself, and finds out where the site is."""


def pages() -> dict[str, str]:
    """The finished pages by their file names."""
    return {path.name: _filled(path.read_text(encoding="utf-8")) for path in sorted(_PAGES.glob("*.html"))}


def assets() -> dict[str, str]:
    """The other files that are made from the package, by their names in the folder `assets`."""
    sheets = ("site", "editor", "workplace")
    site, editor, workplace = ((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in sheets)
    of_boards = f":root {{ --arrow: {COLOURS['arrow']}; --disc: {disc_inset()}; }}\n"
    examples = {f"examples/{example['id'].replace('/', '-')}.json": _example_file(example) for example in _examples()}
    return {
        "style.css": style() + of_boards + LISTINGS + site + editor + workplace,
        "frame.css": style(),
        "lessons.css": (_HERE / "lessons.css").read_text(encoding="utf-8"),
        "try.css": f"{palette('cpl-try')}cpl-try {{\n{LISTINGS}{editor}}}\n",
        **examples,
    }


def _filled(text: str) -> str:
    return re.sub(r"<!-- fill: (\w+) -->", lambda mark: FILLED[mark[1]](), text)


def _head(name: str) -> str:
    title = _TITLES[name] if name == "index" else f"{_TITLES[name]} – cplc"
    early = _EARLY.get(name, ())
    asked_early = "".join(map(_asked_early, early))
    texts = [(_SCRIPTS_OF_HEADS / f"{script}.js").read_text(encoding="utf-8") for script in _scripts_of_head(name)]
    started = "".join(f"<script>{text}</script>" for text in texts)
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
{told(title, _DESCRIPTIONS[name])}{THEME}
{_sheets(name)}{asked_early}{started}
</head>
<body class="{name}">
<header>{bar(name, "")}</header>
"""


def _scripts_of_head(name: str) -> list[str]:
    """The scripts that stand in the head of a page, besides that of its theme."""
    if name == _ANYWHERE:
        return ["first", "found"]
    return ["first", "python"] if _WORKER in _EARLY.get(name, ()) else ["first"]


def _sheets(name: str) -> str:
    """The icon and the style sheets of a page, some of which only this page has."""
    if name == _ANYWHERE:
        rules = (_HERE / "site.css").read_text(encoding="utf-8")
        return f"<style>\n{style()}{rules}</style>\n"
    sheets = ["style", name] if (_HERE / f"{name}.css").exists() else ["style"]
    links = "".join(f'<link rel="stylesheet" href="assets/{sheet}.css">\n' for sheet in sheets)
    return f'<link rel="icon" href="_static/icon.svg">\n{links}'


def _asked_early(address: str) -> str:
    """The link by which a page asks for what its worker loads."""
    kind = "script" if address.endswith("js") else "fetch"
    return f'<link rel="preload" href="{address}" as="{kind}" crossorigin>\n'


_NOTICE: Final = """\
<p class="notice from-file-only">Python runs here only from a web server. Type <code>python3 -m http.server</code> in
this folder, then open <code>http://localhost:8000</code>. Until then you see text and pictures.</p>
<p id="trouble" class="notice fault" role="alert" hidden></p>
<noscript><p class="notice">Without scripts you see text and pictures. To edit, run and play, allow the scripts of this
site.</p></noscript>
"""
_FOOT: Final = """\
<footer><p>cplc compiles CPL (1963–67) to Python. This site asks no other host for anything. Your browser keeps a
copy of it, which works without a net, and what you write: <a href="docs/security.html#the-site">what is kept where</a>.
<a href="licences.txt">The software and the texts of others in it</a> are not under ours.</p>
{links}</footer>
</body>
</html>
"""


def foot(place: address.Address | None) -> str:
    """The end of a page; if the project has an address, with links to it and the version."""
    links = ""
    if place:
        source, report = escape(place.source), escape(place.report)
        links = f'<p><a href="{source}">Source</a>, <a href="{report}">Report a mistake</a>, {cpl.__version__}</p>\n'
    return _FOOT.format(links=links)


def _listing(text: str, *, python: bool = False) -> str:
    lines = coloured(text.rstrip("\n"), python=python)
    return "".join(f'<span class="line">{line}</span>\n' for line in lines)


@cache
def _front() -> tuple[dict[str, Any], dict[str, Any]]:
    """The program with two definitions on top, and after the edit that the page suggests, with what is known of it."""
    definitions = loader.read(outside.packaged("programs") / _PROGRAM).text.split("\n\n")
    definitions.sort(key=lambda definition: not definition.startswith(_ON_TOP))
    text = "\n\n".join(definition.strip("\n") for definition in definitions) + "\n"
    original, suggested = (
        {
            **_known(_PROGRAM, version),
            "opening": answers.opening(_PROGRAM, version, "set"),
            "result": answers.run(_PROGRAM, version, "set", _CALL)["values"][0],
        }
        for version in (text, text.replace(*_EDIT))
    )
    for side, before, after in (
        ("cpl", text.split("\n"), suggested["text"].split("\n")),
        ("python", original["python"]["lines"], suggested["python"]["lines"]),
    ):
        numbered = enumerate(zip(before, after, strict=True), 1)
        suggested["python"]["changed"][side] = [number for number, lines in numbered if lines[0] != lines[1]]
    return original, suggested


def _known(name: str, text: str) -> dict[str, Any]:
    """What a page shows of a text before Python is there; of one at fault there is no Python."""
    check = answers.check(name, text, "set")
    is_sound = all(finding["severity"] != "error" for finding in check["diagnostics"])
    return {"text": text, "check": check, "python": answers.python(name, text, "set") if is_sound else None}


@cache
def _examples() -> list[dict[str, str]]:
    """The packaged programs, those of a year together, and the transcribed text of 1966 with its slip repaired."""
    folder = outside.packaged("programs")
    found = []
    for path in loader.packaged_files():
        name = path.relative_to(folder).as_posix()
        entry, text = loader.entry(str(path)), loader.read(path).text
        group = _GROUPS.get(entry.date, f"CPL of {entry.date}")
        shown = {"name": name, "group": group, "origin": entry.origin, "call": _CALLS.get(name, "")}
        found.append({**shown, "id": name, "title": entry.title or name, "text": text})
        if name == _ORIGINAL:
            meaning = pipeline.understand(loader.program(path), pipeline.Options(repair=True))
            title, repaired = f"{entry.title}, its slip repaired", readings_table.mended(meaning).text
            found.append({**shown, "id": _REPAIRED, "title": title, "text": repaired})
    return sorted(found, key=lambda example: (example["group"] in _GROUPS.values(), example["group"]))


def _example_file(example: dict[str, str]) -> str:
    return json.dumps(_known(example["name"], example["text"]), ensure_ascii=False)


@cache
def _first() -> dict[str, Any]:
    example = next(example for example in _examples() if example["id"] == _FIRST)
    return {**example, **_known(_FIRST, example["text"])}


def _python_lines(known: dict[str, Any]) -> str:
    return "".join(f'<span class="line">{line}</span>\n' for line in known["python"]["lines"])


def _games() -> dict[str, Any]:
    return {
        name: {
            "title": game_of(name).title,
            "sides": game_of(name).sides,
            "below": game_of(name).below,
            "players": [*(_OWN if name == "strachey" else ()), *_PLAYERS],
        }
        for name in sorted(NAMES, key=lambda each: each != "strachey")
    }


def _board_of_black() -> str:
    """The board on which a visitor begins to play: his men, which move first, stand below."""
    game = game_of("strachey")
    state = games.state(game.name, "", [], flipped=game.is_turned_for(game.sides[:1]))
    return str(state["board"])


def _readings() -> str:
    found = compare_readings(_ORIGINAL, _PROGRAM, positions=_POSITIONS, corrections=True)
    return _below(found._repr_html_())


def _difference() -> str:
    return _below(diff(_ORIGINAL, _PROGRAM, inputs=_INPUTS, ordered=False)._repr_html_())


def _below(html: str) -> str:
    """A view whose headings stand below that of the page."""
    return re.sub(r"(?<=<h|/h)[1-5](?=[ >])", lambda rank: str(int(rank[0]) + 1), html)


def _king() -> str:
    """Where a white king is, by the printed text, who went from square 8 to square 12: a board for each reading."""
    figures = []
    for and_, plusminus in product(KEYS["and"], KEYS["plusminus"]):
        reading = f"and={and_},plusminus={plusminus},nil=zero"
        meaning = pipeline.understand(
            loader.program(_ORIGINAL), pipeline.Options(reading=reading, repair=True), [_KING]
        )
        own, other, kings, side, _ = [*pipeline.evaluations(pipeline.executable_of(meaning))][-1]
        words = f"{WORDS[and_]}, {WORDS[plusminus]}: the king is <strong>{_WHERE[kings.bits]}</strong>."
        drawn = board((own, other, kings, side)).svg()
        figures.append(f"<figure>{drawn}<figcaption>{words}</figcaption></figure>")
    return f'<div class="boards">{"".join(figures)}</div>'


def _origin(name: str) -> str:
    """Where a packaged program is from, and whose it is."""
    return escape(loader.entry(str(outside.packaged("programs") / name)).origin)


FILLED: Final[dict[str, Callable[[], str]]] = {
    **{f"head_{name}": partial(_head, name) for name in _TITLES},
    "notice": lambda: _NOTICE,
    "foot": lambda: foot(address.read(address.ROOT)),
    "front_cpl": lambda: f"<pre>{_listing(_front()[0]['text'])}</pre>",
    "front_python": lambda: _python_lines(_front()[0]),
    "front_call": lambda: escape(_CALL),
    "front_value": lambda: escape(_front()[0]["result"]),
    "front_origin": partial(_origin, _PROGRAM),
    "front_move": lambda: escape(_front()[0]["opening"]["move"]),
    "front_board": lambda: _front()[0]["opening"]["board"],
    "front_tree": lambda: search_tree()._repr_html_(),
    "front_given": lambda: embedded(
        {"name": _PROGRAM, "call": _CALL, "original": _front()[0], "suggested": _front()[1]}
    ),
    "playground_cpl": lambda: f"<pre>{_listing(_first()['text'])}</pre>",
    "playground_python": lambda: _python_lines(_first()),
    "playground_origin": lambda: escape(_first()["origin"]),
    "playground_call": lambda: escape(_first()["call"]),
    "playground_given": lambda: embedded({"examples": _examples(), "first": _first()}),
    "lessons_plan": screens.plan,
    "lessons_screens": screens.screens,
    "lessons_given": lambda: embedded({"lessons": screens.given()}),
    "play_board": _board_of_black,
    "play_given": lambda: embedded({"games": _games(), "strengths": STRENGTHS}),
    "meaning_king": _king,
    "meaning_readings": _readings,
    "meaning_diff": _difference,
    "meaning_origin": partial(_origin, _ORIGINAL),
}
