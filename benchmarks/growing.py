"""Compile time against the length of the program, and peak memory: whole commands, less that for a program of one line.

The programs are those of `compile_time.py`, which also judges how the time grows, shape by shape.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from compile_time import program
from measure import Failed, Row, best

LENGTHS = (100, 2_000, 20_000)
_CPLC = [sys.executable, "-c", "from cpl.cli.cplc import main; raise SystemExit(main())"]
_WARM = 5


def rows(runs: int, say: Callable[[str], None], *, short: bool = False) -> list[Row]:
    """Microseconds a byte of each length, with black and without; and a warm compilation of 100 lines."""
    results: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for lines in LENGTHS[:1] if short else LENGTHS:
            path, single = Path(folder, f"lines{lines}.cpl"), Path(folder, "one.cpl")
            path.write_text(program(lines), encoding="utf-8")
            single.write_text("F(x) = x\n", encoding="utf-8")
            for name, options in (("cplc", []), ("cplc --no-format", ["--no-format"])):
                say(f"{name}, {lines} lines")
                command = [*_CPLC, *options, "-o", str(Path(folder, "out.py"))]
                times = best(
                    {"whole": [*command, str(path)], "one": [*command, str(single)]}, 1 if lines > 2000 else runs
                )
                whole, first = times["whole"], times["one"]
                if isinstance(whole, Failed) or isinstance(first, Failed):
                    problem = whole if isinstance(whole, Failed) else first
                    results.append(Row("compile time", name, None, "µs a byte", f"{lines} lines", problem=str(problem)))
                    continue
                seconds = whole.seconds - first.seconds
                detail = f"{lines:,} lines in {seconds:.2f} s, {whole.megabytes:.0f} MB"
                results.append(Row("compile time", name, seconds / path.stat().st_size * 1e6, "µs a byte", detail))
    say("100 lines, warm")
    text = program(100)
    warm = min(_seconds(text) for _ in range(_WARM))
    results.append(Row("compile time", "compile_text, warm", warm * 1000, "ms", "100 lines, not formatted"))
    return results


def _seconds(text: str) -> float:
    import cpl

    before = time.process_time()
    cpl.compile_text(text, pretty=False)
    return time.process_time() - before
