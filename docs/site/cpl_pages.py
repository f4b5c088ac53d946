"""An extension of Sphinx: CPL in the colours of the project, and links from examples to where they can be run."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

import frame
from docutils import nodes
from pygments.lexers import TextLexer
from pygments.style import Style
from pygments.token import Comment, Error, Keyword, Name, Operator, String, Token, _TokenType
from sphinx import addnodes
from sphinx.application import Sphinx

from cpl.study.views.highlighting import CplLexer
from cpl.study.views.page_style import COLOURS

_LESSON: Final = "docs/cpl-for-python-programmers"
"""The page whose examples can be edited and run where they stand."""

_IN_LESSONS: Final = {_LESSON: "below", "docs/class": "class-1"}
"""Pages that are also lessons, and the name of the first lesson of each."""
_EVIDENCE: Final = "docs/evidence"
_CODE: Final = re.compile(r"[A-Z]\d+[a-z]?")
"""The code of a row of the evidence."""
_TAG: Final = re.compile("<[^>]*>")
_CELL: Final = re.compile(r"%%cpl\b")

_CONTENTS: Final = {
    "docs/README": {
        "Read": [
            "docs/tour",
            "notebooks/*",
            "docs/class",
            "docs/readings",
            "docs/rules",
            "docs/faults",
            "docs/transcriptions",
            "docs/macrogenerator",
            "programs/README",
            "programs/attested/README",
            "docs/1952",
            "docs/impossible-program",
            "docs/1965",
            "docs/evidence",
            "docs/dialects",
        ],
        "Write": [
            _LESSON,
            "docs/language/README",
            "gallery",
            "docs/errors",
            "docs/types",
            "docs/notebooks",
            "grammar/README",
            "editors/README",
        ],
        "Play": ["docs/play", "docs/pdn", "docs/descriptions", "docs/hub"],
        "Program": ["api/*", "docs/performance", "docs/scaling", "benchmarks/README"],
        "The project": ["README", "docs/interface", "docs/security", "CONTRIBUTING", "CHANGELOG"],
    },
    "docs/language/README": {"": ["?-*", "choices"]},
}
"""The contents that pages have in the sidebar. Other pages are found by links."""


def _style(night: int) -> type[Style]:
    colour = {name: pair[night] for name, pair in COLOURS.items()}

    class Listing(Style):
        background_color = colour["card"]
        highlight_color = colour["lit"]
        line_number_color = colour["faint"]
        styles: ClassVar[dict[Any, str]] = {
            Token: colour["ink"],
            Comment: f"italic {colour['faint']}",
            Keyword: "bold",
            Keyword.Pseudo: "nobold",
            Operator.Word: "bold",
            Name.Function: colour["name"],
            Name.Class: colour["name"],
            Name.Variable: "italic",
            String: colour["string"],
            Error: f"underline {colour['fails']}",
        }

    return Listing


class CellLexer(CplLexer):
    """A cell of a notebook that holds CPL: after the line with its magic, `%%cpl`, CPL."""

    name = "CPL in a notebook"
    aliases: ClassVar[list[str]] = ["cpl-cell"]
    filenames: ClassVar[list[str]] = []
    mimetypes: ClassVar[list[str]] = []

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield the magic, and the tokens of the CPL."""
        magic = text[: text.find("\n") + 1] or text
        yield 0, Comment.Preproc, magic
        for start, kind, part in super().get_tokens_unprocessed(text[len(magic) :]):
            yield len(magic) + start, kind, part


Day = _style(0)
Night = _style(1)


