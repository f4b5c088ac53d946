"""Play a match between computer players, and keep the score.

examples:
  cpl match alphabeta:3 random:7 --games 40              of checkers
  cpl match --game capture alphabeta:2 minimax:2 random  each against each
  cpl match strachey:3 random:1 --game strachey --pdn games.pdn --jobs 2
  cpl match strachey:3 random:1 --game strachey --pdn games.pdn --resume

Players are random:SEED, minimax:PLIES, alphabeta:PLIES and, in the game strachey, strachey:DEPTHLIMIT. They change
sides after every game. The same seed gives the same games, whatever the number of jobs. Players that leave nothing to
chance repeat one game, unless it has a random --opening.

With --pdn every game is in the file as soon as it is finished; --resume continues an interrupted match.

exit status: 0 if all went well; 1 if a file cannot be read or written, or belongs to another match; 2 if the command
line is wrong.
"""

import argparse
import os
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cpl.cli import output, output_files
from cpl.cli.arguments import CLUSTER, JOBS, PLIES, SPEED, at_least, option, positive
from cpl.cli.exits import DONE, Failed, Usage
from cpl.cli.game_option import chosen_game
from cpl.games.playable import NAMES

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.match import Match, Played


OPTIONS: Final = (
    option("players", nargs="+", metavar="PLAYER", help="two or more, such as alphabeta:3 and random:7"),
    option("--game", choices=NAMES, default="checkers", help="the game (default: checkers)"),
    option("--games", type=positive, default=10, metavar="N", help="games of each pair (default: 10)"),
    option("--seed", type=int, default=0, metavar="S", help="another seed gives other games (default: 0)"),
    PLIES,
    SPEED,
    option(
        "--opening",
        type=at_least(0),
        default=0,
        metavar="N",
        help="random plies at the start of each game (default: 0)",
    ),
    JOBS,
    CLUSTER,
    option("--pdn", type=Path, metavar="FILE", help="write each game to this file when it is finished"),
    option("--resume", action="store_true", help="continue the match in that file"),
    option("--format", choices=["text", "json"], default="text", help="how to report (default: text)"),
)


def run(options: argparse.Namespace) -> int:
    """Play the match; the result is the exit status."""
    from cpl.cli.progress import track
    from cpl.executors import Lost, stop
    from cpl.games.match import Match, pairings, results, text_of
    from cpl.games.players import player

    players = tuple(options.players)
    if len(players) < 2 or len({*players}) < len(players):
        raise Usage("name two different players or more; random:1 and random:2 are different")
    if options.resume and not options.pdn:
        raise Usage("--resume continues the match in a file: name it with --pdn")
    game = chosen_game(options)
    for each in players:
        player(each, game)  # fails before the match, not in it
    match = Match(options.game, players, options.games, options.seed, options.plies, options.opening)
    finished = _earlier(options, game, match)
    waiting = [each for each in pairings(match) if each.number not in finished]

    def save() -> None:
        if options.pdn:
            text = "".join(text_of(game, match, finished[number]) for number in sorted(finished))
            output_files.write(options.pdn, text, in_place=True)

    save()
    try:
        games = results(match, waiting, options.jobs, cluster=options.cluster, speed=options.speed)
        for done in track(games, "playing", len(waiting)):
            finished[done.pairing.number] = done
            save()
    except Lost as error:
        kept = f"; {output.count(len(finished), 'game')} kept in {options.pdn}: see --resume" if options.pdn else ""
        raise Failed(f"{error}{kept}") from None
    except KeyboardInterrupt:
        stop()  # the interruption may have come before the first game was waited for
        where = f"are in {options.pdn}; --resume continues" if options.pdn else "were finished; --pdn would keep them"
        raise KeyboardInterrupt(f"{len(finished)} of {output.count(len([*pairings(match)]), 'game')} {where}") from None
    whole = [finished[number] for number in sorted(finished)]
    print(_data(match, whole) if options.format == "json" else "\n".join(_table(game, match, whole)))
    return DONE


def _earlier(options: argparse.Namespace, game: "Game", match: "Match") -> "dict[int, Played]":
    """The games of this match that are in the file already, by their numbers."""
    from cpl.games.match import recorded

    path: Path | None = options.pdn
    if not path or not os.path.exists(path):
        return {}
    output_files.check(path, in_place=True)
    if not options.resume:
        raise Failed(f"{path} already exists: --resume continues the match in it")
    try:
        with output_files.errors(path):
            return {each.pairing.number: each for each in recorded(path.read_text(encoding="utf-8"), game, match)}
    except ValueError as error:
        raise Failed(f"cannot continue {path}: {error}") from None


def _table(game: "Game", match: "Match", finished: "list[Played]") -> "Iterator[str]":
    """The scores, line by line."""
    from cpl.games.match import elo, table

    first, second = game.sides
    yield f"{game.title}: {output.count(len(finished), 'game')}, seed {match.seed}\n"
    width = max(6, *map(len, match.players))
    heads = f"{'as ' + first:>13}  {'as ' + second:>13}  {'points':>12}  {'score':>6}    95% range  Elo difference"
    yield f"{'player':{width}}  {heads}"
    yield f"{'':{width}}  {'+ = -':>13}  {'+ = -':>13}"
    for name, score in table(match.players, finished).items():
        low, high = score.interval
        share, least, most = (
            f"{elo(each):+.0f}".replace("-", "−").replace("inf", "∞") for each in (score.share, low, high)
        )
        one, other = (" ".join(f"{number:3}" for number in numbers) for numbers in (score.first, score.second))
        points = f"{score.points:g} of {score.games}"
        yield (
            f"{name:{width}}  {one:>13}  {other:>13}  {points:>12}  {score.share:6.1%}  {low:4.0%} – {high:4.0%}  "
            f"{share} ({least} to {most})"
        )


def _data(match: "Match", finished: "list[Played]") -> str:
    """The scores and the games as JSON."""
    from dataclasses import asdict

    from cpl.games.match import elo, table

    def rating(share: float) -> float | str:
        difference = elo(share)  # infinite at the ends, which JSON has no number for
        return difference if isfinite(difference) else f"{difference}inity"

    scores = {
        name: {
            "first": score.first,
            "second": score.second,
            "share": score.share,
            "interval": score.interval,
            "elo": rating(score.share),
            "elo_interval": [*map(rating, score.interval)],
        }
        for name, score in table(match.players, finished).items()
    }
    games = [
        {
            "number": each.pairing.number,
            "players": each.pairing.players,
            "winner": each.end.winner,
            "why": each.end.why,
            "moves": each.moves,
        }
        for each in finished
    ]
    return output.as_json({"match": asdict(match) | {"plies": match.most_plies}, "scores": scores, "games": games})
