"""Matches: players meet in twos and change sides after every game, and the games are the same whatever the jobs.

A match is data (`Match`), its games are numbered (`Pairing`), and a game that was played is what its number makes of it
(`Played`). They begin with openings: positions as FEN, and moves. The file of a match is PDN, each game with its number
as Round and the whole match as Match, in their order. It is read back to continue the match, and each game is replayed
before it is believed. Nothing here is printed or written: `cpl.cli.match` does that.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations, product
from math import comb, inf, log10, sqrt
from pathlib import Path
from random import Random
from typing import Final

from cpl import outside
from cpl.games import pdn
from cpl.games.game import BadMove, End, Game, Speed, Turn, use
from cpl.games.live import Adjudication, LiveGame
from cpl.games.playable import game_of
from cpl.games.players import at_random, player
from cpl.games.position import BadFen
from cpl.games.sides import in_words_of_2_0

SURE: Final = 1.96
"""Standard deviations to either side, for an interval that holds nineteen times of twenty."""
BALLOTS: Final = ("ballots", "barred")
"""The openings of checkers that travel with the package: `programs/openings` has them, and says where they are from."""
_OVER: Final = "nothing can be played after this opening: "
_GAME: Final = re.compile(r"(?:\[.*\n)+\n((?:.+\n)+)\n")
_FOREIGN: Final = "it holds something else than games of this match, where game {} of the file should be"
_UNKNOWN: Final = re.compile(r'(\[(?:Result|Termination) ")[^"\n]*')
"""A tag whose value is known only when a game is over: its beginning as a group, and the value."""
_NUMBER: Final = re.compile(r"\d+\.")


class BadOpening(ValueError):
    """A text that holds no openings, or one that cannot be played. The message is one line."""


class BadRecord(ValueError):
    """A file that does not hold games of this match. The message is one line."""


# Openings


@dataclass(frozen=True)
class Opening:
    """The beginning of a game: a position as FEN, or where the game itself begins, and moves as text."""

    fen: str = ""
    moves: tuple[str, ...] = ()

    def first(self, game: Game) -> Turn:
        """Return the state before the moves."""
        return game.from_fen(self.fen) if self.fen else game.start()


def ballots(name: str) -> Path:
    """Return the file of one of BALLOTS."""
    return outside.packaged("programs") / "openings" / f"{name}.pdn"


def read_openings(game: Game, text: str) -> list[Opening]:
    """Read a file of openings: games of PDN, or positions, one a line, between lines that begin with `#`, `;` or `%`.

    Raises BadOpening, also for an opening after which nothing can be played.
    """
    stripped = enumerate(map(str.strip, text.splitlines()), 1)
    lines = [(number, line) for number, line in stripped if line and line[0] not in "#;%"]
    are_positions = lines and re.match(r"[BW]\s*:", lines[0][1], re.IGNORECASE)
    if are_positions:
        openings = [opening_at(game, line, f"line {number}: ") for number, line in lines]
    else:
        try:
            openings = [*_played_openings(game, text)]
        except pdn.BadPdn as error:
            raise BadOpening(str(error)) from None
    if not openings:
        raise BadOpening("there is no opening in it")
    return openings


def opening_at(game: Game, fen: str, place: str = "") -> Opening:
    """Return a position as an opening. Raises BadOpening, whose message begins with the place."""
    try:
        turn = game.from_fen(fen)
    except BadFen as error:
        raise BadOpening(f"{place}{error}") from None
    end = game.end(turn)
    if end:
        raise BadOpening(f"{place}{_OVER}{end.why}")
    return Opening(game.to_fen(turn))


def _played_openings(game: Game, text: str) -> Iterator[Opening]:
    """Yield the games of a file as openings. Raises BadPdn, also for one that is read only in part or is over."""
    for entry in pdn.entries(game, text):
        if entry.text.cut:
            raise entry.text.error(*entry.text.cut)
        record = entry.record
        fen = "" if record.first == game.start() else game.to_fen(record.first)
        turn = record.first
        for move in record.moves:
            turn = game.play(turn, move)
        end = game.end(turn)
        if end:
            raise entry.text.error(f"{_OVER}{end.why}", entry.text.offset)
        yield Opening(fen, tuple(map(game.text, record.moves)))


def identity(openings: Iterable[Opening]) -> str:
    """Return a short text that differs for other openings: their number, and the beginning of a digest."""
    lines = [f"{opening.fen} {' '.join(opening.moves)}" for opening in openings]
    digest = sha256("\n".join(lines).encode()).hexdigest()
    return f"{len(lines)}, {digest[:8]}"


# Matches


@dataclass(frozen=True)
class Match:
    """A match: the game by its name, the players as they are written, games for each pair, and the rest.

    Without openings, players who always choose the same play one game again and again. `openings` are the beginnings of
    games to choose from; after them, games go on at random up to `opening` plies. A pair plays each opening twice, with
    the sides exchanged.
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
        """The number of games of all pairs together."""
        return self.games * comb(len(self.players), 2)

    def __str__(self) -> str:
        """All of it in a line."""
        parts = [
            self.game,
            " ".join(self.players),
            f"{self.games} games a pair",
            f"seed {self.seed}",
            f"{self.plies or 'any number of'} plies",
            f"opening {self.opening}",
        ]
        if self.openings:
            parts.append(f"openings {identity(self.openings)}")
        if self.adjudication:
            parts.append(f"adjudicate {self.adjudication.lead},{self.adjudication.plies}")
        return "; ".join(parts)


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
    is_of_2_0: bool = field(default=False, compare=False)
    """Whether a file has it as cplc 2.0 wrote it, which had other words for the sides of checkers."""


