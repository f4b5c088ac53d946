"""PDN as it stands in a file: a text in, its games out, each with its tags, its moves and remarks as text. Nothing is
played here, so that thousands of games can be listed at once.

A game ends with a result, where tags begin, or where a line begins with `1.` again. An error loses one game: the next
begins with the next tags, or after the next result. A word among the moves ends them, and what follows it is left out.
A tag that cannot be read, or that stands twice, is noted, and the game is read.

A long text comes in pieces, and is forgotten game by game.
"""

import re
import reprlib
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from cpl.compiler.source import Source
from cpl.games.game import Game, Turn
from cpl.games.moves import DASHES, Notation

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
_DASH: Final = rf"\s*[{DASHES}]\s*"
_RESULTS: Final = [*(result.replace("-", _DASH).replace("1/2", "(?:1/2|½)") for result in WINNERS), "1/2", "½"]
"""Results as they are found: with other dashes, with blanks, and one half for both sides."""

FIELDS: Final = ("result", "gametype", "setup", "fen")
"""Tags that are written from the other fields of a record, in small letters."""

_LEADING: Final = ("Event", "Site", "Date", "Round")
_WIDTH: Final = 80
_TIE: Final = "\N{NO-BREAK SPACE}"
_MARK: Final = re.compile(r"[!?]+")

_FAULTS: Final = {
    "{": "a comment, {, is never closed",
    ")": "a variation ends, ), that never began",
    "[": 'a tag is not closed, or has no value: it is written like [Event "Match"], on one line',
    "/": "a position that is set up within a game, /FEN …/, is not read",
}
_LONGEST: Final = 100
"""Characters of a word of which messages show the two ends."""
_RESUMED: Final = {
    "[": re.compile(r"$", re.MULTILINE),
    "{": re.compile(r'^\[\w+[ \t]*"|\Z', re.MULTILINE | re.ASCII),
}
"""Where reading goes on if a tag or a comment is not closed: at the end of the line, or at the next tags."""
_BLANK_LINE: Final = re.compile(r"\n\s*\n")
_BAD_TAG: Final = re.compile(r"\[[^\n]*\][ \t]*$", re.MULTILINE)
"""A line that is meant as a tag."""
_TAG_LINE: Final = re.compile(r'\[\w+[ \t]*"', re.ASCII)
"""The beginning of a line before which everything ends, also comments and variations that are not closed."""
_FORGOTTEN: Final = 1 << 20
"""Characters of games that were read, after which a text that comes in pieces is forgotten."""
_COMMENT: Final = re.compile(r"(\{[^}]*\})|(;[^\n]*)|(?m:^)%[^\n]*")


class PdnWarning(UserWarning):
    """A game of which only a part can be read. The message is one line that says where."""


class BadPdn(ValueError):
    """A text that is no file of games, in one line that says where; or a game that cannot be written. `line` and `game`
    are the numbers of the line and of the game, 0 if the error has no such place.
    """

    def __init__(self, message: str, line: int = 0, game: int = 0) -> None:
        super().__init__(message, line, game)
        self.message, self.line, self.game = message, line, game

    def __str__(self) -> str:
        return f"line {self.line}, game {self.game}: {self.message}" if self.line else self.message


