"""PDN, Portable Draughts Notation, for all games: text to records of games, and records to text.

Checkers is GameType 21, English draughts. The other games have no standard: their files look the same, with the game's
title as Event, and hold moves as the game writes them.

Who has won by `1-0` is not the same everywhere. PDN 2.0, a draft for English draughts (Murray Cash, 2003, section 6),
says "indicating Black (Red) won"; PDN 3.0 (Wieger Wesselink) refers to it, and the games that come with CheckerBoard
hold to it. Wikipedia says "White won", as in chess. We hold to PDN 2.0: the first number is that of the side that
begins. The result of a record is the one that its file states, also where the moves lead to another one.
"""

import codecs
import os
import re
import reprlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from io import BytesIO, TextIOWrapper
from pathlib import Path as FilePath
from typing import Any, Final

from cpl import outside
from cpl.display import drawn, text_bundle
from cpl.games.game import BadMove, End, Game, Path, Steps, Turn
from cpl.games.moves import shortens
from cpl.games.pdn_parser import (
    FIELDS,
    UNFINISHED,
    WINNERS,
    BadPdn,
    GameText,
    PdnWarning,
    games,
    plain_result,
)
from cpl.games.pdn_writer import filled, numbered, written
from cpl.games.playable import NAMES, game_of
from cpl.games.position import BadFen, FenWarning
from cpl.limits import MOST_BYTES_OF_GAMES

__all__ = [
    "FIELDS",
    "GAME_TYPES",
    "UNFINISHED",
    "WINNERS",
    "BadPdn",
    "Entry",
    "OtherDraughts",
    "PdnWarning",
    "Record",
    "entries",
    "filled",
    "nth",
    "numbered",
    "read",
    "read_game",
    "result_of",
    "write",
    "written",
]

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

_PREFIX: Final = 1000
"""Bytes of a file that show how it is encoded."""
_PIECE: Final = 1 << 18
"""Characters, or bytes, of a text that comes in pieces."""
_LATIN_1: Final = "cpl.latin-1"
"""The name under which `_as_latin_1` is registered as a handler of decoding errors."""

# The signs of other draughts, see `OtherDraughts`.
_SQUARES: Final = 32
_MOVES_LOOKED_AT: Final = 20
"""Moves of a game in which signs of other draughts are looked for."""
_WITH_LETTERS: Final = re.compile(r"^'[a-h][1-8][-x:][a-h][1-8]")
_OTHER_DRAUGHTS: Final = "these look like games of another kind: they {}; only English draughts is read"
_UNKNOWN: Final = (UNFINISHED, "?", "")
"""Values of a Result that do not say how the game ended."""


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
class Replay:
    """The moves of a game, and the states before, between and after them, in the form of its `Steps`."""

    moves: Sequence[Any]
    states: Sequence[Any]


def follow(steps: Steps, paths: Iterable[Path]) -> Replay:
    """Find the line of play that a text means. Each path has the squares of a move; those between its ends may be left
    out, so that it can mean several captures.

    The paths that follow decide which capture is meant: after it, they can be played. If they do not decide it, the
    line ends before this path. It also ends before a path that cannot be played. If several captures lead to the same
    state, the line has the first of them.
    """
    # The lines that the paths can mean so far. Of those to the same state one is enough, so they do not multiply.
    lines = [Replay((), (steps.start,))]
    for path in paths:
        wanted = tuple(steps.squares[square] for square in path)
        longer = [*_longer(lines, wanted, steps)]
        if not longer:
            return lines[0]
        if len(longer) > 1:  # only then states are hashable for certain, see `Steps`
            first_to = {line.states[-1]: line for line in reversed(longer)}
            longer = [*first_to.values()]
        lines = longer

    # If several are left, the line is what they have in common.
    line = lines[0]
    for count, states in enumerate(zip(*(line.states for line in lines), strict=True)):
        if any(state != states[0] for state in states):  # the first `count` states are the same, and the moves between
            return Replay(line.moves[: count - 1], line.states[:count])
    return line


def _longer(lines: Iterable[Replay], path: Path, steps: Steps) -> Iterator[Replay]:
    """Yield the lines of play that are one move longer, a move which the path can mean."""
    for line in lines:
        state = line.states[-1]
        for move in _meant(path, steps.legal(state)):
            yield Replay((*line.moves, move), (*line.states, steps.play(state, move)))