def _contents(app: Sphinx, docname: str, source: list[str]) -> None:
    """Give a page its contents, which code hosts would show as an odd block."""
    for caption, pages in _CONTENTS.get(docname, {}).items():
        heading = f":caption: {caption}\n" if caption else ""
        targets = "\n".join(page if docname != "docs/README" else f"/{page}" for page in pages)
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n:glob:\n:maxdepth: 1\n{heading}\n{targets}\n```\n"


def _ways_in(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Links to the playground below examples, and to JupyterLite below the title of a notebook."""
    top = "../" * docname.count("/")
    for node in [*tree.findall(nodes.literal_block)]:
        if node.get("language") == "cpl" and docname != "gallery":  # which links the packaged programs themselves
            fragment = urlencode({"text": node.astext()})
            link = f'<p class="try"><a href="{top}playground.html#{fragment}">Open in the playground</a></p>'
            lesson = docname == _LESSON
            before, after = ("<cpl-try>", "</cpl-try>") if lesson else ("", "")
            node.replace_self([_html(before), node, _html(after + link)])
    if docname == _LESSON:
        tree += _html(f'<link rel="stylesheet" href="{top}assets/try.css">')
        tree += _html(f'<script type="module" src="{top}assets/try.js"></script>')
    first_lesson = _IN_LESSONS.get(docname)
    if first_lesson and (title := next(tree.findall(nodes.title), None)):
        link = f'<a href="{top}lessons.html#{first_lesson}">In lessons</a>, one at a time, with a check of each answer'
        title.parent.insert(title.parent.index(title) + 1, _html(f'<p class="try">{link}</p>'))
    if docname.startswith("notebooks/") and (title := next(tree.findall(nodes.title), None)):
        file = f"{docname.removeprefix('notebooks/')}.ipynb"
        link = f'<a href="{top}lab/lab/index.html?path={file}">Open in the browser</a>, to run and change it'
        title.parent.insert(title.parent.index(title) + 1, _html(f'<p class="try">{link}</p>'))


def _set_programs(app: Sphinx, tree: nodes.document) -> None:
    """A link to the text of a program leads to the page on which it is set."""
    for node in [*tree.findall(addnodes.download_reference)]:
        path = app.env.relfn2path(node["reftarget"])[0]
        if path.startswith("programs/") and path.endswith(".cpl"):
            address = "../" * app.env.docname.count("/") + path.removesuffix("cpl") + "html"
            node.replace_self(nodes.reference("", "", *node.children, refuri=address, internal=True))


def _colour_cells(app: Sphinx, tree: nodes.document) -> None:
    """Cells that hold CPL have its colours, and not those of Python."""
    for node in tree.findall(nodes.literal_block):
        if _CELL.match(node.astext()):
            node["language"] = "cpl-cell"


def _name_rows(app: Sphinx, tree: nodes.document) -> None:
    """Links lead to the rows of the evidence by their codes."""
    if app.env.docname != _EVIDENCE:
        return
    for row in tree.findall(nodes.row):
        code = next(row.findall(nodes.entry)).astext()
        if _CODE.fullmatch(code):
            row["ids"].append(code)


def _set_examples(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Docstrings mark listings as Markdown does, by their indentation alone."""
    for number in range(len(lines) - 1, 0, -1):
        before = next((line for line in reversed(lines[:number]) if line), "")
        if lines[number].startswith("    ") and not lines[number - 1] and not before.startswith(" "):
            lines[number:number] = ["::", ""]


def _fields(app: Sphinx, what: str, name: str, value: object, *rest: object) -> tuple[str, None] | None:
    """The heading of a record: its fields, which its constructor takes."""
    if what == "class" and (fields := getattr(value, "__record_fields__", None)):
        return f"({', '.join(field for field in fields if not field.startswith('_'))})", None
    return None


def _frame(app: Sphinx, name: str, template: str, context: dict[str, Any], tree: nodes.document | None) -> None:
    """Give the template of a page the bar of the site, the script of its theme, and what a link to it shows."""
    context["bar"] = frame.bar(frame.DOCS, "../" * name.count("/"))
    context["theme_script"] = frame.THEME
    paragraph = next(tree.findall(nodes.paragraph), None) if tree else None
    if paragraph is not None:
        title = unescape(_TAG.sub("", context["title"]))
        context["metatags"] += frame.told(f"{title} – cplc", paragraph.astext())


def _html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register all of it."""
    for name in ("output", "error", "input"):
        app.add_lexer(name, TextLexer)
    app.add_lexer("cpl-cell", CellLexer)
    app.connect("source-read", _contents)
    app.connect("autodoc-process-docstring", _set_examples)
    app.connect("autodoc-process-signature", _fields)
    app.connect("doctree-read", _set_programs, priority=400)  # before Sphinx collects what is to be downloaded
    app.connect("doctree-read", _colour_cells)
    app.connect("doctree-read", _name_rows)
    app.connect("doctree-resolved", _ways_in)
    app.connect("html-page-context", _frame)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
