"""Widths of numbers: the types of number that a value may have, as the operands of its operators tell.

An integer plus a real is a real, for certain; what is 1 or 0.5, as a condition decides, is of either type. Readers want
one type for it, the wider. Code must not rest on that: 1 has still to be converted where a real is declared.

The widths are the least fixpoint of equations between the variables and the operators of a program. In

    let s, t = 1, 0
    for k = 1 to 9 do s, t := s / 2, t + k

the equations are

    s     = {integer} ∪ s / 2          t     = {integer} ∪ t + k
    s / 2 = {real}                     t + k = the wider of t and k

so `s` is an integer or a real, `s / 2` a real, and `t` and `t + k` are integers. Each strongly connected component of
these equations is solved once, after those that it uses: here `k`, then `t` with `t + k`, and `s` with `s / 2`. Within
a component an equation is evaluated again only when something that it uses has grown, and a set of widths grows at most
four times. So the work is proportional to the number of operands.
"""

from collections.abc import Iterator, Set
from typing import Final

from cpl.compiler.semantics.graphs import components, reachable
from cpl.compiler.types.constraints import KEEPS_WIDTH, OperatorValue, Variable, needed_widths, widths

_RANKS: Final = {"number": 0, "integer": 0, "real": 1, "complex": 2}

_UNKNOWN: Final = frozenset({"number"})
_NONE: Final[frozenset[str]] = frozenset()

_Node = Variable | OperatorValue
"""What has an equation."""


class Widths:
    """The widths of numbers, once all flows are known. No equation is solved twice, however often widths are asked for.

    What comes into `unknown` variables may be of any width; it may be `complex` if the program has complex numbers. For
    readers the `needs` of a variable count, too, and with `guess` a parameter that is compared with whole numbers is
    taken for an integer if nothing else is known. If only some variables are `inside`, nothing is known of what others
    hold, nor of operators that are applied elsewhere.
    """

    def __init__(
        self,
        unknown: Set[Variable],
        *,
        inside: Set[Variable] | None = None,
        complex: bool = False,
        needs: bool = False,
        guess: bool = False,
    ) -> None:
        self._unknown = unknown
        self._inside = inside
        self._complex = complex
        self._needs = needs
        self._guess = guess
        self._solved: dict[_Node, frozenset[str]] = {}

    def of(self, variable: Variable) -> str:
        """The widest of the possible widths, in the order of `_RANKS`."""
        return max(self.possible(variable), key=lambda width: (_RANKS[width], width), default="integer")

    def only(self, variable: Variable) -> str:
        """The one width that is possible; "" if there are several, or some are unknown."""
        possible = self.possible(variable)
        if len(possible) != 1 or possible == _UNKNOWN:
            return ""
        [width] = possible
        return width

    def possible(self, node: _Node) -> frozenset[str]:
        """The widths that a variable or the value of an operator may have; "number" stands for any."""
        if node not in self._solved:
            self._solve_all(node)
        return self._solved[node]

    def _solve_all(self, start: _Node) -> None:
        """Solve the equations that a node depends on, one strongly connected component after the other."""

        def unsolved(node: _Node) -> list[_Node]:
            return [used for used in self._uses(node) if used not in self._solved]

        starts: list[_Node] = [start]
        nodes = [*reachable(starts, unsolved)]
        numbers = {node: number for number, node in enumerate(nodes)}
        graph = [[numbers[used] for used in unsolved(node)] for node in nodes]
        for component in components(graph):
            self._solve([nodes[number] for number in component])

    def _solve(self, component: list[_Node]) -> None:
        """Find the least fixpoint of equations that use each other; all others that they use are solved."""
        users: dict[_Node, list[_Node]] = {node: [] for node in component}
        for node in component:
            self._solved[node] = _NONE
            for used in self._uses(node):
                if used in users:
                    users[used].append(node)

        waiting = [*component]
        while waiting:
            node = waiting.pop()
            possible = self._evaluated(node)
            if possible != self._solved[node]:
                self._solved[node] = possible
                waiting += users[node]

    def _evaluated(self, node: _Node) -> frozenset[str]:
        """The right side of an equation, by what is known of the left sides so far."""
        if self._is_outside(node):
            return _UNKNOWN
        if isinstance(node, Variable):
            return self._of_shapes(node).union(*[self._solved[value] for value in _values(node)])
        return self._of_operands(node).union(*[self._solved[value] for value in node.alike])

    def _uses(self, node: _Node) -> Iterator[_Node]:
        """What the equation of a variable or an operator uses."""
        if self._is_outside(node):
            return
        if isinstance(node, Variable):
            yield from _values(node)
        else:
            yield from node.operands
            yield from node.alike

    def _is_outside(self, node: _Node) -> bool:
        variable = node if isinstance(node, Variable) else node.variable
        return self._inside is not None and variable not in self._inside

    def _of_shapes(self, variable: Variable) -> frozenset[str]:
        """The widths that come to a variable otherwise than by operators: those of its other lower bounds."""
        possible = widths(variable.bounds.values())
        if any(shape.unsure for shape in variable.shapes):
            possible.add("number")

        has_no_source = not possible and next(_values(variable), None) is None
        if has_no_source or variable in self._unknown:
            possible.add("integer" if self._needed(variable) else "number")
        return frozenset(possible)

    def _needed(self, variable: Variable) -> set[str]:
        """The widths that upper bounds ask for, if these count."""
        if not self._needs:
            return set()
        return needed_widths(variable.needs.values(), compared=self._guess and variable.external)

    def _of_operands(self, value: OperatorValue) -> frozenset[str]:
        """The widths of the value of an operator: that of the widest operand, and of a quotient at least real. While
        nothing is known of an operand, nothing is known of the value.
        """
        operands = [self._solved[operand] for operand in value.operands]
        if not all(operands):
            return _NONE
        if value.operator not in KEEPS_WIDTH:
            operands.append(frozenset({"real"}))

        # Of each operand the narrowest width may come: the result is no narrower than the widest of these.
        least = max([_narrowest_rank(possible) for possible in operands])

        join = _NONE.union(*operands)
        possible = {width for width in join if _RANKS[width] >= least}
        if self._complex and "number" in join:
            possible.add("number")
        return frozenset(possible)


def _narrowest_rank(possible: frozenset[str]) -> int:
    return min([_RANKS[width] for width in possible])


def _values(variable: Variable) -> Iterator[OperatorValue]:
    """The values of operators on numbers, as far as is known, among the lower bounds of a variable."""
    for bound in variable.bounds.values():
        if isinstance(bound, OperatorValue) and bound.overload.root.kind in (None, "number"):
            yield bound
