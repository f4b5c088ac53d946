"""Compare the rules of a checkers program with those of English draughts.

examples:
  cpl rules strachey.cpl                      at 4000 positions, half from play at random, half scattered
  cpl rules strachey.cpl --positions 20000    at more; with --seed 1 at others
  cpl rules strachey.cpl --verbose            the same, with the simplest example of each difference
  cpl rules strachey.cpl --depth 7            along all lines of play from the start, to where they part
  cpl rules strachey.cpl --fen W:W12:B7,K8    at one position: White, to move, on 12, Black on 7, a king on 8

The positions that LegalPositionsFrom gives are compared with those of pydraughts, an independent program that knows the
official rules (pip install 'cplc[rules]'). Squares have the official numbers: 1 to 4 is Black's first row, 29 to 32
White's. A capture is written with every square that it touches, as 11x18x25.

exit status: 0 if each difference is of a known kind; 1 if one is not, or the program is at fault.
"""

import argparse
from itertools import pairwise
from typing import Any, Final

from cplrt.checkers import is_position

from cpl import compiler, readings
from cpl.cli import terminal
from cpl.cli.program import compiled_game, guard
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed, count, track
from cpl.cli.texts import read_input
from cpl.compare.inputs import positions as drawn
from cpl.compare.rules import MEANING, PositionComparison, compare, compare_plies, exchanges, tallies
from cpl.games.board import picture
from cpl.games.moves import names
from cpl.games.pdn_text import numbered
from cpl.games.position import Moves, Position, from_fen, to_fen
from cpl.semantics.whole_program import CALL

_REPEATED: Final = "list a next position more than once, as captures in different orders lead to it (both do)"
_POSITIONS_SHOWN: Final = 20


def run(options: argparse.Namespace) -> int:
    """Compare; the result is the exit status."""
    compare = _compare_plies if options.depth else _compare_positions if options.fen is None else _compare_one
    is_explained, data = compare(options)
    if options.format == "json":
        reading = (options.reading or readings.DEFAULT).mixture
        print(terminal.as_json({"file": options.file, "reading": reading, **data}))
    return DONE if is_explained else CPL_AT_FAULT


def _compare_one(options: argparse.Namespace) -> tuple[bool, dict[str, Any]]:
    """Compare at the position of --fen, and print the comparison if it is wanted as text. The result, as of those that
    follow, is whether all differences are of a known kind, and the comparison as data.
    """
    data = _data(compare(_game(options)[0], from_fen(options.fen)))
    if options.format == "text":
        _show(data, board=options.verbose)
    return data["kind"] != "unexplained", data


def _compare_positions(options: argparse.Namespace) -> tuple[bool, dict[str, Any]]:
    """Compare at many positions: how often each kind of difference occurs, with the smallest example of each."""
    moves, start = _game(options)
    positions = drawn(moves, start, options.positions, options.seed)
    tally, repeats = tallies(
        track((compare(moves, position) for position in positions), "comparing", options.positions)
    )
    kinds = {
        kind: {"count": tally.counts[kind], "says": meaning, "smallest": _data(tally.smallest(kind))}
        for kind, meaning in MEANING.items()
    }
    repeated = {"count": repeats.counts[True], "says": _REPEATED, "smallest": _data(repeats.smallest(True))}
    total = tally.counts.total()
    if options.format == "text":
        print(f"{count(total, 'position')}, half from play, half scattered (seed {options.seed})")
        print(*(f"{row['count']:6}  {row['says']}" for row in kinds.values()), sep="\n")
        if options.verbose or repeated["count"]:
            print(f"of all these positions\n{repeated['count']:6}  {_REPEATED}")
        for kind in (*MEANING,)[1:] if options.verbose else ("unexplained",):
            _show(kinds[kind]["smallest"], "The difference with the fewest pieces:")
        if options.verbose:
            _show(repeated["smallest"], "A position listed more than once, with the fewest pieces:")
    data = {"seed": options.seed, "positions": total, "kinds": kinds, "repeated": repeated}
    return not tally.counts["unexplained"], data


