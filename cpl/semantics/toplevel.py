"""The top level of a text, from the surface tree to the core: definitions that see each other, and commands."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from cpl import messages
from cpl.semantics import core, walk
from cpl.semantics.labels import Labels
from cpl.semantics.resolver import Resolver, several, sign_of
from cpl.semantics.scc import components
from cpl.semantics.scope import Definition, Entry, as_function, mode, parameters_of
from cpl.syntax import nodes
from cpl.syntax import walk as surface

_Naming = Callable[[nodes.Name], core.Global]


def with_jumps(statements: Iterable[nodes.Statement]) -> Iterator[nodes.Statement]:
    """The same statements. Among commands that follow each other, those from the first label or jump to the last one
    become a section; to the last command if there are label variables.
    """
    for defines, run in groupby(statements, _defines):
        several = list(run)
        if not defines and any(isinstance(each, nodes.Label) or surface.defined(each) for each in several):
            at = [index for index, each in enumerate(several) if _jumps(each)]
            end = len(several) if any(map(surface.defined, several)) else at[-1] + 1
            inside = several[at[0] : end]
            several[at[0] : end] = [nodes.Section(tuple(inside), span=inside[0].span.to(inside[-1].span))]
        yield from several


def members(whole: nodes.Statement) -> Sequence[nodes.Statement]:
    """The statements of a group. Of definitions with `rec`, each comes after those that it uses."""
    several = list(surface.members(whole))
    if not (isinstance(whole, nodes.Together) and "rec" in whole.words):
        return several
    defining = {name.name: at for at, each in enumerate(several) for name in surface.defined(each)}
    names = [[part.name for part in surface.walk(each) if isinstance(part, nodes.Name)] for each in several]
    uses = [dict.fromkeys(defining[name] for name in found if name in defining) for found in names]
    plain = any(parameters_of(as_function(each)) is None for each in whole.definitions)
    return [several[at] for group in components(uses) for at in group] if plain else several


def _defines(statement: nodes.Statement) -> bool:
    """Whether it defines names of the top level. Label variables belong to the commands."""
    is_definition = bool(surface.defined(statement)) and surface.declared(statement) != "label"
    return is_definition or isinstance(statement, nodes.Get)


def _jumps(statement: nodes.Statement) -> bool:
    """Whether it is a label, defines label variables, or contains jumps."""
    is_label = isinstance(statement, nodes.Label) or surface.declared(statement) == "label"
    return is_label or any(isinstance(part, nodes.GoTo) for part in surface.walk(statement))


class TopLevelResolver(Resolver):
    """Resolves one statement of the top level."""

    def definitions(self, statement: nodes.Statement) -> Iterator[core.Definition]:
        """What a statement defines or does."""
        span = statement.span
        for entry in self.top.earlier(statement):
            self.variables.share(entry.name.name, self.unaliased(entry, span).name, entry.name.span)
        match statement:
            case nodes.Get():
                pass  # its text is among the libraries
            case nodes.Definition(heading=nodes.Name(), value=nodes.Name(name=other), sign="≃") if isinstance(
                self.top.lookup(other), Entry
            ):
                pass  # an alias is resolved wherever it is used
            case nodes.Definition() | nodes.Routine():
                yield from self._definition(statement, self._global)
            case nodes.Own():
                yield from self._own(statement)
            case nodes.Declaration(names=names):
                declared = [core.Declare(self._global(name), span=name.span) for name in names]
                yield core.Commands(tuple(declared), span=span)
            case nodes.NodeType(name=name, components=components):
                types = tuple([each.kind for each in components])
                yield core.NodeType(self._global(name), tuple([each.name for each in components]), types, span=span)
            case nodes.Element(name=name, alternatives=alternatives):
                types_or_names = tuple([self._alternative(each) for each in alternatives])
                yield core.ElementType(self._global(name), types_or_names, span=span)
            case nodes.ValueCommand(value=value) if not self._has_effect(value):
                reported = len(self.found)
                self.expression(value)
                causes = [each.cause for each in self.found[reported:]]
                if len(causes) != 1 and not {messages.MISSPELT, messages.NOT_A_VALUE} & set(causes):
                    del self.found[reported:]
                    self.complain(messages.COMMAND_AT_TOP, value.span, call=" ".join(value.span.text.split()))
            case _:
                with self.inside(labels=Labels((statement,))):
                    commands = self.command(statement)
                for part in (part for command in commands for part in walk.walk_commands(command)):
                    if isinstance(part, core.Result):
                        self.complain(messages.NO_BLOCK, part.span)
                yield core.Commands(commands, span=span)

    def _global(self, name: nodes.Name) -> core.Global:
        every = (each.name for each in self.top.entries[name.name].all if each.name.span == name.span)
        return replace(next(every, core.Global(name.name, span=name.span)), span=name.span)  # none if it is there twice

    def _definition(self, definition: Definition, naming: _Naming) -> Iterator[core.Definition]:
        span, definition = definition.span, as_function(definition)
        match definition:
            case nodes.Definition(heading=nodes.Pattern(), sign="≃" | "≡"):
                self.complain(messages.NOT_SHARED, span)
            case nodes.Definition(heading=nodes.Name() | nodes.Pattern() as heading) if (
                mode(definition) != "substitution"
            ):
                yield core.Constants(several(heading, naming), self.value_of(definition).value, span=span)
            case _:
                [heading] = surface.defined(definition)
                function, value = naming(heading), self.value_of(definition)
                captures = {each.target: each.value for each in value.before if isinstance(each.target, core.Local)}
                hidden = {own: core.Global(own.name, heading.span, span=heading.span) for own in captures}
                yield from (core.Constants(hidden[own], contents, span=span) for own, contents in captures.items())

                def change(node: core.Node) -> core.Node:
                    own = hidden.get(node) if isinstance(node, core.Local) else None
                    return replace(own, span=node.span) if own else node

                body = walk.rebuilt(value.value, change) if hidden else value.value
                by_place, result = sign_of(definition) != "=", surface.result(definition)
                yield core.Function(function, value.parameters, body, by_place, result=result, span=span)

    def _own(self, statement: nodes.Own) -> Iterator[core.Definition]:
        """`let d in e` (D19): nothing but e sees the names that d defines."""
        own = [each for each in members(statement.own) if isinstance(each, Definition)]
        declared = {name.span: surface.declared(as_function(part)) for part in own for name in surface.defined(part)}

        def hidden(name: nodes.Name) -> core.Global:
            return core.Global(name.name, statement.inner.span, declared[name.span], span=name.span)

        inner = [each for each in surface.members(statement.inner) if isinstance(each, Definition)]
        if "rec" not in statement.own.words:
            yield from self._all(own, hidden)
        with self.variables.block():
            for definition, name in [(each, name) for each in own for name in surface.defined(each)]:
                self.variables.share(name.name, hidden(name))
                self.top.hidden[hidden(name)] = Entry(hidden(name), definition)
            if "rec" in statement.own.words:
                yield from self._all(own, hidden)
            yield from self._all(inner, self._global)

    def _all(self, definitions: Sequence[Definition], naming: _Naming) -> Iterator[core.Definition]:
        for each in definitions:
            yield from self._definition(each, naming)

    def _alternative(self, name: nodes.Name) -> core.Global | core.Literal:
        is_basic = name.name[0].islower() or name.name == "Boolean"
        meant = None if is_basic else self.name(name)
        return meant if isinstance(meant, core.Global) else core.Literal(name.name, span=name.span)

    def _has_effect(self, value: nodes.Expression) -> bool:
        """Whether to obey this may be of use: it applies a routine, or a function that captures places (D27)."""
        match value:
            case nodes.Name(name=name) if self.top.lookup(name):
                return self.is_routine(self.name(value))
            case nodes.Application(function=nodes.Name() as written) if self.top.lookup(written.name):
                function = self.name(written)
                if isinstance(function, core.Host):
                    return self.top.host[function.name].is_command
                match self.definition_of(function):
                    case (
                        nodes.Definition(heading=nodes.FunctionHeading(), sign="=" | "≃")
                        | nodes.NodeType()
                        | nodes.Element()
                    ):
                        return False
                    case _:
                        return True
            case nodes.Application(function=nodes.Name() | nodes.Application() | nodes.Bracket()):
                return True
            case nodes.Chain(items=(nodes.Name(), nodes.Operator(kind="MAYBE_PRODUCT"), nodes.Bracket())):
                return True  # f(x)
            case _:
                return False


def with_captures(definitions: Sequence[core.Definition]) -> list[core.Definition]:
    """The functions by value capture the values of those variables of the top level that change (D17)."""
    changing = {each for one in definitions for each in walk.changed(one) if isinstance(each, core.Global)}
    result: list[core.Definition] = []
    for one in definitions:
        if changing and isinstance(one, core.Function) and not one.by_place:
            free = {part for part in walk.nodes(one.body) if isinstance(part, core.Global)} & changing
            one = replace(one, captured=tuple(sorted(free, key=lambda each: each.name)))
        result.append(one)
    return result
