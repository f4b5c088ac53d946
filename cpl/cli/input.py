"""A command's FILE: standard input, a path, or the name of a packaged program."""

import sys

from cpl import loader
from cpl.source import Source


def read_input(name: str) -> Source:
    """The text that FILE means. Raises Unreadable and CplError."""
    if name == "-":
        return loader.decode(sys.stdin.buffer.read(), "<stdin>")
    return loader.read(loader.find(name))
