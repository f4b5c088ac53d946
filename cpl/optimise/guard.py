"""Work that has no effect where a bit string is empty, left out there.

§ let x = a ∧ b; let y = x SHIFT n ∧ c; if y ≠ 0 then do … §|
§ let x = a ∧ b; if x ≠ 0 then do § let y = x SHIFT n ∧ c; if y ≠ 0 then do … §| §|
"""

from collections.abc import Sequence

from cpl.optimise.simplify import is_removable
from cpl.optimise.trees import changing, each_function
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts


def guard(program: core.Program, facts: Facts) -> core.Program:
    """The program with tests before work that may have no effect."""

    def change(one: core.Function) -> core.Function:
        several = changing(one.body)
        body = walk.rebuilt(one.body, lambda node: walk.with_commands(node, lambda each: _guarded(each, several)))
        return replace(one, body=body)

    return each_function(program, change)


def _guarded(commands: Sequence[core.Command], several: set[core.Local | core.Global]) -> Sequence[core.Command]:
    """Commands with tests before those that do nothing if a variable of theirs is 0, the last ones first. The variables
    that have `several` values are left alone.
    """
    places = {
        each.target: at
        for at, each in enumerate(commands)
        if isinstance(each, core.Let) and isinstance(each.value, core.Binary) and each.value.operator == "BIT_AND"
    }
    out: list[core.Command] = []
    named: list[set[core.Local]] = []  # the variables of each
    for command in reversed(commands):
        names = walk.locals_in(command)
        match command:
            case core.Let(target=core.Local() as name, value=value) if is_removable(value) and several.isdisjoint(
                names
            ):
                using = [at for at, each in enumerate(named) if name in each]
                needed = _shifted(value) & places.keys()
                if len(using) == 1 and needed and _is_nothing_for(name, out[using[0]]):
                    [at] = using
                    last = max(needed, key=lambda each: places[each])
                    test = core.Compare((last, core.Literal(0, span=value.span)), ("UNEQUAL",), span=value.span)
                    out[at] = core.If(test, (command, out[at]), span=command.span)
                    named[at] |= names
                    if joined := _joined(*out[at : at + 2]):
                        out[at : at + 2], named[at : at + 2] = [joined], [named[at] | named[at + 1]]
                    continue
        out.insert(0, command)
        named.insert(0, names)
    return out


def _shifted(value: core.Expression) -> set[core.Local]:
    """The variables that are shifted, and make a value 0 if they are 0: what else a value needs is seldom 0."""
    match value:
        case core.Binary(operator="BIT_AND", left=left, right=right):
            return _shifted(left) | _shifted(right)
        case core.Binary(operator="SHIFT" | "SHIFT_LEFT" | "SHIFT_RIGHT", left=left):
            return {left} if isinstance(left, core.Local) else _shifted(left)
        case _:
            return set()


def _joined(choice: core.Command, after: core.Command | None = None) -> core.If | None:
    """A command that has a test, as one with the next if that has the same."""
    match choice, after:
        case core.If(), core.If(test=test, commands=commands, otherwise=()) if test == choice.test:
            return replace(choice, commands=(*choice.commands, *commands))
        case _:
            return None


def _is_nothing_for(name: core.Local, choice: core.Command) -> bool:
    """Whether a command does nothing if a variable is 0."""
    match choice:
        case core.If(core.Compare((tested, core.Literal() as zero), ("EQUAL",)), commands=()) | core.If(
            core.Compare((tested, core.Literal() as zero), ("UNEQUAL",)), otherwise=()
        ):
            return tested == name and zero.value == 0 and zero.value is not False
        case _:
            return False
