"""What all views share: colours by day and by night, style sheets, pages, fragments, and scripts with their data.

A view writes HTML and CSS for what it shows, and one of these functions puts them round it:

    page("A report", PAGE_STYLE, "<h1>A report</h1>")                       a file by itself
    fragment("tree", "figure { margin: 0; }", "<figure>…</figure>")         what a notebook shows of a value
    f"<script>{bundle('step_view')}</script>"                               a script and all that it imports
    f'<script type="application/json">{embedded([1, 2])}</script>'          the data of a script

A fragment takes its grounds and ink from the theme of the notebook. The colours of a board are in
`games/board_style.json`.
"""

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from posixpath import normpath
from types import MappingProxyType
from typing import Any, Final

from cpl import outside
from cpl.compiler.diagnostics import CplError, Diagnostic, most_shown, render
from cpl.outside import printable

COLOURS: Final = {
    "page": ("#fdfcf9", "#161613"),
    "ink": ("#1d1d1b", "#e9e6dc"),
    "faint": ("#6a675f", "#a8a498"),
    "line": ("#dcd8cd", "#3b3932"),
    "card": ("#ffffff", "#1f1e1a"),
    "before": ("#a3290e", "#ffa48f"),
    "before-back": ("#fbe9e4", "#45201a"),
    "after": ("#14682e", "#8fdca3"),
    "after-back": ("#e4f4e7", "#173a21"),
    "same": ("#83947a", "#73826a"),
    "different": ("#c8700f", "#d98a3a"),
    "fails": ("#b3261e", "#f0807a"),
    "doubtful": ("#8a5200", "#e8b15c"),
    "lit": ("#fbf0c8", "#3a3213"),
    "name": ("#1f4e9e", "#9dc1ff"),
    "string": ("#7a4a00", "#e6bd7a"),
}
"""The colours by their names, each by day and by night."""

THEMES: Final = {
    "page": "var(--jp-layout-color0, var(--vscode-editor-background, {}))",
    "ink": "var(--jp-content-font-color1, var(--vscode-editor-foreground, {}))",
    "card": "var(--jp-cell-editor-background, var(--vscode-editor-background, {}))",
    "line": "var(--jp-cell-editor-border-color, var(--vscode-panel-border, {}))",
}
"""Grounds and ink as JupyterLab, pages made by nbconvert, and VS Code name them in their themes. `{}` stands for our
own colour, where there is no such theme.
"""


