"""Find the best moves of a position, or the mistakes of whole games.

examples:
  cpl analyse                                            the first position of checkers
  cpl analyse B:W18,26:B11,K2 --lines 3                  a position as FEN, with the three best moves
  cpl analyse games.pdn --number 12 --ply 40             game 12 of a file, after 40 plies
  cpl analyse games.pdn --seconds 60 --format json
  cpl pdn games.pdn --number 12 --format pdn | cpl analyse -
  cpl analyse games.pdn --all --depth 9 -o annotated.pdn
                                                         every position of every game, with the missed moves

The search looks 1 ply ahead, then 2, 3 and so on until the time is over. At a terminal every finished depth is shown,
with a row for each of the --lines. Each value is for the side to move: +1.50 means that this side is ahead by a man and
a half. Up to three kings against one are looked up in a table, whose values are exact.

--all writes the games as PDN again, with a comment for each position that names the side that is ahead, as in 22-17
{Black +1.50}. A move is a mistake if it is worth less than the best one by half a man or more, gives away a win, or
loses where another move does not. Its comment also has the better move: {White +0.98; better 10-15, Black +0.12}.
--seconds and --depth are for each position, and again for each move that may be a mistake. A terminal shows the
mistakes, a line each. Games that cannot be read are left out, and standard error names them. Ctrl-C keeps the games
that are finished.

exit status: 0 if all went well; 1 if a file, or with --all a game, cannot be read.
"""

import argparse
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TextIO

from cpl.cli import terminal
from cpl.cli.commands import TIME_TO_SEARCH
from cpl.cli.games import chosen_game, load_game, read_games, say_messages
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed, Usage, waiting
from cpl.compiler.wording import counted
from cpl.games.analysis import Analysis, Line, analyse
from cpl.games.annotation import Judged, annotated, better_in_words, judge, name_of, value_in_words
from cpl.games.game import Game, Turn
from cpl.games.live import LiveGame
from cpl.games.pdn import BadPdn, Entry, OtherDraughts, Record, entries, write

_OF_A_POSITION: Final = (("number", "--number"), ("ply", "--ply"))
"""Options that name a position of a file, and so mean nothing with --all."""


def run(options: argparse.Namespace) -> int:
    """Analyse a position or, with --all, games; the result is the exit status. Raises BadFen."""
    if options.all:
        return _annotate(options)
    _analyse(options)
    return DONE


def _seconds(options: argparse.Namespace) -> float | None:
    """Return the time of a search, None if only its depth is limited."""
    if options.seconds or options.depth:
        seconds: float | None = options.seconds
        return seconds
    return TIME_TO_SEARCH


# A position


def _analyse(options: argparse.Namespace) -> None:
    """Analyse a position. Raises BadFen."""
    game = chosen_game(options, searches=True)
    turn = _turn(game, options)
    end = game.end(turn)
    if end:
        raise Usage(f"the game is over here: {end.why}")
    is_live = sys.stdout.isatty() and options.format == "text"
    analysis = None
    if is_live:
        print(f"depth{'value':>13}{'time':>10}{'positions':>11}  {turn.side.capitalize()} to move", flush=True)
    try:
        for analysis in analyse(turn, seconds=_seconds(options), depth=options.depth, lines=options.lines):
            if is_live:
                _show_depth(analysis)
    finally:  # what was found until an interruption is a result, too
        if analysis and options.format == "json":
            print(terminal.as_json(_data(analysis)))
        elif analysis and not is_live:
            print("\n".join(report(analysis)))


def _turn(game: Game, options: argparse.Namespace) -> Turn:
    """The state that the command line names. Raises Usage, Failed or BadFen."""
    text: str | None = options.position
    if text and _is_file(text):
        number = options.number or 1
        record = load_game(game, text, number)
        plies = len(record.moves) if options.ply is None else options.ply
        if plies > len(record.moves):
            raise Failed(f"--ply {plies}: game {number} of {text} has {counted(len(record.moves), 'ply', 'plies')}")
        return LiveGame(game, {}, first=record.first, moves=record.moves[:plies]).state
    if text and text.lower().endswith(".pdn"):
        raise Failed(f"there is no file {text}")
    if options.number or options.ply is not None:
        raise Usage(f"{'--number' if options.number else '--ply'} is for a game of a file: name the file")
    return game.start() if text is None else game.from_fen(text)


