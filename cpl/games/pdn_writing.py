"""Games as PDN: a record in, its text out, with tags, numbered moves and remarks on lines of 80 characters."""

import re
import reprlib
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cpl.games.game import Game, Turn
from cpl.games.pdn_text import RESULTS, UNFINISHED, BadPdn, games

FIELDS: Final = ("result", "gametype", "setup", "fen")
"""Tags that are written from the other fields of a record, in small letters."""

_FIRST: Final = ("Event", "Site", "Date", "Round")
_WIDTH: Final = 80
_TIE: Final = "\N{NO-BREAK SPACE}"
_MARK: Final = re.compile(r"[!?]+")


def written(
    game: Game,
    tags: Mapping[str, str],
    moves: Iterable[str],
    result: str,
    first: Turn | None = None,
    remarks: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """A game as text, its moves being text already; they are not checked.

    Tags begin with Event, Site, Date, Round and the players, as far as they are given, then Result, GameType and,
    unless the game begins at its start, SetUp and FEN; others follow. Raises BadPdn for tags and remarks that no file
    can have.
    """
    if clash := [name for name in tags if name.lower() in FIELDS]:
        raise BadPdn(f"the tag {clash[0]} cannot be given: it is written from what the game itself says")
    fields = {"Result": result} | ({"GameType": game.game_type} if game.game_type else {})
    if first and (fen := game.to_fen(first)) != game.to_fen(game.start()):
        fields |= {"SetUp": "1", "FEN": fen}
    leading = {name: tags[name] for name in (*_FIRST, *game.tags) if name in tags}
    lines = [_tag(name, value) for name, value in (leading | fields | dict(tags)).items()]
    text = filled([*_remarked(game, moves, remarks or {}), result if result in RESULTS else UNFINISHED])
    return "\n".join([*lines, "", text, ""])


def numbered(moves: Iterable[str]) -> list[str]:
    """The moves, each that begins a round with the number of the round before it: `1. 11-15`, `23-19`, `2. 8-11`."""
    return [move if ply % 2 else f"{ply // 2 + 1}. {move}" for ply, move in enumerate(moves)]


def filled(words: Iterable[str]) -> str:
    """Numbered moves on lines as PDN has them, never parted from their numbers."""
    text = " ".join(word.replace(" ", _TIE) for word in words)
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False).replace(_TIE, " ")


def _remarked(game: Game, moves: Iterable[str], remarks: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """The numbered moves, each with the remarks after it; a mark that comes first is written without a blank."""
    ply = 0
    yield from _words(game, remarks.get(0, ()))
    for ply, move in enumerate(numbered(moves), 1):
        after = [*remarks.get(ply, ())]
        only = "*" if after[:1] == ["*"] else ""
        words = _words(game, after[len(only) :])
        marks = [word for word in words[:1] if _MARK.fullmatch(word)]
        yield "".join([move, only, *marks])
        yield from words[len(marks) :]
    if late := [each for each in remarks if not 0 <= each <= ply]:
        raise BadPdn(f"a remark cannot stand after {late[0]} moves: the game has {ply}")


def _words(game: Game, remarks: Sequence[str]) -> list[str]:
    """Remarks word by word, so that lines can end in them, but not before what means something where a line begins."""
    plain = [" ".join(remark.split()) for remark in remarks]
    for each in plain:
        read = [(found.remarks, found.result) for found in games(f'[Event ""] {each} 1-0', game.notation)]
        if read != [({0: [each]}, "1-0")]:
            raise BadPdn(f"{reprlib.repr(each)} cannot be a remark: write one like {{a comment}}, $2, ! or (11-16)")
    return [word for remark in plain for word in re.sub(r" (?=[\[%])", _TIE, remark).split(" ")]


def _tag(name: str, value: str) -> str:
    if not re.fullmatch("[A-Za-z0-9_]+", name):
        raise BadPdn(f"{reprlib.repr(name)} cannot be the name of a tag: it is letters, digits and _")
    if "\n" in value or "\r" in value:
        raise BadPdn(f"the tag {name} cannot be written: its value has more than one line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
