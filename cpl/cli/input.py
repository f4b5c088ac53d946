"""A command's FILE: standard input, a path, or the name of a packaged program; for some a folder."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cpl import files, loader
from cpl.cli.common import Usage, say
from cpl.diagnostics import CplError
from cpl.source import Source

if TYPE_CHECKING:
    from cpl.compiler import Meaning


def read_input(name: str) -> Source:
    """The text that FILE means. Raises Unreadable and CplError."""
    if name == "-":
        files.note(0)
        return loader.decode(sys.stdin.buffer.read(loader.MOST_BYTES + 1), "<stdin>")
    return loader.read(loader.find(name))


def inputs(names: list[str], *, companions: bool = True) -> Iterator[str]:
    """The names, with the *.cpl files below a folder in its place; hidden ones, and links
    out of the folder, are left out, and with `companions` false those that go with another of the files.
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
            say(f"{name}: no *.cpl file is in this folder")
        yield from visible if companions else _without_companions(visible)


def _without_companions(names: list[str]) -> Iterator[str]:
    """The files that are no companions of others; of two that go with each other, both."""
    owned = {name: _companions(name) for name in names}
    companions = {files.identity(path) for paths in owned.values() for path in paths}
    return (name for name, paths in owned.items() if paths or files.identity(name) not in companions)


def _companions(name: str) -> list[Path]:
    try:
        return [Path(name).parent / each for each in loader.entry(name).companions]
    except loader.Unreadable:  # reported when the file is read
        return []


def understand_game(options: argparse.Namespace, calls: list[str], advice: str) -> "Meaning":
    """FILE with two calls that give the start of its game and the function of its moves. Raises CplError, and Usage
    with this advice for a program that has no game.
    """
    from cpl import compiler

    source = read_input(options.file)
    try:
        return compiler.understand(source, options.library, calls, reading=options.reading, repair=options.repair)
    except CplError as error:
        lacking = [found.span.text for found in error.diagnostics if found.span.source.path.startswith("<call")]
        if len(lacking) == len(error.diagnostics) and {"StartPosition", "LegalPositionsFrom"} >= {*lacking}:
            raise Usage(f"{source.shown} defines no {' and no '.join(lacking)}: {advice}") from None
        raise
