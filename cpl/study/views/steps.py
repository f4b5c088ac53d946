"""The step view: HTML in which a reader steps through a recorded run.

Scripts build the view when a page opens, from the recording as JSON, which `static/replay.js` describes. Where scripts
do not run, a still picture shows the call, its result, the CPL and the Python.
"""

from base64 import b64encode
from hashlib import sha256
from typing import Final, Literal

from cplrt.checkers import is_position

from cpl import outside
from cpl.compiler.python.emit import lines_for_readers
from cpl.games.board import picture
from cpl.outside import escape
from cpl.study.run.record import Recording
from cpl.study.views import page_style
from cpl.study.views.listing import coloured
from cpl.study.views.page_style import bundle, embedded

_LONGEST: Final = 400
"""The most characters of the result that the still picture shows."""

_PRE: Final = "white-space: pre; overflow: auto; max-height: 40em"
"""The style of a listing. Each has it as an attribute, too, as notebooks that are not trusted yet are shown without
style sheets.
"""

_PAGE: Final = """\
body { margin: 0; background: var(--page); }
.cpl-steps { max-width: 100rem; margin: 0 auto; }
"""


def as_page(recording: Recording) -> str:
    """Return the view as a page: one file that asks no host for anything, and says so to the browser. Raises CplError
    if the program cannot be compiled.
    """
    digest = b64encode(sha256(bundle("step_view").encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return page_style.page(
        escape(recording.title),
        page_style.palette(":root") + _PAGE,
        f"<main>\n{_fragment(recording, 'page')}</main>",
        meta=f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
    )


def recording_html(recording: Recording) -> str:
    """Return the view for a notebook: one element, which brings its style and its script; several may stand on a page.
    Raises CplError if the program cannot be compiled.
    """
    return _fragment(recording, "view")


def _fragment(recording: Recording, keys: Literal["view", "page"]) -> str:
    """Return the element that the script makes the view of: a title, the still picture, the listings, the recording as
    JSON, and the script itself. `keys` says where the script listens to keys: in the view, or anywhere on its page.
    """
    document = recording.to_dict()
    sources = document["sources"]
    listings = ""
    for number, source in enumerate(sources):
        hidden = " hidden" if number > 0 else ""
        listings += _listing(coloured(source["cpl"].rstrip("\n")), f" data-source={number}{hidden}")
    python_lines = document["python"].split("\n")
    last_to_read = max(lines_for_readers(document["python"]), default=0)  # numbers stay: only the end may go
    python_listing = _listing(coloured("\n".join(python_lines[:last_to_read]), python=True))
    note = ""
    if recording.cut:  # what is missing of a long run
        sentence = f"{recording.cut[0].upper()}{recording.cut[1:]}."
        note = f"<p class=note>{escape(sentence)}</p>\n"
    body = f"""\
<div class=view data-keys="{keys}" data-lm-suppress-shortcuts=true>
<p class=title><code>{escape(recording.title)}</code></p>
{note}<div class=still>{_outcome(recording)}</div>
<div class=columns>
<figure class=source><figcaption>CPL, {escape(sources[0]["name"])}</figcaption>{listings}</figure>
<figure class=target><figcaption>Python</figcaption>{python_listing}</figure>
</div>
</div>
<script type="application/json">{embedded(document)}</script>
<script>{bundle("step_view")}</script>
"""
    return page_style.fragment(
        "steps", page_style.LISTINGS + outside.packaged_text("cpl/study/views/static/step_view.css"), body
    )


def _outcome(recording: Recording) -> str:
    """Return the result or the fault as HTML, for readers without scripts."""
    if recording.fault is not None:
        return f"<p class=fault>The run fails: {escape(recording.fault)}</p>"
    if is_position(recording.result):
        result = picture(recording.result).svg()
    else:
        values = recording.recorder.values
        text = values.text(values.number(recording.result), _LONGEST)
        result = f"<code>{escape(text)}</code>"
    return f"<dl><div><dt>Result<dd>{result}</div></dl>"


def _listing(lines: list[str], attributes: str = "") -> str:
    """Return a listing whose lines are elements, so that a script finds them."""
    code = "\n".join(f"<span class=line>{line}</span>" for line in lines)
    return f'<pre{attributes} style="{_PRE}" tabindex=0>{code}</pre>'
