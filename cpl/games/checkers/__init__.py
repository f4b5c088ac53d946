"""Checkers as two texts describe it: states and actions, players, games, PDN. The moves and the search are in
`programs/checkers.cpl`. docs/descriptions.md calls the texts "the model" (states and actions) and "the rules" (of the
game, and how a player chooses), as this package does, and says what they leave open and what was chosen.

```pycon
>>> from cpl.games import checkers
>>> checkers.actions(checkers.start(), "red")[0]
[(2, 1), (3, 0)]
```

A state is a board of eight rows, and a player "red" or "black", as in the model. For people, and in FEN and PDN, this
red is Black, who moves first, and this black is White: `cpl.games.sides` has the table. An action is the list of all
the tiles that a piece goes over in one turn. What callers give is checked, and never changed; what they get is new.

`model` has states, actions and players, `records` whole games and PDN. Both rest on `game`, which is checkers as
`cpl.games.game` wants every game.
"""

from cpl.games.checkers.game import CHECKERS, Checkers, weights
from cpl.games.checkers.model import (
    Action,
    AlphaBeta,
    Chooser,
    MiniMax,
    Random,
    State,
    action_text,
    actions,
    features,
    from_fen,
    is_end,
    must_moves,
    optional_moves,
    read_action,
    start,
    successor,
    to_fen,
    utility,
)
from cpl.games.checkers.records import Game, Games, iter_pdn, play, read_pdn, write_pdn
from cpl.games.moves import BadMove
from cpl.games.pdn import BadPdn
from cpl.games.position import BadFen
from cpl.games.position import Square as Tile
from cpl.games.sides import Player

__all__ = [
    "CHECKERS",
    "Action",
    "AlphaBeta",
    "BadFen",
    "BadMove",
    "BadPdn",
    "Checkers",
    "Chooser",
    "Game",
    "Games",
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
    "must_moves",
    "optional_moves",
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
