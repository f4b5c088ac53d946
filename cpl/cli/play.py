"""`cpl play`: a game at the terminal, between people and players."""

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cpl.cli import common, game_files
from cpl.games.playable import NAMES, game_of

if TYPE_CHECKING:
    from cpl.games.game import Game
    from cpl.games.pdn import Record
    from cpl.games.players import Player

WHAT: Final = "play a game, against a player or another person"
MORE: Final = """\
examples:
  cpl play                                               checkers: you are red, against alphabeta:3
  cpl play --red alphabeta:4                             you are black, who plays second
  cpl play --red human --black human --save game.pdn     two people; the game is kept
  cpl play --red alphabeta:3 --black random:7            look on
  cpl play --game strachey --white strachey:3            against the program of 1966, by its own rules
  cpl play --load games.pdn --number 7                   go on where the seventh game of a file ends
  printf '11-15\\nhint\\nquit\\n' | cpl play                piped: what is typed is printed too

Players are human, random:SEED, minimax:PLIES, alphabeta:PLIES and, of the game strachey, strachey:DEPTHLIMIT. A
person's opponent is alphabeta:3, and a player's opponent a person, unless you name both. If you name none, you begin.

You are asked for a move: type it, such as 11-15 or 15x22x31, or its number in the list that `moves` shows. Or say
  moves        your moves, with their numbers      hint        what alphabeta:3 would play
  undo, redo   take your last turn back; again     flip        look from the other side
  resign       give the game up                    board       show the board again
  save FILE    keep the game                       load FILE   go on with a game that was kept
  help         all this, in short                  quit        end
An unambiguous beginning will do: u for undo. Whole captures are one move, and are taken back whole.

Checkers is saved and loaded as PDN; the other games in a form of their own that looks like it. A file that exists is
written over only if you have saved it since cpl play began.

The board is drawn in ASCII where LC_ALL, LC_CTYPE or LANG name no UTF-8, or with --ascii; in colour at a terminal only,
and not if NO_COLOR is set.

exit status: 0 done, also if the game is not finished; 1 a file cannot be read or written; 2 the command line is at
fault; 130 interrupted with Ctrl-C.
"""

_SIDES: Final = ("red", "black", "white")
"""Those of all games: the options are known before the game is."""
_PERSON: Final = "human"
_OPPONENT: Final = "alphabeta:3"
_LONG: Final = 1.0
"""Seconds of thinking that are worth telling."""
_WIDTH: Final = 80


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of `cpl play`."""
    games = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
    made.add_argument("--game", default="checkers", metavar="NAME", help=f"what is played: {games} (default: checkers)")
    for side in _SIDES:
        made.add_argument(f"--{side}", metavar="PLAYER", help=f"who plays {side}, if the game has that side")
    made.add_argument("--load", type=Path, metavar="FILE", help="go on with the game in this file")
    made.add_argument("--number", type=common.whole, metavar="N", help="with its N-th game (default: the first)")
    made.add_argument("--save", type=Path, metavar="FILE", help="write the game to this new file at the end")
    made.add_argument(
        "--ascii", action=argparse.BooleanOptionalAction, help="draw the board without Unicode (default: as LANG says)"
    )
    made.add_argument("--flip", action="store_true", help="show the board from the other side")
    common.add_plies_option(made)
    made.add_argument("--seed", type=int, default=0, metavar="S", help="other players at random (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Play; the result is the exit status."""
    if options.game not in NAMES:
        raise common.Usage(f"there is no game {options.game}: there are {', '.join(NAMES)}")
    if options.number and not options.load:
        raise common.Usage("--number says which game of a file: name the file with --load")
    game = game_of(options.game)
    names = _names(game, options)
    terminal = Terminal(game, names, _seats(game, names, options.seed), options)
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
    return common.DONE


def _names(game: "Game", options: argparse.Namespace) -> dict[str, str]:
    """Who plays which side, as it is written on the command line."""
    for side in _SIDES:
        if getattr(options, side) is not None and side not in game.sides:
            raise common.Usage(f"{game.name} has no side {side}: it has {' and '.join(game.sides)}")
    first, second = (getattr(options, side) for side in game.sides)
    first = first or (_OPPONENT if second == _PERSON else _PERSON)
    return dict(zip(game.sides, (first, second or (_OPPONENT if first == _PERSON else _PERSON)), strict=True))


def _seats(game: "Game", names: dict[str, str], seed: int) -> "dict[str, Player | None]":
    from cpl.games.players import BadPlayer, player

    try:
        return {side: None if name == _PERSON else player(name, game, (seed, side)) for side, name in names.items()}
    except BadPlayer as error:
        raise common.Usage(f"{error}; a person is {_PERSON}") from None


