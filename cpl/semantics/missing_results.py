"""Blocks that may end before they have given a result."""

from collections.abc import Iterator, Sequence

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.source import Span


def missing_results(program: core.Program) -> Iterator[Diagnostic]:
    """The findings, in the order of the text."""
    for definition in program.definitions:
        for node in walk.nodes(definition):
            if isinstance(node, core.Block) and not node.routine:
                yield from _missing(node)


def _missing(block: core.Block) -> Iterator[Diagnostic]:
    match block.commands:
        case (core.Declare(variable=core.Local(name="result") as result), *commands, core.Result(value=value)) if (
            value == result
        ):
            is_missing = not _gives(commands, result)
        case commands:
            is_missing = not walk.ends(commands)
    if is_missing:
        end = Span(block.span.source, block.span.end - 1, block.span.end)
        conditions = [each for each in commands if isinstance(each, core.If) and not each.otherwise]
        related = [(each.test.span, "if this does not hold") for each in conditions[-1:]]
        yield report(messages.MISSING_RESULT, end, related=related)


def _gives(commands: Sequence[core.Command], variable: core.Local) -> bool:
    """Whether the commands assign to the variable on every path; a loop is assumed to run."""
    return any(_command_gives(command, variable) for command in commands)


def _command_gives(command: core.Command, variable: core.Local) -> bool:
    match command:
        case core.If(commands=inner, otherwise=otherwise):
            return all(_gives(arm, variable) or walk.ends(arm) for arm in (inner, otherwise))
        case core.While() | core.Repeat() | core.ForStep() | core.ForList():
            return _gives(command.commands, variable)
        case core.Label() | core.GoTo():
            return True  # a jump may lead to the assignment
        case _:
            return variable in walk.changed(command)
