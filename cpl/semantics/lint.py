"""Lints: warnings about what is allowed but probably not intended. `cpl check` shows all, others those that mislead."""

from collections.abc import Iterator, Sequence, Set

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.library import Library, Text
from cpl.semantics.lint_layout import lint_layout
from cpl.semantics.lint_tests import lint_tests
from cpl.semantics.lint_values import lint_values
from cpl.semantics.lint_variables import lint_unset, lint_variables, not_seen
from cpl.semantics.reach import reachable
from cpl.semantics.variable_uses import VariableUses
from cpl.semantics.whole_program import is_call
from cpl.source import Span
from cpl.syntax import nodes
from cpl.syntax import walk as surface


def lint(program: core.Program, main: Text, library: Library, before: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The warnings on the program's own text, the calls in it and the libraries that its user names, but for places
    that have a diagnostic before. There are none on a definition that is not reached as a whole: what else it uses is
    not known.
    """
    reported = {each.span for each in before}
    unreached = [each.span for each in before if each.cause is messages.UNREACHABLE]
    ours = {text.source for text in (main, *library.libraries)}
    definitions = [
        one
        for one in program.definitions
        if (one.span.source in ours or is_call(one)) and not any(one.span.holds(each) for each in unreached)
    ]
    functions = {one.name.name for one in program.definitions if isinstance(one, core.Function) and one.parameters}
    aliased = {
        part.value.name
        for one in main.program.statements
        for part in surface.members(one)
        if isinstance(part, nodes.Definition) and part.sign == "≃" and isinstance(part.value, nodes.Name)
    }
    found = [*_lint_captured(definitions), *_lint_called(definitions), *_lint_hidden(definitions, aliased)]
    found += [*lint_layout(main.program), *_lint_unset(definitions, program)]
    for one in definitions:
        found += [*lint_variables(one, functions), *lint_values(one, program.definitions), *lint_tests(one)]
    return [each for each in found if each.span not in reported]


def _lint_unset(definitions: Sequence[core.Definition], program: core.Program) -> Iterator[Diagnostic]:
    """A variable of the top level is read before anything can have assigned to it; no function assigns to it."""
    changed = {name for one in program.definitions if isinstance(one, core.Function) for name in walk.changed(one)}
    uses = VariableUses(*(one for one in definitions if not isinstance(one, core.Function)))
    for variable in uses.variables.values():
        if isinstance(variable.name, core.Global) and variable.name not in changed:
            yield from lint_unset(variable, uses)


def _lint_captured(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """A function of the top level is used after a variable that it captured by value has changed.

    Where another function captures the place, the difference is intended.
    """
    capturing: dict[core.Node, core.Function] = {}
    stale: dict[core.Node, tuple[str, Span]] = {}  # what they do not see
    by_place = [one for one in definitions if isinstance(one, core.Function) and not one.captured]
    intended = {part for one in by_place for part in walk.nodes(one) if isinstance(part, core.Global)}
    for one in sorted(definitions, key=is_call):
        if isinstance(one, core.Function) and not is_call(one):
            capturing[one.name] = one
            continue
        for use in walk.nodes(one):
            if use in stale:
                yield not_seen(capturing.pop(use).name, *stale.pop(use), use.span)
        for name in walk.assigned(one):
            unaware = [function for function, whole in capturing.items() if name in whole.captured]
            stale |= dict.fromkeys(unaware if name not in intended else (), (name.name, name.span))


def _lint_called(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """A function of the top level applies another that changes a variable, and then reads the value it captured."""
    functions = {one.name: one for one in definitions if isinstance(one, core.Function)}
    calls: dict[core.Global, list[tuple[core.Global, Span]]] = {name: [] for name in functions}
    users: dict[core.Global, list[core.Global]] = {name: [] for name in functions}
    for name, one in functions.items():
        for part in walk.nodes(one.body):
            match part:
                case core.Apply(function=core.Global() as applied) if applied in functions:
                    calls[name].append((applied, part.span))
                    users[applied].append(name)
    captured = {name for one in functions.values() for name in one.captured}
    reported: set[Span] = set()
    for changer, one in functions.items():
        for variable, changed in {each: each.span for each in walk.assigned(one) if each in captured}.items():
            leading = dict.fromkeys(reachable([changer], users.__getitem__))
            for name in (each for each in leading if variable in functions[each].captured):
                places = [span for applied, span in calls[name] if applied in leading]
                use = _read_after(functions[name].body, variable, places)
                if use and use not in reported:
                    reported.add(use)
                    yield not_seen(name, variable.name, changed, use)


def _read_after(body: core.Node, variable: core.Node, places: Sequence[Span]) -> Span | None:
    """Where a variable is read behind the first of these places, or in a loop with one."""
    loops = [loop.span.start for loop in walk.loops(body) if any(loop.span.holds(each) for each in places)]
    start = min([*loops, *(each.end for each in places)], default=body.span.end)
    reads = [part.span for part in walk.nodes(body) if part == variable and part.span.start >= start]
    return min(reads, key=lambda each: each.start, default=None)


def _lint_hidden(definitions: Sequence[core.Definition], aliased: Set[str]) -> Iterator[Diagnostic]:
    """A name that only one definition sees, the one at its origin (D19), and does not use, even by an alias."""
    seeing = {one.span.start for one in definitions}
    used = {
        part
        for one in definitions
        for part in walk.nodes(one)
        if isinstance(part, core.Global) and part.is_hidden and part not in walk.names(one)
    }
    for one in definitions:
        match walk.names(one):
            case [core.Global(origin=Span(start=origin)) as name] if (
                origin in seeing and name not in used and name.name not in aliased
            ):
                yield report(messages.UNUSED, name.span, name=name.name)
