"""`cpl rules`: how far a program's rules are from those of English draughts."""

import argparse
import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from cpl.cli import common

if TYPE_CHECKING:
    from cpl.kit.parting import Ply
    from cpl.kit.perft import Moves
    from cpl.kit.positions import Position
    from cpl.kit.rules import Comparison

WHAT: Final = "compare the rules of a checkers program with those of English draughts"
MORE: Final = """\
examples:
  cpl rules strachey.cpl                            at 4000 positions, half from play at random, half scattered
  cpl rules strachey.cpl --positions 20000 --seed 1    at others, and more
  cpl rules strachey.cpl --depth 7                  in all lines of play from the start, and where the two part
  cpl rules strachey.cpl --fen W:W12:B7,K8          at one position: White, to move, on 12, Black on 7, a king on 8

What the program's LegalPositionsFrom gives is held against pydraughts, an independent program that knows the official
rules (pip install 'cplc[rules]'). Squares have the official numbers: 1 to 4 is Black's first row, 29 to 32 White's.
A capture is written with each square that it touches, as 11x18x25.

exit status: 0 if each difference is of a known kind; 1 if one is not, or the program is at fault.
"""


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of `cpl rules`."""
    common.add_text_options(made)
    made.add_argument("file", metavar="FILE", help="a program that defines LegalPositionsFrom and StartPosition")
    made.add_argument(
        "--positions", type=_count, default=4000, metavar="N", help="how many to compare at (default: 4000)"
    )
    made.add_argument("--seed", type=int, default=0, metavar="S", help="which positions (default: 0)")
    instead = made.add_mutually_exclusive_group()
    instead.add_argument("--depth", type=_count, metavar="D", help="count the lines of play to this length instead")
    instead.add_argument("--fen", metavar="FEN", help="compare at this position instead")
    made.add_argument("--format", choices=["text", "json"], default="text", help="how to report (default: text)")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def run(options: argparse.Namespace) -> int:
    """Compare; the result is the exit status."""
    from cpl.kit.notation import BadFen
    from cpl.kit.oracle import NoOracle

    try:
        match options:
            case argparse.Namespace(depth=int()):
                return _depth(options)
            case argparse.Namespace(fen=str()):
                return _one(options)
            case _:
                return _many(options)
    except BadFen as error:
        raise common.Usage(str(error)) from None
    except NoOracle as error:
        raise common.Failed(str(error)) from None


def _many(options: argparse.Namespace) -> int:
    from cpl.cli.progress import track
    from cpl.kit.positions import sample
    from cpl.kit.rules import MEANING, Kind, compare, survey

    moves, start = _game(options)
    positions = sample(moves, start, options.positions, options.seed)
    found = survey(track((compare(moves, each) for each in positions), "comparing", len(positions)))
    if options.format == "json":
        kinds = {
            kind: {"count": found.counts[kind], "says": MEANING[kind], "smallest": _data(found.witnesses.get(kind))}
            for kind in Kind
        }
        repeated = {"count": found.repeats, "says": _REPEATED, "smallest": _data(found.repeated)}
        _print_json({"positions": len(positions), "seed": options.seed, "kinds": kinds, "repeated": repeated})
    else:
        print(f"{len(positions)} positions, half from play, half scattered (seed {options.seed})")
        for kind in Kind:
            print(f"{found.counts[kind]:6}  {MEANING[kind]}")
        print(f"of all of them,\n{found.repeats:6}  {_REPEATED}")
        for kind, witness in found.witnesses.items():
            if kind is not Kind.SAME:
                _show(witness, f"{kind}, the one with the fewest pieces:")
        if found.repeated:
            _show(found.repeated, "a position listed more than once, the one with the fewest pieces:")
    return common.CPL_AT_FAULT if found.counts[Kind.UNEXPLAINED] else common.DONE


_REPEATED: Final = "list a position more than once, as captures in different order lead to it (both do)"


def _one(options: argparse.Namespace) -> int:
    from cpl.kit.notation import from_fen
    from cpl.kit.rules import MEANING, Kind, compare

    position = from_fen(options.fen)
    moves, _ = _game(options)
    found = compare(moves, position)
    if options.format == "json":
        _print_json(_data(found))
    else:
        _show(found)
        print(f"{found.kind}: {MEANING[found.kind]}")
    return common.CPL_AT_FAULT if found.kind is Kind.UNEXPLAINED else common.DONE


def _depth(options: argparse.Namespace) -> int:
    from cpl.cli.progress import track
    from cpl.kit.parting import abreast
    from cpl.kit.rules import Kind, compare

    moves, start = _game(options)
    as_text = options.format == "text"
    plies: list[Ply] = []
    unexplained: Comparison | None = None
    if as_text:
        print("moves     program    official   positions before the last move that differ")
    for ply in abreast(moves, start, options.depth, lambda level: track(level, "counting", len(level))):
        plies.append(ply)
        if as_text:
            print(f"{ply.depth:5}  {ply.program:10}  {ply.official:10}   {len(ply.differing)}", flush=True)
        compared = (compare(moves, each) for each in ply.differing)
        unexplained = unexplained or next((each for each in compared if each.kind is Kind.UNEXPLAINED), None)
    parting = next((ply for ply in plies if ply.differing), None)
    if as_text:
        _show_parting(moves, parting)
        if unexplained:
            _show(unexplained, "a difference that is not explained:")
    else:
        counts = [
            {"moves": ply.depth, "program": ply.program, "official": ply.official, "differing": len(ply.differing)}
            for ply in plies
        ]
        where = parting and {"line": _movetext(parting.line), **_data(compare(moves, parting.line[-1]))}
        _print_json({"counts": counts, "parting": where, "unexplained": unexplained and _data(unexplained)})
    return common.CPL_AT_FAULT if unexplained else common.DONE


def _game(options: argparse.Namespace) -> "tuple[Moves, Position]":
    """What gives the program's next positions, and where it starts; faults of the program are told as such."""
    from cplrt import CplFault

    from cpl import compiler
    from cpl.cli.faults import failed
    from cpl.cli.input import read_input

    def guarded(job: Any, *arguments: Any) -> Any:
        try:
            return job(*arguments)
        except (CplFault, RecursionError, MemoryError, TypeError, ValueError) as error:
            raise failed(error) from error

    def moves(position: "Position") -> "list[Position]":
        after = guarded(given, position)
        if not isinstance(after, list) or not all(map(_is_position, after)):
            raise common.Failed(f"{options.file}: what LegalPositionsFrom gives is no list of positions (X,Y,K,σ)")
        return after

    source = read_input(options.file)
    start, given = guarded(compiler.evaluate, source, "(StartPosition,LegalPositionsFrom)", options.library)
    if not _is_position(start) or not callable(given):
        raise common.Failed(
            f"{options.file}: StartPosition is no position (X,Y,K,σ), or LegalPositionsFrom no function"
        )
    return moves, start


