"""PDN as a text that is made: the tags of a game, its numbered moves with the remarks after them, and its result.

Moves come as text already, and are not checked. The example of `pdn_parser` the other way round:

    [Black "A"]
    [Result "1-0"]
    [GameType "21"]

    1. 11-15 {usual} 23-19! (22-17) 2. 8-11 1-0

Whatever is written is read again as the same game: a tag or a remark that no file can have is an error.
"""

import re
import reprlib
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cpl.games.game import Game, Turn
from cpl.games.pdn_parser import FIELDS, UNFINISHED, WINNERS, BadPdn, games

_LEADING: Final = ("Event", "Site", "Date", "Round")
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
    for name in tags:
        if name.lower() in FIELDS:
            raise BadPdn(f"the tag {name} cannot be given: it is written from what the game itself says")
    leading = {name: tags[name] for name in (*_LEADING, *game.tags) if name in tags}
    fields = {"Result": result}
    if game.game_type:
        fields["GameType"] = game.game_type
    fen = game.to_fen(first) if first else ""
    if first and fen != game.to_fen(game.start()):
        fields |= {"SetUp": "1", "FEN": fen}

    all_tags = leading | fields | dict(tags)
    lines = [_tag(name, value) for name, value in all_tags.items()]
    words = [*_remarked(game, moves, remarks or {})]
    words.append(result if result in WINNERS else UNFINISHED)
    return "\n".join([*lines, "", filled(words), ""])


def numbered(moves: Iterable[str]) -> list[str]:
    """The moves, each that begins a round with the number of the round before it: `1. 11-15`, `23-19`, `2. 8-11`."""
    words = []
    for ply, move in enumerate(moves):
        is_first = ply % 2 == 0
        words.append(f"{ply // 2 + 1}. {move}" if is_first else move)
    return words


def filled(words: Iterable[str]) -> str:
    """Return numbered moves on lines as PDN has them. No line ends between a number and its move."""
    text = " ".join(word.replace(" ", _TIE) for word in words)
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False).replace(_TIE, " ")


def _remarked(game: Game, moves: Iterable[str], remarks: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """The numbered moves, each with the remarks after it; a mark that comes first is written without a blank."""
    ply = 0
    yield from _words(game, remarks.get(0, ()))
    for ply, move in enumerate(numbered(moves), 1):
        after = [*remarks.get(ply, ())]
        if after and after[0] == "*":  # the star of the only good move, not that of a game without a result
            move += "*"
            del after[0]
        words = _words(game, after)
        if words and _MARK.fullmatch(words[0]):
            move += words[0]
            del words[0]
        yield move
        yield from words
    for plies in remarks:
        if not 0 <= plies <= ply:
            raise BadPdn(f"a remark cannot stand after {plies} moves: the game has {ply}")


def _words(game: Game, remarks: Sequence[str]) -> list[str]:
    """Return remarks word by word: lines can end in them, but not before what means something where a line begins.
    Raises BadPdn for a remark that would be read as something else.
    """
    words: list[str] = []
    for remark in remarks:
        plain = " ".join(remark.split())
        read = [(text.remarks, text.result) for text in games(f'[Event ""] {plain} 1-0', game.notation)]
        if read != [({0: [plain]}, "1-0")]:
            raise BadPdn(f"{reprlib.repr(plain)} cannot be a remark: write one like {{a comment}}, $2, ! or (11-16)")
        words += re.sub(r" (?=[\[%])", _TIE, plain).split(" ")
    return words


def _tag(name: str, value: str) -> str:
    """Write a tag. Raises BadPdn for one that no file can have."""
    if not re.fullmatch("[A-Za-z0-9_]+", name):
        raise BadPdn(f"{reprlib.repr(name)} cannot be the name of a tag: it is letters, digits and _")
    if "\n" in value or "\r" in value:
        raise BadPdn(f"the tag {name} cannot be written: its value has more than one line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
