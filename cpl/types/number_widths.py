"""How wide a number is: whether the result of an operator is an integer or real, as its operands tell."""

from collections.abc import Iterator, Set
from itertools import chain

from cpl.semantics.reach import reachable
from cpl.semantics.scc import components
from cpl.types.constraints import KEEPS_WIDTH, OperatorValue, Shape, Variable, widths


class Widths:
    """The widths of numbers, once all flows are known. Operands are looked through once, however long a chain is.

    With `guess`, a parameter that is compared with whole numbers is taken for one if nothing else is known.
    """

    def __init__(self, doubtful: Set[Variable] = frozenset(), *, guess: bool = True) -> None:
        self._doubtful = doubtful
        self._guess = guess
        self._found: dict[Variable, set[str]] = {}

    def of(self, variable: Variable) -> str:
        """One of `WIDTHS`; `number` if it depends on a number of unknown width, such as those that are `doubtful`."""
        if variable not in self._found:
            self._find(variable)
        return next((each for each in ("complex", "real", "number") if each in self._found[variable]), "integer")

    def _find(self, start: Variable) -> None:
        new = [*reachable([start], lambda each: (one for one in _operands(each) if one not in self._found))]
        places = {variable: place for place, variable in enumerate(new)}
        for group in components([[places[one] for one in _operands(each) if one in places] for each in new]):
            members = [new[place] for place in group]
            known = chain.from_iterable(self._found.get(one, ()) for each in members for one in _operands(each))
            found = {*known}.union(*map(self._made, members))
            self._found |= dict.fromkeys(members, found)

    def _made(self, variable: Variable) -> set[str]:
        """What a variable adds to the widths of its operands."""
        values = _operator_values(variable)
        needed = widths(variable.needs.values(), compared=self._guess and variable.given)
        found = widths(variable.shapes.values())
        is_unsure = any(isinstance(each, Shape) and each.unsure for each in variable.shapes.values())
        if is_unsure or not (values or found or needed) or (variable in self._doubtful and not needed):
            found.add("number")
        if any(each.operator not in KEEPS_WIDTH for each in values):
            found.add("real")
        return found


def _operands(variable: Variable) -> Iterator[Variable]:
    return (operand for value in _operator_values(variable) for operand in value.operands)


def _operator_values(variable: Variable) -> list[OperatorValue]:
    return [each for each in variable.shapes.values() if isinstance(each, OperatorValue)]
