"""Replay the examples recorded with a program.

examples:
  cpl session strachey.cpl
  cpl session strachey-original.cpl --repair --reading arithmetic
  cpl session mine.cpl --from mine.doctest

The examples are a doctest of the compiled module. They come from the file given with --from, else from the one that
programs.toml in the program's folder names. Those that fail are printed.

exit status: 0 if all hold; 1 if some fail, or the program is at fault.
"""

import argparse
from pathlib import Path
from typing import Final

from cpl.cli import output
from cpl.cli.arguments import FILE, REPAIR, TEXT, option
from cpl.cli.exits import CPL_AT_FAULT, DONE, Failed, Usage

OPTIONS: Final = (
    option("file", metavar="FILE", help=FILE),
    option("--from", dest="session", metavar="SESSION", help="the file with the examples"),
    option("--format", choices=["text", "json"], default="text", help="how to report (default: text)"),
    *TEXT,
    REPAIR,
)


def run(options: argparse.Namespace) -> int:
    """Replay the session; the result is the exit status."""
    from cpl import loader
    from cpl.cli.evaluation import prepared
    from cpl.cli.input import read_input
    from cpl.cli.progress import track
    from cpl.compare.recorded import examples, replay

    source = read_input(options.file)
    program = prepared(source, options)
    text = loader.read(Path(options.session)).text if options.session else loader.session(source.path)
    if text is None:
        raise Usage(f"no examples were recorded with {options.file}: name a file of them with --from")
    recorded = examples(text)
    if not recorded:
        raise Failed("found no examples: each begins with >>> and a space")
    found = list(track(replay(vars(program.module()), recorded), "examples", len(recorded)))
    failed = [each for each in found if not each.holds]
    if options.format == "json":
        print(output.as_json([vars(each) for each in found]))
    else:
        for each in failed:
            print(f"line {each.line}: {each.typed}")
            expected, actual = (text.replace("\n", "\n           ") for text in (each.recorded, each.found))
            print(f"  expected {expected}\n  found    {actual}")
        verb = "holds" if len(found) == 1 else "hold"
        print(f"{len(found) - len(failed)} of {output.count(len(found), 'example')} {verb}")
    return CPL_AT_FAULT if failed else DONE
