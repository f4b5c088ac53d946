"""A game in progress: its players, its moves, and the lines that a person may type; no terminal and no files.

Why a move is illegal is explained by `Game.why_illegal`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf
from typing import Any, Final

from cpl.display import drawn_by, written_by
from cpl.games.draws import Adjudication, table_end
from cpl.games.game import End, Game, Path, Turn
from cpl.games.players import Player, player

HINT: Final = "alphabeta:3"
"""The player that gives hints."""

COMMANDS: Final = {
    "moves": "all your moves, with their numbers",
    "hint": f"what {HINT} would play",
    "undo": "take your last turn back, and the answer to it",
    "redo": "play again what was taken back",
    "board": "show the board again",
    "flip": "look from the other side",
    "resign": "give the game up",
    "save": "write the game to a FILE, which must be new or saved by you before",
    "load": "go on with the game in a FILE, or with its N-th game: load FILE N",
    "help": "this list",
    "quit": "end; so does the end of the input",
}
"""What can be typed besides moves. Only `save` and `load` have something after them."""
WITH_FILE: Final = ("save", "load")


class NotNow(ValueError):
    """A command cannot be obeyed now. The message is one line."""


class LiveGame:
    """A game with all its states, so that moves can be taken back.

    `seats` has a player for each side, None for a person. It begins with the state `first`, after which `moves` are
    played. After `plies` more it is a draw. `cpl.games.draws` says how else it may end.
    """

    _repr_html_ = drawn_by("cpl.views.game_view:as_html")
    _repr_mimebundle_ = written_by("cpl.views.game_view:as_text")

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
        """Who plays the side whose turn it is; None for a person."""
        return self.seats[self.side]

    @property
    def people(self) -> bool:
        """Whether a person plays."""
        return None in self.seats.values()

    @property
    def end(self) -> End | None:
        """How the game has ended, if it has: a person gave up, its rules say so, or it went on for too long."""
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
        return self.game.text(move)

    def finish(self) -> End:
        """Let the players play to the end."""
        while (end := self.end) is None:
            assert self.player, "no person plays"
            self.play(self.player(self.state))
        return end

    def undo(self) -> int:
        """Go back to the last turn of a person before this one. The result is how many moves were taken back.

        A move is a whole turn, with all its captures. A resignation is taken back first. Raises NotNow.
        """
        if self.resigned:
            self.resigned = None
            return 0
        turns = [ply for ply, state in enumerate(self.states[:-1]) if self.seats[state.side] is None]
        if not turns:
            raise NotNow("there is no move of yours to take back")
        again = self.played[turns[-1] :]
        self._undone.append(again)
        del self.played[turns[-1] :], self.states[turns[-1] + 1 :]
        return len(again)

    def redo(self) -> int:
        """Play again what the last `undo` took back. The result is how many moves that were. Raises NotNow."""
        if not self._undone:
            raise NotNow("there is nothing to play again: nothing was taken back, or something else was played since")
        *earlier, again = self._undone
        for move in again:
            self.play(move)
        self._undone = earlier
        return len(again)

    def resign(self) -> None:
        """The side whose turn it is gives up. Raises NotNow if the game is over."""
        self._refuse_end()
        self._undone.clear()
        self.resigned = self.side

    def hint(self) -> str:
        """What HINT would play. Raises NotNow if the game is over."""
        self._refuse_end()
        return self.game.text(player(HINT, self.game)(self.state))

    def understand(self, line: str) -> tuple[str, Any]:
        """What a line means: "move" and a legal move, one of COMMANDS and the text after it, or nothing if it is empty.

        A move is given as text or by its number from 1; a command may be cut short. Raises NotNow or BadMove, which say
        why the line means nothing.
        """
        text = line.strip()
        if command := _command(text):
            return command
        self._refuse_end()
        if text.isascii() and text.isdigit():
            return "move", self._numbered(text)
        return "move", self.game.read(self.state, text)

    def _numbered(self, digits: str) -> Path:
        moves = self.moves()
        if len(digits) > len(str(len(moves))) or not 1 <= int(digits) <= len(moves):
            many = f"are moves 1 to {len(moves)}" if len(moves) > 1 else "is one move only, 1"
            raise NotNow(f"there is no move {digits[:20]}: there {many}")
        return moves[int(digits) - 1]

    def _refuse_end(self) -> None:
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
    if names and rest and names[0] not in WITH_FILE:
        raise NotNow(f"nothing comes after {names[0]}")
    return ("".join(names), rest) if names or not text else None