class Terminal:
    """A game at the terminal: what is shown, what is asked, and the files that are loaded and saved."""

    def __init__(
        self, game: "Game", names: dict[str, str], seats: "dict[str, Player | None]", options: argparse.Namespace
    ) -> None:
        from cpl.games.play import LiveGame

        self.game, self.names, self.plies = game, names, options.plies
        self.live = LiveGame(game, seats, self.plies)
        self.tags: Mapping[str, str] = {"Event": game.title, "Date": time.strftime("%Y.%m.%d")}
        self.loaded: Record | None = None
        self.saved: set[Path] = set()
        self.flipped: bool = options.flip
        self.unicode = _is_unicode() if options.ascii is None else not options.ascii
        self.colour = common.in_colour(sys.stdout) and os.environ.get("TERM") != "dumb"

    def play(self) -> None:
        """Play until the game is over, or the people have had enough; they may take moves back after the end, or save
        the game.
        """
        _prepare_input()
        print(f"{self.game.title}. {', '.join(f'{side}: {name}' for side, name in self.names.items())}.")
        if self.live.people:
            example = "".join(f", such as {text}," for text in self.live.texts()[:1])
            print(f"Type a move{example} or its number. `moves` lists them; `help` says what else there is.")
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
            print(f"{live.side.capitalize()} has one move only: {texts[0]}.")

    def _let_play(self, player: "Player") -> None:
        from cpl.cli.progress import waiting

        side = self.live.side
        began = time.monotonic()
        with waiting(f"{side} thinks"):
            move = player(self.live.state)
        seconds = time.monotonic() - began
        took = f", after {seconds:.1f} s" if seconds > _LONG else ""
        print(f"{side.capitalize()} plays {self.live.play(move)}{took}.", flush=True)
        self.show()

    def _ask(self) -> bool:
        """Ask a person for a line, and do what it says. The result is whether to go on."""
        from cpl.games.game import BadMove
        from cpl.games.play import NotNow

        line = _read(f"{'over' if self.live.end else self.live.side}> ")
        if not line.strip():
            return True
        try:
            command, argument = self.live.understand(line)
            if command == "quit":
                return False
            if self._obey(command, argument):
                self.show()
        except (BadMove, NotNow, common.Failed) as error:
            print(error)
        return True

    def _obey(self, command: str, argument: Any) -> bool:
        """The result is whether to show the board."""
        match command, argument:
            case "moves", _:
                self._list()
            case "hint", _:
                from cpl.cli.progress import waiting

                with waiting("looking for a hint"):
                    hint = self.live.hint()
                print(f"You could play {hint}.")
            case "help", _:
                self._help()
            case "save", str(name):
                path = game_files.named(name, command)
                self.save(path)
                print(f"Saved in {path}.")
            case "load", str(name):
                self.load(*game_files.numbered(name))
            case "move", move:
                self.live.play(move)
            case "undo", _:
                back = self.live.undo()
                print(f"Taken back: {_counted(back)}." if back else "The game goes on.")
            case "redo", _:
                print(f"Played again: {_counted(self.live.redo())}.")
            case "flip", _:
                self.flipped = not self.flipped
            case "resign", _:
                self.live.resign()
        return command not in ("moves", "hint", "help", "save")

    def _list(self) -> None:
        texts = self.live.texts()
        if not texts:
            print("There is none.")
            return
        width = max(map(len, texts))
        cells = [f"{number:3} {text:{width}}" for number, text in enumerate(texts, 1)]
        across = max(1, _WIDTH // (width + 6))
        for row in range(0, len(cells), across):
            print("  ".join(cells[row : row + across]).rstrip())

    def _help(self) -> None:
        from cpl.games.play import COMMANDS, WITH_FILE

        print("Say a move as `moves` writes it, or its number there; or one of these, which may be cut short:")
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
        tags |= {tag: self.names[side] for tag, side in zip(self.game.tags, self.game.sides, strict=True)}
        tags |= {"Termination": end.why} if end else {}
        return Record(live.states[0], live.played, tags, result_of(self.game, end))

    def load(self, path: Path, number: int) -> None:
        """Go on with a game of a file. Raises Failed, and then nothing has changed."""
        from cpl.games.pdn import WINNERS
        from cpl.games.play import LiveGame

        record = game_files.load(self.game, path, number)
        self.live = LiveGame(self.game, self.live.seats, self.plies, record.first, record.moves)
        self.loaded, self.tags = record, record.tags
        more = record.result in WINNERS and not self.live.end
        result = f" The file says {record.result}; it can go on." if more else ""
        print(f"Game {number} of {path}, after {_counted(len(record.moves))}.{result}")


def _counted(moves: int) -> str:
    return "one move" if moves == 1 else f"{moves} moves"


def _is_unicode() -> bool:
    """Whether the locale is UTF-8 or not set. Python itself sets LC_CTYPE where LANG is C (PEP 538)."""
    encoding = os.environ.get("PYTHONIOENCODING") or os.environ.get("LC_ALL")
    ctype, lang = os.environ.get("LC_CTYPE"), os.environ.get("LANG")
    if not encoding:
        encoding = lang if lang in ("C", "POSIX") and ctype in (None, "", "C.UTF-8") else ctype or lang
    return not encoding or "utf8" in encoding.lower().replace("-", "")


def _prepare_input() -> None:
    """Lines can be edited at a terminal, and bytes that are no UTF-8 do no harm."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # to be imported is all that `input` needs


def _read(prompt: str) -> str:
    """A line, `quit` at the end of the input. Piped input is printed, so that the output reads like a dialogue."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            print()
            return "quit"
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    print(line.rstrip("\n"))
    return line or "quit"
