"""Serve an editor over the Language Server Protocol, on standard input and output.

examples:
  cpl lsp                     start the server; an editor does that for you

It shows errors as you type, with repairs, and the types and meanings of names; it renames, formats and completes.
editors/README.md has the settings of editors. It needs the extra lsp: pip install 'cplc[lsp]'

exit status: 0 if the editor ended the session; 1 if it went away without ending it.
"""

import argparse
import os
import sys
from importlib.util import find_spec
from typing import Final

from cpl.cli.options import option
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed

OPTIONS: Final = (option("--stdio", action="store_true", help="the default; some editors add this option"),)


def run(options: argparse.Namespace) -> int:
    """Serve until the editor ends the session; the result is the exit status."""
    if not find_spec("pygls"):
        raise Failed("this needs the language server: pip install 'cplc[lsp]'")
    from cpl.edit.lsp.features import make

    server = make()
    with open(os.dup(sys.stdout.fileno()), "wb") as output:  # which the server closes
        server.start_io(stdout=output)
    return DONE if server.is_ended else CPL_AT_FAULT
