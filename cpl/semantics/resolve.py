"""Surface tree to core tree: names bound, chains ordered by the reading's table, juxtaposition decided, sugar gone."""

from collections.abc import Sequence
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, scope, walk
from cpl.semantics.init_order import evaluation_order
from cpl.semantics.library import Library, Text
from cpl.semantics.outermost import Outer, with_jumps, with_values
from cpl.semantics.resolver import Resolver
from cpl.semantics.scope import Known, Outermost
from cpl.source import Span
from cpl.syntax import nodes
from cpl.syntax import walk as surface

MOST_DEEP: Final = 1000
"""How deep a definition's tree may be: Python's compiler gives up at about three times that."""

CALL: Final = "call"
"""A name that no CPL program can give to anything."""


def resolve(
    program: Text, library: Library, calls: Sequence[nodes.Expression] = ()
) -> tuple[core.Program, list[Diagnostic]]:
    """The program with all that it is compiled with. With errors among the diagnostics it may lack definitions.

    `calls` are expressions as if they stood in the program: they become the functions `CALL`1, `CALL`2 … of no
    parameters. Each text is read as its `reading` says.
    """
    found: list[Diagnostic] = []
    unit, closed = scope.outermost(program, library, found)
    definitions: list[core.Definition] = []
    taking: set[core.Global] = set()
    for text in (program, *library.libraries, *library.companions):
        definitions += _definitions(text, unit, found, taking)
    for number, call in enumerate(calls, start=1):
        body = Resolver(unit, program.reading, found).call(call)
        definitions.append(core.Function(core.Global(f"{CALL}{number}", span=call.span), (), body, span=call.span))
    if library.standard:
        everything = _definitions(library.standard, closed, found, taking)
        definitions += _used(definitions, everything)
    definitions = with_values(definitions, taking, found)
    return core.Program(program.source, evaluation_order(definitions, program.source, found)), found


def _definitions(
    text: Text, outer: Outermost, found: list[Diagnostic], taking: set[core.Global]
) -> list[core.Definition]:
    result: list[core.Definition] = []
    for statement in with_jumps(each for whole in text.program.statements for each in surface.parts(whole)):
        names = surface.defined(statement)
        others = [name for name in names if outer.known[name.name].definition is not statement]
        if names and len(others) == len(names):
            continue  # another text, asked before this one, has its own
        found += [_clash(name, outer.known[name.name]) for name in others]
        for definition in Outer(outer, text.reading, found, taking).definitions(statement):
            if deepest := _too_deep(definition):
                found.append(report(messages.TOO_DEEP, deepest, limit=MOST_DEEP))
            result.append(definition)
    return result


def _clash(name: nodes.Name, other: Known) -> Diagnostic:
    return report(messages.DEFINED_TWICE, name.span, related=[(other.name.span, "and here")], name=name.name)


def _used(definitions: Sequence[core.Definition], library: Sequence[core.Definition]) -> list[core.Definition]:
    """Those definitions of a library that the given ones need, in the library's order."""
    defining = {name: one for one in library for name in walk.names(one)}
    needed: set[int] = set()
    waiting = list(definitions)
    while waiting:
        for node in walk.nodes(waiting.pop()):
            if isinstance(node, core.Global) and (one := defining.get(node)) and id(one) not in needed:
                needed.add(id(one))
                waiting.append(one)
    return [one for one in library if id(one) in needed]


def _too_deep(definition: core.Definition) -> Span | None:
    waiting: list[tuple[core.Node, int]] = [(definition, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MOST_DEEP:
            return definition.span
        waiting += [(part, depth + 1) for part in walk.parts(node)]
    return None
