"""Surface tree to CPL in one style: what `cpl fmt` prints.

The tokens keep their order; the tree decides what stands between them: a blank, nothing, or a place where a line may
end. `document` makes lines of that. A notation says how tokens are spelled: as written, as in print, or in ASCII.

    let Gcd[a,b]=value of §                           let Gcd[a,b] = value of
    while b≠0 do § a,b := b,Remainder(a,b) §|           § while b ≠ 0 do § a, b := b, Remainder(a,b) §|
    result is a §|                          becomes       result is a §|
    Write(Gcd(12, 18)+1)                              Write(Gcd(12,18) + 1)
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from cpl.compiler.source import Source
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.divisors import divisors
from cpl.compiler.syntax.document import LEFT, Group, Indent, TextRun, Typesetter
from cpl.compiler.syntax.layout import lay_out, of_same_level
from cpl.compiler.syntax.lexer import RAISED, Token, on_one_line, plainly, tokenize
from cpl.compiler.syntax.tokens import BASES, BEGINS, CLOSERS, GREEK, OPENERS, SYMBOLS

Notation = Callable[[Token], str]
"""A way to write tokens."""

_PRINTED: Final = {kind: forms[0] for kind, forms in SYMBOLS.items()} | {
    "DEFINED_BY": "≡",
    "OPEN": "§",
    "CLOSE": "§|",
}
_TYPED: Final = {kind: next(filter(str.isascii, forms), "") for kind, forms in SYMBOLS.items()} | {
    "DEFINED_BY": "\\equiv",
    "INFINITY": "infinity",
    "LAMBDA": "\\lambda",
    "OPEN": "$(",
    "CLOSE": "$)",
}


def is_raised(token: Token) -> bool:
    """Tell whether this is a power in raised digits: `²`."""
    return token.kind == "NUMBER" and token.span.text[0] in RAISED


def as_written(token: Token) -> str:
    """The text of the token; the words of a phrase are separated by single blanks, without comments between them."""
    return token.span.text.rstrip() if token.kind in ("STRING", "COMMENT") else on_one_line(token.span)


def printed(token: Token) -> str:
    """In print: `→`, `×`, `σ`, `§|`."""
    return _spelled(token, _PRINTED, {base.prefix: base.printed for base in BASES}, "⏨", (("‘", "’"), ("“", "”")))


def typed(token: Token) -> str:
    r"""In ASCII: `->`, `*`, `\sigma`, `$)`. Strings keep their contents, their quotes become `"` if possible."""
    if is_raised(token):
        return f"\\up{token.text}"
    if token.kind == "SMALL" and token.text[0] in GREEK:
        return f"\\{GREEK[token.text[0]]}{token.text[1:]}"
    return _spelled(token, _TYPED, {base.prefix: base.typed for base in BASES}, "\\10", (('"', '"'),))


def _spelled(
    token: Token, symbols: Mapping[str, str], bases: Mapping[str, str], exponent: str, quotes: Sequence[tuple[str, str]]
) -> str:
    """The token in a notation that has these symbols, signs of bases (by Python's prefixes) and of exponents, and
    pairs of quotes. Words are plain.
    """
    written = as_written(token)
    match token.kind:
        case "OPEN" | "CLOSE":
            return symbols[token.kind] + token.text
        case "SMALL" | "LARGE":
            return token.text
        case "NUMBER" if token.text[:2] in bases:
            return bases[token.text[:2]] + token.text[2:]
        case "NUMBER" if not is_raised(token):
            return token.text.replace("e", exponent).replace("-", symbols["MINUS"])
        case "STRING":
            for opening, closing in quotes:
                if closing not in token.text:
                    return f"{opening}{token.text}{closing}"
            return written
        case "COMMENT":
            return token.text.rstrip()
        case _:
            return symbols.get(token.kind) or plainly(written)


def blank_between(left: Token, right: Token) -> bool:
    """Tell whether a blank separates two tokens unless the tree says otherwise."""
    applies = left.kind in _BEFORE_PRODUCT | {"LARGE", "STRING"} and right.kind in BRACKETS_OPEN
    if applies or left.kind in _CLOSE_AFTER or right.kind in _CLOSE_BEFORE or is_raised(right):
        return False
    if left.kind in _BEFORE_PRODUCT and right.kind in _IN_PRODUCT:
        are_touching = left.span.end == right.span.start
        has_greek = left.text[:1] in GREEK or right.text[:1] in GREEK  # and so would not become a word
        are_names = left.kind == right.kind == "SMALL"
        return not (are_touching or right.kind == "INFINITY" or (are_names and has_greek))
    return True


BRACKETS_OPEN: Final = {*OPENERS} - {"OPEN"}
_BRACKETS_CLOSE: Final = {*CLOSERS} - {"CLOSE"}
_BEFORE_PRODUCT: Final = {"SMALL", "NUMBER", *_BRACKETS_CLOSE}
_IN_PRODUCT: Final = {"SMALL", "LARGE", "INFINITY", "RESULT", "NUMBER"}
_CLOSE_BEFORE: Final = {"COMMA", "SEPARATOR", "LABELS", "DOT", *_BRACKETS_CLOSE}
_CLOSE_AFTER: Final = {"NOT", "POINTS", "LAMBDA", *BRACKETS_OPEN}


@lru_cache(maxsize=10_000)
def stay_apart(left: str, right: str) -> bool:
    """Tell whether two tokens are still the same tokens with nothing between them. (A text has the same pairs again and
    again, so the answers are memoised.)
    """
    return _tokens(left + right) == _tokens(left) + _tokens(right)


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, wrong = tokenize(Source("", text))
    return [*((token.kind, token.text) for token in tokens), *((item.code, item.message) for item in wrong)]


_BEFORE_COMMAND: Final = {"THEN", "DO", "ELSE", "BE", "IS", "DEFINED", "COMMENT"}
"""The tokens after which a jump may begin a line; after the test of an `if` it would be a command of its own."""

_STEP: Final = 4
"""Indentation of a command within another, and of a line that continues one."""

_SECTION: Final = 2
"""Indentation of a section within a command."""

_BREAK_RANKS: Final = {
    **dict.fromkeys(("EQUIVALENT", "INEQUIVALENT"), 0),
    "OR": 1,
    "AND": 2,
    **dict.fromkeys(("EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST"), 3),
    **dict.fromkeys(("PLUS", "MINUS"), 4),
    "TIMES": 5,
}
"""Operators after which a line may end; those of the lowest rank are the loosest."""

_NOT_PLAIN: Final = {"STRING", *BRACKETS_OPEN}


def print_program(program: nodes.Program, notation: Notation = as_written) -> str:
    """The text of a program in the style of this project, in the given notation, with every comment."""
    source = program.span.source
    printer = _Printer(source, notation)
    printer.keep_behind(printer.statements(program.statements, LEFT), len(printer.pieces) - 1)
    printer.indent_comments()
    text = Typesetter(printer.pieces, printer.groups).text()
    return text.replace("\n", "\r\n") if "\r\n" in source.text else text


class _Printer:
    """Makes a layout document: first the pieces, from the tokens; then the groups, from the tree."""

    def __init__(self, source: Source, notation: Notation) -> None:
        self.pieces: list[TextRun] = []
        self.groups: list[Group] = []
        self.tokens: list[Token] = []  # of the pieces
        self.matching: dict[int, int] = {}  # the other bracket of each pair
        self.command = -1  # the first piece of the current command
        self.base = LEFT  # where sections within it begin
        self._read(source, notation)
        self.starts = [token.span.start for token in self.tokens]

    # Pieces

    def _read(self, source: Source, notation: Notation) -> None:
        """Make the pieces, with default gaps and indents."""
        layout = lay_out(source)
        openers = [-1]  # the pieces of the open brackets; -1 is for the text around them
        for token in sorted((*layout.tokens, *layout.comments), key=lambda token: token.span.start):
            in_list = openers[-1] >= 0 and self.tokens[openers[-1]].kind in BRACKETS_OPEN
            opener = openers.pop() if token.kind in CLOSERS else -1
            if not token.span.text.strip() or (token.kind == "SEPARATOR" and not in_list):
                continue  # what only the layout has, or a semicolon that a new line may replace

            at = len(self.pieces)
            if opener >= 0:
                self.matching |= {opener: at, at: opener}
            piece = TextRun(notation(token), opens=token.kind == "OPEN")
            if token.kind == "CLOSE":
                piece.indent = Indent(opener, 0)
            elif openers[-1] >= 0:
                piece.indent = self.inside(openers[-1])
            if token.kind in OPENERS:
                openers.append(at)

            self.pieces.append(piece)
            self.tokens.append(token)
            if at:
                self._follow(at)
                piece.spaced = token.kind == "COMMENT" and not in_list

    def _follow(self, at: int) -> None:
        """Set what stands between a piece and the one before, unless the tree says otherwise."""
        piece, before, token = self.pieces[at], self.tokens[at - 1], self.tokens[at]
        piece.lines = token.span.line - token.span.source.line_at(before.span.end)
        piece.forced = before.kind == "COMMENT"
        if token.kind == "COMMENT":
            piece.note = not piece.lines
            piece.forced = not piece.note
            piece.gap = "  "
        elif not blank_between(before, token):
            self.close_up(at)

    def close_up(self, at: int) -> None:
        """Let nothing stand before this piece, unless it would merge with the one before."""
        before, token = self.tokens[at - 1], self.tokens[at]
        if token.kind == "COMMENT":
            return
        left, right = self.pieces[at - 1].text, self.pieces[at].text
        is_as_written = before.span.end == token.span.start and left + right == before.span.text + token.span.text
        self.pieces[at].gap = "" if is_as_written or stay_apart(left, right) else " "

    def close_up_letters(self, at: int) -> None:
        """Let nothing stand before this piece of a product, unless the small names around would become a word."""
        first, end = at, at
        while self.tokens[first - 1].kind == "SMALL":
            first -= 1
        while end < len(self.tokens) and self.tokens[end].kind == "SMALL":
            end += 1
        written = "".join(piece.text for piece in self.pieces[first:end])
        if _tokens(written) == [(token.kind, token.text) for token in self.tokens[first:end]]:
            self.close_up(at)

    def first(self, node: nodes.Node) -> int:
        """The first piece of a node."""
        return bisect_left(self.starts, node.span.start)

    def last(self, node: nodes.Node) -> int:
        """The last piece of a node."""
        return bisect_left(self.starts, node.span.end) - 1

    def after(self, at: int) -> int:
        """The next piece that is no comment."""
        return next(index for index in range(at + 1, len(self.tokens)) if self.tokens[index].kind != "COMMENT")

    def follower(self, node: nodes.Node) -> int:
        """The next piece after a node that is no comment."""
        return self.after(self.last(node))

    def find(self, kinds: set[str], start: int, end: int) -> list[int]:
        """The pieces of these kinds between two others, except for those within brackets."""
        return [at for at, kind in of_same_level(self.tokens, self.matching, start, end) if kind in kinds]

    # Groups and indents

    def group(self, group: Group, indent: Indent | None = None) -> None:
        """Let lines end at the places of a group; new lines begin at the indent, or else where they would anyway."""
        if group.places:
            self.groups.append(group)
        for place in group.places:
            self.pieces[place].group = group
            self.pieces[place].indent = indent or self.pieces[place].indent

    def even(self, node: nodes.Node, places: Sequence[int], indent: Indent) -> None:
        """Let lines end at all of these places in a node or at none."""
        self.group(Group(self.first(node), self.last(node) + 1, places, even=True), indent)

    def indented(self, by: int = _STEP) -> Indent:
        """The indent of lines in the current command, `by` columns after the line on which it begins."""
        return Indent(self.command, by, of_line=True)

    def inside(self, opener: int) -> Indent:
        """The indent of lines in a bracket."""
        return Indent(opener, len(self.pieces[opener].text) + self.pieces[opener].opens)

    def indent_comments(self) -> None:
        """Indent each comment like the line after it."""
        following = LEFT
        for at in reversed(range(len(self.pieces))):
            if self.tokens[at].kind == "COMMENT":
                self.pieces[at].indent = following
            is_close = self.tokens[at].kind == "CLOSE"
            following = self.inside(self.matching[at]) if is_close else self.pieces[at].indent or LEFT

    # Statements

    def statements(self, statements: Sequence[nodes.Statement], margin: Indent) -> list[int]:
        """Give a line to each statement that had one; return the first pieces of the others."""
        joined = []
        indent = margin
        last: nodes.Statement | None = None
        for statement in statements:
            first = self.first(statement)
            piece = self.pieces[first]
            if last is not None:
                self._separate(last, first)
                if not piece.forced:
                    joined.append(first)

            if isinstance(statement, nodes.Case):
                indent = margin
            piece.spaced = True
            piece.indent = indent
            self.statement(statement)
            if isinstance(statement, nodes.Case):
                indent = Indent(margin.at, margin.by + _STEP)
            last = statement
        return joined

    def _separate(self, last: nodes.Statement, first: int) -> None:
        """Set what separates the last statement from the one that begins with a piece: a line end, if there was one, or
        a semicolon.
        """
        piece = self.pieces[first]
        follows_label = isinstance(last, nodes.Label | nodes.Case)
        begins_statement = self.tokens[first].kind in BEGINS
        if not follows_label and not begins_statement:
            self.pieces[self.last(last)].text += ";"  # a line end would not separate them
        if piece.lines:
            piece.forced = True
        elif not piece.forced:
            piece.gap = "; " if begins_statement and not follows_label else " "

    def section(self, node: nodes.Section, *, placed: bool = True) -> None:
        """Keep a section on one line if it was; otherwise it begins a line if it is `placed`."""
        opener, end = self.first(node), self.last(node)
        one_line = node.span.line == node.span.source.line_at(node.span.end)
        joined = self.statements(node.statements, self.inside(opener))
        if one_line:
            self.group(Group(opener, end + 1, [opener] * placed, even=True), self.base)
            self.group(Group(opener + 1, end + 1, joined, even=True))
            return
        for last, statement in pairwise(node.statements):
            if isinstance(statement, nodes.Case) and not isinstance(last, nodes.Case):
                self.pieces[self.first(statement)].forced = True
        if node.statements and isinstance(node.statements[-1], nodes.Label | nodes.Case):
            self.pieces[end].forced = True  # otherwise a plain § after a label would open a section
        if placed:
            self.pieces[opener].forced = True
            self.pieces[opener].indent = self.base
        self.keep_behind(joined, end)

    def keep_behind(self, places: Sequence[int], end: int) -> None:
        """Keep statements on the lines of others if there is room."""
        for place, after in pairwise([*places, end + 1]):
            self.group(Group(place, after, [place]))

    def body(self, command: nodes.Statement) -> None:
        """The places of a command within the current one."""
        if isinstance(command, nodes.Section):
            self.section(command)
            return
        first = self.first(command)
        if isinstance(command, nodes.Test) and command.span.line < command.span.source.line_at(command.span.end):
            self.pieces[first].lines = self.pieces[first].lines or 1  # its arms are aligned with it
        follows_test = isinstance(command, nodes.GoTo) and self.tokens[first - 1].kind not in _BEFORE_COMMAND
        places = [] if follows_test else [first]  # without `then`, a jump on a line of its own would be another command
        self.even(command, places, self.indented())
        self.statement(command)

    def statement(self, node: nodes.Statement) -> None:
        """The places of a statement."""
        around = self.command
        self.command = self.first(node)
        self.visit(node, self.indented(_SECTION))
        for at in range(self.command + 1, self.last(node) + 1):
            self.pieces[at].indent = self.pieces[at].indent or self.indented()  # if a comment ends the line before
        self.command = around

    def visit(self, node: nodes.Node, base: Indent | None = None) -> None:
        """The places of a node and of its parts; sections within it begin at the `base` if there is one."""
        outer, self.base = self.base, base or self.base
        first, last = self.first(node), self.last(node)
        match node:
            case nodes.Definition() | nodes.Routine():
                self.definition(node, self.indented())
            case nodes.Together():
                self.even(node, self.find({"ALSO"}, first, last), self.indented(0))
                self.visit_children(node)
            case nodes.Own(own=own, inner=scope):
                self.even(node, [self.after(self.follower(own))], self.indented())
                self.visit(own)
                self.visit(scope)
            case nodes.Declarations(section=section) | (nodes.Section() as section):
                self.section(section, placed=False)
            case nodes.Declaration(names=items) | nodes.Case(values=(_, *_) as items):
                self.listed(items, self.indented())
            case nodes.NodeType() | nodes.Element() | nodes.FunctionHeading():
                self.brackets(first, last)
                words = self.find({"WITH", "OR"}, first, last)
                for at in words:
                    self.pieces[at].text = as_written(self.tokens[at])  # `Atom or Cons` is no ∨
                self.group(Group(first, last + 1, words), self.indented())
            case nodes.ForStep(first=begin, step=nodes.Node() as step, last=end, command=command):
                self.listed((begin, step, end))
                self.body(command)
            case nodes.Test():
                self.test(node)
            case nodes.Repeat(command=command, test=test):
                self.even(node, [self.follower(command)], self.indented(0))
                self.statement(command)
                if test is not None:
                    self.visit(test)
            case nodes.Assignment(targets=targets, values=values):
                self.listed(targets)
                self.hang(values, self.indented())
            case nodes.Result(value=value):
                self.hang([value], self.indented())
            case nodes.Conditional():
                self.conditional(node)
            case nodes.Chain(items=items):
                self.chain(items, first, last)
            case nodes.Application(function=function, arguments=arguments):
                self.visit(function)
                self.bracketed(self.follower(function), arguments)
            case nodes.Bracket(items=items) | nodes.Pattern(items=items) if self.matching.get(first) == last:
                self.bracketed(first, items)
            case nodes.Bracket(items=items) | nodes.Pattern(items=items):
                self.listed(items)
            case nodes.Where():
                self.where(node)
            case nodes.Lambda(body=body):
                self.brackets(first, self.first(body))
                self.visit(body)
            case _:
                self.visit_children(node)
        self.base = outer

    def visit_children(self, node: nodes.Node) -> None:
        """The places of the nodes within a node."""
        for child in surface.children(node):
            if isinstance(child, nodes.Statement) and not isinstance(child, nodes.Definition | nodes.Routine):
                self.body(child)
            else:
                self.visit(child)

    def test(self, node: nodes.Test) -> None:
        """A test, and the tests that are its second arm in turn, with all arms aligned."""
        tests = [node]
        while isinstance(tests[-1].otherwise, nodes.Test):
            tests.append(tests[-1].otherwise)
        words: list[int] = []  # `then` and `or do` of each
        for test in tests:
            words += [self.follower(test.condition), self.follower(test.command)]
        self.even(node, words, self.indented(0))
        for test in tests:
            self.visit(test.condition)
            self.body(test.command)
        self.body(tests[-1].otherwise)

    # Definitions

    def definition(self, node: nodes.Definition | nodes.Routine, indent: Indent, base: Indent | None = None) -> None:
        """A definition; a long value begins a line. Sections in the value begin at the `base` if there is one."""
        self.visit(node.heading)
        if isinstance(node, nodes.Routine):
            self.body(node.command)
        else:
            self.hang([node.value], indent, base)

    def hang(self, values: Sequence[nodes.Expression], indent: Indent, base: Indent | None = None) -> None:
        """Values after an operator, which may begin on the next line; a value block has its section there already."""
        value = values[0]
        if not isinstance(value, nodes.ValueBlock):
            place, end = self.first(value), self.last(values[-1]) + 1
            is_short = not isinstance(value, nodes.Conditional | nodes.Where)
            self.group(Group(place, end, [place], even=True, leading=True, short=is_short), indent)
        self.listed(values, base=base)

    # Brackets and lists

    def brackets(self, first: int, last: int) -> None:
        """The brackets between two pieces outside expressions: those of headings and types."""
        for opener in range(first, last + 1):
            if self.tokens[opener].kind in BRACKETS_OPEN:
                commas = self.find({"COMMA", "SEPARATOR"}, opener + 1, self.matching[opener])
                self.bracket(opener, [self.after(comma) for comma in commas])

    def bracketed(self, opener: int, items: Sequence[nodes.Node]) -> None:
        """The places within the brackets of expressions and patterns."""
        indent = self.inside(opener)
        for item in items:
            self.visit(item, replace(indent, by=indent.by + _SECTION))
        self.bracket(opener, [self.first(item) for item in items[1:]])

    def bracket(self, opener: int, items: Sequence[int]) -> None:
        """The places before the `items`. If all hold only names and numbers, no blanks separate them: `F(x,2n,-1)`."""
        closer = self.matching[opener]
        is_plain = not any(token.kind in _NOT_PLAIN for token in self.tokens[opener + 1 : closer])
        within_items = {*range(opener + 2, closer)} - {*items}
        if is_plain and not any(self.pieces[at].gap == " " for at in within_items):
            for item in items:
                self.close_up(item)
        self.group(Group(opener + 1, closer + 1, items, items=True), self.inside(opener))

    def listed(self, items: Sequence[nodes.Node], indent: Indent | None = None, base: Indent | None = None) -> None:
        """Items between commas, without brackets. Sections in them begin at the `base` if there is one."""
        first, *places = [self.first(item) for item in items]
        self.group(Group(first, self.last(items[-1]) + 1, places, items=True), indent or Indent(first, 0))
        for item in items:
            self.visit(item, base)

    # Expressions

    def conditional(self, node: nodes.Conditional) -> None:
        """The arms, each on a line of its own or all on one."""
        first = self.first(node)
        places = [self.first(part) for part in (*node.arms[1:], node.otherwise)]
        self.even(node, places, Indent(first, 0))
        for arm, place in zip(node.arms, places, strict=True):
            self.visit(arm.test)
            self.move_line_end(self.first(arm.value), place)  # lines end after arms, within them only if too long
            self.hang([arm.value], Indent(first, _STEP), Indent(first, _SECTION))
        self.visit(node.otherwise)

    def where(self, node: nodes.Where) -> None:
        """A value and its definitions, each on a line of its own or all on one."""
        word = self.follower(node.value)
        joining = [self.follower(definition) for definition in node.definitions[:-1]]
        self.even(node, [word, *joining], self.indented())
        self.visit(node.value)
        for definition in node.definitions:
            self.definition(definition, Indent(self.after(word), _STEP), Indent(word, _STEP))

    def chain(self, items: Sequence[nodes.Expression | nodes.Operator], first: int, last: int) -> None:
        """Operators: blanks around the loose ones, none around the others; a line may end after a loose one. No blank
        stands in a divisor.
        """
        loose: list[tuple[int, int]] = []  # pieces and their ranks
        operators = [item.kind if isinstance(item, nodes.Operator) else "" for item in items]
        adds = any(kind in ("PLUS", "MINUS") and not before for before, kind in pairwise(operators))
        in_divisors: set[int] = set()  # by identity, as equal operators stand in other places
        for divisor in divisors(items):
            in_divisors.update(map(id, divisor))

        for number, item in enumerate(items):
            at = self.first(item)
            is_prefix = number == 0 or bool(operators[number - 1])
            is_in_divisor = id(item) in in_divisors
            match item:
                case nodes.Operator(kind=kind) if is_prefix:
                    if kind != "MINUS" or not operators[number + 1]:  # `--` looks like one operator
                        self.close_up(at + 1)
                case nodes.Operator(kind="JUXTAPOSED") if is_in_divisor:
                    self.close_up_letters(at)
                case nodes.Operator(kind=kind) if kind in _BREAK_RANKS and (
                    kind != "TIMES" or not (adds or is_in_divisor)
                ):
                    loose.append((at, _BREAK_RANKS[kind]))
                    self.move_line_end(at, at + 1)
                case nodes.Operator() if item.span.text:
                    self.close_up(at)
                    self.close_up(at + 1)
                case _:  # among them operators without text, of products
                    self.visit(item)
        self.breaks(first, last, loose, Indent(first, 0))

    def move_line_end(self, at: int, place: int) -> None:
        """Move a line end that the writer put before a piece to this place."""
        piece = self.pieces[at]
        if not piece.forced:
            self.pieces[place].lines += piece.lines
            piece.lines = 0

    def breaks(self, first: int, last: int, operators: Sequence[tuple[int, int]], indent: Indent) -> None:
        """Let lines end after operators, the loosest first."""
        if not operators:
            return
        loosest = min(rank for _, rank in operators)
        ends = [operator for operator, rank in operators if rank == loosest]
        self.group(Group(first, last + 1, [self.after(operator) for operator in ends]), indent)
        for start, end in pairwise([first - 1, *ends, last + 1]):
            tighter = [(operator, rank) for operator, rank in operators if start < operator < end]
            self.breaks(start + 1, end - 1, tighter, indent)