def _is_file(name: str) -> bool:
    """Tell whether a name is that of a file of games that is there, or of standard input."""
    return name == "-" or (os.path.exists(name) and not os.path.isdir(name))


def _show_depth(analysis: Analysis) -> None:
    """Print one depth as soon as it is finished, a row for each line of play; long ones go on below."""
    depth = f"{analysis.depth:3}"
    effort = f"{analysis.seconds:7.1f} s {analysis.nodes:10,}"
    for line in analysis.lines:
        row = f"{depth:3} {_value(line):>14} {effort:20}  {_moves(analysis, line)}"
        print(terminal.wrapped(row, " " * 41), flush=True)
        depth = effort = ""


def report(analysis: Analysis) -> list[str]:
    """The lines of an analysis, the best first, under a heading."""
    game, turn = analysis.turn.game, analysis.turn
    depth = counted(analysis.depth, "ply", "plies")
    effort = f"{depth} ahead, {analysis.nodes:,} positions in {analysis.seconds:.1f} s"
    width = max(len(game.text(line.moves[0])) for line in analysis.lines)
    rows = (f"  {_value(line):>14}  {_moves(analysis, line, width)}" for line in analysis.lines)
    return [f"{turn.side.capitalize()} to move, {effort}:", *rows]


def _moves(analysis: Analysis, line: Line, width: int = 0) -> str:
    """The moves of a line of play, of which the first has a column of its own."""
    first, *rest = map(analysis.turn.game.text, line.moves)
    return f"{first:{width}} {' '.join(rest)}".rstrip()


def _value(line: Line) -> str:
    """The value of a line of play: its end if that is known, else in men."""
    if line.plies is None:
        return f"{line.value / 100:+.2f}"
    outcome = "wins" if line.value > 0 else "loses"
    return f"{outcome} in {counted(line.plies, 'ply', 'plies')}"


def _data(analysis: Analysis) -> dict[str, Any]:
    """The analysis as plain data."""
    game = analysis.turn.game
    return {
        "game": game.name,
        "position": game.to_fen(analysis.turn) or None,
        "side": analysis.turn.side,
        "depth": analysis.depth,
        "positions": analysis.nodes,
        "seconds": round(analysis.seconds, 3),
        "lines": [_line_data(game, line) for line in analysis.lines],
    }


def _line_data(game: Game, line: Line) -> dict[str, Any]:
    """A line of play as plain data. One whose end is known has no value in men."""
    is_end_known = line.plies is not None
    return {
        "value": None if is_end_known else round(line.value / 100, 4),
        "wins": line.value > 0 if is_end_known else None,
        "plies": line.plies,
        "moves": [*map(game.text, line.moves)],
    }


# All games of a file


@dataclass(frozen=True)
class _Game:
    """A game whose positions have been searched."""

    entry: Entry
    record: Record
    positions: list[Judged]


def _annotate(options: argparse.Namespace) -> int:
    """Annotate the games of a file; the result is the exit status. Raises Usage, Failed or KeyboardInterrupt."""
    name = _file_of_all(options)
    game = chosen_game(options, searches=True)
    text = read_games(name)
    output = None if options.output == "-" else options.output
    if output:
        terminal.check_output(Path(output))
    errors: list[BadPdn] = []
    others = OtherDraughts()
    finished: list[Any] = []  # what is written of each game, as its positions need much more memory
    is_interrupted = False
    try:
        for entry in entries(game, text):
            others.look_at(entry)
            try:
                record = entry.record
            except BadPdn as error:
                errors.append(error)
                continue
            judged = _Game(entry, record, _positions(record, entry, options))
            finished.append(_game_data(judged) if options.format == "json" else _game_text(judged))
            _show_mistakes(judged, options)
    except KeyboardInterrupt:
        is_interrupted = True
    if finished:
        terminal.write_result(output, _in_one_text(finished, errors, options))
    say_messages("cpl analyse", name, [*map(str, errors)], others, game)
    if is_interrupted:
        kept = f"{counted(len(finished), 'finished game')} written" if finished else "no game was finished"
        raise KeyboardInterrupt(f"{kept} to {output}" if finished and output else kept)
    if not finished:
        raise Failed(f"{terminal.shown_input(name)}: no game in it can be read, so nothing is written")
    return CPL_AT_FAULT if errors else DONE


