"""A flat chain of operators put in order by the reading's table: precedence climbing.

Called by `resolve`, which resolves the operands; what stands side by side is decided here.
"""

from collections.abc import Sequence

from cpl.readings import RELATIONS, Binding, Reading
from cpl.semantics import core
from cpl.semantics.blocks import Blocks
from cpl.syntax import nodes


class Chain:
    """A flat chain put in order by precedence climbing."""

    def __init__(self, resolver: Blocks, reading: Reading, items: Sequence[nodes.Expression | nodes.Operator]) -> None:
        self.resolver = resolver
        self.reading = reading
        self.items = self._applied(items)
        related = any(isinstance(item, nodes.Operator) and item.kind in RELATIONS for item in self.items)
        self.table = reading.table(related=related)
        self.at = 0

    def _applied(self, items: Sequence[nodes.Expression | nodes.Operator]) -> list[core.Expression | nodes.Operator]:
        """The chain with its operands resolved; `f(x)` with a small f is decided here, tighter than any operator."""
        result: list[core.Expression | nodes.Operator] = []
        written: nodes.Expression | None = None
        maybe = False
        for item in items:
            if isinstance(item, nodes.Operator):
                maybe = item.kind == "MAYBE"
                if not maybe:
                    result.append(item)
            elif maybe and written is not None:
                left = result.pop()
                assert not isinstance(left, nodes.Operator)
                result.append(self._beside(written, left, item))
            else:
                written = item
                result.append(self.resolver.expression(item))
        return result

    def _beside(self, written: nodes.Expression, left: core.Expression, right: nodes.Expression) -> core.Expression:
        """`f(x)`, also as the beginning of `f(x)[y]`."""
        if isinstance(right, nodes.Application):
            function = self._beside(written, left, right.function)
            arguments = self.resolver.all(right.arguments)
            return core.Apply(function, arguments, span=left.span.to(right.span))
        assert isinstance(right, nodes.Bracket), right
        return self._side_by_side(written, left, right)

    def _side_by_side(
        self, written: nodes.Expression, left: core.Expression, bracket: nodes.Bracket
    ) -> core.Expression:
        span = left.span.to(bracket.span)
        items = self.resolver.all(bracket.items)
        if self.resolver.is_function(left) or isinstance(left, core.Lambda) or len(items) != 1:
            self.resolver.count(left, len(items), span)
            return core.Apply(left, items, span=span)
        if isinstance(written, nodes.Bracket):
            return core.Binary("TIMES", left, items[0], span=span)
        return core.Juxtapose(left, items[0], span=span)

    def expression(self) -> core.Expression:
        """The whole chain."""
        result = self._climb(0)
        assert self.at == len(self.items), "part of a chain was left over"
        return result

    def _climb(self, least: int) -> core.Expression:
        """The longest part of the chain from here on whose operators have at least this rank."""
        left = self._operand()
        while (operator := self._peek()) is not None:
            rank, binding = self.table.infix[operator.kind]
            if rank < least:
                break
            if binding is Binding.CHAIN:
                left = self._relations(left, rank)
                continue
            self.at += 1
            right = self._climb(rank if binding is Binding.RIGHT else rank + 1)
            kind = "TIMES" if operator.kind == "JUXTAPOSED" else self.reading.operator(operator.kind)
            left = core.Binary(kind, left, right, span=left.span.to(right.span))
        return left

    def _operand(self) -> core.Expression:
        item = self.items[self.at]
        self.at += 1
        if not isinstance(item, nodes.Operator):
            return item
        operand = self._climb(self.table.prefix[item.kind] + 1)
        return core.Unary(item.kind, operand, span=item.span.to(operand.span))

    def _relations(self, first: core.Expression, rank: int) -> core.Expression:
        operands, operators = [first], []
        while (operator := self._peek()) is not None and self.table.infix[operator.kind][0] == rank:
            self.at += 1
            operators.append(operator.kind)
            operands.append(self._climb(rank + 1))
        return core.Compare(tuple(operands), tuple(operators), span=first.span.to(operands[-1].span))

    def _peek(self) -> nodes.Operator | None:
        item = self.items[self.at] if self.at < len(self.items) else None
        return item if isinstance(item, nodes.Operator) else None
