"""The player of checkers as a program of its own, which plays games by lines of text.

    .venv/bin/python benchmarks/engine.py [CHECKOUT]

A line `new` begins a game. For each move of the engine a line says the position, as FEN, and the limit, which is one of
`seconds 0.1`, `nodes 5000` and `depth 7`:

    B:W21-32:B1-12 seconds 0.1

The answer is a line with the FEN after the move, how many positions it looked at, and its seconds. All seconds are
those of the processor. CHECKOUT is another checkout of cplc, which plays then.
"""

import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_HERE = Path(__file__).resolve().parent.parent


def engine(lines: Iterable[str]) -> None:
    """Answer lines with lines."""
    from cpl.games import analysis
    from cpl.games.analysis import Analysis, Limits
    from cpl.games.checkers import CHECKERS
    from cpl.games.game import Turn
    from cpl.games.players import within
    from cpl.games.position import from_fen

    # The search has a clock of the wall, in all versions. On a machine that others use, only the processor's is fair.
    analysis.time = SimpleNamespace(perf_counter=time.process_time)  # type: ignore[attr-defined]

    def turn_of(fen: str, last: Turn | None) -> Turn:
        """The state of a FEN. If a move leads to it from the last one, it has the game before it, with repetitions."""
        position = from_fen(fen)
        for path in last.legal if last else ():
            after = CHECKERS.play(last, path)
            if after.state[0] == position:
                return replace(after, before=last)
        return CHECKERS.from_fen(fen)

    CHECKERS.searching()  # it is compiled before the time begins
    limits: Any = None
    last: Turn | None = None
    found: list[Analysis] = []
    for line in lines:
        if line.strip() == "new":
            limits = last = None
            continue
        fen, name, value = line.split()
        if limits is None:
            limits = Limits(**{name: float(value) if name == "seconds" else int(value)})
        turn = turn_of(fen, last)
        found.clear()
        before = time.process_time()
        move = within(limits, CHECKERS, found.append)(turn)
        seconds = time.process_time() - before
        last = replace(CHECKERS.play(turn, move), before=turn)
        nodes = found[0].nodes if found else 0
        print(f"{CHECKERS.to_fen(last)} {nodes} {seconds:.4f}", flush=True)


if __name__ == "__main__":
    checkout = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else _HERE
    sys.path[:0] = [str(checkout), str(checkout / "runtime")]
    engine(sys.stdin)
