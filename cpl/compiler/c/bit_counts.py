"""Loops and functions that count the ones of a bit string: C has an operation for that.

    until Null(x) do x, n := x − SingleDigitFrom(x), n + 1

becomes

    n = add(n, count_ones(x));
    x = 0;

or, if nobody reads `x` afterwards, and n begins as 0,

    whole n = count_ones(x);

and so does `BitCount(x) = Null(x) → 0, 1 + BitCount(x − SingleDigitFrom(x))`. A bit string that has ones without end is
a negative number, whose loop would end where 64 bits do: `count_ones` gives the call up at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cpl.compiler.semantics import core


@dataclass(frozen=True)
class BitCount:
    """Something that adds `step` to a number for each one of the bit string `bits`."""

    bits: core.Local
    step: int


def counting_loop(loop: core.While) -> tuple[BitCount, core.Local] | None:
    """Return what a loop counts, and the variable to which it adds; None if the loop does anything else."""
    bits = compared_with_zero(loop.test, "UNEQUAL")
    if bits is None or loop.otherwise:
        return None
    number: core.Local | None = None
    step: int | None = None
    lowest: core.Local | None = None  # a variable of the round that has the lowest one
    is_cleared = False
    for place, value, is_new in _assignments(loop.commands):
        if place is None:
            return None
        if is_new:
            if is_cleared or lowest or not is_lowest(value, bits):
                return None
            lowest = place
        elif place == bits and not is_cleared and is_without_lowest(value, bits, lowest):
            is_cleared = True
        elif number is None and place not in (bits, lowest):
            number, step = place, _step(value, place)
        else:
            return None
    if number is None or step is None or not is_cleared:
        return None
    return BitCount(bits, step), number


def _assignments(commands: Sequence[core.Command]) -> list[tuple[core.Local | None, core.Expression, bool]]:
    """What commands assign to variables, one after the other, and whether the variables are new; no variable for any
    other command. What is assigned at once may count as assigned in turn, as no part of a count reads a part that is
    assigned before.
    """
    found: list[tuple[core.Local | None, core.Expression, bool]] = []
    for command in commands:
        match command:
            case core.Let(target=core.Local(mode="", declared="") as target, value=value):
                found.append((target, value, True))
            case core.Assign(places=places, values=values) if len(places) == len(values):
                for place, value in zip(places, values, strict=True):
                    found.append((place if isinstance(place, core.Local) else None, value, False))
            case _:
                found.append((None, core.Literal(0, span=command.span), False))
    return found


def counting_function(function: core.Function | core.LetFunction) -> tuple[BitCount, int] | None:
    """Return what a function of one parameter counts, and the number with which it begins; None if it does anything
    else.
    """
    match function.parameters, function.body:
        case (bits,), core.Conditional(
            arms=((test, value),),
            otherwise=core.Binary(operator="PLUS", left=left, right=right),
        ) if compared_with_zero(test, "EQUAL") == bits:
            first = _constant(value)
            for number, applied in ((left, right), (right, left)):
                step = _constant(number)
                match applied:
                    case core.Apply(function=name, arguments=(rest,)) if name == function.name and is_without_lowest(
                        rest, bits, None
                    ):
                        return None if first is None or step is None else (BitCount(bits, step), first)
    return None


def _constant(node: core.Expression) -> int | None:
    """Return the number that an expression is, if it is small: no sum of 64 of them is large."""
    match node:
        case core.Literal(value=int() as number) if not isinstance(number, bool) and abs(number) < 2**31:
            return number
    return None


def compared_with_zero(test: core.Expression, operator: str) -> core.Local | None:
    """Return the variable that a test compares with 0 by this operator."""
    match test:
        case core.Compare(operands=(core.Local() as bits, core.Literal(value=0)), operators=(operator_found,)) | (
            core.Compare(operands=(core.Literal(value=0), core.Local() as bits), operators=(operator_found,))
        ) if operator_found == operator:
            return bits
    return None


def is_lowest(value: core.Expression, bits: core.Local) -> bool:
    """Tell whether a value is the lowest one of a bit string, `bits & -bits`."""
    match value:
        case core.Binary(operator="BIT_AND", left=left, right=core.Unary(operator="MINUS", operand=right)):
            return left == bits and right == bits
    return False


def is_without_lowest(value: core.Expression, bits: core.Local, lowest: core.Local | None) -> bool:
    """Tell whether a value is a bit string without its lowest one, which a variable may have."""
    match value:
        case core.Binary(operator="BIT_AND", left=left, right=core.Unary(operator="BIT_NOT", operand=removed)):
            is_removed = is_lowest(removed, bits) or (lowest is not None and removed == lowest)
            return left == bits and is_removed
    return False


def _step(value: core.Expression, number: core.Local) -> int | None:
    """Return the constant that a value has more than a variable."""
    match value:
        case core.Binary(operator="PLUS" | "MINUS" as operator, left=left, right=right) if left == number:
            step = _constant(right)
            return -step if step is not None and operator == "MINUS" else step
        case core.Binary(operator="PLUS", left=left, right=right) if right == number:
            return _constant(left)
    return None
