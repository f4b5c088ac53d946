"""The stages of a text as HTML for a notebook: one under the other, to unfold."""

from typing import Final

from cpl.kit.stages import Stages
from cpl.outside import escape
from cpl.views.style import LISTINGS, coloured, fragment

_TITLES: Final = {
    "cpl": "CPL",
    "tokens": "Tokens",
    "surface": "Surface tree: what is written",
    "core": "Core tree: what is meant",
    "types": "Types",
    "python": "Python",
}
_OPEN: Final = ("cpl", "python")


def as_html(stages: Stages) -> str:
    """The first and the last stage are open, those between are folded."""
    body = "".join(
        f"<details{' open' * (name in _OPEN)}><summary>{_TITLES[name]}</summary>"
        f'<pre tabindex="0">{_listing(name, text)}</pre></details>\n'
        for name, text in stages.to_dict().items()
    )
    return fragment("stages", _STYLE, body)


def _listing(name: str, text: str) -> str:
    if name not in _OPEN:
        return escape(text.rstrip("\n"))
    return "\n".join(coloured(text.rstrip("\n"), python=name == "python"))


_STYLE: Final = (
    LISTINGS
    + """\
details { margin: 4px 0; }
summary { cursor: pointer; font-weight: 600; }
pre { margin: 4px 0 8px; padding: 6px 10px; border: 1px solid var(--line); border-radius: 3px; background: var(--card);
  color: var(--ink); overflow-x: auto; white-space: pre; }
"""
)
