"""Compare a program's rules with those of English draughts: the next positions of both, at a position.

Every difference is of a known kind, or unexplained. A comparison is about one position, many of them, or all lines of
play from a start. Each has its facts as plain data and a report, and tells whether all its differences are of a known
kind. At a position where a man is crowned by a capture, for example, the report is

    FEN       W:W12:B7,8,15
    program   12x3x10x19
    official  12x3
    jumps-on: a man who is crowned by a capture jumps on as a king in the same move; officially the move ends

The official rules are those of pydraughts, an independent program and an optional extra (`pip install 'cplc[rules]'`).
Only its move generator is used: that it also ends games, by forty moves or repetition, plays no part. Internally, it
plays English draughts with the board turned round and the colours exchanged, as its other games begin with White.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Final, Literal

from cplrt import Logical
from cplrt.checkers import board

from cpl.compiler.diagnostics import Error
from cpl.compiler.wording import counted
from cpl.games.moves import names
from cpl.games.pdn_writer import numbered
from cpl.games.position import DARK, Moves, Position, pieces, to_fen
from cpl.study.compare.experiment import Tally, Track, untracked
from cpl.study.compare.inputs import positions as drawn_positions
from cpl.study.compare.report import (
    GAP,
    DrawnBoard,
    Labelled,
    Note,
    Part,
    PartHeading,
    ReportTable,
    TableColumn,
    TableRow,
)

DifferenceKind = Literal["same", "jumps-on", "unexplained"]
"""How the program and the official rules compare at a position."""

MEANING: Final[dict[DifferenceKind, str]] = {
    "same": "the program and the official rules agree",
    "jumps-on": "a man who is crowned by a capture jumps on as a king in the same move; officially the move ends",
    "unexplained": "they differ, and no known difference explains it",
}

_REPEATED: Final = "list a next position more than once, as captures in different orders lead to it (both do)"
_MOST_SHOWN: Final = 20  # moves that only one of both allows
_FIRST: Final = 2  # White of pydraughts, which begins: Black in English draughts


@dataclass(frozen=True)
class PositionComparison:
    """The next positions by the program and by the official rules, once for each move."""

    position: Position
    kind: DifferenceKind
    program: tuple[Position, ...]
    official: tuple[Position, ...]

    @property
    def repeats(self) -> bool:
        """Whether both list some position twice, as two ways to capture lead to it."""
        return all(len(set(listed)) < len(listed) for listed in (self.program, self.official))

    @property
    def only_program(self) -> tuple[Position, ...]:
        """The positions that the program lists and the official rules do not."""
        return tuple((Counter(self.program) - Counter(self.official)).elements())

    @property
    def only_official(self) -> tuple[Position, ...]:
        """The positions that the official rules allow and the program does not list."""
        return tuple((Counter(self.official) - Counter(self.program)).elements())

    @property
    def is_explained(self) -> bool:
        """Whether they agree, or differ in a known way."""
        return self.kind != "unexplained"

    def to_dict(self) -> dict[str, Any]:
        """Return the position, the kind of difference, and the moves of both as plain data."""
        return {
            "fen": to_fen(self.position),
            "kind": self.kind,
            "program": names(self.position, self.program),
            "official": names(self.position, self.official),
        }

    def report(self, *, verbose: bool = True) -> Iterator[Part]:
        """Yield what either plays there; and the board, if `verbose`."""
        if verbose:
            yield DrawnBoard(self.position)
            yield GAP
        data = self.to_dict()
        facts = [
            ("FEN", data["fen"]),
            ("program", " ".join(data["program"]) or "no move"),
            ("official", " ".join(data["official"]) or "no move"),
        ]
        yield Labelled("", facts, width=9)
        yield Note(f"{self.kind}: {MEANING[self.kind]}")


def compare(moves: Moves, position: Position) -> PositionComparison:
    """Return both answers, and which kind of difference makes one into the other.

    Order does not count, but a position that one of them lists twice and the other once is a difference.
    """
    program, right = tuple(moves(position)), tuple(official(position))
    kind: DifferenceKind = "unexplained"
    if Counter(program) == Counter(right):
        kind = "same"
    elif Counter(program) == Counter(jumping_on(position)):
        kind = "jumps-on"
    return PositionComparison(position, kind, program, right)


def tallies(
    comparisons: Iterable[PositionComparison],
) -> tuple[Tally[DifferenceKind, PositionComparison], Tally[bool, PositionComparison]]:
    """Count comparisons by kind, with the one of each that has the fewest pieces; and by whether both sides list a
    position twice, which those of any kind may do.
    """
    listed = [*comparisons]
    by_kind = ((comparison.kind, comparison) for comparison in listed)
    by_repeats = ((comparison.repeats, comparison) for comparison in listed)
    return Tally(by_kind, _piece_count), Tally(by_repeats, _piece_count)


def _piece_count(comparison: PositionComparison) -> int:
    own, other, *_ = comparison.position
    return len([*own, *other])


def _example(heading: str, comparison: PositionComparison | None) -> Iterator[Part]:
    """Yield a comparison at a position below a heading, if there is one."""
    if comparison:
        yield GAP
        yield PartHeading(heading)
        yield GAP
        yield from comparison.report()


@dataclass(frozen=True)
class PositionComparisons:
    """Comparisons at many positions, with the smallest of each kind of difference."""

    seed: int
    kinds: Tally[DifferenceKind, PositionComparison]
    repeats: Tally[bool, PositionComparison]

    @property
    def is_explained(self) -> bool:
        """Whether every difference is of a known kind."""
        return not self.kinds.counts["unexplained"]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the smallest positions as plain data."""
        kinds = {
            kind: _counted(self.kinds.counts[kind], meaning, self.kinds.smallest(kind))
            for kind, meaning in MEANING.items()
        }
        repeated = _counted(self.repeats.counts[True], _REPEATED, self.repeats.smallest(True))
        return {"seed": self.seed, "positions": self.kinds.counts.total(), "kinds": kinds, "repeated": repeated}

    def report(self, *, verbose: bool = True) -> Iterator[Part]:
        """Yield how often each kind occurs, with an example of what is unexplained; or of each kind, if `verbose`."""
        counts, repeated = self.kinds.counts, self.repeats.counts[True]
        columns = (TableColumn("", 6), TableColumn("", is_number=False))
        yield Note(f"{counted(counts.total(), 'position')}, half from play, half scattered (seed {self.seed})")
        yield ReportTable(columns, [TableRow((counts[kind], meaning)) for kind, meaning in MEANING.items()])
        if verbose or repeated:
            yield Note("of all these positions")
            yield ReportTable(columns, [TableRow((repeated, _REPEATED))])
        for kind in MEANING:
            if kind == "unexplained" or (verbose and kind != "same"):
                yield from _example("The difference with the fewest pieces:", self.kinds.smallest(kind))
        if verbose:
            heading = "A position listed more than once, with the fewest pieces:"
            yield from _example(heading, self.repeats.smallest(True))


