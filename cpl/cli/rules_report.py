"""Comparisons of rules as text for people, and as data for programs: what `cpl rules` prints."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

from cpl.cli.output import count
from cpl.compare.rules import MEANING, Exchange, Ply, PositionComparison, Survey
from cpl.games.board import picture
from cpl.games.moves import names
from cpl.games.position import Position, to_fen

_REPEATED: Final = "list a next position more than once, as captures in different orders lead to it (both do)"

_COLUMNS: Final = "moves     program    official   positions one move earlier at which they differ"
_EXCHANGED: Final = "lines  official         replies  program          replies  where"

_MOST_SHOWN: Final = 20


def show_counts(plies: Iterable[Ply]) -> list[Ply]:
    """The table of counts, each line as soon as it is known; the plies are returned."""
    print(_COLUMNS)
    shown = []
    for ply in plies:
        print(f"{ply.depth:5}  {ply.program:10}  {ply.official:10}   {len(ply.differing)}", flush=True)
        shown.append(ply)
    return shown


def show_survey(found: Survey, *, seed: int, verbose: bool) -> None:
    """How often each kind was found, and the smallest example of what is not explained; if `verbose`, of the rest."""
    print(f"{count(found.kinds.counts.total(), 'position')}, half from play, half scattered (seed {seed})")
    for kind in MEANING:
        print(f"{found.kinds.counts[kind]:6}  {MEANING[kind]}")
    repeats, repeated = found.repeats.counts[True], found.repeats.smallest(True)
    if verbose or repeats:
        print(f"of all these positions\n{repeats:6}  {_REPEATED}")
    for kind in (*MEANING,)[1:]:
        smallest = found.kinds.smallest(kind)
        if smallest and (verbose or kind == "unexplained"):
            show(smallest, "The difference with the fewest pieces:")
    if verbose and repeated:
        show(repeated, "A position listed more than once, with the fewest pieces:")


def show(found: PositionComparison, heading: str = "", *, board: bool = True) -> None:
    """A position, and what either plays there."""
    if heading:
        print(f"\n{heading}\n")
    if board:
        print(f"{picture(found.position)}\n")
    print(f"FEN       {to_fen(found.position)}")
    for who, listed in (("program", found.program), ("official", found.official)):
        print(f"{who:9} {_moves(found, listed) or 'no move'}")
    print(f"{found.kind}: {MEANING[found.kind]}")


def show_parting(parting: Ply | None, exchanged: Sequence[Exchange], unexplained: PositionComparison | None) -> None:
    """The line of play to where they part first, what is exchanged at that move, and what nothing explains."""
    if parting is None:
        print("The program and the official rules agree at every length.")
        return
    line = f", for example after {_movetext(parting.line)}" if len(parting.line) > 1 else ""
    show(exchanged[0].comparison, f"They first differ at move {parting.depth}{line}:")
    print(f"\nMoves that only one of them allows at move {parting.depth}, and how many replies each has:\n{_EXCHANGED}")
    for each in exchanged[:_MOST_SHOWN]:
        found = each.comparison
        official, program = (_moves(found, listed) or "none" for listed in (found.only_official, found.only_program))
        replies = f"{official:15}  {each.official_replies:7}  {program:15}  {each.program_replies:7}"
        print(f"{each.lines:5}  {replies}  {to_fen(found.position)}")
    if len(exchanged) > _MOST_SHOWN:
        print(f"and at {count(len(exchanged) - _MOST_SHOWN, 'more position')}")
    lines, gain = sum(each.lines for each in exchanged), sum(each.gain for each in exchanged)
    print(f"{lines:5}  lines, which make {abs(gain)} {'more' if gain > 0 else 'fewer'} at move {parting.depth + 1}")
    if unexplained:
        show(unexplained, "A difference that nothing explains:")


def _moves(found: PositionComparison, listed: Sequence[Position]) -> str:
    return " ".join(names(found.position, listed))


def _movetext(line: Sequence[Position]) -> str:
    """A line of play as in a game record: 1. 11-15 23-19 2. 8-11."""
    played = [names(before, [after])[0] for before, after in pairwise(line)]
    return " ".join(f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(played))


def data(found: PositionComparison | None) -> Any:
    """A comparison; null if there is none."""
    return found and {
        "fen": to_fen(found.position),
        "kind": found.kind,
        "program": names(found.position, found.program),
        "official": names(found.position, found.official),
    }


def survey_data(found: Survey) -> dict[str, Any]:
    """What `show_survey` shows."""
    counts, smallest = found.kinds.counts, found.kinds.smallest
    kinds = {kind: {"count": counts[kind], "says": MEANING[kind], "smallest": data(smallest(kind))} for kind in MEANING}
    repeated = {
        "count": found.repeats.counts[True],
        "says": _REPEATED,
        "smallest": data(found.repeats.smallest(True)),
    }
    return {"positions": found.kinds.counts.total(), "kinds": kinds, "repeated": repeated}


def plies_data(
    plies: Sequence[Ply], parting: Ply | None, exchanged: Sequence[Exchange], unexplained: PositionComparison | None
) -> dict[str, Any]:
    """The table of counts, and what `show_parting` shows."""
    counts = [
        {"moves": ply.depth, "program": ply.program, "official": ply.official, "differing": len(ply.differing)}
        for ply in plies
    ]
    differences = [
        {
            "lines": each.lines,
            "program_replies": each.program_replies,
            "official_replies": each.official_replies,
            **data(each.comparison),
        }
        for each in exchanged
    ]
    where = parting and {"move": parting.depth, "line": _movetext(parting.line), "differences": differences}
    return {"counts": counts, "parting": where, "unexplained": data(unexplained)}
