"""Find the best moves of a position.

examples:
  cpl analyse                                            the first position of checkers
  cpl analyse B:W18,26:B11,K2 --lines 3                  a position as FEN, with the three best moves
  cpl analyse games.pdn --number 12 --ply 40             game 12 of a file, after 40 plies
  cpl analyse games.pdn --seconds 60 --format json
  cpl pdn games.pdn --number 12 --format pdn | cpl analyse -

The search looks 1 ply ahead, then 2, 3 and so on until the time is over. At a terminal every finished depth is shown,
with a row for each of the --lines. Each value is for the side to move: +1.50 means that this side is ahead by a man and
a half. Up to three kings against one are looked up in a table, whose values are exact.

exit status: 0 if all went well; 1 if a file cannot be read.
"""

import argparse
import os
import sys
from typing import Any

from cpl.cli import terminal
from cpl.cli.commands import TIME_TO_SEARCH
from cpl.cli.games import chosen_game, load_game
from cpl.cli.terminal import Usage
from cpl.compiler.wording import counted
from cpl.games.analysis import Analysis, Line, analyse
from cpl.games.game import Game, Turn
from cpl.games.live import LiveGame


def run(options: argparse.Namespace) -> None:
    """Analyse. Raises BadFen."""
    game = chosen_game(options)
    turn = _turn(game, options)
    end = game.end(turn)
    if end:
        raise Usage(f"the game is over here: {end.why}")
    seconds = options.seconds
    if not seconds and not options.depth:
        seconds = TIME_TO_SEARCH
    is_live = sys.stdout.isatty() and options.format == "text"
    analysis = None
    if is_live:
        print(f"depth{'value':>13}{'time':>10}{'positions':>11}  {turn.side.capitalize()} to move", flush=True)
    try:
        for analysis in analyse(turn, seconds=seconds, depth=options.depth, lines=options.lines):
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
    if text == "-" or (text and os.path.exists(text) and not os.path.isdir(text)):
        number = options.number or 1
        record = load_game(game, text, number)
        plies = len(record.moves) if options.ply is None else options.ply
        if plies > len(record.moves):
            raise Usage(f"--ply {plies}: game {number} of {text} has {counted(len(record.moves), 'ply', 'plies')}")
        return LiveGame(game, {}, first=record.first, moves=record.moves[:plies]).state
    if text and text.lower().endswith(".pdn"):
        raise Usage(f"there is no file {text}")
    if options.number or options.ply is not None:
        raise Usage(f"{'--number' if options.number else '--ply'} is for a game of a file: name the file")
    return game.start() if text is None else game.from_fen(text)


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
    """The analysis as plain data. A line of play whose end is known has no value in men."""
    game = analysis.turn.game
    lines = []
    for line in analysis.lines:
        is_end_known = line.plies is not None
        lines.append(
            {
                "value": None if is_end_known else round(line.value / 100, 4),
                "wins": line.value > 0 if is_end_known else None,
                "plies": line.plies,
                "moves": [*map(game.text, line.moves)],
            }
        )
    return {
        "game": game.name,
        "position": game.to_fen(analysis.turn) or None,
        "side": analysis.turn.side,
        "depth": analysis.depth,
        "positions": analysis.nodes,
        "seconds": round(analysis.seconds, 3),
        "lines": lines,
    }
