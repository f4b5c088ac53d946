r"""Play a game against the computer or another person.

examples:
  cpl play                                               checkers: you are Black, against alphabeta:3
  cpl play --black me --white hard                       the same, against a stronger player
  cpl play --black easy                                  you are White, who moves second
  cpl play --black human --white human --save game.pdn   two people; save the game
  cpl play --black alphabeta:3 --white random:7          watch
  cpl play --game strachey --white strachey:3            against the program of 1966, by its own rules
  cpl play --fen W:W18,K30:B15,K2                        begin at a position
  cpl play --load games.pdn --number 7                   continue the seventh game of a file
  cpl play --replay games.pdn --number 7                 step through that game
  printf '11-15\nhint\nquit\n' | cpl play                piped: the input is printed as well

Players are human (or me), easy, medium, hard, random:SEED, minimax:PLIES, alphabeta:PLIES, alphabeta:SECONDSs, such as
alphabeta:0.5s, and, in the game strachey, strachey:DEPTHLIMIT. If you name only a person, the other player is
alphabeta:3; if you name only another player, a person. If you name none, you play first against alphabeta:3.
Black moves first in checkers and strachey, white in capture, and red in simple-checkers.

On your turn, type a move, such as 11-15, 11 15, 1115 or 15x22x31, or its number in the list that `moves` shows, or a
command:
  moves      your moves, with numbers     hint      the move of alphabeta:3
  undo, redo take back your turn; replay  analyse   the best lines of play
  back, next step through the game        go        after steps, play on
  board      show the board again         flip      look from the other side
  numbers    show or hide square numbers  count     the pieces of each side
  history    the moves so far             fen       the position, as text
  new        begin a new game             setup FEN begin at a position
  draw       offer a draw                 resign    give the game up
  save FILE  save the game                load FILE continue a saved game
  help       this list                    quit      end
You may shorten commands: u for undo. A capture of several pieces is one move, and undo takes all of it back.

While you step through a game, the players wait, and an empty line is `next`. If you type a move, the game continues
from there. The computer agrees to a draw after 20 moves of each side, if it finds neither side ahead by more than half
a man.

Checkers and strachey are saved as PDN, the other games in a similar form. An existing file is overwritten only if this
session saved it.

The board is drawn in ASCII with --ascii, or if LC_ALL, LC_CTYPE or LANG name no UTF-8; in colour only at a terminal,
or if FORCE_COLOR is set, and never if NO_COLOR is.

exit status: 0 if all went well, even if the game is not finished; 1 if a file cannot be read or written.
"""

import argparse
import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Final

from cpl import outside
from cpl.cli import terminal
from cpl.cli.analyse import report
from cpl.cli.commands import SIDES, summary_of_method
from cpl.cli.games import chosen_game, load_game
from cpl.cli.options import not_cpl
from cpl.cli.terminal import Failed, Usage, tell, waiting
from cpl.compiler.wording import counted
from cpl.games.board import glyph
from cpl.games.game import BadMove, Game
from cpl.games.live import LiveGame, NotNow
from cpl.games.pdn import WINNERS, Record, numbered, result_of, write
from cpl.games.players import BadPlayer, Player, player
from cpl.games.position import BadFen
from cpl.games.sides import called_now, in_words_of_2_0, missing

_PERSON_NAMES: Final = ("human", "me")
"""Names of a person as a player; the first is used if nobody is named."""
_OPPONENT: Final = "alphabeta:3"
"""The player against whom a person plays, if no other is named."""
_OTHER_NAMES: Final = {"?": "help", "exit": "quit", "bye": "quit"}
"""Further names of commands that can be typed."""
_ANALYSIS_SECONDS: Final = 3.0
_ANALYSIS_LINES: Final = 3
"""How many lines of play an analysis shows."""


def run(options: argparse.Namespace) -> None:
    """Play a game at the terminal, as the options of `cpl play` say, and save it at the end if they name a file."""
    file = options.load or options.replay
    table = Table(chosen_game(options, searches=True), options)
    if file:
        table.load(file, options.number or 1)
    if options.replay:
        table.live.rewind()
    if options.fen:
        table.begin(options.fen)
    if options.save:
        table.save(options.save)  # fails before the game, not after it
    try:
        table.play()
    except KeyboardInterrupt:
        print()
        raise
    finally:
        if options.save:
            table.save(options.save)
            tell(f"Saved in {options.save}.")


