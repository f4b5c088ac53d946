"""Tokens to statements: small passes make explicit what CPL leaves to the reader's eye.

1. phrases     makes one terminal of two words: `value of`, `result is`
2. sections    (in `brackets`) decides which § opens and which closes, and pairs all brackets
3. statements  ends a statement with a line where one statement can end and another begin, and makes LABELS of the `:`
               after a label
4. definitions makes DEFINED of each `=` that defines; tells the `and` and `or` of definitions and tests from ∧ and ∨
5. products    inserts a token without text between operands side by side: JUXTAPOSED, which is ×, or MAYBE_PRODUCT
               where only the meaning of the left operand tells a product from an application; and makes SPECIFIED_OPEN
               and SPECIFIED_CLOSE of the brackets of a heading with modes or types

So of these three lines the passes make the tokens below:

    x = value of §
      y := 2f(x)
      result is y = 1 §

    x DEFINED VALUE_OF OPEN y ASSIGN 2 JUXTAPOSED f MAYBE_PRODUCT ( x ) SEPARATOR RESULT_IS y EQUAL 1 CLOSE

The resolver decides about MAYBE_PRODUCT if it knows what f is; else `python/lower` does by its type, or the running
program (`cplrt.Juxtapose`).
The parser sees only the result. A pass is a function from tokens to tokens, or to statements of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax.brackets import begins_definition, sections
from cpl.compiler.syntax.lexer import Token, tokenize, tokenize_look_alikes, too_many
from cpl.compiler.syntax.tokens import BEGINS, CLOSERS, ENDS, ON_ONE_LINE, OPENERS, PHRASES, TYPES
from cpl.limits import MOST_CHARACTERS_OF_PROGRAM, MOST_TOKENS_OF_DEFINITION


@dataclass
class Layout:
    """A text in the form that the parser reads: the statements of its top level, and the comments.

    A text that is too large has no statements.
    """

    source: Source
    statements: list[list[Token]] = field(default_factory=list)
    written: list[Token] = field(default_factory=list)  # before any pass, without comments
    stroked: bool = False  # whether sections are closed by a symbol of their own
    comments: list[Token] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def tokens(self) -> list[Token]:
        """All tokens in order, with a SEPARATOR between statements."""
        return join(self.statements)


def lay_out(source: Source, *, expression: bool = False, cut: bool = False) -> Layout:
    """Run all passes. In a text that is one `expression`, no = defines.

    `cut` ends every statement where a definition begins at the left margin, finished or not: for texts with errors.
    """
    if len(source.text) > MOST_CHARACTERS_OF_PROGRAM:
        length, limit = f"{len(source.text):,}", f"{MOST_CHARACTERS_OF_PROGRAM:,}"
        return Layout(source, diagnostics=[report(messages.TOO_BIG, Span(source, 0, 0), length=length, limit=limit)])

    tokens, diagnostics = tokenize(source)
    if diagnostics and diagnostics[0].cause is messages.TOO_MANY:
        return Layout(source, diagnostics=diagnostics)
    if any(diagnostic.cause is messages.UNKNOWN_SIGN for diagnostic in diagnostics):
        tokens, diagnostics = tokenize_look_alikes(source)

    comments = [token for token in tokens if token.kind == "COMMENT"]
    written = [token for token in tokens if token.kind != "COMMENT"]
    stroked = any(token.kind == "CLOSE" for token in tokens)
    result = lay_out_tokens(written, diagnostics, stroked=stroked, expression=expression, cut=cut)

    refused = [diagnostic for diagnostic in diagnostics if diagnostic.cause is messages.TOO_MANY]
    if refused:
        return Layout(source, diagnostics=refused)
    if any(diagnostic.cause is messages.UNCLOSED_STRING for diagnostic in diagnostics):
        # The string runs on to the end of its line, and so has in it the closing brackets that seem to be missing.
        diagnostics = [diagnostic for diagnostic in diagnostics if diagnostic.cause is not messages.UNCLOSED_BRACKET]
    return Layout(source, result, written, stroked, comments, diagnostics)


def lay_out_tokens(
    tokens: Sequence[Token],
    diagnostics: list[Diagnostic],
    *,
    stroked: bool,
    expression: bool = False,
    cut: bool = False,
) -> list[list[Token]]:
    """Run the passes over tokens; `stroked` if their text has a symbol of its own for closing sections."""
    paired = sections(phrases(tokens), diagnostics, stroked=stroked, cut=cut)
    result = []
    for statement in statements(paired, cut=cut):
        if len(statement) > MOST_TOKENS_OF_DEFINITION:
            diagnostics.append(too_many(statement[0].span))
        else:
            result.append(products(definitions(statement, expression=expression)))
    return result


def join(statements: Sequence[list[Token]]) -> list[Token]:
    """The tokens of several statements, with a SEPARATOR between two."""
    tokens: list[Token] = []
    for statement in statements:
        first = statement[0].span
        tokens += [Token("SEPARATOR", "", Span(first.source, first.start, first.start)), *statement]
    return tokens[1:]


def phrases(tokens: Iterable[Token]) -> list[Token]:
    """Join two words that are one terminal, even across line ends."""
    result: list[Token] = []
    last = 0  # the index of the last token that is not a new line
    for token in tokens:
        kind = PHRASES.get((result[last].kind, token.kind)) if result else None
        if kind and (kind not in ON_ONE_LINE or last == len(result) - 1):
            first = result[last]
            result[last:] = [Token(kind, f"{first.text} {token.text}", first.span.to(token.span))]
            continue
        if token.kind != "NEWLINE":
            last = len(result)
        result.append(token)
    return result


def pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """The index of the closing bracket for that of each opening one."""
    closers: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind in OPENERS:
            opened.append(at)
        elif token.kind in CLOSERS:
            closers[opened.pop()] = at
    return closers


def of_same_level(
    tokens: Sequence[Token], closers: Mapping[int, int], start: int, end: int | None = None
) -> Iterator[tuple[int, str]]:
    """The tokens from an index on up to the end of the bracket around them, or to another index: index and kind. Of
    nested brackets only the opening and closing tokens. The `closers` are the `pairs` of the tokens.
    """
    at = start
    end = len(tokens) if end is None else end
    while at < end and tokens[at].kind not in CLOSERS:
        yield at, tokens[at].kind
        if at in closers:
            at = closers[at]
            if at < end:
                yield at, tokens[at].kind
        at += 1


def statements(tokens: Iterable[Token], *, cut: bool = False) -> list[list[Token]]:
    """Cut the tokens where a new line or a semicolon separates two statements of the top level, and make a
    SEPARATOR of it elsewhere (evidence L14–L17). Make LABELS of each `:` after a name that begins a statement, or after
    a `case`; a statement ends there.

    A line continues if no statement can end there, or if none can begin on the next line: no statement begins with an
    operator. Round and square brackets hold no statements, except in a section inside them. With `cut`, a statement
    also ends before a definition at the left margin.
    """
    parts: list[list[Token]] = [[]]
    brackets: list[str] = []  # the kinds of those that are open
    start = 0  # where the statement begins in the last part
    pending: Token | None = None  # a new line or a semicolon before this token; a semicolon counts for more
    for token in tokens:
        if token.kind in ("NEWLINE", "SEPARATOR"):
            if pending is None or token.kind == "SEPARATOR":
                pending = token
            continue

        in_list = bool(brackets) and brackets[-1] != "OPEN"
        forced = cut and not brackets and parts[-1] and begins_definition(token)
        if forced or (pending and _separates(pending, parts[-1], start, token, in_list=in_list)):
            if brackets and pending:
                parts[-1].append(Token("SEPARATOR", "", pending.span))
            else:
                parts.append([])
            start = len(parts[-1])
        pending = None

        if token.kind == "COLON" and not in_list:
            kinds = [before.kind for before in parts[-1][start : start + 2]]
            if kinds in (["SMALL"], ["LARGE"]) or kinds[:1] in (["CASE"], ["DEFAULT"]):
                token = replace(token, kind="LABELS")
                pending = Token("SEPARATOR", "", Span(token.span.source, token.span.end, token.span.end))

        parts[-1].append(token)
        if token.kind in ("OPEN", "LABELS"):
            start = len(parts[-1])
        if token.kind in OPENERS:
            brackets.append(token.kind)
        elif token.kind in CLOSERS:
            brackets.pop()
    return [part for part in parts if part]


def _separates(separator: Token, before: list[Token], start: int, after: Token, in_list: bool) -> bool:
    """Tell whether a new line or a semicolon separates two statements; the first begins at the index `start`."""
    if not before:
        return False
    last = before[-1].kind
    if separator.kind == "SEPARATOR":  # a semicolon always does, except next to a section bracket
        return last != "OPEN" and after.kind != "CLOSE"
    if in_list or after.kind not in BEGINS or not (last in ENDS or last in TYPES):
        return False
    kinds = [token.kind for token in before[start:]]
    if last in TYPES:  # an alternative may be a type (T15), and a declaration ends with one (G5, G6)
        return not {"ELEMENT", "PREFER", "BE"}.isdisjoint(kinds)
    is_body_of_routine = after.kind == "OPEN" and "ROUTINE" in kinds and _BEFORE_BODY.isdisjoint(kinds)
    return not is_body_of_routine


_BEFORE_BODY: Final = {"BE", "IS", "EQUAL"}
"""What stands between the heading of a routine and its section; without any, the section follows at once (G4)."""


@dataclass
class _Level:
    """The state of `definitions` at one level of brackets."""

    heading: bool = False  # the next = defines
    defining: bool = False  # a definition has begun
    testing: bool = False  # a condition has begun
    where: bool = False  # the last definition follows a where
    tests: int = 0  # how many tests lack their second arm


def definitions(tokens: list[Token], *, expression: bool = False) -> list[Token]:
    """Make DEFINED of each = that defines: the first in a statement that begins with a name and assigns nothing, and
    the first after a word that begins a definition, if only a heading stands before it. Make ALSO of each `and` that
    joins definitions, and ELSE of each `or` before the second arm of a `test`.
    """
    result: list[Token] = []
    closers = pairs(tokens)
    levels = [_Level(not expression and _may_define(tokens, closers, 0))]
    for index, token in enumerate(tokens):
        if token.kind in CLOSERS:
            levels.pop()
        level = levels[-1]

        if token.kind == "AND_WORD":
            joins = level.defining and _heads_definition(tokens, closers, index + 1, testing=level.testing)
            joining = "WHERE_ALSO" if level.where else "ALSO"
            token = replace(token, kind=joining if joins else "AND")
        elif token.kind == "OR_WORD":
            token = replace(token, kind="ELSE" if level.tests else "OR")

        kind = token.kind
        if kind == "TEST":
            level.tests += 1
        elif kind == "ELSE":
            level.tests = max(0, level.tests - 1)

        if kind == "SEPARATOR":
            level.heading = _may_define(tokens, closers, index + 1)
            level.defining = level.testing = level.where = False
        elif kind in _DEFINING:
            level.heading, level.testing = True, False
            level.defining |= kind != "FOR"
            level.where = kind in ("WHERE", "WHERE_ALSO") or (level.where and kind in _FORMS)
        elif kind in ("EQUAL", "EQUIVALENT") and level.heading:
            level.heading, level.defining = False, True
            token = replace(token, kind="DEFINED" if kind == "EQUAL" else "DEFINED_BY")
        elif kind in _AFTER_HEADING or kind in _NEVER_IN_HEADING:
            level.defining |= level.heading
            level.heading = False
            level.testing = kind in _TESTING

        result.append(token)
        if kind in OPENERS:
            levels.append(_Level(kind == "OPEN" and _may_define(tokens, closers, index + 1)))
    return result


_FORMS: Final = {"FUNCTION", "ROUTINE", "REC"}
_DEFINING: Final = _FORMS | {"LET", "FOR", "WHERE", "ALSO", "WHERE_ALSO", "IN"}
_TESTING: Final = {"IF", "UNLESS", "TEST", "WHILE", "UNTIL", "REPEAT_WHILE", "REPEAT_UNTIL"}
_NEVER_IN_HEADING: Final = _TESTING | {"THEN", "DO", "ELSE", "ARROW", "ASSIGN", "SHARES"}


def _heads_definition(tokens: Sequence[Token], closers: Mapping[int, int], start: int, *, testing: bool) -> bool:
    """Tell whether a heading and then a token that defines stand here, or words that begin a definition; in a
    condition, = and ≡ are relations.
    """
    if start < len(tokens) and tokens[start].kind in _FORMS | TYPES:
        return True
    for at, kind in of_same_level(tokens, closers, start):
        if kind not in _HEADING:
            is_relation = testing and kind in ("EQUAL", "EQUIVALENT")
            return at > start and kind in _HEADED and not is_relation
    return False


_HEADING: Final = {"SMALL", "LARGE", "ROUND_OPEN", "ROUND_CLOSE", "SQUARE_OPEN", "SQUARE_CLOSE", "COMMA", "ALL"}
_HEADED: Final = {"EQUAL", "EQUIVALENT", "SHARES", "BE", "IS"}


def _may_define(tokens: list[Token], closers: Mapping[int, int], start: int) -> bool:
    """Tell whether a declaration or a definition without `let` may stand here: a type; or a name, and no := in the
    statement unless it defines a routine.
    """
    first = tokens[start].kind if start < len(tokens) else ""
    if first not in ("SMALL", "LARGE", "ROUND_OPEN"):
        return first in TYPES
    for _, kind in of_same_level(tokens, closers, start):
        if kind in ("SEPARATOR", "BE", "IS"):
            return True
        if kind == "ASSIGN":
            return False
    return True


def products(tokens: list[Token]) -> list[Token]:
    """Insert an operator without text between operands side by side on one line (evidence L3–L7), or on two lines if
    the second operand begins with a bracket. Mark the brackets of headings that hold modes or types, as in
    `R[ref x, real y] be`.
    """
    result: list[Token] = []
    headings = dict(_headings(tokens))
    specified: dict[int, str] = {}  # the new kinds of the brackets of headings with modes or types
    for opener, closer in headings.items():
        if any(token.kind in _SPECIFYING for token in tokens[opener:closer]):
            specified |= {opener: "SPECIFIED_OPEN", closer: "SPECIFIED_CLOSE"}

    ends_types: tuple[str, ...] = ()  # what ends the types, if types stand here
    for index, token in enumerate(tokens):
        if index in specified:
            token = replace(token, kind=specified[index])
        if token.kind in ends_types:
            ends_types = ()
        elif not ends_types:
            ends_types = _OF_TYPES.get(token.kind, ())

        may_multiply = result and not ends_types and index not in headings
        operator = _product(result[-1], token) if may_multiply else None
        if operator and (token.kind == "ROUND_OPEN" or result[-1].span.line == token.span.line):
            result.append(Token(operator, "", Span(token.span.source, token.span.start, token.span.start)))
        result.append(token)
    return result


def _product(left: Token, right: Token) -> str | None:
    """The operator between two tokens. A large name before a bracket is applied to it, and so is anything before a
    square bracket; of a small name before a round bracket only the resolver knows.
    """
    if left.kind not in ("SMALL", "NUMBER", "ROUND_CLOSE", "SQUARE_CLOSE", "CURLY_CLOSE"):
        return None
    if right.kind == "ROUND_OPEN" and left.kind != "NUMBER":
        return "MAYBE_PRODUCT"
    return "JUXTAPOSED" if right.kind in _JUXTAPOSED else None


_JUXTAPOSED: Final = {"SMALL", "LARGE", "INFINITY", "RESULT", "CURLY_OPEN", "ROUND_OPEN"}

_OF_TYPES: Final = {
    "NODE": ("SEPARATOR", "CLOSE"),
    "ELEMENT": ("SEPARATOR", "CLOSE"),
    "SPECIFIED_OPEN": ("SPECIFIED_CLOSE",),
}
"""Where types and names stand side by side without a product: from this token to one of those."""

_BEFORE_HEADING: Final = {"SEPARATOR", "OPEN", "ROUTINE"} | _DEFINING | TYPES
_AFTER_HEADING: Final = {"DEFINED", "DEFINED_BY", "BE", "IS"}
_SPECIFYING: Final = TYPES | {"COLON", "VALUE", "REF", "REFERENCE", "SUBSTITUTION", "FUNCTION", "ROUTINE"}


def _headings(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """The indices at which the brackets of headings `f(x) =` open and close."""
    for opener, closer in sorted(pairs(tokens).items()):
        before = tokens[opener - 2].kind if opener > 1 else "SEPARATOR"
        is_named = opener > 0 and tokens[opener - 1].kind in ("SMALL", "LARGE") and before in _BEFORE_HEADING
        if is_named and closer + 1 < len(tokens) and tokens[closer + 1].kind in _AFTER_HEADING:
            yield opener, closer
