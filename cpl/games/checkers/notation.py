"""States and actions as draughts players write them: squares 1 to 32, FEN, moves as 11-15 and 15x22x31.

Red is the Black of English draughts, who moves first, and down from squares 1 to 12; Black is its White, who begins on
21 to 32. `cpl.games.checkers.pdn` reads and writes games with this.
"""

from typing import Any

from cpl.games import draughts
from cpl.games.checkers.rules import actions
from cpl.games.checkers.state import Action, Player, State, checked_player, from_cpl, to_action, to_cpl, to_move
from cpl.kit import notation


def to_fen(state: Any, player: str) -> str:
    """Whose move it is, and the pieces: `B:W21,K30:B1,K2`. The counts of the 50-move rule are not in it.

    Raises TypeError or ValueError if this is no state, or no player.
    """
    position, _, _ = to_cpl(State(state), checked_player(player))
    return notation.to_fen(position)


def from_fen(text: str) -> tuple[State, Player]:
    """The state of a FEN, in which nothing is counted yet, and whose move it is. Raises BadFen, a ValueError.

    One side may have no pieces. What else is read says `cpl.kit.notation.from_fen`.
    """
    return from_cpl((notation.from_fen(text), 0, 0))


def action_text(action: Any) -> str:
    """An action with every square that it touches: `11-15`, `15x22x31`. Raises ValueError for what is none."""
    return draughts.text_of(to_action(to_move(action)))


def read_action(state: Any, player: str, text: str) -> Action:
    """The one of `actions(state, player)` that a text means. Raises BadMove, which says why it can mean none.

    Captures may be written short, `15x31`, where just one action has these ends (`cpl.games.draughts.way_of`).
    """
    ways = {tuple(action): action for action in actions(state, player)}
    return ways[draughts.way_of(text, ways, State(state).picture, player, down=player == "red")]
