"""PDN as it stands in a file: a text in, its games out, each with its tags, its moves and remarks as text. Nothing is
played here, so that thousands of games can be listed at once. `pdn_writer` writes what this module reads.

A game ends with a result, where tags begin, or where a line begins with `1.` again. An error loses one game: the next
begins with the next tags, or after the next result. A word among the moves ends them, and what follows it is left out.
A tag that cannot be read, or that stands twice, is noted, and the game is read.

A long text comes in pieces, so that it need not be in memory as a whole: what has been read is forgotten where a game
begins. One regular expression finds the tokens of both the file and its moves. `_Scanner` decides at each token whether
a new game begins with it, and then adds the token to the new game, or to the one that goes on. So the lines

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
"""The side that has won by each result: 0 is the side that begins, 1 the other, None neither. Other kinds of draughts
have 2, 1 and 0 points; PDN 3.0 has 0-0 if both have lost.
"""
UNFINISHED: Final = "*"
"""The result of a game that has none."""
_DASH: Final = rf"\s*[{DASHES}]\s*"


def _as_found(result: str) -> str:
    """Return a regular expression for a result with any dash, blanks and sign for a half: `½ – ½` for `1/2-1/2`."""
    return result.replace("-", _DASH).replace("1/2", "(?:1/2|½)")


_RESULTS: Final = "|".join([*map(_as_found, WINNERS), "1/2", "½"])
"""A regular expression for the results that are found in files. A single half is one for both sides."""

FIELDS: Final = ("result", "gametype", "setup", "fen")
"""Tags, in small letters, whose values follow from the game itself: nobody gives them to a game that is written."""


_FAULTS: Final = {
    "{": "a comment, {, is never closed",
    ")": "a variation ends, ), that never began",
    "[": 'a tag is not closed, or has no value: it is written like [Event "Match"], on one line',
    "/": "a position that is set up within a game, /FEN …/, is not read",
}
"""What is wrong if a token `fault` or `close` stands among the moves, by its text."""
_LONGEST: Final = 100
"""Characters of a word that are looked at for a message, which abbreviates a long word."""
_RESUMED: Final = {
    "[": re.compile(r"$", re.MULTILINE),  # the end of the line
    "{": re.compile(r'^\[\w+[ \t]*"|\Z', re.MULTILINE | re.ASCII),  # the next line that begins with a tag, or the end
}
"""Where reading goes on if a tag or a comment is not closed."""
_BLANK_LINE: Final = re.compile(r"\n\s*\n")
_BAD_TAG: Final = re.compile(r"\[[^\n]*\][ \t]*$", re.MULTILINE)
"""A line that is meant as a tag."""
_TAG_LINE: Final = re.compile(r'\[\w+[ \t]*"', re.ASCII)
"""The beginning of a line before which everything ends, also comments and variations that are not closed."""
_FORGOTTEN: Final = 1 << 20
"""Characters of games that are read before a text that comes in pieces is forgotten. Forgetting copies the rest."""
_COMMENT: Final = re.compile(r"(\{[^}]*\})|(;[^\n]*)|(?m:^)%[^\n]*")
"""A comment in braces, a comment to the end of the line, or a line for programs, which begins with %."""


class PdnWarning(UserWarning):
    """A game of which only a part can be read. The message is one line that says where."""


class BadPdn(ValueError):
    """A text that cannot be read as games, or a game that cannot be written. The message is one line that says where.
    `line` and `game` are the numbers of the line and of the game, 0 if the error has no such place.
    """

    def __init__(self, message: str, line: int = 0, game: int = 0) -> None:
        super().__init__(message, line, game)
        self.message, self.line, self.game = message, line, game

    def __str__(self) -> str:
        return f"line {self.line}, game {self.game}: {self.message}" if self.line else self.message


@dataclass
class GameText:
    """A game as it stands in a text. Offsets are those in `source`."""

    source: Source
    """The piece of the text that is in memory."""
    number: int
    """The number of the game in the text, from 1."""
    lines_before: int = 0
    """The number of lines before that piece."""
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The value of each tag, and its offset."""
    moves: list[tuple[str, int]] = field(default_factory=list)
    """The text of each move, and its offset."""
    remarks: dict[int, list[str]] = field(default_factory=dict)
    """Comments, marks and variations, by the number of moves before them: `{a comment}`, `$2`, `!`,
    `(11-16 {another})`.
    """
    result: str = ""
    """The result as `WINNERS` has it, or `*`; empty if there is none."""
    fault: tuple[str, int] | None = None
    """The error because of which the game is not read, and its offset. The other fields have what stands before it."""
    cut: tuple[str, int] | None = None
    """The error that ends the moves, and its offset. The result counts nevertheless, and so do the remarks after it."""
    notes: list[tuple[str, int]] = field(default_factory=list)
    """Warnings, and their offsets: what may have been meant in another way than it is read."""
    has_body: bool = False
    """Whether there is anything after the tags."""
    tags_end: int = 0
    """The offset where the last tag ends."""

    def __bool__(self) -> bool:
        """Whether there is a game: remarks alone are none."""
        return bool(self.tags or self.has_body or self.fault or self.notes)

    @property
    def offset(self) -> int:
        """The offset where the game begins; 0 if there are only remarks."""
        # A game without tags begins with its first move, and one that is read in part with a note or a fault.
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
        """Note an error: as a cut if it is a word after moves, or stands after the result, and else as a fault. Of
        several cuts, and of several faults, the first is kept.
        """
        only_cuts = bool(self.result) or (is_word and bool(self.moves))
        if only_cuts and not self.cut:
            self.cut = (message, offset)
        elif not only_cuts and not self.fault:
            self.fault = (message, offset)

    def add_remark(self, remark: str) -> None:
        """Add a remark on the last move, or before the first. A remark on a move that is left out is left out."""
        is_between_cut_and_result = self.cut and not self.result
        if not self.fault and not is_between_cut_and_result:
            self.remarks.setdefault(len(self.moves), []).append(remark)