def compare_positions(
    moves: Moves, start: Position, count: int, seed: int, track: Track = untracked
) -> PositionComparisons:
    """Compare at so many positions, half of them from play at random, half scattered."""
    comparisons = (compare(moves, position) for position in drawn_positions(moves, start, count, seed))
    return PositionComparisons(seed, *tallies(track(comparisons, "comparing", count)))


def _counted(count: int, says: str, smallest: PositionComparison | None) -> dict[str, Any]:
    return {"count": count, "says": says, "smallest": smallest.to_dict() if smallest else None}


@dataclass(frozen=True)
class Ply:
    """The lines of play of one length, by the program's rules and by the official ones.

    `differing` are the positions before the last move where the two differ, with the number of the program's lines to
    each. In the first ply that has any, `line` leads from the start to the first of them.
    """

    depth: int
    program: int
    official: int
    differing: Mapping[Position, int]
    line: tuple[Position, ...] = ()


def compare_plies(
    moves: Moves, start: Position, depth: int, along: Callable[[list[Position]], Iterable[Position]] = iter
) -> Iterator[Ply]:
    """Play by both rules, ply by ply; each side follows its own, also after they differ.

    A position that many lines lead to is looked at once, with their number. `along` draws a progress bar: it yields the
    positions of a ply, and counts them.
    """
    program_lines = Counter({start: 1})  # lines of play by the position they lead to
    official_lines = Counter({start: 1})
    paths: dict[Position, tuple[Position, ...]] | None = {start: (start,)}  # until the two differ: one line to each
    for ply in range(1, depth + 1):
        program_next, official_next = Counter[Position](), Counter[Position]()
        differing = {}
        for position in along([*(program_lines | official_lines)]):
            program, right = Counter(moves(position)), Counter(official(position))
            for after, ways in program.items():
                program_next[after] += ways * program_lines[position]
                if paths is not None:
                    paths.setdefault(after, (*paths[position], after))
            for after, ways in right.items():
                official_next[after] += ways * official_lines[position]
            if program != right:
                differing[position] = program_lines[position]

        line: tuple[Position, ...] = ()
        if paths is not None and differing:
            line = paths[next(iter(differing))]
            paths = None
        program_lines, official_lines = program_next, official_next
        yield Ply(ply, program_lines.total(), official_lines.total(), differing, line)


