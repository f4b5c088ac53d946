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
from typing import Any

from cpl import outside
from cpl.cli import terminal
from cpl.cli.games import chosen_game, read_games
from cpl.cli.terminal import Failed, Usage, file_errors, track, waiting
from cpl.compiler.wording import counted
from cpl.executors import Lost, workers
from cpl.games.game import Game
from cpl.games.live import Adjudication
from cpl.games.match import (
    BALLOTS,
    BadOpening,
    Match,
    Opening,
    Played,
    Score,
    ballots,
    elo,
    opening_at,
    pairings,
    played,
    read_openings,
    recorded,
    table,
    text_of,
)
from cpl.games.players import player


def run(options: argparse.Namespace) -> None:
    """Play the match."""
    players = tuple(options.players)
    if len(players) < 2 or len({*players}) < len(players):
        raise Usage("name two different players or more; random:1 and random:2 are different")
    if options.resume and not options.pdn:
        raise Usage("--resume continues the match in a file: name it with --pdn")
    game = chosen_game(options)
    with waiting("compiling"):
        for name in players:
            player(name, game)  # fails before the match, not in it
    adjudication = Adjudication(*map(int, options.adjudicate)) if options.adjudicate else None
    match = Match(
        options.game,
        players,
        games=options.games,
        seed=options.seed,
        plies=options.plies,
        opening=options.opening,
        openings=_openings(options, game),
        adjudication=adjudication,
    )
    finished: list[Played] = []
    try:
        with closing(_games(options, game, match)) as games:
            for game_played in games:  # one by one, so that what was finished before an error is known
                finished.append(game_played)
    except Lost as error:
        advice = f"; {counted(len(finished), 'game')} kept in {options.pdn}: see --resume" if options.pdn else ""
        raise Failed(f"{error}{advice}") from None
    except KeyboardInterrupt:
        where = f"are in {options.pdn}; --resume continues" if options.pdn else "were finished; --pdn would keep them"
        raise KeyboardInterrupt(f"{len(finished)} of {counted(match.all_games, 'game')} {where}") from None
    scores = table(game, players, finished)
    if options.format == "json":
        games_data = [_game_data(game_played) for game_played in finished]
        print(terminal.as_json({"match": asdict(match), "games": games_data, "scores": _scores_data(scores)}))
    else:
        print(*_table(game, match, scores), sep="\n")


def _openings(options: argparse.Namespace, game: Game) -> "tuple[Opening, ...]":
    """Return the openings of --openings or --fen."""
    if options.fen:
        try:
            return (opening_at(game, options.fen),)
        except BadOpening as error:
            raise Usage(f"argument --fen: {error}") from None

    name = options.openings
    if not name:
        return ()
    is_ours = name in BALLOTS and not os.path.exists(name)
    if is_ours and not game.game_type:
        raise Usage(f"--openings {name} are openings of checkers, and not of {game.name}")
    text = "".join(read_games(ballots(name) if is_ours else name))
    try:
        return tuple(read_openings(game, text))
    except BadOpening as error:
        raise Failed(f"{name}: {error}") from None


def _games(options: argparse.Namespace, game: Game, match: Match) -> "Generator[Played]":
    """The games of the match: those that are in its file, and then the rest, each in the file when it is finished. No
    other command can own the file meanwhile. Raises Failed.
    """
    path = options.pdn
    number = 0  # of games that are in the file,
    size = 0  # and of their bytes
    with ExitStack() as stack:
        if path:
            target = terminal.check_output(path, in_place=True)
            with file_errors(path):
                file = stack.enter_context(outside.owned(target))
                file.seek(0)
                before = file.read()
            text = before.decode(errors="replace")
            if text and not options.resume:
                raise Failed(f"{path} already exists: --resume continues the match in it")
            try:
                for game_played in track(recorded(text, game, match), "replaying", match.all_games):
                    number += 1
                    size += len(text_of(game, match, game_played).encode())
                    yield game_played
            except ValueError as error:
                raise Failed(f"cannot continue {path}: {error}") from None
            with file_errors(path):
                file.write(b"\n" * (size - len(before)))  # which an editor took away at the end
                file.truncate(size)  # so that what is left of a game that was not written whole goes
        staff = stack.enter_context(workers(options.jobs, options.cluster))
        playing = staff.map(partial(played, match, options.speed), islice(pairings(match), number, None))
        for game_played in track(playing, "playing", match.all_games - number):
            if path:
                with file_errors(path):
                    file.write(text_of(game, match, game_played).encode())
                    file.flush()
            yield game_played


def _table(game: Game, match: Match, scores: "dict[str, Score]") -> Iterator[str]:
    """The scores, line by line."""
    first, second = game.sides
    games = sum(score.games for score in scores.values()) // 2
    yield f"{game.title}: {counted(games, 'game')}, seed {match.seed}\n"
    width = max(6, *map(len, match.players))
    row = f"{{:{width}}}  {{:>13}}  {{:>13}}  {{:>12}}  {{:>6}}  {{}}"
    yield row.format("player", f"as {first}", f"as {second}", "points", "score", "  95% range  Elo difference")
    yield row.format("", "+ = -", "+ = -", "", "", "").rstrip()
    for name, score in scores.items():
        low, high = score.interval
        interval = f"{low:4.0%} – {high:4.0%}"
        ratings = f"{_rating(score.share)} ({_rating(low)} to {_rating(high)})"
        first_side = " ".join(f"{number:3}" for number in score.first)
        second_side = " ".join(f"{number:3}" for number in score.second)
        points = f"{score.points:g} of {score.games}"
        yield row.format(name, first_side, second_side, points, f"{score.share:.1%}", f"{interval}  {ratings}")


def _rating(share: float) -> str:
    """The Elo difference that a share of the points shows, in print."""
    return f"{elo(share):+.0f}".replace("-", "−").replace("inf", "∞")


def _game_data(game_played: Played) -> dict[str, Any]:
    """A game as plain data."""
    return {
        "number": game_played.pairing.number,
        "players": game_played.pairing.players,
        "winner": game_played.end.winner,
        "why": game_played.end.why,
        "moves": game_played.moves,
    }


def _scores_data(scores: "dict[str, Score]") -> dict[str, Any]:
    """The scores as plain data."""

    def rating(share: float) -> float | str:
        difference = elo(share)  # infinite at the ends, which JSON has no number for
        return difference if isfinite(difference) else f"{difference}inity"

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
