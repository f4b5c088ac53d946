"""Players of any game: at random, by search, and the program of 1966. A player is written `alphabeta:3`, `random:7`,
`alphabeta:0.5s` or `hard`, and in checkers also `alphabeta:3@Kings=80`, with other weights.

Games come from `cpl.games.playable`; a person at the terminal is not a player.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Final, TypeAlias

from cpl.compiler.diagnostics import Invalid
from cpl.games.analysis import Analysis, Limits, search
from cpl.games.game import HEAVIEST, SEARCHES, Game, Path, Turn

Player: TypeAlias = Callable[[Turn], Path]
"""Chooses one of the moves of a state, which has at least one."""


class BadPlayer(Invalid):
    """A text that is no player. The message is one line."""


KINDS: Final = {
    "random": ("a seed", 0, 0),
    "minimax": ("how many plies it looks ahead", 1, 2),
    "alphabeta": ("how many plies it looks ahead", 1, 3),
    "strachey": ("its DepthLimit, one less than the plies that it looks ahead", 0, 2),
}
"""For each kind of player: what the number after the colon means, the least number, and the default."""

TIMED: Final = "alphabeta"
"""The kind of player whose number may be one of seconds."""
_TIME: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)s")

STRENGTHS: Final = {"easy": "alphabeta:1", "medium": "alphabeta:3", "hard": "alphabeta:1s"}
"""Players by names for people."""


def player(text: str, game: Game, salt: object = None) -> Player:
    """The player that a text means, `random:7` or only `random`. Raises BadPlayer.

    Players at random choose anew for each `salt`, such as the number of a game in a match.
    """
    kind, weighted, weights = STRENGTHS.get(text, text).partition("@")
    name, colon, digits = kind.partition(":")
    if name not in KINDS:
        kinds = ", ".join(f"{kind}:N" for kind in KINDS if kind != "strachey" or game.name == kind)
        raise BadPlayer(f"{text!r} is not a player: there are {kinds}, {TIMED}:SECONDSs, and {', '.join(STRENGTHS)}")
    if name == "strachey" and game.name != "strachey":
        raise BadPlayer(f"{text} plays the game strachey only, by the rules of 1966, and not {game.name}")

    timed = _TIME.fullmatch(digits) if name == TIMED else None
    seconds = float(timed[1]) if timed else 0
    what, least, number = KINDS[name]
    if colon and not seconds:
        if not re.fullmatch("[0-9]{1,18}", digits) or int(digits) < least:
            more = ", or a time such as 0.5s" if name == TIMED else ""
            raise BadPlayer(f"{text!r} is not a player: after {name}: comes {what}, {least} or more{more}")
        number = int(digits)
    if weighted:
        if name not in SEARCHES or not game.weights:
            raise BadPlayer(f"{text!r} is not a player: weights after @ are for minimax and alphabeta, in checkers")
        game = game.weighted(_weights(text, weights, game.weights))

    if seconds:
        return within(Limits(seconds=seconds), game)
    if name == "random":
        return at_random((number, salt))
    if name in SEARCHES:
        game.searching()  # it is compiled before anybody waits for a move
    return lambda turn: game.search(turn, name, number)


def _weights(text: str, weights: str, usual: Mapping[str, float]) -> dict[str, float]:
    """The weights of a player's text: a number for each feature, or `Pieces=120,Kings=80`, and the rest as usual."""
    values = weights.split(",")
    if "=" in weights:
        by_name = [value.partition("=")[::2] for value in values]
    elif len(values) == len(usual):
        by_name = [*zip(usual, values, strict=True)]
    else:
        raise BadPlayer(f"{text!r} is not a player: after @ come {len(usual)} weights, or some by name, as in Kings=80")

    chosen = {**usual}
    for name, value in by_name:
        if name not in usual:
            raise BadPlayer(f"{text!r} is not a player: there is no feature {name!r}, only {', '.join(usual)}")
        if not re.fullmatch(r"-?[0-9]{1,4}(\.[0-9]{1,6})?", value) or abs(float(value)) > HEAVIEST:
            raise BadPlayer(f"{text!r} is not a player: {value!r} is not a weight from -{HEAVIEST} to {HEAVIEST}")
        chosen[name] = float(value)
    return chosen


def at_random(seed: object) -> Player:
    """Return a player of any move, each as likely as another; the same moves for the same seed."""
    generator = Random(str(seed))
    return lambda turn: generator.choice([*turn.legal])


def within(limits: Limits, game: Game, tell: Callable[[Analysis], object] = lambda _: None) -> Player:
    """Return a player of the best move that a search finds within limits, who tells what it has found; of the only move
    at once. It remembers from move to move.
    """

    def choose(turn: Turn) -> Path:
        if len(turn.legal) == 1:
            return next(iter(turn.legal))
        found = search(replace(turn, game=game), limits)
        tell(found)
        return found.best

    return choose
