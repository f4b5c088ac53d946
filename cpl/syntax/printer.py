"""Surface tree to CPL in one style: what `cpl fmt` prints.

The tokens stay as they are and in their order; the tree says what stands between them: a blank, nothing, or a place
where a line may end. `typeset` makes lines of that.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Final

from cpl.syntax import nodes
from cpl.syntax.pieces import STEP, Pieces
from cpl.syntax.signs import BEGINS
from cpl.syntax.token_text import Notation, as_written
from cpl.syntax.typeset import LEFT, Indent, typeset

_SECTION: Final = 2  # how far a section within a command is set in
_RANKS: Final = (
    {"EQUIVALENT", "INEQUIVALENT"},
    {"OR"},
    {"AND"},
    {"EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST"},
    {"PLUS", "MINUS"},
    {"TIMES"},
)
"""Signs after which a line may end, the loosest first."""


def print_program(program: nodes.Program, notation: Notation = as_written) -> str:
    """The text of a program in the style of this project, its signs in the given notation, every comment kept."""
    source = program.span.source
    printer = _Printer(source, notation)
    printer.each(printer.statements(program.statements, LEFT), len(printer.pieces) - 1)
    printer.default_indents()
    printer.part()
    text = typeset(printer.pieces, printer.groups)
    return text.replace("\n", "\r\n") if "\r\n" in source.text else text


class _Printer(Pieces):
    """Walks through the tree."""

    # Statements

    def statements(self, statements: Sequence[nodes.Statement], margin: Indent) -> list[int]:
        """Statements, a line for each that the writer gave one. The first pieces of the others are the result."""
        others = []
        indent = margin
        last: nodes.Statement | None = None
        for statement in statements:
            first = self.first(statement)
            piece = self.pieces[first]
            indent = margin if last is None or isinstance(statement, nodes.Case) else indent
            labelled = isinstance(last, nodes.Label | nodes.Case)
            piece.command = self.first(last) if last is not None and labelled else -1
            piece.spaced = True
            if last is not None and not labelled and self.tokens[first].kind not in BEGINS:
                before = self.pieces[self.before(first)]
                before.text, before.width = before.text + ";", before.width + 1  # no line end would part them
            if last is not None and not (piece.lines or piece.forced):
                piece.flat = " " if labelled or self.tokens[first].kind not in BEGINS else "; "
                others.append(first)
            elif last is not None:
                piece.forced = True
            piece.indent = indent
            self.ruled.add(first)
            self.command = first
            self.statement(statement)
            if isinstance(statement, nodes.Case):
                indent = Indent(margin.at, margin.by + STEP)
            last = statement
        return others

    def section(self, node: nodes.Section, *, placed: bool = True) -> None:
        """A section: on one line, if the writer put it there, else from a line of its own on if that is its place."""
        opener = self.first(node)
        end = self.last(node)
        command = self.command
        source = node.span.source
        one_line = source.line_at(node.span.start) == source.line_at(node.span.end)
        indent = self.base or Indent(command, _SECTION, of_command=True)
        with self.sections_at(None):
            others = self.statements(node.statements, self.inside(opener))
        if not one_line:
            for last, statement in pairwise(node.statements):
                if isinstance(statement, nodes.Case) and not isinstance(last, nodes.Case):
                    self.pieces[self.first(statement)].forced = True
        if node.statements and isinstance(node.statements[-1], nodes.Label | nodes.Case) and not one_line:
            self.pieces[end].forced = True  # else a plain § would open one that is labelled
        self.command = command
        if one_line:
            self.group(opener, end, [opener] * placed, indent, even=True)
            self.group(opener + 1, end, others, even=True)
            return
        if placed:
            self.ruled.add(opener)
            self.pieces[opener].forced = True
            self.pieces[opener].indent = indent
        self.each(others, end)

    @contextmanager
    def sections_at(self, indent: Indent | None) -> Iterator[None]:
        """Sections within begin there, if not where their command says."""
        outer, self.base = self.base, indent
        yield
        self.base = outer

    def each(self, places: Sequence[int], end: int) -> None:
        """Statements that the writer put behind others: they stay there if there is room."""
        for place, after in zip(places, [*places[1:], end + 1], strict=False):
            self.group(place, after - 1, [place])

    def body(self, command: nodes.Statement) -> None:
        """A command within the one in hand."""
        if isinstance(command, nodes.Section):
            self.section(command)
            return
        first = self.first(command)
        piece = self.pieces[first]
        if isinstance(command, nodes.Test) and command.span.line < command.span.source.line_at(command.span.end):
            piece.lines = piece.lines or 1  # its arms stand under each other, and so under it
        self.group(first, self.last(command), [first], self.within, even=True)
        self.inner(command)

    def inner(self, command: nodes.Statement) -> None:
        """A command within the one in hand that stays on its line."""
        outer = self.command
        self.command = self.first(command)
        if self.command != outer:  # as it does where a repeat begins with what it repeats
            self.pieces[self.command].command = outer
        self.statement(command)
        self.command = outer

    def statement(self, node: nodes.Statement) -> None:
        """The places of the statement that begins with the piece `command`."""
        first, last = self.first(node), self.last(node)
        match node:
            case nodes.Definition() | nodes.Routine():
                self.definitions((node,), self.within)
            case nodes.Together(definitions=definitions):
                self.group(first, last, self.find({"ALSO"}, first, last), self.aligned, even=True)
                self.definitions(definitions, self.within)
            case nodes.Own(own=own, definition=definition):
                self.group(first, last, self.find({"ALSO"}, first, last), self.aligned, even=True)
                led = [self.after(at) for at in self.find({"IN"}, first, last)]
                self.group(first, last, led[:1], self.within, even=True)
                self.definitions((*own, definition), self.within)
            case nodes.Declarations(section=section):
                self.section(section, placed=False)
            case nodes.Section():
                self.section(node, placed=False)
            case nodes.Declaration(names=names):
                self.listed(names, self.within)
            case nodes.NodeType() | nodes.Element():
                self.brackets(first, last)
                self.group(first, last, self.find({"WITH", "OR"}, first, last), self.within)
            case nodes.If(test=test, command=command) | nodes.While(test=test, command=command):
                self.expression(test)
                self.body(command)
            case nodes.Test():
                self.test(node)
            case nodes.Repeat(command=command, test=test):
                signs = self.find({"REPEAT", "REPEAT_WHILE", "REPEAT_UNTIL"}, self.last(command) + 1, last + 1)
                self.group(first, last, signs[:1], self.aligned, even=True)
                self.inner(command)
                if test is not None:
                    self.expression(test)
            case nodes.ForStep(first=begin, step=step, last=end, command=command):
                self.listed((begin, step, end))
                for part in (begin, step, end):
                    self.expression(part)
                self.body(command)
            case nodes.ForList(members=members, command=command):
                self.expression(members)
                self.body(command)
            case nodes.Switch(value=value, section=section):
                self.expression(value)
                self.section(section)
            case nodes.Assignment(targets=targets, values=values):
                sign = self.find({"ASSIGN"}, self.last(targets[-1]) + 1, last)[0]
                self.listed(targets)
                self.led(sign, last, self.within, values[0] if len(values) == 1 else None)
                self.listed(values)
                for each in (*targets, *values):
                    self.expression(each)
            case nodes.Result(value=value):
                self.led(first, last, self.within, value)
                self.expression(value)
            case nodes.Case(values=values):
                self.listed(values, self.within)
                for each in values:
                    self.expression(each)
            case nodes.ValueCommand(value=value) | nodes.GoTo(label=value):
                self.expression(value)
            case nodes.Leave() | nodes.Label() | nodes.Get():
                pass

    def test(self, node: nodes.Test) -> None:
        """A test, and those that are its second arms one after the other: all arms alike."""
        places: list[int] = []
        tests = [node]
        while isinstance(tests[-1].otherwise, nodes.Test):
            tests.append(tests[-1].otherwise)
        first, last = self.first(node), self.last(node)
        for each in tests:
            places += self.find({"THEN"}, self.last(each.condition) + 1, last)[:1]
            places += self.find({"ELSE"}, self.last(each.command) + 1, last)[:1]
        self.group(first, last, places, self.aligned, even=True)
        for each in tests:
            self.expression(each.condition)
            self.body(each.command)
        self.body(tests[-1].otherwise)

    # Definitions

    def definitions(self, definitions: Sequence[nodes.Definition | nodes.Routine], indent: Indent) -> None:
        """Several definitions of one statement."""
        for each in definitions:
            if isinstance(each, nodes.Definition):
                self.definition(each, indent)
            else:
                self.brackets(self.first(each.heading), self.last(each.heading))
                self.body(each.command)

    def definition(self, node: nodes.Definition, indent: Indent) -> None:
        """`heading = value`: the value on a line of its own if it is long."""
        last = self.last(node)
        if isinstance(node.heading, nodes.Pattern) and self.first(node.heading) not in self.matching:
            self.listed(node.heading.items)
        self.brackets(self.first(node.heading), self.last(node.heading))
        signs = self.find({"DEFINED", "DEFINED_BY", "SHARES"}, self.last(node.heading) + 1, last)
        if signs:
            self.led(signs[0], last, indent, node.value)
        self.expression(node.value)

    def led(self, sign: int, last: int, indent: Indent, value: nodes.Expression | None = None) -> None:
        """What a sign leads in may stand on the next line; a value block has its section there already."""
        place = self.after(sign)
        if not isinstance(value, nodes.ValueBlock):
            short = not isinstance(value, nodes.Conditional | nodes.Where)
            self.group(place, last, [place], indent, even=True, leads=True, short=short)

    # Expressions

    def expression(self, node: nodes.Expression) -> None:
        """The places within an expression."""
        first, last = self.first(node), self.last(node)
        match node:
            case nodes.Conditional(arms=arms, otherwise=otherwise):
                places = [self.first(each) for each in (*arms[1:], otherwise)]
                self.group(first, last, places, Indent(first, 0), even=True)
                for arm, place in zip(arms, places, strict=True):
                    self.expression(arm.test)
                    led = self.pieces[self.first(arm.value)]
                    if led.lines and not led.forced:  # lines end after arms; within them only if they are too long
                        self.pieces[place].lines += led.lines
                        led.lines = 0
                    self.led(self.first(arm.value) - 1, self.last(arm.value), Indent(first, STEP), arm.value)
                    with self.sections_at(Indent(first, _SECTION)):
                        self.expression(arm.value)
                self.expression(otherwise)
            case nodes.Chain(items=items):
                self.chain(items, first, last)
            case nodes.Application(function=function, arguments=arguments):
                self.expression(function)
                self.bracketed_items(self.after(self.last(function)), arguments)
            case nodes.Bracket(items=items):
                if self.matching.get(first) == last:
                    self.bracketed_items(first, items)
                else:
                    self.listed(items)
                    for each in items:
                        self.expression(each)
            case nodes.Where():
                self.where(node)
            case nodes.Lambda(body=body):
                self.brackets(first, self.first(body))
                self.expression(body)
            case nodes.Follow(pointer=pointer):
                self.expression(pointer)
            case nodes.ValueBlock(section=section):
                self.section(section)
            case nodes.Name() | nodes.Number() | nodes.String() | nodes.Constant() | nodes.TypeName():
                pass

    def bracketed_items(self, opener: int, items: Sequence[nodes.Expression]) -> None:
        """The places within brackets, and within what stands there."""
        within = self.inside(opener)
        with self.sections_at(replace(within, by=within.by + _SECTION)):
            for each in items:
                self.expression(each)
        self.bracket(opener, items)

    def where(self, node: nodes.Where) -> None:
        """A value and its wheres, each on a line of its own or none of them."""
        first, last = self.first(node), self.last(node)
        places: list[int] = []
        value: nodes.Expression = node
        while isinstance(value, nodes.Where):
            start = self.last(value.value) + 1
            places += self.find({"WHERE", "WHERE_ALSO"}, start, self.last(value))
            with self.sections_at(Indent(self.after(start - 1), STEP)):
                self.definitions(value.definitions, Indent(self.after(start), STEP))
            value = value.value
        self.group(first, last, sorted({*places}), self.within, even=True)
        self.expression(value)

    def chain(self, items: Sequence[nodes.Expression | nodes.Operator], first: int, last: int) -> None:
        """Operators: blanks round the loose ones, none round the others; a line may end after a loose one."""
        binary: list[tuple[int, int]] = []  # the pieces of the loose ones, and their ranks
        adds = False
        for number, item in enumerate(items):
            if not isinstance(item, nodes.Operator):
                self.expression(item)
                continue
            sign = self.first(item)
            if sign > last or self.tokens[sign].kind != item.kind:
                continue  # of no width
            if number == 0 or isinstance(items[number - 1], nodes.Operator):
                doubled = item.kind == "MINUS" and isinstance(items[number + 1], nodes.Operator)
                if not doubled:  # `--` looks like one sign
                    self.close(sign + 1)
                continue
            rank = next((rank for rank, kinds in enumerate(_RANKS) if item.kind in kinds), None)
            if rank is None:
                self.close(sign)
                self.close(sign + 1)
                continue
            adds |= item.kind in ("PLUS", "MINUS")
            binary.append((sign, rank))
        loose = []
        for sign, rank in binary:
            if adds and rank == len(_RANKS) - 1:
                self.close(sign)
                self.close(sign + 1)
                continue
            loose.append((sign, rank))
            if self.pieces[sign].lines and not self.pieces[sign].forced:
                self.pieces[sign + 1].lines += self.pieces[sign].lines  # lines end after signs, not before
                self.pieces[sign].lines = 0
        self.breaks(first, last, loose, Indent(first, 0))

    def breaks(self, first: int, last: int, signs: Sequence[tuple[int, int]], indent: Indent) -> None:
        """Lines end after the loosest signs first."""
        if not signs:
            return
        loosest = min(rank for _, rank in signs)
        ends = [sign for sign, rank in signs if rank == loosest]
        self.group(first, last, [self.after(sign) for sign in ends], indent)
        if len(ends) == len(signs):
            return
        for start, end in pairwise([first - 1, *ends, last + 1]):
            self.breaks(start + 1, end - 1, [each for each in signs if start < each[0] < end], indent)
