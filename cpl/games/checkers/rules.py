"""The rules of checkers: what seeds 001 and 003 say, worked out by `programs/checkers.cpl`.

A state is a board of eight rows (`state.State`), and a player "red" or "black". Nothing that is passed in is changed.
"""

from functools import cache
from types import ModuleType
from typing import Any

from cpl import packaged
from cpl.games.checkers.state import (
    Action,
    Player,
    State,
    checked_player,
    from_cpl,
    to_action,
    to_cpl,
    to_move,
)


@cache
def program() -> ModuleType:
    """The compiled `checkers.cpl`, with its companion `library/search.cpl`."""
    from cpl.compiler import load  # the compiler is not needed before the first move

    return load(packaged.folder("programs") / "checkers.cpl")


def start() -> State:
    """The state in which a game begins; red moves first.

    The seed leaves it empty. It is that of English draughts: twelve men each, on the dark tiles of three rows.
    """
    return from_cpl(program().StartState)[0]


def actions(state: Any, player: str) -> list[Action]:
    """What a player may do: if he can capture, all ways to capture, whole; else his steps to an adjacent tile.

    The order is the seed's: piece by piece from the upper left, north-west, north-east, south-west, south-east, and so
    on within a capture. The seed asks all four directions of every piece; here a man goes and captures forward only, as
    seed 003 has it. The tile that a capturing piece has left is empty for the rest of its turn, and a piece that it has
    taken is gone. A man who reaches the farthest row by a capture stops there. Whether the game is over is not asked:
    see `is_end`.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    position, _, _ = to_cpl(State(state), checked_player(player))
    return sorted(to_action(move) for move in program().Moves(position))


def successor(state: Any, action: Any) -> State:
    """The state after an action of whoever's piece stands on its first tile.

    Beyond the seed: a man who reaches the farthest row becomes a king, and the counts of the 50-move rule go on. The
    seed tells a step from a capture by its length and by how far apart its tiles are; so does this.

    Raises ValueError if the rules do not allow the action, TypeError or ValueError if this is no state.
    """
    before, move = State(state), to_move(action)
    player = mover(before, to_action(move))
    value = to_cpl(before, player)
    legal = program().Moves(value[0])
    if move not in legal:
        ways = "he must capture" if legal and program().MustMoves(value[0]) else "this is none of his actions"
        raise ValueError(f"{player} cannot go {to_action(move)}: {ways if legal else 'he has no move'}")
    return from_cpl(program().Play(value, move))[0]


def mover(state: State, action: Action) -> Player:
    """Whose piece stands on the first tile of an action. Raises ValueError if none does."""
    row, column = action[0]
    match state[row][column]:
        case 0:
            raise ValueError(f"no piece stands on ({row}, {column})")
        case 1 | 2:
            return "red"
        case _:
            return "black"


def is_end(state: Any, player: str) -> bool:
    """Whether the game is over when it is this player's turn.

    It is if he has no action (seed 003: the other has made the last move), if either player has no piece left (seed
    001, which asks for no red or no black pieces), or if it is drawn by the 50-move rule (seed 003): neither player
    has advanced a man, or none has taken a piece, during the last 50 moves of each. Raises as `actions`.
    """
    return bool(program().IsEnd(to_cpl(State(state), checked_player(player))))


def utility(state: Any, player: str, us: str | None = None) -> float:
    """What the end is worth to us: infinity if we have won, 0 for a draw, minus infinity if they have.

    `player` is whose turn it is, as for `is_end`; `us`, who asks, is the same player unless it is said. A win comes
    before a draw: who has no action has lost, however long nothing happened. Seed 001 says "−−" where the opponent
    wins: minus infinity.

    Raises ValueError if the game is not over, else as `actions`.
    """
    mover, asks = checked_player(player), checked_player(player if us is None else us)
    value = to_cpl(State(state), mover)
    if not program().IsEnd(value):
        raise ValueError("the game is not over: it has no utility yet")
    return float(program().Utility(value)) * (1 if asks == mover else -1) + 0.0


def features(state: Any, player: str) -> dict[str, int]:
    """What the step-choosing strategies of seed 003 say of a state, each for the pieces of this player.

    The seed chooses steps, and gives the strategies neither an order nor weights. Here each counts something in the
    position that a step leads to, the greater the better for this player, whoever is to move: `CaptureStep`,
    `Confinement`, `MultipleCapture`, `BlockedLanes`, `OneSidedCapture`, `Contact`, `Recapture` and `SafeRunners`, in
    the order of the seed. It counts no pieces, so `Pieces` and `Kings` are ours. What was chosen where its words leave
    it open, docs/games.md says in a table. Raises as `actions`.
    """
    position, _, _ = to_cpl(State(state), checked_player(player))
    return {feature.__name__: feature(position) for feature in program().Features}


def weights() -> dict[str, int]:
    """What a unit of each feature is worth, a man more being worth 100. The seed has no weights: these are ours."""
    return {feature.__name__: weight for feature, weight in zip(program().Features, program().Weights, strict=True)}
