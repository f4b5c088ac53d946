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
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, Final

from cpl.display import drawn_by, written_by
from cpl.draughts.fen import BadFen
from cpl.games.game import BadMove, End, Game, Turn

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
UNFINISHED: Final = "*"

FIELDS: Final = ("result", "gametype", "setup", "fen")
"""Tags that are written from the other fields of a record, in small letters."""
_FIRST: Final = ("Event", "Site", "Date", "Round")
_UNKNOWN: Final = (UNFINISHED, "?", "")
_WIDTH: Final = 80
_TIE: Final = "\N{NO-BREAK SPACE}"
_FAULTS: Final = {
    "{": "a comment, {, is never closed",
    ")": "a variation ends, ), that never began",
    "[": 'a tag is not closed, or has no value: it is written like [Event "Match"], on one line',
    "/": "a position that is set up within a game, /FEN …/, is not read",
}


class BadPdn(ValueError):
    """A text that is no file of games, in one line that says where; or a game that cannot be written."""


@dataclass(frozen=True)
class Record:
    """A game that was played: the state and the moves as the game has them, the tags, and the result as PDN has it."""

    first: Turn
    moves: Sequence[Any]
    tags: Mapping[str, str] = field(default_factory=dict)
    result: str = UNFINISHED

    _repr_html_ = drawn_by("cpl.views.game_view:as_html")
    _repr_mimebundle_ = written_by("cpl.views.game_view:as_text")


def result_of(game: Game, end: End | None) -> str:
    """How PDN writes an end: the first number is that of the side that begins."""
    if end is None:
        return UNFINISHED
    return {game.sides[0]: "1-0", game.sides[1]: "0-1"}.get(end.winner or "", "1/2-1/2")


def write(game: Game, record: Record) -> str:
    """A record as text. Raises as `written`."""
    return written(game, record.tags, map(game.text, record.moves), record.result, record.first)


def written(game: Game, tags: Mapping[str, str], moves: Iterable[str], result: str, first: Turn | None = None) -> str:
    """A game as text, its moves being text already; they are not checked.

    Tags begin with Event, Site, Date, Round and the players, as far as they are given, then Result, GameType and,
    unless the game begins at its start, SetUp and FEN; others follow. Raises BadPdn for tags that no file can have.
    """
    if clash := [name for name in tags if name.lower() in FIELDS]:
        raise BadPdn(f"the tag {clash[0]} cannot be given: it is written from what the game itself says")
    fields = {"Result": result} | ({"GameType": game.game_type} if game.game_type else {})
    if first and (fen := game.to_fen(first)) != game.to_fen(game.start()):
        fields |= {"SetUp": "1", "FEN": fen}
    leading = {name: tags[name] for name in (*_FIRST, *game.tags) if name in tags}
    lines = [_tag(name, value) for name, value in (leading | fields | dict(tags)).items()]
    text = filled([*numbered(moves), result if result in WINNERS else UNFINISHED])
    return "\n".join([*lines, "", text, ""])


def numbered(moves: Iterable[str]) -> list[str]:
    """The moves, each that begins a round with the number of the round before it: `1. 11-15`, `23-19`, `2. 8-11`."""
    return [move if ply % 2 else f"{ply // 2 + 1}. {move}" for ply, move in enumerate(moves)]


def filled(words: Iterable[str]) -> str:
    """Numbered moves on lines as PDN has them, never parted from their numbers."""
    text = " ".join(word.replace(" ", _TIE) for word in words)
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False).replace(_TIE, " ")


