"""Python's `import` for CPL: `import mine` finds `mine.cpl` where it would find `mine.py`.

The finder stands behind those of Python: a module of Python or a folder of the same name comes first.
"""

import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import source_from_cache, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from cpl.compiler import loader, pipeline


def install_import_hook() -> None:
    """Let `import mine` also find a program `mine.cpl` on `sys.path`, and one in a package in its folder.

    The module is that of `load`: tracebacks show the lines of the CPL, and `importlib.reload` reads a changed file
    again; so does `%autoreload` of IPython. A CPL text with errors raises CplError, not ImportError. A warning says
    that a module that cplc wrote is imported, and is older than its text. To call this twice is the same as once.
    """
    if _FINDER not in sys.meta_path:
        sys.meta_path[:] = [_WATCH, *sys.meta_path, _FINDER]


def uninstall_import_hook() -> None:
    """Undo `install_import_hook`, if it was called. Modules that were imported stay."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder not in (_WATCH, _FINDER)]


class _Watch(MetaPathFinder):
    """Finds nothing, but warns of modules that Python's own finders are about to find and that are out of date."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Warn if cplc made the module from a text in the same folder that was changed later."""
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and spec.origin and isinstance(spec.loader, InspectLoader):
            text = os.path.join(os.path.dirname(spec.origin), f"{fullname.rpartition('.')[2]}.cpl")
            is_older = _time(text) > _time(spec.origin) > 0
            if is_older and _may_be_by_cplc(spec.loader.get_source(fullname)):
                warnings.warn(f"{spec.origin} is imported, but {text} is newer: compile it again", stacklevel=2)


class _Finder(MetaPathFinder):
    """Finds `*.cpl` in the folders of `sys.path`, or in those of a package."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the module is, or None if there is no such file."""
        file = f"{fullname.rpartition('.')[2]}.cpl"
        for folder in sys.path if path is None else path:
            if not isinstance(folder, str):
                continue  # as Python's own finders do
            place = os.path.abspath(os.path.join(folder, file))
            if os.path.isfile(place):
                return spec_from_file_location(fullname, place, loader=_Loader(fullname, place))
        return None


class _Loader(SourceFileLoader):
    """Compiles one file and executes it, with all that `runpy`, `inspect` and `pickle` ask of a loader."""

    def get_code(self, fullname: str) -> CodeType:
        """Return code that fills the module in which it is executed, and raises as `load` does."""
        if "IPython" in sys.modules:
            from IPython.extensions import autoreload

            # Its %autoreload asks this for the file whose time it looks at, and knows only endings of Python.
            vars(autoreload)["source_from_cache"] = lambda path: (
                path if path.endswith(".cpl") else source_from_cache(path)
            )
        return compile("__spec__.loader.fill(globals())", "<string>", "exec")

    def fill(self, names: dict[str, Any]) -> None:
        """Compile the file, and execute it in this namespace."""
        pipeline.executable(loader.read(Path(self.path))).execute_in(names)


def _may_be_by_cplc(python: str | None) -> bool:
    """Tell whether cplc may have made a module with this source; an extension has None, and may be made by cplc too."""
    return not python or "by cplc" in python


def _time(path: str) -> float:
    """Return the time of a file's last change, or 0 if there is no such file."""
    with suppress(OSError):
        return os.path.getmtime(path)
    return 0


_WATCH: Final = _Watch()
_FINDER: Final = _Finder()