@dataclass
class GameText:
    """A game as it stands in a text, its tags and moves each with their offset.

    `remarks` are comments, marks and variations, by the number of moves before them: `{a comment}`, `$2`, `!`,
    `(11-16 {another})`. Of a game with a `fault`, what it is and where, there is what stands before it. So it is with a
    `cut`, a word that ends the moves, but the result and the remarks after it count.
    """

    source: Source
    """A piece of the text."""
    number: int
    lines_before: int = 0
    """The number of lines before that piece."""
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    remarks: dict[int, list[str]] = field(default_factory=dict)
    result: str = ""
    fault: tuple[str, int] | None = None
    cut: tuple[str, int] | None = None
    notes: list[tuple[str, int]] = field(default_factory=list)
    """What is read otherwise than it was meant, perhaps, and where."""
    has_body: bool = False
    """Whether there is anything after the tags."""
    tags_end: int = 0

    def __bool__(self) -> bool:
        return bool(self.tags or self.has_body or self.fault or self.notes)

    @property
    def offset(self) -> int:
        """The offset where the game begins; 0 if there are only remarks."""
        places = [*self.tags.values(), *self.moves[:1], *self.notes[:1], *filter(None, [self.fault])]
        return min((offset for _, offset in places), default=0)

    def error(self, message: object, offset: int) -> BadPdn:
        """An error at this place."""
        return BadPdn(str(message), self.line_at(offset), self.number)

    def line_at(self, offset: int) -> int:
        """The number of the line of this place."""
        return self.lines_before + self.source.line_at(offset)

    def spoil(self, message: str, offset: int, *, is_word: bool = False) -> None:
        """Note the first fault. A word after moves, and whatever comes after the result, only cuts the game."""
        if self.result or (is_word and self.moves):
            self.cut = self.cut or (message, offset)
        else:
            self.fault = self.fault or (message, offset)

    def add_remark(self, remark: str) -> None:
        """A remark on the last move, or before the first; not on what is left out."""
        if not self.fault and (not self.cut or self.result):
            self.remarks.setdefault(len(self.moves), []).append(remark)


def plain_result(text: str) -> str:
    """Return a result as `WINNERS` has it, `½ – ½` as `1/2-1/2`; any other text as it is."""
    plain = re.sub(_DASH, "-", text.replace("½", "1/2"))
    return "1/2-1/2" if plain == "1/2" else plain if plain in WINNERS else text


