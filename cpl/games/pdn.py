"""PDN, Portable Draughts Notation, for all games: text to records of games, and records to text.

Checkers is GameType 21, English draughts. The other games have no standard: their files look the same, with the game's
title as Event, and hold moves as the game writes them.

Who has won by `1-0` is not the same everywhere. PDN 2.0, a draft for English draughts (Murray Cash, 2003, section 6),
says "indicating Black (Red) won"; PDN 3.0 (Wieger Wesselink) refers to it, and the games that come with CheckerBoard
hold to it. Wikipedia says "White won", as in chess. We hold to PDN 2.0: the first number is that of the side that
begins. A result is kept as it stands in the file, whatever the moves say.
"""

import re
import reprlib
import warnings
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from typing import Any, Final

from cpl.display import drawn, text_bundle
from cpl.draughts.fen import BadFen, FenWarning
from cpl.games.game import BadMove, End, Game, Path, Turn
from cpl.games.pdn_text import UNFINISHED, BadPdn, GameText, games
from cpl.games.pdn_writing import FIELDS, filled, numbered, written
from cpl.games.replay import Line, follow

__all__ = [
    "FIELDS",
    "GAME_TYPES",
    "UNFINISHED",
    "WINNERS",
    "BadPdn",
    "Entry",
    "Record",
    "entries",
    "filled",
    "nth",
    "numbered",
    "read",
    "result_of",
    "write",
    "written",
]

WINNERS: Final[Mapping[str, int | None]] = {
    "1/2-1/2": None,
    "1-0": 0,
    "0-1": 1,
    "2-0": 0,
    "0-2": 1,
    "1-1": None,
    "0-0": None,
}
"""Results, and which side has won. Other draughts have 2, 1 and 0 points; PDN 3.0 has 0-0 if both have lost."""

GAME_TYPES: Final[Mapping[str, str]] = {
    "0": "chess",
    "1": "Chinese chess",
    "20": "international draughts, ten by ten",
    "21": "English draughts",
    "22": "Italian draughts",
    "23": "American pool checkers",
    "24": "Spanish draughts",
    "25": "Russian draughts",
    "26": "Brazilian draughts",
    "27": "Canadian draughts, twelve by twelve",
    "28": "Portuguese draughts",
    "29": "Czech draughts",
    "30": "Turkish draughts",
    "31": "Thai draughts",
    "40": "Frisian draughts, ten by ten",
    "41": "Spantsiretti draughts",
}
"""The games of PDN 3.0, by the number with which a GameType begins."""

_UNKNOWN: Final = (UNFINISHED, "?", "")
_SURE: Final = 3
"""So many squares that a game does not have are no slips."""


@dataclass(frozen=True)
class Record:
    """A game that was played: the state and the moves as the game has them, the tags, the result as PDN has it, and
    remarks: comments, marks and variations as PDN writes them, by the number of moves before them.
    """

    first: Turn
    moves: Sequence[Any]
    tags: Mapping[str, str] = field(default_factory=dict)
    result: str = UNFINISHED
    remarks: Mapping[int, Sequence[str]] = field(default_factory=dict)

    _repr_html_ = drawn
    _repr_mimebundle_ = text_bundle


