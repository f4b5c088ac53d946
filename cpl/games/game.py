"""What a game is to those who play it, show it and keep score: its rules, asked about one state at a time.

The games are compiled CPL programs; `cpl.games.playable` finds them by name. States and moves are values that only
their own game understands, and that nobody changes.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import isqrt
from typing import Any

from cpl import packaged
from cpl.draughts.board import Board, Square
from cpl.draughts.fen import BadFen
from cpl.draughts.moves import OFFICIAL, BadMove, Notation, Path, is_capture

__all__ = ["BadMove", "Draughts", "End", "Game", "OneStep", "Turn", "moved", "program"]


@cache
def program(name: str, copy: object = None) -> Any:
    """A packaged program as a module, compiled when it is first asked for; each `copy` has variables of its own."""
    from cpl import compiler

    return compiler.load(packaged.folder("programs") / name)


@dataclass(frozen=True)
class End:
    """How a game ended: the side that won, None for a draw, and why, in a few words."""

    winner: str | None
    why: str


@dataclass(frozen=True)
class Turn:
    """A state of a game, as its program has it, and the side whose turn it is. Notebooks show its board."""

    game: "Game" = field(repr=False, compare=False)
    state: Any
    side: str

    def _repr_svg_(self) -> str:
        return self.game.board(self).svg()


class Game(ABC):
    """A game of two sides who move in turn, the first side first."""

    name: str
    title: str
    sides: tuple[str, str]
    tags: tuple[str, str] = ("First", "Second")
    """The tags of PDN that name the players: that of the side that begins, and the other."""
    most_plies: int | None = 300
    """At how many plies a game that still goes on is called a draw: None if its own rules know a draw."""
    game_type: str | None = None
    """The number by which PDN knows the game, if it does."""
    notation: Notation

    @abstractmethod
    def start(self) -> Turn:
        """The state in which a game begins."""

    @abstractmethod
    def moves(self, state: Turn) -> Sequence[Any]:
        """The moves of the side whose turn it is; none only if it has none."""

    @abstractmethod
    def play(self, state: Turn, move: Any) -> Turn:
        """The state after one of the moves."""

    @abstractmethod
    def end(self, state: Turn) -> End | None:
        """How the game has ended, if it has."""

    @abstractmethod
    def search(self, state: Turn, kind: str, depth: int) -> Any:
        """The move that "minimax" or "alphabeta" finds best, looking so many plies ahead."""

    @abstractmethod
    def path(self, state: Turn, move: Any) -> Path:
        """The squares that a move goes over. No two moves of a state have the same."""

    @abstractmethod
    def board(self, state: Turn, move: Any = None) -> Board:
        """The state to look at, with the move that led to it."""

    @abstractmethod
    def rule(self, state: Turn, path: Path, legal: Collection[Path]) -> str:
        """Why a piece of the side whose turn it is cannot go this way, in a few words."""

    def text(self, state: Turn, move: Any) -> str:
        """A move as people write it, without blanks. No two moves of a state are written alike."""
        return self.notation.text(self.path(state, move))

    def read(self, state: Turn, text: str) -> Any:
        """The move that a text means. Raises BadMove, which says why it means none."""
        legal = {self.path(state, move): move for move in self.moves(state)}

        def why(path: Path) -> str:
            here, piece = self.notation.squares[path[0]], self.board(state).pieces.get(path[0])
            if piece is None:
                return f"there is no piece on {here}"
            if piece.lower() != state.side[0]:
                return f"the piece on {here} is not {state.side}'s, whose move it is"
            return self.rule(state, path, legal)

        return legal[self.notation.read(text, legal, why)]

    def to_fen(self, state: Turn) -> str:
        """The state as FEN; empty if the game has none."""
        return ""

    def from_fen(self, text: str) -> Turn:
        """The state of a FEN. Raises BadFen if it is wrong, or the game has none."""
        raise BadFen("it begins with a position of its own, which is read in checkers only")

    def other(self, side: str) -> str:
        """The opponent."""
        return self.sides[1 - self.sides.index(side)]

    def blocked(self, side: str) -> End:
        """The end where this side cannot move, and so has lost."""
        return End(self.other(side), f"{side} cannot move")


class Draughts(Game):
    """What the games of draughts have in common: squares 1 to 32, and captures that must be made."""

    tags = ("Black", "White")
    notation = OFFICIAL

    def rule(self, state: Turn, path: Path, legal: Collection[Path]) -> str:
        """The first thing that a teacher would say."""
        pieces, listed = self.board(state).pieces, self.notation.listed
        begin, end = path[0], path[-1]
        start = self.notation.squares[begin]
        here = sorted(each for each in legal if each[0] == begin)
        forwards = 1 if state.side == self.sides[0] else -1
        if not legal:
            return f"{state.side} has no move left"
        if longer := [each for each in here if each[: len(path)] == path]:
            return f"the capture goes on, {listed(longer)}"
        if any(map(is_capture, legal)) and not (here and is_capture(path)):
            return f"a capture must be made, {listed(sorted(legal))}"
        if end in pieces and end != begin:
            return f"there is a piece on {self.notation.squares[end]}"
        if pieces[begin].islower() and (path[1][0] - begin[0]) * forwards < 0:
            return f"the piece on {start} is a man, who goes forwards only"
        return f"the piece on {start} can go {listed(here)}" if here else f"the piece on {start} cannot move"


class OneStep(Game):
    """What the games have in common in which a piece goes from one square to another. Squares are as in chess."""

    @abstractmethod
    def law(self, state: Turn, path: Path) -> str:
        """How the piece on the first square of a path may go, if not this way."""

    def rule(self, state: Turn, path: Path, legal: Collection[Path]) -> str:
        """What is in the way, or how the piece may go, and where it can go now."""
        here, there = (self.notation.squares[square] for square in path)
        if here == there:
            return f"the piece on {here} is there already"
        if path[1] in self.board(state).pieces:
            return f"there is a piece on {there}"
        ways = [each for each in legal if each[0] == path[0]]
        more = f"it can go {self.notation.listed(ways)}" if ways else f"the piece on {here} cannot move now"
        return f"{self.law(state, path)}; {more}"


def moved(before: Sequence[object], after: Sequence[object], empty: object) -> tuple[Square, Square]:
    """The squares that the moved piece left and reached, from the boards before and after, square by square."""
    size = isqrt(len(after))
    changed = [place for place, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    reached = next(place for place in changed if after[place] != empty)
    left = next(place for place in changed if before[place] == after[reached])
    return divmod(left, size), divmod(reached, size)