class Table:
    """A game at the terminal: what it shows, what people type, and the files that are loaded and saved."""

    def __init__(self, game: Game, options: argparse.Namespace) -> None:
        self.game = game
        self.has_quit = False

        # The players, and the game that they play
        self.players = _players(game, options)
        """The player of each side, as the command line names it."""
        self.plies = options.plies
        self.live = LiveGame(game, self._seats(options), self.plies)
        self.tags = _tags(game)

        # The board
        people = [side for side, name in self.players.items() if name in _PERSON_NAMES]
        self.flipped = options.flip != game.is_turned_for(people)
        self.numbers = options.numbers
        self.unicode = terminal.in_unicode(options.ascii)
        self.colour = terminal.in_colour(sys.stdout)

        # Files
        self.file = options.save
        """The file of --save, which gets all games of the session."""
        self.loaded: Record | None = None
        """The game as it stands in a file, if it was loaded from one."""
        self.saved: dict[Path, str] = {}
        """What was written to each file, which may have changed since."""
        self.earlier: list[str] = []
        """The games of this session before this one, as they are saved."""

    def _seats(self, options: argparse.Namespace) -> dict[str, Player | None]:
        """Return the player of each side as a function that chooses moves, None for a person. Raises Usage."""
        seats: dict[str, Player | None] = {}
        try:
            with waiting("compiling"):
                for side, name in self.players.items():
                    is_person = name in _PERSON_NAMES
                    salt = (options.seed, in_words_of_2_0(self.game.name, side))  # for the same moves as in 2.0
                    seats[side] = None if is_person else player(name, self.game, salt)
        except BadPlayer as error:
            raise Usage(f"{error}; a person is {' or '.join(_PERSON_NAMES)}") from None
        return seats

    def play(self) -> None:
        """Play until the game is over, or the people have had enough; they may take moves back after the end, or save
        the game.
        """
        if sys.stdin.isatty() and find_spec("readline"):  # which Python does not have on Windows
            import readline  # noqa: F401  # makes the lines that `input` reads editable

        who_plays: list[str] = []
        for side, name in self.players.items():
            sign = f" {glyph(side[0])}" if self.unicode else ""
            who_plays.append(f"{side}{sign}: {name}")
        _say(f"{self.game.title}. {', '.join(who_plays)}.")
        if self.live.people:
            moves = self.live.texts()
            example = f", such as {moves[0]}," if moves else ""
            _say(f"Type a move{example} or its number. `moves` lists them; `help` lists the commands.")
        if self.live.stepping:
            _say("Step with `next`, or an empty line, and `back`. If you type a move, the game goes on from there.")
        self.show()
        while self.live.end is None or self.live.people:  # after the end people may go on, a computer does not
            computer = None if self.live.end else self.live.player
            if computer:
                was_interrupted = not self._let_play(computer)
                if was_interrupted:
                    continue
            else:
                self._ask()
                if self.has_quit:
                    break
            if self.file:
                # If it cannot be written now, play goes on. `run` writes it once more at the end, and reports that.
                with contextlib.suppress(Failed):
                    self.save(self.file)
        if self.live.end is None:
            print("The game is not finished.")

    def _let_play(self, computer: Player) -> bool:
        """Let the computer play its move. Return False if a person interrupts it; the computer waits then."""
        side = self.live.side
        try:
            with waiting(f"{side} thinks"):
                move = computer(self.live.state)
        except KeyboardInterrupt:
            if not self.live.people:
                raise
            self.live.stepping = True
            _say("\nThe computer waits: `go` lets it play, `quit` ends.")
            return False
        print(f"{side.capitalize()} plays {self.live.play(move)}.", flush=True)
        self.show()
        return True

    def show(self) -> None:
        """Print the board, and then how the game has ended, or the move of a person who has only one."""
        live = self.live
        if live.people and live.player and not live.end:  # the computer answers at once: its board comes next
            return
        if live.stepping:
            done, all_moves = len(live.played), len(live.played) + len(live.ahead)
            last_move = f": {self.game.text(live.played[-1])}" if live.played else ""
            print(f"Move {done} of {all_moves}{last_move}.")

        marked = live.played[-1:]  # the last move, if there is one: the board shows from where and to where it led
        board = replace(self.game.board(live.state, *marked), flipped=self.flipped)
        print(f"\n{board.text(unicode=self.unicode, colour=self.colour, numbers=self.numbers)}\n")

        end = live.end
        if end:
            if end.winner:
                print(f"{end.winner.capitalize()} wins: {end.why}.")
            else:
                print(f"A draw: {end.why}.")
            if live.people:
                _say("`new` begins another game; `back` and `undo` take moves back; `quit` ends.")
        elif live.player is None:
            texts = live.texts()
            if len(texts) == 1:
                print(f"{live.side.capitalize()} has only one move: {texts[0]}.")

    def _ask(self) -> None:
        """Ask a person for a line, and do what it says, or say why that cannot be done."""
        prompt = "over" if self.live.end else self.live.side
        line = _read(f"{prompt}> ")
        command = ""
        try:
            command, argument = understood(line)
            self._obey(command, argument)
        except (BadFen, BadMove, NotNow, Failed) as error:
            # A line of letters only was hardly meant as a move. If it is no command either, the list of commands may
            # help. Then `command` is "move", or still empty since the line could be several commands.
            is_no_command = command in ("", "move")
            needs_help = line.strip().isalpha() and is_no_command
            _say(f"{error}; help lists the commands" if needs_help else str(error))
        except KeyboardInterrupt:
            _say("\nInterrupted.")

    def _obey(self, command: str, argument: str) -> None:
        """Do what was typed: `command` and `argument` are as `understood` returns them."""
        is_empty_line = not command
        if is_empty_line:
            if self.live.stepping and self.live.ahead:
                self.do_next()
        elif command == "move":
            self.live.play(self.live.read(argument))
            self.show()
        else:
            do = COMMANDS[command]
            if _arguments(command):
                do(self, argument)
            else:
                do(self)

    # What people type besides moves, in the order of `help`, which shows their docstrings and parameters

    def do_moves(self) -> None:
        """All your moves, with their numbers."""
        moves = [f"{number:3} {text}" for number, text in enumerate(self.live.texts(), 1)]
        _print_cells(moves, "There are no moves.")

    def do_hint(self) -> None:
        """What alphabeta:3 would play."""
        with waiting("looking for a hint"):
            hint = self.live.hint()
        print(f"You could play {hint}.")

    def do_analyse(self) -> None:
        """The best lines of play, with their values."""
        with waiting("analysing"):
            analysis = self.live.analysis(_ANALYSIS_SECONDS, _ANALYSIS_LINES)
        indent = " " * 18  # `report` has 18 columns before the moves: of the value, and blanks
        for line in report(analysis):
            _say(line, indent)

    def do_undo(self) -> None:
        """Take your last turn back, and the answer to it."""
        moves = self.live.undo()
        if moves:
            print(f"Taken back: {counted(moves, 'move')}.")
        else:  # what was taken back is no move, but an agreement on a draw, or that a side has resigned
            print("The game goes on.")
        self.show()

    def do_redo(self) -> None:
        """Play again what was taken back."""
        print(f"Played again: {counted(self.live.redo(), 'move')}.")
        self.show()

    def do_back(self) -> None:
        """Step back by one move, of either side; the computer waits."""
        self.live.back()
        self.show()

    def do_next(self) -> None:
        """Step forward again; so does an empty line while you step."""
        self.live.next()
        self.show()

    def do_go(self) -> None:
        """After stepping through, let the computer move if it is its turn."""
        self.live.stepping = False
        self.show()

    def do_board(self) -> None:
        """Show the board again."""
        self.show()

    def do_flip(self) -> None:
        """Look from the other side."""
        self.flipped = not self.flipped
        self.show()

    def do_numbers(self) -> None:
        """Show or hide the numbers of all squares."""
        self.numbers = not self.numbers
        self.show()

    def do_count(self) -> None:
        """How many pieces each side has."""
        for side, pieces in self.live.count().items():
            print(f"{side.capitalize()}: {pieces}.")

    def do_history(self) -> None:
        """The moves so far."""
        words = numbered(map(self.game.text, self.live.played))
        rounds = [" ".join(words[ply : ply + 2]) for ply in range(0, len(words), 2)]
        _print_cells(rounds, "No move was played.")

    def do_fen(self) -> None:
        """The position as a line of text."""
        print(self.game.to_fen(self.live.state) or f"{self.game.name} has no FEN.")

    def do_setup(self, fen: str) -> None:
        """Begin a new game at a position."""
        if not fen:
            raise Failed("setup which position? setup FEN")
        self.begin(fen)
        self.show()

    def do_new(self) -> None:
        """Begin a new game."""
        self.begin()
        self.show()

    def do_draw(self) -> None:
        """Offer a draw."""
        live = self.live
        other = self.game.other(live.side)
        live.refuse_end()
        reason = ""  # why the other side declines
        is_computer = live.seats[other] is not None
        if is_computer:
            with waiting(f"{other} thinks"):
                reason = live.declines_draw()
        else:
            answer = _read(f"{other}, do you agree to a draw? (yes or no) ").strip().lower()
            if answer == "quit":
                self.do_quit()
                return
            if answer not in ("y", "yes"):
                reason = "the game goes on"

        if reason:
            print(f"{other.capitalize()} declines: {reason}.")
        else:
            live.agree()
            self.show()

    def do_resign(self) -> None:
        """Give the game up."""
        self.live.resign()
        self.show()

    def do_save(self, file: str) -> None:
        """Write the game to a FILE, which must be new or saved by you before."""
        path = _path(file, "save")
        try:
            not_cpl(str(path))
        except argparse.ArgumentTypeError as error:
            raise Failed(str(error)) from None
        self.save(path)
        tell(f"Saved in {path}.")

    def do_load(self, file: str) -> None:
        """Go on with the game in a FILE, or with its N-th game: load FILE N."""
        path, number = _game_of_file(file)
        self.load(path, number)
        self.show()

    def do_help(self) -> None:
        """Show this list."""
        _say("Type a move or its number, as `moves` shows them, or a command, which may be abbreviated:")
        indent = " " * 13  # two blanks, a usage of 10 characters, and a blank
        for name, command in COMMANDS.items():
            arguments = [argument.upper() for argument in _arguments(name)]
            usage = " ".join([name, *arguments])
            _say(f"  {usage:10} {summary_of_method('play', command)}", indent)

    def do_quit(self) -> None:
        """End; so does the end of the input."""
        self.has_quit = True

    # Games and files

    def begin(self, fen: str = "") -> None:
        """Begin a new game, at this position or at the start. Raises BadFen, and then nothing has changed."""
        first = self.game.from_fen(fen) if fen else None
        live = LiveGame(self.game, self.live.seats, self.plies, first)
        self._keep()
        self.live = live
        self.loaded = None
        self.tags = _tags(self.game)

    def load(self, path: Path, number: int) -> None:
        """Go on with a game of a file. Raises Failed, and then nothing has changed."""
        record = load_game(self.game, path, number)
        self._keep()
        self.live = LiveGame(self.game, self.live.seats, self.plies, record.first, record.moves)
        self.loaded = record
        self.tags = record.tags
        can_go_on = record.result in WINNERS and not self.live.end
        result = f" The file says {record.result}, but play can continue." if can_go_on else ""
        tell(f"Game {number} of {path}, after {counted(len(record.moves), 'move')}.{result}")

    def _keep(self) -> None:
        """Add the game to `earlier` when another begins, unless nobody has played in it."""
        record = self._record()
        is_as_loaded = record is self.loaded
        if record.moves and not is_as_loaded:
            self.earlier.append(write(self.game, record))

    def save(self, path: Path) -> None:
        """Write the game, whole or not at all. The file of --save gets all games of the session. A file that exists is
        overwritten only if it holds exactly what this session has saved there. Raises Failed.
        """
        with terminal.file_errors(path):
            is_file = path.is_file()
            is_new = not path.exists()  # a device exists, and is not a file: it is written to
            place = path.resolve()
            last_saved = self.saved.get(place)
            if is_file and last_saved is None:
                raise Failed(f"{path} already exists, and was not saved in this session: choose another name")

            # `read` returns one byte more if there are more, so longer contents are unequal as well.
            expected = (last_saved or "").encode(errors="backslashreplace")
            if is_file and outside.read(place, len(expected)) != expected:
                raise Failed(f"{path} was changed by another program since it was saved: choose another name")

        games = [write(self.game, self._record())]
        if path == self.file:
            games = [*self.earlier, *games]
        text = "\n".join(games)
        terminal.write(path, text, in_place=is_file, is_new=is_new)
        self.saved[place] = text

    def _record(self) -> Record:
        """The game as it stands, with the moves that a person has stepped back from. A game that was loaded stays as
        the file has it, with its players and result, until somebody plays a move or ends it.
        """
        live = self.live.whole()
        end = live.end
        if self.loaded and self.loaded.moves == live.played and not live.decision:
            return self.loaded

        # What a loaded game says of its end and its match is not true of one that went on.
        tags = {**self.tags}
        tags.pop("Termination", None)
        tags.pop("Match", None)
        for tag, side in zip(self.game.tags, self.game.sides, strict=True):
            tags[tag] = self.players[side]
        if end:
            tags["Termination"] = end.why

        remarks: dict[int, Sequence[str]] = {}
        loaded = self.loaded
        if loaded:
            for ply, texts in loaded.remarks.items():
                # A remark on a position is still true if the same moves lead to it.
                if loaded.moves[:ply] == live.played[:ply]:
                    remarks[ply] = texts
        return Record(live.states[0], live.played, tags, result_of(self.game, end), remarks)


