"""What is kept of a game that was played: players make it, files of games are read into it and written from it."""

from dataclasses import dataclass, field
from typing import Final

from cpl.games.checkers.rules import start
from cpl.games.checkers.state import Action, Player, State

RESULTS: Final[dict[str, Player | None]] = {
    "1/2-1/2": None,
    "1-0": "red",
    "0-1": "black",
    "2-0": "red",
    "0-2": "black",
    "1-1": None,
    "0-0": None,
}
"""Who has won. Files of other draughts have 2, 1 and 0 points; PDN 3.0 has 0-0 for a game that both have lost."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: the tags, the state and the player that it starts with, the actions, and the result as PDN writes it.

    Result, GameType, SetUp and FEN are no tags of it: they are told by the other fields.
    """

    tags: dict[str, str] = field(default_factory=dict)
    state: State = field(default_factory=start)
    player: Player = "red"
    actions: list[Action] = field(default_factory=list)
    result: str = "*"

    @property
    def winner(self) -> Player | None:
        """Who has won, as the result says it; None for no one, or if it does not say."""
        return RESULTS.get(self.result)
