r"""Publish a program as LaTeX, in the colours and letters of a journal.

examples:
  cpl latex strachey.cpl -o strachey.tex             a document; then: xelatex strachey.tex
  cpl latex mine.cpl --fragment -o mine.tex          a listing, for \input{mine} in your own document

Reserved words are bold, small names in italics. The text stays as it is written, and need not compile. The LaTeX
needs xelatex or lualatex, as CPL has signs that pdflatex does not know, and a font with these signs, such as DejaVu
Sans Mono. Your own document must load the packages fancyvrb and color. The title comes from a programs.toml beside the
file, if it has an entry for the file.

exit status: 0 if all went well; 1 if a file cannot be read or written.
"""

import argparse

from cpl.cli.terminal import write_result
from cpl.cli.texts import read_input
from cpl.compiler import loader
from cpl.study.views.highlighting import as_latex


def run(options: argparse.Namespace) -> None:
    """Write FILE as LaTeX."""
    source = read_input(options.file)
    title = loader.entry(source.path).title or source.name
    write_result(options.output, as_latex(source, title, fragment=options.fragment))
