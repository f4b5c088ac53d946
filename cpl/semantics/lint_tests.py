"""The lint of tests: those that have one outcome, as the text alone tells."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.operations import RELATIONS

_LARGE: Final = 50
"""Larger expressions are not compared."""

_CHANGING: Final = core.Apply | core.Select | core.Juxtapose | core.Block | core.Lambda | core.Reference
"""What may have another value the next time, or an effect."""


def lint_tests(definition: core.Definition) -> Iterator[Diagnostic]:
    """The findings on the tests of a definition."""
    for test in (test for node in walk.nodes(definition) for test in _tests(node)):
        outcome = _outcome(test)
        if outcome is not None:
            if isinstance(test, core.Unary) and test.span == test.operand.span:  # unless and until
                outcome = not outcome
            yield report(messages.CONSTANT_TEST, test.span, outcome="true" if outcome else "false")


def _tests(node: core.Node) -> Sequence[core.Expression]:
    match node:
        case core.While() | core.Repeat() if _is_endless(node.test):
            return ()
        case core.While(test=test) | core.Repeat(test=test) | core.Choice(test=test) | core.If(test=test):
            return (test,)
        case core.Conditional(arms=arms):
            return [test for test, _ in arms]
        case _:
            return ()


def _is_endless(test: core.Expression) -> bool:
    """Whether this is `while true` or `until false`, as an endless loop is written."""
    match test:
        case core.Literal(value=True) | core.Unary(operator="NOT", operand=core.Literal(value=False)):
            return True
        case _:
            return False


def _outcome(test: core.Expression) -> bool | None:
    """What a test comes to, if the text tells."""
    match test:
        case core.Literal(value=bool(value)):
            return value
        case core.Unary(operator="NOT", operand=operand):
            inner = _outcome(operand)
            return None if inner is None else not inner
        case core.Binary(operator="AND" | "OR" as operator):
            conditions = list(_joined_by(operator, test))
            fixed = {each for each in conditions if _is_fixed(each)}
            opposites = (each.operand for each in fixed if isinstance(each, core.Unary) and each.operator == "NOT")
            absorbing = operator == "OR"
            return (
                absorbing if any(each in fixed for each in opposites) else _joined(map(_outcome, conditions), absorbing)
            )
        case core.Compare(operands=operands, operators=operators):
            return _joined(map(_related, operands[:-1], operators, operands[1:]), absorbing=False)
        case _:
            return None


def _related(left: core.Expression, relation: str, right: core.Expression) -> bool | None:
    match left, right:
        case core.Literal(value=one), core.Literal(value=other):
            alike = all(isinstance(one, kind) == isinstance(other, kind) for kind in (str, bool))
            return RELATIONS[relation](one, other) if alike else None
        case _ if _is_fixed(left) and left == right:
            return RELATIONS[relation](0, 0)
        case _:
            return None


def _is_fixed(node: core.Expression) -> bool:
    """Whether this is small, and has one value as long as no command is obeyed."""
    parts = list(islice(walk.nodes(node), _LARGE))
    return len(parts) < _LARGE and not any(isinstance(part, _CHANGING) for part in parts)


def _joined(outcomes: Iterable[bool | None], absorbing: bool) -> bool | None:
    """What conditions come to together: false decides if all must hold, and true if one is enough."""
    known = {*outcomes}
    if absorbing in known:
        return absorbing
    return None if None in known else not absorbing


def _joined_by(operator: str, test: core.Expression) -> Iterator[core.Expression]:
    """The conditions that this operator joins, in order."""
    waiting = [test]
    while waiting:
        match waiting.pop():
            case core.Binary(operator=found, left=left, right=right) if found == operator:
                waiting += [right, left]
            case other:
                yield other
