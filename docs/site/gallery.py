"""The packaged programs: a page that shows all of them, and each as it would stand in a journal, beside its Python."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from frame import DOCS, THEME, bar, told
from steps import empty

from cpl import outside
from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import CplError
from cpl.compiler.source import Source
from cpl.study.views.listing import as_page

_SHOWN = 14
"""Lines of a long program that the gallery shows."""

_WIDE_BAR = """\
<style>
html { overflow-x: clip; }
html body { padding-top: 0; }
body > .bar { margin: 0 calc(50% - 50vw) 1.5rem; }
</style>"""
"""The bar is as wide as the window, whose scroll bar `vw` counts with it; the text of a program is not."""

_BODY = re.compile("<body[^>]*>")
_PARTS = {
    "": "Programs",
    "library": "Libraries",
    "attested": "CPL in print",
}


def make(folder: Path) -> None:
    """Fill the folder with the programs, set."""
    empty(folder)
    for path in loader.packaged_files():
        page = folder / Path(outside.short_path(str(path))).with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        top = "../" * len(page.relative_to(folder).parts)
        icon = f'<link rel="icon" href="{top}_static/icon.svg">'
        sheet = f'<link rel="stylesheet" href="{top}assets/frame.css">'
        entry = loader.entry(str(path))
        title = entry.title or path.name
        about = told(f"{title} – cplc", f"{title}, in CPL and in Python. {entry.origin}")
        head = f"{icon}\n{about}{sheet}\n{_WIDE_BAR}\n{THEME}\n"
        text = _set(loader.program(path)).replace("<title>", f"{head}<title>", 1)
        body = _BODY.search(text)
        assert body is not None
        first = bar(DOCS, top) + _ways_out(top, path)
        page.write_text(f"{text[: body.end()]}\n{first}{text[body.end() :]}", encoding="utf-8")


def _ways_out(top: str, path: Path) -> str:
    """Where one goes from a program: to its text in the playground, and to the others."""
    example = urlencode({"example": outside.short_path(str(path))})
    links = {
        "Open in the playground": f"playground.html#{example}",
        "Gallery": "gallery.html",
    }
    items = [f'<li><a href="{top}{address}">{words}</a></li>' for words, address in links.items()]
    return f'<nav aria-label="This program"><ul>{"".join(items)}</ul></nav>'


def _set(source: Source) -> str:
    try:
        return as_page(source, pipeline.compile_source(source, pipeline.Options(repair=True)))
    except CplError:  # some texts of the 1960s cannot be compiled
        return as_page(source)


def page() -> str:
    """The gallery, as a page in Markdown."""
    return "\n".join(
        [
            "# Gallery\n",
            "The programs that come with cplc. Each opens in the playground, or as a page that shows it as a journal "
            "would have set it, beside its Python.\n",
            *_sections(),
        ]
    )


def _sections() -> Iterator[str]:
    part = None
    for path in sorted(loader.packaged_files(), key=_order):
        name = outside.short_path(str(path))
        if (here := name.rpartition("/")[0]) != part:
            part = here
            yield f"## {_PARTS[here]}\n"
        yield from _section(path, name)


def _order(path: Path) -> tuple[int, str]:
    """Part by part, and of the programs those of 1966 first."""
    part = outside.short_path(str(path)).rpartition("/")[0]
    return [*_PARTS].index(part), "" if part else loader.entry(str(path)).date


def _section(path: Path, name: str) -> Iterator[str]:
    entry = loader.entry(str(path))
    text = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    first = next(number for number, line in enumerate(text) if line and not line.startswith("||"))
    shown = text[first : first + _SHOWN] if len(text) > 2 * _SHOWN else text
    yield f"### {entry.title or name}\n"
    yield f"<p>{escape(entry.origin)}</p>\n"
    if name == "strachey.cpl":
        yield "![The first move that it chooses as compiled here, 14–19](docs/pictures/first-move.svg)\n"
    yield "\n".join(["~~~cpl", *shown, "~~~\n"])
    links = {
        "Open in the playground": f"playground.html#{urlencode({'example': name})}",
        f"All {len(text)} lines in print" if shown != text else "In print": f"programs/{name.removesuffix('cpl')}html",
    }
    parts = [f'<a href="{address}">{words}</a>' for words, address in links.items()]
    yield f'<p class="try">{" · ".join(parts)}</p>\n'
