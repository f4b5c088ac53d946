"""Games of checkers between two players, and files of games in PDN.

See `cpl.games.checkers`, which offers all of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from cpl.display import drawn, text_bundle
from cpl.games import pdn
from cpl.games.checkers.game import CHECKERS, MODEL
from cpl.games.checkers.model import Action, Chooser, State, from_cpl, start, to_path, turn_of
from cpl.games.pdn import BadPdn, Record
from cpl.games.sides import PLAYERS, Player


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: the tags, the state and the player that it starts with, the actions, and the result as PDN writes it.

    Result, GameType, SetUp and FEN are not among the tags: the other fields have them. `remarks` are what stands beside
    the moves in a file, by the number of moves before it: comments `{well played}`, marks `!` and `$2`, and variations
    `(11-16 {also good})`.
    """

    tags: dict[str, str] = field(default_factory=dict)
    state: State = field(default_factory=start)
    player: Player = field(default_factory=lambda: "red")
    actions: list[Action] = field(default_factory=list)
    result: str = pdn.UNFINISHED
    remarks: dict[int, list[str]] = field(default_factory=dict)

    if not TYPE_CHECKING:  # to which any other name would seem to be there

        def __getattr__(self, name: str) -> Any:
            """The moves of a game of a file, which are read when they are first asked for. Raises BadPdn."""
            values = vars(self)
            if "_entry" not in values or name not in ("state", "player", "actions"):
                raise AttributeError(f"a game has no {name}")
            record = values["_entry"].record
            values["state"], values["player"] = from_cpl(record.first.state)
            values["actions"] = [[*path] for path in record.moves]
            return values[name]

    @property
    def winner(self) -> Player | None:
        """The winner, as the result says it; None for no one, or if it does not say."""
        side = pdn.WINNERS.get(self.result)
        return None if side is None else PLAYERS[side]

    @property
    def record(self) -> Record:
        """The same as all games have it. Raises ValueError or TypeError for states and actions that are none."""
        first = CHECKERS.turn(turn_of(self.state, self.player).state)
        return Record(first, [*map(to_path, self.actions)], self.tags, self.result, self.remarks)

    _repr_html_ = drawn
    _repr_mimebundle_ = text_bundle


def play(red: Chooser, black: Chooser, state: Any = None, player: str = "red") -> Game:
    """A game between two players, from the start or from any state, until it is over, with its result.

    It is over when `is_end` says so: the 50-move rule sees to it, and the rules know no draw by repetition. Each player
    gets a copy of the state. Raises ValueError if one chooses an illegal action.
    """
    choosers: dict[str, Chooser] = {"red": red, "black": black}
    first = turn_of(start() if state is None else state, player)
    turn = first
    actions: list[Action] = []
    while not MODEL.end(turn):
        action = choosers[turn.side].choose(*from_cpl(turn.state))
        path = to_path(action)
        if path not in turn.legal:
            raise ValueError(f"{turn.side} chose {[*path]}, an illegal action: {MODEL.why_illegal(turn, path)}")
        actions.append([*path])
        turn = MODEL.play(turn, path)
    result = pdn.result_of(MODEL, MODEL.end(turn))
    begin, side = from_cpl(first.state)
    return Game(state=begin, player=side, actions=actions, result=result)


class Games(list[Game]):
    """The games of a file that could be read, and for those that could not, an error each. `warnings` are lines about
    what was read otherwise than it is written.
    """

    def __init__(self, games: Iterable[Game] = (), errors: Iterable[BadPdn] = (), warnings: Iterable[str] = ()) -> None:
        super().__init__(games)
        self.errors, self.warnings = [*errors], [*warnings]

    @property
    def summary(self) -> str:
        """The number of games that were read, and a line for each error and each warning."""
        lines = [f"{len(self)} of {len(self) + len(self.errors)} games read"]
        lines += map(str, self.errors)
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)


def read_pdn(text: str, *, errors: Literal["raise", "collect"] = "raise") -> Games:
    """The games of a file, their moves checked; `cpl.games.pdn.entries` says what can be read.

    What cannot be read raises BadPdn, or, with `errors="collect"`, loses its one game, and is among the `errors` of the
    result. What ends a game early, such as `White resigns`, or is read otherwise than it is written, is warned of, and
    is among the `warnings`.
    """
    if errors not in ("raise", "collect"):
        raise ValueError(f'errors is "raise" or "collect", not {errors!r}')
    games = Games()
    for game in iter_pdn(text):
        try:
            game.actions  # noqa: B018  # reads them
        except BadPdn as error:
            if errors == "raise":
                raise
            games.errors.append(error)
            continue
        games.append(game)
        games.warnings += vars(game)["_entry"].warnings
    return games


def iter_pdn(text: str) -> Iterator[Game]:
    """The games of a file one after the other, by their headers. The moves of each, and the state in which it begins,
    are read when they are first asked for: that raises BadPdn for a game that cannot be read.
    """
    for entry in pdn.entries(CHECKERS, text):
        remarks = {ply: [*remarks] for ply, remarks in entry.text.remarks.items()}
        # Made without __init__, which would set the fields that `Game.__getattr__` reads when they are asked for.
        game = Game.__new__(Game)
        vars(game).update(tags={**entry.tags}, result=entry.result, remarks=remarks, _entry=entry)
        yield game


def write_pdn(games: Iterable[Game]) -> str:
    """A file of these games: whole paths of captures, a blank line between games.

    Tags begin with Event, Site, Date, Round, Black, White, as far as a game has them, then Result, GameType and, unless
    it begins at the start, SetUp and FEN; others follow. What states count for the 50-move rule has no place in a file.

    Raises BadPdn for tags that no file can have, ValueError or TypeError for states and actions that are none. Whether
    the actions are legal is not checked.
    """
    return "\n".join(pdn.write(CHECKERS, game.record) for game in games)
