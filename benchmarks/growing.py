"""How time grows with the text: each shape of `shapes.py`, by each command, on a text and on one four times as large.

    python benchmarks/growing.py                           all of it: an hour
    python benchmarks/growing.py --command check 'a ring'    only some
    python benchmarks/growing.py --list                    the shapes and the commands

Prints the larger size, the seconds for it, and how many times as long it took as the smaller one; exits with 1 if a
shape takes more than 4.6 times as long for four times the text. The sizes are such that the larger takes some seconds.
What is timed is the processor's time, the least of several runs, the two sizes in turn.

The part `growth` of `python benchmarks` gives whole commands on programs of 100 to 20,000 lines.
"""

import argparse
import contextlib
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from compile_time import program
from measure import Failed, Row, best, how_often
from shapes import SHAPES, part

LENGTHS = (100, 2_000, 20_000)
_CPLC = [sys.executable, "-c", "from cpl.cli.cplc import main; raise SystemExit(main())"]
_WARM = 5

TIMES, MOST = 4, 4.6
"""How much larger the larger text is, and how much longer it may take."""

_LEAST = 40
"""The smallest size: below it the growth is that of what every text costs."""

_LARGEST = 100_000
"""The largest of the smaller sizes."""

_PARTS = 2_000
"""The texts in the folder beside the text."""


# Whole commands on programs of ordinary lines


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
    warm = min(_seconds(_cplc, Path("program.cpl"), text) for _ in range(_WARM))
    results.append(Row("compile time", "compile_text, warm", warm * 1000, "ms", "100 lines, not formatted"))
    return results


# Commands


def _cplc(path: str, text: str) -> object:
    from cpl import compile_text

    return compile_text(text, path=path, pretty=False).diagnostics


def _formatted(path: str, text: str) -> object:
    from cpl import compile_text

    return compile_text(text, path=path)


def _optimised(path: str, text: str) -> object:
    from cpl import compile_text

    return compile_text(text, path=path, pretty=False, optimise=True)


def _native(path: str, text: str) -> object:
    from cpl.compiler import pipeline, source

    return pipeline.native_text(pipeline.understand(source.Source(path, text)), pretty=False)


def _check(path: str, text: str) -> object:
    from cpl import check_text

    return [str(finding) for finding in check_text(text, path=path)]


def _types(path: str, text: str) -> object:
    from cpl.compiler import pipeline, source
    from cpl.study.views.stages import type_lines

    return [*type_lines(pipeline.understand(source.Source(path, text)))]


def _fmt(path: str, text: str) -> object:
    from cpl import format_text

    return format_text(text, path=path)


def _html(path: str, text: str) -> object:
    from cpl import CplError
    from cpl.compiler import pipeline, source
    from cpl.study.views.listing import as_page

    read = source.Source(path, text)
    try:
        return as_page(read, pipeline.understand(read), numbered=True)
    except CplError:
        return as_page(read, None, numbered=True)


def _server(path: str, text: str) -> object:
    """What an editor asks for when it opens a text: findings, colours, symbols, types."""
    from lsprotocol.types import PositionEncodingKind

    from cpl.compiler.source import Source, Span
    from cpl.editors.lsp.protocol import range_of
    from cpl.editors.questions import ask
    from cpl.editors.text_analysis import analyse

    encoding = PositionEncodingKind.Utf16
    analysis = analyse(Source(path, text), advice=False)
    here = [finding for finding in ask("problems", analysis) if finding.span.source == analysis.source]
    ranges = [range_of(finding.span, encoding) for finding in here]
    whole = Span(analysis.source, 0, len(text))
    return ranges, ask("outline", analysis), [*ask("semantic tokens", analysis)], ask("hints", analysis, whole)


COMMANDS: dict[str, Callable[[str, str], object]] = {
    "cplc --no-format": _cplc,
    "cplc": _formatted,
    "cplc -O": _optimised,
    "cplc --to c": _native,
    "check": _check,
    "check --types": _types,
    "fmt": _fmt,
    "html": _html,
    "lsp": _server,
}
"""What is measured, in this process. `cplc` here makes no library of C."""


# Growth


def _seconds(command: Callable[[str, str], object], path: Path, text: str) -> float:
    """The processor's time of a command, or until it refuses the text and has said why."""
    from cpl import CplError

    gc.collect()
    gc.disable()  # as the commands do
    start = time.process_time()
    try:
        command(str(path), text)
    except CplError as error:
        str(error)
    elapsed = time.process_time() - start
    gc.enable()
    return elapsed


def growth(
    command: Callable[[str, str], object], make: Callable[[int], str], path: Path, seconds: float, runs: int
) -> tuple[int, float, float]:
    """The larger size, the seconds for it, and how many times as long as for the smaller one. The larger takes about so
    many seconds.
    """
    _seconds(command, path, make(2))  # what is made once
    size = _LEAST
    while (took := _seconds(command, path, make(size))) < seconds / (2 * TIMES) and size < _LARGEST:
        size *= 2
    smaller, larger = [took], [_seconds(command, path, make(TIMES * size))]
    for _ in range(runs - 1):
        smaller.append(_seconds(command, path, make(size)))
        larger.append(_seconds(command, path, make(TIMES * size)))
    return TIMES * size, min(larger), min(larger) / min(smaller)


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """The place of a text, with others in a folder beside it."""
    with tempfile.TemporaryDirectory() as name:
        parts = Path(name, "parts")
        parts.mkdir()
        for number in range(_PARTS):
            Path(parts, f"Part{number}.cpl").write_text(part(number), encoding="utf-8")
        yield Path(name, "program.cpl")


def main() -> int:
    """Measure, print, judge."""
    summary, _, details = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help="what to measure (default: all)")
    parser.add_argument("--command", action="append", choices=COMMANDS, help="by this command (default: by all)")
    parser.add_argument("--seconds", type=float, default=3, help="about how long the larger text may take (3)")
    parser.add_argument("--runs", type=how_often, default=3, help="how often each is run (3)")
    parser.add_argument("--list", action="store_true", help="print the names of shapes and commands, and no more")
    options = parser.parse_args()
    if options.list:
        print(*SHAPES, "", *COMMANDS, sep="\n")
        return 0
    if unknown := [name for name in options.shapes if name not in SHAPES]:
        parser.error(f"there is no shape {unknown[0]}: see --list")
    print(f"{'':34} {'':16} {'size':>8} {'seconds':>8} {'growth':>7}")
    worst = 0.0
    with folder() as path:
        for name in options.shapes or SHAPES:
            for command in options.command or COMMANDS:
                size, took, times = growth(COMMANDS[command], SHAPES[name][0], path, options.seconds, options.runs)
                mark = "  <" if times > MOST else ""
                print(f"{name:34} {command:16} {size:8} {took:8.2f} {times:7.2f}{mark}", flush=True)
                worst = max(worst, times)
    print(f"{TIMES} times the text, at most {MOST} times as long: {'yes' if worst <= MOST else 'NO'}")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
