"""Lints of tests: those whose outcome the text tells, and those that are tested before."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.library import HostName
from cpl.semantics.operations import RELATIONS
from cpl.source import Span

_LARGE: Final = 50
"""Larger expressions are not compared."""


def lint_tests(definition: core.Definition, host: dict[str, HostName]) -> Iterator[Diagnostic]:
    """The findings on the tests of a definition."""
    judge = _Judge(host)
    continued: set[int] = set()  # conditionals that are the rest of one that is checked already
    for node in walk.nodes(definition):
        match node:
            case core.While(test=test) | core.Repeat(test=test) if judge.outcome(test) is True and _is_literal(test):
                pass  # an endless loop is written so
            case core.While(test=test) | core.Repeat(test=test) | core.Choice(test=test):
                yield from judge.constant(test)
            case core.If() | core.Conditional() if id(node) not in continued:
                yield from judge.choices(node, continued)


def _is_literal(test: core.Expression) -> bool:
    """Whether this is `true`, or for `until` the opposite of `false`."""
    return isinstance(test.operand if isinstance(test, core.Unary) else test, core.Literal)


class _Judge:
    """Tells what tests come to, as far as the text alone tells."""

    def __init__(self, host: dict[str, HostName]) -> None:
        self.host = host

    def constant(self, test: core.Expression) -> Iterator[Diagnostic]:
        """A test that has one outcome."""
        if (outcome := self.outcome(test)) is not None:
            if isinstance(test, core.Unary) and test.span == test.operand.span:  # unless and until
                outcome = not outcome
            yield report(messages.CONSTANT_TEST, test.span, outcome="true" if outcome else "false")

    def choices(self, first: core.If | core.Conditional, continued: set[int]) -> Iterator[Diagnostic]:
        """Tests that are tried in turn, in a conditional and in what continues it in its last alternative."""
        before: list[tuple[core.Expression, Span]] = []
        known: set[core.Expression] = set()
        for test in _tests(first, continued):
            alternatives = list(_joined_by("OR", test))
            if self.outcome(test) is None and all(self.is_pure(each) and each in known for each in alternatives):
                [earlier, *_] = [span for each, span in before if each == alternatives[0]]
                yield report(messages.TESTED_BEFORE, test.span, related=[(earlier, "it is tested here")])
            else:
                yield from self.constant(test)
            sure = [each for each in alternatives if self.is_pure(each)]
            before += [(each, each.span) for each in sure]
            known.update(sure)

    def outcome(self, test: core.Expression) -> bool | None:
        """What a test comes to, if the text tells."""
        match test:
            case core.Literal(value=bool(value)):
                return value
            case core.Unary(operator="NOT", operand=operand):
                inner = self.outcome(operand)
                return None if inner is None else not inner
            case core.Binary(operator="AND" | "OR" as operator):
                conditions = list(_joined_by(operator, test))
                pure = {each for each in conditions if self.is_pure(each)}
                opposites = (each.operand for each in pure if isinstance(each, core.Unary) and each.operator == "NOT")
                contradictory = any(each in pure for each in opposites)
                return _joined(map(self.outcome, conditions), operator == "OR", decided=contradictory)
            case core.Compare(operands=operands, operators=operators):
                return _joined(map(self._related, operands[:-1], operators, operands[1:]), absorbing=False)
            case _:
                return None

    def _related(self, left: core.Expression, relation: str, right: core.Expression) -> bool | None:
        match left, right:
            case core.Literal(value=one), core.Literal(value=other):
                alike = all(isinstance(one, kind) == isinstance(other, kind) for kind in (str, bool))
                return RELATIONS[relation](one, other) if alike else None
            case _ if self.is_pure(left) and left == right:
                return RELATIONS[relation](0, 0)
            case _:
                return None

    def is_pure(self, node: core.Expression) -> bool:
        """Whether this is small, and has one value as long as no command is obeyed."""
        parts = list(islice(walk.nodes(node), _LARGE))
        return len(parts) < _LARGE and all(map(self._is_pure_part, parts))

    def _is_pure_part(self, part: core.Node) -> bool:
        match part:
            case core.Apply(function=core.Host(name=name)):
                known = self.host[name]
                return bool(known.least) and not known.is_command
            case core.Apply() | core.Select() | core.Juxtapose() | core.Block() | core.Lambda() | core.Reference():
                return False
            case _:
                return not isinstance(part, core.Command)


def _joined(outcomes: Iterable[bool | None], absorbing: bool, *, decided: bool = False) -> bool | None:
    """What conditions come to together: false decides if all must hold, and true if one is enough."""
    known = {*outcomes}
    if decided or absorbing in known:
        return absorbing
    return None if None in known else not absorbing


def _tests(choice: core.If | core.Conditional, continued: set[int]) -> Iterator[core.Expression]:
    """The tests of a conditional, and of what continues it in its last alternative."""
    rest: core.Node | None = choice
    while rest is not None:
        continued.add(id(rest))
        match rest:
            case core.Conditional(arms=arms, otherwise=otherwise):
                yield from (test for test, _ in arms)
                rest = otherwise if isinstance(otherwise, core.Conditional) else None
            case core.If(test=test, otherwise=otherwise):
                yield test
                rest = otherwise[0] if len(otherwise) == 1 and isinstance(otherwise[0], core.If) else None


def _joined_by(operator: str, test: core.Expression) -> Iterator[core.Expression]:
    """The conditions that this operator joins, in order."""
    waiting = [test]
    while waiting:
        match waiting.pop():
            case core.Binary(operator=found, left=left, right=right) if found == operator:
                waiting += [right, left]
            case other:
                yield other
