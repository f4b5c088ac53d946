"""C under sanitizers (`sanitized.py`): a few of its tests, and that a report ends the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sanitized

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sanitized.compiler_and_libraries(), reason="there is no gcc with sanitizers"),
]

FAULTS = {
    "address": "int f(int n) { int *a = malloc(8); return a[n]; }",
    "undefined behaviour": "int f(int n) { return 1 << (n + 40); }",
}


def test_c_does_nothing_that_sanitizers_report() -> None:
    assert sanitized.main(["-q", "tests/test_fast_c.py", "-k", "value or declared or any_place"]) == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_a_report_ends_the_run(fault: str, tmp_path: Path) -> None:
    code = f"""if True:
        import ctypes
        from cpl.compiler.c import toolchain
        ctypes.CDLL(str(toolchain.built({"#include <stdlib.h>" + chr(10) + FAULTS[fault]!r}))).f(3)
        print("went on")
    """
    variables = sanitized.environment(tmp_path)
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | variables, capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "AddressSanitizer" in done.stderr or "runtime error" in done.stderr, done.stderr