COMMANDS: Final[Mapping[str, Callable[..., None]]] = {
    name.removeprefix("do_"): method for name, method in vars(Table).items() if name.startswith("do_")
}
"""The commands that can be typed besides moves."""


def _arguments(command: str) -> list[str]:
    """Return the parameters of a command: one at most, the rest of the line."""
    _, *parameters = signature(COMMANDS[command]).parameters
    return parameters


def _players(game: Game, options: argparse.Namespace) -> dict[str, str]:
    """Return who plays each side, as it is written on the command line."""
    for side in SIDES:
        is_named = getattr(options, side) is not None
        if is_named and side not in game.sides:
            now = called_now(game.name, side)
            advice = f"; use --{now}" if now else ""
            raise Usage(f"{missing(game.name, game.sides, side)}{advice}")

    first_side, second_side = game.sides
    first = getattr(options, first_side)
    second = getattr(options, second_side)
    if not first and not second:
        first = _PERSON_NAMES[0]
    first = first or _against(second)
    second = second or _against(first)
    return {first_side: first, second_side: second}


def _against(name: str) -> str:
    """Return who plays if only the other player is named: the computer against a person, else a person."""
    return _OPPONENT if name in _PERSON_NAMES else _PERSON_NAMES[0]


def _tags(game: Game) -> Mapping[str, str]:
    """Return the tags of a game that begins now."""
    return {"Event": game.title, "Date": time.strftime("%Y.%m.%d")}


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


