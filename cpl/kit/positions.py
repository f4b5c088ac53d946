"""Positions of checkers to try programs on: half from random play, half scattered, the same for the same seed.

They are those of the 1966 program, (X, Y, K, σ): the mover's pieces, the opponent's, the kings of both, and 1 for Black
or −1 for White to move. All that compares programs or rules draws from here.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from cplrt import Logical
from cplrt.checkers import board

from cpl.games.position import CROWNED, Moves, Position

LONGEST: Final = 200
"""Plies after which a random game is broken off: kings may wander for ever."""

_KEPT: Final = 0.25  # of the positions of a game, so that a small sample draws on several games
_MOST_PIECES: Final = 12
_STALE: Final = 1000  # after so many known positions in a row no new one is expected


def drawn(moves: Moves, start: Position, count: int, seed: int = 0) -> Iterator[Position]:
    """So many distinct positions, those from play first. `moves` gives the positions that one move leads to.

    Where play gives too few (a program that knows no move), there are more scattered ones.
    """
    rng = Random(seed)
    found: set[Position] = set()
    for positions, wanted in ((played(moves, start, rng), count // 2), (scattered(rng), count)):
        stale = 0
        for position in positions:
            if len(found) >= wanted or stale > _STALE:
                break
            stale = stale + 1 if position in found else 0
            if not stale:
                found.add(position)
                yield position


def played(moves: Moves, start: Position, rng: Random) -> Iterator[Position]:
    """Positions of games that are played at random, from `start` to the end or for LONGEST plies; without end."""
    while True:
        position = start
        for _ in range(LONGEST):
            if rng.random() < _KEPT:
                yield position
            after = moves(position)
            if not after:
                break
            position = rng.choice(after)


def scattered(rng: Random) -> Iterator[Position]:
    """Pieces thrown on the board, one to twelve of either colour; without end.

    Any share of them may be kings, and a man on the row where he would have been crowned is one.
    """
    while True:
        black, white = rng.randint(1, _MOST_PIECES), rng.randint(1, _MOST_PIECES)
        squares = rng.sample(board, black + white)
        placed = {1: squares[:black], -1: squares[black:]}
        share = rng.random()
        kings = [
            square
            for colour, pieces in placed.items()
            for square in pieces
            if square in CROWNED[colour] or rng.random() < share
        ]
        mover = rng.choice((1, -1))
        yield Logical(placed[mover]), Logical(placed[-mover]), Logical(kings), mover


def smaller(position: Position) -> Iterator[Position]:
    """The positions with one piece less, or with a man for a king."""
    mine, yours, kings, colour = position
    for square in board:
        if square in mine or square in yours:
            piece = Logical([square])
            yield mine - piece, yours - piece, kings - piece, colour
    for square in kings:
        owner = colour if square in mine else -colour
        if square not in CROWNED[owner]:
            yield mine, yours, kings - Logical([square]), colour
