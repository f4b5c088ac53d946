"""The outermost level of a text, from the surface tree to the core: definitions that see each other, and commands."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.readings import Reading
from cpl.semantics import core, walk
from cpl.semantics.resolver import Resolver
from cpl.semantics.scope import Known, Outermost
from cpl.syntax import nodes
from cpl.syntax import walk as surface


def with_jumps(statements: Iterable[nodes.Statement]) -> Iterator[nodes.Statement]:
    """The same statements; of commands that follow each other those from the first label or jump to the last one are a
    section.
    """
    for defines, run in groupby(statements, lambda each: bool(surface.defined(each)) or isinstance(each, nodes.Get)):
        several = list(run)
        at = [index for index, each in enumerate(several) if _jumps(each)]
        if not defines and any(isinstance(each, nodes.Label) for each in several):
            first, last = several[at[0]], several[at[-1]]
            section = nodes.Section(tuple(several[at[0] : at[-1] + 1]), span=first.span.to(last.span))
            several[at[0] : at[-1] + 1] = [section]
        yield from several


def _jumps(statement: nodes.Statement) -> bool:
    """Whether it is a label, or there are jumps in it."""
    return isinstance(statement, nodes.Label) or any(isinstance(part, nodes.GoTo) for part in surface.walk(statement))


class Outer(Resolver):
    """Resolves one statement of the outermost level; in `taking` are the functions that take values (D17)."""

    def __init__(
        self, outer: Outermost, reading: Reading, found: list[Diagnostic], taking: set[core.Global] | None = None
    ) -> None:
        super().__init__(outer, reading, found)
        self.taking = taking if taking is not None else set()

    def definitions(self, statement: nodes.Statement) -> Iterator[core.Definition]:
        """What a statement defines or does."""
        span = statement.span
        match statement:
            case nodes.Get():
                pass  # its text is among the libraries
            case nodes.Declaration(names=(name, *_)) | nodes.Definition(heading=nodes.Name() as name) if (
                self.outer.known[name.name].is_label
            ):
                self.no_labels_kept(span)
            case nodes.Definition() | nodes.Routine():
                yield from self._definition(statement, self._known)
            case nodes.Own(own=own, definition=definition):
                yield from self._own(own, definition)
            case nodes.Declaration(names=names):
                yield core.Commands(
                    tuple([core.Declare(self._known(name), span=name.span) for name in names]), span=span
                )
            case nodes.NodeType(name=name, components=components):
                types = tuple([each.kind for each in components])
                yield core.NodeType(self._known(name), tuple([each.name for each in components]), types, span=span)
            case nodes.Element(name=name, alternatives=alternatives):
                yield core.ElementType(
                    self._known(name), tuple([self._alternative(each) for each in alternatives]), span=span
                )
            case nodes.Result() | nodes.Case():
                self.complain(messages.UNEXPECTED, span, found=span.text.split()[0], help="it belongs in a section")
            case nodes.ValueCommand(value=value):
                yield from self._applied(value)
            case _:
                commands = self.command(statement)
                for part in (part for made in commands for part in walk.walk_commands(made)):
                    if isinstance(part, core.Result):
                        self.complain(messages.NO_BLOCK, part.span)
                yield core.Commands(commands, span=span)

    def _known(self, name: nodes.Name) -> core.Global:
        return replace(self.outer.known[name.name].name, span=name.span)

    def _definition(self, definition: nodes.Definition | nodes.Routine, known: "_Naming") -> Iterator[core.Definition]:
        span = definition.span
        match definition:
            case nodes.Routine(heading=heading, command=command):
                with self.variables.block():
                    given = self.parameters(heading.parameters, command)
                    yield core.Function(known(heading.name), given, self.routine_body(command), span=span)
            case nodes.Definition(heading=nodes.FunctionHeading() as heading, value=value, sign=sign):
                if sign == "≃":
                    self.complain(messages.NOT_SHARED, span)
                if sign == "=":
                    self.taking.add(known(heading.name))
                with self.variables.block():
                    given = self.parameters(heading.parameters, value)
                    body, result = self.expression(value), surface.result(definition)
                    yield core.Function(known(heading.name), given, body, result=result, span=span)
            case nodes.Definition(heading=nodes.Name() as name, value=value, sign="≡"):
                yield core.Function(known(name), (), self.expression(value), span=span)
            case nodes.Definition(heading=nodes.Name() as name, value=value, sign="≃"):
                known_name = self.outer.known.get(name.name)
                alias = known_name.alias if known_name else None
                if alias is None or not isinstance(self.outer.lookup(alias.name), Known):
                    yield core.Constants(known(name), self.reference(value), span=span)
            case nodes.Definition(heading=nodes.Name() | nodes.Pattern() as heading, value=value, sign=sign):
                if sign != "=":
                    self.complain(messages.NOT_SHARED, span)
                yield core.Constants(_target(heading, known), self.expression(value), span=span)

    def _own(
        self, own: Sequence[nodes.Definition | nodes.Routine], definition: nodes.Definition | nodes.Routine
    ) -> Iterator[core.Definition]:
        """`let d in e` (D19): what d defines has a name that nothing else leads to."""
        origin = definition.span.start

        def hidden(name: nodes.Name) -> core.Global:
            return core.Global(name.name, origin, span=name.span)

        for each in own:
            yield from self._definition(each, hidden)
        with self.variables.block():
            for each in own:
                for name in surface.names_in(each.heading):
                    self.variables.share(name.name, hidden(name))
            yield from self._definition(definition, self._known)

    def _alternative(self, name: nodes.Name) -> core.Global | core.Literal:
        if name.name[0].islower() or name.name == "Boolean":
            return core.Literal(name.name, span=name.span)
        meant = self.name(name)
        if isinstance(meant, core.Global):
            return meant
        return core.Literal(name.name, span=name.span)

    def _applied(self, value: nodes.Expression) -> Iterator[core.Commands]:
        """The application of a routine; nothing else is of use here."""
        match value:
            case nodes.Name() if self.is_routine(self.name(value)):
                pass
            case nodes.Application(function=nodes.Name() as name) if not self._is_plain_function(name):
                pass
            case nodes.Application(function=nodes.Application() | nodes.Bracket()):
                pass
            case nodes.Chain() if self.is_misspelt(value):
                return
            case _:
                self.complain(messages.COMMAND_AT_TOP, value.span, call=" ".join(value.span.text.split()))
                return
        yield core.Commands(self.value_command(value, value.span), span=value.span)

    def _is_plain_function(self, function: nodes.Name) -> bool:
        """Whether to apply this and use no value is of no use: it takes values, and changes nothing (D27)."""
        match self.name(function) if self.outer.lookup(function.name) else None:
            case core.Host(name=name):
                return not self.outer.host[name].is_command
            case core.Global(name=name) as meant:
                known = self.outer.known[name]
                takes_places = isinstance(known.own, nodes.Definition) and known.own.sign == "≡"
                return self.is_function(meant) and not known.routine and not takes_places
            case _:
                return False


_Naming = Callable[[nodes.Name], core.Global]


def _target(heading: nodes.Name | nodes.Pattern, known: _Naming) -> core.Target:
    match heading:
        case nodes.Name():
            return known(heading)
        case nodes.Pattern(items=items, span=span):
            return core.Several(tuple([_target(item, known) for item in items]), span=span)


def with_values(
    definitions: Sequence[core.Definition], taking: set[core.Global], found: list[Diagnostic]
) -> list[core.Definition]:
    """The functions in `taking` take the values of those variables of the outermost level that change (D17)."""
    changing = {each for one in definitions for each in walk.changed(one) if isinstance(each, core.Global)}
    result: list[core.Definition] = []
    for one in definitions:
        if changing and isinstance(one, core.Function) and one.name in taking:
            found += [
                report(messages.FIXED, each.span, name=each.name)
                for each in walk.assigned(one)
                if isinstance(each, core.Global)
            ]
            free = {part for part in walk.nodes(one.body) if isinstance(part, core.Global)} & changing
            one = replace(one, taken=tuple(sorted(free, key=lambda each: each.name)))
        result.append(one)
    return result