def _file_of_all(options: argparse.Namespace) -> str:
    """Return the name of the file whose games are annotated. Raises Usage if the command line has none, or names one
    position of it.
    """
    name: str | None = options.position
    if name is None:
        raise Usage("--all is for the games of a file: name the file, or - for standard input")
    if not _is_file(name):
        raise Failed(f"--all is for the games of a file, and there is no file {name}")
    for field, option in _OF_A_POSITION:
        if getattr(options, field) is not None:
            raise Usage(f"{option} names one position, and --all takes every position of all games: leave one out")
    if options.lines > 1:
        raise Usage("--lines is for one position: --all has the best line of each")
    return name


def _positions(record: Record, entry: Entry, options: argparse.Namespace) -> list[Judged]:
    """Search the positions of a game, and show how far that is."""
    positions: list[Judged] = []
    with waiting(f"game {entry.text.number}", lambda: len(positions), len(record.moves) + 1):
        for position in judge(record, seconds=_seconds(options), depth=options.depth):
            positions.append(position)  # one by one, so that the progress is seen
    return positions


def _show_mistakes(game: _Game, options: argparse.Namespace) -> None:
    """Print the mistakes of a game, on standard error if the games go to standard output. If that fails, the games are
    written all the same: the end of the command reports it.
    """
    goes_to_a_file = options.output and options.output != "-"
    stream: TextIO = sys.stdout if goes_to_a_file else sys.stderr
    if options.verbose or stream.isatty():
        with suppress(OSError):
            for line in _mistakes(game):
                print(line, file=stream, flush=True)


def _mistakes(game: _Game) -> list[str]:
    """Return a line for each mistake of a game."""
    lines = []
    for ply, (position, after) in enumerate(pairwise(game.positions)):
        if position.is_mistake and position.played:
            turn = position.turn
            place = f"game {game.entry.text.number}, move {ply // 2 + 1}, {name_of(turn.game, turn.side)}"
            move = f"{turn.game.text(position.played)}, {value_in_words(after)}"
            lines.append(f"{place}: {move}; {better_in_words(position)}")
    return lines


def _in_one_text(games: list[Any], errors: list[BadPdn], options: argparse.Namespace) -> str:
    """Return the games, as text of PDN or as data for JSON, in one text."""
    if options.format == "json":
        wrong = [{"line": error.line, "game": error.game, "message": error.message} for error in errors]
        return terminal.as_json({"games": games, "errors": wrong}) + "\n"
    return "\n".join(games)


def _game_text(game: _Game) -> str:
    """The game as PDN, with its comments."""
    return write(game.record.first.game, annotated(game.record, game.positions))


def _game_data(game: _Game) -> dict[str, Any]:
    """The game as plain data. There is no best line of play where the game is over."""
    positions = []
    for position in game.positions:
        turn = position.turn
        positions.append(
            {
                "position": turn.game.to_fen(turn) or None,
                "side": turn.side,
                "depth": position.depth,
                "best": _line_data(turn.game, position.best) if position.best else None,
                "played": turn.game.text(position.played) if position.played else None,
                "mistake": position.is_mistake,
            }
        )
    return {
        "number": game.entry.text.number,
        "tags": game.entry.tags,
        "result": game.entry.result,
        "positions": positions,
    }
