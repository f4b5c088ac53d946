"""What a game is to those who play it, show it and keep score: its rules, asked about one state at a time.

The games themselves are compiled CPL programs; `cpl.games.playable` puts each behind this. A state knows whose turn it
is, and shows itself in a notebook; states and moves are values that only their own game understands, and nobody changes
them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cpl.games.board import Board


class BadMove(ValueError):
    """A text that is no move, or none that can be made, in one plain line."""


@dataclass(frozen=True)
class End:
    """How a game ended: the side that won, None for a draw, and why, in a few words."""

    winner: str | None
    why: str


class Game(ABC):
    """A game of two sides who move in turn."""

    name: str
    title: str
    sides: tuple[str, str]
    """The two sides; the first one begins."""
    tags: tuple[str, str] = ("First", "Second")
    """The tags that name the players in a file, as PDN has them: that of the side that begins, and the other."""
    most_plies: int | None = 300
    """At how many plies a game that still goes on is called a draw: None if its own rules know a draw."""
    game_type: str | None = None
    """The number by which PDN knows the game, if it does."""

    @abstractmethod
    def start(self) -> Any:
        """The state in which a game begins."""

    @abstractmethod
    def moves(self, state: Any) -> Sequence[Any]:
        """The moves of the side whose turn it is; none only if it has none."""

    @abstractmethod
    def play(self, state: Any, move: Any) -> Any:
        """The state after one of the moves."""

    @abstractmethod
    def end(self, state: Any) -> End | None:
        """How the game has ended, if it has."""

    @abstractmethod
    def search(self, state: Any, kind: str, depth: int) -> Any:
        """The move that "minimax" or "alphabeta" finds best, looking so many plies ahead."""

    @abstractmethod
    def text(self, state: Any, move: Any) -> str:
        """A move as people write it, without blanks. No two moves of a state are written alike."""

    @abstractmethod
    def read(self, state: Any, text: str) -> Any:
        """The move that a text means. Raises BadMove, which says why it means none."""

    @abstractmethod
    def board(self, state: Any, move: Any = None) -> Board:
        """The state to look at, with the move that led to it."""

    def other(self, side: str) -> str:
        """The opponent."""
        first, second = self.sides
        return second if side == first else first

    def side(self, state: Any) -> str:
        """Whose turn it is: states have it as their `side`."""
        found: str = state.side
        return found

    def blocked(self, side: str) -> End:
        """The end where this side cannot move, and so has lost."""
        return End(self.other(side), f"{side} cannot move")
