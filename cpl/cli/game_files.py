"""Files of games: they are read, and games are saved in them without losing what is there."""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cpl import outside
from cpl.cli import output_files
from cpl.cli.exits import Failed

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.pdn import Record


def save(path: Path, text: str, saved: set[tuple[int, int] | None]) -> None:
    """Write a file, whole or not at all, and add its identity to those that were saved; only they are written over.
    Raises Failed, also if another file would be lost.
    """
    before = outside.identity(path)
    with output_files.errors(path):
        is_there = path.is_file()
    if is_there and before not in saved:
        raise Failed(f"{path} already exists, and was not saved in this session: choose another name")
    output_files.write(path, text, in_place=is_there, is_new=before is None)
    saved.discard(before)
    saved.add(outside.identity(path))


def read_games(name: str | Path) -> str:
    """The text of a file of games, `-` for standard input. Raises Failed."""
    from cpl.games.pdn import MOST_BYTES, decoded, text_of
    from cpl.games.pdn_text import BadPdn

    try:
        with output_files.errors(Path(name)):
            if str(name) != "-":
                return text_of(Path(name))
            outside.note(0)
            return decoded(sys.stdin.buffer.read(MOST_BYTES + 1))
    except BadPdn as error:
        raise Failed(f"{name}: {error}") from None


def load(game: "Game", path: Path, number: int) -> "Record":
    """The game of that number in a file. Raises Failed."""
    from cpl.games.pdn import BadPdn, nth

    try:
        return nth(game, read_games(path), number)
    except BadPdn as error:
        raise Failed(f"{path}: {error}") from None


def named(text: str, command: str) -> Path:
    """The file that a person names after a command. Raises Failed."""
    if text in ("", "-") or "\0" in text:
        raise Failed(f"{command} which file? {command} FILE")
    with output_files.errors(Path(text)):  # ~nobody
        return Path(text).expanduser()


def numbered(text: str) -> tuple[Path, int]:
    """A file, and perhaps the number of a game in it. Raises Failed."""
    whole, match = named(text, "load"), re.fullmatch("(.*?) +([1-9][0-9]{0,8})", text)
    if match and not os.path.exists(whole):
        return named(match[1], "load"), int(match[2])
    return whole, 1
