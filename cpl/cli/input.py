"""A command's FILE: standard input, a path, or the name of a packaged program; for some a folder."""

import sys
from collections.abc import Iterator
from pathlib import Path

from cpl import files, loader
from cpl.source import Source


def read_input(name: str) -> Source:
    """The text that FILE means. Raises Unreadable and CplError."""
    if name == "-":
        files.note(0)
        return loader.decode(sys.stdin.buffer.read(loader.MOST_BYTES + 1), "<stdin>")
    return loader.read(loader.find(name))


def inputs(names: list[str]) -> Iterator[str]:
    """The names, with the *.cpl files below a folder in its place; hidden ones, and links
    out of the folder, are left out.
    """
    for name in names:
        if not Path(name).is_dir():
            yield name
            continue
        root = Path(name).resolve()
        found = (path for path in sorted(Path(name).rglob("*.cpl")) if path.is_file())
        within = (path.relative_to(name).parts for path in found if path.resolve().is_relative_to(root))
        visible = [str(Path(name, *parts)) for parts in within if not any(part.startswith(".") for part in parts)]
        if not visible:
            print(f"{name}: no *.cpl file is in this folder", file=sys.stderr)
        yield from visible
