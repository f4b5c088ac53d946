"""Lints of tests: those whose outcome stands in the text, and those that stand once before. `lint` calls it."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.library import HostName
from cpl.semantics.operations import RELATIONS
from cpl.source import Span

_LARGE: Final = 50
"""Expressions of so many nodes are not compared."""


def lint_tests(definition: core.Definition, host: dict[str, HostName]) -> Iterator[Diagnostic]:
    """What there is to say of the tests in a definition."""
    judge = _Judge(host)
    continued: set[int] = set()  # choices that are the rest of one that has been looked at
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
    """Knows what tests come to, as far as the text alone tells."""

    def __init__(self, host: dict[str, HostName]) -> None:
        self.host = host

    def constant(self, test: core.Expression) -> Iterator[Diagnostic]:
        """The complaint of a test that has one outcome."""
        if (outcome := self.outcome(test)) is not None:
            if isinstance(test, core.Unary) and test.span == test.operand.span:  # unless and until
                outcome = not outcome
            yield report(messages.CONSTANT_TEST, test.span, outcome="true" if outcome else "false")

    def choices(self, first: core.If | core.Conditional, continued: set[int]) -> Iterator[Diagnostic]:
        """The complaints of tests that are tried in turn; what goes on in the last alternative is one of them."""
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
                return self._joined(list(_joined_by(operator, test)), absorbing=operator == "OR")
            case core.Compare(operands=operands, operators=operators):
                links = zip(operands[:-1], operators, operands[1:], strict=True)
                return _all([self._related(*link) for link in links])
            case _:
                return None

    def _joined(self, conditions: list[core.Expression], *, absorbing: bool) -> bool | None:
        """Of ∧ false decides, of ∨ true; so do a condition and its opposite."""
        outcomes = [self.outcome(each) for each in conditions]
        if absorbing in outcomes:
            return absorbing
        if None not in outcomes:
            return not absorbing
        pure = {each for each in conditions if self.is_pure(each)}
        opposites = (each.operand for each in pure if isinstance(each, core.Unary) and each.operator == "NOT")
        return absorbing if any(each in pure for each in opposites) else None

    def _related(self, left: core.Expression, relation: str, right: core.Expression) -> bool | None:
        match left, right:
            case core.Literal(value=one), core.Literal(value=other):
                alike = isinstance(one, str) == isinstance(other, str) and isinstance(one, bool) == isinstance(
                    other, bool
                )
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


def _all(links: list[bool | None]) -> bool | None:
    if False in links:
        return False
    return None if None in links else True


def _tests(choice: core.If | core.Conditional, continued: set[int]) -> Iterator[core.Expression]:
    """The tests of a choice, and of what goes on in its last alternative."""
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
