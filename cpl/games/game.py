"""What a game is to those who play it, show it and keep score: its rules, for one state at a time.

The rules themselves are compiled CPL programs. A move is the path of squares that a piece goes over in one turn; no two
moves of a state have the same path. `cpl.games.playable` finds the games by name.

`Game.read` reads what people type, and `Game.why_illegal` explains why a move is illegal: each game says how its pieces
move, and what its players must do. `whole` and `grid` check what callers give to the games.
"""

import reprlib
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

from cplrt.native import runs_in_c

from cpl import outside
from cpl.compiler.source import Source
from cpl.games.board import Board
from cpl.games.moves import OFFICIAL, BadMove, Notation, Path, is_capture, shortens
from cpl.games.position import NUMBERS, SIZE, SQUARES, BadFen, Position, Square, from_fen, pieces, to_fen
from cpl.games.sides import missing

__all__ = ["HEAVIEST", "SEARCHES", "BadMove", "Draughts", "End", "Game", "Path", "Turn", "moved", "program", "use"]

SEARCHES: Final = {"minimax": "MiniMaxMove", "alphabeta": "AlphaBetaMove"}
"""The kinds of search, and the functions of the programs that do them."""

BEST_LINES: Final = "BestLines"
"""The function of the programs that looks deeper and deeper."""

HEAVIEST: Final = 1000
"""The largest weight of a feature, so that no score comes near a win."""

Speed: TypeAlias = Literal["plain", "optimised", "native", "fastest"]
"""How a program runs: as readable Python ("plain"), optimised Python, or C ("native"), with the same results.

"fastest" chooses for each use. A search does all its work in one call: it runs as C, if there is a C compiler. Rules
are called often, and each call into C converts its arguments: they run as optimised Python.
"""

Found: TypeAlias = tuple[int, list[tuple[float, int, list[Any]]]]
"""What a search of one depth has found: the number of positions that it looked at, and the best lines of play.

A line is its value, the number of its first move in the program's list of moves, and its moves.
"""

WON: Final = 1_000_000
"""The value of a won position. A win that is n plies ahead is worth n less."""

Loaded = TypeVar("Loaded")

_speed: Speed = "fastest"


def use(speed: Speed) -> None:
    """Choose how the programs of games run from now on; before the first call it is "fastest"."""
    global _speed
    _speed = speed


def program(name: str, definitions: str = "", *, in_one_call: bool = False) -> Any:
    """A packaged program as a module, compiled on first use. `definitions`, in CPL, take the place of its companions'.
    With `in_one_call` the fastest way is C, not optimised Python: this is for functions that work long.

    Raises CannotBuild, of `cpl.compiler.c.toolchain`, if native modules are wanted and cannot be built.
    """
    if _speed == "fastest" and not in_one_call:
        return _compiled(name, definitions, "optimised")
    return _compiled(name, definitions, _speed)


@cache
def _compiled(name: str, definitions: str, speed: Speed) -> Any:
    """Load a packaged program with these definitions, once for each speed."""
    from cpl.compiler import pipeline

    libraries = [Source("definitions", definitions)] if definitions else ()
    path = outside.packaged("programs") / name

    def load(speed: Speed) -> Any:
        return pipeline.load(path, optimise=speed == "optimised", native=speed == "native", libraries=libraries)

    return at_speed(speed, load)


def at_speed(speed: Speed, load: Callable[[Speed], Loaded]) -> Loaded:
    """Load something at a speed. The fastest is C, or optimised Python if there is no C compiler. If the compiler
    fails, a warning says so, and optimised Python is loaded.
    """
    from cpl.compiler.c.toolchain import CannotBuild, compiler

    if speed != "fastest":
        return load(speed)
    try:
        if compiler():
            return load("native")
    except CannotBuild as error:
        warnings.warn(f"{error}; optimised Python is run instead of C", stacklevel=2)
    return load("optimised")


@dataclass(frozen=True)
class End:
    """The end of a game: the side that won, None for a draw, and why, in a few words."""

    winner: str | None
    why: str