def _compare_plies(options: argparse.Namespace) -> tuple[bool, dict[str, Any]]:
    """Compare along all lines of play from the start, to where the program and the rules part."""
    moves, start = _game(options)
    plies, counts = [], []
    if options.format == "text":
        print("moves     program    official   positions one move earlier at which they differ")
    for ply in compare_plies(moves, start, options.depth, lambda level: track(level, "counting", len(level))):
        plies.append(ply)
        counts.append(
            {"moves": ply.depth, "program": ply.program, "official": ply.official, "differing": len(ply.differing)}
        )
        if options.format == "text":
            print("{moves:5}  {program:10}  {official:10}   {differing}".format(**counts[-1]), flush=True)
    comparisons = (compare(moves, position) for ply in plies for position in ply.differing)
    unexplained = _data(next((comparison for comparison in comparisons if comparison.kind == "unexplained"), None))
    where = None
    if parting := next((ply for ply in plies if ply.differing), None):
        line = (names(before, [after])[0] for before, after in pairwise(parting.line))
        differences = [
            {
                "lines": exchange.lines,
                "program_replies": exchange.program_replies,
                "official_replies": exchange.official_replies,
                **_data(exchange.comparison),
            }
            for exchange in exchanges(moves, parting)
        ]
        where = {"move": parting.depth, "line": " ".join(numbered(line)), "differences": differences}
    if options.format == "text":
        _show_parting(where)
        _show(unexplained, "A difference that nothing explains:")
    return not unexplained, {"counts": counts, "parting": where, "unexplained": unexplained}


def _game(options: argparse.Namespace) -> "tuple[Moves, Position]":
    """The function that gives the program's next positions, checked, and where it starts. Raises Failed."""
    advice = "define both: cpl rules compares them with the rules of English draughts"
    source = read_input(options.file)

    def game() -> list[Any]:
        module = compiled_game(source, options, "StartPosition", "LegalPositionsFrom", advice).module()
        return [compiler.inner(module, f"{CALL}{number}")() for number in (1, 2)]

    start, function = guard(game)
    if not is_position(start) or not callable(function):
        raise Failed(f"{options.file}: expected a position (X,Y,K,σ) StartPosition, and a function LegalPositionsFrom")

    def moves(position: Position) -> "list[Position]":
        after = guard(lambda: function(position), TypeError)  # of a function that is none for moves
        if not isinstance(after, list) or not all(map(is_position, after)):
            raise Failed(f"{options.file}: what LegalPositionsFrom gives is not a list of positions (X,Y,K,σ)")
        return after

    return moves, start


def _data(comparison: "PositionComparison | None") -> Any:
    """A comparison as data; null if there is none."""
    return comparison and {
        "fen": to_fen(comparison.position),
        "kind": comparison.kind,
        "program": names(comparison.position, comparison.program),
        "official": names(comparison.position, comparison.official),
    }


def _show(data: dict[str, Any] | None, heading: str = "", *, board: bool = True) -> None:
    """Print a position, if there is one, and what either plays there."""
    if not data:
        return
    if heading:
        print(f"\n{heading}\n")
    if board:
        print(f"{picture(from_fen(data['fen']))}\n")
    program, official = (" ".join(data[side]) or "no move" for side in ("program", "official"))
    print(f"FEN       {data['fen']}\nprogram   {program}\nofficial  {official}")
    print(f"{data['kind']}: {MEANING[data['kind']]}")


def _show_parting(where: dict[str, Any] | None) -> None:
    """Print the line of play to where they part first, and what is exchanged at that move."""
    if where is None:
        print("The program and the official rules agree at every length.")
        return
    move, differences = where["move"], where["differences"]
    line = f", for example after {where['line']}" if where["line"] else ""
    _show(differences[0], f"They first differ at move {move}{line}:")
    print(f"\nMoves that only one of them allows at move {move}, and how many replies each has:")
    print("lines  official         replies  program          replies  where")
    for row in differences[:_POSITIONS_SHOWN]:
        program, official = row["program"], row["official"]
        only_official = " ".join(move for move in official if move not in program) or "none"
        only_program = " ".join(move for move in program if move not in official) or "none"
        replies = f"{only_official:15}  {row['official_replies']:7}  {only_program:15}  {row['program_replies']:7}"
        print(f"{row['lines']:5}  {replies}  {row['fen']}")
    if len(differences) > _POSITIONS_SHOWN:
        print(f"and at {count(len(differences) - _POSITIONS_SHOWN, 'more position')}")
    lines = sum(row["lines"] for row in differences)
    gain = sum(row["lines"] * (row["program_replies"] - row["official_replies"]) for row in differences)
    print(f"{lines:5}  lines, which make {abs(gain)} {'more' if gain > 0 else 'fewer'} at move {move + 1}")
