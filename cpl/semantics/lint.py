"""Lints: warnings about what is allowed but probably not intended. `cpl check` asks for them, compilation does not."""

from collections.abc import Iterator, Sequence, Set

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.library import Library, Text
from cpl.semantics.lint_layout import lint_layout
from cpl.semantics.lint_tests import lint_tests
from cpl.semantics.lint_variables import lint_variables, not_seen
from cpl.semantics.reach import reachable
from cpl.source import Span
from cpl.syntax import nodes
from cpl.syntax import walk as surface


def lint(program: core.Program, main: Text, library: Library, before: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The warnings on the program's own text and on the libraries that its user names, but for places that have a
    diagnostic before. There are none on a definition that is not reached as a whole: what else it uses is not known.
    """
    reported = {each.span for each in before}
    unreached = [each.span for each in before if each.cause is messages.UNREACHABLE]
    ours = {text.source for text in (main, *library.libraries)}
    definitions = [
        one
        for one in program.definitions
        if one.span.source in ours and not any(one.span.holds(each) for each in unreached)
    ]
    functions = {one.name.name for one in program.definitions if isinstance(one, core.Function) and one.parameters}
    aliased = {
        part.value.name
        for one in main.program.statements
        for part in surface.members(one)
        if isinstance(part, nodes.Definition) and part.sign == "≃" and isinstance(part.value, nodes.Name)
    }
    found = [*_lint_captured(definitions), *_lint_called(definitions), *_lint_hidden(definitions, aliased)]
    found += lint_layout(main.program)
    for one in definitions:
        found += lint_variables(one, functions)
        found += lint_tests(one)
    return [each for each in found if each.span not in reported]


def _lint_captured(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """A function of the top level is used after a variable that it captured by value has changed.

    Where another function captures the place, the difference is intended.
    """
    capturing: dict[core.Node, core.Function] = {}
    changed: dict[core.Node, Span] = {}
    by_place = [one for one in definitions if isinstance(one, core.Function) and not one.captured]
    intended = {part for one in by_place for part in walk.nodes(one) if isinstance(part, core.Global)}
    for one in definitions:
        if isinstance(one, core.Function):
            capturing[one.name] = one
            continue
        for use in walk.nodes(one):
            function = capturing.get(use)
            captured = function.captured if function else ()
            name = next((each for each in captured if each in changed and each not in intended), None)
            if function and name:
                yield not_seen(function.name, name.name, changed[name], use.span)
                del capturing[function.name]
        changed |= {name: name.span for name in walk.assigned(one)}


def _lint_called(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """A function of the top level captures the value of a variable that is changed by another, which it applies."""
    functions = {one.name: one for one in definitions if isinstance(one, core.Function)}
    changed = {name: {each: each.span for each in walk.assigned(one)} for name, one in functions.items()}
    ever = {each for found in changed.values() for each in found}

    def mentioned(name: core.Global) -> Iterator[core.Global]:
        return (
            part for part in walk.nodes(functions[name].body) if isinstance(part, core.Global) and part in functions
        )

    for one in functions.values():
        captured = ever.intersection(one.captured)
        for other in reachable([one.name], mentioned) if captured else ():
            if other != one.name and (lost := captured.intersection(changed[other])):
                use = next(part for part in walk.nodes(one.body) if part in lost)
                yield not_seen(one.name, use.name, changed[other][use], use.span)
                break


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
