"""`cpl check`: what is wrong with programs, and the types of their definitions."""

import argparse
from typing import Final

from cpl.cli import common
from cpl.cli.common import option
from cpl.diagnostics import printable

WHAT: Final = "report what is wrong with programs: slips, values that do not fit, and what is hardly meant"

MORE: Final = """\
examples:
  cpl check mine.cpl
  cpl check programs                                     every program below a folder, with its companions
  cpl check mine.cpl --types                             the types of its definitions
  cpl check strachey.cpl --type LegalPositionsFrom       the type of one
  cpl check strachey-original.cpl --repair               what a checker would have told Strachey

A value that does not fit where it is used is an error here; the report names both places, and the application through
which the one reaches the other. cplc compiles such a program all the same, with a warning.

Types are written as Strachey wrote them in 1967: F : (α, integer) ⇒ α list. Shapes that recur have a name.

exit status: 0 if no error is found, warnings or not; 1 if there are errors, or a file cannot be read."""


add_options: Final = common.options(
    common.add_text_options,
    common.add_repair_option,
    option("--types", action="store_true", help="print the type of each definition, one a line"),
    option(
        "--type",
        action="append",
        default=[],
        metavar="NAME",
        help="print the type of this definition (may be repeated), and the shapes that it names",
    ),
    option(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file, a folder of *.cpl files (hidden ones left out), a packaged program, or -",
    ),
)


def run(options: argparse.Namespace) -> int:
    """Check every file; the result is the exit status."""
    from cpl import compiler
    from cpl.cli.input import inputs, read_input
    from cpl.diagnostics import CplError, Diagnostic
    from cpl.kit.type_report import type_lines
    from cpl.loader import Unreadable

    status = common.DONE
    found: list[Diagnostic] = []
    absent, defined = {*options.type}, set[str]()
    names = [*inputs(options.files, companions=False)]
    for name in names:
        lines: list[str] = []
        try:
            source = read_input(name)
            checked = compiler.check_source(source, options.library, reading=options.reading, repair=options.repair)
            diagnostics = checked.diagnostics
            if checked.meaning is not None and (options.types or options.type):
                lines = [*type_lines(checked.meaning, () if options.types else options.type)]
                defined |= {line.split()[0] for line in type_lines(checked.meaning) if line}
                absent -= defined
            else:
                absent.clear()  # the missing names may be this program's
        except CplError as error:
            diagnostics = error.diagnostics
        except Unreadable as error:
            common.say(f"cpl check: {error}")
            status = common.CPL_AT_FAULT
            continue
        status = max(status, common.status_of(diagnostics))
        if options.format_errors == "json":
            found += diagnostics
        elif diagnostics:
            common.show(diagnostics, options)
        elif not options.types and not options.type:
            print(printable(f"{name}: nothing wrong"))
        if len(names) > 1 and lines:
            print(printable(f"{name}:"))
        for line in lines:
            print(line)
    if options.format_errors == "json":
        common.show(found, options)
    for name in sorted(absent):
        raise common.Usage(f"no definition has the name {name}{common.meant(name, defined)}")
    return status