def _is_position(value: Any) -> bool:
    """Whether it is three bit strings that end, and 1 or −1."""
    from cplrt import Logical

    match value:
        case (Logical() as own, Logical() as other, Logical() as kings, 1 | -1):
            return all(each.bits >= 0 for each in (own, other, kings))
        case _:
            return False


def _show(found: "Comparison", heading: str = "") -> None:
    from cpl.games.board import strachey
    from cpl.kit.notation import names, to_fen

    if heading:
        print(f"\n{heading}")
    print(f"\n{strachey(found.position)}\n\nFEN       {to_fen(found.position)}")
    for who, listed in (("program", found.program), ("official", found.official)):
        print(f"{who:9} {' '.join(names(found.position, listed)) or 'no move'}")


def _show_parting(moves: "Moves", parting: "Ply | None") -> None:
    from cpl.kit.rules import MEANING, compare

    if parting is None:
        print("They do not part.")
        return
    found = compare(moves, parting.line[-1])
    before = f"the line {_movetext(parting.line)}" if len(parting.line) > 1 else "no move at all"
    _show(found, f"They part at move {parting.depth}, for example after {before}:")
    print(f"{found.kind}: {MEANING[found.kind]}")


def _movetext(line: "tuple[Position, ...]") -> str:
    """A line of play as in a game record: 1. 11-15 23-19 2. 8-11."""
    from cpl.kit.notation import names

    played = [names(before, [after])[0] for before, after in pairwise(line)]
    return " ".join(f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(played))


def _data(found: "Comparison | None") -> Any:
    from cpl.kit.notation import names, to_fen

    return found and {
        "fen": to_fen(found.position),
        "kind": found.kind,
        "program": names(found.position, found.program),
        "official": names(found.position, found.official),
    }


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))