def games(text: str | Iterable[str], notation: Notation) -> Iterator[GameText]:
    """The games of a text whose moves are written so. The lines of a text in pieces end with LF."""
    if isinstance(text, str):
        text = [text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")]
    return _Scanner(iter(text), notation).games()


@cache
def _tokens(move: str) -> re.Pattern[str]:
    return re.compile(
        rf"""
        (?P<blank>   \s+ | (?m:^)%[^\n]* )
      | (?P<comment> \{{ (?: [^}}\n]++ | \n(?!\[\w+[\ \t]*") )*+ \}} )
      | (?P<rest>    ;[^\n]* )
      | (?P<mark>    \$[0-9]+ | [!?]+ )
      | (?P<tag>     \[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\] )
      | (?P<open>    \( )
      | (?P<close>   \) )
      | (?P<result>  \* | (?:{"|".join(_RESULTS)})(?![\dx×/½{DASHES}]) )
      | (?P<number>  [0-9]+\s*\.+ | \.+ )
      | (?P<move>    (?P<squares>{move}) (?P<star>\*(?!\s*1\.(?!\.)))? )  # in PDN 2.0 a star marks the only good move
      | (?P<fault>   [{{\[/] )
      | (?P<word>    [0-9]+\s*\*\s*[0-9]++(?!\s*\.) | \w+ | . )
        """,
        re.VERBOSE,
    )


class _Scanner:
    """A reader of the games of a text, token by token.

    Of a text in pieces it has the part from some game on. What it reads there cannot depend on what follows, as it
    stops before a line that begins with a tag, or where all is read.
    """

    def __init__(self, pieces: Iterator[str], notation: Notation) -> None:
        self.pieces = pieces
        self.text, self.source = "", Source("", "")
        self.certain = 0
        """The offset up to which the text can be read."""
        self.is_whole = False
        """Whether there are no more pieces."""
        self.tokens, self.example = _tokens(notation.move), notation.example
        self.game = GameText(self.source, 1)
        self.ahead: list[str] = []
        """Remarks after a result and a blank line: they are the next game's."""
        self.end = 0
        """Of the last result, or of what stands after it."""
        self.comment = ""
        """The comment that was read last, if no move has followed it."""

    def games(self) -> Iterator[GameText]:
        """Yield the games."""
        offset = 0
        while token := self._token(offset):
            if token.lastgroup == "blank":  # every second one, so nobody is asked
                offset = token.end()
                continue
            if self._begins_a_game(token):
                yield self.game
                self.game = GameText(self.source, self.game.number + 1, self.game.lines_before)
                self._add_remarks()
                if token.lastgroup == "tag" and offset >= _FORGOTTEN and not self.is_whole:
                    self._forget(offset)
                    offset = 0
                    continue
            offset = self._take(token)
        self._add_remarks()
        if self.game:
            yield self.game

    def _token(self, offset: int) -> re.Match[str] | None:
        while offset >= self.certain and not self.is_whole:
            self._read_on()
        return self.tokens.match(self.text, offset)

    def _read_on(self) -> None:
        """Read as much again as is there, so that the time for a long game grows with its length."""
        added: list[str] = []
        wanted = len(self.text)
        for piece in self.pieces:
            added.append(piece)
            wanted -= len(piece)
            if wanted < 0:
                break
        else:
            self.is_whole = True
        self.text = "".join([self.text, *added])
        self.source = self.game.source = Source("", self.text)
        self.certain = len(self.text) if self.is_whole else self._last_tag()

    def _last_tag(self) -> int:
        """The offset of the last tag that begins a line and is there as a whole; where reading can go on up to now, if
        there is none.
        """
        offset = len(self.text)
        while (offset := self.text.rfind("\n[", 0, offset)) >= self.certain:
            tag = self.tokens.match(self.text, offset + 1)
            if _TAG_LINE.match(self.text, offset + 1) and tag and tag.lastgroup == "tag" and tag.end() < len(self.text):
                return offset + 1
        return self.certain

    def _forget(self, offset: int) -> None:
        """Forget the text before the tag with which the game begins."""
        self.game.lines_before += self.text.count("\n", 0, offset)
        self.text = self.text[offset:]
        self.source = self.game.source = Source("", self.text)
        self.certain -= offset
        self.end = 0

    def _begins_a_game(self, token: re.Match[str]) -> bool:
        """Tell whether the game has ended before a token."""
        game, offset = self.game, token.start()
        match token.lastgroup:
            case "tag":
                is_apart = self.end > game.tags_end or self._is_apart(game.tags_end, offset)
                is_again = token["name"] in game.tags and is_apart
                return bool(game.result) or game.has_body or is_again
            case "number":
                return token[0] == "1." and len(game.moves) > 1 and self.text[offset - 1] == "\n"
            case "word" | "open" | "close":
                return bool(game.result) and self._is_apart(self.end, offset)
            case "move" | "fault":
                return bool(game.result) or token[0] == "[" and game.has_body and self.text[offset - 1] == "\n"
            case _:
                return False

    def _add_remarks(self) -> None:
        for remark in self.ahead:
            self.game.add_remark(remark)
        self.ahead = []

    def _take(self, token: re.Match[str]) -> int:
        """Read a token, and return the offset where reading goes on."""
        game, kind, offset = self.game, token.lastgroup, token.start()
        bad_tag = _BAD_TAG.match(self.text, offset) if kind == "fault" and not game.has_body else None
        if bad_tag:
            shown = reprlib.repr(bad_tag[0])
            game.notes.append((f'{shown} is left out: a tag is written like [Event "Match"]', offset))
            return bad_tag.end()
        if kind in ("move", "open", "close", "word", "fault"):
            self.end = token.end() if (game.fault or game.cut) and token[0] != "{" else self._play(token)
            return self.end
        if kind == "tag":
            if token["name"] in game.tags:
                game.notes.append((f"the tag {token['name']} stands twice: the later one counts", offset))
            game.tags[token["name"]] = re.sub(r'\\(["\\])', r"\1", token["value"]), offset
            game.tags_end = token.end()
        elif kind == "result" and game and not game.result:
            game.result, self.end = plain_result(token[0]), token.end()
        elif kind in ("comment", "rest", "mark"):
            self.comment = token[0] if kind == "comment" else ""
            if game.result and (self.ahead or self._is_apart(self.end, offset)):
                self.ahead.append(_on_one_line(token[0]))
            else:
                game.add_remark(_on_one_line(token[0]))
            self.end = token.end()
        return token.end()

    def _play(self, token: re.Match[str]) -> int:
        """Read what stands among the moves of a game, and return the offset where reading goes on."""
        offset = token.start()
        self.game.has_body = self.game.has_body or token[0] != "["
        match token.lastgroup:
            case "move":
                self.game.moves.append((token["squares"], offset))
                self.comment = ""
                if token["star"]:
                    self.game.add_remark("*")
                return token.end()
            case "open":
                return self._vary(offset)
            case "word":
                shown = reprlib.repr(self.text[offset : offset + _LONGEST].split(None, 1)[0])
                advice = f"write one like {self.example}"
                if "{" in self.comment[1:]:
                    advice = "comments do not nest, and the one before it ends at the first }"
                return self._fail(f"{shown} is not a move: {advice}", token)
            case _:
                return self._fail(_FAULTS[token[0]], token)

    def _vary(self, begin: int) -> int:
        """Keep a variation as it stands, and return the offset where it ends."""
        depth, offset, end = 0, begin, "is never closed"
        while token := self.tokens.match(self.text, offset):
            kind = token.lastgroup
            if token[0] == "{":
                return self._fail(_FAULTS["{"], token)
            if kind == "tag":
                end = "is not closed before the next game"
                break
            offset, depth = token.end(), depth + (kind == "open") - (kind == "close")
            if not depth:
                self.game.add_remark(_on_one_line(self.text[begin:offset]))
                return offset
        self.game.spoil(f"a variation, (, {end}", begin)
        return offset

    def _is_apart(self, end: int, begin: int) -> bool:
        """Tell whether a blank line is between two places."""
        return bool(_BLANK_LINE.search(self.text, end, begin))

    def _fail(self, fault: str, token: re.Match[str]) -> int:
        """Note a fault of the game, and return the offset where reading goes on: for a tag that is not closed the end
        of the line, for a comment the next tags.
        """
        self.game.spoil(fault, token.start(), is_word=token.lastgroup == "word")
        resumed = _RESUMED.get(token[0])
        return next(resumed.finditer(self.text, token.start())).start() if resumed else token.end()


def _on_one_line(remark: str) -> str:
    """Return a comment, a mark or a variation on one line: without lines of %, and comments of ; are in braces."""
    return " ".join(
        _COMMENT.sub(
            lambda comment: comment[1] or (f"{{{comment[2][1:].strip().replace('}', ')')}}}" if comment[2] else ""),
            remark,
        ).split()
    )


# Games as text


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
    leading = {name: tags[name] for name in (*_LEADING, *game.tags) if name in tags}
    lines = [_tag(name, value) for name, value in (leading | fields | dict(tags)).items()]
    text = filled([*_remarked(game, moves, remarks or {}), result if result in WINNERS else UNFINISHED])
    return "\n".join([*lines, "", text, ""])


def numbered(moves: Iterable[str]) -> list[str]:
    """The moves, each that begins a round with the number of the round before it: `1. 11-15`, `23-19`, `2. 8-11`."""
    return [move if ply % 2 else f"{ply // 2 + 1}. {move}" for ply, move in enumerate(moves)]


def filled(words: Iterable[str]) -> str:
    """Return numbered moves on lines as PDN has them, never parted from their numbers."""
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
    if late := [plies for plies in remarks if not 0 <= plies <= ply]:
        raise BadPdn(f"a remark cannot stand after {late[0]} moves: the game has {ply}")


def _words(game: Game, remarks: Sequence[str]) -> list[str]:
    """Return remarks word by word: lines can end in them, but not before what means something where a line begins."""
    plain = [" ".join(remark.split()) for remark in remarks]
    for remark in plain:
        read = [(text.remarks, text.result) for text in games(f'[Event ""] {remark} 1-0', game.notation)]
        if read != [({0: [remark]}, "1-0")]:
            raise BadPdn(f"{reprlib.repr(remark)} cannot be a remark: write one like {{a comment}}, $2, ! or (11-16)")
    return [word for remark in plain for word in re.sub(r" (?=[\[%])", _TIE, remark).split(" ")]


def _tag(name: str, value: str) -> str:
    if not re.fullmatch("[A-Za-z0-9_]+", name):
        raise BadPdn(f"{reprlib.repr(name)} cannot be the name of a tag: it is letters, digits and _")
    if "\n" in value or "\r" in value:
        raise BadPdn(f"the tag {name} cannot be written: its value has more than one line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
