"""Serve an editor over the Language Server Protocol, on standard input and output.

examples:
  cpl lsp                     start the server; an editor does that for you

The server shows errors as you type, with repairs, and the types and meanings of names; it renames, formats and
completes. editors/README.md has the settings of editors. It needs the extra lsp: pip install 'cplc[lsp]'

exit status: 0 if the editor ended the session; 1 if it disconnected without ending the session, or sent something that
cannot be read.
"""

import argparse
import os
import signal
import sys
from importlib.util import find_spec

from cpl.cli.terminal import CPL_AT_FAULT, DONE, INTERRUPTED, Failed, say


def run(options: argparse.Namespace) -> int:
    """Answer the editor until it ends the session, and return the exit status."""
    if not find_spec("pygls"):
        raise Failed("this needs the language server: pip install 'cplc[lsp]'")
    from cpl.editors.lsp.features import make
    from cpl.editors.lsp.protocol import Input

    server = make()
    signal.signal(signal.SIGINT, _end)
    with open(os.dup(sys.stdout.fileno()), "wb") as output:  # which the server closes
        server.start_io(stdin=Input(sys.stdin.buffer), stdout=output)  # type: ignore[arg-type]
    return DONE if server.is_ended else CPL_AT_FAULT


def _end(*_: object) -> None:
    """End the process. A thread of the server waits for the editor, and Python would wait for the thread."""
    say("cpl lsp: interrupted")
    os._exit(INTERRUPTED)
