"""Lints: warnings about what is allowed but probably not intended.

`cpl check` shows all, other commands only those that mislead. `lint_variables` has those of variables.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from math import nan
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.graphs import reachable
from cpl.semantics.library import Library, Text
from cpl.semantics.lint_variables import lint_variables, not_seen
from cpl.semantics.whole_program import is_call
from cpl.source import Span
from cpl.syntax import nodes, surface
from cpl.syntax.lexer import symbols_of


def lint(program: core.Program, main: Text, library: Library, before: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The warnings on the program's own text, the calls in it and the libraries that its user names, but for places
    that have a diagnostic before. There are none on a definition that is not reached as a whole: what else it uses is
    not known.
    """
    reported = {diagnostic.span for diagnostic in before}
    unreached = [diagnostic.span for diagnostic in before if diagnostic.cause is messages.UNREACHABLE]
    ours = {text.source for text in (main, *library.libraries)}
    definitions = [
        definition
        for definition in program.definitions
        if (definition.span.source in ours or is_call(definition))
        and not any(definition.span.holds(span) for span in unreached)
    ]
    functions = {
        definition.name.name
        for definition in program.definitions
        if isinstance(definition, core.Function) and definition.parameters
    }
    diagnostics = [*_lint_captured(definitions), *_lint_called(definitions), *lint_layout(main.program)]
    for definition in definitions:
        diagnostics += [*lint_variables(definition, functions), *lint_ranges(definition)]
    return [diagnostic for diagnostic in diagnostics if diagnostic.span not in reported]