def _tag(name: str, value: str) -> str:
    if not re.fullmatch("[A-Za-z0-9_]+", name):
        raise BadPdn(f"{reprlib.repr(name)} cannot be the name of a tag: it is letters, digits and _")
    if "\n" in value or "\r" in value:
        raise BadPdn(f"the tag {name} cannot be written: its value has more than one line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def read(game: Game, text: str) -> Iterator[Record]:
    """The games of a file, one after the other. Raises BadPdn when it comes to what cannot be read.

    A game ends with a result, or where tags begin. Its result is that of the tag; if this says nothing, the one at the
    end. A tag that stands twice has the last value, but after a blank line it begins the next game. Every move must be
    legal, in one of the forms that the game reads. A file of another game is not read.

    Comments, marks such as `!` and `$1`, move numbers and variations are skipped, right or wrong, and are lost. Not
    read are moves without a sign, `1115`, captures in parts, `2x9 9x18`, results with blanks or with `½`, and times in
    a FEN.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for draft in _drafts(text, _tokens(game.notation.move)):
        yield _replayed(game, draft)


def nth(game: Game, text: str, number: int = 1) -> Record:
    """The game of that number, from 1, of a file. Raises BadPdn."""
    records = [*islice(read(game, text), number)]
    if len(records) == number:
        return records[-1]
    raise BadPdn(f"there is no game {number} in it: it has {len(records)}" if records else "there is no game in it")


@cache
def _tokens(move: str) -> re.Pattern[str]:
    return re.compile(
        rf"""
        (?P<aside>   \s+ | ;[^\n]* | (?m:^)%[^\n]* | \{{[^}}]*\}} | \$[0-9]+ | [!?]+ )
      | (?P<tag>     \[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\] )
      | (?P<open>    \( )
      | (?P<close>   \) )
      | (?P<result>  \* | (?:{"|".join(WINNERS)})(?![\dx/-]) )
      | (?P<number>  [0-9]+\s*\.+ | \.+ )
      | (?P<move>    (?P<squares>{move}) (?:\*(?!\s*1\.(?!\.)))? )  # in PDN 2.0 a star marks the only good move
      | (?P<fault>   [{{\[/] )
      | (?P<word>    \w+ | . )
        """,
        re.VERBOSE,
    )


@dataclass
class _Draft:
    """A game as it stands in the text, each piece with its offset; nothing is played yet."""

    text: str
    number: int
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    result: str = ""
    tags_end: int = 0

    def __bool__(self) -> bool:
        return bool(self.tags or self.moves)

    def ends_before(self, tag: re.Match[str]) -> bool:
        """Whether this tag is the next game's."""
        again = tag["name"] in self.tags
        return bool(self.moves or (again and re.search(r"\n\s*\n", self.text[self.tags_end : tag.start()])))

    def bad(self, offset: int, what: object) -> BadPdn:
        return BadPdn(f"line {self.text.count(chr(10), 0, offset) + 1}, game {self.number}: {what}")


def _drafts(text: str, tokens: re.Pattern[str]) -> Iterator[_Draft]:
    draft = _Draft(text, 1)
    variations: list[int] = []
    for token in tokens.finditer(text):
        offset = token.start()
        match token.lastgroup:
            case "open":
                variations.append(offset)
            case "close" if variations:
                variations.pop()
            case "close" | "fault" if not variations or token[0] == "{":
                raise draft.bad(offset, _FAULTS[token[0]])
            case "tag" if variations:
                raise draft.bad(variations[0], "a variation, (, is not closed before the next game")
            case "tag":
                if draft.ends_before(token):
                    yield draft
                    draft = _Draft(text, draft.number + 1)
                draft.tags[token["name"]] = re.sub(r'\\(["\\])', r"\1", token["value"]), offset
                draft.tags_end = token.end()
            case "move" if not variations:
                draft.moves.append((token["squares"], offset))
            case "word" if not variations:  # no move, as will be found when the game is replayed
                draft.moves.append((text[offset:].split(None, 1)[0], offset))
                break
            case "result" if draft and not variations:
                draft.result = token[0]
                yield draft
                draft = _Draft(text, draft.number + 1)
    if variations:
        raise draft.bad(variations[0], "a variation, (, is never closed")
    if draft:
        yield draft


def _replayed(game: Game, draft: _Draft) -> Record:
    tags = {name: value for name, (value, _) in draft.tags.items() if name.lower() not in FIELDS}
    fields = {name.lower(): (value.strip(), offset) for name, (value, offset) in draft.tags.items()}
    (result, _), (kind, kind_at), (setup, setup_at), (fen, fen_at) = (fields.get(name, ("", 0)) for name in FIELDS)
    if game.game_type is None and tags.get("Event") != game.title:
        event, offset = draft.tags.get("Event", ("", [*draft.tags.values(), *draft.moves][0][1]))
        found = repr(event) if "Event" in tags else "missing"
        raise draft.bad(offset, f"its Event is {found}, and not {game.title!r}, as {game.name} has it")
    if game.game_type and kind and kind.partition(",")[0].strip() != game.game_type:
        raise draft.bad(kind_at, f"GameType {reprlib.repr(kind)} is not read: only 21 is, English draughts")
    if setup == "1" and not fen:
        raise draft.bad(setup_at, "SetUp says that the game has a position of its own, but there is no FEN")
    moves, offset = list[Any](), fen_at
    try:
        first = state = game.from_fen(fen) if fen else game.start()
        for text, offset in draft.moves:  # noqa: B007  # where the error is
            moves.append(game.read(state, text))
            state = game.play(state, moves[-1])
    except (BadFen, BadMove) as error:
        raise draft.bad(offset, error) from None
    known = [each for each in (result, draft.result) if each not in _UNKNOWN]
    return Record(first, moves, tags, known[0] if known else result or UNFINISHED)
