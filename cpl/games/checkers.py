"""Checkers as two texts describe it: states and actions, players, games, PDN. The moves and the search are in
`programs/checkers.cpl`. docs/descriptions.md calls the texts "the model" (states and actions) and "the rules" (of the
game, and how a player chooses), as this file does, and says what they leave open and what was chosen.

```pycon
>>> from cpl.games import checkers
>>> checkers.actions(checkers.start(), "red")[0]
[(2, 1), (3, 0)]
```

A state is a board of eight rows, and a player "red" or "black". Red is the Black of the books: he moves first, and down
from squares 1 to 12. What callers give is checked, and never changed; what they get is new.
"""

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random as Generator
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Protocol, TypeAlias, cast

from cplrt import Logical

from cpl.display import drawn, text_bundle
from cpl.games import pdn
from cpl.games.board import Board
from cpl.games.game import HEAVIEST, SEARCHES, WON, BadMove, Draughts, End, Found, Path, Steps, Turn, grid, whole
from cpl.games.moves import is_draughts_path
from cpl.games.pdn import BadPdn, Record
from cpl.games.position import SIZE, SQUARES, BadFen, Position, pieces
from cpl.games.position import Square as Tile

__all__ = [
    "Action",
    "AlphaBeta",
    "BadFen",
    "BadMove",
    "BadPdn",
    "Chooser",
    "Game",
    "Games",
    "MiniMax",
    "Player",
    "Random",
    "State",
    "Tile",
    "action_text",
    "actions",
    "features",
    "from_fen",
    "is_end",
    "iter_pdn",
    "must_moves",
    "optional_moves",
    "play",
    "read_action",
    "read_pdn",
    "start",
    "successor",
    "to_fen",
    "utility",
    "weights",
    "write_pdn",
]

Player = Literal["red", "black"]
"""Red stands on rows 0 to 2 and moves down, and first; Black stands on rows 5 to 7 and moves up."""

CplState: TypeAlias = tuple[Position, int, int]
"""The state of the program: the position, and the counts of the 50-move rule."""

Action: TypeAlias = list[Tile]
"""All the tiles that a piece goes over in one turn, two or more: where it stood, where it jumped to, where it stays."""

EMPTY, RED_MAN, RED_KING, BLACK_MAN, BLACK_KING = range(5)
"""What a tile holds. (The model calls 4 a red king, as it does 2: a slip.)"""

PROGRAM: Final = "checkers.cpl"
_HEAVY: Final = 1000
"""The greatest weight to a search that looks deeper and deeper, whose values are whole."""
_NUMBER: Final = {tile: number for number, tile in SQUARES.items()}
_CROWNED: Final = {RED_MAN: SIZE - 1, BLACK_MAN: 0}
"""The row on which a man becomes a king."""
_PIECES: Final = {"": EMPTY, "r": RED_MAN, "R": RED_KING, "b": BLACK_MAN, "B": BLACK_KING}


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
        board = CHECKERS.board(Turn(CHECKERS, to_cpl(self, "red"), "red"), to_path(last) if last is not None else ())
        return replace(board, flipped=flipped)


# Between Python and CPL


def to_cpl(state: State, player: str) -> CplState:
    """The state of the program, ((X, Y, K, σ), c, a), `player` being to move."""
    red, black, kings = (
        Logical([number for (row, column), number in _NUMBER.items() if state[row][column] in kinds])
        for kinds in ((RED_MAN, RED_KING), (BLACK_MAN, BLACK_KING), (RED_KING, BLACK_KING))
    )
    position = (red, black, kings, 1) if player == "red" else (black, red, kings, -1)
    return position, state.since_capture, state.since_advance


def from_cpl(value: CplState) -> tuple[State, Player]:
    """The inverse: the state, and whose move it is."""
    position, since_capture, since_advance = value
    letters = pieces(position, "rb")
    rows = [[_PIECES[letters.get((row, column), "")] for column in range(SIZE)] for row in range(SIZE)]
    state = State(rows, since_capture=since_capture, since_advance=since_advance)
    return state, "red" if position[3] == 1 else "black"


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


def from_move(move: Sequence[Logical]) -> Path:
    """The tiles of a move of the program."""
    return tuple(SQUARES[number] for square in move for number in square)


def _turn(state: Any, player: str) -> Turn:
    """The state with the player to move. Raises TypeError or ValueError if this is no state, or no player."""
    if player not in CHECKERS.sides:
        raise ValueError(f'a player is "red" or "black"; this is {player!r}')
    return Turn(CHECKERS, to_cpl(State(state), player), player)


# The rules


