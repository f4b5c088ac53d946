"""Tokens to statements. What CPL leaves to the reader's eye becomes explicit, in small passes over the tokens.

1. phrases     two words that stand for one terminal: `value of`, `result is`
2. sections    every § becomes OPEN or CLOSE; brackets are paired, and a tagged close closes the sections within
3. separators  a new line becomes a SEPARATOR where a statement can end before it and begin after it; the `:` after a
               label becomes LABELS, and what is labelled a statement of its own
4. statements  cuts the tokens where the statements of the outermost level end
5. definitions the `=` that defines becomes DEFINED, every other one is the relation; `and` and `or` are told apart
6. headings    the brackets of a heading with modes or types become SPECIFIED_OPEN and SPECIFIED_CLOSE
7. products    zero-width tokens where operands stand side by side: JUXTAPOSED, or MAYBE where only the meaning of the
               left one tells product from application (`f(x)`)

The parser sees the result only. Each pass takes and returns tokens (or statements of them); none looks at text.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, TypeVar

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.source import Source, Span
from cpl.syntax.brackets import begins_definition, sections
from cpl.syntax.lexer import Token, tokenize
from cpl.syntax.tokens import BEGINS, CLOSERS, ENDS, ON_ONE_LINE, OPENERS, PHRASES, PRINTED, TYPES

MOST_CHARACTERS: Final = 2_000_000
"""A text of this size takes half a minute and more than a gigabyte."""

MOST_TOKENS: Final = 30_000
"""How many words and signs a definition may have: one of this size takes some four seconds."""


@dataclass
class Layout:
    """A text as the parser takes it: the statements of its outermost level, and the comments beside them."""

    source: Source
    statements: list["Statement"] = field(default_factory=list)
    written: list[Token] = field(default_factory=list)  # before any pass, comments left out
    stroked: bool = False
    comments: list[Token] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    refused: bool = False  # for its size, with nothing laid out

    @property
    def tokens(self) -> list[Token]:
        """All tokens in order, with a SEPARATOR between statements."""
        return join(self.statements)


@dataclass
class Statement:
    """The tokens of one statement at the outermost level; not `sound` if it has a wrong bracket or an unknown sign."""

    tokens: list[Token]
    sound: bool = True


def lay_out(source: Source, *, expression: bool = False, cut: bool = False) -> Layout:
    """Run all passes. In a text that is one `expression`, no = defines.

    `cut` ends every statement where a definition begins at the left margin, finished or not: for texts with errors.
    """
    if len(source.text) > MOST_CHARACTERS:
        length, limit = f"{len(source.text):,}", f"{MOST_CHARACTERS:,}"
        too_big = report(messages.TOO_BIG, Span(source, 0, 0), length=length, limit=limit)
        return Layout(source, diagnostics=[too_big], refused=True)
    tokens, found = tokenize(source)
    comments = [token for token in tokens if token.kind == "COMMENT"]
    written = [token for token in tokens if token.kind != "COMMENT"]
    stroked = any(token.kind == "CLOSE" for token in tokens)
    result = lay_out_tokens(written, found, stroked=stroked, expression=expression, cut=cut)
    if too_many := [each for each in found if each.cause is messages.TOO_MANY]:
        return Layout(source, diagnostics=too_many, refused=True)
    if any(each.cause is messages.UNCLOSED_STRING for each in found):  # it holds the brackets that are missed
        found = [each for each in found if each.cause is not messages.UNCLOSED_BRACKET]
    return Layout(source, result, written, stroked, comments, found)


def lay_out_tokens(
    tokens: Sequence[Token],
    found: list[Diagnostic],
    *,
    stroked: bool,
    expression: bool = False,
    cut: bool = False,
    sound: bool = False,
) -> list["Statement"]:
    """Run the passes over tokens; `stroked` if their text has a sign of its own for closing sections.

    With `sound`, the result is empty if a bracket is wrong.
    """
    paired, spoilt = sections(phrases(tokens), found, stroked=stroked, cut=cut)
    if sound and found:
        return []
    result = statements(separators(paired, cut=cut), spoilt)
    large = [each.tokens[0].span for each in result if len(each.tokens) > MOST_TOKENS]
    if large:
        found += [report(messages.TOO_MANY, span, limit=f"{MOST_TOKENS:,}") for span in large]
        return []
    for statement in result:
        statement.tokens = products(headings(definitions(statement.tokens, expression=expression)))
    return result


def join(parts: Sequence["Statement"]) -> list[Token]:
    """The tokens of several statements, with a SEPARATOR between two."""
    tokens: list[Token] = []
    for statement in parts:
        first = statement.tokens[0].span
        tokens += [Token("SEPARATOR", "", Span(first.source, first.start, first.start)), *statement.tokens]
    return tokens[1:]


def phrases(tokens: Iterable[Token]) -> list[Token]:
    """Join the words that form one terminal together, even across a line end."""
    result: list[Token] = []
    last = -1  # where the last token that is no new line stands
    for token in tokens:
        kind = PHRASES.get((result[last].kind, token.kind)) if last >= 0 else None
        if kind and (kind not in ON_ONE_LINE or last == len(result) - 1):
            del result[last + 1 :]
            result[last] = Token(kind, PRINTED[kind], result[last].span.to(token.span))
            continue
        result.append(token)
        if token.kind != "NEWLINE":
            last = len(result) - 1
    return result


State = TypeVar("State")


def _with_state(tokens: Iterable[Token], new: Callable[[int], State]) -> Iterator[tuple[int, Token, State]]:
    """Each token with its index and the state of the bracket that it stands in.

    `new` makes the state of the bracket that opens at an index, and with -1 that of the outermost level.
    """
    stack = [new(-1)]
    for index, token in enumerate(tokens):
        if token.kind in CLOSERS and len(stack) > 1:
            stack.pop()
        yield index, token, stack[-1]
        if token.kind in OPENERS:
            stack.append(new(index))


def _with_bracket(tokens: Sequence[Token]) -> Iterator[tuple[int, Token, str]]:
    """Each token with its index and the kind of the bracket that it stands in, "" at the outermost level."""
    return _with_state(tokens, lambda index: tokens[index].kind if index >= 0 else "")


def _of_same_level(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, str]]:
    """The kinds of the tokens from an index on, up to the end of the bracket that they stand in; of brackets within
    only what opens and closes them.
    """
    depth = 0
    for at in range(start, len(tokens)):
        kind = tokens[at].kind
        depth -= kind in CLOSERS
        if depth < 0:
            return
        if not depth:
            yield at, kind
        depth += kind in OPENERS


def separators(tokens: list[Token], *, cut: bool = False) -> list[Token]:
    """Make a SEPARATOR of each new line between two statements, and drop all others (evidence L14–L17). Make LABELS of
    each `:` after a name that begins a statement, or after a `case`; a SEPARATOR follows it.

    A line goes on if it cannot have ended, or if the next one cannot begin a statement: no statement begins with an
    operator. Within round and square brackets lines never end, except in a section inside them. `cut` ends the line
    also where a definition begins at the very left.
    """
    result: list[Token] = []
    start = 0  # where the statement begins, among what has come out so far
    pending: Token | None = None
    for _, token, bracket in _with_bracket(tokens):
        if token.kind in ("NEWLINE", "SEPARATOR"):
            if pending is None or token.kind == "SEPARATOR":
                pending = token
            continue
        in_list = bracket not in ("", "OPEN")
        forced = cut and not bracket and result and begins_definition(token)
        if pending and (forced or _separates(pending, result, token, in_list=in_list)):
            result.append(Token("SEPARATOR", "", pending.span))
            start = len(result)
        pending = None
        if token.kind == "COLON" and not in_list and _is_label(result[start:]):
            token = replace(token, kind="LABELS")
            pending = Token("SEPARATOR", "", Span(token.span.source, token.span.end, token.span.end))
        result.append(token)
        if token.kind in ("OPEN", "LABELS"):
            start = len(result)
    return result


def _separates(sign: Token, before: list[Token], after: Token, in_list: bool) -> bool:
    if not before:
        return False
    if sign.kind == "SEPARATOR":  # a semicolon always does, unless there is nothing between it and a bracket
        return before[-1].kind != "OPEN" and after.kind != "CLOSE"
    return not in_list and after.kind in BEGINS and (before[-1].kind in ENDS or _ends_with_type(before))


def _ends_with_type(before: list[Token]) -> bool:
    """Whether a type is the last alternative of an element (T15)."""
    first = len(before)
    while first and before[first - 1].kind in TYPES:
        first -= 1
    return 0 < first < len(before) and before[first - 1].kind in ("IS", "OR", "OR_WORD")


def _is_label(before: Sequence[Token]) -> bool:
    """Whether the statement before a colon is a label, or begins a case."""
    kinds = [token.kind for token in before[:2]]
    return kinds in (["SMALL"], ["LARGE"]) or kinds[:1] in (["CASE"], ["DEFAULT"])


def statements(tokens: list[Token], spoilt: set[Token]) -> list[Statement]:
    """Cut the tokens at the separators of the outermost level."""
    result = [Statement([])]
    for _, token, bracket in _with_bracket(tokens):
        if token.kind == "SEPARATOR" and not bracket:
            result.append(Statement([]))
        else:
            result[-1].tokens.append(token)
    for statement in result:
        sound = not spoilt or spoilt.isdisjoint(statement.tokens)  # tokens are slow to look up
        statement.sound = sound and all(token.kind != "UNKNOWN" for token in statement.tokens)
    return [statement for statement in result if statement.tokens]


@dataclass
class _Level:
    """The state of `definitions` at one level of brackets."""

    heading: bool = False  # the next = defines
    defining: bool = False  # a definition has begun
    testing: bool = False  # a test has begun
    where: bool = False  # the last definition follows a where
    tests: int = 0  # that wait for their second arm

    def reset(self, *, heading: bool, defining: bool = False, where: bool = False) -> None:
        self.heading, self.defining, self.testing, self.where = heading, defining, False, where


def definitions(tokens: list[Token], *, expression: bool = False) -> list[Token]:
    """Make DEFINED of each = that defines: the first of a statement that begins with a name and assigns nothing, and
    the first after a word that begins a definition, if a heading alone stands before it. Make ALSO of each `and` that
    joins definitions, and ELSE of each `or` before the second arm of a `test`.
    """
    result: list[Token] = []

    def level_at(index: int) -> _Level:
        defines = not expression if index < 0 else tokens[index].kind == "OPEN"
        return _Level(defines and _may_define(tokens, index + 1))

    for index, token, level in _with_state(tokens, level_at):
        if token.kind == "AND_WORD":
            joins = level.defining and _heads_definition(tokens, index + 1, test=level.testing)
            token = replace(token, kind=("WHERE_ALSO" if level.where else "ALSO") if joins else "AND")
        elif token.kind == "OR_WORD":
            token = replace(token, kind="ELSE" if level.tests else "OR")
        kind = token.kind
        level.tests = max(0, level.tests + (kind == "TEST") - (kind == "ELSE"))
        if kind == "SEPARATOR":
            level.reset(heading=_may_define(tokens, index + 1))
        elif kind in _DEFINING:
            where = kind in ("WHERE", "WHERE_ALSO") or (level.where and kind == "REC")
            level.reset(heading=True, defining=level.defining or kind != "FOR", where=where)
        elif kind in ("EQUAL", "EQUIVALENT") and level.heading:
            level.heading, level.defining = False, True
            token = replace(token, kind="DEFINED" if kind == "EQUAL" else "DEFINED_BY")
        elif kind in _AFTER_HEADING or kind in _NEVER_IN_HEADING:
            level.defining |= level.heading
            level.heading = False
            level.testing = kind in _TESTING
        result.append(token)
    return result


_DEFINING: Final = {"LET", "FOR", "FUNCTION", "ROUTINE", "REC", "WHERE", "ALSO", "WHERE_ALSO", "IN"}
_TESTING: Final = {"IF", "UNLESS", "TEST", "WHILE", "UNTIL", "REPEAT_WHILE", "REPEAT_UNTIL"}
_NEVER_IN_HEADING: Final = _TESTING | {"THEN", "DO", "ELSE", "ARROW", "ASSIGN", "SHARES"}


def _heads_definition(tokens: Sequence[Token], start: int, *, test: bool) -> bool:
    """Whether a heading and then a sign that defines stand here; in a `test`, = and ≡ are relations."""
    start += start < len(tokens) and tokens[start].kind == "REC"
    after = next(((at, kind) for at, kind in _of_same_level(tokens, start) if kind not in _HEADING), None)
    relations = {"EQUAL", "EQUIVALENT"} if test else set()
    return after is not None and after[0] > start and after[1] in _HEADED - relations


_HEADING: Final = {"SMALL", "LARGE", "ROUND_OPEN", "ROUND_CLOSE", "SQUARE_OPEN", "SQUARE_CLOSE"}
_HEADED: Final = {"EQUAL", "EQUIVALENT", "SHARES", "BE", "IS"}


def _may_define(tokens: list[Token], start: int) -> bool:
    """Whether a declaration may stand here, or a definition without a word to begin it: a name, and no := in the
    statement but in a routine.
    """
    first = tokens[start].kind if start < len(tokens) else ""
    if first not in ("SMALL", "LARGE", "ROUND_OPEN"):
        return first in TYPES
    decisive = (kind for _, kind in _of_same_level(tokens, start) if kind in ("SEPARATOR", "BE", "IS", "ASSIGN"))
    return next(decisive, "") != "ASSIGN"


def products(tokens: list[Token]) -> list[Token]:
    """Put a zero-width operator between operands that stand side by side on one line (evidence L3–L7), or on two if the
    second begins with a bracket.

    A large name before a bracket is applied to it, and so is anything before a square bracket: no operator there.
    """
    result: list[Token] = []
    headed = _small_headings(tokens)
    ends_types: tuple[str, ...] = ()  # what ends the place where types stand, if this is one
    for index, token in enumerate(tokens):
        if token.kind in ends_types:
            ends_types = ()
        elif not ends_types:
            ends_types = _OF_TYPES.get(token.kind, ())
        kind = result and not ends_types and index not in headed and _product(result[-1], token)
        if kind and (token.kind == "ROUND_OPEN" or result[-1].span.line == token.span.line):
            result.append(Token(kind, "", Span(token.span.source, token.span.start, token.span.start)))
        result.append(token)
    return result


_OF_TYPES: Final = {
    "NODE": ("SEPARATOR", "CLOSE"),
    "ELEMENT": ("SEPARATOR", "CLOSE"),
    "SPECIFIED_OPEN": ("SPECIFIED_CLOSE",),
}
"""Where types and names stand side by side, and no product is meant: from this token to one of those."""

_BEFORE_HEADING: Final = {"SEPARATOR", "OPEN", "ROUTINE"} | _DEFINING | TYPES
_AFTER_HEADING: Final = {"DEFINED", "DEFINED_BY", "BE", "IS"}
_SPECIFYING: Final = TYPES | {"COLON", "VALUE", "REF", "REFERENCE", "SUBSTITUTION", "FUNCTION", "ROUTINE"}


def headings(tokens: list[Token]) -> list[Token]:
    """Mark the brackets of headings with modes or types, as in `R[ref x, real y] be`."""
    result = list(tokens)
    for opener, closer in _headings(tokens):
        if any(token.kind in _SPECIFYING for token in tokens[opener:closer]):
            result[opener] = replace(tokens[opener], kind="SPECIFIED_OPEN")
            result[closer] = replace(tokens[closer], kind="SPECIFIED_CLOSE")
    return result


def _headings(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """Where the brackets of headings `f(x) =` open and close."""
    for opener in range(1, len(tokens)):
        before = tokens[opener - 2].kind if opener > 1 else "SEPARATOR"
        named = tokens[opener - 1].kind in ("SMALL", "LARGE") and before in _BEFORE_HEADING
        if named and tokens[opener].kind in OPENERS:
            [*_, (closer, _)] = islice(_of_same_level(tokens, opener), 2)
            if closer + 1 < len(tokens) and tokens[closer + 1].kind in _AFTER_HEADING:
                yield opener, closer


def _small_headings(tokens: list[Token]) -> set[int]:
    """Where the round bracket of a heading `f(x) =` opens, whose small name is a function's."""
    return {
        opener
        for opener, _ in _headings(tokens)
        if tokens[opener - 1].kind == "SMALL" and tokens[opener].kind == "ROUND_OPEN"
    }


def _product(left: Token, right: Token) -> str | None:
    if left.kind not in ("SMALL", "NUMBER", "ROUND_CLOSE", "SQUARE_CLOSE", "CURLY_CLOSE"):
        return None
    if right.kind == "ROUND_OPEN" and left.kind != "NUMBER":
        return "MAYBE"
    return "JUXTAPOSED" if right.kind in _JUXTAPOSED else None


_JUXTAPOSED: Final = {"SMALL", "LARGE", "INFINITY", "RESULT", "CURLY_OPEN", "ROUND_OPEN"}
