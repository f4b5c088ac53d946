r"""Play a game against the computer or another person.

examples:
  cpl play                                               checkers: you are red, against alphabeta:3
  cpl play --red alphabeta:4                             you are black, who plays second
  cpl play --red human --black human --save game.pdn     two people; save the game
  cpl play --red alphabeta:3 --black random:7            watch
  cpl play --game strachey --white strachey:3            against the program of 1966, by its own rules
  cpl play --load games.pdn --number 7                   go on where the seventh game of a file ends
  printf '11-15\nhint\nquit\n' | cpl play                piped: the input is printed, too

Players are human, random:SEED, minimax:PLIES, alphabeta:PLIES and, in the game strachey, strachey:DEPTHLIMIT. Name one
player, and the other is a person, or alphabeta:3 against a person. Name none, and you play first against alphabeta:3.

On your turn, type a move, such as 11-15 or 15x22x31, or its number in the list that `moves` shows, or a command:
  moves        your moves, with their numbers      hint        what alphabeta:3 would play
  undo, redo   take your last turn back; again     flip        look from the other side
  resign       give the game up                    board       show the board again
  save FILE    save the game                       load FILE   go on with a saved game
  help         all this, in short                  quit        end
Commands may be shortened: u for undo. A capture of several pieces is one move, and is taken back whole.

Checkers is saved as PDN, the other games in a similar form. An existing file is overwritten only if you saved it since
cpl play began.

The board is drawn in ASCII with --ascii, or if LC_ALL, LC_CTYPE or LANG name no UTF-8; in colour only at a terminal,
unless NO_COLOR is set.

exit status: 0 if all went well, even if the game is not finished; 1 if a file cannot be read or written; 2 if the
command line is wrong; 130 if interrupted with Ctrl-C.
"""

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cpl.cli import game_files, output
from cpl.cli.arguments import PLIES, SPEED, option, positive
from cpl.cli.exits import DONE, Failed, Usage
from cpl.cli.game_option import chosen_game
from cpl.cli.progress import waiting
from cpl.games.playable import NAMES

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.pdn import Record
    from cpl.games.players import Player

_SIDES: Final = ("red", "black", "white")
"""Those of all games: the options are known before the game is."""
_PERSON: Final = "human"
_OPPONENT: Final = "alphabeta:3"
_LONG: Final = 1.0
"""Seconds of thinking that are worth telling."""
_WIDTH: Final = 80

OPTIONS: Final = (
    option("--game", choices=NAMES, default="checkers", help="the game (default: checkers)"),
    *(option(f"--{side}", metavar="PLAYER", help=f"who plays {side}, if the game has that side") for side in _SIDES),
    option("--load", type=Path, metavar="FILE", help="go on with a saved game"),
    option("--number", type=positive, metavar="N", help="which game of the file (default: the first)"),
    option("--save", type=Path, metavar="FILE", help="save the game in this new file at the end"),
    option(
        "--ascii",
        action=argparse.BooleanOptionalAction,
        help="draw the board without Unicode (default: see below)",
    ),
    option("--flip", action="store_true", help="show the board from the other side"),
    PLIES,
    SPEED,
    option("--seed", type=int, default=0, metavar="S", help="another seed gives other random players (default: 0)"),
)


def run(options: argparse.Namespace) -> int:
    """Play; the result is the exit status."""
    if options.number and not options.load:
        raise Usage("--number says which game of a file: name the file with --load")
    terminal = Terminal(chosen_game(options), options)
    if options.load:
        terminal.load(options.load, options.number or 1)
    if options.save:
        terminal.save(options.save)  # fails before the game, not after it
    try:
        terminal.play()
    except KeyboardInterrupt:
        print()
        raise
    finally:
        if options.save:
            terminal.save(options.save)
            print(f"Saved in {options.save}.")
    return DONE


