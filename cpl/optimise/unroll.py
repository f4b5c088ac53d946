"""Loops over a few members that are written out, as the commands for each of them.

    for s = 5, 4 do C[s]    C[5]; C[4]

Only where the variable decides something, as for `specialise`: there the commands get simpler.
"""

from collections.abc import Sequence
from typing import Final

from cpl.optimise.simplify import literals, simplified
from cpl.optimise.specialise import decided_by, deciding
from cpl.optimise.trees import Fresh, each_function, renamed
from cpl.records import dataclass, field
from cpl.semantics import core, walk
from cpl.types.facts import Facts

MOST_MEMBERS: Final = 8
MOST_WRITTEN: Final = 600
"""Nodes of all the commands together."""


def unroll(program: core.Program, facts: Facts) -> core.Program:
    """The program with short loops written out."""
    functions = {one.name: one for one in program.definitions if isinstance(one, core.Function)}
    lists, known, constants = dict(_lists(program)), deciding(functions), literals(program)

    def change(one: core.Function) -> core.Function:
        unroller = _Unroller(lists, known, Fresh(one))
        made = walk.rebuilt(one, lambda node: walk.with_commands(node, unroller.commands))
        return simplified(made, constants) if unroller.has_unrolled else one

    return each_function(program, change)


def _lists(program: core.Program) -> list[tuple[core.Expression, core.Expression]]:
    """The names of the top level that stand for lists of constants, and always for the same."""
    changed = {each for one in program.definitions for each in walk.changed(one)}
    return [
        (one.target, one.value)
        for one in program.definitions
        if isinstance(one, core.Constants)
        and isinstance(one.target, core.Global)
        and one.target not in changed
        and isinstance(one.value, core.List)
        and all(isinstance(item, core.Literal) for item in one.value.items)
    ]


@dataclass
class _Unroller:
    lists: dict[core.Expression, core.Expression]
    deciding: dict[core.Global, list[int]]
    fresh: Fresh
    has_unrolled: bool = field(default=False, init=False)

    def commands(self, commands: Sequence[core.Command]) -> list[core.Command]:
        """Commands, with those of loops one after the other."""
        out: list[core.Command] = []
        for command in commands:
            match command:
                case core.ForList(variable=variable, members=members, commands=inner, otherwise=()) if (
                    items := self.items(members)
                ) and self.is_worth(command, len(items)):
                    self.has_unrolled = True
                    values = [self.fresh.local(variable.name, item.span) for item in items]
                    out += [core.Let(one, item, span=item.span) for one, item in zip(values, items, strict=True)]
                    for value in values:
                        names = {each: self.fresh.like(each) for each in walk.defined_in(*inner)} | {variable: value}
                        out += [renamed(each, names) for each in inner]
                case _:
                    out.append(command)
        return out

    def items(self, members: core.Expression) -> tuple[core.Expression, ...]:
        """The members of a list that is written out; none if it is not, or has too many."""
        known = self.lists.get(members, members)
        items = known.items if isinstance(known, core.List) and not known.growing else ()
        return items if len(items) <= MOST_MEMBERS else ()

    def is_worth(self, loop: core.ForList, count: int) -> bool:
        """Whether the commands are few, go on to their end, and something in them depends on the variable."""
        parts = [part for each in loop.commands for part in walk.nodes(each)]
        if count * len(parts) > MOST_WRITTEN or any(isinstance(part, core.Break) for part in parts):
            return False
        if loop.variable in walk.changed(loop):
            return False
        return any(loop.variable in decided_by(each) for each in loop.commands) or any(
            loop.variable in part.arguments
            and any(part.arguments[at : at + 1] == (loop.variable,) for at in self.deciding.get(part.function, ()))
            for part in parts
            if isinstance(part, core.Apply) and isinstance(part.function, core.Global)
        )