@dataclass(frozen=True)
class Turn:
    """A state of a game, as its program has it, and the side whose turn it is. Notebooks show its board.

    Raises ValueError if the game has no side of that name, or, in draughts, if it is the other side's turn.
    """

    game: "Game" = field(repr=False, compare=False)
    state: Any
    side: str
    before: "Turn | None" = field(default=None, repr=False, compare=False)
    """The state before the last move, if it is known: to a search, a state that comes again is a draw."""

    def __post_init__(self) -> None:
        self.game.check_side(self.state, self.side)

    @cached_property
    def legal(self) -> Mapping[Path, Any]:
        """The legal moves: the path of each, and what the program has for it."""
        return self.game.legal(self.state)

    def path_of(self, move: Any) -> Path:
        """Return the path of a legal move, as the program has it."""
        return next(path for path, legal in self.legal.items() if legal == move)

    @cached_property
    def pieces(self) -> Mapping[Square, str]:
        """The pieces by their squares, as on its board."""
        return self.game.picture(self.state).pieces

    @cached_property
    def progress(self) -> object:
        """A value that changes only when a piece is captured or a man advances, neither of which can be taken back: the
        rows of the men, and the number of pieces.
        """
        rows_of_men = sorted((row, piece) for (row, _), piece in self.pieces.items() if piece.islower())
        return rows_of_men, len(self.pieces)

    def _repr_svg_(self) -> str:
        return self.game.board(self).svg()


@dataclass(frozen=True)
class Steps:
    """The states and moves of a game in a form that is quick to play.

    A move is all squares that it goes over, in a form of the game's own. Where a path can mean several moves, states
    are hashable.
    """

    start: Any
    squares: Mapping[Any, Any]
    """The squares, and the form that each has in moves."""
    legal: Callable[[Any], Iterable[Sequence[Any]]]
    """The moves of a state."""
    play: Callable[[Any, Any], Any]
    """The state after a move."""


