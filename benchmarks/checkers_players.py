"""How long the players of checkers take for an action, and its moves beside those of pydraughts.

    python benchmarks/checkers_players.py

Plays seeded games at random and asks, at every eighth state, alphabeta:3 and minimax:3 for an action; at every state,
the compiled program and pydraughts for the moves. Exits with 1 if alphabeta:3 ever takes more than 2 seconds, or longer
in all than minimax:3. What is timed is the processor's time.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any

from draughts import Board

from cpl.games import checkers
from cpl.games.checkers import CHECKERS, AlphaBeta, MiniMax, State
from cpl.games.checkers.game import MODEL
from cpl.games.checkers.model import to_cpl
from cpl.games.game import program

MOST = 2.0
EVERY = 8


def states(games: int) -> Iterator[tuple[State, Any]]:
    """The states of so many random games, each played until it is over."""
    for seed in range(games):
        rng = Random(seed)
        state, player = checkers.start(), "red"
        while not checkers.is_end(state, player):
            yield state, player
            state = checkers.successor(state, rng.choice(checkers.actions(state, player)))
            player = MODEL.other(player)


def seconds(run: Callable[[], object]) -> float:
    """The processor's time for it."""
    before = time.process_time()
    run()
    return time.process_time() - before


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10, help="how many random games are played (10)")
    options = parser.parse_args()
    met = [*states(options.games)]
    positions = [to_cpl(state, player)[0] for state, player in met]
    boards = [Board(variant="english", fen=checkers.to_fen(state, player)) for state, player in met]

    players = {"alphabeta:3": AlphaBeta(3), "minimax:3": MiniMax(3)}
    took: dict[str, list[float]] = {name: [] for name in players}
    for state, side in met[::EVERY]:
        for name, player in players.items():
            took[name].append(seconds(lambda player=player, state=state, side=side: player.choose(state, side)))
    print(f"{len(met)} states of {options.games} random games; an action at {len(met[::EVERY])} of them, in seconds")
    print(f"{'':12} {'median':>7} {'worst':>7} {'in all':>7} {'times':>6}")
    rival = sum(took["minimax:3"])
    for name, times in took.items():
        print(f"{name:12} {median(times):7.3f} {max(times):7.3f} {sum(times):7.2f} {sum(times) / rival:6.2f}")

    moves = program(CHECKERS.source).Moves
    ours = seconds(lambda: [moves(position) for position in positions])
    pydraughts = seconds(lambda: [board.legal_moves() for board in boards])
    print("the moves of a state, in microseconds")
    for name, whole in (("checkers.cpl", ours), ("pydraughts", pydraughts)):
        print(f"{name:12} {whole / len(met) * 1e6:7.0f} {whole / pydraughts:6.3f} times")
    is_kept = max(took["alphabeta:3"]) <= MOST and sum(took["alphabeta:3"]) < rival
    print(f"alphabeta:3 within {MOST:.0f} seconds, and sooner than minimax:3: {'yes' if is_kept else 'NO'}")
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
