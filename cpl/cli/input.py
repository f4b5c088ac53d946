"""A command's FILE: standard input, a path, or the name of a packaged program; for some a folder."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpl import loader, outside
from cpl.cli import output
from cpl.source import Source

if TYPE_CHECKING:
    from cpl.compiler import Options


def compilation(options: argparse.Namespace, **more: Any) -> "Options":
    """How to compile FILE: the options that all commands have, and `more`."""
    from cpl.compiler import Options

    common = {"reading": options.reading, "libraries": options.library, "repair": options.repair}
    return Options(**common | more)


def read_input(name: str, called: str = "<stdin>") -> Source:
    """The text that FILE means; that of standard input is `called` this. Raises Unreadable and CplError."""
    if name == "-":
        outside.note(0)
        return loader.decode(sys.stdin.buffer.read(loader.MOST_BYTES + 1), called)
    return loader.read(loader.find(name))


def inputs(names: list[str], *, companions: bool = True) -> Iterator[str]:
    """The names, with the *.cpl files below a folder in its place; hidden ones, and links out of the folder, are left
    out, and with `companions` false those that go with another of the files.
    """
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            yield name
            continue
        found = sorted(outside.files_below(folder, ".cpl"))
        if not found:
            output.say(f"{name}: no *.cpl file is in this folder")
        yield from map(str, found if companions else _without_companions(found))


def _without_companions(paths: list[Path]) -> list[Path]:
    """The files that are no companions of others; of two that go with each other, both."""
    companions = {path: _companions(path) for path in paths}
    known = {outside.identity(each) for found in companions.values() for each in found}
    return [path for path in paths if companions[path] or outside.identity(path) not in known]


def _companions(path: Path) -> list[Path]:
    try:
        return [path.parent / each for each in loader.entry(str(path)).companions]
    except loader.Unreadable:  # reported when the file is read
        return []
