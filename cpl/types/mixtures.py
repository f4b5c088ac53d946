"""Values of several types where none asks of which: in the arms of a conditional, in one variable, in a comparison.

Such a program can be compiled and may be meant, so these are warnings. A value that is asked for its type, or compared
with a constant, or only written may be of several.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.types import constraints
from cpl.types.constraints import Outcome, Shape, Term, Variable
from cpl.types.generate import Inference
from cpl.types.solver import are_alike
from cpl.types.wording import made_of

_MOST_SEARCHED: Final = 200


def mixtures(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """The findings. What a value is comes from the definitions in `general`, and whether anything asks for its type
    from all that is made `use` of them.
    """
    yield from _arms(general, used)
    yield from _variables(general, used)
    yield from _never_equal(used)


def mixed_functions(used: Inference) -> set[core.Local | core.Global]:
    """The functions that a program gives values of several types."""
    found: set[core.Local | core.Global] = set()
    for scope in (used.outermost, *used.scopes.values()):
        for name, known in scope.functions.items():
            waiting = [*known.members[:-1]] if isinstance(known, Shape) else []
            seen: set[Variable] = set()
            while waiting and len(seen) < _MOST_SEARCHED:
                variable = waiting.pop()
                if variable not in seen:
                    seen.add(variable)
                    if _is_mixed(variable):
                        found.add(name)
                        break
                    waiting += constraints.variables((*variable.shapes.values(), *variable.needs.values()))
    return found


def _is_mixed(variable: Variable) -> bool:
    shapes = [shape for shape in _shapes(variable) if not shape.soft]
    return not _is_asked(variable) and any(not are_alike(one, other) for one, other in pairwise(shapes))


def _arms(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """Conditionals and blocks whose values are of several types, though nothing asks of which."""
    doubtful = general.doubtful
    for meeting, other in zip(general.meetings, used.meetings, strict=True):
        if _is_asked(other.variable):
            continue
        values = [(span, _shapes(term)) for term, span in meeting.values if term not in doubtful]
        known = [(span, shapes) for span, shapes in values if shapes]
        for (first, some), (second, others) in pairwise(known):
            if not any(are_alike(one, each) for one in some for each in others):
                words = {"first": made_of(some[0]), "second": made_of(others[0])}
                related = [(first, f"this is {words['first']}")]
                yield report(messages.ARMS_DISAGREE, second, related=related, **words)
                break


def _variables(general: Inference, used: Inference) -> Iterator[Diagnostic]:
    """Variables that are given values of several types."""
    for scope, other in (
        (general.outermost, used.outermost),
        *zip(general.scopes.values(), used.scopes.values(), strict=True),
    ):
        for name, variable in scope.names.items():
            shapes = [shape for shape in _shapes(variable) if not shape.soft]
            if variable.declared is not None or _is_asked(other.names[name]):
                continue
            for one, another in pairwise(shapes):
                if not are_alike(one, another) and one.span != another.span:
                    words = {"first": made_of(one), "second": made_of(another)}
                    related = [(one.span, f"this is {words['first']}")]
                    yield report(messages.MIXED, another.span, related=related, name=name.name, **words)
                    break


def _is_asked(variable: Variable) -> bool:
    """Whether a value may be of several types, for all that is done with it."""
    needs = variable.needs.values()
    return any(isinstance(need, constraints.Asked) or (isinstance(need, Shape) and need.soft) for need in needs)


def _never_equal(used: Inference) -> Iterator[Diagnostic]:
    """Comparisons of values that are of different kinds, whatever they are."""
    doubtful = used.doubtful_in_use
    for ends in used.comparisons:
        sides = [(node, _shapes(term)) for node, term in ends if term not in doubtful]
        if len(sides) < 2 or not all(shapes for _, shapes in sides):
            continue
        (left, some), (right, others) = sides
        if any(isinstance(node, core.Component) for node, _ in sides) and "nil" in (some[0].head, others[0].head):
            continue  # any component may be NIL
        if not any(are_alike(one, other) for one in some for other in others):
            related = [(left.span, f"this is {made_of(some[0])}"), (right.span, f"this is {made_of(others[0])}")]
            yield report(messages.NEVER_EQUAL, left.span.to(right.span), related=related)


def _shapes(term: Term) -> list[Shape]:
    """What a value may be; nothing if some of it is not known."""
    shapes = [term] if isinstance(term, Shape) else [*term.shapes.values()]
    if any(isinstance(shape, Outcome) and shape.is_open for shape in shapes):
        return []
    return [shape for shape in shapes if isinstance(shape, Shape)]