def pairings(match: Match) -> Iterator[Pairing]:
    """All games: each pair of players in turn, the sides exchanged from game to game.

    Each pair plays the openings in the same order, which the seed shuffles, and begins again after the last.
    """
    shuffled = Random(f"{match.seed} openings").sample(match.openings, len(match.openings))
    openings = shuffled or [Opening()]
    games = product(combinations(match.players, 2), range(match.games))
    for number, ((one, other), game) in enumerate(games, 1):
        players = (other, one) if game % 2 else (one, other)
        opening = openings[game // 2 % len(openings)]  # each opening twice, with the sides exchanged
        yield Pairing(number, players, opening)


def begun(match: Match, pairing: Pairing) -> LiveGame:
    """A game of the match after its opening, which is the same whenever it is played."""
    game = game_of(match.game)
    salt = (match.seed, pairing.number)
    players = zip(game.sides, pairing.players, strict=True)
    seats = {}
    for side, text in players:
        # The names of 2.0, so that players at random make the same moves for the same seed as they did there.
        seats[side] = player(text, game, (salt, in_words_of_2_0(game.name, side)))
    live = LiveGame(game, seats, match.plies, pairing.opening.first(game), adjudication=match.adjudication)
    for text in pairing.opening.moves:
        live.play(game.read(live.state, text))
    # Two games of a pair have the same moves at random, with the sides exchanged.
    pair, game_of_pair = divmod(pairing.number - 1, match.games)
    choose = at_random(f"{match.seed} {pair} {game_of_pair // 2}")
    while len(live.played) < match.opening and not live.end:
        live.play(choose(live.state))
    return live


def played(match: Match, speed: Speed, pairing: Pairing) -> Played:
    """Play a game of the match, at a speed of `cpl.games.game.use`: it is the same whenever it is played."""
    use(speed)
    live = begun(match, pairing)
    end = live.finish()
    return Played(pairing, tuple(map(live.game.text, live.played)), end)


@dataclass
class Score:
    """The results of a player: wins, draws and losses with the side that begins, and with the other."""

    first: list[int]
    second: list[int]

    @property
    def games(self) -> int:
        """The number of games."""
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
        """The range of the true share: Wilson's interval, a draw being half a win."""
        games = self.games

        def least(points: float) -> float:
            root = sqrt(points * (games - points) / max(games, 1) + SURE**2 / 4)
            return (points + SURE**2 / 2 - SURE * root) / (games + SURE**2)

        return least(self.points), 1 - least(games - self.points)


def elo(share: float) -> float:
    """The difference of ratings at which this share of the points is to be expected; infinite for all or none."""
    if not 0 < share < 1:
        return inf if share else -inf
    return 400 * log10(share / (1 - share))


def table(game: Game, players: Sequence[str], finished: Iterable[Played]) -> dict[str, Score]:
    """The scores of the players, in their order."""
    scores = {player: Score([0, 0, 0], [0, 0, 0]) for player in players}
    first, second = game.sides
    for played in finished:
        one, other = played.pairing.players
        result = (first, None, second).index(played.end.winner)  # 0, 1 or 2: a win, a draw or a loss of the first side
        scores[one].first[result] += 1
        scores[other].second[2 - result] += 1
    return scores


# The file of a match


def text_of(game: Game, match: Match, done: Played) -> str:
    """Write a game, with a blank line after it. The first number of the result is that of the side that begins."""
    why = in_words_of_2_0(game.name, done.end.why) if done.is_of_2_0 else done.end.why
    tags = _tags(game, done.pairing) | {"Termination": why, "Match": str(match)}
    result = pdn.result_of(game, done.end)
    first = done.pairing.opening.first(game)
    return pdn.written(game, tags, done.moves, result, first) + "\n"


def _tags(game: Game, pairing: Pairing) -> dict[str, str]:
    """Return the tags with which a game begins."""
    players = dict(zip(game.tags, pairing.players, strict=True))
    return {"Event": game.title, "Round": str(pairing.number), **players}


def recorded(text: str, game: Game, match: Match) -> Iterator[Played]:
    """Yield the games of a file, from the first of the match on, each replayed: it must come to its result.

    A last one that was not written whole is left out. Raises BadRecord if the file holds anything else: also if a game
    is damaged that others may follow.
    """
    text = _ended(text)
    offset = 0
    for pairing in pairings(match):
        record = _GAME.match(text, offset)
        if not record:
            _check_unfinished(game, match, pairing, text[offset:])
            return
        yield _read_back(game, match, pairing, record)
        offset = record.end()
    if text[offset:]:
        raise BadRecord(_FOREIGN.format(match.all_games + 1))


def _check_unfinished(game: Game, match: Match, pairing: Pairing, text: str) -> None:
    """Raise BadRecord if the rest of a file is anything else than a part of this game that was not written whole."""
    head = "".join(f'[{name} "{value}"]\n' for name, value in _tags(game, pairing).items())
    if not text.startswith(head) and not head.startswith(text):
        raise BadRecord(_FOREIGN.format(pairing.number))
    if not _is_beginning(match, pairing, text):
        raise BadRecord(
            f"game {pairing.number} of the file is damaged, and more than the beginning of a game is left; it "
            "would be lost: mend or remove what is damaged"
        )


def _read_back(game: Game, match: Match, pairing: Pairing, record: re.Match[str]) -> Played:
    """Replay a game that `_GAME` has found in a file. Raises BadRecord if it is not this game of the match."""
    other = re.search(r'^\[Match "(.*)"\]$', record[0], re.MULTILINE)
    if other and other[1] != str(match):
        raise BadRecord(f"it holds games of another match, {other[1]}, and not of {match}")
    place = _FOREIGN.format(pairing.number)
    words = re.sub(r"\d+\. ", "", record[1]).split()
    moves = words[:-1]  # without the result
    try:
        done = _replayed(match, pairing, moves)
    except (BadMove, BadRecord) as error:
        raise BadRecord(f"{place}: {error}") from None
    for possible in (done, replace(done, is_of_2_0=True)):
        if text_of(game, match, possible) == record[0]:
            return possible
    raise BadRecord(f"{place}: it differs from what its moves make when they are replayed")


def _is_beginning(match: Match, pairing: Pairing, text: str) -> bool:
    """Tell whether a text is what is left of this game if it was not written whole, and nothing else."""
    live = begun(match, pairing)
    opening = [*map(live.game.text, live.played)]
    unfinished = Played(pairing, (), End(None, ""))
    whole_tags, _, _ = _without_outcome(text_of(live.game, match, unfinished)).partition("\n\n")

    tags, blank, moves = text.partition("\n\n")
    tags = _without_outcome(tags)
    if not blank:  # the last tag may be cut in the middle of its value
        return f"{whole_tags}\n".startswith(tags)
    if tags != whole_tags:
        return False

    *words, last = re.split(r"\s", moves)
    played = [word for word in words if word and not _NUMBER.fullmatch(word)]
    if played[: len(opening)] != opening[: len(played)]:
        return False
    for word in played[len(opening) :]:
        playable = dict(zip(live.texts(), live.moves(), strict=True))
        if word not in playable:
            return False
        live.play(playable[word])
    # The last word may be cut: the beginning of a move number, of a move, or of the result.
    next_number = f"{len(played) // 2 + 1}."
    rest_of_opening = opening[len(played) :]
    following = [next_number, *rest_of_opening[:1], *live.texts(), *pdn.WINNERS]
    return any(word.startswith(last) for word in following)


def _without_outcome(text: str) -> str:
    """Return the text of tags without the values that are known only when a game is over."""
    return _UNKNOWN.sub(r"\1", text)


def _ended(text: str) -> str:
    """The text with the end of its last line and the blank line after it, if its last game has a result: editors take
    away blank lines where a file ends.
    """
    lines = text.rstrip("\n")
    last = lines.split("\n")[-1]
    is_whole = not last.startswith("[") and last.split(" ")[-1] in pdn.WINNERS
    return f"{lines}\n\n" if is_whole else text


def _replayed(match: Match, pairing: Pairing, moves: Sequence[str]) -> Played:
    """Play the game of the match that these moves make. Raises BadMove, and BadRecord if it is not finished."""
    live = begun(match, pairing)
    opening = [*map(live.game.text, live.played)]
    if [*moves[: len(opening)]] != opening:
        raise BadRecord(f"it does not begin with its opening, {' '.join(opening)}")
    for text in moves[len(opening) :]:
        if live.end:
            raise BadRecord(f"it goes on after its end: {live.end.why}")
        live.play(live.game.read(live.state, text))
    if not live.end:
        raise BadRecord("it is not finished")
    return Played(pairing, tuple(map(live.game.text, live.played)), live.end)