def palette(selector: str, themes: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the style sheet that defines the colours as variables of an element, by day and by night as the system
    says. `themes` has a CSS value for some of them, as `THEMES` has, in which `{}` stands for our colour.
    """
    variables = ""
    for name, (day, night) in COLOURS.items():
        ours = f"light-dark({day}, {night})"
        value = themes[name].format(ours) if name in themes else ours
        variables += f"\n  --{name}: {value};"
    return f"{selector} {{\n  color-scheme: light dark;{variables} }}\n"


def page(title: str, style: str, body: str, *, meta: str = "", classes: str = "") -> str:
    """Return a page in one file. `meta` are further elements of its head, and `classes` those of its body. All texts
    are HTML already, the title as well.
    """
    attribute = f' class="{classes}"' if classes else ""
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{meta}<title>{title}</title>
<style>
{style}</style>
</head>
<body{attribute}>
{body}
</body>
</html>
"""


def fragment(kind: str, style: str, body: str) -> str:
    """Return HTML for a notebook: one element with a style sheet of its own.

    `kind` is the name of the view, and `style` its rules. They hold within the element only, as they are nested in a
    rule for it; and they override the rules of Jupyter's themes, as this rule names two classes. If a theme is dark or
    light whatever the system says, so are our colours.
    """
    return f"""\
<div class="cpl cpl-{kind}">
<style>
{_IN_NOTEBOOK}.cpl.cpl-{kind} {{
{style}}}
</style>
{body}</div>
"""


_IN_NOTEBOOK: Final = (
    palette(".cpl", THEMES)
    + """\
[data-jp-theme-light="true"] .cpl, .vscode-light .cpl { color-scheme: light; }
[data-jp-theme-light="false"] .cpl, .vscode-dark .cpl { color-scheme: dark; }
.cpl { padding: 8px; background: var(--page); color: var(--ink); overflow-wrap: break-word; }
"""
)
"""The rules for all fragments: colours and ground."""

LISTINGS: Final = """\
code, pre { font: 13.5px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.c-k, .c-kt, .c-kc, .c-kn, .c-ow { font-weight: bold; }
.c-nf, .c-nc { color: var(--name); }
.c-nv { font-style: italic; }
.c-s, .c-s1, .c-s2 { color: var(--string); }
.c-c1 { color: var(--faint); font-style: italic; }
.c-err { color: var(--fails); text-decoration: underline; }
bdi::before { content: "\\3c " attr(data-sign) "\\3e"; color: var(--fails); }
"""
"""The rules of a listing. The classes are those of Pygments, after `c-`: k is a keyword, nf the name of a function.
Before a hidden character (`bdi`) stands its number in angle brackets, `<U+202E>`.
"""

REPORT: Final = (
    # headings and prose
    """\
* { box-sizing: border-box; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
h3, h2.definition { font-size: 1.05rem; margin: 1.6rem 0 .3rem; border: 0; padding: 0; }
h4 { font-size: .95rem; margin: 1.2rem 0 .4rem; }
small, .note, figcaption { color: var(--faint); font-weight: normal; opacity: 1; }
.lead { font-size: 1.1rem; margin: 0; }
p { max-width: 70ch; }
code { overflow-wrap: break-word; }
.counts code { white-space: nowrap; }
h1 .before, h1 .after { color: inherit; background: none; border-bottom: 4px solid; }
h1 .before { border-color: var(--before); }
h1 .after { border-color: var(--after); }
.before { color: var(--before); }
.after { color: var(--after); }
"""
    # the pieces of a definition that were changed, each before and after
    """\
.pieces { padding-left: 1.2rem; margin: .3rem 0 .6rem; }
ol.pieces { padding-left: 1.8rem; }
.pieces code { padding: .1em .35em; border-radius: 3px; }
.pieces .before code { background: var(--before-back); }
.pieces .after code { background: var(--after-back); }
"""
    # listings, with the lines that were changed
    """\
figure { margin: 0; min-width: 0; }
figcaption { font-size: .85rem; }
pre { margin: .2rem 0 0; padding: .6rem 0; background: var(--card); border: 1px solid var(--line); border-radius: 4px;
  overflow-x: auto; color: var(--ink); }
.line { display: block; padding: 0 .8rem; min-height: 1.5em; min-width: max-content; }
.line.before { background: var(--before-back); color: inherit; }
.line.after { background: var(--after-back); color: inherit; }
"""
    # tables: `counts` count cases by their kinds, and may draw each row as a bar
    """\
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .82rem; font-weight: 600; color: var(--faint); vertical-align: bottom; }
th, td { padding: .22rem .6rem; border-bottom: 1px solid var(--line); }
td { text-align: left; vertical-align: top; }
.counts th, .counts td { padding: .22rem .4rem; }
.counts th { text-align: right; min-width: 3rem; max-width: 9rem; overflow-wrap: break-word; }
.counts th:first-child, .counts th.bar, .counts th.words { text-align: left; min-width: 0; max-width: none; }
.counts .key { text-align: left; min-width: 0; }
th.bar span { white-space: nowrap; }
th.bar i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-left: .4em; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.bar { min-width: 6rem; color: var(--faint); }
td.bar div { display: flex; height: .8rem; margin-top: .35rem; border-radius: 3px; overflow: hidden; }
i.same, i.unclear { background: var(--same); }
i.different { background: var(--different); }
i.fails { background: var(--fails); }
"""
    # links, and what a reader can unfold
    """\
a { color: inherit; text-decoration-color: var(--different); text-underline-offset: 3px; }
details { margin: .7rem 0; padding: .5rem .9rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; }
summary { cursor: pointer; font-weight: 600; }
"""
    # a case: what both sides do, side by side, with boards in place of positions
    """\
.case { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: .8rem; }
.case figure { padding: .4rem .7rem; border-left: 4px solid var(--line); }
.case figure.before { border-color: var(--before); color: inherit; }
.case figure.after { border-color: var(--after); color: inherit; }
var { color: var(--faint); }
.values { display: flex; flex-wrap: wrap; gap: .6rem; align-items: flex-start; }
.values > div:has(svg) { flex-basis: 100%; }
.values code { padding: .1em .4em; background: var(--page); border: 1px solid var(--line); border-radius: 4px; }
.values p { margin: .2rem 0; }
svg { display: block; width: 17.5rem; height: auto; max-width: 100%; }
.fault { color: var(--fails); margin: .2rem 0; }
""" + LISTINGS
)
"""The rules of a report with tables, boards and listings, wherever it stands."""

PAGE_STYLE: Final = (
    palette(":root")
    + """\
body { margin: 0 auto; padding: 1.5rem 1.2rem 4rem; max-width: 76rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
"""
    + REPORT
)
"""The style sheet of a page that is a report."""


def bdi(listing: str) -> str:
    """Return the HTML of a listing with an element `bdi` round each hidden character. The character is still there and
    is copied with the text, but it cannot turn the text round it: `LISTINGS` shows its number before it.
    """
    return printable(listing, lambda char: f'<bdi data-sign="U+{ord(char):04X}">{char}</bdi>')


# Scripts

# The lines of our scripts that a classic script cannot have:
#   import { a, b } from "./other.js";      import data from "../../games/board_style.json";      export class View {
_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_DATA: Final = re.compile(r'^import (\w+) from "([./\w]*\.json)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:const|class|function) (\w+))", re.MULTILINE)
_UNSAFE: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that could end an element `script`, or a line within one, each with its escape in JSON."""


@cache
def bundle(name: str) -> str:
    """Return one classic script of the module `name` in `static` and of those that it imports by `./other.js`.

    Notebooks have no addresses for modules, so each becomes a function that is called at once and returns its exports.
    JSON that a module imports is written into it.
    """
    modules: dict[str, str] = {}  # in the order in which they must stand: a module comes after those that it imports

    def collect(module: str) -> None:
        """Add a module, after those that it imports."""
        text = outside.packaged_text(f"cpl/study/views/static/{module}.js")
        for _, imported in _IMPORT.findall(text):
            if imported not in modules:
                collect(imported)

        exports = ", ".join(_EXPORT.findall(text))
        body = _IMPORT.sub(r"const {\1} = \2;\n", text)  # takes names from the object that the other function returned
        body = _DATA.sub(_written_out, body)
        body = _EXPORT.sub("", body)
        modules[module] = f"const {module} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"

    collect(name)
    return f"(() => {{\n{''.join(modules.values())}}})();\n"


def _written_out(imported: re.Match[str]) -> str:
    """Return the constant that replaces an import of JSON in a script of cpl/study/views/static."""
    name, path = imported.groups()
    data = json.loads(outside.packaged_text(normpath(f"cpl/study/views/static/{path}")))
    return f"const {name} = {embedded(data)};\n"


def embedded(data: Any) -> str:
    """Return data as JSON that can stand in a `script` element, whatever texts are in it: hidden characters, and signs
    that could end the element, are written as escapes of JSON.
    """

    def escape(char: str) -> str:
        in_quotes = json.dumps(char)
        return in_quotes[1:-1]

    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return printable(text, escape).translate(_UNSAFE)


# Diagnostics

_DIAGNOSTIC_STYLE: Final = (
    LISTINGS
    + """\
.p-error { color: var(--fails); font-weight: bold; }
.p-warning { color: var(--doubtful); font-weight: bold; }
.p-title, .p-head { font-weight: bold; }
.p-frame, .p-dim { color: var(--faint); }
.p-help, .p-place { color: var(--name); }
.p-before { color: var(--before); }
.p-after { color: var(--after); }
.prose { white-space: pre-wrap; }
pre { margin: 0; }
"""
)

# Round a text that is painted stand control characters. They become tags only when all signs of HTML in the text are
# escaped. No text of ours contains them.
_BEGIN, _ROLE, _END = "\x02", "\x03", "\x04"
_PAINTED: Final = re.compile(f"{_BEGIN}(\\w*){_ROLE}|{_END}")


def diagnostics_html(error: CplError | Diagnostic) -> str:
    """Return the HTML of a diagnostic, or of all that an error has, for a notebook. Long messages wrap, and long lines
    of CPL scroll.
    """
    diagnostics = error.diagnostics if isinstance(error, CplError) else [error]
    rendered = "\n\n".join(render(diagnostic, _paint) for diagnostic in most_shown(diagnostics))
    painted = _PAINTED.sub(_tag, html.escape(rendered))
    lines = []
    for line in painted.split("\n"):
        is_cpl = "│" in line  # between the number of a line and its text
        lines.append(line if is_cpl else f'<span class="prose">{line}</span>')
    listing = "\n".join(lines)
    body = f'<pre style="white-space: pre; overflow-x: auto" tabindex="0">{listing}</pre>'
    return fragment("text", _DIAGNOSTIC_STYLE, body)


def _paint(text: str, role: str) -> str:
    """Return a part of a diagnostic with signs round it that say its role, such as "error"."""
    return f"{_BEGIN}{role}{_ROLE}{text}{_END}"


def _tag(sign: re.Match[str]) -> str:
    """Return the tag for the beginning or the end of what `_paint` has painted."""
    return "</span>" if sign[0] == _END else f'<span class="p-{sign[1]}">'
