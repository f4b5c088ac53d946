"""Play a match between computer players, and keep the score.

examples:
  cpl match alphabeta:3 random:7 --games 40              of checkers
  cpl match --game capture alphabeta:2 minimax:2 random  each against each
  cpl match alphabeta:2 minimax:2 --openings ballots     from the three-move ballots
  cpl match alphabeta:3 alphabeta:3@Kings=80 --openings ballots --games 4
  cpl match strachey:3 random:1 --game strachey --pdn games.pdn --jobs 2
  cpl match strachey:3 random:1 --game strachey --pdn games.pdn --resume

Players are easy, medium, hard, random:SEED, minimax:PLIES, alphabeta:PLIES, alphabeta:SECONDSs, such as
alphabeta:0.5s, and, in the game strachey, strachey:DEPTHLIMIT, which looks DEPTHLIMIT + 1 plies ahead. In checkers,
minimax and alphabeta accept weights after @: ten numbers, or some by name, such as Pieces=120,Kings=80. A player is
known by what you type: random and random:0 are two players, though both have the seed 0; alphabeta:3 and medium are
also two. Players change sides after every game. The same seed gives the same games, whatever the number of jobs, unless
a player has a time. Deterministic players replay the same game unless you vary it with --opening or --openings.

A game is a draw when a position occurs for the third time, or after 50 moves of each player without a capture or an
advance.
--adjudicate 3,20 gives the win to a side that was three or more pieces ahead for 20 plies.

--openings accepts a file of PDN, a file with one FEN a line, or the openings of American checkers that come with cpl:
`ballots`, the 156 of tournaments, or `barred`, the 18 others. Each pair of players plays each opening twice, with the
sides changed.

With --pdn every game is written to the file as soon as that game and all earlier ones are finished. --resume continues
an interrupted match; it replays the games of the file before it counts them.

exit status: 0 if all went well; 1 if a file cannot be read or written, or belongs to another match.
"""

import argparse
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict
from functools import partial
from itertools import islice
from math import isfinite
from typing import IO, Any

from cpl import outside
from cpl.cli import terminal
from cpl.cli.games import chosen_game, read_games
from cpl.cli.terminal import Failed, Usage, file_errors, track, waiting
from cpl.compiler.wording import counted
from cpl.executors import Lost, workers
from cpl.games import match as matches
from cpl.games.game import Game
from cpl.games.live import Adjudication
from cpl.games.match import BALLOTS, BadOpening, Match, Opening, Played, Score
from cpl.games.players import player


def run(options: argparse.Namespace) -> None:
    """Play the match, and print the scores. Raises Usage, and Failed for files, workers and the match in the file."""
    players = tuple(options.players)
    are_different = len({*players}) == len(players)
    if len(players) < 2 or not are_different:
        raise Usage("name two different players or more; random:1 and random:2 are different")
    game = chosen_game(options, searches=True)
    with waiting("compiling"):
        for name in players:
            player(name, game)  # only to see that it can be made: an unknown player must fail before the match begins

    adjudication = None
    if options.adjudicate:
        lead, plies = options.adjudicate
        adjudication = Adjudication(lead, plies)
    openings = _openings(options, game)
    match = Match(
        options.game,
        players,
        games=options.games,
        seed=options.seed,
        plies=options.plies,
        opening=options.opening,
        openings=openings,
        adjudication=adjudication,
    )

    finished: list[Played] = []
    try:
        # After an error the games that are finished are counted, so they are added one by one. `closing` ends the
        # workers, and lets go of the file, before the error is reported.
        with closing(_games(options, game, match)) as games:
            for game_played in games:
                finished.append(game_played)
    except Lost as error:
        advice = ""
        if options.pdn:
            advice = f"; {counted(len(finished), 'game')} kept in {options.pdn}: see --resume"
        raise Failed(f"{error}{advice}") from None
    except KeyboardInterrupt:
        count = f"{len(finished)} of {counted(match.all_games, 'game')}"
        if options.pdn:
            message = f"{count} are in {options.pdn}; --resume continues"
        else:
            message = f"{count} were finished; --pdn would keep them"
        raise KeyboardInterrupt(message) from None

    scores = matches.table(game, players, finished)
    if options.format == "json":
        data = {
            "match": asdict(match),
            "games": [_game_data(game_played) for game_played in finished],
            "scores": _scores_data(scores),
        }
        print(terminal.as_json(data))
    else:
        print(*_table(game, match, scores), sep="\n")


def _openings(options: argparse.Namespace, game: Game) -> tuple[Opening, ...]:
    """Return the openings of --openings or --fen. Raises Usage for those that the game cannot have, and Failed for a
    file that cannot be read.
    """
    if options.fen:
        try:
            return (matches.opening_at(game, options.fen),)
        except BadOpening as error:
            raise Usage(f"argument --fen: {error}") from None

    name = options.openings
    if not name:
        return ()
    is_ours = name in BALLOTS and not os.path.exists(name)  # a file of the user's with that name comes first
    is_english_draughts = bool(game.game_type)  # no other game of ours has a GameType in PDN
    if is_ours and not is_english_draughts:
        raise Usage(f"--openings {name} are openings of checkers, and not of {game.name}")

    file = matches.ballots(name) if is_ours else name
    text = "".join(read_games(file))
    try:
        return tuple(matches.read_openings(game, text))
    except BadOpening as error:
        raise Failed(f"{terminal.shown_input(name)}: {error}") from None


