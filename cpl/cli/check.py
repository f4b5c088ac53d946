"""`cpl check`: what is wrong with programs, and the types of their definitions."""

import argparse
import sys
from typing import Final

from cpl.cli import common

WHAT: Final = "report what is wrong with programs: slips, values that do not fit, and what is hardly meant"

MORE: Final = """\
examples:
  cpl check mine.cpl
  cpl check mine.cpl --types                             the types of its definitions
  cpl check strachey-original.cpl --repair               what a checker would have told Strachey

A value that does not fit where it comes to is an error here: what is told are both places, and by which application the
one comes to the other. cplc compiles such a program all the same, with a warning.

Types are written as Strachey wrote them in 1967: F : (α, integer) ⇒ α list. Shapes that recur have a name.

exit status: 0 if no error is found, warnings or not; 1 if there are errors, or a file cannot be read."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    common.add_text_options(parser)
    common.add_repair_option(parser)
    parser.add_argument("--types", action="store_true", help="print the type of each definition, one a line")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a packaged program, or -")


def run(options: argparse.Namespace) -> int:
    """Check every file; the result is the exit status."""
    from cpl import compiler
    from cpl.cli.input import read_input
    from cpl.diagnostics import CplError, Diagnostic
    from cpl.kit.typed import type_lines
    from cpl.loader import Unreadable

    status = common.DONE
    found: list[Diagnostic] = []
    for name in options.files:
        lines: list[str] = []
        try:
            source = read_input(name)
            checked = compiler.check_source(source, options.library, reading=options.reading, repair=options.repair)
            diagnostics = checked.diagnostics
            if options.types and checked.meaning is not None:
                lines = [*type_lines(checked.meaning)]
        except CplError as error:
            diagnostics = error.diagnostics
        except Unreadable as error:
            print(f"cpl check: {error}", file=sys.stderr)
            status = common.CPL_AT_FAULT
            continue
        status = max(status, common.status_of(diagnostics))
        if options.format_errors == "json":
            found += diagnostics
        elif diagnostics:
            common.show(diagnostics, options)
        elif not options.types:
            print(f"{name}: nothing wrong")
        if len(options.files) > 1 and lines:
            print(f"{name}:")
        for line in lines:
            print(line)
    if options.format_errors == "json":
        common.show(found, options)
    return status
