"""HTML of values for notebooks, though it is made in a room further up.

A class says only that it is drawn: `_repr_html_ = drawn`. The top of the package registers which function of a view
draws it; that function is imported when a notebook asks. So imports run downhill, and nobody else pays for the views.
"""

from pkgutil import resolve_name
from typing import Any, Final, cast

VIEWS: Final[dict[str, str]] = {}
"""For classes, by their names, what draws their values: `module:function`. A module whose values have a text that says
more than `repr` has `as_text`, too.
"""


def drawn(value: object) -> str:
    """Return the HTML of a value, for notebooks."""
    return cast(str, resolve_name(_view(value))(value))


def text_bundle(value: object, **_: object) -> dict[str, Any]:
    """Return the text of a value, for notebooks. In a list the value is shown by `repr`, as ever."""
    return {"text/plain": resolve_name(f"{_view(value).partition(':')[0]}:as_text")(value)}


def _view(value: object) -> str:
    return next(VIEWS[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in VIEWS)
