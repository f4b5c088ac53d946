"""A program and all that is compiled with it, from surface trees to one core tree: the statements of the top level,
definitions that see each other. `resolver` resolves what is within a definition.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, scope, walk
from cpl.compiler.semantics.conversions import with_conversions
from cpl.compiler.semantics.graphs import components
from cpl.compiler.semantics.jumps import with_jumps
from cpl.compiler.semantics.labels import in_sections
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.semantics.order import evaluation_order
from cpl.compiler.semantics.ready import with_ready_functions
from cpl.compiler.semantics.resolver import Resolver, several, sign_of
from cpl.compiler.semantics.scope import AnyDefinition, Binding, TopLevel, as_function, mode, parameters_of
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import errors, nodes, surface
from cpl.limits import DEEPEST_TREE

CALL: Final = "call"
"""A name that no CPL program can define."""


def resolve(
    program: Text,
    library: Library,
    calls: Sequence[nodes.Expression] = (),
    *,
    evaluated: Set[Source] = frozenset(),
    evaluated_names: Set[core.Global] = frozenset(),
    uses: scope.Uses | None = None,
    scopes: scope.Scopes | None = None,
) -> tuple[core.Program, list[Diagnostic]]:
    """The program with everything that is compiled with it. If there are errors it may lack definitions.

    `calls` are expressions as if they were part of the program: they become the functions `CALL`1, `CALL`2 … without
    parameters. Each text is read as its `reading` says. What is `evaluated` already, texts and `evaluated_names`, comes
    first, and nothing waits for it. What the names mean is put into `uses`, and what those could mean that nothing
    defines into `scopes`.
    """
    diagnostics: list[Diagnostic] = []
    unit, closed = scope.top_level(program, library, diagnostics)
    unit.trees += calls
    unit.uses = closed.uses = {} if uses is None else uses
    unit.scopes = {} if scopes is None else scopes
    definitions: list[core.Definition] = []
    for text in (program, *library.libraries, *library.companions):
        definitions += _definitions(text, unit, diagnostics)
    for number, call in enumerate(calls, start=1):
        body = TopLevelResolver(unit, program.reading, diagnostics).call(call)
        function = core.Function(core.Global(f"{CALL}{number}", span=call.span), (), body, span=call.span)
        definitions.append(with_jumps(function, unit, diagnostics))
    if library.standard:
        definitions += _used(definitions, library.standard, closed, diagnostics)
    misspelt = [diagnostic for diagnostic in diagnostics if diagnostic.cause is messages.MISSPELT]
    if of_other_language := errors.of_other_language(misspelt):
        known = [diagnostic for diagnostic in diagnostics if diagnostic.cause is not messages.UNKNOWN_NAME]
        diagnostics[:] = [*known, *of_other_language]
    definitions = with_captures(with_ready_functions(definitions, diagnostics))
    times = {text.source: -number for number, text in enumerate(library.texts)}  # the last text comes first
    before = sorted(
        [definition for definition in definitions if definition.span.source in evaluated],
        key=lambda definition: times[definition.span.source],
    )
    new = [definition for definition in definitions if definition.span.source not in evaluated]
    in_order = (*before, *evaluation_order(new, program.source, diagnostics, evaluated_names))
    return with_conversions(core.Program(program.source, in_order)), diagnostics


def is_call(definition: core.Definition) -> bool:
    """Whether this is one of the expressions to be evaluated."""
    return isinstance(definition, core.Function) and definition.name.name.startswith(CALL)


def _definitions(text: Text, top: TopLevel, diagnostics: list[Diagnostic]) -> Iterator[core.Definition]:
    for statement in in_sections(member for whole in text.program.statements for member in members(whole)):
        names = surface.defined(statement)
        new = [name for name in names if not top.defining(name.name, statement)]
        if names and len(new) == len(names):
            continue  # an earlier text defines all of these
        for name in new:
            first = top.bindings[name.name].name.span
            if first.source != name.span.source:  # within a text, `scope` reports it
                related = [(first, "and here")]
                diagnostics.append(report(messages.DEFINED_TWICE, name.span, related=related, name=name.name))
        if new:
            continue
        for definition in _resolved(statement, text, top, diagnostics):
            if _is_too_deep(definition):
                diagnostics.append(report(messages.TOO_DEEP, definition.span, limit=DEEPEST_TREE))
            yield definition


def _resolved(
    statement: nodes.Statement, text: Text, top: TopLevel, diagnostics: list[Diagnostic]
) -> Iterator[core.Definition]:
    """Yield the definitions of a statement of the top level of a text, or its commands."""
    for definition in TopLevelResolver(top, text.reading, diagnostics).definitions(statement):
        yield with_jumps(definition, top, diagnostics)


def _used(
    definitions: Sequence[core.Definition], library: Text, top: TopLevel, diagnostics: list[Diagnostic]
) -> Iterator[core.Definition]:
    """Yield the definitions of a library that the given ones need, in the library's order."""
    used: dict[Span, list[core.Definition]] = {}
    waiting = list(definitions)
    while waiting:
        for node in walk.nodes(waiting.pop()):
            if isinstance(node, core.Global) and (binding := top.binding(node)) and binding.statement.span not in used:
                resolved = [*_resolved(binding.statement, library, top, diagnostics)]
                waiting += used.setdefault(binding.statement.span, resolved)
    return (definition for span in sorted(used, key=lambda span: span.start) for definition in used[span])


