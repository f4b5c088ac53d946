"""`cpl match`: players of a game against each other, on any number of processors, to be gone on with later."""

import argparse
import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cpl.cli import common
from cpl.games.playable import NAMES, game_of

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.match import Match, Played

WHAT: Final = "let players of a game meet in a match, and keep the score"
MORE: Final = """\
examples:
  cpl match alphabeta:3 random:7 --games 40              of checkers
  cpl match --game capture alphabeta:2 minimax:2 random  each against each
  cpl match strachey:3 random:1 --game strachey --pdn games.pdn --jobs 2
  cpl match strachey:3 random:1 --game strachey --pdn games.pdn --resume

Players are random:SEED, minimax:PLIES, alphabeta:PLIES and, of the game strachey, strachey:DEPTHLIMIT. They change
sides after every game. The same seed gives the same games, whatever the jobs. Players who always choose the same play
one game again and again, unless it has an --opening at random.

With --pdn every game is in the file as soon as it is finished; --resume goes on with a match that was interrupted.

exit status: 0 done; 1 a file cannot be read or written, or is of another match; 2 the command line is at fault.
"""


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of `cpl match`."""
    made.add_argument("players", nargs="+", metavar="PLAYER", help="two or more, such as alphabeta:3 and random:7")
    made.add_argument("--game", choices=NAMES, default="checkers", help="what they play (default: checkers)")
    made.add_argument("--games", type=common.whole, default=10, metavar="N", help="games of each pair (default: 10)")
    made.add_argument("--seed", type=int, default=0, metavar="S", help="other games at random (default: 0)")
    common.add_plies_option(made)
    made.add_argument(
        "--opening", type=_plies, default=0, metavar="N", help="plies that are played at random first (default: 0)"
    )
    made.add_argument("--jobs", type=common.whole, default=1, metavar="N", help="processors to use (default: 1)")
    made.add_argument("--pdn", type=Path, metavar="FILE", help="write the games here, each when it is finished")
    made.add_argument("--resume", action="store_true", help="go on with the match in that file")
    made.add_argument("--format", choices=["text", "json"], default="text", help="how to report (default: text)")


def _plies(text: str) -> int:
    """A number of plies, or none."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 0 or more")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Play the match; the result is the exit status."""
    from concurrent.futures.process import BrokenProcessPool

    from cpl.cli.progress import track
    from cpl.games.match import Match, pairings, results
    from cpl.games.players import BadPlayer, player

    game, players = game_of(options.game), tuple(options.players)
    if len(players) < 2 or len({*players}) < len(players):
        raise common.Usage("a match is between two players or more, each named once; random:1 and random:2 are two")
    if options.resume and not options.pdn:
        raise common.Usage("--resume goes on with the games in a file: name it with --pdn")
    try:
        for each in players:
            player(each, game)
    except BadPlayer as error:
        raise common.Usage(str(error)) from None
    match = Match(options.game, players, options.games, options.seed, options.plies, options.opening)
    finished = _earlier(options, game, match)
    waiting = [each for each in pairings(match) if each.number not in finished]
    total = len(finished) + len(waiting)
    try:
        with _kept(options.pdn, game, match, finished) as keep:
            for done in track(results(match, waiting, options.jobs), "playing", len(waiting)):
                keep(done)
                finished[done.pairing.number] = done
    except BrokenProcessPool:
        kept = f"; {common.count(len(finished), 'game')} in {options.pdn}, and --resume goes on" if options.pdn else ""
        raise common.Failed(f"a process that played was killed{kept}") from None
    except KeyboardInterrupt:
        where = f"are in {options.pdn}; --resume goes on" if options.pdn else "were finished; --pdn would keep them"
        raise KeyboardInterrupt(f"{len(finished)} of {common.count(total, 'game')} {where}") from None
    games = _in_order(finished)
    print(_data(match, games) if options.format == "json" else "\n".join(_table(game, match, games)))
    return common.DONE


def _in_order(finished: "Mapping[int, Played]") -> "list[Played]":
    return [finished[number] for number in sorted(finished)]


def _earlier(options: argparse.Namespace, game: "Game", match: "Match") -> "dict[int, Played]":
    """The games of this match that are in the file already, by their numbers."""
    from cpl.games.match import BadRecord, pairings, whole_games

    path: Path | None = options.pdn
    try:
        if not path or not path.exists():
            return {}
        if not path.is_file():
            raise common.Failed(f"{path} is no plain file, as the games of a match need one to be kept in")
        if not options.resume:
            raise common.Failed(f"{path} is there already: --resume goes on with the match in it")
        found = {each.pairing.number: each for each in whole_games(path.read_text(encoding="utf-8"), game, match)}
        strange = {each.pairing for each in found.values()} - {*pairings(match)}
        for pairing in strange:
            raise BadRecord(f"game {pairing.number} is none of this match")
    except OSError as error:
        raise common.Failed(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except (BadRecord, UnicodeDecodeError) as error:
        raise common.Failed(f"cannot go on with {path}: {error}") from None
    return found


@contextlib.contextmanager
def _kept(
    path: Path | None, game: "Game", match: "Match", finished: "Mapping[int, Played]"
) -> "Iterator[Callable[[Played], None]]":
    """A function that writes a game to the file: it is on the disk then. The file is put in order at the end."""
    from cpl.games.match import text_of

    if not path:
        yield lambda done: None
        return

    def rewrite() -> None:
        common.write_output(path, "".join(text_of(game, match, each) for each in _in_order(finished)), in_place=True)

    def keep(done: "Played") -> None:
        file.write(text_of(game, match, done))
        file.flush()
        os.fsync(file.fileno())

    rewrite()  # without a game that was cut off
    try:
        with path.open("a", encoding="utf-8") as file:
            yield keep
    except OSError as error:
        raise common.Failed(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
    rewrite()


def _table(game: "Game", match: "Match", finished: "list[Played]") -> "Iterator[str]":
    """The scores, line by line."""
    from cpl.games.match import elo, table

    first, second = game.sides
    scores = table(match.players, finished)
    yield f"{game.title}: {common.count(len(finished), 'game')}, seed {match.seed}"
    yield ""
    width = max(6, *map(len, match.players))
    heads = f"{'as ' + first:>13}  {'as ' + second:>13}  {'points':>12}  {'score':>6}  {'19 of 20':>11}  Elo difference"
    yield f"{'player':{width}}  {heads}"
    yield f"{'':{width}}  {'+ = -':>13}  {'+ = -':>13}"
    for name, score in scores.items():
        low, high = score.interval
        one, other = (" ".join(f"{number:3}" for number in numbers) for numbers in (score.first, score.second))
        points = f"{score.points:g} of {score.games}"
        yield (
            f"{name:{width}}  {one:>13}  {other:>13}  {points:>12}  {score.share:6.1%}  {low:4.0%} – {high:4.0%}  "
            f"{_rating(elo(score.share))} ({_rating(elo(low))} to {_rating(elo(high))})"
        )


def _rating(difference: float) -> str:
    """A difference of ratings, with its sign."""
    return f"{'+' if difference > 0 else '−'}∞" if abs(difference) == inf else f"{difference:+.0f}".replace("-", "−")


def _bounded(difference: float) -> float | str:
    """A difference of ratings as JSON, which has no infinity."""
    return difference if abs(difference) < inf else "infinity" if difference > 0 else "-infinity"


def _data(match: "Match", finished: "list[Played]") -> str:
    """The scores and the games as JSON."""
    from dataclasses import asdict

    from cpl.games.match import elo, table

    scores = {
        name: {
            "first": score.first,
            "second": score.second,
            "share": score.share,
            "interval": score.interval,
            "elo": _bounded(elo(score.share)),
            "elo_interval": [_bounded(elo(limit)) for limit in score.interval],
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
    return common.as_json({"match": asdict(match) | {"plies": match.most_plies}, "scores": scores, "games": games})
