"""Matches: players meet in twos and change sides after every game, and the games are the same whatever the jobs.

A match is data (`Match`), its games are numbered (`Pairing`), and a game that was played is what its number makes of it
(`Played`). All of them come one by one, in their order, so a match of any length needs the same memory. Nothing here is
printed or written: `cpl.cli.match` does that.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb, inf, log10, sqrt
from random import Random
from typing import Final

from cpl.executors import crew
from cpl.games.draws import Adjudication
from cpl.games.game import End, Speed, use
from cpl.games.openings import Opening, identity
from cpl.games.play import LiveGame
from cpl.games.playable import game_of
from cpl.games.players import at_random, player

SURE: Final = 1.96
"""Standard deviations to either side, for an interval that holds nineteen times of twenty."""


@dataclass(frozen=True)
class Match:
    """What a match is: the game by its name, the players as they are written, games for each pair, and the rest.

    Without openings, players who always choose the same play one game again and again. `opening` are the plies at the
    beginning of each game that are played at random; `openings` are given. A pair plays each opening twice, with the
    sides exchanged.
    """

    game: str
    players: tuple[str, ...]
    games: int
    seed: int = 0
    plies: int | None = None
    opening: int = 0
    openings: tuple[Opening, ...] = ()
    adjudication: Adjudication | None = None

    @property
    def all_games(self) -> int:
        """How many there are, of all pairs together."""
        return self.games * comb(len(self.players), 2)

    def __str__(self) -> str:
        """All of it in a line."""
        openings = f"; openings {identity(self.openings)}" if self.openings else ""
        adjudication = f"; adjudicate {self.adjudication}" if self.adjudication else ""
        return (
            f"{self.game}; {' '.join(self.players)}; {self.games} games a pair; seed {self.seed}; "
            f"{self.plies or 'any number of'} plies; opening {self.opening}{openings}{adjudication}"
        )


@dataclass(frozen=True)
class Pairing:
    """A game of a match before it is played: its number from 1, and who plays the side that begins, and the other."""

    number: int
    players: tuple[str, str]
    opening: Opening


@dataclass(frozen=True)
class Played:
    """A game of a match: the moves as they are written, and how it ended."""

    pairing: Pairing
    moves: tuple[str, ...]
    end: End
    sides: tuple[str, str]

    @property
    def points(self) -> float:
        """What the player of the first side has got: 1, 1/2 or 0."""
        return {self.sides[0]: 1.0, self.sides[1]: 0.0, None: 0.5}[self.end.winner]


def pairings(match: Match) -> Iterator[Pairing]:
    """All games: each pair of players in turn, the sides exchanged from game to game.

    Each pair plays the openings in the same order, which the seed shuffles, and begins again after the last.
    """
    openings = Random(f"{match.seed} openings").sample(match.openings, len(match.openings)) or [Opening()]
    number = 0
    for one, other in combinations(match.players, 2):
        for game in range(match.games):
            number += 1
            opening = openings[game // 2 % len(openings)]
            yield Pairing(number, (other, one) if game % 2 else (one, other), opening)


def begun(match: Match, pairing: Pairing) -> LiveGame:
    """A game of the match after its opening, which is the same whenever it is played."""
    game, salt = game_of(match.game), (match.seed, pairing.number)
    players = zip(game.sides, pairing.players, strict=True)
    seats = {side: player(text, game, (salt, side)) for side, text in players}
    first = pairing.opening.first(game)
    live = LiveGame(game, seats, match.plies, first, adjudication=match.adjudication)
    for text in pairing.opening.moves:
        live.play(game.read(live.state, text))
    pair, number = divmod(pairing.number - 1, match.games)
    opening = at_random(f"{match.seed} {pair} {number // 2}")
    while len(live.played) < match.opening and not live.end:
        live.play(opening(live.state))
    return live


def played(match: Match, pairing: Pairing) -> Played:
    """A game of the match, which is the same whenever it is played."""
    live = begun(match, pairing)
    end = live.finish()
    return Played(pairing, tuple(map(live.game.text, live.played)), end, live.game.sides)


@contextmanager
def under_way(
    match: Match,
    waiting: Iterable[Pairing],
    jobs: int = 1,
    *,
    cluster: str | None = None,
    speed: Speed = "fastest",
) -> Iterator[Iterator[Played]]:
    """Within, these games of the match, in their order, each when it and those before it are finished. The `speed` is
    that of `cpl.games.game.use`; `jobs` and `cluster` are those of `cpl.executors.crew`, whose processes begin at once.
    """
    use(speed)
    order: deque[int] = deque()  # the numbers of games that have begun

    def taken() -> Iterator[Pairing]:
        for pairing in waiting:
            order.append(pairing.number)
            yield pairing

    def in_order(games: Iterable[tuple[Pairing, Played]]) -> Iterator[Played]:
        early: dict[int, Played] = {}
        for pairing, done in games:
            early[pairing.number] = done
            while order and order[0] in early:
                yield early.pop(order.popleft())

    with crew(jobs, cluster, partial(use, speed)) as workers:
        yield in_order(workers.results(partial(played, match), taken()))


@dataclass
class Score:
    """What a player has got: wins, draws and losses with the side that begins, and with the other."""

    first: list[int]
    second: list[int]

    @property
    def games(self) -> int:
        """How many there were."""
        return sum(self.first + self.second)

    @property
    def points(self) -> float:
        """One for a win, a half for a draw."""
        return self.first[0] + self.second[0] + (self.first[1] + self.second[1]) / 2

    @property
    def share(self) -> float:
        """The points for each game."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """What the share may be in truth: Wilson's interval, a draw being half a win."""
        games = self.games

        def least(points: float) -> float:
            spread = sqrt(points * (games - points) / max(games, 1) + SURE**2 / 4)
            return (points + SURE**2 / 2 - SURE * spread) / (games + SURE**2)

        return least(self.points), 1 - least(games - self.points)


def elo(share: float) -> float:
    """The difference of ratings at which this share of the points is to be expected; infinite for all or none."""
    if not 0 < share < 1:
        return inf if share else -inf
    return 400 * log10(share / (1 - share))


def table(players: Sequence[str], games: Iterable[Played] = ()) -> dict[str, Score]:
    """The scores of the players, in their order."""
    scores = {each: Score([0, 0, 0], [0, 0, 0]) for each in players}
    for each in games:
        add(scores, each)
    return scores


def add(scores: Mapping[str, Score], game: Played) -> None:
    """Count a game."""
    index = int(2 - 2 * game.points)
    scores[game.pairing.players[0]].first[index] += 1
    scores[game.pairing.players[1]].second[2 - index] += 1