def start() -> State:
    """The state in which a game begins; red moves first.

    The model leaves it empty. It is that of English draughts: twelve men each, on the dark tiles of three rows.
    """
    return from_cpl(CHECKERS.program.StartState)[0]


def actions(state: Any, player: str) -> list[Action]:
    """Return what a player may do: if he can capture, all captures, whole; else his steps to an adjacent tile.

    The order is the model's: piece by piece from the upper left, north-west, north-east, south-west, south-east, and so
    on within a capture. The model lets every piece look in all four directions; here a man goes and captures forward
    only, as the rules say. The tile that a capturing piece has left is empty for the rest of its turn, and a piece that
    it has taken is gone. A man who reaches the farthest row by a capture stops there. Whether the game is over is not
    checked: see `is_end`.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    return [[*path] for path in _turn(state, player).legal]


def must_moves(state: Any, player: str) -> list[Action]:
    """The model's must-moves: all ways to capture, whole, in the order of `actions`. Raises as `actions`."""
    return _listed(CHECKERS.program.MustMoves, state, player)


def optional_moves(state: Any, player: str) -> list[Action]:
    """The model's optional-moves: the steps to an adjacent tile, in the order of `actions`.

    The model lists them also if there is a must-move, which must be taken then. Raises as `actions`.
    """
    return _listed(CHECKERS.program.OptionalMoves, state, player)


def _listed(moves: Callable[[Position], Iterable[Any]], state: Any, player: str) -> list[Action]:
    return [[*path] for path in sorted(map(from_move, moves(_turn(state, player).state[0])))]


def successor(state: Any, action: Any) -> State:
    """The state after an action of the side whose piece stands on its first tile.

    Beyond the model: a man who reaches the farthest row becomes a king, and the counts of the 50-move rule go on. The
    model tells a step from a capture by its length and by how far apart its tiles are; so does this.

    Raises ValueError if the rules do not allow the action, TypeError or ValueError if this is no state.
    """
    before, path = State(state), to_path(action)
    row, column = path[0]
    player = "black" if before[row][column] in (BLACK_MAN, BLACK_KING) else "red"
    turn = Turn(CHECKERS, to_cpl(before, player), player)
    if path not in turn.legal:
        raise BadMove(f"{turn.side} cannot go {[*path]}: {CHECKERS.why_illegal(turn, path)}")
    return from_cpl(CHECKERS.play(turn, path).state)[0]


def is_end(state: Any, player: str) -> bool:
    """Tell whether the game is over when it is this player's turn.

    It is if he has no action (by the rules: the other has made the last move), if either player has no piece left (by
    the model), or if it is drawn by the 50-move rule: neither player has advanced a man, or none has taken a piece,
    during the last 50 moves of each. Raises as `actions`.
    """
    return bool(CHECKERS.program.IsEnd(_turn(state, player).state))


def utility(state: Any, player: str, us: str | None = None) -> float:
    """Return what the end is worth to us: infinity if we have won, 0 for a draw, minus infinity if they have.

    `player` is whose turn it is, as for `is_end`; `us`, who asks, is the same player by default. A win comes before a
    draw: who has no action has lost, however long nothing happened. The model says "−−" where the opponent wins: minus
    infinity.

    Raises ValueError if the game is not over, else as `actions`.
    """
    turn, asker = _turn(state, player), _turn(state, player if us is None else us).side
    if not CHECKERS.program.IsEnd(turn.state):
        raise ValueError("the game is not over: it has no utility yet")
    return float(CHECKERS.program.Utility(turn.state)) * (1 if asker == player else -1) + 0.0


def features(state: Any, player: str) -> dict[str, int]:
    """Return what the step-choosing strategies of the rules say of a state, each for the pieces of this player.

    The rules choose steps, and give the strategies neither an order nor weights. Here each counts something in the
    position that a step leads to, the greater the better for this player, whoever is to move: `CaptureStep`,
    `Confinement`, `MultipleCapture`, `BlockedLanes`, `OneSidedCapture`, `Contact`, `Recapture` and `SafeRunners`, in
    the order of the rules. They count no pieces, so `Pieces` and `Kings` are ours. A table in docs/descriptions.md says
    what was chosen where the words leave it open. Raises as `actions`.
    """
    position = _turn(state, player).state[0]
    return {feature.__name__: feature(position) for feature in CHECKERS.program.Features}


def weights() -> dict[str, int]:
    """Return what a unit of each feature is worth; a man is worth 100. The rules have no weights: these are ours."""
    rules = CHECKERS.program
    return {feature.__name__: weight for feature, weight in zip(rules.Features, rules.Weights, strict=True)}


# Positions and moves as draughts players write them


