"""The tests of C once more, with its libraries built and run under the address and undefined-behaviour sanitizers.

    .venv/bin/python tests/sanitized.py                                  all of them, which takes some minutes
    .venv/bin/python tests/sanitized.py tests/test_fast_c.py -k random   arguments of pytest

A sanitizer that finds something writes a report and ends the process, so the run fails. The status is that of pytest,
and 2 if this machine has no sanitizers.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
LIBRARIES = ("libasan.so", "libubsan.so")
TESTS = (
    "tests/test_fast_c.py",
    "tests/test_doors.py",
    "tests/test_disagreements.py",
    "tests/test_ways.py",
    "tests/test_executors.py::test_a_count_runs_in_c_where_that_can_be",
)
NO_LIMIT = """\
import resource

setrlimit = resource.setrlimit
resource.setrlimit = lambda limit, most: None if limit == resource.RLIMIT_AS else setrlimit(limit, most)
"""
"""What Python runs first in every process: the address sanitizer reserves terabytes of addresses, which cplc limits."""


def compiler_and_libraries() -> tuple[str, list[str]] | None:
    """The path of gcc and those of the libraries of its sanitizers; None if this machine has none."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not compiler or sys.platform != "linux":
        return None
    found = []
    for library in LIBRARIES:
        asked = [compiler, f"-print-file-name={library}"]
        path = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        if not Path(path).is_file():  # a name without a folder is one that was not found
            return None
        found.append(path)
    return compiler, found


def environment(folder: Path) -> dict[str, str]:
    """The variables under which C is built and run so, with this folder for libraries and more."""
    found = compiler_and_libraries()
    assert found
    compiler, libraries = found
    first = folder / "python" / "sitecustomize.py"
    first.parent.mkdir()
    first.write_text(NO_LIMIT, encoding="utf-8")
    paths = [str(first.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        "CC": f"env -u LD_PRELOAD '{compiler}' {FLAGS}",
        "LD_PRELOAD": " ".join(libraries),  # as Python itself is built without them
        "ASAN_OPTIONS": "detect_leaks=0",  # Python leaves its memory to the system when it ends
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # so that what Python passes to C is watched, too
        "PYTHONPATH": os.pathsep.join(paths),
        "XDG_CACHE_HOME": str(folder),
    }


def main(arguments: list[str]) -> int:
    """Run the tests."""
    if not compiler_and_libraries():
        print("this machine has no gcc with sanitizers", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="cplc-", ignore_cleanup_errors=True) as folder:
        variables = environment(Path(folder))
        has_tests = any(argument.startswith("tests/") for argument in arguments)
        command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", *arguments]
        if not has_tests:
            command += TESTS
        root = Path(__file__).resolve().parent.parent
        return subprocess.run(command, cwd=root, env=os.environ | variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
