"""The tokens of a text as pieces to be typeset: what stands between two of them by itself, and what is said of several.

`printer` says the rest, from the tree.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from cpl.source import Source
from cpl.syntax import nodes
from cpl.syntax.layout import lay_out
from cpl.syntax.lexer import Token
from cpl.syntax.signs import GREEK
from cpl.syntax.token_text import Notation, is_raised, printed, stay_apart
from cpl.syntax.typeset import LEFT, Group, Indent, Piece

STEP: Final = 4
"""How far a command within another is set in, and a line that goes on."""

_OPENERS: Final = {"ROUND_OPEN", "SQUARE_OPEN", "CURLY_OPEN", "SPECIFIED_OPEN"}
_CLOSERS: Final = {"ROUND_CLOSE", "SQUARE_CLOSE", "CURLY_CLOSE", "SPECIFIED_CLOSE"}
_BEFORE_PRODUCT: Final = {"SMALL", "NUMBER", *_CLOSERS}
_IN_PRODUCT: Final = {"SMALL", "LARGE", "INFINITY", "RESULT", "NUMBER"}
_CLOSE_BEFORE: Final = {"COMMA", "SEPARATOR", "LABELS", "DOT", *_CLOSERS}
_CLOSE_AFTER: Final = {"NOT", "POINTS", "LAMBDA", *_OPENERS}
_NOT_PLAIN: Final = {"STRING", *_OPENERS}


class Pieces:
    """The pieces of a text, and the groups of places at which its lines may end."""

    def __init__(self, source: Source, notation: Notation) -> None:
        self.pieces: list[Piece] = []
        self.groups: list[Group] = []
        self.tokens: list[Token] = []  # of the pieces
        self.matching: dict[int, int] = {}  # of each bracket the other one
        self.command = -1  # the piece that begins the command in hand
        self.base: Indent | None = None  # where a section within it begins, if not where the command says
        self.ruled: set[int] = set()  # the pieces of which it is said where they begin a line
        self._lex(source, notation)
        self.starts = [token.span.start for token in self.tokens]

    # Tokens

    def _lex(self, source: Source, notation: Notation) -> None:
        """The pieces, and what stands between those of which no rule says anything else."""
        layout = lay_out(source)
        written = [token for token in (*layout.tokens, *layout.comments) if token.span.text.strip()]
        openers: list[int] = []
        end = 0  # of the last token
        for token in sorted(written, key=lambda token: token.span.start):
            in_brackets = bool(openers) and self.tokens[openers[-1]].kind in _OPENERS
            if token.kind == "SEPARATOR" and not in_brackets:
                continue
            at = len(self.pieces)
            piece = Piece(
                notation(token),
                len(printed(token)),
                lines=max(0, source.line_at(token.span.start) - source.line_at(end)),
            )
            if at:
                self._between(self.pieces[-1], self.tokens[-1], piece, token)
                piece.spaced = token.kind == "COMMENT" and not in_brackets
            if token.kind in _OPENERS or token.kind == "OPEN":
                openers.append(at)
            elif token.kind in _CLOSERS or token.kind == "CLOSE":
                opener = openers.pop()
                while token.kind == "CLOSE" and token.text and self.tokens[opener].text != token.text:
                    opener = openers.pop()  # a tagged close closes those within, too (L13)
                self.matching[opener], self.matching[at] = at, opener
            piece.opens = token.kind == "OPEN"
            self.pieces.append(piece)
            self.tokens.append(token)
            end = token.span.end

    def _between(self, last: Piece, before: Token, piece: Piece, token: Token) -> None:
        """What stands between two pieces that follow each other, as far as they tell by themselves."""
        if token.kind == "COMMENT":
            piece.note = not piece.lines
            piece.flat = "  "
            piece.forced = not piece.note
            return
        piece.forced = before.kind == "COMMENT"
        touching = before.span.end == token.span.start
        if not _blank(before, token, touching=touching):
            piece.flat = "" if touching or stay_apart(printed(before), printed(token)) else " "

    def at(self, offset: int) -> int:
        """The first piece that begins at this offset of the source, or after it."""
        return bisect_left(self.starts, offset)

    def first(self, node: nodes.Node) -> int:
        """The piece with which a node begins."""
        return self.at(node.span.start)

    def last(self, node: nodes.Node) -> int:
        """The piece with which a node ends."""
        return self.at(node.span.end) - 1

    def after(self, at: int) -> int:
        """The piece after this one, comments left out."""
        at += 1
        while at < len(self.tokens) - 1 and self.tokens[at].kind == "COMMENT":
            at += 1
        return at

    def before(self, at: int) -> int:
        """The piece before this one, comments left out."""
        at -= 1
        while at and self.tokens[at].kind == "COMMENT":
            at -= 1
        return at

    def find(self, kinds: set[str], start: int, end: int) -> list[int]:
        """The pieces of these kinds between two others, those within brackets left out."""
        found = []
        while start < end:
            if self.tokens[start].kind in kinds:
                found.append(start)
            start = max(start, self.matching.get(start, start)) + 1
        return found

    # Lines

    def group(
        self,
        start: int,
        end: int,
        places: Sequence[int],
        indent: Indent | None = None,
        *,
        even: bool = False,
        leads: bool = False,
        short: bool = False,
        items: bool = False,
    ) -> None:
        """Lines may end before these pieces; `end` is the last piece of what they are part of."""
        if not places:
            return
        made = Group(start, end + 1, even, leads, short, items, list(places))
        self.groups.append(made)
        for place in places:
            self.ruled.add(place)
            self.pieces[place].group = made
            if indent is not None:
                self.pieces[place].indent = indent

    @property
    def within(self) -> Indent:
        """Where what belongs to the command in hand goes on."""
        return Indent(self.command, STEP, of_command=True)

    @property
    def aligned(self) -> Indent:
        """Where the command in hand begins."""
        return Indent(self.command, 0, of_command=True)

    def default_indents(self) -> None:
        """Where lines go on that end with a comment, at places of which no rule speaks; and the comments themselves."""
        openers: list[int] = []
        commands = [-1]
        for at, (piece, token) in enumerate(zip(self.pieces, self.tokens, strict=True)):
            if piece.command is not None:
                commands[-1] = at
            if token.kind in _CLOSERS or token.kind == "CLOSE":
                while openers and openers[-1] != self.matching[at]:
                    openers.pop()
                    commands.pop()
                openers.pop()
                commands.pop()
            if token.kind == "CLOSE":
                piece.indent = Indent(self.matching[at], 0)
            elif at not in self.ruled and openers:
                piece.indent = self.inside(openers[-1])
            elif at not in self.ruled and commands[-1] >= 0:
                piece.indent = Indent(commands[-1], STEP, of_command=True)
            if token.kind in _OPENERS or token.kind == "OPEN":
                openers.append(at)
                commands.append(at)
        for at in range(len(self.pieces) - 2, -1, -1):
            if self.tokens[at].kind == "COMMENT":
                after = self.tokens[at + 1].kind
                closes = after == "CLOSE"
                self.pieces[at].indent = self.inside(self.matching[at + 1]) if closes else self.pieces[at + 1].indent
        if self.tokens and self.tokens[-1].kind == "COMMENT":
            self.pieces[-1].indent = LEFT

    def inside(self, opener: int) -> Indent:
        """Where lines begin that go on within a bracket."""
        return Indent(opener, self.pieces[opener].width + (self.tokens[opener].kind == "OPEN"), past=True)

    # Brackets and lists

    def brackets(self, first: int, last: int) -> None:
        """All brackets between two pieces, that no expression holds: those of headings and types."""
        for at in range(first, last + 1):
            if self.tokens[at].kind in _OPENERS:
                self.bracket(at)

    def bracket(self, opener: int, items: Sequence[nodes.Node] | None = None) -> None:
        """What stands between brackets. Names and numbers alone are set close, `F(x,2n,-1)`, all else is not.

        Commas part the `items`; in a heading, where there are none, all of them do.
        """
        closer = self.matching[opener]
        if items is None:
            led = [self.after(comma) for comma in self.find({"COMMA", "SEPARATOR"}, opener + 1, closer)]
        else:
            led = [self.first(item) for item in items[1:]]
        within = range(opener + 1, closer)
        plain = not any(self.tokens[at].kind in _NOT_PLAIN for at in within)
        parted = {*led}
        if plain and not any(self.pieces[at].flat == " " or self.runs_in(at) for at in within[1:] if at not in parted):
            for each in led:
                self.close(each)
        self.group(opener + 1, closer, led, self.inside(opener), items=True)

    def listed(self, items: Sequence[nodes.Node], indent: Indent | None = None) -> None:
        """What stands between commas without brackets."""
        if items:
            first, last = self.first(items[0]), self.last(items[-1])
            self.group(first, last, [self.first(item) for item in items[1:]], indent or Indent(first, 0), items=True)

    def close(self, at: int) -> None:
        """Nothing stands before this piece, unless it would be read otherwise."""
        last, token = self.tokens[at - 1], self.tokens[at]
        if token.kind != "COMMENT":
            self.pieces[at].flat = "" if stay_apart(printed(last), printed(token)) else " "

    def part(self) -> None:
        """Put blanks where in the notation asked for two tokens would be read as one."""
        for at in range(1, len(self.pieces)):
            if not self.pieces[at].flat:
                self.pieces[at].gap = " " if self.runs_in(at) else ""

    def runs_in(self, at: int) -> bool:
        """Whether in the notation asked for a token and the one before would be read as one, if nothing parted them."""
        (last, piece), (before, token) = self.pieces[at - 1 : at + 1], self.tokens[at - 1 : at + 1]
        as_it_was = before.span.end == token.span.start and before.span.text + token.span.text
        return not (last.text + piece.text == as_it_was or stay_apart(last.text, piece.text))


def _blank(left: Token, right: Token, *, touching: bool) -> bool:
    """Whether a blank stands between two tokens, as far as they tell by themselves."""
    if left.kind in _CLOSE_AFTER or right.kind in _CLOSE_BEFORE or is_raised(right):
        return False
    if left.kind in _BEFORE_PRODUCT | {"LARGE", "STRING"} and right.kind in _OPENERS:
        return False
    if left.kind in _BEFORE_PRODUCT and right.kind in _IN_PRODUCT:
        greek = left.text[:1] in GREEK or right.text[:1] in GREEK  # they make no words
        return not (touching or right.kind == "INFINITY" or (greek and left.kind == right.kind == "SMALL"))
    return True
