"""Extension modules from annotated Python, by mypyc and the C compiler of the machine.

What was built is kept in the user's cache folder by its content, where only the user can write.
"""

import hashlib
import importlib.machinery
import importlib.util
import os
import shutil
import stat
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from cpl import __version__, outside
from cpl.diagnostics import Error

SUFFIX: Final = importlib.machinery.EXTENSION_SUFFIXES[0]
"""How the name of an extension module ends here, such as `.cpython-311-x86_64-linux-gnu.so`."""

_BUILD: Final = """\
import sys
from mypy.errorcodes import error_codes
from mypyc.build import mypycify
from setuptools import setup

effort, cache, *files = sys.argv[1:]
flags = ["--follow-imports=skip", "--ignore-missing-imports", "--no-warn-unused-configs", f"--cache-dir={cache}"]
flags += [f"--disable-error-code={code}" for code in error_codes if code != "syntax"]
setup(
    name="native",
    ext_modules=mypycify([*flags, *files], opt_level=effort, debug_level="0"),
    script_args=["-q", "build_ext", "--build-lib", "made", "--build-temp", "objects"],
)
"""


class CannotBuild(Error):
    """An extension module cannot be built here, in one plain line that says what is missing."""


def build(texts: Mapping[str, str], folder: Path, *, effort: int = 3) -> None:
    """Build extension modules from these texts by their names, into a folder. Several share a library, so that the
    folder must be on `sys.path`. `effort` is that of the C compiler, 0 to 3. Raises CannotBuild.
    """
    _check_mypyc()
    _check_compiler()
    with tempfile.TemporaryDirectory(prefix="cplc-") as work:
        files = [f"{name}.py" for name in texts]
        for file, text in zip(files, texts.values(), strict=True):
            outside.write(Path(work) / file, text)
        environment = os.environ | {"CFLAGS": f"{os.environ.get('CFLAGS', '')} {_FLAGS}".strip()}
        arguments = ("-c", _BUILD, str(effort), str(_cache() / "mypy"), *files)
        child = outside.start(*arguments, seconds=_SECONDS, cwd=work, env=environment)
        output, status = outside.finish(child, most=_MOST_OUTPUT, seconds=_SECONDS)
        if status is None:
            raise CannotBuild(f"the native module could not be built in {_SECONDS} seconds")
        if status:
            raise CannotBuild(_why(output.decode(errors="replace")))
        for library in (Path(work) / "made").iterdir():
            outside.write(folder / library.name, outside.read(library, _MOST_BYTES), 0o755)


_SECONDS: Final = 3600
_MOST_OUTPUT: Final = 1_000_000
_MOST_BYTES: Final = 1_000_000_000
"""Limits of a build: seconds, bytes of messages, and bytes of a library."""

_FLAGS: Final = "" if sys.platform == "win32" else "-fno-semantic-interposition -w"
"""So that the C compiler may inline the functions of a module: nothing replaces them from outside."""


def _check_mypyc() -> None:
    if not all(map(importlib.util.find_spec, ("mypyc", "setuptools"))):
        raise CannotBuild("native modules need mypyc, which is not installed: pip install 'cplc[native]'")


def _check_compiler() -> None:
    compiler = (os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")).split()[0]
    if sys.platform != "win32" and not shutil.which(compiler):
        raise CannotBuild(f"native modules need a C compiler, and {compiler} was not found: install gcc or clang")


def _why(output: str) -> str:
    """What went wrong, in one line."""
    if "Python.h" in output:
        return "native modules need the headers of Python (Python.h), which are not installed"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    found = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "no reason given")
    return f"the native module could not be built: {found}"


def prepared(text: str) -> Callable[[], ModuleType]:
    """A function that loads the extension module of a text, each time a new one. The module is built unless it was
    before. Raises CannotBuild; the function raises whatever running the module raises.
    """
    _check_mypyc()  # its version is part of the name
    name = f"cpl_{_digest(text)}"
    folder = _cache() / "native"
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_ours(folder):
        _temporary.append(tempfile.TemporaryDirectory(prefix="cplc-"))
        folder = Path(_temporary[-1].name)
    file = folder / f"{name}{SUFFIX}"
    if not _is_ours(file):
        build({name: text}, folder)
    return lambda: _loaded(name, file)


_names: set[str] = set()
_temporary: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process for modules that cannot be kept."""


def _loaded(name: str, file: Path) -> ModuleType:
    if name not in _names:
        _names.add(name)
        return _executed(name, file)
    # A library is loaded once only, and with it the variables of the module.
    with tempfile.TemporaryDirectory(prefix="cplc-") as folder:
        return _executed(name, Path(shutil.copy(file, folder)))


def _executed(name: str, file: Path) -> ModuleType:
    loader = importlib.machinery.ExtensionFileLoader(name, str(file))
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.pop(name, None)
    loader.exec_module(module)
    sys.modules.pop(name, None)
    return module


def _digest(text: str) -> str:
    from mypy.version import __version__ as mypy

    known: Any = (text, sys.version, SUFFIX, __version__, mypy)
    return hashlib.sha256(repr(known).encode()).hexdigest()[:24]


def _cache() -> Path:
    """The user's cache folder."""
    from platformdirs import user_cache_path

    folder = user_cache_path("cplc")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _is_ours(path: Path) -> bool:
    """Whether a file or folder is there, no link, and only this user can write it."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return outside.is_private(found) and not stat.S_ISLNK(found.st_mode)
