"""Lints: what is allowed and hardly meant, as warnings. `cpl check` asks for them, no compilation does."""

from collections.abc import Iterator, Sequence

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.library import Library, Text
from cpl.semantics.lint_tests import of_tests
from cpl.semantics.lint_variables import not_seen, of_variables
from cpl.source import Span


def lint(program: core.Program, main: Text, library: Library, before: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What there is to say of the program's own text and of the libraries that its user names, and has not been said
    before. Of a definition that is not reached as a whole no more is said: what else it uses is not known.
    """
    told = {each.span for each in before}
    unreached = [each.span for each in before if each.cause is messages.UNREACHABLE]
    ours = {text.source for text in (main, *library.libraries)}
    definitions = [
        one
        for one in program.definitions
        if one.span.source in ours and not any(_holds(one.span, each) for each in unreached)
    ]
    functions = {one.name.name for one in program.definitions if isinstance(one, core.Function) and one.parameters}
    found = [*_of_taken_values(definitions), *_of_hidden(definitions)]
    for one in definitions:
        found += of_variables(one, functions)
        found += of_tests(one, library.host)
    return [each for each in found if each.span not in told]


def _holds(whole: Span, part: Span) -> bool:
    return whole.source == part.source and whole.start <= part.start and part.end <= whole.end


def _of_taken_values(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """Functions of the outermost level that are used after what they took has another value."""
    taking: dict[core.Global, core.Function] = {}
    changed: dict[core.Node, Span] = {}  # since the function was defined
    by_place = {
        part for one in definitions if isinstance(one, core.Function) and not one.taken for part in walk.nodes(one)
    }
    for one in definitions:
        if isinstance(one, core.Function) and one.taken:
            taking[one.name] = one
        for use in walk.nodes(one) if isinstance(one, core.Constants | core.Commands) else ():
            function = taking.get(use) if isinstance(use, core.Global) else None
            name = (
                next((each for each in function.taken if each in changed and each not in by_place), None)
                if function
                else None
            )
            if function and name:
                yield not_seen(function.name, name.name, changed[name], use.span)
                del taking[function.name]
        changed |= {name: name.span for name in walk.assigned(one)} if isinstance(one, core.Commands) else {}


def _of_hidden(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """Of what only one definition sees, the one that stands at its origin (D19), and does not use."""
    seeing = {one.span.start for one in definitions}
    used = {
        part
        for one in definitions
        for part in walk.nodes(one)
        if isinstance(part, core.Global) and part.is_hidden and part not in walk.names(one)
    }
    for one in definitions:
        match walk.names(one):
            case [core.Global(is_hidden=True, origin=origin) as name] if origin in seeing and name not in used:
                yield report(messages.UNUSED, name.span, name=name.name)
