"""Products in a chain of operators, and what a `/` in them divides by: all of the product after it (evidence E4).

So `x/2×4` is x/(2×4). The printer sets no blank in a divisor, and a divisor that has one, or a × or another `/`, gets
a warning with both ways to write what may be meant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes
from cpl.compiler.syntax.lexer import on_one_line

Items = Sequence[nodes.Expression | nodes.Operator]
"""Operands and operators of a chain, as they stand."""

_SLASHES: Final = ("DIVIDE", "QUOTIENT")
_SIGNS: Final = (*_SLASHES, "TIMES")
_IN_PRODUCTS: Final = (*_SIGNS, "JUXTAPOSED", "MAYBE_PRODUCT", "POWER")

_MOST_QUOTED: Final = 60
"""The number of characters of a product up to which the help has it in full."""


@dataclass
class _Factor:
    """What stands between two of × and `/`, or of the blanks of a product."""

    items: list[nodes.Expression | nodes.Operator]
    sign: nodes.Operator | None = None  # before it; None before the first

    @property
    def span(self) -> Span:
        return self.items[0].span.to(self.items[-1].span)

    @property
    def divides(self) -> bool:
        """Whether the `/` stands before it."""
        return self.sign is not None and self.sign.kind in _SLASHES


def divisors(items: Items) -> Iterator[Items]:
    """The divisors in a chain: from each first `/` of a product, all that follows in the product."""
    for product in _products(items):
        slashes = [at for at, item in enumerate(product) if isinstance(item, nodes.Operator) and item.kind in _SLASHES]
        if slashes:
            yield product[slashes[0] + 1 :]


def wide_divisors(items: Items) -> Iterator[Diagnostic]:
    """The warning about each divisor of a chain that has a ×, another `/`, or a product written with a blank."""
    for product in _products(items):
        factors = _factors(product)
        divisor = next((at for at, factor in enumerate(factors) if factor.divides), len(factors))
        slash = factors[divisor].sign if divisor + 1 < len(factors) else None
        if slash is None:
            continue
        following = factors[divisor + 1]
        sign = following.sign
        place = sign.span if sign and sign.span.text else following.span  # a blank has no span of its own
        if factors[-1].span.end - factors[0].span.start <= _MOST_QUOTED:
            written = on_one_line(factors[divisor].span.to(factors[-1].span))
            left, right = _from_the_left(factors), _from_the_right(factors)
        else:
            written, left, right = "all that follows", "(x/2) × 4", "x/(2 × 4)"
        yield report(
            messages.WIDE_DIVISOR,
            place,
            related=[(slash.span, "this divides by all of the product after it")],
            divisor=written,
            left=left,
            right=right,
        )


def _products(items: Items) -> Iterator[list[nodes.Expression | nodes.Operator]]:
    """The parts of a chain between the operators that bind less tightly, without a sign before them."""
    product: list[nodes.Expression | nodes.Operator] = []
    for item in items:
        is_operand = not isinstance(item, nodes.Operator)
        is_prefix = bool(product) and isinstance(product[-1], nodes.Operator)
        is_in_product = isinstance(item, nodes.Operator) and item.kind in _IN_PRODUCTS
        if is_operand or is_prefix or is_in_product:
            product.append(item)
        else:
            yield product
            product = []
    yield product


def _factors(product: Items) -> list[_Factor]:
    """The factors of a product. Without a blank between them, factors side by side count as one: `a/bc`."""
    factors = [_Factor([])]
    for item in product:
        last = factors[-1].items
        if last and isinstance(item, nodes.Operator) and (item.kind in _SIGNS or _is_blank(item, last[-1])):
            factors.append(_Factor([], item))
        else:
            last.append(item)
    return factors


def _is_blank(operator: nodes.Operator, before: nodes.Node) -> bool:
    """Tell whether an operator stands for a product that is written with a blank.

    Of `f (x)` only types tell whether it is a product, and they are not known here; of `(a + 1) (x)` it is plain.
    """
    match before:
        case nodes.Bracket(items=(nodes.Chain() | nodes.Number(),), square=False):
            is_product = operator.kind in ("JUXTAPOSED", "MAYBE_PRODUCT")
        case _:
            is_product = operator.kind == "JUXTAPOSED"
    return is_product and before.span.end < operator.span.start


def _from_the_left(factors: Sequence[_Factor]) -> str:
    """The product with brackets round each quotient that is multiplied or divided: `(x/2) × 4`."""
    written = on_one_line(factors[0].span)
    is_quotient = False
    for before, factor in pairwise(factors):
        if is_quotient:
            written = f"({written})"
        written += _between(before, factor) + on_one_line(factor.span)
        is_quotient = factor.divides
    return written


def _from_the_right(factors: Sequence[_Factor]) -> str:
    """The product with brackets round each divisor that is a product: `x/(2 × 4)`."""
    *others, last = factors
    written = on_one_line(last.span)
    after = last
    for factor in reversed(others):
        is_product = after is not last
        if after.divides and is_product:
            written = f"({written})"
        written = on_one_line(factor.span) + _between(factor, after) + written
        after = factor
    return written


def _between(before: _Factor, after: _Factor) -> str:
    """What stands between two factors: their sign, with blanks if it has any, or a blank."""
    gap = Span(before.span.source, before.span.end, after.span.start)
    sign = on_one_line(gap)
    if not sign:
        return " "
    return sign if sign == gap.text else f" {sign} "
