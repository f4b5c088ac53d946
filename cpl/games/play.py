"""A game in progress: its players, its moves, and the lines that a person may type; no terminal and no files.

Why a move is illegal is explained by `Game.why_illegal`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from math import inf
from typing import Any, Final

from cpl.display import drawn, text_bundle
from cpl.draughts.moves import spaced
from cpl.games.analysis import Analysis, analyse
from cpl.games.draws import Adjudication, table_end
from cpl.games.game import BadMove, End, Game, Path, Turn
from cpl.games.players import Player, player

HINT: Final = "alphabeta:3"
"""The player that gives hints."""

COMMANDS: Final = {
    "moves": "all your moves, with their numbers",
    "hint": f"what {HINT} would play",
    "analyse": "the best lines of play, with their values",
    "undo": "take your last turn back, and the answer to it",
    "redo": "play again what was taken back",
    "back": "step back by one move, of either side; the computer waits",
    "next": "step forward again; so does an empty line while you step",
    "go": "after steps, let the computer play if it is its turn",
    "board": "show the board again",
    "flip": "look from the other side",
    "numbers": "show or hide the numbers of all squares",
    "count": "how many pieces each side has",
    "history": "the moves so far",
    "fen": "the position as a line of text",
    "setup": "begin a new game at a position",
    "new": "begin a new game",
    "draw": "offer a draw",
    "resign": "give the game up",
    "save": "write the game to a FILE, which must be new or saved by you before",
    "load": "go on with the game in a FILE, or with its N-th game: load FILE N",
    "help": "this list",
    "quit": "end; so does the end of the input",
}
"""What can be typed besides moves."""
WITH: Final = {"setup": "FEN", "save": "FILE", "load": "FILE"}
"""What comes after these commands. Nothing comes after the others."""

BEFORE_DRAW: Final = 40
"""The computer accepts no draw before so many plies,"""
EVEN: Final = 50
"""and none if it finds a side ahead by more, a man being worth 100."""
_PLURALS: Final = {"man": "men", "king": "kings", "pawn": "pawns", "flag": "flags"}


class NotNow(ValueError):
    """A command cannot be obeyed now. The message is one line."""


class LiveGame:
    """A game with all its states, so that moves can be taken back.

    `seats` has a player for each side, None for a person. It begins with the state `first`, after which `moves` are
    played. After `plies` more it is a draw. `cpl.games.draws` says how else it may end.
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
        self.game, self.seats, self.adjudication = game, seats, adjudication
        self.states = [first or game.start()]
        self.played: list[Path] = []
        self.resigned: str | None = None
        self.agreed = False
        self.stepping = False
        self._undone: list[list[Path]] = []
        for move in moves:
            self.play(move)
        self._most = len(self.played) + (plies or inf)

    @property
    def state(self) -> Turn:
        """How the game stands."""
        return self.states[-1]

    @property
    def side(self) -> str:
        """Whose turn it is."""
        return self.state.side

    @property
    def player(self) -> Player | None:
        """Who plays the side whose turn it is; None for a person, or while a person steps through the game."""
        return None if self.stepping else self.seats[self.side]

    @property
    def people(self) -> bool:
        """Whether a person plays, or steps through the game."""
        return self.stepping or None in self.seats.values()

    @property
    def ahead(self) -> list[Path]:
        """The moves that were taken back, or stepped back over, in the order of the game."""
        return [move for moves in reversed(self._undone) for move in moves]

    @property
    def end(self) -> End | None:
        """How the game has ended, if it has: a person gave up, its rules say so, or it went on for too long."""
        if self.agreed:
            return End(None, "the players agree")
        if self.resigned:
            return End(self.game.other(self.resigned), f"{self.resigned} resigns")
        end = self.game.end(self.state) or table_end(self.states, self.adjudication)
        if end or len(self.played) < self._most:
            return end
        return End(None, f"{len(self.played)} plies were played")

    def moves(self) -> list[Path]:
        """What can be played; nothing after the end."""
        return [] if self.end else [*self.state.legal]

    def texts(self) -> list[str]:
        """The same as people write it, in the same order."""
        return [self.game.text(move) for move in self.moves()]

    def play(self, move: Path) -> str:
        """Play a legal move of the side whose turn it is. The result is its text."""
        self.states.append(replace(self.game.play(self.state, move), before=self.state))
        self.played.append(move)
        self._undone.clear()
        self.stepping = False
        return self.game.text(move)

    def finish(self) -> End:
        """Let the players play to the end."""
        while (end := self.end) is None:
            assert self.player, "no person plays"
            self.play(self.player(self.state))
        return end

    def undo(self) -> int:
        """Go back to the last turn of a person before this one. The result is how many moves were taken back.

        A move is a whole turn, with all its captures. A resignation or an agreement is taken back first. Raises NotNow.
        """
        if self.resigned or self.agreed:
            self.resigned, self.agreed = None, False
            return 0
        turns = [ply for ply, state in enumerate(self.states[:-1]) if self.seats[state.side] is None]
        if not turns:
            raise NotNow("there is no move of yours to take back")
        self.stepping = False
        return self._back_to(turns[-1])

    def redo(self) -> int:
        """Play again what the last `undo` took back. The result is how many moves that were. Raises NotNow."""
        if not self._undone:
            raise NotNow("there is nothing to play again: nothing was taken back, or something else was played since")
        *earlier, again = self._undone
        for move in again:
            self.play(move)
        self._undone = earlier
        return len(again)

    def back(self) -> None:
        """Step back by one move. The players wait from then on. Raises NotNow at the first position."""
        if not self.played:
            raise NotNow("this is the first position of the game")
        self.resigned, self.agreed, self.stepping = None, False, True
        self._back_to(len(self.played) - 1)

    def next(self) -> None:
        """Step forward by one move that was taken back. Raises NotNow if there is none."""
        if not self._undone:
            raise NotNow("this is the last position of the game")
        *earlier, (move, *rest) = self._undone
        self.play(move)
        self._undone, self.stepping = [*earlier, rest] if rest else earlier, True

    def rewind(self) -> None:
        """Step back to the first position."""
        self.stepping = True
        while self.played:
            self.back()

    def whole(self) -> "LiveGame":
        """The game at its last position, if a person steps through it; else as it stands."""
        game = copy(self)
        game.states, game.played, game._undone = [*self.states], [*self.played], [*self._undone]
        while game.stepping and game._undone:
            game.next()
        return game

    def _back_to(self, ply: int) -> int:
        again = self.played[ply:]
        self._undone.append(again)
        del self.played[ply:], self.states[ply + 1 :]
        return len(again)

    def resign(self) -> None:
        """The side whose turn it is gives up. Raises NotNow if the game is over."""
        self.refuse_end()
        self._undone.clear()
        self.resigned = self.side

    def agree(self) -> None:
        """Both sides agree to a draw. Raises NotNow if the game is over."""
        self.refuse_end()
        self._undone.clear()
        self.agreed = True

    def count(self) -> dict[str, str]:
        """The pieces of each side, in words."""
        board = self.game.board(self.state)
        letters = Counter(board.pieces.values())

        def counted(side: str) -> Iterator[str]:
            for letter in (side[0], side[0].upper()):
                if many := letters[letter]:
                    kind = board.kind(letter)
                    yield f"{many} {kind if many == 1 else _PLURALS[kind]}"

        return {side: ", ".join(counted(side)) or "no pieces" for side in self.game.sides}

    def analysis(self, seconds: float, lines: int = 1) -> Analysis:
        """The best lines of play that `analyse` finds in this time. Raises NotNow if the game is over."""
        self.refuse_end()
        *_, last = analyse(self.state, seconds=seconds, lines=lines)
        return last

    def declines_draw(self) -> str:
        """Why the computer declines a draw here; empty if it accepts. Raises NotNow if the game is over.

        It accepts after BEFORE_DRAW plies, if a second of analysis finds neither side ahead by more than EVEN.
        """
        self.refuse_end()
        if len(self.played) < BEFORE_DRAW:
            return f"it accepts no draw before {BEFORE_DRAW // 2} moves of each side"
        return "" if abs(self.analysis(1).lines[0].value) <= EVEN else "it thinks that one side is ahead"

    def hint(self) -> str:
        """What HINT would play. Raises NotNow if the game is over."""
        self.refuse_end()
        return self.game.text(player(HINT, self.game)(self.state))

    def understand(self, line: str) -> tuple[str, Any]:
        """What a line means: "move" and a legal move, one of COMMANDS and the text after it, or nothing if it is empty.

        A move is given as text or by its number from 1; a command may be cut short. Raises NotNow or BadMove, which say
        why the line means nothing.
        """
        text = line.strip()
        if command := _command(text):
            return command
        self.refuse_end()
        if text.isascii() and text.isdigit():
            return "move", self._of_digits(text)
        return "move", self.game.read(self.state, spaced(text))

    def _of_digits(self, digits: str) -> Path:
        """The move of that number, or the one that is written without signs, `1115`."""
        moves = self.moves()
        if len(digits) < 3 and 1 <= int(digits) <= len(moves):
            return moves[int(digits) - 1]
        if len(digits) >= 3 and (meant := self.game.notation.abbreviated(digits, moves)):
            if len(meant) > 1:
                raise BadMove(f"{digits} can be {self.game.notation.listed(meant)}: write one of these")
            return meant[0]
        if len(digits) == 4:
            return self.game.read(self.state, f"{digits[:2]}-{digits[2:]}")
        many = f"are moves 1 to {len(moves)}" if len(moves) > 1 else "is one move only, 1"
        raise NotNow(f"there is no move {digits[:20]}: there {many}")

    def refuse_end(self) -> None:
        """Raise NotNow if the game is over."""
        if end := self.end:
            raise NotNow(f"the game is over: {end.why}")


def _command(text: str) -> tuple[str, str] | None:
    """The command that a text begins with, if it does, and what follows; an empty one for an empty text. Raises NotNow
    if it could be two.
    """
    word, rest = (*text.split(None, 1), "", "")[:2]
    names = [name for name in COMMANDS if word and name.startswith(word.lower())]
    if len(names) > 1:
        raise NotNow(f"{word} can be {' or '.join(names)}")
    if names and rest and names[0] not in WITH:
        raise NotNow(f"nothing comes after {names[0]}")
    return ("".join(names), rest) if names or not text else None
