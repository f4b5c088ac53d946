r"""Publish a program as LaTeX, in the colours and letters of a journal.

examples:
  cpl latex strachey.cpl -o strachey.tex             a document; then: xelatex strachey.tex
  cpl latex mine.cpl --fragment -o mine.tex          a listing, for \input{mine} in a document of yours

Reserved words are bold, small names in italics. The text stays as it is written, and need not compile. The LaTeX is
made by Pygments: pip install 'cplc[highlight]'. It needs xelatex or lualatex, as CPL has signs that pdflatex does not
know, and a font that has them, such as DejaVu Sans Mono. A document of yours has to load the packages fancyvrb and
color. The title comes from programs.toml, if one beside the file has an entry for it.

exit status: 0 if all went well; 1 if a file cannot be read or written, or Pygments is missing; 2 if the command line is
wrong; 70 for a bug in cpl itself.
"""

import argparse
from importlib.util import find_spec

from cpl.cli.terminal import Failed, write_result
from cpl.cli.texts import read_input
from cpl.compiler import loader


def run(options: argparse.Namespace) -> None:
    """Write the LaTeX."""
    if not find_spec("pygments"):
        raise Failed("this needs Pygments: pip install 'cplc[highlight]'")
    from cpl.study.views.highlighting import as_latex

    source = read_input(options.file)
    title = loader.entry(source.path).title or source.name
    write_result(options.output, as_latex(source, title, fragment=options.fragment))
