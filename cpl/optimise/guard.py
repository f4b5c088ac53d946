"""Work that has no effect where a bit string is empty, left out there.

§ let x = a ∧ b; let y = x SHIFT n ∧ c; if y ≠ 0 then do … §|
§ let x = a ∧ b; if x ≠ 0 then do § let y = x SHIFT n ∧ c; if y ≠ 0 then do … §| §|

§ let x = a ∧ b; let L = x ∧ k; while L ≠ 0 do … §|
§ if k ≠ 0 then do § let x = a ∧ b; let L = x ∧ k; while L ≠ 0 do … §| §|
"""

from collections.abc import Mapping, Sequence

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
    """Commands with tests before those that do nothing if a variable of theirs is 0, the last ones first. A value that
    needs one of the variables that have `several` is left alone.
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
                names - {name}
            ):
                using = [at for at, each in enumerate(named) if name in each]
                needed = _filter(value, places) if name in several else _last_shifted(value, places)
                if len(using) == 1 and (made := _with(command, needed, out[using[0]])):
                    [at] = using
                    out[at] = made
                    named[at] |= names
                    if joined := _joined(*out[at : at + 2]):
                        out[at : at + 2], named[at : at + 2] = [joined], [named[at] | named[at + 1]]
                    continue
        out.insert(0, command)
        named.insert(0, names)
    return out


def _last_shifted(value: core.Expression, places: Mapping[core.Target, int]) -> core.Local | None:
    """The last variable of those with `places` that is shifted, and makes a value 0 if it is 0: what else a value needs
    is seldom 0.
    """
    return max(_shifted(value) & places.keys(), key=lambda each: places[each], default=None)


def _shifted(value: core.Expression) -> set[core.Local]:
    """The variables that are shifted, and make a value 0 if they are 0."""
    match value:
        case core.Binary(operator="BIT_AND", left=left, right=right):
            return _shifted(left) | _shifted(right)
        case core.Binary(operator="SHIFT" | "SHIFT_LEFT" | "SHIFT_RIGHT", left=left):
            return {left} if isinstance(left, core.Local) else _shifted(left)
        case _:
            return set()


def _filter(value: core.Expression, places: Mapping[core.Target, int]) -> core.Local | None:
    """The variable that selects from one of those with `places`."""
    match value:
        case core.Binary(operator="BIT_AND", left=core.Local() as left, right=core.Local() as right):
            chosen = [each for each in (left, right) if each not in places]
            return chosen[0] if len(chosen) == 1 else None
        case _:
            return None


def _with(let: core.Let, needed: core.Local | None, choice: core.Command) -> core.If | None:
    """A command and a definition that only it needs, with a test before both, if it does nothing without."""
    if not needed or not _is_nothing_for(let.target, choice):
        return None
    test = core.Compare((needed, core.Literal(0, span=let.span)), ("UNEQUAL",), span=let.span)
    return core.If(test, (let, choice), span=let.span)


def _joined(choice: core.Command, after: core.Command | None = None) -> core.If | None:
    """A command that has a test, as one with the next if that has the same."""
    match choice, after:
        case core.If(), core.If(test=test, commands=commands, otherwise=()) if test == choice.test:
            return replace(choice, commands=(*choice.commands, *commands))
        case _:
            return None


def _is_nothing_for(name: core.Target, choice: core.Command) -> bool:
    """Whether a command does nothing if a variable is 0."""
    match choice:
        case (
            core.If(core.Compare((tested, core.Literal() as zero), ("EQUAL",)), commands=())
            | core.If(core.Compare((tested, core.Literal() as zero), ("UNEQUAL",)), otherwise=())
            | core.While(core.Compare((tested, core.Literal() as zero), ("UNEQUAL",)), otherwise=())
        ):
            return tested == name and zero.value == 0 and zero.value is not False
        case _:
            return False
