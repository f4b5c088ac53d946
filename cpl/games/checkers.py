"""Checkers as seeds 001 and 003 describe it: states and actions, players, games, PDN. The rules and the search are in
`programs/checkers.cpl`; docs/descriptions.md says what the seeds leave open and what was chosen.

```pycon
>>> from cpl.games import checkers
>>> checkers.actions(checkers.start(), "red")[0]
[(2, 1), (3, 0)]
```

A state is a board of eight rows, and a player "red" or "black". Red is the Black of the books: he moves first, and down
from squares 1 to 12. What callers give is checked, and never changed; what they get is new.
"""

import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random as Generator
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias

from cplrt import Logical

from cpl.draughts import fen
from cpl.draughts.board import DARK, NUMBERS, SIZE, Board
from cpl.draughts.board import Square as Tile
from cpl.draughts.fen import BadFen
from cpl.draughts.moves import OFFICIAL, Path
from cpl.draughts.position import SQUARES, Position
from cpl.games import pdn
from cpl.games.checks import grid, whole
from cpl.games.game import BadMove, Draughts, End, Turn, program
from cpl.games.pdn import BadPdn
from cpl.games.play import LiveGame

__all__ = [
    "Action",
    "AlphaBeta",
    "BadFen",
    "BadMove",
    "BadPdn",
    "Chooser",
    "Game",
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

Action: TypeAlias = list[Tile]
"""All the tiles that a piece goes over in one turn, two or more: where it stood, where it jumped to, where it stays."""

EMPTY, RED_MAN, RED_KING, BLACK_MAN, BLACK_KING = range(5)
"""What a tile holds. (The seed calls 4 a red king, as it does 2: a slip.)"""

HEAVIEST: Final = 1000
"""The largest weight of a feature, so that no score comes near a win."""

PROGRAM: Final = "checkers.cpl"
_SIGN: Final[dict[Player, int]] = {"red": 1, "black": -1}
_MAN: Final[dict[Player, int]] = {"red": RED_MAN, "black": BLACK_MAN}
_NUMBER: Final = {tile: number for number, tile in SQUARES.items()}
_CROWNED: Final = {RED_MAN: SIZE - 1, BLACK_MAN: 0}
"""The row on which a man becomes a king."""
_LETTERS: Final = " rRbB"


class State(list[list[int]]):
    """A board, eight rows of eight tiles, and beside it what the 50-move rule counts.

    A plain list of rows is a state too, of a game in which nothing has been counted yet. `since_capture` and
    `since_advance` are the moves of either player since a piece was taken, and since a man moved: a man can only
    advance. Seed 001 has the board alone, and seed 003 the rule alone, without a place to count; this is one. States
    are compared as boards, whatever they count. Like a board they can be changed, and nothing here changes them.

    Made from another state it is a copy with the same counts, unless others are given. Raises TypeError or ValueError
    if the rows are no board: pieces stand on dark tiles, and no man on the row where he would have been crowned.
    """

    def __init__(
        self, rows: Sequence[Sequence[int]], *, since_capture: int | None = None, since_advance: int | None = None
    ) -> None:
        super().__init__(_checked_rows(rows))
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

        Raises ValueError for what is no action.
        """
        path = [] if last is None else to_action(to_move(last))
        return Board(
            {(row, column): _LETTERS[self[row][column]] for row, column in DARK if self[row][column]},
            NUMBERS,
            marked=[*path[:1], *path[-1:]],
            arrows=[path] if path else [],
            flipped=flipped,
        )


def _checked_rows(given: object) -> list[list[int]]:
    rows = grid(given, "state", "tile", range(EMPTY, BLACK_KING + 1), "a number from 0 to 4")
    for row, tiles in enumerate(rows):
        for column, piece in enumerate(tiles):
            if piece and (row, column) not in _NUMBER:
                raise ValueError(f"a piece stands on ({row}, {column}): checkers is played on the dark tiles")
            if _CROWNED.get(piece) == row:
                raise ValueError(f"a man stands on ({row}, {column}), where he would have been made a king")
    return rows


def _checked_player(player: str) -> Player:
    if player not in _SIGN:
        raise ValueError(f'a player is "red" or "black"; this is {player!r}')
    return player


def other(player: Player) -> Player:
    """The opponent."""
    return "black" if player == "red" else "red"


# Between Python and CPL


def to_cpl(state: Any, player: str) -> tuple[Position, int, int]:
    """The state of the program, ((X, Y, K, σ), c, a), `player` being to move. Raises TypeError or ValueError if this is
    no state, or no player.
    """
    state, player = State(state), _checked_player(player)
    squares: list[list[int]] = [[] for _ in range(BLACK_KING + 1)]
    for (row, column), number in _NUMBER.items():
        squares[state[row][column]].append(number)
    red, black = Logical(squares[RED_MAN] + squares[RED_KING]), Logical(squares[BLACK_MAN] + squares[BLACK_KING])
    kings = Logical(squares[RED_KING] + squares[BLACK_KING])
    own, opposing = (red, black) if player == "red" else (black, red)
    return (own, opposing, kings, _SIGN[player]), state.since_capture, state.since_advance


def from_cpl(value: tuple[Position, int, int]) -> tuple[State, Player]:
    """The inverse: the state, and whose move it is."""
    (own, opposing, kings, sign), since_capture, since_advance = value
    player: Player = "red" if sign == _SIGN["red"] else "black"
    rows = [[EMPTY] * SIZE for _ in range(SIZE)]
    for pieces, owner in ((own, player), (opposing, other(player))):
        for number in pieces:
            row, column = SQUARES[number]
            rows[row][column] = _MAN[owner] + (number in kings)
    return State(rows, since_capture=since_capture, since_advance=since_advance), player


def to_move(action: Any) -> list[Logical]:
    """An action as the program has it. Raises ValueError for what is neither a step to an adjacent tile nor jumps."""
    try:
        tiles = [(row, column) for row, column in action]
        move = [Logical([_NUMBER[tile]]) for tile in tiles]
    except (TypeError, ValueError, KeyError):
        tiles, move = [], []
    ways = {(abs(row - last), abs(column - place)) for (last, place), (row, column) in pairwise(tiles)}
    if ways != {(2, 2)} and (ways, len(tiles)) != ({(1, 1)}, 2):
        raise ValueError(
            f"an action is a list of dark tiles (row, column), a step to an adjacent one or jumps over one; "
            f"this is {reprlib.repr(action)}"
        )
    return move


def to_action(move: Sequence[Logical]) -> Action:
    """The inverse."""
    return [SQUARES[number] for square in move for number in square]


# The rules


def start() -> State:
    """The state in which a game begins; red moves first.

    The seed leaves it empty. It is that of English draughts: twelve men each, on the dark tiles of three rows.
    """
    return from_cpl(program(PROGRAM).StartState)[0]


def actions(state: Any, player: str) -> list[Action]:
    """What a player may do: if he can capture, all ways to capture, whole; else his steps to an adjacent tile.

    The order is the seed's: piece by piece from the upper left, north-west, north-east, south-west, south-east, and so
    on within a capture. The seed asks all four directions of every piece; here a man goes and captures forward only, as
    seed 003 has it. The tile that a capturing piece has left is empty for the rest of its turn, and a piece that it has
    taken is gone. A man who reaches the farthest row by a capture stops there. Whether the game is over is not asked:
    see `is_end`.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    return sorted(to_action(move) for move in program(PROGRAM).Moves(to_cpl(state, player)[0]))


def successor(state: Any, action: Any) -> State:
    """The state after an action of whoever's piece stands on its first tile.

    Beyond the seed: a man who reaches the farthest row becomes a king, and the counts of the 50-move rule go on. The
    seed tells a step from a capture by its length and by how far apart its tiles are; so does this.

    Raises ValueError if the rules do not allow the action, TypeError or ValueError if this is no state.
    """
    before, move = State(state), to_move(action)
    row, column = to_action(move)[0]
    piece = before[row][column]
    if piece == EMPTY:
        raise ValueError(f"no piece stands on ({row}, {column})")
    player = "red" if piece in (RED_MAN, RED_KING) else "black"
    value = to_cpl(before, player)
    legal = program(PROGRAM).Moves(value[0])
    if move not in legal:
        ways = "he must capture" if legal and program(PROGRAM).MustMoves(value[0]) else "this is none of his actions"
        raise ValueError(f"{player} cannot go {to_action(move)}: {ways if legal else 'he has no move'}")
    return from_cpl(program(PROGRAM).Play(value, move))[0]


def is_end(state: Any, player: str) -> bool:
    """Whether the game is over when it is this player's turn.

    It is if he has no action (seed 003: the other has made the last move), if either player has no piece left (seed
    001, which asks for no red or no black pieces), or if it is drawn by the 50-move rule (seed 003): neither player
    has advanced a man, or none has taken a piece, during the last 50 moves of each. Raises as `actions`.
    """
    return bool(program(PROGRAM).IsEnd(to_cpl(state, player)))


def utility(state: Any, player: str, us: str | None = None) -> float:
    """What the end is worth to us: infinity if we have won, 0 for a draw, minus infinity if they have.

    `player` is whose turn it is, as for `is_end`; `us`, who asks, is the same player by default. A win comes before a
    draw: who has no action has lost, however long nothing happened. Seed 001 says "−−" where the opponent wins: minus
    infinity.

    Raises ValueError if the game is not over, else as `actions`.
    """
    value, asks = to_cpl(state, player), _checked_player(player if us is None else us)
    if not program(PROGRAM).IsEnd(value):
        raise ValueError("the game is not over: it has no utility yet")
    return float(program(PROGRAM).Utility(value)) * (1 if asks == player else -1) + 0.0


def features(state: Any, player: str) -> dict[str, int]:
    """What the step-choosing strategies of seed 003 say of a state, each for the pieces of this player.

    The seed chooses steps, and gives the strategies neither an order nor weights. Here each counts something in the
    position that a step leads to, the greater the better for this player, whoever is to move: `CaptureStep`,
    `Confinement`, `MultipleCapture`, `BlockedLanes`, `OneSidedCapture`, `Contact`, `Recapture` and `SafeRunners`, in
    the order of the seed. It counts no pieces, so `Pieces` and `Kings` are ours. What was chosen where its words leave
    it open, docs/descriptions.md says in a table. Raises as `actions`.
    """
    position, _, _ = to_cpl(state, player)
    return {feature.__name__: feature(position) for feature in program(PROGRAM).Features}


def weights() -> dict[str, int]:
    """What a unit of each feature is worth, a man more being worth 100. The seed has no weights: these are ours."""
    rules = program(PROGRAM)
    return {feature.__name__: weight for feature, weight in zip(rules.Features, rules.Weights, strict=True)}


# Positions and moves as draughts players write them


def to_fen(state: Any, player: str) -> str:
    """Whose move it is, and the pieces: `B:W21,K30:B1,K2`. The counts of the 50-move rule are not in it.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    return fen.to_fen(to_cpl(state, player)[0])


def from_fen(text: str) -> tuple[State, Player]:
    """The state of a FEN, in which nothing is counted yet, and whose move it is. Raises BadFen, a ValueError.

    One side may have no pieces. Ranges, small letters and blanks are read, too.
    """
    return from_cpl((fen.from_fen(text), 0, 0))


def action_text(action: Any) -> str:
    """An action with every square that it touches: `11-15`, `15x22x31`. Raises ValueError for what is none."""
    return OFFICIAL.text(to_action(to_move(action)))


def read_action(state: Any, player: str, text: str) -> Action:
    """The one of `actions(state, player)` that a text means. Raises BadMove, which says why it can mean none.

    Captures may be written short, `15x31`, where just one action has these ends.
    """
    return [*CHECKERS.read(Turn(CHECKERS, State(state), player), text)]


# Players


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
class _Searching:
    """What `MiniMax` and `AlphaBeta` have in common."""

    depth: int
    weights: Mapping[str, float] = field(default_factory=weights)
    search: ClassVar[str]

    def __post_init__(self) -> None:
        if whole(self.depth, "the depth") < 1:
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
        search = getattr(program(PROGRAM), self.search)
        value, move = search(to_cpl(state, player), self.depth, [self.weights.get(name, 0) for name in weights()])
        return value, to_action(move)


class MiniMax(_Searching):
    """Takes the action that is best if the opponent does his best, looking `depth` plies ahead at every line of play.

    Both seeds ask for minimax, and say neither how far to look nor what a state is worth where one looks no further.
    Here `depth` is 1 or more, and the state is worth the sum of the features, the player's less his opponent's, each by
    its weight: `weights` are those of `checkers.weights()` or others, from -1000 to 1000; a feature without one is not
    looked at. Of equally good actions it is the first that the program finds.

    Raises TypeError or ValueError for a wrong depth or wrong weights.
    """

    search = "MiniMaxMove"


class AlphaBeta(_Searching):
    """Chooses the same action as `MiniMax`, sooner: lines of play that cannot change the choice are left out.

    Seed 003 asks for it and seed 001 thinks of it ("possibly"); all else is as for `MiniMax`.
    """

    search = "AlphaBetaMove"


def _refuse_end(state: Any, player: str) -> None:
    if is_end(state, player):
        raise ValueError("the game is over: there is nothing to choose")


# Games


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: the tags, the state and the player that it starts with, the actions, and the result as PDN writes it.

    Result, GameType, SetUp and FEN are not among the tags: the other fields have them.
    """

    tags: dict[str, str] = field(default_factory=dict)
    state: State = field(default_factory=start)
    player: Player = "red"
    actions: list[Action] = field(default_factory=list)
    result: str = pdn.UNFINISHED

    @property
    def winner(self) -> Player | None:
        """Who has won, as the result says it; None for no one, or if it does not say."""
        side = pdn.WINNERS.get(self.result)
        return None if side is None else CHECKERS.sides[side]


def play(red: Chooser, black: Chooser, state: Any = None, player: str = "red") -> Game:
    """A game between two players, from the start or from any state, until it is over, with its result.

    The 50-move rule sees to it that it ends. Each player is handed a state of his own. Raises ValueError if one chooses
    what is no action of his.
    """
    first = Turn(CHECKERS, start() if state is None else State(state), _checked_player(player))
    game = LiveGame(CHECKERS, {"red": _Checked(red), "black": _Checked(black)}, first=first)
    _, end = game.finish()
    result = pdn.result_of(CHECKERS, end)
    return Game(state=first.state, player=_checked_player(player), actions=game.played, result=result)


@dataclass(frozen=True)
class _Checked:
    """A chooser as a player of `cpl.games.players`, whose choices are checked."""

    chooser: Chooser

    def choose(self, game: Any, turn: Turn) -> Action:
        action = to_action(to_move(self.chooser.choose(turn.state.copy(), turn.side)))
        if action not in game.moves(turn):
            raise ValueError(f"{turn.side} chose {reprlib.repr(action)}, which is no action of his")
        return action


def read_pdn(text: str) -> list[Game]:
    """The games of a file. Raises BadPdn for what cannot be read; `cpl.games.pdn.read` says what can."""
    return [*iter_pdn(text)]


def iter_pdn(text: str) -> Iterator[Game]:
    """The games of a file one after the other, as they are read. Raises BadPdn when it comes to what cannot be read."""
    for found in pdn.read(CHECKERS, text):
        state, player = found.first.state, _checked_player(found.first.side)
        yield Game(tags={**found.tags}, state=state, player=player, actions=[*found.moves], result=found.result)


def write_pdn(games: Iterable[Game]) -> str:
    """A file of these games: whole paths of captures, a blank line between games.

    Tags begin with Event, Site, Date, Round, Black, White, as far as a game has them, then Result, GameType and, unless
    it begins at the start, SetUp and FEN; others follow. What states count for the 50-move rule has no place in a file.

    Raises BadPdn for tags that no file can have, ValueError or TypeError for states and actions that are none. Whether
    the actions are legal is not asked.
    """
    return "\n".join(
        pdn.written(
            CHECKERS, game.tags, map(action_text, game.actions), game.result, Turn(CHECKERS, game.state, game.player)
        )
        for game in games
    )


class Checkers(Draughts):
    """English draughts with the 50-move rule. Red begins; he is the Black of the books."""

    name = "checkers"
    title = "Checkers, by the official rules"
    sides: tuple[Player, Player] = ("red", "black")
    game_type = "21"
    most_plies = None  # the 50-move rule

    def start(self) -> Turn:
        """Twelve men each."""
        return Turn(self, start(), "red")

    def moves(self, state: Turn) -> list[Action]:
        """The actions of the side whose turn it is."""
        return actions(state.state, state.side)

    def play(self, state: Turn, move: Action) -> Turn:
        """The state after one of them."""
        return Turn(self, successor(state.state, move), self.other(state.side))

    def end(self, state: Turn) -> End | None:
        """By a side that cannot move, or by the 50-move rule."""
        if not is_end(state.state, state.side):
            return None
        worth = utility(state.state, state.side)
        if worth == 0:
            return End(None, "50 moves of each without a capture or without a man's advance")
        return self.blocked(state.side if worth < 0 else self.other(state.side))

    def search(self, state: Turn, kind: str, depth: int) -> Action:
        """As `MiniMax` and `AlphaBeta`."""
        return {"minimax": MiniMax, "alphabeta": AlphaBeta}[kind](depth).choose(state.state, state.side)

    def path(self, state: Turn, move: Action) -> Path:
        """The tiles of an action."""
        return tuple(move)

    def board(self, state: Turn, move: Any = None) -> Board:
        """With the official numbers."""
        return State.picture(state.state, move)

    def to_fen(self, state: Turn) -> str:
        """Without the counts of the 50-move rule."""
        return to_fen(state.state, state.side)

    def from_fen(self, text: str) -> Turn:
        """Nothing is counted yet."""
        return Turn(self, *from_fen(text))


CHECKERS: Final = Checkers()
