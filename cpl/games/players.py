"""Players of any game: at random, by search, and the program of 1966. A player is written `alphabeta:3` or `random:7`.

Games come from `cpl.games.playable`; a person at the terminal is not a player.
"""

import random
from dataclasses import dataclass
from typing import Any, Final, Protocol

from cpl.games.game import Game


class BadPlayer(ValueError):
    """A text that is no player. The message is one line."""


class Player(Protocol):
    """Whoever chooses moves."""

    def choose(self, game: Game, state: Any) -> Any:
        """One of `game.moves(state)`, of which there is at least one."""


class AtRandom:
    """Any move, each as likely as another; the same for the same seed."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(str(seed))

    def choose(self, game: Game, state: Any) -> Any:
        """One of the moves."""
        return self._random.choice(game.moves(state))


@dataclass(frozen=True)
class Searching:
    """By a search of the game, such as "minimax" or "alphabeta", so many plies deep."""

    kind: str
    depth: int

    def choose(self, game: Game, state: Any) -> Any:
        """The best that the search finds."""
        return game.search(state, self.kind, self.depth)


@dataclass(frozen=True)
class Kind:
    """The number after the colon: what it is, the least and the default; and the only game, if not all."""

    number: str
    least: int
    usual: int
    only: str | None = None


KINDS: Final = {
    "random": Kind("a seed", 0, 0),
    "minimax": Kind("how many plies it looks ahead", 1, 2),
    "alphabeta": Kind("how many plies it looks ahead", 1, 3),
    "strachey": Kind("its DepthLimit", 0, 2, only="strachey"),
}


def player(text: str, game: Game, salt: object = None) -> Player:
    """The player that a text means, `random:7` or only `random`. Raises BadPlayer.

    Players at random choose anew for each `salt`, the number of a game of a match, say.
    """
    name, colon, digits = text.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        raise BadPlayer(f"{text!r} is no player: there are {', '.join(f'{each}:N' for each in KINDS)}")
    if kind.only and kind.only != game.name:
        raise BadPlayer(f"{text} plays the game {kind.only} only, by the rules of 1966, and not {game.name}")
    if colon and not (digits.isascii() and digits.isdigit() and len(digits) < 19 and int(digits) >= kind.least):
        raise BadPlayer(f"{text!r} is no player: after {name}: comes {kind.number}, {kind.least} or more")
    number = int(digits) if colon else kind.usual
    return AtRandom((number, salt)) if name == "random" else Searching(name, number)
