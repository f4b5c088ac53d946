"""Files of games: PDN, Portable Draughts Notation, of GameType 21, English draughts. Text to games, and games to text.

Red plays PDN's Black. Who has won by `1-0` is not the same everywhere. PDN 2.0, a draft for English draughts (Murray
Cash, 2003, section 6), says "indicating Black (Red) won"; PDN 3.0 (Wieger Wesselink) refers to it, and the games that
come with CheckerBoard hold to it. Wikipedia says "White won", as in chess. We hold to PDN 2.0: the first number is that
of the player who moves first. A result is kept as it stands in the file, whatever the moves say.
"""

import re
import reprlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from cpl.games.checkers.notation import action_text, from_fen, read_action, to_fen
from cpl.games.checkers.record import RESULTS, Game
from cpl.games.checkers.rules import start, successor
from cpl.games.checkers.state import other
from cpl.games.draughts import MOVE
from cpl.games.game import BadMove
from cpl.games.movetext import movetext
from cpl.kit.notation import BadFen

_UNKNOWN: Final = ("*", "?", "")
_FIRST: Final = ("Event", "Site", "Date", "Round", "Black", "White")
_FIELDS: Final = ("result", "gametype", "setup", "fen")

_TOKEN: Final = re.compile(
    rf"""
    (?P<aside>   \s+ | ;[^\n]* | (?m:^)%[^\n]* | \{{[^}}]*\}} | \$[0-9]+ | [!?]+ )
  | (?P<tag>     \[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\] )
  | (?P<open>    \( )
  | (?P<close>   \) )
  | (?P<result>  \* | (?:{"|".join(RESULTS)})(?![\dx/-]) )
  | (?P<number>  [0-9]+\s*\.+ | \.+ )
  | (?P<move>    (?P<squares>{MOVE}) (?:\*(?!\s*1\.(?!\.)))? )  # in PDN 2.0 a star is for the only good move
  | (?P<other>   \w+ | . )
    """,
    re.VERBOSE,
)
_ESCAPED: Final = re.compile(r'\\(["\\])')
_BLANK_LINE: Final = re.compile(r"\n\s*\n")


class BadPdn(ValueError):
    """A text that is no file of games, in one plain line that says where; or a game that cannot be written."""


def read_pdn(text: str) -> list[Game]:
    """The games of a file. Raises BadPdn for what cannot be read; `iter_pdn` says what can."""
    return [*iter_pdn(text)]


