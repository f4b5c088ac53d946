"""Nodes a second of alpha-beta in each game, from its first position, in all three kinds of Python.

All visit the same nodes, which are counted in the plain module: a node is a position whose moves the search asks for.
The time is that of the search alone, in a process of its own. C looks further ahead, as there is nothing to measure
otherwise.

    python benchmarks/searching.py GAME SPEED PLIES     plays one move; the speed "count" counts the nodes
"""

import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from measure import Failed, Row, against, timed

PLIES = {"checkers": (6, 8, 3), "strachey": (7, 9, 3), "simple-checkers": (8, 9, 4), "capture": (4, 5, 2)}
"""How far the search looks ahead in Python, in C, and in a short run."""

SPEEDS = {"cplc": "plain", "cplc -O": "optimised", "cplc --native": "native"}
_MOVES = {"checkers": "Choices", "strachey": "LegalPositionsFrom", "simple-checkers": "Moves", "capture": "Choices"}
"""The function of the program that the search asks for the moves."""


def rows(runs: int, say: Callable[[str], None], *, short: bool = False) -> list[Row]:
    """Nodes a second of each game and speed."""
    results: list[Row] = []
    for game, depths in PLIES.items():
        measured: list[Row] = []
        for name in SPEEDS:
            plies = str(depths[2] if short else depths[name == "cplc --native"])
            say(f"alpha-beta in {game}, {plies} plies, {name}")
            nodes, move = _counted(game, plies)
            measured.append(_row(game, name, plies, nodes, move, runs))
        results += against(measured, "cplc")
    return results


def _row(game: str, name: str, plies: str, nodes: int, move: str, runs: int) -> Row:
    part, detail = f"alpha-beta, {game}", f"{plies} plies, {nodes:,} nodes"
    try:
        played = [_played(game, SPEEDS[name], plies) for _ in range(runs)]
    except Failed as error:
        return Row(part, name, None, "nodes/s", detail, problem=str(error))
    if {game[1] for game in played} != {move}:
        return Row(part, name, None, "nodes/s", detail, problem="finds another move")
    return Row(part, name, nodes / min(float(game[2]) for game in played), "nodes/s", detail)


@cache
def _counted(game: str, plies: str) -> tuple[int, str]:
    """The nodes of a search, and the move that it finds."""
    nodes, move, _ = _played(game, "count", plies)
    return int(nodes), move


def _played(game: str, speed: str, plies: str) -> list[str]:
    """The nodes, the move and the seconds, as a process prints them."""
    return timed([sys.executable, str(Path(__file__)), game, speed, plies]).output.split()


def _counting(module: Any, name: str) -> list[None]:
    """A list that grows by one with each call of a function of a plain module."""
    calls: list[None] = []
    function = getattr(module, name)

    def counted(*arguments: Any) -> Any:
        calls.append(None)
        return function(*arguments)

    setattr(module, name, counted)
    return calls


def main(game_name: str, speed: str, plies: str) -> None:
    """Print the nodes that were counted, the move and the seconds."""
    from cpl.games import game as games
    from cpl.games.playable import game_of

    games.use("plain" if speed == "count" else speed)  # type: ignore[arg-type]
    game = game_of(game_name)
    turn = game.start()
    game.search(turn, "alphabeta", 1)  # which compiles what is needed
    module = games.program("strachey-search.cpl") if game_name == "strachey" else game.program
    calls = _counting(module, _MOVES[game_name]) if speed == "count" else []
    before = time.process_time()
    move = game.search(turn, "alphabeta", int(plies))
    print(len(calls), game.text(move), time.process_time() - before)


if __name__ == "__main__":
    main(*sys.argv[1:])
