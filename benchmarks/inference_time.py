"""How the time to infer types grows with the text, beside the time to parse and resolve the same text.

    python benchmarks/inference_time.py

Infers the types of the programs of `compile_time.py`, of 2 000 lines and of 20 000: of every function by itself, of
every function as the program uses it, and what `cpl check` has to say of them. Exits with 1 if ten times the lines take
more than 20 times as long. What is timed is the processor's time, the best of several runs of each, in turn; `times`
says how much longer it takes than parsing and resolving in the same run.
"""

import argparse
import sys

from compile_time import LONG, SHORT, program, seconds
from measure import how_often

from cpl.compiler import pipeline
from cpl.compiler.source import Source
from cpl.compiler.types.facts import Facts

MOST = 20.0
RIVAL = "parse, resolve"


def measured(text: str) -> dict[str, float]:
    """The time of each step for one text; what an earlier step has made, a later one uses."""
    source = Source("<text>", text)
    results = {RIVAL: seconds(lambda _: pipeline.understand(source), text)}
    facts = Facts(pipeline.understand(source).core)
    results["by itself"] = seconds(lambda _: facts.sure.runs.general, text)
    results["as it is used"] = seconds(lambda _: facts.sure.runs.used, text)
    results["findings"] = seconds(lambda _: list(facts.findings(source)), text)
    results["inference"] = sum(took for step, took in results.items() if step != RIVAL)
    return results


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=how_often, default=3, help="how often each is measured (3)")
    options = parser.parse_args()
    texts = {lines: program(lines) for lines in (SHORT, LONG)}
    measured(texts[SHORT])  # what is made once: the parser's tables, the standard library
    best: dict[int, dict[str, float]] = {lines: {} for lines in texts}
    for _ in range(options.runs):
        for lines, text in texts.items():
            for step, took in measured(text).items():
                best[lines][step] = min(took, best[lines].get(step, took))
    print(f"{'':14} {'lines':>6} {'seconds':>8} {'µs a line':>9} {'times':>6}")
    for step in best[SHORT]:
        for lines, steps in best.items():
            took = steps[step]
            print(f"{step:14} {lines:6} {took:8.2f} {took / lines * 1e6:9.0f} {took / steps[RIVAL]:6.2f}")
        print(f"{step:14} {best[LONG][step] / best[SHORT][step]:6.2f} times as long")
    growth = best[LONG]["inference"] / best[SHORT]["inference"]
    print(f"{LONG // SHORT} times the lines, at most {MOST:.0f} times as long: {'yes' if growth <= MOST else 'NO'}")
    return 0 if growth <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
