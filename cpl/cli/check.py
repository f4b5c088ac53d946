"""Report errors and likely mistakes in programs, or the types of their definitions.

examples:
  cpl check mine.cpl
  cpl check programs                                     every program below a folder, with its companions
  cpl check mine.cpl --types                             the types of its definitions
  cpl check strachey.cpl --type LegalPositionsFrom       the type of one
  cpl check strachey-original.cpl --repair               what a checker would have told Strachey

A value of the wrong type is an error here. The report shows where it comes from, where it is used, and the call that
passes it there. cplc compiles such a program, with a warning.

Types are written as Strachey wrote them in 1967: F : (α, integer) ⇒ α list. A type that recurs is given a name.

exit status: 0 if there are no errors (there may be warnings); 1 if there are errors, or a file cannot be read.
"""

import argparse

from cpl.cli import terminal
from cpl.cli.program import compilation
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Usage
from cpl.cli.texts import inputs, read_input
from cpl.compiler import pipeline
from cpl.compiler.diagnostics import CplError, Diagnostic, has_errors
from cpl.compiler.loader import Unreadable
from cpl.outside import printable
from cpl.study.views.stages import type_lines


def run(options: argparse.Namespace) -> int:
    """Check every file; the result is the exit status."""
    status = DONE
    findings: list[Diagnostic] = []
    wanted = {*options.type}
    defined: set[str] = set()
    all_known = True
    names = [*inputs(options.files, companions=False)]
    for name, below in names:
        try:
            diagnostics, meaning = pipeline.check_source(read_input(name, below=below), compilation(options))
        except CplError as error:
            diagnostics = error.diagnostics
            meaning = None
        except Unreadable as error:
            terminal.say(f"cpl check: {error}")
            status = CPL_AT_FAULT
            continue
        findings += diagnostics
        if meaning is None:  # a name that is missing may be this program's
            all_known = False
        if options.format_errors == "text":
            terminal.show(diagnostics, options)
            if not diagnostics and not options.types and not wanted:
                print(printable(f"{name}: no errors or warnings"))
        if meaning and (options.types or wanted):
            lines = [*type_lines(meaning, () if options.types else wanted)]
            defined |= {line.split()[0] for line in type_lines(meaning) if line}
            if len(names) > 1 and lines:
                print(printable(f"{name}:"))
            for line in lines:
                print(line)
    if options.format_errors != "text":
        terminal.show(findings, options)
    missing = sorted(wanted - defined)
    if missing and all_known:
        raise Usage(f"no definition has the name {missing[0]}{terminal.suggestion(missing[0], defined)}")
    return CPL_AT_FAULT if has_errors(findings) else status
