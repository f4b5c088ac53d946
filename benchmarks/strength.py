"""How strong the player of checkers is: matches from the three-move ballots, with Elo and interval.

    .venv/bin/python benchmarks/strength.py --games 40
    .venv/bin/python benchmarks/strength.py --games 200 --depth 5 --engine ./other

The player with a time, or a depth, meets alphabeta:3 and two players that pydraughts makes: one plays any move, the
other the one after which it has most. Or it meets an engine that is a program of its own: for each of its moves this
gets a line of its standard input, a FEN and `depth 5` or `seconds 0.1`, such as

    B:W21-32:B1-12 depth 5

and writes a line with the FEN after its move; if it likes also how many positions it looked at, and the seconds. Each
ballot is played twice, with the sides changed.
"""

import argparse
import shlex
import subprocess
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from cpl.games.analysis import Analysis, Limits
from cpl.games.checkers import CHECKERS
from cpl.games.game import Path, Turn
from cpl.games.live import LiveGame
from cpl.games.match import Score, ballots, elo, read_openings
from cpl.games.players import Player, player, within
from cpl.games.position import BadFen, from_fen

KING = 1.5
"""What a king is worth to the greedy player; a man is worth 1."""


def chance(random: Random) -> Player:
    """Any move of pydraughts."""
    return lambda turn: random.choice(moves(turn))


def greedy(random: Random) -> Player:
    """The move of pydraughts after which it has most, less what the other has; any of several."""
    return lambda turn: max(moves(turn), key=lambda move: (-lead(CHECKERS.play(turn, move)), random.random()))


def moves(turn: Turn) -> list[Path]:
    """The moves that pydraughts finds."""
    from draughts import Board

    legal = Board(variant="english", fen=CHECKERS.to_fen(turn)).legal_moves()
    return [CHECKERS.read(turn, ("x" if move.has_captures else "-").join(map(str, move.steps_move))) for move in legal]


def lead(turn: Turn) -> float:
    """What the side to move has, less what the other has."""
    worth = {
        letter: (KING if letter.isupper() else 1) * (1 if letter.lower() == turn.side[0] else -1) for letter in "rRbB"
    }
    return sum(worth[letter] for letter in turn.pieces.values())


class Searcher:
    """Our player within limits. It counts the positions that it looks at, and its seconds."""

    def __init__(self, limits: dict[str, Any]) -> None:
        self._limits = limits
        self.nodes, self.seconds = 0, 0.0

    def make(self) -> Player:
        """Return a player for one game."""
        return within(Limits(**self._limits), CHECKERS, self._count)

    def _count(self, found: Analysis) -> None:
        self.nodes, self.seconds = self.nodes + found.nodes, self.seconds + found.seconds


class Illegal(Exception):
    """An answer of an engine that is no move."""


class Engine:
    """A player that is a program of its own."""

    def __init__(self, command: str, limit: str) -> None:
        self._command, self._limit = command, limit
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.nodes, self.seconds = 0, 0.0

    def choose(self, turn: Turn) -> Path:
        """Return its move. Raises Illegal if it answers with none."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{CHECKERS.to_fen(turn)} {self._limit}\n")
        fen, *figures = self._process.stdout.readline().split() or [""]
        if figures:
            self.nodes, self.seconds = self.nodes + int(figures[0]), self.seconds + float(figures[1])
        with suppress(BadFen):
            after = from_fen(fen)
            for path in turn.legal:
                if CHECKERS.play(turn, path).state[0] == after:
                    return path
        raise Illegal(f"{self._command} answers {fen!r} to {CHECKERS.to_fen(turn)}, and loses")


def match(make: Callable[[], Player], opponent: Player, games: int, seed: int) -> tuple[Score, list[float]]:
    """The score of the first player in so many games, and how far it was ahead in pieces where they were drawn."""
    score, leads = Score([0, 0, 0], [0, 0, 0]), list[float]()
    every = read_openings(CHECKERS, ballots("ballots").read_text(encoding="utf-8"))
    drawn = Random(seed).sample(every, len(every))
    for game in range(games):
        opening = drawn[game // 2 % len(drawn)]
        sides = CHECKERS.sides if game % 2 == 0 else CHECKERS.sides[::-1]
        players = dict(zip(sides, (make(), opponent), strict=True))
        live = LiveGame(CHECKERS, players, first=opening.first(CHECKERS))
        for text in opening.moves:
            live.play(CHECKERS.read(live.state, text))
        try:
            winner = live.finish().winner
        except Illegal as error:
            print(error)
            winner = sides[0]
        (score.first if game % 2 == 0 else score.second)[1 if winner is None else 0 if winner == sides[0] else 2] += 1
        if winner is None:
            leads.append(lead(live.state) if live.state.side == sides[0] else -lead(live.state))
    return score, leads


def main() -> None:
    """Play, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="games against each (40)")
    parser.add_argument("--seconds", type=float, default=0.2, help="how long it thinks about a move (0.2)")
    parser.add_argument("--depth", type=int, help="how many plies it looks ahead, instead")
    parser.add_argument("--engine", metavar="COMMAND", help="an engine to meet, instead of the other players")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other games (0)")
    options = parser.parse_args()
    name, value = ("depth", options.depth) if options.depth else ("seconds", options.seconds)
    opponents: dict[str, Callable[[Random], Any]] = {
        "alphabeta:3": lambda _: player("alphabeta:3", CHECKERS),
        "pydraughts, greedy": greedy,
        "pydraughts, at random": chance,
    }
    if options.engine:
        opponents = {options.engine: lambda _: Engine(options.engine, f"{name} {value}")}
    print(f"{f'{name} {value} against':32} won drawn lost  points           Elo difference  lead if drawn")
    for opponent, make in opponents.items():
        ours, theirs = Searcher({name: value}), make(Random(options.seed))
        choose = theirs.choose if isinstance(theirs, Engine) else theirs
        score, leads = match(ours.make, choose, options.games, options.seed)
        won, drawn, lost = (sum(games) for games in zip(score.first, score.second, strict=True))
        points = f"{score.share:6.1%} ({score.interval[0]:.0%}–{score.interval[1]:.0%})"
        ratings = f"{elo(score.share):+.0f} ({elo(score.interval[0]):+.0f} to {elo(score.interval[1]):+.0f})"
        print(f"{opponent:32}{won:4}{drawn:6}{lost:5}  {points}  {ratings}  {sum(leads) / max(1, len(leads)):+.2f}")
        for who, used in (("we", ours), ("they", theirs)):
            if getattr(used, "nodes", 0):
                print(f"    {who}: {used.nodes:,} positions in {used.seconds:.1f} s")


if __name__ == "__main__":
    main()