def _games(options: argparse.Namespace, game: Game, match: Match) -> Generator[Played]:
    """Yield the games of the match: those that its file has already, and then the rest, which are played.

    A game that is played is in the file before it is yielded. The file is locked, so that no other command writes to
    it meanwhile. Raises Failed.
    """
    path = options.pdn
    file: IO[bytes] | None = None
    replayed = 0
    with ExitStack() as stack:
        if path:
            target = terminal.check_output(path, in_place=True)
            with file_errors(path):  # of opening the file only: other errors below are not about this file
                file = stack.enter_context(outside.owned(target))
            for game_played in _replayed(options, game, match, file):
                replayed += 1
                yield game_played

        staff = stack.enter_context(workers(options.jobs, options.cluster))
        job = partial(matches.played, match, options.speed)
        left = islice(matches.pairings(match), replayed, None)
        for game_played in track(staff.map(job, left), "playing", match.all_games - replayed):
            if file:
                with file_errors(path):
                    file.write(matches.text_of(game, match, game_played).encode())
                    file.flush()
            yield game_played


def _replayed(options: argparse.Namespace, game: Game, match: Match, file: IO[bytes]) -> Iterator[Played]:
    """Yield the games that the file of the match has. Then the file is as it was when the last of these was written,
    and is open at its end. Raises Failed if the file is not new and must not be continued, or is of another match.
    """
    path = options.pdn
    with file_errors(path):
        file.seek(0)
        content = file.read()
    text = content.decode(errors="replace")
    if text and not options.resume:
        raise Failed(f"{path} already exists: --resume continues the match in it")

    bytes_of_games = 0
    try:
        for game_played in track(matches.recorded(text, game, match), "replaying", match.all_games):
            bytes_of_games += len(matches.text_of(game, match, game_played).encode())
            yield game_played
    except ValueError as error:
        raise Failed(f"cannot continue {path}: {error}") from None

    with file_errors(path):
        # The file is too short if an editor took away blank lines at its end.
        missing = max(0, bytes_of_games - len(content))
        file.write(b"\n" * missing)
        # It is too long if the last game was not written whole: what there is of it is cut off.
        file.truncate(bytes_of_games)


def _table(game: Game, match: Match, scores: dict[str, Score]) -> Iterator[str]:
    """Yield the scores, line by line."""
    first, second = game.sides
    seats = sum(score.games for score in scores.values())
    games = seats // 2  # each game counts for both of its players
    yield f"{game.title}: {counted(games, 'game')}, seed {match.seed}\n"

    width = max(6, *map(len, match.players))

    def row(name: str, as_first: str, as_second: str, points: str, score: str, rest: str) -> str:
        return f"{name:{width}}  {as_first:>13}  {as_second:>13}  {points:>12}  {score:>6}  {rest}"

    yield row("player", f"as {first}", f"as {second}", "points", "score", "  95% range  Elo difference")
    yield row("", "+ = -", "+ = -", "", "", "").rstrip()
    for name, score in scores.items():
        as_first = " ".join(f"{number:3}" for number in score.first)
        as_second = " ".join(f"{number:3}" for number in score.second)
        points = f"{score.points:g} of {score.games}"
        low, high = score.interval
        interval = f"{low:4.0%} – {high:4.0%}"
        ratings = f"{_rating(score.share)} ({_rating(low)} to {_rating(high)})"
        yield row(name, as_first, as_second, points, f"{score.share:.1%}", f"{interval}  {ratings}")


def _rating(share: float) -> str:
    """Return the Elo difference that a share of the points shows, as it is printed: `+120`, `−35`, `−∞`."""
    return f"{matches.elo(share):+.0f}".replace("-", "−").replace("inf", "∞")


def _game_data(game_played: Played) -> dict[str, Any]:
    """Return a game as plain data."""
    return {
        "number": game_played.pairing.number,
        "players": game_played.pairing.players,
        "winner": game_played.end.winner,
        "why": game_played.end.why,
        "moves": game_played.moves,
    }


def _scores_data(scores: dict[str, Score]) -> dict[str, Any]:
    """Return the scores as plain data."""

    def rating(share: float) -> float | str:
        difference = matches.elo(share)
        if isfinite(difference):
            return difference
        # All points, or none: JSON has no infinite numbers, so words stand for them.
        return "infinity" if difference > 0 else "-infinity"

    data = {}
    for name, score in scores.items():
        data[name] = {
            "first": score.first,
            "second": score.second,
            "share": score.share,
            "interval": score.interval,
            "elo": rating(score.share),
            "elo_interval": [*map(rating, score.interval)],
        }
    return data