def _is_too_deep(definition: core.Definition) -> bool:
    level, depth = list[core.Node]([definition]), 0
    while level and depth < DEEPEST_TREE:
        level, depth = [part for node in level for part in walk.parts(node)], depth + 1
    return bool(level)


_Naming = Callable[[nodes.Name], core.Global]


def members(whole: nodes.Statement) -> Sequence[nodes.Statement]:
    """The statements of a group. Of definitions with `rec`, each comes after those that it uses."""
    several = list(surface.members(whole))
    if not (isinstance(whole, nodes.Together) and "rec" in whole.words):
        return several
    defining = {name.name: at for at, member in enumerate(several) for name in surface.defined(member)}
    names = [[part.name for part in surface.walk(member) if isinstance(part, nodes.Name)] for member in several]
    uses = [dict.fromkeys(defining[name] for name in mentioned if name in defining) for mentioned in names]
    plain = any(parameters_of(as_function(member)) is None for member in several if isinstance(member, AnyDefinition))
    return [several[at] for group in components(uses) for at in group] if plain else several


class TopLevelResolver(Resolver):
    """Resolves one statement of the top level."""

    def definitions(self, statement: nodes.Statement) -> Iterator[core.Definition]:
        """Yield the core of a statement: its definitions, or its commands."""
        span = statement.span
        for binding in self.top.earlier(statement):
            self.variables.share(binding.name.name, self.unaliased(binding, span).name, binding.name.span)
        match statement:
            case nodes.Get() | nodes.Preference():
                pass  # its text is among the libraries; the tree has the type at each name
            case nodes.Definition(heading=nodes.Name(), value=nodes.Name(name=other), sign="≃") if isinstance(
                self.top.lookup(other), Binding
            ):
                pass  # an alias is resolved wherever it is used
            case nodes.Definition() | nodes.Routine():
                yield from self._definition(statement, self._global)
            case nodes.Own():
                yield from self._own(statement)
            case nodes.Declaration(names=names):
                yield core.Commands(
                    tuple([core.Declare(self._global(name), span=name.span) for name in names]), span=span
                )
            case nodes.NodeType(name=name, components=components):
                types = tuple([component.kind for component in components])
                yield core.NodeType(
                    self._global(name), tuple([component.name for component in components]), types, span=span
                )
            case nodes.Element(name=name, alternatives=alternatives):
                types_or_names = tuple([self._alternative(alternative) for alternative in alternatives])
                yield core.ElementType(self._global(name), types_or_names, span=span)
            case nodes.ValueCommand(value=value) if not self._has_effect(value):
                reported = len(self.diagnostics)
                self.expression(value)
                causes = [diagnostic.cause for diagnostic in self.diagnostics[reported:]]
                if len(causes) != 1 and not {messages.MISSPELT, messages.NOT_A_VALUE} & set(causes):
                    del self.diagnostics[reported:]
                    self.complain(messages.COMMAND_AT_TOP, value.span, call=" ".join(value.span.text.split()))
            case _:
                commands = self.commands((statement,))
                wrong = {diagnostic.span for diagnostic in self.diagnostics}
                for part in (part for command in commands for part in walk.walk_commands(command)):
                    if isinstance(part, core.Result) and part.bare and part.span not in wrong:
                        help = messages.OF_BARE_NAME.format(name=part.span.text)
                        self.complain(messages.NOT_A_COMMAND, part.span, help)
                    elif isinstance(part, core.Result) and not part.bare:
                        self.complain(messages.NO_BLOCK, part.span)
                yield core.Commands(commands, span=span)

    def _global(self, name: nodes.Name) -> core.Global:
        every = (binding.name for binding in self.top.bindings[name.name].all if binding.name.span == name.span)
        return replace(next(every, core.Global(name.name, span=name.span)), span=name.span)  # none if it is there twice

    def _definition(self, definition: AnyDefinition, naming: _Naming) -> Iterator[core.Definition]:
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
                captures = {
                    capture.target: capture.value for capture in value.before if isinstance(capture.target, core.Local)
                }
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
        own = [definition for definition in members(statement.own) if isinstance(definition, AnyDefinition)]
        declared = {name.span: surface.declared(as_function(part)) for part in own for name in surface.defined(part)}

        def hidden(name: nodes.Name) -> core.Global:
            return core.Global(name.name, statement.inner.span, declared[name.span], span=name.span)

        inner_definitions = [
            definition for definition in surface.members(statement.inner) if isinstance(definition, AnyDefinition)
        ]
        if "rec" not in statement.own.words:
            yield from self._all(own, hidden)
        with self.variables.block():
            for definition, name in [(member, name) for member in own for name in surface.defined(member)]:
                self.variables.share(name.name, hidden(name))
                self.top.hidden[hidden(name)] = Binding(hidden(name), definition)
            if "rec" in statement.own.words:
                yield from self._all(own, hidden)
            yield from self._all(inner_definitions, self._global)

    def _all(self, definitions: Sequence[AnyDefinition], naming: _Naming) -> Iterator[core.Definition]:
        for definition in definitions:
            yield from self._definition(definition, naming)

    def _alternative(self, name: nodes.Name) -> core.Global | core.Literal:
        is_basic = name.name[0].islower() or name.name == "Boolean"
        meant = None if is_basic else self.name(name)
        return meant if isinstance(meant, core.Global) else core.Literal(name.name, span=name.span)

    def _has_effect(self, value: nodes.Expression) -> bool:
        """Whether to obey this may be of use: it applies a routine, or a function that captures places (D27)."""
        match value:
            case nodes.Name(name=name) if self.top.lookup(name):
                return self.is_routine(self.name(value))
            case nodes.Name(name="Finish" | "Return"):
                return True
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
    changing = {
        name for definition in definitions for name in walk.changed(definition) if isinstance(name, core.Global)
    }
    result: list[core.Definition] = []
    for definition in definitions:
        if changing and isinstance(definition, core.Function) and not definition.by_place:
            free = {part for part in walk.nodes(definition.body) if isinstance(part, core.Global)} & changing
            definition = replace(definition, captured=tuple(sorted(free, key=lambda name: name.name)))
        result.append(definition)
    return result
