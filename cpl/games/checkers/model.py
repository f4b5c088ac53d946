"""The model of checkers: states and actions, as two texts describe them, and players who choose actions.

See `cpl.games.checkers`, which offers all of it.
"""

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random as Generator
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from cplrt import Logical

from cpl.games.board import Board
from cpl.games.checkers.game import MODEL, Checkers, CplState, checked_weights, from_move, weights
from cpl.games.game import BadMove, Path, Turn, grid, whole
from cpl.games.moves import is_draughts_path
from cpl.games.position import SIZE, SQUARES, Position, pieces
from cpl.games.position import Square as Tile
from cpl.games.sides import PLAYERS, Player

Action: TypeAlias = list[Tile]
"""All the tiles that a piece goes over in one turn, two or more: where it stood, where it jumped to, where it stays."""

EMPTY, RED_MAN, RED_KING, BLACK_MAN, BLACK_KING = range(5)
"""What a tile holds. (The model calls 4 a red king, as it does 2: a slip.)"""

_NUMBER: Final = {tile: number for number, tile in SQUARES.items()}
_CROWNED: Final = {RED_MAN: SIZE - 1, BLACK_MAN: 0}
"""The row on which a man becomes a king."""
_PIECES: Final = {"r": RED_MAN, "R": RED_KING, "b": BLACK_MAN, "B": BLACK_KING}


class State(list[list[int]]):
    """A board, eight rows of eight tiles, and beside it what the 50-move rule counts.

    A plain list of rows is a state too, of a game in which nothing has been counted yet. `since_capture` and
    `since_advance` are the moves of either player since a piece was taken, and since a man moved: a man can only
    advance. The model has only the board, and the rules have only the 50-move rule, without a place to count. States
    are compared as boards, whatever they count. Like a board they can be changed, and nothing here changes them.

    Made from another state it is a copy with the same counts, unless others are given. Raises TypeError or ValueError
    if the rows are no board: pieces stand on dark tiles, and no man on the row where he would have been crowned.
    """

    def __init__(
        self, rows: Sequence[Sequence[int]], *, since_capture: int | None = None, since_advance: int | None = None
    ) -> None:
        checked = grid(rows, "state", "tile", frozenset(range(5)), "a number from 0 to 4")
        for row, column in product(range(SIZE), range(SIZE)):
            piece = checked[row][column]
            if piece and (row, column) not in _NUMBER:
                raise ValueError(f"a piece stands on ({row}, {column}): checkers is played on the dark tiles")
            if _CROWNED.get(piece) == row:
                raise ValueError(f"a man stands on ({row}, {column}), where he would have been made a king")
        super().__init__(checked)
        captured = getattr(rows, "since_capture", 0) if since_capture is None else since_capture
        advanced = getattr(rows, "since_advance", 0) if since_advance is None else since_advance
        self.since_capture = whole(captured, "since_capture", 0)
        self.since_advance = whole(advanced, "since_advance", 0)

    def copy(self) -> "State":
        """A state of its own, with the same counts."""
        return State(self)

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        return f"State({super().__repr__()}, since_capture={self.since_capture}, since_advance={self.since_advance})"

    def _repr_svg_(self) -> str:
        return self.picture().svg()

    def picture(self, last: Action | None = None, *, flipped: bool = False) -> Board:
        """The board to look at, with the official numbers of its tiles and an arrow for the `last` action.

        Raises ValueError for an invalid action.
        """
        turn = Turn(MODEL, to_cpl(self, "red"), "red")  # a picture does not show whose turn it is
        path = () if last is None else to_path(last)
        return replace(MODEL.board(turn, path), flipped=flipped)


# Between Python and CPL


def to_cpl(state: State, player: str) -> CplState:
    """The state of the program, ((X, Y, K, σ), c, a), `player` being to move."""

    def tiles_of(*kinds: int) -> Logical:
        return Logical([number for (row, column), number in _NUMBER.items() if state[row][column] in kinds])

    red = tiles_of(RED_MAN, RED_KING)
    black = tiles_of(BLACK_MAN, BLACK_KING)
    kings = tiles_of(RED_KING, BLACK_KING)
    position = (red, black, kings, 1) if player == "red" else (black, red, kings, -1)
    return position, state.since_capture, state.since_advance


def from_cpl(value: CplState) -> tuple[State, Player]:
    """The inverse: the state, and whose move it is."""
    position, since_capture, since_advance = value
    rows = [[EMPTY] * SIZE for _ in range(SIZE)]
    for (row, column), letter in pieces(position, "rb").items():
        rows[row][column] = _PIECES[letter]
    state = State(rows, since_capture=since_capture, since_advance=since_advance)
    player: Player = "red" if position[3] == 1 else "black"
    return state, player


