"""PDN as it stands in a file: a text in, its games out, each with its tags, its moves and remarks as text. Nothing is
played here, so that thousands of games can be listed at once.

A game ends with a result, where tags begin, or where a line begins with `1.` again. An error loses one game: the next
begins with the next tags, or after the next result. A word among the moves ends them, and what follows it is left out.
A tag that cannot be read, or that stands twice, is noted, and the game is read.

A long text comes in pieces, and is forgotten game by game. One regular expression finds the tokens of both the file and
its moves; `_Scanner` decides at each token whether a game has ended, and else adds the token to the game. So the lines

    [Black "A"]
    1. 11-15 {usual} 23-19! (22-17) 2. 8-11 White resigns 1-0

are one `GameText`:

    tags     Black: A
    moves    11-15, 23-19, 8-11
    remarks  after 1 move: {usual}; after 2 moves: ! and (22-17)
    cut      at White: it is not a move
    result   1-0
"""

import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from cpl.compiler.source import Source
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
        places = [*self.tags.values(), *self.moves[:1], *self.notes[:1]]
        if self.fault:
            places.append(self.fault)
        return min((offset for _, offset in places), default=0)

    def error(self, message: object, offset: int) -> BadPdn:
        """An error at this place."""
        return BadPdn(str(message), self.line_at(offset), self.number)

    def line_at(self, offset: int) -> int:
        """The number of the line of this place."""
        return self.lines_before + self.source.line_at(offset)

    def spoil(self, message: str, offset: int, *, is_word: bool = False) -> None:
        """Note what is wrong, unless something was noted before. A word after moves, and whatever comes after the
        result, only cuts the game.
        """
        only_cuts = bool(self.result) or (is_word and bool(self.moves))
        if only_cuts:
            self.cut = self.cut or (message, offset)
        else:
            self.fault = self.fault or (message, offset)

    def add_remark(self, remark: str) -> None:
        """Add a remark on the last move, or before the first. What stands on moves that are left out is left out."""
        if not self.fault and (not self.cut or self.result):
            self.remarks.setdefault(len(self.moves), []).append(remark)


