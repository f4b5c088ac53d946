"""Programs that cplc is measured against: those of this folder, and packages that are installed for it alone."""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
INSTALLED = HERE.parent / "build"


@cache
def package(name: str) -> dict[str, str] | None:
    """The variables of the environment with which a package can be imported, which is installed first if need be: in
    a folder of its own, as two of them have modules of one name. None if it cannot be installed.
    """
    folder = INSTALLED / f"{name}-{sys.implementation.cache_tag}"
    if not folder.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), name]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
    return {"PYTHONPATH": str(folder)}


@cache
def c_program() -> str | None:
    """The generator in C, compiled; None without a C compiler."""
    program = Path(tempfile.mkdtemp()) / "ints"
    for compiler in ("cc", "gcc", "clang"):
        try:
            subprocess.run([compiler, "-O2", "-o", str(program), str(HERE / "ints.c")], capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return str(program)
    return None
