"""Matches: players meet in twos and change sides after every game, and the games are the same whatever the jobs.

A match is data (`Match`), its games are numbered (`Pairing`), and a game that was played is what its number makes of it
(`Played`). Nothing here is printed or written: `cpl.cli.match` does that.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, product
from math import inf, log10, sqrt
from typing import Final

from cpl.executors import crew
from cpl.games import pdn
from cpl.games.game import End, Game, Speed, use
from cpl.games.play import LiveGame
from cpl.games.playable import game_of
from cpl.games.players import at_random, player

SURE: Final = 1.96
"""Standard deviations to either side, for an interval that holds nineteen times of twenty."""


@dataclass(frozen=True)
class Match:
    """What a match is: the game by its name, the players as they are written, games for each pair, and the rest.

    `opening` are the plies at the beginning of each game that are played at random, so that players who always choose
    the same do not play one game again and again; a pair plays each opening twice, with the sides exchanged.
    """

    game: str
    players: tuple[str, ...]
    games: int
    seed: int = 0
    plies: int | None = None
    opening: int = 0

    @property
    def most_plies(self) -> int | None:
        """At how many plies a game that goes on is called a draw: `plies`, or what the game itself says."""
        return self.plies or game_of(self.game).most_plies

    def __str__(self) -> str:
        """All of it in a line."""
        return (
            f"{self.game}; {' '.join(self.players)}; {self.games} games a pair; seed {self.seed}; "
            f"{self.most_plies or 'any number of'} plies; opening {self.opening}"
        )


@dataclass(frozen=True)
class Pairing:
    """A game of a match before it is played: its number from 1, and who plays the side that begins, and the other."""

    number: int
    players: tuple[str, str]


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
    """All games: each pair of players in turn, the sides exchanged from game to game."""
    games = product(combinations(match.players, 2), range(match.games))
    for number, ((one, other), game) in enumerate(games, 1):
        yield Pairing(number, (other, one) if game % 2 else (one, other))


def played(match: Match, pairing: Pairing) -> Played:
    """A game of the match, which is the same whenever it is played."""
    game, salt = game_of(match.game), (match.seed, pairing.number)
    players = zip(game.sides, pairing.players, strict=True)
    live = LiveGame(game, {side: player(text, game, (salt, side)) for side, text in players}, match.plies)
    pair, number = divmod(pairing.number - 1, match.games)
    opening = at_random(f"{match.seed} {pair} {number // 2}")
    while len(live.played) < match.opening and not live.end:
        live.play(opening(live.state))
    end = live.finish()
    return Played(pairing, tuple(map(game.text, live.played)), end, game.sides)


def results(
    match: Match,
    waiting: Iterable[Pairing],
    jobs: int = 1,
    *,
    cluster: str | None = None,
    speed: Speed = "optimised",
) -> Iterator[Played]:
    """These games of the match, each when it is finished: with several workers not in their order. The `speed` is that
    of `cpl.games.game.use`; `jobs` and `cluster` are those of `cpl.executors.crew`, whose processes begin at once.
    """
    use(speed)
    workers = crew(jobs, cluster, partial(use, speed))
    games = workers.results(partial(played, match), waiting)

    def finished() -> Iterator[Played]:
        with workers:
            for _, done in games:
                yield done

    return finished()


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


def table(players: Sequence[str], games: Iterable[Played]) -> dict[str, Score]:
    """The scores of the players, in their order."""
    scores = {each: Score([0, 0, 0], [0, 0, 0]) for each in players}
    for each in games:
        index = int(2 - 2 * each.points)
        scores[each.pairing.players[0]].first[index] += 1
        scores[each.pairing.players[1]].second[2 - index] += 1
    return scores


# The file of a match: PDN, each game with its number as Round and the whole match as Match


class BadRecord(ValueError):
    """A file that does not hold games of this match. The message is one line."""


@cache  # as the file is written after every game
def text_of(game: Game, match: Match, done: Played) -> str:
    """A game as text, with a blank line after it. The first number of the result is that of the side that begins."""
    tags = {"Event": game.title, "Round": str(done.pairing.number)}
    tags |= zip(game.tags, done.pairing.players, strict=True)
    tags |= {"Termination": done.end.why, "Match": str(match)}
    return pdn.written(game, tags, done.moves, pdn.result_of(game, done.end)) + "\n"


def recorded(text: str, game: Game, match: Match) -> list[Played]:
    """The games of a file. Raises BadRecord if it holds anything else than games of this match."""
    known = {str(each.number): each for each in pairings(match)}
    games: list[Played] = []
    for record in filter(None, re.split(r"(?=\[Event )", text)):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', record, re.MULTILINE))
        if tags.get("Match", str(match)) != str(match):
            raise BadRecord(f"it holds games of another match, {tags['Match']}, and not of {match}")
        done = _read(game, known.get(tags.get("Round", "")), tags, record)
        if not done or text_of(game, match, done) != record:
            where = f"where game {len(games) + 1} of the file should be"
            raise BadRecord(f"it holds something else than games of this match, {where}")
        games.append(done)
    return games


def _read(game: Game, pairing: Pairing | None, tags: dict[str, str], record: str) -> Played | None:
    """The game of a record, as far as it can be read; None if that is no game of the match."""
    winners = {pdn.result_of(game, End(side, "")): side for side in (*game.sides, None)}
    if not pairing or tags.get("Result") not in winners:
        return None
    _, _, moves = record.partition("\n\n")
    *texts, _ = re.sub(r"\d+\. ", "", " ".join(moves.split())).split(" ")
    return Played(pairing, tuple(texts), End(winners[tags["Result"]], tags.get("Termination", "")), game.sides)
