"""What searches say of a whole game: the value of every position, and the moves that were mistakes.

Each position is searched by itself, as `cpl analyse` searches it. If the value of the position after a move shows that
a better move was missed, a second search looks only at the move that was played, as deep as the first one, since the
position after it was seen a ply deeper. Only if both say so, the move is a mistake.

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
"""A move is a mistake if it is worth less than the best one by this, or more, in hundredths of a man. Half a man is our
choice: the judgement of a position changes by a few tenths from one depth to the next, and a man that is lost is 100.
"""


@dataclass(frozen=True)
class Judged:
    """A position of a game, the best line of play there, seen so many plies deep, the move that was played, and whether
    that was a mistake. Where the game is over there is no best line; nothing is played at the last position.
    """

    turn: Turn
    depth: int = 0
    best: Line | None = None
    played: Path | None = None
    is_mistake: bool = False

    @property
    def value(self) -> float:
        """The value for the side to move, in hundredths of a man, as that of a `Line`."""
        if self.best:
            return self.best.value
        end = self.turn.game.end(self.turn)
        if end is None or end.winner is None:
            return 0
        return inf if end.winner == self.turn.side else -inf


def judge(record: Record, *, seconds: float | None = None, depth: int | None = None) -> Iterator[Judged]:
    """Yield every position of a game, the first and the last, too, when it has been searched within these limits.

    A move that may be a mistake is searched for as long again. With a depth and no time the result is always the same.
    """
    game = LiveGame(record.first.game, {}, first=record.first, moves=record.moves)
    moves_played: list[Path | None] = [*game.played, None]
    most = MOST_PLIES if depth is None else depth
    before: Judged | None = None
    for turn, move in zip(game.states, moves_played, strict=True):
        position = Judged(turn, played=move)
        if not turn.game.end(turn):
            found = _last(turn, Limits(most, seconds))
            position = Judged(turn, found.depth, found.lines[0], move)
        if before:
            yield replace(before, is_mistake=_is_mistake(before, position, Limits(most, seconds)))
        before = position
    assert before, "a game has a first position"
    yield before


def _is_mistake(position: Judged, after: Judged, limits: Limits) -> bool:
    """Tell whether the move that led from one position to another one was a mistake."""
    best, played = position.best, position.played
    if best is None or played is None or played == best.moves[0]:
        return False
    if not is_clearly_less(-after.value, best.value):
        return False
    # A search ends early where a win is certain: the move that was played may win later.
    most = position.depth if best.plies is None else limits.depth
    found = _last(position.turn, replace(limits, depth=most, moves=[played]))
    return is_clearly_less(found.lines[0].value, best.value)


def is_clearly_less(value: float, best: float) -> bool:
    """Tell whether a move of this value is a mistake where the best one has the other. A win is always better than no
    win, however long it takes, and a loss is always worse than none.
    """
    if value == best:  # two wins, or two losses: infinite values have no difference
        return False
    return best - value >= MISTAKE


def _last(turn: Turn, limits: Limits) -> Analysis:
    """Return the result of a search."""
    *_, last = reported(turn, limits)
    return last


def annotated(record: Record, positions: Sequence[Judged]) -> Record:
    """Return a game with the value of every position in a comment, behind what is said there already. The comment after
    a mistake also has the better move, and what that is worth.
    """
    remarks = {plies: [*texts] for plies, texts in record.remarks.items()}
    before: Judged | None = None
    for plies, position in enumerate(positions):
        words = value_in_words(position)
        if before and before.is_mistake:
            words += f"; {better_in_words(before)}"
        remarks.setdefault(plies, []).append(f"{{{words}}}")
        before = position
    return replace(record, remarks=remarks)


def value_in_words(position: Judged) -> str:
    """Return what a position is worth, by the side that is ahead: `Black +0.50`, `White wins in 3 plies`, `even`."""
    game = position.turn.game
    if position.best:
        return line_in_words(position.turn, position.best)
    end = game.end(position.turn)
    assert end, "only where the game is over is there no best line"
    return _end_in_words(game, end)


def better_in_words(position: Judged) -> str:
    """Return which move was better than the one that was played, and its value: `better 11-15, Black +0.50`."""
    assert position.best
    move = position.turn.game.text(position.best.moves[0])
    return f"better {move}, {line_in_words(position.turn, position.best)}"


def line_in_words(turn: Turn, line: Line) -> str:
    """Return the value of a line of play by the side that is ahead, in men, or after how many plies it wins."""
    leader = turn.side if line.value > 0 else turn.game.other(turn.side)
    if line.plies is not None:
        return f"{name_of(turn.game, leader)} wins in {counted(line.plies, 'ply', 'plies')}"
    men = f"{abs(line.value) / 100:.2f}"
    return "even" if men == "0.00" else f"{name_of(turn.game, leader)} +{men}"


def _end_in_words(game: Game, end: End) -> str:
    return f"{name_of(game, end.winner)} has won" if end.winner else "a draw"


def name_of(game: Game, side: str) -> str:
    """Return the name of a side in PDN, as the tags of its players have it."""
    return game.tags[game.sides.index(side)]
