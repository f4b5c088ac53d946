"""Compile CPL (1963-67) to Python that a person can read.

examples:
  cplc strachey.cpl -o out.py            Strachey's checkers program of 1966 as a Python module
  cplc strachey.cpl --standalone         the same with its run-time library inside: it needs only Python
  cplc --list                            the programs that come with cplc
  echo 'Twice(x) = 2x' | cplc -          read standard input, write standard output
  cplc mine.cpl --library more.cpl       names that mine.cpl does not define come from more.cpl
  cplc -O strachey.cpl -o fast.py        the same module, several times as fast
  cplc --native strachey.cpl -o fast     fast.py and its library of C: hundreds of times as fast
  cplc mine.cpl --emit core              what the compiler takes the program to mean

A compilation that fails leaves an existing OUT unchanged.

exit status: 0 if all went well; 1 if the program has an error, or a file cannot be read or written.
"""

import argparse
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from cpl.cli import terminal
from cpl.cli.applicable import refuse, work
from cpl.cli.commands import CPLC, docstring
from cpl.cli.options import add_all, new_parser, refuse_empty
from cpl.cli.terminal import Usage


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is its exit status."""
    parser = new_parser("cplc", docstring("cplc"))
    add_all(parser, CPLC)
    refuse_empty(parser, sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(arguments)
    return terminal.run("cplc", lambda: _run(parser, options), options)


def _run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Import what does the work that is asked for, and nothing else; run it."""
    refuse("cplc", parser, options)
    if options.file is None and not options.list:
        raise Usage("no FILE given (see cplc --help; cplc --list lists the packaged programs)")
    gc.disable()  # which would search for garbage again and again, and the trees are needed to the end
    import_module(f"cpl.cli.{_MODULES[work(options)]}").run(options)


_MODULES: Final = {
    "packaged": "packaged",
    **dict.fromkeys(("tokens", "surface", "core"), "emit"),
    **dict.fromkeys(("c", "native"), "build"),
    **dict.fromkeys(("map", "python"), "compile"),
}
"""The modules beside this one that do each kind of work."""


if __name__ == "__main__":
    sys.exit(main())
