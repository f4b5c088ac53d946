"""Checkers as seeds 001 and 003 describe it: states and actions, players, games. The rules and the search are in
`programs/checkers.cpl`; docs/games.md says what the seeds leave open and what was chosen.

```pycon
>>> from cpl.games import checkers
>>> checkers.actions(checkers.start(), "red")[0]
[(2, 1), (3, 0)]
```
"""

from cpl.games.checkers.notation import action_text, from_fen, read_action, to_fen
from cpl.games.checkers.pdn import BadPdn, iter_pdn, read_pdn, write_pdn
from cpl.games.checkers.players import AlphaBeta, Chooser, MiniMax, Random, play
from cpl.games.checkers.record import Game
from cpl.games.checkers.rules import actions, features, is_end, start, successor, utility, weights
from cpl.games.checkers.state import Action, Player, State
from cpl.games.draughts import Tile
from cpl.games.game import BadMove
from cpl.kit.notation import BadFen

__all__ = [
    "Action",
    "AlphaBeta",
    "BadFen",
    "BadMove",
    "BadPdn",
    "Chooser",
    "Game",
    "MiniMax",
    "Player",
    "Random",
    "State",
    "Tile",
    "action_text",
    "actions",
    "features",
    "from_fen",
    "is_end",
    "iter_pdn",
    "play",
    "read_action",
    "read_pdn",
    "start",
    "successor",
    "to_fen",
    "utility",
    "weights",
    "write_pdn",
]
