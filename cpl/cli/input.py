"""A command's FILE: standard input, a path, or the name of a packaged program; for some a folder."""

import sys
from collections.abc import Iterator
from pathlib import Path

from cpl import files, loader
from cpl.cli import output
from cpl.source import Source


def read_input(name: str) -> Source:
    """The text that FILE means. Raises Unreadable and CplError."""
    if name == "-":
        files.note(0)
        return loader.decode(sys.stdin.buffer.read(loader.MOST_BYTES + 1), "<stdin>")
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
        found = [path for path in sorted(folder.rglob("*.cpl")) if path.is_file() and _is_within(path, folder)]
        if not found:
            output.say(f"{name}: no *.cpl file is in this folder")
        yield from map(str, found if companions else _without_companions(found))


def _is_within(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not hidden and path.resolve().is_relative_to(folder.resolve())


def _without_companions(paths: list[Path]) -> list[Path]:
    """The files that are no companions of others; of two that go with each other, both."""
    companions = {path: _companions(path) for path in paths}
    known = {files.identity(each) for found in companions.values() for each in found}
    return [path for path in paths if companions[path] or files.identity(path) not in known]


def _companions(path: Path) -> list[Path]:
    try:
        return [path.parent / each for each in loader.entry(str(path)).companions]
    except loader.Unreadable:  # reported when the file is read
        return []
