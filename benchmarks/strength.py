"""How strong the player of checkers is: matches from the three-move ballots, with Elo and interval.

    .venv/bin/python benchmarks/strength.py --games 40

The player with a time meets alphabeta:3, and two players that pydraughts makes: one plays any move, the other the one
after which it has most. Each ballot is played twice, with the sides changed.
"""

import argparse
from collections.abc import Callable
from random import Random

from draughts import Board

from cpl.games.checkers import CHECKERS
from cpl.games.game import Path, Turn
from cpl.games.live import LiveGame
from cpl.games.match import Score, ballots, elo, read_openings
from cpl.games.players import Player, player

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
    legal = Board(variant="english", fen=CHECKERS.to_fen(turn)).legal_moves()
    return [CHECKERS.read(turn, ("x" if move.has_captures else "-").join(map(str, move.steps_move))) for move in legal]


def lead(turn: Turn) -> float:
    """What the side to move has, less what the other has."""
    worth = {
        letter: (KING if letter.isupper() else 1) * (1 if letter.lower() == turn.side[0] else -1) for letter in "rRbB"
    }
    return sum(worth[letter] for letter in turn.pieces.values())


def match(player: Player, opponent: Player, games: int, seed: int) -> Score:
    """The score of the first player in so many games."""
    score = Score([0, 0, 0], [0, 0, 0])
    every = read_openings(CHECKERS, ballots("ballots").read_text(encoding="utf-8"))
    drawn = Random(seed).sample(every, len(every))
    for game in range(games):
        opening = drawn[game // 2 % len(drawn)]
        sides = CHECKERS.sides if game % 2 == 0 else CHECKERS.sides[::-1]
        live = LiveGame(CHECKERS, dict(zip(sides, (player, opponent), strict=True)), first=opening.first(CHECKERS))
        for text in opening.moves:
            live.play(CHECKERS.read(live.state, text))
        winner = live.finish().winner
        (score.first if game % 2 == 0 else score.second)[1 if winner is None else 0 if winner == sides[0] else 2] += 1
    return score


def main() -> None:
    """Play, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="games against each (40)")
    parser.add_argument("--player", default="alphabeta:0.2s", help="who plays (alphabeta:0.2s)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other games (0)")
    options = parser.parse_args()
    makers: dict[str, Callable[[Random], Player]] = {
        "alphabeta:3": lambda _: player("alphabeta:3", CHECKERS),
        "pydraughts, greedy": greedy,
        "pydraughts, at random": chance,
    }
    print(f"{options.player} against{'':12} won drawn lost  points  Elo difference")
    for name, make in makers.items():
        score = match(player(options.player, CHECKERS), make(Random(options.seed)), options.games, options.seed)
        won, drawn, lost = (sum(games) for games in zip(score.first, score.second, strict=True))
        low, high = map(elo, score.interval)
        counts = f"{won:5}{drawn:6}{lost:5}  {score.share:6.1%}"
        print(f"{name:32}{counts}  {elo(score.share):+.0f} ({low:+.0f} to {high:+.0f})")


if __name__ == "__main__":
    main()
