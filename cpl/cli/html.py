r"""Publish a program as a page for the browser, in one file.

examples:
  cpl html strachey.cpl -o strachey.html             the program of 1966 as a page
  cpl html strachey.cpl --python -o both.html        the Python beside it
  cpl html mine.cpl --unicode -o mine.html           in the signs of print: → for ->, σ for \sigma, § for $(
  cpl html mine.cpl --numbers > mine.html            numbered lines

Reserved words are bold and small names in italics, as journals set them. The text stays as it is written, or as `cpl
fmt --unicode` lays it out; what is copied from the page compiles to the same. Names lead to their definitions. The page
needs no scripts and nothing from elsewhere, has a dark form, and prints in black on white.

A text that does not compile is published, too, but without links. One that does not parse stays as it is written, also
with --unicode. --python needs a text that compiles. Title, date and source come from programs.toml, if one beside the
file has an entry for it.

exit status: 0 if all went well; 1 if a file cannot be read or written, or has errors and --python is given; 2 if the
command line is wrong; 70 for a bug in cpl itself.
"""

import argparse
from typing import TYPE_CHECKING, Final

from cpl.cli import output, output_files
from cpl.cli.arguments import FILE, REPAIR, TEXT, option
from cpl.cli.exits import DONE

if TYPE_CHECKING:
    from cpl.compiler import Compiled, Meaning
    from cpl.source import Source

OPTIONS: Final = (
    option("file", metavar="FILE", help=FILE),
    option("-o", "--output", metavar="OUT", help="write the page to this file"),
    option("--python", action="store_true", help="show the Python beside the CPL"),
    option("--unicode", action="store_true", help="lay the text out in the signs of print, as cpl fmt --unicode does"),
    option("--numbers", action="store_true", help="number the lines"),
    REPAIR,
    *TEXT,
)


def run(options: argparse.Namespace) -> int:
    """Write the page; the result is the exit status."""
    from cpl.cli.input import read_input
    from cpl.views.listing import Publication, as_page

    source = read_input(options.file)
    if options.unicode:
        source = _in_print(source)
    page = as_page(Publication(source, _program(source, options)), numbered=options.numbers)
    output_files.write_result(options.output, page)
    return DONE


def _in_print(source: "Source") -> "Source":
    """The text in the signs of print; one that does not parse as it is written."""
    from cpl.diagnostics import CplError
    from cpl.formatting import format_source
    from cpl.source import Source

    try:
        return Source(source.path, format_source(source, "unicode"))
    except CplError:
        output.say(f"{source.shown}: this does not parse, so it stays as it is written")
        return source


def _program(source: "Source", options: argparse.Namespace) -> "Compiled | Meaning | None":
    """The compiled program if its Python is wanted; else its meaning, or None if it has none."""
    from cpl import compiler
    from cpl.cli.input import compilation
    from cpl.diagnostics import CplError

    if options.python:
        compiled = compiler.compile_source(source, compilation(options))
        output.show_misleading(compiled.meaning.misleading, options)
        return compiled
    try:
        meaning = compiler.understand(source, compilation(options))
    except CplError as error:
        first = error.diagnostics[0]
        output.say(f"{first.span.place}: this does not compile, so there are no links: {first.message}")
        return None
    output.show_misleading(meaning.misleading, options)
    return meaning
