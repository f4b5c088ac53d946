"""The files that a person at `cpl play` names: a game is loaded from one, and saved in one that nobody will miss."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cpl import files
from cpl.cli import common

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.sheet import Sheet

_MOST_BYTES: Final = 100_000_000
"""Of longer files nothing is loaded: some have no end."""


class Files:
    """The files of a sitting. Only what was saved in it is written over."""

    def __init__(self) -> None:
        self._own: set[Path] = set()

    def _refuse_to_lose(self, path: Path) -> None:
        """Raise Failed if a file would be lost that was not saved here."""
        with common.told(path):
            lost = path.is_file() and path.resolve() not in self._own
            if path.is_dir() or any(each.is_file() for each in path.parents):
                raise common.Failed(f"{path}: a folder cannot be a file, nor a file a folder")
        if lost:
            raise common.Failed(f"{path} exists, and was not saved in this sitting: take another name")

    def save(self, path: Path, text: str) -> None:
        """Write a file, whole or not at all. Raises Failed."""
        self._refuse_to_lose(path)
        common.write_output(path, text, in_place=path.is_file())
        self._own.add(path.resolve())


def load(game: "Game", path: Path, number: int) -> "Sheet":
    """The game of that number in a file. Raises Failed."""
    from cpl.games.sheet import BadSheet, read

    with common.told(path):
        raw = files.read(path, _MOST_BYTES)
    if len(raw) > _MOST_BYTES:
        raise common.Failed(f"{path}: this file has more than {_MOST_BYTES:,} bytes: too many for a file of games")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:  # files of games are often older than UTF-8, and only names suffer
        text = raw.decode("latin-1")
    try:
        return read(game, text, number)
    except BadSheet as error:
        raise common.Failed(f"{path}: {error}") from None


def named(text: str, command: str) -> Path:
    """The file that is named. Raises Failed."""
    if not text or "\0" in text:
        raise common.Failed(f"{command} which file? {command} FILE")
    path = Path(text)
    with common.told(path):  # ~nobody
        return path.expanduser()


def numbered(text: str) -> tuple[Path, int]:
    """A file, and perhaps the number of a game in it."""
    whole = named(text, "load")
    name, _, number = text.rpartition(" ")
    with common.told(whole):
        if name and re.fullmatch("[1-9][0-9]{0,8}", number) and not whole.exists():
            return named(name.rstrip(), "load"), int(number)
    return whole, 1
