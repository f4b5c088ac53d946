"""What each pass for C and each rule of the C back end gains: programs with all of them, and without one.

    python benchmarks/rules.py                      all programs, three runs each: more than ten minutes
    python benchmarks/rules.py search --runs 5      one program
    python benchmarks/rules.py search --only pack prefetch

The programs are those in `benchmarks/work`; each has a function Work. The figure says how many times as long Work takes
without a rule as with all of them, in processor time: the least of several runs, which take turns. The exit status is
1 if a program without a rule has another result. Without `bits`, or `inline`, much is no longer in C and takes longest.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from measure import Failed, how_often, timed

WORK = Path(__file__).parent / "work"

SIZES = {"perft": 10, "search": 9, "primes": 100_000, "heat": 50_000}
"""The argument of Work in each program: it takes some tenths of a second in C."""


def measured(program: str, without: str) -> tuple[str, float]:
    """The result of a program, and the seconds of processor time, in a process of its own.

    Raises Failed if it cannot be run.
    """
    run = timed([sys.executable, __file__, "--work", program, without])
    result, seconds = json.loads(run.output)
    return result, seconds


def work(program: str, without: str) -> None:
    """Do the work of a program, and print what `measured` reads."""
    import time

    from cpl.compiler import loader, pipeline

    options = pipeline.Options(native=True, without=[without] if without else [])
    module = pipeline.executable_of(pipeline.understand(loader.read(WORK / f"{program}.cpl")), options).module()
    before = time.process_time()
    result = module.Work(SIZES[program])
    print(json.dumps([repr(result), time.process_time() - before]))


def tell_progress(text: str) -> None:
    """Show at a terminal what is being measured, in place of what was shown before."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def row(program: str, rules: Sequence[str], runs: int) -> list[float]:
    """The figures of a program, one for each rule. Raises Failed."""
    expected, _ = measured(program, "")
    least: dict[str, float] = {}
    for run in range(runs):
        for rule in ("", *rules):
            tell_progress(f"{program}, run {run + 1} of {runs}: {f'without {rule}' if rule else 'with all rules'}")
            result, seconds = measured(program, rule)
            if result != expected:
                raise Failed(f"{program} without {rule}: {result} and not {expected}")
            least[rule] = min(seconds, least.get(rule, seconds))
    tell_progress("")
    return [least[rule] / least[""] for rule in rules]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table."""
    from cpl.compiler.c.rules import CAN_BE_LEFT_OUT

    parser = argparse.ArgumentParser(
        prog="rules.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", choices=[*SIZES, []], metavar="PROGRAM", help=", ".join(SIZES))
    parser.add_argument("--runs", type=how_often, default=3, help="how often each is run (3)")
    parser.add_argument("--only", nargs="+", choices=CAN_BE_LEFT_OUT, metavar="RULE", help=", ".join(CAN_BE_LEFT_OUT))
    chosen = parser.parse_args(arguments)
    rules = chosen.only or CAN_BE_LEFT_OUT

    print(" " * 16 + "".join(f"{rule:>11}" for rule in rules))
    for program in chosen.programs or SIZES:
        try:
            figures = row(program, rules, chosen.runs)
        except Failed as error:
            tell_progress("")
            print(error, file=sys.stderr)
            return 1
        print(f"{program:16}" + "".join(f"{figure:11.2f}" for figure in figures), flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(*sys.argv[2:])
    else:
        sys.exit(main())
