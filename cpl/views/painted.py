"""Texts that are painted for a terminal, as HTML: the same text, and an element for each role.

`diagnostics.render` and others take a `Paint`. The one here puts signs round what it paints that no text of theirs
holds, as control characters are shown by names.
"""

import re
from collections.abc import Callable
from html import escape  # of what is printable already
from typing import Final

from cpl.diagnostics import CplError, Diagnostic, Paint, most_shown, render
from cpl.views.style import LISTINGS, fragment

_BEGIN, _ROLE, _END = "\x02\x03\x04"
_PAINTED: Final = re.compile(f"{_BEGIN}(\\w*){_ROLE}|{_END}")


def as_html(found: CplError | Diagnostic) -> str:
    """One diagnostic or all of them, as notebooks show them."""
    diagnostics = found.diagnostics if isinstance(found, CplError) else [found]
    return text_fragment(lambda paint: "\n\n".join(render(each, paint) for each in most_shown(diagnostics)))


def text_fragment(report: Callable[[Paint], str]) -> str:
    """A painted text in a fragment; long lines scroll."""
    return fragment("text", _STYLE, f'<pre style="white-space: pre; overflow-x: auto">{painted(report)}</pre>')


def painted(report: Callable[[Paint], str]) -> str:
    """What `report` makes with a painter, as HTML."""
    text = escape(report(lambda text, role: f"{_BEGIN}{role}{_ROLE}{text}{_END}"))
    return _PAINTED.sub(lambda found: "</span>" if found[0] == _END else f'<span class="p-{found[1]}">', text)


ROLES: Final = """\
.p-error { color: var(--fails); font-weight: bold; }
.p-warning { color: var(--doubtful); font-weight: bold; }
.p-title, .p-head { font-weight: bold; }
.p-frame, .p-dim { color: var(--faint); }
.p-help, .p-place { color: var(--name); }
.p-before { color: var(--before); }
.p-after { color: var(--after); }
"""
"""How each role looks."""

_STYLE: Final = f"{LISTINGS}{ROLES}pre {{ margin: 0; }}\n"
