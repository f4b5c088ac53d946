"""Record how an expression is evaluated: print the calls with their arguments and results, or write a page.

examples:
  cpl trace strachey.cpl --call 'NextMoveDirection(4)'
  cpl trace strachey.cpl --call 'ChosenPosition(StartPosition)' --depth 5
  cpl trace strachey.cpl --call 'ChosenPosition(StartPosition)' --function PCP
  cpl trace strachey.cpl --call 'LegalPositionsFrom(StartPosition)' --html run.html
                                                     a page for the browser, in one file
  cpl trace mine.cpl --call 'F(1,2)' --format json > run.json

Below each call are the calls that it makes; those that are too deep or too many are only counted. On the page you step
through the run, forwards and backwards: it shows the CPL and the Python, the stack, the variables, and positions as
boards. The JSON has every step (calls, values of expressions, assignments, results) with the CPL and the Python that it
comes from. After 100,000 steps only calls and results are recorded. The run may use 60 s of processor time, and its
calls may nest about 7,000 deep. If Ctrl-C ends it, the steps recorded so far are shown, and the line of CPL that the
run had reached.

exit status: 0 if all went well; 1 if the program has an error, or a file cannot be read or written.
"""

import argparse
import json
from pathlib import Path

from cpl.cli import terminal
from cpl.cli.program import compiled
from cpl.cli.terminal import CPL_AT_FAULT, DONE, INTERRUPTED, Failed, Usage, waiting
from cpl.cli.texts import read_input
from cpl.compiler import pipeline
from cpl.outside import printable
from cpl.study.run import limited
from cpl.study.run.record import DEPTH, record
from cpl.study.views.steps import as_page


def run(options: argparse.Namespace) -> int:
    """Record how the expression is evaluated, report the steps, and return the exit status."""
    if options.html not in (None, "-"):
        terminal.check_output(Path(options.html))  # before the long run
    if len(options.call) > 1:
        raise Usage("one --call at a time can be recorded")
    meaning = compiled(pipeline.understand, read_input(options.file), options, options.call)
    with waiting("recording the run"):
        recording = record(meaning, reads=options.file != "-", keeps_interrupted=True)
    if options.html:
        terminal.write_result(options.html, as_page(recording))
    elif options.format == "json":
        text = json.dumps(recording.to_dict(), separators=(",", ":"))
        print(text.replace("\x7f", "\\u007f"))  # the one control character that Python leaves
    else:
        names = recording.called
        if options.function and options.function not in names:
            suggestion = terminal.suggestion(options.function, names)
            called = f"; those that are called: {', '.join(names) or 'none'}"
            raise Failed(f"there is no call of {options.function}{suggestion or called}")
        tree = recording.tree(depth=options.depth or DEPTH, function=options.function)
        print(printable("\n".join(filter(None, [recording.written.removesuffix("\n"), tree]))))
    if not recording.is_failed:
        return DONE
    terminal.say("\n  ".join([f"cpl trace: {recording.fault}", *recording.place.splitlines()]))
    return INTERRUPTED if recording.fault == limited.INTERRUPTED else CPL_AT_FAULT