@dataclass(frozen=True)
class Entry:
    """A game of a file. What its headers say is known at once; its moves are read when they are first asked for."""

    game: Game
    text: GameText

    @property
    def number(self) -> int:
        """Which game of the file it is, from 1."""
        return self.text.number

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self.text.source.line_at(self.text.offset)

    @property
    def plies(self) -> int:
        """The number of its moves, right or wrong."""
        return len(self.text.moves)

    @cached_property
    def tags(self) -> dict[str, str]:
        """All but those that say what the other fields do."""
        return {name: value for name, (value, _) in self.text.tags.items() if name.lower() not in FIELDS}

    @cached_property
    def result(self) -> str:
        """That of the tag; if this says nothing, the one at the end."""
        stated = self._field("result")[0]
        known = [each for each in (stated, self.text.result) if each not in _UNKNOWN]
        return known[0] if known else stated or UNFINISHED

    @property
    def fault(self) -> BadPdn | None:
        """Why it cannot be read, as far as that is known before its moves are played."""
        return self._header_fault or (self.text.error(*self.text.fault) if self.text.fault else None)

    @cached_property
    def _header_fault(self) -> BadPdn | None:
        kind, offset = self._field("gametype")
        number = kind.partition(",")[0].strip()
        if self.game.game_type is None and self.tags.get("Event") != self.game.title:
            event, offset = self.text.tags.get("Event", ("", self.text.offset))
            found = repr(event) if "Event" in self.tags else "missing"
            return self.text.error(
                f"its Event is {found}, and not {self.game.title!r}, as {self.game.name} has it", offset
            )
        if self.game.game_type and number and number != self.game.game_type:
            name = f"is {GAME_TYPES[number]}, which is not read" if number in GAME_TYPES else "is not read"
            only = f"only {self.game.game_type} is, {GAME_TYPES[self.game.game_type]}"
            return self.text.error(f"GameType {reprlib.repr(kind)} {name}: {only}", offset)
        if self.game.game_type and not number and (other := self._other_game()):
            return self.text.error(
                f"it has no GameType, and its squares are those of {other}, which is not read", self.text.offset
            )
        setup, offset = self._field("setup")
        if setup == "1" and not self._field("fen")[0] and not self.text.fault:
            return self.text.error("SetUp says that the game has a position of its own, but there is no FEN", offset)
        return None

    def _other_game(self) -> str:
        """The game of draughts whose squares the moves and the position have, if English draughts has no such squares:
        letters, or at least three numbers that are too large.
        """
        if self.text.fault and not self.text.moves and re.match("'[a-h][1-8]", self.text.fault[0]):
            return GAME_TYPES["25"]
        texts = [self._field("fen")[0], *(text for text, _ in self.text.moves)]
        large = [number for text in texts for each in re.findall("[0-9]{1,4}", text) if (number := int(each)) > 32]
        if len(large) < _SURE:
            return ""
        return GAME_TYPES["20" if max(large) <= 50 else "27"]

    @cached_property
    def warnings(self) -> list[str]:
        """What was read otherwise than it is written, with the places. Raises BadPdn."""
        return self._begin[1]

    def replay(self) -> Line:
        """The moves and the states, as `game.steps` has them. Raises BadPdn: every move must be legal, in one of the
        forms that the game reads.
        """
        turn = self._begin[0]
        paths = takewhile(bool, (_path(self.game, text) for text, _ in self.text.moves))
        line = follow(self.game.steps(turn), filter(None, paths))
        if len(line.moves) < self.plies:
            text, offset = self.text.moves[len(line.moves)]
            for move in self._paths(line):
                turn = self.game.play(turn, move)
            try:
                self.game.read(turn, text)
            except BadMove as error:
                raise self.text.error(error, offset) from None
        if self.text.fault:
            raise self.text.error(*self.text.fault)
        return line

    @cached_property
    def record(self) -> Record:
        """The game. Raises BadPdn, and warns of what was read otherwise than it is written."""
        for each in self.warnings:
            warnings.warn(each, FenWarning, stacklevel=2)
        return Record(self._begin[0], self._paths(self.replay()), self.tags, self.result, self.text.remarks)

    def _field(self, wanted: str) -> tuple[str, int]:
        """The value of a tag of `FIELDS`, and its offset."""
        found = [each for name, each in self.text.tags.items() if name.lower() == wanted]
        return (found[-1][0].strip(), found[-1][1]) if found else ("", 0)

    @cached_property
    def _begin(self) -> tuple[Turn, list[str]]:
        """The first state, and warnings."""
        if self._header_fault:
            raise self._header_fault
        fen, offset = self._field("fen")
        if not fen:
            return self.game.start(), []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", FenWarning)
            try:
                first = self.game.from_fen(fen)
            except BadFen as error:
                raise self.text.error(error, offset) from None
        return first, [str(self.text.error(each.message, offset)) for each in caught]

    def _paths(self, line: Line) -> list[Path]:
        squares = {form: square for square, form in self.game.steps(self._begin[0]).squares.items()}
        return [tuple(squares[each] for each in move) for move in line.moves]


def result_of(game: Game, end: End | None) -> str:
    """How PDN writes an end: the first number is that of the side that begins."""
    if end is None:
        return UNFINISHED
    return {game.sides[0]: "1-0", game.sides[1]: "0-1"}.get(end.winner or "", "1/2-1/2")


def write(game: Game, record: Record) -> str:
    """A record as text. Raises as `written`."""
    moves = map(game.text, record.moves)
    return written(game, record.tags, moves, record.result, record.first, record.remarks)


def entries(game: Game, text: str) -> Iterator[Entry]:
    """The games of a file one after the other, whatever is wrong with them.

    A game ends with a result, or where tags begin. Its result is that of the tag; if this says nothing, the one at the
    end. A tag that stands twice has the last value, but after a blank line it begins the next game.

    Move numbers and lines that begin with % are passed over. Not read are moves without a sign, `1115`, captures in
    parts, `2x9 9x18`, results with blanks or with `½`.
    """
    return (Entry(game, each) for each in games(text, game.notation))


def read(game: Game, text: str) -> Iterator[Record]:
    """The games of a file. Raises BadPdn when it comes to one that cannot be read; `entries` goes on after it."""
    return (entry.record for entry in entries(game, text))


def nth(game: Game, text: str, number: int = 1) -> Record:
    """The game of that number, from 1, of a file; those before it are not played. Raises BadPdn."""
    found = [*deque(islice(entries(game, text), number), maxlen=1)]
    if not found:
        raise BadPdn("there is no game in it")
    if found[0].number < number:
        raise BadPdn(f"there is no game {number} in it: it has {found[0].number}")
    return found[0].record


@lru_cache(5000)
def _path(game: Game, text: str) -> Path | None:
    """The squares of a text, None if it is no move."""
    try:
        return game.notation.path(text)
    except BadMove:
        return None
