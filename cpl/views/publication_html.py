"""A program as a page that can be read, printed and sent: a publication in, one file without scripts out.

The layout is the author's: what is copied from the page is the text itself. Names lead to their definitions. Where the
Python stands beside the CPL, the lines that belong together light up together.
"""

import html
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from cpl.outside import escape
from cpl.views.publication import Block, Publication, Sign
from cpl.views.style import COLOURS, LISTINGS, coloured, marked, palette

_LONG: Final = 8
"""A program that defines so many names has a list of them."""


def as_page(publication: Publication, *, numbered: bool = False) -> str:
    """The whole page; `numbered` for line numbers beside the CPL, which are not copied with it."""
    title = escape(publication.title)
    columns = "with-python" if any(block.python for block in publication.blocks) else ""
    lit = sorted({line for block in publication.blocks for _, line in block.python if line})
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{_STYLE}{_PRINTED_BESIDE if columns else ""}{"".join(map(_lit, lit))}</style>
</head>
<body class="{"numbered " if numbered else ""}{columns}">
<header>
<h1>{title}</h1>
{_paragraphs(publication)}</header>
{_contents(publication)}<main>
{"".join(_row(block, publication) for block in publication.blocks)}</main>
</body>
</html>
"""


def _paragraphs(publication: Publication) -> str:
    """What stands below the title."""
    notes = [publication.origin] if publication.origin else []
    for repair in publication.repairs:
        notes.append(
            f"The text stands as it was printed. It has an error; links and Python need this repair: {repair}."
        )
    return "".join(f"<p>{escape(note)}</p>\n" for note in notes)


def _contents(publication: Publication) -> str:
    names = list(dict.fromkeys(name for _, name in sorted(publication.definitions.items())))
    if len(names) < _LONG:
        return ""
    links = "\n".join(f"<li>{_link(name, escape(name))}</li>" for name in names)
    return f'<nav aria-label="Definitions"><ul>\n{links}\n</ul></nav>\n'


def _row(block: Block, publication: Publication) -> str:
    """A block, its Python beside it if there is any."""
    lit = {line for _, line in block.python}
    lines = []
    for number in range(block.first, block.last + 1):
        text = "".join(_sign(sign, publication) for sign in publication.lines[number - 1])
        lines.append(_line(text, number if number in lit else None, publication.lines, number, 0))
    python = coloured("\n".join(line for line, _ in block.python), python=True) if block.python else []
    beside = "".join(_line(text, number, (), 0, -1) for text, (_, number) in zip(python, block.python, strict=True))
    right = f'<pre class="python">{beside}</pre>\n' if beside else ""
    return f'<div class="row">\n<pre class="cpl">{"".join(lines)}</pre>\n{right}</div>\n'


def _line(text: str, group: int | None, lines: Sequence[object], number: int, tab: int) -> str:
    """A line with its end, so that it can be copied. The tab key goes to those of one side."""
    end = "" if number and number == len(lines) else "\n"
    if group is None:
        return f"<span>{text}{end}</span>" if text or end else ""
    return f'<span class="l{group}" tabindex="{tab}">{text}{end}</span>'


def _lit(group: int) -> str:
    return f".row:has(.l{group}:is(:hover, :focus)) .l{group} {{ background: var(--lit); }}\n"


_TAGS: Final = {"word": "b", "small": "i"}


def _sign(sign: Sign, publication: Publication) -> str:
    """A sign as HTML: bold, in italics, faint, a definition, or a link to one."""
    text = marked(html.escape(sign.text))
    match sign.role:
        case "comment" | "string":
            text = f'<span class="{sign.role}">{text}</span>'
        case "section" if sign.text.startswith("§|"):
            text = f'§<span class="stroke">|</span>{marked(html.escape(sign.text[2:]))}'
        case "word" | "small":
            text = f"<{_TAGS[sign.role]}>{text}</{_TAGS[sign.role]}>"
    if name := publication.definitions.get(sign.start):
        return f'<dfn id="{escape(name)}">{text}</dfn>'
    if name := publication.uses.get(sign.start):
        return _link(name, text)
    return text


def _link(name: str, text: str) -> str:
    return f'<a href="#{quote(name)}">{text}</a>'


_INK_ON_PAPER: Final = "".join(
    f" --{name}: {'#555' if name == 'faint' else '#fff' if name in ('page', 'card') else '#000'};"
    for name in ("page", "card", "ink", "faint", "name", "string", "fails")
    if name in COLOURS
)

_STYLE: Final = (
    palette(":root")
    + LISTINGS
    + f"""\
