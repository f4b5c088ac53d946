"""Surface tree to CPL in one style: what `cpl fmt` prints.

The tokens keep their order; the tree decides what stands between them: a blank, nothing, or a place where a line may
end. `document` makes lines of that.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Final

from cpl.source import Source
from cpl.syntax import nodes
from cpl.syntax.document import LEFT, Group, Indent, Piece, typeset
from cpl.syntax.layout import lay_out
from cpl.syntax.lexer import Token
from cpl.syntax.token_text import BRACKETS_OPEN, Notation, as_written, blank_between, stay_apart
from cpl.syntax.tokens import BEGINS, CLOSERS, OPENERS

_STEP: Final = 4
"""Indentation of a command within another, and of a line that continues one."""

_SECTION: Final = 2
"""Indentation of a section within a command."""

_RANKS: Final = {
    kind: rank
    for rank, kinds in enumerate(
        (
            ("EQUIVALENT", "INEQUIVALENT"),
            ("OR",),
            ("AND",),
            ("EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST"),
            ("PLUS", "MINUS"),
            ("TIMES",),
        )
    )
    for kind in kinds
}
"""Operators after which a line may end, the loosest first."""

_NOT_PLAIN: Final = {"STRING", *BRACKETS_OPEN}


def print_program(program: nodes.Program, notation: Notation = as_written) -> str:
    """The text of a program in the style of this project, in the given notation, with every comment."""
    source = program.span.source
    printer = _Printer(source, notation)
    printer.keep_behind(printer.statements(program.statements, LEFT), len(printer.pieces) - 1)
    printer.indent_comments()
    text = typeset(printer.pieces, printer.groups)
    return text.replace("\n", "\r\n") if "\r\n" in source.text else text


class _Printer:
    """Makes a layout document: first the pieces, from the tokens; then the groups, from the tree."""

    def __init__(self, source: Source, notation: Notation) -> None:
        self.pieces: list[Piece] = []
        self.groups: list[Group] = []
        self.tokens: list[Token] = []  # of the pieces
        self.matching: dict[int, int] = {}  # the other bracket of each pair
        self.command = -1  # the first piece of the current command
        self.base: Indent | None = None  # where sections within it begin, if not where the command says
        self._read(source, notation)
        self.starts = [token.span.start for token in self.tokens]

    # Pieces

    def _read(self, source: Source, notation: Notation) -> None:
        """Make the pieces, with default gaps and indents."""
        layout = lay_out(source)
        openers = [-1]
        for token in sorted((*layout.tokens, *layout.comments), key=lambda token: token.span.start):
            in_list = openers[-1] >= 0 and self.tokens[openers[-1]].kind in BRACKETS_OPEN
            opener = openers.pop() if token.kind in CLOSERS else -1
            if not token.span.text.strip() or (token.kind == "SEPARATOR" and not in_list):
                continue
            at = len(self.pieces)
            if opener >= 0:
                self.matching |= {opener: at, at: opener}
            piece = Piece(notation(token), opens=token.kind == "OPEN")
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
        before, token = self.tokens[at - 1 : at + 1]
        left, right = self.pieces[at - 1].text, self.pieces[at].text
        as_written = before.span.end == token.span.start and left + right == before.span.text + token.span.text
        if token.kind != "COMMENT":
            self.pieces[at].gap = "" if as_written or stay_apart(left, right) else " "

    def first(self, node: nodes.Node) -> int:
        """The first piece of a node."""
        return bisect_left(self.starts, node.span.start)

    def last(self, node: nodes.Node) -> int:
        """The last piece of a node."""
        return bisect_left(self.starts, node.span.end) - 1

    def after(self, at: int, step: int = 1) -> int:
        """The next piece that is no comment, or the previous one with a step of -1."""
        at += step
        while 0 < at < len(self.tokens) - 1 and self.tokens[at].kind == "COMMENT":
            at += step
        return at

    def find(self, kinds: set[str], start: int, end: int) -> list[int]:
        """The pieces of these kinds between two others, except for those within brackets."""
        found = []
        while start < end:
            if self.tokens[start].kind in kinds:
                found.append(start)
            start = max(start, self.matching.get(start, start)) + 1
        return found

    # Groups and indents

    def group(self, group: Group, indent: Indent | None = None) -> None:
        """Let lines end at the places of a group; new lines begin at the indent, or else where they would anyway."""
        if group.places:
            self.groups.append(group)
        for place in group.places:
            self.pieces[place].group = group
            self.pieces[place].indent = indent or self.pieces[place].indent

    @property
    def within(self) -> Indent:
        """The indent of what continues the current command."""
        return Indent(self.command, _STEP, of_command=True)

    @property
    def aligned(self) -> Indent:
        """The indent of the current command."""
        return Indent(self.command, 0, of_command=True)

    def inside(self, opener: int) -> Indent:
        """The indent of lines within a bracket."""
        return Indent(opener, len(self.pieces[opener].text) + self.pieces[opener].opens)

    @contextmanager
    def sections_at(self, indent: Indent | None) -> Iterator[None]:
        """Let sections begin there, not where their command says."""
        outer, self.base = self.base, indent
        yield
        self.base = outer

    def indent_comments(self) -> None:
        """Indent each comment like the line after it."""
        following = LEFT
        for at in reversed(range(len(self.pieces))):
            if self.tokens[at].kind == "COMMENT":
                self.pieces[at].indent = following
            following = self.pieces[at].indent or LEFT
            if self.tokens[at].kind == "CLOSE":
                following = self.inside(self.matching[at])

    # Statements

    def statements(self, statements: Sequence[nodes.Statement], margin: Indent) -> list[int]:
        """Give a line to each statement that had one; return the first pieces of the others."""
        others = []
        indent, command = margin, self.command
        for last, statement in zip([None, *statements], statements, strict=False):
            first = self.first(statement)
            piece = self.pieces[first]
            labelled = isinstance(last, nodes.Label | nodes.Case)
            begins = self.tokens[first].kind in BEGINS
            if last is not None and not labelled and not begins:
                self.pieces[self.after(first, -1)].text += ";"  # a line end would not separate them
            if last is not None and not (piece.lines or piece.forced):
                piece.gap = "; " if begins and not labelled else " "
                others.append(first)
            elif last is not None:
                piece.forced = True
            piece.spaced = True
            piece.indent = indent = margin if isinstance(statement, nodes.Case) else indent
            self.statement(statement, self.first(last) if last is not None and labelled else -1)
            if isinstance(statement, nodes.Case):
                indent = Indent(margin.at, margin.by + _STEP)
        self.command = command
        return others

    def section(self, node: nodes.Section, *, placed: bool = True) -> None:
        """Keep a section on one line if it was; otherwise it begins a line if it is `placed`."""
        opener, end = self.first(node), self.last(node)
        one_line = node.span.line == node.span.source.line_at(node.span.end)
        indent = self.base or Indent(self.command, _SECTION, of_command=True)
        with self.sections_at(None):
            others = self.statements(node.statements, self.inside(opener))
        if one_line:
            self.group(Group(opener, end + 1, [opener] * placed, even=True), indent)
            self.group(Group(opener + 1, end + 1, others, even=True))
            return
        for last, statement in pairwise(node.statements):
            if isinstance(statement, nodes.Case) and not isinstance(last, nodes.Case):
                self.pieces[self.first(statement)].forced = True
        if node.statements and isinstance(node.statements[-1], nodes.Label | nodes.Case):
            self.pieces[end].forced = True  # otherwise a plain § after a label would open a section
        if placed:
            self.pieces[opener].forced = True
            self.pieces[opener].indent = indent
        self.keep_behind(others, end)

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
        piece = self.pieces[first]
        if isinstance(command, nodes.Test) and command.span.line < command.span.source.line_at(command.span.end):
            piece.lines = piece.lines or 1  # its arms are aligned with it
        self.group(Group(first, self.last(command) + 1, [first], even=True), self.within)
        self.statement(command, self.command)

    def statement(self, node: nodes.Statement, outer: int) -> None:
        """The places of a statement within the command whose first piece is `outer`, -1 if there is none."""
        first, last = self.first(node), self.last(node)
        if first != outer:  # unless a repeat begins with what it repeats
            self.pieces[first].command = outer
        self.command = first
        match node:
            case nodes.Definition() | nodes.Routine():
                self.definitions((node,), self.within)
            case nodes.Together() | nodes.Own():
                definitions = node.definitions if isinstance(node, nodes.Together) else (*node.own, node.definition)
                self.group(Group(first, last + 1, self.find({"ALSO"}, first, last), even=True), self.aligned)
                after_in = [self.after(word) for word in self.find({"IN"}, first, last)]
                self.group(Group(first, last + 1, after_in[:1], even=True), self.within)
                self.definitions(definitions, self.within)
            case nodes.Declarations(section=section) | (nodes.Section() as section):
                self.section(section, placed=False)
            case nodes.Declaration(names=names):
                self.listed(names, self.within)
            case nodes.NodeType() | nodes.Element():
                self.brackets(first, last)
                self.group(Group(first, last + 1, self.find({"WITH", "OR"}, first, last)), self.within)
            case (
                nodes.If(test=value, command=command)
                | nodes.While(test=value, command=command)
                | nodes.ForList(members=value, command=command)
            ):
                self.expression(value)
                self.body(command)
            case nodes.ForStep(first=begin, step=step, last=end, command=command):
                self.listed((begin, step, end))
                self.body(command)
            case nodes.Test():
                self.test(node)
            case nodes.Repeat(command=command, test=test):
                words = self.find({"REPEAT", "REPEAT_WHILE", "REPEAT_UNTIL"}, self.last(command) + 1, last + 1)
                self.group(Group(first, last + 1, words[:1], even=True), self.aligned)
                self.statement(command, first)
                if test is not None:
                    self.expression(test)
            case nodes.Switch(value=value, section=section):
                self.expression(value)
                self.section(section)
            case nodes.Assignment(targets=targets, values=values):
                assign = self.find({"ASSIGN"}, self.last(targets[-1]) + 1, last)[0]
                self.listed(targets)
                self.hang(assign, last, self.within, values[0] if len(values) == 1 else None)
                self.listed(values)
            case nodes.Result(value=value):
                self.hang(first, last, self.within, value)
                self.expression(value)
            case nodes.Case(values=values):
                self.listed(values, self.within)
            case nodes.ValueCommand(value=value) | nodes.GoTo(label=value):
                self.expression(value)
        for at in range(first + 1, last + 1):
            self.pieces[at].indent = self.pieces[at].indent or self.within  # if a comment ends the line before
        self.command = outer

    def test(self, node: nodes.Test) -> None:
        """A test, and the tests that are its second arm in turn, with all arms aligned."""
        first, last = self.first(node), self.last(node)
        places: list[int] = []
        arms: list[nodes.Statement] = []
        arm: nodes.Statement = node
        while isinstance(arm, nodes.Test):
            places += self.find({"THEN"}, self.last(arm.condition) + 1, last)[:1]
            places += self.find({"ELSE"}, self.last(arm.command) + 1, last)[:1]
            self.expression(arm.condition)
            arms.append(arm.command)
            arm = arm.otherwise
        self.group(Group(first, last + 1, places, even=True), self.aligned)
        for command in (*arms, arm):
            self.body(command)

    # Definitions

    def definitions(self, definitions: Sequence[nodes.Definition | nodes.Routine], indent: Indent) -> None:
        """The definitions of one statement; a long value begins a line."""
        for each in definitions:
            heading = each.heading
            first, last = self.first(heading), self.last(heading)
            if isinstance(heading, nodes.Pattern) and first not in self.matching:
                self.listed(heading.items)
            self.brackets(first, last)
            if isinstance(each, nodes.Routine):
                self.body(each.command)
                continue
            for defined in self.find({"DEFINED", "DEFINED_BY", "SHARES"}, last + 1, self.last(each))[:1]:
                self.hang(defined, self.last(each), indent, each.value)
            self.expression(each.value)

    def hang(self, operator: int, last: int, indent: Indent, value: nodes.Expression | None = None) -> None:
        """Let what follows an operator stand on the next line; a value block has its section there already."""
        place = self.after(operator)
        if not isinstance(value, nodes.ValueBlock):
            short = not isinstance(value, nodes.Conditional | nodes.Where)
            self.group(Group(place, last + 1, [place], even=True, leading=True, short=short), indent)

    # Brackets and lists

    def brackets(self, first: int, last: int) -> None:
        """The brackets between two pieces outside expressions: those of headings and types."""
        for opener in range(first, last + 1):
            if self.tokens[opener].kind in BRACKETS_OPEN:
                commas = self.find({"COMMA", "SEPARATOR"}, opener + 1, self.matching[opener])
                self.bracket(opener, [self.after(comma) for comma in commas])

    def bracketed(self, opener: int, items: Sequence[nodes.Expression]) -> None:
        """The places within the brackets of expressions."""
        within = self.inside(opener)
        with self.sections_at(replace(within, by=within.by + _SECTION)):
            for each in items:
                self.expression(each)
        self.bracket(opener, [self.first(item) for item in items[1:]])

    def bracket(self, opener: int, items: Sequence[int]) -> None:
        """The places before the `items`. If all hold only names and numbers, no blanks separate them: `F(x,2n,-1)`."""
        closer = self.matching[opener]
        others = {*range(opener + 2, closer)} - {*items}
        plain = not any(token.kind in _NOT_PLAIN for token in self.tokens[opener + 1 : closer])
        if plain and not any(self.pieces[at].gap == " " for at in others):
            for each in items:
                self.close_up(each)
        self.group(Group(opener + 1, closer + 1, items, items=True), self.inside(opener))

    def listed(self, items: Sequence[nodes.Expression | nodes.Pattern], indent: Indent | None = None) -> None:
        """Items between commas, without brackets."""
        places = [self.first(item) for item in items]
        if items:
            group = Group(places[0], self.last(items[-1]) + 1, places[1:], items=True)
            self.group(group, indent or Indent(places[0], 0))
        for item in items:
            if not isinstance(item, nodes.Pattern):
                self.expression(item)

    # Expressions

    def expression(self, node: nodes.Expression) -> None:
        """The places within an expression."""
        first, last = self.first(node), self.last(node)
        match node:
            case nodes.Conditional():
                self.conditional(node, first, last)
            case nodes.Chain(items=items):
                self.chain(items, first, last)
            case nodes.Application(function=function, arguments=arguments):
                self.expression(function)
                self.bracketed(self.after(self.last(function)), arguments)
            case nodes.Bracket(items=items) if self.matching.get(first) == last:
                self.bracketed(first, items)
            case nodes.Bracket(items=items):
                self.listed(items)
            case nodes.Where():
                self.where(node, first, last)
            case nodes.Lambda(body=body):
                self.brackets(first, self.first(body))
                self.expression(body)
            case nodes.Follow(pointer=pointer):
                self.expression(pointer)
            case nodes.ValueBlock(section=section):
                self.section(section)

    def conditional(self, node: nodes.Conditional, first: int, last: int) -> None:
        """The arms, each on a line of its own or all on one."""
        places = [self.first(each) for each in (*node.arms[1:], node.otherwise)]
        self.group(Group(first, last + 1, places, even=True), Indent(first, 0))
        for arm, place in zip(node.arms, places, strict=True):
            value = self.first(arm.value)
            self.expression(arm.test)
            self.move_line_end(value, place)  # lines end after arms, and within them only if they are too long
            self.hang(value - 1, self.last(arm.value), Indent(first, _STEP), arm.value)
            with self.sections_at(Indent(first, _SECTION)):
                self.expression(arm.value)
        self.expression(node.otherwise)

    def where(self, node: nodes.Where, first: int, last: int) -> None:
        """A value and its definitions, each on a line of its own or all on one."""
        places: set[int] = set()
        value: nodes.Expression = node
        while isinstance(value, nodes.Where):
            start = self.last(value.value) + 1
            places |= {*self.find({"WHERE", "WHERE_ALSO"}, start, self.last(value))}
            with self.sections_at(Indent(self.after(start - 1), _STEP)):
                self.definitions(value.definitions, Indent(self.after(start), _STEP))
            value = value.value
        self.group(Group(first, last + 1, sorted(places), even=True), self.within)
        self.expression(value)

    def chain(self, items: Sequence[nodes.Expression | nodes.Operator], first: int, last: int) -> None:
        """Operators: blanks around the loose ones, none around the others; a line may end after a loose one."""
        loose: list[tuple[int, int]] = []  # pieces and their ranks
        operators = [item.kind if isinstance(item, nodes.Operator) else "" for item in items]
        adds = any(kind in ("PLUS", "MINUS") and not before for before, kind in pairwise(operators))
        for number, item in enumerate(items):
            at = self.first(item)
            prefix = number == 0 or operators[number - 1]
            match item:
                case nodes.Operator(kind=kind) if prefix:
                    if kind != "MINUS" or not operators[number + 1]:  # `--` looks like one operator
                        self.close_up(at + 1)
                case nodes.Operator(kind=kind) if kind in _RANKS and not (adds and kind == "TIMES"):
                    loose.append((at, _RANKS[kind]))
                    self.move_line_end(at, at + 1)
                case nodes.Operator() if item.span.text:
                    self.close_up(at)
                    self.close_up(at + 1)
                case nodes.Operator():
                    pass  # a product of operands side by side
                case _:
                    self.expression(item)
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
        if len(ends) < len(operators):
            for start, end in pairwise([first - 1, *ends, last + 1]):
                self.breaks(start + 1, end - 1, [each for each in operators if start < each[0] < end], indent)
