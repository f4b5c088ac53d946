"""Variables that need no place of their own in C: each lives in the place of another one.

    until Null(Tail(m)) do
      § let (φ,l) = Next(m)
        ψ, m := ψ ∨ Between(φ, Head(l)), l §

becomes

    while (m->count != after_first(m->count, m_at)) {
        whole phi = item_whole_list(m, m_at);
        m_at = after_first(m->count, m_at);
        psi = psi | Between(phi, item_whole_list(m, m_at));
    }

After `l` is defined, nobody reads the old `m`, and in the end `m` gets `l`: so `l` lives in the place of `m` at once.
So does a copy of a variable, in the place of that: if neither of the two changes while the copy is in scope; or if
nobody reads the other one any more before it gets a new value; or if the other one is a parameter with the same name
that nobody reads any more, as where a function that is written out gets it. A copy with another name says what it is.

Limits: nothing may refer to the two variables, and no function inside the definition may mention them. The forms of
their values must be the same, which who writes the C knows.
"""

from collections.abc import Sequence, Set

from cpl.compiler.optimise.merge import Assigning, receivers
from cpl.compiler.semantics import core, walk

Commands = Sequence[core.Command]


class Places:
    """The variables of a function: which others may have the places of which."""

    def __init__(self, function: core.Function | core.LetFunction) -> None:
        self.parameters = function.parameters
        self.assigned = {*walk.assigned(function.body)}
        assignments = (node for node in walk.nodes(function.body) if isinstance(node, core.Assign))
        self.handed_on = {value for each in assignments for value in each.values if isinstance(value, core.Local)}
        self.together: dict[core.Local, set[core.Local]] = {}  # those in one place with it; the sets are shared
        self.kept: set[core.Local] = set()  # those that are read though nothing mentions them any more
        self.shared: set[core.Local] = set()
        for node in walk.nodes(function.body):
            if isinstance(node, core.Lambda | core.LetFunction | core.Reference | core.ReadOnly):
                self.shared |= walk.locals_in(node)

    def for_value(self, variable: core.Local, rest: Commands) -> core.Local | None:
        """Return the variable whose place another one may have that is defined before these commands of a function,
        because it is handed on to that on each path, and the old value of that is not read; None if there is none.
        """
        if variable not in self.handed_on or variable in self.assigned or not self._is_plain(variable):
            return None
        found = [place for part in walk.all_nodes(rest) for place in receivers(part, variable)]
        if not found or {*found} != {found[0]}:
            return None
        place = found[0]
        if not isinstance(place, core.Local) or not self._is_plain(place) or _may_leave(rest):
            return None
        is_only_assigned = _mentions(self._in_place_of(place), rest) == len(found)
        paths = Assigning(place, variable)
        return place if is_only_assigned and paths.always(rest) and paths.count == len(found) else None

    def for_copy(
        self, copy: core.Local, original: core.Local, rest: Commands, *, is_in_function: bool, is_outermost: bool
    ) -> bool:
        """Tell whether a copy may have the place of the original, if these commands come after it. `is_in_function`
        tells whether a result among them leaves the function, and not only a block inside an expression;
        `is_outermost`, whether they are all that the function still does.
        """
        if not self._is_plain(copy) or not self._is_plain(original):
            return False
        others = self._in_place_of(original)
        is_assigned = any(not others.isdisjoint(walk.assigned(command)) for command in rest)
        if copy not in self.assigned and not is_assigned:
            return True
        if not _mentions(others, rest):
            is_free = is_outermost and self.kept.isdisjoint(others)
            return is_free and original in self.parameters and copy.name == original.name
        return _is_replaced(original, others, copy, rest, is_in_function=is_in_function)

    def share(self, variable: core.Local, place: core.Local) -> None:
        """Note that a variable lives in the place of another one from now on."""
        others = self._in_place_of(place)
        others.add(variable)
        self.together[variable] = self.together[place] = others

    def keep(self, variable: core.Local, changing: Set[core.Node]) -> bool:
        """Let the place of a variable keep its value for good, if none of those that live there changes; tell whether
        it does. The variable may then be read though the commands do not mention it any more.
        """
        if not self._in_place_of(variable).isdisjoint(changing):
            return False
        self.kept.add(variable)
        return True

    def _in_place_of(self, variable: core.Local) -> set[core.Local]:
        """The variables that live in one place with this one, itself among them."""
        return self.together.get(variable, {variable})

    def _is_plain(self, variable: core.Local) -> bool:
        """Tell whether a variable holds a value as it is, and nothing else reads or changes it."""
        return variable.mode == "" and variable not in self.shared


def _is_replaced(
    original: core.Local, others: Set[core.Local], copy: core.Local, rest: Commands, *, is_in_function: bool
) -> bool:
    """Tell whether the first of these commands that mentions the original, or others in its place, gives it a new
    value, and none after it mentions the copy. Where a result before it leaves a block of the function, the original
    may still be read there.
    """
    at = next(at for at, command in enumerate(rest) if _mentions(others, [command]))
    match rest[at]:
        case core.Assign(places=places) as command if original in places and _mentions(others, [command]) == 1:
            may_leave = _may_leave(rest[:at]) or (not is_in_function and walk.may_give_result(rest[:at]))
            return not may_leave and not _mentions({copy}, rest[at + 1 :])
        case _:
            return False


def _mentions(variables: Set[core.Local], commands: Commands) -> int:
    """Count how often commands mention variables."""
    return sum(isinstance(part, core.Local) and part in variables for part in walk.all_nodes(commands))


def _may_leave(commands: Commands) -> bool:
    """Tell whether commands may be left before their end, but not with the function."""
    return any(isinstance(part, core.Break | core.Jump) for part in walk.all_nodes(commands))
