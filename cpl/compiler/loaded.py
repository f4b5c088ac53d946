"""Where `pickle` finds the functions of programs that `cpl.load` has loaded, here or in another process.

Their `__module__` is a name below this one that says which program to load, and how: to import it loads the program,
unless it is loaded here. This module counts as a package so that Python looks for names below it.
"""

import json
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final
from urllib.parse import unquote

from cpl.compiler import pipeline
from cpl.compiler.source import Source

__path__: list[str] = []

_PREFIX: Final = f"{__name__}."


class _Finder(MetaPathFinder, Loader):
    """Finds the programs below this module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a program; None for other modules."""
        return ModuleSpec(fullname, self) if fullname.startswith(_PREFIX) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the program, loaded before or now. Raises as `cpl.load` does."""
        if spec.name not in pipeline.LOADED:
            what = json.loads(unquote(spec.name.removeprefix(_PREFIX)))
            del what["load"]
            libraries = [_text(library) for library in what.pop("libraries")]
            module = pipeline.load(_text(what.pop("program")), libraries=libraries, **what)
            pipeline.name_for_import(module, spec.name)
        return pipeline.LOADED[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the program has run."""


def _text(what: Any) -> str | Source:
    """Return the path of a file as it is, and a path with a text as a Source."""
    return what if isinstance(what, str) else Source(*what)


sys.meta_path.append(_Finder())
