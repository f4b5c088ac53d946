"""Checkers as a game among the others: the rules and the searches of `programs/checkers.cpl`, state by state.

A state is that of the program. `model` converts it to and from the boards that callers see.
"""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from cplrt import Logical

from cpl.games.game import HEAVIEST, SEARCHES, WON, Draughts, End, Found, Path, Steps, Turn
from cpl.games.position import SQUARES, Position
from cpl.games.sides import PLAYERS, SIDES

CplState: TypeAlias = tuple[Position, int, int]
"""The state of the program: the position, and the counts of the 50-move rule."""

_HEAVY: Final = 1000
"""The greatest weight to a search that looks deeper and deeper, whose values are whole."""


def from_move(move: Sequence[Logical]) -> Path:
    """The tiles of a move of the program, in which each square is a bit string with one member."""
    return tuple(SQUARES[number] for square in move for number in square)


class Checkers(Draughts):
    """English draughts with the 50-move rule. Black begins.

    Its searches judge with the weights of the program, or with others.
    """

    name = "checkers"
    title = "Checkers, by the official rules"
    source = "checkers.cpl"
    sides: tuple[str, str] = SIDES

    def position(self, state: CplState) -> Position:
        """Return the position, without the counts of the 50-move rule."""
        return state[0]

    def state(self, position: Position) -> CplState:
        """Return the state in which nothing is counted yet."""
        return position, 0, 0

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        """Set the weights. Raises TypeError or ValueError for wrong ones."""
        self._weights = None if weights is None else checked_weights(weights)

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights of the program, unless there are others."""
        return weights() if self._weights is None else self._weights

    def weighted(self, weights: Mapping[str, float]) -> "Checkers":
        """Return checkers with these weights."""
        return Checkers(weights)

    def start(self) -> Turn:
        """Return the first state: twelve men each."""
        return self.turn(self.program.StartState)

    def legal(self, state: CplState) -> dict[Path, list[Logical]]:
        """Return the moves in the order of `actions`."""
        return dict(sorted((from_move(move), move) for move in self.program.Moves(state[0])))

    def steps(self, turn: Turn) -> Steps:
        """Use the inner functions of an optimised module, in which bit strings are whole numbers."""
        rules = self.program
        if not hasattr(rules, "_Moves"):
            return super().steps(turn)
        own, other, kings, mover = turn.state[0]
        bits = {square: 1 << number for number, square in SQUARES.items()}
        return Steps((own.bits, other.bits, kings.bits, mover), bits, rules._Moves, rules._Successor)

    def end(self, turn: Turn) -> End | None:
        """Return the end, by a side that cannot move, or by the 50-move rule."""
        if not self.program.IsEnd(turn.state):
            return None
        worth = self.program.Utility(turn.state)
        if worth == 0:
            return End(None, "50 moves of each without a capture or without a man's advance")
        return self.blocked(turn.side if worth < 0 else self.other(turn.side))

    def best(self, state: CplState, kind: str, depth: int) -> tuple[float, Any]:
        """Search with its weights."""
        search = getattr(self.searching(), SEARCHES[kind])
        return cast("tuple[float, Any]", search(state, depth, self._all_weights()))

    def deeper(
        self, state: CplState, depth: int, lines: int, nodes: int, order: list[int], key: int, seen: list[int]
    ) -> Found:
        """Judge as the program does by itself; with other weights, by the features that have them."""
        if self._weights is None:
            return super().deeper(state, depth, lines, nodes, order, key, seen)
        weights = self._all_weights()
        # The program judges with whole weights, so the heaviest becomes _HEAVY. Wins are not worth more by that.
        scale = _HEAVY / max([1e-6, *map(abs, weights)])
        whole_weights = [round(weight * scale) for weight in weights]
        limits, past = (depth, lines, nodes), (key, order, seen)
        looked_at, best = self.searching().BestLinesBy(state, limits, past, whole_weights)
        found = []
        for value, number, moves in best:
            is_decided = abs(value) > WON / 2
            found.append((value if is_decided else value / scale, number, moves))
        return looked_at, found

    def _all_weights(self) -> list[float]:
        """Return a weight for each feature, as the program takes them."""
        return [self.weights.get(name, 0) for name in weights()]


class InWordsOfTheModel(Checkers):
    """The same game in the words of the model, whose players are red, who begins, and black."""

    sides = PLAYERS


CHECKERS: Final = Checkers()
MODEL: Final = InWordsOfTheModel()


def weights() -> dict[str, int]:
    """Return what a unit of each feature is worth; a man is worth 100. The rules have no weights: these are ours."""
    rules = CHECKERS.program
    return {feature.__name__: weight for feature, weight in zip(rules.Features, rules.Weights, strict=True)}


def checked_weights(wanted: Mapping[str, float]) -> dict[str, float]:
    """Return a copy of weights by the names of features. Raises TypeError or ValueError."""
    if not isinstance(wanted, Mapping):
        raise TypeError(f"expected weights by the names of features, found {reprlib.repr(wanted)}")
    for name, weight in wanted.items():
        if name not in weights():
            raise ValueError(f"there is no feature {name}: there are {', '.join(weights())}")
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise TypeError(f"the weight of {name} is a number, not {type(weight).__name__}")
        if not -HEAVIEST <= weight <= HEAVIEST:
            raise ValueError(f"the weight of {name} is from {-HEAVIEST} to {HEAVIEST}, not {weight}")
    return dict(wanted)