def to_fen(state: Any, player: str) -> str:
    """Return the side to move and the pieces as FEN, `B:W21,K30:B1,K2`, without the counts of the 50-move rule.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    return CHECKERS.to_fen(_turn(state, player))


def from_fen(text: str) -> tuple[State, Player]:
    """The state of a FEN, in which nothing is counted yet, and whose move it is. Raises BadFen, a ValueError.

    One side may have no pieces. Ranges, small letters and blanks are read, too.
    """
    return from_cpl(CHECKERS.from_fen(text).state)


def action_text(action: Any) -> str:
    """An action with every square that it touches: `11-15`, `15x22x31`. Raises ValueError for an invalid one."""
    return CHECKERS.text(to_path(action))


def read_action(state: Any, player: str, text: str) -> Action:
    """The one of `actions(state, player)` that a text means. Raises BadMove, which says why it can mean none.

    Captures may be written short, `15x31`, where just one action has these ends.
    """
    return [*CHECKERS.read(_turn(state, player), text)]


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
        object.__setattr__(self, "weights", _checked(self.weights))  # a copy, as the caller's may change

    def choose(self, state: Any, player: str) -> Action:
        """Return one of `actions(state, player)`. Raises ValueError if the game is over."""
        return self.consider(state, player)[1]

    def consider(self, state: Any, player: str) -> tuple[float, Action]:
        """Return what the state is worth to the player, and the action that he chooses.

        With the usual weights a man more is worth 100. A win is worth a million or more, the more the sooner it comes.
        Raises ValueError if the game is over, else as `actions`.
        """
        value, move = Checkers(self.weights).best(_unfinished(state, player).state, self.search, self.depth)
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
    turn = _turn(state, player)
    if CHECKERS.program.IsEnd(turn.state):
        raise ValueError("the game is over: there is nothing to choose")
    return turn


# Games


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: the tags, the state and the player that it starts with, the actions, and the result as PDN writes it.

    Result, GameType, SetUp and FEN are not among the tags: the other fields have them. `remarks` are what stands beside
    the moves in a file, by the number of moves before it: comments `{well played}`, marks `!` and `$2`, and variations
    `(11-16 {also good})`.
    """

    tags: dict[str, str] = field(default_factory=dict)
    state: State = field(default_factory=start)
    player: Player = field(default_factory=lambda: "red")
    actions: list[Action] = field(default_factory=list)
    result: str = pdn.UNFINISHED
    remarks: dict[int, list[str]] = field(default_factory=dict)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The moves of a game of a file, which are read when they are first asked for. Raises BadPdn."""
            if "_entry" not in vars(self) or name not in ("state", "player", "actions"):
                raise AttributeError(f"a game has no {name}")
            record = vars(self)["_entry"].record
            state, player = from_cpl(record.first.state)
            vars(self).update(state=state, player=player, actions=[[*path] for path in record.moves])
            return vars(self)[name]

    @property
    def winner(self) -> Player | None:
        """The winner, as the result says it; None for no one, or if it does not say."""
        side = pdn.WINNERS.get(self.result)
        return None if side is None else CHECKERS.sides[side]

    @property
    def record(self) -> Record:
        """The same as all games have it. Raises ValueError or TypeError for states and actions that are none."""
        first = _turn(self.state, self.player)
        return Record(first, [*map(to_path, self.actions)], self.tags, self.result, self.remarks)

    _repr_html_ = drawn
    _repr_mimebundle_ = text_bundle


def play(red: Chooser, black: Chooser, state: Any = None, player: str = "red") -> Game:
    """A game between two players, from the start or from any state, until it is over, with its result.

    It is over when `is_end` says so: the 50-move rule sees to it, and the rules know no draw by repetition. Each player
    gets a copy of the state. Raises ValueError if one chooses an illegal action.
    """
    choosers: dict[str, Chooser] = {"red": red, "black": black}
    turn = first = _turn(start() if state is None else state, player)
    actions: list[Action] = []
    while not (end := CHECKERS.end(turn)):
        path = to_path(choosers[turn.side].choose(*from_cpl(turn.state)))
        if path not in turn.legal:
            raise ValueError(f"{turn.side} chose {[*path]}, an illegal action: {CHECKERS.why_illegal(turn, path)}")
        actions.append([*path])
        turn = CHECKERS.play(turn, path)
    begin, side = from_cpl(first.state)
    return Game(state=begin, player=side, actions=actions, result=pdn.result_of(CHECKERS, end))


class Games(list[Game]):
    """The games of a file that could be read, and for those that could not, an error each. `warnings` are lines about
    what was read otherwise than it is written.
    """

    def __init__(self, games: Iterable[Game] = (), errors: Iterable[BadPdn] = (), warnings: Iterable[str] = ()) -> None:
        super().__init__(games)
        self.errors, self.warnings = [*errors], [*warnings]

    @property
    def summary(self) -> str:
        """The number of games that were read, and a line for each error and each warning."""
        read = f"{len(self)} of {len(self) + len(self.errors)} games read"
        return "\n".join([read, *map(str, self.errors), *(f"warning: {warning}" for warning in self.warnings)])


def read_pdn(text: str, *, errors: Literal["raise", "collect"] = "raise") -> Games:
    """The games of a file, their moves checked; `cpl.games.pdn.entries` says what can be read.

    What cannot be read raises BadPdn, or, with `errors="collect"`, loses its one game, and is among the `errors` of the
    result. What ends a game early, such as `White resigns`, or is read otherwise than it is written, is warned of, and
    is among the `warnings`.
    """
    if errors not in ("raise", "collect"):
        raise ValueError(f'errors is "raise" or "collect", not {errors!r}')
    games = Games()
    for game in iter_pdn(text):
        try:
            game.actions  # noqa: B018  # reads them
            games.append(game)
            games.warnings += vars(game)["_entry"].warnings
        except BadPdn as error:
            if errors == "raise":
                raise
            games.errors.append(error)
    return games


def iter_pdn(text: str) -> Iterator[Game]:
    """The games of a file one after the other, by their headers. The moves of each, and the state in which it begins,
    are read when they are first asked for: that raises BadPdn for a game that cannot be read.
    """
    for entry in pdn.entries(CHECKERS, text):
        game = Game.__new__(Game)
        remarks = {ply: [*remarks] for ply, remarks in entry.text.remarks.items()}
        vars(game).update(tags={**entry.tags}, result=entry.result, remarks=remarks, _entry=entry)
        yield game


def write_pdn(games: Iterable[Game]) -> str:
    """A file of these games: whole paths of captures, a blank line between games.

    Tags begin with Event, Site, Date, Round, Black, White, as far as a game has them, then Result, GameType and, unless
    it begins at the start, SetUp and FEN; others follow. What states count for the 50-move rule has no place in a file.

    Raises BadPdn for tags that no file can have, ValueError or TypeError for states and actions that are none. Whether
    the actions are legal is not checked.
    """
    return "\n".join(pdn.write(CHECKERS, game.record) for game in games)


class Checkers(Draughts):
    """English draughts with the 50-move rule. Red begins; he is the Black of the books.

    Its searches judge with the weights of the program, or with others.
    """

    name = "checkers"
    title = "Checkers, by the official rules"
    source = PROGRAM
    sides: tuple[Player, Player] = ("red", "black")

    def position(self, state: CplState) -> Position:
        """Return the position, without the counts of the 50-move rule."""
        return state[0]

    def state(self, position: Position) -> CplState:
        """Return the state in which nothing is counted yet."""
        return position, 0, 0

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        """Set the weights. Raises TypeError or ValueError for wrong ones."""
        self._weights = None if weights is None else _checked(weights)

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights of the program, unless there are others."""
        return weights() if self._weights is None else self._weights

    def weighted(self, weights: Mapping[str, float]) -> "Checkers":
        """Return checkers with these weights."""
        return Checkers(weights)

    def start(self) -> Turn:
        """Return the first state: twelve men each."""
        return Turn(self, self.program.StartState, "red")

    def legal(self, state: CplState) -> dict[Path, list[Logical]]:
        """Return the moves in the order of `actions`."""
        return dict(sorted((from_move(move), move) for move in self.program.Moves(state[0])))

    def steps(self, turn: Turn) -> Steps:
        """Use the inner functions of an optimised module, in which bit strings are whole numbers."""
        rules, (own, other, kings, mover) = self.program, turn.state[0]
        if not hasattr(rules, "_Moves"):
            return super().steps(turn)
        bits = {square: 1 << at for at, square in SQUARES.items()}
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
        scale = _HEAVY / max([1e-6, *map(abs, weights)])
        whole_weights = [round(weight * scale) for weight in weights]
        looked_at, best = self.searching().BestLinesBy(state, depth, lines, nodes, order, key, seen, whole_weights)
        return looked_at, [(value if abs(value) > WON / 2 else value / scale, *rest) for value, *rest in best]

    def _all_weights(self) -> list[float]:
        """Return a weight for each feature, as the program takes them."""
        return [self.weights.get(name, 0) for name in weights()]


def _checked(wanted: Mapping[str, float]) -> dict[str, float]:
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


CHECKERS: Final = Checkers()
