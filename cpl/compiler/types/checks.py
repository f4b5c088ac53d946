"""Checks where types disagree: from core tree to core tree, before anything else compiles it.

The interpreter checks all operands. Python does not: `"a" + "b"` and `true + 1` have values in it. Where the inference
finds that an operand is of a wrong type for its operator, or is no condition where one is needed, the compiled program
applies a function of `cplrt.checked`, which fails as the interpreter does. All other code stays as it is. Of

    F[x] = x + 1
    let s = F["a"]

the sum becomes `Operate("PLUS", x, 1)`, since a string flows into `x`.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Any, Final

from cplrt.checked import SIGNS

from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Span
from cpl.compiler.types.facts import Facts

_CHECKED: Final = {*SIGNS, "EQUIVALENT", "INEQUIVALENT"}
"""The operators of the language. Those that a pass of `optimise` makes come from a program that was checked before."""


def with_checks(program: core.Program, facts: Facts) -> core.Program:
    """Return the program with checks of the values at the places that may be wrong (`Facts.unmet`): the same tree if
    there are none.
    """
    if not facts.unmet:
        return program
    checks = _Checks(facts.unmet, facts.sure.kind)
    return replace(program, definitions=tuple(map(checks.checked, program.definitions)))


class _Checks:
    """The rewriting of trees, in which the operands at some places are `wrong`. `kind` tells what a value is for
    certain.
    """

    def __init__(self, wrong: Set[Span], kind: Callable[[core.Expression], str | None]) -> None:
        self.wrong = wrong
        self.kind = kind

    def checked(self, node: Any) -> Any:
        """A node with its checks."""
        checks_itself = self._checks_itself(node)
        node = walk.with_parts(self._with_condition(node), self.checked)
        if checks_itself:
            return node
        match node:
            case core.Unary(operator=operator, operand=operand) if operator in _CHECKED and self._are_wrong([operand]):
                return _applied("Prefix", node.span, operator, operand)
            case core.Binary(left=left, right=right) if self._are_wrong([left, right]):
                return self._operation(node)
            case core.Juxtapose(left=left, right=right) if self._are_wrong([left, right]):
                return _applied("Multiply", node.span, left, right)
            case (
                core.Let(target=core.Several() as target, value=value)
                | core.Constants(target=core.Several() as target, value=value)
            ) if any(part.span in self.wrong for part in walk.nodes(target)):
                return replace(node, value=_with_parts_checked(value, _names(target)))
            case core.Assign(places=[first, *_, last] as places, values=[value]) if (
                first.span.to(last.span) in self.wrong
            ):
                texts = tuple(core.Literal(place.span.text, span=place.span) for place in places)
                names = core.Tuple(texts, span=first.span)
                return replace(node, values=(_with_parts_checked(value, names),))
            case core.ForList(members=members) if members.span in self.wrong:
                return replace(node, members=_applied("Members", members.span, members))
            case core.Compare(operands=(first, second, *later), operators=relations) if self._are_wrong(node.operands):
                return _applied("Relate", node.span, " ".join(relations), first, second, *map(_delayed, later))
            case _:
                return node

    def _operation(self, node: core.Binary) -> core.Expression:
        """An operator whose operands may be wrong, as a function that checks them."""
        if node.operator in ("AND", "OR"):
            return _applied("Decide", node.span, node.operator, node.left, _delayed(node.right))
        if node.operator in _CHECKED:
            return _applied("Operate", node.span, node.operator, node.left, node.right)
        return node

    def _checks_itself(self, node: core.Node) -> bool:
        """Whether an operator fails on other operands by itself: a bit string on its left refuses them."""
        match node:
            case core.Binary(operator="PLUS" | "MINUS" | "AND" | "OR", left=left):
                return self.kind(left) == "logical" and left.span not in self.wrong
            case _:
                return False

    def _are_wrong(self, operands: Sequence[core.Expression]) -> bool:
        return any(operand.span in self.wrong for operand in operands)

    def _with_condition(self, node: core.Node) -> core.Node:
        """A node with checks in its conditions, but not yet in the parts of these."""
        match node:
            case core.If(test=test) | core.While(test=test) | core.Repeat(test=test) | core.Choice(test=test):
                changed = self._condition(test)
                return node if changed is test else replace(node, test=changed)
            case core.Conditional(arms=arms):
                changed_arms = tuple((self._condition(test), value) for test, value in arms)
                is_same = all(new is test for (new, _), (test, _) in zip(changed_arms, arms, strict=True))
                return node if is_same else replace(node, arms=changed_arms)
            case _:
                return node

    def _condition(self, test: Any) -> Any:
        """A condition with its checks: each of those that ∧, ∨ and ~ join is one."""
        match test:
            case core.Unary(operator="NOT") | core.Binary(operator="AND" | "OR"):
                return walk.with_parts(test, self._condition)
            case core.Conditional(arms=arms, otherwise=otherwise):
                checked_arms = tuple((condition, self._condition(value)) for condition, value in arms)
                return replace(test, arms=checked_arms, otherwise=self._condition(otherwise))
            case core.Block(commands=(*before, core.Result(value=last) as result), routine=False):
                commands = self._with_earlier_results(before) if test.span in self.wrong else before
                return replace(test, commands=(*commands, replace(result, value=self._condition(last))))
            case _ if test.span in self.wrong:
                return _applied("Condition", test.span, test)
            case _:
                return test

    def _with_earlier_results(self, commands: Sequence[core.Command]) -> tuple[core.Command, ...]:
        """Commands of a block that is a condition, with checks of their results. These are evaluated as values are."""
        return tuple(map(self._with_earlier_result, commands))

    def _with_earlier_result(self, command: core.Command) -> core.Command:
        if isinstance(command, core.Result):
            return replace(command, value=_applied("Condition", command.value.span, command.value))
        return walk.with_commands(command, self._with_earlier_results)


def _applied(helper: str, span: Span, *arguments: core.Expression | str) -> core.Apply:
    """A function of cplrt applied; an argument that is a Python string becomes a CPL string."""
    expressions = tuple(
        core.Literal(argument, span=span) if isinstance(argument, str) else argument for argument in arguments
    )
    return core.Apply(core.Host(helper, span=span), expressions, span=span)


def _with_parts_checked(value: core.Expression, names: core.Expression) -> core.Expression:
    """A value that is taken apart for these names, with a check that it has as many parts."""
    if isinstance(value, core.ConvertParts):
        return replace(value, value=_with_parts_checked(value.value, names))
    return _applied("Parts", value.span, names, value)


def _names(target: core.Target) -> core.Expression:
    """The names on the left of a definition, as a value."""
    if isinstance(target, core.Several):
        return core.Tuple(tuple(map(_names, target.items)), span=target.span)
    [variable] = walk.variables(target)
    return core.Literal(variable.name, span=target.span)


def _delayed(node: core.Expression) -> core.Lambda:
    """A function of no arguments that gives the value."""
    return core.Lambda((), node, by_place=True, span=node.span)
