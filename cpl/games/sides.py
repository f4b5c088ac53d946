"""The sides of checkers: the one table of their names.

People call them Black, who moves first, and White, as FEN and PDN, the books and our reproduction of the program of
1966 do. The model of `cpl.games.checkers` calls its players "red" and "black", as the description that it follows does;
and cplc 2.0 used the words of the model wherever checkers was played:

    for people   in FEN and PDN   σ in programs   in the model, and in cplc 2.0
    black        B                 1              red; he moves first, down from squares 1 to 12
    white        W                −1              black
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

Side = Literal["black", "white"]
Player = Literal["red", "black"]
"""A player of the model. Red stands on rows 0 to 2 and moves down, and first; Black stands on rows 5 to 7 and moves up.
"""

SIDES: Final[tuple[Side, Side]] = ("black", "white")
"""The sides as people call them. The first moves first."""
PLAYERS: Final[tuple[Player, Player]] = ("red", "black")
"""The same sides in the words of the model."""

_RENAMED: Final = "checkers"
"""The game whose sides had the names of the model in cplc 2.0. The sides of the others have kept their names."""
_IN_2_0: Final[dict[str, str]] = dict(zip(SIDES, PLAYERS, strict=True))
_A_SIDE: Final = re.compile(rf"\b({'|'.join(SIDES)})\b")


def in_words_of_2_0(game: str, text: str) -> str:
    """Return how cplc 2.0 wrote a sentence about a game: of checkers, `red cannot move` for `black cannot move`."""
    if game != _RENAMED:
        return text
    return _A_SIDE.sub(lambda side: _IN_2_0[side[0]], text)


def called_now(game: str, name: str) -> str:
    """Return what a side that was called `name` in cplc 2.0 is called now, if it has another name that shows this."""
    return SIDES[0] if game == _RENAMED and name == PLAYERS[0] else ""


def missing(game: str, sides: Sequence[str], name: str) -> str:
    """Return in words that a game has no side of that name, and, if it had it in 2.0, what that side is called now."""
    now = called_now(game, name)
    if now:
        return f"{game} has no side {name}: the side that moves first is {now}; cplc 2.0 called it {name}"
    return f"{game} has no side {name}: it has {' and '.join(sides)}"
