"""Lints of values that cannot be meant: ranges with nothing in them, and arguments by reference that are no places."""

from collections.abc import Iterator, Sequence
from math import nan

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, passing, walk


def lint_values(definition: core.Definition, top_level: Sequence[core.Definition]) -> Iterator[Diagnostic]:
    """The findings on a definition; among the definitions of the `top_level` are the functions that it may apply."""
    functions = {
        part.name: part
        for part in (*top_level, *walk.nodes(definition))
        if isinstance(part, core.Function | core.LetFunction)
    }
    for node in walk.nodes(definition):
        match node:
            case core.ForStep(first=first, last=last, step=step):
                yield from _empty_range(first, last, _constant(step), f" in steps of {step.span.text}")
            case core.Apply(function=core.Host(name="Array"), arguments=(_, *bounds)):
                for pair in (bound.items for bound in bounds if isinstance(bound, core.Tuple)):
                    yield from _empty_range(pair[0], pair[1])
            case core.Apply(function=core.Local() | core.Global() as name) if name in functions:
                yield from _lost_values(node, functions[name])


def _empty_range(
    first: core.Expression, last: core.Expression, step: float = 1, steps: str = ""
) -> Iterator[Diagnostic]:
    """Constant ends in the wrong order. An array without members has bounds such as (1,0)."""
    lower, upper = _constant(first), _constant(last)
    if step == 0 or (step > 0 and upper < lower - (not steps)) or (step < 0 and upper > lower):
        yield report(
            messages.EMPTY_RANGE,
            first.span.to(last.span),
            first=first.span.text,
            last=last.span.text,
            steps=steps,
            help=None if step else "a step of 0 is a fault: write one that leads from the first number to the last",
        )


def _constant(node: core.Expression) -> float:
    """The number that is written out; not a number if there is none."""
    match node:
        case core.Literal(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case core.Unary(operator="MINUS", operand=operand):
            return -_constant(operand)
        case _:
            return nan


def _lost_values(application: core.Apply, function: core.Function | core.LetFunction) -> Iterator[Diagnostic]:
    """Arguments by reference that are no places, for parameters to which the function assigns."""
    changed = {
        place.reference
        for part in walk.nodes(function.body)
        if isinstance(part, core.Assign)
        for place in part.places
        if isinstance(place, core.Contents)
    }
    yield from (
        report(messages.NO_PLACE, argument.span, function=function.name.name, name=parameter.name)
        for parameter, argument in zip(function.parameters, application.arguments, strict=False)
        if parameter in changed and isinstance(argument, core.Reference) and not passing.is_place(argument.place)
    )
