"""Where a loop asks for Ctrl-C: in each turn, or once before it, if it is short.

A loop through a list has as many turns as the list has members, and one that takes a bit string apart has at most 64.
All loops within it, and all functions that apply themselves, ask on their own, so that a call never goes on for long
without asking.
"""

from typing import Final

from cpl.compiler.c.bit_counts import compared_with_zero, is_lowest, is_without_lowest
from cpl.compiler.semantics import core, walk

MOST_TURNS: Final = 1 << 16
"""The most turns of a loop between constant bounds that counts as short."""


def is_short(loop: core.Loop) -> bool:
    """Tell whether a loop has few turns for certain, if nothing but its own commands assigns to its variables."""
    match loop:
        case core.ForList():
            return True
        case core.ForStep(first=core.Literal(value=int() as first), last=core.Literal(value=int() as last)):
            is_constant = isinstance(loop.step, core.Literal)
            return is_constant and abs(last - first) < MOST_TURNS and loop.variable not in walk.changed(loop)
        case core.While(test=test, commands=commands):
            bits = compared_with_zero(test, "UNEQUAL")
            return bits is not None and _takes_apart(bits, commands)
    return False


def in_functions(function: core.Function | core.LetFunction) -> set[core.Local]:
    """The variables that functions within a function mention, or that others may have by their place."""
    found: set[core.Local] = set()
    for node in walk.nodes(function.body):
        is_by_place = isinstance(node, core.Apply) and any(node.modes)
        if is_by_place or isinstance(node, core.Lambda | core.LetFunction | core.Reference):
            found |= walk.locals_in(node)
    return found


def _takes_apart(bits: core.Local, commands: tuple[core.Command, ...]) -> bool:
    """Tell whether each turn takes the lowest one from a bit string, and nothing else happens to it."""
    changed = [place for command in commands for place in walk.changed(command)]
    may_skip = any(isinstance(command, core.Break) and command.again for command in walk.all_commands(commands))
    if changed.count(bits) != 1 or may_skip:
        return False
    lowest: core.Local | None = None
    for command in commands:
        match command:
            case core.Let(target=core.Local() as target, value=value) if is_lowest(value, bits):
                lowest = target if target not in changed else None
            case core.Assign(places=places, values=values) if bits in places and len(places) == len(values):
                return is_without_lowest(values[places.index(bits)], bits, lowest)
    return False
