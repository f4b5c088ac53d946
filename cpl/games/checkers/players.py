"""Players of checkers: at random, by minimax and by alpha-beta (seed 003), which search in `library/search.cpl`.

A player is asked to `choose` an action; it has no other state than what it is made with.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from random import Random as Generator
from typing import Any, Protocol

from cpl.games.checkers.pdn import Game
from cpl.games.checkers.rules import actions, is_end, program, start, successor, utility, weights
from cpl.games.checkers.state import Action, State, checked_player, other, to_action, to_cpl


class Chooser(Protocol):
    """Whoever chooses an action."""

    def choose(self, state: Any, player: str) -> Action:
        """One of `actions(state, player)`. Raises ValueError if the game is over."""


class Random:
    """Any action, each as likely as another. The same seed gives the same choices, one after another."""

    def __init__(self, seed: int | None = None) -> None:
        self._generator = Generator(seed)

    def choose(self, state: Any, player: str) -> Action:
        """One of `actions(state, player)`. Raises ValueError if the game is over."""
        _refuse_end(state, player)
        return self._generator.choice(actions(state, player))


@dataclass(frozen=True)
class _Searching(ABC):
    """A player who looks `depth` plies ahead (1 or more) and judges by the features with these weights.

    `weights` are those of `rules.weights()`, or some of them: a feature that is not named is not looked at.
    Of equally good actions the first that the program finds is chosen, which is the same for both searches.
    """

    depth: int
    weights: Mapping[str, float] = field(default_factory=weights)

    def __post_init__(self) -> None:
        if isinstance(self.depth, bool) or not isinstance(self.depth, int):
            raise TypeError(f"the depth is a whole number of plies; this is {self.depth!r}")
        if self.depth < 1:
            raise ValueError(f"a player looks at least one ply ahead; this is {self.depth}")
        if unknown := [name for name in self.weights if name not in weights()]:
            raise ValueError(f"there is no feature {unknown[0]}: there are {', '.join(weights())}")
        if wrong := [name for name, weight in self.weights.items() if not isfinite(weight)]:
            raise ValueError(f"the weight of {wrong[0]} is no number that ends: {self.weights[wrong[0]]}")

    def choose(self, state: Any, player: str) -> Action:
        """One of `actions(state, player)`. Raises ValueError if the game is over."""
        return self.consider(state, player)[1]

    def consider(self, state: Any, player: str) -> tuple[float, Action]:
        """What the state is worth to the player, a man more being worth 100, and the action that he chooses.

        A win is worth more than a million, the more the sooner it comes. Raises ValueError if the game is over.
        """
        _refuse_end(state, player)
        given = to_cpl(State.checked(state), checked_player(player))
        value, move = self._search(given, self.depth, [self.weights.get(name, 0) for name in weights()])
        return value, to_action(move)

    @abstractmethod
    def _search(self, state: Any, depth: int, weights: list[float]) -> tuple[float, Any]: ...


class MiniMax(_Searching):
    """Looks at every line of play."""

    def _search(self, state: Any, depth: int, weights: list[float]) -> tuple[float, Any]:
        found: tuple[float, Any] = program().MiniMaxMove(state, depth, weights)
        return found


class AlphaBeta(_Searching):
    """Leaves out what cannot change the choice: the same action as `MiniMax`, sooner."""

    def _search(self, state: Any, depth: int, weights: list[float]) -> tuple[float, Any]:
        found: tuple[float, Any] = program().AlphaBetaMove(state, depth, weights)
        return found


def _refuse_end(state: Any, player: str) -> None:
    if is_end(state, player):
        raise ValueError("the game is over: there is nothing to choose")


def play(red: Chooser, black: Chooser, state: Any = None, player: str = "red") -> Game:
    """A game between two players, from the start or from any state, until it is over, with its result.

    The 50-move rule sees to it that it ends. Raises ValueError if a player chooses what is no action.
    """
    first = start() if state is None else State.checked(state)
    now, mover = first, checked_player(player)
    chosen: list[Action] = []
    while not is_end(now, mover):
        action = (red if mover == "red" else black).choose(now, mover)
        chosen.append(action)
        now, mover = successor(now, action), other(mover)
    result = {inf: "1-0", -inf: "0-1", 0: "1/2-1/2"}[utility(now, mover, "red")]
    return Game(state=first, player=checked_player(player), actions=chosen, result=result)
