"""Lints: warnings about what is allowed but probably not intended.

Those about layout and about ranges are here. `lint_variables` has those about variables, `lint_captures` those about
the values of variables that functions capture.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import nan

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.indentation import ITS_BODY, containing
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.semantics.lint_captures import lint_captures
from cpl.compiler.semantics.lint_variables import lint_variables
from cpl.compiler.semantics.whole_program import is_call
from cpl.compiler.source import Source
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.lexer import ODD_STARS, symbols_of
from cpl.compiler.syntax.tokens import unmarked


def lint(
    program: core.Program,
    main: Text,
    library: Library,
    before: Sequence[Diagnostic],
    evaluated: Mapping[Source, Sequence[core.Commands]],
) -> list[Diagnostic]:
    """The warnings on the program's own text, on the expressions that are called in it, and on the libraries that its
    user names. A place that has a diagnostic already, one of those `before`, gets no warning. A definition with an
    unreachable part gets none: what this part uses is not known. `evaluated` are the commands at the ends of a
    session's earlier texts, by text: they may have changed variables.
    """
    reported = {diagnostic.span for diagnostic in before}
    unreachable = [diagnostic.span for diagnostic in before if diagnostic.cause is messages.UNREACHABLE]
    ours = {text.source for text in (main, *library.libraries)}

    definitions: list[core.Definition] = []
    functions: set[str] = set()
    for definition in program.definitions:
        if isinstance(definition, core.Function) and definition.parameters:
            functions.add(definition.name.name)
        is_ours = definition.span.source in ours or is_call(definition)
        if is_ours and not any(definition.span.holds(span) for span in unreachable):
            definitions.append(definition)

    past = [*chain.from_iterable(evaluated.values())]
    in_time = _in_time([*definitions, *past], evaluated)
    diagnostics = [*lint_captures(in_time, past), *lint_layout(main.program)]
    for definition in definitions:
        diagnostics += [*lint_variables(definition, functions), *lint_ranges(definition)]
    return [diagnostic for diagnostic in diagnostics if diagnostic.span not in reported]


def _in_time(definitions: Sequence[core.Definition], texts: Iterable[Source]) -> list[core.Definition]:
    """The definitions in the order in which they run: those of earlier texts, in the order of these `texts`, and then
    those of the new ones.
    """
    times = {source: time for time, source in enumerate(texts)}
    return sorted(definitions, key=lambda definition: times.get(definition.span.source, len(times)))


# Layout


def lint_layout(program: nodes.Program) -> Iterator[Diagnostic]:
    """Warn where the layout of two commands, one after the other, suggests what they do not do.

    The second is indented as if it belonged to the loop, the choice or the routine before it: indentation means
    nothing, and the body of each is one command. Or both write words, in two lines of the text: the output has them on
    one line, without a space between them (G17). And warn of stars in a string that become fewer than they look.
    """
    all_nodes = list(surface.walk(program))
    for node in all_nodes:
        if isinstance(node, nodes.String):
            yield from _odd_stars(node)
    names = chain.from_iterable(map(surface.defined, all_nodes))
    defines_write = any(name.name == "Write" for name in names)  # then it is not the one of the library
    for section in all_nodes:
        if not isinstance(section, nodes.Program | nodes.Section):
            continue
        for command, following in pairwise(section.statements):
            are_on_two_lines = command.span.line < following.span.line
            if are_on_two_lines and not defines_write and _run_together(command, following):
                yield report(messages.SAME_LINE, following.span, related=[(command.span, "this stays on its line")])
            head = containing(command, following)
            if head:
                related = [(head, ITS_BODY)]
                yield report(messages.INDENTED, following.span, related=related, word=unmarked(head.text))


def _odd_stars(string: nodes.String) -> Iterator[Diagnostic]:
    """Warn of stars in a row of which the last one begins nothing: somebody has written one for each star."""
    for stars in ODD_STARS.finditer(string.span.text):
        start = string.span.start + stars.start()
        place = replace(string.span, start=start, end=start + len(stars[0]))
        yield report(messages.STARS, place, written=len(stars[0]), printed=len(stars[0]) // 2 + 1)


def _written(command: nodes.Statement) -> tuple[nodes.Expression, ...]:
    """The items that a command writes without ending the line; none for other commands."""
    match command:
        case nodes.ValueCommand(value=nodes.Application(function=nodes.Name(name="Write"), arguments=arguments)):
            return arguments
        case _:
            return ()


def _run_together(first: nodes.Statement, second: nodes.Statement) -> bool:
    """Whether the outputs of two commands look like one word, or like one number."""
    items, next_items = _written(first), _written(second)
    if not items or not next_items:
        return False
    return not _separates(items[-1], -1) and not _separates(next_items[0], 0)


def _separates(item: nodes.Expression, end: int) -> bool:
    """Whether an item is a string that is empty, or has no letter or digit at this end: its first (0) or last (-1)."""
    match item:
        case nodes.String(text=text):
            symbols = symbols_of(text)
            return not symbols or not symbols[end].isalnum()
        case _:
            return False


# Ranges


def lint_ranges(definition: core.Definition) -> Iterator[Diagnostic]:
    """Warn of the loops and arrays of a definition whose constant bounds are in the wrong order, so that there is
    nothing from the first to the last; and of loops whose step is 0.
    """
    for node in walk.nodes(definition):
        match node:
            case core.ForStep():
                yield from _empty_loop(node)
            case core.Apply(function=core.Host(name="Array"), arguments=(_, *bounds)):
                for bound in bounds:
                    if isinstance(bound, core.Tuple):
                        yield from _empty_bounds(bound.items[0], bound.items[1])


def _empty_loop(loop: core.ForStep) -> Iterator[Diagnostic]:
    """Warn if the step is 0, or leads away from the last number."""
    first, last, step = _constant(loop.first), _constant(loop.last), _constant(loop.step)
    # Each comparison with a number that is not known, a nan, is false.
    leads_away = (step > 0 and last < first) or (step < 0 and last > first)
    if not leads_away and step != 0:
        return

    # A loop with `to` has no step in the text. Its step is 1, and has the place of the last number.
    is_written = loop.step.span != loop.last.span
    step_text = loop.step.span.text if is_written else "1"
    if step > 0:
        direction, sign, opposite = "down", "negative", f"-{step_text}"
    else:
        direction, sign, opposite = "up", "positive", step_text.lstrip("-− ")
    # The message of a step of 0 has a help of its own, without these words.
    yield report(
        messages.EMPTY_RANGE,
        loop.first.span.to(loop.last.span),
        first=loop.first.span.text,
        last=loop.last.span.text,
        steps=f" in steps of {step_text}" if is_written else "",
        direction=direction,
        sign=sign,
        step=opposite,
        help=None if step else "a step of 0 is a fault: write one that leads from the first number to the last",
    )


def _empty_bounds(first: core.Expression, last: core.Expression) -> Iterator[Diagnostic]:
    """Warn if the bounds of an array are constant and in the wrong order."""
    if _constant(last) < _constant(first) - 1:  # bounds such as (1,0) are those of an array without members
        greater, less = first.span.text, last.span.text
        help = f"write the lower bound first: ({less},{greater})"
        yield report(messages.EMPTY_RANGE, first.span.to(last.span), help=help, first=greater, last=less, steps="")


def _constant(node: core.Expression) -> float:
    """The number that is written out; nan, for which every comparison is false, if it is another expression."""
    match node:
        case core.Literal(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case core.Unary(operator="MINUS", operand=operand):
            return -_constant(operand)
        case _:
            return nan
