"""A game in progress: its players, its moves, what a person may type for a move, and how it ends at the table.

Some games end that their own rules let go on: by repetition, without progress, or by adjudication. These are rules for
the table, the same for all games; we chose them. Progress is a capture, or an advance of a man or a pawn: neither can
be undone, so a position can only come again while there is none.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import takewhile
from math import inf
from typing import Final, NamedTuple

from cpl.compiler.wording import counted
from cpl.display import drawn, text_bundle
from cpl.games.analysis import Analysis, analyse
from cpl.games.game import BadMove, End, Game, Path, Turn
from cpl.games.moves import spaced
from cpl.games.players import Player, player
from cpl.games.sides import missing

HINT: Final = "alphabeta:3"
"""The player that gives hints."""

REPEATED: Final = 3
"""A position that comes so often is a draw."""
IDLE: Final = 2 * 50
"""So many plies without progress are a draw: 50 moves of each side."""
BEFORE_DRAW: Final = 40
"""The computer accepts no draw before so many plies."""
EVEN: Final = 50
"""The computer accepts no draw if it finds a side ahead by more than this. A man is worth 100."""
PLURALS: Final = {"man": "men"}
"""The plurals of kinds of pieces that do not just take an s."""


class NotNow(ValueError):
    """An action that a game does not allow now. The message is one line."""


class Adjudication(NamedTuple):
    """A side that is this many pieces ahead, or more, for so many plies has won. Men, kings and flags count alike."""

    lead: int
    plies: int


def table_end(states: Sequence[Turn], adjudication: Adjudication | None = None) -> End | None:
    """Return how a game ended at the table that went through these states, if it did."""
    now = states[-1]
    since_progress = [*takewhile(lambda turn: turn.progress == now.progress, reversed(states))]
    times = sum((turn.side, turn.pieces) == (now.side, now.pieces) for turn in since_progress)
    if times >= REPEATED:
        return End(None, "the same position for the third time")
    if len(since_progress) > IDLE:
        return End(None, "50 moves of each without progress")

    if adjudication and len(states) > adjudication.plies:
        lead, plies = adjudication
        leads = [_lead(turn) for turn in states[-plies - 1 :]]
        first, second = now.game.sides
        winner = None
        if min(leads) >= lead:
            winner = first
        elif max(leads) <= -lead:
            winner = second
        if winner:
            return End(winner, f"adjudicated: {winner} was {lead} or more pieces ahead for {plies} plies")
    return None


def _lead(turn: Turn) -> int:
    """Return by how many pieces the first side is ahead."""
    letters = [piece.lower() for piece in turn.pieces.values()]
    first, second = turn.game.sides
    return letters.count(first[0]) - letters.count(second[0])


class LiveGame:
    """A game with all its states, so that moves can be taken back.

    `seats` has a player for each side, None for a person. It begins with the state `first`, after which `moves` are
    played. After `plies` more it is a draw. Those that were taken back are `ahead`, in the order of the game.

    Raises ValueError if the game has no side of a name in `seats`.
    """

    _repr_html_ = drawn
    _repr_mimebundle_ = text_bundle

    def __init__(
        self,
        game: Game,
        seats: Mapping[str, Player | None],
        plies: int | None = None,
        first: Turn | None = None,
        moves: Iterable[Path] = (),
        adjudication: Adjudication | None = None,
    ) -> None:
        self.game = game
        for side in seats:
            if side not in game.sides:
                raise ValueError(missing(game.name, game.sides, side))
        self.seats = seats
        self.adjudication = adjudication
        self.states = [first or game.start()]
        self.played: list[Path] = []
        self.decision: End | None = None
        """The end that people have chosen: one gave up, or both agreed to a draw."""
        self.stepping = False
        """Whether a person steps through the game, so that no player moves."""
        self.ahead: list[Path] = []
        for move in moves:
            self.play(move)
        self._most = len(self.played) + (plies or inf)

    @property
    def state(self) -> Turn:
        """The state after the last move."""
        return self.states[-1]

    @property
    def side(self) -> str:
        """The side whose turn it is."""
        return self.state.side

    @property
    def player(self) -> Player | None:
        """The player of the side whose turn it is; None for a person, or while a person steps through the game."""
        return None if self.stepping else self.seats[self.side]

    @property
    def people(self) -> bool:
        """Whether a person plays, or steps through the game."""
        return self.stepping or None in self.seats.values()

    @property
    def end(self) -> End | None:
        """The end of the game, if it has ended: a person gave up, its rules say so, or it went on for too long."""
        end = self.decision or self.game.end(self.state) or table_end(self.states, self.adjudication)
        if end or len(self.played) < self._most:
            return end
        return End(None, f"{len(self.played)} plies were played")

    def moves(self) -> list[Path]:
        """Return what can be played; nothing after the end."""
        return [] if self.end else [*self.state.legal]

    def texts(self) -> list[str]:
        """Return what can be played as people write it, in the same order."""
        return [self.game.text(move) for move in self.moves()]

    def play(self, move: Path) -> str:
        """Play a legal move of the side whose turn it is. The result is its text."""
        self.stepping = False
        self.ahead = [move]
        self._go_on()
        return self.game.text(move)

    def _go_on(self) -> None:
        """Play the first move of those ahead."""
        move = self.ahead.pop(0)
        after = self.game.play(self.state, move)
        self.states.append(replace(after, before=self.state))
        self.played.append(move)

    def finish(self) -> End:
        """Let the players play to the end, and return it."""
        while (end := self.end) is None:
            assert self.player, "no person plays"
            self.play(self.player(self.state))
        return end

    def undo(self) -> int:
        """Go back to the last turn of a person before this one, and return how many moves were taken back.

        A move is a whole turn, with all its captures. A resignation or an agreement is taken back first. Raises NotNow.
        """
        if self.decision:
            self.decision = None
            return 0
        turns = [ply for ply, state in enumerate(self.states[:-1]) if self.seats[state.side] is None]
        if not turns:
            raise NotNow("there is no move of yours to take back")
        self.stepping = False
        return self._go_back(turns[-1])

    def redo(self) -> int:
        """Play again what was taken back, up to the next turn of a person. The result is how many moves that were.

        Raises NotNow.
        """
        if not self.ahead:
            raise NotNow("there is nothing to play again: nothing was taken back, or something else was played since")
        self.stepping = False
        before = len(self.played)
        self._go_on()
        while self.ahead and self.player:
            self._go_on()
        return len(self.played) - before

    def back(self) -> None:
        """Step back by one move. The players wait from then on. Raises NotNow at the first position."""
        if not self.played:
            raise NotNow("this is the first position of the game")
        self.decision = None
        self.stepping = True
        self._go_back(len(self.played) - 1)

    def next(self) -> None:
        """Step forward by one move that was taken back. Raises NotNow if there is none."""
        if not self.ahead:
            raise NotNow("this is the last position of the game")
        self.stepping = True
        self._go_on()

    def rewind(self) -> None:
        """Step back to the first position."""
        self.stepping = True
        self._go_back(0)

    def whole(self) -> "LiveGame":
        """Return the game at its last position, if a person steps through it; else as it stands."""
        game = copy(self)
        game.states = [*self.states]
        game.played = [*self.played]
        game.ahead = [*self.ahead]
        while game.stepping and game.ahead:
            game.next()
        return game

    def _go_back(self, ply: int) -> int:
        """Take back the moves from this ply on, and return how many they were."""
        moves = self.played[ply:]
        self.ahead[:0] = moves
        del self.played[ply:], self.states[ply + 1 :]
        return len(moves)

    def resign(self) -> None:
        """End the game: the side whose turn it is gives up. Raises NotNow if the game is over."""
        self._decide(End(self.game.other(self.side), f"{self.side} resigns"))

    def agree(self) -> None:
        """End the game by an agreed draw. Raises NotNow if the game is over."""
        self._decide(End(None, "the players agree"))

    def _decide(self, end: End) -> None:
        """End the game in this way, and forget the moves that were taken back. Raises NotNow if the game is over."""
        self.refuse_end()
        self.ahead.clear()
        self.decision = end

    def count(self) -> dict[str, str]:
        """Return the pieces of each side, in words."""
        board = self.game.board(self.state)
        numbers = Counter(board.pieces.values())
        counts = {}
        for side in self.game.sides:
            words = []
            for letter in (side[0], side[0].upper()):
                if letter in numbers:
                    kind = board.kind(letter)
                    words.append(counted(numbers[letter], kind, PLURALS.get(kind, "")))
            counts[side] = ", ".join(words) or "no pieces"
        return counts

    def analysis(self, seconds: float, lines: int = 1) -> Analysis:
        """Return the best lines of play that `analyse` finds in this time. Raises NotNow if the game is over."""
        self.refuse_end()
        *_, last = analyse(self.state, seconds=seconds, lines=lines)
        return last

    def declines_draw(self) -> str:
        """Return why the computer declines a draw here; empty if it accepts. Raises NotNow if the game is over.

        It accepts after BEFORE_DRAW plies, if a second of analysis finds neither side ahead by more than EVEN.
        """
        self.refuse_end()
        if len(self.played) < BEFORE_DRAW:
            return f"it accepts no draw before {BEFORE_DRAW // 2} moves of each side"
        best = self.analysis(seconds=1).lines[0]
        return "" if abs(best.value) <= EVEN else "it thinks that one side is ahead"

    def hint(self) -> str:
        """Return what HINT would play. Raises NotNow if the game is over."""
        self.refuse_end()
        choose = player(HINT, self.game)
        return self.game.text(choose(self.state))

    def read(self, text: str) -> Path:
        """Return the legal move that a person means by its text, with signs or without, `1115`, or its number from 1.

        Raises NotNow or BadMove, which say why the text means none.
        """
        self.refuse_end()
        text = text.strip()
        if not (text.isascii() and text.isdigit()):
            return self.game.read(self.state, spaced(text))
        moves = self.moves()
        if len(text) < 3 and 1 <= int(text) <= len(moves):
            return moves[int(text) - 1]
        if len(text) >= 3:
            meant = self.game.notation.abbreviated(text, moves)
            if len(meant) == 1:
                return meant[0]
            if meant:
                raise BadMove(f"{text} can be {self.game.notation.listed(meant)}: write one of these")
            if len(text) == 4:  # two squares, and the game says why no piece can go so
                return self.game.read(self.state, f"{text[:2]}-{text[2:]}")
        numbers = f"are moves 1 to {len(moves)}" if len(moves) > 1 else "is one move only, 1"
        raise NotNow(f"there is no move {text[:20]}: there {numbers}")

    def refuse_end(self) -> None:
        """Raise NotNow if the game is over."""
        end = self.end
        if end:
            raise NotNow(f"the game is over: {end.why}")
