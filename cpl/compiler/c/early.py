"""What is remembered is asked for early: memory is slow, and the processor goes on meanwhile.

    let h = Mark(P)
    …
    let v = Recall(h + Base, Unsearched)

The place of the entry is known when h is. There the C has `ask_early(…, add(h, Base));`, and the entry is near when
`Recall` needs it, if it ever does.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from cpl.compiler.semantics import core, walk


def asked_early(commands: Sequence[core.Command]) -> Iterator[tuple[int, core.Apply]]:
    """Yield the applications of Recall in commands whose numbers are known long before, each with the number of the
    command after which that is so.
    """
    for at, command in enumerate(commands):
        for node in walk.nodes(command):
            match node:
                case core.Apply(function=core.Host(name="Recall"), arguments=(number, _)) if _only_computes(number):
                    known = _last_change(number, commands[:at])
                    if known is not None and known + 1 < at and not _defines(number, [command]):
                        yield known, node


def _last_change(number: core.Expression, commands: Sequence[core.Command]) -> int | None:
    """Return which of the commands gives one of the variables of a number its value; the last one, if several do."""
    variables = walk.locals_in(number)
    for at in reversed(range(len(commands))):
        command = commands[at]
        is_new = isinstance(command, core.Let) and not variables.isdisjoint(walk.locals_in(command.target))
        if is_new or not variables.isdisjoint(walk.changed(command)):
            return at if is_new else None
    return None


def _defines(number: core.Expression, commands: Sequence[core.Command]) -> bool:
    """Tell whether a variable of a number has its value within commands."""
    return not walk.locals_in(number).isdisjoint([*walk.defined_in(*commands)])


def _only_computes(number: core.Expression) -> bool:
    """Tell whether a number can be computed at any time."""
    for node in walk.nodes(number):
        is_sum = isinstance(node, core.Binary) and node.operator in _OPERATORS
        is_constant = isinstance(node, core.Literal) or (isinstance(node, core.Global) and not node.is_changing)
        if not (is_sum or is_constant or isinstance(node, core.Local)):
            return False
    return True


_OPERATORS: Final = {"PLUS", "MINUS", "TIMES", "SUM", "DIFFERENCE", "BIT_AND", "BIT_OR", "BIT_XOR"}
