"""Values of several types where none is tested for: in the arms of a conditional, in one variable, in a comparison.

Such a program can be compiled and may be meant, so these are warnings. A value whose type is tested, or that is
compared with a constant, or only written, may be of several.
"""

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.semantics.reach import reachable
from cpl.source import Span
from cpl.types import constraints
from cpl.types.constraints import Mixed, Shape, Variable, have_common_type
from cpl.types.generate import Inference
from cpl.types.type_words import described

_MOST_SEARCHED: Final = 200


def type_warnings(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """The findings. What a value is comes from the definitions in `general`, and whether anything tests its type from
    the whole program in `used`.
    """
    yield from _meetings(general, used)
    yield from _variables(general, used)
    yield from _comparisons(used)
    yield from _widened(general)
    yield from (report(messages.ENDLESS, span, name=function.text) for function, span in general.endless)


def mixed_functions(used: Inference) -> set[core.Local | core.Global]:
    """The functions that a program gives values of several types."""
    scopes = (used.top_level, *used.scopes.values())
    return {name for scope in scopes for name, known in scope.functions.items() if _takes_several(known.shape)}


def _takes_several(function: Shape) -> bool:
    within = islice(reachable(function.inputs, lambda each: constraints.variables(each.made)), _MOST_SEARCHED)
    return any(not each.has(constraints.Distinguished) and not constraints.are_alike(_firm(each)) for each in within)


def _meetings(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """Conditionals and blocks whose values are of several types."""
    for (_, nodes), (variable, _) in zip(general.meetings, used.meetings, strict=True):
        values = [(node.span, _known(general, node)) for node in nodes]
        if not variable.has(Mixed):
            yield from _mixture(messages.ARMS_DISAGREE, [(span, shapes) for span, shapes in values if shapes])


def _variables(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """Variables, and parameters of types, that are given values of several types."""
    scopes = ((general.top_level, used.top_level), *zip(general.scopes.values(), used.scopes.values(), strict=True))
    for scope, other in scopes:
        for name, variable in scope.names.items():
            if variable.declared is None and not other.names[name].has(Mixed):
                yield from _mixture(messages.MIXED, _each(variable), name=name.name)
    for parameter, type in {parameter: type for type, _, parameter in general.instances}.items():
        if not parameter.has(Mixed):
            yield from _mixture(messages.MIXED, _each(parameter), name=f"the parameter of {type.name}")


def _widened(general: Inference) -> Iterator[Diagnostic]:
    """Variables whose first value is an integer, and that are assigned a real number; numbers for certain (T6)."""
    for place, held, value in general.assigned:
        first = next(iter(held.below), held).made
        numbers = [{(shape.head, shape.unsure) for shape in made} for made in (first, value.made)]
        if (
            isinstance(place, core.Local | core.Global)
            and not (held.declared or held.given)
            and numbers == [{("integer", False)}, {("real", False)}]
        ):
            yield report(
                messages.BECOMES_REAL,
                place.span,
                related=[(first[0].span, "this is an integer")],
                name=place.span.text,
            )


def _each(variable: Variable) -> list[tuple[Span, list[Shape]]]:
    return [(shape.span, [shape]) for shape in _firm(variable)]


def _mixture(cause: messages.Cause, values: list[tuple[Span, list[Shape]]], **words: str) -> Iterator[Diagnostic]:
    """The first two neighbours of which no shapes have a type in common."""
    for (first, some), (second, others) in pairwise(values):
        if first != second and not _share_a_type(some, others):
            made = {"first": described(some[0]), "second": described(others[0])}
            yield report(cause, second, related=[(first, f"this is {made['first']}")], **made, **words)
            return


def _comparisons(used: Inference) -> Iterator[Diagnostic]:
    """Comparisons of values that are of different kinds, whatever they are."""
    for left, right in used.comparisons:
        some, others = _known(used, left), _known(used, right)
        has_nil = any(shape.head == "nil" for shape in (*some, *others))
        is_optional = has_nil and any(isinstance(node, core.Component) for node in (left, right))  # it may be NIL
        if some and others and not is_optional and not _share_a_type(some, others):
            related = [(left.span, f"this is {described(some[0])}"), (right.span, f"this is {described(others[0])}")]
            yield report(messages.NEVER_EQUAL, left.span.to(right.span), related=related)


def _share_a_type(some: list[Shape], others: list[Shape]) -> bool:
    return any(have_common_type(one, other) for one in some for other in others)


def _firm(variable: Variable) -> list[Shape]:
    return [shape for shape in variable.made if not (shape.soft or variable.is_open)]


def _known(inference: Inference, node: core.Expression) -> list[Shape]:
    """What the value of an expression may be; nothing if some of it is not known."""
    variable = inference.expressions[id(node)]
    return [] if variable.is_open or variable in inference.doubtful else variable.made