def to_path(action: Any) -> Path:
    """The tiles of an action. Raises ValueError for what is neither a step to an adjacent tile nor jumps."""
    try:
        path = tuple(SQUARES[_NUMBER[row, column]] for row, column in action)
    except (TypeError, ValueError, KeyError):
        path = ()
    if not is_draughts_path(path):
        raise ValueError(
            f"an action is a list of dark tiles (row, column), a step to an adjacent one or jumps over one; "
            f"this is {reprlib.repr(action)}"
        )
    return path


def turn_of(state: Any, player: str) -> Turn:
    """The state with the player to move. Raises TypeError or ValueError if this is no state, or no player."""
    if player not in PLAYERS:
        raise ValueError(f'a player is "red" or "black"; this is {player!r}')
    return Turn(MODEL, to_cpl(State(state), player), player)


# The rules


def start() -> State:
    """The state in which a game begins; red moves first.

    The model leaves it empty. It is that of English draughts: twelve men each, on the dark tiles of three rows.
    """
    return from_cpl(MODEL.program.StartState)[0]


def actions(state: Any, player: str) -> list[Action]:
    """Return what a player may do: if he can capture, all captures, whole; else his steps to an adjacent tile.

    The order is the model's: piece by piece from the upper left, north-west, north-east, south-west, south-east, and so
    on within a capture. The model lets every piece look in all four directions; here a man goes and captures forward
    only, as the rules say. The tile that a capturing piece has left is empty for the rest of its turn, and a piece that
    it has taken is gone. A man who reaches the farthest row by a capture stops there. Whether the game is over is not
    checked: see `is_end`.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    return [[*path] for path in turn_of(state, player).legal]


def must_moves(state: Any, player: str) -> list[Action]:
    """The model's must-moves: all ways to capture, whole, in the order of `actions`. Raises as `actions`."""
    return _actions_of(MODEL.program.MustMoves, state, player)


def optional_moves(state: Any, player: str) -> list[Action]:
    """The model's optional-moves: the steps to an adjacent tile, in the order of `actions`.

    The model lists them also if there is a must-move, which must be taken then. Raises as `actions`.
    """
    return _actions_of(MODEL.program.OptionalMoves, state, player)


def _actions_of(moves: Callable[[Position], Iterable[Any]], state: Any, player: str) -> list[Action]:
    """Return the moves that a function of the program gives, as actions in the order of `actions`."""
    position = turn_of(state, player).state[0]
    paths = sorted(from_move(move) for move in moves(position))
    return [[*path] for path in paths]


def successor(state: Any, action: Any) -> State:
    """The state after an action of the side whose piece stands on its first tile.

    Beyond the model: a man who reaches the farthest row becomes a king, and the counts of the 50-move rule go on. The
    model tells a step from a capture by its length and by how far apart its tiles are; so does this.

    Raises ValueError if the rules do not allow the action, TypeError or ValueError if this is no state.
    """
    before, path = State(state), to_path(action)
    row, column = path[0]
    player = "black" if before[row][column] in (BLACK_MAN, BLACK_KING) else "red"
    turn = Turn(MODEL, to_cpl(before, player), player)
    if path not in turn.legal:
        raise BadMove(f"{turn.side} cannot go {[*path]}: {MODEL.why_illegal(turn, path)}")
    return from_cpl(MODEL.play(turn, path).state)[0]


def is_end(state: Any, player: str) -> bool:
    """Tell whether the game is over when it is this player's turn.

    It is if he has no action (by the rules: the other has made the last move), if either player has no piece left (by
    the model), or if it is drawn by the 50-move rule: neither player has advanced a man, or none has taken a piece,
    during the last 50 moves of each. Raises as `actions`.
    """
    return bool(MODEL.program.IsEnd(turn_of(state, player).state))


def utility(state: Any, player: str, us: str | None = None) -> float:
    """Return what the end is worth to us: infinity if we have won, 0 for a draw, minus infinity if they have.

    `player` is whose turn it is, as for `is_end`; `us`, who asks, is the same player by default. A win comes before a
    draw: who has no action has lost, however long nothing happened. The model says "−−" where the opponent wins: minus
    infinity.

    Raises ValueError if the game is not over, else as `actions`.
    """
    turn = turn_of(state, player)
    asker = turn_of(state, player if us is None else us).side  # which checks `us`, too
    if not MODEL.program.IsEnd(turn.state):
        raise ValueError("the game is not over: it has no utility yet")
    value = float(MODEL.program.Utility(turn.state))
    if asker != player:
        value = -value
    return value + 0.0  # so that a draw is never -0.0


