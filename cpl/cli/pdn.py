"""List, check and convert files of games (PDN).

examples:
  cpl pdn games.pdn                                      list the games
  cpl pdn games.pdn --player tinsley --result 1-0 --date 1987
  cpl pdn games.pdn --position B:W32:B1                  those that come to this position
  cpl pdn games.pdn --check                              is every move legal?
  cpl pdn games.pdn --number 10-20 --format pdn -o clean.pdn
  cpl pdn games.pdn --number 7 --board 12                the position after 12 plies
  cpl pdn games.pdn --number 7 --board 12 -o board.svg

Listing reads headers only, so it is quick, and counts plies without checking them. All else plays the games.
--format pdn writes every square of a capture, and lines of 80 characters. Games that cannot be read are left out, and
are named on standard error. A board is drawn as `cpl board --help` says.

exit status: 0 if all went well; 1 if a game cannot be read, or the file cannot; 2 if the command line is wrong.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cpl.cli import output, output_files
from cpl.cli.arguments import BOARD, SPEED, at_least, exclusive, option
from cpl.cli.exits import CPL_AT_FAULT, DONE, Failed, Usage
from cpl.cli.game_files import read_games
from cpl.cli.game_option import chosen_game
from cpl.cli.progress import track, waiting
from cpl.games.playable import NAMES, game_of
from cpl.outside import printable

if TYPE_CHECKING:
    from cpl.games.pdn import BadPdn, Entry

Result = TypeVar("Result")

_WIDEST: Final = 34
"""Characters of a column of the list; longer values are cut."""
_MOST_ERRORS: Final = 20
"""How many errors are reported one by one, unless the file is checked."""


def _numbers(text: str) -> tuple[int, int]:
    """A number or a range of numbers: the first and the last."""
    if not re.fullmatch(r"[1-9]\d{0,8}(-[1-9]\d{0,8})?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"expected a number or a range such as 10-20, found {text!r}")
    first, last = int(text.partition("-")[0]), int(text.rpartition("-")[2])
    if first > last:
        raise argparse.ArgumentTypeError(f"a range goes from the smaller number to the larger, found {text!r}")
    return first, last


OPTIONS: Final = (
    option("file", metavar="FILE", help="a file of games, or - for standard input"),
    option("--game", choices=NAMES, default="checkers", help="the game (default: checkers)"),
    option("--number", type=_numbers, metavar="N", help="only the N-th game, or a range such as 10-20"),
    option("--player", metavar="TEXT", help="only games of a player whose name holds this, in any case"),
    option("--event", metavar="TEXT", help="only games whose event holds this"),
    option("--result", metavar="RESULT", help="only games with this result, such as 1-0, which the first side has won"),
    option("--date", metavar="DATE", help="only games whose date begins so, such as 1987 or 1987.05"),
    option("--position", metavar="FEN", help="only games that come to this position"),
    exclusive(
        option("--check", action="store_true", help="play all games, and report every error"),
        option(
            "--format", choices=["text", "pdn", "json"], default="text", help="what to write (default: text, a list)"
        ),
        option("--board", type=at_least(0), metavar="PLIES", help="draw the position after so many plies of one game"),
    ),
    option("--no-remarks", action="store_true", help="leave out comments, marks and variations"),
    *BOARD,
    option("-o", "--output", metavar="OUT", help="write to this file; a board to *.svg as a picture"),
    *SPEED,
)


def run(options: argparse.Namespace) -> int:
    """List, check, convert or draw; the result is the exit status."""
    text = read_games(options.file)
    if options.output and options.output != "-":
        output_files.check(Path(options.output))
    errors: list[BadPdn] = []
    found = _chosen(text, options, errors)
    if options.board is not None:
        written = _board(found, options)
    elif options.check:
        written = _checked(found, options, errors)
    elif options.format == "pdn":
        written = _pdn(found, options, errors)
    elif options.format == "json":
        written = _json(found, options, errors)
    else:
        written = _list(found, errors)
    output_files.write_result(options.output, written)
    if not options.check:
        _report(options.file, errors)
    return CPL_AT_FAULT if errors else DONE


def _chosen(text: str, options: argparse.Namespace, errors: "list[BadPdn]") -> "list[Entry]":
    """The games that the options ask for."""
    from cpl.games.pdn import entries

    plays = options.check or options.format != "text" or options.board is not None or options.position
    game = chosen_game(options) if plays else game_of(options.game)
    first, last = options.number or (1, None)
    listed = islice(entries(game, text), first - 1, last)
    with waiting("reading"):
        found = [entry for entry in listed if _matches(entry, options)]
    if not found and (total := sum(1 for _ in entries(game, text))) < first:
        count = f"there is no game {first} in it: it has {total}" if total else "there is no game in it"
        raise Failed(f"{options.file}: {count}")
    if not options.position:
        return found
    wanted = game.steps(game.from_fen(options.position)).start
    lines = _tried(found, lambda entry: (entry, entry.replay().states), "looking", errors)
    return [entry for entry, states in lines if wanted in states]


def _matches(entry: "Entry", options: argparse.Namespace) -> bool:
    """Whether the headers of a game are as the options say."""
    tags = entry.tags
    players = [tags.get(tag, "").lower() for tag in entry.game.tags]
    return (
        (options.player is None or any(options.player.lower() in player for player in players))
        and (options.event is None or options.event.lower() in tags.get("Event", "").lower())
        and (options.result is None or options.result == entry.result)
        and (options.date is None or tags.get("Date", "").startswith(options.date))
    )


def _tried(
    found: "list[Entry]", get: "Callable[[Entry], Result]", what: str, errors: "list[BadPdn]"
) -> Iterator[Result]:
    """What can be got of each game; the errors of the others are added to the list."""
    from cpl.games.pdn import BadPdn

    for entry in track(found, what, len(found)):
        try:
            result = get(entry)
        except BadPdn as error:
            errors.append(error)
        else:
            yield result


def _list(found: "list[Entry]", errors: "list[BadPdn]") -> str:
    """A line for each game."""
    errors += [each for entry in found if (each := entry.fault)]
    rows = [
        (
            str(entry.number),
            " – ".join(entry.tags.get(tag, "") or "?" for tag in entry.game.tags),
            entry.tags.get("Event", ""),
            entry.tags.get("Date", ""),
            entry.result,
            str(entry.plies),
        )
        for entry in found
    ]
    heads = ("game", " – ".join(found[0].game.tags) if found else "players", "event", "date", "result", "plies")
    cells = [[_cut(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    to_right = (0, len(heads) - 1)
    lines = [
        "  ".join(
            cell.rjust(width) if at in to_right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]
    return "\n".join([*lines, "", output.count(len(found), "game"), ""])


def _cut(text: str) -> str:
    shown = printable(" ".join(text.split()))
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 1]}…"


def _checked(found: "list[Entry]", options: argparse.Namespace, errors: "list[BadPdn]") -> str:
    """A line for each error and each warning, and how many there are."""
    legal, plies = 0, 0
    warnings: list[str] = []
    for line, more in _tried(found, lambda entry: (entry.replay(), entry.warnings), "checking", errors):
        legal, plies = legal + 1, plies + len(line.moves)
        warnings += more
    lines = [f"{options.file}: {each}" for each in [*errors, *(f"warning: {each}" for each in warnings)]]
    counts = f"{output.count(len(errors), 'error')}, {output.count(len(warnings), 'warning')}"
    right = f"{output.count(legal, 'game')} with {output.count(plies, 'ply', 'plies')} legal"
    return "\n".join([*map(printable, lines), f"{output.count(len(found), 'game')}: {counts}; {right}", ""])


def _pdn(found: "list[Entry]", options: argparse.Namespace, errors: "list[BadPdn]") -> str:
    """The games as PDN."""
    from cpl.games.pdn import write

    records = _tried(found, lambda entry: entry.record, "converting", errors)
    games = (replace(record, remarks={}) if options.no_remarks else record for record in records)
    return "\n".join(write(each.first.game, each) for each in games)


def _json(found: "list[Entry]", options: argparse.Namespace, errors: "list[BadPdn]") -> str:
    """The games, and what could not be read, as JSON."""
    games = [*_tried(found, lambda entry: _data(entry, options), "converting", errors)]
    wrong = [{"line": each.line, "game": each.game, "message": each.message} for each in errors]
    return output.as_json({"games": games, "errors": wrong}) + "\n"


def _data(entry: "Entry", options: argparse.Namespace) -> dict[str, Any]:
    record, game = entry.record, entry.game
    return {
        "number": entry.number,
        "line": entry.line,
        "tags": entry.tags,
        "result": entry.result,
        "fen": game.to_fen(record.first),
        "moves": [*map(game.text, record.moves)],
    } | ({} if options.no_remarks else {"remarks": record.remarks})


def _board(found: "list[Entry]", options: argparse.Namespace) -> str:
    """The board after some plies of a game."""
    from cpl.games.pdn import BadPdn

    if len(found) != 1:
        raise Usage(f"--board draws one game, and {len(found)} are chosen: name one with --number")
    try:
        record = found[0].record
    except BadPdn as error:
        raise Failed(f"{options.file}: {error}") from None
    if options.board > len(record.moves):
        raise Usage(f"game {found[0].number} has {output.count(len(record.moves), 'move')}, not {options.board}")
    turn, move = record.first, ()
    for move in record.moves[: options.board]:
        turn = turn.game.play(turn, move)
    board = turn.game.board(turn, move) if move else turn.game.picture(turn.state)
    board = replace(board, flipped=options.flip)
    if (options.output or "").endswith(".svg"):
        return board.svg() + "\n"
    colour = not options.output and output.in_colour(sys.stdout)
    return board.text(unicode=output.in_unicode(options.ascii), colour=colour, numbers=options.numbers) + "\n"


def _report(name: str, errors: "list[BadPdn]") -> None:
    """The errors on standard error, as many as a person reads."""
    for each in errors[:_MOST_ERRORS]:
        output.say(f"cpl pdn: {name}: {each}")
    if more := len(errors) - len(errors[:_MOST_ERRORS]):
        output.say(f"cpl pdn: {name}: {output.count(more, 'more error')}; --check lists all")
