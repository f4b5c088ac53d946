"""The terminal of `cpl play`: it shows the board, asks people for moves, and lets players think."""

import argparse
import contextlib
import os
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cpl.cli import common, sheets

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.players import Player
    from cpl.games.sheet import Sheet

_LONG: Final = 1.0
"""Seconds of thought that are worth mentioning."""
_WIDTH: Final = 80


class Table:
    """The board, the terminal and the files of a sitting."""

    def __init__(
        self, game: "Game", names: dict[str, str], seats: "dict[str, Player | None]", options: argparse.Namespace
    ) -> None:
        from cpl.games.session import Sitting

        self.game, self.names, self.seats, self.plies = game, names, seats, options.plies
        self.sitting = Sitting(game, seats, self.plies)
        self.tags: dict[str, str] = {"Event": game.title, "Date": f"{date.today():%Y.%m.%d}"}
        self.loaded: Sheet | None = None
        self.flipped: bool = options.flip
        self.unicode = _is_unicode() if options.ascii is None else not options.ascii
        self.colour = common.in_colour(sys.stdout) and os.environ.get("TERM") != "dumb"
        self.files = sheets.Files()

    def sit(self) -> None:
        """Play until the game is over, or a person quits."""
        _listen()
        print(f"{self.game.title}. {', '.join(f'{side}: {name}' for side, name in self.names.items())}.")
        if self.sitting.people:
            such = "".join(f", such as {text}," for text in self.sitting.texts()[:1])
            print(f"Type a move{such} or its number. `moves` lists them; `help` says what else there is.")
        self.show()
        while self.sitting.end is None or self.sitting.people:  # who may take moves back after the end, or save
            if self.sitting.end is None and (player := self.sitting.player):
                self._let_play(player)
            elif not self._ask():
                break
        if self.sitting.end is None:
            print("The game is not finished.")

    def show(self) -> None:
        """Show the board, and whether the game is over or there is only one move."""
        board = self.game.board(self.sitting.state, self.sitting.last)
        turned = replace(board, flipped=True) if self.flipped else board
        print(f"\n{turned.text(unicode=self.unicode, colour=self.colour)}\n")
        if end := self.sitting.end:
            print(f"{_capital(end.winner)} wins: {end.why}." if end.winner else f"A draw: {end.why}.")
        elif self.sitting.player is None and len(texts := self.sitting.texts()) == 1:
            print(f"{_capital(self.sitting.side)} has one move only: {texts[0]}.")

    def _let_play(self, player: "Player") -> None:
        from cpl.cli.progress import waiting

        side = self.sitting.side
        began = time.monotonic()
        with waiting(f"{side} thinks"):
            move = player.choose(self.game, self.sitting.state)
        seconds = time.monotonic() - began
        took = f", after {seconds:.1f} s" if seconds > _LONG else ""
        print(f"{_capital(side)} plays {self.sitting.play(move)}{took}.", flush=True)
        self.show()

    def _ask(self) -> bool:
        """Ask a person for a command and obey it. The result is whether to go on."""
        from cpl.games.game import BadMove
        from cpl.games.session import Command, Move, NotNow

        line = _read(f"{'over' if self.sitting.end else self.sitting.side}> ")
        if line is None:
            return False
        if not line.strip():
            return True
        try:
            match self.sitting.understand(line):
                case Move(move):
                    self.sitting.play(move)
                    self.show()
                case Command("quit"):
                    return False
                case Command(name, rest):
                    self._obey(name, rest)
        except (BadMove, NotNow, common.Failed) as error:
            print(error)
        return True

    def _obey(self, command: str, rest: str) -> None:
        match command:
            case "moves":
                self._list()
            case "hint":
                from cpl.cli.progress import waiting

                with waiting("looking for a hint"):
                    hint = self.sitting.hint()
                print(f"You could play {hint}.")
            case "undo":
                back = self.sitting.undo()
                print(f"Taken back: {_counted(back)}." if back else "The game goes on.")
                self.show()
            case "redo":
                print(f"Played again: {_counted(self.sitting.redo())}.")
                self.show()
            case "flip":
                self.flipped = not self.flipped
                self.show()
            case "board":
                self.show()
            case "resign":
                self.sitting.resign()
                self.show()
            case "save":
                path = sheets.named(rest, command)
                self.save(path)
                print(f"Saved in {path}.")
            case "load":
                self.load(*sheets.numbered(rest))
                self.show()
            case _:
                self._help()

    def _list(self) -> None:
        texts = self.sitting.texts()
        if not texts:
            print("There is none.")
            return
        width = max(map(len, texts))
        cells = [f"{number:3} {text:{width}}" for number, text in enumerate(texts, 1)]
        across = max(1, _WIDTH // (width + 6))
        for row in range(0, len(cells), across):
            print("  ".join(cells[row : row + across]).rstrip())

    def _help(self) -> None:
        from cpl.games.session import COMMANDS, WITH_FILE

        print("Say a move as `moves` writes it, or its number there; or one of these, which may be cut short:")
        for name, what in COMMANDS.items():
            print(f"  {f'{name} FILE' if name in WITH_FILE else name:10} {what}")

    def save(self, path: Path) -> None:
        """Write the game, whole or not at all. Raises Failed."""
        from cpl.games.sheet import write

        self.files.save(path, write(self.game, self._sheet()))

    def _sheet(self) -> "Sheet":
        """The game as it stands. A loaded game keeps its players and its result until it goes on."""
        from cpl.games.sheet import Sheet, result_of

        sitting, end = self.sitting, self.sitting.end
        if self.loaded and self.loaded.moves == tuple(sitting.played) and not sitting.resigned:
            return self.loaded
        tags = self.tags | {tag: self.names[side] for tag, side in zip(self.game.tags, self.game.sides, strict=True)}
        tags |= {"Termination": end.why} if end else {}
        return Sheet(sitting.states[0], tuple(sitting.played), tags, result_of(self.game, end))

    def load(self, path: Path, number: int) -> None:
        """Go on with a game of a file. Raises Failed, and then nothing has changed."""
        from cpl.games.session import Sitting

        sheet = sheets.load(self.game, path, number)
        self.sitting = Sitting(self.game, self.seats, self.plies, sheet.first, sheet.moves)
        self.loaded, self.tags = sheet, sheet.lasting
        said = "" if sheet.result == "*" or self.sitting.end else f" The file says {sheet.result}; it can go on."
        print(f"Game {number} of {path}, after {_counted(len(sheet.moves))}.{said}")


def _counted(moves: int) -> str:
    return "one move" if moves == 1 else f"{moves} moves"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_unicode() -> bool:
    """Whether the locale is UTF-8, or not set. Python itself sets LC_CTYPE where LANG is C (PEP 538)."""
    ctype, lang = os.environ.get("LC_CTYPE"), os.environ.get("LANG")
    is_set_by_python = lang in ("C", "POSIX") and ctype in (None, "", "C.UTF-8")
    locale = os.environ.get("PYTHONIOENCODING") or os.environ.get("LC_ALL") or (lang if is_set_by_python else None)
    return "utf8" in (locale or ctype or lang or "utf8").lower().replace("-", "")


def _listen() -> None:
    """Prepare standard input: lines can be edited at a terminal, and any byte can be decoded."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # to be imported is all that `input` needs


def _read(prompt: str) -> str | None:
    """A line, or None at the end of the input. Piped input is echoed, so that the output can be read."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    print(line.rstrip("\n"))
    return line or None
