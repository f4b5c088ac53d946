"""The engine of `cpl hub` with a thinker that depends on no clock: alpha-beta, one ply deeper each time."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from cpl.cli.hub import Engine
from cpl.games.game import Path
from cpl.games.hub import Hub, Search
from cpl.games.playable import game_of
from cpl.games.players import player


@dataclass(frozen=True)
class Line:
    value: float
    moves: tuple[Path, ...]


@dataclass(frozen=True)
class Found:
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]


def think(search: Search) -> Iterator[Found]:
    """Without a limit of depth it looks deeper and deeper, each time for longer."""
    turn, deepest = search.turn, search.limits.depth
    for depth in range(1, deepest + 1) if deepest else count(1):
        move = player(f"alphabeta:{depth}", turn.game)(turn)
        answers = [*turn.game.play(turn, move).legal]
        yield Found(depth, 10**depth, 0.5, (Line(25.0, (move, *answers[:1])),))


if __name__ == "__main__":
    Engine(Hub(game_of("checkers")), think).serve()
