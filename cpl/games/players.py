"""Players of any game: at random, by search, and the program of 1966. A player is written `alphabeta:3` or `random:7`.

Games come from `cpl.games.playable`; a person at the terminal is not a player.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, TypeAlias

from cpl.diagnostics import Invalid
from cpl.games.game import Game, Path, Turn

Player: TypeAlias = Callable[[Turn], Path]
"""Chooses one of the moves of a state, which has at least one."""


class BadPlayer(Invalid):
    """A text that is no player. The message is one line."""


KINDS: Final = {
    "random": ("a seed", 0, 0),
    "minimax": ("how many plies it looks ahead", 1, 2),
    "alphabeta": ("how many plies it looks ahead", 1, 3),
    "strachey": ("its DepthLimit", 0, 2),
}
"""Of each kind of player what the number after the colon is, the least and the default."""


def player(text: str, game: Game, salt: object = None) -> Player:
    """The player that a text means, `random:7` or only `random`. Raises BadPlayer.

    Players at random choose anew for each `salt`, such as the number of a game in a match.
    """
    name, colon, digits = text.partition(":")
    if name not in KINDS:
        raise BadPlayer(f"{text!r} is not a player: there are {', '.join(f'{each}:N' for each in KINDS)}")
    if name == "strachey" and game.name != "strachey":
        raise BadPlayer(f"{text} plays the game strachey only, by the rules of 1966, and not {game.name}")
    what, least, default = KINDS[name]
    if colon and not (digits.isascii() and digits.isdigit() and len(digits) < 19 and int(digits) >= least):
        raise BadPlayer(f"{text!r} is not a player: after {name}: comes {what}, {least} or more")
    number = int(digits) if colon else default
    return at_random((number, salt)) if name == "random" else partial(_best, name, number)


def at_random(seed: object) -> Player:
    """Plays any move, each as likely as another; the same moves for the same seed."""
    return partial(_any, Random(str(seed)))


def _any(generator: Random, turn: Turn) -> Path:
    return generator.choice([*turn.legal])


def _best(kind: str, depth: int, turn: Turn) -> Path:
    """What a search of the game finds, so many plies deep."""
    return turn.game.search(turn, kind, depth)
