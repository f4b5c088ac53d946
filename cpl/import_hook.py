"""Python's `import` for CPL: `import mine` finds `mine.cpl` where it would find `mine.py`.

The finder stands behind those of Python: a module of Python or a folder of the same name comes first.
"""

import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from cpl import compiler, loader


def install_import_hook() -> None:
    """From now on `import mine` also finds a program `mine.cpl` on `sys.path`, and one in a package in its folder.

    The module is that of `load`: tracebacks show the lines of the CPL, and `importlib.reload` reads a changed file
    again. A CPL text at fault raises CplError, not ImportError. To call this twice is the same as once.
    """
    if _FINDER not in sys.meta_path:
        sys.meta_path.append(_FINDER)


def uninstall_import_hook() -> None:
    """Undo `install_import_hook`, if it was called. Modules that were imported stay."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)


class _Finder(MetaPathFinder):
    """Finds `*.cpl` in the folders of `sys.path`, or in those of a package."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the module is; None if there is no such file."""
        file = f"{fullname.rpartition('.')[2]}.cpl"
        for folder in sys.path if path is None else path:
            if not isinstance(folder, str):
                continue  # as Python's own finders do
            place = os.path.abspath(os.path.join(folder, file))
            if os.path.isfile(place):
                return spec_from_file_location(fullname, place, loader=_Loader(place))
        return None


class _Loader(Loader):
    """Compiles one file and executes it."""

    def __init__(self, path: str) -> None:
        self.path = path

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module. Raises as `load` does."""
        compiler.execute(compiler.understand(loader.read(Path(self.path))), module)


_FINDER = _Finder()
