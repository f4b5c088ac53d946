"""A program and all that is compiled with it, from surface trees to one core tree: the statements of the top level,
definitions that see each other. `resolver` resolves what is within a definition.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, scope, walk
from cpl.compiler.semantics.conversions import with_conversions
from cpl.compiler.semantics.graphs import components
from cpl.compiler.semantics.indentation import with_bodies
from cpl.compiler.semantics.jumps import with_jumps
from cpl.compiler.semantics.labels import in_sections
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.semantics.order import evaluation_order
from cpl.compiler.semantics.ready import with_ready_functions
from cpl.compiler.semantics.resolver import Resolver, sign_of, target_of
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
    of_other_language = errors.of_other_language(misspelt)
    if of_other_language:
        # A text in another language has a hundred names that nothing defines: one diagnostic says why.
        known = [diagnostic for diagnostic in diagnostics if diagnostic.cause is not messages.UNKNOWN_NAME]
        diagnostics[:] = [*known, *of_other_language]

    definitions = with_captures(with_ready_functions(definitions, diagnostics))
    before = [definition for definition in definitions if definition.span.source in evaluated]
    times = {text.source: -number for number, text in enumerate(library.texts)}  # the last text comes first
    before.sort(key=lambda definition: times[definition.span.source])
    new = [definition for definition in definitions if definition.span.source not in evaluated]
    in_order = (*before, *evaluation_order(new, program.source, diagnostics, evaluated_names))
    return with_conversions(core.Program(program.source, in_order)), with_bodies(diagnostics, program.program)


def is_call(definition: core.Definition) -> bool:
    """Whether this is one of the expressions to be evaluated."""
    return isinstance(definition, core.Function) and definition.name.name.startswith(CALL)


def _definitions(text: Text, top: TopLevel, diagnostics: list[Diagnostic]) -> Iterator[core.Definition]:
    statements = chain.from_iterable(map(members, text.program.statements))
    for statement in in_sections(statements):
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
    used: dict[Span, list[core.Definition]] = {}  # by the places of their statements
    waiting = list(definitions)
    while waiting:
        for node in walk.nodes(waiting.pop()):
            # An own variable, which is hidden, comes with its functions.
            binding = top.binding(node) if isinstance(node, core.Global) and not node.is_hidden else None
            if binding is None or binding.statement.span in used:
                continue
            resolved = [*_resolved(binding.statement, library, top, diagnostics)]
            used[binding.statement.span] = resolved
            waiting += resolved
    in_order = sorted(used, key=lambda span: span.start)
    return chain.from_iterable(used[span] for span in in_order)


def _is_too_deep(definition: core.Definition) -> bool:
    level: list[core.Node] = [definition]
    for _ in range(DEEPEST_TREE):
        if not level:
            break
        level = [*chain.from_iterable(map(walk.parts, level))]
    return bool(level)


_Naming = Callable[[nodes.Name], core.Global]


def members(whole: nodes.Statement) -> Sequence[nodes.Statement]:
    """The statements of a group. Of definitions with `rec`, each comes after those that it uses."""
    several = list(surface.members(whole))
    if not (isinstance(whole, nodes.Together) and "rec" in whole.words):
        return several
    definitions = [member for member in several if isinstance(member, AnyDefinition)]
    if all(parameters_of(as_function(definition)) is not None for definition in definitions):
        return several  # functions may use what comes after them

    defining: dict[str, int] = {}
    for at, member in enumerate(several):
        defining |= dict.fromkeys((name.name for name in surface.defined(member)), at)
    uses: list[dict[int, None]] = []
    for member in several:
        mentioned = (part.name for part in surface.walk(member) if isinstance(part, nodes.Name))
        uses.append(dict.fromkeys(defining[name] for name in mentioned if name in defining))
    return [several[at] for at in chain.from_iterable(components(uses))]


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
                declarations = [core.Declare(self._global(name), span=name.span) for name in names]
                yield core.Commands(tuple(declarations), span=span)
            case nodes.NodeType(name=name, components=components):
                component_names = tuple(component.name for component in components)
                types = tuple(component.kind for component in components)
                yield core.NodeType(self._global(name), component_names, types, span=span)
            case nodes.Element(name=name, alternatives=alternatives):
                types_or_names = tuple(map(self._alternative, alternatives))
                yield core.ElementType(self._global(name), types_or_names, span=span)
            case nodes.ValueCommand(value=value) if not self._has_effect(value):
                self._complain_of_value(value)
            case _:
                commands = self.commands((statement,))
                self._complain_of_results(commands)
                yield core.Commands(commands, span=span)

    def _complain_of_value(self, value: nodes.Expression) -> None:
        """Report an expression at the top level, which has no effect there."""
        reported = len(self.diagnostics)
        self.expression(value)
        causes = [diagnostic.cause for diagnostic in self.diagnostics[reported:]]
        says_more = len(causes) == 1 or messages.MISSPELT in causes or messages.NOT_A_VALUE in causes
        if not says_more:
            del self.diagnostics[reported:]
            self.complain(messages.COMMAND_AT_TOP, value.span, call=" ".join(value.span.text.split()))

    def _complain_of_results(self, commands: Sequence[core.Command]) -> None:
        """Report the results among commands of the top level, which are no block."""
        wrong = {diagnostic.span for diagnostic in self.diagnostics}
        for part in walk.all_commands(commands):
            if not isinstance(part, core.Result):
                continue
            if not part.bare:
                self.complain(messages.NO_BLOCK, part.span)
            elif part.span not in wrong:
                help = messages.OF_BARE_NAME.format(name=part.span.text)
                self.complain(messages.NOT_A_COMMAND, part.span, help)

    def _global(self, name: nodes.Name) -> core.Global:
        for binding in self.top.bindings[name.name].all:
            if binding.name.span == name.span:
                return replace(binding.name, span=name.span)
        return core.Global(name.name, span=name.span)  # it is defined twice, which is reported

    def _definition(self, definition: AnyDefinition, naming: _Naming) -> Iterator[core.Definition]:
        span, definition = definition.span, as_function(definition)
        match definition:
            case nodes.Definition(heading=nodes.Pattern(), sign="≃" | "≡"):
                self.complain(messages.NOT_SHARED, span)
            case nodes.Definition(heading=nodes.Name() | nodes.Pattern() as heading) if (
                mode(definition) != "substitution"
            ):
                yield core.Constants(target_of(heading, naming), self.value_of(definition).value, span=span)
            case _:
                [heading] = surface.defined(definition)
                function = naming(heading)
                value = self.value_of(definition)

                # No commands stand before a function of the top level. It captures constants that it alone sees.
                hidden: dict[core.Node, core.Global] = {}
                for capture in value.before:
                    if isinstance(capture.target, core.Local):
                        constant = core.Global(capture.target.name, heading.span, span=heading.span)
                        hidden[capture.target] = constant
                        yield core.Constants(constant, capture.value, span=span)

                def change(node: core.Node) -> core.Node:
                    constant = hidden.get(node) if isinstance(node, core.Local) else None
                    return replace(constant, span=node.span) if constant else node

                body = walk.rebuilt(value.value, change) if hidden else value.value
                by_place, result = sign_of(definition) != "=", surface.result(definition)
                yield core.Function(function, value.parameters, body, by_place, result=result, span=span)

    def _own(self, statement: nodes.Own) -> Iterator[core.Definition]:
        """`let d in e` (D19): nothing but e sees the names that d defines."""
        own = [definition for definition in members(statement.own) if isinstance(definition, AnyDefinition)]
        inner = [part for part in surface.members(statement.inner) if isinstance(part, AnyDefinition)]
        hidden: dict[Span, core.Global] = {}
        bindings: list[Binding] = []
        for definition in own:
            declared = surface.declared(as_function(definition))
            for name in surface.defined(definition):
                variable = core.Global(name.name, statement.inner.span, declared, span=name.span)
                hidden[name.span] = variable
                bindings.append(Binding(variable, definition))

        def naming(name: nodes.Name) -> core.Global:
            return hidden[name.span]

        if "rec" not in statement.own.words:
            yield from self._all(own, naming)
        with self.variables.block():
            for binding in bindings:
                self.variables.share(binding.name.name, binding.name)
                self.top.hidden[binding.name] = binding
            if "rec" in statement.own.words:
                yield from self._all(own, naming)
            yield from self._all(inner, self._global)

    def _all(self, definitions: Sequence[AnyDefinition], naming: _Naming) -> Iterator[core.Definition]:
        for definition in definitions:
            yield from self._definition(definition, naming)

    def _alternative(self, name: nodes.Name) -> core.Global | core.Literal:
        is_basic = name.name[0].islower() or name.name == "Boolean"
        meant = None if is_basic else self.name(name)
        return meant if isinstance(meant, core.Global) else core.Literal(name.name, span=name.span)

    def _has_effect(self, value: nodes.Expression) -> bool:
        """Whether to run this may be of use: it applies a routine, or a function that captures places (D27)."""
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
    changing = walk.changed_globals(definitions)
    result: list[core.Definition] = []
    for definition in definitions:
        if changing and isinstance(definition, core.Function) and not definition.by_place:
            free = {part for part in walk.nodes(definition.body) if isinstance(part, core.Global)} & changing
            definition = replace(definition, captured=tuple(sorted(free, key=lambda name: name.name)))
        result.append(definition)
    return result
