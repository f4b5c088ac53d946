"""How values show themselves in a notebook, though the HTML is made in a room further down.

A value says by name which function of `cpl.views` draws it: `_repr_html_ = drawn_by("cpl.views.side_by_side:as_html")`.
The name is looked up when a notebook asks. So imports still run downhill, and nobody else pays for importing the views.
"""

from collections.abc import Callable
from importlib import import_module


def drawn_by(place: str) -> Callable[[object], str]:
    """A method that draws its object with the function at `place`, `module:function`."""
    module, _, function = place.partition(":")

    def draw(value: object) -> str:
        drawn: str = getattr(import_module(module), function)(value)
        return drawn

    draw.__doc__ = "For notebooks."
    return draw


def written_by(place: str) -> Callable[..., dict[str, str]]:
    """A `_repr_mimebundle_` that has the text of its object from the function at `place`, where `repr` says less. In a
    list the object is shown by `repr`, as ever.
    """
    draw = drawn_by(place)

    def write(value: object, **_: object) -> dict[str, str]:
        return {"text/plain": draw(value)}

    write.__doc__ = draw.__doc__
    return write
