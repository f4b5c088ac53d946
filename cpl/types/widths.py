"""Widths of numbers: the types of number that a value may have, as the operands of its operators tell.

An integer plus a real is a real, for certain; what is 1 or 0.5, as a condition decides, is of either type. Readers want
one type for it, the wider. Code must not rest on that: 1 has still to be converted where a real is declared.
"""

from collections.abc import Iterator, Set
from typing import Final

from cpl.semantics.graphs import components, reachable
from cpl.types.constraints import KEEPS_WIDTH, OperatorValue, Variable, needed_widths, widths

_RANKS: Final = {"number": 0, "integer": 0, "real": 1, "complex": 2}


class Widths:
    """The widths of numbers, once all flows are known. Operands are looked through once, however long a chain is.

    What comes into `unknown` variables may be of any width; it may be `complex` if the program has complex numbers. For
    readers the `needs` of a variable count, too, and with `guess` a parameter that is compared with whole numbers is
    taken for one if nothing else is known.
    """

    def __init__(
        self, unknown: Set[Variable], *, complex: bool = False, needs: bool = False, guess: bool = False
    ) -> None:
        self._unknown = unknown
        self._complex = complex
        self._needs = needs
        self._guess = guess
        self._possible: dict[Variable, set[str]] = {}

    def of(self, variable: Variable) -> str:
        """The widest of the possible `WIDTHS`; `number` if it depends on a number of unknown width."""
        return max(self._all(variable), key=lambda width: (_RANKS[width], width), default="integer")

    def only(self, variable: Variable) -> str:
        """The one width that is possible; "" if there are several, or some are unknown."""
        possible = self._all(variable) - {"number"}
        return possible.pop() if len(possible) == len(self._all(variable)) == 1 else ""

    def _all(self, start: Variable) -> set[str]:
        if start not in self._possible:
            new = [
                *reachable(
                    [start],
                    lambda variable: (operand for operand in operands(variable) if operand not in self._possible),
                )
            ]
            places = {variable: place for place, variable in enumerate(new)}
            for group in components(
                [[places[operand] for operand in operands(operand) if operand in places] for operand in new]
            ):
                self._find([new[place] for place in group])
        return self._possible[start]

    def _find(self, group: list[Variable]) -> None:
        """Find the widths of variables whose values are operands of each other."""
        possible = set().union(*map(self._made, group))
        self._possible |= dict.fromkeys(group, possible)
        values = [value for variable in group for value in _values(variable)]
        while not possible >= (widened := set().union(*map(self._result, values))):
            possible |= widened

    def _made(self, variable: Variable) -> set[str]:
        """The widths that come to a variable otherwise than by operators."""
        is_compared = self._guess and variable.external
        needed = needed_widths(variable.needs.values(), compared=is_compared) if self._needs else set()
        possible = widths(variable.bounds.values())
        is_unsure = any(shape.unsure for shape in variable.shapes)
        is_free = not (possible or needed or any(True for _ in _values(variable)))
        if is_unsure or is_free or (variable in self._unknown and not needed):
            possible.add("number")
        return possible

    def _result(self, value: OperatorValue) -> set[str]:
        """The widths of the value of an operator: that of the widest operand, and of a quotient at least real."""
        operand_widths = [possible for operand in value.operands if (possible := self._possible[operand])]
        if value.operator not in KEEPS_WIDTH:
            operand_widths.append({"real"})
        least = max((min(_RANKS[width] for width in possible) for possible in operand_widths), default=0)
        wide = {width for width in set().union(*operand_widths) if _RANKS[width] >= least}
        return wide | {"number"} if self._complex and any("number" in possible for possible in operand_widths) else wide


def _values(variable: Variable) -> Iterator[OperatorValue]:
    values = (value for value in variable.bounds.values() if isinstance(value, OperatorValue))
    return reachable(values, lambda value: value.alike)


def operands(variable: Variable) -> Iterator[Variable]:
    """The operands of the operators whose values come to a variable."""
    return (operand for value in _values(variable) for operand in value.operands)
