"""How a game ends that its own rules let go on: by repetition, without progress, or by adjudication.

These are rules for the table, the same for all games; we chose them. Progress is a capture, or an advance of a man or
a pawn: neither can be undone, so a position can only come again while there is none.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from cpl.games.game import End, Turn

REPEATED: Final = 3
"""A position that comes so often is a draw."""
IDLE: Final = 2 * 50
"""So many plies without progress are a draw: 50 moves of each side."""


class Adjudication(NamedTuple):
    """A side that is this many pieces ahead, or more, for so many plies has won. Men, kings and flags count alike."""

    lead: int
    plies: int

    def __str__(self) -> str:
        return f"{self.lead},{self.plies}"


def table_end(states: Sequence[Turn], adjudication: Adjudication | None = None) -> End | None:
    """How a game has ended that went through these states, if it has. By its own rules it goes on after the last."""
    now = states[-1]
    since = [*takewhile(lambda each: each.progress == now.progress, reversed(states))]
    if sum((each.side, each.pieces) == (now.side, now.pieces) for each in since) >= REPEATED:
        return End(None, "the same position for the third time")
    if len(since) > IDLE:
        return End(None, "50 moves of each without progress")
    return adjudication and _adjudicated(states, adjudication)


def _adjudicated(states: Sequence[Turn], rule: Adjudication) -> End | None:
    leads = [*map(_lead, states[-rule.plies - 1 :])]
    if len(leads) <= rule.plies or max(min(leads), -max(leads)) < rule.lead:
        return None
    winner = states[-1].game.sides[leads[-1] < 0]
    return End(winner, f"adjudicated: {winner} was {rule.lead} or more pieces ahead for {rule.plies} plies")


def _lead(turn: Turn) -> int:
    """By how many pieces the first side is ahead."""
    first, second = ([piece.lower() for piece in turn.pieces.values()].count(side[0]) for side in turn.game.sides)
    return first - second
