"""Checkers by the official rules, as a game to be played (`cpl.games.checkers`, seeds 001 and 003)."""

from dataclasses import dataclass
from math import inf
from typing import Any

from cpl.games import checkers
from cpl.games.board import Board
from cpl.games.checkers import Action, Player, State
from cpl.games.checkers.state import other
from cpl.games.game import End, Game


@dataclass(frozen=True)
class Turn:
    """A state of checkers, and whose turn it is."""

    state: State
    side: Player

    def _repr_svg_(self) -> str:
        return Checkers().board(self).svg()


class Checkers(Game):
    """English draughts with the 50-move rule. Red begins; he is the Black of the books."""

    name = "checkers"
    title = "Checkers, by the official rules"
    sides = ("red", "black")
    tags = ("Black", "White")
    game_type = "21"
    most_plies = None  # the 50-move rule

    def start(self) -> Turn:
        """Twelve men each."""
        return Turn(checkers.start(), "red")

    def moves(self, state: Turn) -> list[Action]:
        """The actions of the side whose turn it is."""
        return checkers.actions(state.state, state.side)

    def play(self, state: Turn, move: Action) -> Turn:
        """The state after one of them."""
        return Turn(checkers.successor(state.state, move), other(state.side))

    def end(self, state: Turn) -> End | None:
        """By a side that cannot move, or by the 50-move rule."""
        if not checkers.is_end(state.state, state.side):
            return None
        worth = checkers.utility(state.state, state.side)
        if worth == 0:
            return End(None, "50 moves of each without a capture or without a man's advance")
        return self.blocked(state.side if worth == -inf else other(state.side))

    def search(self, state: Turn, kind: str, depth: int) -> Action:
        """As `checkers.MiniMax` and `checkers.AlphaBeta`."""
        player = {"minimax": checkers.MiniMax, "alphabeta": checkers.AlphaBeta}[kind](depth)
        return player.choose(state.state, state.side)

    def text(self, state: Turn, move: Action) -> str:
        """11-15, 15x22x31."""
        return checkers.action_text(move)

    def read(self, state: Turn, text: str) -> Action:
        """Also short captures, 15x31, where one is meant only."""
        return checkers.read_action(state.state, state.side, text)

    def board(self, state: Turn, move: Any = None) -> Board:
        """With the official numbers."""
        return state.state.picture(move)
