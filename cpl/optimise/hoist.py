"""What is the same in every round of a loop, before the loop."""

from collections import Counter
from collections.abc import Sequence

from cpl.optimise.simplify import is_steady, literals, simplified
from cpl.optimise.trees import bound_in, each_function
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import TupleOf


def hoist(program: core.Program, facts: Facts) -> core.Program:
    """The program with loops that do only what changes."""
    constants = literals(program)

    def hoisted(commands: Sequence[core.Command]) -> list[core.Command]:
        out: list[core.Command] = []
        for command in commands:
            if isinstance(command, core.While | core.ForList | core.ForStep):
                fixed, left = _parted(command, facts)
                out += fixed
                command = replace(command, commands=tuple(left))
            out.append(command)
        return out

    def change(one: core.Function) -> core.Function:
        made = walk.rebuilt(one.body, lambda node: walk.with_commands(node, hoisted))
        return simplified(replace(one, body=made), constants)

    return each_function(program, change)


def _parted(loop: core.While | core.ForList | core.ForStep, facts: Facts) -> tuple[list[core.Let], list[core.Command]]:
    """The definitions of a loop that are the same in each round, and its other commands."""
    counts = Counter(bound_in(loop))
    bound = {*counts}
    fixed: list[core.Let] = []
    left: list[core.Command] = []
    for command in loop.commands:
        if isinstance(command, core.Let) and _is_fixed(command, bound, facts):
            names = walk.locals_in(command.target)
            if all(counts[each] == 1 for each in names):  # they do not change later in the round
                fixed.append(command)
                bound -= names
                continue
        left.append(command)
    return fixed, left


def _is_fixed(command: core.Let, bound: set[core.Local], facts: Facts) -> bool:
    """Whether a definition is the same in each round, where these variables change, and cannot fail."""
    match command:
        case core.Let(target=core.Several(items=items), value=core.Local() as value):
            type = facts.of(value)
            is_tuple = facts.heads(value) == {"tuple"} and isinstance(type, TupleOf) and len(type.parts) == len(items)
            return value not in bound and is_tuple
        case core.Let(target=core.Local(), value=value):
            return is_steady(value) and bound.isdisjoint(walk.locals_in(value))
        case _:
            return False
