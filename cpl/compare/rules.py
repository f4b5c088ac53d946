"""Compare a program's rules with those of English draughts: its next positions beside the official ones.

Every difference is of a known kind, or unexplained. `cpl rules` reports what is found here: at single positions, and
along all lines of play from a start. The official rules are those of pydraughts, an independent program and an optional
extra (`pip install 'cplc[rules]'`). Only its move generator is used: that it also ends games, by forty moves or
repetition, plays no part. Internally, it plays English draughts with the board turned round and the colours exchanged,
as its other games begin with White.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final, Literal

from cplrt import Logical
from cplrt.checkers import board

from cpl.compare.experiment import Tally
from cpl.diagnostics import Error
from cpl.games.position import DARK, Moves, Position, pieces

DifferenceKind = Literal["same", "jumps-on", "unexplained"]
"""How the program and the official rules compare at a position."""

MEANING: Final[dict[DifferenceKind, str]] = {
    "same": "the program and the official rules agree",
    "jumps-on": "a man who is crowned by a capture jumps on as a king in the same move; officially the move ends",
    "unexplained": "they differ, and no known difference explains it",
}

_FIRST: Final = 2  # White of pydraughts, who begins: Black in English draughts


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


def compare(moves: Moves, position: Position) -> PositionComparison:
    """Return both answers, and which kind of difference makes one into the other.

    Order does not count, but a position that one of them lists twice and the other once is a difference.
    """
    program, right = tuple(moves(position)), tuple(official(position))
    if Counter(program) == Counter(right):
        return PositionComparison(position, "same", program, right)
    is_known = Counter(program) == Counter(jumping_on(position))
    return PositionComparison(position, "jumps-on" if is_known else "unexplained", program, right)


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
    return sum(len([*side]) for side in comparison.position[:2])


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
    """Play by both rules, ply by ply; each side keeps to its own, also after they part.

    A position that many lines lead to is looked at once, with their number. `along` sees the positions of each ply go
    by: a progress bar.
    """
    program_lines, official_lines = Counter({start: 1}), Counter({start: 1})
    lines: dict[Position, tuple[Position, ...]] = {start: (start,)}  # to each position, before the two part
    has_parted = False
    for ply in range(1, depth + 1):
        program_next, official_next = Counter[Position](), Counter[Position]()
        differing = {}
        for position in along([*(program_lines | official_lines)]):
            program, right = moves(position), official(position)
            program_next.update({after: times * program_lines[position] for after, times in Counter(program).items()})
            official_next.update({after: times * official_lines[position] for after, times in Counter(right).items()})
            if Counter(program) != Counter(right):
                differing[position] = program_lines[position]
            for next_position in program if not has_parted else ():
                lines.setdefault(next_position, (*lines[position], next_position))
        line = lines[next(iter(differing))] if differing and not has_parted else ()
        has_parted = has_parted or bool(differing)
        program_lines, official_lines = program_next, official_next
        yield Ply(ply, program_lines.total(), official_lines.total(), differing, line)


@dataclass(frozen=True)
class Exchange:
    """The moves of the program at a position, those that it should have, and how many replies there are to either."""

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


def official(position: Position) -> list[Position]:
    """Return the positions that one move leads to, once for each move: two ways round to capture the same pieces are
    two.
    """
    return [_read(after) for after in _plays(_board(position), [])]


def jumping_on(position: Position) -> list[Position]:
    """Return the same with one rule changed: a man whom a capture crowns goes on capturing as a king."""
    changed = _board(position)
    changed.pieces_promote_and_stop_capturing = False
    changed.pieces_promote_and_continue_capturing = True  # as in Russian draughts
    return [_read(after) for after in _plays(changed, [])]


def _board(position: Position) -> Any:
    """Make a board of pydraughts, from a letter for the player to move and one for each square, kings in capitals.

    What a wrong program has put beside the board is left out.
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
    placed = [(piece.player, board[-piece.position], piece.king) for piece in after.searcher.uncaptured_pieces]
    own, other = (
        Logical([square for player, square, _ in placed if (player == after.player_turn) == is_own])
        for is_own in (True, False)
    )
    kings = Logical([square for _, square, king in placed if king])
    return own, other, kings, 1 if after.player_turn == _FIRST else -1
