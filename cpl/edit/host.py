"""What cplrt says of the functions that it gives to CPL programs: their parameters, and what they do."""

import inspect
from importlib import import_module
from typing import Any

from cpl.semantics.library import Library


def parameters(library: Library, name: str) -> list[str]:
    """The names of the parameters; the last one ends with … if there may be any number of it."""
    found = _function(library, name)
    if found is None:
        return ["place …"] if library.host[name].most else []
    every = inspect.signature(found).parameters.values()
    return [f"{each.name} …" if each.kind == each.VAR_POSITIONAL else each.name for each in every]


def heading(library: Library, name: str) -> str:
    """The name with its parameters: `Shift(x,n)`."""
    return f"{name}({','.join(parameters(library, name))})"


def words(library: Library, name: str) -> str:
    """What it does."""
    found = _function(library, name)
    return inspect.getdoc(found) or "" if found else ""


def _function(library: Library, name: str) -> Any:
    """None for what is part of the language and no function of Python, such as Read."""
    return getattr(import_module(library.host[name].module), name, None)
