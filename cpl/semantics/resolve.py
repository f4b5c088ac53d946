"""Surface tree to core tree: names bound, chains ordered by the reading's table, juxtaposition decided, sugar gone."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from cpl import causes
from cpl.causes import Cause
from cpl.diagnostics import Diagnostic, report
from cpl.readings import Binding, Reading
from cpl.semantics import core, scope
from cpl.semantics.library import HostName, Library, Text
from cpl.semantics.order import evaluation_order
from cpl.semantics.scope import Known, Outermost, Variables
from cpl.source import Span
from cpl.syntax import nodes, spelling

MOST_DEEP: Final = 1000
"""How deep a definition's tree may be: Python's compiler gives up at about three times that."""

CALL: Final = "call"
"""A name that no CPL program can give to anything."""


def resolve(
    program: Text, library: Library, reading: Reading, call: nodes.Expression | None = None
) -> tuple[core.Program, list[Diagnostic]]:
    """The program with all that it is compiled with. With errors among the diagnostics it may lack definitions.

    A `call` is an expression as if it stood in the program: it becomes the function `CALL` of no parameters.
    """
    found: list[Diagnostic] = []
    unit, closed = scope.outermost(program, library, found)
    definitions: list[core.Definition] = []
    for text in (program, *library.libraries, *library.companions):
        definitions += _definitions(text, unit, reading, found)
    if call:
        body = Resolver(unit, reading, found).call(call)
        definitions.append(core.Function(core.Global(CALL, span=call.span), (), body, span=call.span))
    if library.standard:
        everything = _definitions(library.standard, closed, reading, found)
        definitions += _used(definitions, everything)
    return core.Program(program.source, evaluation_order(definitions, found)), found


def _definitions(text: Text, outer: Outermost, reading: Reading, found: list[Diagnostic]) -> list[core.Definition]:
    result: list[core.Definition] = []
    for statement in text.program.statements:
        match statement:
            case nodes.Definition(heading=heading):
                names = list(nodes.names_in(heading))
                others = [name for name in names if outer.known[name.name].definition is not statement]
                if names and len(others) == len(names):
                    continue  # another text, asked before this one, has its own
                found += [_clash(name, outer.known[name.name]) for name in others]
                definition = Resolver(outer, reading, found).definition(statement)
                if deepest := _too_deep(definition):
                    found.append(report(causes.TOO_DEEP, deepest, limit=MOST_DEEP))
                result.append(definition)
            case nodes.Get():
                pass  # its text is among the libraries
            case nodes.Assignment():
                help = "at the outermost level a name is defined with ="
                found.append(report(causes.COMMAND_AT_TOP, statement.span, help=help))
            case nodes.Declaration() | nodes.Declarations():
                found.append(report(causes.NOT_YET, statement.span, what="a declaration at the outermost level"))
            case _:
                call = statement.span.text if isinstance(statement, nodes.ValueCommand) else "F(x)"
                found.append(report(causes.COMMAND_AT_TOP, statement.span, call=" ".join(call.split())))
    return result


def _clash(name: nodes.Name, other: Known) -> Diagnostic:
    return report(causes.DEFINED_TWICE, name.span, related=[(other.name.span, "and here")], name=name.name)


def _used(definitions: Sequence[core.Definition], library: Sequence[core.Definition]) -> list[core.Definition]:
    """Those definitions of a library that the given ones need, in the library's order."""
    defining = {name: one for one in library for name in _names(one)}
    needed: set[int] = set()
    waiting = list(definitions)
    while waiting:
        for node in core.walk(waiting.pop()):
            if isinstance(node, core.Global) and (one := defining.get(node)) and id(one) not in needed:
                needed.add(id(one))
                waiting.append(one)
    return [one for one in library if id(one) in needed]


def _names(definition: core.Definition) -> list[core.Local | core.Global]:
    match definition:
        case core.Function(name=name):
            return [name]
        case core.Constants(target=target):
            return list(core.variables(target))


