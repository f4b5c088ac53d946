"""How Sphinx makes the pages of the documentation: those of the checkout, at the addresses that they have there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import address

import cpl
from cpl.study.views.page_style import COLOURS

project = "cplc"
release = cpl.__version__
copyright = "the authors of cplc"
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc", "cpl_pages"]
root_doc = "docs/README"
suppress_warnings = [
    "toc.not_included",  # pages that links lead to
    "misc.highlighting_failure",  # what is wrong in an example is wrong on purpose
    "ref.python",  # each game has a Game
]

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 6
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
nb_render_error_lexer = "text"  # the errors are those of CPL

autodoc_default_options = {"members": True, "member-order": "alphabetical"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
default_role = "literal"
add_module_names = False

html_theme = "furo"
html_title = "cplc"
html_copy_source = False
html_show_sourcelink = False
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["../assets/frame.css", "pages.css"]
html_js_files = [("../assets/reader.js", {"type": "module"})]
templates_path = ["templates"]
html_context = {"address": address.read(address.ROOT)}
html_sidebars = {
    "**": [
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
pygments_style = "cpl_pages.Day"
pygments_dark_style = "cpl_pages.Night"


def _variables(night: int) -> dict[str, str]:
    """The colours of the project under the names that the theme has for them."""
    names = {
        "color-background-primary": "page",
        "color-background-secondary": "card",
        "color-background-border": "line",
        "color-foreground-primary": "ink",
        "color-foreground-secondary": "faint",
        "color-foreground-muted": "faint",
        "color-brand-primary": "name",
        "color-brand-content": "name",
        "color-brand-visited": "name",
        "color-api-name": "name",
        "color-api-pre-name": "faint",
        "color-code-background": "card",
        "color-inline-code-background": "card",
    }
    return {variable: COLOURS[name][night] for variable, name in names.items()} | {
        "font-stack": "system-ui, sans-serif",
        "font-stack--monospace": 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace',
    }


html_theme_options = {"light_css_variables": _variables(0), "dark_css_variables": _variables(1)}
