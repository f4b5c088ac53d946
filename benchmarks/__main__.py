"""Measure everything in one run, and print one table.

    python benchmarks                                  all of it: a quarter of an hour
    python benchmarks --short                          a minute: whether all count the same, no figures to quote
    python benchmarks --json out.json --svg out.svg    the figures as data and as a picture
    python benchmarks perft start                      only some parts

Packages to compare with are installed into `benchmarks/build` when they are first needed. What differs in what it
counts or finds has no figure, and makes the exit status 1; so does anything of ours that cannot be run.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict

import counting
import editing
import growing
import searching
import starting
from chart import figure, svg, times
from measure import Row

PARTS = {
    "perft": counting.rows,
    "search": searching.rows,
    "start": starting.rows,
    "growth": growing.rows,
    "typing": editing.rows,
}


def table(rows: Sequence[Row], *, short: bool = False) -> str:
    """The rows as text, a heading for each part. Rates of a short run say nothing but that the counts are the same."""
    lines: list[str] = []
    for part in dict.fromkeys(row.part for row in rows):
        inside = [row for row in rows if row.part == part]
        rival = next((row.rival for row in inside if row.rival), "")
        lines += ["", f"{part:34} {inside[0].unit:>12} {f'× {rival}' if rival else '':>18}"]
        for row in inside:
            if row.value is None:
                value = f"no figure: {row.problem}"
            elif short and row.unit.endswith("/s"):
                value = f"{'agrees':>12} {'':18}"
            else:
                value = f"{figure(row.value):>12} {times(row):>18}"
            lines.append(f"  {row.name:32} {value}  {row.detail}")
    return "\n".join(lines[1:])


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    description = f"{platform.system()} {platform.machine()}, processors: {os.cpu_count()}"
    return {"python": f"{platform.python_implementation()} {platform.python_version()}", "machine": description}


def main() -> int:
    """Measure and print; the result is the exit status."""
    summary, _, details = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python benchmarks",
        description=summary,
        epilog=details,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--short", action="store_true", help="to small depths, once, without other packages")
    parser.add_argument(
        "--runs", type=int, default=5, help="how often each is run, 2 or more (5): the least time counts"
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures here")
    parser.add_argument("--svg", metavar="FILE", help="draw perft and the searches here")
    options = parser.parse_args()
    if unknown := [part for part in options.parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]}: the parts are {', '.join(PARTS)}")
    if options.runs < 2 and not options.short:
        parser.error("--runs must be 2 or more: the first run may only fill caches that the others use")

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    rows: list[Row] = []
    for part in options.parts or PARTS:
        rows += PARTS[part](1 if options.short else options.runs, say, short=options.short)
    print(f"{machine()['python']}, {machine()['machine']}\n\n{table(rows, short=options.short)}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**machine(), "rows": [asdict(row) for row in rows]}, file, indent=1, ensure_ascii=False)
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(svg(rows))
    return int(any(row.problem for row in rows if row.name.startswith("cplc")))


if __name__ == "__main__":
    sys.exit(main())
