"""The tree of a flat chain of operators: precedence climbing, by the table of the reading.

    x + y × z < 9      becomes      Compare((Binary(PLUS, x, Binary(TIMES, y, z)), 9), (LESS,))

The table says which operators bind tighter, and to which side those of one rank associate.
"""

from collections.abc import Sequence

from cpl.compiler.precedence import RELATIONS
from cpl.compiler.readings import Reading
from cpl.compiler.semantics import core
from cpl.compiler.syntax import nodes

Item = core.Expression | nodes.Operator


def chain_tree(items: Sequence[Item], reading: Reading) -> core.Expression:
    """The tree of a chain whose operands are resolved."""
    related = any(isinstance(item, nodes.Operator) and item.kind in RELATIONS for item in items)
    table = reading.table(related=related)
    waiting = [*reversed(items)]

    def infix(operator: nodes.Operator) -> tuple[int, str]:
        return table.infix["DIVIDE" if operator.kind == "QUOTIENT" else operator.kind]

    def following() -> nodes.Operator | None:
        return waiting[-1] if waiting and isinstance(waiting[-1], nodes.Operator) else None

    def operand() -> core.Expression:
        item = waiting.pop()
        if not isinstance(item, nodes.Operator):
            return item
        argument = climb(table.prefix[item.kind] + 1)
        return core.Unary(item.kind, argument, span=item.span.to(argument.span))

    def climb(least: int) -> core.Expression:
        """The longest part of the chain from here whose operators have at least this rank."""
        left = operand()
        while (operator := following()) is not None:
            rank, binding = infix(operator)
            if rank < least:
                break
            if binding == "chain":
                left = relations(left, rank)
                continue
            waiting.pop()
            right = climb(rank if binding == "right" else rank + 1)
            left = applied(operator, left, right)
        return left

    def applied(operator: nodes.Operator, left: core.Expression, right: core.Expression) -> core.Expression:
        span = left.span.to(right.span)
        if operator.kind == "QUOTIENT":
            return core.Apply(core.Host("Quotient", span=operator.span), (left, right), span=span)
        kind = "TIMES" if operator.kind == "JUXTAPOSED" else reading.operator(operator.kind)
        return core.Binary(kind, left, right, span=span)

    def relations(first: core.Expression, rank: int) -> core.Expression:
        """Relations in a row are one node, which evaluates each operand once: `0 < x < 9`."""
        operands, operators = [first], []
        while (operator := following()) is not None and infix(operator)[0] == rank:
            waiting.pop()
            operators.append(operator.kind)
            operands.append(climb(rank + 1))
        return core.Compare(tuple(operands), tuple(operators), span=first.span.to(operands[-1].span))

    return climb(0)
