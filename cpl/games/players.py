"""Players of any game: at random, by search, and the program of 1966. A player is written `alphabeta:3`, `random:7`,
`alphabeta:0.5s` or `hard`.

Games come from `cpl.games.playable`; a person at the terminal is not a player.
"""

import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, TypeAlias

from cpl.diagnostics import Invalid
from cpl.games.analysis import Limits, search
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

TIMED: Final = "alphabeta"
"""The kind of player whose number may be one of seconds."""

STRENGTHS: Final = {"easy": "alphabeta:1", "medium": "alphabeta:3", "hard": "alphabeta:1s"}
"""Players by names for people."""


def player(text: str, game: Game, salt: object = None) -> Player:
    """The player that a text means, `random:7` or only `random`. Raises BadPlayer.

    Players at random choose anew for each `salt`, such as the number of a game in a match.
    """
    text = STRENGTHS.get(text, text)
    name, colon, digits = text.partition(":")
    if name not in KINDS:
        raise BadPlayer(
            f"{text!r} is not a player: there are {', '.join(f'{each}:N' for each in KINDS)}, "
            f"{TIMED}:SECONDSs, and {', '.join(STRENGTHS)}"
        )
    if name == "strachey" and game.name != "strachey":
        raise BadPlayer(f"{text} plays the game strachey only, by the rules of 1966, and not {game.name}")
    if name == TIMED and (seconds := _SECONDS.fullmatch(digits)):
        return partial(_in_time, float(seconds[1]))
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


_SECONDS: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)s")


def _in_time(seconds: float, turn: Turn) -> Path:
    """The best move that is found in so many seconds; the only move, if there is but one, at once."""
    return next(iter(turn.legal)) if len(turn.legal) == 1 else search(turn, Limits(seconds=seconds)).best


def _best(kind: str, depth: int, turn: Turn) -> Path:
    """What a search of the game finds, so many plies deep."""
    return turn.game.search(turn, kind, depth)