def plain_result(text: str) -> str:
    """Return a result as `WINNERS` has it, `½ – ½` as `1/2-1/2`; any other text as it is."""
    plain = re.sub(_DASH, "-", text.replace("½", "1/2"))
    if plain == "1/2":
        return "1/2-1/2"
    return plain if plain in WINNERS else text


def games(text: str | Iterable[str], notation: Notation) -> Iterator[GameText]:
    """Yield the games of a text whose moves are in this notation. The text is one string, or it comes in pieces of any
    size: then it has no byte order mark, and its lines end with LF.
    """
    if isinstance(text, str):
        text = [text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")]
    return _Scanner(iter(text), notation).games()


@cache
def _tokens(move: str) -> re.Pattern[str]:
    """Return the regular expression of a token; `move` is that of a move. Something always matches, but at the end."""
    return re.compile(
        rf"""
        # Blanks, and lines for programs.
        (?P<blank>   \s+ | (?m:^)%[^\n]* )

        # A comment ends at the next closing brace; it does not go on over a line that begins with a tag.
      | (?P<comment> \{{ (?: [^}}\n]++ | \n(?!\[\w+[\ \t]*") )*+ \}} )
      | (?P<rest>    ;[^\n]* )
      | (?P<mark>    \$[0-9]+ | [!?]+ )
      | (?P<tag>     \[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\] )
      | (?P<open>    \( )
      | (?P<close>   \) )

        # A result is not the beginning of a move such as 1-10.
      | (?P<result>  \* | (?:{_RESULTS})(?![\dx×/½{DASHES}]) )
      | (?P<number>  [0-9]+\s*\.+ | \.+ )

        # In PDN 2.0 a star right after a move marks the only good one. But the star before 1. ends a game.
      | (?P<move>    (?P<squares>{move}) (?P<star>\*(?!\s*1\.(?!\.)))? )

        # A comment or a tag that is not matched above is not closed. Of a position, /FEN …/, this is the beginning.
      | (?P<fault>   [{{\[/] )

        # Anything else is no move. One with a star between two numbers is a single word, for messages.
      | (?P<word>    [0-9]+\s*\*\s*[0-9]++(?!\s*\.) | \w+ | . )
        """,
        re.VERBOSE,
    )


class _Scanner:
    """A reader of the games of a text, token by token.

    Of a text in pieces it keeps a part: from the beginning of some game to the end of the last piece that was needed.
    It never reads a token that the next piece could change: it reads up to `readable`, which is before a line that
    begins with a tag, where everything ends.
    """

    def __init__(self, pieces: Iterator[str], notation: Notation) -> None:
        self.pieces = pieces
        self.text = ""
        """The part of the text that is kept. Offsets are offsets in it."""
        self.source = Source("", "")
        """The same, to find lines."""
        self.readable = 0
        """The offset up to which tokens can be read before there are more pieces."""
        self.is_whole = False
        """Whether there are no more pieces."""
        self.tokens = _tokens(notation.move)
        self.example = notation.example
        self.game = GameText(self.source, 1)
        """The game that is being read."""
        self.remarks_ahead: list[str] = []
        """Remarks after a result and a blank line: they are the next game's."""
        self.body_end = 0
        """The end of the last token that is no tag, no number of a move and no blank."""
        self.last_comment = ""
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
                self._add_remarks_ahead()
                # Nothing that is kept of a game which begins with a tag has an offset before that tag.
                if token.lastgroup == "tag" and offset >= _FORGOTTEN and not self.is_whole:
                    self._forget(offset)
                    offset = 0
                    continue
            offset = self._add(token)
        self._add_remarks_ahead()
        if self.game:
            yield self.game

    def _token(self, offset: int) -> re.Match[str] | None:
        """Return the token at an offset, None at the end of the text."""
        while offset >= self.readable and not self.is_whole:  # more pieces may still have no line with a tag
            self._read_on()
        return self.tokens.match(self.text, offset)

    def _read_on(self) -> None:
        """Read more pieces, until the text is more than twice as long. As each piece is joined a few times only, the
        time for a long game grows with its length, not with the square of that.
        """
        length = len(self.text)
        added = 0
        parts = [self.text]
        for piece in self.pieces:
            parts.append(piece)
            added += len(piece)
            if added > length:
                break
        else:
            self.is_whole = True
        self.text = "".join(parts)
        self.source = self.game.source = Source("", self.text)
        self.readable = len(self.text) if self.is_whole else self._start_of_last_tag()

    def _start_of_last_tag(self) -> int:
        """Return the offset of the last tag that begins a line and is there as a whole. If none has come since the last
        time, that is the offset of then.
        """
        offset = self.text.rfind("\n[")
        while offset >= self.readable:
            begin = offset + 1
            tag = self.tokens.match(self.text, begin)
            is_whole = tag is not None and tag.lastgroup == "tag" and tag.end() < len(self.text)
            if is_whole and _TAG_LINE.match(self.text, begin):
                return begin
            offset = self.text.rfind("\n[", 0, offset)
        return self.readable

    def _forget(self, offset: int) -> None:
        """Forget the text before the tag with which the game begins. The game itself has no offsets yet."""
        self.game.lines_before += self.text.count("\n", 0, offset)
        self.text = self.text[offset:]
        self.source = self.game.source = Source("", self.text)
        self.readable -= offset
        self.body_end = 0

    def _begins_a_game(self, token: re.Match[str]) -> bool:
        """Tell whether the game has ended before a token."""
        game, offset = self.game, token.start()
        has_result = bool(game.result)
        begins_a_line = self.text[offset - 1] == "\n"  # at offset 0 nothing is asked that depends on it
        match token.lastgroup:
            case "tag":
                if has_result or game.has_body:
                    return True
                if token["name"] not in game.tags:
                    return False
                # A game of tags only has ended if a tag of it comes again, but not right after the others: then it
                # stands twice in the same game.
                return self.body_end > game.tags_end or self._blank_line_between(game.tags_end, offset)
            case "number":
                # Files leave out results. But after one move, `1.` may number the other of the same round.
                return token[0] == "1." and len(game.moves) > 1 and begins_a_line
            case "word" | "open" | "close":
                # Right after a result these are the game's, as in `1-0 (White resigns)`.
                return has_result and self._blank_line_between(self.body_end, offset)
            case "move":
                return has_result
            case "fault":
                is_tag = token[0] == "[" and begins_a_line
                return has_result or (is_tag and game.has_body)
            case _:  # remarks are sorted by `_add_remark`; a second result is passed over
                return False

    def _add_remarks_ahead(self) -> None:
        """Give the game the remarks that stand before it."""
        for remark in self.remarks_ahead:
            self.game.add_remark(remark)
        self.remarks_ahead = []

    def _add(self, token: re.Match[str]) -> int:
        """Add a token to the game, and return the offset where reading goes on."""
        game, kind, offset = self.game, token.lastgroup, token.start()
        if kind == "fault" and not game.has_body:
            bad_tag = _BAD_TAG.match(self.text, offset)
            if bad_tag:
                shown = reprlib.repr(bad_tag[0])
                game.notes.append((f'{shown} is left out: a tag is written like [Event "Match"]', offset))
                return bad_tag.end()

        match kind:
            case "move" | "open" | "close" | "word" | "fault":
                # After a fault or a cut they are left out. But a comment that is not closed is passed over as a whole.
                is_left_out = (game.fault or game.cut) and token[0] != "{"
                self.body_end = token.end() if is_left_out else self._add_to_body(token)
                return self.body_end
            case "tag":
                self._add_tag(token)
            case "result" if game and not game.result:
                game.result = plain_result(token[0])
                self.body_end = token.end()
            case "comment" | "rest" | "mark":
                self._add_remark(token)
            case _:  # numbers of moves; a second result, or one without a game
                pass
        return token.end()

    def _add_tag(self, token: re.Match[str]) -> None:
        """Add a tag to the game. If it stands twice, the later one counts."""
        game, offset, name = self.game, token.start(), token["name"]
        if name in game.tags:
            game.notes.append((f"the tag {name} stands twice: the later one counts", offset))
        unescaped = re.sub(r'\\(["\\])', r"\1", token["value"])
        game.tags[name] = unescaped, offset
        game.tags_end = token.end()

    def _add_remark(self, token: re.Match[str]) -> None:
        """Add a comment or a mark to the game, or, after its result and a blank line, to the next one."""
        self.last_comment = token[0] if token.lastgroup == "comment" else ""
        remark = _on_one_line(token[0])
        if self.game.result and (self.remarks_ahead or self._blank_line_between(self.body_end, token.start())):
            self.remarks_ahead.append(remark)
        else:
            self.game.add_remark(remark)
        self.body_end = token.end()

    def _add_to_body(self, token: re.Match[str]) -> int:
        """Add a move, a variation or an error to the game, and return the offset where reading goes on."""
        offset = token.start()
        if token[0] != "[":  # that is a tag with an error: the moves have not begun yet
            self.game.has_body = True
        match token.lastgroup:
            case "move":
                self.game.moves.append((token["squares"], offset))
                self.last_comment = ""
                if token["star"]:
                    self.game.add_remark("*")
                return token.end()
            case "open":
                return self._add_variation(offset)
            case "word":
                return self._fail(self._not_a_move(offset), token)
            case _:
                return self._fail(_FAULTS[token[0]], token)

    def _not_a_move(self, offset: int) -> str:
        """Return the message of a word that stands where a move should."""
        beginning = self.text[offset : offset + _LONGEST]
        word, *_ = beginning.split(None, 1)
        advice = f"write one like {self.example}"
        has_brace_within = "{" in self.last_comment[1:]
        if has_brace_within:
            advice = "comments do not nest, and the one before it ends at the first }"
        return f"{reprlib.repr(word)} is not a move: {advice}"

    def _add_variation(self, begin: int) -> int:
        """Add a variation, as it stands, to the remarks, and return the offset where it ends."""
        depth = 0
        offset = begin
        problem = "is never closed"
        while token := self.tokens.match(self.text, offset):
            kind = token.lastgroup
            if token[0] == "{":  # the token `fault`, as a token `comment` is longer
                return self._fail(_FAULTS["{"], token)
            if kind == "tag":
                problem = "is not closed before the next game"
                break
            offset = token.end()
            if kind == "open":
                depth += 1
            elif kind == "close":
                depth -= 1
            if depth == 0:
                self.game.add_remark(_on_one_line(self.text[begin:offset]))
                return offset
        self.game.spoil(f"a variation, (, {problem}", begin)
        return offset

    def _blank_line_between(self, end: int, begin: int) -> bool:
        """Tell whether there is a blank line between the end of a token and the beginning of a later one."""
        return bool(_BLANK_LINE.search(self.text, end, begin))

    def _fail(self, fault: str, token: re.Match[str]) -> int:
        """Note an error of the game, and return the offset where reading goes on: after the token, or, for a tag or a
        comment that is not closed, where `_RESUMED` says.
        """
        self.game.spoil(fault, token.start(), is_word=token.lastgroup == "word")
        resumed = _RESUMED.get(token[0])
        if resumed is None:
            return token.end()
        place = resumed.search(self.text, token.start())
        assert place  # the end of the text, at the latest
        return place.start()


def _on_one_line(remark: str) -> str:
    """Return a comment, a mark or a variation on one line. So comments to the end of a line are put in braces, and
    lines that begin with % are left out.
    """
    return " ".join(_COMMENT.sub(_in_braces, remark).split())


def _in_braces(comment: re.Match[str]) -> str:
    """Return what `_COMMENT` found as a comment in braces, after which a line can go on. A line that begins with % is
    for programs: for it, nothing is returned.
    """
    braced, rest_of_line = comment[1], comment[2]
    if braced:
        return braced
    if not rest_of_line:
        return ""
    words = rest_of_line[1:].strip().replace("}", ")")
    return "{" + words + "}"