def understood(line: str) -> tuple[str, str]:
    """Return the command that a line begins with, which may be shortened, and the text after it. If no command begins
    so, the line is a move: "move" and the line. Both are empty for an empty line. Raises Failed if the word may be
    several commands, or if text follows a command that takes none.
    """
    word, *after = line.split(None, 1) or [""]
    rest = after[0].strip() if after else ""
    if not word:
        return "", ""

    begin = _OTHER_NAMES.get(word.lower(), word)
    names = [name for name in COMMANDS if name.startswith(begin.lower())]
    if not names:
        return "move", line
    if len(names) > 1:
        raise Failed(f"{begin} can be {' or '.join(names)}")
    [name] = names
    if rest and not _arguments(name):
        raise Failed(f"{name} stands alone: type nothing after it")
    return name, rest


def _path(text: str, command: str) -> Path:
    """The file that a person names after a command. Raises Failed."""
    is_quoted = text[:1] in ("'", '"') and text[1:].endswith(text[0])
    if is_quoted:  # as people quote a name with blanks for a shell
        text = text[1:-1]
    if text in ("", "-") or "\0" in text:  # `-` is standard output elsewhere, and no name of a file has the sign 0
        raise Failed(f"{command} which file? {command} FILE")
    with terminal.file_errors(Path(text)):  # there may be no user as in ~nobody/FILE
        return Path(text).expanduser()


def _game_of_file(text: str) -> tuple[Path, int]:
    """Read the name of a file, and the number of a game in it, which is 1 if none is written. Raises Failed."""
    path = _path(text, "load")
    match = re.fullmatch("(.*?) +([1-9][0-9]{0,8})", text)
    if match is None or os.path.exists(path):  # the name of a file may end with a blank and a number
        return path, 1
    name, number = match.groups()
    return _path(name, "load"), int(number)


def _say(text: str, indent: str = "") -> None:
    """Print a sentence, on a terminal without breaking words."""
    print(terminal.wrapped(text, indent) if sys.stdout.isatty() else text)


def _print_cells(cells: Sequence[str], otherwise: str) -> None:
    """Print short texts in columns; a sentence, `otherwise`, if there are none."""
    if not cells:
        print(otherwise)
        return
    width = max(map(len, cells))
    gap = "  "
    per_row = (terminal.columns() + len(gap)) // (width + len(gap))  # no gap comes after the last one
    per_row = max(1, per_row)
    for start in range(0, len(cells), per_row):
        row = [cell.ljust(width) for cell in cells[start : start + per_row]]
        print(gap.join(row).rstrip())