def plain_result(text: str) -> str:
    """Return a result as `WINNERS` has it, `½ – ½` as `1/2-1/2`; any other text as it is."""
    plain = re.sub(_DASH, "-", text.replace("½", "1/2"))
    if plain == "1/2":
        return "1/2-1/2"
    return plain if plain in WINNERS else text


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
        self.text = ""
        self.source = Source("", "")
        self.certain = 0
        """The offset up to which the text can be read."""
        self.is_whole = False
        """Whether there are no more pieces."""
        self.tokens = _tokens(notation.move)
        self.example = notation.example
        self.game = GameText(self.source, 1)
        self.ahead: list[str] = []
        """Remarks after a result and a blank line: they are the next game's."""
        self.end = 0
        """The end of the last result, or of what stands after it."""
        self.comment = ""
        """The comment that was read last, if no move has followed it."""

    def games(self) -> Iterator[GameText]:
        """Yield the games."""
        offset = 0
        while token := self._token(offset):
            if token.lastgroup == "blank":  # every second token: the short way is worth it
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
        """Return the token at an offset, None at the end of the text."""
        while offset >= self.certain and not self.is_whole:
            self._read_on()
        return self.tokens.match(self.text, offset)

    def _read_on(self) -> None:
        """Read as much again as is there. A long game is joined from its pieces a few times only, so that the time for
        it grows with its length.
        """
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
        """Return the offset of the last tag that begins a line and is there as a whole; if there is none, that up to
        which the text could be read before.
        """
        offset = self.text.rfind("\n[")
        while offset >= self.certain:
            begin = offset + 1
            tag = self.tokens.match(self.text, begin)
            is_whole = tag is not None and tag.lastgroup == "tag" and tag.end() < len(self.text)
            if is_whole and _TAG_LINE.match(self.text, begin):
                return begin
            offset = self.text.rfind("\n[", 0, offset)
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
        has_result = bool(game.result)
        begins_a_line = self.text[offset - 1] == "\n"
        match token.lastgroup:
            case "tag":
                is_again = token["name"] in game.tags and (
                    self.end > game.tags_end or self._blank_line_between(game.tags_end, offset)
                )
                return has_result or game.has_body or is_again
            case "number":
                return token[0] == "1." and len(game.moves) > 1 and begins_a_line
            case "word" | "open" | "close":
                return has_result and self._blank_line_between(self.end, offset)
            case "move":
                return has_result
            case "fault":
                is_tag = token[0] == "[" and begins_a_line
                return has_result or (is_tag and game.has_body)
            case _:
                return False

    def _add_remarks(self) -> None:
        """Give the game the remarks before it."""
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
        match kind:
            case "move" | "open" | "close" | "word" | "fault":
                is_left_out = (game.fault or game.cut) and token[0] != "{"
                self.end = token.end() if is_left_out else self._play(token)
                return self.end
            case "tag":
                self._add_tag(token)
            case "result" if game and not game.result:
                game.result = plain_result(token[0])
                self.end = token.end()
            case "comment" | "rest" | "mark":
                self._remark(token)
        return token.end()

    def _add_tag(self, token: re.Match[str]) -> None:
        game, offset, name = self.game, token.start(), token["name"]
        if name in game.tags:
            game.notes.append((f"the tag {name} stands twice: the later one counts", offset))
        value = re.sub(r'\\(["\\])', r"\1", token["value"])
        game.tags[name] = value, offset
        game.tags_end = token.end()

    def _remark(self, token: re.Match[str]) -> None:
        """Add a comment or a mark to the game, or to the next one after its result and a blank line."""
        self.comment = token[0] if token.lastgroup == "comment" else ""
        remark = _on_one_line(token[0])
        if self.game.result and (self.ahead or self._blank_line_between(self.end, token.start())):
            self.ahead.append(remark)
        else:
            self.game.add_remark(remark)
        self.end = token.end()

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
                word = self.text[offset : offset + _LONGEST].split(None, 1)[0]
                advice = f"write one like {self.example}"
                if "{" in self.comment[1:]:
                    advice = "comments do not nest, and the one before it ends at the first }"
                return self._fail(f"{reprlib.repr(word)} is not a move: {advice}", token)
            case _:
                return self._fail(_FAULTS[token[0]], token)

    def _vary(self, begin: int) -> int:
        """Add a variation, as it stands, to the remarks, and return the offset where it ends."""
        depth = 0
        offset = begin
        end = "is never closed"
        while token := self.tokens.match(self.text, offset):
            kind = token.lastgroup
            if token[0] == "{":
                return self._fail(_FAULTS["{"], token)
            if kind == "tag":
                end = "is not closed before the next game"
                break
            offset = token.end()
            if kind == "open":
                depth += 1
            elif kind == "close":
                depth -= 1
            if depth == 0:
                self.game.add_remark(_on_one_line(self.text[begin:offset]))
                return offset
        self.game.spoil(f"a variation, (, {end}", begin)
        return offset

    def _blank_line_between(self, end: int, begin: int) -> bool:
        return bool(_BLANK_LINE.search(self.text, end, begin))

    def _fail(self, fault: str, token: re.Match[str]) -> int:
        """Note a fault of the game, and return the offset where reading goes on: for a tag that is not closed the end
        of the line, for a comment the next tags.
        """
        self.game.spoil(fault, token.start(), is_word=token.lastgroup == "word")
        resumed = _RESUMED.get(token[0])
        if resumed is None:
            return token.end()
        place = resumed.search(self.text, token.start())
        assert place  # the end of the text, at the latest
        return place.start()


def _on_one_line(remark: str) -> str:
    """Return a comment, a mark or a variation on one line: without lines of %, and comments of ; are in braces."""
    return " ".join(_COMMENT.sub(_in_braces, remark).split())


def _in_braces(comment: re.Match[str]) -> str:
    """Return what `_COMMENT` found as a comment in braces, after which a line can go on; nothing for one of %."""
    braced, rest_of_line = comment[1], comment[2]
    if braced:
        return braced
    if not rest_of_line:
        return ""
    words = rest_of_line[1:].strip().replace("}", ")")
    return f"{{{words}}}"
