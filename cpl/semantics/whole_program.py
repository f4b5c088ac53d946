"""A program and all that is compiled with it, from surface trees to one core tree. `resolver` resolves a definition."""

from collections.abc import Iterator, Sequence, Set
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, scope, walk
from cpl.semantics.init_order import evaluation_order
from cpl.semantics.library import Library, Text
from cpl.semantics.scope import TopLevel
from cpl.semantics.toplevel import TopLevelResolver, members, with_captures, with_jumps
from cpl.source import Source, Span
from cpl.syntax import errors, nodes
from cpl.syntax import walk as surface

MOST_DEEP: Final = 1000
"""How deep a definition's tree may be: Python's compiler gives up at about three times that."""

CALL: Final = "call"
"""A name that no CPL program can define."""


def resolve(
    program: Text,
    library: Library,
    calls: Sequence[nodes.Expression] = (),
    *,
    evaluated: Set[Source] = frozenset(),
    given: Set[core.Global] = frozenset(),
    uses: scope.Uses | None = None,
    scopes: scope.Scopes | None = None,
) -> tuple[core.Program, list[Diagnostic]]:
    """The program with everything that is compiled with it. If there are errors it may lack definitions.

    `calls` are expressions as if they were part of the program: they become the functions `CALL`1, `CALL`2 … without
    parameters. Each text is read as its `reading` says. What is `evaluated` already, texts and the names `given`, comes
    first, and nothing waits for it. What the names mean is put into `uses`, and what those could mean that nothing
    defines into `scopes`.
    """
    found: list[Diagnostic] = []
    unit, closed = scope.top_level(program, library, found)
    unit.trees += calls
    unit.uses = closed.uses = {} if uses is None else uses
    unit.scopes = {} if scopes is None else scopes
    definitions: list[core.Definition] = []
    for text in (program, *library.libraries, *library.companions):
        definitions += _definitions(text, unit, found)
    for number, call in enumerate(calls, start=1):
        body = TopLevelResolver(unit, program.reading, found).call(call)
        definitions.append(core.Function(core.Global(f"{CALL}{number}", span=call.span), (), body, span=call.span))
    if library.standard:
        definitions += _used(definitions, library.standard, closed, found)
    if of_bcpl := errors.of_bcpl([each for each in found if each.cause is messages.MISSPELT]):
        found[:] = [each for each in found if each.cause is not messages.UNKNOWN_NAME] + of_bcpl
    definitions = with_captures(definitions)
    times = {text.source: -number for number, text in enumerate(library.texts)}  # the last text comes first
    before = sorted(
        [each for each in definitions if each.span.source in evaluated], key=lambda one: times[one.span.source]
    )
    new = [each for each in definitions if each.span.source not in evaluated]
    return core.Program(program.source, (*before, *evaluation_order(new, program.source, found, given))), found


def is_call(definition: core.Definition) -> bool:
    """Whether this is one of the expressions to be evaluated."""
    return isinstance(definition, core.Function) and definition.name.name.startswith(CALL)


def _definitions(text: Text, top: TopLevel, found: list[Diagnostic]) -> Iterator[core.Definition]:
    for statement in with_jumps(each for whole in text.program.statements for each in members(whole)):
        names = surface.defined(statement)
        others = [name for name in names if not top.defining(name.name, statement)]
        if names and len(others) == len(names):
            continue  # an earlier text defines all of these
        for name in others:
            first = top.entries[name.name].name.span
            if first.source != name.span.source:  # within a text, `scope` reports it
                related = [(first, "and here")]
                found.append(report(messages.DEFINED_TWICE, name.span, related=related, name=name.name))
        if others:
            continue
        for definition in TopLevelResolver(top, text.reading, found).definitions(statement):
            if _is_too_deep(definition):
                found.append(report(messages.TOO_DEEP, definition.span, limit=MOST_DEEP))
            yield definition


def _used(
    definitions: Sequence[core.Definition], library: Text, top: TopLevel, found: list[Diagnostic]
) -> Iterator[core.Definition]:
    """Those definitions of a library that the given ones need, in the library's order."""
    used: dict[Span, list[core.Definition]] = {}
    waiting = list(definitions)
    while waiting:
        for node in walk.nodes(waiting.pop()):
            if isinstance(node, core.Global) and (entry := top.entry(node)) and entry.statement.span not in used:
                resolver = TopLevelResolver(top, library.reading, found)
                waiting += used.setdefault(entry.statement.span, [*resolver.definitions(entry.statement)])
    return (one for span in sorted(used, key=lambda span: span.start) for one in used[span])


def _is_too_deep(definition: core.Definition) -> bool:
    level, depth = list[core.Node]([definition]), 0
    while level and depth < MOST_DEEP:
        level, depth = [part for node in level for part in walk.parts(node)], depth + 1
    return bool(level)
