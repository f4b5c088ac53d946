"""Blocks and the commands in them, from the surface tree to the core: scopes opened and closed, sugar gone.

`resolve` builds on it and supplies the meaning of expressions and names.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cpl import causes
from cpl.causes import Cause
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, within
from cpl.semantics.scope import Outermost, Variables
from cpl.source import Span
from cpl.syntax import nodes, spelling


class Blocks(ABC):
    """Resolves the commands of one definition."""

    def __init__(self, outer: Outermost, found: list[Diagnostic]) -> None:
        self.outer = outer
        self.found = found
        self.variables = Variables()
        self.in_loop = False
        self.in_routine = False
        self.local_functions: dict[core.Local, int] = {}  # with the number of their parameters
        self.fixed = 0  # variables up to this number are outside a function that took their values

    def complain(self, cause: Cause, span: Span, help: str | None = None, **words: Any) -> None:
        """Add to the diagnostics."""
        self.found.append(report(cause, span, help=help, **words))

    @abstractmethod
    def expression(self, node: nodes.Expression) -> core.Expression:
        """The core of an expression in the scope of this moment."""

    @abstractmethod
    def all(self, items: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """Several expressions of one scope."""

    @abstractmethod
    def name(self, node: nodes.Name) -> core.Expression:
        """What a name stands for, a routine included."""

    @abstractmethod
    def value(self, node: nodes.Name) -> core.Expression:
        """What a name stands for where a value is wanted."""

    @abstractmethod
    def apply(
        self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span, *, routine: bool = False
    ) -> core.Apply:
        """`F(x,y)`; with `routine`, what is applied need have no value."""

    @abstractmethod
    def select(self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span) -> core.Expression:
        """`m[k]`: a function applied, or a member of an array."""

    @abstractmethod
    def count(self, function: core.Expression, given: int, span: Span) -> None:
        """Complain if a function is applied to more or fewer arguments than it takes."""

    @abstractmethod
    def is_function(self, node: core.Expression) -> bool:
        """Whether this is sure to be a function."""

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
            if within.ends(result):
                self.complain(causes.UNREACHABLE, statement.span.to(statements[-1].span))
                break
            result += self.command(statement)
        return tuple(result)

    def command(self, statement: nodes.Statement) -> tuple[core.Command, ...]:
        """One statement within a block. A section within it is only a scope: its commands come out in line."""
        span = statement.span
        match statement:
            case nodes.Definition():
                return self.together((statement,), rec="rec" in statement.words)
            case nodes.Together(definitions=definitions, words=words):
                return self.together(definitions, rec="rec" in words)
            case nodes.Own(own=own, definition=definition):
                with self.variables.block():
                    given = self.together(own, rec=False)
                    [made] = self.together((definition,), rec=False)
                if isinstance(made, core.LetFunction):
                    self.variables.again(made.name)
                elif isinstance(made, core.Let):
                    for each in within.variables(made.target):
                        self.variables.again(each)
                return (*given, made)
            case nodes.Routine():
                return (self.routine(statement),)
            case nodes.Return():
                if not self.in_routine:
                    self.complain(causes.NO_ROUTINE, span)
                return (core.Return(span=span),)
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

    def together(self, definitions: Sequence[nodes.Definition], *, rec: bool) -> tuple[core.Command, ...]:
        """Definitions that are obeyed at once: none sees the names of another, or of itself, unless they are `rec`."""
        names = [self._target(each.heading) for each in definitions] if rec else []
        values: list[tuple[tuple[core.Local, ...], core.Expression]] = []
        for definition in definitions:
            match definition.heading:
                case nodes.FunctionHeading(parameters=parameters):
                    with self.function_scope(by_place=definition.by_place):
                        given = tuple([self.variables.declare(each.name, each.span) for each in parameters])
                        values.append((given, self.expression(definition.value)))
                case _:
                    values.append(((), self.expression(definition.value)))
        names = names or [self._target(each.heading) for each in definitions]
        functions = any(isinstance(each.heading, nodes.FunctionHeading) for each in definitions)
        if len(definitions) > 1 and not functions:
            span = definitions[0].span.to(definitions[-1].span)
            given_all = core.Tuple(tuple([value for _, value in values]), span=span)
            return (core.Let(core.Several(tuple(names), span=span), given_all, span=span),)
        made: list[core.Command] = []
        for definition, name, (given, value) in zip(definitions, names, values, strict=True):
            if isinstance(definition.heading, nodes.FunctionHeading):
                assert isinstance(name, core.Local)
                made.append(core.LetFunction(name, given, value, definition.by_place, span=definition.span))
            else:
                made.append(core.Let(name, value, span=definition.span))
        return tuple(made)

    def _target(self, heading: nodes.Heading) -> core.Target:
        if isinstance(heading, nodes.FunctionHeading):
            name = self.variables.declare(heading.name.name, heading.name.span)
            self.local_functions[name] = len(heading.parameters)
            return name
        return self._locals(heading)

    def routine(self, routine: nodes.Routine) -> core.LetFunction:
        """`let R[x] be command` within a block; it takes what is free in it as places: it is there to change them."""
        heading = routine.heading
        name = self._target(heading) if "rec" in routine.words else None
        with self.function_scope(by_place=True):
            given = tuple([self.variables.declare(each.name, each.span) for each in heading.parameters])
            body = self.routine_body(routine.command)
        name = name or self._target(heading)
        assert isinstance(name, core.Local)
        return core.LetFunction(name, given, body, True, span=routine.span)

    def routine_body(self, command: nodes.Statement) -> core.Block:
        """The commands of a routine."""
        before, self.in_routine = self.in_routine, True
        with self.loop(within=False):
            commands = self.commands((command,))
        self.in_routine = before
        return core.Block(commands, routine=True, span=command.span)

    @contextmanager
    def function_scope(self, *, by_place: bool) -> Iterator[None]:
        """Within a function: what is bound outside can be assigned to only if it is taken as a place."""
        outside = self.fixed
        if not by_place:
            self.fixed = self.variables.count
        with self.variables.block(), self.loop(within=False):
            yield
        self.fixed = outside

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
                if isinstance(meant, core.Local) and meant.number <= self.fixed:
                    self.complain(causes.FIXED, span, name=name)
                if isinstance(meant, core.Local) or (isinstance(meant, core.Global) and not self.is_function(meant)):
                    return meant
                if self.is_function(meant):
                    self.complain(causes.CONSTANT, span, name=name)
            case nodes.Application(function=function, arguments=arguments, square=True, span=span):
                meant = self.select(function, arguments, span)
                if isinstance(meant, core.Select):
                    return meant
                self.complain(causes.NOT_A_TARGET, target.span)
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
    for part in within.parts(command):
        if isinstance(part, core.Command):
            yield from _own(part)
