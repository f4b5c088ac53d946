"""A game that is written down: a text that a person may keep, and back to moves. `cpl.cli.play` asks for it.

Checkers is PDN (`cpl.games.checkers.pdn`). No other game has a standard: their sheets look like PDN, as those of
`cpl match` do, with the game's title as Event, and hold the moves as the game writes them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from cpl.games.game import BadMove, End, Game
from cpl.games.movetext import movetext

_UNFINISHED: Final = "*"
_DRAWN: Final = "1/2-1/2"
_ASIDE: Final = r"\{[^}]*(?:\}|\Z)"
_GAME: Final = re.compile(rf"((?:^\[.*\][^\S\n]*\n)*)((?:[^\[{{]+|{_ASIDE})+)", re.MULTILINE)
_TAG: Final = re.compile(r'^\[(\w+) "(.*)"\]', re.MULTILINE)
_SKIPPED: Final = re.compile(rf"{_ASIDE}|\b[0-9]+\.(?:\s|\Z)")
_OF_THE_END: Final = ("Result", "Termination", "Match")


class BadSheet(ValueError):
    """A text that holds no such game, in one plain line."""


@dataclass(frozen=True)
class Sheet:
    """A game: its tags, the state that it begins with, the moves, and the result as PDN has it."""

    first: Any
    moves: tuple[Any, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    result: str = _UNFINISHED

    @property
    def lasting(self) -> dict[str, str]:
        """The tags that stay true when the game goes on."""
        return {name: value for name, value in self.tags.items() if name not in _OF_THE_END}


def result_of(game: Game, end: End | None) -> str:
    """How PDN writes an end: the first number is that of the side that begins."""
    if end is None:
        return _UNFINISHED
    return {game.sides[0]: "1-0", game.sides[1]: "0-1"}.get(end.winner or "", _DRAWN)


def write(game: Game, sheet: Sheet) -> str:
    """The game as text."""
    if game.name == "checkers":
        from cpl.games.checkers import Game as Record
        from cpl.games.checkers import write_pdn

        first, actions, tags = sheet.first, [*sheet.moves], {**sheet.tags}
        return write_pdn(
            [Record(tags=tags, state=first.state, player=first.side, actions=actions, result=sheet.result)]
        )
    tags = {"Event": game.title, **sheet.tags, "Result": sheet.result}
    state, words = sheet.first, list[str]()
    for move in sheet.moves:
        words.append(game.text(state, move))
        state = game.play(state, move)
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{movetext(words, sheet.result)}\n"


def read(game: Game, text: str, number: int = 1) -> Sheet:
    """The game of that number, from 1, in a text of several. Raises BadSheet."""
    sheets = _pdn(text) if game.name == "checkers" else _likewise(game, text)
    read = [*islice(sheets, number)]
    if not read:
        raise BadSheet("there is no game in it")
    if len(read) < number:
        raise BadSheet(f"there is no game {number} in it: it has {len(read)}")
    return read[-1]


def _pdn(text: str) -> Iterator[Sheet]:
    from cpl.games.checkers import BadPdn, iter_pdn
    from cpl.games.checkers.record import RESULTS
    from cpl.games.playable.checkers import Turn

    try:
        for found in iter_pdn(text):
            result = found.result if found.result in RESULTS else _UNFINISHED
            yield Sheet(Turn(found.state, found.player), tuple(found.actions), found.tags, result)
    except BadPdn as error:
        raise BadSheet(str(error)) from None


def _likewise(game: Game, text: str) -> Iterator[Sheet]:
    text = text.removeprefix("\ufeff")
    for number, found in enumerate(_GAME.finditer(text), 1):
        tags = dict(_TAG.findall(found[1]))
        if not tags and not found[2].split():
            continue
        if tags.get("Event") != game.title:
            event = repr(tags["Event"]) if "Event" in tags else "missing"
            raise BadSheet(f"game {number}: its Event is {event}, and not {game.title!r}, as {game.name} has it")
        if "FEN" in tags:
            raise BadSheet(f"game {number}: it begins with a position of its own, which is read in checkers only")
        *words, result = _SKIPPED.sub(" ", found[2]).split() or [_UNFINISHED]
        if result not in ("1-0", "0-1", _DRAWN, _UNFINISHED):
            raise BadSheet(f"game {number}: it ends with {result!r}, and not with its result")
        state, moves = game.start(), list[Any]()
        for word in words:
            try:
                moves.append(game.read(state, word))
            except BadMove as error:
                raise BadSheet(f"game {number}, move {len(moves) // 2 + 1}: {error}") from None
            state = game.play(state, moves[-1])
        yield Sheet(game.start(), tuple(moves), tags, result)
