"""Python for the browser: the core of Pyodide, and cplc with all that it needs, in two forms.

The pages load compiled modules in two archives: `first.bin` has what their first questions need, `rest.bin` the others.
The notebooks load wheels, of which the lock file says what depends on what.
"""

import hashlib
import json
import shutil
import sys
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

from steps import empty, run

_SCRIPTS = ("pyodide.mjs", "pyodide.asm.mjs")
COUNTED = ("pyodide.asm.wasm", "first.bin")
"""What a page shows the progress of."""
FIRST = (*_SCRIPTS, *COUNTED)
"""What a page loads until it has compiled a program,"""
KEPT = (*FIRST, "rest.bin")
"""and what the browser keeps."""

_CORE = (*_SCRIPTS, "pyodide.asm.wasm", "python_stdlib.zip")
_LOCK = "pyodide-lock.json"


def download_wheels(requirements: Path, folder: Path) -> None:
    """The wheels of a file of requirements; all of them are pure Python."""
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "-d", empty(folder)]
    platform = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--python-version=3.14"]
    run(*command, *platform, "-r", requirements)


def make(folder: Path, root: Path, pyodide: Path, wheels: Path) -> None:
    """Fill the folder: the core, the wheels, cplc as the checkout has it, the lock file, and the archives."""
    empty(folder)
    for name in _CORE:
        shutil.copy(pyodide / name, folder)
    for wheel in [*wheels.glob("*.whl"), *_kernel_wheels()]:
        shutil.copy(wheel, folder)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=root)
    info = json.loads((pyodide / _LOCK).read_text(encoding="utf-8"))["info"]
    (folder / _LOCK).write_text(json.dumps({"info": info, "packages": _packages(folder)}, indent=1), encoding="utf-8")
    run("node", Path(__file__).with_name("pack.mjs"), folder)


def _kernel_wheels() -> Iterator[Path]:
    """The kernel of JupyterLite, which comes with its extension."""
    extension = Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi")
    for name in ("ipykernel", "pyodide_kernel", "piplite"):
        yield from extension.glob(f"{name}-*.whl")


def _packages(folder: Path) -> dict[str, dict[str, Any]]:
    """The entries of the lock file, one for each wheel."""
    entries = {entry["name"]: entry for entry in map(_entry, sorted(folder.glob("*.whl")))}
    for entry in entries.values():
        entry["depends"] = sorted(entries.keys() & entry["depends"])
    return entries


def contents(wheel: Path) -> tuple[list[str], Message]:
    """The names of the files in a wheel, and what it says of itself."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [path] = [name for name in names if name.endswith(".dist-info/METADATA")]
        return names, Parser().parsestr(archive.read(path).decode())


def _entry(wheel: Path) -> dict[str, Any]:
    """What a wheel says of itself; it depends on all that it names, whether that is here or not."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    names, metadata = contents(wheel)
    required = map(Requirement, metadata.get_all("Requires-Dist", []))
    tops = {name.partition("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return {
        "name": canonicalize_name(metadata["Name"]),
        "version": metadata["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(tops),
        "depends": {
            canonicalize_name(each.name)
            for each in required
            if not each.marker or each.marker.evaluate({"extra": "", "python_version": "3.14"})
        },
        "unvendored_tests": False,
    }
