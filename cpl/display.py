"""HTML of values for notebooks, made by the views, which the modules of the values must not import.

A class says only that it is drawn: `_repr_html_ = drawn`. The top of the package registers in `VIEWS` which function of
a view draws it, and that function is imported when a notebook asks. So no module imports one of a higher level, and
programs that draw nothing import no views.
"""

from pkgutil import resolve_name
from typing import Any, Final, cast

VIEWS: Final[dict[str, str]] = {}
"""The function that draws the values of a class, `module:function`, by the name of the class. If such values have a
text that says more than `repr`, the module also has a function `as_text`.
"""


def drawn(value: object) -> str:
    """Return the HTML of a value, for notebooks."""
    view = resolve_name(_view(value))
    return cast(str, view(value))


def text_bundle(value: object, **_: object) -> dict[str, Any]:
    """Return the text of a value, for notebooks. A value in a list is shown by its `repr`."""
    module = _view(value).partition(":")[0]
    as_text = resolve_name(f"{module}:as_text")
    return {"text/plain": as_text(value)}


def _view(value: object) -> str:
    """Return the function that draws a value, that of its class or of the nearest base class."""
    return next(VIEWS[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in VIEWS)
