"""Loops over a few members that are written out, as the commands for each of them.

    for s = 5, 4 do C[s]    C[5]; C[4]

Only where the variable decides something, as for `specialise`: there the commands get simpler.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cpl.optimise.simplify import literals, simplified
from cpl.optimise.specialise import deciding, decided_by
from cpl.optimise.trees import Fresh, copied, is_plain, size
from cpl.semantics import core, walk
from cpl.types.facts import Facts

MOST_MEMBERS: Final = 8
MOST_WRITTEN: Final = 600
"""Nodes of all the commands together."""


def unroll(program: core.Program, facts: Facts) -> core.Program:
    """The program with short loops written out."""
    changed = {each for one in program.definitions for each in walk.changed(one)}
    lists = {
        one.target: one.value
        for one in program.definitions
        if isinstance(one, core.Constants)
        and isinstance(one.target, core.Global)
        and one.target not in changed
        and isinstance(one.value, core.List)
        and all(isinstance(item, core.Literal) for item in one.value.items)
    }
    functions = {one.name: one for one in program.definitions if isinstance(one, core.Function)}
    unroller = _Unroller(lists, functions, deciding(functions), literals(program))
    return replace(program, definitions=tuple(map(unroller.definition, program.definitions)))


@dataclass
class _Unroller:
    lists: dict[core.Global, core.List]
    functions: dict[core.Global, core.Function]
    deciding: dict[core.Global, list[int]]
    constants: dict[core.Global, core.Literal]

    def definition(self, definition: core.Definition) -> core.Definition:
        """A definition with its loops written out."""
        if not isinstance(definition, core.Function) or not is_plain(definition):
            return definition
        self.fresh = Fresh(definition)
        made = walk.rebuilt(definition, self.change)
        return definition if made == definition else simplified(made, self.constants)  # type: ignore[arg-type]

    def change(self, node: core.Node) -> core.Node:
        """A node whose commands may have loops among them."""
        match node:
            case core.Block(commands=commands):
                return replace(node, commands=self.commands(commands))
            case core.If() | core.While() | core.ForList() | core.ForStep():
                return replace(node, commands=self.commands(node.commands), otherwise=self.commands(node.otherwise))
            case core.Repeat(commands=commands):
                return replace(node, commands=self.commands(commands))
            case _:
                return node

    def commands(self, commands: Sequence[core.Command]) -> tuple[core.Command, ...]:
        """Commands, with those of loops one after the other."""
        out: list[core.Command] = []
        for command in commands:
            match command:
                case core.ForList(variable=variable, members=members, commands=inner, otherwise=()) if (
                    (items := self.items(members))
                    and len(items) * sum(map(size, inner)) <= MOST_WRITTEN
                    and self.is_deciding(variable, inner)
                    and not any(isinstance(part, core.Break) for each in inner for part in walk.nodes(each))
                    and variable not in {*walk.changed(command)}
                ):
                    values = [self.fresh.local(variable.name, item.span) for item in items]
                    out += [core.Let(one, item, span=item.span) for one, item in zip(values, items, strict=True)]
                    for value in values:
                        out += self.copy(inner, variable, value)
                case _:
                    out.append(command)
        return tuple(out)

    def items(self, members: core.Expression) -> tuple[core.Expression, ...]:
        """The members of a list that is written out; none if it is not, or has too many."""
        known = self.lists.get(members, members) if isinstance(members, core.Global) else members
        items = known.items if isinstance(known, core.List) and not known.growing else ()
        return items if len(items) <= MOST_MEMBERS else ()

    def is_deciding(self, variable: core.Local, commands: Sequence[core.Command]) -> bool:
        """Whether something in these commands depends on the variable that may be known."""
        block = core.Block(tuple(commands), span=variable.span)
        if variable in decided_by(block):
            return True
        return any(
            isinstance(part, core.Apply)
            and isinstance(part.function, core.Global)
            and any(part.arguments[at] == variable for at in self.deciding.get(part.function, ()) if at < len(part.arguments))
            for part in walk.nodes(block)
        )

    def copy(
        self, commands: Sequence[core.Command], variable: core.Local, value: core.Local
    ) -> tuple[core.Command, ...]:
        """The commands for one member, with variables of their own."""
        bound = {each for command in commands for each in bound_by(command)}
        names = {variable: value}

        def change(part: core.Node) -> core.Node:
            if isinstance(part, core.Local) and (part in bound or part in names):
                names.setdefault(part, self.fresh.like(part))
                return replace(names[part], span=part.span)
            return part

        return tuple([walk.rebuilt(each, change) for each in commands])  # type: ignore[misc]


def bound_by(command: core.Command) -> list[core.Local]:
    """The variables that a command, or one within it, defines."""
    found: list[core.Local] = []
    for part in walk.nodes(command):
        match part:
            case core.Let(target=target):
                found += walk.locals_in(target)
            case core.ForList(variable=variable) | core.ForStep(variable=variable):
                found.append(variable)
            case core.LetFunction(name=name, parameters=parameters):
                found += [name, *parameters]
            case core.Lambda(parameters=parameters):
                found += parameters
            case core.Declare(variable=core.Local() as variable):
                found.append(variable)
    return found
