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
"""Tags that are written first, in this order."""
_WIDTH: Final = 80
"""Characters of a line of moves."""
_TIE: Final = "\N{NO-BREAK SPACE}"
"""Stands for a blank at which no line may end, while lines are filled."""
_MARK: Final = re.compile(r"[!?]+")
"""A remark that is written right after its move: `11-15!`."""


def written(
    game: Game,
    tags: Mapping[str, str],
    moves: Iterable[str],
    result: str,
    first: Turn | None = None,
    remarks: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return the text of a game that begins at the state `first`, or where the game always begins. `moves` are texts
    already, and are not checked; `remarks` are those of `GameText`. A result that is not in `WINNERS` is written as the
    tag Result, and the moves end with `*`.

    The tags begin with Event, Site, Date, Round and the players, those of them that are given. Then come Result,
    GameType and, if the game begins elsewhere than always, SetUp and FEN. The other tags follow. Raises BadPdn for tags
    and remarks that no file can have.
    """
    for name in tags:
        if name.lower() in FIELDS:
            raise BadPdn(f"the tag {name} cannot be given: it is written from what the game itself says")

    # A dictionary keeps the order in which its keys came first. So the union below repeats no tag, and moves none.
    leading = {name: tags[name] for name in (*_LEADING, *game.tags) if name in tags}
    fields = {"Result": result}
    if game.game_type:
        fields["GameType"] = game.game_type
    fen = game.to_fen(first) if first else ""
    if first and fen != game.to_fen(game.start()):
        fields |= {"SetUp": "1", "FEN": fen}
    all_tags = leading | fields | dict(tags)

    lines = [_tag(name, value) for name, value in all_tags.items()]
    words = [*_with_remarks(game, moves, remarks or {})]
    words.append(result if result in WINNERS else UNFINISHED)
    return "\n".join([*lines, "", filled(words), ""])


def numbered(moves: Iterable[str]) -> list[str]:
    """Return the moves with numbers of rounds: `1. 11-15`, `23-19`, `2. 8-11`. A round is a move of each side."""
    words = []
    for ply, move in enumerate(moves):
        is_first = ply % 2 == 0
        words.append(f"{ply // 2 + 1}. {move}" if is_first else move)
    return words


def filled(words: Iterable[str]) -> str:
    """Return numbered moves on lines as PDN has them. A blank within a word, as between a number and its move, ends no
    line.
    """
    text = " ".join(word.replace(" ", _TIE) for word in words)
    lines = textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace(_TIE, " ")


def _with_remarks(game: Game, moves: Iterable[str], remarks: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """Yield the numbered moves, each followed by the words of its remarks. A mark that comes first is written without a
    blank. Raises BadPdn for a remark that cannot be written, or that stands after more moves than there are.
    """
    words = numbered(moves)
    yield from _words_of_remarks(game, remarks.get(0, ()))
    for plies, word in enumerate(words, 1):
        remarks_here = [*remarks.get(plies, ())]
        if remarks_here and remarks_here[0] == "*":  # of the only good move; after a blank it would end the game
            word += "*"
            del remarks_here[0]
        following = _words_of_remarks(game, remarks_here)
        if following and _MARK.fullmatch(following[0]):
            word += following[0]
            del following[0]
        yield word
        yield from following

    for plies in remarks:
        if not 0 <= plies <= len(words):
            raise BadPdn(f"a remark cannot stand after {plies} moves: the game has {len(words)}")


def _words_of_remarks(game: Game, remarks: Sequence[str]) -> list[str]:
    """Return remarks word by word, so that a line can end after each. But a word that would mean something else where a
    line begins, with [ or %, is joined to the one before it by `_TIE`. Raises BadPdn for a remark that would be read as
    something else.
    """
    words: list[str] = []
    for remark in remarks:
        plain = " ".join(remark.split())
        # Whether it is one remark is for the reader to say: it reads a game that has nothing else.
        games_read = [*games(f'[Event ""] {plain} 1-0', game.notation)]
        read_again = [(text.remarks, text.result) for text in games_read]
        if read_again != [({0: [plain]}, "1-0")]:
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