def _meant(path: Path, legal: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    """Return the moves that a path can mean: itself, or those that it shortens."""
    matching = [move for move in legal if move[0] == path[0] and move[-1] == path[-1]]
    exact = [move for move in matching if tuple(move) == path]
    return exact or [move for move in matching if shortens(path, tuple(move))]


@dataclass(frozen=True)
class Entry:
    """A game of a file. What its headers say is known at once; its moves are read when they are first asked for."""

    game: Game
    text: GameText

    @cached_property
    def tags(self) -> dict[str, str]:
        """The tags, without those that say what the other fields do."""
        return {name: value for name, (value, _) in self.text.tags.items() if name.lower() not in FIELDS}

    @cached_property
    def result(self) -> str:
        """The result of the tag; if this says nothing, the one at the end; if there is none, what the tag has."""
        value, _ = self._field("result")
        stated = plain_result(value)
        for result in (stated, self.text.result):
            if result not in _UNKNOWN:
                return result
        return stated or UNFINISHED

    @property
    def fault(self) -> BadPdn | None:
        """The reason why it cannot be read, as far as that is known before its moves are played."""
        if self._header_fault:
            return self._header_fault
        return self.text.error(*self.text.fault) if self.text.fault else None

    @property
    def cut(self) -> str:
        """The warning of what ends the game before its text does, with the place; empty if nothing does."""
        return f"{self.text.error(*self.text.cut)}; the game is read up to it" if self.text.cut else ""

    @property
    def text_warnings(self) -> list[str]:
        """The warnings that its text tells without playing: of what was perhaps meant otherwise, and the `cut`."""
        lines = [str(self.text.error(*note)) for note in self.text.notes]
        if self.cut:
            lines.append(self.cut)
        return lines

    @cached_property
    def _header_fault(self) -> BadPdn | None:
        """What is wrong with the tags, by which the game or its first position cannot be known."""
        return self._event_fault() or self._type_fault() or self._setup_fault()

    def _event_fault(self) -> BadPdn | None:
        """Return what is wrong with the Event, by which files without a GameType are known."""
        game = self.game
        event, offset = self.text.tags.get("Event", ("", self.text.offset))
        if game.game_type is None:
            if event == game.title:
                return None
            stated = repr(event) if "Event" in self.text.tags else "missing"
            message = f"its Event is {stated}, and not {game.title!r}, as {game.name} has it"
            return self.text.error(message, offset)
        for name in NAMES:
            other = game_of(name)
            if other.title == event and not other.game_type:
                message = f"its Event is {event!r}: this is the game {other.name}, not {game.name}"
                return self.text.error(message, offset)
        return None

    def _type_fault(self) -> BadPdn | None:
        """Return the error of a game whose tag GameType names another game."""
        kind, offset = self._field("gametype")
        number = kind.partition(",")[0].strip()
        wanted = self.game.game_type
        if wanted is None or number in ("", wanted):
            return None
        name = f"is {GAME_TYPES[number]}, which is not read" if number in GAME_TYPES else "is not read"
        message = f"GameType {reprlib.repr(kind)} {name}: only {wanted} is, {GAME_TYPES[wanted]}"
        return self.text.error(message, offset)

    def _setup_fault(self) -> BadPdn | None:
        """Return the error of a game that is said to have a position of its own, and has none."""
        setup, offset = self._field("setup")
        fen, _ = self._field("fen")
        if setup == "1" and not fen and not self.text.fault:
            return self.text.error("SetUp says that the game has a position of its own, but there is no FEN", offset)
        return None

    @cached_property
    def warnings(self) -> list[str]:
        """The messages about what was read otherwise than it is written, with the places. Raises BadPdn."""
        _, warnings_of_first = self._begin
        return [*warnings_of_first, *self.text_warnings]

    def replay(self) -> Replay:
        """The moves and the states, as `game.steps` has them. Raises BadPdn: every move must be legal, in one of the
        forms that the game reads.
        """
        turn, _ = self._begin
        line = follow(self.game.steps(turn), self._written_paths())
        if len(line.moves) < len(self.text.moves):
            # The next move cannot be played. The game is asked to read it, since its error says why.
            text, offset = self.text.moves[len(line.moves)]
            for move in self._as_paths(line):
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
        paths = self._as_paths(self.replay())
        first, warnings_of_first = self._begin
        for warning in warnings_of_first:
            warnings.warn(warning, FenWarning, stacklevel=2)
        for warning in self.text_warnings:
            warnings.warn(warning, PdnWarning, stacklevel=2)
        return Record(first, paths, self.tags, self.result, self.text.remarks)

    def _field(self, wanted: str) -> tuple[str, int]:
        """Return the value of a tag of `FIELDS`, and its offset; of several, that of the last."""
        value, offset = "", 0
        for name, tag in self.text.tags.items():
            if name.lower() == wanted:
                value, offset = tag
        return value.strip(), offset

    @cached_property
    def _begin(self) -> tuple[Turn, list[str]]:
        """The first state, and warnings of what its FEN does not quite say. Raises BadPdn."""
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
        return first, [str(self.text.error(warning.message, offset)) for warning in caught]

    def _written_paths(self) -> Iterator[Path]:
        """Yield the squares of each move as it is written, up to a text that is no move."""
        for text, _ in self.text.moves:
            path = _path_of_text(self.game, text)
            if path is None:
                return
            yield path

    def _as_paths(self, line: Replay) -> list[Path]:
        """Return the moves of a line of play as paths, with the squares of the game for those of its `Steps`."""
        first, _ = self._begin
        squares = {form: square for square, form in self.game.steps(first).squares.items()}
        paths = []
        for move in line.moves:
            paths.append(tuple(squares[form] for form in move))
        return paths


def result_of(game: Game, end: End | None) -> str:
    """Return how PDN writes an end: the first number is that of the side that begins."""
    results = {game.sides[0]: "1-0", game.sides[1]: "0-1", None: "1/2-1/2"}
    return results[end.winner] if end else UNFINISHED


def write(game: Game, record: Record) -> str:
    """A record as text. Raises BadPdn if no file can have it, as `written` does."""
    return written(game, record.tags, map(game.text, record.moves), record.result, record.first, record.remarks)


def entries(game: Game, text: str | Iterable[str]) -> Iterator[Entry]:
    """The games of a file one after the other, whatever is wrong with them. The text may come in `pieces`.

    A game ends with a result, where tags begin, or where a line begins with `1.` again. Its result is that of the tag;
    if this says nothing, the one at the end. A tag that stands twice has the last value, but after a blank line it
    begins the next game. A word after moves, such as `resigns`, ends the moves: it is named by a PdnWarning, and what
    follows it is left out, but for the result.

    Move numbers and lines that begin with % are ignored. Captures in parts, `2x9 9x18`, are not read.
    """
    return (Entry(game, text_of_game) for text_of_game in games(text, game.notation))


class OtherDraughts:
    """What shows that the games of a file are not of English draughts but of another kind, found game by game."""

    def __init__(self) -> None:
        self._sign = ""
        self._begun_by_white: set[bool] = set()

    def look_at(self, entry: Entry) -> None:
        """Look at a game of the file."""
        names = {name.lower() for name in entry.text.tags}
        if self._sign or "gametype" in names:  # a GameType says which draughts it is, and needs no signs
            return
        squares: list[int] = []
        for text, _ in entry.text.moves[:_MOVES_LOOKED_AT]:
            squares += map(_square_number, re.findall("[0-9]+", text))
        if entry.text.fault and _WITH_LETTERS.search(entry.text.fault[0]):
            self._sign = "have moves with letters, as Russian and Brazilian draughts have them"
        elif any(_SQUARES < number < 100 for number in squares):  # a larger one is a misprint: no board has it
            self._sign = "have squares above 32, as international draughts"
        elif squares and "fen" not in names:
            is_on_side_of_white = _SQUARES // 2 < squares[0] <= _SQUARES
            self._begun_by_white.add(is_on_side_of_white)

    @property
    def sentence(self) -> str:
        """What was found, in a sentence; empty if nothing was."""
        if self._sign:
            return _OTHER_DRAUGHTS.format(self._sign)
        if self._begun_by_white == {True}:  # all the games without a position of their own
            return _OTHER_DRAUGHTS.format("begin with a move of White, as in Italian and Russian draughts")
        return ""


def _square_number(digits: str) -> int:
    """Return the number of a square. Of a long one three digits are read, which is enough to see that no board has it:
    Python refuses to read very long numbers, or takes very long.
    """
    return int(digits.lstrip("0")[:3] or "0")


def read(game: Game, text: str | Iterable[str]) -> Iterator[Record]:
    """The games of a file. Raises BadPdn when it comes to one that cannot be read; `entries` goes on after it."""
    return (entry.record for entry in entries(game, text))


def nth(game: Game, text: str | Iterable[str], number: int = 1) -> Record:
    """The game of that number, from 1, of a file; those before it are not played. Raises BadPdn."""
    total = 0
    for entry in entries(game, text):
        total = entry.text.number
        if total == number:
            return entry.record
    if total == 0:
        raise BadPdn("there is no game in it")
    raise BadPdn(f"there is no game {number} in it: it has {total}")


@lru_cache(5000)  # the games of a file have most moves in common
def _path_of_text(game: Game, text: str) -> Path | None:
    """The squares of a text, None if it is not a move."""
    try:
        return game.notation.path(text)
    except BadMove:
        return None


def read_game(path_or_text: str | FilePath, game: str = "checkers", number: int = 1) -> Record:
    """The game with this number, from 1, in a file of PDN, or in its text. A notebook shows it to look through.

    A string that ends with `.pdn` is the name of a file. `game` is checkers, strachey, simple-checkers or capture.

    Raises OSError if the file cannot be read, BadPdn (a ValueError) if the game cannot, and ValueError if the game is
    unknown or the number below 1.
    """
    if game not in NAMES:
        raise ValueError(f"there is no game {game!r}: there are {', '.join(NAMES)}")
    if number < 1:
        raise ValueError(f"the games of a file are numbered from 1, not {number}")
    if isinstance(path_or_text, str) and not path_or_text.lower().endswith(".pdn"):
        return nth(game_of(game), path_or_text, number)
    try:
        return nth(game_of(game), pieces_of(FilePath(path_or_text)), number)
    except BadPdn as error:
        raise BadPdn(f"{os.fspath(path_or_text)}: {error}") from None


def pieces_of(path: FilePath) -> Iterator[str]:
    """The text of a file of games, in pieces. Raises OSError or BadPdn."""
    return pieces(outside.read(path, MOST_BYTES_OF_GAMES))


def pieces(raw: bytes) -> Iterator[str]:
    """The text of these bytes, in pieces whose lines end with LF. Raises BadPdn if there are more than
    `MOST_BYTES_OF_GAMES`, or if their encoding cannot be read.
    """
    encoding, errors = _encoding(raw)
    text = TextIOWrapper(BytesIO(raw), encoding, errors)  # which reads CR LF and CR as LF
    if raw.startswith(codecs.BOM_UTF8):
        text.seek(len(codecs.BOM_UTF8))
    return iter(partial(text.read, _PIECE), "")


def _encoding(raw: bytes) -> tuple[str, str]:
    """The encoding of a file of games, and the handler of decoding errors. Raises BadPdn."""
    if len(raw) > MOST_BYTES_OF_GAMES:
        raise BadPdn(f"this file has more than {MOST_BYTES_OF_GAMES:,} bytes: too many for a file of games")
    # UTF-32 comes first: its byte order mark may begin with that of UTF-16.
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) or b"\0\0" in raw[:_PREFIX]:
        raise BadPdn("this file is UTF-32, or no text: save it as UTF-8")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as Notepad writes "Unicode"
        return "utf-16", "replace"
    if b"\0" in raw[:_PREFIX]:
        raise BadPdn("this file is UTF-16 without a byte order mark, or no text: save it as UTF-8")

    decoder = codecs.getincrementaldecoder("utf-8")()
    try:  # in pieces, so that the whole text is never in memory at once
        for begin in range(0, len(raw), _PIECE):
            decoder.decode(raw[begin : begin + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:  # files of games are often older than UTF-8, and only names suffer
        return "cp1252", _LATIN_1
    return "utf-8", "strict"


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Decode a byte that Windows-1252 does not define, one of five, as Latin-1 does; a handler of `codecs`."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_LATIN_1, _as_latin_1)
