"""Players of checkers: at random, by minimax and by alpha-beta (seed 003), which search in `library/search.cpl`.

Whoever can be asked to `choose` an action is a player. `play` lets two of them play a game.
"""

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from random import Random as Generator
from typing import Any, Final, Protocol

from cpl.games.checkers.record import Game
from cpl.games.checkers.rules import actions, is_end, program, start, successor, utility, weights
from cpl.games.checkers.state import Action, State, checked_player, other, to_action, to_cpl, to_move

HEAVIEST: Final = 1000
"""No weight is beyond it, so that no score comes near a win."""


class Chooser(Protocol):
    """Whoever chooses an action."""

    def choose(self, state: Any, player: str) -> Action:
        """One of `actions(state, player)`. Raises ValueError if the game is over."""


class Random:
    """Any action, each as likely as another: seed 003 asks for such a player, and says no more of him.

    The same `seed`, a whole number, gives the same choices, one after another; without one they differ every time.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._generator = Generator(seed)

    def choose(self, state: Any, player: str) -> Action:
        """One of `actions(state, player)`. Raises ValueError if the game is over."""
        _refuse_end(state, player)
        return self._generator.choice(actions(state, player))


@dataclass(frozen=True)
class _Searching(ABC):
    """What `MiniMax` and `AlphaBeta` have in common."""

    depth: int
    weights: Mapping[str, float] = field(default_factory=weights)

    def __post_init__(self) -> None:
        if isinstance(self.depth, bool) or not isinstance(self.depth, int):
            raise TypeError(f"the depth is a whole number of plies; this is {self.depth!r}")
        if self.depth < 1:
            raise ValueError(f"a player looks at least one ply ahead; this is {self.depth}")
        if not isinstance(self.weights, Mapping):
            raise TypeError(f"weights are given by the names of features; this is {reprlib.repr(self.weights)}")
        for name, weight in self.weights.items():
            if name not in weights():
                raise ValueError(f"there is no feature {name}: there are {', '.join(weights())}")
            if isinstance(weight, bool) or not isinstance(weight, int | float):
                raise TypeError(f"the weight of {name} is a number; this is {reprlib.repr(weight)}")
            if not -HEAVIEST <= weight <= HEAVIEST:
                raise ValueError(f"the weight of {name} is from {-HEAVIEST} to {HEAVIEST}; this is {weight}")
        object.__setattr__(self, "weights", dict(self.weights))  # the caller's may change

    def choose(self, state: Any, player: str) -> Action:
        """One of `actions(state, player)`. Raises ValueError if the game is over."""
        return self.consider(state, player)[1]

    def consider(self, state: Any, player: str) -> tuple[float, Action]:
        """What the state is worth to the player, and the action that he chooses.

        With the usual weights a man more is worth 100. A win is worth a million or more, the more the sooner it comes.
        Raises ValueError if the game is over, else as `actions`.
        """
        _refuse_end(state, player)
        given = to_cpl(State(state), checked_player(player))
        value, move = self._search(given, self.depth, [self.weights.get(name, 0) for name in weights()])
        return value, to_action(move)

    @abstractmethod
    def _search(self, state: Any, depth: int, weights: list[float]) -> tuple[float, Any]: ...


class MiniMax(_Searching):
    """Takes the action that is best if the opponent does his best, looking `depth` plies ahead at every line of play.

    Both seeds ask for minimax, and say neither how far to look nor what a state is worth where one looks no further.
    Here `depth` is 1 or more, and the state is worth the sum of the features, the player's less his opponent's, each by
    its weight: `weights` are those of `checkers.weights()` or others, from -1000 to 1000; a feature without one is not
    looked at. Of equally good actions it is the first that the program finds.

    Raises TypeError or ValueError for a wrong depth or wrong weights.
    """

    def _search(self, state: Any, depth: int, weights: list[float]) -> tuple[float, Any]:
        found: tuple[float, Any] = program().MiniMaxMove(state, depth, weights)
        return found


class AlphaBeta(_Searching):
    """Chooses the same action as `MiniMax`, sooner: lines of play that cannot change the choice are left out.

    Seed 003 asks for it and seed 001 thinks of it ("possibly"); all else is as for `MiniMax`.
    """

    def _search(self, state: Any, depth: int, weights: list[float]) -> tuple[float, Any]:
        found: tuple[float, Any] = program().AlphaBetaMove(state, depth, weights)
        return found


def _refuse_end(state: Any, player: str) -> None:
    if is_end(state, player):
        raise ValueError("the game is over: there is nothing to choose")


def play(red: Chooser, black: Chooser, state: Any = None, player: str = "red") -> Game:
    """A game between two players, from the start or from any state, until it is over, with its result.

    The 50-move rule sees to it that it ends. Each player is handed a state of his own. Raises ValueError if one chooses
    what is no action of his.
    """
    first = start() if state is None else State(state)
    now, mover = first, checked_player(player)
    chosen: list[Action] = []
    while not is_end(now, mover):
        action = to_action(to_move((red if mover == "red" else black).choose(now.copy(), mover)))
        if action not in actions(now, mover):
            raise ValueError(f"{mover} chose {reprlib.repr(action)}, which is no action of his")
        chosen.append(action)
        now, mover = successor(now, action), other(mover)
    result = {inf: "1-0", -inf: "0-1", 0: "1/2-1/2"}[utility(now, mover, "red")]
    return Game(state=first, player=checked_player(player), actions=chosen, result=result)
