"""Compare two programs: their texts, and what they do.

examples:
  cpl diff old.cpl new.cpl                           definitions that differ, and functions that behave differently
  cpl diff strachey-original.cpl strachey.cpl        the program of 1966 as transcribed, and as corrected later
  cpl diff strachey-original.cpl strachey.cpl --reading arithmetic --reading-b set
                                                     the same, each read as it may have been meant
  cpl diff a.cpl b.cpl --function F                  F alone, in full
  cpl diff a.cpl b.cpl --verbose                     everything in full
  cpl diff a.cpl b.cpl --unordered                   ignore the order of lists
  cpl diff a.cpl b.cpl --jobs 4                      in four processes (default: one for each processor)
  cpl diff a.cpl b.cpl --format html -o diff.html    a page for the browser, in one file

Definitions are compared as trees, ignoring blanks, comments and line breaks. Functions of the same name are run on the
same inputs: those that they receive while the programs run; small values that at least one side accepts, if those
inputs are few; and positions, if the programs play checkers. The results are compared, the output, and the changes to
arguments and variables. If both sides fail, they count as equal. For each function that differs, the report traces the
smallest input that shows it, and shows the first inner call that differs. Inputs that show a difference are preferred,
so the counts do not tell how often the programs differ. If no difference is found, that does not prove that the
programs behave alike.

If one wrong token keeps a text from being parsed, it is repaired, and the report says how.

exit status: 0 if nothing differs; 1 if the texts or their behaviour differ, or a program has an error.
"""

import argparse
import shutil
import sys
from pathlib import Path
from typing import Final

from cpl.cli import terminal
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed, track
from cpl.cli.texts import read_input
from cpl.compiler.diagnostics import plain
from cpl.executors import cores
from cpl.study.compare.differences import NoSuchFunction, diff
from cpl.study.compare.report import as_text
from cpl.study.views.reports import difference_page

_MORE: Final = "--verbose shows the texts and the calls in full, and how often each function differs."


def run(options: argparse.Namespace) -> int:
    """Compare the two programs, report the differences, and return the exit status. Raises Failed."""
    if options.output not in (None, "-"):
        terminal.check_output(Path(options.output))  # before the long comparison
    first, second = (read_input(name) if name == terminal.STDIN else name for name in options.files)
    try:
        difference = diff(
            first,
            second,
            inputs=options.inputs,
            seed=options.seed,
            ordered=not options.unordered,
            functions=options.function,
            reading=options.reading,
            reading_b=options.reading_b,
            libraries=options.library,
            track=track,
            jobs=options.jobs or cores(),
            cluster=options.cluster,
        )
    except NoSuchFunction as error:
        raise Failed(str(error)) from None
    terminal.show_misleading(difference.misleading, options)
    if options.format == "json":
        report = terminal.as_json(difference.to_dict()) + "\n"
    elif options.format == "html":
        report = difference_page(difference)
    else:
        width = min(140, shutil.get_terminal_size((100, 24)).columns) if sys.stdout.isatty() else 100
        paint = plain if options.output else terminal.painter(sys.stdout)
        traces = options.verbose or bool(options.function)
        report = as_text(difference.report(traces=traces, whole_texts=options.verbose), width, paint)
        if difference.differing and not traces:
            report = f"{report.rstrip()}\n\n{paint(_MORE, 'dim')}\n"
    terminal.write_result(options.output, report)
    return CPL_AT_FAULT if difference.changes or difference.behaviours_differ else DONE
