"""Players of any game: at random, by search, and the program of 1966. A player is written `alphabeta:3` or `random:7`.

Games come from `cpl.games.playable`; a person who plays is a matter of the terminal (`cpl.cli.play`).
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from cpl.games.game import Game


class BadPlayer(ValueError):
    """A text that is no player, in one plain line."""


class Player(Protocol):
    """Whoever chooses moves."""

    def choose(self, game: Game, state: Any) -> Any:
        """One of `game.moves(state)`, of which there is one."""


class AtRandom:
    """Any move, each as likely as another; the same for the same seed."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(str(seed))

    def choose(self, game: Game, state: Any) -> Any:
        """One of the moves."""
        return self._random.choice(game.moves(state))


@dataclass(frozen=True)
class Searching:
    """By "minimax" or "alphabeta", so many plies deep."""

    kind: str
    depth: int

    def choose(self, game: Game, state: Any) -> Any:
        """The best that the search finds."""
        return game.search(state, self.kind, self.depth)


@dataclass(frozen=True)
class Of1966:
    """Strachey's program with a DepthLimit of its own. It plays its own game only."""

    depth: int

    def choose(self, game: Game, state: Any) -> Any:
        """What it chooses; the first move where it finds that all lose, and a move that wins at once."""
        from cpl.games.playable.strachey import Strachey

        assert isinstance(game, Strachey)
        return game.chosen(state, self.depth)


@dataclass(frozen=True)
class Kind:
    """What stands before the colon, and what the number after it is."""

    number: str
    least: int
    usual: int
    make: Callable[[int, object], Player]
    only: str | None = None


KINDS: Final = {
    "random": Kind("a seed", 0, 0, lambda number, salt: AtRandom((number, salt))),
    "minimax": Kind("how many plies it looks ahead", 1, 2, lambda number, _: Searching("minimax", number)),
    "alphabeta": Kind("how many plies it looks ahead", 1, 3, lambda number, _: Searching("alphabeta", number)),
    "strachey": Kind("its DepthLimit", 0, 2, lambda number, _: Of1966(number), only="strachey"),
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
    return kind.make(int(digits) if colon else kind.usual, salt)
