"""Fit the weights of the player of checkers (programs/checkers.cpl) to the results of quick games.

    python benchmarks/fitting.py play games.txt --games 2000 --seed 1     plays against itself, and notes positions
    python benchmarks/fitting.py fit games.txt                            prints the weights

A game begins with a ballot of three moves and some moves at random. Of each position without a capture to make its
traits are noted, with the number of the pieces and what the game brought to the player to move: 1, 0.5 or 0; a game
that is not over after 140 plies goes to who is ahead by two men. The fit is logistic: the chance of a result is that of
the worth of the position, which the traits give by their weights. The same seed gives the same games, and the same
games the same weights. The fit needs numpy.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random

from cpl.games.analysis import Limits
from cpl.games.checkers import CHECKERS
from cpl.games.game import Turn
from cpl.games.match import ballots, read_openings
from cpl.games.players import within

MEN = 0
"""The place of the trait whose weight is that of a man."""
_MOST_PLIES = 140
_PULL = 1000
"""How strongly weights are drawn to those that the program has: many positions of few games tell less than they seem.
"""
_MAN = 0.7
"""How much a man adds to the logarithm of the odds, at first."""


def positions(games: int, seed: int, depth: int) -> Iterator[str]:
    """Play, and yield the notes of one game after the other."""
    openings = read_openings(CHECKERS, ballots("ballots").read_text(encoding="utf-8"))
    random = Random(seed)
    for _ in range(games):
        opening = random.choice(openings)
        turn = opening.first(CHECKERS)
        for text in opening.moves:
            turn = CHECKERS.play(turn, CHECKERS.read(turn, text))
        yield from _played(turn, random, depth)


def _played(turn: Turn, random: Random, depth: int) -> Iterator[str]:
    noted: list[tuple[str, str]] = []
    first, seen = random.randrange(1, 6), set[str]()
    choose, winner = within(Limits(depth=depth), CHECKERS), None
    for ply in range(_MOST_PLIES):
        if end := CHECKERS.end(turn):
            winner = end.winner
            break
        move = random.choice([*turn.legal]) if ply < first else choose(turn)
        name = CHECKERS.to_fen(turn)
        is_quiet = not CHECKERS.program.MustMoves(turn.state[0])
        if ply >= first and is_quiet and name not in seen:
            traits = CHECKERS.searching().Traits(turn.state[0])
            noted.append((turn.side, f"{len(turn.pieces)} {' '.join(map(str, traits))}"))
        seen.add(name)
        turn = CHECKERS.play(turn, move)
    else:
        lead = sum((piece in "bB") - (piece in "wW") for piece in turn.pieces.values())
        winner = "black" if lead > 1 else "white" if lead < -1 else None
    for side, note in noted:
        yield f"{0.5 if winner is None else float(winner == side):g} {note}"


def fitted(notes: Path) -> tuple[list[int], list[int]]:
    """The weights of a full and of an empty board."""
    import numpy

    data = numpy.loadtxt(notes)
    results, full, traits = data[:, 0], data[:, 1:2] / 24, data[:, 2:]
    inputs = numpy.hstack([traits * full, traits * (1 - full)])
    program = CHECKERS.searching()
    before = numpy.array([*program.OnFullBoard, *program.OnEmptyBoard]) * _MAN / 100
    weights = before
    for _ in range(30):  # Newton's method
        chances = 1 / (1 + numpy.exp(-inputs @ weights))
        slope = inputs.T @ (results - chances) - _PULL * (weights - before)
        curve = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + _PULL * numpy.eye(len(weights))
        weights = weights + numpy.linalg.solve(curve, slope)
    half = len(weights) // 2
    man = (weights[MEN] + weights[half + MEN]) / 2
    loss = -numpy.mean(results * numpy.log(chances) + (1 - results) * numpy.log(1 - chances))
    print(f"{len(results)} positions, loss {loss:.4f}, a man is {man:.3f}")
    hundredths = [round(float(weight) * 100 / man) for weight in weights]
    return hundredths[:half], hundredths[half:]


def main() -> None:
    """Play, or fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("do", choices=["play", "fit"])
    parser.add_argument("notes", type=Path)
    parser.add_argument("--games", type=int, default=2000, help="how many games (2000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other games (0)")
    parser.add_argument("--depth", type=int, default=5, help="how many plies the players look ahead (5)")
    options = parser.parse_args()
    if options.do == "play":
        with options.notes.open("w", encoding="utf-8") as file:
            for note in positions(options.games, options.seed, options.depth):
                print(note, file=file, flush=True)
    else:
        for name, weights in zip(("OnFullBoard ", "OnEmptyBoard"), fitted(options.notes), strict=True):
            print(f"{name} = [{','.join(map(str, weights))}]".replace("-", "−"))


if __name__ == "__main__":
    main()
