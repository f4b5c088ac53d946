"""Compile and run a program, and evaluate expressions in it.

examples:
  cpl run mine.cpl
  cpl run strachey.cpl --call 'PrintPosition(ChosenPosition(StartPosition))'
  cpl run mine.cpl --call 'F(1,2)' --call 'G([1,2,3])'

Results are printed as CPL writes them: true, 3.5, (1,2), ‘text’. The program's own output comes first. An executable
file whose first line is #!/usr/bin/env -S cpl run does this by its name.

exit status: 0 if all went well; 1 if the program is at fault or a file cannot be read; 70 for a bug in cpl itself.
"""

import argparse
from functools import partial
from typing import Final

from cpl.cli import output
from cpl.cli.arguments import FILE, REPAIR, TEXT, option
from cpl.cli.exits import DONE

OPTIONS: Final = (
    *TEXT,
    REPAIR,
    option("file", metavar="FILE", help=FILE),
    option(
        "--call", action="append", default=[], metavar="EXPRESSION", help="evaluate and print this (may be repeated)"
    ),
    option(
        "--interpreter",
        action="store_true",
        help="use the slow interpreter, which defines the language, instead of the compiler",
    ),
)


def run(options: argparse.Namespace) -> int:
    """Run the program; the result is the exit status."""
    from cplrt import show

    from cpl import compiler
    from cpl.cli.evaluation import prepared, understood
    from cpl.cli.faults import guard
    from cpl.cli.input import read_input

    understand = understood if options.interpreter else prepared
    program = guard(lambda: understand(read_input(options.file), options, options.call))
    values = compiler.evaluations(program, interpreted=options.interpreter)
    guard(lambda: next(values))
    for _ in options.call:
        value = guard(lambda: next(values))
        if value is not None:
            output.tell(guard(partial(show, value)))
    if not options.call and not program.has_commands:
        output.say(f"cpl run: {options.file} holds definitions only; evaluate something with --call 'F(x)'")
    return DONE
