"""Blocks and the commands in them, from the surface tree to the core: scopes opened and closed, sugar gone.

`resolve` builds on it and supplies the meaning of expressions and names.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic
from cpl.semantics import core, within
from cpl.semantics.control import Control
from cpl.semantics.groups import groups
from cpl.semantics.places import Boundary
from cpl.semantics.scope import KINDS, Outermost, kinds
from cpl.source import Span
from cpl.syntax import nodes, suggest
from cpl.syntax import walk as surface
from cpl.syntax.signs import ELSEWHERE

MOST_LABELS: Final = 100
"""How many labels a section may have: the loops and choices that they stand for are found by trying."""


@dataclass(frozen=True)
class _Value:
    """What a definition stands for, a function's `parameters`, and what is obeyed `before`: a function by value takes
    what its places hold.
    """

    value: core.Expression
    parameters: tuple[core.Local, ...] = ()
    before: Sequence[core.Command] = ()


class Blocks(Control):
    """Resolves the commands of one definition."""

    def __init__(self, outer: Outermost, found: list[Diagnostic]) -> None:
        super().__init__(outer, found)
        self.local_routines: set[core.Target] = set()

    @abstractmethod
    def all(self, items: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """Several expressions of one scope."""

    @abstractmethod
    def apply(
        self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span, *, routine: bool = False
    ) -> core.Expression:
        """`F(x,y)`; with `routine`, what is applied need have no value."""

    @abstractmethod
    def count(self, function: core.Expression, given: int, span: Span) -> None:
        """Complain if a function is applied to more or fewer arguments than it takes."""

    @abstractmethod
    def is_routine(self, node: core.Expression) -> bool:
        """Whether this is sure to be a routine."""

    def block(self, section: nodes.Section) -> core.Block:
        """A value block."""
        with self.loop(within=False), self.routine(within=False), self.no_labels():
            commands = self.commands(section.statements)
        if not any(isinstance(node, core.Result) for command in commands for node in within.walk_commands(command)):
            self.complain(causes.EMPTY_BLOCK, section.span)
        return core.Block(commands, span=section.span)

    def result_block(self, section: nodes.Section) -> core.Block:
        """`result of § … §`: `result` is a variable, and its value at the end that of the block (E25, E28)."""
        end = Span(section.span.source, section.span.end - 1, section.span.end)
        with self.variables.block():
            result = self.variables.declare("result", section.span)
            with self.loop(within=False), self.routine(within=False), self.no_labels():
                commands = self.commands(section.statements)
        value = core.Result(core.Local("result", result.number, span=end), span=end)
        if not any(result in within.changed(command) for command in commands):
            self.complain(causes.EMPTY_BLOCK, section.span, help="a block of this kind gives its value by: result := …")
        match commands:
            case (*before, core.Assign(places=(core.Local() as place,), values=(given,), span=span)) if place == result:
                commands, value = tuple(before), core.Result(given, span=span)
        return core.Block((core.Declare(result, span=section.span), *commands, value), span=section.span)

    def commands(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """The commands of a section, in a scope of their own."""
        with self.variables.block():
            return self.sequence(statements)

    def body(self, command: nodes.Statement) -> tuple[core.Command, ...]:
        """What a loop or a conditional does, in a scope of its own."""
        if isinstance(command, nodes.Section):
            for name in surface.redefined(command.statements):
                if self._is_variable(name.name):
                    self.complain(causes.ANOTHER, name.span, name=name.name)
        return self.commands((command,))

    def _is_variable(self, name: str) -> bool:
        """Whether this names something in this scope that is no function."""
        if local := self.variables.lookup(name):
            return local not in self.local_functions
        known = self.outer.known.get(name)
        return known is not None and not known.applied

    def sequence(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """Commands in the scope of what is round them."""
        result: list[core.Command] = []
        with self.labels.block():
            labels: dict[str, nodes.Name] = {}
            for statement in statements:
                if isinstance(statement, nodes.Label):
                    self.declare_label(statement.name, labels)
            if len(labels) > MOST_LABELS:
                self.complain(causes.TOO_LONG, [*labels.values()][-1].span, limit=MOST_LABELS, things="labels")
            reached = True
            for index, statement in enumerate(statements):
                was_reached, reached = reached, not within.ends(result) or isinstance(statement, nodes.Label)
                if reached:
                    result += self.command(statement)
                elif was_reached:
                    *_, last = takewhile(lambda each: not isinstance(each, nodes.Label), statements[index:])
                    self.complain(causes.UNREACHABLE, statement.span.to(last.span))
        return tuple(result)

    def command(self, statement: nodes.Statement) -> tuple[core.Command, ...]:
        """One statement within a block. A section within it is only a scope: its commands come out in line."""
        span = statement.span
        match statement:
            case nodes.Definition(heading=nodes.Name() as name, value=value, sign="=", words=words) if self.is_label(
                value, typed="label" in words
            ):
                return self.define_label(name, value)
            case nodes.Definition() | nodes.Routine():
                if "label" in statement.words:
                    self.no_labels_kept(span)
                return self.together((statement,), rec="rec" in statement.words)
            case nodes.Together(definitions=definitions, words=words):
                return self.together(definitions, rec="rec" in words)
            case nodes.Own(own=own, definition=definition):
                with self.variables.block():
                    given = self.together(own, rec=False)
                    made = self.together((definition,), rec=False)
                    names = {name.name: self._bound(name) for name in surface.names_in(definition.heading)}
                for name in surface.names_in(definition.heading):
                    self.variables.share(name.name, names[name.name])
                return (*given, *made)
            case nodes.Leave(word=word):
                return (self.leave(word, span),)
            case nodes.Label(name=name):
                label = self.labels.lookup(name.name)
                assert isinstance(label, core.Local)
                return (core.Label(label, span=span),)
            case nodes.GoTo(label=target):
                return (self.go_to(target, span),)
            case nodes.Switch(value=value, section=section):
                return self.switch(value, section, span)
            case nodes.Case():
                self.complain(causes.NO_SWITCH, span)
                return ()
            case nodes.Declaration(kind=kind, names=names):
                declared = [self.variables.declare(name.name, name.span, declared=kind) for name in names]
                self.variables.types |= dict.fromkeys(declared, kind)
                if kind == "label":
                    self.no_labels_kept(span)
                return tuple([core.Declare(each, span=each.span) for each in declared])
            case nodes.Declarations(section=section):
                return self.sequence(section.statements)
            case nodes.If(test=test, command=command, unless=unless):
                condition = self.negation(test) if unless else self.expression(test)
                return (core.If(condition, self.body(command), span=span),)
            case nodes.Test(condition=test, command=command, otherwise=otherwise):
                condition = self.expression(test)
                return (core.If(condition, self.body(command), self.body(otherwise), span=span),)
            case nodes.While(test=test, command=command, until=until):
                condition = self.negation(test) if until else self.expression(test)
                with self.loop():
                    return (core.While(condition, self.body(command), span=span),)
            case nodes.Repeat(command=command, test=test, until=until):
                with self.loop():
                    commands = self.body(command)
                condition = core.Literal(True, span=span)
                if test is not None:
                    condition = self.negation(test) if until else self.expression(test)
                return (core.Repeat(commands, condition, span=span),)
            case nodes.ForStep(name=name, first=first, step=step, last=last, command=command):
                begin, by, end = (self.expression(each) for each in (first, step, last))
                with self.variables.block(), self.loop():
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForStep(variable, begin, by, end, self.body(command), span=span),)
            case nodes.ForList(name=name, members=members, command=command):
                meant = self.expression(members)
                with self.variables.block(), self.loop():
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForList(variable, meant, self.body(command), span=span),)
            case nodes.Assignment():
                return tuple(self.assignment(statement))
            case nodes.Result(value=value):
                if self.in_routine:
                    self.complain(causes.NO_BLOCK, span, help="a routine has no result; leave it by: return")
                return (core.Result(self.expression(value), span=span),)
            case nodes.Section(statements=statements):
                return self.commands(statements)
            case nodes.Get() | nodes.NodeType() | nodes.Element():
                found = span.text.split()[0]
                self.complain(causes.UNEXPECTED, span, found=found, help="it belongs at the outermost level")
                return ()
            case nodes.ValueCommand(value=value):
                return self.value_command(value, span)

    def together(
        self, definitions: Sequence[nodes.Definition | nodes.Routine], *, rec: bool
    ) -> tuple[core.Command, ...]:
        """Definitions that are obeyed at once: none sees the names of another, or of itself, unless they are `rec`.

        A routine takes what is free in it as places: it is there to change them.
        """
        definitions = [_as_function(each) for each in definitions] if rec else definitions
        names = [self._target(each) for each in definitions] if rec else []
        headings = [each.heading for each in definitions if isinstance(each.heading, nodes.FunctionHeading)]
        with self.variables.unseen_within([] if rec else [each.name.name for each in headings]):
            values = [self._value(each) for each in definitions]
        if not rec:
            before = [command for value in values for command in value.before]
            return (*before, *self._bind(definitions, names, values))
        commands: list[core.Command] = []
        for group in self._order(definitions, names, values):
            commands += [command for at in group for command in values[at].before]
            some = [definitions[at] for at in group], [names[at] for at in group], [values[at] for at in group]
            commands += self._bind(*some)
        return tuple(commands)

    def _order(
        self,
        definitions: Sequence[nodes.Definition | nodes.Routine],
        names: Sequence[core.Target],
        values: Sequence["_Value"],
    ) -> Iterator[list[int]]:
        """The order in which definitions that see each other are obeyed: as written, but each waits for what it uses
        (our choice). Functions that use each other stand together.
        """
        places = {part: at for at, name in enumerate(names) for part in within.walk(name)}
        used = [
            {places[part]: part for node in (*each.before, each.value) for part in within.walk(node) if part in places}
            for each in values
        ]
        for group in groups(used):
            itself = next((at for at in group if not isinstance(definitions[at].heading, nodes.FunctionHeading)), None)
            if itself is not None and used[itself].keys() & {*group}:
                to = next(to for to in used[itself] if to in group)
                name = next(part.span.text for part, at in places.items() if at == itself)
                through = "" if to == itself else f", through {used[itself][to].span.text}"
                self.complain(causes.CIRCULAR, used[itself][to].span, name=name, through=through)
            yield group

    def _value(self, definition: nodes.Definition | nodes.Routine) -> "_Value":
        """What a definition stands for."""
        match definition:
            case nodes.Definition(heading=nodes.FunctionHeading(parameters=parameters), value=value, sign=sign):
                if sign == "≃":
                    self.complain(causes.NOT_SHARED, definition.span)
                with self.function_scope(by_place=sign != "=") as boundary:
                    given = self.parameters(parameters, value)
                    body = self.expression(value)
                return _Value(body, given, self.taken(boundary))
            case nodes.Routine(heading=heading, command=command):
                with self.function_scope(by_place=True):
                    given = self.parameters(heading.parameters, command)
                    return _Value(self.routine_body(command), given)
            case nodes.Definition(value=value, sign="≡"):
                with self.no_labels(), self.loop(within=False):
                    return _Value(self.expression(value))
            case nodes.Definition(value=value, sign="≃"):
                return _Value(self.reference(value))
            case nodes.Definition(value=value):
                return _Value(self.expression(value))

    def _bind(
        self,
        definitions: Sequence[nodes.Definition | nodes.Routine],
        names: list[core.Target],
        values: Sequence["_Value"],
    ) -> Iterator[core.Command]:
        """The values to their names, which are in scope from now on, if they were not before."""
        plain = all(isinstance(each.heading, nodes.Name | nodes.Pattern) and _sign(each) == "=" for each in definitions)
        if len(definitions) > 1 and plain and not names:
            span = definitions[0].span.to(definitions[-1].span)
            names = [self._target(each) for each in definitions]
            given_all = core.Tuple(tuple([each.value for each in values]), span=span)
            yield core.Let(core.Several(tuple(names), span=span), given_all, span=span)
            return
        for index, (definition, each) in enumerate(zip(definitions, values, strict=True)):
            sign, value = _sign(definition), each.value
            shared = self.shared(value) if sign == "≃" and not names else None
            if shared is not None and isinstance(definition.heading, nodes.Name):
                self.variables.share(definition.heading.name, shared)
                continue
            target = names[index] if names else self._target(definition)
            if isinstance(definition.heading, nodes.FunctionHeading) or sign == "≡":
                assert isinstance(target, core.Local)
                result = surface.result(definition)
                yield core.LetFunction(target, each.parameters, value, sign != "=", result, span=definition.span)
            else:
                yield core.Let(target, value, span=definition.span)

    def _target(self, definition: nodes.Definition | nodes.Routine) -> core.Target:
        match definition:
            case nodes.Definition(heading=nodes.FunctionHeading() as heading, value=body):
                pass
            case nodes.Routine(heading=heading, command=body):
                pass
            case nodes.Definition(heading=nodes.Name(name=called, span=span), sign=sign):
                return self.variables.declare(called, span, KINDS[sign], surface.declared(definition))
            case nodes.Definition(heading=nodes.Pattern() as pattern, sign=sign, span=span):
                if sign != "=":
                    self.complain(causes.NOT_SHARED, span)
                return self._locals(pattern, surface.declared(definition))
            case _:
                raise AssertionError(definition)
        name = self.variables.declare(heading.name.name, heading.name.span)
        self.local_functions[name] = kinds(heading.parameters, body, self.outer.takes)
        if isinstance(definition, nodes.Routine):
            self.local_routines.add(name)
        return name

    def _bound(self, name: nodes.Name) -> core.Local | core.Global:
        variable = self.variables.lookup(name.name)
        assert variable is not None
        return variable

    def parameters(self, parameters: Sequence[nodes.Parameter], body: nodes.Node) -> tuple[core.Local, ...]:
        """The variables that a function's parameters are."""
        taken = zip(parameters, kinds(parameters, body, self.outer.takes), strict=True)
        result = tuple([self.variables.declare(each.name, each.span, kind, each.kind) for each, kind in taken])
        self.variables.types |= {local: local.declared for local in result if local.declared}
        for each in parameters:
            if each.kind == "label":
                self.no_labels_kept(each.span)
        return result

    def routine_body(self, command: nodes.Statement) -> core.Block:
        """The commands of a routine."""
        with self.loop(within=False), self.routine():
            commands = self.commands((command,))
        return core.Block(commands, routine=True, span=command.span)

    @contextmanager
    def function_scope(self, *, by_place: bool) -> Iterator[Boundary]:
        """Within a function."""
        scopes = self.boundary(by_place=by_place), self.variables.block(), self.no_labels(), self.loop(within=False)
        with scopes[0] as boundary, scopes[1], scopes[2], scopes[3]:
            yield boundary

    def negation(self, test: nodes.Expression) -> core.Expression:
        """The opposite of a condition."""
        meant = self.expression(test)
        return core.Unary("NOT", meant, span=meant.span)

    def value_command(self, value: nodes.Expression, span: Span) -> tuple[core.Command, ...]:
        """A bare name ends the block with its value, unless it is a routine (our choice, as the recorded examples
        have it).
        """
        match value:
            case nodes.Name():
                meant = self.name(value)
                routine = self.is_routine(meant)
                if routine or (self.is_function(meant) and isinstance(meant, core.Global)):
                    self.count(meant, 0, span)
                    meant = core.Apply(meant, (), span=span)
                return (core.Evaluate(meant, span=span) if routine else core.Result(meant, bare=True, span=span),)
            case nodes.Application(function=nodes.Name(name="Read") as function, arguments=places) if isinstance(
                self.name(function), core.Host
            ):
                return tuple([self.read(each) for each in places])
            case nodes.Application(function=function, arguments=arguments):
                applied = self.apply(function, arguments, span, routine=True)
                match applied:
                    case core.Apply(function=core.Host(name=name)) if not self.outer.host[name].is_command:
                        self.complain(causes.NOT_A_COMMAND, span)
                    case core.Component() | core.Reference() | core.Contents():
                        self.complain(causes.NOT_A_COMMAND, span)
                return (core.Evaluate(applied, span=span),)
            case nodes.Chain(items=items) if any(isinstance(i, nodes.Operator) and i.kind == "EQUAL" for i in items):
                run = suggest.run_at(items[0].span)
                if words := suggest.near_words(run.text):
                    self.complain(causes.MISSPELT, run, suggest.meant(run.text, words), run=run.text)
                else:
                    name = items[0].name if isinstance(items[0], nodes.Name) else ""
                    help = f"to give it another value, write: {name} := …" if self._is_variable(name) else None
                    self.complain(causes.NOT_A_COMMAND, span, help=help or "to define a name, write: let … = …")
                return ()
            case nodes.Chain() if self.is_misspelt(value):
                return ()
            case nodes.Bracket() if span.text.startswith("{"):
                self.complain(causes.NOT_A_COMMAND, span, help=ELSEWHERE["{"])
                return ()
            case _:
                meant = self.expression(value)
                if isinstance(value, nodes.Chain) and isinstance(meant, core.Apply | core.Juxtapose):
                    return (core.Evaluate(meant, span=span),)
                self.complain(causes.NOT_A_COMMAND, span)
                return ()

    def is_misspelt(self, chain: nodes.Expression) -> bool:
        """Whether a word of other languages stands in it, or a name without its capital, which is said then."""
        for part in surface.walk(chain):
            run = suggest.run_at(part.span)
            if not isinstance(part, nodes.Name) or len(run.text) == len(part.span.text):
                continue
            if run.text in ELSEWHERE or self.outer.lookup(run.text.capitalize()):
                self.complain(causes.MISSPELT, run, suggest.help_for(run, [*self.outer.names]), run=run.text)
                return True
        return False

    def read(self, target: nodes.Expression) -> core.Command:
        """`Read[x]`: the next value of the input is assigned to x (O2)."""
        item = core.Host("ReadItem", span=target.span)
        return core.Assign((self.place(target),), (core.Apply(item, (), span=target.span),), span=target.span)

    def _locals(self, heading: nodes.Name | nodes.Pattern, declared: str) -> core.Target:
        match heading:
            case nodes.Name(name=name, span=span):
                return self.variables.declare(name, span, declared=declared)
            case nodes.Pattern(items=items, span=span):
                return core.Several(tuple([self._locals(item, declared) for item in items]), span=span)


def _sign(definition: nodes.Definition | nodes.Routine) -> str:
    return definition.sign if isinstance(definition, nodes.Definition) else "≡"


def _as_function(definition: nodes.Definition | nodes.Routine) -> nodes.Definition | nodes.Routine:
    """`rec g = λm. …` defines the function g."""
    match definition:
        case nodes.Definition(heading=nodes.Name() as name, value=nodes.Lambda(parameters=parameters, body=body)):
            given = tuple([nodes.Parameter(each.name, span=each.span) for each in parameters])
            heading = nodes.FunctionHeading(name, given, True, span=name.span)
            return replace(definition, heading=heading, value=body)
        case _:
            return definition
