"""What searches say of a whole game: the value of every position, and the moves that were mistakes.

Each position of the game is searched by itself, as `cpl analyse` searches it. A move is suspected if the position after
it is worth less than the best move before it was. But these two values come from searches that look to different plies
of the game: the later one looks a ply further. So a suspected move is searched once more: from the position before it,
as deep as the best move was, with that move only. It is a mistake if its value is too low here as well.

A record in, and the same record with comments out, here from `B:W17,25:B14,22`, seven plies deep:

    1. 22x29 17x10 *
    {Black wins in 1 ply} 1. 22x29 {even; better 14x21x30, Black wins in 1 ply} 17x10 {even} *
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from cpl.compiler.wording import counted
from cpl.games.analysis import Analysis, Limits, Line, reported
from cpl.games.game import End, Game, Path, Turn
from cpl.games.live import LiveGame
from cpl.games.pdn import Record
from cpl.limits import MOST_PLIES

MISTAKE: Final = 50
"""A move is a mistake if it is worth less than the best one by this, or more, in hundredths of a man. Half a man is
chosen as the judgement of a position changes by a few tenths from one depth to the next, and a man that is lost is 100.
"""


@dataclass(frozen=True)
class Judged:
    """A position of a game, and what a search found there."""

    turn: Turn
    depth: int = 0
    """The number of plies that the search looked ahead."""
    best: Line | None = None
    """The best line of play; None if the game is over."""
    played: Path | None = None
    """The move that was played; None at the last position."""
    is_mistake: bool = False
    """Whether that move was a mistake."""

    @property
    def end(self) -> End:
        """How the game ended, for a position without a best line."""
        end = self.turn.game.end(self.turn)
        assert end, "only where the game is over is there no best line"
        return end

    @property
    def value(self) -> float:
        """The value for the side to move, in hundredths of a man; infinite if that side wins or loses for certain."""
        if self.best:
            return self.best.value
        winner = self.end.winner
        if winner is None:
            return 0
        return inf if winner == self.turn.side else -inf


def judge(record: Record, *, seconds: float | None = None, depth: int | None = None) -> Iterator[Judged]:
    """Search all positions of a game within these limits. Yield each, from the first to the last, as soon as it is
    known whether the move that was played there is a mistake.

    A suspected move takes a second search with the same limits. Two calls with a depth and no time have equal results.
    """
    # A live game plays the moves, and keeps the states between them. Nobody sits at it: its players are never asked.
    game = LiveGame(record.first.game, {}, first=record.first, moves=record.moves)
    moves_played: list[Path | None] = [*game.played, None]  # after the last position no move was played
    deepest = MOST_PLIES if depth is None else depth

    # Whether a move is a mistake depends on the position after it. So each position waits for the next one.
    before: Judged | None = None
    for turn, move in zip(game.states, moves_played, strict=True):
        # Searches with the same Limits would share a table, and the result of one would depend on those before it.
        position = Judged(turn, played=move)
        if not turn.game.end(turn):
            found = _result_of_search(turn, Limits(deepest, seconds))
            position = Judged(turn, found.depth, found.lines[0], move)
        if before:
            yield replace(before, is_mistake=_is_mistake(before, position, Limits(deepest, seconds)))
        before = position
    assert before, "a game has a first position"
    yield before


def _is_mistake(position: Judged, after: Judged, limits: Limits) -> bool:
    """Tell whether the move that led from one position to the next was a mistake."""
    best, played = position.best, position.played
    if best is None or played is None or played == best.moves[0]:
        return False
    value_after_move = -after.value  # there, the other side is to move
    if not is_clearly_less(value_after_move, best.value):
        return False

    # The second search looks as deep as the first one did. But the first one stops at the depth where it finds a win or
    # a loss, and the move that was played may need longer to win: then the second one may use all of the limits.
    is_decided = best.plies is not None
    deepest = limits.depth if is_decided else position.depth
    found = _result_of_search(position.turn, replace(limits, depth=deepest, moves=[played]))
    return is_clearly_less(found.lines[0].value, best.value)


def is_clearly_less(value: float, best: float) -> bool:
    """Tell whether the value of a move is so far below the best value that the move is a mistake.

    A win is always better than no win, however long it takes, and a loss is always worse than none.
    """
    if value == best:  # two wins, or two losses: infinite values have no difference
        return False
    return best - value >= MISTAKE


def _result_of_search(turn: Turn, limits: Limits) -> Analysis:
    """Search a position, and return what is found at the greatest depth that is reached."""
    *_, deepest = reported(turn, limits)
    return deepest


def annotated(record: Record, positions: Sequence[Judged]) -> Record:
    """Return a game with the value of every position in a comment. It follows the remarks that the game has there. The
    comment after a mistake also has the better move and its value.
    """
    remarks = {plies: [*texts] for plies, texts in record.remarks.items()}
    before: Judged | None = None
    for plies, position in enumerate(positions):
        words = value_in_words(position)
        if before and before.is_mistake:
            words += f"; {better_in_words(before)}"
        comment = "{" + words + "}"
        remarks.setdefault(plies, []).append(comment)
        before = position
    return replace(record, remarks=remarks)


def value_in_words(position: Judged) -> str:
    """Return what a position is worth, by the side that is ahead: `Black +0.50`, `White wins in 3 plies`, `even`."""
    if position.best:
        return line_in_words(position.turn, position.best)
    return _end_in_words(position.turn.game, position.end)


def better_in_words(position: Judged) -> str:
    """Return which move was better than the one that was played, and its value: `better 11-15, Black +0.50`."""
    assert position.best
    move = position.turn.game.text(position.best.moves[0])
    return f"better {move}, {line_in_words(position.turn, position.best)}"


def line_in_words(turn: Turn, line: Line) -> str:
    """Return which side is ahead in a line of play: by how many men, or in how many plies it wins."""
    men = f"{abs(line.value) / 100:.2f}"
    if men == "0.00":
        return "even"

    is_mover_ahead = line.value > 0
    leader = name_of(turn.game, turn.side if is_mover_ahead else turn.game.other(turn.side))
    if line.plies is not None:
        return f"{leader} wins in {counted(line.plies, 'ply', 'plies')}"
    return f"{leader} +{men}"


def _end_in_words(game: Game, end: End) -> str:
    return f"{name_of(game, end.winner)} has won" if end.winner else "a draw"


def name_of(game: Game, side: str) -> str:
    """Return the name of a side in PDN, such as `Black`: the tag with the name of the player on that side."""
    return game.tags[game.sides.index(side)]
