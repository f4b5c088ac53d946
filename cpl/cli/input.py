"""A command's FILE: standard input, a path, or the name of a packaged program."""

import sys

from cpl import files, loader
from cpl.source import Source


def read_input(name: str) -> Source:
    """The text that FILE means. Raises Unreadable and CplError."""
    if name == "-":
        files.note(0)
        return loader.decode(sys.stdin.buffer.read(loader.MOST_BYTES + 1), "<stdin>")
    return loader.read(loader.find(name))
