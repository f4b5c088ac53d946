"""Compare a program under each of the sixteen readings with another program.

examples:
  cpl readings strachey-original.cpl --against strachey.cpl
  cpl readings strachey-original.cpl --against strachey.cpl --positions 500 --seed 7 --format json
  cpl readings strachey-original.cpl --against strachey.cpl --positions 500 --corrections
  cpl readings strachey-original.cpl --against strachey.cpl --positions 200 --seed 7 --cite
  cpl readings strachey-original.cpl --against strachey.cpl --jobs 4

The text of 1966 leaves four things open: whether ∧ binds weaker (loose) or stronger (tight) than + and −; whether +
and − on bit strings are operations on sets or on whole numbers (arithmetic); whether NIL is only an empty list or also
the bit string of zeros (zero); whether a positive Shift moves digits to lower numbers (down) or to higher ones (up).
FILE, repaired if it has a misprint, is compiled in all sixteen readings, the other program in the usual one. Both
compute the moves at thousands of positions, half from random play, half with pieces scattered at random. The order of
lists is ignored, as the text leaves it open.

For each reading, the report counts how often the two agree, differ, or one fails, and how many of the recorded examples
succeed, if programs.toml names any. A reading with shift=up that finds no move at the start is not tried further. If
all eight resign, or behave like the others, one line sums them up. --verbose adds the smallest position at which the
programs differ, and the first function whose result differs there. The other program corrects FILE in several places:
--corrections tries every combination of these corrections, and reports the smallest ones with which each reading agrees
on every position.

--cite ends the report with what a citation needs, so that others find the same: the version of cplc, both texts with
their sources and SHA-256, the repairs, the function, the number of positions and the seed, and the reading that agrees
on every position, or else those that agree on most, with what each does.

exit status: 0 if all went well; 1 if a file cannot be read, or a program has an error.
"""

import argparse

from cpl.cli import terminal
from cpl.cli.terminal import track
from cpl.cli.texts import read_input
from cpl.executors import cores
from cpl.study.compare.readings_table import compare_readings
from cpl.study.compare.report import as_text


def run(options: argparse.Namespace) -> None:
    """Compare FILE under each of the sixteen readings with the other program, and report the differences."""
    names = (options.file, options.against)
    program, other = (read_input(name) if name == terminal.STDIN else name for name in names)
    comparison = compare_readings(
        program,
        other,
        positions=options.positions,
        seed=options.seed,
        moves=options.moves,
        corrections=options.corrections,
        libraries=options.library,
        track=track,
        jobs=options.jobs or cores(),
        cluster=options.cluster,
    )
    terminal.show_misleading(comparison.misleading, options)
    if options.format == "json":
        citation = {"citation": comparison.citation.to_dict()} if options.cite else {}
        print(terminal.as_json(comparison.to_dict() | citation))
    else:
        terminal.write_result(None, as_text(comparison.report(witnesses=options.verbose, cite=options.cite)))
