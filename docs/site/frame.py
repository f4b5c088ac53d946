"""What stands round every page of the site: the bar, the theme, and what a link to the page shows elsewhere.

The pages that run CPL, the documentation, the gallery, the programs and the notebooks are made in five ways. They all
ask this module, so that they have one bar and one switch between day and night.
"""

from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Final

import address

from cpl.study.views.page_style import palette

_HERE: Final = Path(__file__).parent

DOCS: Final = "docs/index"
"""The room to which the documentation, the gallery, the programs and the notebooks belong."""

_DESCRIBED: Final = 200
"""Characters of a description."""

_PICTURE: Final = "_images/playground.png"
"""The picture of the README, where the documentation has it."""

_ROOMS: Final = (
    ("index", "cplc"),
    ("lessons", "Lessons"),
    ("playground", "Playground"),
    ("play", "Play"),
    ("meaning", "Meaning"),
    (DOCS, "Docs"),
)
"""Where the bar leads: pages, and the words for them."""

THEME: Final = f"<script>{(_HERE / 'scripts/head/theme.js').read_text(encoding='utf-8')}</script>"
"""The script in the head of each page that obeys the theme a visitor has chosen."""

RULES: Final = (_HERE / "frame.css").read_text(encoding="utf-8")
"""The rules of the bar and of the themes."""


def bar(here: str, top: str) -> str:
    """Return the bar of a page. `here` is the room that it belongs to, or "". `top` leads to the folder of the site: it
    is "../" for a page of `docs`.

    The button that switches the theme appears when the script `THEME` runs.
    """
    links = ""
    for page, words in _ROOMS:
        current = ' aria-current="page"' if page == here else ""
        links += f'<a href="{top}{page}.html"{current}>{words}</a>\n'
    switch = '<button type="button" data-theme-switch hidden></button>\n'
    return f'<nav class="bar" aria-label="Site">\n{links}{switch}</nav>\n'


def style() -> str:
    """Return the style sheet of the bar, with the colours of the project and the rules for the themes."""
    return palette(":root") + RULES


def told(title: str, description: str) -> str:
    """Return what other sites and search engines show of a page, as elements of its head. A long description is cut.
    There is a picture only if the site has a public address, as theirs must be whole.
    """
    description = shorten(description, _DESCRIBED, placeholder=" …")
    place = address.read(address.ROOT)
    picture = f"{place.homepage.rstrip('/')}/{_PICTURE}" if place and place.homepage else ""
    return "".join(
        [
            f'<meta name="description" content="{escape(description)}">\n',
            '<meta property="og:type" content="website">\n',
            '<meta property="og:site_name" content="cplc">\n',
            f'<meta property="og:title" content="{escape(title)}">\n',
            f'<meta property="og:description" content="{escape(description)}">\n',
            f'<meta property="og:image" content="{escape(picture)}">\n' if picture else "",
            f'<meta name="twitter:card" content="{"summary_large_image" if picture else "summary"}">\n',
        ]
    )
