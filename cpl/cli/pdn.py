"""List, check and convert files of games (PDN).

examples:
  cpl pdn games.pdn                                      list the games
  cpl pdn games.pdn --player tinsley --result 1-0 --date 1987
  cpl pdn games.pdn --position B:W32:B1                  games that reach this position
  cpl pdn games.pdn --check                              is every move legal?
  cpl pdn games.pdn --number 10-20 --format pdn -o clean.pdn
  cpl pdn games.pdn --number 7 --board 12                the position after 12 plies
  cpl pdn games.pdn --number 7 --board 12 -o board.svg
  cpl pdn games.pdn --number 7 --board 12 --numbers 1952

The list is quick: it needs only the headers, and counts plies without checking them. Everything else plays the games.
--format pdn writes every square of a capture, in lines of up to 80 characters. Games that cannot be read are left out.
Standard error names them, and any word at which the moves of a game break off. `cpl board --help` explains the board.
Games are read and written with the official numbers of the squares, whatever numbers the board shows.

exit status: 0 if all went well; 1 if the file or a game cannot be read.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from cpl.cli import terminal
from cpl.cli.games import chosen_game, game_errors, read_games, say_messages
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed, Usage, waiting
from cpl.compiler.wording import counted
from cpl.games.moves import OFFICIAL
from cpl.games.numberings import OFFICIAL_NUMBERS
from cpl.games.pdn import BadPdn, Entry, OtherDraughts, entries, write
from cpl.games.pdn_parser import plain_result
from cpl.games.playable import game_of
from cpl.games.position import NAMES_OF_SQUARES
from cpl.outside import printable

Result = TypeVar("Result")

_WIDEST: Final = 34
"""Characters of a column of the list; longer values are cut."""


def run(options: argparse.Namespace) -> int:
    """List the games of FILE, check them, convert them, or draw a position of one. Return the exit status."""
    _check_numbering(options)
    if options.format == "text" and options.board is None and (options.output or "").lower().endswith(".pdn"):
        raise Usage(f"-o {options.output}: a list is not PDN: add --format pdn, or name the file otherwise")
    text = read_games(options.file)
    if options.output and options.output != "-":
        terminal.check_output(Path(options.output))
    errors: list[BadPdn] = []
    warnings: list[str] = []
    others = OtherDraughts()
    games = _chosen(text, options, errors, others)
    if options.board is not None:
        result = _board(games, options)
    elif options.check:
        result = _checked(games, options, errors)
    elif options.format == "pdn":
        records = _each(games, lambda entry: entry.record, "converting", errors)
        if options.no_remarks:
            records = (replace(record, remarks={}) for record in records)
        result = "\n".join(write(record.first.game, record) for record in records)
    elif options.format == "json":
        data = [*_each(games, lambda entry: _data(entry, options), "converting", errors)]
        wrong = [{"line": error.line, "game": error.game, "message": error.message} for error in errors]
        result = terminal.as_json({"games": data, "errors": wrong}) + "\n"
    else:
        with waiting("reading"):
            result = _list(games, options, errors, warnings)
    terminal.write_result(options.output, result)
    messages = [] if options.check else [*map(str, errors), *warnings]
    say_messages("cpl pdn", options.file, messages, others, game_of(options.game))
    return CPL_AT_FAULT if errors else DONE


def _check_numbering(options: argparse.Namespace) -> None:
    """Raise Usage if the command cannot show the numbers that are asked for: only boards of draughts have others."""
    if options.numbers in (None, OFFICIAL_NUMBERS):
        return
    if options.board is None:
        raise Usage(f"--numbers {options.numbers} is for a picture: add --board PLIES; moves have the official numbers")
    if game_of(options.game).notation is not OFFICIAL:
        raise Usage(
            f"--numbers {options.numbers}: the squares of {options.game} have other names than those of draughts"
        )


def _chosen(
    text: Iterator[str], options: argparse.Namespace, errors: list[BadPdn], others: OtherDraughts
) -> Iterator[Entry]:
    """Yield the games that the options ask for, one after the other. Raises Failed if there are none of their number.

    Whoever keeps them all needs much more memory than the text.
    """
    is_played = options.check or options.format != "text" or options.board is not None or options.position
    game = chosen_game(options, searches=False) if is_played else game_of(options.game)
    first, last = options.number or (1, None)
    wanted = None
    if options.position:
        wanted = game.steps(game.from_fen(options.position)).start
    total = 0
    for entry in entries(game, text):
        total = entry.text.number
        if last and total > last:
            break
        if total < first or not _matches(entry, options):
            continue
        try:
            if wanted is not None and wanted not in entry.replay().states:
                continue
        except BadPdn as error:
            errors.append(error)
            continue
        others.look_at(entry)
        yield entry
    if total < first:
        reason = f"there is no game {first} in it: it has {total}" if total else "there is no game in it"
        raise Failed(f"{terminal.shown_input(options.file)}: {reason}")


def _matches(entry: Entry, options: argparse.Namespace) -> bool:
    """Tell whether the headers of a game are as the options say."""
    tags = entry.tags
    if options.player is not None:
        players = [tags.get(tag, "").lower() for tag in entry.game.tags]
        if not any(options.player.lower() in player for player in players):
            return False
    if options.event is not None and options.event.lower() not in tags.get("Event", "").lower():
        return False
    if options.result is not None and plain_result(options.result) != entry.result:
        return False
    return options.date is None or tags.get("Date", "").startswith(options.date)


def _each(
    games: Iterator[Entry], get: Callable[[Entry], Result], description: str, errors: list[BadPdn]
) -> Iterator[Result]:
    """Yield a value of each game; the errors of games that cannot be read are added to the list."""
    with waiting(description):
        for entry in games:
            try:
                yield get(entry)
            except BadPdn as error:
                errors.append(error)


def _list(games: Iterator[Entry], options: argparse.Namespace, errors: list[BadPdn], warnings: list[str]) -> str:
    """A line for each game. What is wrong with the games is added to the lists."""
    game = game_of(options.game)
    rows: list[tuple[str, ...]] = [("game", " – ".join(game.tags), "event", "date", "result", "plies")]
    for entry in games:
        fault = entry.fault
        if fault:
            errors.append(fault)
        else:
            warnings += [f"warning: {warning}" for warning in entry.text_warnings]

        number = str(entry.text.number)
        players = " – ".join(entry.tags.get(tag, "") or "?" for tag in game.tags)
        event = entry.tags.get("Event", "")
        date = entry.tags.get("Date", "")
        plies = str(len(entry.text.moves))
        cells = (number, players, event, date, entry.result, plies)
        row = tuple(sys.intern(_cut(cell)) for cell in cells)  # many games have the same cells: that saves memory
        rows.append(row)

    first, *middle, last = (max(map(len, column)) for column in zip(*rows, strict=True))
    layout = "  ".join([f"{{:>{first}}}", *(f"{{:{width}}}" for width in middle), f"{{:>{last}}}"])
    lines = [layout.format(*row) for row in rows]
    return "\n".join([*lines, "", counted(len(rows) - 1, "game"), ""])


def _cut(text: str) -> str:
    """A cell of the list, on one line and not too wide."""
    shown = printable(" ".join(text.split()))
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 1]}…"


def _checked(games: Iterator[Entry], options: argparse.Namespace, errors: list[BadPdn]) -> str:
    """A line for each error and each warning, and how many there are."""

    def plies_and_warnings(entry: Entry) -> tuple[int, list[str]]:
        return len(entry.replay().moves), entry.warnings

    warnings: list[str] = []
    legal = plies = 0
    for plies_of_game, warnings_of_game in _each(games, plies_and_warnings, "checking", errors):
        legal += 1
        plies += plies_of_game
        warnings += [f"warning: {warning}" for warning in warnings_of_game]
    lines = [printable(f"{terminal.shown_input(options.file)}: {fault}") for fault in (*errors, *warnings)]
    counts = f"{counted(len(errors), 'error')}, {counted(len(warnings), 'warning')}"
    right = f"{counted(legal, 'game')} with {counted(plies, 'ply', 'plies')} legal"
    all_games = legal + len(errors)  # each game has one error at the most
    return "\n".join([*lines, f"{counted(all_games, 'game')}: {counts}; {right}", ""])


def _data(entry: Entry, options: argparse.Namespace) -> dict[str, Any]:
    """A game as plain data."""
    record, game = entry.record, entry.game
    data = {
        "number": entry.text.number,
        "line": entry.text.line_at(entry.text.offset),
        "tags": entry.tags,
        "result": entry.result,
        "fen": game.to_fen(record.first),
        "moves": [*map(game.text, record.moves)],
        "warnings": entry.warnings,
    }
    if not options.no_remarks:
        data["remarks"] = record.remarks
    return data


def _board(games: Iterator[Entry], options: argparse.Namespace) -> str:
    """The board after some plies of a game."""
    entry = next(games, None)
    others = sum(1 for _ in games)
    if entry is None or others:
        raise Failed(f"--board draws one game, and {others + bool(entry)} are chosen: name one with --number")
    with game_errors(options.file):
        record = entry.record
    if options.board > len(record.moves):
        raise Failed(f"game {entry.text.number} has {counted(len(record.moves), 'move')}, not {options.board}")
    turn, move = record.first, ()
    for move in record.moves[: options.board]:
        turn = turn.game.play(turn, move)
    board = replace(turn.game.board(turn, move), flipped=options.flip)
    if options.numbers and turn.game.notation is OFFICIAL:
        board = replace(board, labels=NAMES_OF_SQUARES[options.numbers])
    if (options.output or "").endswith(".svg"):
        return board.svg() + "\n"
    text = board.text(
        unicode=terminal.in_unicode(options.ascii),
        colour=not options.output and terminal.in_colour(sys.stdout),
        numbers=bool(options.numbers),
    )
    return text + "\n"