def _lint_captured(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """A function of the top level is used after a variable that it captured by value has changed.

    Where another function captures the place, the difference is intended.
    """
    capturing: dict[core.Node, core.Function] = {}
    stale: dict[core.Node, tuple[str, Span]] = {}  # what they do not see
    by_place = [
        definition for definition in definitions if isinstance(definition, core.Function) and not definition.captured
    ]
    intended = {part for definition in by_place for part in walk.nodes(definition) if isinstance(part, core.Global)}
    for definition in sorted(definitions, key=is_call):
        if isinstance(definition, core.Function) and not is_call(definition):
            capturing[definition.name] = definition
            continue
        for use in walk.nodes(definition):
            if use in stale:
                yield not_seen(capturing.pop(use).name, *stale.pop(use), use.span)
        for name in walk.assigned(definition):
            unaware = [function for function, whole in capturing.items() if name in whole.captured]
            stale |= dict.fromkeys(unaware if name not in intended else (), (name.name, name.span))


def _lint_called(definitions: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """A function of the top level applies another that changes a variable, and then reads the value it captured."""
    functions = {definition.name: definition for definition in definitions if isinstance(definition, core.Function)}
    calls: dict[core.Global, list[tuple[core.Global, Span]]] = {name: [] for name in functions}
    users: dict[core.Global, list[core.Global]] = {name: [] for name in functions}
    for name, function in functions.items():
        for part in walk.nodes(function.body):
            match part:
                case core.Apply(function=core.Global() as applied) if applied in functions:
                    calls[name].append((applied, part.span))
                    users[applied].append(name)
    captured = {name for function in functions.values() for name in function.captured}
    reported: set[Span] = set()
    for changer, function in functions.items():
        for variable, changed in {
            assigned: assigned.span for assigned in walk.assigned(function) if assigned in captured
        }.items():
            leading = dict.fromkeys(reachable([changer], users.__getitem__))
            for name in (reader for reader in leading if variable in functions[reader].captured):
                places = [span for applied, span in calls[name] if applied in leading]
                use = _read_after(functions[name].body, variable, places)
                if use and use not in reported:
                    reported.add(use)
                    yield not_seen(name, variable.name, changed, use)


def _read_after(body: core.Node, variable: core.Node, places: Sequence[Span]) -> Span | None:
    """Return the place where a variable is read behind the first of these places, or in a loop with one."""
    loops = [loop.span.start for loop in walk.loops(body) if any(loop.span.holds(call) for call in places)]
    start = min([*loops, *(call.end for call in places)], default=body.span.end)
    reads = [part.span for part in walk.nodes(body) if part == variable and part.span.start >= start]
    return min(reads, key=lambda span: span.start, default=None)


_TAKES_ONE: Final = (nodes.If, nodes.Test, nodes.While, nodes.ForStep, nodes.ForList)


# Layout and values


def lint_layout(program: nodes.Program) -> Iterator[Diagnostic]:
    """Indentation means nothing, and the body of a loop or of an arm is one command. What is written in one line of the
    text after another is written on one line (G17).
    """
    parts = list(surface.walk(program))
    is_ours = any(name.name == "Write" for part in parts for name in surface.defined(part))
    sections = (part for part in parts if isinstance(part, nodes.Program | nodes.Section))
    for head, command in (pair for section in sections for pair in pairwise(section.statements)):
        items, others = _written(head), _written(command)
        separated = not (items and others) or is_ours or _ends(items[-1], -1) or _ends(others[0], 0)
        if not separated and head.span.line < command.span.line:
            yield report(messages.SAME_LINE, command.span, related=[(head.span, "this stays on its line")])
        place, source = command.span, command.span.source
        begins_line = not source.line(place.line)[: place.column - 1].strip()
        if isinstance(head, _TAKES_ONE) and begins_line and place.column > head.span.column:
            word = "".join(takewhile(str.isalpha, head.span.text))
            start = Span(source, head.span.start, head.span.start + len(word))
            yield report(messages.INDENTED, place, related=[(start, "its body is one command")], word=word)


def _written(command: nodes.Statement) -> tuple[nodes.Expression, ...]:
    """What this command writes without ending the line."""
    match command:
        case nodes.ValueCommand(value=nodes.Application(function=nodes.Name(name="Write"), arguments=arguments)):
            return arguments
        case _:
            return ()


def _ends(item: nodes.Expression, end: int) -> bool:
    """Whether an item is a string that is empty, or has no letter or digit at this end, so that it separates others."""
    match item:
        case nodes.String(text=text):
            symbols = symbols_of(text)
            return not symbols or not symbols[end].isalnum()
        case _:
            return False


def lint_ranges(definition: core.Definition) -> Iterator[Diagnostic]:
    """The loops and arrays of a definition that have nothing from their first bound to their last."""
    for node in walk.nodes(definition):
        match node:
            case core.ForStep():
                yield from _empty_loop(node)
            case core.Apply(function=core.Host(name="Array"), arguments=(_, *bounds)):
                for pair in (bound.items for bound in bounds if isinstance(bound, core.Tuple)):
                    yield from _empty_bounds(pair[0], pair[1])


def _empty_loop(loop: core.ForStep) -> Iterator[Diagnostic]:
    """Constant ends from which the step leads away. After `to`, the text has no step, and the loop's is 1."""
    first, last, step = loop.first.span.text, loop.last.span.text, loop.step.span.text
    lower, upper, by = _constant(loop.first), _constant(loop.last), _constant(loop.step)
    is_written = loop.step.span != loop.last.span
    if by and not (by > 0 and upper < lower) and not (by < 0 and upper > lower):
        return
    yield report(
        messages.EMPTY_RANGE,
        loop.first.span.to(loop.last.span),
        first=first,
        last=last,
        steps=f" in steps of {step}" if is_written else "",
        direction="down" if by > 0 else "up",
        sign="negative" if by > 0 else "positive",
        step=f"-{step}" if by > 0 and is_written else "-1" if by > 0 else step.lstrip("-− "),
        help=None if by else "a step of 0 is a fault: write one that leads from the first number to the last",
    )


def _empty_bounds(first: core.Expression, last: core.Expression) -> Iterator[Diagnostic]:
    """Constant bounds of an array in the wrong order. One without members has bounds such as (1,0)."""
    if _constant(last) < _constant(first) - 1:
        lower, upper = first.span.text, last.span.text
        help = f"write the lower bound first: ({upper},{lower})"
        yield report(messages.EMPTY_RANGE, first.span.to(last.span), help=help, first=lower, last=upper, steps="")


def _constant(node: core.Expression) -> float:
    """The number that is written out; not a number if there is none."""
    match node:
        case core.Literal(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case core.Unary(operator="MINUS", operand=operand):
            return -_constant(operand)
        case _:
            return nan
