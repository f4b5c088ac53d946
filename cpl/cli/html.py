r"""Publish a program as a page for the browser, in one file.

examples:
  cpl html strachey.cpl -o strachey.html             the program of 1966 as a page
  cpl html strachey.cpl --python -o both.html        the Python beside it
  cpl html mine.cpl --unicode -o mine.html           in the signs of print: → for ->, σ for \sigma, § for $(
  cpl html mine.cpl --numbers > mine.html            numbered lines

Reserved words are bold and small names in italics, as journals set them. The text stays as it is written, or as `cpl
fmt --unicode` lays it out; a copy from the page compiles to the same program. Names are links to their definitions. The
page needs no scripts and no external files, has a dark mode, and prints in black on white.

A text that does not compile is published without links. A text that does not parse is also published without the
changes of --unicode. Title, date, source and rights come from a programs.toml beside the file, if it has an entry for
the file.

exit status: 0 if all went well; 1 if a file cannot be read or written, or has errors and --python is given.
"""

import argparse

from cpl.cli import terminal
from cpl.cli.program import compilation
from cpl.cli.texts import read_input
from cpl.compiler import pipeline
from cpl.compiler.diagnostics import CplError
from cpl.compiler.source import Source
from cpl.study.views.listing import as_page


def run(options: argparse.Namespace) -> None:
    """Write FILE as a page for the browser."""
    source = read_input(options.file)
    if options.unicode:
        try:
            source = Source(source.path, pipeline.format_source(source, "unicode"))
        except CplError:
            terminal.say(f"{source.shown}: this does not parse, so it stays as it is written")
    program: pipeline.Compiled | pipeline.Meaning | None = None
    try:
        if options.python:
            program = pipeline.compile_source(source, compilation(options))
            terminal.show_misleading(program.meaning.misleading, options)
        else:
            program = pipeline.understand(source, compilation(options))
            terminal.show_misleading(program.misleading, options)
    except CplError as error:
        if options.python:
            raise
        first = error.diagnostics[0]
        terminal.say(f"{first.span.place}: this does not compile, so there are no links: {first.message}")
    terminal.write_result(options.output, as_page(source, program, numbered=options.numbers))
