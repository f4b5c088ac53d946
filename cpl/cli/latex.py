r"""Publish a program as LaTeX, as journals set it.

examples:
  cpl latex strachey.cpl -o strachey.tex             a document; then: pdflatex strachey.tex
  cpl latex mine.cpl --fragment -o mine.tex          a listing, for \input{mine} in a document of yours

The document needs pdflatex or xelatex and no packages. Reserved words are bold, small names in italics, Greek letters
and signs those of print, whatever they are typed as. Lines are kept; what is too long for the page goes on in the next
line. The text need not compile. Title, date and source come from programs.toml, if one beside the file has an entry for
it.

exit status: 0 if all went well; 1 if a file cannot be read or written; 2 if the command line is wrong; 70 for a bug in
cpl itself.
"""

import argparse
from typing import Final

from cpl.cli import output, output_files
from cpl.cli.arguments import FILE, FORMAT_ERRORS, option
from cpl.cli.exits import DONE

OPTIONS: Final = (
    option("file", metavar="FILE", help=FILE),
    option("-o", "--output", metavar="OUT", help="write the LaTeX to this file"),
    option("--fragment", action="store_true", help="write a listing for another document"),
    FORMAT_ERRORS,
)


def run(options: argparse.Namespace) -> int:
    """Write the LaTeX; the result is the exit status."""
    from cpl.cli.input import read_input
    from cpl.views.latex import as_latex
    from cpl.views.latex_signs import without_form
    from cpl.views.publication import Publication

    source = read_input(options.file)
    output_files.write_result(options.output, as_latex(Publication(source), fragment=options.fragment))
    if strange := without_form(source.text):
        numbers = ", ".join(f"{char} [U+{ord(char):04X}]" for char in strange)
        output.say(f"{source.shown}: signs without a form in LaTeX stand as their numbers: {numbers}")
    return DONE