:root {{ color-scheme: light dark; --lit: color-mix(in srgb, var(--different) 22%, var(--page)); }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 2.5rem 1.5rem 5rem; max-width: 60rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }}
body.with-python {{ max-width: 96rem; }}
header {{ max-width: 70ch; margin-bottom: 1.5rem; }}
h1 {{ font-size: 1.6rem; line-height: 1.25; margin: 0 0 .4rem; text-wrap: balance; }}
header p {{ margin: .3rem 0; color: var(--faint); }}
nav {{ margin: 0 0 1.8rem; padding: .7rem 0; border: solid var(--line); border-width: 1px 0; font-size: .9rem; }}
nav ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; margin: 0; padding: 0; list-style: none; }}
a {{ color: inherit; text-decoration: none; }}
nav a, header a {{ color: var(--name); }}
a:hover, a:focus-visible {{ text-decoration: underline; text-decoration-color: var(--different);
  text-underline-offset: 3px; }}
dfn {{ font-style: normal; scroll-margin-top: 2rem; }}
dfn:target {{ background: var(--lit); box-shadow: 0 0 0 .2em var(--lit); border-radius: 1px; }}
main {{ counter-reset: line; margin: 0 -.5rem; }}
pre {{ margin: 0; overflow-x: auto; white-space: pre; tab-size: 8; color: var(--ink);
  font: 15px/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }}
pre > span {{ display: block; min-width: max-content; min-height: 1.55em; padding: 0 .5rem; }}
pre > span:focus-visible {{ outline: none; box-shadow: inset 3px 0 var(--different); }}
pre.python {{ font-size: 13.5px; }}
.comment {{ color: var(--faint); }}
.stroke {{ position: relative; left: -.6em; margin-right: -.6em; }}
.numbered .cpl > span {{ counter-increment: line; }}
.numbered .cpl > span::before {{ content: counter(line); display: inline-block; width: 2.2em; margin-right: 1.5em;
  text-align: right; color: var(--faint); font-size: .8em; }}
.with-python .row {{ display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); gap: 0 2rem;
  margin-bottom: .8rem; }}
.with-python .row > pre:only-child {{ grid-column: 1 / -1; }}
@media (max-width: 64rem) {{
  .with-python .row {{ grid-template-columns: minmax(0, 1fr); }}
  .with-python pre.python {{ margin: 0 0 1.5rem; padding-left: .5rem; border-left: 2px solid var(--line); }}
}}
@media (max-width: 30rem) {{
  body {{ padding: 1.2rem .8rem 3rem; }}
  h1 {{ font-size: 1.3rem; }}
  pre {{ font-size: 13.5px; }}
  pre.python {{ font-size: 13px; }}
}}
@page {{ margin: 18mm; }}
@media print {{
  :root {{ color-scheme: light;{_INK_ON_PAPER} }}
  body, body.with-python {{ max-width: none; padding: 0; font-size: 10pt; }}
  nav {{ display: none; }}
  header, .row {{ break-inside: avoid; }}
  pre, pre.python {{ overflow: visible; font-size: 8.4pt; white-space: pre-wrap; }}
  pre > span {{ min-width: 0; padding: 0 0 0 3em; text-indent: -3em; break-inside: avoid; }}
}}
"""
)

_PRINTED_BESIDE: Final = """\
@page { size: landscape; margin: 12mm; }
@media print {
  .with-python .row { grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); gap: 0 1.5em; }
  .with-python pre.python { margin: 0; padding: 0; border: 0; }
  pre, pre.python { font-size: 7pt; }
}
"""