def iter_pdn(text: str) -> Iterator[Game]:
    """The games of a file one after the other, as they are read. Raises BadPdn when it comes to what cannot be read.

    A game ends with a result, or where tags begin. Its result is that of the tag; if this says nothing, the one at the
    end. A tag that stands twice has the last value, but after a blank line it begins the next game. Every move must be
    legal, in one of the forms of `read_action`. A game of another GameType than 21 is not read.

    Comments, marks such as `!` and `$1`, move numbers and variations are skipped, right or wrong, and are lost. Not
    read are moves without a sign, `1115`, captures in parts, `2x9 9x18`, results with blanks or with `½`, and times in
    a FEN.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for draft in _drafts(text):
        yield _played(draft)


def write_pdn(games: Iterable[Game]) -> str:
    """A file of these games: whole paths of captures, a blank line between games.

    Tags begin with Event, Site, Date, Round, Black, White, as far as a game has them, then Result, GameType and, unless
    it begins at the start, SetUp and FEN; others follow. What states count for the 50-move rule has no place in a file.

    Raises BadPdn for tags that no file can have, ValueError or TypeError for states and actions that are none. Whether
    the actions are legal is not asked.
    """
    return "\n".join(map(_written, games))


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
        return bool(self.moves or (again and _BLANK_LINE.search(self.text, self.tags_end, tag.start())))

    def bad(self, offset: int, what: str) -> BadPdn:
        return BadPdn(f"line {self.text.count(chr(10), 0, offset) + 1}, game {self.number}: {what}")


def _drafts(text: str) -> Iterator[_Draft]:
    draft = _Draft(text, 1)
    depth = outermost = 0  # of variations
    for token in _TOKEN.finditer(text):
        offset = token.start()
        match token.lastgroup:
            case "open":
                outermost = outermost if depth else offset
                depth += 1
            case "close" if depth:
                depth -= 1
            case "close":
                raise draft.bad(offset, "a variation ends, ), that never began")
            case "other" if token[0] == "{":
                raise draft.bad(offset, "a comment, {, is never closed")
            case "tag" if depth:
                raise draft.bad(outermost, "a variation, (, is not closed before the next game")
            case "tag":
                if draft.ends_before(token):
                    yield draft
                    draft = _Draft(text, draft.number + 1)
                draft.tags[token["name"]] = _ESCAPED.sub(r"\1", token["value"]), offset
                draft.tags_end = token.end()
            case _ if depth:
                pass
            case "move":
                draft.moves.append((token["squares"], offset))
            case "result" if draft:
                draft.result = token[0]
                yield draft
                draft = _Draft(text, draft.number + 1)
            case "other":
                raise draft.bad(offset, _unknown(text, offset))
    if depth:
        raise draft.bad(outermost, "a variation, (, is never closed")
    if draft:
        yield draft


def _unknown(text: str, offset: int) -> str:
    """What to say of a sign that begins nothing that a file of games has."""
    match text[offset]:
        case "[":
            return 'a tag is not closed, or has no value: it is written like [Event "Match"], on one line'
        case "/":
            return "a position that is set up within a game, /FEN …/, is not read"
        case _:
            found = re.compile(r"\S+").match(text, offset)
            return f"{reprlib.repr(found[0] if found else '')} is no move: it is written like 11-15 or 15x22x31"


def _played(draft: _Draft) -> Game:
    tags = {name: value for name, (value, _) in draft.tags.items() if name.lower() not in _FIELDS}
    told = {name.lower(): (value.strip(), offset) for name, (value, offset) in draft.tags.items()}
    kind, offset = told.get("gametype", ("", 0))
    if kind and kind.partition(",")[0].strip() != "21":
        raise draft.bad(offset, f"GameType {reprlib.repr(kind)} is not read: only 21 is, English draughts")
    fen, offset = told.get("fen", ("", 0))
    setup, setup_offset = told.get("setup", ("", 0))
    if setup == "1" and not fen:
        raise draft.bad(setup_offset, "SetUp says that the game has a position of its own, but there is no FEN")
    try:
        state, player = first = from_fen(fen) if fen else (start(), "red")
    except BadFen as error:
        raise draft.bad(offset, str(error)) from None
    played = []
    for text, offset in draft.moves:
        try:
            action = read_action(state, player, text)
        except BadMove as error:
            raise draft.bad(offset, str(error)) from None
        played.append(action)
        state, player = successor(state, action), other(player)
    said = (told.get("result", ("", 0))[0], draft.result)
    result = next((each for each in said if each not in _UNKNOWN), said[0] or "*")
    return Game(tags=tags, state=first[0], player=first[1], actions=played, result=result)


def _written(game: Game) -> str:
    if clash := [name for name in game.tags if name.lower() in _FIELDS]:
        raise BadPdn(f"the tag {clash[0]} cannot be given: it is written from what the game itself says")
    fen = to_fen(game.state, game.player)
    leading = {name: game.tags[name] for name in _FIRST if name in game.tags}
    told = {"Result": game.result, "GameType": "21"}
    if fen != to_fen(start(), "red"):
        told |= {"SetUp": "1", "FEN": fen}
    lines = [_tag(name, value) for name, value in (leading | told | game.tags).items()]
    moves = movetext(map(action_text, game.actions), game.result if game.result in RESULTS else "*")
    return "\n".join([*lines, "", moves, ""])


def _tag(name: str, value: str) -> str:
    if not re.fullmatch("[A-Za-z0-9_]+", name):
        raise BadPdn(f"{reprlib.repr(name)} cannot be the name of a tag: it is letters, digits and _")
    if "\n" in value or "\r" in value:
        raise BadPdn(f"the tag {name} cannot be written: its value has more than one line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