class Game(ABC):
    """A game of two sides who move in turn, the first side first."""

    name: str
    title: str
    source: str
    """The file of its program."""
    search_source = ""
    """The file of the program with the searches, if it is another one."""
    sides: tuple[str, str]
    tags: tuple[str, str] = ("First", "Second")
    """The tags of PDN that name the players: that of the side that begins, and the other."""
    game_type: str | None = None
    """The number by which PDN knows the game, if it does."""
    notation: Notation
    man: float = 100
    """What one man more adds to the value that a search gives a state."""

    @property
    def program(self) -> Any:
        """The compiled program."""
        return program(self.source)

    @property
    def weights(self) -> Mapping[str, float]:
        """What a unit of each feature is worth to the searches, in the order of the features; empty if nobody can
        choose that.
        """
        return {}

    def weighted(self, weights: Mapping[str, float]) -> "Game":
        """The same game, whose searches evaluate positions with these weights. Features without one count nothing."""
        raise NotImplementedError(f"nobody can choose the weights of {self.name}")

    @abstractmethod
    def start(self) -> Turn:
        """The state in which a game begins."""

    @cached_property
    def below(self) -> str:
        """The side whose pieces begin in the lower half of the board, unless it is flipped."""
        start = self.start()
        rows = [row for row, _ in (path[0] for path in start.legal)]
        is_below = min(rows) >= self.board(start).size / 2
        return start.side if is_below else self.other(start.side)

    def is_turned_for(self, people: Collection[str]) -> bool:
        """Tell whether the board is flipped for the sides that people play: one's own pieces stand below. Two people,
        or none, see it from the side that moves first.
        """
        near = self.sides[0] if len(people) != 1 else next(iter(people))
        return near != self.below

    @abstractmethod
    def legal(self, state: Any) -> Mapping[Path, Any]:
        """The moves of the side whose turn it is: the path of each, and what the program has for it."""

    def end(self, turn: Turn) -> End | None:
        """Return the end of the game, None if it goes on. Unless a game has other rules, who cannot move has lost."""
        return None if turn.legal else self.blocked(turn.side)

    def best(self, state: Any, kind: str, depth: int) -> tuple[float, Any]:
        """Return what the search "minimax" or "alphabeta" finds so many plies deep: the value for the side to move, and
        the best move as the program has it.
        """
        search = getattr(self.searching(), SEARCHES[kind])
        return cast("tuple[float, Any]", search(state, depth))

    def deeper(
        self, state: Any, depth: int, lines: int, nodes: int, order: list[int], key: int, seen: list[int]
    ) -> Found:
        """Search `depth` plies deep for the best `lines` of play, through at most so many `nodes`. Fewer lines are
        found if the search ends early. `Deeper` in `programs/library/search.cpl` does it.

        `order` is the order in which moves are tried, by their numbers in the program's list. `key` is that of the
        transposition table, and `seen` are the marks of those states before this one that can come again.
        """
        limits, past = (depth, lines, nodes), (key, order, seen)
        return cast(Found, getattr(self.searching(), BEST_LINES)(state, limits, past))

    def mark(self, state: Any) -> int:
        """The number that stands for a state in a search: its key in the transposition table."""
        return int(self.searching().Mark(state))

    def searching(self) -> Any:
        """The program with the searches."""
        return program(self.search_source or self.source, in_one_call=True)

    def searches_in_c(self) -> dict[str, bool]:
        """Tell of each function that searches whether it runs in C. Raises CannotBuild, as `program` does."""
        searching = self.searching()
        names = (*SEARCHES.values(), BEST_LINES)
        return {name: runs_in_c(getattr(searching, name)) for name in names}

    @abstractmethod
    def picture(self, state: Any) -> Board:
        """The board of a state."""

    @abstractmethod
    def how_it_moves(self, turn: Turn, path: Path) -> str:
        """Return how the piece on the first square of a path may go, if that is why it cannot go along the path; else
        an empty text.
        """

    def duty(self, turn: Turn, path: Path) -> str:
        """Return what the side whose turn it is must do instead; an empty text if it may choose."""
        return ""

    def play(self, turn: Turn, move: Path) -> Turn:
        """The state after one of the moves."""
        return Turn(self, self.program.Play(turn.state, turn.legal[move]), self.other(turn.side))

    def steps(self, turn: Turn) -> Steps:
        """Return how the game goes on from a state, for those who replay many games."""
        return Steps(turn, {square: square for square in self.notation.squares}, lambda turn: turn.legal, self.play)

    def search(self, turn: Turn, kind: str, depth: int) -> Path:
        """The best move that a search of this kind finds, looking so many plies ahead."""
        _, best = self.best(turn.state, kind, depth)
        return turn.path_of(best)

    def board(self, turn: Turn, move: Path = ()) -> Board:
        """The board of a state, with an arrow for the move that led to it."""
        return replace(self.picture(turn.state), marked=move[:1] + move[-1:], arrows=[move])

    def text(self, move: Path) -> str:
        """A move as people write it, without blanks."""
        return self.notation.text(move)

    def read(self, turn: Turn, text: str) -> Path:
        """The move that a text means. Raises BadMove, with the reason, if it means none or several.

        Squares between the first and the last may be left out, as in `15x31`, if only one move is possible then.
        """
        path = self.notation.path(text)
        if path in turn.legal:
            return path
        matching = [move for move in turn.legal if shortens(path, move)]
        if len(matching) == 1:
            return matching[0]
        quoted = reprlib.repr(text.strip())
        if matching:
            options = self.notation.listed(sorted(matching))
            raise BadMove(f"{quoted} can be {options}: say which, with the squares between")
        raise BadMove(f"{quoted} cannot be played: {self.why_illegal(turn, path)}")

    def why_illegal(self, turn: Turn, path: Path) -> str:
        """Return the first reason, as a teacher would say it, why the side whose turn it is cannot play this path."""
        begin, *_, end = path
        name_of_begin = self.notation.squares[begin]
        if begin not in turn.pieces:
            return f"there is no piece on {name_of_begin}"
        if turn.pieces[begin].lower() != turn.side[0]:  # a piece is the first letter of its side, a king's is a capital
            return f"the piece on {name_of_begin} is not {turn.side}'s, whose move it is"
        duty = self.duty(turn, path)
        if duty:
            return duty
        if end in turn.pieces and end != begin:
            return f"there is a piece on {self.notation.squares[end]}"
        here = sorted(move for move in turn.legal if move[0] == begin)
        possible = f"can go {self.notation.listed(here)}" if here else "cannot move now"
        how = self.how_it_moves(turn, path)
        return f"{how}; it {possible}" if how else f"the piece on {name_of_begin} {possible}"

    def to_fen(self, turn: Turn) -> str:
        """The state as FEN; empty if the game has none."""
        return ""

    def from_fen(self, text: str) -> Turn:
        """The state of a FEN. Raises BadFen if it is wrong, or the game has none."""
        raise BadFen("positions are read in checkers and strachey only")

    def check_side(self, state: Any, side: str) -> None:
        """Raise ValueError if a side is none of this game, or if the state says that it is not its turn."""
        if side not in self.sides:
            raise ValueError(missing(self.name, self.sides, side))

    def other(self, side: str) -> str:
        """The opponent."""
        return self.sides[1 - self.sides.index(side)]

    def blocked(self, side: str) -> End:
        """The end where this side cannot move, and so has lost."""
        return End(self.other(side), f"{side} cannot move")


