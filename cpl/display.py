"""HTML of values for notebooks, though it is made in a room further up.

A class says only that it is drawn: `_repr_html_ = drawn`. The top of the package registers which function of a view
draws it; that function is imported when a notebook asks. So imports run downhill, and nobody else pays for the views.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_views: dict[str, tuple[str, str]] = {}


def register(views: Mapping[str, str]) -> None:
    """Register for classes, by their names, what draws their values: `module:function`. A module whose values have a
    text that says more than `repr` has `as_text`, too.
    """
    for name, place in views.items():
        module, _, function = place.partition(":")
        _views[name] = module, function


def drawn(value: object) -> str:
    """Return the HTML of a value, for notebooks."""
    module, function = _view(value)
    html: str = getattr(import_module(module), function)(value)
    return html


def text_bundle(value: object, **_: object) -> dict[str, Any]:
    """Return the text of a value, for notebooks. In a list the value is shown by `repr`, as ever."""
    module, _function = _view(value)
    return {"text/plain": import_module(module).as_text(value)}


def _view(value: object) -> tuple[str, str]:
    return next(_views[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in _views)