def _too_deep(definition: core.Definition) -> Span | None:
    waiting: list[tuple[core.Node, int]] = [(definition, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MOST_DEEP:
            return definition.span
        waiting += [(part, depth + 1) for part in core.parts(node)]
    return None


class Resolver:
    """Resolves one definition. `in_block` is the value block that a `result is` would leave."""

    def __init__(self, outer: Outermost, reading: Reading, found: list[Diagnostic]) -> None:
        self.outer = outer
        self.reading = reading
        self.found = found
        self.variables = Variables()
        self.in_loop = False

    def complain(self, cause: Cause, span: Span, help: str | None = None, **words: Any) -> None:
        """Add to the diagnostics."""
        self.found.append(report(cause, span, help=help, **words))

    def definition(self, definition: nodes.Definition) -> core.Definition:
        """A definition of the outermost level."""
        match definition.heading:
            case nodes.FunctionHeading(name=name, parameters=parameters):
                known = self.outer.known[name.name].name
                given = tuple([self.variables.declare(each.name, each.span) for each in parameters])
                return core.Function(known, given, self.expression(definition.value), span=definition.span)
            case heading:
                value = self.expression(definition.value)
                return core.Constants(self._globals(heading), value, span=definition.span)

    def _globals(self, heading: nodes.Name | nodes.Pattern) -> core.Target:
        match heading:
            case nodes.Name(name=name, span=span):
                return core.Global(name, self.outer.known[name].name.origin, span=span)
            case nodes.Pattern(items=items, span=span):
                return core.Several(tuple([self._globals(item) for item in items]), span=span)

    # Expressions

    def expression(self, node: nodes.Expression) -> core.Expression:
        """The core of an expression in the scope of this moment."""
        span = node.span
        match node:
            case nodes.Number(digits=digits):
                return core.Literal(float(digits) if "." in digits else int(digits), span=span)
            case nodes.String(text=text):
                return core.Literal(text, span=span)
            case nodes.Constant(kind="INFINITY"):
                return core.Infinity(span=span)
            case nodes.Constant(kind="NIL"):
                return core.List((), span=span)
            case nodes.Constant(kind=kind):
                return core.Literal(kind == "TRUE", span=span)
            case nodes.Name():
                return self.value(node)
            case nodes.Bracket(items=(only,)):
                return self.expression(only)
            case nodes.Bracket(items=()):
                self.complain(causes.EMPTY_BRACKET, span)
                return core.List((), span=span)
            case nodes.Bracket(items=items):
                return core.Tuple(self.all(items), span=span)
            case nodes.List(items=items):
                return core.List(self.all(items), span=span)
            case nodes.Application(function=function, arguments=arguments):
                return self.apply(function, arguments, span)
            case nodes.Conditional(arms=arms, otherwise=otherwise):
                pairs = [(self.expression(arm.test), self.expression(arm.value)) for arm in arms]
                return core.Conditional(tuple(pairs), self.expression(otherwise), span=span)
            case nodes.Chain(items=items):
                return Chain(self, items).expression()
            case nodes.ValueBlock(section=section):
                return self.block(section)
            case nodes.ResultBlock(section=section):
                return self.result_block(section)

    def all(self, items: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """Several expressions of one scope."""
        return tuple([self.expression(item) for item in items])

    def name(self, node: nodes.Name) -> core.Expression:
        """What a name stands for, a routine included."""
        if local := self.variables.lookup(node.name):
            return core.Local(node.name, local.number, span=node.span)
        match self.outer.lookup(node.name):
            case Known(name=known):
                return core.Global(node.name, known.origin, span=node.span)
            case HostName():
                return core.Host(node.name, span=node.span)
            case None:
                if found := scope.unknown(node, self.variables, self.outer):
                    self.found.append(found)
                return core.List((), span=node.span)

    def value(self, node: nodes.Name) -> core.Expression:
        """What a name stands for where a value is wanted."""
        meant = self.name(node)
        if isinstance(meant, core.Host) and self.outer.host[meant.name].routine:
            self.complain(causes.NOT_A_VALUE, node.span, name=node.name)
        return meant

    def apply(
        self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span, *, routine: bool = False
    ) -> core.Apply:
        """`F(x,y)`; with `routine`, what is applied need have no value."""
        match function:
            case nodes.Name():
                operator = self.name(function) if routine else self.value(function)
            case _:
                operator = self.expression(function)
        self.count(operator, len(arguments), span)
        return core.Apply(operator, self.all(arguments), span=span)

    def count(self, function: core.Expression, given: int, span: Span) -> None:
        """Complain if a function of the outermost level is applied to more or fewer arguments than it takes."""
        match function:
            case core.Host(name=name):
                least, most = self.outer.host[name].least, self.outer.host[name].most
            case core.Global(name=name):
                least = most = self.outer.known[name].parameters
            case _:
                return
        if least is None or most is None or least <= given <= most:
            return
        wanted = "no arguments" if most == 0 else "1 argument" if most == 1 else f"{most} arguments"
        related = []
        if isinstance(function, core.Global):
            related = [(self.outer.known[name].name.span, "defined here")]
        self.found.append(report(causes.WRONG_COUNT, span, related=related, name=name, wanted=wanted, given=given))

    def is_function(self, node: core.Expression) -> bool:
        """Whether this is sure to be a function."""
        match node:
            case core.Host(name=name):
                return self.outer.host[name].least is not None
            case core.Global(name=name):
                return self.outer.known[name].parameters is not None
            case _:
                return False

    def call(self, node: nodes.Expression) -> core.Expression:
        """A whole expression that need have no value."""
        match node:
            case nodes.Application(function=function, arguments=arguments, span=span):
                return self.apply(function, arguments, span, routine=True)
            case _:
                return self.expression(node)

    # Blocks

    def block(self, section: nodes.Section) -> core.Block:
        """A value block."""
        with self.loop(within=False):
            commands = self.commands(section.statements)
        if not any(isinstance(node, core.Result) for command in commands for node in _own(command)):
            self.complain(causes.EMPTY_BLOCK, section.span)
        return core.Block(commands, span=section.span)

    def result_block(self, section: nodes.Section) -> core.Block:
        """`result of § … §`: `result` is a variable, and its value at the end that of the block (E25, E28)."""
        end = Span(section.span.source, section.span.end - 1, section.span.end)
        with self.variables.block():
            result = self.variables.declare("result", section.span)
            with self.loop(within=False):
                commands = self.commands(section.statements)
        value = core.Result(core.Local("result", result.number, span=end), span=end)
        return core.Block((core.Declare(result, span=section.span), *commands, value), span=section.span)

    @contextmanager
    def loop(self, *, within: bool = True) -> Iterator[None]:
        """What stands here may leave a loop by break, or not."""
        before, self.in_loop = self.in_loop, within
        yield
        self.in_loop = before

    def commands(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """The commands of a section, in a scope of their own."""
        with self.variables.block():
            return self.sequence(statements)

    def sequence(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """Commands in the scope of what is round them."""
        result: list[core.Command] = []
        for statement in statements:
            if core.ends(result):
                self.complain(causes.UNREACHABLE, statement.span.to(statements[-1].span))
                break
            result += self.command(statement)
        return tuple(result)

    def command(self, statement: nodes.Statement) -> tuple[core.Command, ...]:
        """One statement within a block. A section within it is only a scope: its commands come out in line."""
        span = statement.span
        match statement:
            case nodes.Definition(heading=nodes.FunctionHeading()):
                self.complain(causes.NOT_YET, span, what="a function defined within a block")
                return ()
            case nodes.Definition(heading=heading, value=value):
                meant = self.expression(value)
                assert not isinstance(heading, nodes.FunctionHeading)
                return (core.Let(self._locals(heading), meant, span=span),)
            case nodes.Declaration(names=names):
                return tuple(
                    [core.Declare(self.variables.declare(name.name, name.span), span=name.span) for name in names]
                )
            case nodes.Declarations(section=section):
                return self.sequence(section.statements)
            case nodes.If(test=test, command=command):
                condition = self.expression(test)
                return (core.If(condition, self.commands((command,)), span=span),)
            case nodes.Unless(test=test, command=command):
                return (core.If(self.negation(test), self.commands((command,)), span=span),)
            case nodes.Test(condition=test, command=command, otherwise=otherwise):
                condition = self.expression(test)
                return (core.If(condition, self.commands((command,)), self.commands((otherwise,)), span=span),)
            case nodes.While(test=test, command=command, until=until):
                condition = self.negation(test) if until else self.expression(test)
                with self.loop():
                    return (core.While(condition, self.commands((command,)), span=span),)
            case nodes.Repeat(command=command, test=test, until=until):
                with self.loop():
                    commands = self.commands((command,))
                condition = core.Literal(True, span=span)
                if test is not None:
                    condition = self.negation(test) if until else self.expression(test)
                return (core.Repeat(commands, condition, span=span),)
            case nodes.ForStep(name=name, first=first, step=step, last=last, command=command):
                begin, by, end = (self.expression(each) for each in (first, step, last))
                with self.variables.block(), self.loop():
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForStep(variable, begin, by, end, self.commands((command,)), span=span),)
            case nodes.ForList(name=name, members=members, command=command):
                meant = self.expression(members)
                with self.variables.block(), self.loop():
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForList(variable, meant, self.commands((command,)), span=span),)
            case nodes.Break():
                if not self.in_loop:
                    self.complain(causes.NO_LOOP, span)
                return (core.Break(span=span),)
            case nodes.Assignment(targets=targets, values=values):
                places = tuple([self.place(target) for target in targets])
                return (core.Assign(places, self.all(values), span=span),)
            case nodes.Result(value=value):
                return (core.Result(self.expression(value), span=span),)
            case nodes.Section(statements=statements):
                return self.commands(statements)
            case nodes.Get():
                self.complain(causes.UNEXPECTED, span, found="get", help="it belongs at the outermost level")
                return ()
            case nodes.ValueCommand(value=value):
                return self.value_command(value, span)

    def negation(self, test: nodes.Expression) -> core.Expression:
        """The opposite of a condition."""
        meant = self.expression(test)
        return core.Unary("NOT", meant, span=meant.span)

    def place(self, target: nodes.Expression) -> core.Place:
        """What stands on the left of :=."""
        match target:
            case nodes.Bracket(items=(only,)):
                return self.place(only)
            case nodes.Name(name=name, span=span):
                meant = self.name(target)
                if isinstance(meant, core.Local) or (isinstance(meant, core.Global) and not self.is_function(meant)):
                    return meant
                if self.is_function(meant):
                    self.complain(causes.CONSTANT, span, name=name)
            case nodes.Conditional(arms=(arm, *others), otherwise=otherwise, span=span):
                rest = nodes.Conditional(tuple(others), otherwise, span=span) if others else otherwise
                return core.Choice(self.expression(arm.test), self.place(arm.value), self.place(rest), span=span)
            case _:
                self.complain(causes.NOT_A_TARGET, target.span)
        return core.Local("", 0, span=target.span)

    def value_command(self, value: nodes.Expression, span: Span) -> tuple[core.Command, ...]:
        """A bare name ends the block with its value, unless it is a routine (our choice, as the recorded examples
        have it).
        """
        match value:
            case nodes.Name():
                meant = self.value(value)
                if self.is_function(meant) and isinstance(meant, core.Global):
                    self.count(meant, 0, span)
                    meant = core.Apply(meant, (), span=span)
                return (core.Result(meant, span=span),)
            case nodes.Application(function=function, arguments=arguments):
                applied = self.apply(function, arguments, span, routine=True)
                if isinstance(applied.function, core.Host) and not self.outer.host[applied.function.name].routine:
                    self.complain(causes.NOT_A_COMMAND, span)
                return (core.Evaluate(applied, span=span),)
            case nodes.Chain(items=items) if any(isinstance(i, nodes.Operator) and i.kind == "EQUAL" for i in items):
                run = spelling.run_at(items[0].span)
                if word := spelling.near_word(run.text):
                    self.complain(causes.MISSPELT, run, spelling.meant(run.text, word), run=run.text)
                else:
                    self.complain(causes.NOT_A_COMMAND, span, help="to define a name, write: let … = …")
                return ()
            case _:
                meant = self.expression(value)
                if isinstance(value, nodes.Chain) and isinstance(meant, core.Apply | core.Juxtapose):
                    return (core.Evaluate(meant, span=span),)
                self.complain(causes.NOT_A_COMMAND, span)
                return ()

    def _locals(self, heading: nodes.Name | nodes.Pattern) -> core.Target:
        match heading:
            case nodes.Name(name=name, span=span):
                return self.variables.declare(name, span)
            case nodes.Pattern(items=items, span=span):
                return core.Several(tuple([self._locals(item) for item in items]), span=span)


def _own(command: core.Command) -> Iterator[core.Command]:
    """A command and those within it that belong to the same block."""
    yield command
    for part in core.parts(command):
        if isinstance(part, core.Command):
            yield from _own(part)


class Chain:
    """A flat chain put in order by precedence climbing."""

    def __init__(self, resolver: Resolver, items: Sequence[nodes.Expression | nodes.Operator]) -> None:
        self.resolver = resolver
        self.items = self._applied(items)
        self.at = 0

    def _applied(self, items: Sequence[nodes.Expression | nodes.Operator]) -> list[core.Expression | nodes.Operator]:
        """The chain with its operands resolved; `f(x)` with a small f is decided here, tighter than any operator."""
        result: list[core.Expression | nodes.Operator] = []
        written: nodes.Expression | None = None
        maybe = False
        for item in items:
            if isinstance(item, nodes.Operator):
                maybe = item.kind == "MAYBE"
                if not maybe:
                    result.append(item)
            elif maybe and written is not None:
                left = result.pop()
                assert not isinstance(left, nodes.Operator)
                result.append(self._beside(written, left, item))
            else:
                written = item
                result.append(self.resolver.expression(item))
        return result

    def _beside(self, written: nodes.Expression, left: core.Expression, right: nodes.Expression) -> core.Expression:
        """`f(x)`, also as the beginning of `f(x)[y]`."""
        if isinstance(right, nodes.Application):
            function = self._beside(written, left, right.function)
            arguments = self.resolver.all(right.arguments)
            return core.Apply(function, arguments, span=left.span.to(right.span))
        assert isinstance(right, nodes.Bracket), right
        return self._side_by_side(written, left, right)

    def _side_by_side(
        self, written: nodes.Expression, left: core.Expression, bracket: nodes.Bracket
    ) -> core.Expression:
        span = left.span.to(bracket.span)
        items = self.resolver.all(bracket.items)
        if self.resolver.is_function(left) or len(items) != 1:
            self.resolver.count(left, len(items), span)
            return core.Apply(left, items, span=span)
        if isinstance(written, nodes.Bracket):
            return core.Binary("TIMES", left, items[0], span=span)
        return core.Juxtapose(left, items[0], span=span)

    def expression(self) -> core.Expression:
        """The whole chain."""
        result = self._climb(0)
        assert self.at == len(self.items), "part of a chain was left over"
        return result

    def _climb(self, least: int) -> core.Expression:
        """The longest part of the chain from here on whose operators have at least this rank."""
        left = self._operand()
        while (operator := self._peek()) is not None:
            rank, binding = self.resolver.reading.infix[operator.kind]
            if rank < least:
                break
            if binding is Binding.CHAIN:
                left = self._relations(left, rank)
                continue
            self.at += 1
            right = self._climb(rank if binding is Binding.RIGHT else rank + 1)
            kind = "TIMES" if operator.kind == "JUXTAPOSED" else operator.kind
            left = core.Binary(kind, left, right, span=left.span.to(right.span))
        return left

    def _operand(self) -> core.Expression:
        item = self.items[self.at]
        self.at += 1
        if not isinstance(item, nodes.Operator):
            return item
        operand = self._climb(self.resolver.reading.prefix[item.kind] + 1)
        return core.Unary(item.kind, operand, span=item.span.to(operand.span))

    def _relations(self, first: core.Expression, rank: int) -> core.Expression:
        operands, operators = [first], []
        while (operator := self._peek()) is not None and self.resolver.reading.infix[operator.kind][0] == rank:
            self.at += 1
            operators.append(operator.kind)
            operands.append(self._climb(rank + 1))
        return core.Compare(tuple(operands), tuple(operators), span=first.span.to(operands[-1].span))

    def _peek(self) -> nodes.Operator | None:
        item = self.items[self.at] if self.at < len(self.items) else None
        return item if isinstance(item, nodes.Operator) else None
