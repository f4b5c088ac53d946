"""The step view: the document of a recorded run in, HTML out in which a reader goes through the run.

Scripts build the view when a page opens. Where they do not run there is a still picture: the call, its result, the CPL
and the Python. `cpl/views/static/replay.js` says what the document holds.
"""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import unescape
from typing import Any, Final, Literal

from cplrt import Logical, show

from cpl import packaged
from cpl.games.board import picture
from cpl.games.position import Position
from cpl.kit.recording import Recording
from cpl.outside import escape
from cpl.views import style
from cpl.views.scripts import bundle, embedded

_LONGEST: Final = 400
"""Characters of the result in the still picture."""
_PRE: Final = "white-space: pre; overflow: auto; max-height: 40em"
"""Repeated in the element: notebooks that are not trusted yet are shown without style sheets."""
_PAGE: Final = """\
body { margin: 0; background: var(--page); }
.cpl-steps { max-width: 100rem; margin: 0 auto; }
"""


def as_html(recording: Recording) -> str:
    """A recording as notebooks show it. Raises CplError if the program cannot be compiled."""
    return fragment(recording.to_dict())


def fragment(document: Mapping[str, Any]) -> str:
    """The view for a notebook: one element, which brings its style and its script; several may stand on a page."""
    return style.fragment("steps", _style(), f"{_body(document, 'view')}<script>{bundle('step_view')}</script>\n")


def page(document: Mapping[str, Any]) -> str:
    """The view as a page: one file that asks no host for anything, and says so to the browser."""
    script = bundle("step_view")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    body = style.fragment("steps", _style(), f"{_body(document, 'page')}<script>{script}</script>\n")
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(document["title"])}</title>
<style>
{style.palette(":root")}{_PAGE}</style>
</head>
<body>
<main>
{body}</main>
</body>
</html>
"""


def _style() -> str:
    return style.LISTINGS + packaged.static("step_view.css")


def _body(document: Mapping[str, Any], keys: Literal["view", "page"]) -> str:
    """What the script finds: a title, the still picture, the listings, and the document. `keys` says where keys are
    heard: in the view, or anywhere on its page.
    """
    sources = document["sources"]
    listings = "".join(
        _listing(source["cpl"], f" data-source={number}{' hidden' if number else ''}")
        for number, source in enumerate(sources)
    )
    python = document["python"]
    right = (
        f"<figure class=target><figcaption>Python</figcaption>{_listing(python, python=True)}</figure>"
        if python
        else ""
    )
    cut = document["cut"] or ""
    note = f"<p class=note>{escape(cut[0].upper() + cut[1:])}.</p>\n" if cut else ""
    return f"""\
<div class=view data-keys="{keys}" data-lm-suppress-shortcuts=true>
<p class=title><code>{escape(document["title"])}</code></p>
{note}<div class=still>{_outcome(document)}</div>
<div class=columns>
<figure class=source><figcaption>CPL, {escape(sources[0]["name"])}</figcaption>{listings}</figure>
{right}
</div>
</div>
<script type="application/json">{embedded(document)}</script>
"""


def _outcome(document: Mapping[str, Any]) -> str:
    """The result or the fault, for readers without scripts."""
    if document["fault"] is not None:
        return f"<p class=fault>The run fails: {escape(document['fault'])}</p>"
    if document["result"] is None:
        return "<p class=note>The run has no result.</p>"
    values = document["values"]
    position = _position(values, document["result"])
    shown = picture(position).svg() if position else f"<code>{escape(_text(values, document['result']))}</code>"
    return f"<dl><div><dt>Result<dd>{shown}</div></dl>"


def _position(values: Sequence[Any], number: int) -> Position | None:
    match values[number]:
        case {"position": [*sides, mover]}:
            own, other, kings = (_bits(values[side]) for side in sides)
            return own, other, kings, 1 if mover == "1" else -1
        case _:
            return None


def _bits(value: Any) -> Logical:
    """A bit string; one that is too long for a board, and is kept as a text, counts as empty."""
    return Logical(int(value["bits"], 16) if isinstance(value, dict) else 0)


def _text(values: Sequence[Any], number: int, room: int = _LONGEST) -> str:
    """A value as CPL writes it. What is behind so many characters is left out."""
    match values[number]:
        case {"bits": bits}:
            return show(Logical(int(bits, 16)))
        case {"function": name}:
            return str(name)
        case {"list": members}:
            opener, closer = "[]"
        case {"tuple": members}:
            opener, closer = "()"
        case text:
            return str(text)
    text = opener
    for index, member in enumerate(members):
        if len(text) > room:
            return f"{text}…"
        text += "," * (index > 0) + _text(values, member, room - len(text))
    return text + closer


def _listing(text: str, attributes: str = "", *, python: bool = False) -> str:
    """Each line an element, so that a script finds it; colours never change the text."""
    plain = text.rstrip("\n").split("\n")
    lines = style.coloured("\n".join(plain), python=python)
    if [unescape(re.sub("<[^>]*>", "", line)) for line in lines] != plain:
        lines = [escape(line) for line in plain]
    code = "\n".join(f"<span class=line>{line}</span>" for line in lines)
    return f'<pre{attributes} style="{_PRE}" tabindex=0>{code}</pre>'
