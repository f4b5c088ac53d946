"""A command's FILE: standard input, a path, or the name of a packaged program; for some a folder."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cpl import compiler, files, loader
from cpl.cli import output
from cpl.cli.exits import Failed, Usage
from cpl.cli.faults import guard
from cpl.compiler import Meaning
from cpl.diagnostics import CplError
from cpl.draughts.position import Position, is_position
from cpl.kit.perft import Moves
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


def understood(options: argparse.Namespace, calls: Sequence[str] = ()) -> Meaning:
    """FILE, with the expressions to be evaluated in it; how it was repaired is reported. Raises as `read_input`."""
    source = read_input(options.file)
    meaning = compiler.understand(source, options.library, calls, reading=options.reading, repair=options.repair)
    output.show_repair(meaning.diagnostics, options)
    return meaning


def game_in(options: argparse.Namespace, start: str, moves: str, advice: str) -> tuple[Any, Any]:
    """Run FILE; the values of two expressions, where its game starts and the function of its moves. Raises CplError,
    Failed, and Usage with this advice for a program that has no game.
    """
    try:
        meaning = understood(options, [start, moves])
    except CplError as error:
        lacking = [found.span.text for found in error.diagnostics if found.span.source.path.startswith("<call")]
        if len(lacking) == len(error.diagnostics) and {"StartPosition", "LegalPositionsFrom"} >= {*lacking}:
            raise Usage(f"{options.file} defines no {' and no '.join(lacking)}: {advice}") from None
        raise
    _, first, function = guard(lambda: [*compiler.evaluations(meaning)])
    return first, function


def position_moves(function: Any, what: str) -> Moves:
    """A function of a program that gives the next positions, checked. The result raises Failed."""

    def moves(position: Position) -> list[Position]:
        after = guard(lambda: function(position), TypeError)  # of a function that is none for moves
        if not isinstance(after, list) or not all(map(is_position, after)):
            raise Failed(f"{what} gives is no list of positions (X,Y,K,σ)")
        return after

    return moves
