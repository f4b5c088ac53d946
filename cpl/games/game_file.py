"""Games read from files of PDN: a path or a text in, the record of a game out."""

import codecs
import os
from pathlib import Path
from typing import Final

from cpl import outside
from cpl.games.pdn import BadPdn, Record, nth
from cpl.games.playable import NAMES, game_of

MOST_BYTES: Final = 100_000_000
"""Read limit; special files may be endless."""


def read_game(path_or_text: str | Path, game: str = "checkers", number: int = 1) -> Record:
    """The game with this number, from 1, in a file of PDN, or in its text. A notebook shows it to look through.

    A string that ends with `.pdn` is the name of a file. `game` is checkers, strachey, simple-checkers or capture.

    Raises OSError for a file that cannot be read, BadPdn, a ValueError, for a game that cannot, and ValueError for an
    unknown game or a number below 1.
    """
    if game not in NAMES:
        raise ValueError(f"there is no game {game!r}: there are {', '.join(NAMES)}")
    if number < 1:
        raise ValueError(f"the games of a file are numbered from 1, not {number}")
    if isinstance(path_or_text, str) and not path_or_text.lower().endswith(".pdn"):
        return nth(game_of(game), path_or_text, number)
    try:
        return nth(game_of(game), text_of(Path(path_or_text)), number)
    except BadPdn as error:
        raise BadPdn(f"{os.fspath(path_or_text)}: {error}") from None


def text_of(path: Path) -> str:
    """The text of a file of games. Raises OSError or BadPdn."""
    return decoded(outside.read(path, MOST_BYTES))


def decoded(raw: bytes) -> str:
    """The text of these bytes, of which there should be no more than `MOST_BYTES`. Raises BadPdn."""
    if len(raw) > MOST_BYTES:
        raise BadPdn(f"this file has more than {MOST_BYTES:,} bytes: too many for a file of games")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as Notepad writes "Unicode"
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:  # files of games are often older than UTF-8, and only names suffer
        return raw.decode("latin-1")