@dataclass(frozen=True)
class Exchange:
    """The moves of the program at a position, those that it should have, and how many replies there are to each.
    `lines` lead to the position.
    """

    comparison: PositionComparison
    lines: int
    program_replies: int
    official_replies: int


def exchanges(moves: Moves, ply: Ply) -> Iterator[Exchange]:
    """Yield the differences that end the lines of a ply."""
    for position, lines in ply.differing.items():
        comparison = compare(moves, position)
        program_replies = sum(len(moves(position)) for position in comparison.only_program)
        official_replies = sum(len(official(position)) for position in comparison.only_official)
        yield Exchange(comparison, lines, program_replies, official_replies)


class LineComparison:
    """A comparison along all lines of play from a start. A ply is counted when the report or the data first ask for it,
    so that a long count is seen while it goes on.
    """

    def __init__(self, moves: Moves, start: Position, depth: int, track: Track = untracked) -> None:
        self._moves = moves
        self._counted: list[Ply] = []
        self._counting = compare_plies(moves, start, depth, lambda level: track(level, "counting", len(level)))

    @property
    def plies(self) -> Iterator[Ply]:
        """The lines of each length, as they are counted."""
        yield from self._counted
        for ply in self._counting:
            self._counted.append(ply)
            yield ply

    @cached_property
    def parting(self) -> Ply | None:
        """The first ply at which the two differ."""
        return next((ply for ply in self.plies if ply.differing), None)

    @cached_property
    def exchanges(self) -> list[Exchange]:
        """The differences of that ply."""
        return [*exchanges(self._moves, self.parting)] if self.parting else []

    @property
    def line(self) -> str:
        """The moves from the start to the first of them."""
        if self.parting is None:
            return ""
        moves = []
        for before, after in pairwise(self.parting.line):
            [move] = names(before, [after])
            moves.append(move)
        return " ".join(numbered(moves))

    @cached_property
    def unexplained(self) -> PositionComparison | None:
        """The first difference of no known kind, at any ply."""
        for ply in self.plies:
            for position in ply.differing:
                comparison = compare(self._moves, position)
                if not comparison.is_explained:
                    return comparison
        return None

    @property
    def is_explained(self) -> bool:
        """Whether every difference is of a known kind."""
        return self.unexplained is None

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, and where the two part, as plain data."""
        counts = [
            {"moves": ply.depth, "program": ply.program, "official": ply.official, "differing": len(ply.differing)}
            for ply in self.plies
        ]
        return {
            "counts": counts,
            "parting": self._parting_data(self.parting) if self.parting else None,
            "unexplained": self.unexplained.to_dict() if self.unexplained else None,
        }

    def _parting_data(self, parting: Ply) -> dict[str, Any]:
        differences = [
            {
                "lines": exchange.lines,
                "program_replies": exchange.program_replies,
                "official_replies": exchange.official_replies,
                **exchange.comparison.to_dict(),
            }
            for exchange in self.exchanges
        ]
        return {"move": parting.depth, "line": self.line, "differences": differences}

    def report(self, *, verbose: bool = True) -> Iterator[Part]:
        """Yield the number of lines of each length, and the moves at which the two part; `verbose` or not."""
        columns = (
            TableColumn("moves", 5),
            TableColumn("program", 10),
            TableColumn("official", 10),
            TableColumn("positions one move earlier at which they differ", is_number=False, gap=3),
        )
        rows = (TableRow((ply.depth, ply.program, ply.official, len(ply.differing))) for ply in self.plies)
        yield ReportTable(columns, rows)
        if self.parting:
            yield from self._parting(self.parting)
        else:
            yield Note("The program and the official rules agree at every length.")
        yield from _example("A difference that nothing explains:", self.unexplained)

    def _parting(self, parting: Ply) -> Iterator[Part]:
        """Yield the line of play to the first difference, and the moves that only one of both allows there."""
        move = parting.depth
        exchanges = self.exchanges
        after = f", for example after {self.line}" if self.line else ""
        yield from _example(f"They first differ at move {move}{after}:", exchanges[0].comparison)
        yield GAP
        yield Note(f"Moves that only one of them allows at move {move}, and how many replies each has:")
        columns = (
            TableColumn("lines", 5),
            TableColumn("official", 15, is_number=False),
            TableColumn("replies", 7),
            TableColumn("program", 15, is_number=False),
            TableColumn("replies", 7),
            TableColumn("where", is_number=False),
        )
        yield ReportTable(columns, [_exchange_row(exchange) for exchange in exchanges[:_MOST_SHOWN]])
        if len(exchanges) > _MOST_SHOWN:
            yield Note(f"and at {counted(len(exchanges) - _MOST_SHOWN, 'more position')}")

        lines = gain = 0
        for exchange in exchanges:
            lines += exchange.lines
            gain += exchange.lines * (exchange.program_replies - exchange.official_replies)
        yield Note(f"{lines:5}  lines, which make {abs(gain)} {'more' if gain > 0 else 'fewer'} at move {move + 1}")


def _exchange_row(exchange: Exchange) -> TableRow:
    """Return the moves that only one of both allows, and how many replies there are to them."""
    data = exchange.comparison.to_dict()
    only_official = [move for move in data["official"] if move not in data["program"]]
    only_program = [move for move in data["program"] if move not in data["official"]]
    cells = (
        exchange.lines,
        " ".join(only_official) or "none",
        exchange.official_replies,
        " ".join(only_program) or "none",
        exchange.program_replies,
        data["fen"],
    )
    return TableRow(cells)


def official(position: Position) -> list[Position]:
    """Return the positions that one move leads to by the official rules, once for each move: two routes that capture
    the same pieces are two moves. Raises Error if pydraughts is not installed.
    """
    return [_read(after) for after in _plays(_board(position), [])]


def jumping_on(position: Position) -> list[Position]:
    """Return the positions that one move leads to if one of the official rules is changed: a man whom a capture crowns
    goes on capturing as a king.
    """
    changed = _board(position)
    changed.pieces_promote_and_stop_capturing = False
    changed.pieces_promote_and_continue_capturing = True  # as in Russian draughts
    return [_read(after) for after in _plays(changed, [])]


def _board(position: Position) -> Any:
    """Make a board of pydraughts, from a letter for the player to move and one for each square, kings in capitals.
    Pieces that a wrong program has put on squares outside the board are left out.
    """
    if not find_spec("draughts"):
        raise Error("pydraughts knows the official rules, and is not installed: pip install 'cplc[rules]'")
    with warnings.catch_warnings():  # importing it changes the filters of the whole process
        from draughts.core.board import Board
    letters = pieces(position, "wb")
    mover = "W" if position[3] == 1 else "B"
    return Board("english", mover + "".join(letters.get(square, "e") for square in reversed(DARK)))


def _plays(before: Any, captured: list[int]) -> Iterator[Any]:
    """Yield the boards of pydraughts after each move; where more must be captured, the move goes on."""
    for step in before.get_possible_moves(captured):
        after, enemy = before.create_new_board_from_move(step, 0, captured)
        if after.player_turn == before.player_turn:
            yield from _plays(after, [*captured, enemy])
        else:
            yield after


def _read(after: Any) -> Position:
    """Return the position of a board of pydraughts."""
    own: list[int] = []
    other: list[int] = []
    kings = []
    for piece in after.searcher.uncaptured_pieces:
        square = board[-piece.position]
        side = own if piece.player == after.player_turn else other
        side.append(square)
        if piece.king:
            kings.append(square)
    colour = 1 if after.player_turn == _FIRST else -1
    return Logical(own), Logical(other), Logical(kings), colour
