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
from collections.abc import Sequence
from pathlib import Path

from cpl.cli import terminal
from cpl.cli.program import compilation
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed
from cpl.cli.texts import inputs, read_input
from cpl.compiler import pipeline
from cpl.compiler.diagnostics import CplError, Diagnostic, has_errors
from cpl.compiler.loader import Unreadable
from cpl.compiler.pipeline import Meaning
from cpl.outside import printable
from cpl.study.views.stages import type_lines


def run(options: argparse.Namespace) -> int:
    """Check every file, and return the exit status. Raises Failed if no file defines a name of --type."""
    shows_types = options.types or bool(options.type)
    all_findings: list[Diagnostic] = []
    all_read = True
    all_understood = True
    defined: set[str] = set()

    files = [*inputs(options.files, companions=False)]  # each with the folder that it was found in, or None
    for name, folder in files:
        try:
            findings, meaning = _checked(name, folder, options)
        except Unreadable as error:
            terminal.say(f"cpl check: {error}")
            all_read = False
            continue
        all_findings += findings
        if options.format_errors == "text":  # people read the report on a file while the next one is checked
            terminal.show(findings, options)
            if not findings and not shows_types:
                print(printable(f"{terminal.shown_input(name)}: no errors or warnings"))
        if meaning is None:
            all_understood = False
        elif shows_types:
            defined |= _print_types(
                meaning, options, heading=f"{terminal.shown_input(name)}:" if len(files) > 1 else ""
            )
    if options.format_errors != "text":  # programs read one report on all files
        terminal.show(all_findings, options)

    missing = sorted({*options.type} - defined)
    if missing and all_understood:  # otherwise a file that does not compile may define it
        raise Failed(f"no definition has the name {missing[0]}{terminal.suggestion(missing[0], defined)}")
    return DONE if all_read and not has_errors(all_findings) else CPL_AT_FAULT


def _checked(
    name: str, folder: Sequence[Path] | None, options: argparse.Namespace
) -> tuple[list[Diagnostic], Meaning | None]:
    """Return the findings in a file, and what it means, None if it does not compile. Raises Unreadable."""
    try:
        source = read_input(name, below=folder)
        return pipeline.check_source(source, compilation(options))
    except CplError as error:  # such as an encoding that is not UTF-8
        return error.diagnostics, None


def _print_types(meaning: Meaning, options: argparse.Namespace, heading: str) -> set[str]:
    """Print the types that --types or --type ask for, below a heading unless it is empty. Return the first word of the
    line of every type of the program, asked for or not: the name of the definition or the shape.
    """
    all_lines = [*type_lines(meaning)]
    lines = all_lines if options.types else [*type_lines(meaning, options.type)]
    if heading and lines:
        print(printable(heading))
    for line in lines:
        print(line)
    return {line.split()[0] for line in all_lines if line}  # an empty line stands between shapes and definitions