def _players(game: "Game", options: argparse.Namespace) -> dict[str, str]:
    """Who plays which side, as it is written on the command line."""
    for side in _SIDES:
        if getattr(options, side) is not None and side not in game.sides:
            raise Usage(f"{game.name} has no side {side}: it has {' and '.join(game.sides)}")
    first, second = (getattr(options, side) for side in game.sides)
    first = first or (_OPPONENT if second == _PERSON else _PERSON)
    return dict(zip(game.sides, (first, second or (_OPPONENT if first == _PERSON else _PERSON)), strict=True))


class Terminal:
    """A game at the terminal: what it shows, what people type, and the files that are loaded and saved."""

    def __init__(self, game: "Game", options: argparse.Namespace) -> None:
        from cpl.games.play import LiveGame
        from cpl.games.players import BadPlayer, player

        self.game, self.players = game, _players(game, options)
        self.plies, self.flipped = options.plies, options.flip
        try:
            seats = {
                side: None if name == _PERSON else player(name, game, (options.seed, side))
                for side, name in self.players.items()
            }
        except BadPlayer as error:
            raise Usage(f"{error}; a person is {_PERSON}") from None
        self.live = LiveGame(game, seats, self.plies)
        self.tags: Mapping[str, str] = {"Event": game.title, "Date": time.strftime("%Y.%m.%d")}
        self.loaded: Record | None = None
        self.saved: set[Path] = set()
        self.unicode = _is_unicode() if options.ascii is None else not options.ascii
        self.colour = output.in_colour(sys.stdout)

    def play(self) -> None:
        """Play until the game is over, or the people have had enough; they may take moves back after the end, or save
        the game.
        """
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # makes the lines that `input` reads editable
        print(f"{self.game.title}. {', '.join(f'{side}: {name}' for side, name in self.players.items())}.")
        if self.live.people:
            example = "".join(f", such as {text}," for text in self.live.texts()[:1])
            print(f"Type a move{example} or its number. `moves` lists them; `help` lists the commands.")
        self.show()
        while self.live.end is None or self.live.people:
            if self.live.end is None and (player := self.live.player):
                self._let_play(player)
            elif not self._ask():
                break
        if self.live.end is None:
            print("The game is not finished.")

    def show(self) -> None:
        """The board, and the end of the game, or that there is no choice."""
        live = self.live
        board = replace(self.game.board(live.state, *live.played[-1:]), flipped=self.flipped)
        print(f"\n{board.text(unicode=self.unicode, colour=self.colour)}\n")
        if end := live.end:
            print(f"{end.winner.capitalize()} wins: {end.why}." if end.winner else f"A draw: {end.why}.")
        elif live.player is None and len(texts := live.texts()) == 1:
            print(f"{live.side.capitalize()} has only one move: {texts[0]}.")

    def _let_play(self, player: "Player") -> None:
        side, began = self.live.side, time.monotonic()
        with waiting(f"{side} thinks"):
            move = player(self.live.state)
        seconds = time.monotonic() - began
        took = f", after {seconds:.1f} s" if seconds > _LONG else ""
        print(f"{side.capitalize()} plays {self.live.play(move)}{took}.", flush=True)
        self.show()

    def _ask(self) -> bool:
        """Ask a person for a line, and obey it; False if the person wants to end."""
        from cpl.games.game import BadMove
        from cpl.games.play import NotNow

        line = _read(f"{'over' if self.live.end else self.live.side}> ")
        command = ""
        try:
            command, argument = self.live.understand(line)
            self._obey(command, argument)
        except (BadMove, NotNow, Failed) as error:
            print(f"{error}; help lists the commands" if line.strip().isalpha() and not command else error)
        return command != "quit"

    def _obey(self, command: str, argument: Any) -> None:
        """Do what was typed, and show the board if that may have changed it."""
        match command:
            case "moves":
                self._list_moves()
            case "hint":
                with waiting("looking for a hint"):
                    hint = self.live.hint()
                print(f"You could play {hint}.")
            case "help":
                self._help()
            case "save":
                path = game_files.named(argument, command)
                self.save(path)
                print(f"Saved in {path}.")
            case "load":
                self.load(*game_files.numbered(argument))
            case "move":
                self.live.play(argument)
            case "undo":
                back = self.live.undo()
                print(f"Taken back: {output.count(back, 'move')}." if back else "The game goes on.")
            case "redo":
                print(f"Played again: {output.count(self.live.redo(), 'move')}.")
            case "flip":
                self.flipped = not self.flipped
            case "resign":
                self.live.resign()
        if command not in ("", "moves", "hint", "help", "save", "quit"):
            self.show()

    def _list_moves(self) -> None:
        texts = self.live.texts()
        if not texts:
            print("There are no moves.")
        width = max(map(len, texts), default=0)
        cells = [f"{number:3} {text:{width}}" for number, text in enumerate(texts, 1)]
        across = max(1, _WIDTH // (width + 6))
        for row in range(0, len(cells), across):
            print("  ".join(cells[row : row + across]).rstrip())

    def _help(self) -> None:
        from cpl.games.play import COMMANDS, WITH_FILE

        print("Type a move or its number, as `moves` shows them, or one of these commands, which may be abbreviated:")
        for name, what in COMMANDS.items():
            print(f"  {f'{name} FILE' if name in WITH_FILE else name:10} {what}")

    def save(self, path: Path) -> None:
        """Write the game, whole or not at all. Raises Failed."""
        from cpl.games.pdn import write

        game_files.save(path, write(self.game, self._record()), self.saved)

    def _record(self) -> "Record":
        """The game as it stands. One that was loaded is what it was, players and result, until somebody goes on."""
        from cpl.games.pdn import Record, result_of

        live, end = self.live, self.live.end
        if self.loaded and self.loaded.moves == live.played and not live.resigned:
            return self.loaded
        tags = {name: value for name, value in self.tags.items() if name not in ("Termination", "Match")}
        tags |= {tag: self.players[side] for tag, side in zip(self.game.tags, self.game.sides, strict=True)}
        tags |= {"Termination": end.why} if end else {}
        remarks = dict[int, Sequence[str]]()
        if loaded := self.loaded:  # what was said of moves that stand
            remarks |= {ply: each for ply, each in loaded.remarks.items() if loaded.moves[:ply] == live.played[:ply]}
        return Record(live.states[0], live.played, tags, result_of(self.game, end), remarks)

    def load(self, path: Path, number: int) -> None:
        """Go on with a game of a file. Raises Failed, and then nothing has changed."""
        from cpl.games.pdn import WINNERS
        from cpl.games.play import LiveGame

        record = game_files.load(self.game, path, number)
        self.live = LiveGame(self.game, self.live.seats, self.plies, record.first, record.moves)
        self.loaded, self.tags = record, record.tags
        more = record.result in WINNERS and not self.live.end
        result = f" The file says {record.result}, but play can continue." if more else ""
        print(f"Game {number} of {path}, after {output.count(len(record.moves), 'move')}.{result}")


def _is_unicode() -> bool:
    """Whether the locale is UTF-8 or not set. Python itself sets LC_CTYPE where LANG is C (PEP 538)."""
    ctype, lang = os.environ.get("LC_CTYPE"), os.environ.get("LANG")
    locale = lang if lang in ("C", "POSIX") and ctype in (None, "", "C.UTF-8") else ctype or lang
    encoding = os.environ.get("PYTHONIOENCODING") or os.environ.get("LC_ALL") or locale
    return not encoding or "utf8" in encoding.lower().replace("-", "")


def _read(prompt: str) -> str:
    """A line, `quit` at the end of the input. Piped input is printed, so that the output reads like a dialogue."""
    try:
        line = input(prompt)
    except EOFError:
        print()
        return "quit"
    if not sys.stdin.isatty():
        print(line)
    return line