class Draughts(Game):
    """What the games of draughts have in common: squares 1 to 32, and captures that must be made."""

    tags = ("Black", "White")
    game_type = "21"
    notation = OFFICIAL

    def position(self, state: Any) -> Position:
        """Return the position in a state. It is the state itself, unless the game counts something, too."""
        return cast(Position, state)

    def state(self, position: Position) -> Any:
        """Return the state of a position of which nothing else is known."""
        return position

    def turn(self, state: Any) -> Turn:
        """Return a state with the side whose turn it is, as the position says it."""
        first, second = self.sides
        return Turn(self, state, first if self.position(state)[3] == 1 else second)

    def check_side(self, state: Any, side: str) -> None:
        """Check also that it is the side whose turn it is: in cplc 2.0 "black" was the name of the other one."""
        super().check_side(state, side)
        first, second = self.sides
        is_first = self.position(state)[3] == 1
        if is_first is not (side == first):
            raise ValueError(f"it is the turn of {first if is_first else second} in this state, and not of {side}")

    def to_fen(self, turn: Turn) -> str:
        """Return the side to move and the pieces as FEN; empty for a position with a piece beside the board."""
        position = self.position(turn.state)
        own, other, _, _ = position
        are_on_board = {*(own | other)} <= SQUARES.keys()
        return to_fen(position) if are_on_board else ""

    def from_fen(self, text: str) -> Turn:
        """The state of a FEN. Raises BadFen."""
        return self.turn(self.state(from_fen(text)))

    def picture(self, state: Any) -> Board:
        """Return the board with the official numbers, as moves have them."""
        first, second = self.sides
        letters = first[0] + second[0]
        return Board(pieces(self.position(state), letters), NUMBERS)

    def duty(self, turn: Turn, path: Path) -> str:
        """Return the duty to capture, or to go on with a capture."""
        if not turn.legal:
            return f"{turn.side} has no move left"
        here = sorted(move for move in turn.legal if move[0] == path[0])
        longer = [move for move in here if move[: len(path)] == path]
        if longer:
            return f"the capture goes on, {self.notation.listed(longer)}"
        must_capture = any(map(is_capture, turn.legal))
        # A piece that can capture, and tries another capture, obeys the rule: it has other reasons to be refused.
        if must_capture and not (here and is_capture(path)):
            return f"a capture must be made, {self.notation.listed(sorted(turn.legal))}"
        return ""

    def how_it_moves(self, turn: Turn, path: Path) -> str:
        """Return the rule that a man goes forwards only, if the path breaks it."""
        (row, _), (to_row, _) = path[:2]
        is_backwards = to_row < row if turn.side == self.sides[0] else to_row > row
        is_man = turn.pieces[path[0]].islower()
        return "a man goes forwards only" if is_man and is_backwards else ""


def moved(before: Mapping[Square, str], after: Mapping[Square, str]) -> tuple[Square, Square]:
    """The squares that the moved piece left and reached, from the pieces before and after. It stays what it is: this is
    for games without kings.
    """
    ((reached, piece),) = after.items() - before.items()
    # A captured piece has left its square, too, but it is the opponent's.
    (left,) = (square for square, other in before.items() if other == piece and square not in after)
    return left, reached


# What callers give to the games


def whole(value: object, name: str, least: int | None = None) -> int:
    """Return a whole number. Raises TypeError for anything else, also for a bool; ValueError if it is too small."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}")
    if least is not None and value < least:
        raise ValueError(f"{name} is {least} or more, not {value}")
    return value


def grid(rows: object, name: str, part: str, values: frozenset[int], expected: str) -> list[list[int]]:
    """Return a copy of eight rows of eight whole numbers, each one of `values`. Raises TypeError or ValueError for
    anything else. Messages name the whole `name` and one square of it `part`, and call the values `expected`.
    """
    copy = []
    for number, row in enumerate(_eight(rows, "row", f"a {name}")):
        copy.append(_eight(row, part, f"row {number} of the {name}"))
    for number, row in enumerate(copy):
        for column, value in enumerate(row):
            place = f"the {part} in row {number}, column {column}"
            if whole(value, place) not in values:
                raise ValueError(f"{place} is {expected}, not {value}")
    return copy


def _eight(parts: object, part: str, place: str) -> list[Any]:
    """Return a copy of a list of eight parts. Raises TypeError or ValueError; messages call the list `place`."""
    if not isinstance(parts, Sequence) or isinstance(parts, str | bytes | bytearray):
        raise TypeError(f"{place} is a list of {SIZE} {part}s, not {type(parts).__name__}")
    if len(parts) != SIZE:
        raise ValueError(f"{place} has {SIZE} {part}s, not {len(parts)}")
    return [*parts]