def features(state: Any, player: str) -> dict[str, int]:
    """Return what the step-choosing strategies of the rules say of a state, each for the pieces of this player.

    The rules choose steps, and give the strategies neither an order nor weights. Here each counts something in the
    position that a step leads to, the greater the better for this player, whoever is to move: `CaptureStep`,
    `Confinement`, `MultipleCapture`, `BlockedLanes`, `OneSidedCapture`, `Contact`, `Recapture` and `SafeRunners`, in
    the order of the rules. They count no pieces, so `Pieces` and `Kings` are ours. A table in docs/descriptions.md says
    what was chosen where the words leave it open. Raises as `actions`.
    """
    position = turn_of(state, player).state[0]
    return {feature.__name__: feature(position) for feature in MODEL.program.Features}


# Positions and moves as draughts players write them


def to_fen(state: Any, player: str) -> str:
    """Return the side to move and the pieces as FEN, `B:W21,K30:B1,K2`, without the counts of the 50-move rule.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    return MODEL.to_fen(turn_of(state, player))


def from_fen(text: str) -> tuple[State, Player]:
    """The state of a FEN, in which nothing is counted yet, and whose move it is. Raises BadFen, a ValueError.

    One side may have no pieces. Ranges, small letters and blanks are read, too.
    """
    return from_cpl(MODEL.from_fen(text).state)


def action_text(action: Any) -> str:
    """An action with every square that it touches: `11-15`, `15x22x31`. Raises ValueError for an invalid one."""
    return MODEL.text(to_path(action))


def read_action(state: Any, player: str, text: str) -> Action:
    """The one of `actions(state, player)` that a text means. Raises BadMove, which says why it can mean none.

    Captures may be written short, `15x31`, where just one action has these ends.
    """
    return [*MODEL.read(turn_of(state, player), text)]


# Players


class Chooser(Protocol):
    """A player, who chooses actions."""

    def choose(self, state: Any, player: str) -> Action:
        """Return one of `actions(state, player)`. Raises ValueError if the game is over."""


class Random:
    """A player of any action, each as likely as another: the rules ask for one and leave the rest open.

    The same `seed`, a whole number, gives the same choices, one after another; without one they differ every time.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._generator = Generator(seed)

    def choose(self, state: Any, player: str) -> Action:
        """Return one of `actions(state, player)`. Raises ValueError if the game is over."""
        return [*self._generator.choice([*_unfinished(state, player).legal])]


@dataclass(frozen=True)
class _Searching:
    """The common part of `MiniMax` and `AlphaBeta`."""

    depth: int
    weights: Mapping[str, float] = field(default_factory=weights)
    search: ClassVar[str]

    def __post_init__(self) -> None:
        whole(self.depth, "the depth", 1)
        object.__setattr__(self, "weights", checked_weights(self.weights))  # a copy, as the caller's may change

    def choose(self, state: Any, player: str) -> Action:
        """Return one of `actions(state, player)`. Raises ValueError if the game is over."""
        return self.consider(state, player)[1]

    def consider(self, state: Any, player: str) -> tuple[float, Action]:
        """Return what the state is worth to the player, and the action that he chooses.

        With the usual weights a man more is worth 100. A win is worth a million or more, the more the sooner it comes.
        Raises ValueError if the game is over, else as `actions`.
        """
        turn = _unfinished(state, player)
        value, move = Checkers(self.weights).best(turn.state, self.search, self.depth)
        return value, [*from_move(move)]


class MiniMax(_Searching):
    """A player of the best action if the opponent does his best, looking `depth` plies ahead at every line of play.

    Both texts ask for minimax, and say neither how far to look nor what a state is worth where one looks no further.
    Here `depth` is 1 or more, and the state is worth the sum of the features, the player's less his opponent's, each by
    its weight: `weights` are those of `checkers.weights()` or others, from -1000 to 1000; a feature without one is not
    looked at. Of equally good actions it is the first that the program finds.

    Raises TypeError or ValueError for a wrong depth or wrong weights.
    """

    search = "minimax"


class AlphaBeta(_Searching):
    """A player of the same action as `MiniMax`, sooner: lines of play that cannot change the choice are left out.

    The rules ask for it, and the model thinks of it ("possibly"); all else is as for `MiniMax`.
    """

    search = "alphabeta"


def _unfinished(state: Any, player: str) -> Turn:
    """Return a state in which a player can choose. Raises ValueError if the game is over, else as `actions`."""
    turn = turn_of(state, player)
    if MODEL.program.IsEnd(turn.state):
        raise ValueError("the game is over: there is nothing to choose")
    return turn
