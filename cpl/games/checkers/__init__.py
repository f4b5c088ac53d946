"""Checkers as seeds 001 and 003 describe it: states and actions, players, games. The rules and the search are in
`programs/checkers.cpl`; docs/games.md says what the seeds leave open and what was chosen.

```pycon
>>> from cpl.games import checkers
>>> checkers.actions(checkers.start(), "red")[0]
[(2, 1), (3, 0)]
```
"""

from cpl.games.checkers.players import AlphaBeta, Chooser, MiniMax, Random
from cpl.games.checkers.rules import actions, features, is_end, start, successor, utility, weights
from cpl.games.checkers.state import Action, Player, State, Tile

__all__ = [
    "Action",
    "AlphaBeta",
    "Chooser",
    "MiniMax",
    "Player",
    "Random",
    "State",
    "Tile",
    "actions",
    "features",
    "is_end",
    "start",
    "successor",
    "utility",
    "weights",
]
