"""The sequential probability ratio test: whether one player is stronger than another, in as few games as that takes.

Wald's test, of the hypothesis that the first player is stronger by `elo0` against the one that he is by `elo1`. What is
counted are pairs of games with sides exchanged, by the points of the first player: 0, 1/2, 1, 3/2 or 2 (the pentanomial
model, which allows for openings that favour a side). A hypothesis is as likely as the likeliest distribution with its
mean (the generalised test).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Final

from cpl.games.match import Played

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair of games is worth to the first player, as a share of its points."""
_HALVINGS: Final = 60
_UNSEEN: Final = 1e-3
"""Added to each count, so that what was not seen is not held to be impossible."""


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses, in differences of Elo, and how often it may be wrong: for the second, and for the first."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratio at which the first hypothesis is accepted, and that for the second, as logarithms."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The logarithm of how much likelier the second hypothesis makes these numbers of pairs, by SCORES."""
        if not any(pairs):
            return 0.0
        counts = [number + _UNSEEN for number in pairs]
        first, second = (_shrinking(counts, share(elo)) for elo in (self.elo0, self.elo1))
        return sum(number * log(before / after) for number, before, after in zip(counts, first, second, strict=True))

    def accepted(self, pairs: Sequence[int]) -> float | None:
        """The difference of Elo that is accepted after these pairs; None if more are needed."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        return self.elo0 if ratio <= low else self.elo1 if ratio >= high else None


@dataclass
class Trial:
    """A test under way: the `player` whose strength is tested, and how many pairs of games came to each of SCORES."""

    sprt: Sprt
    player: str
    pairs: list[int] = field(default_factory=lambda: [0] * len(SCORES))
    _half: float | None = None

    def add(self, game: Played) -> bool:
        """Count the next game. The result is whether the test is over."""
        points = game.points if game.pairing.players[0] == self.player else 1 - game.points
        if self._half is None:
            self._half = points
            return False
        self.pairs[SCORES.index((self._half + points) / 2)] += 1
        self._half = None
        return self.sprt.accepted(self.pairs) is not None


def share(elo: float) -> float:
    """The share of the points that is to be expected at this difference of ratings."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _shrinking(counts: Sequence[float], mean: float) -> list[float]:
    """By what each score's share is divided, to make of what was counted the likeliest distribution with this mean.

    That is 1 + t (score − mean), for the t at which the deviations from the mean come to 0. They fall as t grows.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(_HALVINGS):
        t = (low + high) / 2
        divisors = [1 + t * (score - mean) for score in SCORES]
        parts = zip(counts, SCORES, divisors, strict=True)
        low, high = (t, high) if sum(number * (score - mean) / by for number, score, by in parts) > 0 else (low, t)
    return divisors
