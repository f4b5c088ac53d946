"""What only one branch needs, worked out in that branch.

§ let x = a ∧ b; if T then do § … x … §| … §|    § if T then do § let x = a ∧ b; … x … §| … §|
"""

from collections.abc import Sequence

from cpl.optimise.simplify import is_removable
from cpl.optimise.trees import changing, each_function, is_atom
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts


def sink(program: core.Program, facts: Facts) -> core.Program:
    """The program with definitions in the branches that need them."""
    return each_function(program, lambda one: replace(one, body=_Sinking(one).sunk(one.body)))


class _Sinking:
    def __init__(self, function: core.Function) -> None:
        self.changing = changing(function.body)

    def sunk(self, node: walk.AnyNode) -> walk.AnyNode:
        """A node with its definitions sunk, the outer ones first."""
        return walk.with_parts(walk.with_commands(node, self.commands), self.sunk)

    def commands(self, commands: Sequence[core.Command]) -> list[core.Command]:
        """Commands with their definitions sunk, the last ones first: what they need may follow them."""
        out: list[core.Command] = []
        named: list[set[core.Local]] = []  # the variables of each
        for command in reversed(commands):
            names = walk.locals_in(command)
            if isinstance(command, core.Let) and self.may_sink(command):
                using = [at for at, each in enumerate(named) if command.target in each]
                if len(using) == 1 and (made := _with(command, out[using[0]])):
                    out[using[0]] = made
                    named[using[0]] |= names
                    continue
            out.insert(0, command)
            named.insert(0, names)
        return out

    def may_sink(self, let: core.Let) -> bool:
        """Whether a value takes work, is the same wherever that is done, and cannot fail."""
        return (
            isinstance(let.target, core.Local)
            and not is_atom(let.value)
            and is_removable(let.value)
            and self.changing.isdisjoint(walk.locals_in(let))
        )


def _with(let: core.Let, choice: core.Command) -> core.If | None:
    """A command with a definition in the only one of its branches that needs it, if there is one."""
    if not isinstance(choice, core.If) or let.target in walk.locals_in(choice.test):
        return None
    branches = (choice.commands, choice.otherwise)
    match [any(let.target in walk.locals_in(each) for each in branch) for branch in branches]:
        case [True, False]:
            return replace(choice, commands=(let, *choice.commands))
        case [False, True]:
            return replace(choice, otherwise=(let, *choice.otherwise))
        case _:
            return None
