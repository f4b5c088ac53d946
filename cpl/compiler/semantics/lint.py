"""Lints: warnings about what is allowed but probably not intended. `lint_variables` has those of variables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, takewhile
from math import nan
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.semantics.lint_captures import lint_captures
from cpl.compiler.semantics.lint_variables import lint_variables
from cpl.compiler.semantics.whole_program import is_call
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.lexer import symbols_of


def lint(
    program: core.Program,
    main: Text,
    library: Library,
    before: Sequence[Diagnostic],
    evaluated: Mapping[Source, Sequence[core.Commands]],
) -> list[Diagnostic]:
    """The warnings on the program's own text, the calls in it and the libraries that its user names, but for places
    that have a diagnostic before. There are none on a definition with an unreachable part: what else it uses is not
    known. What a session has `evaluated` at the ends of its earlier texts may have changed variables.
    """
    reported = {diagnostic.span for diagnostic in before}
    unreached = [diagnostic.span for diagnostic in before if diagnostic.cause is messages.UNREACHABLE]
    ours = {text.source for text in (main, *library.libraries)}

    definitions: list[core.Definition] = []
    functions: set[str] = set()
    for definition in program.definitions:
        if isinstance(definition, core.Function) and definition.parameters:
            functions.add(definition.name.name)
        is_ours = definition.span.source in ours or is_call(definition)
        if is_ours and not any(definition.span.holds(span) for span in unreached):
            definitions.append(definition)

    past = [*chain.from_iterable(evaluated.values())]
    diagnostics = [*lint_captures(_in_turn([*definitions, *past], evaluated), past), *lint_layout(main.program)]
    for definition in definitions:
        diagnostics += [*lint_variables(definition, functions), *lint_ranges(definition)]
    return [diagnostic for diagnostic in diagnostics if diagnostic.span not in reported]


def _in_turn(definitions: Sequence[core.Definition], texts: Iterable[Source]) -> list[core.Definition]:
    """The definitions in the order of these texts, and then those of other texts."""
    times = {source: time for time, source in enumerate(texts)}
    return sorted(definitions, key=lambda definition: times.get(definition.span.source, len(times)))


_TAKES_ONE: Final = (nodes.If, nodes.Test, nodes.While, nodes.ForStep, nodes.ForList)


# Layout and values


def lint_layout(program: nodes.Program) -> Iterator[Diagnostic]:
    """Indentation means nothing, and the body of a loop or of an arm is one command. What is written in one line of the
    text after another is written on one line (G17).
    """
    parts = list(surface.walk(program))
    names = chain.from_iterable(map(surface.defined, parts))
    defines_write = any(name.name == "Write" for name in names)
    for section in parts:
        if not isinstance(section, nodes.Program | nodes.Section):
            continue
        for head, command in pairwise(section.statements):
            if not defines_write and head.span.line < command.span.line and _run_together(head, command):
                yield report(messages.SAME_LINE, command.span, related=[(head.span, "this stays on its line")])
            seeming = _seems_to_hold(head, command.span.column) if _begins_line(command) else None
            if seeming:
                word = "".join(takewhile(str.isalpha, seeming.span.text))
                start = Span(seeming.span.source, seeming.span.start, seeming.span.start + len(word))
                yield report(messages.INDENTED, command.span, related=[(start, "its body is one command")], word=word)


def _seems_to_hold(head: nodes.Statement, column: int) -> nodes.Statement | None:
    """The loop or choice, this one or its last command, that seems to hold a command which begins in a later line at
    this column: it is further right than what leads to the last command. None if section brackets end that.
    """
    seeming = None
    while isinstance(head, _TAKES_ONE):
        last = head.otherwise if isinstance(head, nodes.Test) else head.command
        if seeming is None and column > _column_of_lead(head, last):
            seeming = head
        head = last
    return None if isinstance(head, nodes.Section) else seeming


def _column_of_lead(head: nodes.Statement, last: nodes.Statement) -> int:
    """The column of what leads to the last command of a choice or a loop: of its own word, or of what begins the line
    of the last arm, such as `or do`.
    """
    source, line = last.span.source, last.span.line
    if _begins_line(last):
        line = max(number for number in range(head.span.line, line) if source.line(number).strip())
    if line == head.span.line:
        return head.span.column
    text = source.line(line)
    return len(text) - len(text.lstrip()) + 1


def _begins_line(command: nodes.Statement) -> bool:
    return not command.span.source.line(command.span.line)[: command.span.column - 1].strip()


def _written(command: nodes.Statement) -> tuple[nodes.Expression, ...]:
    """What this command writes without ending the line."""
    match command:
        case nodes.ValueCommand(value=nodes.Application(function=nodes.Name(name="Write"), arguments=arguments)):
            return arguments
        case _:
            return ()


def _run_together(first: nodes.Statement, second: nodes.Statement) -> bool:
    """Whether what two commands write is one word, or one number, when it is read."""
    items, others = _written(first), _written(second)
    return bool(items and others) and not (_separates(items[-1], -1) or _separates(others[0], 0))


def _separates(item: nodes.Expression, end: int) -> bool:
    """Whether an item is a string that is empty, or has no letter or digit at this end: its first (0) or last (-1)."""
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
                for bound in bounds:
                    if isinstance(bound, core.Tuple):
                        yield from _empty_bounds(bound.items[0], bound.items[1])


def _empty_loop(loop: core.ForStep) -> Iterator[Diagnostic]:
    """Constant ends from which the step leads away. After `to`, the text has no step, and the loop's is 1."""
    lower, upper, by = _constant(loop.first), _constant(loop.last), _constant(loop.step)
    # Each comparison with a number that is not known is false.
    leads_away = (by > 0 and upper < lower) or (by < 0 and upper > lower)
    if not leads_away and by != 0:
        return

    step = loop.step.span.text
    is_written = loop.step.span != loop.last.span
    if by > 0:
        direction, sign, opposite = "down", "negative", f"-{step}" if is_written else "-1"
    else:
        direction, sign, opposite = "up", "positive", step.lstrip("-− ")
    yield report(
        messages.EMPTY_RANGE,
        loop.first.span.to(loop.last.span),
        first=loop.first.span.text,
        last=loop.last.span.text,
        steps=f" in steps of {step}" if is_written else "",
        direction=direction,
        sign=sign,
        step=opposite,
        help=None if by else "a step of 0 is a fault: write one that leads from the first number to the last",
    )


def _empty_bounds(first: core.Expression, last: core.Expression) -> Iterator[Diagnostic]:
    """Constant bounds of an array in the wrong order. One without members has bounds such as (1,0)."""
    if _constant(last) < _constant(first) - 1:
        greater, less = first.span.text, last.span.text
        help = f"write the lower bound first: ({less},{greater})"
        yield report(messages.EMPTY_RANGE, first.span.to(last.span), help=help, first=greater, last=less, steps="")


def _constant(node: core.Expression) -> float:
    """The number that is written out; not a number if there is none."""
    match node:
        case core.Literal(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case core.Unary(operator="MINUS", operand=operand):
            return -_constant(operand)
        case _:
            return nan
